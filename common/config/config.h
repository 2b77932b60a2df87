/*
 * Config: what cluster.toml says, checked and complete.
 *
 * One file serves all machines and the three programs: each reads the tables that concern it, and
 * [network] is for all of them. Every key has a default, so no file at all is a good
 * configuration: everything on this machine. `cluster.toml` in the project's root is the example
 * with every key.
 *
 * Nothing is passed over in silence: an unknown key, a wrong type, a value out of range and two
 * values that do not fit together are refused with "file:line:column: message". Program options
 * that override a value are checked by the same functions (config_address_admit,
 * config_check_worker_name) and the same limits.
 *
 * Source: TOML 1.0. The parser is C++ (toml++); no exception leaves it. Any thread.
 */
#ifndef ROOKERY_CONFIG_CONFIG_H
#define ROOKERY_CONFIG_CONFIG_H

#include "base/status.h"
#include "config/config_address.h"

#include <stdbool.h>

/* Limits, both ends included, and defaults. */
enum {
    CONFIG_TEXT_BYTES_MAX = 65536, /* longest file */
    CONFIG_NAME_BYTES_MAX = 64,    /* a worker's name with its NUL */

    CONFIG_PORT_DEFAULT = 5570,

    CONFIG_HEARTBEAT_MS_MIN = 10,
    CONFIG_HEARTBEAT_MS_MAX = 1000,
    CONFIG_HEARTBEAT_MS_DEFAULT = 100, /* finds a dead process within 0.3 s */

    CONFIG_LEASE_MS_MIN = 100,
    CONFIG_LEASE_MS_MAX = 60000,
    CONFIG_LEASE_MS_DEFAULT = 1500,  /* a stopped machine is lost within 2 s */
    CONFIG_LEASE_HEARTBEATS_MIN = 3, /* a lease outlives this many heartbeats at least */

    CONFIG_RECONNECT_MS_MIN = 10,
    CONFIG_RECONNECT_MS_MAX = 60000,
    CONFIG_RECONNECT_FIRST_MS_DEFAULT = 100,
    CONFIG_RECONNECT_LAST_MS_DEFAULT = 800, /* all are back within 1 s of a master's restart */

    CONFIG_SLOTS_MAX = 256, /* 0: every processor that the program may use */

    CONFIG_HASH_MB_MIN = 1,
    CONFIG_HASH_MB_MAX = 65536,
    CONFIG_HASH_MB_DEFAULT = 64,

    CONFIG_MOVE_OVERHEAD_MS_MAX = 5000,
    CONFIG_MOVE_OVERHEAD_MS_DEFAULT = 30,
};

/* [network]: how programs on different machines treat each other. */
typedef struct {
    bool insecure;          /* addresses beyond loopback are accepted without keys */
    int heartbeat_ms;       /* from one heartbeat to the next, in both directions */
    int lease_ms;           /* a worker, or a bridge's master, that is silent for so long is lost */
    int reconnect_first_ms; /* mean pause before the first attempt to connect again */
    int reconnect_last_ms;  /* the pause doubles up to this; never below the first */
} ConfigNetwork;

/* [master] */
typedef struct {
    char listen[CONFIG_ADDRESS_BYTES_MAX]; /* where workers and bridges find the master */
} ConfigMaster;

/* [worker] */
typedef struct {
    char master[CONFIG_ADDRESS_BYTES_MAX]; /* the master to serve */
    int slots;                             /* searches at once; 0: every usable processor */
    int hash_mb;                           /* the table that its slots share, MiB */
    char name[CONFIG_NAME_BYTES_MAX];      /* shown to people; empty: the host's name */
} ConfigWorker;

/* [bridge]: the program `rookery`; UCI options override these. */
typedef struct {
    char cluster[CONFIG_ADDRESS_BYTES_MAX]; /* the master to play through; empty: embedded */
    int threads;                            /* slots of the embedded cluster; 0: as for slots */
    int hash_mb;                            /* the embedded cluster's table, MiB */
    int move_overhead_ms;                   /* kept back per move for GUI and operating system */
} ConfigBridge;

typedef struct {
    ConfigNetwork network; /* for all programs */
    ConfigMaster master;   /* for rookery-master */
    ConfigWorker worker;   /* for rookery-worker */
    ConfigBridge bridge;   /* for rookery */
} Config;

/* The configuration of an empty file. */
Config config_default(void);

/*
 * Reads `length` bytes of TOML. `file_name` only appears in messages. Keys that are absent have
 * their defaults. On failure *config is the default.
 * Errors: STATUS_INVALID ("file:line:column: ..."), STATUS_NO_MEMORY.
 */
Status config_parse(const char *text, int length, const char *file_name, Config *config);

/*
 * Reads the file at `path`. Errors: those of config_parse, STATUS_NOT_FOUND (no such file),
 * STATUS_IO (cannot be read), STATUS_INVALID (longer than CONFIG_TEXT_BYTES_MAX).
 */
Status config_load(const char *path, Config *config);

/*
 * Can a worker be called this? Letters, digits, '.', '-' and '_', below CONFIG_NAME_BYTES_MAX
 * bytes; empty stands for the host's name. Errors: STATUS_INVALID.
 */
Status config_check_worker_name(const char *name);

#endif
