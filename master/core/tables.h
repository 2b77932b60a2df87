/*
 * Tables: what each worker's transposition table learns, told to all others.
 *
 * Workers begin to tell as soon as a TABLE without entries invites them. Each TABLE of theirs goes
 * on to the others, but for entries that have just gone (news.h) and for workers whose link does
 * not keep pace (messages/table_window.h). HEARD says how many have come, and whether to tell less.
 */
#ifndef ROOKERY_MASTER_CORE_TABLES_H
#define ROOKERY_MASTER_CORE_TABLES_H

#include "master/core/news.h"
#include "master/core/registry.h"

/*
 * Tells every worker that there are others to learn from, as soon as there are two. To be called
 * when one has joined.
 */
void tables_invite(const Registry *registry, MasterActions *actions);

/* A TABLE of the worker, on record by `registry`, has come: passes on what is news in it. */
void tables_take(Registry *registry, News *news, Worker *worker, const MessageTable *table,
                 Instant now, MasterActions *actions);

/* Says how many of the worker's TABLEs have come, if there were any since that was said last. */
void tables_acknowledge(const Registry *registry, Worker *worker, MasterActions *actions);

#endif
