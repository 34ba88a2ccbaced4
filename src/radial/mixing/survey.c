/* What the mixing of rings would cost on each ring. */
#include "radial/mixing/plan.h"

#include <math.h>

/* Nanoseconds of one core with AVX-512 at 2 to 3 GHz, fitted to nside 32 to 1024, FWHM from 2.7 to
 * 40 pixels (bench/run.py radial --model).
 * A pixel times log2 of their number, both ways, for products of 2, 3, 5 and 7 and for others: */
static const double smooth_fft_ns = 0.34, rough_fft_ns = 4.5;
static const double order_ns = 16;   /* in and out of leg and slabs; beyond Nyquist's, 2.5 times */
static const double pair_ns = 50;    /* a ring in sight of another, whatever it has to do */
static const double sample_ns = 5.4; /* a sample of the kernel */
static const double multiply_ns = 0.044; /* a multiply-add */
static const double pair_of_maps = 2.3;  /* spin 2: two maps, two parts of the kernel */

/* Rings in sight that tiles add for being trimmed to rectangles of fours. */
enum { MARGIN = 3 * ARMILLA_MIXING_FOUR };

/* What one ring of a pair takes. K_m is made once for both rings of p and of q, and that of a
 * smooth kernel for two orders at once. */
static double pair_cost(const armilla_mixing_frame *frame, const armilla_profile *profile,
                        int64_t pair)
{
    const double seen = (double)(frame->last[pair] - frame->first[pair] + 1) + MARGIN;
    const int discrete = armilla_mixing_is_discrete(frame, pair);
    const double orders = (double)frame->pairs.limit[pair] + 1;
    const double samples = armilla_mixing_samples(frame, profile, pair);
    const double whole =
        (double)(armilla_mixing_spans(frame->pairs.limit[pair]) * ARMILLA_MIXING_WIDTH);
    const double products = seen * whole * (2 + samples / (discrete ? 4 : 8));
    const double beyond = orders - (double)armilla_mixing_pixels(frame, pair) / 2;
    const double one = order_ns * (orders + 1.5 * fmax(beyond, 0)) + multiply_ns * products +
                       seen * (pair_ns + sample_ns / 4 * samples);
    return profile->turns ? pair_of_maps * one : one;
}

int armilla_mixing_is_smooth(int64_t n)
{
    for (int factor = 2; factor <= 7; factor++)
        while (n % factor == 0) n /= factor;
    return n == 1;
}

double armilla_mixing_fft_cost(int64_t n)
{
    const double price = armilla_mixing_is_smooth(n) ? smooth_fft_ns : rough_fft_ns;
    return price * (double)n * log2((double)n + 1);
}

void armilla_mixing_survey(const armilla_mixing_frame *frame, const armilla_profile *profile,
                           uint8_t *possible, double *cost)
{
    for (int64_t p = 0; p < frame->pairs.count; p++)
        for (int south = 0; south < 2; south++) {
            const int64_t ring = south ? frame->pairs.south[p] : frame->pairs.north[p];
            if (ring < 0) continue;
            if (possible) possible[ring] = frame->smooth || armilla_mixing_is_discrete(frame, p);
            if (cost)
                cost[ring] =
                    pair_cost(frame, profile, p) +
                    (1 + profile->turns) * armilla_mixing_fft_cost(frame->rings[ring].nphi);
        }
}
