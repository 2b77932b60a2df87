/*
 * ClusterClient: a bridge's conversation with a master, for commands that need no UCI.
 *
 * Simpler than the engine child on purpose: whoever runs a command at a prompt wants an error when
 * the master is not there, not patience.
 */
#ifndef ROOKERY_UCI_BRIDGE_CLUSTER_CLIENT_H
#define ROOKERY_UCI_BRIDGE_CLUSTER_CLIENT_H

#include "base/duration.h"
#include "base/status.h"
#include "messages/messages.h"

typedef struct ClusterClient ClusterClient;

/*
 * Connects to the master at `address` (tcp or inproc) and opens a session under `name`, within
 * `patience`. transport_init comes before. On failure *client is NULL. Errors: STATUS_INVALID
 * (address), STATUS_UNAVAILABLE (no answer, or refused: the master's reason), STATUS_NO_MEMORY.
 */
__attribute__((warn_unused_result)) Status cluster_client_open(const char *address, bool insecure,
                                                               const char *name, Duration patience,
                                                               ClusterClient **client);

/* Says CLOSE, closes the connection and nulls the pointer; NULL is allowed. */
void cluster_client_close(ClusterClient **client);

/* The open session's name, as NEW_GAME carries it. */
SessionId cluster_client_session(const ClusterClient *client);

/* Sends a message. Errors: STATUS_UNAVAILABLE when the master takes none for a while. */
__attribute__((warn_unused_result)) Status cluster_client_send(ClusterClient *client,
                                                               const Message *message);

/*
 * The next message of the master, pings answered; *message is the client's, good until the next
 * call. Errors: STATUS_UNAVAILABLE when none came within `patience`, or the session was lost.
 */
__attribute__((warn_unused_result)) Status
cluster_client_next(ClusterClient *client, Duration patience, const Message **message);

#endif
