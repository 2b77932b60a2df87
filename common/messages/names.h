/*
 * Names: how the parts of a cluster call each other and their work.
 *
 * A job is named by (master epoch, session, search, job, attempt). The name is all that a late or
 * doubled message needs to be told from a current one; nothing is ever known by its sender alone.
 */
#ifndef ROOKERY_MESSAGES_NAMES_H
#define ROOKERY_MESSAGES_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/* One life of a master: a random number drawn at its start, never 0. */
typedef struct {
    uint64_t value;
} Epoch;

/* One bridge's stay with a master; unique within an epoch, never 0. */
typedef struct {
    uint32_t value;
} SessionId;

/* One `go` of a session; chosen by the bridge, growing, never 0. */
typedef struct {
    uint32_t value;
} SearchId;

/* One worker's stay with a master; unique within an epoch, never 0. */
typedef struct {
    uint32_t value;
} WorkerId;

/* A connection to a master, as its router numbers them; never 0, never used twice in one life. */
typedef struct {
    uint64_t value;
} PeerId;

/* A job's whole name. */
typedef struct {
    Epoch epoch;
    SessionId session;
    SearchId search;
    uint32_t job;     /* unique within the search, never 0 */
    uint32_t attempt; /* counts the times the job was handed out, from 1 */
} JobId;

static inline bool job_id_equal(const JobId *left, const JobId *right)
{
    return left->epoch.value == right->epoch.value && left->session.value == right->session.value &&
           left->search.value == right->search.value && left->job == right->job &&
           left->attempt == right->attempt;
}

#endif
