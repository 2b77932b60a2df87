/*
 * The worker core as traces: joining, jobs and their shares, new games, leaving.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "support/worker_scene.h"

/* ---- joining ---- */

static void it_says_hello_and_joins(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    assert_int_equal(scene->actions->list[1].type, WORKER_ACTION_LOG);
    assert_int_equal(scene->actions->list[1].is_warning, false);
    scene_wait(scene, SCENE_HEARTBEAT_MS);
    scene_tick(scene);
    scene_expect(scene, "HEARTBEAT ping 0 nodes 0");
    scene_destroy(scene);
}

static void it_repeats_hello_until_there_is_a_connection(void **state)
{
    (void)state;
    Scene *scene = scene_new(1);
    scene_tick(scene);
    scene_expect(scene, "connect; HELLO lab-1");
    for (int i = 0; i < 5; i++) {
        scene_unsent(scene);
        scene_expect(scene, "");
        const int64_t pause_us = instant_since(worker_next_tick(scene->worker), scene->now).us;
        assert_in_range(pause_us, 50000, 100000);
        scene_run(scene, 100);
        scene_expect(scene, "HELLO lab-1");
    }
    scene_destroy(scene);
}

static void a_hello_on_its_way_is_not_repeated_soon(void **state)
{
    (void)state;
    Scene *scene = scene_new(1);
    scene_tick(scene);
    scene_expect(scene, "connect; HELLO lab-1");
    scene_run(scene, 999);
    scene_expect(scene, "");
    scene_run(scene, 1);
    scene_expect(scene, "HELLO lab-1");
    scene_destroy(scene);
}

static void it_waits_for_ever_with_growing_pauses(void **state)
{
    (void)state;
    Scene *scene = scene_new(1);
    scene_tick(scene);
    scene_forget(scene);
    int64_t longest_us = 0;
    int connections = 0;
    for (int i = 0; i < 2000; i++) {
        scene_unsent(scene);
        scene->now = worker_next_tick(scene->worker);
        scene_tick(scene);
        const char *connect = strstr(scene->text, "connect; HELLO");
        if (scene->length > 0 && connect == scene->text) {
            connections++;
        } else if (strstr(scene->text, "disconnect") != NULL) {
            const int64_t pause_us = instant_since(worker_next_tick(scene->worker), scene->now).us;
            assert_in_range(pause_us, 50000, 800000);
            longest_us = pause_us > longest_us ? pause_us : longest_us;
        }
        scene_forget(scene);
    }
    assert_true(connections > 20);
    assert_true(longest_us > 600000);
    scene_destroy(scene);
}

static void a_socket_that_brings_no_answer_is_replaced(void **state)
{
    (void)state;
    Scene *scene = scene_new(1);
    scene_tick(scene);
    scene_run(scene, 1000);
    scene_expect(scene, "connect; HELLO lab-1; HELLO lab-1");
    scene_run(scene, 2000);
    const char *again = strstr(scene->text, "\"no answer from the master yet; trying on\"; "
                                            "disconnect");
    assert_non_null(again);
    scene_run(scene, 100);
    assert_non_null(strstr(scene->text, "disconnect; connect; HELLO lab-1"));
    scene_destroy(scene);
}

static void a_refusal_is_told_once_and_tried_again_slowly(void **state)
{
    (void)state;
    Scene *scene = scene_new(1);
    scene_tick(scene);
    scene_expect(scene, "connect; HELLO lab-1");
    scene_receive_error(scene, ERROR_VERSION, "install version 2");
    scene_expect(scene, "\"the master refuses this worker: install version 2\"; disconnect");
    scene_run(scene, 1999);
    scene_expect(scene, "");
    scene_run(scene, 2001);
    assert_non_null(strstr(scene->text, "connect; HELLO lab-1"));
    scene_forget(scene);
    scene_receive_error(scene, ERROR_VERSION, "install version 2");
    scene_expect(scene, "disconnect");
    scene_run(scene, 4000);
    scene_forget(scene);
    scene_receive_error(scene, ERROR_FULL, "no room");
    scene_expect(scene, "\"the master refuses this worker: no room\"; disconnect");

    /* And once more when it has been welcome meanwhile. */
    scene_run(scene, 4000);
    scene_receive_welcome(scene, 7, 1);
    scene_unsent(scene);
    scene_run(scene, 800);
    scene_forget(scene);
    scene_receive_error(scene, ERROR_FULL, "no room");
    scene_expect(scene, "\"the master refuses this worker: no room\"; disconnect");
    scene_destroy(scene);
}

