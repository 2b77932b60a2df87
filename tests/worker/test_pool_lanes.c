/*
 * The pool's lanes and shares: waiting, going on, pausing and stopping, with a make-believe search
 * that does what a job's depth says. It takes the place of worker/search/search.c in this program.
 */
#include "worker/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "os/clock.h"
#include "worker/search/search.h"

enum { HASH_MB = 1, WAIT_MS = 20000, PING_PONGS = 400 };

/* ---- the make-believe search: a job's depth is what it does ---- */

enum {
    DO_SPIN = 1,       /* searches until it is stopped */
    DO_WAIT,           /* gives share 1 away and waits until it is over */
    DO_WAIT_AND_SPIN,  /* the same, and then searches until it is stopped */
    DO_FLOOD,          /* gives away as many shares as it can, withdraws them and ends; its
                          selective depth is how many nobody had heard of */
    DO_OBEY_BOUND,     /* waits until its bound has risen; its score is the bound */
    DO_OBEY_WANT,      /* searches until shares are wanted; its score is how many */
    DO_TELL,           /* gives shares 1 and 2 away, raises 1, withdraws 2, ends when 1 is over */
    DO_PING_PONG,      /* gives share after share away and waits for each ... */
    DO_PING_PONG_POLL, /* ... looking for it at each poll, never waiting */
};

struct Search {
    bool is_clear;
};

Search *search_new(Tt *tt)
{
    (void)tt;
    return calloc(1, sizeof(Search));
}

Search *search_new_beside(const Search *other)
{
    (void)other;
    return search_new(NULL);
}

void search_destroy(Search **search)
{
    free(*search);
    *search = NULL;
}

void search_clear(Search *search)
{
    search->is_clear = true;
}

/* What a make-believe search works with. */
typedef struct {
    const SearchJob *job;
    SearchControl *control;
    const SearchHost *host;
    SearchResult *result;
    ShareNews news;
} Run;

static bool must_stop(const Run *run)
{
    return atomic_load_explicit(&run->control->stop, memory_order_relaxed);
}

/* Searches a little and polls; false when it must stop. */
static bool search_on(Run *run)
{
    run->result->own_nodes += SEARCH_POLL_NODES;
    run->host->poll(run->host->context, run->result->own_nodes);
    run->result->stopped = must_stop(run);
    return !run->result->stopped;
}

static void spin(Run *run)
{
    while (search_on(run)) {
    }
}

static bool offer(Run *run, uint32_t share)
{
    SearchJob job = *run->job;
    job.alpha = -10;
    job.beta = 100;
    job.move_count = 2;
    job.is_split = true;
    job.root_depth = 5;
    return run->host->offer(run->host->context, share, &job);
}

/* Waits for the end of a share; false when it must stop. */
static bool wait_for(Run *run, uint32_t share)
{
    do {
        if (!run->host->take(run->host->context, true, &run->news)) {
            (void)run->host->withdraw(run->host->context, share);
            run->result->stopped = true;
            return false;
        }
    } while (!run->news.is_over || run->news.share != share);
    run->result->score = run->news.score;
    return true;
}

/* The same without waiting. */
static bool look_for(Run *run, uint32_t share)
{
    for (;;) {
        if (!search_on(run)) {
            (void)run->host->withdraw(run->host->context, share);
            return false;
        }
        if (atomic_load_explicit(&run->control->news, memory_order_relaxed)) {
            atomic_store_explicit(&run->control->news, false, memory_order_relaxed);
            while (run->host->take(run->host->context, false, &run->news)) {
                if (run->news.is_over && run->news.share == share) {
                    return true;
                }
            }
        }
    }
}

static void flood(Run *run)
{
    uint32_t last = 0;
    int untold = 0;
    while (offer(run, last + 1)) {
        last++;
    }
    for (uint32_t share = 1; share <= last; share++) {
        untold += run->host->withdraw(run->host->context, share);
    }
    run->result->score = (int)last;
    run->result->selective_depth = untold;
}

static void obey_bound(Run *run)
{
    const int before = atomic_load_explicit(&run->control->alpha, memory_order_relaxed);
    int alpha = before;
    while (alpha == before) {
        if (!run->host->take(run->host->context, true, &run->news)) {
            run->result->stopped = true;
            return;
        }
        alpha = atomic_load_explicit(&run->control->alpha, memory_order_relaxed);
    }
    run->result->score = run->news.share == 0 ? alpha : -1;
}

static void obey_want(Run *run)
{
    while (search_on(run)) {
        run->result->score = atomic_load_explicit(&run->control->wanted, memory_order_relaxed);
        if (run->result->score > 0) {
            return;
        }
    }
}

