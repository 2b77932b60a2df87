#include "worker/core/tell_depth.h"

#include "messages/messages.h"

enum { DEPTH_MIN = 3, DEPTH_MAX = 40 }; /* of entries that are worth telling */

int tell_depth_next(int depth, int noted)
{
    if (noted >= MESSAGE_TABLE_ENTRIES_MAX) {
        return depth < DEPTH_MAX ? depth + 1 : depth;
    }
    const bool are_few = noted > 0 && noted < MESSAGE_TABLE_ENTRIES_MAX / 8;
    return are_few && depth > DEPTH_MIN ? depth - 1 : depth;
}
