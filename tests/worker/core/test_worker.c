/*
 * The worker core as traces: events go in, the actions of each come out as a line.
 */
#include "worker/core/worker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker/search/tt.h"

enum { TEXT_BYTES_MAX = 4096, EPOCH = 7, HEARTBEAT_MS = 100, LEASE_MS = 1500 };

/* A worker under test, its clock and what it has said since the last expect(). */
typedef struct {
    Worker *worker;
    WorkerActions *actions;
    WorkerProgress progress;
    Message message; /* being handed in */
    Instant now;
    JobId running[WORKER_LANES_MAX];  /* what the host's lanes run by now; job 0: free */
    bool is_parked[WORKER_LANES_MAX]; /* ... and whether their searches wait */
    int running_count;
    int slots;        /* the worker's */
    bool is_clearing; /* CLEAR was said, CLEARED not yet */
    char text[TEXT_BYTES_MAX];
    int length;
} Trace;

static Trace trace;

/* ---- actions to text ---- */

static __attribute__((format(printf, 1, 2))) void write_text(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    trace.length += vsnprintf(trace.text + trace.length, sizeof trace.text - (size_t)trace.length,
                              format, values);
    va_end(values);
    assert_true(trace.length < TEXT_BYTES_MAX);
}

static void write_job(const JobId *id)
{
    write_text(" %u/%u/%u", id->session.value, id->search.value, id->job);
}

static void write_message(const Message *message)
{
    write_text("%s", message_type_name(message->type));
    switch (message->type) {
    case MESSAGE_HELLO:
        write_text(" %s", message->hello.name);
        break;
    case MESSAGE_HEARTBEAT:
        write_text(" ping %" PRIu64 " nodes %" PRIu64, message->heartbeat.last_ping,
                   message->heartbeat.nodes_total);
        for (int i = 0; i < message->heartbeat.busy_count; i++) {
            write_job(&message->heartbeat.busy[i].job);
            write_text("=%" PRIu64, message->heartbeat.busy[i].nodes);
        }
        break;
    case MESSAGE_IMPROVED:
        write_job(&message->improved.id);
        break;
    case MESSAGE_OFFER:
        write_job(&message->offer.parent);
        write_text("+%u depth %d", message->offer.share, message->offer.job.depth);
        break;
    case MESSAGE_CANCEL:
        write_job(&message->cancel.id);
        write_text("+%u", message->cancel.share);
        break;
    case MESSAGE_BOUNDS:
        write_job(&message->bounds.id);
        write_text("+%u alpha %d", message->bounds.share, message->bounds.alpha);
        break;
    case MESSAGE_PARKED:
        write_job(&message->parked.id);
        write_text(message->parked.is_parked ? " waits" : " goes on");
        break;
    case MESSAGE_RESULT:
        write_job(&message->result.id);
        write_text(message->result.is_complete ? " complete" : " incomplete");
        break;
    case MESSAGE_HEARD:
        write_text(" %d", (int)message->heard.count);
        break;
    case MESSAGE_TABLE:
        write_text(" %d", message->table.count);
        break;
    case MESSAGE_BYE:
        write_text(" %u", message->bye.worker.value);
        break;
    case MESSAGE_CLEARED:
        write_text(" %u", message->new_game.session.value);
        break;
    default:
        break;
    }
}

static void write_action(const WorkerAction *action)
{
    switch (action->type) {
    case WORKER_ACTION_CONNECT:
        write_text("connect");
        break;
    case WORKER_ACTION_DISCONNECT:
        write_text("disconnect");
        break;
    case WORKER_ACTION_SEND:
        write_message(&action->message);
        break;
    case WORKER_ACTION_START:
        write_text("start %d:", action->lane);
        write_job(&action->job->id);
        if (action->job->alpha != 0) {
            write_text(" alpha %d", action->job->alpha);
        }
        break;
    case WORKER_ACTION_STOP:
        write_text("stop %d", action->lane);
        break;
    case WORKER_ACTION_RAISE_ALPHA:
        write_text("alpha %d: %d", action->lane, action->alpha);
        break;
    case WORKER_ACTION_WANT:
        write_text("want %d: %d", action->lane, action->count);
        break;
    case WORKER_ACTION_DELIVER:
        write_text("deliver %d: ", action->lane);
        write_message(action->news);
        write_text("+%u", action->news->type == MESSAGE_RESULT ? action->news->result.share
                                                               : action->news->improved.share);
        break;
    case WORKER_ACTION_TELL:
        write_text("tell ");
        write_text(action->depth == TT_TELL_NOTHING ? "nothing" : "%d", action->depth);
        break;
    case WORKER_ACTION_LEARN:
        write_text("learn ");
        write_message(action->news);
        break;
    case WORKER_ACTION_AGE:
        write_text("age");
        break;
    case WORKER_ACTION_CLEAR:
        write_text("clear");
        break;
    case WORKER_ACTION_LOG:
        write_text("\"%s\"", action->text);
        break;
    case WORKER_ACTION_EXIT:
        write_text("exit");
        break;
    case WORKER_ACTION_ABORT:
        write_text("abort");
        break;
    }
}

static int count_searching(void)
{
    int count = 0;
    for (int i = 0; i < WORKER_LANES_MAX; i++) {
        count += trace.running[i].job != 0 && !trace.is_parked[i];
    }
    return count;
}

/*
 * What a host relies on: jobs start on free lanes while there is a slot for them, tables are
 * cleared when all lanes are free.
 */
static void check_action(const WorkerAction *action)
{
    if (action->type == WORKER_ACTION_START) {
        assert_int_equal(trace.running[action->lane].job, 0);
        assert_false(trace.is_clearing);
        trace.running[action->lane] = action->job->id;
        trace.is_parked[action->lane] = false;
        assert_in_range(count_searching(), 1, trace.slots);
        trace.running_count++;
    } else if (action->type == WORKER_ACTION_STOP || action->type == WORKER_ACTION_WANT ||
               action->type == WORKER_ACTION_DELIVER) {
        assert_int_not_equal(trace.running[action->lane].job, 0);
    } else if (action->type == WORKER_ACTION_CLEAR) {
        assert_int_equal(trace.running_count, 0);
        assert_false(trace.is_clearing);
        trace.is_clearing = true;
    }
}

static void step(WorkerEvent event)
{
    event.now = trace.now;
    if (event.type == WORKER_EVENT_DONE) {
        trace.running[event.lane].job = 0;
        trace.running_count--;
    } else if (event.type == WORKER_EVENT_PARKED) {
        trace.is_parked[event.lane] = event.is_parked;
    } else if (event.type == WORKER_EVENT_CLEARED) {
        trace.is_clearing = false;
    }
    worker_step(trace.worker, &event, trace.actions);
    for (int i = 0; i < trace.actions->count; i++) {
        check_action(&trace.actions->list[i]);
        write_text("%s", trace.length > 0 ? "; " : "");
        write_action(&trace.actions->list[i]);
    }
}

