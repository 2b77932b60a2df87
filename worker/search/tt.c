#include "worker/search/tt.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/check.h"

enum {
    BUCKET_ENTRIES = 4,
    BUCKET_BYTES = 64,
    GENERATION_COUNT = 32,
    HUGE_PAGE_BYTES = 2 << 20,
};

typedef struct {
    _Atomic uint64_t check; /* key ^ data */
    _Atomic uint64_t data;  /* packed, see pack(); 0 is a free entry */
} Slot;

typedef struct {
    _Alignas(BUCKET_BYTES) Slot slots[BUCKET_ENTRIES];
} Bucket;

struct Tt {
    void *memory; /* the mapping in which the buckets are */
    Bucket *buckets;
    uint64_t bucket_count;
    atomic_uint generation; /* 0 to GENERATION_COUNT - 1; 1 after a clear; accesses are relaxed */
    atomic_int tell_depth;  /* stored depths (with TT_DEPTH_OFFSET) from which entries are noted */
    atomic_uint noted;      /* entries so far, round and round */
    unsigned notes_taken;   /* of them; the reader's */
    Marks marks;            /* of the searches that use the table */
    Slot notes[TT_NOTES];   /* written by any thread, torn ones are found out as in a bucket */
};

/* data: bits 0-15 move, 16-31 score, 32-47 eval, 48-55 depth, 56-57 bound, 58 pv, 59-63 generation
 */
static uint64_t pack(const TtEntry *entry, unsigned generation)
{
    return (uint64_t)entry->move | ((uint64_t)(uint16_t)entry->score << 16) |
           ((uint64_t)(uint16_t)entry->eval << 32) | ((uint64_t)entry->depth << 48) |
           ((uint64_t)entry->bound << 56) | ((uint64_t)entry->is_pv << 58) |
           ((uint64_t)generation << 59);
}

static int data_depth(uint64_t data)
{
    return (int)((data >> 48) & 0xFF);
}

static TtEntry unpack(uint64_t data)
{
    return (TtEntry){
        .move = (Move)data,
        .score = (int16_t)(data >> 16),
        .eval = (int16_t)(data >> 32),
        .depth = (uint8_t)data_depth(data),
        .bound = (uint8_t)((data >> 56) & 3),
        .is_pv = (data >> 58) & 1,
    };
}

static unsigned data_generation(uint64_t data)
{
    return (unsigned)(data >> 59);
}

static unsigned generation_of(const Tt *tt)
{
    return atomic_load_explicit(&tt->generation, memory_order_relaxed);
}

static Bucket *bucket_of(const Tt *tt, uint64_t key)
{
    /* The high product maps the key evenly on any number of buckets (Lemire 2016). */
    return &tt->buckets[(uint64_t)(((unsigned __int128)key * tt->bucket_count) >> 64)];
}

/* Of the mapping: huge pages need the buckets to begin with one. */
static size_t memory_bytes(uint64_t bucket_count)
{
    return bucket_count * sizeof(Bucket) + HUGE_PAGE_BYTES;
}

/* All that is not in the buckets. */
static void clear_rest(Tt *tt)
{
    marks_clear(&tt->marks);
    atomic_store_explicit(&tt->generation, 1, memory_order_relaxed);
    for (int i = 0; i < TT_NOTES; i++) {
        atomic_store_explicit(&tt->notes[i].data, 0, memory_order_relaxed);
    }
}

