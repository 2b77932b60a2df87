/*
 * The root's state machine, driven by scripted results: what it hands out, what it makes of what
 * comes back, and, for any order of results, losses and doubles, the same value as the plain
 * maximum over all moves.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "root/root.h"
#include "tests/support/given.h"

enum { NODES_A_MOVE = 100, START_MOVES = 20 };

/* White: a1 king with three moves; Black cannot be reached soon. */
static const char few_moves[] = "7k/8/8/8/8/8/8/K7 w - - 0 1";

static Root *new_root(const char *fen, const RootLimits *limits)
{
    Root *root = malloc(sizeof *root);
    const Position position = given_position(fen);
    root_start(root, &position, limits);
    return root;
}

static RootJob next_job(Root *root, int slots)
{
    RootJob job;
    assert_true(root_next_job(root, slots, &job));
    assert_in_range(job.move_count, 1, root->move_count);
    return job;
}

static void assert_no_job(Root *root, int slots)
{
    RootJob job;
    assert_false(root_next_job(root, slots, &job));
}

static Line line_of(Move move, int score, Bound bound)
{
    return (Line){.score = score, .bound = bound, .depth = 1, .length = 1, .moves = {move}};
}

/* All moves searched to the end; `best` scored `score`, the others less. */
static RootJobResult result_of(const RootJob *job, Move best, int score)
{
    RootJobResult result = {.id = job->id, .score = score, .cost_count = job->move_count};
    for (int i = 0; i < job->move_count; i++) {
        result.costs[i] = (MoveCost){.move = job->moves[i], .nodes = NODES_A_MOVE};
    }
    result.nodes = NODES_A_MOVE * (uint64_t)job->move_count;
    if (score > job->alpha) {
        result.line = line_of(best, score, score >= job->beta ? BOUND_LOWER : BOUND_EXACT);
    }
    return result;
}

static void done(Root *root, const RootJob *job, Move best, int score)
{
    const RootJobResult result = result_of(job, best, score);
    root_job_done(root, &result);
}

/* All its moves fail low against alpha. */
static void done_low(Root *root, const RootJob *job)
{
    done(root, job, MOVE_NONE, job->alpha);
}

/* The eldest alone, as it goes out when there is more than one slot. */
static RootJob next_eldest(Root *root)
{
    const RootJob job = next_job(root, 2);
    assert_true(job.is_eldest);
    assert_int_equal(job.move_count, 1);
    return job;
}

/* The eldest gets `score` whatever the window; repeated until it is exact. */
static void finish_eldest(Root *root, int score)
{
    while (root->phase == ROOT_ELDEST) {
        const RootJob job = next_eldest(root);
        done(root, &job, job.moves[0], score);
    }
}

/* Iterations with one slot in which the first move scores `score` and no other beats it. */
static void run_iterations(Root *root, int count, int score)
{
    const int target = root->depth + count;
    while (root->depth < target && !root_is_finished(root)) {
        finish_eldest(root, score);
        if (root->phase == ROOT_BROTHERS) {
            const RootJob job = next_job(root, 1);
            done_low(root, &job);
        }
    }
}

/* ---- what is handed out ---- */

static void test_the_eldest_goes_out_alone_with_an_open_window(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    const RootJob job = next_job(root, 4);
    assert_int_equal(job.depth, 1);
    assert_int_equal(job.alpha, -SCORE_INFINITE);
    assert_int_equal(job.beta, SCORE_INFINITE);
    assert_true(job.is_eldest);
    assert_int_equal(job.move_count, 1);
    assert_int_equal(job.numbers[0], 1);
    assert_no_job(root, 4);
    free(root);
}

static void test_one_slot_gets_all_brothers_at_once(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    finish_eldest(root, 30);
    const RootJob job = next_job(root, 1);
    assert_false(job.is_eldest);
    assert_int_equal(job.alpha, 30);
    assert_int_equal(job.move_count, START_MOVES - 1);
    for (int i = 0; i < job.move_count; i++) {
        assert_int_equal(job.numbers[i], i + 2);
        assert_int_equal(job.moves[i], root->moves[i + 1].move);
    }
    assert_no_job(root, 1);
    free(root);
}

/* Hands out all brothers and checks that every one is in exactly one share. */
static void assert_shares(int slots, int first_share, int share_count_min)
{
    Root *root = new_root(FEN_START, &(RootLimits){0});
    finish_eldest(root, 0);
    bool seen[START_MOVES + 1] = {false};
    int shares = 0;
    int moves = 0;
    RootJob job;
    while (root_next_job(root, slots, &job)) {
        assert_true(shares > 0 || job.move_count == first_share);
        for (int i = 0; i < job.move_count; i++) {
            assert_in_range(job.numbers[i], 2, START_MOVES);
            assert_true(i == 0 || job.numbers[i] > job.numbers[i - 1]);
            assert_false(seen[job.numbers[i]]);
            seen[job.numbers[i]] = true;
        }
        moves += job.move_count;
        shares++;
    }
    assert_int_equal(moves, START_MOVES - 1);
    assert_true(shares >= share_count_min);
    free(root);
}

static void test_brothers_are_dealt_in_shares(void **state)
{
    (void)state;
    assert_shares(2, 5, 4);
    assert_shares(4, 3, 8);
    assert_shares(64, 1, 19);
}

static void test_the_next_iteration_goes_by_cost(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    finish_eldest(root, 0);
    const RootJob job = next_job(root, 1);
    RootJobResult result = result_of(&job, MOVE_NONE, -5);
    result.costs[7].nodes = 9000;
    result.costs[11].nodes = 5000;
    result.nodes += 9000 + 5000;
    root_job_done(root, &result);
    assert_int_equal(root->depth, 2);
    assert_int_equal(root->depth_done, 1);
    assert_int_equal(root->moves[1].move, job.moves[7]);
    assert_int_equal(root->moves[2].move, job.moves[11]);
    assert_int_equal(root->moves[3].move, job.moves[0]);
    free(root);
}

/* ---- the aspiration window ---- */

static void test_the_window_closes_in_at_depth_five(void **state)
{
    (void)state;
    Root *root = new_root(few_moves, &(RootLimits){0});
    run_iterations(root, 3, 40);
    assert_int_equal(root->depth, 4);
    assert_int_equal(next_eldest(root).alpha, -SCORE_INFINITE);
    root_job_lost(root, root->next_id - 1);
    run_iterations(root, 1, 40);
    const RootJob job = next_eldest(root);
    assert_int_equal(job.depth, 5);
    assert_true(job.alpha < 40 && job.alpha > 0);
    assert_true(job.beta > 40 && job.beta < 80);
    free(root);
}

static void test_a_fail_low_opens_the_window_downwards_until_exact(void **state)
{
    (void)state;
    Root *root = new_root(few_moves, &(RootLimits){0});
    run_iterations(root, 4, 40);
    const Move best = root_line(root, 0)->moves[0];
    RootJob job = next_eldest(root);
    int tries = 0;
    while (-700 <= job.alpha) {
        const int alpha_before = job.alpha;
        done(root, &job, MOVE_NONE, -700);
        assert_int_equal(root->phase, ROOT_ELDEST);
        /* The last exact line stands while the window is open. */
        assert_int_equal(root_line(root, 0)->score, 40);
        assert_int_equal(root_line(root, 0)->moves[0], best);
        job = next_eldest(root);
        assert_true(job.alpha < alpha_before);
        assert_true(job.beta > alpha_before);
        assert_true(++tries < 12);
    }
    done(root, &job, job.moves[0], -700);
    assert_int_equal(root->phase, ROOT_BROTHERS);
    assert_int_equal(root_alpha(root), -700);
    free(root);
}

