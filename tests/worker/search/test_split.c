/*
 * Split points: a search that gives shares away at random, to helpers that split again, that lose
 * work, are late and bring news of what is no longer wanted, finds what the serial search finds.
 *
 * Everything runs in one thread: a share is searched, whole, at some later poll of its owner, or
 * when the owner has nothing else to do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/given_search.h"
#include "worker/search/split.h"

enum {
    TABLE_MB = 4,
    LEVELS = 3,     /* owner, helper, helper's helper */
    QUEUE_MAX = 16, /* shares of one owner that wait */
    NEWS_MAX = 512,
};

/* A share as its owner gave it away. */
typedef struct {
    uint32_t number; /* 0: free */
    SearchJob job;
    Move path[MESSAGE_PATH_MAX];
    Move moves[MOVES_MAX];
    uint8_t numbers[MOVES_MAX];
} Given;

typedef struct Player Player;

/* One search and the shares it has given away. */
struct Player {
    Search *search;
    SearchControl control;
    Player *helper; /* who searches its shares, or NULL */
    Prng *prng;
    const Position *root;
    const History *game;
    Given queue[QUEUE_MAX];
    ShareNews news[NEWS_MAX]; /* oldest first */
    int news_count;
    Player *owner;         /* of the share that it searches, or NULL */
    uint32_t owner_number; /* of that share */
    Root *tree;            /* whose job it searches, or NULL */
    RootJobId tree_job;    /* that job */
    int wanted;            /* shares that it is still asked for, as the control must have it */
    int offers;
    int lost;
    int withdrawn;
    bool loses; /* now and then a share comes back undone */
};

static bool chance(Player *player, int of)
{
    return prng_below(player->prng, (uint64_t)of) == 0;
}

static ShareNews *add_news(Player *player, uint32_t share)
{
    assert_true(player->news_count < NEWS_MAX);
    ShareNews *news = &player->news[player->news_count++];
    memset(news, 0, sizeof *news);
    news->share = share;
    atomic_store(&player->control.news, true);
    return news;
}

static void run_share(Player *player, Given *given);

static void on_poll(void *context, uint64_t nodes)
{
    (void)nodes;
    Player *player = context;
    if (player->helper == NULL) {
        return;
    }
    assert_int_equal(atomic_load(&player->control.wanted), player->wanted);
    if (chance(player, 8)) {
        player->wanted = 1 + (int)prng_below(player->prng, 3);
        atomic_store(&player->control.wanted, player->wanted);
    }
    for (int i = 0; i < QUEUE_MAX; i++) {
        if (player->queue[i].number != 0 && chance(player, 24)) {
            run_share(player, &player->queue[i]);
            return;
        }
    }
}

static void on_improved(void *context, const Line *line)
{
    Player *player = context;
    if (player->owner != NULL) {
        add_news(player->owner, player->owner_number)->line = *line;
    }
    if (player->tree != NULL) {
        (void)root_job_improved(player->tree, player->tree_job, line);
    }
}

static bool on_offer(void *context, uint32_t share, const SearchJob *job)
{
    Player *player = context;
    for (int i = 0; i < QUEUE_MAX && !chance(player, 16); i++) {
        Given *given = &player->queue[i];
        if (given->number == 0) {
            *given = (Given){.number = share, .job = *job};
            memcpy(given->path, job->path, (size_t)job->path_length * sizeof(Move));
            memcpy(given->moves, job->moves, (size_t)job->move_count * sizeof(Move));
            memcpy(given->numbers, job->numbers, (size_t)job->move_count);
            player->offers++;
            player->wanted--;
            return true;
        }
    }
    return false;
}

static bool on_take(void *context, bool wait, ShareNews *news)
{
    Player *player = context;
    for (int i = 0; wait && player->news_count == 0; i++) {
        assert_true(i < QUEUE_MAX); /* nothing will ever come */
        if (player->queue[i].number != 0) {
            run_share(player, &player->queue[i]);
        }
    }
    if (player->news_count == 0) {
        return false;
    }
    *news = player->news[0];
    player->news_count--;
    memmove(player->news, player->news + 1, (size_t)player->news_count * sizeof *news);
    return true;
}

static bool on_withdraw(void *context, uint32_t share)
{
    Player *player = context;
    bool is_untold = false;
    player->withdrawn++;
    for (int i = 0; i < QUEUE_MAX; i++) {
        if (player->queue[i].number == share) {
            player->queue[i].number = 0;
            is_untold = true;
        }
    }
    player->wanted += is_untold;
    return is_untold;
}

static void on_raise(void *context, uint32_t share, int alpha)
{
    Player *player = context;
    for (int i = 0; i < QUEUE_MAX; i++) {
        if (player->queue[i].number == share) {
            assert_true(alpha > player->queue[i].job.alpha);
            player->queue[i].job.alpha = alpha;
        }
    }
}