/* ---- jobs ---- */

static void jobs_run_and_are_answered(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(2);
    scene_receive_job(scene, 1, 1, 1);
    scene_expect(scene, "age; start 0: 1/1/1");
    scene_receive_job(scene, 1, 1, 2);
    scene_expect(scene, "start 1: 1/1/2");
    scene_improved(scene, 0, 1, 1, 1);
    scene_expect(scene, "IMPROVED 1/1/1");
    scene_done(scene, 1, 1, 1, 2, true);
    scene_expect(scene, "RESULT 1/1/2 complete");
    scene_receive_job(scene, 1, 1, 3);
    scene_expect(scene, "start 1: 1/1/3");
    scene_done(scene, 0, 1, 1, 1, true);
    scene_expect(scene, "RESULT 1/1/1 complete");
    scene_receive_job(scene, 1, 2, 1);
    scene_expect(scene, "age; start 0: 1/2/1");
    scene_destroy(scene);
}

static void the_table_is_aged_once_for_each_search(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(3);
    scene_receive_job(scene, 1, 1, 1);
    scene_receive_job(scene, 2, 9, 1);
    scene_receive_job(scene, 1, 1, 2);
    scene_expect(scene, "age; start 0: 1/1/1; age; start 1: 2/9/1; start 2: 1/1/2");
    scene_done(scene, 1, 2, 9, 1, true);
    scene_receive_job(scene, 2, 9, 2);
    scene_expect(scene, "RESULT 2/9/1 complete; start 1: 2/9/2");
    scene_destroy(scene);
}

static void a_job_that_is_known_is_not_begun_twice(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_receive_job(scene, 1, 1, 1);
    scene_receive_job(scene, 1, 1, 2);
    scene_receive_job(scene, 1, 1, 2);
    scene_expect(scene, "age; start 0: 1/1/1");
    scene_done(scene, 0, 1, 1, 1, true);
    scene_done(scene, 0, 1, 1, 2, true);
    scene_expect(scene, "RESULT 1/1/1 complete; start 0: 1/1/2; RESULT 1/1/2 complete");
    scene_destroy(scene);
}

static void what_does_not_fit_is_given_back(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_receive_job(scene, 1, 1, 2);
    scene_receive_job(scene, 1, 1, 3);
    scene_receive_job(scene, 1, 1, 4);
    scene_expect(scene, "age; start 0: 1/1/1");
    scene_receive_job(scene, 1, 1, 5);
    scene_expect(scene, "RESULT 1/1/5 incomplete");
    scene_destroy(scene);
}

static void a_cancel_names_a_job_a_search_or_a_session(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(2);
    scene_receive_job(scene, 1, 1, 1);
    scene_receive_job(scene, 1, 1, 2);
    scene_receive_job(scene, 1, 1, 3);
    scene_expect(scene, "age; start 0: 1/1/1; start 1: 1/1/2");
    scene_receive_cancel(scene, 1, 1, 2);
    scene_expect(scene, "stop 1");
    scene_receive_cancel(scene, 1, 1, 2);
    scene_expect(scene, "");
    scene_improved(scene, 1, 1, 1, 2);
    scene_expect(scene, "");
    scene_done(scene, 1, 1, 1, 2, false);
    scene_expect(scene, "RESULT 1/1/2 incomplete; start 1: 1/1/3");

    scene_receive_job(scene, 1, 1, 4);
    scene_receive_cancel(scene, 1, 1, 0);
    scene_expect(scene, "stop 0; stop 1; RESULT 1/1/4 incomplete");
    scene_receive_cancel(scene, 1, 0, 0);
    scene_expect(scene, "");
    scene_done(scene, 0, 1, 1, 1, false);
    scene_done(scene, 1, 1, 1, 3, false);
    scene_expect(scene, "RESULT 1/1/1 incomplete; RESULT 1/1/3 incomplete");

    scene_receive_job(scene, 1, 2, 1);
    scene_receive_job(scene, 2, 2, 1);
    scene_expect(scene, "age; start 0: 1/2/1; age; start 1: 2/2/1");
    scene_receive_cancel(scene, 1, 0, 0);
    scene_expect(scene, "stop 0");
    scene_destroy(scene);
}

