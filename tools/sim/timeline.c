#include "tools/sim/timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

enum {
    BARS_MAX = 4 << 20,
    CAPACITY_FIRST = 1024,
    DEPTHS_MAX = 256,
    WIDTH = 2000, /* of the drawing, pixels */
    LEFT = 60,
    TOP = 60,
    ROW_HEIGHT = 14,
};

typedef struct {
    int machine;
    int lane;
    int64_t at_ns;
    bool is_offer;
} Mark;

struct Timeline {
    int machines;
    int lanes; /* of each */
    int slots; /* of each */
    TimelineBar *bars;
    int bar_count;
    int bar_capacity;
    Mark *marks;
    int mark_count;
    int mark_capacity;
    uint64_t dropped; /* bars and marks */
};

Timeline *timeline_new(int machines, int lanes, int slots)
{
    Timeline *timeline = calloc(1, sizeof *timeline);
    if (timeline != NULL) {
        timeline->machines = machines;
        timeline->lanes = lanes;
        timeline->slots = slots;
    }
    return timeline;
}

void timeline_destroy(Timeline **timeline)
{
    if (*timeline != NULL) {
        free((*timeline)->bars);
        free((*timeline)->marks);
        free(*timeline);
        *timeline = NULL;
    }
}

/* Makes room for one more element; false when there are too many. */
static bool make_room(void **list, int count, int *capacity, size_t bytes)
{
    if (count == BARS_MAX) {
        return false;
    }
    if (count == *capacity) {
        *capacity = count == 0 ? CAPACITY_FIRST : 2 * count;
        *list = realloc(*list, (size_t)*capacity * bytes);
        CHECK(*list != NULL);
    }
    return true;
}

void timeline_add(Timeline *timeline, const TimelineBar *bar)
{
    void *list = timeline->bars;
    const bool has_room =
        make_room(&list, timeline->bar_count, &timeline->bar_capacity, sizeof *bar);
    timeline->bars = list;
    if (has_room) {
        timeline->bars[timeline->bar_count++] = *bar;
    } else {
        timeline->dropped++;
    }
}

void timeline_mark(Timeline *timeline, int machine, int lane, int64_t at_ns, bool is_offer)
{
    void *list = timeline->marks;
    const bool has_room =
        make_room(&list, timeline->mark_count, &timeline->mark_capacity, sizeof(Mark));
    timeline->marks = list;
    if (has_room) {
        timeline->marks[timeline->mark_count++] =
            (Mark){.machine = machine, .lane = lane, .at_ns = at_ns, .is_offer = is_offer};
    } else {
        timeline->dropped++;
    }
}

/* ---- the drawing ---- */

typedef struct {
    FILE *file;
    const Timeline *timeline;
    int64_t begin_ns;
    int64_t end_ns;
} Drawing;

static double x_of(const Drawing *drawing, int64_t at_ns)
{
    return LEFT + (double)(at_ns - drawing->begin_ns) /
                      (double)(drawing->end_ns - drawing->begin_ns) * (WIDTH - LEFT - 10);
}

static int y_of(const Drawing *drawing, int machine, int lane)
{
    return TOP + ROW_HEIGHT * (machine * drawing->timeline->lanes + lane);
}

static void draw_grid(const Drawing *drawing)
{
    enum { LINES = 20 };
    const Timeline *timeline = drawing->timeline;
    const int bottom = y_of(drawing, timeline->machines, 0);
    for (int i = 0; i <= LINES; i++) {
        const int64_t at_ns = drawing->begin_ns + (drawing->end_ns - drawing->begin_ns) * i / LINES;
        fprintf(drawing->file,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ccc\"/>"
                "<text x=\"%.1f\" y=\"%d\">%.1f ms</text>\n",
                x_of(drawing, at_ns), TOP - 12, x_of(drawing, at_ns), bottom, x_of(drawing, at_ns),
                TOP - 15, (double)(at_ns - drawing->begin_ns) / 1e6);
    }
    for (int i = 0; i < timeline->machines; i++) {
        fprintf(drawing->file,
                "<line x1=\"0\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#999\"/>"
                "<text x=\"4\" y=\"%d\">worker %d</text>\n",
                y_of(drawing, i, 0), WIDTH, y_of(drawing, i, 0),
                y_of(drawing, i, 0) + ROW_HEIGHT - 3, i);
    }
}

