/*
 * Oracle positions: where the comparisons start from.
 *
 * The 960 starts by their numbers, and random boards that no game need ever have reached but that
 * break no rule: one king a side, no more men than promotions allow, nobody left in check, at
 * most two checkers. Random boards favour what is rarely right by accident: castling, en passant.
 */
#ifndef ROOKERY_TESTS_ORACLE_RANDOM_H
#define ROOKERY_TESTS_ORACLE_RANDOM_H

#include "base/prng.h"
#include "tests/oracle/oracle.h"

enum { ORACLE_STARTS_960 = 960, ORACLE_STANDARD_START = 518 };

typedef enum { ORACLE_SPARSE, ORACLE_DENSE } OracleDensity;

/* The Chess960 start with this number (Scharnagl's table), 0 to 959. */
void oracle_start_960(int number, OracleBoard *board);

/* A random legal position: about 2 to 5 men a side besides the king, or about 9 to 14. */
void oracle_random_board(Prng *prng, OracleDensity density, OracleBoard *board);

#endif