static void a_new_search_waits_for_lanes_that_stop(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_receive_cancel(scene, 1, 1, 0);
    scene_receive_job(scene, 1, 2, 1);
    scene_expect(scene, "age; start 0: 1/1/1; stop 0");
    scene_wait(scene, SCENE_HEARTBEAT_MS);
    scene->progress.nodes_total = 12;
    scene_tick(scene);
    scene_expect(scene, "HEARTBEAT ping 0 nodes 12 1/2/1=0");
    scene_done(scene, 0, 1, 1, 1, false);
    scene_expect(scene, "RESULT 1/1/1 incomplete; age; start 0: 1/2/1");
    scene_destroy(scene);
}

static void a_job_that_ends_before_its_cancel_is_complete(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_receive_cancel(scene, 1, 1, 1);
    scene_done(scene, 0, 1, 1, 1, true);
    scene_expect(scene, "age; start 0: 1/1/1; stop 0; RESULT 1/1/1 complete");
    scene_destroy(scene);
}

static void bounds_reach_the_named_job_alone(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(2);
    scene_receive_job(scene, 1, 1, 1);
    scene_receive_job(scene, 1, 1, 2);
    scene_receive_job(scene, 1, 1, 3);
    scene_expect(scene, "age; start 0: 1/1/1; start 1: 1/1/2");
    scene_receive_bounds(scene, 1, 1, 2, 40);
    scene_expect(scene, "alpha 1: 40");
    scene_receive_bounds(scene, 1, 1, 9, 40);
    scene_receive_bounds(scene, 1, 2, 2, 40);
    scene_expect(scene, "");
    scene_receive_bounds(scene, 1, 1, 3, 30);
    scene_receive_bounds(scene, 1, 1, 3, 20);
    scene_receive_bounds(scene, 1, 1, 3, 100);
    scene_done(scene, 0, 1, 1, 1, true);
    scene_expect(scene, "RESULT 1/1/1 complete; start 0: 1/1/3 alpha 30");
    scene_destroy(scene);
}

static void names_of_another_epoch_are_dropped(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene->message.job = (MessageJob){.id = scene_job_id(1, 1, 1), .depth = 5, .beta = 100};
    scene->message.job.id.epoch.value = SCENE_EPOCH + 1;
    scene_receive(scene, MESSAGE_JOB);
    scene_expect(scene, "");
    scene_receive_job(scene, 1, 1, 1);
    scene_expect(scene, "age; start 0: 1/1/1");
    scene->message.cancel.id = scene_job_id(1, 1, 1);
    scene->message.cancel.id.epoch.value = SCENE_EPOCH + 1;
    scene_receive(scene, MESSAGE_CANCEL);
    scene_expect(scene, "");
    scene_destroy(scene);
}

/* ---- shares ---- */

static void shares_are_wanted_offered_and_answered(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(2);
    scene_receive_job(scene, 1, 1, 1);
    scene_receive_job(scene, 1, 1, 2);
    scene_expect(scene, "age; start 0: 1/1/1; start 1: 1/1/2");
    scene_receive_hungry(scene, 1, 1, 2, 3);
    scene_expect(scene, "want 1: 3");
    scene_offered(scene, 1, 1);
    scene_offered(scene, 1, 2);
    scene_expect(scene, "OFFER 1/1/2+1 depth 6; OFFER 1/1/2+2 depth 6");
    scene_receive_improved(scene, 2, 1);
    scene_expect(scene, "deliver 1: IMPROVED 1/1/2+1");
    scene_raised(scene, 1, 2, 35);
    scene_expect(scene, "BOUNDS 1/1/2+2 alpha 35");
    scene_receive_result(scene, 2, 1);
    scene_expect(scene, "deliver 1: RESULT 1/1/2 complete+1");
    scene_withdrawn(scene, 1, 2);
    scene_expect(scene, "CANCEL 1/1/2+2");
    scene_receive_hungry(scene, 1, 1, 2, 0);
    scene_expect(scene, "want 1: 0");
    scene_destroy(scene);
}

