#include "messages/table_window.h"

enum { WINDOW_FIRST = 16, WINDOW_MAX = 1024 };

void table_window_open(TableWindow *window)
{
    *window = (TableWindow){.size = WINDOW_FIRST};
}

bool table_window_take(TableWindow *window)
{
    if (window->sent - window->heard >= (uint64_t)window->size) {
        return false;
    }
    window->sent++;
    return true;
}

void table_window_heard(TableWindow *window, uint64_t heard)
{
    if (heard < window->heard || heard > window->sent) {
        return;
    }
    window->heard = heard;
    if (window->sent - heard <= (uint64_t)(window->size / 4)) {
        window->size = 2 * window->size < WINDOW_MAX ? 2 * window->size : WINDOW_MAX;
    } else {
        window->size = window->size > 1 ? window->size / 2 : 1;
    }
}

void table_window_came(TableWindow *window)
{
    window->came++;
}

bool table_window_owes(TableWindow *window, uint64_t *count)
{
    const bool is_owed = window->told != window->came;
    window->told = window->came;
    *count = window->came;
    return is_owed;
}
