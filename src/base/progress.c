/* See progress.h. */
#include "base/progress.h"

#include "base/status.h"
#include <time.h>

static const double report_interval_s = 0.1;

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
}

int armilla_progress_advance(armilla_progress *progress, int64_t units, int thread)
{
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

armilla_status armilla_progress_status(armilla_progress *progress)
{
    if (!atomic_load(&progress->cancelled)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_CANCELLED, "stopped by the progress callback");
}
