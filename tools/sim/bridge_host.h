/*
 * BridgeHost: what a simulated cluster has for a bridge: it opens a session, asks for one search,
 * shows now and then that it is there, and keeps what it hears.
 */
#ifndef ROOKERY_TOOLS_SIM_BRIDGE_HOST_H
#define ROOKERY_TOOLS_SIM_BRIDGE_HOST_H

#include "chess/position.h"
#include "tools/sim/agenda.h"
#include "tools/sim/parcel.h"

typedef struct {
    Agenda agenda;     /* what will happen here */
    Message *incoming; /* borrowed: the message being taken */
    Message outgoing;  /* the next to send */
    void *context;     /* of `send` */
    /* To the master. */
    void (*send)(void *context, const Message *message, int64_t at_ns);
    bool is_open;    /* the session */
    int workers;     /* that the master knows */
    bool has_best;   /* BESTMOVE has come */
    int64_t best_ns; /* when it came */
    Move best;       /* what it said */
    int score;       /* of the last INFO */
    int depth;       /* likewise */
    uint64_t nodes;  /* likewise */
} BridgeHost;

/* One that says nothing yet. `incoming` must be set before it hears anything. */
void bridge_host_init(BridgeHost *bridge, void *context,
                      void (*send)(void *context, const Message *message, int64_t at_ns));

/* Frees what it holds. */
void bridge_host_free(BridgeHost *bridge);

/* Asks for a session at the beginning of time. */
void bridge_host_open(BridgeHost *bridge);

/* Asks for so many lines of a position to a depth. */
void bridge_host_search(BridgeHost *bridge, const Position *position, int depth, int multi_pv,
                        int64_t at_ns);

/* A message of the master arrives; the parcel is the bridge's from now on. */
void bridge_host_deliver(BridgeHost *bridge, Parcel *parcel, int64_t at_ns);

/* When something is next to happen here; INT64_MAX for never. */
int64_t bridge_host_next_ns(const BridgeHost *bridge);

/* Lets it happen. */
void bridge_host_act(BridgeHost *bridge);

#endif
