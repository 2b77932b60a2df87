#include "root/root.h"

#include <string.h>

#include "base/clamp.h"
#include "root/techniques.h"

enum {
    ASPIRATION_DEPTH_MIN = 5, /* shallower iterations are too unsteady for a window */
    ASPIRATION_DELTA = 12,    /* cp */
    SHARES_PER_SLOT = 2,      /* so that a slot that finishes early finds more */
};

/* ---- moves and their order ---- */

static RootMove *find_move(Root *root, Move move)
{
    for (int i = 0; i < root->move_count; i++) {
        if (root->moves[i].move == move) {
            return &root->moves[i];
        }
    }
    return NULL;
}

/* Moves the element at `from` up to `to`, shifting those between one place down. */
static void bring_up(Root *root, int from, int to)
{
    const RootMove moved = root->moves[from];
    memmove(&root->moves[to + 1], &root->moves[to], (size_t)(from - to) * sizeof moved);
    root->moves[to] = moved;
}

static bool is_wanted(const RootLimits *limits, Move move)
{
    return limits->search_move_count == 0 ||
           move_is_among(move, limits->search_moves, limits->search_move_count);
}

static void add_move(Root *root, Move move)
{
    RootMove *entry = &root->moves[root->move_count++];
    *entry = (RootMove){.move = move};
    entry->line.score = SCORE_NONE;
    entry->previous.score = SCORE_NONE;
    entry->previous.length = 1;
    entry->previous.moves[0] = move;
}

static void add_moves(Root *root, const Position *position)
{
    MoveList list;
    movegen_all(position, &list);
    for (int i = 0; i < list.count; i++) {
        if (is_wanted(&root->limits, list.moves[i])) {
            add_move(root, list.moves[i]);
        }
    }
    if (root->move_count == 0 && list.count > 0) {
        root->limits.search_move_count = 0; /* none of the wanted moves is legal */
        add_moves(root, position);
    }
}

/* Sorts moves[first..last) by descending value; stable, so that equal ones keep their order. */
static void sort_moves(Root *root, int first, int last, int64_t (*value)(const RootMove *))
{
    for (int i = first + 1; i < last; i++) {
        int to = i;
        while (to > first && value(&root->moves[to - 1]) < value(&root->moves[i])) {
            to--;
        }
        if (to < i) {
            bring_up(root, i, to);
        }
    }
}

static int64_t value_score(const RootMove *move)
{
    return move->line.score;
}

static int64_t value_cost(const RootMove *move)
{
    return (int64_t)move->nodes;
}

/* ---- iterations and lines ---- */

static int line_count(const Root *root)
{
    return root->limits.multi_pv < root->move_count ? root->limits.multi_pv : root->move_count;
}

static void start_line(Root *root)
{
    const int guess = root->moves[root->line_index].previous.score;
    root->phase = ROOT_ELDEST;
    root->delta = ASPIRATION_DELTA;
    root->alpha = -SCORE_INFINITE;
    root->beta = SCORE_INFINITE;
    if (USES_ASPIRATION_WINDOWS && root->depth >= ASPIRATION_DEPTH_MIN && guess != SCORE_NONE &&
        !score_is_mate(guess)) {
        root->alpha = guess - root->delta;
        root->beta = guess + root->delta;
    }
    for (int i = root->line_index; i < root->move_count; i++) {
        root->moves[i].state = ROOT_MOVE_PENDING;
        root->moves[i].line.score = SCORE_NONE;
    }
}

static void start_iteration(Root *root)
{
    root->depth++;
    root->line_index = 0;
    root->nodes_at_iteration_start = root->nodes;
    for (int i = 0; i < root->move_count; i++) {
        root->moves[i].line.score = SCORE_NONE;
    }
    start_line(root);
}

static bool mate_is_proven(const Root *root)
{
    const int score = root->moves[0].line.score;
    if (root->limits.mate_moves == 0 || !score_is_mate(score)) {
        return false;
    }
    const int moves = score_mate_moves(score);
    return (moves < 0 ? -moves : moves) <= root->limits.mate_moves;
}

static void note_iteration(Root *root)
{
    const RootMove *best = &root->moves[0];
    const bool is_first = root->depth_done == 0;
    root->previous_best_score = is_first ? best->line.score : root->best_score;
    root->stable_iterations =
        !is_first && best->move == root->best_move ? root->stable_iterations + 1 : 0;
    root->best_move = best->move;
    root->best_score = best->line.score;
    root->best_move_nodes = best->nodes;
    root->iteration_nodes = root->nodes - root->nodes_at_iteration_start;
    root->depth_done = root->depth;
}

