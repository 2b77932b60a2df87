#include "tools/sim/statistics.h"

#include <math.h>

#include "base/check.h"

/* Student's t for a two-sided 95% interval; at least one degree of freedom. */
static double student_t95(int degrees_of_freedom)
{
    static const double exact[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262};
    const int count = (int)(sizeof exact / sizeof exact[0]);
    CHECK(degrees_of_freedom >= 1);
    if (degrees_of_freedom <= count) {
        return exact[degrees_of_freedom - 1];
    }
    /* The first terms of Student's expansion about the normal distribution: to three digits. */
    const double z = 1.959964;
    const double n = degrees_of_freedom;
    return z + (pow(z, 3) + z) / (4 * n) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * n * n) +
           (3 * pow(z, 7) + 19 * pow(z, 5) + 17 * pow(z, 3) - 15 * z) / (384 * n * n * n);
}

static double sum_of(const Experiment *experiment, int size, Figure figure)
{
    double sum = 0;
    for (int i = 0; i < experiment->position_count; i++) {
        for (int j = 0; j < experiment->seed_count; j++) {
            sum += (double)experiment_result(experiment, i, size, j)->figures[figure];
        }
    }
    return sum;
}

static double ratio(double numerator, double denominator)
{
    return denominator > 0 ? numerator / denominator : 0;
}

/* Of all seeds of a position, which do not vary independently of each other. */
static double log_speedup(const Experiment *experiment, int position, int size)
{
    double logs = 0;
    for (int i = 0; i < experiment->seed_count; i++) {
        const TrialResult *result = experiment_result(experiment, position, size, i);
        logs += log(trial_speedup(&experiment->settings, result));
    }
    return logs / experiment->seed_count;
}

static void add_speedup(const Experiment *experiment, int size, Summary *summary)
{
    const int count = experiment->position_count;
    double logs = 0;
    double squares = 0;
    for (int i = 0; i < count; i++) {
        const double value = log_speedup(experiment, i, size);
        logs += value;
        squares += value * value;
    }
    const double mean = logs / count;
    double margin = 0;
    if (count > 1) {
        const double variance = fmax(0, (squares - count * mean * mean) / (count - 1));
        margin = student_t95(count - 1) * sqrt(variance / count);
    }
    summary->speedup = exp(mean);
    summary->has_interval = count > 1;
    summary->low = exp(mean - margin);
    summary->high = exp(mean + margin);
}

/* What is counted by trial: overhead, moves, and the time of all slots, nanoseconds. */
static double add_trials(const Experiment *experiment, int size, Summary *summary)
{
    const int trials = experiment->position_count * experiment->seed_count;
    double overheads = 0;
    double slot_ns = 0;
    int same = 0;
    for (int i = 0; i < trials; i++) {
        const int64_t *figures = experiment_result(experiment, i / experiment->seed_count, size,
                                                   i % experiment->seed_count)
                                     ->figures;
        overheads += log((double)figures[FIGURE_NODES] / (double)figures[FIGURE_SERIAL_NODES]);
        slot_ns += (double)figures[FIGURE_TIME_NS] * (double)figures[FIGURE_SLOTS];
        same += figures[FIGURE_MOVE] == figures[FIGURE_SERIAL_MOVE];
        summary->solved += figures[FIGURE_IS_SOLVED] != 0;
    }
    summary->overhead = exp(overheads / trials);
    summary->same_move = (double)same / trials;
    return slot_ns;
}

Summary statistics_summary(const Experiment *experiment, int size)
{
    Summary summary = {.workers = experiment->workers[size],
                       .positions = experiment->position_count};
    add_speedup(experiment, size, &summary);
    const double slot_ns = add_trials(experiment, size, &summary);
    const double seconds = sum_of(experiment, size, FIGURE_TIME_NS) / 1e9;
    const double offers = sum_of(experiment, size, FIGURE_OFFERS);
    summary.idle = fmax(0, 1 - ratio(sum_of(experiment, size, FIGURE_BUSY_NS), slot_ns));
    summary.comm = ratio(sum_of(experiment, size, FIGURE_MESSAGE_NS), slot_ns);
    summary.master_load = ratio(sum_of(experiment, size, FIGURE_MASTER_NS) / 1e9, seconds);
    summary.messages_per_s = ratio(sum_of(experiment, size, FIGURE_MESSAGES), seconds);
    summary.bytes_per_s = ratio(sum_of(experiment, size, FIGURE_BYTES), seconds);
    summary.pushed_per_s = ratio(sum_of(experiment, size, FIGURE_PUSHED_BYTES), seconds);
    summary.share_nodes = ratio(sum_of(experiment, size, FIGURE_SHARE_NODES),
                                sum_of(experiment, size, FIGURE_SHARES));
    summary.offers_per_s = ratio(offers, seconds);
    summary.withdrawn = ratio(sum_of(experiment, size, FIGURE_WITHDRAWN), offers);
    summary.cancelled = ratio(sum_of(experiment, size, FIGURE_CANCELLED_NODES),
                              sum_of(experiment, size, FIGURE_NODES));
    summary.wait_ms = ratio(sum_of(experiment, size, FIGURE_WAITED_NS) / 1e6,
                            sum_of(experiment, size, FIGURE_WAITS));
    return summary;
}
