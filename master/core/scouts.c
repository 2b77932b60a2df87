#include "master/core/scouts.h"

#include <string.h>

/* Names of jobs that each search of a session has to itself; shares have theirs (jobs.c). */
static const RootJobId names_each = 1 << 24;

void scouts_init(Scouts *scouts)
{
    memset(scouts, 0, sizeof *scouts);
}

int scouts_count(const Scouts *scouts, const Session *session)
{
    int count = 0;
    for (int i = 0; i < SCOUTS_MAX; i++) {
        count += scouts->list[i].session == session;
    }
    return count;
}

Scout *scouts_last(Scouts *scouts, const Session *session)
{
    Scout *last = NULL;
    for (int i = 0; i < SCOUTS_MAX; i++) {
        Scout *scout = &scouts->list[i];
        if (scout->session == session && (last == NULL || scout->number > last->number)) {
            last = scout;
        }
    }
    return last;
}

Scout *scouts_open(Scouts *scouts, const Session *session)
{
    const Scout *last = scouts_last(scouts, session);
    const int number = last == NULL ? 1 : last->number + 1;
    for (int i = 0; i < SCOUTS_MAX; i++) {
        Scout *scout = &scouts->list[i];
        if (scout->session == NULL) {
            scout->session = session;
            scout->number = number;
            root_start(&scout->root, &session->position, &session->root.limits);
            scout->root.next_id += (RootJobId)number * names_each;
            return scout;
        }
    }
    return NULL;
}

void scouts_close(Scout *scout)
{
    scout->session = NULL;
}

/* Where the search is between iterations, on to one that is worth its while. */
static void go_on(Scout *scout)
{
    Root *root = &scout->root;
    const Root *lead = &scout->session->root;
    const int limit = root->limits.depth > 0 ? root->limits.depth : ROOT_DEPTH_MAX;
    if (lead->depth_done >= root->depth) {
        root_adopt(root, lead);
    }
    int depth = root->depth;
    while (depth < limit && root_skips(scout->number, depth)) {
        depth++;
    }
    root_skip_to(root, depth);
}

bool scouts_next_job(Scout *scout, int slot_count, RootJob *job)
{
    if (!root_has_jobs_out(&scout->root)) {
        go_on(scout);
    }
    return root_next_job(&scout->root, slot_count, job);
}
