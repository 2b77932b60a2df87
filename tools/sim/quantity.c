#include "tools/sim/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    double factor;
} Unit;

static const double quantity_max = 1e18;

/* A number from 0 and a unit of the list, which ends with a NULL. */
static Status read(const char *name, const char *text, const Unit *units, int64_t *value)
{
    char *end = NULL;
    const double number = strtod(text, &end);
    for (const Unit *unit = units; end != text && unit->name != NULL; unit++) {
        const double product = number * unit->factor;
        if (strcmp(end, unit->name) == 0 && product >= 0 && product <= quantity_max) {
            *value = (int64_t)llround(product);
            return status_ok();
        }
    }
    return status_error(STATUS_INVALID, "%s: '%.40s' is not understood (see --help)", name, text);
}

/* "0" needs no unit. */
static Status read_with_unit(const char *name, const char *text, const Unit *units, int64_t *value)
{
    *value = 0;
    return strcmp(text, "0") == 0 ? status_ok() : read(name, text, units, value);
}

Status quantity_count(const char *name, const char *text, int64_t *count)
{
    static const Unit units[] = {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {NULL, 0}};
    return read(name, text, units, count);
}

Status quantity_duration(const char *name, const char *text, int64_t *duration_ns)
{
    static const Unit units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {NULL, 0}};
    return read_with_unit(name, text, units, duration_ns);
}

Status quantity_bandwidth(const char *name, const char *text, int64_t *bits_per_second)
{
    static const Unit units[] = {{"kbit", 1e3}, {"Mbit", 1e6}, {"Gbit", 1e9}, {NULL, 0}};
    return read_with_unit(name, text, units, bits_per_second);
}

Status quantity_list(const char *name, const char *text, double list[QUANTITY_LIST_MAX], int *count)
{
    *count = 0;
    for (;;) {
        char *end = NULL;
        const double number = strtod(text, &end);
        if (end == text || !(number > 0) || (*end != ',' && *end != '\0') ||
            *count == QUANTITY_LIST_MAX) {
            return status_error(STATUS_INVALID, "%s: '%.40s' is not a list of positive numbers",
                                name, text);
        }
        list[(*count)++] = number;
        if (*end == '\0') {
            return status_ok();
        }
        text = end + 1;
    }
}
