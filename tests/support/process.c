#define _GNU_SOURCE 1

#include "support/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/clock.h"
#include "support/count_text.h"

enum { LOOK_MS = 5, ERRORS_BYTES_MAX = 1 << 18, START_FAILED = 127 };

/* ---- limits ---- */

int process_slowdown(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return PROCESS_SLOWDOWN_SANITIZED;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return PROCESS_SLOWDOWN_SANITIZED;
#else
    return 1;
#endif
#else
    return 1;
#endif
}

int64_t process_patience_ms(int64_t ms)
{
    return ms * process_slowdown();
}

static Instant patience_end(int64_t ms)
{
    return instant_add(clock_now(), duration_ms(process_patience_ms(ms)));
}

/* Sleeps for a moment; false when `end` has come. */
static bool look_again(Instant end)
{
    clock_sleep(duration_ms(LOOK_MS));
    return instant_is_before(clock_now(), end);
}

/* ---- start ---- */

void process_init(Process *process)
{
    *process = (Process){.input = -1, .output = -1, .errors = -1};
}

/* The new process, before it becomes the program. */
_Noreturn static void become(const char *path, char *const words[], const int descriptors[3])
{
    const struct rlimit no_core = {0};
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)signal(SIGINT, SIG_DFL); /* ignored in a shell's background job */
    (void)signal(SIGHUP, SIG_DFL); /* ignored under nohup */
    (void)setrlimit(RLIMIT_CORE, &no_core);
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < 3; i++) {
        (void)dup2(descriptors[i], i);
    }
    (void)execv(path, words);
    _exit(START_FAILED);
}

void process_start(Process *process, const char *path, const char *const words[])
{
    int input[2];
    int output[2];
    char *command[PROCESS_WORDS_MAX + 1] = {(char *)path};
    int count = 1;
    for (; words[count - 1] != NULL; count++) {
        assert_in_range(count, 1, PROCESS_WORDS_MAX - 1);
        command[count] = (char *)words[count - 1];
    }
    process_init(process);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    assert_true(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
    assert_int_equal(pipe2(input, O_CLOEXEC), 0);
    assert_int_equal(pipe2(output, O_CLOEXEC), 0);
    process->errors = memfd_create("errors", MFD_CLOEXEC);
    assert_true(process->errors >= 0);
    assert_int_equal(fcntl(process->errors, F_SETFL, O_APPEND), 0);
    const int descriptors[3] = {input[0], output[1], process->errors};
    process->id = fork();
    assert_true(process->id >= 0);
    if (process->id == 0) {
        become(path, command, descriptors);
    }
    (void)setpgid(process->id, process->id); /* whichever of the two comes first */
    (void)close(input[0]);
    (void)close(output[1]);
    process->input = input[1];
    process->output = output[0];
    assert_int_equal(fcntl(process->output, F_SETFL, O_NONBLOCK), 0);
}

/* ---- input and output ---- */

void process_write(Process *process, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        const ssize_t written = write(process->input, text, left);
        if (written < 0) {
            assert_int_equal(errno, EPIPE);
            return;
        }
        text += written;
        left -= (size_t)written;
    }
}

static void close_descriptor(int *descriptor)
{
    if (*descriptor >= 0) {
        (void)close(*descriptor);
        *descriptor = -1;
    }
}

void process_close_input(Process *process)
{
    close_descriptor(&process->input);
}

void process_close_output(Process *process)
{
    close_descriptor(&process->output);
}

/* Hands out a whole line; NULL if there is none. */
static const char *take_line(Process *process)
{
    char *line = process->bytes + process->taken;
    char *end = memchr(line, '\n', (size_t)(process->length - process->taken));
    if (end == NULL) {
        return NULL;
    }
    *end = '\0';
    process->taken = (int)(end + 1 - process->bytes);
    return line;
}

/* Reads what is there; false at the end of the output. */
static bool fill(Process *process)
{
    process->length -= process->taken;
    memmove(process->bytes, process->bytes + process->taken, (size_t)process->length);
    process->taken = 0;
    const int room = PROCESS_LINE_BYTES_MAX - process->length;
    assert_true(room > 0);
    const ssize_t count = read(process->output, process->bytes + process->length, (size_t)room);
    process->length += count > 0 ? (int)count : 0;
    return count > 0 || (count < 0 && errno == EAGAIN);
}

