/* See pairs.h. */
#include "leg/pairs.h"

#include "base/memory.h"
#include "base/polar_limit.h"
#include "leg/mirror.h"

static armilla_status allocate(int64_t count, armilla_ring_pairs *pairs)
{
    armilla_status status;
    *pairs = (armilla_ring_pairs){.count = 0};
    if ((status = armilla_allocate(&pairs->north, count, sizeof(int64_t))) ||
        (status = armilla_allocate(&pairs->south, count, sizeof(int64_t))) ||
        (status = armilla_allocate(&pairs->theta, count, sizeof(double))) ||
        (status = armilla_allocate(&pairs->limit, count, sizeof(int64_t))))
        armilla_ring_pairs_clear(pairs);
    return status;
}

/* A function of spin s and order m is as large as a scalar one of order m - |s| or more. */
static int64_t find_limit(double theta, int64_t lmax, int64_t mmax, int64_t spin)
{
    const int64_t limit = armilla_polar_limit(lmax, theta) + (spin < 0 ? -spin : spin);
    return limit < mmax ? limit : mmax;
}

static void match(int64_t nrings, const armilla_ring_place *places, armilla_ring_pairs *pairs)
{
    for (int64_t i = 0; i < nrings; pairs->count++)
        i += armilla_mirror_take(places, nrings, i, &pairs->north[pairs->count],
                                 &pairs->south[pairs->count], &pairs->theta[pairs->count]);
}

armilla_status armilla_ring_pairs_make(int64_t nrings, const double *theta, int64_t lmax,
                                       int64_t mmax, int64_t spin, armilla_ring_pairs *pairs)
{
    armilla_ring_place *places;
    armilla_status status = allocate(nrings, pairs);
    if (status) return status;
    if ((status = armilla_mirror_sort(nrings, theta, &places))) {
        armilla_ring_pairs_clear(pairs);
        return status;
    }
    match(nrings, places, pairs);
    armilla_release(places);
    int64_t before = 0;
    for (int64_t i = 0; i < pairs->count; i++) {
        const int64_t limit = find_limit(pairs->theta[i], lmax, mmax, spin);
        pairs->limit[i] = before = limit < before ? before : limit;
    }
    return ARMILLA_OK;
}

armilla_status armilla_ring_pairs_take(const armilla_ring_pairs *from, int64_t first, int64_t step,
                                       armilla_ring_pairs *pairs)
{
    const int64_t count = first < from->count ? (from->count - first + step - 1) / step : 0;
    armilla_status status = allocate(count, pairs);
    if (status) return status;
    pairs->count = count;
    for (int64_t i = 0; i < count; i++) {
        const int64_t place = first + i * step;
        pairs->north[i] = from->north[place], pairs->south[i] = from->south[place];
        pairs->theta[i] = from->theta[place], pairs->limit[i] = from->limit[place];
    }
    return ARMILLA_OK;
}

void armilla_ring_pairs_clear(armilla_ring_pairs *pairs)
{
    armilla_release(pairs->north);
    armilla_release(pairs->south);
    armilla_release(pairs->theta);
    armilla_release(pairs->limit);
    *pairs = (armilla_ring_pairs){.count = 0};
}

int64_t armilla_ring_pairs_first(const armilla_ring_pairs *pairs, int64_t m)
{
    int64_t low = 0, high = pairs->count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (pairs->limit[middle] < m)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t armilla_ring_pairs_bytes(const armilla_ring_pairs *pairs)
{
    return pairs->count * (int64_t)(3 * sizeof(int64_t) + sizeof(double));
}