static void tell(Run *run)
{
    (void)offer(run, 1);
    (void)offer(run, 2);
    while (atomic_load_explicit(&run->control->wanted, memory_order_relaxed) == 0) {
        if (!search_on(run)) { /* until the owner has learned of them */
            return;
        }
    }
    run->host->raise(run->host->context, 1, 20);
    run->host->raise(run->host->context, 1, 40);
    (void)run->host->withdraw(run->host->context, 2);
    (void)wait_for(run, 1);
}

static void ping_pong(Run *run, bool (*answered)(Run *run, uint32_t share))
{
    for (uint32_t share = 1; share <= PING_PONGS; share++) {
        if (!offer(run, share) || !answered(run, share)) {
            run->result->stopped = true;
            return;
        }
    }
}

void search_run(Search *search, const SearchJob *job, SearchControl *control,
                const SearchHost *host, SearchResult *result)
{
    Run run = {.job = job, .control = control, .host = host, .result = result};
    if (!search->is_clear) {
        abort();
    }
    atomic_store_explicit(&control->alpha, job->alpha, memory_order_relaxed);
    *result = (SearchResult){.score = 0};
    switch (job->depth) {
    case DO_WAIT:
        (void)(offer(&run, 1) && wait_for(&run, 1));
        break;
    case DO_WAIT_AND_SPIN:
        if (offer(&run, 1) && wait_for(&run, 1)) {
            spin(&run);
        }
        break;
    case DO_FLOOD:
        flood(&run);
        break;
    case DO_OBEY_BOUND:
        obey_bound(&run);
        break;
    case DO_OBEY_WANT:
        obey_want(&run);
        break;
    case DO_TELL:
        tell(&run);
        break;
    case DO_PING_PONG:
        ping_pong(&run, wait_for);
        break;
    case DO_PING_PONG_POLL:
        ping_pong(&run, look_for);
        break;
    default:
        spin(&run);
        break;
    }
    result->nodes = result->own_nodes + 1000000; /* as if others had done the most */
}

/* ---- the pool's owner ---- */

static Pool *pool;
static PoolNews news;
static WorkerProgress progress;