static void expect(const char *text)
{
    if (strcmp(trace.text, text) != 0) {
        fail_msg("\n expected: %s\n      got: %s", text, trace.text);
    }
    trace.length = 0;
    trace.text[0] = '\0';
}

/* ---- events ---- */

static void tick(void)
{
    step((WorkerEvent){.type = WORKER_EVENT_TICK, .progress = &trace.progress});
}

static void wait_ms(int64_t milliseconds)
{
    trace.now = instant_add(trace.now, duration_ms(milliseconds));
}

/* Lets time pass tick by tick for `milliseconds`. */
static void run_ms(int64_t milliseconds)
{
    const Instant until = instant_add(trace.now, duration_ms(milliseconds));
    for (int i = 0; i < 10000; i++) {
        const Instant next = worker_next_tick(trace.worker);
        if (instant_is_before(until, next)) {
            break;
        }
        trace.now = instant_is_before(next, trace.now) ? trace.now : next;
        tick();
    }
    trace.now = until;
}

static void receive(MessageType type)
{
    trace.message.type = type;
    step((WorkerEvent){.type = WORKER_EVENT_MESSAGE, .message = &trace.message});
}

static JobId job_id(uint32_t session, uint32_t search, uint32_t job)
{
    return (JobId){.epoch = {EPOCH},
                   .session = {session},
                   .search = {search},
                   .job = job,
                   .attempt = job > 0 ? 1 : 0};
}

static void receive_welcome_to(uint64_t epoch, uint32_t worker, int heartbeat_ms)
{
    trace.message.welcome = (MessageWelcome){.epoch = {epoch},
                                             .worker = {worker},
                                             .heartbeat = duration_ms(heartbeat_ms),
                                             .lease = duration_ms(LEASE_MS)};
    receive(MESSAGE_WELCOME);
}

static void receive_welcome(uint64_t epoch, uint32_t worker)
{
    receive_welcome_to(epoch, worker, HEARTBEAT_MS);
}

static void receive_job(uint32_t session, uint32_t search, uint32_t job)
{
    trace.message.job =
        (MessageJob){.id = job_id(session, search, job), .depth = 5, .alpha = 0, .beta = 100};
    receive(MESSAGE_JOB);
}

static void receive_cancel(uint32_t session, uint32_t search, uint32_t job)
{
    trace.message.cancel.id = job_id(session, search, job);
    receive(MESSAGE_CANCEL);
}

static void receive_bounds(uint32_t session, uint32_t search, uint32_t job, int alpha)
{
    trace.message.bounds = (MessageBounds){.id = job_id(session, search, job), .alpha = alpha};
    receive(MESSAGE_BOUNDS);
}

static void receive_new_game(uint32_t session)
{
    trace.message.new_game.session.value = session;
    receive(MESSAGE_NEW_GAME);
}

static void receive_error(ErrorCode code, const char *text)
{
    trace.message.error.code = code;
    (void)snprintf(trace.message.error.text, sizeof trace.message.error.text, "%s", text);
    receive(MESSAGE_ERROR);
}

static void done(int lane, uint32_t session, uint32_t search, uint32_t job, bool is_complete)
{
    const MessageResult result = {.id = job_id(session, search, job), .is_complete = is_complete};
    step((WorkerEvent){.type = WORKER_EVENT_DONE, .lane = lane, .result = &result});
}

static void improved(int lane, uint32_t session, uint32_t search, uint32_t job)
{
    const MessageImproved news = {.id = job_id(session, search, job)};
    step((WorkerEvent){.type = WORKER_EVENT_IMPROVED, .lane = lane, .improved = &news});
}

static void receive_hungry(uint32_t session, uint32_t search, uint32_t job, int count)
{
    trace.message.hungry = (MessageHungry){.id = job_id(session, search, job), .count = count};
    receive(MESSAGE_HUNGRY);
}

static void receive_improved(uint32_t job, uint32_t share)
{
    trace.message.improved = (MessageImproved){.id = job_id(1, 1, job), .share = share};
    receive(MESSAGE_IMPROVED);
}

static void receive_result(uint32_t job, uint32_t share)
{
    trace.message.result =
        (MessageResult){.id = job_id(1, 1, job), .share = share, .is_complete = true};
    receive(MESSAGE_RESULT);
}

static void offered(int lane, uint32_t share)
{
    const MessageJob job = {.depth = 6};
    step(
        (WorkerEvent){.type = WORKER_EVENT_OFFERED, .lane = lane, .share = share, .offered = &job});
}

static void withdrawn(int lane, uint32_t share)
{
    step((WorkerEvent){.type = WORKER_EVENT_WITHDRAWN, .lane = lane, .share = share});
}

static void raised(int lane, uint32_t share, int alpha)
{
    step((WorkerEvent){.type = WORKER_EVENT_RAISED, .lane = lane, .share = share, .alpha = alpha});
}

static void parked(int lane, bool is_parked)
{
    step((WorkerEvent){.type = WORKER_EVENT_PARKED, .lane = lane, .is_parked = is_parked});
}

/* What another machine learned; an empty one invites. */
static void receive_table(int count)
{
    trace.message.table = (MessageTable){.count = count};
    receive(MESSAGE_TABLE);
}

/* The host's round of what the table noted. */
static void noted(int count)
{
    const MessageTable table = {.count = count, .entries = {{.key = 5, .data = 9}}};
    step((WorkerEvent){.type = WORKER_EVENT_NOTED, .noted = &table});
}

static void terminate(void)
{
    step((WorkerEvent){.type = WORKER_EVENT_TERMINATE});
}

static void unsent(void)
{
    step((WorkerEvent){.type = WORKER_EVENT_UNSENT});
}

static void cleared(void)
{
    step((WorkerEvent){.type = WORKER_EVENT_CLEARED});
}

/* ---- set-up ---- */

static void begin(int slots)
{
    const WorkerConfig config = {
        .hello = {.protocol_version = PROTOCOL_VERSION, .name = "lab-1", .slots = slots},
        .retry_first = duration_ms(100),
        .retry_last = duration_ms(800),
        .seed = 1,
    };
    memset(&trace.progress, 0, sizeof trace.progress);
    memset(trace.running, 0, sizeof trace.running);
    trace.slots = slots;
    trace.running_count = 0;
    trace.is_clearing = false;
    trace.now = (Instant){.us = 1000000};
    trace.length = 0;
    trace.text[0] = '\0';
    trace.worker = worker_new(&config, trace.now);
    assert_non_null(trace.worker);
}

static void begin_joined(int slots)
{
    begin(slots);
    tick();
    expect("connect; HELLO lab-1");
    receive_welcome(EPOCH, 3);
    expect("tell nothing; \"joined the master as worker 3\"");
}

static int set_up(void **state)
{
    (void)state;
    trace.actions = malloc(sizeof *trace.actions);
    return trace.actions == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    worker_destroy(&trace.worker);
    free(trace.actions);
    return 0;
}

/* ---- joining ---- */