static SearchHost host_of(Player *player)
{
    return (SearchHost){.context = player,
                        .poll = on_poll,
                        .improved = on_improved,
                        .offer = on_offer,
                        .take = on_take,
                        .withdraw = on_withdraw,
                        .raise = on_raise};
}

/* The helper searches the share to its end, or loses it half done. */
static void run_share(Player *player, Given *given)
{
    Player *helper = player->helper;
    SearchJob job = given->job;
    job.root = player->root;
    job.game = player->game;
    job.path = given->path;
    job.moves = given->moves;
    job.numbers = given->numbers;
    job.node_budget = player->loses && chance(player, 6) ? 1 + prng_below(player->prng, 2000) : 0;
    const uint32_t number = given->number;
    given->number = 0;
    helper->owner = player;
    helper->owner_number = number;
    helper->root = player->root;
    helper->game = player->game;
    helper->news_count = 0;
    for (int i = 0; i < QUEUE_MAX; i++) {
        helper->queue[i].number = 0;
    }
    helper->wanted = 0;
    atomic_store(&helper->control.wanted, 0);
    atomic_store(&helper->control.news, false);
    SearchResult result;
    const SearchHost host = host_of(helper);
    search_run(helper->search, &job, &helper->control, &host, &result);
    player->lost += result.stopped;
    ShareNews *news = add_news(player, number);
    news->is_over = true;
    news->score = result.score;
    news->line = result.line;
    news->nodes = result.nodes;
    news->selective_depth = result.selective_depth;
    news->cost_count = result.cost_count;
    memcpy(news->costs, result.costs, sizeof news->costs);
}

/* ---- a whole search by a player and helpers ---- */

typedef struct {
    GivenSearch given;
    Search *helpers[LEVELS - 1];
    Prng prng;
    Player players[LEVELS];
} Team;

static Team *team_new(uint64_t seed, bool loses)
{
    Team *team = calloc(1, sizeof *team);
    assert_non_null(team);
    given_search_new(&team->given, TABLE_MB);
    prng_init(&team->prng, seed);
    for (int i = 0; i < LEVELS; i++) {
        Player *player = &team->players[i];
        player->search = i == 0 ? team->given.search : search_new(team->given.tt);
        assert_non_null(player->search);
        search_clear(player->search);
        player->helper = i + 1 < LEVELS ? &team->players[i + 1] : NULL;
        player->prng = &team->prng;
        player->loses = loses;
        if (i > 0) {
            team->helpers[i - 1] = player->search;
        }
    }
    return team;
}

static void team_destroy(Team **team)
{
    for (int i = 0; i + 1 < LEVELS; i++) {
        search_destroy(&(*team)->helpers[i]);
    }
    given_search_destroy(&(*team)->given);
    free(*team);
    *team = NULL;
}

static const Line *team_search(Team *team, const Position *position, int depth)
{
    Player *player = &team->players[0];
    Root *root = &team->given.root;
    RootJob root_job;
    player->root = position;
    player->game = &team->given.game;
    player->tree = root;
    root_start(root, position, &(RootLimits){.depth = depth, .multi_pv = 1});
    while (root_next_job(root, 1, &root_job)) {
        const SearchJob job = serial_job(position, &team->given.game, &root_job, 0);
        const SearchHost host = host_of(player);
        SearchResult result;
        player->news_count = 0;
        player->tree_job = root_job.id;
        search_run(player->search, &job, &player->control, &host, &result);
        assert_false(result.stopped);
        assert_true(result.own_nodes <= result.nodes);
        for (int i = 0; i < QUEUE_MAX; i++) {
            assert_int_equal(player->queue[i].number, 0); /* done or withdrawn */
        }
        RootJobResult root_result = {.id = root_job.id,
                                     .nodes = result.nodes,
                                     .score = result.score,
                                     .line = result.line,
                                     .selective_depth = result.selective_depth,
                                     .cost_count = result.cost_count};
        memcpy(root_result.costs, result.costs, sizeof root_result.costs);
        root_job_done(root, &root_result);
    }
    return root_line(root, 0);
}