static void test_a_fail_high_opens_the_window_upwards_until_exact(void **state)
{
    (void)state;
    Root *root = new_root(few_moves, &(RootLimits){0});
    run_iterations(root, 4, 40);
    RootJob job = next_eldest(root);
    const int alpha = job.alpha;
    int tries = 0;
    while (900 >= job.beta) {
        const int beta_before = job.beta;
        done(root, &job, job.moves[0], beta_before);
        assert_int_equal(root->phase, ROOT_ELDEST);
        assert_int_equal(root_line(root, 0)->bound, BOUND_LOWER);
        job = next_eldest(root);
        assert_int_equal(job.alpha, alpha);
        assert_true(job.beta > beta_before);
        assert_true(++tries < 12);
    }
    done(root, &job, job.moves[0], 900);
    assert_int_equal(root->phase, ROOT_BROTHERS);
    assert_int_equal(root_line(root, 0)->bound, BOUND_EXACT);
    free(root);
}

static void test_mate_scores_open_the_window_at_once(void **state)
{
    (void)state;
    Root *root = new_root(few_moves, &(RootLimits){0});
    run_iterations(root, 4, 40);
    RootJob job = next_eldest(root);
    done(root, &job, job.moves[0], score_mate_in(9));
    job = next_eldest(root);
    assert_int_equal(job.beta, SCORE_INFINITE);
    done(root, &job, job.moves[0], score_mate_in(9));
    assert_int_equal(root->phase, ROOT_BROTHERS);
    free(root);
}

/* ---- news of brothers ---- */

static void test_an_improvement_raises_alpha_for_all(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    finish_eldest(root, 10);
    const RootJob left = next_job(root, 2);
    const RootJob right = next_job(root, 2);
    const Line better = line_of(right.moves[1], 25, BOUND_EXACT);
    const Line less = line_of(left.moves[0], 20, BOUND_EXACT);

    assert_true(root_job_improved(root, right.id, &better));
    assert_int_equal(root_alpha(root), 25);
    assert_true(root_job_is_out(root, left.id));
    assert_int_equal(root_line(root, 0)->moves[0], right.moves[1]);
    /* The other job did not know yet. */
    assert_false(root_job_improved(root, left.id, &less));
    assert_int_equal(root_alpha(root), 25);
    assert_int_equal(root_line(root, 0)->moves[0], right.moves[1]);
    free(root);
}

static void test_the_best_brother_leads_the_next_iteration(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    finish_eldest(root, 10);
    const RootJob job = next_job(root, 1);
    done(root, &job, job.moves[4], 33);
    assert_int_equal(root->depth_done, 1);
    assert_int_equal(root->best_move, job.moves[4]);
    assert_int_equal(root->best_score, 33);
    assert_int_equal(next_job(root, 1).moves[0], job.moves[4]);
    free(root);
}

/* Brings the root to depth 5 with the eldest exact at `score`. */
static Root *root_with_brothers_out(int score)
{
    Root *root = new_root(FEN_START, &(RootLimits){0});
    run_iterations(root, 4, score);
    finish_eldest(root, score);
    return root;
}

static void test_a_brother_past_beta_becomes_the_eldest(void **state)
{
    (void)state;
    Root *root = root_with_brothers_out(10);
    const RootJob left = next_job(root, 2);
    const RootJob right = next_job(root, 2);
    const RootJob third = next_job(root, 2);
    done_low(root, &third);
    const int beta = right.beta;
    const Line high = line_of(right.moves[1], beta, BOUND_LOWER);

    assert_true(root_job_improved(root, right.id, &high));
    assert_false(root_job_is_out(root, left.id));
    assert_false(root_job_is_out(root, right.id));
    const RootJob again = next_job(root, 2);
    assert_true(again.is_eldest);
    assert_int_equal(again.move_count, 1);
    assert_int_equal(again.moves[0], right.moves[1]);
    assert_int_equal(again.alpha, 10);
    assert_true(again.beta > beta);
    assert_no_job(root, 2);

    done(root, &again, again.moves[0], beta + 3);
    const RootJob rest = next_job(root, 1);
    assert_int_equal(rest.alpha, beta + 3);
    assert_int_equal(rest.move_count, START_MOVES - 2 - third.move_count);
    done_low(root, &rest);
    assert_int_equal(root->depth_done, 5);
    assert_int_equal(root->best_move, right.moves[1]);
    assert_int_equal(root->best_score, beta + 3);
    free(root);
}

static void test_a_fallen_brother_leaves_the_best_before_it(void **state)
{
    (void)state;
    Root *root = root_with_brothers_out(10);
    const Move first = root->moves[0].move;
    const RootJob brothers = next_job(root, 1);
    const Line high = line_of(brothers.moves[2], brothers.beta, BOUND_LOWER);
    assert_true(root_job_improved(root, brothers.id, &high));
    const RootJob again = next_eldest(root);
    done(root, &again, MOVE_NONE, 4);

    assert_int_equal(root->phase, ROOT_BROTHERS);
    assert_int_equal(root_alpha(root), 10);
    assert_int_equal(root_line(root, 0)->moves[0], first);
    assert_int_equal(root_line(root, 0)->score, 10);
    const RootJob rest = next_job(root, 1);
    assert_int_equal(rest.move_count, START_MOVES - 2);
    done_low(root, &rest);
    assert_int_equal(root->depth_done, 5);
    assert_int_equal(root->best_move, first);
    free(root);
}

/* A share of the brothers raises alpha before another one passes beta and falls back. */
static void test_a_fallen_brother_leaves_a_better_one_that_was_out(void **state)
{
    (void)state;
    Root *root = root_with_brothers_out(10);
    const RootJob first = next_job(root, 2);
    const RootJob second = next_job(root, 2);
    const Move best = first.moves[0];
    const Line better = line_of(best, 15, BOUND_EXACT);
    assert_true(root_job_improved(root, first.id, &better));
    const Line high = line_of(second.moves[0], root->beta, BOUND_LOWER);
    assert_true(root_job_improved(root, second.id, &high));
    const RootJob again = next_eldest(root);
    done(root, &again, MOVE_NONE, 14);

    assert_int_equal(root_line(root, 0)->moves[0], best);
    assert_int_equal(root_alpha(root), 15);
    const RootJob rest = next_job(root, 1);
    assert_int_equal(rest.alpha, 15);
    for (int i = 0; i < rest.move_count; i++) {
        assert_int_not_equal(rest.moves[i], best); /* not against itself */
    }
    done_low(root, &rest);
    assert_int_equal(root->depth_done, 5);
    assert_int_equal(root->best_move, best);
    assert_int_equal(root->best_score, 15);
    free(root);
}

/* A brother's score is void once it is searched again and falls; so is what failed low against it.
 */
static void test_a_brother_that_takes_its_score_back_takes_alpha_along(void **state)
{
    (void)state;
    Root *root = root_with_brothers_out(10);
    const Move eldest = root->moves[0].move;
    const RootJob job = next_job(root, 1);
    const Move unsteady = job.moves[0];
    const Line better = line_of(unsteady, 15, BOUND_EXACT);
    assert_true(root_job_improved(root, job.id, &better));
    root_job_lost(root, job.id);
    const RootJob later = next_job(root, 1);
    assert_int_equal(later.alpha, 15);
    const Line high = line_of(unsteady, root->beta, BOUND_LOWER);
    assert_true(root_job_improved(root, later.id, &high));
    const RootJob again = next_eldest(root);
    done(root, &again, MOVE_NONE, 12);

    assert_int_equal(root_alpha(root), 10);
    assert_int_equal(root_line(root, 0)->moves[0], eldest);
    const RootJob rest = next_job(root, 1);
    assert_int_equal(rest.alpha, 10);
    assert_int_equal(rest.move_count, START_MOVES - 1); /* and what fell once more */
    done(root, &rest, unsteady, 12);
    assert_int_equal(root->best_move, unsteady);
    assert_int_equal(root->best_score, 12);
    free(root);
}

