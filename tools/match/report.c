#include "tools/match/report.h"

#include <stdio.h>

/* ---- Summary ---- */

static void print_results(const Tally *tally)
{
    const int *pairs = tally->pairs.counts;
    const double points = tally->wins + 0.5 * tally->draws;
    printf("%s against %s\n", tally->engine, tally->opponent);
    printf("games             %d: %d won, %d lost, %d drawn\n", tally->games, tally->wins,
           tally->losses, tally->draws);
    if (tally->games > 0) {
        printf("score             %.2f%%\n", 100 * points / tally->games);
    }
    printf("pairs             %d: %d %d %d %d %d with 0, 1/2, 1, 3/2, 2 points\n",
           (tally->games - tally->alone) / 2, pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]);
    if (tally->alone > 0) {
        printf("alone             %d games without their other half%s\n", tally->alone,
               tally->alone < tally->games ? ", left out below" : "");
    }
    if (tally->unfinished > 0) {
        printf("unfinished        %d games, left out\n", tally->unfinished);
    }
    if (tally->unreadable > 0) {
        printf("unreadable        %d games, left out\n", tally->unreadable);
    }
}

static void print_elo(const Estimate *estimate)
{
    printf("Elo difference    %+.1f", estimate->elo);
    if (estimate->has_error) {
        printf(" +- %.1f (95%%: %+.1f to %+.1f)\n", estimate->elo_error, estimate->elo_low,
               estimate->elo_high);
    } else {
        printf(", error unknown: too few games, or too much alike\n");
    }
}

static void print_strength(const Samples *samples)
{
    const Estimate estimate = statistics_estimate(samples);
    print_elo(&estimate);
    if (estimate.nelo != 0) {
        printf("normalized Elo    %+.1f +- %.1f\n", estimate.nelo, estimate.nelo_error);
    }
    if (estimate.has_los) {
        printf("superiority       %.2f%% likely\n", 100 * estimate.los);
    }
}

static void print_fault(const char *label, int by_engine, int by_opponent, const Tally *tally)
{
    printf("%-17s %d by %s, %d by %s\n", label, by_engine, tally->engine, by_opponent,
           tally->opponent);
}

static void print_faults(const Tally *tally)
{
    const Faults *engine = &tally->by_engine;
    const Faults *opponent = &tally->by_opponent;
    print_fault("losses on time", engine->time_losses, opponent->time_losses, tally);
    print_fault("illegal moves", engine->illegal_moves, opponent->illegal_moves, tally);
    print_fault("disconnects", engine->disconnects, opponent->disconnects, tally);
}

static void print_test(const Samples *samples, const Sprt *sprt)
{
    const double ratio = statistics_llr(samples, sprt->elo0, sprt->elo1);
    const double bound = statistics_llr_bound();
    printf("LLR               %+.2f of %+.2f to %+.2f for Elo %g against %g: ", ratio, -bound,
           bound, sprt->elo1, sprt->elo0);
    if (ratio >= bound) {
        printf("%g accepted\n", sprt->elo1);
    } else if (ratio <= -bound) {
        printf("%g accepted\n", sprt->elo0);
    } else {
        printf("undecided\n");
    }
}

void report_summary(const Tally *tally, const Sprt *sprt)
{
    const Samples *samples = tally_samples(tally);
    print_results(tally);
    print_strength(samples);
    print_faults(tally);
    if (sprt->is_wanted) {
        print_test(samples, sprt);
    }
}

/* ---- Ratio ---- */

static void print_gain(const Tally *tally, const Estimate *estimate)
{
    printf("%s against %s, %d games: ", tally->engine, tally->opponent, tally->games);
    print_elo(estimate);
}

Status report_ratio(const Tally *tally, const Tally *other)
{
    const Estimate gain = statistics_estimate(tally_samples(tally));
    const Estimate other_gain = statistics_estimate(tally_samples(other));
    print_gain(tally, &gain);
    print_gain(other, &other_gain);
    if (!gain.has_error || !other_gain.has_error || other_gain.elo == 0) {
        return status_error(STATUS_UNAVAILABLE,
                            "these gains cannot be divided: more games are needed");
    }
    const GainRatio ratio = statistics_gain_ratio(&gain, &other_gain);
    printf("ratio             %.2f +- %.2f (95%%)\n", ratio.ratio, ratio.error);
    return status_ok();
}