static void it_says_hello_and_joins(void **state)
{
    (void)state;
    begin_joined(1);
    assert_int_equal(trace.actions->list[1].type, WORKER_ACTION_LOG);
    assert_int_equal(trace.actions->list[1].is_warning, false);
    wait_ms(HEARTBEAT_MS);
    tick();
    expect("HEARTBEAT ping 0 nodes 0");
}

static void it_repeats_hello_until_there_is_a_connection(void **state)
{
    (void)state;
    begin(1);
    tick();
    expect("connect; HELLO lab-1");
    for (int i = 0; i < 5; i++) {
        unsent();
        expect("");
        const int64_t pause_us = instant_since(worker_next_tick(trace.worker), trace.now).us;
        assert_in_range(pause_us, 50000, 100000);
        run_ms(100);
        expect("HELLO lab-1");
    }
}

static void a_hello_on_its_way_is_not_repeated_soon(void **state)
{
    (void)state;
    begin(1);
    tick();
    expect("connect; HELLO lab-1");
    run_ms(999);
    expect("");
    run_ms(1);
    expect("HELLO lab-1");
}

static void it_waits_for_ever_with_growing_pauses(void **state)
{
    (void)state;
    begin(1);
    tick();
    trace.length = 0;
    int64_t longest_us = 0;
    int connections = 0;
    for (int i = 0; i < 2000; i++) {
        unsent();
        trace.now = worker_next_tick(trace.worker);
        tick();
        const char *connect = strstr(trace.text, "connect; HELLO");
        if (trace.length > 0 && connect == trace.text) {
            connections++;
        } else if (strstr(trace.text, "disconnect") != NULL) {
            const int64_t pause_us = instant_since(worker_next_tick(trace.worker), trace.now).us;
            assert_in_range(pause_us, 50000, 800000);
            longest_us = pause_us > longest_us ? pause_us : longest_us;
        }
        trace.length = 0;
        trace.text[0] = '\0';
    }
    assert_true(connections > 20);
    assert_true(longest_us > 600000);
}

static void a_socket_that_brings_no_answer_is_replaced(void **state)
{
    (void)state;
    begin(1);
    tick();
    run_ms(1000);
    expect("connect; HELLO lab-1; HELLO lab-1");
    run_ms(2000);
    const char *again = strstr(trace.text, "\"no answer from the master yet; trying on\"; "
                                           "disconnect");
    assert_non_null(again);
    run_ms(100);
    assert_non_null(strstr(trace.text, "disconnect; connect; HELLO lab-1"));
}

static void a_refusal_is_told_once_and_tried_again_slowly(void **state)
{
    (void)state;
    begin(1);
    tick();
    expect("connect; HELLO lab-1");
    receive_error(ERROR_VERSION, "install version 2");
    expect("\"the master refuses this worker: install version 2\"; disconnect");
    run_ms(1999);
    expect("");
    run_ms(2001);
    assert_non_null(strstr(trace.text, "connect; HELLO lab-1"));
    trace.length = 0;
    receive_error(ERROR_VERSION, "install version 2");
    expect("disconnect");
    run_ms(4000);
    trace.length = 0;
    receive_error(ERROR_FULL, "no room");
    expect("\"the master refuses this worker: no room\"; disconnect");
}

/* ---- jobs ---- */

static void jobs_run_and_are_answered(void **state)
{
    (void)state;
    begin_joined(2);
    receive_job(1, 1, 1);
    expect("age; start 0: 1/1/1");
    receive_job(1, 1, 2);
    expect("start 1: 1/1/2");
    improved(0, 1, 1, 1);
    expect("IMPROVED 1/1/1");
    done(1, 1, 1, 2, true);
    expect("RESULT 1/1/2 complete");
    receive_job(1, 1, 3);
    expect("start 1: 1/1/3");
    done(0, 1, 1, 1, true);
    expect("RESULT 1/1/1 complete");
    receive_job(1, 2, 1);
    expect("age; start 0: 1/2/1");
}

static void the_table_is_aged_once_for_each_search(void **state)
{
    (void)state;
    begin_joined(3);
    receive_job(1, 1, 1);
    receive_job(2, 9, 1);
    receive_job(1, 1, 2);
    expect("age; start 0: 1/1/1; age; start 1: 2/9/1; start 2: 1/1/2");
    done(1, 2, 9, 1, true);
    receive_job(2, 9, 2);
    expect("RESULT 2/9/1 complete; start 1: 2/9/2");
}

static void a_job_that_is_known_is_not_begun_twice(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    receive_job(1, 1, 1);
    receive_job(1, 1, 2);
    receive_job(1, 1, 2);
    expect("age; start 0: 1/1/1");
    done(0, 1, 1, 1, true);
    done(0, 1, 1, 2, true);
    expect("RESULT 1/1/1 complete; start 0: 1/1/2; RESULT 1/1/2 complete");
}

static void what_does_not_fit_is_given_back(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    receive_job(1, 1, 2);
    receive_job(1, 1, 3);
    receive_job(1, 1, 4);
    expect("age; start 0: 1/1/1");
    receive_job(1, 1, 5);
    expect("RESULT 1/1/5 incomplete");
}

static void a_cancel_names_a_job_a_search_or_a_session(void **state)
{
    (void)state;
    begin_joined(2);
    receive_job(1, 1, 1);
    receive_job(1, 1, 2);
    receive_job(1, 1, 3);
    expect("age; start 0: 1/1/1; start 1: 1/1/2");
    receive_cancel(1, 1, 2);
    expect("stop 1");
    receive_cancel(1, 1, 2);
    expect("");
    improved(1, 1, 1, 2);
    expect("");
    done(1, 1, 1, 2, false);
    expect("RESULT 1/1/2 incomplete; start 1: 1/1/3");

    receive_job(1, 1, 4);
    receive_cancel(1, 1, 0);
    expect("stop 0; stop 1; RESULT 1/1/4 incomplete");
    receive_cancel(1, 0, 0);
    expect("");
    done(0, 1, 1, 1, false);
    done(1, 1, 1, 3, false);
    expect("RESULT 1/1/1 incomplete; RESULT 1/1/3 incomplete");

    receive_job(1, 2, 1);
    receive_job(2, 2, 1);
    expect("age; start 0: 1/2/1; age; start 1: 2/2/1");
    receive_cancel(1, 0, 0);
    expect("stop 0");
}

static void a_new_search_waits_for_lanes_that_stop(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    receive_cancel(1, 1, 0);
    receive_job(1, 2, 1);
    expect("age; start 0: 1/1/1; stop 0");
    wait_ms(HEARTBEAT_MS);
    trace.progress.nodes_total = 12;
    tick();
    expect("HEARTBEAT ping 0 nodes 12 1/2/1=0");
    done(0, 1, 1, 1, false);
    expect("RESULT 1/1/1 incomplete; age; start 0: 1/2/1");
}

static void a_job_that_ends_before_its_cancel_is_complete(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    receive_cancel(1, 1, 1);
    done(0, 1, 1, 1, true);
    expect("age; start 0: 1/1/1; stop 0; RESULT 1/1/1 complete");
}

