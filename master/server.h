/*
 * Server: the master at work, between its socket and its core.
 *
 * One thread: it receives, decodes, steps the core and sends what the core asks for. A peer that
 * sends bytes that are no message is ignored after a few of them; its connection stays. Whatever
 * peers do, the log grows by a bounded number of lines an hour.
 */
#ifndef ROOKERY_MASTER_SERVER_H
#define ROOKERY_MASTER_SERVER_H

#include "base/status.h"
#include "config/config.h"
#include "os/log.h"
#include "transport/poller.h"

typedef struct {
    const char *address;          /* tcp://HOST:PORT or inproc://NAME to listen on; borrowed */
    const ConfigNetwork *network; /* heartbeats, leases, insecure; borrowed */
    Log *log;                     /* borrowed; NULL is silent */
} ServerOptions;

typedef struct Server Server;

enum { SERVER_ITEMS = 1 }; /* what a server waits for */

/* Binds the address, so that failures show before anything is started. The tables must be built. */
__attribute__((warn_unused_result)) Status server_new(const ServerOptions *options,
                                                      Server **server);

/*
 * Logs how many bad messages of each kind came, closes the socket and nulls the pointer; NULL is
 * allowed.
 */
void server_destroy(Server **server);

/*
 * One round of serving, for whoever waits for other things too: writes down what the server waits
 * for and returns until when. On the thread that made the server, as all of these.
 */
Instant server_items(const Server *server, PollerItem items[SERVER_ITEMS]);

/* Does what is to be done after such a wait. */
void server_serve(Server *server, const PollerItem items[SERVER_ITEMS]);

/*
 * Serves until `stop_descriptor` becomes readable; does not read it.
 */
void server_run(Server *server, int stop_descriptor);

#endif
