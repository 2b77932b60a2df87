#include "support/worker_scene.h"

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

/* ---- actions to text ---- */

static __attribute__((format(printf, 2, 3))) void write_text(Scene *scene, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    scene->length += vsnprintf(scene->text + scene->length,
                               sizeof scene->text - (size_t)scene->length, format, values);
    va_end(values);
    assert_true(scene->length < SCENE_TEXT_BYTES_MAX);
}

static void write_job(Scene *scene, const JobId *id)
{
    write_text(scene, " %u/%u/%u", id->session.value, id->search.value, id->job);
}

static void write_message(Scene *scene, const Message *message)
{
    write_text(scene, "%s", message_type_name(message->type));
    switch (message->type) {
    case MESSAGE_HELLO:
        write_text(scene, " %s", message->hello.name);
        break;
    case MESSAGE_HEARTBEAT:
        write_text(scene, " ping %" PRIu64 " nodes %" PRIu64, message->heartbeat.last_ping,
                   message->heartbeat.nodes_total);
        for (int i = 0; i < message->heartbeat.busy_count; i++) {
            write_job(scene, &message->heartbeat.busy[i].job);
            write_text(scene, "=%" PRIu64, message->heartbeat.busy[i].nodes);
        }
        break;
    case MESSAGE_IMPROVED:
        write_job(scene, &message->improved.id);
        break;
    case MESSAGE_OFFER:
        write_job(scene, &message->offer.parent);
        write_text(scene, "+%u depth %d", message->offer.share, message->offer.job.depth);
        break;
    case MESSAGE_CANCEL:
        write_job(scene, &message->cancel.id);
        write_text(scene, "+%u", message->cancel.share);
        break;
    case MESSAGE_BOUNDS:
        write_job(scene, &message->bounds.id);
        write_text(scene, "+%u alpha %d", message->bounds.share, message->bounds.alpha);
        break;
    case MESSAGE_PARKED:
        write_job(scene, &message->parked.id);
        write_text(scene, message->parked.is_parked ? " waits" : " goes on");
        break;
    case MESSAGE_RESULT:
        write_job(scene, &message->result.id);
        write_text(scene, message->result.is_complete ? " complete" : " incomplete");
        break;
    case MESSAGE_HEARD:
        write_text(scene, " %d", (int)message->heard.count);
        break;
    case MESSAGE_TABLE:
        write_text(scene, " %d", message->table.count);
        break;
    case MESSAGE_BYE:
        write_text(scene, " %u", message->bye.worker.value);
        break;
    case MESSAGE_CLEARED:
        write_text(scene, " %u", message->new_game.session.value);
        break;
    default:
        break;
    }
}

static void write_action(Scene *scene, const WorkerAction *action)
{
    switch (action->type) {
    case WORKER_ACTION_CONNECT:
        write_text(scene, "connect");
        break;
    case WORKER_ACTION_DISCONNECT:
        write_text(scene, "disconnect");
        break;
    case WORKER_ACTION_SEND:
        write_message(scene, &action->message);
        break;
    case WORKER_ACTION_START:
        write_text(scene, "start %d:", action->lane);
        write_job(scene, &action->job->id);
        if (action->job->alpha != 0) {
            write_text(scene, " alpha %d", action->job->alpha);
        }
        break;
    case WORKER_ACTION_STOP:
        write_text(scene, "stop %d", action->lane);
        break;
    case WORKER_ACTION_RAISE_ALPHA:
        write_text(scene, "alpha %d: %d", action->lane, action->alpha);
        break;
    case WORKER_ACTION_WANT:
        write_text(scene, "want %d: %d", action->lane, action->count);
        break;
    case WORKER_ACTION_DELIVER:
        write_text(scene, "deliver %d: ", action->lane);
        write_message(scene, action->news);
        write_text(scene, "+%u",
                   action->news->type == MESSAGE_RESULT ? action->news->result.share
                                                        : action->news->improved.share);
        break;
    case WORKER_ACTION_TELL:
        write_text(scene, "tell ");
        write_text(scene, action->depth == TT_TELL_NOTHING ? "nothing" : "%d", action->depth);
        break;
    case WORKER_ACTION_LEARN:
        write_text(scene, "learn ");
        write_message(scene, action->news);
        break;
    case WORKER_ACTION_AGE:
        write_text(scene, "age");
        break;
    case WORKER_ACTION_CLEAR:
        write_text(scene, "clear");
        break;
    case WORKER_ACTION_LOG:
        write_text(scene, "\"%s\"", action->text);
        break;
    case WORKER_ACTION_EXIT:
        write_text(scene, "exit");
        break;
    case WORKER_ACTION_ABORT:
        write_text(scene, "abort");
        break;
    }
}

static int count_searching(Scene *scene)
{
    int count = 0;
    for (int i = 0; i < WORKER_LANES_MAX; i++) {
        count += scene->running[i].job != 0 && !scene->is_parked[i];
    }
    return count;
}