Status tt_new(int megabytes, Tt **tt)
{
    *tt = NULL;
    const size_t size_mb = (size_t)(megabytes < TT_MB_MIN   ? TT_MB_MIN
                                    : megabytes > TT_MB_MAX ? TT_MB_MAX
                                                            : megabytes);
    const size_t bytes = size_mb << 20;
    const size_t count = bytes / BUCKET_BYTES;
    Tt *table = calloc(1, sizeof *table);
    /* Such memory is all zeros, which are free entries, and comes when it is used. */
    void *memory =
        mmap(NULL, memory_bytes(count), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (table == NULL || memory == MAP_FAILED) {
        if (memory != MAP_FAILED) {
            (void)munmap(memory, memory_bytes(count));
        }
        free(table);
        return status_error(STATUS_NO_MEMORY, "no memory for a hash table of %zu MB", size_mb);
    }
    const size_t beyond = (uintptr_t)memory % HUGE_PAGE_BYTES;
    table->memory = memory;
    table->buckets = (Bucket *)((char *)memory + (HUGE_PAGE_BYTES - beyond));
    table->bucket_count = count;
    table->notes_taken = 0;
    /* Huge pages save most TLB misses of random probes; a kernel that refuses does no harm. */
    (void)madvise(table->buckets, bytes, MADV_HUGEPAGE);
    atomic_init(&table->tell_depth, TT_TELL_NOTHING);
    atomic_init(&table->noted, 0);
    clear_rest(table);
    *tt = table;
    return status_ok();
}

void tt_destroy(Tt **tt)
{
    if (*tt != NULL) {
        (void)munmap((*tt)->memory, memory_bytes((*tt)->bucket_count));
        free(*tt);
        *tt = NULL;
    }
}

bool tt_populate_part(Tt *tt, int part, int count)
{
    const uint64_t page = HUGE_PAGE_BYTES;
    const uint64_t bytes = tt->bucket_count * sizeof(Bucket);
    const uint64_t begin = bytes * (uint64_t)part / (uint64_t)count / page * page;
    const uint64_t end = bytes * ((uint64_t)part + 1) / (uint64_t)count;
    return madvise((char *)tt->buckets + begin, end - begin, MADV_POPULATE_WRITE) == 0;
}

void tt_clear_part(Tt *tt, int part, int count)
{
    const uint64_t begin = tt->bucket_count * (uint64_t)part / (uint64_t)count;
    const uint64_t end = tt->bucket_count * ((uint64_t)part + 1) / (uint64_t)count;
    memset(&tt->buckets[begin], 0, (end - begin) * sizeof(Bucket));
    if (part == 0) {
        clear_rest(tt);
    }
}

void tt_clear(Tt *tt)
{
    tt_clear_part(tt, 0, 1);
}

void tt_age(Tt *tt)
{
    const unsigned next = (generation_of(tt) + 1) % GENERATION_COUNT;
    atomic_store_explicit(&tt->generation, next, memory_order_relaxed);
}

Marks *tt_marks(Tt *tt)
{
    return &tt->marks;
}

void tt_prefetch(const Tt *tt, uint64_t key)
{
    __builtin_prefetch(bucket_of(tt, key));
}

static uint64_t slot_data(const Slot *slot)
{
    return atomic_load_explicit(&slot->data, memory_order_relaxed);
}

static bool slot_holds(const Slot *slot, uint64_t key, uint64_t data)
{
    return data != 0 && (atomic_load_explicit(&slot->check, memory_order_relaxed) ^ data) == key;
}

bool tt_probe(const Tt *tt, uint64_t key, TtEntry *entry)
{
    const Bucket *bucket = bucket_of(tt, key);
    for (int i = 0; i < BUCKET_ENTRIES; i++) {
        const uint64_t data = slot_data(&bucket->slots[i]);
        if (slot_holds(&bucket->slots[i], key, data)) {
            *entry = unpack(data);
            return true;
        }
    }
    return false;
}

/* What an entry is worth keeping: deep ones, less for each generation it is old. */
static int slot_value(const Tt *tt, uint64_t data)
{
    enum { AGE_PENALTY = 4 };
    if (data == 0) {
        return -1000;
    }
    const unsigned age = (generation_of(tt) - data_generation(data)) % GENERATION_COUNT;
    return data_depth(data) - AGE_PENALTY * (int)age;
}

static void write_slot(Slot *slot, uint64_t key, uint64_t data)
{
    atomic_store_explicit(&slot->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&slot->data, data, memory_order_relaxed);
}

/* Stores the entry; false when the table knows better. */
static bool store(Tt *tt, uint64_t key, const TtEntry *entry, uint64_t *stored)
{
    Bucket *bucket = bucket_of(tt, key);
    Slot *victim = &bucket->slots[0];
    int victim_value = 1000;
    TtEntry fresh = *entry;

    for (int i = 0; i < BUCKET_ENTRIES; i++) {
        Slot *slot = &bucket->slots[i];
        const uint64_t data = slot_data(slot);
        if (slot_holds(slot, key, data)) {
            const TtEntry known = unpack(data);
            if (fresh.move == MOVE_NONE) {
                fresh.move = known.move;
            }
            /* A much shallower bound pushes out a deeper one of this search by proof alone. */
            enum { DEPTH_TOLERANCE = 4 };
            if (fresh.bound != BOUND_EXACT && !tt_is_proven(fresh.score, fresh.bound) &&
                data_generation(data) == generation_of(tt) &&
                fresh.depth + DEPTH_TOLERANCE < known.depth) {
                return false;
            }
            victim = slot;
            break;
        }
        const int value = slot_value(tt, data);
        if (value < victim_value) {
            victim_value = value;
            victim = slot;
        }
    }
    *stored = pack(&fresh, generation_of(tt));
    write_slot(victim, key, *stored);
    return true;
}

void tt_store(Tt *tt, uint64_t key, const TtEntry *entry)
{
    uint64_t data;
    if (store(tt, key, entry, &data) &&
        entry->depth >= atomic_load_explicit(&tt->tell_depth, memory_order_relaxed)) {
        const unsigned place = atomic_fetch_add_explicit(&tt->noted, 1, memory_order_relaxed);
        write_slot(&tt->notes[place % TT_NOTES], key, data);
    }
}

/* ---- what machines tell each other ---- */

void tt_tell(Tt *tt, int depth)
{
    atomic_store_explicit(&tt->tell_depth, depth + TT_DEPTH_OFFSET, memory_order_relaxed);
}

int tt_take_notes(Tt *tt, TableEntry *entries, int max)
{
    const unsigned noted = atomic_load_explicit(&tt->noted, memory_order_relaxed);
    if (noted - tt->notes_taken > TT_NOTES) {
        tt->notes_taken = noted - TT_NOTES;
    }
    int count = 0;
    while (count < max && tt->notes_taken != noted) {
        const Slot *note = &tt->notes[tt->notes_taken++ % TT_NOTES];
        const uint64_t data = slot_data(note);
        const uint64_t key = atomic_load_explicit(&note->check, memory_order_relaxed) ^ data;
        if (data != 0) { /* else it has been cleared, or is not written yet */
            entries[count++] = (TableEntry){.key = key, .data = data};
        }
    }
    return count;
}

int tt_deepest(TableEntry *entries, int count, int most)
{
    if (count <= most) {
        return count;
    }
    enum { DEPTHS = 256 };
    int of_depth[DEPTHS] = {0};
    for (int i = 0; i < count; i++) {
        of_depth[data_depth(entries[i].data)]++;
    }
    int last = DEPTHS - 1;            /* the shallowest depth of which some are left */
    int spare = most;                 /* how many of that */
    while (of_depth[last] <= spare) { /* it ends, for there are more than `most` */
        spare -= of_depth[last--];
    }
    int left = 0;
    for (int i = 0; i < count; i++) {
        const int depth = data_depth(entries[i].data);
        if (depth > last || (depth == last && spare-- > 0)) {
            entries[left++] = entries[i];
        }
    }
    return left;
}

static bool is_entry(const TtEntry *entry)
{
    const bool has_score = entry->score != SCORE_NONE;
    return (entry->bound != BOUND_NONE) == has_score && entry->depth >= TT_DEPTH_OFFSET &&
           (!has_score || (entry->score < SCORE_INFINITE && entry->score > -SCORE_INFINITE)) &&
           (entry->eval == SCORE_NONE ||
            (entry->eval <= SCORE_EVAL_MAX && entry->eval >= -SCORE_EVAL_MAX));
}

bool tt_is_entry(uint64_t data)
{
    const TtEntry entry = unpack(data);
    return is_entry(&entry);
}

/* This machine's own searches have gone on from there, unless the news is a proof. */
static bool is_late(const TtEntry *known, const TtEntry *told)
{
    return known->score != SCORE_NONE && known->depth >= told->depth &&
           (tt_is_proven(known->score, known->bound) || !tt_is_proven(told->score, told->bound));
}

bool tt_is_late(uint64_t known, uint64_t told)
{
    const TtEntry known_entry = unpack(known);
    const TtEntry told_entry = unpack(told);
    return is_late(&known_entry, &told_entry);
}

bool tt_learn(Tt *tt, const TableEntry *entry)
{
    const TtEntry learned = unpack(entry->data);
    if (!is_entry(&learned)) {
        return false;
    }
    TtEntry known;
    if (tt_probe(tt, entry->key, &known) && is_late(&known, &learned)) {
        return true;
    }
    uint64_t data;
    (void)store(tt, entry->key, &learned, &data);
    return true;
}

int tt_full_permille(const Tt *tt)
{
    enum { SAMPLE_BUCKETS = 250 }; /* 1000 entries, and every table has more buckets */
    int full = 0;
    for (int i = 0; i < SAMPLE_BUCKETS; i++) {
        for (int j = 0; j < BUCKET_ENTRIES; j++) {
            const uint64_t data = slot_data(&tt->buckets[i].slots[j]);
            full += data != 0 && data_generation(data) == generation_of(tt);
        }
    }
    return full;
}
