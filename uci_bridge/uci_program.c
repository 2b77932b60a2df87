#include "uci_bridge/uci_program.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arguments.h"
#include "codec/codec.h"
#include "config/config.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/cpus.h"
#include "os/descriptors.h"
#include "os/log.h"
#include "os/output.h"
#include "os/signals.h"
#include "os/stream.h"
#include "uci_bridge/bench.h"
#include "uci_bridge/core/bridge.h"
#include "uci_bridge/engine_child.h"
#include "uci_bridge/eval_command.h"
#include "uci_bridge/line_reader.h"
#include "uci_bridge/perft_command.h"
#include "uci_bridge/searcher.h"
#include "uci_bridge/work_watch.h"

enum {
    OWN_HASH_MB = 16,
    CHILD_QUEUE_BYTES_MAX = 1 << 20,
    CHILD_GRACE_MS = 200, /* for a child to end by itself */
    ABANDONED_MAX = 8,    /* one more is left unreaped until this program ends */
};

/* What happens because of an action, and is told to the core when all its actions are done. */
typedef struct {
    bool own_search_done;
    bool child_started;
    bool child_died;
} Outcome;

typedef struct {
    Config config;
    Log log;
    Signals signals;
    Bridge bridge;
    BridgeActions actions;
    LineReader input;
    Child child;
    bool child_is_wanted;           /* its end has not been told to the core */
    pid_t abandoned[ABANDONED_MAX]; /* killed children, yet to be reaped; 0: none */
    StreamReader reader;            /* from the child */
    StreamWriter writer;            /* to the child */
    CodecBuffer buffer;             /* message on its way out */
    Message message;                /* message that came in */
    Searcher *searcher;             /* the bridge's own search */
    Instant search_asked;           /* when something began to wait for the own search to end */
    BridgeOwnResult own;            /* what it found */
    Line exact;                     /* of its last complete iteration; length 0 before one */
    Status output;                  /* whether what was said could be written */
    bool is_over;
} Program;

static const char usage[] =
    "usage: rookery [--config FILE] [--cluster ADDRESS]\n"
    "                               speak UCI on standard input and output\n"
    "       rookery analyse [FEN]   search a position and print a table\n"
    "       rookery bench [DEPTH]   search fixed positions and print nodes and speed\n"
    "       rookery perft DEPTH     count legal moves, to prove the move generator\n"
    "       rookery --help, --version\n"
    "\n"
    "Without a cluster all processors of this machine search; with one, the workers of the master\n"
    "at ADDRESS do (tcp://HOST:5570). An address beyond this machine needs a cluster.toml that "
    "says\n"
    "insecure = true: --config FILE.\n"
    "\n"
    "\"rookery COMMAND --help\" explains a command. Exit codes: 0 done, 1 failed, 2 wrong usage.\n"
    "\n";

static const char prompt_help[] =
    "Beside UCI the prompt knows:\n"
    "  d                print the position\n"
    "  eval             print what the evaluation of the position is made of\n"
    "  cluster          print who is working, how fast and how idle\n"
    "  bench [DEPTH]    search fixed positions and print nodes and speed\n"
    "  go perft N       count the legal moves N plies deep; stop ends it, and a bench\n"
    "  help             print this\n";

/* The command line. */
typedef struct {
    const char *config;  /* path, or NULL */
    const char *cluster; /* address, or NULL for the configuration's */
    bool help;
    bool version;
} Options;

/* ---- the child ---- */

static void close_streams(Program *program)
{
    stream_reader_close(&program->reader);
    stream_writer_close(&program->writer);
    program->child_is_wanted = false;
}

/* Waits for its end: for one that has ended, or at the end of this program. */
static void close_child(Program *program)
{
    close_streams(program);
    child_stop(&program->child, duration_ms(CHILD_GRACE_MS));
}

/* Waits for nothing, since a clock may be running. */
static void abandon_child(Program *program)
{
    close_streams(program);
    pid_t process = child_abandon(&program->child);
    for (int i = 0; i < ABANDONED_MAX && process != 0; i++) {
        if (program->abandoned[i] == 0) {
            program->abandoned[i] = process;
            process = 0;
        }
    }
}

