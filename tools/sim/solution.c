#include "tools/sim/solution.h"

enum { RIGHT_ITERATIONS = 3 }; /* the solution and its proof */

void solution_init(Solution *solution, const Epd *epd, int64_t limit)
{
    *solution = (Solution){.epd = epd, .limit = limit};
}

void solution_note(Solution *solution, int depth, int64_t at, Move best)
{
    if (depth <= solution->depth || solution_is_found(solution)) {
        return;
    }
    solution->depth = depth;
    solution->best = best;
    if (!epd_move_is_right(solution->epd, best)) {
        solution->right = 0;
    } else if (solution->right > 0) {
        solution->right++;
    } else if (at <= solution->limit) {
        solution->right = 1;
        solution->found = at;
        solution->found_depth = depth;
    }
}

bool solution_is_found(const Solution *solution)
{
    return solution->right == RIGHT_ITERATIONS;
}

bool solution_is_over(const Solution *solution, int64_t now)
{
    return solution_is_found(solution) || (now > solution->limit && solution->right == 0);
}
