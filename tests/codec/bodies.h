/*
 * Bodies: what two messages of a type have to share to be the same. A decoded message is zero or
 * named within the body of its type, and holds whatever was there before behind that.
 *
 * The sizes are written down here a second time, so that a wrong one in schema.c is found.
 */
#ifndef ROOKERY_TESTS_CODEC_BODIES_H
#define ROOKERY_TESTS_CODEC_BODIES_H

#include <stddef.h>
#include <string.h>

#include "messages/messages.h"

/* Bytes of the union that belong to the type; 0 for one without a body. */
static inline size_t bodies_size(MessageType type)
{
    static const Message *const none; /* never read, its members have sizes alone */
    static const size_t sizes[MESSAGE_TYPE_COUNT] = {
        [MESSAGE_OPEN] = sizeof none->open,
        [MESSAGE_OPENED] = sizeof none->opened,
        [MESSAGE_SEARCH] = sizeof none->search,
        [MESSAGE_STOP] = sizeof none->search_name,
        [MESSAGE_PONDERHIT] = sizeof none->search_name,
        [MESSAGE_NEW_GAME] = sizeof none->new_game,
        [MESSAGE_INFO] = sizeof none->info,
        [MESSAGE_BESTMOVE] = sizeof none->bestmove,
        [MESSAGE_STATUS] = sizeof none->status,
        [MESSAGE_ERROR] = sizeof none->error,
        [MESSAGE_PING] = sizeof none->ping,
        [MESSAGE_PONG] = sizeof none->ping,
        [MESSAGE_HELLO] = sizeof none->hello,
        [MESSAGE_WELCOME] = sizeof none->welcome,
        [MESSAGE_HEARTBEAT] = sizeof none->heartbeat,
        [MESSAGE_JOB] = sizeof none->job,
        [MESSAGE_IMPROVED] = sizeof none->improved,
        [MESSAGE_RESULT] = sizeof none->result,
        [MESSAGE_BOUNDS] = sizeof none->bounds,
        [MESSAGE_CANCEL] = sizeof none->cancel,
        [MESSAGE_BYE] = sizeof none->bye,
        [MESSAGE_OFFER] = sizeof none->offer,
        [MESSAGE_PARKED] = sizeof none->parked,
        [MESSAGE_HUNGRY] = sizeof none->hungry,
        [MESSAGE_TABLE] = sizeof none->table,
        [MESSAGE_HEARD] = sizeof none->heard,
        [MESSAGE_CLEARED] = sizeof none->new_game,
    };
    return sizes[type];
}

/* The first byte of the body, which all members of the union share. */
static inline const unsigned char *bodies_of(const Message *message)
{
    return (const unsigned char *)message + offsetof(Message, open);
}

/* Are type and body the same, padding too? */
static inline bool bodies_equal(const Message *left, const Message *right)
{
    return left->type == right->type &&
           memcmp(bodies_of(left), bodies_of(right), bodies_size(left->type)) == 0;
}

/* Has every byte behind the body this value? */
static inline bool bodies_end_with(const Message *message, unsigned char value)
{
    const unsigned char *end = (const unsigned char *)(message + 1);
    const unsigned char *byte = bodies_of(message) + bodies_size(message->type);
    while (byte < end && *byte == value) {
        byte++;
    }
    return byte == end;
}

#endif