/* Searching bars are coloured by the depth of their job; the root's are darker. */
static void draw_bar(const Drawing *drawing, const TimelineBar *bar)
{
    static const char *const names[] = {"searches", "waits", "is paused"};
    enum { HUE_STEP = 17 };
    char colour[48];
    if (bar->end_ns <= drawing->begin_ns || bar->begin_ns >= drawing->end_ns) {
        return;
    }
    const int64_t begin_ns = bar->begin_ns > drawing->begin_ns ? bar->begin_ns : drawing->begin_ns;
    const int64_t end_ns = bar->end_ns < drawing->end_ns ? bar->end_ns : drawing->end_ns;
    const bool is_search = bar->activity == LANE_SEARCHES;
    const int inset = is_search ? 1 : 5;
    if (is_search) {
        (void)snprintf(colour, sizeof colour, "hsl(%d,70%%,%d%%)", bar->depth * HUE_STEP % 360,
                       bar->path_length == 0 ? 40 : 62);
    } else {
        (void)snprintf(colour, sizeof colour, "%s",
                       bar->activity == LANE_WAITS ? "#bbb" : "#e9c46a");
    }
    fprintf(drawing->file,
            "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"%s><title>job "
            "%" PRIu32 "%s %s%s: depth %d at ply %d, %" PRIu64 " nodes, %.3f ms</title></rect>\n",
            x_of(drawing, begin_ns), y_of(drawing, bar->machine, bar->lane) + inset,
            x_of(drawing, end_ns) - x_of(drawing, begin_ns), ROW_HEIGHT - 2 * inset, colour,
            bar->is_cancelled ? " stroke=\"red\" stroke-width=\"0.7\"" : "", bar->job,
            bar->is_eldest ? " (eldest)" : "", names[bar->activity],
            bar->is_cancelled ? " until it is cancelled" : "", bar->depth, bar->path_length,
            bar->nodes, (double)(bar->end_ns - bar->begin_ns) / 1e6);
}

static void draw_mark(const Drawing *drawing, const Mark *mark)
{
    if (mark->at_ns < drawing->begin_ns || mark->at_ns >= drawing->end_ns) {
        return;
    }
    const double x = x_of(drawing, mark->at_ns);
    const int y = y_of(drawing, mark->machine, mark->lane) + 1;
    fprintf(drawing->file, "<path d=\"M%.2f %d l-2 -4 h4 z\" fill=\"%s\"/>\n", x, y + 3,
            mark->is_offer ? "black" : "red");
}

static void draw(const Drawing *drawing)
{
    const Timeline *timeline = drawing->timeline;
    fprintf(drawing->file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"10\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"4\" y=\"16\" font-size=\"13\">Each row is a lane. Coloured by the depth of "
            "its job: it searches (dark: the root); grey: it waits for shares; yellow: paused; "
            "white: idle. Red frame: the job was cancelled. Triangles: a share is offered (black), "
            "wanted no longer (red).</text>\n",
            WIDTH, y_of(drawing, timeline->machines, 0) + 10);
    draw_grid(drawing);
    for (int i = 0; i < timeline->bar_count; i++) {
        draw_bar(drawing, &timeline->bars[i]);
    }
    for (int i = 0; i < timeline->mark_count; i++) {
        draw_mark(drawing, &timeline->marks[i]);
    }
    fprintf(drawing->file, "</svg>\n");
}