/* ---- jobs that go wrong ---- */

static void test_a_lost_job_is_handed_out_again(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    RootJob job = next_job(root, 2);
    root_job_lost(root, job.id);
    const RootJob again = next_job(root, 2);
    assert_int_equal(again.moves[0], job.moves[0]);
    assert_int_not_equal(again.id, job.id);
    assert_true(again.is_eldest);
    done(root, &again, again.moves[0], 0);

    job = next_job(root, 2);
    while (root_next_job(root, 2, &(RootJob){0})) {
    }
    root_job_lost(root, job.id);
    const RootJob brothers = next_job(root, 1);
    assert_int_equal(brothers.move_count, job.move_count);
    assert_memory_equal(brothers.moves, job.moves, (size_t)job.move_count * sizeof(Move));
    free(root);
}

/* A job of the root's next moves that workers die with again and again. */
static Move kill_workers(Root *root, int slots, int count)
{
    Move given_up = MOVE_NONE;
    for (int i = 0; i < count; i++) {
        assert_int_equal(given_up, MOVE_NONE);
        const RootJob job = next_job(root, slots);
        assert_true(i == 0 || job.move_count == 1); /* no other is blamed with it */
        given_up = root_job_killed(root, job.id);
    }
    return given_up;
}

static void test_an_eldest_that_kills_workers_is_left_out(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    const Move first = root->moves[0].move;
    assert_int_equal(kill_workers(root, 1, ROOT_KILLS_MAX), first);
    assert_int_equal(root->move_count, START_MOVES - 1);
    const RootJob eldest = next_eldest(root); /* suspect too: it was in the first job */
    assert_int_not_equal(eldest.moves[0], first);
    done(root, &eldest, eldest.moves[0], 10);
    for (int i = 1; i < START_MOVES - 1; i++) {
        const RootJob brother = next_job(root, 1);
        assert_int_equal(brother.move_count, 1);
        assert_int_not_equal(brother.moves[0], first);
        done_low(root, &brother);
    }
    assert_int_equal(root->depth_done, 1);
    assert_int_equal(next_job(root, 1).move_count, START_MOVES - 1); /* all are trusted again */
    free(root);
}

static void test_a_brother_that_kills_workers_is_left_out(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    finish_eldest(root, 10);
    RootJob jobs[START_MOVES - 1];
    for (int i = 0; i < START_MOVES - 1; i++) {
        jobs[i] = next_job(root, 40);
        assert_int_equal(jobs[i].move_count, 1);
    }
    assert_no_job(root, 40);
    const Move bad = jobs[0].moves[0];
    assert_int_equal(root_job_killed(root, jobs[0].id), MOVE_NONE);
    assert_int_equal(kill_workers(root, 40, ROOT_KILLS_MAX - 2), MOVE_NONE);
    assert_no_job(root, 40); /* its last trial waits until no other is out */
    for (int i = 1; i < START_MOVES - 1; i++) {
        assert_true(root_job_is_out(root, jobs[i].id));
        done_low(root, &jobs[i]);
    }
    assert_int_equal(root->depth_done, 0);
    const RootJob trial = next_job(root, 40);
    assert_no_job(root, 40);
    assert_int_equal(root_job_killed(root, trial.id), bad);
    assert_int_equal(root->depth_done, 1); /* it was the last that the iteration waited for */
    assert_int_equal(root->move_count, START_MOVES - 1);
    for (int i = 0; i < root->move_count; i++) {
        assert_int_not_equal(root->moves[i].move, bad);
    }
    free(root);
}

/* What failed low against its score has to be searched against the next best. */
static void test_the_best_that_kills_workers_takes_its_score_along(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    finish_eldest(root, 30);
    const Move eldest = root->moves[0].move;
    RootJob jobs[START_MOVES - 1];
    for (int i = 0; i < START_MOVES - 1; i++) {
        jobs[i] = next_job(root, 40);
    }
    const Move bad = jobs[0].moves[0];
    const Line line = {.score = 50, .bound = BOUND_EXACT, .depth = 1, .length = 1, .moves = {bad}};
    assert_true(root_job_improved(root, jobs[0].id, &line));
    assert_int_equal(root_job_killed(root, jobs[0].id), MOVE_NONE);
    for (int i = 1; i < START_MOVES - 1; i++) {
        done_low(root, &jobs[i]);
    }
    assert_int_equal(kill_workers(root, 40, ROOT_KILLS_MAX - 1), bad);
    assert_int_equal(root->depth_done, 0);
    for (int i = 1; i < START_MOVES - 1; i++) {
        const RootJob again = next_job(root, 40);
        assert_int_equal(again.alpha, 30);
        assert_int_equal(again.move_count, 1);
        assert_int_not_equal(again.moves[0], bad);
        done_low(root, &again);
    }
    assert_int_equal(root->depth_done, 1);
    assert_int_equal(root->best_move, eldest);
    assert_int_equal(root->best_score, 30);
    free(root);
}

static void test_what_kills_workers_everywhere_ends_the_search(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    run_iterations(root, 1, 10);
    const Move first = root->moves[0].move;
    const Move second = root->moves[1].move;
    assert_int_equal(kill_workers(root, 2, ROOT_KILLS_MAX), first);
    assert_false(root_is_finished(root));
    assert_int_equal(kill_workers(root, 2, ROOT_KILLS_MAX), second);
    assert_true(root_is_finished(root));
    assert_non_null(root_line(root, 0));
    free(root);
}

/*
 * A worker with eight slots works on whatever is to be had at once and dies whenever `bad` is among
 * it. Returns how often, until the iteration ends.
 */
static int die_with_eight_slots(Root *root, Move bad)
{
    enum { SLOTS = 8 };
    const int target = root->depth_done + 1;
    int deaths = 0;
    while (root->depth_done < target && !root_is_finished(root)) {
        RootJob jobs[SLOTS];
        int count = 0;
        bool is_deadly = false;
        while (count < SLOTS && root_next_job(root, SLOTS, &jobs[count])) {
            for (int i = 0; i < jobs[count].move_count; i++) {
                is_deadly = is_deadly || jobs[count].moves[i] == bad;
            }
            count++;
        }
        assert_in_range(count, 1, SLOTS);
        deaths += is_deadly;
        for (int i = 0; i < count; i++) {
            if (is_deadly) {
                const Move given_up = root_job_killed(root, jobs[i].id);
                assert_true(given_up == MOVE_NONE || given_up == bad);
            } else {
                done_low(root, &jobs[i]);
            }
        }
    }
    return deaths;
}

static void test_what_ran_beside_the_move_that_kills_is_not_left_out(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    finish_eldest(root, 10);
    const Move bad = root->moves[7].move;
    assert_int_equal(die_with_eight_slots(root, bad), ROOT_KILLS_MAX);
    assert_int_equal(root->depth_done, 1);
    assert_int_equal(root->move_count, START_MOVES - 1);
    for (int i = 0; i < root->move_count; i++) {
        assert_int_not_equal(root->moves[i].move, bad);
        assert_int_equal(root->moves[i].kills, 0);
    }
    free(root);
}