/* What a host relies on. */
static void check_action(Scene *scene, const WorkerAction *action)
{
    if (action->type == WORKER_ACTION_START) {
        assert_int_equal(scene->running[action->lane].job, 0);
        assert_false(scene->is_clearing);
        scene->running[action->lane] = action->job->id;
        scene->is_parked[action->lane] = false;
        assert_in_range(count_searching(scene), 1, scene->slots);
        scene->running_count++;
    } else if (action->type == WORKER_ACTION_STOP || action->type == WORKER_ACTION_WANT ||
               action->type == WORKER_ACTION_DELIVER) {
        assert_int_not_equal(scene->running[action->lane].job, 0);
    } else if (action->type == WORKER_ACTION_CLEAR) {
        assert_int_equal(scene->running_count, 0);
        assert_false(scene->is_clearing);
        scene->is_clearing = true;
    }
}

static void step(Scene *scene, WorkerEvent event)
{
    event.now = scene->now;
    if (event.type == WORKER_EVENT_DONE) {
        scene->running[event.lane].job = 0;
        scene->running_count--;
    } else if (event.type == WORKER_EVENT_PARKED) {
        scene->is_parked[event.lane] = event.is_parked;
    } else if (event.type == WORKER_EVENT_CLEARED) {
        scene->is_clearing = false;
    }
    worker_step(scene->worker, &event, scene->actions);
    for (int i = 0; i < scene->actions->count; i++) {
        check_action(scene, &scene->actions->list[i]);
        write_text(scene, "%s", scene->length > 0 ? "; " : "");
        write_action(scene, &scene->actions->list[i]);
    }
}

void scene_forget(Scene *scene)
{
    scene->length = 0;
    scene->text[0] = '\0';
}

void scene_expect(Scene *scene, const char *expected)
{
    if (strcmp(scene->text, expected) != 0) {
        fail_msg("\n expected: %s\n      got: %s", expected, scene->text);
    }
    scene_forget(scene);
}

/* ---- events ---- */

void scene_tick(Scene *scene)
{
    step(scene, (WorkerEvent){.type = WORKER_EVENT_TICK, .progress = &scene->progress});
}

static void pass_until(Scene *scene, Instant then)
{
    for (int i = 0; i < WORKER_LANES_MAX && !scene->is_starved; i++) {
        scene->progress.lane_time[i].us += instant_since(then, scene->now).us;
    }
    scene->now = then;
}

void scene_wait(Scene *scene, int64_t milliseconds)
{
    pass_until(scene, instant_add(scene->now, duration_ms(milliseconds)));
}

void scene_run(Scene *scene, int64_t milliseconds)
{
    const Instant until = instant_add(scene->now, duration_ms(milliseconds));
    for (int i = 0; i < 10000; i++) {
        const Instant next = worker_next_tick(scene->worker);
        if (instant_is_before(until, next)) {
            break;
        }
        pass_until(scene, instant_is_before(next, scene->now) ? scene->now : next);
        scene_tick(scene);
    }
    pass_until(scene, until);
}

void scene_receive(Scene *scene, MessageType type)
{
    scene->message.type = type;
    step(scene, (WorkerEvent){.type = WORKER_EVENT_MESSAGE, .message = &scene->message});
}

JobId scene_job_id(uint32_t session, uint32_t search, uint32_t job)
{
    return (JobId){.epoch = {SCENE_EPOCH},
                   .session = {session},
                   .search = {search},
                   .job = job,
                   .attempt = job > 0 ? 1 : 0};
}

void scene_receive_welcome_with_heartbeat(Scene *scene, uint64_t epoch, uint32_t worker,
                                          int heartbeat_ms)
{
    scene->message.welcome = (MessageWelcome){.epoch = {epoch},
                                              .worker = {worker},
                                              .heartbeat = duration_ms(heartbeat_ms),
                                              .lease = duration_ms(SCENE_LEASE_MS)};
    scene_receive(scene, MESSAGE_WELCOME);
}

void scene_receive_welcome(Scene *scene, uint64_t epoch, uint32_t worker)
{
    scene_receive_welcome_with_heartbeat(scene, epoch, worker, SCENE_HEARTBEAT_MS);
}

void scene_receive_job(Scene *scene, uint32_t session, uint32_t search, uint32_t job)
{
    scene->message.job =
        (MessageJob){.id = scene_job_id(session, search, job), .depth = 5, .alpha = 0, .beta = 100};
    scene_receive(scene, MESSAGE_JOB);
}

void scene_receive_cancel(Scene *scene, uint32_t session, uint32_t search, uint32_t job)
{
    scene->message.cancel.id = scene_job_id(session, search, job);
    scene_receive(scene, MESSAGE_CANCEL);
}

void scene_receive_bounds(Scene *scene, uint32_t session, uint32_t search, uint32_t job, int alpha)
{
    scene->message.bounds =
        (MessageBounds){.id = scene_job_id(session, search, job), .alpha = alpha};
    scene_receive(scene, MESSAGE_BOUNDS);
}