static void reap_abandoned(Program *program)
{
    for (int i = 0; i < ABANDONED_MAX; i++) {
        if (program->abandoned[i] != 0 && child_reap_abandoned(program->abandoned[i])) {
            program->abandoned[i] = 0;
        }
    }
}

static bool start_child(Program *program, const BridgeChildStart *start)
{
    ConfigBridge bridge = program->config.bridge;
    bridge.threads = start->threads;
    bridge.hash_mb = start->hash_mb;
    (void)snprintf(bridge.cluster, sizeof bridge.cluster, "%s", start->cluster);
    EngineChildCommand command;
    engine_child_command(&command, &bridge, &program->config.network);

    abandon_child(program);
    Status status = child_start(&program->child, command.words);
    if (status_is_ok(&status)) {
        status = stream_reader_open(&program->reader, CODEC_BYTES_MAX);
    }
    if (status_is_ok(&status)) {
        status = stream_writer_open(&program->writer, CODEC_BYTES_MAX, CHILD_QUEUE_BYTES_MAX);
    }
    if (!status_is_ok(&status)) {
        log_write(&program->log, LOG_ERROR, "%s", status.message);
        abandon_child(program);
        return false;
    }
    program->child_is_wanted = true;
    return true;
}

static void send_to_child(Program *program, const Message *message)
{
    if (!program->child_is_wanted) {
        return;
    }
    const Status status = codec_encode(message, &program->buffer);
    if (!status_is_ok(&status)) {
        log_write(&program->log, LOG_ERROR, "%s", status.message);
        return;
    }
    if (stream_write(&program->writer, program->buffer.bytes, (int)program->buffer.length) !=
        STREAM_OK) {
        child_kill(&program->child); /* it has not read for a megabyte: its end will be noticed */
    }
    (void)stream_flush(&program->writer, program->child.socket);
}

/* The child's socket for polling; -1 once no message can come out of it any more. */
static int messages_socket(const Program *program)
{
    return program->reader.failed == STREAM_OK ? program->child.socket : -1;
}

/* ---- the own search ---- */

/* Ends the own search once a line, a message or a signal has waited for a while. */
static bool somebody_waits(void *context)
{
    Program *program = context;
    struct pollfd descriptors[] = {
        {.fd = program->input.is_over ? -1 : program->input.descriptor, .events = POLLIN},
        {.fd = messages_socket(program), .events = POLLIN},
        {.fd = program->signals.descriptor, .events = POLLIN},
    };
    if (poll(descriptors, sizeof descriptors / sizeof descriptors[0], 0) <= 0) {
        return false;
    }
    const Instant now = clock_now();
    if (program->search_asked.us == 0) {
        program->search_asked = now;
    }
    return instant_since(now, program->search_asked).us >=
           duration_ms(BRIDGE_OWN_SEARCH_PATIENCE_MS).us;
}

static bool on_own_progress(void *context, const SearcherReport *report)
{
    Program *program = context;
    const Line *line = root_line(report->root, 0);
    if (report->iteration_is_complete && line->bound == BOUND_EXACT) {
        program->exact = *line;
    }
    return true;
}

/* An exact line, unless only a bound is known: an iteration may end half way through a window. */
static void run_own_search(Program *program, const BridgeOwnSearch *wanted)
{
    program->search_asked.us = 0;
    program->exact.length = 0;
    searcher_set_game(program->searcher, wanted->history);
    const SearcherReport report = searcher_run(program->searcher, wanted->position, &wanted->limits,
                                               wanted->time_max, on_own_progress, program);
    const Line *line = root_line(report.root, 0);
    program->own = (BridgeOwnResult){
        .depth_done = report.root->depth_done,
        .nodes = report.nodes,
        .is_interrupted = program->search_asked.us != 0,
    };
    if (line != NULL && line->score != SCORE_NONE) {
        const bool is_exact = line->bound == BOUND_EXACT || program->exact.length == 0;
        program->own.line = is_exact ? *line : program->exact;
    }
}