/* An iteration is complete and noted: ends the search or begins the next one. */
static void go_on(Root *root)
{
    if (root->depth == root->limits.depth || root->depth >= ROOT_DEPTH_MAX ||
        mate_is_proven(root)) {
        root->phase = ROOT_FINISHED;
    } else {
        start_iteration(root);
    }
}

static void finish_iteration(Root *root)
{
    const int lines = line_count(root);
    sort_moves(root, lines, root->move_count, value_cost);
    note_iteration(root);
    for (int i = 0; i < lines; i++) {
        root->moves[i].line.bound = BOUND_EXACT;
        root->moves[i].line.depth = root->depth; /* whatever a peer has said: see bring_up_lines */
        root->moves[i].previous = root->moves[i].line;
    }
    go_on(root);
}

static void finish_line(Root *root)
{
    root->line_index++;
    sort_moves(root, 0, root->line_index, value_score);
    if (root->line_index < line_count(root)) {
        start_line(root);
    } else {
        finish_iteration(root);
    }
}

void root_start(Root *root, const Position *position, const RootLimits *limits)
{
    memset(root, 0, sizeof *root);
    root->limits = *limits;
    root->next_id = 1;
    if (root->limits.multi_pv < 1) {
        root->limits.multi_pv = 1;
    }
    add_moves(root, position);
    if (root->move_count == 0) {
        root->phase = ROOT_FINISHED;
    } else {
        start_iteration(root);
    }
}

void root_stop(Root *root)
{
    root->phase = ROOT_FINISHED;
}

/* ---- handing out jobs ---- */

static void fill_job(Root *root, RootJob *job, bool is_eldest)
{
    *job = (RootJob){
        .id = root->next_id++,
        .depth = root->depth,
        .alpha = root->alpha,
        .beta = root->beta,
        .is_eldest = is_eldest,
    };
}

static void add_to_job(Root *root, RootJob *job, int index)
{
    RootMove *move = &root->moves[index];
    move->state = ROOT_MOVE_OUT;
    move->job = job->id;
    job->moves[job->move_count] = move->move;
    job->numbers[job->move_count] = (uint8_t)(index - root->line_index + 1);
    job->move_count++;
}

/* One more loss and the move is given up: its job is then the only one, or another could be why. */
static bool is_on_trial(const RootMove *move)
{
    return move->kills >= ROOT_KILLS_MAX - 1;
}

/* Whether the move may go out beside others. */
static bool is_ready(const RootMove *move)
{
    return move->state == ROOT_MOVE_PENDING && !is_on_trial(move);
}

static int count_ready(const Root *root)
{
    int ready = 0;
    for (int i = root->line_index; i < root->move_count; i++) {
        ready += is_ready(&root->moves[i]);
    }
    return ready;
}

bool root_has_jobs_out(const Root *root)
{
    for (int i = root->line_index; i < root->move_count && root->phase != ROOT_FINISHED; i++) {
        if (root->moves[i].state == ROOT_MOVE_OUT) {
            return true;
        }
    }
    return false;
}

/* A pending move that workers have died with, or -1: the least suspect, the first of equals. */
static int find_suspect(const Root *root)
{
    int suspect = -1;
    for (int i = root->line_index; i < root->move_count; i++) {
        const RootMove *move = &root->moves[i];
        if (move->state == ROOT_MOVE_PENDING && move->kills > 0 &&
            (suspect < 0 || move->kills < root->moves[suspect].kills)) {
            suspect = i;
        }
    }
    return suspect;
}

/*
 * A suspect goes out alone, so that no other is blamed with it; those on trial come last. Else
 * every `stride`th ready move, so that each share leads with a costly move and trails cheap ones.
 * One slot gets all moves at once: its job is then the serial loop.
 */
static void deal_moves(Root *root, int slot_count, RootJob *job)
{
    const int suspect = find_suspect(root);
    const int ready = count_ready(root);
    if (suspect >= 0 && (ready == 0 || !is_on_trial(&root->moves[suspect]))) {
        add_to_job(root, job, suspect);
        return;
    }
    const int shares = slot_count == 1 ? 1 : slot_count * SHARES_PER_SLOT;
    const int stride = smaller(shares, ready);
    int seen = 0;
    for (int i = root->line_index; i < root->move_count; i++) {
        if (is_ready(&root->moves[i]) && seen++ % stride == 0) {
            add_to_job(root, job, i);
        }
    }
}

