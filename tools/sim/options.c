#include "tools/sim/options.h"

#include <string.h>

#include "base/arguments.h"
#include "base/check.h"
#include "master/core/master.h"
#include "messages/messages.h"
#include "worker/core/worker.h"
#include "worker/search/tt.h"

enum { FAULT_EVERY_NS_MIN = 1000000 };
enum { JOBS_MAX = 256, TIME_MS_MAX = 1 << 30, ARGUMENTS_MAX = 48, SEED_MAX = 1 << 30 };

static const char help[] =
    "usage: rookery-sim speedup --positions FILE [options]\n"
    "       rookery-sim solve --positions FILE [options]\n"
    "\n"
    "Searches each position of an EPD file by simulated clusters, made of the real master, real\n"
    "workers and the real search on a virtual clock and network, and compares the virtual time\n"
    "with that of the plain serial search. One seed has one outcome.\n"
    "speedup: the time to the same depth. solve: the time to the right move (bm, am), that is to\n"
    "the end of the first iteration whose best move is right and stays right for two more, which\n"
    "are searched but do not count. A cluster has 4 times the serial time for it; without a\n"
    "solution that limit is its time.\n"
    "\n"
    "What is searched\n"
    "  --positions FILE       EPD or FEN lines;  --count N: only the first N\n"
    "  --serial-nodes 20M     speedup: to the first depth whose serial search takes more nodes\n"
    "  --work-per-worker 10M  ... or more than this times the number of workers\n"
    "  --multi-pv 1           speedup: so many best lines, each to that depth\n"
    "  --min-serial-nodes 5M --max-serial-nodes 100M\n"
    "                         solve: positions that the serial search solves sooner, or not "
    "within\n"
    "                         so many nodes, are left out\n"
    "  --hash-worker 64       table of each worker and of the serial search, MB\n"
    "  --hash-total MB        ... or of all workers together and of the serial search\n"
    "The cluster\n"
    "  --workers 1,2,4,8      sizes;  --slots 1: of each worker\n"
    "  --searches 128         at most so many of a root side by side, each with a part of the "
    "slots\n"
    "  --nps 1M               nodes a second of a slot;  --worker-speeds 1,1,0.1: factors of it\n"
    "  --latency 0.2ms --jitter 0.05ms --bandwidth 1Gbit   of each hop (0: no limit)\n"
    "  --push-interval 3ms    between two pushes of table entries by a machine\n"
    "  --master-receive 4us --master-send 2us --worker-message 3us --wake 5us\n"
    "                         processor time for a message, and until a thread wakes up\n"
    "  --fault-every 0        so often on average a machine or its line fails: cut off, slow, "
    "stopped,\n"
    "                         dead or gone for up to 2 s (0: never)\n"
    "  --seed 1               of all that is random;  --seeds 1,2,3: a trial with each\n"
    "Parts left out\n"
    "  --no-splits --no-push --no-affinity --no-speculation (that is --searches 1)\n"
    "  --lazy                 the rival: all slots search the root (with --no-push: its control);\n"
    "                         nothing in it is random\n"
    "Output\n"
    "  --json FILE            results; finished trials are kept in FILE.cache, so that a run that\n"
    "                         was interrupted goes on;  --jobs N: processes at once\n"
    "  --each                 a row for each trial too\n"
    "  --svg FILE             speedup: the curve\n"
    "  --timeline FILE        speedup, instead: one search (--index N: of which position) by the\n"
    "                         last of --workers with the first seed as a drawing, and where its\n"
    "                         time went;  --from, --to MS\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";

const char *options_help(void)
{
    return help;
}

