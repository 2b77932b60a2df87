/*
 * A fuzz target of text: what it has to say; text.c does the rest.
 */
#ifndef ROOKERY_TESTS_FUZZ_TEXT_H
#define ROOKERY_TESTS_FUZZ_TEXT_H

enum { FUZZ_TEXT_BYTES_MAX = 4096 };

typedef struct {
    const char *const *seeds; /* how it begins anew, for it has no corpus */
    unsigned seed_count;
    /* Aborts if anything is wrong with the reading of these `length` bytes, no zero behind them. */
    void (*check)(const char *text, int length);
} FuzzText;

/* Each target defines it. */
extern const FuzzText fuzz_text;

#endif
