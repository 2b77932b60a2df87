#include "worker/search/identity.h"

#include <string.h>

#include "base/check.h"
#include "base/prng.h"
#include "chess/fen.h"
#include "worker/eval/eval.h"
#include "worker/search/serial.h"

/* A middlegame with captures, checks and castling to come, so that every part takes part. */
static const char position_text[] =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

enum { DEPTH = 9, TABLE_MB = 4 };

static uint64_t hash_line(uint64_t hash, const Line *line)
{
    hash = prng_mix(hash ^ (uint64_t)(uint32_t)line->score);
    for (int i = 0; i < line->length; i++) {
        hash = prng_mix(hash ^ line->moves[i]);
    }
    return hash;
}

static void run(Search *search, Identity *identity)
{
    Position position;
    History game;
    SearchControl control;
    Root root;
    const RootLimits limits = {.depth = DEPTH, .multi_pv = 1};
    const SerialHost host = {.context = NULL};
    const Status parsed = fen_parse(position_text, (int)strlen(position_text), false, &position);
    CHECK(status_is_ok(&parsed));

    history_clear(&game);
    atomic_init(&control.stop, false);
    atomic_init(&control.alpha, 0);
    serial_search(search, &position, &game, &limits, &control, &host, &root);

    const uint64_t hash = prng_mix(eval_identity() ^ prng_mix(root.nodes));
    identity->value = hash_line(hash, root_line(&root, 0));
    identity->nodes = root.nodes;
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
        run(search, identity);
    }
    search_destroy(&search);
    tt_destroy(&tt);
    return status;
}