static void bounds_reach_the_named_job_alone(void **state)
{
    (void)state;
    begin_joined(2);
    receive_job(1, 1, 1);
    receive_job(1, 1, 2);
    receive_job(1, 1, 3);
    expect("age; start 0: 1/1/1; start 1: 1/1/2");
    receive_bounds(1, 1, 2, 40);
    expect("alpha 1: 40");
    receive_bounds(1, 1, 9, 40);
    receive_bounds(1, 2, 2, 40);
    expect("");
    receive_bounds(1, 1, 3, 30);
    receive_bounds(1, 1, 3, 20);
    receive_bounds(1, 1, 3, 100);
    done(0, 1, 1, 1, true);
    expect("RESULT 1/1/1 complete; start 0: 1/1/3 alpha 30");
}

static void names_of_another_epoch_are_dropped(void **state)
{
    (void)state;
    begin_joined(1);
    trace.message.job = (MessageJob){.id = job_id(1, 1, 1), .depth = 5, .beta = 100};
    trace.message.job.id.epoch.value = EPOCH + 1;
    receive(MESSAGE_JOB);
    expect("");
    receive_job(1, 1, 1);
    expect("age; start 0: 1/1/1");
    trace.message.cancel.id = job_id(1, 1, 1);
    trace.message.cancel.id.epoch.value = EPOCH + 1;
    receive(MESSAGE_CANCEL);
    expect("");
}

/* ---- shares ---- */

static void shares_are_wanted_offered_and_answered(void **state)
{
    (void)state;
    begin_joined(2);
    receive_job(1, 1, 1);
    receive_job(1, 1, 2);
    expect("age; start 0: 1/1/1; start 1: 1/1/2");
    receive_hungry(1, 1, 2, 3);
    expect("want 1: 3");
    offered(1, 1);
    offered(1, 2);
    expect("OFFER 1/1/2+1 depth 6; OFFER 1/1/2+2 depth 6");
    receive_improved(2, 1);
    expect("deliver 1: IMPROVED 1/1/2+1");
    raised(1, 2, 35);
    expect("BOUNDS 1/1/2+2 alpha 35");
    receive_result(2, 1);
    expect("deliver 1: RESULT 1/1/2 complete+1");
    withdrawn(1, 2);
    expect("CANCEL 1/1/2+2");
    receive_hungry(1, 1, 2, 0);
    expect("want 1: 0");
}

static void what_is_for_no_running_job_is_dropped(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    receive_job(1, 1, 2);
    expect("age; start 0: 1/1/1");
    receive_hungry(1, 1, 2, 1);
    receive_hungry(1, 2, 1, 1);
    receive_improved(3, 1);
    receive_result(2, 1);
    expect("");
    receive_improved(1, 0);
    receive_result(1, 0);
    expect("");
    trace.message.cancel = (MessageCancel){.id = job_id(1, 1, 1), .share = 4};
    receive(MESSAGE_CANCEL);
    trace.message.bounds = (MessageBounds){.id = job_id(1, 1, 1), .share = 4, .alpha = 50};
    receive(MESSAGE_BOUNDS);
    expect("");
}

static void what_is_wanted_of_a_waiting_job_is_kept(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    receive_job(1, 1, 2);
    receive_job(1, 1, 3);
    receive_hungry(1, 1, 2, 1);
    receive_hungry(1, 1, 2, 3);
    receive_hungry(1, 1, 3, 1);
    receive_hungry(1, 1, 3, 0);
    expect("age; start 0: 1/1/1");
    done(0, 1, 1, 1, true);
    expect("RESULT 1/1/1 complete; start 0: 1/1/2; want 0: 3");
    done(0, 1, 1, 2, true);
    expect("RESULT 1/1/2 complete; start 0: 1/1/3");
}

static void a_job_that_waits_leaves_its_slot(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    receive_job(1, 1, 2);
    receive_job(1, 1, 3);
    expect("age; start 0: 1/1/1");
    parked(0, true);
    expect("PARKED 1/1/1 waits; start 1: 1/1/2");
    wait_ms(HEARTBEAT_MS);
    trace.progress = (WorkerProgress){.nodes_total = 500, .lane_nodes = {128, 256}};
    tick();
    expect("HEARTBEAT ping 0 nodes 500 1/1/1=128 1/1/2=256 1/1/3=0");
    receive_result(1, 1);
    expect("deliver 0: RESULT 1/1/1 complete+1");
    parked(0, false);
    expect("PARKED 1/1/1 goes on");
    done(1, 1, 1, 2, true);
    expect("RESULT 1/1/2 complete");
    done(0, 1, 1, 1, true);
    expect("RESULT 1/1/1 complete; start 0: 1/1/3");
}

static void without_a_free_lane_nothing_starts(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    parked(0, true);
    receive_job(1, 1, 2);
    parked(1, true);
    receive_job(1, 1, 3);
    expect("age; start 0: 1/1/1; PARKED 1/1/1 waits; start 1: 1/1/2; PARKED 1/1/2 waits");
    done(0, 1, 1, 1, true);
    expect("RESULT 1/1/1 complete; start 0: 1/1/3");
}

static void a_job_that_stops_says_nothing_of_shares(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    parked(0, true);
    receive_job(1, 1, 2);
    expect("age; start 0: 1/1/1; PARKED 1/1/1 waits; start 1: 1/1/2");
    receive_cancel(1, 1, 1);
    expect("stop 0");
    receive_improved(1, 1);
    receive_hungry(1, 1, 1, 1);
    parked(0, false);
    offered(0, 2);
    raised(0, 2, 10);
    withdrawn(0, 1);
    parked(0, true);
    expect("");
    done(0, 1, 1, 1, false);
    expect("RESULT 1/1/1 incomplete");
}

/* The lane's last job was parked when it ended: the next one is not. */
static void parking_ends_with_the_job(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    parked(0, true);
    done(0, 1, 1, 1, false);
    receive_job(1, 1, 2);
    receive_job(1, 1, 3);
    expect("age; start 0: 1/1/1; PARKED 1/1/1 waits; RESULT 1/1/1 incomplete; start 0: 1/1/2");
}

/* ---- what machines tell each other ---- */

enum { MANY = MESSAGE_TABLE_ENTRIES_MAX, FEW = MESSAGE_TABLE_ENTRIES_MAX / 8 - 1 };

/* The depth of the last TELL, which is all that was done but for a TABLE sent if `is_sent`. */
static int told_depth(bool is_sent)
{
    const int last = trace.actions->count - 1;
    assert_int_equal(last, is_sent ? 1 : 0);
    assert_int_equal(trace.actions->list[last].type, WORKER_ACTION_TELL);
    trace.length = 0;
    trace.text[0] = '\0';
    return trace.actions->list[last].depth;
}