static void what_is_for_no_running_job_is_dropped(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_receive_job(scene, 1, 1, 2);
    scene_expect(scene, "age; start 0: 1/1/1");
    scene_receive_hungry(scene, 1, 1, 2, 1);
    scene_receive_hungry(scene, 1, 2, 1, 1);
    scene_receive_improved(scene, 3, 1);
    scene_receive_result(scene, 2, 1);
    scene_expect(scene, "");
    scene_receive_improved(scene, 1, 0);
    scene_receive_result(scene, 1, 0);
    scene_expect(scene, "");
    scene->message.cancel = (MessageCancel){.id = scene_job_id(1, 1, 1), .share = 4};
    scene_receive(scene, MESSAGE_CANCEL);
    scene->message.bounds = (MessageBounds){.id = scene_job_id(1, 1, 1), .share = 4, .alpha = 50};
    scene_receive(scene, MESSAGE_BOUNDS);
    scene_expect(scene, "");
    scene_destroy(scene);
}

static void what_is_wanted_of_a_waiting_job_is_kept(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_receive_job(scene, 1, 1, 2);
    scene_receive_job(scene, 1, 1, 3);
    scene_receive_hungry(scene, 1, 1, 2, 1);
    scene_receive_hungry(scene, 1, 1, 2, 3);
    scene_receive_hungry(scene, 1, 1, 3, 1);
    scene_receive_hungry(scene, 1, 1, 3, 0);
    scene_expect(scene, "age; start 0: 1/1/1");
    scene_done(scene, 0, 1, 1, 1, true);
    scene_expect(scene, "RESULT 1/1/1 complete; start 0: 1/1/2; want 0: 3");
    scene_done(scene, 0, 1, 1, 2, true);
    scene_expect(scene, "RESULT 1/1/2 complete; start 0: 1/1/3");
    scene_destroy(scene);
}

static void a_job_that_waits_leaves_its_slot(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_receive_job(scene, 1, 1, 2);
    scene_receive_job(scene, 1, 1, 3);
    scene_expect(scene, "age; start 0: 1/1/1");
    scene_parked(scene, 0, true);
    scene_expect(scene, "PARKED 1/1/1 waits; start 1: 1/1/2");
    scene_wait(scene, SCENE_HEARTBEAT_MS);
    scene->progress = (WorkerProgress){.nodes_total = 500, .lane_nodes = {128, 256}};
    scene_tick(scene);
    scene_expect(scene, "HEARTBEAT ping 0 nodes 500 1/1/1=128 1/1/2=256 1/1/3=0");
    scene_receive_result(scene, 1, 1);
    scene_expect(scene, "deliver 0: RESULT 1/1/1 complete+1");
    scene_parked(scene, 0, false);
    scene_expect(scene, "PARKED 1/1/1 goes on");
    scene_done(scene, 1, 1, 1, 2, true);
    scene_expect(scene, "RESULT 1/1/2 complete");
    scene_done(scene, 0, 1, 1, 1, true);
    scene_expect(scene, "RESULT 1/1/1 complete; start 0: 1/1/3");
    scene_destroy(scene);
}

static void without_a_free_lane_nothing_starts(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_parked(scene, 0, true);
    scene_receive_job(scene, 1, 1, 2);
    scene_parked(scene, 1, true);
    scene_receive_job(scene, 1, 1, 3);
    scene_expect(scene,
                 "age; start 0: 1/1/1; PARKED 1/1/1 waits; start 1: 1/1/2; PARKED 1/1/2 waits");
    scene_done(scene, 0, 1, 1, 1, true);
    scene_expect(scene, "RESULT 1/1/1 complete; start 0: 1/1/3");
    scene_destroy(scene);
}

static void a_job_that_stops_says_nothing_of_shares(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_parked(scene, 0, true);
    scene_receive_job(scene, 1, 1, 2);
    scene_expect(scene, "age; start 0: 1/1/1; PARKED 1/1/1 waits; start 1: 1/1/2");
    scene_receive_cancel(scene, 1, 1, 1);
    scene_expect(scene, "stop 0");
    scene_receive_improved(scene, 1, 1);
    scene_receive_hungry(scene, 1, 1, 1, 1);
    scene_parked(scene, 0, false);
    scene_offered(scene, 0, 2);
    scene_raised(scene, 0, 2, 10);
    scene_withdrawn(scene, 0, 1);
    scene_parked(scene, 0, true);
    scene_expect(scene, "");
    scene_done(scene, 0, 1, 1, 1, false);
    scene_expect(scene, "RESULT 1/1/1 incomplete");
    scene_destroy(scene);
}

