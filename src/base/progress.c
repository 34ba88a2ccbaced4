/* Counts the work that all threads of a call have done, tells the caller's function from one of
 * them what fraction that is, at most twenty times a second, and stops the call if the function
 * asks for it. A relay does so for a call that is made of others. */
#include "base/progress.h"

#include "base/status.h"
#include <math.h>
#include <time.h>

static double report_interval_s = 0.05; /* Ctrl-C must end a call of Python within 0.2 s */
static double poke_interval_s = 1e-4;   /* a poke takes a microsecond or a few */

void armilla_progress_set_interval(double seconds)
{
    report_interval_s = seconds;
}

void armilla_progress_set_poke_interval(double seconds)
{
    poke_interval_s = seconds;
}

double armilla_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void armilla_progress_start(armilla_progress *progress, armilla_progress_fn callback, void *data,
                            double total)
{
    progress->callback = callback, progress->data = data;
    progress->total = total > 0 ? total : 1;
    progress->scale = 1, progress->offset = 0;
    atomic_init(&progress->done, 0);
    atomic_init(&progress->cancelled, 0);
    progress->last_report_s = callback ? armilla_clock_s() : 0;
    progress->poke = NULL, progress->poke_data = NULL, progress->last_poke_s = 0;
}

void armilla_progress_set_poke(armilla_progress *progress, void (*poke)(void *data), void *data)
{
    progress->poke = poke, progress->poke_data = data;
}

static void poke(armilla_progress *progress)
{
    const double now = armilla_clock_s();
    if (now - progress->last_poke_s < poke_interval_s) return;
    progress->last_poke_s = now;
    progress->poke(progress->poke_data);
}

int armilla_progress_advance(armilla_progress *progress, int64_t units, int thread)
{
    if (thread == 0 && progress->poke) poke(progress);
    if (!progress->callback) return 0;
    int64_t done = atomic_fetch_add_explicit(&progress->done, units, memory_order_relaxed) + units;
    if (atomic_load_explicit(&progress->cancelled, memory_order_relaxed)) return 1;
    if (thread != 0) return 0;
    double now = armilla_clock_s();
    if (now - progress->last_report_s < report_interval_s) return 0;
    progress->last_report_s = now;
    double fraction = progress->offset + progress->scale * (double)done / progress->total;
    if (progress->callback(progress->data, fraction > 1 ? 1 : fraction))
        atomic_store(&progress->cancelled, 1);
    return atomic_load(&progress->cancelled);
}

static armilla_status stopped(void)
{
    return armilla_fail(ARMILLA_ERROR_CANCELLED, "stopped by the progress callback");
}

armilla_status armilla_progress_status(armilla_progress *progress)
{
    return atomic_load(&progress->cancelled) ? stopped() : ARMILLA_OK;
}

void armilla_relay_start(armilla_relay *relay, armilla_progress_fn callback, void *data)
{
    *relay = (armilla_relay){
        .callback = callback, .data = data, .last_report_s = callback ? armilla_clock_s() : 0};
}

int armilla_relay_report(void *relay, double fraction)
{
    armilla_relay *r = relay;
    if (!r->callback) return 0;
    double now = armilla_clock_s();
    /* a step keeps the interval by itself: what comes a little early is no reason to skip one */
    if (now - r->last_report_s < report_interval_s / 2) return 0;
    r->last_report_s = now;
    return r->callback(r->data, fmin(1, r->base + r->width * fraction));
}

armilla_status armilla_relay_next(armilla_relay *relay, double width)
{
    relay->base += relay->width;
    relay->width = width;
    return armilla_relay_report(relay, 0) ? stopped() : ARMILLA_OK;
}
