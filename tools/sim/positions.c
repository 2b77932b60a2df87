#include "tools/sim/positions.h"

#include <stdlib.h>

#include "chess/movegen.h"
#include "uci_bridge/suite_file.h"

static Status read_position(const char *text, const char *path, int line, SimPosition *position)
{
    Epd *epd = &position->epd;
    const Status status = epd_parse(text, path, line, false, epd);
    if (!status_is_ok(&status)) {
        return status;
    }
    if (!movegen_any(&epd->position)) {
        return status_error(STATUS_INVALID, "%s:%d: no legal move", path, line);
    }
    fen_write(&epd->position, position->fen);
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

Status positions_require_moves(const SimPosition *positions, int count)
{
    for (int i = 0; i < count; i++) {
        const Epd *epd = &positions[i].epd;
        if (epd->best_count + epd->avoid_count == 0 || epd->mate != 0) {
            return status_error(STATUS_INVALID, "%s: no bm or am with moves: nothing to solve",
                                epd->id);
        }
    }
    return status_ok();
}
