/*
 * Shares: what the search of one lane has given away, and what its thread and the pool's owner have
 * yet to tell each other about it.
 *
 *                shares_offer         shares_collect          shares_deliver
 *     free ----------------> offered ---- OFFERED ---> out ------ RESULT -----> over
 *      ^                        |                       |                        |
 *      |<----- shares_withdraw -'       shares_withdraw |                        |
 *      |<------------------- WITHDRAWN --- withdrawn <--'                        |
 *      '<--------------------------------------------- shares_take --------------'
 *
 * Invariants:
 *  1. A share keeps its place until both sides are done with it, and all that can be said about it
 *     has room there: newer news of a share is merged into older. So nothing is ever lost or waits
 *     for room, but an offer may be refused.
 *  2. A share that was withdrawn before the owner learned of it is never told; after WITHDRAWN
 *     nothing more is said of it, in either direction.
 *
 * No locks in here: the pool has one for each lane.
 */
#ifndef ROOKERY_WORKER_SHARES_H
#define ROOKERY_WORKER_SHARES_H

#include "worker/pool.h"
#include "worker/search/search.h"

typedef enum { SHARE_FREE, SHARE_OFFERED, SHARE_OUT, SHARE_WITHDRAWN, SHARE_OVER } ShareState;

typedef struct {
    ShareState state;
    uint32_t number; /* as the search calls it */
    bool is_raised;  /* out: the owner does not know of job.alpha */
    bool has_news;   /* out, over: the search does not know of `news` */
    MessageJob job;  /* what was given away; id and position are void */
    ShareNews news;
} ShareRecord;

typedef struct {
    int used;       /* records that this job has used; the others are void */
    int waits;      /* of the search for them, begun and ended: odd while it waits */
    int waits_told; /* of them the owner has heard */
    ShareRecord records[MESSAGE_SHARES_MAX];
} Shares;

/* Forgets all shares: a new job begins. */
void shares_clear(Shares *shares);

/* ---- the search's side ---- */

/* Gives a share away; `number` is no other share's. False when there is no room. */
bool shares_offer(Shares *shares, uint32_t number, const SearchJob *job);

/*
 * The search wants the share no longer. True when nobody has heard of it, so that the search is
 * still asked for one.
 */
bool shares_withdraw(Shares *shares, uint32_t number);

/* The search has a higher lower bound for the share. */
void shares_raise(Shares *shares, uint32_t number, int alpha);

/* The next news for the search; false when there is none. */
bool shares_take(Shares *shares, ShareNews *news);

/* News of no share: wakes a search whose bound has risen while it waited. */
void shares_write_no_news(ShareNews *news);

/* Is there any? */
bool shares_have_news(const Shares *shares);

/* The search begins to wait for news, or ends to. */
void shares_turn_wait(Shares *shares);

/* ---- the owner's side ---- */

/*
 * The next news for the owner, all but its lane; false when there is none. PARKED comes last;
 * share, alpha and is_parked are 0 in news without them. That the search waits again is news even
 * if the owner has not heard that it went on: the master takes it for one that goes on as soon as
 * it has given a share back.
 */
bool shares_collect(Shares *shares, PoolNews *news);

/* The event that tells the worker's core of such news, which it borrows; all but the time. */
WorkerEvent shares_event(const PoolNews *news);

/* IMPROVED or RESULT for the search; false when it is of no share that is out. */
bool shares_deliver(Shares *shares, const Message *message);

#endif
