/*
 * The pool: jobs on threads give the same results as a search on this one, stop when told, take
 * bounds, and refuse what is no chess.
 */
#include "worker/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "os/clock.h"
#include "worker/eval/eval.h"
#include "worker/search/serial.h"

enum { HASH_MB = 4, WAIT_MS = 20000 };

#define MIDDLEGAME "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"

static Pool *new_pool(int slots)
{
    Pool *pool = NULL;
    const Status status = pool_new(slots, HASH_MB, &pool);
    assert_true(status_is_ok(&status));
    return pool;
}

static GamePosition position_of(const char *fen)
{
    GamePosition position = {.move_count = 0};
    (void)snprintf(position.fen, sizeof position.fen, "%s", fen);
    return position;
}

static Position parse(const char *fen)
{
    Position position;
    const Status status = fen_parse(fen, (int)strlen(fen), false, &position);
    assert_true(status_is_ok(&status));
    return position;
}

/* All moves of `fen` with an open window. */
static MessageJob job_of(const char *fen, uint32_t number, int depth)
{
    MessageJob job = {
        .id = {.epoch = {1}, .session = {1}, .search = {1}, .job = number, .attempt = 1},
        .position = position_of(fen),
        .depth = depth,
        .alpha = -SCORE_INFINITE,
        .beta = SCORE_INFINITE,
        .node_kind = NODE_PV,
        .is_eldest = true,
    };
    const Position position = parse(fen);
    MoveList list;
    movegen_all(&position, &list);
    job.move_count = list.count;
    for (int i = 0; i < list.count; i++) {
        job.moves[i] = list.moves[i];
        job.numbers[i] = (uint8_t)(i + 1);
    }
    return job;
}

/* Waits for the next news. */
static PoolNews next_news(Pool *pool)
{
    PoolNews news;
    const Instant deadline = instant_add(clock_now(), duration_ms(WAIT_MS));
    while (!pool_take(pool, &news)) {
        assert_true(instant_is_before(clock_now(), deadline));
        struct pollfd readable = {.fd = pool_descriptor(pool), .events = POLLIN};
        (void)poll(&readable, 1, clock_poll_timeout_ms(clock_now(), deadline));
    }
    return news;
}

/* Skips IMPROVED and returns the DONE of any slot. */
static PoolNews next_done(Pool *pool)
{
    PoolNews news = next_news(pool);
    while (news.type == POOL_IMPROVED) {
        news = next_news(pool);
    }
    assert_int_equal(news.type, POOL_DONE);
    return news;
}

/* ---- as the serial search ---- */

typedef struct {
    Pool *pool;
    MessageJob job;
} Remote;

static void run_remote(Remote *remote, Root *root, const RootJob *root_job)
{
    MessageJob *job = &remote->job;
    job->id.job = root_job->id;
    job->depth = root_job->depth;
    job->alpha = root_job->alpha;
    job->beta = root_job->beta;
    job->is_eldest = root_job->is_eldest;
    job->move_count = root_job->move_count;
    memcpy(job->moves, root_job->moves, sizeof job->moves);
    memcpy(job->numbers, root_job->numbers, sizeof job->numbers);
    pool_start(remote->pool, 0, job);

    PoolNews news = next_news(remote->pool);
    for (; news.type == POOL_IMPROVED; news = next_news(remote->pool)) {
        assert_true(job_id_equal(&news.improved.id, &job->id));
        (void)root_job_improved(root, root_job->id, &news.improved.line);
    }
    assert_int_equal(news.type, POOL_DONE);
    assert_true(news.result.is_complete && !news.is_refused);
    RootJobResult result = {
        .id = root_job->id,
        .nodes = news.result.nodes,
        .score = news.result.score,
        .line = news.result.line,
        .selective_depth = news.result.selective_depth,
        .cost_count = news.result.cost_count,
    };
    memcpy(result.costs, news.result.costs, sizeof result.costs);
    root_job_done(root, &result);
}

static void search_by_pool(Remote *remote, const char *fen, const RootLimits *limits, Root *root)
{
    const Position position = parse(fen);
    RootJob root_job;
    remote->job.position = position_of(fen);
    root_start(root, &position, limits);
    while (root_next_job(root, 1, &root_job)) {
        run_remote(remote, root, &root_job);
    }
}

