/*
 * MasterStage: the master's core played as events, its answers as readable text.
 *
 *     stage_hello(stage, W1, 2);
 *     stage_expect(stage, "11 WELCOME\n");
 *
 * A step's actions are written as one line each, "PEER TYPE details", LOGs and STATUS left out.
 * Jobs of the root go by their number, those of scouts by the scout's number and their own (1.1),
 * shares by s1, s2, ... Workers are peers 11, 12, ..., bridges
 * 21, 22, ...
 */
#ifndef ROOKERY_TESTS_MASTER_STAGE_H
#define ROOKERY_TESTS_MASTER_STAGE_H

#include "master/core/master.h"

enum {
    STAGE_EPOCH = 77,
    STAGE_IDENTITY = 4242,
    STAGE_HEARTBEAT_MS = 100,
    STAGE_LEASE_MS = 1500,
    STAGE_TRACE_BYTES_MAX = 1 << 16,
    W1 = 11,
    W2 = 12,
    W3 = 13,
    W4 = 14,
    B1 = 21,
    B2 = 22,
    B3 = 23,
};

/* Three legal moves, a1a2 a1b1 a1b2 in some order, and nothing to win. */
#define STAGE_FEW_MOVES "7k/8/8/8/8/8/8/K7 w - - 0 1"

typedef struct {
    Master *master;
    MasterActions *actions; /* of the last step */
    Message *message;       /* the next to send */
    Instant now;
    char trace[STAGE_TRACE_BYTES_MAX]; /* of the last step */
} Stage;

/* A master without peers and without scouts, freed by stage_destroy. */
Stage *stage_new(int surplus_permille);

/* One that has so many searches of a root side by side, and no surplus. */
Stage *stage_new_with_searches(int searches);

/* One whose workers are told another heartbeat than STAGE_HEARTBEAT_MS. */
Stage *stage_new_with_heartbeat(int heartbeat_ms);

/* One that has another lease than STAGE_LEASE_MS. */
Stage *stage_new_with_lease(int lease_ms);
void stage_destroy(Stage *stage);

/* One event, of which MESSAGE takes the message composed before. */
void stage_step(Stage *stage, MasterEventType type, uint64_t peer);

/* So many peers from `first` on are found to be gone in one instant. */
void stage_lose_together(Stage *stage, uint64_t first, int count);

/* Empties the next message; stage_deliver sends it. */
Message *stage_compose(Stage *stage, MessageType type);
void stage_deliver(Stage *stage, uint64_t peer);
void stage_deliver_empty(Stage *stage, uint64_t peer, MessageType type);

/* Time passes, then a TICK. */
void stage_tick_after(Stage *stage, int64_t milliseconds);

/* What peers say. Searches are of STAGE_FEW_MOVES where no position is named. */
void stage_hello(Stage *stage, uint64_t peer, int slots); /* at 1 M nodes/s a slot */
void stage_hello_at(Stage *stage, uint64_t peer, int slots, uint64_t nodes_per_second);
void stage_open_session(Stage *stage, uint64_t peer);
MessageSearch *stage_compose_search(Stage *stage, uint32_t number, const char *fen);
void stage_search_to_depth(Stage *stage, uint64_t peer, uint32_t number, int depth);
void stage_name_search(Stage *stage, uint64_t peer, MessageType type, uint32_t number);
void stage_cleared(Stage *stage, uint64_t peer, uint32_t session);

/* The newest JOB in the last step's actions to this peer. */
MessageJob stage_job_of(const Stage *stage, uint64_t peer);

/* All moves of the job searched, 10 nodes each, the best scoring `score`. */
MessageResult *stage_compose_result(Stage *stage, const MessageJob *job, int score);
void stage_result(Stage *stage, uint64_t peer, const MessageJob *job, int score);

/* A RESULT that gives the job back, after so many nodes. */
void stage_give_back(Stage *stage, uint64_t peer, const MessageJob *job, uint64_t nodes);

void stage_improved(Stage *stage, uint64_t peer, const MessageJob *job, Move move, int score);

/* The two moves' squares as text, "none" for MOVE_NONE. */
const char *stage_square_pair(Move move, char text[8]);

/* Checks the last step's trace. */
void stage_expect(const Stage *stage, const char *expected);

#endif
