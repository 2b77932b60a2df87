/*
 * ConfigAddress: where programs meet, tcp://HOST:PORT, and whether that is open to other machines.
 *
 * HOST is a name, an IPv4 address, an IPv6 address in brackets or, to listen only, "*" (every
 * interface). PORT lies below CONFIG_ADDRESS_PORT_LIMIT: above it begin the ports that the kernel
 * hands out, where waiting peers on one machine can connect to themselves and take the listener's
 * port away.
 *
 * Without keys only loopback addresses are let through, unless the owner of the machines says
 * `insecure = true`. Pure functions, any thread.
 */
#ifndef ROOKERY_CONFIG_CONFIG_ADDRESS_H
#define ROOKERY_CONFIG_CONFIG_ADDRESS_H

#include "base/status.h"

#include <stdbool.h>

enum {
    CONFIG_ADDRESS_BYTES_MAX = 128,    /* with the NUL */
    CONFIG_ADDRESS_PORT_LIMIT = 32768, /* ports are below this */
};

typedef enum {
    CONFIG_ADDRESS_LISTEN,  /* a program waits here for others: "*" is allowed */
    CONFIG_ADDRESS_CONNECT, /* a program looks for another one here */
} ConfigAddressUse;

/* Is the text such an address? Errors: STATUS_INVALID, with what is wrong with it. */
Status config_address_check(const char *address, ConfigAddressUse use);

/* The host of a valid address, IPv6 without its brackets. */
void config_address_host(const char *address, char host[CONFIG_ADDRESS_BYTES_MAX]);

/*
 * Does a valid address stay on this machine: 127.0.0.0/8, [::1] or localhost? Anything else, a
 * malformed address too, is false. A program that uses an address for which this is false warns
 * about it at every start.
 */
bool config_address_is_loopback(const char *address);

/*
 * May a program use this address? It must be valid, and loopback unless `insecure`.
 * Errors: STATUS_INVALID; the message says what to do.
 */
Status config_address_admit(const char *address, ConfigAddressUse use, bool insecure);

#endif