static void test_after_a_promoted_eldest_the_best_before_it_stands(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    run_iterations(root, 4, 10);
    finish_eldest(root, 10);
    const Move best = root->moves[0].move;
    const RootJob share = next_job(root, 2);
    const RootJob other = next_job(root, 2);
    const Move bad = share.moves[0];
    const Line line = line_of(bad, share.beta + 5, BOUND_LOWER);
    assert_true(root_job_improved(root, share.id, &line));
    assert_false(root_job_is_out(root, other.id));
    assert_int_equal(kill_workers(root, 2, ROOT_KILLS_MAX), bad);

    const RootJob brothers = next_job(root, 1);
    assert_false(brothers.is_eldest);
    assert_int_equal(brothers.move_count, START_MOVES - 2);
    assert_int_equal(brothers.alpha, 10);
    done_low(root, &brothers);
    assert_int_equal(root->depth_done, 5);
    assert_int_equal(root->best_move, best);
    assert_int_equal(root->best_score, 10);
    free(root);
}

static void test_a_last_line_without_its_move_ends_the_iteration(void **state)
{
    (void)state;
    Root *root = new_root(few_moves, &(RootLimits){.multi_pv = 3});
    assert_int_equal(root->move_count, 3);
    for (int line = 0; line < 2; line++) {
        finish_eldest(root, 10);
        const RootJob brothers = next_job(root, 1);
        done_low(root, &brothers);
    }
    assert_int_equal(root->line_index, 2);
    assert_int_not_equal(kill_workers(root, 2, ROOT_KILLS_MAX), MOVE_NONE);
    assert_false(root_is_finished(root));
    assert_int_equal(root->depth_done, 1);
    assert_int_equal(next_eldest(root).depth, 2);
    free(root);
}

static void test_the_only_move_is_never_left_out(void **state)
{
    (void)state;
    Root *root = new_root("7k/5K2/8/6Q1/8/8/8/8 b - - 0 1", &(RootLimits){0}); /* Kh7 */
    assert_int_equal(root->move_count, 1);
    (void)kill_workers(root, 1, ROOT_KILLS_MAX);
    assert_true(root_is_finished(root));
    assert_int_equal(root_line(root, 0)->length, 1);
    free(root);
}

static void test_a_job_lost_after_its_improvement_keeps_it(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    finish_eldest(root, 10);
    const RootJob job = next_job(root, 1);
    const Line better = line_of(job.moves[3], 25, BOUND_EXACT);
    assert_true(root_job_improved(root, job.id, &better));
    root_job_lost(root, job.id);
    const RootJob again = next_job(root, 1);
    assert_int_equal(again.move_count, START_MOVES - 1);
    done_low(root, &again);
    assert_int_equal(root->best_move, job.moves[3]);
    assert_int_equal(root->best_score, 25);
    free(root);
}

static void test_stale_and_doubled_news_is_ignored(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    const RootJob lost = next_eldest(root);
    root_job_lost(root, lost.id);
    const Line stale = line_of(lost.moves[0], 500, BOUND_EXACT);
    assert_false(root_job_improved(root, lost.id, &stale));
    done(root, &lost, lost.moves[0], 500);
    assert_int_equal(root->phase, ROOT_ELDEST);

    const RootJob eldest = next_eldest(root);
    done(root, &eldest, eldest.moves[0], 10);
    done(root, &eldest, eldest.moves[0], 700);
    assert_int_equal(root_alpha(root), 10);
    assert_int_equal(root->phase, ROOT_BROTHERS);
    /* A move that the root does not have, under the name of a job that is out. */
    const RootJob brothers = next_job(root, 1);
    const Line foreign = line_of(move_make(SQUARE_A1, SQUARE_H8), 900, BOUND_EXACT);
    assert_false(root_job_improved(root, brothers.id, &foreign));
    assert_int_equal(root_alpha(root), 10);
    free(root);
}

static void test_an_exact_result_without_a_line_is_not_believed(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    const RootJob eldest = next_eldest(root);
    RootJobResult result = result_of(&eldest, eldest.moves[0], 50);
    result.line.length = 0;
    root_job_done(root, &result);
    assert_int_equal(root->phase, ROOT_ELDEST);
    assert_int_equal(next_eldest(root).moves[0], eldest.moves[0]);
    free(root);
}

static void test_what_a_job_did_not_get_to_is_still_to_be_done(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    finish_eldest(root, 10);
    const RootJob job = next_job(root, 1);
    RootJobResult result = result_of(&job, MOVE_NONE, 0);
    result.cost_count = 5;
    root_job_done(root, &result);
    const RootJob rest = next_job(root, 1);
    assert_int_equal(rest.move_count, START_MOVES - 1 - 5);
    assert_int_equal(rest.moves[0], job.moves[5]);
    free(root);
}

/* ---- one slot: the eldest with its brothers ---- */

/* The eldest came out at `score`, and the job goes on. */
static bool tell_eldest(Root *root, const RootJob *job, int score)
{
    const Line line = line_of(job->moves[0], score, score >= job->beta ? BOUND_LOWER : BOUND_EXACT);
    return root_job_improved(root, job->id, &line);
}

static void test_one_slot_gets_the_eldest_with_its_brothers(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){.depth = 2});
    for (int depth = 1; depth <= 2; depth++) {
        const RootJob job = next_job(root, 1);
        assert_true(job.is_eldest);
        assert_int_equal(job.move_count, START_MOVES);
        for (int i = 0; i < job.move_count; i++) {
            assert_int_equal(job.numbers[i], i + 1);
            assert_int_equal(job.moves[i], root->moves[i].move);
        }
        assert_no_job(root, 1);
        assert_true(tell_eldest(root, &job, 30));
        assert_int_equal(root->phase, ROOT_BROTHERS);
        assert_int_equal(root_alpha(root), 30);
        assert_true(root_job_is_out(root, job.id));
        assert_no_job(root, 2); /* whoever joins now is given shares of it */
        const Line better = line_of(job.moves[7], 45, BOUND_EXACT);
        assert_true(root_job_improved(root, job.id, &better));
        done(root, &job, job.moves[7], 45);
        assert_int_equal(root->depth_done, depth);
        assert_int_equal(root->best_move, job.moves[7]);
        assert_int_equal(root->best_score, 45);
        assert_int_equal(root->nodes, depth * START_MOVES * NODES_A_MOVE);
    }
    assert_true(root_is_finished(root));
    free(root);
}

static void test_an_eldest_outside_the_window_ends_its_job(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    run_iterations(root, 4, 40);
    RootJob job = next_job(root, 1);
    const int beta = job.beta;
    assert_false(tell_eldest(root, &job, beta)); /* fails high */
    assert_int_equal(root->phase, ROOT_ELDEST);
    RootJobResult result = result_of(&job, job.moves[0], beta);
    result.cost_count = 1;
    root_job_done(root, &result);
    job = next_job(root, 1);
    assert_true(job.is_eldest && job.beta > beta);
    assert_int_equal(job.move_count, START_MOVES);

    const int alpha = job.alpha;
    result = result_of(&job, MOVE_NONE, alpha); /* fails low */
    result.cost_count = 1;
    root_job_done(root, &result);
    job = next_job(root, 1);
    assert_true(job.is_eldest && job.alpha < alpha);
    assert_int_equal(job.move_count, START_MOVES);
    assert_int_equal(root->depth_done, 4);
    free(root);
}

static void test_a_brother_past_beta_leads_those_still_pending(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    run_iterations(root, 4, 10);
    const RootJob job = next_job(root, 1);
    assert_true(tell_eldest(root, &job, 10));
    const Line high = line_of(job.moves[5], job.beta, BOUND_LOWER);
    assert_true(root_job_improved(root, job.id, &high));
    assert_false(root_job_is_out(root, job.id));

    const RootJob again = next_job(root, 1);
    assert_true(again.is_eldest && again.beta > job.beta);
    assert_int_equal(again.alpha, 10);
    assert_int_equal(again.moves[0], job.moves[5]);
    assert_int_equal(again.move_count, START_MOVES - 1); /* the eldest before is done */
    assert_int_not_equal(again.moves[1], job.moves[0]);
    RootJobResult result = result_of(&again, MOVE_NONE, 4); /* falls back */
    result.cost_count = 1;
    root_job_done(root, &result);
    assert_int_equal(root->phase, ROOT_BROTHERS);
    const RootJob rest = next_job(root, 1);
    assert_false(rest.is_eldest);
    assert_int_equal(rest.move_count, START_MOVES - 2);
    done_low(root, &rest);
    assert_int_equal(root->depth_done, 5);
    assert_int_equal(root->best_move, job.moves[0]);
    free(root);
}

