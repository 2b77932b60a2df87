/*
 * A simulated machine by itself: the test plays its master. When it looks for something to tell.
 */
#include "tools/sim/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "chess/fen.h"
#include "support/given.h"

enum { MS = 1000000, EPOCH = 7, TABLES_MAX = 100, INTERVAL_NS = 6 * MS /* in small company */ };

/* A machine and what it has told. */
typedef struct {
    Machine *machine;
    MachineScratch scratch;
    Message answer;              /* the last one sent to it */
    int64_t horizon_ns;          /* nobody interferes */
    int64_t now_ns;              /* up to here it has come */
    int64_t told_ns[TABLES_MAX]; /* when it sent TABLEs, since the last job */
    int told_count;
    uint64_t heard; /* TABLEs of its stay */
} Play;

static void answer(Play *play, int64_t at_ns)
{
    Parcel *parcel = parcel_new((PeerId){0}, &play->answer);
    assert_non_null(parcel);
    machine_deliver(play->machine, parcel, at_ns);
}

/* What the machine says; the master hears each TABLE at once. */
static void on_send(void *context, int number, const Message *message, int64_t at_ns)
{
    Play *play = context;
    (void)number;
    if (message->type == MESSAGE_HELLO) {
        play->answer = (Message){.type = MESSAGE_WELCOME,
                                 .welcome = {.epoch = {EPOCH},
                                             .worker = {1},
                                             .heartbeat = duration_ms(100),
                                             .lease = duration_ms(60000)}};
        answer(play, at_ns);
    } else if (message->type == MESSAGE_TABLE) {
        assert_in_range(play->told_count, 0, TABLES_MAX - 1);
        play->told_ns[play->told_count++] = at_ns;
        play->answer = (Message){.type = MESSAGE_HEARD, .heard = {.count = ++play->heard}};
        answer(play, at_ns);
    }
}

static void run_ms(Play *play, int milliseconds)
{
    play->now_ns += (int64_t)milliseconds * MS;
    while (machine_next_ns(play->machine) < play->now_ns) {
        machine_act(play->machine);
    }
}

static Play *begin(void)
{
    Play *play = calloc(1, sizeof *play);
    assert_non_null(play);
    play->horizon_ns = INT64_MAX;
    const MachineConfig config = {
        .slots = 1,
        .hash_mb = 4,
        .nodes_per_second = 6000000,
        .pushes = true,
        .push_interval_ns = (int64_t)WORKER_NOTES_INTERVAL_MS * MS,
        .scratch = &play->scratch,
        .context = play,
        .send = on_send,
        .horizon_ns = &play->horizon_ns,
    };
    const Status status = machine_new(&config, &play->machine);
    assert_true(status_is_ok(&status));
    run_ms(play, 1);
    play->answer = (Message){.type = MESSAGE_TABLE}; /* there are others */
    answer(play, play->now_ns);
    return play;
}

static void end(Play **play)
{
    machine_destroy(&(*play)->machine);
    free(*play);
    *play = NULL;
}

/*
 * One for each job: of a position that is known there would be little to tell. And the machine is
 * not so fast that the depth from which it tells would rise much, while each position has
 * something to tell after two milliseconds.
 */
static const char *const positions[] = {
    FEN_START,
    "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B1P1/PP2PPBP/R2Q1RK1 w - - 0 11",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/pp3ppp/4pn2/2pp4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 5",
};
enum { JOBS = sizeof positions / sizeof positions[0] };

/* All moves of such a position; the machine works on it for 30 ms. */
static void run_job(Play *play, uint32_t number)
{
    const char *fen = positions[number - 1];
    const JobId id = {.epoch = {EPOCH}, .session = {1}, .search = {1}, .job = number, .attempt = 1};
    const Position position = given_position(fen);
    MoveList list;
    movegen_all(&position, &list);
    play->answer = (Message){.type = MESSAGE_JOB};
    MessageJob *job = &play->answer.job;
    *job = (MessageJob){.id = id,
                        .depth = 30,
                        .alpha = -SCORE_INFINITE,
                        .beta = SCORE_INFINITE,
                        .is_eldest = true,
                        .move_count = list.count};
    (void)snprintf(job->position.fen, sizeof job->position.fen, "%s", fen);
    for (int i = 0; i < list.count; i++) {
        job->moves[i] = list.moves[i];
        job->numbers[i] = (uint8_t)(i + 1);
    }
    play->told_count = 0;
    answer(play, play->now_ns);
    run_ms(play, 30);
    play->answer = (Message){.type = MESSAGE_CANCEL, .cancel.id = id};
    answer(play, play->now_ns);
}

/* An idle machine looks seldom; with a job it does so soon, and at no time planned before. */
static void test_a_look_that_is_hastened_takes_the_place_of_the_next(void **state)
{
    (void)state;
    Play *play = begin();
    run_ms(play, 200);
    for (uint32_t i = 1; i <= JOBS; i++) {
        const int64_t begin_ns = play->now_ns;
        run_job(play, i);
        assert_in_range(play->told_count, 4, 5);
        assert_in_range(play->told_ns[0] - begin_ns, 0, INTERVAL_NS);
        for (int j = 1; j < play->told_count; j++) {
            assert_int_equal(play->told_ns[j] - play->told_ns[j - 1], INTERVAL_NS);
        }
        run_ms(play, 112); /* the next job comes at another time between two looks */
    }
    end(&play);
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_look_that_is_hastened_takes_the_place_of_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
