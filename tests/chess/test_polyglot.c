/*
 * Polyglot: the format's published test keys, the table's shape, and a walk through a real book.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/polyglot.h"
#include "chess/polyglot_random.h"
#include "tests/support/data_file.h"

enum { ENTRY_BYTES = 16 };

/* A book in memory: entries sorted by key, each a key, a move, a weight and a learn value. */
typedef struct {
    unsigned char *bytes; /* owned */
    long entries;
    bool *is_met;   /* owned; by entry: the walk has come to it */
    long met_count; /* entries met */
} Book;

static Position play(const char *moves)
{
    Position position = fen_start_position();
    while (*moves != '\0') {
        const int length = (int)strcspn(moves, " ");
        const Position before = position;
        const Move move = notation_parse_uci(&before, moves, length);
        assert_int_not_equal(move, MOVE_NONE);
        position_make(&before, move, &position);
        moves += length + (moves[length] == ' ' ? 1 : 0);
    }
    return position;
}

static void test_published_keys(void **state)
{
    (void)state;
    static const struct {
        const char *moves;
        uint64_t key;
    } cases[] = {
        {"", UINT64_C(0x463B96181691FC9C)},
        {"e2e4", UINT64_C(0x823C9B50FD114196)},
        {"e2e4 d7d5", UINT64_C(0x0756B94461C50FB0)},
        {"e2e4 d7d5 e4e5", UINT64_C(0x662FAFB965DB29D4)},
        {"e2e4 d7d5 e4e5 f7f5", UINT64_C(0x22A48B5A8E47FF78)},
        {"e2e4 d7d5 e4e5 f7f5 e1e2", UINT64_C(0x652A607CA3F242C1)},
        {"e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", UINT64_C(0x00FDD303C946BDD9)},
        {"a2a4 b7b5 h2h4 b5b4 c2c4", UINT64_C(0x3C8123EA7B067637)},
        {"a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", UINT64_C(0x5C3F9B829B279560)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Position position = play(cases[i].moves);
        assert_true(polyglot_key(&position) == cases[i].key);
    }
}

static void test_random_numbers_are_the_published_ones(void **state)
{
    (void)state;
    assert_true(polyglot_random[0] == UINT64_C(0x9D39247E33776D41));
    assert_true(polyglot_random[POLYGLOT_RANDOM_WHITE] == UINT64_C(0xF8D626AAAF278509));
    for (int i = 0; i < POLYGLOT_RANDOM_COUNT; i++) {
        for (int j = 0; j < i; j++) {
            assert_true(polyglot_random[i] != polyglot_random[j]);
        }
    }
}

/* A capture that a pin forbids is not hashed here, though the format would: see polyglot.c. */
static void test_forbidden_en_passant_is_not_hashed(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
        "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 2",
    };
    uint64_t keys[2];
    for (int i = 0; i < 2; i++) {
        Position position;
        const Status status = fen_parse(fens[i], (int)strlen(fens[i]), false, &position);
        assert_true(status_is_ok(&status));
        keys[i] = polyglot_key(&position);
    }
    assert_true(keys[0] == keys[1]);
}

static uint64_t big_endian(const unsigned char *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

static uint64_t entry_key(const Book *book, long entry)
{
    return big_endian(book->bytes + entry * ENTRY_BYTES, 8);
}

/* The first entry whose key is not below `key`. */
static long find_entry(const Book *book, uint64_t key)
{
    long low = 0;
    long high = book->entries;
    while (low < high) {
        const long middle = low + (high - low) / 2;
        if (entry_key(book, middle) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The entry's move in this position; castling is written as king takes rook. */
static Move entry_move(const Book *book, long entry, const Position *position)
{
    const unsigned bits = (unsigned)big_endian(book->bytes + entry * ENTRY_BYTES + 8, 2);
    char uci[UCI_MOVE_BYTES_MAX] = {
        (char)('a' + (bits >> 6 & 7)), (char)('1' + (bits >> 9 & 7)), (char)('a' + (bits & 7)),
        (char)('1' + (bits >> 3 & 7)), " nbrq"[bits >> 12 & 7],
    };
    return notation_parse_uci(position, uci, (bits >> 12 & 7) != 0 ? 5 : 4);
}

static void walk(Book *book, const Position *position);

/* Goes on from the position after a book move and from all replies to it. */
static void walk_replies(Book *book, const Position *position)
{
    MoveList list;
    walk(book, position);
    movegen_all(position, &list);
    for (int i = 0; i < list.count; i++) {
        Position after;
        position_make(position, list.moves[i], &after);
        walk(book, &after);
    }
}

/* Plays every move that the book has here, and checks that it is legal. */
static void walk(Book *book, const Position *position)
{
    const uint64_t key = polyglot_key(position);
    for (long entry = find_entry(book, key);
         entry < book->entries && entry_key(book, entry) == key && !book->is_met[entry]; entry++) {
        const Move move = entry_move(book, entry, position);
        if (move == MOVE_NONE) {
            char fen[FEN_BYTES_MAX];
            fen_write(position, fen);
            fail_msg("'%s': the book's move is not legal", fen);
        }
        book->is_met[entry] = true;
        book->met_count++;
        Position after;
        position_make(position, move, &after);
        walk_replies(book, &after);
    }
}

static void read_book(FILE *file, Book *book)
{
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long bytes = ftell(file);
    assert_true(bytes > 0 && bytes % ENTRY_BYTES == 0);
    rewind(file);
    *book = (Book){.bytes = malloc((size_t)bytes), .entries = bytes / ENTRY_BYTES};
    assert_non_null(book->bytes);
    book->is_met = calloc((size_t)book->entries, sizeof *book->is_met);
    assert_non_null(book->is_met);
    assert_int_equal(fread(book->bytes, ENTRY_BYTES, (size_t)book->entries, file), book->entries);
}

static void test_walk_through_a_book(void **state)
{
    (void)state;
    FILE *const file = data_file_open(ROOKERY_TEST_DATA, "polyglot/performance.bin");
    if (file == NULL) {
        skip();
    }
    Book book;
    read_book(file, &book);
    (void)fclose(file);

    const Position start = fen_start_position();
    assert_true(entry_key(&book, find_entry(&book, polyglot_key(&start))) == polyglot_key(&start));
    walk(&book, &start);
    print_message("%ld of %ld entries met\n", book.met_count, book.entries);
    /* One wrong number, and most of the book is out of reach. */
    assert_true(book.met_count > book.entries / 10 * 8);
    free(book.is_met);
    free(book.bytes);
}

static int set_up(void **state)
{
    (void)state;
    attacks_init(SLIDER_AUTO);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_keys),
        cmocka_unit_test(test_random_numbers_are_the_published_ones),
        cmocka_unit_test(test_forbidden_en_passant_is_not_hashed),
        cmocka_unit_test(test_walk_through_a_book),
    };
    return cmocka_run_group_tests_name("chess/polyglot", tests, set_up, NULL);
}
