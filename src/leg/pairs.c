/* Matches each northern ring of a grid with a southern one, its mirror image or, if the caller
 * wishes, another that has none either, and finds the largest order that matters on each pair. */
#include "leg/pairs.h"

#include "base/memory.h"
#include "base/polar_limit.h"
#include "leg/mirror.h"

armilla_status armilla_ring_pairs_allocate(int64_t count, armilla_ring_pairs *pairs)
{
    armilla_status status;
    *pairs = (armilla_ring_pairs){.count = count, .step = 1};
    if ((status = armilla_allocate(&pairs->north, count, sizeof(int64_t))) ||
        (status = armilla_allocate(&pairs->south, count, sizeof(int64_t))) ||
        (status = armilla_allocate(&pairs->theta, count, sizeof(double))) ||
        (status = armilla_allocate(&pairs->south_theta, count, sizeof(double))) ||
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
    armilla_status status = armilla_ring_pairs_allocate(nrings, pairs);
    if (status) return status;
    pairs->count = 0;
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
        pairs->south_theta[i] = pairs->theta[i];
    }
    return ARMILLA_OK;
}

/* Pair `next` of the new list: of the places n and s of the old one, -1: none. The rings of the
 * pair before may be farther apart than these, so that its limit may be the higher one. */
static void join(const armilla_ring_pairs *old, int64_t n, int64_t s, int64_t next,
                 armilla_ring_pairs *pairs)
{
    const int64_t any = n >= 0 ? n : s, last = s > n ? s : n;
    pairs->north[next] = n >= 0 ? old->north[n] : -1;
    pairs->south[next] = s >= 0 ? old->south[s] : -1;
    pairs->theta[next] = old->theta[any];
    pairs->south_theta[next] = s >= 0 ? old->theta[s] : old->theta[any];
    pairs->limit[next] = old->limit[last];
    if (next > 0 && pairs->limit[next - 1] > pairs->limit[next])
        pairs->limit[next] = pairs->limit[next - 1];
}

/* The next place from `place` on that has this side; old->count: none. */
static int64_t find_side(const armilla_ring_pairs *old, const int64_t *side, int64_t place)
{
    while (place < old->count && side[place] < 0) place++;
    return place;
}

/* Both sides in sequence, from the poles to the equator. A pair that is one already stays one, for
 * then as many rings of each side come before it, or the rings before it are alone. */
static void join_all(const armilla_ring_pairs *old, armilla_ring_pairs *pairs)
{
    int64_t n = find_side(old, old->north, 0), s = find_side(old, old->south, 0);
    pairs->count = 0;
    while (n < old->count || s < old->count) {
        const int whole_n = n < old->count && old->south[n] >= 0;
        const int whole_s = s < old->count && old->north[s] >= 0;
        const int take_n = n < old->count && !(whole_n && s < n);
        const int take_s = s < old->count && !(whole_s && n < s);
        join(old, take_n ? n : -1, take_s ? s : -1, pairs->count++, pairs);
        if (take_n) n = find_side(old, old->north, n + 1);
        if (take_s) s = find_side(old, old->south, s + 1);
    }
}

armilla_status armilla_ring_pairs_make_any(int64_t nrings, const double *theta, int64_t lmax,
                                           int64_t mmax, int64_t spin, armilla_ring_pairs *pairs)
{
    armilla_ring_pairs mirrored;
    armilla_status status = armilla_ring_pairs_make(nrings, theta, lmax, mmax, spin, &mirrored);
    if (!status && !(status = armilla_ring_pairs_allocate(mirrored.count, pairs)))
        join_all(&mirrored, pairs);
    if (status) *pairs = (armilla_ring_pairs){.count = 0};
    armilla_ring_pairs_clear(&mirrored);
    return status;
}

static void copy_pair(const armilla_ring_pairs *from, int64_t place, int64_t i,
                      armilla_ring_pairs *pairs)
{
    pairs->north[i] = from->north[place], pairs->south[i] = from->south[place];
    pairs->theta[i] = from->theta[place], pairs->south_theta[i] = from->south_theta[place];
    pairs->limit[i] = from->limit[place];
}

armilla_status armilla_ring_pairs_take(const armilla_ring_pairs *from, int64_t first, int64_t step,
                                       armilla_ring_pairs *pairs)
{
    const int64_t count = first < from->count ? (from->count - first + step - 1) / step : 0;
    armilla_status status = armilla_ring_pairs_allocate(count, pairs);
    pairs->step = from->step;
    for (int64_t i = 0; i < count && !status; i++) copy_pair(from, first + i * step, i, pairs);
    return status;
}

armilla_status armilla_ring_pairs_take_listed(const armilla_ring_pairs *from, int64_t count,
                                              const int64_t *list, armilla_ring_pairs *pairs)
{
    armilla_status status = armilla_ring_pairs_allocate(count, pairs);
    pairs->step = from->step;
    for (int64_t i = 0; i < count && !status; i++) copy_pair(from, list[i], i, pairs);
    return status;
}

void armilla_ring_pairs_clear(armilla_ring_pairs *pairs)
{
    armilla_release(pairs->north);
    armilla_release(pairs->south);
    armilla_release(pairs->theta);
    armilla_release(pairs->south_theta);
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
    return pairs->count * (int64_t)(3 * sizeof(int64_t) + 2 * sizeof(double));
}
