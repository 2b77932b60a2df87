/*
 * Descriptors: what a program does about its file descriptors before anything else.
 *
 * Both are called at the start of main, before other threads exist.
 */
#ifndef ROOKERY_OS_DESCRIPTORS_H
#define ROOKERY_OS_DESCRIPTORS_H

#include "base/status.h"

/* A master of some hundred workers, with room for strangers who only connect. */
enum { DESCRIPTORS_WANTED = 4096 };

/*
 * Opens /dev/null for each of descriptors 0 to 2 that is closed. Otherwise the next socket would
 * become "standard error" and log lines would be sent to a peer. Errors: STATUS_IO.
 */
Status descriptors_open_standard(void);

/*
 * Raises the limit of open descriptors to `wanted` or as near as the system lets us; never lowers
 * it. Returns the limit now in force (INT_MAX at most): the caller warns when that is less.
 */
int descriptors_raise_limit(int wanted);

#endif
