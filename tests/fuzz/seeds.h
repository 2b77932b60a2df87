/*
 * Seeds: how a fuzz target of text begins anew, for it has no corpus.
 */
#ifndef ROOKERY_TESTS_FUZZ_SEEDS_H
#define ROOKERY_TESTS_FUZZ_SEEDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* libFuzzer's own mutator: changes `length` bytes a little, up to `length_max`; the new length. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t length, size_t length_max);

/* The same, now and then of one of `count` texts instead of what is there. */
static inline size_t seeds_mutate(const char *const *texts, unsigned count, uint8_t *bytes,
                                  size_t length, size_t length_max, unsigned seed)
{
    enum { RESTART_IN = 64 };
    if (seed % RESTART_IN == 0) {
        const char *text = texts[seed / RESTART_IN % count];
        length = strlen(text) < length_max ? strlen(text) : length_max;
        memcpy(bytes, text, length);
    }
    return LLVMFuzzerMutate(bytes, length, length_max);
}

#endif
