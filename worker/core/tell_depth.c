#include "worker/core/tell_depth.h"

#include "base/clamp.h"

enum { DEPTH_MIN = 3, DEPTH_MAX = 40 }; /* of entries that are worth telling */

enum {
    MOST_MIN = 16, /* below it a message is mostly overhead */
    MOST_STEP = 2, /* for each HEARD after which it may grow */
};

int tell_depth_next(int depth, int noted)
{
    if (noted >= MESSAGE_TABLE_ENTRIES_MAX) {
        return depth < DEPTH_MAX ? depth + 1 : depth;
    }
    const bool are_few = noted > 0 && noted < MESSAGE_TABLE_ENTRIES_MAX / 8;
    return are_few && depth > DEPTH_MIN ? depth - 1 : depth;
}

int tell_most_next(int most, bool is_crowded)
{
    const int next = is_crowded ? most * 3 / 4 : most + MOST_STEP;
    return clamp(next, MOST_MIN, MESSAGE_TABLE_ENTRIES_MAX);
}