/* Whether there is anything to hand out now: all wait for the eldest, and trials for all others. */
static bool has_work(const Root *root)
{
    switch (root->phase) {
    case ROOT_ELDEST:
        return root->moves[root->line_index].state == ROOT_MOVE_PENDING;
    case ROOT_BROTHERS:
        return count_ready(root) > 0 || (find_suspect(root) >= 0 && !root_has_jobs_out(root));
    case ROOT_FINISHED:
        break;
    }
    return false;
}

bool root_next_job(Root *root, int slot_count, RootJob *job)
{
    if (!has_work(root)) {
        return false;
    }
    const bool is_eldest = root->phase == ROOT_ELDEST;
    fill_job(root, job, is_eldest);
    if (is_eldest && (slot_count > 1 || find_suspect(root) >= 0)) {
        add_to_job(root, job, root->line_index);
    } else {
        deal_moves(root, slot_count, job);
    }
    return true;
}

static bool is_out_with(const RootMove *move, RootJobId id)
{
    return move->state == ROOT_MOVE_OUT && move->job == id;
}

bool root_job_is_out(const Root *root, RootJobId id)
{
    for (int i = root->line_index; i < root->move_count && root->phase != ROOT_FINISHED; i++) {
        if (is_out_with(&root->moves[i], id)) {
            return true;
        }
    }
    return false;
}

/* ---- taking news ---- */

static void recall_brothers(Root *root)
{
    for (int i = root->line_index; i < root->move_count; i++) {
        if (root->moves[i].state == ROOT_MOVE_OUT) {
            root->moves[i].state = ROOT_MOVE_PENDING;
        }
    }
}

static int widened(int score, int step)
{
    enum { WINDOW_MAX = 1000 }; /* beyond it the window is opened at once */
    const int bound = score + step;
    return step > WINDOW_MAX || step < -WINDOW_MAX || score_is_mate(bound)
               ? (step > 0 ? SCORE_INFINITE : -SCORE_INFINITE)
               : bound;
}

static void widen_up(Root *root, int score)
{
    root->beta = widened(score, root->delta);
    root->delta += root->delta;
}

static void widen_down(Root *root, int score)
{
    root->beta = (root->alpha + root->beta) / 2;
    root->alpha = widened(score, -root->delta);
    root->delta += root->delta;
}

/* A brother passed beta: it is the eldest now and its window is open above. */
static void promote_brother(Root *root, RootMove *brother, int score)
{
    recall_brothers(root);
    brother->state = ROOT_MOVE_PENDING;
    bring_up(root, (int)(brother - root->moves), root->line_index);
    root->phase = ROOT_ELDEST;
    widen_up(root, score);
}

static bool brother_improved(Root *root, RootMove *brother, const Line *line)
{
    if (line->score <= root->alpha) {
        return false; /* another brother was better meanwhile */
    }
    brother->line = *line;
    if (score_is_loss(line->score)) {
        brother->line.bound = BOUND_LOWER; /* until its brothers have been searched too */
    }
    if (line->score >= root->beta) {
        promote_brother(root, brother, line->score);
    } else {
        root->alpha = line->score;
        bring_up(root, (int)(brother - root->moves), root->line_index);
    }
    return true;
}

/* Whether younger brothers are out with the same job. */
static bool leads_brothers(const Root *root, const RootMove *eldest)
{
    for (int i = root->line_index + 1; i < root->move_count; i++) {
        if (is_out_with(&root->moves[i], eldest->job)) {
            return true;
        }
    }
    return false;
}

/*
 * The eldest's window is judged when its job is done, or now when its job goes on with the
 * brothers: that it does after a score inside the window only.
 */
static bool eldest_improved(Root *root, RootMove *eldest, const Line *line)
{
    eldest->line = *line;
    if (line->score <= root->alpha || line->score >= root->beta || !leads_brothers(root, eldest)) {
        return false;
    }
    root->alpha = line->score;
    eldest->state = ROOT_MOVE_DONE;
    root->phase = ROOT_BROTHERS;
    return true;
}

bool root_job_improved(Root *root, RootJobId id, const Line *line)
{
    RootMove *move = find_move(root, line->moves[0]);
    if (root->phase == ROOT_FINISHED || move == NULL || !is_out_with(move, id)) {
        return false;
    }
    if (root->phase == ROOT_BROTHERS) {
        return brother_improved(root, move, line);
    }
    /* Of a brother, while nothing is known of the eldest, it cannot be believed. */
    return move == &root->moves[root->line_index] && eldest_improved(root, move, line);
}

