/*
 * TableWindow: how many TABLEs one end may send before the other has said that they came, and how
 * many it has to say have come.
 *
 * Nothing overtakes inside one stream of TCP, so a queue of TABLEs on a narrow link would hold up
 * every CANCEL and RESULT behind it. The receiver counts them (HEARD), the sender keeps the rest
 * for itself while too many are under way. Their number grows while the link keeps pace and shrinks
 * to a single one while it does not: it keeps pace when a HEARD leaves no more than a quarter of
 * them under way. (Like TCP's congestion window, RFC 5681, but nothing is sent later or again.)
 */
#ifndef ROOKERY_MESSAGES_TABLE_WINDOW_H
#define ROOKERY_MESSAGES_TABLE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t sent;  /* in this stay */
    uint64_t heard; /* of them, by the newest HEARD */
    int size;       /* how many may be under way */
    uint64_t came;  /* from the other end, in this stay */
    uint64_t told;  /* of them, in the newest HEARD to it */
} TableWindow;

/* A new stay begins. */
void table_window_open(TableWindow *window);

/* Counts one more TABLE as sent, or returns false when it must not be sent now. */
bool table_window_take(TableWindow *window);

/* HEARD came: so many of this stay's have been received. A number that cannot be is ignored. */
void table_window_heard(TableWindow *window, uint64_t heard);

/* A TABLE with entries came from the other end. */
void table_window_came(TableWindow *window);

/* Whether some came since the last HEARD: then another is to be sent, with this count. */
bool table_window_owes(TableWindow *window, uint64_t *count);

#endif
