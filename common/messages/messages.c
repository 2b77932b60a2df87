#include "messages/messages.h"

const char *message_type_name(MessageType type)
{
    static const char *const names[MESSAGE_TYPE_COUNT] = {
        [MESSAGE_OPEN] = "OPEN",
        [MESSAGE_OPENED] = "OPENED",
        [MESSAGE_SEARCH] = "SEARCH",
        [MESSAGE_STOP] = "STOP",
        [MESSAGE_PONDERHIT] = "PONDERHIT",
        [MESSAGE_NEW_GAME] = "NEW_GAME",
        [MESSAGE_CLOSE] = "CLOSE",
        [MESSAGE_INFO] = "INFO",
        [MESSAGE_BESTMOVE] = "BESTMOVE",
        [MESSAGE_STATUS] = "STATUS",
        [MESSAGE_ERROR] = "ERROR",
        [MESSAGE_PING] = "PING",
        [MESSAGE_PONG] = "PONG",
        [MESSAGE_HELLO] = "HELLO",
        [MESSAGE_WELCOME] = "WELCOME",
        [MESSAGE_HEARTBEAT] = "HEARTBEAT",
        [MESSAGE_JOB] = "JOB",
        [MESSAGE_IMPROVED] = "IMPROVED",
        [MESSAGE_RESULT] = "RESULT",
        [MESSAGE_BOUNDS] = "BOUNDS",
        [MESSAGE_CANCEL] = "CANCEL",
        [MESSAGE_DRAIN] = "DRAIN",
        [MESSAGE_BYE] = "BYE",
        [MESSAGE_RESET] = "RESET",
        [MESSAGE_OFFER] = "OFFER",
        [MESSAGE_PARKED] = "PARKED",
        [MESSAGE_HUNGRY] = "HUNGRY",
        [MESSAGE_TABLE] = "TABLE",
        [MESSAGE_HEARD] = "HEARD",
        [MESSAGE_CLEARED] = "CLEARED",
    };
    return type >= 0 && type < MESSAGE_TYPE_COUNT ? names[type] : "?";
}
