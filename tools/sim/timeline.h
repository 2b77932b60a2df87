/*
 * Timeline: who worked on what during one search, for a drawing and a summary in words.
 *
 * A bar is a stretch of one lane's time: it searches a job, waits for shares it gave away, or is
 * paused because older jobs need its core. A lane without a bar is idle.
 */
#ifndef ROOKERY_TOOLS_SIM_TIMELINE_H
#define ROOKERY_TOOLS_SIM_TIMELINE_H

#include "base/status.h"

#include <stdint.h>

typedef enum { LANE_SEARCHES, LANE_WAITS, LANE_PAUSES } LaneActivity;

typedef struct {
    int machine; /* from 0 */
    int lane;    /* of the machine, from 0 */
    LaneActivity activity;
    int64_t begin_ns;
    int64_t end_ns;
    uint32_t job;      /* its number */
    int depth;         /* of the job, plies */
    int path_length;   /* plies from the root to its node */
    bool is_split;     /* a share of an inner node */
    bool is_eldest;    /* of the root's first move */
    bool is_cancelled; /* the job ended by being cancelled during this bar */
    uint64_t nodes;    /* searched in this bar */
} TimelineBar;

typedef struct Timeline Timeline;

/* An empty one for machines of `lanes` lanes and `slots` slots each; NULL when memory is short. */
Timeline *timeline_new(int machines, int lanes, int slots);

/* Frees it and nulls the pointer; NULL is allowed. */
void timeline_destroy(Timeline **timeline);

/* Adds a bar; dropped when there are too many to draw. */
void timeline_add(Timeline *timeline, const TimelineBar *bar);

/* A share was given away, or taken back, by a lane at that time. */
void timeline_mark(Timeline *timeline, int machine, int lane, int64_t at_ns, bool is_offer);

/* Draws what happened between the two times. Errors: STATUS_IO. */
__attribute__((warn_unused_result)) Status
timeline_write_svg(const Timeline *timeline, const char *path, int64_t begin_ns, int64_t end_ns);

/* Prints where the slots' time went, on stdout. */
void timeline_print_summary(const Timeline *timeline, int64_t begin_ns, int64_t end_ns);

#endif
