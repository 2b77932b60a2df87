/*
 * TableWindow: how many TABLEs one end may send before the other has said that they came, and how
 * many it has to say have come.
 *
 * Nothing overtakes inside one stream of TCP, so a queue of TABLEs on a narrow link would hold up
 * every CANCEL and RESULT behind it. The receiver counts them and says so (HEARD) as soon as
 * TABLE_WINDOW_EACH have come, and otherwise with its next PING or HEARTBEAT. The sender keeps the
 * rest for itself while too many are under way. It knows when it sent the last that a HEARD counts,
 * and so how long its way was, to within a heartbeat if word of it had to wait for one. While that
 * is hardly longer than need be, the link keeps pace, and a window that was too small doubles; else
 * it is halved, down to a single one, and from then on grows by one at a time. (Slow start and
 * congestion avoidance, RFC 5681, by delay instead of loss, for nothing is sent later or again.)
 */
#ifndef ROOKERY_MESSAGES_TABLE_WINDOW_H
#define ROOKERY_MESSAGES_TABLE_WINDOW_H

#include "base/duration.h"

enum {
    TABLE_WINDOW_EACH = 8,   /* TABLEs that are acknowledged at once */
    TABLE_WINDOW_MAX = 1024, /* under way */
};

typedef struct {
    uint64_t sent;                     /* in this stay */
    uint64_t heard;                    /* of them, by the newest HEARD */
    int size;                          /* how many may be under way */
    bool is_too_small;                 /* one more was wanted since it grew last */
    bool has_been_late;                /* the link did not keep pace once */
    int kept_share;                    /* of those wanted lately, kept back, in 65536ths */
    Instant sent_at[TABLE_WINDOW_MAX]; /* when the last ones were, by number */
    Instant shrunk;                    /* when one was last found late */
    Duration quickest;                 /* way of any so far */
    Duration heartbeat;                /* how long word of one may have to wait */
    uint64_t came;                     /* from the other end, in this stay */
    uint64_t told;                     /* of them, in the newest HEARD to it */
} TableWindow;

/* A new stay begins, in which the other end sends a PING or HEARTBEAT each `heartbeat`. */
void table_window_open(TableWindow *window, Duration heartbeat);

/* Counts one more TABLE as sent, or returns false when it must not be sent now. */
bool table_window_take(TableWindow *window, Instant now);

/* Whether more than three eighths of those to be sent lately, some thirty, had to be kept back. */
bool table_window_is_crowded(const TableWindow *window);

/*
 * HEARD came: so many of this stay's have been received. The other end may have counted some from
 * just before this end began to count, as when a worker is welcomed twice: they count as sent. A
 * number that cannot be is ignored.
 */
void table_window_heard(TableWindow *window, uint64_t heard, Instant now);

/* A TABLE with entries came from the other end; true when a HEARD is due at once. */
bool table_window_came(TableWindow *window);

/* Whether some came since the last HEARD: then another is to be sent, with this count. */
bool table_window_owes(TableWindow *window, uint64_t *count);

#endif