/* A peer may send anything: a result must be a score, and above alpha it must bring its line. */
static bool is_credible(const Root *root, const RootMove *eldest, const RootJobResult *result)
{
    return result->score > -SCORE_INFINITE && result->score < SCORE_INFINITE &&
           (result->score <= root->alpha || eldest->line.score != SCORE_NONE);
}

/* Whether the eldest was promoted for passing beta, so that the best before it is the next. */
static bool has_best_before(const Root *root)
{
    const int next = root->line_index + 1;
    return next < root->move_count && root->moves[next].line.score != SCORE_NONE;
}

/*
 * The first move is the best again. A better one that is gone may have left a higher alpha behind:
 * what failed low against that has to be searched against what is left.
 */
static void restore_best(Root *root)
{
    RootMove *best = &root->moves[root->line_index];
    best->state = ROOT_MOVE_DONE;
    root->phase = ROOT_BROTHERS;
    if (root->alpha > best->line.score) {
        root->alpha = best->line.score;
        for (int i = root->line_index + 1; i < root->move_count; i++) {
            if (root->moves[i].state == ROOT_MOVE_DONE) {
                root->moves[i].state = ROOT_MOVE_PENDING;
            }
        }
    }
}

/* The eldest's job is done, and its moves are pending again. */
static void eldest_done(Root *root, const RootJobResult *result)
{
    RootMove *eldest = &root->moves[root->line_index];
    if (!is_credible(root, eldest, result)) {
        return;
    }
    if (result->score >= root->beta) {
        widen_up(root, result->score);
    } else if (result->score > root->alpha) {
        root->alpha = result->score;
        eldest->state = ROOT_MOVE_DONE;
        root->phase = ROOT_BROTHERS;
    } else if (has_best_before(root)) {
        /* It passed beta with a null window but fell back: the best before it stands. */
        eldest->line.score = SCORE_NONE;
        eldest->state = ROOT_MOVE_DONE;
        bring_up(root, root->line_index + 1, root->line_index);
        restore_best(root);
    } else {
        eldest->line.score = SCORE_NONE;
        widen_down(root, result->score);
    }
}

static void note_costs(Root *root, const RootJobResult *result)
{
    root->nodes += result->nodes;
    for (int i = 0; i < result->cost_count; i++) {
        RootMove *move = find_move(root, result->costs[i].move);
        if (move != NULL) {
            move->nodes = result->costs[i].nodes;
            move->kills = 0;
        }
    }
}

static bool brothers_are_done(const Root *root)
{
    for (int i = root->line_index; i < root->move_count; i++) {
        if (root->moves[i].state != ROOT_MOVE_DONE) {
            return false;
        }
    }
    return true;
}

void root_job_done(Root *root, const RootJobResult *result)
{
    note_costs(root, result);
    if (result->line.length > 0) {
        (void)root_job_improved(root, result->id, &result->line);
    }
    if (!root_job_is_out(root, result->id)) {
        return;
    }
    if (root->phase == ROOT_ELDEST) {
        root_job_lost(root, result->id); /* brothers in the same job have not had their turn */
        eldest_done(root, result);
    } else {
        for (int i = 0; i < result->cost_count; i++) {
            RootMove *move = find_move(root, result->costs[i].move);
            if (move != NULL && is_out_with(move, result->id)) {
                move->state = ROOT_MOVE_DONE;
            }
        }
        root_job_lost(root, result->id); /* what it did not get to is still to be done */
    }
    if (root->phase == ROOT_BROTHERS && brothers_are_done(root)) {
        finish_line(root);
    }
}

void root_job_lost(Root *root, RootJobId id)
{
    for (int i = 0; i < root->move_count; i++) {
        if (is_out_with(&root->moves[i], id)) {
            root->moves[i].state = ROOT_MOVE_PENDING;
        }
    }
}

/* The best before a promoted eldest has its score already, and is not searched against itself. */
static void give_up_eldest(Root *root)
{
    RootMove *next = &root->moves[root->line_index];
    if (next->line.score == SCORE_NONE) {
        next->state = ROOT_MOVE_PENDING;
    } else {
        restore_best(root);
    }
}

