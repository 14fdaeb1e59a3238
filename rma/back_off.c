/* The pause after a poll without progress. */
#include "rma/state.h"

#include <sched.h>
#include <time.h>

void rma_sleep(long microseconds)
{
    struct timespec t = { .tv_nsec = microseconds * 1000 };
    nanosleep(&t, NULL);
}

void rma_back_off(struct rma_backoff *backoff)
{
    enum { SPINS = 16, YIELDS = 64 };
    if (backoff->idle <= 4 * YIELDS)
        backoff->idle++;
    if (backoff->idle > YIELDS)
        rma_sleep(backoff->idle > 4 * YIELDS ? 100 : 20);
    else if (backoff->idle > SPINS)
        sched_yield();
}
