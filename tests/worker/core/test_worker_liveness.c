/*
 * When a worker gives its master up, or a search, or itself, as traces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "support/worker_scene.h"

static void heartbeats_carry_progress_and_the_newest_ping(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(2);
    scene_receive_job(scene, 1, 1, 1);
    scene_receive_job(scene, 1, 1, 2);
    scene_expect(scene, "age; start 0: 1/1/1; start 1: 1/1/2");
    scene->progress = (WorkerProgress){.nodes_total = 500, .lane_nodes = {128, 256}};
    scene->message.ping.number = 41;
    scene_receive(scene, MESSAGE_PING);
    scene_expect(scene, "");
    assert_true(worker_next_tick(scene->worker).us == scene->now.us);
    scene_tick(scene);
    scene_expect(scene, "HEARTBEAT ping 41 nodes 500 1/1/1=128 1/1/2=256");
    scene_run(scene, SCENE_HEARTBEAT_MS - 1);
    scene_expect(scene, "");
    scene_run(scene, 1);
    scene_expect(scene, "HEARTBEAT ping 41 nodes 500 1/1/1=128 1/1/2=256");
    scene_destroy(scene);
}

static void a_silent_master_is_given_up_after_the_lease(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_parked(scene, 0, true);
    scene_run(scene, SCENE_LEASE_MS - 1);
    scene_forget(scene);
    scene_run(scene, 1);
    scene_expect(
        scene, "\"the master has been silent for 1500 ms: connecting again\"; stop 0; disconnect");
    scene_done(scene, 0, 1, 1, 1, false);
    scene_expect(scene, "");
    scene_run(scene, 100);
    scene_expect(scene, "connect; HELLO lab-1");
    scene_receive_job(scene, 1, 1, 5);
    scene_expect(scene, "");
    scene_receive_welcome(scene, SCENE_EPOCH + 1, 1);
    scene_expect(scene, "tell nothing; \"joined the master as worker 1\"");
    scene_destroy(scene);
}

static void any_message_renews_the_lease(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    for (int i = 0; i < 10; i++) {
        scene_run(scene, SCENE_LEASE_MS - 1);
        assert_null(strstr(scene->text, "silent"));
        scene_forget(scene);
        scene_receive_bounds(scene, 1, 1, 1, 0);
    }
    scene_destroy(scene);
}

static void a_worker_that_was_stopped_does_not_blame_its_master(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_wait(scene, 10 * SCENE_LEASE_MS);
    scene_tick(scene);
    scene_expect(scene, "HEARTBEAT ping 0 nodes 0");
    scene_run(scene, SCENE_LEASE_MS - 1);
    assert_null(strstr(scene->text, "silent"));
    scene_run(scene, 1);
    assert_non_null(strstr(scene->text, "silent"));
    scene_destroy(scene);
}

/* Time passes, and the worker hears of its master all the while; keeps the last words only. */
static void run_in_touch(Scene *scene, int milliseconds)
{
    for (int i = 0; i < milliseconds; i += SCENE_HEARTBEAT_MS) {
        scene_forget(scene);
        scene_receive_bounds(scene, 9, 9, 9, 0);
        scene_run(scene, SCENE_HEARTBEAT_MS);
    }
}

static bool has_left(const Scene *scene)
{
    return strstr(scene->text, "a search hangs") != NULL;
}

/* Has joined and left again, because the search of its one job hangs. */
static Scene *new_hanging(void)
{
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    run_in_touch(scene, WORKER_HANG_MS + SCENE_HEARTBEAT_MS);
    assert_true(has_left(scene));
    scene_forget(scene);
    return scene;
}

static void a_search_that_hangs_ends_the_stay_until_it_ends(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene->progress.lane_nodes[0] = 128;
    run_in_touch(scene, 2 * SCENE_HEARTBEAT_MS);
    scene->progress.lane_nodes[0] = 256;
    run_in_touch(scene, WORKER_HANG_MS);
    assert_false(has_left(scene));
    run_in_touch(scene, SCENE_HEARTBEAT_MS);
    scene_expect(scene,
                 "\"a search hangs: leaving the master until it has ended\"; stop 0; disconnect");
    scene_run(scene, 5000);
    scene_expect(scene, "");
    scene_done(scene, 0, 1, 1, 1, false);
    scene_expect(scene, "");
    scene_run(scene, 100);
    scene_expect(scene, "connect; HELLO lab-1");
    scene_destroy(scene);
}

static void a_search_that_never_ends_ends_the_process(void **state)
{
    (void)state;
    Scene *scene = new_hanging();
    scene_run(scene, 9900);
    scene_expect(scene, "");
    scene_run(scene, 200);
    scene_expect(scene, "\"a search does not end: giving this process up\"; abort");
    scene_destroy(scene);
}