const char *process_read_line(Process *process, int64_t ms)
{
    const Instant end = instant_add(clock_now(), duration_ms(ms));
    for (;;) {
        const char *line = take_line(process);
        if (line != NULL) {
            return line;
        }
        struct pollfd readable = {.fd = process->output, .events = POLLIN};
        if (poll(&readable, 1, clock_poll_timeout_ms(clock_now(), end)) == 0 || !fill(process)) {
            return NULL;
        }
    }
}

const char *process_errors(const Process *process)
{
    static char text[ERRORS_BYTES_MAX];
    const ssize_t count = pread(process->errors, text, sizeof text - 1, 0);
    text[count > 0 ? count : 0] = '\0';
    return text;
}

void process_await_errors(const Process *process, const char *text, int times)
{
    const Instant end = patience_end(PROCESS_PATIENCE_MS);
    while (count_text(process_errors(process), text) < times) {
        if (!look_again(end)) {
            fail_msg("'%s' expected %d times in:\n%s", text, times, process_errors(process));
        }
    }
}

/* ---- life and death ---- */

void process_signal(const Process *process, int signal)
{
    assert_false(process->has_ended);
    assert_int_equal(kill(process->id, signal), 0);
}

void process_signal_group(const Process *process, int signal)
{
    (void)kill(-process->id, signal);
}

int process_wait(Process *process)
{
    const Instant end = patience_end(PROCESS_PATIENCE_MS);
    int status = 0;
    while (waitpid(process->id, &status, WNOHANG) == 0) {
        if (!look_again(end)) {
            fail_msg("process %d does not end; it said:\n%s", (int)process->id,
                     process_errors(process));
        }
    }
    process->has_ended = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Whether the group is empty, after its dead have been reaped. */
static bool group_is_gone(const Process *process)
{
    while (waitpid(-process->id, NULL, WNOHANG) > 0) {
    }
    return kill(-process->id, 0) != 0;
}

void process_expect_group_gone(const Process *process)
{
    assert_true(process->has_ended);
    const Instant end = patience_end(PROCESS_PATIENCE_MS);
    while (!group_is_gone(process)) {
        if (!look_again(end)) {
            fail_msg("process %d left somebody behind", (int)process->id);
        }
    }
}

/* The parent of a process; 0 if it is gone. */
static pid_t parent_of(pid_t id)
{
    char path[64];
    char text[512];
    int parent = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)id);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return 0;
    }
    const size_t length = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[length] = '\0';
    const char *behind_name = strrchr(text, ')');
    if (behind_name == NULL || sscanf(behind_name, ") %*c %d", &parent) != 1) {
        return 0;
    }
    return parent;
}

static pid_t find_child(pid_t parent)
{
    pid_t child = 0;
    DIR *processes = opendir("/proc");
    assert_non_null(processes);
    for (const struct dirent *entry = readdir(processes); entry != NULL;
         entry = readdir(processes)) {
        const pid_t id = (pid_t)strtol(entry->d_name, NULL, 10);
        if (id > 0 && parent_of(id) == parent) {
            child = id;
        }
    }
    (void)closedir(processes);
    return child;
}

pid_t process_wait_for_child(const Process *process)
{
    const Instant end = patience_end(PROCESS_PATIENCE_MS);
    for (;;) {
        const pid_t child = find_child(process->id);
        if (child != 0) {
            return child;
        }
        if (!look_again(end)) {
            fail_msg("process %d has no child", (int)process->id);
        }
    }
}

void process_destroy(Process *process)
{
    if (process->id == 0) {
        return;
    }
    (void)kill(-process->id, SIGKILL);
    while (!group_is_gone(process)) {
        clock_sleep(duration_ms(LOOK_MS));
    }
    process->id = 0;
    const char *errors = process_errors(process);
    const bool has_findings =
        strstr(errors, "Sanitizer") != NULL || strstr(errors, "runtime error:") != NULL;
    if (has_findings) {
        print_error("%s\n", errors);
    }
    close_descriptor(&process->input);
    close_descriptor(&process->output);
    close_descriptor(&process->errors);
    assert_false(has_findings);
}
