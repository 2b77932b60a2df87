#include "uci_bridge/bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arguments.h"
#include "base/check.h"
#include "chess/fen.h"
#include "os/clock.h"
#include "uci_bridge/bench_via_master.h"
#include "uci_bridge/core/bridge_event.h"
#include "uci_bridge/display.h"
#include "uci_bridge/searcher.h"

static const char help[] =
    "usage: rookery bench [DEPTH] [--via-master]\n"
    "\n"
    "Searches a fixed set of positions to DEPTH plies (default 13) on one thread, each with an\n"
    "empty table of 16 MB, and prints the nodes of all and the nodes a second. With --via-master\n"
    "the same search goes through an embedded master and worker; the nodes must be equal.\n";

typedef struct {
    const char *fen;
    bool chess960;
} BenchPosition;

static const BenchPosition positions[] = {
    /* openings */
    {FEN_START, false},
    {"r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3", false},
    {"rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6", false},
    {"rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP3PPP/R1BQKB1R w KQ - 2 6", false},
    {"rnbqkb1r/pp3ppp/4pn2/2pp4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 5", false},
    {"r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6", false},
    {"rnbqk2r/ppp1bppp/4pn2/3p2B1/2PP4/2N5/PP2PPPP/R2QKBNR w KQkq - 4 5", false},
    {"r1bqkb1r/pp1n1ppp/2p1pn2/3p4/2PP4/2NBPN2/PP3PPP/R1BQK2R b KQkq - 3 6", false},
    /* middlegames */
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", false},
    {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", false},
    {"r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B1P1/PP2PPBP/R2Q1RK1 w - - 5 12", false},
    {"r1bq1rk1/pp1nbppp/2p1pn2/8/2BP4/2N1PN2/PP3PPP/R1BQ1RK1 w - - 1 10", false},
    {"2rq1rk1/pb2bppp/1pn1pn2/8/3P4/P1NB1N2/1P2QPPP/R1BR2K1 b - - 2 14", false},
    {"r1b2rk1/2q1bppp/p2ppn2/1p4B1/3QPP2/2N5/PPP3PP/2KR1B1R w - - 0 14", false},
    {"r2q1rk1/1b1nbppp/p2pp3/1p4P1/3NP3/1BN1BP2/PPP4P/R2Q1RK1 b - - 0 13", false},
    {"2r2rk1/1bqnbppp/pp1ppn2/8/2PNP3/1PN1BP2/P2QB1PP/2RR2K1 w - - 2 16", false},
    {"r1bq1rk1/pp3ppp/2n1p3/3n4/1bBP4/2N2N2/PP3PPP/R1BQR1K1 w - - 4 11", false},
    {"4r1k1/p1p1r1pp/1p2Pp1q/2pP1n1b/2P2p2/2Q2B1P/P2NRPP1/4R1K1 w - - 3 26", false},
    {"2bqk1nr/1p1p1pbp/6p1/1pp1p3/1P2P3/5N2/2PP1PPP/BN1QR1K1 b k - 0 10", false},
    {"3r1rk1/p3qppp/1pn1b3/2p5/3PP3/2PQ1N2/P2B1PPP/R3R1K1 b - - 0 18", false},
    {"r3r1k1/2p2ppp/p1p1bn2/8/1q2P3/2NPQN2/PPP3PP/R4RK1 b - - 2 15", false},
    {"rq3rk1/ppp2ppp/1bnpb3/3N2B1/3NP3/7P/PPPQ1PP1/2KR3R w - - 7 14", false},
    {"r1bq1r1k/1pp1n1pp/1p1p4/4p2Q/4Pp2/1BNP4/PPP2PPP/3R1RK1 w - - 2 14", false},
    /* tactics */
    {"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", false},
    {"r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1", false},
    {"1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", false},
    {"r1b1k2r/ppppqppp/2n5/8/2PnN3/8/PP2BPPP/R1BQK2R w KQkq - 0 10", false},
    {"2r3k1/1p2q1pp/2b1pr2/p1pp4/6Q1/1P1PP1R1/P1PN2PP/5RK1 w - - 0 1", false},
    {"6k1/6p1/P6p/r1N5/5p2/7P/1b3PP1/4R1K1 w - - 0 1", false},
    {"rnb2r1k/pp2p2p/2pp2p1/q2P1p2/8/1Pb2NP1/PB2PPBP/R2Q1RK1 w - - 0 1", false},
    /* endgames */
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", false},
    {"8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83", false},
    {"8/p5R1/1p4p1/4k3/r6P/6K1/5P2/8 b - - 4 50", false},
    {"8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", false},
    {"8/8/p2p3p/3k2p1/PP6/3K1P1P/8/8 b - - 0 1", false},
    {"8/1p3pp1/7p/5P1P/2k3P1/8/2K2P2/8 w - - 0 1", false},
    {"5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1", false},
    {"6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1", false},
    {"8/3k4/p6Q/pq6/3p4/1P6/P3p1P1/6K1 w - - 0 1", false},
    {"3b4/5kp1/1p1p1p1p/pP1PpP1P/P1P1P3/3KN3/8/8 w - - 0 1", false},
    {"8/6pk/1p6/8/PP3p1p/5P2/4KP1q/3Q4 w - - 0 1", false},
    {"8/5p2/3k2p1/p2p3p/1p1P1P1P/1P2KBP1/P7/4n3 w - - 0 40", false},
    {"8/8/1P6/5pr1/8/4R3/7k/2K5 w - - 0 1", false},
    {"8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1", false},
    /* Chess960 */
    {"bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1", true},
    {"2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", true},
    {"1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9", true},
    {"rbbqn1kr/pp2p1pp/6n1/2pp1p2/2P4P/P7/BP1PPPP1/R1BQNNKR w HAha - 0 9", true},
    /* few legal moves, or none, or a mate at hand */
    {"r1b2r1k/ppp2Npp/8/8/2Bq4/8/PP3PPP/R2Q1RK1 b - - 0 1", false},
    {"3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1", false},
    {"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", false},
    {"7k/5KQ1/8/8/8/8/8/8 b - - 0 1", false},
    {"7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", false},
};

enum { POSITION_COUNT = sizeof positions / sizeof positions[0] };

int bench_position_count(void)
{
    return POSITION_COUNT;
}

Status bench_run(BenchSearch *search, void *context, int depth, BenchResult *result)
{
    const Instant start = clock_now();
    *result = (BenchResult){.positions = 0};
    for (int i = 0; i < POSITION_COUNT; i++) {
        Position position;
        uint64_t nodes = 0;
        const Status parsed = fen_parse(positions[i].fen, (int)strlen(positions[i].fen),
                                        positions[i].chess960, &position);
        CHECK(status_is_ok(&parsed));
        display_progress(i, POSITION_COUNT, "positions");
        const Status status = search(context, &position, depth, &nodes);
        if (!status_is_ok(&status)) {
            return status;
        }
        result->positions++;
        result->nodes += nodes;
    }
    display_progress(POSITION_COUNT, POSITION_COUNT, "positions");
    result->time = instant_since(clock_now(), start);
    return status_ok();
}

void bench_print(const BenchResult *result)
{
    const uint64_t us = result->time.us > 0 ? (uint64_t)result->time.us : 1;
    printf("Nodes searched  : %" PRIu64 "\n", result->nodes);
    printf("Nodes/second    : %" PRIu64 "\n", result->nodes * 1000000 / us);
}

/* The serial bench's context. */
typedef struct {
    Searcher *searcher;
    SearcherInterrupt *interrupt; /* or NULL */
    void *context;                /* for it */
} SerialBench;

static Status search_serially(void *context, const Position *position, int depth, uint64_t *nodes)
{
    const SerialBench *bench = context;
    const RootLimits limits = {.depth = depth, .multi_pv = 1};
    searcher_clear(bench->searcher);
    *nodes = searcher_run(bench->searcher, position, &limits, duration_ms(0), NULL, NULL).nodes;
    return bench->interrupt != NULL && bench->interrupt(bench->context)
               ? status_error(STATUS_UNAVAILABLE, "the bench was interrupted")
               : status_ok();
}

Status bench_command_serial(int depth, SearcherInterrupt *interrupt, void *context)
{
    SerialBench bench = {.interrupt = interrupt, .context = context};
    BenchResult result;
    Status status = searcher_new(BENCH_HASH_MB, &bench.searcher);
    if (status_is_ok(&status)) {
        searcher_set_interrupt(bench.searcher, interrupt, context);
        status = bench_run(search_serially, &bench, depth, &result);
    }
    searcher_destroy(&bench.searcher);
    if (status_is_ok(&status)) {
        bench_print(&result);
    }
    return status;
}

Status bench_command_run(char *const *words, int count)
{
    bool help_is_wanted = false;
    bool via_master = false;
    int64_t depth = BRIDGE_BENCH_DEPTH;
    char rest[ARGUMENTS_TEXT_BYTES_MAX];
    const Argument arguments[] = {
        {.name = "--help", .flag = &help_is_wanted},
        {.name = "--via-master", .flag = &via_master},
    };
    Status status = arguments_parse(words, count, arguments, 2, rest);
    if (status_is_ok(&status) && help_is_wanted) {
        fputs(help, stdout);
        return status;
    }
    if (status_is_ok(&status) && rest[0] != '\0') {
        status = arguments_number("DEPTH", rest, 1, ROOT_DEPTH_MAX, &depth);
    }
    if (!status_is_ok(&status)) {
        return status;
    }
    return via_master ? bench_via_master((int)depth) : bench_command_serial((int)depth, NULL, NULL);
}