static void sigterm_does_not_wait_for_a_search_that_hangs(void **state)
{
    (void)state;
    Scene *scene = new_hanging();
    scene_terminate(scene);
    scene_expect(scene, "\"a search does not end: giving this process up\"; abort");
    scene_destroy(scene);
}

/* Waiting for shares, or for a core that another lane has, is no hang. */
static void a_search_that_waits_does_not_hang(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_parked(scene, 0, true);
    scene_receive_job(scene, 1, 1, 2);
    for (int i = 0; i < 30; i++) {
        scene->progress.lane_nodes[1] += 128;
        run_in_touch(scene, SCENE_HEARTBEAT_MS);
        assert_false(has_left(scene));
    }
    scene_parked(scene, 0, false); /* both would search, and there is one core */
    for (int i = 0; i < 30; i++) {
        scene->progress.lane_nodes[1] += 128;
        run_in_touch(scene, SCENE_HEARTBEAT_MS);
        assert_false(has_left(scene));
    }
    run_in_touch(scene, WORKER_HANG_MS);
    assert_true(has_left(scene));
    scene_destroy(scene);
}

/* Beside other programs a search may wait for seconds; one that goes round in circles does not. */
static void a_search_without_a_processor_does_not_hang(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene->is_starved = true;
    run_in_touch(scene, 30 * WORKER_HANG_MS);
    assert_false(has_left(scene));
    scene->is_starved = false;
    run_in_touch(scene, WORKER_HANG_MS - SCENE_HEARTBEAT_MS);
    assert_false(has_left(scene));
    run_in_touch(scene, SCENE_HEARTBEAT_MS);
    assert_true(has_left(scene));
    scene_destroy(scene);
}

/* A loop that did not run has seen nothing. */
static void a_worker_that_was_stopped_does_not_blame_its_search(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    for (int i = 0; i < WORKER_HANG_LOOKS; i++) {
        scene_wait(scene, 10 * SCENE_LEASE_MS);
        scene_tick(scene);
        assert_false(has_left(scene));
    }
    scene_wait(scene, 10 * SCENE_LEASE_MS);
    scene_tick(scene);
    assert_true(has_left(scene));
    scene_destroy(scene);
}

static void a_lost_connection_ends_the_stay(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_expect(scene, "age; start 0: 1/1/1");
    scene_unsent(scene);
    scene_expect(scene,
                 "\"the connection to the master is lost: connecting again\"; stop 0; disconnect");
    scene_unsent(scene);
    scene_expect(scene, "");
    scene_destroy(scene);
}

static void reset_begins_anew_on_the_same_connection(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_receive_job(scene, 1, 1, 2);
    scene_expect(scene, "age; start 0: 1/1/1");
    scene_receive(scene, MESSAGE_RESET);
    scene_expect(scene,
                 "\"the master does not know this worker: joining anew\"; stop 0; HELLO lab-1");
    scene_receive(scene, MESSAGE_RESET);
    scene_expect(scene, "");
    scene_receive_welcome(scene, SCENE_EPOCH, 4);
    scene_expect(scene, "tell nothing; \"joined the master as worker 4\"");
    scene_receive_job(scene, 1, 1, 3);
    scene_expect(scene, "");
    scene_done(scene, 0, 1, 1, 1, false);
    scene_expect(scene, "start 0: 1/1/3");
    scene_destroy(scene);
}

static void a_second_welcome_is_a_new_stay(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_expect(scene, "age; start 0: 1/1/1");
    scene_receive_welcome(scene, SCENE_EPOCH, 3);
    scene_expect(scene, "");
    scene_receive_welcome(scene, SCENE_EPOCH, 4);
    scene_expect(scene, "stop 0; tell nothing; \"joined the master as worker 4\"");
    scene_done(scene, 0, 1, 1, 1, true);
    scene_expect(scene, "");
    scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heartbeats_carry_progress_and_the_newest_ping),
        cmocka_unit_test(a_silent_master_is_given_up_after_the_lease),
        cmocka_unit_test(any_message_renews_the_lease),
        cmocka_unit_test(a_worker_that_was_stopped_does_not_blame_its_master),
        cmocka_unit_test(a_search_that_hangs_ends_the_stay_until_it_ends),
        cmocka_unit_test(a_search_that_never_ends_ends_the_process),
        cmocka_unit_test(sigterm_does_not_wait_for_a_search_that_hangs),
        cmocka_unit_test(a_search_that_waits_does_not_hang),
        cmocka_unit_test(a_search_without_a_processor_does_not_hang),
        cmocka_unit_test(a_worker_that_was_stopped_does_not_blame_its_search),
        cmocka_unit_test(a_lost_connection_ends_the_stay),
        cmocka_unit_test(reset_begins_anew_on_the_same_connection),
        cmocka_unit_test(a_second_welcome_is_a_new_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
