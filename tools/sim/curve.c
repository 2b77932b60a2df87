#include "tools/sim/curve.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 720,
    HEIGHT = 520,
    MARGIN = 60,
    DOUBLINGS = 8, /* both axes go from 1 to 256 */
};

typedef struct {
    double workers;
    double speedup;
} Point;

static const Point splitting[] = {{1, 1}, {2, 2}, {4, 3.7}, {8, 6.6}, {16, 11.1}};
static const Point zugzwang[] = {{256, 142}};

/* Both axes are logarithmic. */
static double x_of(double workers)
{
    return MARGIN + log2(workers) / DOUBLINGS * (WIDTH - 2 * MARGIN);
}

static double y_of(double speedup)
{
    const double shown = speedup < 0.5 ? 0.5 : speedup;
    return HEIGHT - MARGIN - log2(shown) / DOUBLINGS * (HEIGHT - 2 * MARGIN);
}

static void write_axes(FILE *file)
{
    for (int i = 0; i <= DOUBLINGS; i++) {
        const double at = exp2(i);
        fprintf(file,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n"
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n"
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>\n",
                x_of(at), y_of(1), x_of(at), y_of(exp2(DOUBLINGS)), x_of(1), y_of(at),
                x_of(exp2(DOUBLINGS)), y_of(at), x_of(at), HEIGHT - MARGIN + 18, at, MARGIN - 8,
                y_of(at) + 4, at);
    }
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">workers</text>\n", WIDTH / 2,
            HEIGHT - 18);
    fprintf(file, "<text x=\"%d\" y=\"%d\">times as fast as the serial search</text>\n", MARGIN,
            MARGIN - 14);
}

static void write_points(FILE *file, const Point *points, int count, const char *colour,
                         const char *name)
{
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour);
    for (int i = 0; i < count; i++) {
        fprintf(file, "%.1f,%.1f ", x_of(points[i].workers), y_of(points[i].speedup));
    }
    fprintf(file, "\"/>\n");
    for (int i = 0; i < count; i++) {
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n",
                x_of(points[i].workers), y_of(points[i].speedup), colour);
    }
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\" text-anchor=\"end\">%s</text>\n",
            x_of(points[count - 1].workers) - 6, y_of(points[count - 1].speedup) - 8, colour, name);
}

static void write_own(FILE *file, const Experiment *experiment)
{
    static const char *const colour = "#c22";
    Point points[EXPERIMENT_SIZES_MAX];
    for (int i = 0; i < experiment->size_count; i++) {
        const Summary summary = statistics_summary(experiment, i);
        points[i] = (Point){summary.workers, summary.speedup};
        if (summary.has_interval) {
            fprintf(file, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n",
                    x_of(summary.workers), y_of(summary.low), x_of(summary.workers),
                    y_of(summary.high), colour);
        }
        fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%.2f</text>\n",
                x_of(summary.workers) + 5, y_of(summary.speedup) + 14, colour, summary.speedup);
    }
    write_points(file, points, experiment->size_count, colour,
                 experiment->settings.lazy ? "lazy" : "Rookery");
}

Status curve_write_svg(const Experiment *experiment, const char *path)
{
    const Point ideal[] = {{1, 1}, {exp2(DOUBLINGS), exp2(DOUBLINGS)}};
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return status_error(STATUS_IO, "%s: %s", path, strerror(errno));
    }
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDTH, HEIGHT);
    write_axes(file);
    write_points(file, ideal, 2, "#aaa", "ideal");
    write_points(file, splitting, (int)(sizeof splitting / sizeof splitting[0]), "#26a",
                 "DTS 1997 (shared memory)");
    write_points(file, zugzwang, 1, "#2a6", "ZUGZWANG 1993");
    write_own(file, experiment);
    fprintf(file, "</svg>\n");
    const bool has_failed = ferror(file) != 0;
    return fclose(file) != 0 || has_failed ? status_error(STATUS_IO, "cannot write %s", path)
                                           : status_ok();
}
