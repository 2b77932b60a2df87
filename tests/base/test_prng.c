/*
 * Prng against published numbers of its two algorithms, and its promises about ranges.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/prng.h"

/* The first outputs of the authors' reference code for the state 1, 2, 3, 4. */
static void test_known_sequence(void **state)
{
    (void)state;
    Prng prng = {.state = {1, 2, 3, 4}};
    assert_true(prng_next(&prng) == 11520);
    assert_true(prng_next(&prng) == 0);
    assert_true(prng_next(&prng) == 1509978240);
    assert_true(prng_next(&prng) == UINT64_C(1215971899390074240));
}

/* SplitMix64's well-known outputs for the seed 1234567 fill the state. */
static void test_known_seeding(void **state)
{
    (void)state;
    Prng prng;
    prng_init(&prng, 1234567);
    assert_true(prng.state[0] == UINT64_C(6457827717110365317));
    assert_true(prng.state[1] == UINT64_C(3203168211198807973));
    assert_true(prng.state[2] == UINT64_C(9817491932198370423));
    assert_true(prng.state[3] == UINT64_C(4593380528125082431));
}

static void test_one_seed_one_sequence(void **state)
{
    (void)state;
    Prng left;
    Prng right;
    Prng other;
    prng_init(&left, 0);
    prng_init(&right, 0);
    prng_init(&other, 1);
    int equal_to_other = 0;
    for (int i = 0; i < 100; i++) {
        const uint64_t number = prng_next(&left);
        assert_true(number == prng_next(&right));
        equal_to_other += number == prng_next(&other);
    }
    assert_int_equal(equal_to_other, 0);
}

static void test_below_stays_below(void **state)
{
    (void)state;
    static const uint64_t bounds[] = {1, 2, 3, 6, 64, 1000, UINT64_MAX / 2 + 2, UINT64_MAX};
    Prng prng;
    prng_init(&prng, 5);
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        for (int draw = 0; draw < 1000; draw++) {
            assert_true(prng_below(&prng, bounds[i]) < bounds[i]);
        }
    }
}

/* Six sides, 60000 throws: each side within 5 standard deviations (91) of 10000. */
static void test_below_is_uniform(void **state)
{
    (void)state;
    Prng prng;
    prng_init(&prng, 6);
    int count[6] = {0};
    for (int i = 0; i < 60000; i++) {
        count[prng_below(&prng, 6)]++;
    }
    for (int side = 0; side < 6; side++) {
        assert_in_range(count[side], 10000 - 456, 10000 + 456);
    }
}

/* A good hash changes about half of its bits when any one bit of the value changes. */
static void test_mix_spreads_every_bit(void **state)
{
    (void)state;
    for (int bit = 0; bit < 64; bit++) {
        int changed = 0;
        for (uint64_t value = 1; value <= 64; value++) {
            const uint64_t other = value ^ (UINT64_C(1) << bit);
            changed += __builtin_popcountll(prng_mix(value) ^ prng_mix(other));
        }
        assert_in_range(changed, 64 * 28, 64 * 36);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_sequence),        cmocka_unit_test(test_known_seeding),
        cmocka_unit_test(test_one_seed_one_sequence), cmocka_unit_test(test_below_stays_below),
        cmocka_unit_test(test_below_is_uniform),      cmocka_unit_test(test_mix_spreads_every_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