static void test_a_job_lost_after_its_eldest_keeps_it(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    RootJob job = next_job(root, 1);
    root_job_lost(root, job.id); /* before: all is to be done again */
    job = next_job(root, 1);
    assert_true(job.is_eldest);
    assert_int_equal(job.move_count, START_MOVES);
    assert_true(tell_eldest(root, &job, 30));
    root_job_lost(root, job.id);
    const RootJob brothers = next_job(root, 1);
    assert_false(brothers.is_eldest);
    assert_int_equal(brothers.alpha, 30);
    assert_int_equal(brothers.move_count, START_MOVES - 1);
    done_low(root, &brothers);
    assert_int_equal(root->best_move, job.moves[0]);
    assert_int_equal(root->best_score, 30);
    free(root);
}

static void test_a_brother_is_not_believed_before_the_eldest(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    const RootJob job = next_job(root, 1);
    const Line line = line_of(job.moves[3], 70, BOUND_EXACT);
    assert_false(root_job_improved(root, job.id, &line));
    assert_int_equal(root->phase, ROOT_ELDEST);
    done(root, &job, job.moves[3], 70); /* nor in a result */
    assert_int_equal(root->depth_done, 0);
    const RootJob again = next_job(root, 1);
    assert_true(again.is_eldest);
    assert_int_equal(again.move_count, START_MOVES);
    assert_int_equal(again.moves[0], job.moves[0]);
    free(root);
}

static void test_a_whole_job_for_each_line(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){.multi_pv = 2, .depth = 1});
    RootJob job = next_job(root, 1);
    assert_int_equal(job.move_count, START_MOVES);
    done(root, &job, job.moves[0], 30); /* the result alone tells of the eldest */
    job = next_job(root, 1);
    assert_true(job.is_eldest);
    assert_int_equal(root->line_index, 1);
    assert_int_equal(job.move_count, START_MOVES - 1);
    done(root, &job, job.moves[0], 20);
    assert_true(root_is_finished(root));
    assert_int_equal(root_line(root, 0)->score, 30);
    assert_int_equal(root_line(root, 1)->score, 20);
    free(root);
}

/* ---- limits ---- */

static void test_several_lines_are_found_one_after_the_other(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){.multi_pv = 3, .depth = 1});
    Move found[3];
    for (int i = 0; i < 3; i++) {
        const RootJob eldest = next_eldest(root);
        assert_int_equal(root->line_index, i);
        assert_int_equal(eldest.numbers[0], 1);
        done(root, &eldest, eldest.moves[0], 10 * (i + 1)); /* the later, the better */
        found[i] = eldest.moves[0];
        const RootJob brothers = next_job(root, 1);
        assert_int_equal(brothers.move_count, START_MOVES - 1 - i);
        for (int j = 0; j < brothers.move_count; j++) {
            for (int k = 0; k <= i; k++) {
                assert_int_not_equal(brothers.moves[j], found[k]);
            }
        }
        done_low(root, &brothers);
    }
    assert_true(root_is_finished(root));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(root_line(root, i)->score, 30 - 10 * i);
        assert_int_equal(root_line(root, i)->moves[0], found[2 - i]);
    }
    assert_null(root_line(root, 3));
    free(root);
}

static void test_more_lines_than_moves(void **state)
{
    (void)state;
    Root *root = new_root(few_moves, &(RootLimits){.multi_pv = 50, .depth = 2});
    run_iterations(root, 2, 0);
    assert_true(root_is_finished(root));
    assert_int_equal(root->move_count, 3);
    assert_non_null(root_line(root, 2));
    assert_null(root_line(root, 3));
    free(root);
}

static void test_only_the_wanted_moves_are_searched(void **state)
{
    (void)state;
    const Position start = fen_start_position();
    RootLimits limits = {.search_move_count = 3};
    limits.search_moves[0] = given_move(&start, "a2a3");
    limits.search_moves[1] = move_make(SQUARE_A1, SQUARE_H8); /* not legal */
    limits.search_moves[2] = given_move(&start, "h2h4");
    Root *root = new_root(FEN_START, &limits);
    assert_int_equal(root->move_count, 2);
    for (int i = 0; i < 2; i++) {
        assert_true(root->moves[i].move == limits.search_moves[0] ||
                    root->moves[i].move == limits.search_moves[2]);
    }
    free(root);

    limits.search_moves[0] = limits.search_moves[1];
    limits.search_move_count = 1;
    root = new_root(FEN_START, &limits);
    assert_int_equal(root->move_count, START_MOVES);
    free(root);
}

static void test_the_mate_limit_ends_at_a_mate_as_short(void **state)
{
    (void)state;
    const RootLimits limits = {.mate_moves = 3};
    Root *root = new_root(few_moves, &limits);
    run_iterations(root, 1, score_mate_in(7)); /* in 4 */
    assert_false(root_is_finished(root));
    run_iterations(root, 1, score_mate_in(5));
    assert_true(root_is_finished(root));
    free(root);

    root = new_root(few_moves, &limits);
    run_iterations(root, 1, score_mated_in(8));
    assert_false(root_is_finished(root));
    run_iterations(root, 1, score_mated_in(6));
    assert_true(root_is_finished(root));
    free(root);
}

static void test_the_depth_limit_ends_the_search(void **state)
{
    (void)state;
    Root *root = new_root(few_moves, &(RootLimits){.depth = 3});
    run_iterations(root, 3, 7);
    assert_true(root_is_finished(root));
    assert_int_equal(root->depth_done, 3);
    assert_int_equal(root_line(root, 0)->score, 7);
    assert_no_job(root, 1);
    free(root);

    root = new_root(few_moves, &(RootLimits){0});
    run_iterations(root, ROOT_DEPTH_MAX + 5, 7);
    assert_true(root_is_finished(root));
    assert_int_equal(root->depth_done, ROOT_DEPTH_MAX);
    free(root);
}

static void test_no_legal_move_is_a_finished_search(void **state)
{
    (void)state;
    Root *root = new_root("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &(RootLimits){0});
    assert_true(root_is_finished(root));
    assert_null(root_line(root, 0));
    assert_no_job(root, 1);
    free(root);
}

static void test_before_any_result_the_first_move_stands(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    (void)next_job(root, 1);
    const Line *line = root_line(root, 0);
    assert_int_equal(line->score, SCORE_NONE);
    assert_int_equal(line->length, 1);
    root_stop(root);
    assert_true(root_is_finished(root));
    assert_int_equal(root_line(root, 0)->length, 1);
    assert_no_job(root, 1);
    free(root);
}

static void test_a_loss_of_the_eldest_alone_is_not_the_roots(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){.depth = 3});
    run_iterations(root, 1, 20);
    const Move first = root->moves[0].move;
    finish_eldest(root, score_mated_in(8));
    assert_int_equal(root_line(root, 0)->moves[0], first);
    assert_int_equal(root_line(root, 0)->score, 20); /* the others may save it */

    const RootJob job = next_job(root, 1);
    const Line longer = line_of(job.moves[1], score_mated_in(10), BOUND_EXACT);
    assert_true(root_job_improved(root, job.id, &longer));
    assert_int_equal(root_line(root, 0)->score, score_mated_in(10));
    assert_int_equal(root_line(root, 0)->bound, BOUND_LOWER); /* at least so long */
    const Line better = line_of(job.moves[0], -300, BOUND_EXACT);
    assert_true(root_job_improved(root, job.id, &better));
    assert_int_equal(root_line(root, 0)->moves[0], job.moves[0]);
    assert_int_equal(root_line(root, 0)->score, -300);
    assert_int_equal(root_line(root, 0)->bound, BOUND_EXACT);
    done(root, &job, job.moves[0], -300);

    run_iterations(root, 1, score_mated_in(6)); /* of all moves, to the end */
    assert_true(root_is_finished(root));
    assert_int_equal(root_line(root, 0)->score, score_mated_in(6));
    assert_int_equal(root_line(root, 0)->bound, BOUND_EXACT);
    free(root);
}

