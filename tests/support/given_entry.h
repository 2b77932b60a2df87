/*
 * Given entry: the data of table entries, as a search would store them.
 */
#ifndef ROOKERY_TESTS_SUPPORT_GIVEN_ENTRY_H
#define ROOKERY_TESTS_SUPPORT_GIVEN_ENTRY_H

#include <stdint.h>

#include "chess/score.h"

/* Of a search of `depth` plies. */
uint64_t given_entry_data(int depth, int score, Bound bound);

#endif
