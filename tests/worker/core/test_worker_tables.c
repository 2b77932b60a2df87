/*
 * What a worker tells of its table and learns from others, as traces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "support/worker_scene.h"
#include "worker/search/tt.h"

enum { MANY = MESSAGE_TABLE_ENTRIES_MAX, FEW = MESSAGE_TABLE_ENTRIES_MAX / 8 - 1 };

/* The depth of the last TELL, which is all that was done but for a TABLE sent if `is_sent`. */
static int told_depth(Scene *scene, bool is_sent)
{
    const int last = scene->actions->count - 1;
    assert_int_equal(last, is_sent ? 1 : 0);
    assert_int_equal(scene->actions->list[last].type, WORKER_ACTION_TELL);
    scene_forget(scene);
    return scene->actions->list[last].depth;
}

/* How long until the next look, as the only TELL among the actions says; 0 without one. */
static int64_t told_interval_ms(Scene *scene)
{
    int64_t interval_ms = 0;
    for (int i = 0; i < scene->actions->count; i++) {
        if (scene->actions->list[i].type == WORKER_ACTION_TELL) {
            assert_int_equal(interval_ms, 0);
            interval_ms = duration_to_ms(scene->actions->list[i].interval);
        }
    }
    return interval_ms;
}

/* Looks after so many tables of others; returns the time to the next look, 0 if it stays. */
static int64_t interval_after_ms(Scene *scene, int tables)
{
    for (int i = 0; i < tables; i++) {
        scene_receive_table(scene, 0);
    }
    scene_noted(scene, MANY / 2);
    return told_interval_ms(scene);
}

/*
 * However many others tell, each worker hears about as many tables in a second; where few do, a
 * message is worth less.
 */
static void the_pace_follows_the_company(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_table(scene, 0);
    assert_int_equal(told_interval_ms(scene), 2 * WORKER_NOTES_INTERVAL_MS);
    assert_int_equal(interval_after_ms(scene, 24), 4 * WORKER_NOTES_INTERVAL_MS);
    assert_int_equal(interval_after_ms(scene, 7), WORKER_NOTES_INTERVAL_MS);
    assert_int_equal(interval_after_ms(scene, 5), 0);
    assert_int_equal(interval_after_ms(scene, 4), 2 * WORKER_NOTES_INTERVAL_MS);
    assert_int_equal(interval_after_ms(scene, 1), 0);
    assert_int_equal(scene->actions->count, 1); /* the TABLE alone */
    scene_destroy(scene);
}

static void without_an_invitation_nothing_is_told(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_noted(scene, 5);
    scene_expect(scene, "");
    scene_receive_table(scene, 0);
    assert_in_range(told_depth(scene, false), 1, 20);
    scene_receive_table(scene, 0);
    scene_expect(scene, "");
    scene_receive_job(scene, 1, 1, 1); /* for an idle worker looks seldom, and says so */
    scene_forget(scene);
    scene_noted(scene, 0);
    scene_expect(scene, "");
    scene_noted(scene, 20);
    scene_expect(scene, "TABLE 20");
    assert_int_equal(scene->actions->list[0].message.table.entries[0].key, 5);
    assert_int_equal(scene->actions->list[0].message.table.entries[0].data, 9);
    scene_destroy(scene);
}

static void what_others_tell_is_learned(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_table(scene, 3); /* comes before any invitation: that there are others is clear */
    assert_non_null(strstr(scene->text, "tell "));
    assert_non_null(strstr(scene->text, "; learn TABLE 3"));
    assert_ptr_equal(scene->actions->list[1].news, &scene->message);
    scene_forget(scene);
    scene_receive_table(scene, 4);
    scene_expect(scene, "learn TABLE 4");
    scene_noted(scene, 20);
    scene_expect(scene, "TABLE 20");
    scene_destroy(scene);
}

