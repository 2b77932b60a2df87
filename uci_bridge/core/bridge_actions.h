/*
 * Filling BridgeActions; for the core's own files.
 */
#ifndef ROOKERY_UCI_BRIDGE_CORE_BRIDGE_ACTIONS_H
#define ROOKERY_UCI_BRIDGE_CORE_BRIDGE_ACTIONS_H

#include "uci_bridge/core/bridge_event.h"

/* Empties the list. */
void bridge_actions_clear(BridgeActions *actions);

/* Adds an action without payload, or whose payload the caller has filled in. */
void bridge_actions_add(BridgeActions *actions, BridgeActionType type);

/* Prints a line, cut at UCI_FORMAT_LINE_BYTES_MAX; dropped when only the kept part is left. */
__attribute__((format(printf, 2, 3))) void bridge_actions_print(BridgeActions *actions,
                                                                const char *format, ...);

/* Prints a line that must not be lost. */
void bridge_actions_print_kept(BridgeActions *actions, const char *line);

/* Sends a message of `type`; the caller fills in the body that is returned. */
Message *bridge_actions_send(BridgeActions *actions, MessageType type);

#endif