/* ---- actions ---- */

/* The output takes no more; that nobody listens any more is no failure. */
static void lose_output(Program *program)
{
    if (status_is_ok(&program->output) && errno != EPIPE) {
        program->output = status_error(STATUS_IO, "cannot write the output: %s", strerror(errno));
    }
    program->is_over = true;
}

static void print_line(Program *program, const char *text)
{
    if (puts(text) == EOF) {
        lose_output(program);
    }
}

static void run_bench(Program *program, int depth)
{
    WorkWatch watch = work_watch_begin(&program->input, program->signals.descriptor);
    const Status status = bench_command_serial(depth, work_watch_must_end, &watch);
    if (!status_is_ok(&status)) {
        log_write(&program->log, LOG_ERROR, "%s", status.message);
    }
}

static void run_perft(Program *program, const BridgeActions *actions)
{
    WorkWatch watch = work_watch_begin(&program->input, program->signals.descriptor);
    if (!perft_command_divide(actions->position, actions->depth, work_watch_must_end, &watch)) {
        print_line(program, "info string the count was interrupted");
    }
}

static void carry_out(Program *program, const BridgeAction *action, Outcome *outcome)
{
    const BridgeActions *actions = &program->actions;
    switch (action->type) {
    case BRIDGE_ACTION_PRINT:
        print_line(program, actions->text + action->index);
        break;
    case BRIDGE_ACTION_SEND:
        send_to_child(program, &actions->sends[action->index]);
        break;
    case BRIDGE_ACTION_START_CHILD:
        outcome->child_started = start_child(program, &actions->child_start);
        outcome->child_died = !outcome->child_started;
        break;
    case BRIDGE_ACTION_OWN_SEARCH:
        run_own_search(program, &actions->own_search);
        outcome->own_search_done = true;
        break;
    case BRIDGE_ACTION_CLEAR_OWN:
        searcher_clear(program->searcher);
        break;
    case BRIDGE_ACTION_PERFT:
        run_perft(program, actions);
        break;
    case BRIDGE_ACTION_EVAL:
        eval_command_print(actions->position);
        break;
    case BRIDGE_ACTION_HELP:
        fputs(prompt_help, stdout);
        break;
    case BRIDGE_ACTION_BENCH:
        run_bench(program, actions->depth);
        break;
    case BRIDGE_ACTION_EXIT:
        program->is_over = true;
        break;
    }
}

static void step(Program *program, BridgeEvent event)
{
    for (;;) {
        Outcome outcome = {0};
        event.now = clock_now();
        bridge_step(&program->bridge, &event, &program->actions);
        for (int i = 0; i < program->actions.count && !program->is_over; i++) {
            carry_out(program, &program->actions.items[i], &outcome);
        }
        if (fflush(stdout) != 0) {
            lose_output(program);
        }
        if (program->is_over) {
            return;
        }
        if (outcome.own_search_done) {
            /* A child started in the same step is told of behind it. */
            if (outcome.child_started || outcome.child_died) {
                step(program,
                     (BridgeEvent){.type = BRIDGE_EVENT_OWN_SEARCH_DONE, .own = &program->own});
            } else {
                event = (BridgeEvent){.type = BRIDGE_EVENT_OWN_SEARCH_DONE, .own = &program->own};
                continue;
            }
        }
        if (outcome.child_started) {
            event = (BridgeEvent){.type = BRIDGE_EVENT_CHILD_STARTED};
        } else if (outcome.child_died) {
            event = (BridgeEvent){.type = BRIDGE_EVENT_CHILD_DIED};
        } else {
            return;
        }
    }
}

/* ---- events ---- */

