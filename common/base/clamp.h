/*
 * Clamp: numbers kept within limits.
 */
#ifndef ROOKERY_BASE_CLAMP_H
#define ROOKERY_BASE_CLAMP_H

/* `value`, but at least `low` and at most `high` (low <= high). */
static inline int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* The smaller one of two numbers. */
static inline int smaller(int left, int right)
{
    return left < right ? left : right;
}

#endif
