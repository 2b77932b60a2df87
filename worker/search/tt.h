/*
 * Transposition table: one per machine, shared by all its slots without locks.
 *
 * Buckets of four 16-byte entries fill a cache line. An entry is two 64-bit words, the data and
 * the key XORed with the data (Hyatt and Mann, "A lock-less transposition table", 2002): a torn
 * pair of writes gives a key that matches nothing. Deliberate data races: two slots may write an
 * entry at once and one write is lost; every access is a relaxed atomic, so this is defined.
 *
 * Keys are compared whole (64 bits), for entries travel between machines. A stored move is only a
 * hint: it must be tested by movegen_is_legal before it is played.
 */
#ifndef ROOKERY_SEARCH_TT_H
#define ROOKERY_SEARCH_TT_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/status.h"
#include "chess/score.h"
#include "messages/messages.h"
#include "worker/search/marks.h"

enum { TT_MB_MIN = 1, TT_MB_MAX = 1 << 20 };

typedef struct Tt Tt;

/* What the table knows of a position. */
typedef struct {
    Move move;     /* best or refuting move, or MOVE_NONE */
    int16_t score; /* mate scores relative to this node; SCORE_NONE if only `eval` is known */
    int16_t eval;  /* static evaluation, or SCORE_NONE */
    uint8_t depth; /* plies of remaining depth plus TT_DEPTH_OFFSET */
    uint8_t bound; /* Bound of `score` */
    bool is_pv;    /* the position has been on a principal variation */
} TtEntry;

/* Depths from -TT_DEPTH_OFFSET can be stored; searches store 0 (quiescence) and more. */
enum { TT_DEPTH_OFFSET = 4 };

/*
 * Makes a cleared table of `megabytes` (clamped to the limits), or NULL with a Status. At once,
 * however large: the system gives it each piece of memory when that is first used.
 */
__attribute__((warn_unused_result)) Status tt_new(int megabytes, Tt **tt);

/* Frees the table and nulls the pointer; NULL is allowed. */
void tt_destroy(Tt **tt);

/* Forgets everything, marks too. No other thread may use the table meanwhile. */
void tt_clear(Tt *tt);

/*
 * Forgets the `part`th, from 0, of `count` equal parts: several threads, each with a part of its
 * own, are done sooner with a large table. No other thread may use the table meanwhile.
 */
void tt_clear_part(Tt *tt, int part, int count);

/*
 * Has the system give the memory of the `part`th, from 0, of `count` equal parts, which then holds
 * what it held. So others see that it is taken, and no search waits for it. Any thread, at any
 * time. False where the system cannot (Linux before 5.14).
 */
bool tt_populate_part(Tt *tt, int part, int count);

/*
 * Starts a new generation: entries of older ones are replaced first. One thread; searches of others
 * may go on and then belong to the new generation.
 */
void tt_age(Tt *tt);

/* Copies what is known of `key` into `entry`; false if nothing is. */
bool tt_probe(const Tt *tt, uint64_t key, TtEntry *entry);

/* Stores `entry` unless the table holds something more valuable of the same position. */
void tt_store(Tt *tt, uint64_t key, const TtEntry *entry);

/*
 * What is learned here for others: from now on entries of at least `depth` plies are noted as they
 * are stored; TT_TELL_NOTHING, as in a new table, notes none. Any thread.
 */
enum { TT_TELL_NOTHING = 255 };
void tt_tell(Tt *tt, int depth);

/*
 * The entries noted since the last call, oldest first, at most `max`; returns how many. Some are
 * missing when more were noted than is remembered (TT_NOTES). One thread.
 */
enum { TT_NOTES = 1024 };
int tt_take_notes(Tt *tt, TableEntry *entries, int max);

/*
 * Leaves the `most` deepest of `count` entries, of equally deep ones the first, in their order;
 * returns how many are left.
 */
int tt_deepest(TableEntry *entries, int count, int most);

/*
 * Takes in what another machine noted, unless the position is known as deep already and nothing is
 * proved: news from afar is late, and may be of a search that this one has overtaken. False when it
 * is no entry. Any thread.
 */
bool tt_learn(Tt *tt, const TableEntry *entry);

/* Whether these are data that a search could have stored. */
bool tt_is_entry(uint64_t data);

/*
 * Whether `told`, the data of an entry, says nothing to a table that has `known` of the same
 * position, by the rule of tt_learn.
 */
bool tt_is_late(uint64_t known, uint64_t told);

/* What the searches that share the table are at work on; goes with it, and is cleared with it. */
Marks *tt_marks(Tt *tt);

/* Asks the processor to bring the bucket of `key` into its cache. */
void tt_prefetch(const Tt *tt, uint64_t key);

/* How full the table is with entries of this generation, in permille, by sampling. */
int tt_full_permille(const Tt *tt);

/*
 * Whether a score is proved whatever the depth it was found at, as a forced mate is; "at most a
 * mate in 5" is not. Mates that the 50-move rule may forestall must have been taken down before.
 */
static inline bool tt_is_proven(int score, Bound bound)
{
    return (score_is_win(score) && (bound & BOUND_LOWER) != 0) ||
           (score_is_loss(score) && (bound & BOUND_UPPER) != 0);
}

/* Mate scores are stored relative to the node, searched relative to the root. */
static inline int tt_score_to_table(int score, int ply)
{
    return score_is_win(score) ? score + ply : score_is_loss(score) ? score - ply : score;
}

static inline int tt_score_from_table(int score, int ply)
{
    if (score == SCORE_NONE) {
        return score;
    }
    return score_is_win(score) ? score - ply : score_is_loss(score) ? score + ply : score;
}

#endif