Status timeline_write_svg(const Timeline *timeline, const char *path, int64_t begin_ns,
                          int64_t end_ns)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return status_error(STATUS_IO, "%s: %s", path, strerror(errno));
    }
    const Drawing drawing = {
        .file = file, .timeline = timeline, .begin_ns = begin_ns, .end_ns = end_ns};
    draw(&drawing);
    const bool has_failed = ferror(file) != 0;
    return fclose(file) != 0 || has_failed ? status_error(STATUS_IO, "cannot write %s", path)
                                           : status_ok();
}

/* ---- the summary ---- */

/* A slot's beginning or end of searching. */
typedef struct {
    int64_t at_ns;
    int change;     /* of the lanes that search */
    int eldest;     /* of the root's first moves that are out */
    uint32_t depth; /* of an iteration that begins, else 0 */
} Change;

/* What is added up over a stretch of time. */
typedef struct {
    int64_t wall_ns;
    int64_t busy_ns; /* all lanes together */
} Stretch;

typedef struct {
    Stretch eldest;   /* while the root's first move is out */
    Stretch brothers; /* else */
} Iteration;

static int compare_changes(const void *left, const void *right)
{
    const Change *first = left;
    const Change *second = right;
    return first->at_ns != second->at_ns ? (first->at_ns < second->at_ns ? -1 : 1)
                                         : first->change - second->change;
}

static bool is_root_job(const TimelineBar *bar)
{
    return bar->path_length == 0 && !bar->is_split;
}

/* Each bar makes two; an eldest counts as out while its lane does anything with it. */
static int list_changes(const Timeline *timeline, Change *changes)
{
    int count = 0;
    for (int i = 0; i < timeline->bar_count; i++) {
        const TimelineBar *bar = &timeline->bars[i];
        const int searches = bar->activity == LANE_SEARCHES;
        const int eldest = is_root_job(bar) && bar->is_eldest;
        changes[count++] = (Change){.at_ns = bar->begin_ns,
                                    .change = searches,
                                    .eldest = eldest,
                                    .depth = is_root_job(bar) ? (uint32_t)bar->depth : 0};
        changes[count++] = (Change){.at_ns = bar->end_ns, .change = -searches, .eldest = -eldest};
    }
    qsort(changes, (size_t)count, sizeof *changes, compare_changes);
    return count;
}

static void print_iterations(const Iteration *iterations, int slots)
{
    printf("depth   wall ms  first move ms  slots busy then  others ms  slots busy then\n");
    for (int i = 0; i < DEPTHS_MAX; i++) {
        const Stretch *eldest = &iterations[i].eldest;
        const Stretch *others = &iterations[i].brothers;
        const int64_t wall_ns = eldest->wall_ns + others->wall_ns;
        if (wall_ns > 0) {
            printf("%5d %9.2f  %13.2f  %9.2f of %2d  %9.2f  %9.2f of %2d\n", i,
                   (double)wall_ns / 1e6, (double)eldest->wall_ns / 1e6,
                   eldest->wall_ns > 0 ? (double)eldest->busy_ns / (double)eldest->wall_ns : 0,
                   slots, (double)others->wall_ns / 1e6,
                   others->wall_ns > 0 ? (double)others->busy_ns / (double)others->wall_ns : 0,
                   slots);
        }
    }
}

static void print_busy(const int64_t *by_busy_ns, int slots, int64_t wall_ns)
{
    printf("share of the wall time with so many slots at work:");
    for (int i = 0; i <= slots; i++) {
        if (by_busy_ns[i] > 0) {
            printf(" %d: %.1f%%", i, 100 * (double)by_busy_ns[i] / (double)wall_ns);
        }
    }
    printf("\n");
}

