/* What the mixing of rings would cost on each ring. */
#include "radial/mixing_plan.h"

#include <math.h>

/* Nanoseconds of one core with AVX-512 at 2 to 3 GHz, fitted to nside 1024 and 2048. */
static const double fft_ns = ARMILLA_MIXING_FFT; /* a pixel times log2 of their number, both ways */
static const double order_ns =
    30; /* an order in and out of leg and slots; beyond Nyquist's, twice */
static const double sample_ns = 5;      /* a sample of the kernel */
static const double multiply_ns = 0.07; /* a multiply-add */

/* Rings in sight that tiles add for being whole. */
enum { MARGIN = 2 * ARMILLA_MIXING_TILE };

/* Of one ring of a pair. K_m is made once for both rings of p and of q, and that of a smooth kernel
 * for two orders at once. */
static double pair_cost(const armilla_mixing_frame *frame, const armilla_profile *profile,
                        int64_t pair)
{
    const double seen = (double)(frame->last[pair] - frame->first[pair] + 1) + MARGIN;
    const double sine = frame->sine[pair], ratio = profile->end / (sine * sine);
    const double angle = ratio < 1 ? 2 * asin(sqrt(ratio)) : M_PI;
    const int discrete = armilla_mixing_is_discrete(frame, pair);
    const double orders = (double)frame->pairs.limit[pair] + 1;
    const double spacing =
        discrete ? 2 * M_PI / (double)armilla_mixing_pixels(frame, pair) : M_PI / orders;
    const double samples = M_PI / 4 * angle / spacing + 2;
    const double products = seen * orders * (2 + samples / (discrete ? 4 : 8));
    const double beyond = orders - (double)armilla_mixing_pixels(frame, pair) / 2;
    return order_ns * (orders + fmax(beyond, 0)) + multiply_ns * products +
           sample_ns / 4 * seen * samples;
}

armilla_status armilla_mixing_survey(const armilla_grid *grid, const armilla_profile *profile,
                                     armilla_isa isa, uint8_t *possible, double *cost)
{
    armilla_mixing_frame frame;
    const armilla_mixing_kernels *kernels = armilla_mixing_kernels_find(isa);
    const armilla_status status = armilla_mixing_frame_make(grid, profile, kernels, &frame);
    if (status) return status;
    for (int64_t p = 0; p < frame.pairs.count; p++)
        for (int south = 0; south < 2; south++) {
            const int64_t ring = south ? frame.pairs.south[p] : frame.pairs.north[p];
            if (ring < 0) continue;
            const double pixels = (double)frame.rings[ring].nphi;
            if (possible) possible[ring] = frame.smooth || armilla_mixing_is_discrete(&frame, p);
            if (cost)
                cost[ring] = pair_cost(&frame, profile, p) + fft_ns * pixels * log2(pixels + 1);
        }
    armilla_mixing_frame_clear(&frame);
    return ARMILLA_OK;
}
