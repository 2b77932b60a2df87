#include "uci_bridge/cluster_client.h"

#include <stdio.h>
#include <stdlib.h>

#include "codec/codec.h"
#include "os/clock.h"
#include "transport/poller.h"

enum {
    RETRY_MS = 10, /* between attempts to send */
    SEND_PATIENCE_MS = 1000,
    OPEN_REPEAT_MS = 1000,   /* without an answer */
    PING_INTERVAL_MS = 1000, /* a silent session would be closed by the master */
};

struct ClusterClient {
    Dealer *dealer;
    SessionId session; /* from OPENED */
    Instant ping_at;   /* when the next PING is due */
    CodecBuffer buffer;
    Message message; /* the last one received */
};

static Status send_within(ClusterClient *client, const Message *message, Duration patience)
{
    const Status status = codec_encode(message, &client->buffer);
    if (!status_is_ok(&status)) {
        return status;
    }
    const Instant deadline = instant_add(clock_now(), patience);
    while (dealer_send(client->dealer, client->buffer.bytes, (int)client->buffer.length) !=
           TRANSPORT_OK) {
        if (!instant_is_before(clock_now(), deadline)) {
            return status_error(STATUS_UNAVAILABLE, "no master answers there");
        }
        clock_sleep(duration_ms(RETRY_MS));
    }
    return status_ok();
}

Status cluster_client_send(ClusterClient *client, const Message *message)
{
    return send_within(client, message, duration_ms(SEND_PATIENCE_MS));
}

static Status ping_if_due(ClusterClient *client, Instant now)
{
    if (instant_is_before(now, client->ping_at)) {
        return status_ok();
    }
    const Message ping = {.type = MESSAGE_PING, .ping.number = 1};
    client->ping_at = instant_add(now, duration_ms(PING_INTERVAL_MS));
    return cluster_client_send(client, &ping);
}

/* Takes one message out of the socket; false if there is none. */
static bool receive(ClusterClient *client, Status *status)
{
    TransportMessage bytes;
    *status = status_ok();
    if (!dealer_receive(client->dealer, &bytes)) {
        return false;
    }
    const DecodeError error = codec_decode(bytes.bytes, (size_t)bytes.length, &client->message);
    if (error != DECODE_OK) {
        *status = status_error(STATUS_UNAVAILABLE, "the master sent bytes that are no message (%s)",
                               codec_error_name(error));
    } else if (client->message.type == MESSAGE_RESET) {
        *status = status_error(STATUS_UNAVAILABLE, "the master has lost this session");
    } else if (client->message.type == MESSAGE_ERROR) {
        *status = status_error(STATUS_UNAVAILABLE, "the master refuses: %.200s",
                               client->message.error.text);
    }
    return true;
}

Status cluster_client_next(ClusterClient *client, Duration patience, const Message **message)
{
    PollerItem item = {.dealer = client->dealer, .descriptor = -1};
    const Instant deadline = instant_add(clock_now(), patience);
    for (;;) {
        Status status;
        while (receive(client, &status)) {
            if (!status_is_ok(&status) || client->message.type != MESSAGE_PONG) {
                *message = &client->message;
                return status;
            }
        }
        const Instant now = clock_now();
        if (!instant_is_before(now, deadline)) {
            return status_error(STATUS_UNAVAILABLE, "the master does not answer");
        }
        status = ping_if_due(client, now);
        if (!status_is_ok(&status)) {
            return status;
        }
        poller_wait(&item, 1,
                    instant_is_before(client->ping_at, deadline) ? client->ping_at : deadline);
    }
}

/* Says OPEN on a connection of its own; *answer stays NULL when nothing at all is heard. */
static Status try_to_open(ClusterClient *client, const Message *open, Duration patience,
                          const Message **answer)
{
    const int64_t repeat_us = duration_ms(OPEN_REPEAT_MS).us;
    const Duration wait = patience.us < repeat_us ? patience : duration_us(repeat_us);
    client->ping_at = instant_add(clock_now(), patience);
    Status status = dealer_open(client->dealer);
    if (status_is_ok(&status)) {
        status = send_within(client, open, patience);
    }
    while (status_is_ok(&status) && (*answer == NULL || (*answer)->type != MESSAGE_OPENED)) {
        status = cluster_client_next(client, wait, answer);
    }
    return status;
}

/* A silent connection may be that to a master which was just ending: the next is another. */
static Status open_session(ClusterClient *client, const char *name, Duration patience)
{
    Message open = {.type = MESSAGE_OPEN};
    open.open.protocol_version = PROTOCOL_VERSION;
    (void)snprintf(open.open.name, sizeof open.open.name, "%s", name);
    const Instant deadline = instant_add(clock_now(), patience);
    const Message *answer = NULL;
    Status status;
    do {
        status = try_to_open(client, &open, instant_since(deadline, clock_now()), &answer);
    } while (status.code == STATUS_UNAVAILABLE && answer == NULL &&
             instant_is_before(clock_now(), deadline));
    if (status_is_ok(&status)) {
        client->session = answer->opened.session;
    }
    return status;
}

SessionId cluster_client_session(const ClusterClient *client)
{
    return client->session;
}

Status cluster_client_open(const char *address, bool insecure, const char *name, Duration patience,
                           ClusterClient **client)
{
    const DealerOptions options = {
        .address = address,
        .insecure = insecure,
        .queue_max = TRANSPORT_QUEUE_DEFAULT,
        .retry_first_ms = RETRY_MS,
        .retry_last_ms = RETRY_MS,
    };
    *client = NULL;
    ClusterClient *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return status_error(STATUS_NO_MEMORY, "no memory for a session");
    }
    Status status = dealer_new(&options, &made->dealer);
    if (status_is_ok(&status)) {
        status = open_session(made, name, patience);
        if (!status_is_ok(&status)) {
            status = status_error(status.code, "%s: %.160s", address, status.message);
        }
    }
    if (!status_is_ok(&status)) {
        dealer_destroy(&made->dealer);
        free(made);
        return status;
    }
    *client = made;
    return status;
}

void cluster_client_close(ClusterClient **client)
{
    if (*client == NULL) {
        return;
    }
    const Message close = {.type = MESSAGE_CLOSE};
    const Status status = cluster_client_send(*client, &close);
    if (status_is_ok(&status)) {
        clock_sleep(duration_ms(RETRY_MS)); /* or the socket takes the message with it */
    }
    dealer_destroy(&(*client)->dealer);
    free(*client);
    *client = NULL;
}
