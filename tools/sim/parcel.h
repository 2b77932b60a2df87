/*
 * Parcel: a message on its way between the parties of a simulated cluster, as bytes.
 */
#ifndef ROOKERY_TOOLS_SIM_PARCEL_H
#define ROOKERY_TOOLS_SIM_PARCEL_H

#include <stddef.h>

#include "messages/messages.h"

typedef struct {
    PeerId peer;      /* the connection that it belongs to, as the master names it */
    size_t length;    /* of bytes */
    uint8_t bytes[1]; /* and more */
} Parcel;

/* A message as it travels, or NULL if it cannot be encoded. The caller's, to be freed. */
Parcel *parcel_new(PeerId peer, const Message *message);

/* Reads a parcel and frees it. */
void parcel_open(Parcel *parcel, Message *message);

#endif