static void the_depth_told_from_follows_the_flood(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_table(scene, 0);
    const int first = told_depth(scene, false);
    scene_noted(scene, MANY);
    assert_int_equal(told_depth(scene, true), first + 1);
    scene_noted(scene, MANY);
    assert_int_equal(told_depth(scene, true), first + 2);
    scene_noted(scene, MANY - 1);
    scene_noted(scene, FEW + 1);
    assert_int_equal(scene->actions->count, 1); /* that is about right */
    scene_noted(scene, FEW);
    assert_int_equal(told_depth(scene, true), first + 1);
    scene_noted(scene, 1);
    assert_int_equal(told_depth(scene, true), first);
    scene_noted(scene, 0); /* nothing is searched: that says nothing of the depth */
    assert_int_equal(told_depth(scene, false), first);
    scene_destroy(scene);
}

/* A machine that only waits is not woken hundreds of times a second. */
static void an_idle_worker_looks_seldom(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_table(scene, 0);
    scene_noted(scene, 0);
    assert_int_equal(told_interval_ms(scene), 32 * WORKER_NOTES_INTERVAL_MS);
    scene_noted(scene, 0);
    assert_int_equal(scene->actions->count, 0);
    scene_receive_job(scene, 1, 1, 1);
    assert_int_equal(told_interval_ms(scene), 2 * WORKER_NOTES_INTERVAL_MS);
    scene_noted(scene, 0); /* it is at work, though nothing is worth telling yet */
    assert_int_equal(scene->actions->count, 0);
    scene_destroy(scene);
}

/* ... nor one whose master is away, though it was at work. */
static void without_a_master_nothing_is_looked_at(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_job(scene, 1, 1, 1);
    scene_expect(scene, "age; start 0: 1/1/1");
    scene_receive_table(scene, 0);
    (void)told_depth(scene, false);
    scene_unsent(scene);
    scene_expect(
        scene, "\"the connection to the master is lost: connecting again\"; stop 0; tell nothing; "
               "disconnect");
    assert_int_equal(scene->actions->list[2].depth, TT_TELL_NOTHING);
    scene_done(scene, 0, 1, 1, 1, false);
    scene_run(scene, 100);
    scene_expect(scene, "connect; HELLO lab-1");
    scene_run(scene, 3000);
    assert_non_null(strstr(scene->text, "disconnect"));
    assert_null(strstr(scene->text, "tell")); /* once is enough */
    scene_run(scene, 200);
    scene_forget(scene);
    scene_receive_welcome(scene, SCENE_EPOCH, 4);
    scene_expect(scene, "tell nothing; \"joined the master as worker 4\"");
    scene_receive_job(scene, 1, 2, 1);
    scene_expect(scene, "age; start 0: 1/2/1");
    scene_receive_table(scene, 0);
    assert_in_range(told_depth(scene, false), 1, 20);
    scene_noted(scene, 20);
    scene_expect(scene, "TABLE 20");
    scene_destroy(scene);
}

static void receive_word(Scene *scene, uint64_t count, bool is_crowded)
{
    scene->message.heard = (MessageHeard){.count = count, .is_crowded = is_crowded};
    scene_receive(scene, MESSAGE_HEARD);
}

/* The master has heard so many TABLEs of this worker in its stay. */
static void receive_heard(Scene *scene, uint64_t count)
{
    receive_word(scene, count, false);
}

/* Word of so many more TABLEs than `heard`, one by one. */
static void receive_more_heard(Scene *scene, uint64_t *heard, int count, bool is_crowded)
{
    for (int i = 0; i < count; i++) {
        *heard += 1;
        receive_word(scene, *heard, is_crowded);
    }
}

/* How many entries of `MANY` - 1 that were noted go out. */
static int count_told(Scene *scene)
{
    scene_noted(scene, MANY - 1);
    assert_int_equal(scene->actions->count, 1);
    assert_int_equal(scene->actions->list[0].message.type, MESSAGE_TABLE);
    return scene->actions->list[0].message.table.count;
}

