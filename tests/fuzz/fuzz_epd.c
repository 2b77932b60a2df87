/*
 * Fuzz target: no line of a test suite harms its reader, and what it expects can be played.
 *
 *     fuzz_epd -max_total_time=300 -max_len=512
 */
#include <string.h>

#include "base/check.h"
#include "chess/movegen.h"
#include "tests/fuzz/text.h"
#include "uci_bridge/epd.h"

static const char *const seeds[] = {
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";",
    "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - bm f5; id \"STS\"; "
    "c0 \"f5=10, Be5+=2, Bf2=3, Bg4=2\";",
    "r1b2rk1/1p2nppp/p2R1b2/4qP1Q/4P3/1B2B3/PPP2P1P/2K3R1 w - - am e4; bm #5; c7 \"Qh5 f5\"; "
    "c8 \"10 2\"; c9 \"h5h7 f5f6\";",
};

static void check_read(const Epd *epd)
{
    CHECK(strlen(epd->id) < sizeof epd->id);
    for (int i = 0; i < epd->best_count; i++) {
        CHECK(movegen_is_legal(&epd->position, epd->best[i]));
    }
    for (int i = 0; i < epd->avoid_count; i++) {
        CHECK(movegen_is_legal(&epd->position, epd->avoid[i]));
    }
    for (int i = 0; i < epd->points_count; i++) {
        CHECK(movegen_is_legal(&epd->position, epd->points[i].move));
        CHECK(epd_points(epd, epd->points[i].move) <= epd->points_max);
    }
}

static void check(const char *text, int length)
{
    static char line[FUZZ_TEXT_BYTES_MAX + 1];
    static Epd epd;
    memcpy(line, text, (size_t)length);
    line[length] = '\0';
    const Status status = epd_parse(line, "a file", 1, false, &epd);
    if (status_is_ok(&status)) {
        check_read(&epd);
    }
}

const FuzzText fuzz_text = {
    .seeds = seeds,
    .seed_count = sizeof seeds / sizeof seeds[0],
    .check = check,
};
