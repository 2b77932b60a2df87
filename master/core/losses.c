#include "master/core/losses.h"

void losses_note(Losses *losses, WorkerId worker)
{
    if (losses->last.value != worker.value) {
        losses->last = worker;
        losses->count++;
    }
}
