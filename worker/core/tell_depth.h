/*
 * Tell depth: from which depth on a machine tells the others what its table stores.
 *
 * It follows the work: as many entries as fit a message, no more, for a flood would push the
 * receivers' own entries out of their tables.
 */
#ifndef ROOKERY_WORKER_CORE_TELL_DEPTH_H
#define ROOKERY_WORKER_CORE_TELL_DEPTH_H

enum { TELL_DEPTH_FIRST = 6 }; /* plies */

/*
 * The next depth after one from which so many entries were noted for one message:
 * MESSAGE_TABLE_ENTRIES_MAX of them where more would have been, or where none may be sent.
 */
int tell_depth_next(int depth, int noted);

#endif
