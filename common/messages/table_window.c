#include "messages/table_window.h"

#include "base/clamp.h"

enum { WINDOW_FIRST = 16, WINDOW_MAX = 1024 };

/* Beyond the heartbeat that a HEARD may have to wait for: the way, and a short queue. */
enum { QUEUE_MS = 25 };

void table_window_open(TableWindow *window, Duration heartbeat)
{
    *window = (TableWindow){
        .size = WINDOW_FIRST,
        .patience = duration_us(heartbeat.us + duration_ms(QUEUE_MS).us),
    };
}

bool table_window_take(TableWindow *window, Instant now)
{
    if (window->sent - window->heard >= (uint64_t)window->size) {
        return false;
    }
    window->sent++;
    if (window->sample == 0) {
        window->sample = window->sent;
        window->sample_sent = now;
    }
    return true;
}

/* The link keeps pace, or it does not: slow start, then additive increase. */
static void resize(TableWindow *window, bool keeps_pace)
{
    window->has_been_late = window->has_been_late || !keeps_pace;
    const int size = window->size;
    const int next = !keeps_pace ? size / 2 : window->has_been_late ? size + 1 : 2 * size;
    window->size = clamp(next, 1, WINDOW_MAX);
}

void table_window_heard(TableWindow *window, uint64_t heard, Instant now)
{
    if (heard < window->heard || heard > window->sent) {
        return;
    }
    window->heard = heard;
    if (window->sample == 0) {
        return;
    }
    const bool is_late = instant_since(now, window->sample_sent).us > window->patience.us;
    if (heard >= window->sample) {
        window->sample = 0;
        resize(window, !is_late);
    } else if (is_late) {
        window->sample_sent = now;
        resize(window, false);
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
