#include "tools/sim/positions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chess/movegen.h"
#include "uci_bridge/suite_file.h"

/* The length of the FEN that the line begins with: four fields, or six if two numbers follow. */
static int fen_length(const char *text)
{
    int at = 0;
    int length = 0;
    for (int field = 0; field < 6; field++) {
        at += (int)strspn(text + at, " \t");
        const int field_length = (int)strcspn(text + at, " \t\r;");
        if (field_length == 0 ||
            (field >= 4 && (int)strspn(text + at, "0123456789") < field_length)) {
            break;
        }
        at += field_length;
        length = at;
    }
    return length;
}

static void read_name(const char *text, int line, SimPosition *position)
{
    const char *id = strstr(text, "id \"");
    if (id == NULL) {
        (void)snprintf(position->name, sizeof position->name, "line %d", line);
    } else {
        (void)snprintf(position->name, sizeof position->name, "%.*s", (int)strcspn(id + 4, "\""),
                       id + 4);
    }
}

static Status read_position(const char *text, const char *path, int line, SimPosition *position)
{
    const Status status = fen_parse(text, fen_length(text), false, &position->position);
    if (!status_is_ok(&status)) {
        return status_error(STATUS_INVALID, "%s:%d: %.150s", path, line, status.message);
    }
    if (!movegen_any(&position->position)) {
        return status_error(STATUS_INVALID, "%s:%d: no legal move", path, line);
    }
    fen_write(&position->position, position->fen);
    read_name(text, line, position);
    return status;
}

Status positions_load(const char *path, int limit, SimPosition **positions, int *count)
{
    SuiteFile file;
    Status status = suite_file_open(path, &file);
    *positions = NULL;
    *count = 0;
    if (!status_is_ok(&status)) {
        return status;
    }
    const int room = limit > 0 && limit < POSITIONS_MAX ? limit : POSITIONS_MAX;
    *positions = calloc((size_t)room, sizeof **positions);
    if (*positions == NULL) {
        status = status_error(STATUS_NO_MEMORY, "not enough memory for %s", path);
    }
    const char *text;
    while (status_is_ok(&status) && *count < room && (text = suite_file_next(&file)) != NULL) {
        status = read_position(text, path, file.line, &(*positions)[*count]);
        *count += status_is_ok(&status);
    }
    suite_file_close(&file);
    if (status_is_ok(&status) && *count == 0) {
        status = status_error(STATUS_INVALID, "%s: no positions", path);
    }
    if (!status_is_ok(&status)) {
        free(*positions);
        *positions = NULL;
    }
    return status;
}
