#include "messages/table_window.h"

enum { WINDOW_FIRST = 16, WINDOW_MAX = 1024 };

enum {
    WAY_FIRST_MS = 250, /* of a TABLE, before any has been timed */
    QUEUE_MS = 25,      /* how much longer one may take: a short queue, and both ends' delays */
};

void table_window_open(TableWindow *window, Duration heartbeat)
{
    *window = (TableWindow){
        .size = WINDOW_FIRST,
        .quickest = duration_ms(WAY_FIRST_MS),
        .heartbeat = heartbeat,
    };
}

bool table_window_take(TableWindow *window, Instant now)
{
    if (window->sent - window->heard >= (uint64_t)window->size) {
        window->is_too_small = true;
        return false;
    }
    window->sent++;
    if (window->sample == 0) {
        window->sample = window->sent;
        window->sample_sent = now;
    }
    return true;
}

static void shrink(TableWindow *window)
{
    window->has_been_late = true;
    window->size = window->size > 1 ? window->size / 2 : 1;
}

/* Slow start, then additive increase; not while it is large enough as it is (RFC 7661). */
static void grow(TableWindow *window)
{
    if (window->is_too_small) {
        const int next = window->has_been_late ? window->size + 1 : 2 * window->size;
        window->size = next < WINDOW_MAX ? next : WINDOW_MAX;
        window->is_too_small = false;
    }
}

/* Has the TABLE taken longer than a link that keeps pace would need? */
static bool is_long(const TableWindow *window, Duration way)
{
    const int64_t usual_us =
        window->quickest.us > window->heartbeat.us ? window->quickest.us : window->heartbeat.us;
    return way.us > usual_us + duration_ms(QUEUE_MS).us;
}

void table_window_heard(TableWindow *window, uint64_t heard, Instant now)
{
    const bool counts_more = heard > window->sent;
    if (heard < window->heard || (counts_more && heard - window->sent > WINDOW_MAX)) {
        return;
    }
    if (counts_more) {
        window->sent = heard;
    }
    window->heard = heard;
    if (window->sample == 0) {
        return;
    }
    const Duration way = instant_since(now, window->sample_sent);
    const bool has_come = heard >= window->sample;
    if (has_come) {
        window->quickest = way.us < window->quickest.us ? way : window->quickest;
        window->sample = 0;
    }
    if (window->is_too_small && is_long(window, way)) {
        window->sample_sent = now;
        shrink(window);
    } else if (has_come) {
        grow(window);
    }
}

bool table_window_came(TableWindow *window)
{
    window->came++;
    return window->came - window->told >= TABLE_WINDOW_EACH;
}

bool table_window_owes(TableWindow *window, uint64_t *count)
{
    const bool is_owed = window->told != window->came;
    window->told = window->came;
    *count = window->came;
    return is_owed;
}
