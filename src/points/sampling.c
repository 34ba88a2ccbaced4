/* See sampling.h. Costs are in nanoseconds of one core with AVX-512, of what depends on the choice:
 * the transforms of columns and rings, and points. */
#include "points/sampling.h"

#include "fft/fft.h"
#include "fft/lane_fft_plan.h"

#include <math.h>

enum { LEAST_RINGS = 32 }; /* so that a window sees no more than one pole, and no ring twice */

/* The least oversampling at which windows of so many taps are good enough; 0: none is. */
static double least_sigma(int taps, double epsilon)
{
    if (armilla_window_error(taps, 2.5) > epsilon) return 0;
    double low = 1.1, high = 2.5;
    for (int i = 0; i < 40; i++) {
        const double middle = (low + high) / 2;
        if (armilla_window_error(taps, middle) > epsilon)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Rings for a band: half of a circle of columns. The cheapest of the next possible lengths. */
static int64_t choose_rings(int64_t lmax, double sigma)
{
    const int64_t least = (int64_t)ceil(sigma * (double)(lmax + 1));
    double best_cost = INFINITY;
    int64_t best = 0;
    for (int64_t n = least; n <= least + least / 16 || !best; n++) {
        if (n % 2 || n < LEAST_RINGS || !armilla_lane_fft_possible(n)) continue;
        const double cost =
            (armilla_lane_fft_collides(n) ? 2 : 1) * armilla_lane_fft_cost(n) + 40 * (double)n;
        if (cost < best_cost) best = n, best_cost = cost;
    }
    return best;
}

static int64_t choose_nphi(int64_t mmax, double sigma)
{
    const int64_t half = (int64_t)ceil(sigma * (double)(mmax + 1));
    return 2 * armilla_fft_smooth_length(half < 16 ? 16 : half);
}

double armilla_sampling_sigma(const armilla_sampling *sampling, int64_t lmax, int64_t mmax)
{
    const double rings = (double)sampling->nrings / fmax(1, (double)lmax);
    const double samples = (double)sampling->nphi / fmax(1, 2 * (double)mmax);
    return fmin(rings, samples);
}

static double cost_ns(const armilla_sampling *s, int64_t mmax, int64_t npoints, int vector_length)
{
    const double rings = (double)s->nrings, nphi = (double)s->nphi;
    const double vectors = (s->taps + vector_length - 1) / vector_length;
    const double wider = 8.0 / vector_length;
    const double columns = 0.35 * wider * rings * (double)(mmax + 1) * log2(2 * rings);
    const double samples = 0.25 * rings * nphi * log2(nphi) * (wider < 2 ? 1 : wider / 2);
    const double points = (double)npoints * (6 + vectors * (6 + 0.5 * s->taps));
    return columns + samples + points;
}

armilla_sampling armilla_sampling_choose(int64_t lmax, int64_t mmax, double epsilon,
                                         int64_t npoints, int vector_length)
{
    armilla_sampling best = {0};
    double best_cost = INFINITY;
    for (int taps = 2; taps <= ARMILLA_WINDOW_TAPS; taps++) {
        const double sigma = least_sigma(taps, epsilon);
        if (sigma == 0) continue;
        const armilla_sampling s = {choose_rings(lmax, sigma), choose_nphi(mmax, sigma), taps};
        const double cost = cost_ns(&s, mmax, npoints, vector_length);
        if (cost < best_cost) best = s, best_cost = cost;
    }
    return best;
}
