/*
 * Affinity: who had a subtree last is remembered by its name, and forgotten only for another.
 */
#include "master/core/affinity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const SessionId session = {1};
static const Move path[] = {101, 202};

static void test_the_last_worker_is_remembered(void **state)
{
    (void)state;
    static Affinity affinity;
    const uint64_t key = affinity_key(session, path, 2, 303);
    affinity_init(&affinity);
    assert_int_equal(affinity_worker(&affinity, key).value, 0);
    affinity_note(&affinity, key, (WorkerId){4});
    assert_int_equal(affinity_worker(&affinity, key).value, 4);
    affinity_note(&affinity, key, (WorkerId){5});
    assert_int_equal(affinity_worker(&affinity, key).value, 5);
}

static void test_subtrees_have_names_of_their_own(void **state)
{
    (void)state;
    const Move other[] = {202, 101};
    const uint64_t key = affinity_key(session, path, 2, 303);
    assert_int_equal(affinity_key(session, path, 2, 303), key);
    assert_int_not_equal(affinity_key(session, path, 2, 304), key);
    assert_int_not_equal(affinity_key(session, path, 1, 303), key);
    assert_int_not_equal(affinity_key(session, other, 2, 303), key);
    assert_int_not_equal(affinity_key((SessionId){2}, path, 2, 303), key);
    assert_int_not_equal(affinity_key(session, NULL, 0, 303), 0);
}

/* Two names that share a place are not taken for each other. */
static void test_a_place_has_one_name(void **state)
{
    (void)state;
    static Affinity affinity;
    const uint64_t key = affinity_key(session, path, 2, 303);
    affinity_init(&affinity);
    affinity_note(&affinity, key, (WorkerId){4});
    assert_int_equal(affinity_worker(&affinity, key + AFFINITY_PLACES).value, 0);
    affinity_note(&affinity, key + AFFINITY_PLACES, (WorkerId){6});
    assert_int_equal(affinity_worker(&affinity, key).value, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_last_worker_is_remembered),
        cmocka_unit_test(test_subtrees_have_names_of_their_own),
        cmocka_unit_test(test_a_place_has_one_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