/* A master that cannot pass all of it on: messages become short, and longer again. */
static void messages_are_short_while_the_master_is_crowded(void **state)
{
    (void)state;
    uint64_t heard = 0;
    Scene *scene = scene_new_joined(1);
    scene_receive_table(scene, 0);
    (void)told_depth(scene, false);
    scene_receive_job(scene, 1, 1, 1);
    for (int i = 0; i < 8; i++) {
        scene_noted(scene, FEW + 1); /* so that there are some to be heard of */
    }
    receive_more_heard(scene, &heard, 1, false);
    assert_int_equal(count_told(scene), MANY - 1);
    receive_more_heard(scene, &heard, 1, true);
    assert_int_equal(count_told(scene), 3 * MANY / 4);
    receive_more_heard(scene, &heard, 20, true);
    assert_int_equal(count_told(scene), 16);
    receive_more_heard(scene, &heard, 1, false);
    assert_int_equal(count_told(scene), 18);
    receive_more_heard(scene, &heard, 100, false);
    assert_int_equal(count_told(scene), MANY - 1);
    receive_more_heard(scene, &heard, 20, true);
    scene_receive_welcome(scene, SCENE_EPOCH + 1, 2); /* a new stay, another line perhaps */
    scene_receive_table(scene, 0);
    assert_int_equal(count_told(scene), MANY - 1);
    scene_destroy(scene);
}

/* A link that does not keep pace: what it cannot take is kept, and told from deeper on. */
static void no_more_is_told_than_the_link_takes(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_table(scene, 0);
    const int first = told_depth(scene, false);
    for (int i = 0; i < 16; i++) {
        scene_noted(scene, FEW + 1);
        scene_expect(scene, "TABLE 16");
    }
    scene_noted(scene, FEW + 1);
    assert_int_equal(told_depth(scene, false), first + 1);
    scene_noted(scene, FEW + 1);
    assert_int_equal(told_depth(scene, false), first + 2);
    receive_heard(scene, 16);
    scene_noted(scene, FEW + 1);
    scene_expect(scene, "TABLE 16");
    scene_receive_welcome(scene, SCENE_EPOCH + 1, 2); /* a new stay, a new window */
    scene_receive_table(scene, 0);
    for (int i = 0; i < 16; i++) {
        scene_forget(scene);
        scene_noted(scene, FEW + 1);
        scene_expect(scene, "TABLE 16");
    }
    scene_destroy(scene);
}

/* How many TABLEs go out until one is kept back. */
static int tables_until_the_window_is_full(Scene *scene)
{
    int sent = -1;
    do {
        assert_in_range(++sent, 0, 1000);
        scene_forget(scene);
        scene_noted(scene, FEW + 1);
    } while (strstr(scene->text, "TABLE") != NULL);
    return sent;
}

/* The same, after word that all sent before have come, so much later. */
static int tables_after_late_word(Scene *scene, int late_ms)
{
    const int sent = tables_until_the_window_is_full(scene);
    scene_wait(scene, late_ms);
    receive_heard(scene, (uint64_t)sent);
    return tables_until_the_window_is_full(scene);
}

/* What is late on a link with frequent heartbeats is in time on one with rare ones. */
static void the_heartbeat_says_how_late_word_may_be(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_table(scene, 0);
    (void)told_depth(scene, false);
    assert_int_equal(tables_after_late_word(scene, 4 * SCENE_HEARTBEAT_MS), 8);
    scene_receive_welcome_with_heartbeat(scene, SCENE_EPOCH + 1, 2, 5 * SCENE_HEARTBEAT_MS);
    scene_receive_table(scene, 0);
    assert_int_equal(tables_after_late_word(scene, 4 * SCENE_HEARTBEAT_MS), 32);
    scene_destroy(scene);
}

