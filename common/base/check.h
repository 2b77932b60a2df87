/*
 * CHECK: asserts that judge the caller, never the wire.
 *
 * CHECK stays on in every build: a violated invariant ends the process with file, line and text,
 * which the process above it survives (a worker is replaced, an engine child restarted).
 * CHECK_HOT guards inner loops of chess, search and eval: off in a release, on where the build
 * defines ROOKERY_CHECK_HOT (dev, sanitizers, the CI's perft and bench).
 * These are the only function-like macros of the project: they need __FILE__ and __LINE__.
 */
#ifndef ROOKERY_BASE_CHECK_H
#define ROOKERY_BASE_CHECK_H

/* Prints "file:line: CHECK failed: text" on stderr and aborts. */
_Noreturn void check_failed(const char *file, int line, const char *text);

#define CHECK(condition)                                                                           \
    (__builtin_expect(!!(condition), 1) ? (void)0 : check_failed(__FILE__, __LINE__, #condition))

#ifdef ROOKERY_CHECK_HOT
#define CHECK_HOT(condition) CHECK(condition)
#else
#define CHECK_HOT(condition) ((void)sizeof(condition))
#endif

#endif
