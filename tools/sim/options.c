#include "tools/sim/options.h"

#include "base/arguments.h"
#include "messages/messages.h"
#include "worker/core/worker.h"
#include "worker/search/tt.h"

enum { JOBS_MAX = 256, TIME_MS_MAX = 1 << 30 };

static const char help[] =
    "usage: rookery-sim speedup --positions FILE [options]\n"
    "\n"
    "Searches each position of an EPD file by simulated clusters, made of the real master, real\n"
    "workers and the real search on a virtual clock and network, and compares the virtual time\n"
    "with that of the plain serial search to the same depth. One seed has one outcome.\n"
    "\n"
    "What is searched\n"
    "  --positions FILE       EPD or FEN lines;  --count N: only the first N\n"
    "  --serial-nodes 20M     to the first depth whose serial search takes more nodes than this\n"
    "  --work-per-worker 10M  ... or more than this times the number of workers\n"
    "  --hash-worker 64       table of each worker and of the serial search, MB\n"
    "  --hash-total MB        ... or of all workers together and of the serial search\n"
    "The cluster\n"
    "  --workers 1,2,4,8      sizes;  --slots 1: of each worker\n"
    "  --nps 1M               nodes a second of a slot;  --worker-speeds 1,1,0.1: factors of it\n"
    "  --latency 0.2ms --jitter 0.05ms --bandwidth 1Gbit   of each hop (0: no limit)\n"
    "  --push-interval 5ms    between two pushes of table entries by a machine\n"
    "  --master-receive 4us --master-send 2us --worker-message 3us --wake 5us\n"
    "                         processor time for a message, and until a thread wakes up\n"
    "  --seed 1               of all that is random\n"
    "Parts left out\n"
    "  --no-splits --no-push --no-affinity --no-speculation --no-predicted-bounds\n"
    "  --lazy                 the rival: all slots search the root (with --no-push: its control)\n"
    "Output\n"
    "  --json FILE            results; finished trials are kept in FILE.cache, so that a run that\n"
    "                         was interrupted goes on;  --jobs N: processes at once\n"
    "  --each                 a row for each position too;  --svg FILE: the curve\n"
    "  --timeline FILE        instead: one search (--index N: of which position) by the last of\n"
    "                         --workers as a drawing, and where its time went;  --from, --to MS\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";

const char *options_help(void)
{
    return help;
}

/* Options that need more than arguments.h. */
typedef struct {
    const char *serial_nodes;
    const char *work_per_worker;
    const char *workers;
    const char *nodes_per_second;
    const char *speeds;
    const char *latency;
    const char *jitter;
    const char *bandwidth;
    const char *push_interval;
    const char *master_receive;
    const char *master_send;
    const char *worker_message;
    const char *wake;
} Texts;

static Status read_workers(const char *text, Options *options)
{
    double list[QUANTITY_LIST_MAX];
    Status status = quantity_list("--workers", text, list, &options->size_count);
    if (status_is_ok(&status) && options->size_count > EXPERIMENT_SIZES_MAX) {
        status = status_error(STATUS_INVALID, "--workers: more than %d sizes",
                              (int)EXPERIMENT_SIZES_MAX);
    }
    for (int i = 0; i < options->size_count && status_is_ok(&status); i++) {
        options->workers[i] = list[i] <= CLUSTER_MACHINES_MAX ? (int)list[i] : 0;
        if (options->workers[i] < 1 || options->workers[i] != list[i]) {
            status = status_error(STATUS_INVALID, "--workers: whole numbers from 1 to %d",
                                  (int)CLUSTER_MACHINES_MAX);
        }
    }
    return status;
}

typedef Status Reader(const char *name, const char *text, int64_t *value);

static Status read_quantities(const Texts *texts, TrialSettings *settings)
{
    const struct {
        const char *name;
        const char *text;
        Reader *reader;
        int64_t *value;
    } quantities[] = {
        {"--serial-nodes", texts->serial_nodes, quantity_count, &settings->serial_nodes},
        {"--work-per-worker", texts->work_per_worker, quantity_count, &settings->work_per_worker},
        {"--nps", texts->nodes_per_second, quantity_count, &settings->nodes_per_second},
        {"--latency", texts->latency, quantity_duration, &settings->latency_ns},
        {"--jitter", texts->jitter, quantity_duration, &settings->jitter_ns},
        {"--bandwidth", texts->bandwidth, quantity_bandwidth, &settings->bits_per_second},
        {"--push-interval", texts->push_interval, quantity_duration, &settings->push_interval_ns},
        {"--master-receive", texts->master_receive, quantity_duration,
         &settings->master_receive_ns},
        {"--master-send", texts->master_send, quantity_duration, &settings->master_send_ns},
        {"--worker-message", texts->worker_message, quantity_duration,
         &settings->worker_message_ns},
        {"--wake", texts->wake, quantity_duration, &settings->wake_ns},
    };
    Status status = status_ok();
    for (size_t i = 0; i < sizeof quantities / sizeof quantities[0] && status_is_ok(&status); i++) {
        if (quantities[i].text != NULL) {
            status =
                quantities[i].reader(quantities[i].name, quantities[i].text, quantities[i].value);
        }
    }
    return status;
}