static void test_the_facts_that_time_management_reads(void **state)
{
    (void)state;
    Root *root = new_root(FEN_START, &(RootLimits){0});
    run_iterations(root, 3, 10);
    assert_int_equal(root->stable_iterations, 2);
    assert_int_equal(root->best_move_nodes, NODES_A_MOVE);
    assert_int_equal(root->iteration_nodes, NODES_A_MOVE * START_MOVES);
    assert_int_equal(root->nodes, 3 * NODES_A_MOVE * START_MOVES);
    finish_eldest(root, 10);
    const RootJob job = next_job(root, 1);
    done(root, &job, job.moves[0], 60);
    assert_int_equal(root->stable_iterations, 0);
    assert_int_equal(root->previous_best_score, 10);
    assert_int_equal(root->best_score, 60);
    free(root);
}

/* ---- any order of events ---- */

/* The value of a move in an iteration: any, now and then a mate. */
static int true_value(Move move, int depth, uint64_t seed)
{
    const uint64_t hash = prng_mix(seed ^ ((uint64_t)move << 20) ^ (uint64_t)depth);
    if (hash % 61 == 0) {
        return score_mate_in(1 + 2 * (int)((hash >> 8) % 9));
    }
    return (int)((hash >> 16) % 400) - 200 + (int)(prng_mix(seed ^ (uint64_t)depth) % 300);
}

typedef struct {
    Root root;
    RootJob out[64];
    int out_count;
    uint64_t seed;
    int slots; /* at most; they come and go */
    Prng prng;
} Chaos;

/* A job as an honest alpha-beta would do it, reading the live bound before each move. */
static RootJobResult honest_result(Chaos *chaos, const RootJob *job)
{
    RootJobResult result = {.id = job->id, .score = -SCORE_INFINITE};
    int alpha = job->alpha;
    for (int i = 0; i < job->move_count; i++) {
        const bool is_eldest = job->is_eldest && i == 0;
        if (!is_eldest && root_job_is_out(&chaos->root, job->id) &&
            root_alpha(&chaos->root) > alpha) {
            alpha = root_alpha(&chaos->root);
        }
        const int value = true_value(job->moves[i], job->depth, chaos->seed);
        result.costs[result.cost_count++] =
            (MoveCost){.move = job->moves[i], .nodes = 1 + prng_below(&chaos->prng, 100)};
        result.nodes += result.costs[i].nodes;
        result.score = value > result.score ? value : result.score;
        if (value > alpha) {
            alpha = value;
            result.line =
                line_of(job->moves[i], value, value >= job->beta ? BOUND_LOWER : BOUND_EXACT);
            if (is_eldest || prng_below(&chaos->prng, 2) == 0) {
                (void)root_job_improved(&chaos->root, job->id, &result.line);
            }
        }
        if (value >= job->beta || (is_eldest && value <= job->alpha)) {
            break;
        }
    }
    return result;
}

static void step(Chaos *chaos)
{
    RootJob job;
    const int slots = 1 + (int)prng_below(&chaos->prng, (uint64_t)chaos->slots);
    if (chaos->out_count < slots && root_next_job(&chaos->root, slots, &job)) {
        chaos->out[chaos->out_count++] = job;
        return;
    }
    assert_true(chaos->out_count > 0); /* there is always somebody to wait for */
    const uint64_t index = prng_below(&chaos->prng, (uint64_t)chaos->out_count);
    job = chaos->out[index];
    if (prng_below(&chaos->prng, 8) == 0) {
        root_job_lost(&chaos->root, job.id);
    } else {
        const RootJobResult result = honest_result(chaos, &job);
        root_job_done(&chaos->root, &result);
        if (prng_below(&chaos->prng, 8) == 0) {
            root_job_done(&chaos->root, &result);
        }
    }
    if (prng_below(&chaos->prng, 10) != 0 || !root_job_is_out(&chaos->root, job.id)) {
        chaos->out[index] = chaos->out[--chaos->out_count];
    }
}

/* Sorts the values of all moves at `depth` and compares the lines found with the best of them. */
static void assert_lines_are_the_best(const Chaos *chaos, int depth)
{
    const Root *root = &chaos->root;
    for (int i = 0; i < root->limits.multi_pv && i < root->move_count; i++) {
        const RootMove *found = &root->moves[i];
        int better = 0;
        for (int j = 0; j < root->move_count; j++) {
            better += true_value(root->moves[j].move, depth, chaos->seed) > found->previous.score;
        }
        assert_int_equal(found->previous.score, true_value(found->move, depth, chaos->seed));
        assert_true(better <= i);
    }
}

static void run_chaos(uint64_t seed)
{
    Chaos *chaos = calloc(1, sizeof *chaos);
    prng_init(&chaos->prng, seed);
    chaos->seed = seed;
    chaos->slots = 1 + (int)prng_below(&chaos->prng, 12);
    const Position position = given_random_position(&chaos->prng, 100);
    const RootLimits limits = {.depth = 12, .multi_pv = 1 + (int)prng_below(&chaos->prng, 3) * 2};
    root_start(&chaos->root, &position, &limits);
    int depth_done = 0;
    for (int steps = 0; !root_is_finished(&chaos->root); steps++) {
        assert_true(steps < 100000);
        step(chaos);
        const Line *line = root_line(&chaos->root, 0);
        assert_true(line->length > 0 && given_line_is_legal(&position, line, NULL));
        if (chaos->root.depth_done != depth_done) {
            depth_done = chaos->root.depth_done;
            assert_lines_are_the_best(chaos, depth_done);
        }
    }
    assert_int_equal(depth_done, 12);
    free(chaos);
}

static void test_any_order_of_events_finds_the_best_moves(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        run_chaos(seed);
    }
}

/* ---- several searches side by side ---- */

static void test_side_by_side_half_of_the_iterations_are_left_out(void **state)
{
    (void)state;
    for (int depth = 1; depth < 40; depth++) {
        assert_false(root_skips(0, depth));
        assert_int_equal(root_skips(1, depth), depth % 2 != 0);
        assert_int_equal(root_skips(2, depth), depth % 2 == 0);
        assert_int_equal(root_skips(3, depth), depth / 2 % 2 != 0);
        assert_int_equal(root_skips(5, depth), (depth + 2) / 2 % 2 != 0);
        assert_int_equal(root_skips(20, depth), (depth + 7) / 4 % 2 != 0);
        assert_int_equal(root_skips(21, depth), root_skips(1, depth));
    }
}

/* Of many searches, some are always at each of the next depths. */
static void test_side_by_side_every_depth_is_searched_by_half(void **state)
{
    (void)state;
    for (int depth = 1; depth < 40; depth++) {
        int searched = 0;
        for (int number = 1; number <= 20; number++) {
            searched += !root_skips(number, depth);
        }
        assert_int_equal(searched, 10);
    }
}