static void take_lines(Program *program)
{
    UciText line;
    line_reader_fill(&program->input);
    if (program->input.skipped > 0) {
        program->input.skipped = 0;
        print_line(program, "info string a line of more than 1 MiB is ignored");
    }
    while (!program->is_over && line_reader_next(&program->input, &line)) {
        step(program, (BridgeEvent){.type = BRIDGE_EVENT_LINE, .line = line});
    }
    if (program->input.is_over && !program->is_over) {
        step(program, (BridgeEvent){.type = BRIDGE_EVENT_END_OF_INPUT});
    }
}

static void take_child_message(Program *program, const StreamMessage *bytes)
{
    const DecodeError error = codec_decode(bytes->bytes, (size_t)bytes->length, &program->message);
    if (error != DECODE_OK) {
        log_write_limited(&program->log, LOG_WARNING, "decode",
                          "the engine child sent bytes that are no message (%s)",
                          codec_error_name(error));
        return;
    }
    step(program, (BridgeEvent){.type = BRIDGE_EVENT_CHILD_MESSAGE, .message = &program->message});
}

/* A child whose messages cannot be read any more is killed: its end will be noticed. */
static void take_child_messages(Program *program)
{
    StreamMessage bytes;
    StreamResult result = STREAM_OK;
    const int socket = program->child.socket;
    while (result == STREAM_OK && !program->is_over && program->child_is_wanted &&
           program->child.socket == socket) {
        result = stream_read(&program->reader, socket, &bytes);
        if (result == STREAM_OK) {
            take_child_message(program, &bytes);
        }
    }
    if (result != STREAM_OK && result != STREAM_AGAIN) {
        log_write(&program->log, LOG_WARNING, "nothing more from the engine child: %s",
                  stream_result_text(result));
        child_kill(&program->child);
    }
}

static void note_child_end(Program *program)
{
    ChildEnd end;
    if (!child_reap(&program->child, &end) || !program->child_is_wanted) {
        return;
    }
    log_write(&program->log, LOG_WARNING, "the engine child ended (%s %d); it is started again",
              end.is_signal ? "signal" : "status", end.code);
    close_child(program);
    step(program, (BridgeEvent){.type = BRIDGE_EVENT_CHILD_DIED});
}

static void take_signals(Program *program)
{
    if (signals_take(&program->signals) != SIGNALS_NONE) {
        step(program, (BridgeEvent){.type = BRIDGE_EVENT_END_OF_INPUT});
        program->is_over = true;
    }
}

static void run(Program *program)
{
    enum { INPUT, SIGNALS, SOCKET, CHILD_END, COUNT };
    while (!program->is_over) {
        struct pollfd items[COUNT] = {
            [INPUT] = {.fd = program->input.is_over ? -1 : program->input.descriptor,
                       .events = POLLIN},
            [SIGNALS] = {.fd = program->signals.descriptor, .events = POLLIN},
            [SOCKET] = {.fd = messages_socket(program),
                        .events = (short)(POLLIN | (program->child_is_wanted &&
                                                            stream_has_queued(&program->writer)
                                                        ? POLLOUT
                                                        : 0))},
            [CHILD_END] = {.fd = program->child.end_descriptor, .events = POLLIN},
        };
        Instant deadline;
        const int timeout = bridge_next_deadline(&program->bridge, &deadline)
                                ? clock_poll_timeout_ms(clock_now(), deadline)
                                : -1;
        const int ready = poll(items, COUNT, timeout);
        reap_abandoned(program);
        if (ready > 0 && items[SIGNALS].revents) {
            take_signals(program);
        }
        if (ready > 0 && items[SOCKET].revents && !program->is_over) {
            take_child_messages(program);
        }
        if (ready > 0 && items[SOCKET].revents & POLLOUT && program->child_is_wanted) {
            (void)stream_flush(&program->writer, program->child.socket);
        }
        if (ready > 0 && items[CHILD_END].revents && !program->is_over) {
            note_child_end(program);
        }
        if (ready > 0 && items[INPUT].revents && !program->is_over) {
            take_lines(program);
        }
        if (!program->is_over && bridge_next_deadline(&program->bridge, &deadline) &&
            !instant_is_before(clock_now(), deadline)) {
            step(program, (BridgeEvent){.type = BRIDGE_EVENT_TICK});
        }
    }
}

