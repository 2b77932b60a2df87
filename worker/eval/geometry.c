#include "worker/eval/geometry.h"

#include <stdlib.h>

_Alignas(64) uint8_t geometry_distances[SQUARE_COUNT][SQUARE_COUNT];

static int steps(int left, int right)
{
    const int files = abs(left % FILE_COUNT - right % FILE_COUNT);
    const int ranks = abs(left / FILE_COUNT - right / FILE_COUNT);
    return files > ranks ? files : ranks;
}

void geometry_init(void)
{
    for (int left = 0; left < SQUARE_COUNT; left++) {
        for (int right = 0; right < SQUARE_COUNT; right++) {
            geometry_distances[left][right] = (uint8_t)steps(left, right);
        }
    }
}