static int set_up(void **state)
{
    (void)state;
    progress = (WorkerProgress){.nodes_total = 0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pool_destroy(&pool);
    return 0;
}

static void begin(int slots)
{
    const Status status = pool_new(slots, HASH_MB, &pool);
    assert_true(status_is_ok(&status));
}

static void start(int lane, int depth)
{
    static MessageJob job;
    Position position;
    MoveList list;
    const Status status = fen_parse(FEN_START, (int)strlen(FEN_START), false, &position);
    assert_true(status_is_ok(&status));
    movegen_all(&position, &list);
    job = (MessageJob){
        .id =
            {.epoch = {1}, .session = {1}, .search = {1}, .job = (uint32_t)lane + 1, .attempt = 1},
        .depth = depth,
        .alpha = 0,
        .beta = 100,
        .move_count = list.count,
    };
    (void)snprintf(job.position.fen, sizeof job.position.fen, "%s", FEN_START);
    for (int i = 0; i < list.count; i++) {
        job.moves[i] = list.moves[i];
        job.numbers[i] = (uint8_t)(i + 1);
    }
    pool_start(pool, lane, &job);
}

static void wait_for_any_news(void)
{
    const Instant deadline = instant_add(clock_now(), duration_ms(WAIT_MS));
    while (!pool_take(pool, &news)) {
        assert_true(instant_is_before(clock_now(), deadline));
        struct pollfd readable = {.fd = pool_descriptor(pool), .events = POLLIN};
        (void)poll(&readable, 1, clock_poll_timeout_ms(clock_now(), deadline));
    }
}

static void expect(PoolNewsType type, int lane)
{
    wait_for_any_news();
    assert_int_equal(news.type, type);
    assert_int_equal(news.lane, lane);
}

static void expect_parked(int lane, bool is_parked)
{
    expect(POOL_PARKED, lane);
    assert_int_equal(news.is_parked, is_parked);
}

static void expect_done(int lane, bool is_complete)
{
    expect(POOL_DONE, lane);
    assert_false(news.is_refused);
    assert_int_equal(news.result.is_complete, is_complete);
    assert_int_equal(news.result.share, 0);
}

static void answer(int lane, uint32_t share, int score)
{
    static Message message;
    message.type = MESSAGE_RESULT;
    message.result = (MessageResult){.share = share, .is_complete = true, .score = score};
    pool_deliver(pool, lane, &message);
}

static uint64_t nodes_of(int lane)
{
    pool_sample(pool, &progress);
    return progress.lane_nodes[lane];
}

/* Waits until the lane has searched on from here. */
static void expect_search(int lane)
{
    const uint64_t before = nodes_of(lane);
    const Instant deadline = instant_add(clock_now(), duration_ms(WAIT_MS));
    while (nodes_of(lane) == before) {
        assert_true(instant_is_before(clock_now(), deadline));
        clock_sleep(duration_us(100));
    }
}

/* Waits until the lane has stopped searching. */
static void expect_pause(int lane)
{
    const Instant deadline = instant_add(clock_now(), duration_ms(WAIT_MS));
    uint64_t before = nodes_of(lane) + 1;
    while (nodes_of(lane) != before) {
        assert_true(instant_is_before(clock_now(), deadline));
        before = nodes_of(lane);
        clock_sleep(duration_ms(20));
    }
}

/* ---- waiting ---- */

static void a_lane_waits_for_its_share(void **state)
{
    (void)state;
    begin(1);
    start(0, DO_WAIT);
    expect(POOL_OFFERED, 0);
    assert_int_equal(news.share, 1);
    assert_int_equal(news.offered.move_count, 2);
    assert_int_equal(news.offered.beta, 100);
    expect_parked(0, true);
    answer(0, 2, 7); /* no share of its own */
    answer(0, 1, 33);
    expect_parked(0, false);
    expect_done(0, true);
    assert_int_equal(news.result.score, 33);
    assert_int_equal(news.result.nodes, 1000000);
    pool_sample(pool, &progress);
    assert_int_equal(progress.nodes_total, 0); /* its own */
    assert_false(pool_take(pool, &news));
}

static void a_lane_that_waits_can_be_stopped(void **state)
{
    (void)state;
    begin(1);
    for (int round = 0; round < 20; round++) {
        start(0, DO_WAIT);
        expect(POOL_OFFERED, 0);
        if (round % 2 == 0) {
            expect_parked(0, true);
        }
        pool_stop(pool, 0);
        bool is_parked = round % 2 == 0;
        for (wait_for_any_news(); news.type != POOL_DONE; wait_for_any_news()) {
            assert_true(news.type == POOL_PARKED || news.type == POOL_WITHDRAWN);
            is_parked = news.type == POOL_PARKED ? news.is_parked : is_parked;
        }
        assert_false(is_parked);
        assert_false(news.result.is_complete);
    }
}

static void a_higher_bound_reaches_a_lane_that_waits(void **state)
{
    (void)state;
    begin(1);
    start(0, DO_OBEY_BOUND);
    expect_parked(0, true);
    pool_raise_alpha(pool, 0, -5);
    pool_raise_alpha(pool, 0, 25);
    expect_parked(0, false);
    expect_done(0, true);
    assert_int_equal(news.result.score, 25);
}

static void it_ends_while_lanes_wait_and_pause(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        begin(2);
        start(0, DO_WAIT);
        start(1, DO_OBEY_BOUND);
        start(2, DO_SPIN);
        start(3, DO_SPIN);
        if (i > 0) {
            clock_sleep(duration_ms(i));
        }
        pool_destroy(&pool);
    }
}

/* ---- cores ---- */

static void the_younger_job_pauses_while_the_older_goes_on(void **state)
{
    (void)state;
    begin(1);
    start(0, DO_WAIT_AND_SPIN);
    expect(POOL_OFFERED, 0);
    expect_parked(0, true);
    start(1, DO_SPIN);
    expect_search(1);
    answer(0, 1, 0);
    expect_parked(0, false);
    expect_search(0);
    expect_pause(1);
    expect_search(0);
    pool_stop(pool, 0);
    expect_done(0, false);
    expect_search(1);
    pool_stop(pool, 1);
    expect_done(1, false);
}

static void a_lane_that_pauses_can_be_stopped(void **state)
{
    (void)state;
    begin(1);
    start(0, DO_SPIN);
    expect_search(0);
    start(1, DO_SPIN);
    expect_pause(1);
    pool_stop(pool, 1);
    expect_done(1, false);
    expect_search(0);
    pool_stop(pool, 0);
    expect_done(0, false);
    pool_clear(pool);
    wait_for_any_news();
    assert_int_equal(news.type, POOL_CLEARED);
    start(1, DO_SPIN);
    expect_search(1);
    pool_stop(pool, 1);
    expect_done(1, false);
}

/* ---- shares ---- */

