/*
 * Messages: everything that bridges, the master and workers say to each other, as plain structs.
 *
 * docs/protocol.md defines what each means and when it may be sent; common/codec turns them into
 * bytes and back and enforces every limit here, so that code behind the codec may rely on them.
 *
 *     bridge -> master   OPEN SEARCH STOP PONDERHIT NEW_GAME CLOSE PING
 *     master -> bridge   OPENED INFO BESTMOVE STATUS ERROR PONG RESET CLEARED
 *     worker -> master   HELLO HEARTBEAT IMPROVED RESULT OFFER PARKED CLEARED BYE
 *     master -> worker   WELCOME JOB BOUNDS CANCEL HUNGRY NEW_GAME DRAIN RESET ERROR PING
 *     both               IMPROVED RESULT BOUNDS CANCEL of a share, TABLE HEARD
 *
 * A job that runs may give shares of its open nodes away (OFFER). Whoever owns the share knows it
 * as (its own job's name, share number), whoever searches it by a job's name of its own; the
 * master alone knows both and renames what it passes on.
 *
 * Chess moves travel as the 16 bits of chess/types.h. The receiver tests their legality.
 */
#ifndef ROOKERY_MESSAGES_MESSAGES_H
#define ROOKERY_MESSAGES_MESSAGES_H

#include "base/duration.h"
#include "chess/fen.h"
#include "chess/history.h"
#include "chess/line.h"
#include "chess/movegen.h"
#include "messages/names.h"

/* Peers of another version are refused: the search's results must be comparable. */
enum { PROTOCOL_VERSION = 5 };

enum {
    MESSAGE_TABLE_ENTRIES_MAX = 128, /* small, for nothing urgent may wait behind it */
    MESSAGE_NAME_BYTES_MAX = 64,     /* of a program or worker, with its NUL */
    MESSAGE_TEXT_BYTES_MAX = 256,    /* of an error, with its NUL */
    MESSAGE_GAME_MOVES_MAX = HISTORY_GAME_KEYS_MAX,
    MESSAGE_SLOTS_MAX = 256,   /* search slots of one worker */
    MESSAGE_WORKERS_MAX = 256, /* rows of a STATUS */
    MESSAGE_MULTI_PV_MAX = 256,
    MESSAGE_SESSIONS_MAX = 16, /* of one master */
    MESSAGE_HASH_MB_MAX = 1 << 20,
    MESSAGE_PATH_MAX = PLY_MAX / 2, /* plies between a search's root and a job's node */
    MESSAGE_BUSY_MAX =
        5 * MESSAGE_SLOTS_MAX, /* jobs of one worker: two lanes a slot, and its queue */
    MESSAGE_SHARES_MAX = 64,   /* shares of one job that may be out at once */
};

typedef enum {
    MESSAGE_OPEN,
    MESSAGE_OPENED,
    MESSAGE_SEARCH,
    MESSAGE_STOP,
    MESSAGE_PONDERHIT,
    MESSAGE_NEW_GAME,
    MESSAGE_CLOSE,
    MESSAGE_INFO,
    MESSAGE_BESTMOVE,
    MESSAGE_STATUS,
    MESSAGE_ERROR,
    MESSAGE_PING,
    MESSAGE_PONG,
    MESSAGE_HELLO,
    MESSAGE_WELCOME,
    MESSAGE_HEARTBEAT,
    MESSAGE_JOB,
    MESSAGE_IMPROVED,
    MESSAGE_RESULT,
    MESSAGE_BOUNDS,
    MESSAGE_CANCEL,
    MESSAGE_DRAIN,
    MESSAGE_BYE,
    MESSAGE_RESET,
    MESSAGE_OFFER,
    MESSAGE_PARKED,
    MESSAGE_HUNGRY,
    MESSAGE_TABLE,
    MESSAGE_HEARD,
    MESSAGE_CLEARED,
    MESSAGE_TYPE_COUNT
} MessageType;

/* A game's position: the last irreversible one and the moves since, so that repetitions are known.
 */
typedef struct {
    char fen[FEN_BYTES_MAX]; /* NUL-terminated */
    bool chess960;           /* castling rights and notation */
    int move_count;          /* 0 to MESSAGE_GAME_MOVES_MAX */
    Move moves[MESSAGE_GAME_MOVES_MAX];
} GamePosition;

