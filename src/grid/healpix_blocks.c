/* Shares loops over arrays of pixels or directions among threads, and checks such arrays of
 * callers: of several wrong entries the first one is named, however many threads look for it. */
#include "grid/healpix_blocks.h"

#include "base/colatitude.h"
#include "base/integer.h"
#include "base/team.h"
#include <float.h>
#include <stdatomic.h>

typedef struct blocks {
    int64_t count, block;
    armilla_block_work work;
    armilla_block_check check;
    const void *context;
    _Atomic int64_t wrong; /* first that is known to be wrong */
} blocks;

static void run_block(void *context, int64_t index, int thread)
{
    blocks *all = context;
    (void)thread;
    int64_t first = index * all->block;
    all->work(all->context, first, armilla_smaller(first + all->block, all->count));
}

static void check_block(void *context, int64_t index, int thread)
{
    blocks *all = context;
    (void)thread;
    int64_t first = index * all->block, end = armilla_smaller(first + all->block, all->count);
    int64_t wrong = all->check(all->context, first, end), known = atomic_load(&all->wrong);
    if (wrong == end) return;
    while (wrong < known && !atomic_compare_exchange_weak(&all->wrong, &known, wrong)) {
    }
}

void armilla_blocks_run(int nthreads, int64_t count, int64_t block, armilla_block_work work,
                        const void *context)
{
    if (count <= block) { /* no look at processors and threads for a few pixels */
        if (count > 0) work(context, 0, count);
        return;
    }
    blocks all = {.count = count, .block = block, .work = work, .context = context};
    armilla_team_run(nthreads, (count - 1) / block + 1, run_block, &all);
}

int64_t armilla_blocks_check(int nthreads, int64_t count, armilla_block_check check,
                             const void *context)
{
    if (count <= ARMILLA_BLOCK) return count > 0 ? check(context, 0, count) : count;
    blocks all = {.count = count, .block = ARMILLA_BLOCK, .check = check, .context = context};
    atomic_init(&all.wrong, count);
    armilla_team_run(nthreads, (count - 1) / ARMILLA_BLOCK + 1, check_block, &all);
    return atomic_load(&all.wrong);
}

armilla_status armilla_check_arrays(int nthreads, const char *count_name, int64_t count, int n,
                                    const char *const *names, const void *const *arrays)
{
    if (count < 0) return armilla_fail_argument(count_name, count, "must be at least 0");
    for (int i = 0; count > 0 && i < n; i++)
        if (!arrays[i])
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = NULL: must be an array", names[i]);
    if (nthreads < 0) return armilla_fail_argument("nthreads", nthreads, "must be 0 (all) or more");
    return ARMILLA_OK;
}

typedef struct pixel_list {
    const int64_t *pixels;
    uint64_t npix;
} pixel_list;

static int64_t first_wrong_pixel(const void *context, int64_t first, int64_t end)
{
    const pixel_list *list = context;
    int64_t wrong = 0;
    for (int64_t i = first; i < end; i++) wrong += (uint64_t)list->pixels[i] >= list->npix;
    if (wrong == 0) return end;
    while ((uint64_t)list->pixels[first] < list->npix) first++;
    return first;
}

armilla_status armilla_check_pixels(const armilla_scheme *scheme, int64_t npixels,
                                    const int64_t *pixels, int nthreads)
{
    pixel_list list = {pixels, (uint64_t)scheme->npix};
    int64_t i = armilla_blocks_check(nthreads, npixels, first_wrong_pixel, &list);
    if (i == npixels) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "pixels[%lld] = %lld: must be 0 to %lld",
                        (long long)i, (long long)pixels[i], (long long)(scheme->npix - 1));
}

typedef struct point_list {
    const double *theta, *phi;
} point_list;

static int is_direction(double theta, double phi)
{
    return (theta >= 0) & (theta <= ARMILLA_COLATITUDE_MOST) & (fabs(phi) <= DBL_MAX);
}

static int64_t first_wrong_point(const void *context, int64_t first, int64_t end)
{
    const point_list *list = context;
    int64_t wrong = 0;
    for (int64_t i = first; i < end; i++) wrong += !is_direction(list->theta[i], list->phi[i]);
    if (wrong == 0) return end;
    while (is_direction(list->theta[first], list->phi[first])) first++;
    return first;
}

armilla_status armilla_check_directions(int64_t npoints, const double *theta, const double *phi,
                                        int nthreads)
{
    point_list list = {theta, phi};
    int64_t i = armilla_blocks_check(nthreads, npoints, first_wrong_point, &list);
    if (i == npoints) return ARMILLA_OK;
    if (!is_direction(theta[i], 0))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "theta[%lld] = %.17g: must be 0 to pi",
                            (long long)i, theta[i]);
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "phi[%lld] = %.17g: must be finite", (long long)i,
                        phi[i]);
}
