#include "messages/table_window.h"

#include "base/clamp.h"

enum { WINDOW_FIRST = 16, SHARE_ALL = 1 << 16 };

enum {
    WAY_FIRST_MS = 250,     /* of a TABLE, before any is known */
    QUEUE_MS = 8,           /* how much longer one may take: a short queue, and both ends' delays */
    QUEUE_AND_PING_MS = 25, /* ... if word of it waits for a heartbeat */
};

void table_window_open(TableWindow *window, Duration heartbeat)
{
    *window = (TableWindow){
        .size = WINDOW_FIRST,
        .quickest = duration_ms(WAY_FIRST_MS),
        .heartbeat = heartbeat,
    };
}

static Instant *sent_at(TableWindow *window, uint64_t number)
{
    return &window->sent_at[number % TABLE_WINDOW_MAX];
}

/* An exponential moving average. */
static void note_kept(TableWindow *window, bool is_kept)
{
    enum { SMOOTHING = 32 };
    window->kept_share += ((is_kept ? SHARE_ALL : 0) - window->kept_share) / SMOOTHING;
}

bool table_window_take(TableWindow *window, Instant now)
{
    const bool is_kept = window->sent - window->heard >= (uint64_t)window->size;
    note_kept(window, is_kept);
    if (is_kept) {
        window->is_too_small = true;
        return false;
    }
    window->sent++;
    *sent_at(window, window->sent) = now;
    return true;
}

bool table_window_is_crowded(const TableWindow *window)
{
    return window->kept_share > SHARE_ALL * 3 / 8;
}

/*
 * Not below TABLE_WINDOW_EACH if the HEARD came at once: a smaller window would have to wait for
 * heartbeats.
 */
static void shrink(TableWindow *window, bool is_at_once, Instant now)
{
    const int least = is_at_once ? TABLE_WINDOW_EACH : 1;
    const int half = window->size / 2;
    window->has_been_late = true;
    window->shrunk = now;
    window->size = half > least ? half : smaller(least, window->size);
}

/* Slow start, then additive increase; not while it is large enough as it is (RFC 7661). */
static void grow(TableWindow *window)
{
    if (window->is_too_small) {
        const int next = window->has_been_late ? window->size + 1 : 2 * window->size;
        window->size = next < TABLE_WINDOW_MAX ? next : TABLE_WINDOW_MAX;
        window->is_too_small = false;
    }
}

/* How long a TABLE may take on a link that keeps pace, if word of it comes at once or may wait. */
static Duration way_most(const TableWindow *window, bool is_at_once)
{
    const Duration quickest = window->quickest;
    if (is_at_once) { /* a way from afar is not always the same either */
        return (Duration){.us = quickest.us + quickest.us / 4 + duration_ms(QUEUE_MS).us};
    }
    const Duration wait = quickest.us > window->heartbeat.us ? quickest : window->heartbeat;
    return (Duration){.us = wait.us + duration_ms(QUEUE_AND_PING_MS).us};
}

/*
 * Judges the link by the last TABLE that has come, or by the first that has not. Those that were
 * under way when the window shrank were late with the one it shrank for: they count from then on.
 */
static void judge(TableWindow *window, uint64_t news, Instant now)
{
    const Instant sent = *sent_at(window, news > 0 ? window->heard : window->heard + 1);
    const bool was_under_way = instant_is_before(sent, window->shrunk);
    const Duration way = instant_since(now, was_under_way ? window->shrunk : sent);
    if (news > 0 && !was_under_way && way.us < window->quickest.us) {
        window->quickest = way;
    }
    const bool is_at_once = news == TABLE_WINDOW_EACH;
    if (window->is_too_small && way.us > way_most(window, is_at_once).us) {
        shrink(window, is_at_once, now);
    } else if (news > 0) {
        grow(window);
    }
}

void table_window_heard(TableWindow *window, uint64_t heard, Instant now)
{
    const bool counts_more = heard > window->sent;
    if (heard < window->heard || (counts_more && heard - window->sent > TABLE_WINDOW_MAX)) {
        return;
    }
    const uint64_t news = heard - window->heard;
    window->heard = heard;
    if (counts_more) {
        window->sent = heard; /* it is not known when */
    } else if (window->sent > heard || news > 0) {
        judge(window, news, now);
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
