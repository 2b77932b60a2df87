#include "master/core/scouts.h"

#include <stddef.h>

/* Names of jobs that each search of a session has to itself; shares have theirs (jobs.c). */
static const RootJobId names_each = 1 << 24;

void scouts_init(Scouts *scouts)
{
    scouts->openings = 0;
    for (int i = 0; i < SCOUTS_MAX; i++) { /* and no more: the roots are large */
        scouts->list[i].session = NULL;
    }
}

int scouts_count(const Scouts *scouts, const Session *session)
{
    int count = 0;
    for (int i = 0; i < SCOUTS_MAX; i++) {
        count += scouts->list[i].session == session;
    }
    return count;
}

/* Can the left one rather be spared than the right one? */
static bool is_less(const Scout *left, const Scout *right)
{
    const bool left_is_idle = !root_has_jobs_out(&left->root);
    const bool right_is_idle = !root_has_jobs_out(&right->root);
    return left_is_idle != right_is_idle ? left_is_idle : left->number > right->number;
}

Scout *scouts_least(Scouts *scouts, const Session *session)
{
    Scout *least = NULL;
    for (int i = 0; i < SCOUTS_MAX; i++) {
        Scout *scout = &scouts->list[i];
        if (scout->session == session && (least == NULL || is_less(scout, least))) {
            least = scout;
        }
    }
    return least;
}

static int first_unused_number(const Scouts *scouts, const Session *session)
{
    bool is_used[SCOUTS_MAX + 2] = {false};
    for (int i = 0; i < SCOUTS_MAX; i++) {
        if (scouts->list[i].session == session) {
            is_used[scouts->list[i].number] = true;
        }
    }
    int number = 1;
    while (is_used[number]) {
        number++;
    }
    return number;
}

Scout *scouts_open(Scouts *scouts, const Session *session)
{
    for (int i = 0; i < SCOUTS_MAX; i++) {
        Scout *scout = &scouts->list[i];
        if (scout->session == NULL) {
            scout->number = first_unused_number(scouts, session);
            scout->session = session;
            scout->opening = ++scouts->openings;
            root_start(&scout->root, &session->position, &session->root.limits);
            scout->root.next_id += (RootJobId)scout->number * names_each;
            return scout;
        }
    }
    return NULL;
}

void scouts_close(Scout *scout)
{
    scout->session = NULL;
}

/* While nothing of it is out, between two lines too: on to an iteration that is worth its while. */
static void go_on(Scout *scout)
{
    Root *root = &scout->root;
    const Root *lead = &scout->session->root;
    if (lead->depth_done >= root->depth) {
        root_adopt(root, lead);
    }
    root_skip_ahead(root, scout->number);
}

bool scouts_next_job(Scout *scout, int slot_count, RootJob *job)
{
    if (!root_has_jobs_out(&scout->root)) {
        go_on(scout);
    }
    return root_next_job(&scout->root, slot_count, job);
}