/* One slot visits the very nodes of the serial search, over two searches and a new game. */
static void one_slot_is_the_serial_search(void **state)
{
    (void)state;
    static const char *const fens[] = {FEN_START, MIDDLEGAME, MIDDLEGAME};
    const RootLimits limits = {.depth = 8, .multi_pv = 1};
    Remote remote = {.pool = new_pool(1), .job = job_of(FEN_START, 1, 1)};
    Tt *tt = NULL;
    const Status status = tt_new(HASH_MB, &tt);
    assert_true(status_is_ok(&status));
    Search *search = search_new(tt);
    assert_non_null(search);
    search_clear(search);
    for (int i = 0; i < 3; i++) {
        if (i == 2) {
            tt_clear(tt);
            search_clear(search);
            pool_clear(remote.pool);
            assert_int_equal(next_news(remote.pool).type, POOL_CLEARED);
        }
        const Position position = parse(fens[i]);
        History game;
        SearchControl control = {.stop = false};
        Root serial;
        Root pooled;
        history_clear(&game);
        tt_age(tt);
        serial_search(search, &position, &game, &limits, &control, &(SerialHost){.context = NULL},
                      &serial);
        pool_age(remote.pool);
        search_by_pool(&remote, fens[i], &limits, &pooled);
        assert_int_equal(pooled.nodes, serial.nodes);
        assert_int_equal(pooled.best_move, serial.best_move);
        assert_int_equal(pooled.best_score, serial.best_score);
    }
    search_destroy(&search);
    tt_destroy(&tt);
    pool_destroy(&remote.pool);
    assert_null(remote.pool);
}

/* ---- jobs ---- */

static void slots_work_side_by_side(void **state)
{
    (void)state;
    enum { SLOTS = 4, JOBS = 40 };
    Pool *pool = new_pool(SLOTS);
    WorkerProgress progress;
    uint32_t started = 0;
    uint64_t nodes = 0;
    bool seen[JOBS + 1] = {false};
    for (int slot = 0; slot < SLOTS; slot++) {
        const MessageJob job = job_of(MIDDLEGAME, ++started, 4);
        pool_start(pool, slot, &job);
    }
    for (int i = 0; i < JOBS; i++) {
        const PoolNews news = next_done(pool);
        assert_true(news.result.is_complete && !news.is_refused);
        assert_false(seen[news.result.id.job]);
        assert_true(news.result.cost_count > 0 && news.result.line.length > 0);
        seen[news.result.id.job] = true;
        nodes += news.result.nodes;
        if (started < JOBS) {
            if (started % 10 == 0) {
                pool_age(pool);
            }
            const MessageJob job = job_of(i % 2 == 0 ? MIDDLEGAME : FEN_START, ++started, 4);
            pool_start(pool, news.lane, &job);
        }
        pool_sample(pool, &progress);
        assert_true(progress.nodes_total >= nodes);
    }
    pool_sample(pool, &progress);
    assert_int_equal(progress.nodes_total, nodes);
    for (int slot = 0; slot < SLOTS; slot++) {
        assert_int_equal(progress.lane_nodes[slot], 0);
    }
    PoolNews none;
    assert_false(pool_take(pool, &none));
    pool_destroy(&pool);
}

static void a_job_stops_when_told(void **state)
{
    (void)state;
    Pool *pool = new_pool(1);
    WorkerProgress progress = {.nodes_total = 0};
    for (int round = 0; round < 3; round++) {
        const MessageJob job = job_of(MIDDLEGAME, 1 + (uint32_t)round, 60);
        pool_start(pool, 0, &job);
        if (round > 0) {
            do {
                pool_sample(pool, &progress);
            } while (progress.lane_nodes[0] < 1000);
        }
        const Instant start = clock_now();
        pool_stop(pool, 0);
        const PoolNews news = next_done(pool);
        assert_false(news.result.is_complete);
        assert_false(news.is_refused);
        assert_true(job_id_equal(&news.result.id, &job.id));
        assert_in_range(instant_since(clock_now(), start).us, 0, 2000000);
    }
    pool_destroy(&pool);
}

static void a_node_budget_ends_a_job_incomplete(void **state)
{
    (void)state;
    Pool *pool = new_pool(1);
    MessageJob job = job_of(MIDDLEGAME, 1, 60);
    job.node_budget = 3000;
    pool_start(pool, 0, &job);
    const PoolNews news = next_done(pool);
    assert_false(news.result.is_complete);
    assert_in_range(news.result.nodes, 3000, 3128);
    pool_destroy(&pool);
}

/*
 * A bound above everything ends a job that would last for hours, even when it comes before the
 * thread begins.
 */
static void a_raised_alpha_reaches_the_search(void **state)
{
    (void)state;
    Pool *pool = new_pool(1);
    MessageJob job = job_of(MIDDLEGAME, 1, 60);
    job.beta = SCORE_MATE;
    pool_start(pool, 0, &job);
    pool_raise_alpha(pool, 0, SCORE_MATE);
    pool_raise_alpha(pool, 0, 0);
    const PoolNews news = next_done(pool);
    assert_true(news.result.is_complete);
    assert_true(news.result.cost_count < job.move_count);
    pool_destroy(&pool);
}

static void a_path_leads_to_the_jobs_node(void **state)
{
    (void)state;
    Pool *pool = new_pool(1);
    const Position start = parse(FEN_START);
    MessageJob job = job_of("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", 1, 2);
    static const char *const moves[] = {"f2f3", "e7e5", "g2g4"};
    Position node = start;
    job.position = position_of(FEN_START);
    for (int i = 0; i < 3; i++) {
        Position after;
        const Move move = notation_parse_uci(&node, moves[i], 4);
        if (i == 0) {
            job.position.moves[job.position.move_count++] = move;
        } else {
            job.path[job.path_length++] = move;
        }
        position_make(&node, move, &after);
        node = after;
    }
    pool_start(pool, 0, &job);
    const PoolNews news = next_done(pool);
    assert_true(news.result.is_complete);
    assert_int_equal(news.result.line.moves[0], notation_parse_uci(&node, "d8h4", 4));
    assert_true(score_is_win(news.result.score));
    pool_destroy(&pool);
}

