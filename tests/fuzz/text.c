#include "tests/fuzz/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "chess/attacks.h"
#include "worker/eval/eval.h"

/* libFuzzer calls the first two; it defines the third. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t length_max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t length, size_t length_max);

/* Now and then one of the seeds takes the place of what is there. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t length_max, unsigned seed)
{
    enum { RESTART_IN = 64 };
    if (seed % RESTART_IN == 0) {
        const char *text = fuzz_text.seeds[seed / RESTART_IN % fuzz_text.seed_count];
        length = strlen(text) < length_max ? strlen(text) : length_max;
        memcpy(bytes, text, length);
    }
    return LLVMFuzzerMutate(bytes, length, length_max);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static bool has_tables;
    if (!has_tables) {
        attacks_init(SLIDER_AUTO);
        eval_init();
        has_tables = true;
    }
    if (length <= FUZZ_TEXT_BYTES_MAX) {
        fuzz_text.check((const char *)bytes, (int)length);
    }
    return 0;
}
