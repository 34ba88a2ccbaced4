/* A model of what a convolution takes on a GPU: launches, and for each method the arithmetic that
 * its kernels are bound by (docs/gpu_inside.md, "Radial convolution"). Prices are those of an H100,
 * from instructions and bytes that were counted; none has been measured. */
#include "radial/device_prices.h"

#include "base/integer.h"
#include "cuda/kernels/radial_mixing_tables.h"
#include "radial/mixing/plan.h"

#include <math.h>

/* Nanoseconds of the whole GPU. */
static const struct {
    double launch;
    double pixel;   /* PIXELS: is read and written; 16 bytes */
    double product; /* PIXELS: a kernel value times the eight lanes of a position: 22 instructions,
                       and 64 bytes of shared memory for four positions */
    double value;   /* PIXELS: a kernel value between rings of unequal length: 35 multiply-adds, and
                       as many bytes for two positions */
    double number;  /* RINGS: a pixel through the ring stage, both ways: some 300 bytes */
    double add;     /* RINGS: a multiply-add in the mixing, at half of 14.9 in a picosecond */
} prices = {4500, 5e-3, 8e-4, 4.5e-3, 0.1, 1.35e-4};

double armilla_radial_device_pixels_seconds(const armilla_radial *radial)
{
    const armilla_radial_rows *rows = &radial->pixels.rows;
    double ns = 2 * prices.launch;
    for (int64_t i = 0; i < rows->nout; i++) {
        const armilla_radial_row *row = &rows->row[i];
        const int images = row->ring[1] >= 0 && row->ring[1] != row->ring[0];
        const double each = prices.product + (row->uniform ? 0 : prices.value);
        ns += prices.pixel * (double)(row->n * (1 + images)) + (double)row->arc * row->taps * each;
    }
    return 1e-9 * (double)armilla_radial_ncomp(radial) * ns;
}

/* Multiply-adds of a pair's orders: blocks have 2 x 128 of them, groups four pairs. */
static double count_adds(const armilla_radial *radial, const armilla_mixing_frame *frame,
                         int64_t pair)
{
    enum { GROUP = ARMILLA_CUDA_MIXING_GROUP, ORDERS = ARMILLA_CUDA_MIXING_ORDERS };
    const int discrete = armilla_mixing_is_discrete(frame, pair);
    const double samples = armilla_mixing_samples(frame, &radial->profile, pair);
    const int64_t seen = frame->last[pair] - frame->first[pair] + 1 + frame->pairs.count -
                         frame->across[pair] + GROUP - 1;
    const int64_t low = armilla_mixing_spans(frame->pairs.limit[pair]) * ARMILLA_MIXING_WIDTH / 2;
    const int64_t blocks = (low + ORDERS - 1) / ORDERS;
    return (double)(seen * blocks * ORDERS) * ((discrete ? 2 : 1) * samples + 2 * 4);
}

static int are_lengths_equal(const armilla_mixing_frame *frame)
{
    for (int64_t r = 1; r < frame->nrings; r++)
        if (frame->rings[r].nphi != frame->rings[0].nphi) return 0;
    return 1;
}

/* Launches of both ring stages and the mixing: rings of unequal length go by two for each power of
 * two. */
static double count_launches(const armilla_mixing_frame *frame)
{
    int64_t longest = 1;
    for (int64_t r = 0; r < frame->nrings; r++)
        longest = armilla_larger(longest, frame->rings[r].nphi);
    const double classes = fmax(1, log2((double)longest) - 7);
    return 1 + 2 * (are_lengths_equal(frame) ? 3 : 5 + 2 * classes);
}

double armilla_radial_device_rings_seconds(const armilla_radial *radial,
                                           const armilla_mixing_frame *frame)
{
    double pixels = 0, adds = 0;
    for (int64_t r = 0; r < frame->nrings; r++) pixels += (double)frame->rings[r].nphi;
    for (int64_t p = 0; p < frame->pairs.count; p++) adds += count_adds(radial, frame, p);
    const double ns = prices.number * pixels + prices.add * adds;
    return 1e-9 *
           (prices.launch * count_launches(frame) + (double)armilla_radial_ncomp(radial) * ns);
}