static void test_the_result_of_a_search_ahead_is_adopted(void **state)
{
    (void)state;
    Root *ahead = new_root(few_moves, &(RootLimits){0});
    Root *root = new_root(few_moves, &(RootLimits){0});
    run_iterations(ahead, 3, 10);
    (void)next_eldest(ahead); /* of its next iteration, of which nothing is known */
    const RootJob behind = next_job(root, 1);
    root_adopt(root, ahead);
    assert_int_equal(root->depth_done, 3);
    assert_int_equal(root->depth, 4);
    assert_int_equal(root->best_move, ahead->best_move);
    assert_int_equal(root->best_score, 10);
    assert_int_equal(root->iteration_nodes, ahead->iteration_nodes);
    assert_int_equal(root->best_move_nodes, ahead->best_move_nodes);
    assert_int_equal(root->nodes, 0); /* they are not its own */
    const Line *line = root_line(root, 0);
    assert_int_equal(line->score, 10);
    assert_int_equal(line->moves[0], ahead->best_move);
    for (int i = 0; i < root->move_count; i++) {
        assert_int_equal(root->moves[i].move, ahead->moves[i].move);
        assert_int_equal(root->moves[i].nodes, ahead->moves[i].nodes);
    }
    assert_false(root_job_is_out(root, behind.id));
    assert_false(root_has_jobs_out(root));
    done(root, &behind, behind.moves[1], 50); /* void */
    assert_int_equal(root->depth_done, 3);
    const RootJob next = next_job(root, 1);
    assert_int_equal(next.depth, 4);
    assert_int_not_equal(next.id, behind.id);
    free(ahead);
    free(root);
}

/* What its present iteration has found is not the last one's result. */
static void test_a_search_ahead_may_be_in_the_middle_of_an_iteration(void **state)
{
    (void)state;
    Root *ahead = new_root(few_moves, &(RootLimits){0});
    Root *root = new_root(few_moves, &(RootLimits){0});
    run_iterations(ahead, 2, 10);
    finish_eldest(ahead, 10);
    const Move best = ahead->best_move;
    const RootJob brothers = next_job(ahead, 1);
    const Line better = line_of(brothers.moves[0], 20, BOUND_EXACT);
    assert_true(root_job_improved(ahead, brothers.id, &better));
    assert_int_not_equal(ahead->moves[0].move, best);
    root_adopt(root, ahead);
    assert_int_equal(root->depth_done, 2);
    assert_int_equal(root->best_move, best);
    assert_int_equal(root->best_score, 10);
    assert_int_equal(root->moves[0].move, best);
    free(ahead);
    free(root);
}

/* One iteration for all lines, with `scores` of the moves that lead in turn. */
static void find_lines(Root *root, int count, const int *scores)
{
    for (int i = 0; i < count; i++) {
        assert_int_equal(root->line_index, i);
        finish_eldest(root, scores[i]);
        if (root->phase == ROOT_BROTHERS) {
            const RootJob brothers = next_job(root, 1);
            done_low(root, &brothers);
        }
    }
}

static void test_all_lines_of_a_search_ahead_are_adopted(void **state)
{
    (void)state;
    const RootLimits limits = {.multi_pv = 3};
    Root *ahead = new_root(FEN_START, &limits);
    Root *root = new_root(FEN_START, &limits);
    find_lines(ahead, 3, (const int[]){10, 30, 20});
    find_lines(ahead, 3, (const int[]){31, 12, 25});
    assert_int_equal(ahead->depth_done, 2);
    Move moves[3];
    for (int i = 0; i < 3; i++) {
        moves[i] = root_line(ahead, i)->moves[0];
    }
    finish_eldest(root, 5); /* it has found one line of its first iteration */
    RootJob behind = next_job(root, 1);
    done_low(root, &behind);
    assert_int_equal(root->line_index, 1);
    behind = next_job(root, 1);
    root_adopt(root, ahead);
    assert_int_equal(root->depth_done, 2);
    assert_int_equal(root->depth, 3);
    assert_int_equal(root->line_index, 0);
    assert_int_equal(root->best_score, 31);
    const int scores[] = {31, 25, 12};
    for (int i = 0; i < 3; i++) {
        const Line *line = root_line(root, i);
        assert_int_equal(line->moves[0], moves[i]);
        assert_int_equal(line->score, scores[i]);
        assert_int_equal(line->depth, 2);
    }
    assert_null(root_line(root, 3));
    assert_false(root_job_is_out(root, behind.id));
    const RootJob next = next_job(root, 1); /* all moves again, for the best line */
    assert_int_equal(next.move_count, START_MOVES);
    assert_int_equal(next.moves[0], moves[0]);
    free(ahead);
    free(root);
}

/* Lines that it has found since, with moves that were none before, are not of that iteration. */
static void test_lines_are_adopted_from_the_middle_of_the_next(void **state)
{
    (void)state;
    const RootLimits limits = {.multi_pv = 3};
    Root *ahead = new_root(FEN_START, &limits);
    Root *root = new_root(FEN_START, &limits);
    find_lines(ahead, 3, (const int[]){30, 20, 20});
    Move moves[3];
    for (int i = 0; i < 3; i++) {
        moves[i] = root_line(ahead, i)->moves[0];
    }
    finish_eldest(ahead, 5);
    const RootJob brothers = next_job(ahead, 1);
    done(ahead, &brothers, brothers.moves[7], 90); /* a new best one */
    assert_int_equal(ahead->line_index, 1);
    finish_eldest(ahead, 40);
    root_adopt(root, ahead);
    assert_int_equal(root->depth_done, 1);
    assert_int_equal(root->best_move, moves[0]);
    for (int i = 0; i < 3; i++) {
        const Move move = root_line(root, i)->moves[0];
        assert_true(i == 0 ? move == moves[0] : move == moves[1] || move == moves[2]);
        assert_int_equal(root_line(root, i)->score, i == 0 ? 30 : 20);
    }
    free(ahead);
    free(root);
}

static void test_fewer_moves_than_lines_are_adopted(void **state)
{
    (void)state;
    const RootLimits limits = {.multi_pv = 5, .depth = 1};
    Root *ahead = new_root(few_moves, &limits);
    Root *root = new_root(few_moves, &limits);
    find_lines(ahead, 3, (const int[]){10, 30, 20});
    assert_true(root_is_finished(ahead));
    root_adopt(root, ahead);
    assert_true(root_is_finished(root));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(root_line(root, i)->score, 30 - 10 * i);
        assert_int_equal(root_line(root, i)->moves[0], root_line(ahead, i)->moves[0]);
    }
    assert_null(root_line(root, 3));
    free(ahead);
    free(root);
}

/* A move of the one ahead that this one has left out is no line here. */
static void test_lines_of_moves_left_out_are_not_adopted(void **state)
{
    (void)state;
    const RootLimits limits = {.multi_pv = 3};
    Root *ahead = new_root(FEN_START, &limits);
    Root *root = new_root(FEN_START, &limits);
    find_lines(ahead, 3, (const int[]){30, 20, 10});
    assert_int_equal(kill_workers(root, 2, ROOT_KILLS_MAX), root_line(ahead, 0)->moves[0]);
    root_adopt(root, ahead); /* whose best move it does not have */
    assert_int_equal(root->depth_done, 0);
    free(root);

    root = new_root(FEN_START, &limits);
    finish_eldest(root, 0);
    RootJob others[START_MOVES];
    const RootJob bad = next_job(root, 40);
    int count = 0;
    while (root_next_job(root, 40, &others[count])) {
        count++;
    }
    assert_int_equal(bad.moves[0], root_line(ahead, 1)->moves[0]);
    assert_int_equal(root_job_killed(root, bad.id), MOVE_NONE);
    assert_int_equal(kill_workers(root, 40, ROOT_KILLS_MAX - 2), MOVE_NONE);
    for (int i = 0; i < count; i++) {
        done_low(root, &others[i]);
    }
    assert_int_equal(kill_workers(root, 40, 1), bad.moves[0]);
    root_adopt(root, ahead);
    assert_int_equal(root->depth_done, 1);
    assert_int_equal(root_line(root, 0)->score, 30);
    assert_int_equal(root_line(root, 1)->score, 10);
    assert_int_equal(root_line(root, 2)->score, SCORE_NONE); /* nothing is known of a third */
    free(ahead);
    free(root);
}