/* The search goes on as if the move were not there, unless it is the only one. */
static void give_up(Root *root, int index)
{
    const bool was_best = root->phase == ROOT_BROTHERS && index == root->line_index;
    if (root->move_count == 1) {
        root->phase = ROOT_FINISHED;
        return;
    }
    memmove(&root->moves[index], &root->moves[index + 1],
            (size_t)(root->move_count - index - 1) * sizeof root->moves[0]);
    root->move_count--;
    root->given_up_count++;
    if (root->given_up_count > ROOT_GIVEN_UP_MAX) {
        root->phase = ROOT_FINISHED;
    } else if (root->line_index == root->move_count) {
        finish_iteration(root); /* of several lines the last has lost its only move */
    } else {
        if (root->phase == ROOT_ELDEST) {
            give_up_eldest(root);
        } else if (was_best) {
            restore_best(root);
        }
        if (root->phase == ROOT_BROTHERS && brothers_are_done(root)) {
            finish_line(root);
        }
    }
}

Move root_job_killed(Root *root, RootJobId id)
{
    Move given_up = MOVE_NONE;
    for (int i = root->move_count - 1; i >= 0; i--) {
        RootMove *move = &root->moves[i];
        if (is_out_with(move, id)) {
            move->state = ROOT_MOVE_PENDING;
            move->kills++;
            if (move->kills >= ROOT_KILLS_MAX) {
                given_up = move->move;
                give_up(root, i);
            }
        }
    }
    return given_up;
}

/*
 * Whether the move is lost by what this iteration has found of it alone: as long as its brothers
 * have not been searched too, that is not the value of the root.
 */
static bool is_unproven_loss(const Root *root, const RootMove *move)
{
    return root->depth_done < root->depth && score_is_loss(move->line.score) &&
           move->previous.score != SCORE_NONE && move->previous.score > move->line.score;
}

/* ---- several searches side by side ---- */

/* The moves in the other root's order, with what it knows of them. */
static void adopt_moves(Root *root, const Root *ahead)
{
    for (int i = ahead->move_count - 1; i >= 0; i--) {
        const RootMove *known = &ahead->moves[i];
        RootMove *move = find_move(root, known->move);
        if (move != NULL) {
            move->nodes = known->nodes;
            move->previous = known->previous;
            move->line = known->previous;
            bring_up(root, (int)(move - root->moves), 0);
        }
    }
}

/*
 * The lines of the other root's last iteration to the front, best first. It may have found better
 * ones since, which is not what that iteration came to.
 */
static void bring_up_lines(Root *root, const Root *ahead)
{
    int lines = 0;
    for (int i = 0; i < root->move_count; i++) {
        if (root->moves[i].previous.depth == ahead->depth_done) {
            bring_up(root, i, lines++);
        }
    }
    sort_moves(root, 0, lines, value_score);
    bring_up(root, (int)(find_move(root, ahead->best_move) - root->moves), 0); /* of equal ones */
}

void root_adopt(Root *root, const Root *ahead)
{
    if (root->phase == ROOT_FINISHED || ahead->depth_done == 0 ||
        find_move(root, ahead->best_move) == NULL) {
        return;
    }
    root->depth = ahead->depth_done;
    adopt_moves(root, ahead);
    bring_up_lines(root, ahead);
    note_iteration(root);
    root->best_move_nodes = ahead->best_move_nodes;
    root->iteration_nodes = ahead->iteration_nodes;
    go_on(root);
}

bool root_skips(int number, int depth)
{
    enum { PATTERNS = 20 }; /* 2 of runs of one, 4 of two, 6 of three, 8 of four */
    if (number == 0) {
        return false;
    }
    int phase = (number - 1) % PATTERNS;
    int run = 1;
    while (phase >= 2 * run) {
        phase -= 2 * run;
        run++;
    }
    return (depth + phase) / run % 2 != 0;
}

void root_skip_ahead(Root *root, int number)
{
    const int wanted = root->limits.depth;
    const int limit = wanted > 0 && wanted < ROOT_DEPTH_MAX ? wanted : ROOT_DEPTH_MAX;
    while (root->line_index == 0 && root->depth < limit && root_skips(number, root->depth)) {
        root->depth++;
    }
}

const Line *root_line(const Root *root, int index)
{
    if (index >= line_count(root)) {
        return NULL;
    }
    const RootMove *move = &root->moves[index];
    return move->line.score != SCORE_NONE && !is_unproven_loss(root, move) ? &move->line
                                                                           : &move->previous;
}