/* How long until the next look, as the only TELL among the actions says; 0 without one. */
static int64_t told_interval_ms(void)
{
    int64_t interval_ms = 0;
    for (int i = 0; i < trace.actions->count; i++) {
        if (trace.actions->list[i].type == WORKER_ACTION_TELL) {
            assert_int_equal(interval_ms, 0);
            interval_ms = duration_to_ms(trace.actions->list[i].interval);
        }
    }
    return interval_ms;
}

/* Looks after so many tables of others; returns the time to the next look, 0 if it stays. */
static int64_t interval_after_ms(int tables)
{
    for (int i = 0; i < tables; i++) {
        receive_table(0);
    }
    noted(MANY / 2);
    return told_interval_ms();
}

/*
 * However many others tell, each worker hears about as many tables in a second; where few do, a
 * message is worth less.
 */
static void the_pace_follows_the_company(void **state)
{
    (void)state;
    begin_joined(1);
    receive_table(0);
    assert_int_equal(told_interval_ms(), 2 * WORKER_NOTES_INTERVAL_MS);
    assert_int_equal(interval_after_ms(24), 4 * WORKER_NOTES_INTERVAL_MS);
    assert_int_equal(interval_after_ms(7), WORKER_NOTES_INTERVAL_MS);
    assert_int_equal(interval_after_ms(5), 0);
    assert_int_equal(interval_after_ms(4), 2 * WORKER_NOTES_INTERVAL_MS);
    assert_int_equal(interval_after_ms(1), 0);
    assert_int_equal(trace.actions->count, 1); /* the TABLE alone */
}

static void without_an_invitation_nothing_is_told(void **state)
{
    (void)state;
    begin_joined(1);
    noted(5);
    expect("");
    receive_table(0);
    assert_in_range(told_depth(false), 1, 20);
    receive_table(0);
    expect("");
    receive_job(1, 1, 1); /* for an idle worker looks seldom, and says so */
    trace.length = 0;
    trace.text[0] = '\0';
    noted(0);
    expect("");
    noted(20);
    expect("TABLE 20");
    assert_int_equal(trace.actions->list[0].message.table.entries[0].key, 5);
    assert_int_equal(trace.actions->list[0].message.table.entries[0].data, 9);
}

static void what_others_tell_is_learned(void **state)
{
    (void)state;
    begin_joined(1);
    receive_table(3); /* comes before any invitation: that there are others is clear */
    assert_non_null(strstr(trace.text, "tell "));
    assert_non_null(strstr(trace.text, "; learn TABLE 3"));
    assert_ptr_equal(trace.actions->list[1].news, &trace.message);
    trace.length = 0;
    receive_table(4);
    expect("learn TABLE 4");
    noted(20);
    expect("TABLE 20");
}

static void the_depth_told_from_follows_the_flood(void **state)
{
    (void)state;
    begin_joined(1);
    receive_table(0);
    const int first = told_depth(false);
    noted(MANY);
    assert_int_equal(told_depth(true), first + 1);
    noted(MANY);
    assert_int_equal(told_depth(true), first + 2);
    noted(MANY - 1);
    noted(FEW + 1);
    assert_int_equal(trace.actions->count, 1); /* that is about right */
    noted(FEW);
    assert_int_equal(told_depth(true), first + 1);
    noted(1);
    assert_int_equal(told_depth(true), first);
    noted(0); /* nothing is searched: that says nothing of the depth */
    assert_int_equal(told_depth(false), first);
}

/* A machine that only waits is not woken hundreds of times a second. */
static void an_idle_worker_looks_seldom(void **state)
{
    (void)state;
    begin_joined(1);
    receive_table(0);
    noted(0);
    assert_int_equal(told_interval_ms(), 32 * WORKER_NOTES_INTERVAL_MS);
    noted(0);
    assert_int_equal(trace.actions->count, 0);
    receive_job(1, 1, 1);
    assert_int_equal(told_interval_ms(), 2 * WORKER_NOTES_INTERVAL_MS);
    noted(0); /* it is at work, though nothing is worth telling yet */
    assert_int_equal(trace.actions->count, 0);
}

/* ... nor one whose master is away, though it was at work. */
static void without_a_master_nothing_is_looked_at(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    expect("age; start 0: 1/1/1");
    receive_table(0);
    (void)told_depth(false);
    unsent();
    expect("\"the connection to the master is lost: connecting again\"; stop 0; tell nothing; "
           "disconnect");
    assert_int_equal(trace.actions->list[2].depth, TT_TELL_NOTHING);
    done(0, 1, 1, 1, false);
    run_ms(100);
    expect("connect; HELLO lab-1");
    run_ms(3000);
    assert_non_null(strstr(trace.text, "disconnect"));
    assert_null(strstr(trace.text, "tell")); /* once is enough */
    run_ms(200);
    trace.length = 0;
    receive_welcome(EPOCH, 4);
    expect("tell nothing; \"joined the master as worker 4\"");
    receive_job(1, 2, 1);
    expect("age; start 0: 1/2/1");
    receive_table(0);
    assert_in_range(told_depth(false), 1, 20);
    noted(20);
    expect("TABLE 20");
}

static void receive_word(uint64_t count, bool is_crowded)
{
    trace.message.heard = (MessageHeard){.count = count, .is_crowded = is_crowded};
    receive(MESSAGE_HEARD);
}

/* The master has heard so many TABLEs of this worker in its stay. */
static void receive_heard(uint64_t count)
{
    receive_word(count, false);
}

/* Word of so many more TABLEs than `heard`, one by one. */
static void receive_more_heard(uint64_t *heard, int count, bool is_crowded)
{
    for (int i = 0; i < count; i++) {
        *heard += 1;
        receive_word(*heard, is_crowded);
    }
}

/* How many entries of `MANY` - 1 that were noted go out. */
static int count_told(void)
{
    noted(MANY - 1);
    assert_int_equal(trace.actions->count, 1);
    assert_int_equal(trace.actions->list[0].message.type, MESSAGE_TABLE);
    return trace.actions->list[0].message.table.count;
}

/* A master that cannot pass all of it on: messages become short, and longer again. */
static void messages_are_short_while_the_master_is_crowded(void **state)
{
    (void)state;
    uint64_t heard = 0;
    begin_joined(1);
    receive_table(0);
    (void)told_depth(false);
    receive_job(1, 1, 1);
    for (int i = 0; i < 8; i++) {
        noted(FEW + 1); /* so that there are some to be heard of */
    }
    receive_more_heard(&heard, 1, false);
    assert_int_equal(count_told(), MANY - 1);
    receive_more_heard(&heard, 1, true);
    assert_int_equal(count_told(), 3 * MANY / 4);
    receive_more_heard(&heard, 20, true);
    assert_int_equal(count_told(), 16);
    receive_more_heard(&heard, 1, false);
    assert_int_equal(count_told(), 18);
    receive_more_heard(&heard, 100, false);
    assert_int_equal(count_told(), MANY - 1);
    receive_more_heard(&heard, 20, true);
    receive_welcome(EPOCH + 1, 2); /* a new stay, another line perhaps */
    receive_table(0);
    assert_int_equal(count_told(), MANY - 1);
}