/* The lane's last job was parked when it ended: the next one is not. */
static void parking_ends_with_the_job(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_parked(scene, 0, true);
    scene_done(scene, 0, 1, 1, 1, false);
    scene_receive_job(scene, 1, 1, 2);
    scene_receive_job(scene, 1, 1, 3);
    scene_expect(
        scene, "age; start 0: 1/1/1; PARKED 1/1/1 waits; RESULT 1/1/1 incomplete; start 0: 1/1/2");
    scene_destroy(scene);
}

/* ---- new games ---- */

static void a_new_game_clears_the_tables_when_all_lanes_are_free(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(2);
    scene_receive_new_game(scene, 1);
    scene_expect(scene, "clear");
    scene_receive_job(scene, 1, 1, 1);
    scene_expect(scene, "");
    scene_cleared(scene);
    scene_expect(scene, "CLEARED 1; age; start 0: 1/1/1");

    scene_receive_cancel(scene, 1, 1, 0);
    scene_receive_new_game(scene, 1);
    scene_receive_new_game(scene, 2);
    scene_receive_job(scene, 1, 2, 1);
    scene_expect(scene, "stop 0");
    scene_done(scene, 0, 1, 1, 1, false);
    scene_expect(scene, "RESULT 1/1/1 incomplete; clear");
    scene_cleared(scene);
    scene_expect(scene, "CLEARED 1; CLEARED 2; age; start 0: 1/2/1");
    scene_destroy(scene);
}

/* As many as a master can have, each of them once. */
static void every_session_hears_of_its_clear(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(2);
    for (int round = 0; round < 2; round++) {
        for (uint32_t session = 1; session <= MESSAGE_SESSIONS_MAX; session++) {
            scene_receive_new_game(scene, session);
        }
    }
    scene_expect(scene, "clear");
    scene_cleared(scene);
    scene_expect(
        scene, "CLEARED 1; CLEARED 2; CLEARED 3; CLEARED 4; CLEARED 5; CLEARED 6; CLEARED 7; "
               "CLEARED 8; CLEARED 9; CLEARED 10; CLEARED 11; CLEARED 12; CLEARED 13; CLEARED 14; "
               "CLEARED 15; CLEARED 16; clear");
    scene_destroy(scene);
}

/* Nobody waits any more for who leaves ... */
static void a_clear_is_not_told_by_who_leaves(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(2);
    scene_receive_new_game(scene, 1);
    scene_expect(scene, "clear");
    scene_terminate(scene);
    scene_expect(scene, "BYE 3");
    scene_cleared(scene);
    scene_expect(scene, "");
    scene_destroy(scene);
}

/* ... nor for what a master asked for that has forgotten the worker. */
static void a_clear_is_not_told_after_its_stay(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(2);
    scene_receive_new_game(scene, 1);
    scene_expect(scene, "clear");
    scene_receive(scene, MESSAGE_RESET);
    scene_expect(scene, "\"the master does not know this worker: joining anew\"; HELLO lab-1");
    scene_receive_welcome(scene, SCENE_EPOCH, 4);
    scene_expect(scene, "tell nothing; \"joined the master as worker 4\"");
    scene_cleared(scene);
    scene_expect(scene, "");
    scene_destroy(scene);
}

/* ---- leaving ---- */

static void sigterm_gives_jobs_back_and_says_bye(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_receive_job(scene, 1, 1, 2);
    scene_expect(scene, "age; start 0: 1/1/1");
    scene_terminate(scene);
    scene_expect(scene, "stop 0; RESULT 1/1/2 incomplete");
    scene_receive_job(scene, 1, 1, 3);
    scene_expect(scene, "RESULT 1/1/3 incomplete");
    scene_done(scene, 0, 1, 1, 1, false);
    scene_expect(scene, "RESULT 1/1/1 incomplete; BYE 3");
    scene_run(scene, 49);
    scene_expect(scene, "");
    scene_run(scene, 1);
    scene_expect(scene, "exit");
    scene_destroy(scene);
}

static void an_idle_worker_leaves_at_once(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive(scene, MESSAGE_DRAIN);
    scene_expect(scene, "\"the master sends this worker home\"; BYE 3");
    scene_run(scene, 50);
    scene_expect(scene, "exit");
    scene_destroy(scene);
}

