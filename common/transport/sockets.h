/*
 * Sockets: the libzmq handles behind Router and Dealer. Only for poller.c.
 */
#ifndef ROOKERY_TRANSPORT_SOCKETS_H
#define ROOKERY_TRANSPORT_SOCKETS_H

#include "transport/dealer.h"
#include "transport/router.h"

/* The socket; NULL while a dealer is closed. */
void *sockets_of_router(const Router *router);
void *sockets_of_dealer(const Dealer *dealer);

#endif
