/*
 * MasterHost: the real master core as a server of a simulated cluster: messages queue at its one
 * thread, and each one received or sent takes its time.
 */
#ifndef ROOKERY_TOOLS_SIM_MASTER_HOST_H
#define ROOKERY_TOOLS_SIM_MASTER_HOST_H

#include "master/core/master.h"
#include "tools/sim/agenda.h"
#include "tools/sim/parcel.h"

typedef struct {
    int searches;       /* of the root side by side, at most (master/core/scouts.h) */
    bool affinity;      /* false: jobs go to the worker that is free first */
    int64_t receive_ns; /* processor time for a message received and its step */
    int64_t send_ns;    /* for a message sent */
    Message *incoming;  /* borrowed: the message being taken */
    void *context;      /* of the two below */
    /* Whether this connection stands: what comes by another is lost. */
    bool (*is_connected)(void *context, PeerId peer);
    /*
     * Sends what a step wants sent; `of_result`: the step was for a RESULT. False when the peer is
     * known to be no more, which the core is then told.
     */
    bool (*send)(void *context, PeerId peer, const Message *message, bool of_result, int64_t at_ns);
} MasterHostConfig;

typedef struct {
    MasterHostConfig config;
    Agenda agenda; /* what will happen here */
    Master *core;
    MasterActions *actions; /* of the step being taken */
    int64_t free_ns;        /* when it has nothing to do */
    int64_t tick_ns;        /* of the core */
    int64_t now_ns;         /* of the last thing that happened */
    int64_t busy_ns;        /* all together */
} MasterHost;

/* Makes a master at the beginning of time. Errors: STATUS_NO_MEMORY; it is to be freed even so. */
__attribute__((warn_unused_result)) Status master_host_init(MasterHost *master,
                                                            const MasterHostConfig *config);

/* Frees what it holds; one of zeros too. */
void master_host_free(MasterHost *master);

/* A message arrives; the parcel is the master's from now on. */
void master_host_deliver(MasterHost *master, Parcel *parcel, int64_t at_ns);

/* When something is next to happen here. */
int64_t master_host_next_ns(const MasterHost *master);

/* Lets it happen. */
void master_host_act(MasterHost *master);

#endif
