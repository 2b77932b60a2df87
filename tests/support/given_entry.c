#include "support/given_entry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "worker/search/tt.h"

uint64_t given_entry_data(int depth, int score, Bound bound)
{
    Tt *tt;
    TableEntry note;
    const Status status = tt_new(1, &tt);
    assert_true(status_is_ok(&status));
    tt_tell(tt, 0);
    tt_store(tt, 1,
             &(TtEntry){.score = (int16_t)score,
                        .eval = SCORE_NONE,
                        .depth = (uint8_t)(depth + TT_DEPTH_OFFSET),
                        .bound = (uint8_t)bound});
    assert_int_equal(tt_take_notes(tt, &note, 1), 1);
    tt_destroy(&tt);
    return note.data;
}