static void no_more_shares_go_out_than_there_is_room_for(void **state)
{
    (void)state;
    begin(1);
    start(0, DO_FLOOD);
    clock_sleep(duration_ms(50)); /* it is over before the owner looks */
    for (wait_for_any_news(); news.type != POOL_DONE; wait_for_any_news()) {
        assert_true(news.type == POOL_OFFERED || news.type == POOL_WITHDRAWN);
    }
    assert_in_range(news.result.score, MESSAGE_SHARES_MAX, 1000);
}

/* Else a job that takes back what nobody has heard of would be asked for less and less. */
static void what_is_withdrawn_untold_is_said_to_be(void **state)
{
    (void)state;
    int told = 0;
    begin(1);
    start(0, DO_FLOOD);
    for (wait_for_any_news(); news.type != POOL_DONE; wait_for_any_news()) {
        told += news.type == POOL_OFFERED;
    }
    assert_int_equal(news.result.selective_depth, news.result.score - told);
}

static void bounds_and_withdrawals_come_in_order(void **state)
{
    (void)state;
    begin(1);
    start(0, DO_TELL);
    expect(POOL_OFFERED, 0);
    assert_int_equal(news.share, 1);
    expect(POOL_OFFERED, 0);
    assert_int_equal(news.share, 2);
    pool_want(pool, 0, 1);
    int alpha = 0;
    bool is_withdrawn = false;
    for (wait_for_any_news(); news.type != POOL_PARKED; wait_for_any_news()) {
        if (news.type == POOL_RAISED) {
            assert_int_equal(news.share, 1);
            assert_true(news.alpha > alpha);
            alpha = news.alpha;
        } else {
            assert_int_equal(news.type, POOL_WITHDRAWN);
            assert_int_equal(news.share, 2);
            is_withdrawn = true;
        }
    }
    assert_int_equal(alpha, 40);
    assert_true(is_withdrawn);
    answer(0, 1, 1);
    expect_parked(0, false);
    expect_done(0, true);
}

static void wanted_shares_are_of_the_running_job(void **state)
{
    (void)state;
    begin(1);
    start(0, DO_OBEY_WANT);
    expect_search(0);
    pool_want(pool, 0, 3);
    expect_done(0, true);
    assert_int_equal(news.result.score, 3);
    start(0, DO_OBEY_WANT);
    expect_search(0);
    pool_stop(pool, 0);
    expect_done(0, false);
    assert_int_equal(news.result.score, 0);
}

/* The owner has not seen it go on, but the master believes that it did. */
static void a_lane_that_waits_again_says_so_again(void **state)
{
    (void)state;
    begin(1);
    start(0, DO_PING_PONG);
    expect(POOL_OFFERED, 0);
    expect_parked(0, true);
    answer(0, 1, 1);
    clock_sleep(duration_ms(50)); /* it goes on, gives share 2 away and waits, unseen */
    expect(POOL_OFFERED, 0);
    assert_int_equal(news.share, 2);
    expect_parked(0, true);
}

/* Lanes give away and wait, or look, as fast as they can: no answer is lost. */
static void no_answer_is_lost(void **state)
{
    (void)state;
    enum { SLOTS = 2, LANES = WORKER_LANES_PER_SLOT * SLOTS };
    bool is_parked[LANES] = {false};
    int done = 0;
    begin(SLOTS);
    for (int lane = 0; lane < LANES; lane++) {
        start(lane, lane % 2 == 0 ? DO_PING_PONG : DO_PING_PONG_POLL);
    }
    while (done < LANES) {
        wait_for_any_news();
        if (news.type == POOL_OFFERED) {
            answer(news.lane, news.share, 1);
        } else if (news.type == POOL_PARKED) {
            assert_true(is_parked[news.lane] || news.is_parked); /* no end without a beginning */
            is_parked[news.lane] = news.is_parked;
        } else {
            assert_int_equal(news.type, POOL_DONE);
            assert_true(news.result.is_complete);
            assert_false(is_parked[news.lane]);
            done++;
        }
    }
    assert_false(pool_take(pool, &news));
}

int main(void)
{
    attacks_init(SLIDER_AUTO);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_lane_waits_for_its_share, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_lane_that_waits_can_be_stopped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_higher_bound_reaches_a_lane_that_waits, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(it_ends_while_lanes_wait_and_pause, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_younger_job_pauses_while_the_older_goes_on, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_lane_that_pauses_can_be_stopped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_more_shares_go_out_than_there_is_room_for, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_is_withdrawn_untold_is_said_to_be, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bounds_and_withdrawals_come_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wanted_shares_are_of_the_running_job, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_lane_that_waits_again_says_so_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_answer_is_lost, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