static void a_lane_that_never_ends_does_not_keep_it(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_terminate(scene);
    scene_expect(scene, "age; start 0: 1/1/1; stop 0");
    scene_run(scene, 1000);
    scene_expect(scene, "\"a search does not end: giving this process up\"; abort");
    scene_destroy(scene);
}

/* Its thread is joined at the end, so it must have stopped: also behind a lost connection. */
static void without_a_master_sigterm_waits_for_the_lanes(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(2);
    scene_receive_job(scene, 1, 1, 1);
    scene_unsent(scene);
    scene_forget(scene);
    scene_terminate(scene);
    scene_expect(scene, "");
    scene_done(scene, 0, 1, 1, 1, false);
    scene_expect(scene, "exit");
    scene_destroy(scene);
}

static void without_a_master_a_lane_that_never_ends_does_not_keep_it(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_receive(scene, MESSAGE_RESET);
    scene_forget(scene);
    scene_terminate(scene);
    scene_expect(scene, "disconnect");
    scene_terminate(scene);
    scene_expect(scene, "");
    scene_run(scene, 999);
    scene_expect(scene, "");
    scene_run(scene, 1);
    scene_expect(scene, "\"a search does not end: giving this process up\"; abort");
    scene_destroy(scene);
}

static void a_second_sigterm_waits_for_nothing_but_the_lanes(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_terminate(scene);
    scene_terminate(scene);
    scene_expect(scene, "age; start 0: 1/1/1; stop 0; disconnect");
    scene_done(scene, 0, 1, 1, 1, false);
    scene_expect(scene, "exit");
    scene_tick(scene);
    scene_expect(scene, "");
    scene_destroy(scene);
}

static void without_a_master_sigterm_ends_it_at_once(void **state)
{
    (void)state;
    Scene *scene = scene_new(1);
    scene_tick(scene);
    scene_terminate(scene);
    scene_expect(scene, "connect; HELLO lab-1; exit");
    scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_hello_and_joins),
        cmocka_unit_test(it_repeats_hello_until_there_is_a_connection),
        cmocka_unit_test(a_hello_on_its_way_is_not_repeated_soon),
        cmocka_unit_test(it_waits_for_ever_with_growing_pauses),
        cmocka_unit_test(a_socket_that_brings_no_answer_is_replaced),
        cmocka_unit_test(a_refusal_is_told_once_and_tried_again_slowly),
        cmocka_unit_test(jobs_run_and_are_answered),
        cmocka_unit_test(the_table_is_aged_once_for_each_search),
        cmocka_unit_test(a_job_that_is_known_is_not_begun_twice),
        cmocka_unit_test(what_does_not_fit_is_given_back),
        cmocka_unit_test(a_cancel_names_a_job_a_search_or_a_session),
        cmocka_unit_test(a_new_search_waits_for_lanes_that_stop),
        cmocka_unit_test(a_job_that_ends_before_its_cancel_is_complete),
        cmocka_unit_test(bounds_reach_the_named_job_alone),
        cmocka_unit_test(names_of_another_epoch_are_dropped),
        cmocka_unit_test(shares_are_wanted_offered_and_answered),
        cmocka_unit_test(what_is_for_no_running_job_is_dropped),
        cmocka_unit_test(what_is_wanted_of_a_waiting_job_is_kept),
        cmocka_unit_test(a_job_that_waits_leaves_its_slot),
        cmocka_unit_test(without_a_free_lane_nothing_starts),
        cmocka_unit_test(a_job_that_stops_says_nothing_of_shares),
        cmocka_unit_test(parking_ends_with_the_job),
        cmocka_unit_test(a_new_game_clears_the_tables_when_all_lanes_are_free),
        cmocka_unit_test(every_session_hears_of_its_clear),
        cmocka_unit_test(a_clear_is_not_told_by_who_leaves),
        cmocka_unit_test(a_clear_is_not_told_after_its_stay),
        cmocka_unit_test(sigterm_gives_jobs_back_and_says_bye),
        cmocka_unit_test(an_idle_worker_leaves_at_once),
        cmocka_unit_test(a_lane_that_never_ends_does_not_keep_it),
        cmocka_unit_test(without_a_master_sigterm_waits_for_the_lanes),
        cmocka_unit_test(without_a_master_a_lane_that_never_ends_does_not_keep_it),
        cmocka_unit_test(a_second_sigterm_waits_for_nothing_but_the_lanes),
        cmocka_unit_test(without_a_master_sigterm_ends_it_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
