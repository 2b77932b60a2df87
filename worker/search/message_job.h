/*
 * Message job: a JOB as it travels, to and from what the search works with.
 *
 * Whoever runs jobs (the worker's slots, make-believe workers of tests) comes through here, so that
 * a job means the same search everywhere.
 */
#ifndef ROOKERY_SEARCH_MESSAGE_JOB_H
#define ROOKERY_SEARCH_MESSAGE_JOB_H

#include "messages/messages.h"
#include "worker/search/search.h"

/* Can the job's path and moves be played from `root`, and does its window make sense? */
bool message_job_is_playable(const MessageJob *job, const Position *root);

/*
 * The same job for a search thread. It borrows `job`; `root` and `game` are its resolved position
 * (game_position_resolve), borrowed too.
 */
SearchJob message_job_search(const MessageJob *job, const Position *root, const History *game);

/* Writes what was found into the RESULT of the job with that name. */
void message_job_result(const SearchResult *found, const JobId *id, MessageResult *result);

#endif
