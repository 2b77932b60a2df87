/*
 * Message job: a JOB as it travels, to and from what the search works with.
 *
 * Whoever runs jobs (the worker's lanes, make-believe workers of tests) comes through here, so that
 * a job means the same search everywhere. What comes from the wire is within the codec's limits;
 * what else the search relies on is seen to here.
 */
#ifndef ROOKERY_SEARCH_MESSAGE_JOB_H
#define ROOKERY_SEARCH_MESSAGE_JOB_H

#include "messages/messages.h"
#include "worker/search/search.h"

/*
 * Can the job's path and moves be played from `root`, and do its window and, of a share of an inner
 * node, its bounds make sense? On the path MOVE_NONE is a pass, not to be made in check.
 */
bool message_job_is_playable(const MessageJob *job, const Position *root);

/*
 * The same job for a search thread. It borrows `job`; `root` and `game` are its resolved position
 * (game_position_resolve), borrowed too.
 */
SearchJob message_job_search(const MessageJob *job, const Position *root, const History *game);

/* Writes what was found into the RESULT of the job with that name. */
void message_job_result(const SearchResult *found, const JobId *id, MessageResult *result);

/* Writes a share that a search gives away into `job`, but for id and position, which it leaves. */
void message_job_offer(const SearchJob *share, MessageJob *job);

/*
 * What others say of the share that was given away as `job`, for the search it came from. A line
 * that does not begin with a move of the share is left out, so are costs of any other moves and
 * second ones of the same. No more than 2^48 nodes are believed, with which the search can reckon.
 */
void message_job_improved_news(const MessageJob *job, const MessageImproved *improved,
                               ShareNews *news);
void message_job_result_news(const MessageJob *job, const MessageResult *result, ShareNews *news);

#endif