/* UCI's go. Absent values are 0 or false; clocks may be negative, as some GUIs send them. */
typedef struct {
    bool has_clock[COLOR_COUNT];     /* wtime, btime given */
    Duration clock[COLOR_COUNT];     /* time left */
    Duration increment[COLOR_COUNT]; /* a move, not negative */
    int moves_to_go;                 /* until the next control; 0: sudden death */
    bool has_move_time;
    Duration move_time;    /* for this move exactly */
    int depth;             /* plies, 0 for no limit */
    uint64_t nodes;        /* of all workers together, 0 for no limit */
    int mate_moves;        /* stop at a mate in so many, 0 for no limit */
    bool infinite;         /* until STOP, whatever is found */
    bool ponder;           /* until PONDERHIT starts the clock, or STOP */
    int search_move_count; /* 0: all moves */
    Move search_moves[MOVES_MAX];
} GoLimits;

typedef struct {
    int protocol_version;
    char name[MESSAGE_NAME_BYTES_MAX]; /* of the bridge, for the log */
} MessageOpen;

typedef struct {
    Epoch epoch;
    SessionId session;
} MessageOpened;

typedef struct {
    SearchId search;
    GamePosition position;
    GoLimits limits;
    int multi_pv;           /* 1 to MESSAGE_MULTI_PV_MAX */
    Duration move_overhead; /* kept back from every clock for what lies before the bridge */
} MessageSearch;

/* STOP and PONDERHIT name the search they mean. */
typedef struct {
    SearchId search;
} MessageSearchName;

typedef struct {
    SearchId search;
    int multi_pv_index; /* from 0 */
    Line line;          /* at least one move */
    uint64_t nodes;     /* of all workers */
    Duration elapsed;   /* since the master got the SEARCH */
    int hash_permille;
} MessageInfo;

typedef struct {
    SearchId search;
    Move move;   /* MOVE_NONE in mate and stalemate */
    Move ponder; /* MOVE_NONE if unknown */
} MessageBestMove;

/* One worker, as the `cluster` table shows it. */
typedef struct {
    WorkerId id;
    char name[MESSAGE_NAME_BYTES_MAX];
    int slots;
    uint64_t nodes_per_second; /* measured, all slots together; the calibrated figure when idle */
    uint64_t jobs;             /* finished since it joined */
    int idle_permille;         /* of its slots' time while a search was running */
    bool is_in_reserve;        /* too slow beside the others: it gets no job before they are gone */
} WorkerRow;

typedef struct {
    Epoch epoch;
    int worker_count; /* rows; more workers than MESSAGE_WORKERS_MAX are not listed */
    WorkerRow workers[MESSAGE_WORKERS_MAX];
} MessageStatus;

typedef enum {
    ERROR_VERSION = 1,    /* another protocol version: update the older side */
    ERROR_EVALUATION = 2, /* another evaluation or search build: scores are not comparable */
    ERROR_FULL = 3,       /* no room for another peer; or, within the engine, for its table */
    ERROR_POSITION = 4,   /* a position or move that cannot be played */
    ERROR_PROTOCOL = 5,   /* a message that may not be sent now */
} ErrorCode;

typedef struct {
    ErrorCode code;
    char text[MESSAGE_TEXT_BYTES_MAX]; /* one line that says what to do */
} MessageError;

/* PING is answered by PONG with the same number; it measures the round trip. */
typedef struct {
    uint64_t number;
} MessagePing;

typedef struct {
    int protocol_version;
    uint64_t search_identity; /* hash over evaluation and search: equal builds search alike */
    char build[MESSAGE_NAME_BYTES_MAX]; /* version text, for people */
    char name[MESSAGE_NAME_BYTES_MAX];
    int slots; /* 1 to MESSAGE_SLOTS_MAX */
    int hash_mb;
    uint64_t nodes_per_second; /* calibrated, one slot */
} MessageHello;

typedef struct {
    Epoch epoch;
    WorkerId worker;
    Duration heartbeat; /* how often the worker must send HEARTBEAT */
    Duration lease;     /* without any message for so long, the worker gives the master up */
} MessageWelcome;

/* What one busy slot does. */
typedef struct {
    JobId job;
    uint64_t nodes; /* of this job so far */
} SlotProgress;

typedef struct {
    WorkerId worker;
    uint64_t nodes_total; /* since the worker started */
    uint64_t last_ping;   /* number of the newest PING received in this stay; 0 before */
    int hash_permille;
    int busy_count; /* jobs here: running, parked and waiting */
    SlotProgress busy[MESSAGE_BUSY_MAX];
} MessageHeartbeat;

