#include "worker/search/reductions.h"

enum { LOGARITHM_COUNT = 128 };

/* round(1024 * ln(i)); the entry for 0 is never meaningful. */
static const int logarithms[LOGARITHM_COUNT] = {
    0,    0,    710,  1125, 1420, 1648, 1835, 1993, 2129, 2250, 2358, 2455, 2545, 2627, 2702, 2773,
    2839, 2901, 2960, 3015, 3068, 3118, 3165, 3211, 3254, 3296, 3336, 3375, 3412, 3448, 3483, 3516,
    3549, 3580, 3611, 3641, 3670, 3698, 3725, 3751, 3777, 3803, 3827, 3851, 3875, 3898, 3921, 3943,
    3964, 3985, 4006, 4026, 4046, 4066, 4085, 4104, 4122, 4140, 4158, 4175, 4193, 4210, 4226, 4243,
    4259, 4275, 4290, 4306, 4321, 4336, 4350, 4365, 4379, 4393, 4407, 4421, 4435, 4448, 4461, 4474,
    4487, 4500, 4512, 4525, 4537, 4549, 4561, 4573, 4585, 4596, 4608, 4619, 4630, 4641, 4652, 4663,
    4674, 4685, 4695, 4705, 4716, 4726, 4736, 4746, 4756, 4766, 4775, 4785, 4795, 4804, 4813, 4823,
    4832, 4841, 4850, 4859, 4868, 4876, 4885, 4894, 4902, 4911, 4919, 4928, 4936, 4944, 4952, 4960,
};

static int logarithm(int value)
{
    return logarithms[value < LOGARITHM_COUNT ? value : LOGARITHM_COUNT - 1];
}

int reductions_fine(bool is_quiet, int depth, int number)
{
    /* Base + ln(depth) * ln(number) / divisor. */
    enum { QUIET_BASE = 800, QUIET_DIVISOR = 2300, TACTICAL_BASE = 100, TACTICAL_DIVISOR = 3300 };
    const int base = is_quiet ? QUIET_BASE : TACTICAL_BASE;
    const int divisor = is_quiet ? QUIET_DIVISOR : TACTICAL_DIVISOR;
    return base + logarithm(depth) * logarithm(number) / divisor;
}

int reductions_plies(bool is_quiet, int depth, int number)
{
    return reductions_fine(is_quiet, depth, number) / REDUCTIONS_PLY;
}