/* A link that does not keep pace: what it cannot take is kept, and told from deeper on. */
static void no_more_is_told_than_the_link_takes(void **state)
{
    (void)state;
    begin_joined(1);
    receive_table(0);
    const int first = told_depth(false);
    for (int i = 0; i < 16; i++) {
        noted(FEW + 1);
        expect("TABLE 16");
    }
    noted(FEW + 1);
    assert_int_equal(told_depth(false), first + 1);
    noted(FEW + 1);
    assert_int_equal(told_depth(false), first + 2);
    receive_heard(16);
    noted(FEW + 1);
    expect("TABLE 16");
    receive_welcome(EPOCH + 1, 2); /* a new stay, a new window */
    receive_table(0);
    for (int i = 0; i < 16; i++) {
        trace.length = 0;
        noted(FEW + 1);
        expect("TABLE 16");
    }
}

/* How many TABLEs go out until one is kept back. */
static int tables_until_the_window_is_full(void)
{
    int sent = -1;
    do {
        assert_in_range(++sent, 0, 1000);
        trace.length = 0;
        trace.text[0] = '\0';
        noted(FEW + 1);
    } while (strstr(trace.text, "TABLE") != NULL);
    return sent;
}

/* The same, after word that all sent before have come, so much later. */
static int tables_after_late_word(int late_ms)
{
    const int sent = tables_until_the_window_is_full();
    wait_ms(late_ms);
    receive_heard((uint64_t)sent);
    return tables_until_the_window_is_full();
}

/* What is late on a link with frequent heartbeats is in time on one with rare ones. */
static void the_heartbeat_says_how_late_word_may_be(void **state)
{
    (void)state;
    begin_joined(1);
    receive_table(0);
    (void)told_depth(false);
    assert_int_equal(tables_after_late_word(4 * HEARTBEAT_MS), 8);
    receive_welcome_to(EPOCH + 1, 2, 5 * HEARTBEAT_MS);
    receive_table(0);
    assert_int_equal(tables_after_late_word(4 * HEARTBEAT_MS), 32);
}

static void what_was_heard_is_said_with_the_heartbeat(void **state)
{
    (void)state;
    begin_joined(1);
    receive_table(0);
    trace.length = 0;
    run_ms(HEARTBEAT_MS);
    expect("HEARTBEAT ping 0 nodes 0"); /* an empty one is an invitation, no entries */
    receive_table(3);
    receive_table(1);
    trace.length = 0;
    run_ms(HEARTBEAT_MS);
    expect("HEARTBEAT ping 0 nodes 0; HEARD 2");
    run_ms(HEARTBEAT_MS);
    expect("HEARTBEAT ping 0 nodes 0");
}

/* Else who tells much would wait for a heartbeat whenever its window is full. */
static void what_was_heard_is_said_at_once_when_it_is_much(void **state)
{
    (void)state;
    begin_joined(1);
    receive_table(0);
    for (int i = 1; i < 8; i++) {
        trace.length = 0;
        receive_table(1);
        expect("learn TABLE 1");
    }
    trace.length = 0;
    receive_table(1);
    expect("HEARD 8; learn TABLE 1");
    trace.length = 0;
    run_ms(HEARTBEAT_MS);
    expect("HEARTBEAT ping 0 nodes 0");
}

static void the_depth_told_from_has_ends(void **state)
{
    (void)state;
    begin_joined(1);
    receive_table(0);
    int depth = told_depth(false);
    for (uint64_t i = 0; i < 100; i++) {
        receive_heard(i);
        noted(MANY);
        const int next = trace.actions->count == 2 ? told_depth(true) : depth;
        assert_in_range(next, depth, depth + 1);
        depth = next;
    }
    assert_in_range(depth, 30, PLY_MAX - 1);
    for (uint64_t i = 0; i < 100; i++) {
        receive_heard(100 + i);
        noted(1);
        depth = trace.actions->count == 2 ? told_depth(true) : depth;
    }
    assert_in_range(depth, 1, 8);
    trace.length = 0;
    noted(1);
    expect("TABLE 1");
}

static void nothing_is_told_to_another_master(void **state)
{
    (void)state;
    begin_joined(1);
    receive_table(0);
    (void)told_depth(false);
    receive(MESSAGE_RESET);
    expect("\"the master does not know this worker: joining anew\"; HELLO lab-1");
    noted(5); /* the host goes on noting until it is told otherwise */
    receive_table(0);
    receive_table(5);
    expect("");
    receive_welcome(EPOCH, 4);
    expect("tell nothing; \"joined the master as worker 4\"");
    noted(5);
    expect("");
    receive_table(0);
    (void)told_depth(false);
    terminate();
    expect("BYE 4");
    noted(5);
    receive_table(5);
    expect("");
}

/* ---- new games ---- */

static void a_new_game_clears_the_tables_when_all_lanes_are_free(void **state)
{
    (void)state;
    begin_joined(2);
    receive_new_game(1);
    expect("clear");
    receive_job(1, 1, 1);
    expect("");
    cleared();
    expect("CLEARED 1; age; start 0: 1/1/1");

    receive_cancel(1, 1, 0);
    receive_new_game(1);
    receive_new_game(2);
    receive_job(1, 2, 1);
    expect("stop 0");
    done(0, 1, 1, 1, false);
    expect("RESULT 1/1/1 incomplete; clear");
    cleared();
    expect("CLEARED 1; CLEARED 2; age; start 0: 1/2/1");
}

/* As many as a master can have, each of them once. */
static void every_session_hears_of_its_clear(void **state)
{
    (void)state;
    begin_joined(2);
    for (int round = 0; round < 2; round++) {
        for (uint32_t session = 1; session <= MESSAGE_SESSIONS_MAX; session++) {
            receive_new_game(session);
        }
    }
    expect("clear");
    cleared();
    expect("CLEARED 1; CLEARED 2; CLEARED 3; CLEARED 4; CLEARED 5; CLEARED 6; CLEARED 7; "
           "CLEARED 8; CLEARED 9; CLEARED 10; CLEARED 11; CLEARED 12; CLEARED 13; CLEARED 14; "
           "CLEARED 15; CLEARED 16; clear");
}

/* Nobody waits any more for who leaves ... */
static void a_clear_is_not_told_by_who_leaves(void **state)
{
    (void)state;
    begin_joined(2);
    receive_new_game(1);
    expect("clear");
    terminate();
    expect("BYE 3");
    cleared();
    expect("");
}

/* ... nor for what a master asked for that has forgotten the worker. */
static void a_clear_is_not_told_after_its_stay(void **state)
{
    (void)state;
    begin_joined(2);
    receive_new_game(1);
    expect("clear");
    receive(MESSAGE_RESET);
    expect("\"the master does not know this worker: joining anew\"; HELLO lab-1");
    receive_welcome(EPOCH, 4);
    expect("tell nothing; \"joined the master as worker 4\"");
    cleared();
    expect("");
}

/* ---- liveness ---- */