/* Follows the changes from begin to end. */
static void sweep(const Timeline *timeline, const Change *changes, int count, int64_t begin_ns,
                  int64_t end_ns)
{
    const int slots = timeline->machines * timeline->slots;
    int64_t *by_busy_ns = calloc((size_t)slots + 1, sizeof *by_busy_ns);
    Iteration *iterations = calloc(DEPTHS_MAX, sizeof *iterations);
    CHECK(by_busy_ns != NULL && iterations != NULL);
    int64_t at_ns = begin_ns;
    int busy = 0;
    int eldest = 0;
    uint32_t depth = 0;
    for (int i = 0; i <= count; i++) {
        const int64_t next_ns = i == count || changes[i].at_ns > end_ns ? end_ns : changes[i].at_ns;
        if (next_ns > at_ns) {
            Iteration *iteration = &iterations[depth < DEPTHS_MAX ? depth : 0];
            Stretch *stretch = eldest > 0 ? &iteration->eldest : &iteration->brothers;
            const int shown = busy < slots ? busy : slots;
            stretch->wall_ns += next_ns - at_ns;
            stretch->busy_ns += shown * (next_ns - at_ns);
            by_busy_ns[shown] += next_ns - at_ns;
            at_ns = next_ns;
        }
        if (i < count) {
            busy += changes[i].change;
            eldest += changes[i].eldest;
            depth = changes[i].depth > depth ? changes[i].depth : depth;
        }
    }
    print_iterations(iterations, slots);
    print_busy(by_busy_ns, slots, end_ns - begin_ns);
    free(by_busy_ns);
    free(iterations);
}

/* Of one activity. */
static void print_bars(const Timeline *timeline, LaneActivity activity, const char *name)
{
    int64_t sum_ns = 0;
    int64_t cancelled_ns = 0;
    int count = 0;
    for (int i = 0; i < timeline->bar_count; i++) {
        const TimelineBar *bar = &timeline->bars[i];
        if (bar->activity == activity) {
            count++;
            sum_ns += bar->end_ns - bar->begin_ns;
            cancelled_ns += bar->is_cancelled ? bar->end_ns - bar->begin_ns : 0;
        }
    }
    printf("%s: %d times, %.3f ms on average, %.1f%% ended by a cancel\n", name, count,
           count > 0 ? (double)sum_ns / count / 1e6 : 0,
           sum_ns > 0 ? 100 * (double)cancelled_ns / (double)sum_ns : 0);
}

/* Whole shares of inner nodes, by what was left of the depth. */
static void print_shares(const Timeline *timeline)
{
    uint64_t nodes[DEPTHS_MAX] = {0};
    int counts[DEPTHS_MAX] = {0};
    for (int i = 0; i < timeline->bar_count; i++) {
        const TimelineBar *bar = &timeline->bars[i];
        if (bar->is_split && bar->activity == LANE_SEARCHES && bar->depth < DEPTHS_MAX) {
            nodes[bar->depth] += bar->nodes;
            counts[bar->depth]++;
        }
    }
    printf("stretches of shares by their depth (nodes on average):");
    for (int i = 0; i < DEPTHS_MAX; i++) {
        if (counts[i] > 0) {
            printf(" %d: %d (%" PRIu64 ")", i, counts[i], nodes[i] / (uint64_t)counts[i]);
        }
    }
    printf("\n");
}

void timeline_print_summary(const Timeline *timeline, int64_t begin_ns, int64_t end_ns)
{
    Change *changes = calloc(2 * (size_t)timeline->bar_count + 1, sizeof *changes);
    CHECK(changes != NULL);
    sweep(timeline, changes, list_changes(timeline, changes), begin_ns, end_ns);
    free(changes);
    print_bars(timeline, LANE_SEARCHES, "searching");
    print_bars(timeline, LANE_WAITS, "waiting for shares");
    print_bars(timeline, LANE_PAUSES, "paused");
    print_shares(timeline);
    if (timeline->dropped > 0) {
        printf("%" PRIu64 " bars and marks were too many to keep\n", timeline->dropped);
    }
}