static void what_is_no_chess_is_refused(void **state)
{
    (void)state;
    Pool *pool = new_pool(1);
    MessageJob jobs[5];
    for (int i = 0; i < 5; i++) {
        jobs[i] = job_of(FEN_START, 1 + (uint32_t)i, 3);
    }
    jobs[0].position = position_of("8/8/8/8/8/8/8/8 w - - 0 1");
    jobs[1].position.moves[jobs[1].position.move_count++] = jobs[1].moves[0] ^ 0x3F;
    jobs[2].path[jobs[2].path_length++] = 0xFFFF;
    jobs[3].moves[jobs[3].move_count - 1] = 0;
    jobs[4].numbers[0] = 0;
    for (int i = 0; i < 5; i++) {
        pool_start(pool, 0, &jobs[i]);
        const PoolNews news = next_done(pool);
        assert_true(news.is_refused);
        assert_false(news.result.is_complete);
        assert_int_equal(news.result.nodes, 0);
        assert_int_equal(news.result.id.job, i + 1);
    }
    pool_destroy(&pool);
}

/* A clear with nothing to forget is said to be done as well. */
static void every_clear_is_news(void **state)
{
    (void)state;
    Pool *pool = new_pool(1);
    for (int i = 0; i < 3; i++) {
        pool_clear(pool);
        PoolNews news = next_news(pool);
        assert_int_equal(news.type, POOL_CLEARED);
        assert_false(pool_take(pool, &news));
        const MessageJob job = job_of(MIDDLEGAME, 1, 3);
        pool_start(pool, 0, &job);
        (void)next_done(pool);
        pool_clear(pool);
        news = next_news(pool);
        assert_int_equal(news.type, POOL_CLEARED);
    }
    pool_destroy(&pool);
}

/* It is said when the table's memory is there. */
static void the_memory_comes(void **state)
{
    (void)state;
    Pool *pool = new_pool(1);
    struct pollfd item = {.fd = pool_descriptor(pool), .events = POLLIN};
    assert_int_equal(poll(&item, 1, 60000), 1);
    assert_true(pool_is_populated(pool));
    pool_destroy(&pool);
}

/* Entries of the sampled part of the table. */
static int entries_in(Pool *pool)
{
    WorkerProgress progress = {.nodes_total = 0};
    pool_sample(pool, &progress);
    return progress.hash_permille;
}

/* A table told by another machine is of the game to forget until the pool is clear; and a clear
 * forgets it even if no job was searched. */
static void a_clear_forgets_what_was_told(void **state)
{
    (void)state;
    enum { DEPTH_BIT = 48, BOUND_BIT = 56, ENTRIES = 3, DEPTH = 9 };
    Pool *pool = new_pool(1);
    MessageTable told = {.count = ENTRIES};
    for (uint64_t i = 0; i < ENTRIES; i++) { /* small keys are in the first buckets */
        told.entries[i] = (TableEntry){
            .key = i + 1,
            .data = (uint64_t)DEPTH << DEPTH_BIT | (uint64_t)BOUND_EXACT << BOUND_BIT,
        };
    }
    pool_learn(pool, &told);
    assert_int_equal(entries_in(pool), ENTRIES);
    pool_clear(pool);
    pool_learn(pool, &told);
    assert_int_equal(next_news(pool).type, POOL_CLEARED);
    assert_int_equal(entries_in(pool), 0);
    pool_learn(pool, &told);
    assert_int_equal(entries_in(pool), ENTRIES);
    pool_destroy(&pool);
}

static void it_ends_with_jobs_under_way(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        Pool *pool = new_pool(3);
        for (int slot = 0; slot < i && slot < 3; slot++) {
            const MessageJob job = job_of(MIDDLEGAME, 1, 60);
            pool_start(pool, slot, &job);
        }
        if (i == 0) {
            pool_clear(pool);
        }
        pool_destroy(&pool);
    }
    Pool *none = NULL;
    pool_destroy(&none);
}

int main(void)
{
    attacks_init(SLIDER_AUTO);
    eval_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_slot_is_the_serial_search),
        cmocka_unit_test(slots_work_side_by_side),
        cmocka_unit_test(a_job_stops_when_told),
        cmocka_unit_test(a_node_budget_ends_a_job_incomplete),
        cmocka_unit_test(a_raised_alpha_reaches_the_search),
        cmocka_unit_test(a_path_leads_to_the_jobs_node),
        cmocka_unit_test(what_is_no_chess_is_refused),
        cmocka_unit_test(every_clear_is_news),
        cmocka_unit_test(a_clear_forgets_what_was_told),
        cmocka_unit_test(it_ends_with_jobs_under_way),
        cmocka_unit_test(the_memory_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
