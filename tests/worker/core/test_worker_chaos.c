/*
 * The worker core under many random events in any order: no check fails, here and in the core, and
 * in the end everything still works.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "support/worker_scene.h"

static void random_event(Scene *scene, int number)
{
    const uint32_t session = 1 + (uint32_t)(rand() % 2);
    const int lane = rand() % 6;
    const JobId id = scene->running[lane];
    switch (rand() % 20) {
    case 0:
        scene_receive_welcome(scene, SCENE_EPOCH, 1 + (uint32_t)(number / 1000));
        break;
    case 1:
        scene_receive_cancel(scene, session, (uint32_t)(rand() % 3), 0);
        break;
    case 2:
        scene_receive_bounds(scene, session, 1, (uint32_t)number - 1, rand() % 200);
        break;
    case 3:
        scene_receive_new_game(scene, session);
        break;
    case 4:
        scene_receive(scene, rand() % 20 == 0 ? MESSAGE_RESET : MESSAGE_PING);
        break;
    case 5:
        scene_run(scene, rand() % 300);
        break;
    case 6:
        if (scene->is_clearing) {
            scene_cleared(scene);
        }
        break;
    case 7:
    case 8:
    case 9:
        if (id.job != 0) {
            scene_done(scene, lane, id.session.value, id.search.value, id.job, rand() % 2);
        }
        break;
    case 10:
        if (id.job != 0) {
            scene_parked(scene, lane, !scene->is_parked[lane]);
        }
        break;
    case 11:
        if (id.job != 0) {
            scene_receive_hungry(scene, id.session.value, id.search.value, id.job, rand() % 3);
            scene_offered(scene, lane, (uint32_t)number);
        }
        break;
    case 12:
        if (id.job != 0) {
            scene_raised(scene, lane, (uint32_t)number, rand() % 100);
            scene_withdrawn(scene, lane, (uint32_t)number);
        }
        break;
    case 13:
        scene_receive_result(scene, id.job, 1);
        scene_receive_improved(scene, id.job, 1);
        scene_receive_table(scene, rand() % 4);
        scene_noted(scene, rand() % 4);
        break;
    default:
        scene_receive_job(scene, session, 1 + (uint32_t)(number / 5000), (uint32_t)number);
    }
    scene_forget(scene);
}

static void random_events_do_no_harm(void **state)
{
    (void)state;
    srand(5);
    Scene *scene = scene_new(3);
    int most = 0;
    for (int i = 1; i <= 20000; i++) {
        random_event(scene, i);
        most = scene->running_count > most ? scene->running_count : most;
    }
    assert_int_equal(most, 6);
    scene_receive(scene, MESSAGE_RESET);
    scene_receive_welcome(scene, SCENE_EPOCH + 1, 1);
    scene_terminate(scene);
    for (int lane = 0; lane < 6; lane++) {
        const JobId id = scene->running[lane];
        if (id.job != 0) {
            scene_done(scene, lane, id.session.value, id.search.value, id.job, false);
        }
    }
    if (scene->is_clearing) {
        scene_cleared(scene);
    }
    scene_run(scene, 1000);
    assert_int_equal(scene->running_count, 0);
    assert_string_equal(scene->text + scene->length - 4, "exit");
    scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_events_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