typedef struct {
    JobId id;
    GamePosition position;       /* the search's root */
    int path_length;             /* 0 to MESSAGE_PATH_MAX */
    Move path[MESSAGE_PATH_MAX]; /* from the root to the job's node; MOVE_NONE is a null move */
    int depth;                   /* remaining at the node, plies */
    int alpha;                   /* window, from the node's side to move */
    int beta;
    int node_kind;  /* NodeKind of the search */
    bool is_eldest; /* the first move gets the open window, others follow if it ends inside */
    bool is_split;  /* a share of an inner node: the fields below hold, late moves are pruned */
    int best;       /* fail-soft score of the node's moves so far */
    bool was_pv;    /* the node has been on a principal variation */
    int root_depth; /* of the job that the node was split from: bounds the extensions */
    int double_extensions; /* on the path */
    int null_move_ply_min; /* no null move above this ply */
    uint64_t node_budget;  /* 0: none */
    int move_count;        /* 0: the whole node */
    Move moves[MOVES_MAX];
    uint8_t numbers[MOVES_MAX]; /* each move's place in the node's order, from 1: reductions */
} MessageJob;

/*
 * A share of an open node of a job that runs on the sender, to be searched by whoever is free. In
 * `job` id and position are void: the master names it, and its search has one position.
 */
typedef struct {
    JobId parent;
    uint32_t share; /* chosen by the sender, unique within the parent job, never 0 */
    MessageJob job;
} MessageOffer;

/* A job waits for its shares and leaves its slot to another job (true), or goes on (false). */
typedef struct {
    JobId id;
    bool is_parked;
} MessageParked;

/* So many shares of this job would be searched at once if they were offered; 0: no more. */
typedef struct {
    JobId id;
    int count; /* 0 to MESSAGE_SHARES_MAX */
} MessageHungry;

/* An entry of a transposition table: worker/search/tt.h knows what the data mean. */
typedef struct {
    uint64_t key;
    uint64_t data;
} TableEntry;

/*
 * From a worker: what its machine learned lately. From the master: what another machine learned; an
 * empty one says that there are others to learn from it.
 */
typedef struct {
    int count;
    TableEntry entries[MESSAGE_TABLE_ENTRIES_MAX];
} MessageTable;

/* So many TABLEs have come in this stay, empty ones not counted. */
typedef struct {
    uint64_t count;
    bool is_crowded; /* from the master: most others' links are too full for what is told */
} MessageHeard;

/* A move of a running job beat alpha. */
typedef struct {
    JobId id;
    uint32_t share; /* 0: of the job itself; else its owner is told of this share */
    Line line;
    uint64_t nodes; /* of the job so far */
} MessageImproved;

/* A job has ended; its nodes include those of the shares whose results it took. */
typedef struct {
    JobId id;
    uint32_t share;   /* 0: of the job itself; else its owner is told of this share */
    bool is_complete; /* false: cancelled, drained or out of budget; its moves are still to be done
                       */
    int score;
    Line line;
    uint64_t nodes;
    int selective_depth;
    int cost_count;
    MoveCost costs[MOVES_MAX];
} MessageResult;

/* A job's alpha rose while it runs. */
typedef struct {
    JobId id;
    uint32_t share; /* 0: of the job itself; else the owner means this share */
    int alpha;
} MessageBounds;

/*
 * Gives up a job, or with job.job 0 every job of the search, or with search 0 too of the session.
 * What is given up takes all shares below it along.
 */
typedef struct {
    JobId id;
    uint32_t share; /* 0: the job itself; else the owner gives up this share */
} MessageCancel;

typedef struct {
    WorkerId worker;
} MessageBye;

/*
 * NEW_GAME names the session to which its learned tables are void. CLEARED answers it: from a
 * worker when it has cleared them; from the master when all workers have, or at once when they stay
 * because another session has learned something too.
 */
typedef struct {
    SessionId session;
} MessageNewGame;

/* One message of any type. CLOSE, DRAIN and RESET have no body. */
typedef struct {
    MessageType type;
    union {
        MessageOpen open;
        MessageOpened opened;
        MessageSearch search;
        MessageSearchName search_name; /* STOP, PONDERHIT */
        MessageNewGame new_game;       /* NEW_GAME, CLEARED */
        MessageInfo info;
        MessageBestMove bestmove;
        MessageStatus status;
        MessageError error;
        MessagePing ping; /* PING, PONG */
        MessageHello hello;
        MessageWelcome welcome;
        MessageHeartbeat heartbeat;
        MessageJob job;
        MessageImproved improved;
        MessageResult result;
        MessageBounds bounds;
        MessageCancel cancel;
        MessageOffer offer;
        MessageParked parked;
        MessageHungry hungry;
        MessageTable table;
        MessageHeard heard;
        MessageBye bye;
    };
} Message;

/* The upper-case name of a type, for logs and traces; "?" for none. */
const char *message_type_name(MessageType type);

#endif
