#include "tools/sim/fibre.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "base/check.h"

/* Does the compiler check addresses? */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1 /* clang's name for what GCC defines itself */
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

/* As a search thread has (worker/pool.c), and a page below it that ends the process. */
enum { STACK_BYTES = 8 << 20, GUARD_BYTES = 64 << 10 };

struct Fibre {
    ucontext_t own;    /* where it goes on */
    ucontext_t caller; /* where the one that resumed it goes on */
    void *stack;
    FibreFunction *function;
    void *context;
};

/* A context takes only ints along: a pointer comes as two. */
static void begin(unsigned high, unsigned low)
{
    const uintptr_t bits = (uintptr_t)(((uint64_t)high << 32) | low);
    Fibre *fibre;
    memcpy(&fibre, &bits, sizeof bits);
    fibre->function(fibre->context);
}

/* Apart, because it may return twice in the compiler's eyes; makecontext replaces where to. */
static void init_context(ucontext_t *context)
{
    CHECK(getcontext(context) == 0);
}

Fibre *fibre_new(FibreFunction *function, void *context)
{
    Fibre *fibre = calloc(1, sizeof *fibre);
    if (fibre == NULL) {
        return NULL;
    }
    fibre->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fibre->stack == MAP_FAILED) {
        free(fibre);
        return NULL;
    }
    CHECK(mprotect(fibre->stack, GUARD_BYTES, PROT_NONE) == 0);
    fibre->function = function;
    fibre->context = context;
    init_context(&fibre->own);
    fibre->own.uc_stack.ss_sp = fibre->stack;
    fibre->own.uc_stack.ss_size = STACK_BYTES;
    fibre->own.uc_link = &fibre->caller;
    const uint64_t address = (uint64_t)(uintptr_t)fibre;
    makecontext(&fibre->own, (void (*)(void))begin, 2, (unsigned)(address >> 32),
                (unsigned)address);
    return fibre;
}

/* A function that never returned leaves marks of its frames, on which the next would stumble. */
static void forget_frames(const Fibre *fibre)
{
#if defined(__SANITIZE_ADDRESS__)
    ASAN_UNPOISON_MEMORY_REGION(fibre->stack, STACK_BYTES);
#else
    (void)fibre;
#endif
}

void fibre_destroy(Fibre **fibre)
{
    if (*fibre != NULL) {
        forget_frames(*fibre);
        CHECK(munmap((*fibre)->stack, STACK_BYTES) == 0);
        free(*fibre);
        *fibre = NULL;
    }
}

void fibre_resume(Fibre *fibre)
{
    CHECK(swapcontext(&fibre->caller, &fibre->own) == 0);
}

void fibre_yield(Fibre *fibre)
{
    CHECK(swapcontext(&fibre->own, &fibre->caller) == 0);
}