static void heartbeats_carry_progress_and_the_newest_ping(void **state)
{
    (void)state;
    begin_joined(2);
    receive_job(1, 1, 1);
    receive_job(1, 1, 2);
    expect("age; start 0: 1/1/1; start 1: 1/1/2");
    trace.progress = (WorkerProgress){.nodes_total = 500, .lane_nodes = {128, 256}};
    trace.message.ping.number = 41;
    receive(MESSAGE_PING);
    expect("");
    assert_true(worker_next_tick(trace.worker).us == trace.now.us);
    tick();
    expect("HEARTBEAT ping 41 nodes 500 1/1/1=128 1/1/2=256");
    run_ms(HEARTBEAT_MS - 1);
    expect("");
    run_ms(1);
    expect("HEARTBEAT ping 41 nodes 500 1/1/1=128 1/1/2=256");
}

static void a_silent_master_is_given_up_after_the_lease(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    parked(0, true);
    run_ms(LEASE_MS - 1);
    trace.length = 0;
    run_ms(1);
    expect("\"the master has been silent for 1500 ms: connecting again\"; stop 0; disconnect");
    done(0, 1, 1, 1, false);
    expect("");
    run_ms(100);
    expect("connect; HELLO lab-1");
    receive_job(1, 1, 5);
    expect("");
    receive_welcome(EPOCH + 1, 1);
    expect("tell nothing; \"joined the master as worker 1\"");
}

static void any_message_renews_the_lease(void **state)
{
    (void)state;
    begin_joined(1);
    for (int i = 0; i < 10; i++) {
        run_ms(LEASE_MS - 1);
        assert_null(strstr(trace.text, "silent"));
        trace.length = 0;
        receive_bounds(1, 1, 1, 0);
    }
}

static void a_worker_that_was_stopped_does_not_blame_its_master(void **state)
{
    (void)state;
    begin_joined(1);
    wait_ms(10 * LEASE_MS);
    tick();
    expect("HEARTBEAT ping 0 nodes 0");
    run_ms(LEASE_MS - 1);
    assert_null(strstr(trace.text, "silent"));
    run_ms(1);
    assert_non_null(strstr(trace.text, "silent"));
}

/* What was said so far is of no interest. */
static void forget(void)
{
    trace.length = 0;
    trace.text[0] = '\0';
}

/* Time passes, and the worker hears of its master all the while; keeps the last words only. */
static void run_in_touch_ms(int milliseconds)
{
    for (int i = 0; i < milliseconds; i += HEARTBEAT_MS) {
        forget();
        receive_bounds(9, 9, 9, 0);
        run_ms(HEARTBEAT_MS);
    }
}

static bool has_left(void)
{
    return strstr(trace.text, "a search hangs") != NULL;
}

/* Has joined and left again, because the search of its one job hangs. */
static void begin_hanging(void)
{
    begin_joined(1);
    receive_job(1, 1, 1);
    run_in_touch_ms(WORKER_HANG_MS + HEARTBEAT_MS);
    assert_true(has_left());
    forget();
}

static void a_search_that_hangs_ends_the_stay_until_it_ends(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    trace.progress.lane_nodes[0] = 128;
    run_in_touch_ms(2 * HEARTBEAT_MS);
    trace.progress.lane_nodes[0] = 256;
    run_in_touch_ms(WORKER_HANG_MS);
    assert_false(has_left());
    run_in_touch_ms(HEARTBEAT_MS);
    expect("\"a search hangs: leaving the master until it has ended\"; stop 0; disconnect");
    run_ms(5000);
    expect("");
    done(0, 1, 1, 1, false);
    expect("");
    run_ms(100);
    expect("connect; HELLO lab-1");
}

static void a_search_that_never_ends_ends_the_process(void **state)
{
    (void)state;
    begin_hanging();
    run_ms(9900);
    expect("");
    run_ms(200);
    expect("\"a search does not end: giving this process up\"; abort");
}

static void sigterm_does_not_wait_for_a_search_that_hangs(void **state)
{
    (void)state;
    begin_hanging();
    terminate();
    expect("\"a search does not end: giving this process up\"; abort");
}

/* Waiting for shares, or for a core that another lane has, is no hang. */
static void a_search_that_waits_does_not_hang(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    parked(0, true);
    receive_job(1, 1, 2);
    for (int i = 0; i < 30; i++) {
        trace.progress.lane_nodes[1] += 128;
        run_in_touch_ms(HEARTBEAT_MS);
        assert_false(has_left());
    }
    parked(0, false); /* both would search, and there is one core */
    for (int i = 0; i < 30; i++) {
        trace.progress.lane_nodes[1] += 128;
        run_in_touch_ms(HEARTBEAT_MS);
        assert_false(has_left());
    }
    run_in_touch_ms(WORKER_HANG_MS);
    assert_true(has_left());
}

/* A loop that did not run has seen nothing. */
static void a_worker_that_was_stopped_does_not_blame_its_search(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    for (int i = 0; i < WORKER_HANG_LOOKS; i++) {
        wait_ms(10 * LEASE_MS);
        tick();
        assert_false(has_left());
    }
    wait_ms(10 * LEASE_MS);
    tick();
    assert_true(has_left());
}

static void a_lost_connection_ends_the_stay(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    expect("age; start 0: 1/1/1");
    unsent();
    expect("\"the connection to the master is lost: connecting again\"; stop 0; disconnect");
    unsent();
    expect("");
}

static void reset_begins_anew_on_the_same_connection(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    receive_job(1, 1, 2);
    expect("age; start 0: 1/1/1");
    receive(MESSAGE_RESET);
    expect("\"the master does not know this worker: joining anew\"; stop 0; HELLO lab-1");
    receive(MESSAGE_RESET);
    expect("");
    receive_welcome(EPOCH, 4);
    expect("tell nothing; \"joined the master as worker 4\"");
    receive_job(1, 1, 3);
    expect("");
    done(0, 1, 1, 1, false);
    expect("start 0: 1/1/3");
}

static void a_second_welcome_is_a_new_stay(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    expect("age; start 0: 1/1/1");
    receive_welcome(EPOCH, 3);
    expect("");
    receive_welcome(EPOCH, 4);
    expect("stop 0; tell nothing; \"joined the master as worker 4\"");
    done(0, 1, 1, 1, true);
    expect("");
}

/* ---- leaving ---- */

static void sigterm_gives_jobs_back_and_says_bye(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    receive_job(1, 1, 2);
    expect("age; start 0: 1/1/1");
    terminate();
    expect("stop 0; RESULT 1/1/2 incomplete");
    receive_job(1, 1, 3);
    expect("RESULT 1/1/3 incomplete");
    done(0, 1, 1, 1, false);
    expect("RESULT 1/1/1 incomplete; BYE 3");
    run_ms(49);
    expect("");
    run_ms(1);
    expect("exit");
}

static void an_idle_worker_leaves_at_once(void **state)
{
    (void)state;
    begin_joined(1);
    receive(MESSAGE_DRAIN);
    expect("\"the master sends this worker home\"; BYE 3");
    run_ms(50);
    expect("exit");
}