/* Clear cases: the best move, and a mate at most so long, are beyond doubt at this depth. */
static const struct {
    const char *fen;
    const char *best;
    int depth;
    int mate_moves; /* at most; 0: none */
} cases[] = {
    {"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 10, 3},
    {"8/8/8/8/4N1K1/8/1R6/4k3 w - - 0 1", "", 20, 6},
    {"3q1rk1/p4pp1/2pb3p/3p4/6Pr/1PNQ4/P1PB1PP1/4RRK1 b - - 0 1", "d6h2", 14, 5},
    {"5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1", "e3g3", 17, 0},
    {"7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - 0 1", "b6b7", 20, 0},
    {"rnbqkb1r/pppp1ppp/8/4P3/6n1/7P/PPPNPPP1/R1BQKBNR b KQkq - 0 1", "g4e3", 15, 0},
    {"r4q1k/p2bR1rp/2p2Q1N/5p2/5p2/2P5/PP3PPP/R5K1 w - - 0 1", "e7f7", 17, 0},
    {"2br2k1/2q3rn/p2NppQ1/2p1P3/Pp5R/4P3/1P3PPP/3R2K1 w - - 0 1", "h4h7", 16, 0},
    {"r1b1kb1r/3q1ppp/pBp1pn2/8/Np3P2/5B2/PPP3PP/R2Q1RK1 w kq - 0 1", "f3c6", 15, 0},
};

static void assert_cases_are_solved(uint64_t seed, bool loses)
{
    Team *team = team_new(seed, loses);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Position position = given_position(cases[i].fen);
        const Line *line = team_search(team, &position, cases[i].depth);
        assert_non_null(line);
        assert_true(given_search_line_is_sound(&position, line));
        if (cases[i].best[0] != '\0') {
            assert_int_equal(line->moves[0], given_move(&position, cases[i].best));
        }
        if (cases[i].mate_moves != 0) {
            assert_in_range(score_mate_moves(line->score), 1, cases[i].mate_moves);
        }
    }
    assert_true(team->players[0].offers > 50);
    assert_true(team->players[1].offers > 10);
    assert_true(team->players[0].withdrawn + team->players[1].withdrawn > 10);
    assert_true(!loses || team->players[0].lost > 0);
    team_destroy(&team);
}

static void test_shared_searches_find_what_serial_ones_find(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        assert_cases_are_solved(seed, false);
    }
}

static void test_lost_shares_cost_only_time(void **state)
{
    (void)state;
    for (uint64_t seed = 11; seed <= 12; seed++) {
        assert_cases_are_solved(seed, true);
    }
}

/* The same seed gives the same tree; nodes of helpers are counted once. */
static void test_a_shared_search_is_reproducible(void **state)
{
    (void)state;
    const Position position =
        given_position("r1bq1rk1/pppnnpbp/3p2p1/3Pp3/2P1P3/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 1");
    uint64_t nodes[2];
    int offers[2];
    for (int i = 0; i < 2; i++) {
        Team *team = team_new(5, true);
        (void)team_search(team, &position, 15);
        nodes[i] = team->given.root.nodes;
        offers[i] = team->players[0].offers;
        team_destroy(&team);
    }
    assert_int_equal(nodes[0], nodes[1]);
    assert_int_equal(offers[0], offers[1]);
}

/* ---- the bookkeeping ---- */

static void test_moves_are_dealt_and_taken_back_in_order(void **state)
{
    (void)state;
    SplitTable *table = calloc(1, sizeof *table);
    assert_non_null(table);
    split_clear(table);
    int node = 0;
    Split *split = split_open(table, (Node *)&node);
    for (int i = 0; i < 7; i++) {
        split_add(split, (Move)(100 + i), 2 + i);
    }
    Share *share = split_deal(table, split, 3);
    assert_int_equal(share->count, 3); /* 100 103 106 */
    assert_int_equal(share->moves[1], 103);
    assert_int_equal(share->numbers[2], 8);
    assert_int_equal(split->count, 4);
    assert_int_equal(split->moves[2], 104);

    Move move;
    int number;
    assert_true(split_next(split, &move, &number));
    assert_int_equal(move, 101);
    assert_int_equal(number, 3);

    const MoveCost done = {.move = 103};
    split_take_back(share, &done, 1);
    split_drop(share);
    assert_null(split_find(table, share->number));
    const int expected[] = {100, 102, 104, 105, 106};
    assert_int_equal(split->count, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(split->moves[i], expected[i]);
    }
    for (int i = 0; i < 5; i++) {
        assert_true(split_next(split, &move, &number));
    }
    assert_false(split_next(split, &move, &number));
    assert_null(split_deal(table, split, 2));
    split_close(split);
    free(table);
}

static void test_split_points_and_shares_are_limited(void **state)
{
    (void)state;
    SplitTable *table = calloc(1, sizeof *table);
    assert_non_null(table);
    split_clear(table);
    int node = 0;
    Split *split = NULL;
    for (int i = 0; i < SPLITS_MAX; i++) {
        split = split_open(table, (Node *)&node);
        assert_non_null(split);
    }
    assert_null(split_open(table, (Node *)&node));
    for (int i = 0; i < SHARES_MAX + 1; i++) {
        split_add(split, (Move)(100 + i), 1 + i);
    }
    for (int i = 0; i < SHARES_MAX; i++) {
        assert_non_null(split_deal(table, split, MOVES_MAX));
    }
    assert_int_equal(split->count, 1);
    assert_null(split_deal(table, split, 1));
    assert_int_equal(split->count, 1);
    free(table);
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves_are_dealt_and_taken_back_in_order),
        cmocka_unit_test(test_split_points_and_shares_are_limited),
        cmocka_unit_test(test_shared_searches_find_what_serial_ones_find),
        cmocka_unit_test(test_lost_shares_cost_only_time),
        cmocka_unit_test(test_a_shared_search_is_reproducible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
