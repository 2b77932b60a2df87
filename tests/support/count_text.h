/*
 * How often one text occurs in another.
 */
#ifndef ROOKERY_TESTS_COUNT_TEXT_H
#define ROOKERY_TESTS_COUNT_TEXT_H

#include <string.h>

/* How often the part, which is not empty, occurs in the whole; it may overlap with itself. */
static inline int count_text(const char *whole, const char *part)
{
    int count = 0;
    for (const char *at = strstr(whole, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

#endif
