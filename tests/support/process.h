/*
 * Process: one of the built programs as a child of the test, with its input, output and errors.
 *
 * Each leads a process group of its own, so that what it starts itself can be found and killed with
 * it; orphans of the group come to the test, which reaps them. Standard error goes to a file, which
 * is never full and can be read at any time.
 *
 * Every wait has a limit, which process_patience_ms stretches under sanitizers. All failures fail
 * the test; process_destroy, for the teardown, kills what is left.
 */
#ifndef ROOKERY_TESTS_PROCESS_H
#define ROOKERY_TESTS_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    PROCESS_LINE_BYTES_MAX = 1 << 16, /* of output, with its NUL; a longer one fails the test */
    PROCESS_WORDS_MAX = 16,           /* of the command line */
    PROCESS_PATIENCE_MS = 20000,      /* for what should come soon, on any machine */
    PROCESS_SLOWDOWN_SANITIZED = 10,
};

typedef struct {
    pid_t id;       /* of the process and of its group; 0: none */
    bool has_ended; /* reaped by process_wait */
    int input;      /* its standard input; -1: closed */
    int output;     /* its standard output, not blocking; -1: none */
    int errors;     /* its standard error, a file without a name; -1: none */
    int length;     /* bytes in `bytes` */
    int taken;      /* of them handed out as lines */
    char bytes[PROCESS_LINE_BYTES_MAX];
} Process;

/* How much slower than a release build this one is; 1 without sanitizers. */
int process_slowdown(void);

/* A limit for this build. */
int64_t process_patience_ms(int64_t ms);

/* A Process without a process, for process_destroy. */
void process_init(Process *process);

/* Starts `path` with the words behind it, which a NULL ends. */
void process_start(Process *process, const char *path, const char *const words[]);

/* Writes all of `text`. A process that is gone takes it in silence. */
void process_write(Process *process, const char *text);

void process_close_input(Process *process);

/* Nobody reads what it prints any more. */
void process_close_output(Process *process);

/*
 * The next line of output, without its newline; NULL if none is whole within `ms`, or at the end of
 * the output. Good until the next call.
 */
const char *process_read_line(Process *process, int64_t ms);

/* To the process alone, or to its whole group. */
void process_signal(const Process *process, int signal);
void process_signal_group(const Process *process, int signal);

/* Waits for its end. Returns the exit code, or the signal's number negated. */
int process_wait(Process *process);

/* Waits until nobody of its group is left. The process itself must have been waited for. */
void process_expect_group_gone(const Process *process);

/* Its one child, as soon as there is one. */
pid_t process_wait_for_child(const Process *process);

/* What it has written to standard error so far; good until the next call for any process. */
const char *process_errors(const Process *process);

/* Waits until `text` stands in it `times` times. */
void process_await_errors(const Process *process, const char *text, int times);

/* Kills the group and reaps it; fails if a sanitizer has found something. */
void process_destroy(Process *process);

#endif