static Status check(const Options *options)
{
    const TrialSettings *settings = &options->settings;
    if (options->positions == NULL) {
        return status_error(STATUS_INVALID, "--positions FILE is needed (see --help)");
    }
    if (settings->jitter_ns > settings->latency_ns) {
        return status_error(STATUS_INVALID, "--jitter must not be above --latency");
    }
    if (settings->push_interval_ns == 0) {
        return status_error(STATUS_INVALID, "--push-interval must not be 0 (see --no-push)");
    }
    if (settings->nodes_per_second < 1000) {
        return status_error(STATUS_INVALID, "--nps must be at least 1k");
    }
    return status_ok();
}

static Status read_texts(const Texts *texts, Options *options)
{
    TrialSettings *settings = &options->settings;
    Status status = read_workers(texts->workers, options);
    if (status_is_ok(&status)) {
        status = read_quantities(texts, settings);
    }
    if (status_is_ok(&status) && texts->speeds != NULL) {
        status = quantity_list("--worker-speeds", texts->speeds, settings->speeds,
                               &settings->speed_count);
    }
    return status_is_ok(&status) ? check(options) : status;
}

static void set_defaults(Options *options)
{
    *options = (Options){
        .jobs = 1,
        .index = 1,
        .settings = {.slots = 1,
                     .nodes_per_second = 1000000,
                     .latency_ns = 200000,
                     .jitter_ns = 50000,
                     .bits_per_second = 1000000000,
                     .push_interval_ns = INT64_C(1000000) * WORKER_NOTES_INTERVAL_MS,
                     .master_receive_ns = 4000,
                     .master_send_ns = 2000,
                     .worker_message_ns = 3000,
                     .wake_ns = 5000,
                     .hash_worker_mb = 64,
                     .serial_nodes = 20000000,
                     .seed = 1},
    };
}

/* Numbers and flags that the settings have in another form. */
typedef struct {
    int64_t slots;
    int64_t hash_total_mb;
    int64_t hash_worker_mb;
    int64_t seed;
    bool no_splits;
    bool no_push;
    bool no_affinity;
    bool no_speculation;
    bool no_predicted_bounds;
} Values;

static void take_values(const Values *values, TrialSettings *settings)
{
    settings->slots = (int)values->slots;
    settings->hash_total_mb = (int)values->hash_total_mb;
    settings->hash_worker_mb = (int)values->hash_worker_mb;
    settings->seed = (uint64_t)values->seed;
    settings->splits = !values->no_splits;
    settings->push = !values->no_push;
    settings->affinity = !values->no_affinity;
    settings->speculation = !values->no_speculation;
    settings->predicted_bounds = !values->no_predicted_bounds;
}

Status options_read(char *const *words, int count, Options *options)
{
    Texts texts = {.workers = "1,2,4,8"};
    Values values = {.slots = 1, .hash_worker_mb = 64, .seed = 1};
    char rest[ARGUMENTS_TEXT_BYTES_MAX] = "";
    set_defaults(options);
    const Argument arguments[] = {
        {"--help", .flag = &options->help},
        {"--positions", .text = &options->positions},
        {"--count", .number = &options->count, .minimum = 1, .maximum = POSITIONS_MAX},
        {"--serial-nodes", .text = &texts.serial_nodes},
        {"--work-per-worker", .text = &texts.work_per_worker},
        {"--hash-total", .number = &values.hash_total_mb, .minimum = 1, .maximum = TT_MB_MAX},
        {"--hash-worker", .number = &values.hash_worker_mb, .minimum = 1, .maximum = TT_MB_MAX},
        {"--workers", .text = &texts.workers},
        {"--slots", .number = &values.slots, .minimum = 1, .maximum = MESSAGE_SLOTS_MAX},
        {"--nps", .text = &texts.nodes_per_second},
        {"--worker-speeds", .text = &texts.speeds},
        {"--latency", .text = &texts.latency},
        {"--jitter", .text = &texts.jitter},
        {"--bandwidth", .text = &texts.bandwidth},
        {"--push-interval", .text = &texts.push_interval},
        {"--master-receive", .text = &texts.master_receive},
        {"--master-send", .text = &texts.master_send},
        {"--worker-message", .text = &texts.worker_message},
        {"--wake", .text = &texts.wake},
        {"--seed", .number = &values.seed, .minimum = 0, .maximum = INT64_MAX},
        {"--no-splits", .flag = &values.no_splits},
        {"--no-push", .flag = &values.no_push},
        {"--no-affinity", .flag = &values.no_affinity},
        {"--no-speculation", .flag = &values.no_speculation},
        {"--no-predicted-bounds", .flag = &values.no_predicted_bounds},
        {"--lazy", .flag = &options->settings.lazy},
        {"--json", .text = &options->json},
        {"--jobs", .number = &options->jobs, .minimum = 1, .maximum = JOBS_MAX},
        {"--each", .flag = &options->each},
        {"--svg", .text = &options->svg},
        {"--timeline", .text = &options->timeline},
        {"--index", .number = &options->index, .minimum = 1, .maximum = POSITIONS_MAX},
        {"--from", .number = &options->from_ms, .minimum = 0, .maximum = TIME_MS_MAX},
        {"--to", .number = &options->to_ms, .minimum = 1, .maximum = TIME_MS_MAX},
    };
    const Status status = arguments_parse(words, count, arguments,
                                          (int)(sizeof arguments / sizeof arguments[0]), rest);
    if (!status_is_ok(&status) || options->help) {
        return status;
    }
    if (rest[0] != '\0') {
        return status_error(STATUS_INVALID, "'%.60s' is not understood (see --help)", rest);
    }
    take_values(&values, &options->settings);
    return read_texts(&texts, options);
}