void scene_receive_new_game(Scene *scene, uint32_t session)
{
    scene->message.new_game.session.value = session;
    scene_receive(scene, MESSAGE_NEW_GAME);
}

void scene_receive_error(Scene *scene, ErrorCode code, const char *text)
{
    scene->message.error.code = code;
    (void)snprintf(scene->message.error.text, sizeof scene->message.error.text, "%s", text);
    scene_receive(scene, MESSAGE_ERROR);
}

void scene_done(Scene *scene, int lane, uint32_t session, uint32_t search, uint32_t job,
                bool is_complete)
{
    const MessageResult result = {.id = scene_job_id(session, search, job),
                                  .is_complete = is_complete};
    step(scene, (WorkerEvent){.type = WORKER_EVENT_DONE, .lane = lane, .result = &result});
}

void scene_improved(Scene *scene, int lane, uint32_t session, uint32_t search, uint32_t job)
{
    const MessageImproved news = {.id = scene_job_id(session, search, job)};
    step(scene, (WorkerEvent){.type = WORKER_EVENT_IMPROVED, .lane = lane, .improved = &news});
}

void scene_receive_hungry(Scene *scene, uint32_t session, uint32_t search, uint32_t job, int count)
{
    scene->message.hungry =
        (MessageHungry){.id = scene_job_id(session, search, job), .count = count};
    scene_receive(scene, MESSAGE_HUNGRY);
}

void scene_receive_improved(Scene *scene, uint32_t job, uint32_t share)
{
    scene->message.improved = (MessageImproved){.id = scene_job_id(1, 1, job), .share = share};
    scene_receive(scene, MESSAGE_IMPROVED);
}

void scene_receive_result(Scene *scene, uint32_t job, uint32_t share)
{
    scene->message.result =
        (MessageResult){.id = scene_job_id(1, 1, job), .share = share, .is_complete = true};
    scene_receive(scene, MESSAGE_RESULT);
}

void scene_offered(Scene *scene, int lane, uint32_t share)
{
    const MessageJob job = {.depth = 6};
    step(scene, (WorkerEvent){
                    .type = WORKER_EVENT_OFFERED, .lane = lane, .share = share, .offered = &job});
}

void scene_withdrawn(Scene *scene, int lane, uint32_t share)
{
    step(scene, (WorkerEvent){.type = WORKER_EVENT_WITHDRAWN, .lane = lane, .share = share});
}

void scene_raised(Scene *scene, int lane, uint32_t share, int alpha)
{
    step(scene,
         (WorkerEvent){.type = WORKER_EVENT_RAISED, .lane = lane, .share = share, .alpha = alpha});
}

void scene_parked(Scene *scene, int lane, bool is_parked)
{
    step(scene, (WorkerEvent){.type = WORKER_EVENT_PARKED, .lane = lane, .is_parked = is_parked});
}

void scene_receive_table(Scene *scene, int count)
{
    scene->message.table = (MessageTable){.count = count};
    scene_receive(scene, MESSAGE_TABLE);
}

void scene_noted(Scene *scene, int count)
{
    const MessageTable table = {.count = count, .entries = {{.key = 5, .data = 9}}};
    step(scene, (WorkerEvent){.type = WORKER_EVENT_NOTED, .noted = &table});
}

void scene_terminate(Scene *scene)
{
    step(scene, (WorkerEvent){.type = WORKER_EVENT_TERMINATE});
}

void scene_unsent(Scene *scene)
{
    step(scene, (WorkerEvent){.type = WORKER_EVENT_UNSENT});
}

void scene_cleared(Scene *scene)
{
    step(scene, (WorkerEvent){.type = WORKER_EVENT_CLEARED});
}

/* ---- set-up ---- */

Scene *scene_new(int slots)
{
    const WorkerConfig config = {
        .hello = {.protocol_version = PROTOCOL_VERSION, .name = "lab-1", .slots = slots},
        .retry_first = duration_ms(100),
        .retry_last = duration_ms(800),
        .seed = 1,
    };
    Scene *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    scene->actions = malloc(sizeof *scene->actions);
    assert_non_null(scene->actions);
    scene->slots = slots;
    scene->now = (Instant){.us = 1000000};
    scene->worker = worker_new(&config, scene->now);
    assert_non_null(scene->worker);
    return scene;
}

Scene *scene_new_joined(int slots)
{
    Scene *scene = scene_new(slots);
    scene_tick(scene);
    scene_expect(scene, "connect; HELLO lab-1");
    scene_receive_welcome(scene, SCENE_EPOCH, 3);
    scene_expect(scene, "tell nothing; \"joined the master as worker 3\"");
    return scene;
}

void scene_destroy(Scene *scene)
{
    worker_destroy(&scene->worker);
    free(scene->actions);
    free(scene);
}
