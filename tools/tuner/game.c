#include "tools/tuner/game.h"

#include <stdlib.h>

#include "base/prng.h"
#include "chess/movegen.h"
#include "chess/see.h"
#include "worker/search/serial.h"

enum {
    HASH_MB = 4,
    RANDOM_PLIES_MIN = 4,
    RANDOM_PLIES_MAX = 8,
    OPENING_SCORE_MAX = 150, /* a worse opening says little about what decides games, cp */
    OPENING_TRIES = 100,
    PLIES_SKIPPED = 8,   /* random moves make positions that nobody plays */
    RESIGN_SCORE = 1000, /* both sides agree on this, cp, */
    RESIGN_PLIES = 4,    /* for so long */
    DRAW_SCORE = 10,     /* likewise, less than this */
    DRAW_PLIES = 10,
    DRAW_FROM_PLY = 80,
    RULE50_PLIES = 100,
};

struct GamePlayer {
    Tt *tt;
    Search *search;
    SearchControl control;
    Root root;
    History history;
    Position position;
    Prng prng;
    int ply;           /* moves played since the opening, random ones counted */
    int decided_plies; /* how long one side has been winning, negative for Black */
    int even_plies;    /* how long the score has been about 0 */
};

/* What the search says, White's view. */
typedef struct {
    Move move;
    int score;
} Verdict;

Status game_player_new(GamePlayer **player)
{
    *player = NULL;
    GamePlayer *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for a search");
    }
    Status status = tt_new(HASH_MB, &made->tt);
    if (status_is_ok(&status)) {
        made->search = search_new(made->tt);
        if (made->search == NULL) {
            status = status_error(STATUS_NO_MEMORY, "not enough memory for a search");
        }
    }
    if (!status_is_ok(&status)) {
        game_player_destroy(&made);
    }
    *player = made;
    return status;
}

void game_player_destroy(GamePlayer **player)
{
    if (*player != NULL) {
        search_destroy(&(*player)->search);
        tt_destroy(&(*player)->tt);
        free(*player);
        *player = NULL;
    }
}

static Verdict search_move(GamePlayer *player, uint64_t nodes)
{
    const RootLimits limits = {.nodes = nodes, .multi_pv = 1};
    const SerialHost host = {.context = NULL};
    tt_age(player->tt);
    serial_search(player->search, &player->position, &player->history, &limits, &player->control,
                  &host, &player->root);
    const Line *line = root_line(&player->root, 0);
    const int sign = position_side(&player->position) == WHITE ? 1 : -1;
    return (Verdict){
        .move = line->moves[0],
        .score = line->score == SCORE_NONE ? SCORE_DRAW : sign * line->score,
    };
}

static void play_move(GamePlayer *player, Move move)
{
    Position after;
    position_make(&player->position, move, &after);
    history_push_game(&player->history, &player->position, &after);
    player->position = after;
    player->ply++;
}

/* ---- the opening ---- */

static void play_random_moves(GamePlayer *player, int plies)
{
    MoveList list = {.count = 1};
    for (int i = 0; i < plies && list.count > 0; i++) {
        movegen_all(&player->position, &list);
        if (list.count > 0) {
            play_move(player, list.moves[prng_below(&player->prng, (uint64_t)list.count)]);
        }
    }
}

static void set_up(GamePlayer *player, const GameSettings *settings)
{
    const uint64_t opening = prng_below(&player->prng, (uint64_t)settings->opening_count);
    const int spread = RANDOM_PLIES_MAX - RANDOM_PLIES_MIN + 1;
    const int plies = RANDOM_PLIES_MIN + (int)prng_below(&player->prng, (uint64_t)spread);
    player->position = settings->openings[opening];
    history_clear(&player->history);
    player->ply = 0;
    player->decided_plies = 0;
    player->even_plies = 0;
    tt_clear(player->tt);
    search_clear(player->search);
    play_random_moves(player, plies);
}

static bool find_opening(GamePlayer *player, const GameSettings *settings)
{
    for (int i = 0; i < OPENING_TRIES; i++) {
        set_up(player, settings);
        if (movegen_any(&player->position) &&
            abs(search_move(player, settings->nodes).score) <= OPENING_SCORE_MAX) {
            return true;
        }
    }
    return false;
}

/* ---- the end ---- */

static bool is_over_by_rule(const GamePlayer *player, int *halves)
{
    const Position *position = &player->position;
    *halves = 1;
    if (!movegen_any(position)) {
        if (position_in_check(position)) {
            *halves = position_side(position) == WHITE ? 0 : 2;
        }
        return true;
    }
    return position->rule50 >= RULE50_PLIES || position_is_insufficient(position) ||
           history_repetitions(&player->history, position) >= 2;
}

/* Both sides have agreed on the outcome for long enough. */
static bool is_adjudicated(GamePlayer *player, int score, int *halves)
{
    const int sign = score >= RESIGN_SCORE ? 1 : score <= -RESIGN_SCORE ? -1 : 0;
    const bool goes_on = sign * player->decided_plies >= 0;
    player->decided_plies = sign == 0 ? 0 : (goes_on ? player->decided_plies : 0) + sign;
    const bool is_even = player->ply >= DRAW_FROM_PLY && abs(score) < DRAW_SCORE;
    player->even_plies = is_even ? player->even_plies + 1 : 0;
    if (abs(player->decided_plies) >= RESIGN_PLIES) {
        *halves = player->decided_plies > 0 ? 2 : 0;
        return true;
    }
    *halves = 1;
    return player->even_plies >= DRAW_PLIES;
}

/* ---- what is kept ---- */

/* Whether a capture or a promotion of the side to move wins material. */
static bool hangs(const Position *position)
{
    MoveList captures = {.count = 0};
    movegen_captures(position, &captures);
    for (int i = 0; i < captures.count; i++) {
        if (see_at_least(position, captures.moves[i], 1)) {
            return true;
        }
    }
    return false;
}

static bool is_quiet(const Position *position, const Verdict *verdict)
{
    return !position_in_check(position) && sample_takes(verdict->score) &&
           !move_is_tactical(position, verdict->move) && !hangs(position);
}

static void keep(const GamePlayer *player, const Verdict *verdict, GameRecord *record)
{
    if (player->ply >= PLIES_SKIPPED && is_quiet(&player->position, verdict)) {
        record->samples[record->count++] =
            (Sample){.position = player->position, .score = verdict->score};
    }
}

/* ---- the game ---- */

/* Plays to the end and returns White's halves. */
static int play_out(GamePlayer *player, const GameSettings *settings, GameRecord *record)
{
    int halves = 1;
    for (record->plies = 0; record->plies < GAME_PLIES_MAX; record->plies++) {
        if (is_over_by_rule(player, &halves)) {
            return halves;
        }
        const Verdict verdict = search_move(player, settings->nodes);
        if (is_adjudicated(player, verdict.score, &halves)) {
            return halves;
        }
        keep(player, &verdict, record);
        play_move(player, verdict.move);
    }
    return 1;
}

void game_play(GamePlayer *player, const GameSettings *settings, int number, GameRecord *record)
{
    prng_init(&player->prng, prng_mix(settings->seed) + (uint64_t)number);
    record->count = 0;
    record->plies = 0;
    record->halves = 1;
    if (!find_opening(player, settings)) {
        return;
    }
    record->halves = play_out(player, settings, record);
    for (int i = 0; i < record->count; i++) {
        record->samples[i].halves = record->halves;
    }
}
