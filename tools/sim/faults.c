#include "tools/sim/faults.h"

#include "base/check.h"

static int64_t draw(Faults *faults, int64_t bound)
{
    return (int64_t)prng_below(&faults->prng, (uint64_t)bound);
}

static int64_t draw_duration(Faults *faults)
{
    enum { MS = 1000000, DOUBLINGS = 11 };
    const int64_t least_ns = (int64_t)MS << draw(faults, DOUBLINGS);
    return least_ns + draw(faults, least_ns);
}

static void draw_next(Faults *faults, int64_t after_ns)
{
    faults->next.at_ns = after_ns + 1 + draw(faults, 2 * faults->mean_ns);
    faults->next.kind = (FaultKind)draw(faults, FAULT_KINDS);
    faults->next.machine = (int)draw(faults, faults->machines);
    faults->next.duration_ns = draw_duration(faults);
}

void faults_init(Faults *faults, int64_t mean_ns, int machines, uint64_t seed, int64_t from_ns)
{
    *faults = (Faults){.machines = machines, .mean_ns = mean_ns, .next = {.at_ns = INT64_MAX}};
    prng_init(&faults->prng, seed);
    if (mean_ns > 0) {
        draw_next(faults, from_ns);
    }
}

void faults_init_single(Faults *faults, const Fault *fault)
{
    *faults = (Faults){.next = *fault};
}

Fault faults_take(Faults *faults)
{
    const Fault fault = faults->next;
    CHECK(fault.at_ns != INT64_MAX);
    if (faults->mean_ns > 0) {
        draw_next(faults, fault.at_ns);
    } else {
        faults->next.at_ns = INT64_MAX;
    }
    return fault;
}
