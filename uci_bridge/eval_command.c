#include "uci_bridge/eval_command.h"

#include <stdio.h>

#include "worker/eval/eval.h"

static double pawns(int score_cp)
{
    return score_cp / 100.0;
}

static void print_row(const EvalTerm *term)
{
    printf("%-20s | %6.2f %6.2f | %6.2f %6.2f | %6.2f\n", term->name, pawns(term->mg[WHITE]),
           pawns(term->eg[WHITE]), pawns(term->mg[BLACK]), pawns(term->eg[BLACK]),
           pawns(term->total));
}

void eval_command_print(const Position *position)
{
    EvalTerm terms[EVAL_TERMS_MAX];
    const int count = eval_trace(position, terms, EVAL_TERMS_MAX);
    int total = 0;
    puts("Term                 |     White     |     Black     |  Total");
    puts("                     |   mg     eg   |   mg     eg   |       ");
    puts("---------------------+---------------+---------------+-------");
    for (int i = 0; i < count; i++) {
        print_row(&terms[i]);
        total += terms[i].total;
    }
    puts("---------------------+---------------+---------------+-------");
    printf("Evaluation: %+.2f (White's view)\n", pawns(total));
}