static void what_was_heard_is_said_with_the_heartbeat(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_table(scene, 0);
    scene_forget(scene);
    scene_run(scene, SCENE_HEARTBEAT_MS);
    scene_expect(scene, "HEARTBEAT ping 0 nodes 0"); /* an empty one is an invitation, no entries */
    scene_receive_table(scene, 3);
    scene_receive_table(scene, 1);
    scene_forget(scene);
    scene_run(scene, SCENE_HEARTBEAT_MS);
    scene_expect(scene, "HEARTBEAT ping 0 nodes 0; HEARD 2");
    scene_run(scene, SCENE_HEARTBEAT_MS);
    scene_expect(scene, "HEARTBEAT ping 0 nodes 0");
    scene_destroy(scene);
}

/* Else who tells much would wait for a heartbeat whenever its window is full. */
static void what_was_heard_is_said_at_once_when_it_is_much(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_table(scene, 0);
    for (int i = 1; i < 8; i++) {
        scene_forget(scene);
        scene_receive_table(scene, 1);
        scene_expect(scene, "learn TABLE 1");
    }
    scene_forget(scene);
    scene_receive_table(scene, 1);
    scene_expect(scene, "HEARD 8; learn TABLE 1");
    scene_forget(scene);
    scene_run(scene, SCENE_HEARTBEAT_MS);
    scene_expect(scene, "HEARTBEAT ping 0 nodes 0");
    scene_destroy(scene);
}

static void the_depth_told_from_has_ends(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_table(scene, 0);
    int depth = told_depth(scene, false);
    for (uint64_t i = 0; i < 100; i++) {
        receive_heard(scene, i);
        scene_noted(scene, MANY);
        const int next = scene->actions->count == 2 ? told_depth(scene, true) : depth;
        assert_in_range(next, depth, depth + 1);
        depth = next;
    }
    assert_in_range(depth, 30, PLY_MAX - 1);
    for (uint64_t i = 0; i < 100; i++) {
        receive_heard(scene, 100 + i);
        scene_noted(scene, 1);
        depth = scene->actions->count == 2 ? told_depth(scene, true) : depth;
    }
    assert_in_range(depth, 1, 8);
    scene_forget(scene);
    scene_noted(scene, 1);
    scene_expect(scene, "TABLE 1");
    scene_destroy(scene);
}

static void nothing_is_told_to_another_master(void **state)
{
    (void)state;
    Scene *scene = scene_new_joined(1);
    scene_receive_table(scene, 0);
    (void)told_depth(scene, false);
    scene_receive(scene, MESSAGE_RESET);
    scene_expect(scene, "\"the master does not know this worker: joining anew\"; HELLO lab-1");
    scene_noted(scene, 5); /* the host goes on noting until it is told otherwise */
    scene_receive_table(scene, 0);
    scene_receive_table(scene, 5);
    scene_expect(scene, "");
    scene_receive_welcome(scene, SCENE_EPOCH, 4);
    scene_expect(scene, "tell nothing; \"joined the master as worker 4\"");
    scene_noted(scene, 5);
    scene_expect(scene, "");
    scene_receive_table(scene, 0);
    (void)told_depth(scene, false);
    scene_terminate(scene);
    scene_expect(scene, "BYE 4");
    scene_noted(scene, 5);
    scene_receive_table(scene, 5);
    scene_expect(scene, "");
    scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pace_follows_the_company),
        cmocka_unit_test(without_an_invitation_nothing_is_told),
        cmocka_unit_test(what_others_tell_is_learned),
        cmocka_unit_test(the_depth_told_from_follows_the_flood),
        cmocka_unit_test(an_idle_worker_looks_seldom),
        cmocka_unit_test(without_a_master_nothing_is_looked_at),
        cmocka_unit_test(no_more_is_told_than_the_link_takes),
        cmocka_unit_test(messages_are_short_while_the_master_is_crowded),
        cmocka_unit_test(the_heartbeat_says_how_late_word_may_be),
        cmocka_unit_test(what_was_heard_is_said_at_once_when_it_is_much),
        cmocka_unit_test(what_was_heard_is_said_with_the_heartbeat),
        cmocka_unit_test(the_depth_told_from_has_ends),
        cmocka_unit_test(nothing_is_told_to_another_master),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
