#include "worker/search/identity.h"

#include <string.h>

#include "base/check.h"
#include "base/prng.h"
#include "chess/fen.h"
#include "worker/eval/eval.h"
#include "worker/search/serial.h"

/* So that every part takes part: all kinds of moves, a forced mate, pawns that run, and a draw by
   the 50-move rule that is near. */
static const char *const texts[] = {
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/6p1/R4P2/6P1/1r6/6K1/8 w - - 88 100",
};

enum { DEPTH = 9, TABLE_MB = 4 };

static uint64_t hash_line(uint64_t hash, const Line *line)
{
    hash = prng_mix(hash ^ (uint64_t)(uint32_t)line->score);
    for (int i = 0; i < line->length; i++) {
        hash = prng_mix(hash ^ line->moves[i]);
    }
    return hash;
}

/* Adds what a search of the position visits and finds. */
static void add(Search *search, const char *text, Identity *identity)
{
    Position position;
    History game;
    SearchControl control;
    Root root;
    const RootLimits limits = {.depth = DEPTH, .multi_pv = 1};
    const SerialHost host = {.context = NULL};
    const Status parsed = fen_parse(text, (int)strlen(text), false, &position);
    CHECK(status_is_ok(&parsed));

    history_clear(&game);
    atomic_init(&control.stop, false);
    atomic_init(&control.alpha, 0);
    serial_search(search, &position, &game, &limits, &control, &host, &root);
    identity->value = hash_line(prng_mix(identity->value ^ root.nodes), root_line(&root, 0));
    identity->nodes += root.nodes;
}

Status identity_measure(Identity *identity)
{
    Tt *tt = NULL;
    Status status = tt_new(TABLE_MB, &tt);
    if (!status_is_ok(&status)) {
        return status;
    }
    Search *search = search_new(tt);
    if (search == NULL) {
        status = status_error(STATUS_NO_MEMORY, "not enough memory for a search");
    } else {
        search_clear(search);
        *identity = (Identity){.value = eval_identity()};
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            add(search, texts[i], identity);
        }
    }
    search_destroy(&search);
    tt_destroy(&tt);
    return status;
}
