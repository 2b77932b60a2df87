#include "os/log_limit.h"

#include <string.h>

void log_limit_init(LogLimit *limit)
{
    *limit = (LogLimit){.count = 0};
}

static LogLimitPlace *find_place(LogLimit *limit, const char *key)
{
    for (int i = 0; i < limit->count; i++) {
        if (strcmp(limit->places[i].key, key) == 0) {
            return &limit->places[i];
        }
    }
    if (limit->count == LOG_LIMIT_KEYS_MAX - 1) {
        return &limit->places[LOG_LIMIT_KEYS_MAX - 1];
    }
    LogLimitPlace *place = &limit->places[limit->count++];
    *place = (LogLimitPlace){.key = key};
    return place;
}

bool log_limit_admit(LogLimit *limit, const char *key, Instant now, int64_t *left_out)
{
    LogLimitPlace *place = find_place(limit, key);
    const Instant window_end = instant_add(place->window_start, duration_ms(LOG_LIMIT_WINDOW_MS));
    if (place->lines == 0 || !instant_is_before(now, window_end)) {
        place->window_start = now;
        place->lines = 0;
    }
    if (place->lines == LOG_LIMIT_LINES_MAX) {
        place->left_out++;
        return false;
    }
    place->lines++;
    *left_out = place->left_out;
    place->left_out = 0;
    return true;
}