static void test_what_is_adopted_may_end_the_search(void **state)
{
    (void)state;
    Root *ahead = new_root(few_moves, &(RootLimits){.depth = 3});
    Root *root = new_root(few_moves, &(RootLimits){.depth = 3});
    run_iterations(ahead, 3, 10);
    assert_true(root_is_finished(ahead));
    root_adopt(root, ahead);
    assert_true(root_is_finished(root));
    assert_int_equal(root_line(root, 0)->score, 10);
    assert_int_equal(root_line(root, 0)->moves[0], ahead->best_move);
    Root *fresh = new_root(few_moves, &(RootLimits){.depth = 3});
    Root *blank = new_root(few_moves, &(RootLimits){.depth = 3});
    root_adopt(fresh, blank); /* nothing is known there */
    assert_int_equal(fresh->depth_done, 0);
    assert_int_equal(fresh->depth, 1);
    free(ahead);
    free(root);
    free(fresh);
    free(blank);
}

static void test_stability_counts_on_through_what_is_adopted(void **state)
{
    (void)state;
    Root *ahead = new_root(few_moves, &(RootLimits){0});
    Root *root = new_root(few_moves, &(RootLimits){0});
    run_iterations(root, 1, 5);
    run_iterations(ahead, 2, 10);
    root_adopt(root, ahead);
    assert_int_equal(root->stable_iterations, 1);
    assert_int_equal(root->previous_best_score, 5);
    free(ahead);
    free(root);
}

static void test_iterations_are_left_out_forwards_only(void **state)
{
    (void)state;
    Root *root = new_root(few_moves, &(RootLimits){0});
    root->depth = 2;
    root_skip_ahead(root, 2); /* leaves out even depths */
    assert_int_equal(next_job(root, 1).depth, 3);
    root_skip_ahead(root, 2);
    assert_int_equal(root->depth, 3);
    free(root);
    root = new_root(few_moves, &(RootLimits){.depth = 2});
    root->depth = 2;
    root_skip_ahead(root, 2); /* there is none behind it */
    assert_int_equal(root->depth, 2);
    free(root);
}

static void test_no_iteration_is_left_out_once_it_has_a_line(void **state)
{
    (void)state;
    Root *root = new_root(few_moves, &(RootLimits){.multi_pv = 2});
    finish_eldest(root, 10);
    const RootJob brothers = next_job(root, 1);
    done_low(root, &brothers);
    assert_int_equal(root->line_index, 1);
    root_skip_ahead(root, 1); /* leaves out odd depths */
    assert_int_equal(next_job(root, 1).depth, 1);
    free(root);
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_eldest_goes_out_alone_with_an_open_window),
        cmocka_unit_test(test_one_slot_gets_all_brothers_at_once),
        cmocka_unit_test(test_brothers_are_dealt_in_shares),
        cmocka_unit_test(test_the_next_iteration_goes_by_cost),
        cmocka_unit_test(test_the_window_closes_in_at_depth_five),
        cmocka_unit_test(test_a_fail_low_opens_the_window_downwards_until_exact),
        cmocka_unit_test(test_a_fail_high_opens_the_window_upwards_until_exact),
        cmocka_unit_test(test_mate_scores_open_the_window_at_once),
        cmocka_unit_test(test_an_improvement_raises_alpha_for_all),
        cmocka_unit_test(test_the_best_brother_leads_the_next_iteration),
        cmocka_unit_test(test_a_brother_past_beta_becomes_the_eldest),
        cmocka_unit_test(test_a_fallen_brother_leaves_the_best_before_it),
        cmocka_unit_test(test_a_fallen_brother_leaves_a_better_one_that_was_out),
        cmocka_unit_test(test_a_brother_that_takes_its_score_back_takes_alpha_along),
        cmocka_unit_test(test_a_lost_job_is_handed_out_again),
        cmocka_unit_test(test_an_eldest_that_kills_workers_is_left_out),
        cmocka_unit_test(test_a_brother_that_kills_workers_is_left_out),
        cmocka_unit_test(test_the_best_that_kills_workers_takes_its_score_along),
        cmocka_unit_test(test_what_kills_workers_everywhere_ends_the_search),
        cmocka_unit_test(test_what_ran_beside_the_move_that_kills_is_not_left_out),
        cmocka_unit_test(test_after_a_promoted_eldest_the_best_before_it_stands),
        cmocka_unit_test(test_a_last_line_without_its_move_ends_the_iteration),
        cmocka_unit_test(test_the_only_move_is_never_left_out),
        cmocka_unit_test(test_a_job_lost_after_its_improvement_keeps_it),
        cmocka_unit_test(test_stale_and_doubled_news_is_ignored),
        cmocka_unit_test(test_an_exact_result_without_a_line_is_not_believed),
        cmocka_unit_test(test_what_a_job_did_not_get_to_is_still_to_be_done),
        cmocka_unit_test(test_one_slot_gets_the_eldest_with_its_brothers),
        cmocka_unit_test(test_an_eldest_outside_the_window_ends_its_job),
        cmocka_unit_test(test_a_brother_past_beta_leads_those_still_pending),
        cmocka_unit_test(test_a_job_lost_after_its_eldest_keeps_it),
        cmocka_unit_test(test_a_brother_is_not_believed_before_the_eldest),
        cmocka_unit_test(test_a_whole_job_for_each_line),
        cmocka_unit_test(test_several_lines_are_found_one_after_the_other),
        cmocka_unit_test(test_more_lines_than_moves),
        cmocka_unit_test(test_only_the_wanted_moves_are_searched),
        cmocka_unit_test(test_the_mate_limit_ends_at_a_mate_as_short),
        cmocka_unit_test(test_the_depth_limit_ends_the_search),
        cmocka_unit_test(test_no_legal_move_is_a_finished_search),
        cmocka_unit_test(test_before_any_result_the_first_move_stands),
        cmocka_unit_test(test_a_loss_of_the_eldest_alone_is_not_the_roots),
        cmocka_unit_test(test_the_facts_that_time_management_reads),
        cmocka_unit_test(test_any_order_of_events_finds_the_best_moves),
        cmocka_unit_test(test_side_by_side_half_of_the_iterations_are_left_out),
        cmocka_unit_test(test_side_by_side_every_depth_is_searched_by_half),
        cmocka_unit_test(test_the_result_of_a_search_ahead_is_adopted),
        cmocka_unit_test(test_a_search_ahead_may_be_in_the_middle_of_an_iteration),
        cmocka_unit_test(test_all_lines_of_a_search_ahead_are_adopted),
        cmocka_unit_test(test_lines_are_adopted_from_the_middle_of_the_next),
        cmocka_unit_test(test_fewer_moves_than_lines_are_adopted),
        cmocka_unit_test(test_lines_of_moves_left_out_are_not_adopted),
        cmocka_unit_test(test_what_is_adopted_may_end_the_search),
        cmocka_unit_test(test_stability_counts_on_through_what_is_adopted),
        cmocka_unit_test(test_iterations_are_left_out_forwards_only),
        cmocka_unit_test(test_no_iteration_is_left_out_once_it_has_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
