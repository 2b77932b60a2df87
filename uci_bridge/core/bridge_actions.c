#include "uci_bridge/core/bridge_actions.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"

void bridge_actions_clear(BridgeActions *actions)
{
    actions->count = 0;
    actions->dropped_lines = 0;
    actions->text_length = 0;
    actions->send_count = 0;
}

static void add(BridgeActions *actions, BridgeActionType type, int index)
{
    CHECK(actions->count < BRIDGE_ACTIONS_MAX);
    actions->items[actions->count++] = (BridgeAction){.type = type, .index = index};
}

void bridge_actions_add(BridgeActions *actions, BridgeActionType type)
{
    add(actions, type, 0);
}

static void print(BridgeActions *actions, const char *line, int kept_actions, int kept_bytes)
{
    const int bytes = (int)strlen(line) + 1;
    if (actions->count + 1 + kept_actions > BRIDGE_ACTIONS_MAX ||
        actions->text_length + bytes + kept_bytes > BRIDGE_TEXT_BYTES_MAX) {
        actions->dropped_lines++;
        return;
    }
    add(actions, BRIDGE_ACTION_PRINT, actions->text_length);
    memcpy(actions->text + actions->text_length, line, (size_t)bytes);
    actions->text_length += bytes;
}

void bridge_actions_print(BridgeActions *actions, const char *format, ...)
{
    char line[UCI_FORMAT_LINE_BYTES_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    print(actions, line, BRIDGE_ACTIONS_KEPT, BRIDGE_TEXT_BYTES_KEPT);
}

void bridge_actions_print_kept(BridgeActions *actions, const char *line)
{
    print(actions, line, 0, 0);
}

Message *bridge_actions_send(BridgeActions *actions, MessageType type)
{
    CHECK(actions->send_count < BRIDGE_SENDS_MAX);
    add(actions, BRIDGE_ACTION_SEND, actions->send_count);
    Message *message = &actions->sends[actions->send_count++];
    message->type = type;
    return message;
}