/* ---- start and end ---- */

_Static_assert((int)UCI_OPTION_CLUSTER_BYTES_MAX == (int)CONFIG_ADDRESS_BYTES_MAX,
               "what the option holds fits into the configuration");

/* The bridge's question (BridgeAdmit), answered by the configuration. */
static Status admit_cluster(const char *address, const void *context)
{
    const ConfigNetwork *network = context;
    return config_address_admit(address, CONFIG_ADDRESS_CONNECT, network->insecure);
}

static Status read_options(char *const *words, int count, Options *options)
{
    const Argument table[] = {
        {.name = "--config", .text = &options->config},
        {.name = "--cluster", .text = &options->cluster},
        {.name = "--help", .flag = &options->help},
        {.name = "--version", .flag = &options->version},
    };
    char rest[ARGUMENTS_TEXT_BYTES_MAX];
    const Status status =
        arguments_parse(words, count, table, sizeof table / sizeof table[0], rest);
    if (status_is_ok(&status) && rest[0] != '\0') {
        return status_error(STATUS_INVALID, "unexpected '%.100s' (see rookery --help)", rest);
    }
    return status;
}

/* Configuration and command line together; what the line says wins. */
static Status configure(const Options *options, Config *config)
{
    *config = config_default();
    Status status = options->config != NULL ? config_load(options->config, config) : status_ok();
    if (status_is_ok(&status) && options->cluster != NULL) {
        status = admit_cluster(options->cluster, &config->network);
        (void)snprintf(config->bridge.cluster, sizeof config->bridge.cluster, "%s",
                       options->cluster);
    }
    return status;
}

static Status open_program(Program *program)
{
    log_init(&program->log, "rookery", LOG_WARNING, STDERR_FILENO);
    (void)setvbuf(stdout, NULL, _IOLBF, 0); /* no line waits for what comes behind it */
    program->child = child_none();
    program->output = status_ok();
    line_reader_init(&program->input, STDIN_FILENO);
    Status status = descriptors_open_standard();
    if (status_is_ok(&status)) {
        status = signals_open(&program->signals);
    }
    if (status_is_ok(&status)) {
        status = searcher_new(OWN_HASH_MB, &program->searcher);
    }
    if (status_is_ok(&status)) {
        searcher_set_interrupt(program->searcher, somebody_waits, program);
    }
    const ConfigBridge *bridge = &program->config.bridge;
    BridgeConfig config = {
        .version = ROOKERY_VERSION,
        .name = "rookery",
        .options = bridge_default_options(bridge->threads > 0 ? bridge->threads : cpus_usable()),
        .lease = duration_ms(program->config.network.lease_ms),
        .retry_last = duration_ms(program->config.network.reconnect_last_ms),
        .admit = admit_cluster,
        .admit_context = &program->config.network,
    };
    config.options.hash_mb = bridge->hash_mb;
    config.options.move_overhead_ms = bridge->move_overhead_ms;
    (void)snprintf(config.options.cluster, sizeof config.options.cluster, "%s", bridge->cluster);
    bridge_init(&program->bridge, &config);
    return status;
}

Status uci_program_run(char *const *words, int count)
{
    Options options = {0};
    Status status = read_options(words, count, &options);
    if (!status_is_ok(&status)) {
        return status;
    }
    if (options.help) {
        fputs(usage, stdout);
        fputs(prompt_help, stdout);
        return output_finish();
    }
    if (options.version) {
        puts("rookery " ROOKERY_VERSION);
        return output_finish();
    }
    Program *program = calloc(1, sizeof *program);
    if (program == NULL) {
        return status_error(STATUS_NO_MEMORY, "no memory for the engine");
    }
    status = configure(&options, &program->config);
    if (status_is_ok(&status)) {
        status = open_program(program);
        if (status_is_ok(&status)) {
            run(program);
            status = program->output;
        }
        close_child(program);
        searcher_destroy(&program->searcher);
    }
    free(program);
    return status;
}
