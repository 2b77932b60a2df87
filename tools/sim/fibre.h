/*
 * Fibre: a function with a stack of its own, which can stop in the middle and go on later.
 *
 * All fibres run on the thread that resumes them, one at a time. A fibre that is destroyed before
 * its function has returned leaves that undone. The stack is as large as a search thread's; pages
 * that it never touches cost nothing.
 */
#ifndef ROOKERY_TOOLS_SIM_FIBRE_H
#define ROOKERY_TOOLS_SIM_FIBRE_H

typedef struct Fibre Fibre;

typedef void FibreFunction(void *context);

/* Makes a fibre that has not begun yet, or NULL when memory is short. */
Fibre *fibre_new(FibreFunction *function, void *context);

/* Frees it and nulls the pointer; NULL is allowed. Not from within. */
void fibre_destroy(Fibre **fibre);

/* Runs the fibre until it yields. Its function must not have returned. */
void fibre_resume(Fibre *fibre);

/* Goes back to whoever resumed it; called within the fibre. */
void fibre_yield(Fibre *fibre);

#endif