static void a_lane_that_never_ends_does_not_keep_it(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    terminate();
    expect("age; start 0: 1/1/1; stop 0");
    run_ms(1000);
    expect("\"a search does not end: giving this process up\"; abort");
}

/* Its thread is joined at the end, so it must have stopped: also behind a lost connection. */
static void without_a_master_sigterm_waits_for_the_lanes(void **state)
{
    (void)state;
    begin_joined(2);
    receive_job(1, 1, 1);
    unsent();
    forget();
    terminate();
    expect("");
    done(0, 1, 1, 1, false);
    expect("exit");
}

static void without_a_master_a_lane_that_never_ends_does_not_keep_it(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    receive(MESSAGE_RESET);
    forget();
    terminate();
    expect("disconnect");
    terminate();
    expect("");
    run_ms(999);
    expect("");
    run_ms(1);
    expect("\"a search does not end: giving this process up\"; abort");
}

static void a_second_sigterm_waits_for_nothing_but_the_lanes(void **state)
{
    (void)state;
    begin_joined(1);
    receive_job(1, 1, 1);
    terminate();
    terminate();
    expect("age; start 0: 1/1/1; stop 0; disconnect");
    done(0, 1, 1, 1, false);
    expect("exit");
    tick();
    expect("");
}

static void without_a_master_sigterm_ends_it_at_once(void **state)
{
    (void)state;
    begin(1);
    tick();
    terminate();
    expect("connect; HELLO lab-1; exit");
}

/* ---- any order of events ---- */

/* Many random events: no check fails, here and in the core, and in the end everything still works.
 */
static void random_event(int number)
{
    const uint32_t session = 1 + (uint32_t)(rand() % 2);
    const int lane = rand() % 6;
    const JobId id = trace.running[lane];
    switch (rand() % 20) {
    case 0:
        receive_welcome(EPOCH, 1 + (uint32_t)(number / 1000));
        break;
    case 1:
        receive_cancel(session, (uint32_t)(rand() % 3), 0);
        break;
    case 2:
        receive_bounds(session, 1, (uint32_t)number - 1, rand() % 200);
        break;
    case 3:
        receive_new_game(session);
        break;
    case 4:
        receive(rand() % 20 == 0 ? MESSAGE_RESET : MESSAGE_PING);
        break;
    case 5:
        run_ms(rand() % 300);
        break;
    case 6:
        if (trace.is_clearing) {
            cleared();
        }
        break;
    case 7:
    case 8:
    case 9:
        if (id.job != 0) {
            done(lane, id.session.value, id.search.value, id.job, rand() % 2);
        }
        break;
    case 10:
        if (id.job != 0) {
            parked(lane, !trace.is_parked[lane]);
        }
        break;
    case 11:
        if (id.job != 0) {
            receive_hungry(id.session.value, id.search.value, id.job, rand() % 3);
            offered(lane, (uint32_t)number);
        }
        break;
    case 12:
        if (id.job != 0) {
            raised(lane, (uint32_t)number, rand() % 100);
            withdrawn(lane, (uint32_t)number);
        }
        break;
    case 13:
        receive_result(id.job, 1);
        receive_improved(id.job, 1);
        receive_table(rand() % 4);
        noted(rand() % 4);
        break;
    default:
        receive_job(session, 1 + (uint32_t)(number / 5000), (uint32_t)number);
    }
    trace.length = 0;
    trace.text[0] = '\0';
}

static void random_events_do_no_harm(void **state)
{
    (void)state;
    srand(5);
    begin(3);
    int most = 0;
    for (int i = 1; i <= 20000; i++) {
        random_event(i);
        most = trace.running_count > most ? trace.running_count : most;
    }
    assert_int_equal(most, 6);
    receive(MESSAGE_RESET);
    receive_welcome(EPOCH + 1, 1);
    terminate();
    for (int lane = 0; lane < 6; lane++) {
        const JobId id = trace.running[lane];
        if (id.job != 0) {
            done(lane, id.session.value, id.search.value, id.job, false);
        }
    }
    if (trace.is_clearing) {
        cleared();
    }
    run_ms(1000);
    assert_int_equal(trace.running_count, 0);
    assert_string_equal(trace.text + trace.length - 4, "exit");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_says_hello_and_joins, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_repeats_hello_until_there_is_a_connection, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_hello_on_its_way_is_not_repeated_soon, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_waits_for_ever_with_growing_pauses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_socket_that_brings_no_answer_is_replaced, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_refusal_is_told_once_and_tried_again_slowly, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(jobs_run_and_are_answered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_table_is_aged_once_for_each_search, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_job_that_is_known_is_not_begun_twice, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_does_not_fit_is_given_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_cancel_names_a_job_a_search_or_a_session, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_new_search_waits_for_lanes_that_stop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_job_that_ends_before_its_cancel_is_complete, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(bounds_reach_the_named_job_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_of_another_epoch_are_dropped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shares_are_wanted_offered_and_answered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_for_no_running_job_is_dropped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_wanted_of_a_waiting_job_is_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_job_that_waits_leaves_its_slot, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_free_lane_nothing_starts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_job_that_stops_says_nothing_of_shares, set_up, tear_down),
        cmocka_unit_test_setup_teardown(parking_ends_with_the_job, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_pace_follows_the_company, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_an_invitation_nothing_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_others_tell_is_learned, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_depth_told_from_follows_the_flood, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_idle_worker_looks_seldom, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_master_nothing_is_looked_at, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_more_is_told_than_the_link_takes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(messages_are_short_while_the_master_is_crowded, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_heartbeat_says_how_late_word_may_be, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_heard_is_said_at_once_when_it_is_much, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_was_heard_is_said_with_the_heartbeat, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_depth_told_from_has_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_told_to_another_master, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_new_game_clears_the_tables_when_all_lanes_are_free,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_session_hears_of_its_clear, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_clear_is_not_told_by_who_leaves, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_clear_is_not_told_after_its_stay, set_up, tear_down),
        cmocka_unit_test_setup_teardown(heartbeats_carry_progress_and_the_newest_ping, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_silent_master_is_given_up_after_the_lease, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(any_message_renews_the_lease, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_worker_that_was_stopped_does_not_blame_its_master, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_search_that_hangs_ends_the_stay_until_it_ends, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_search_that_never_ends_ends_the_process, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(sigterm_does_not_wait_for_a_search_that_hangs, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_search_that_waits_does_not_hang, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_worker_that_was_stopped_does_not_blame_its_search, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_lost_connection_ends_the_stay, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reset_begins_anew_on_the_same_connection, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_second_welcome_is_a_new_stay, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sigterm_gives_jobs_back_and_says_bye, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_idle_worker_leaves_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_lane_that_never_ends_does_not_keep_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_master_sigterm_waits_for_the_lanes, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(without_a_master_a_lane_that_never_ends_does_not_keep_it,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_second_sigterm_waits_for_nothing_but_the_lanes, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(without_a_master_sigterm_ends_it_at_once, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(random_events_do_no_harm, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