/* Options that need more than arguments.h. */
typedef struct {
    const char *serial_nodes;
    const char *work_per_worker;
    const char *solve_nodes_min;
    const char *solve_nodes_max;
    const char *workers;
    const char *seeds;
    const char *nodes_per_second;
    const char *speeds;
    const char *latency;
    const char *fault_every;
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

static Status read_seeds(const char *text, Options *options)
{
    double list[QUANTITY_LIST_MAX];
    Status status = quantity_list("--seeds", text, list, &options->seed_count);
    if (status_is_ok(&status) && options->seed_count > EXPERIMENT_SEEDS_MAX) {
        status = status_error(STATUS_INVALID, "--seeds: more than %d", (int)EXPERIMENT_SEEDS_MAX);
    }
    for (int i = 0; i < options->seed_count && status_is_ok(&status); i++) {
        options->seeds[i] = list[i] <= SEED_MAX ? (uint64_t)list[i] : 0;
        if (options->seeds[i] < 1 || (double)options->seeds[i] != list[i]) {
            status = status_error(STATUS_INVALID, "--seeds: whole numbers from 1 to %d", SEED_MAX);
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
        {"--min-serial-nodes", texts->solve_nodes_min, quantity_count, &settings->solve_nodes_min},
        {"--max-serial-nodes", texts->solve_nodes_max, quantity_count, &settings->solve_nodes_max},
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
        {"--fault-every", texts->fault_every, quantity_duration, &settings->fault_every_ns},
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
    if (settings->fault_every_ns > 0 && settings->fault_every_ns < FAULT_EVERY_NS_MIN) {
        return status_error(STATUS_INVALID, "--fault-every must be at least 1ms, or 0");
    }
    if (settings->lazy && settings->fault_every_ns > 0) {
        return status_error(STATUS_INVALID, "--fault-every is not for --lazy, which has no master");
    }
    if (settings->nodes_per_second < 1000) {
        return status_error(STATUS_INVALID, "--nps must be at least 1k");
    }
    if (settings->solve_nodes_min > settings->solve_nodes_max) {
        return status_error(STATUS_INVALID,
                            "--min-serial-nodes must not be above --max-serial-nodes");
    }
    if (settings->lazy && options->seed_count > 1) {
        return status_error(STATUS_INVALID, "--lazy has the same outcome with all --seeds");
    }
    return status_ok();
}

static Status read_texts(const Texts *texts, Options *options)
{
    TrialSettings *settings = &options->settings;
    Status status = read_workers(texts->workers, options);
    if (status_is_ok(&status) && texts->seeds != NULL) {
        status = read_seeds(texts->seeds, options);
    }
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
        .seeds = {1},
        .seed_count = 1,
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
                     .solve_nodes_min = 5000000,
                     .solve_nodes_max = 100000000},
    };
}

/* Numbers and flags that the settings have in another form. */
typedef struct {
    int64_t slots;
    int64_t searches;
    int64_t multi_pv;
    int64_t hash_total_mb;
    int64_t hash_worker_mb;
    int64_t seed;
    bool no_splits;
    bool no_push;
    bool no_affinity;
    bool no_speculation;
} Values;

static void take_values(const Values *values, Options *options)
{
    TrialSettings *settings = &options->settings;
    options->seeds[0] = (uint64_t)values->seed;
    settings->slots = (int)values->slots;
    settings->multi_pv = (int)values->multi_pv;
    settings->hash_total_mb = (int)values->hash_total_mb;
    settings->hash_worker_mb = (int)values->hash_worker_mb;
    settings->splits = !values->no_splits;
    settings->push = !values->no_push;
    settings->affinity = !values->no_affinity;
    settings->searches = values->no_speculation ? 1 : (int)values->searches;
}

/* What each command understands beside what both do. */
typedef struct {
    const Argument *arguments;
    int count;
} Table;

static Status parse(char *const *words, int count, const Table *common, const Table *own)
{
    char rest[ARGUMENTS_TEXT_BYTES_MAX] = "";
    Argument all[ARGUMENTS_MAX];
    CHECK(common->count + own->count <= ARGUMENTS_MAX);
    memcpy(all, common->arguments, (size_t)common->count * sizeof *all);
    memcpy(all + common->count, own->arguments, (size_t)own->count * sizeof *all);
    const Status status = arguments_parse(words, count, all, common->count + own->count, rest);
    return status_is_ok(&status) && rest[0] != '\0'
               ? status_error(STATUS_INVALID, "'%.60s' is not understood (see --help)", rest)
               : status;
}

static Status read_words(char *const *words, int count, Options *options, Texts *texts,
                         Values *values)
{
    const Argument common[] = {
        {"--positions", .text = &options->positions},
        {"--count", .number = &options->count, .minimum = 1, .maximum = POSITIONS_MAX},
        {"--hash-total", .number = &values->hash_total_mb, .minimum = 1, .maximum = TT_MB_MAX},
        {"--hash-worker", .number = &values->hash_worker_mb, .minimum = 1, .maximum = TT_MB_MAX},
        {"--workers", .text = &texts->workers},
        {"--slots", .number = &values->slots, .minimum = 1, .maximum = MESSAGE_SLOTS_MAX},
        {"--nps", .text = &texts->nodes_per_second},
        {"--worker-speeds", .text = &texts->speeds},
        {"--latency", .text = &texts->latency},
        {"--searches", .number = &values->searches, .minimum = 1, .maximum = MASTER_SEARCHES_MAX},
        {"--jitter", .text = &texts->jitter},
        {"--bandwidth", .text = &texts->bandwidth},
        {"--push-interval", .text = &texts->push_interval},
        {"--master-receive", .text = &texts->master_receive},
        {"--master-send", .text = &texts->master_send},
        {"--worker-message", .text = &texts->worker_message},
        {"--wake", .text = &texts->wake},
        {"--fault-every", .text = &texts->fault_every},
        {"--seed", .number = &values->seed, .minimum = 0, .maximum = INT64_MAX},
        {"--seeds", .text = &texts->seeds},
        {"--no-splits", .flag = &values->no_splits},
        {"--no-push", .flag = &values->no_push},
        {"--no-affinity", .flag = &values->no_affinity},
        {"--no-speculation", .flag = &values->no_speculation},
        {"--lazy", .flag = &options->settings.lazy},
        {"--json", .text = &options->json},
        {"--jobs", .number = &options->jobs, .minimum = 1, .maximum = JOBS_MAX},
        {"--each", .flag = &options->each},
    };
    const Argument speedup[] = {
        {"--serial-nodes", .text = &texts->serial_nodes},
        {"--work-per-worker", .text = &texts->work_per_worker},
        {"--multi-pv", .number = &values->multi_pv, .minimum = 1, .maximum = MESSAGE_MULTI_PV_MAX},
        {"--svg", .text = &options->svg},
        {"--timeline", .text = &options->timeline},
        {"--index", .number = &options->index, .minimum = 1, .maximum = POSITIONS_MAX},
        {"--from", .number = &options->from_ms, .minimum = 0, .maximum = TIME_MS_MAX},
        {"--to", .number = &options->to_ms, .minimum = 1, .maximum = TIME_MS_MAX},
    };
    const Argument solve[] = {
        {"--min-serial-nodes", .text = &texts->solve_nodes_min},
        {"--max-serial-nodes", .text = &texts->solve_nodes_max},
    };
    const Table both = {common, (int)(sizeof common / sizeof common[0])};
    const Table own = options->settings.solves
                          ? (Table){solve, (int)(sizeof solve / sizeof solve[0])}
                          : (Table){speedup, (int)(sizeof speedup / sizeof speedup[0])};
    return parse(words, count, &both, &own);
}

Status options_read(char *const *words, int count, Options *options)
{
    Texts texts = {.workers = "1,2,4,8"};
    Values values = {.slots = 1,
                     .searches = MASTER_SEARCHES_MAX,
                     .multi_pv = 1,
                     .hash_worker_mb = 64,
                     .seed = 1};
    set_defaults(options);
    options->settings.solves = strcmp(words[0], "solve") == 0;
    if (!options->settings.solves && strcmp(words[0], "speedup") != 0) {
        return status_error(STATUS_INVALID, "'%.40s' is no command (see --help)", words[0]);
    }
    const Status status = read_words(words + 1, count - 1, options, &texts, &values);
    if (!status_is_ok(&status)) {
        return status;
    }
    take_values(&values, options);
    return read_texts(&texts, options);
}
