/* See lanes.h and ringfft.h. Scratch: a ring of zeros for those that are missing | work of the
 * kernels. */
#include "ringfft/lanes.h"

#include "base/memory.h"

#include <string.h>

_Static_assert(ARMILLA_LANE_LEAST >= ARMILLA_RING_WIDTH / 2, "points of a line are neighbours");

/* Longest rings that go in lanes, by measurement. Vectors of two lanes hold one pair, which is no
 * faster than FFTW. */
static int64_t longest_in_lanes(int lanes)
{
    return lanes < 4 ? 0 : 32768;
}

/* Rings that lanes can take: without a shift and gaps, of one length. */
static int ring_fits(const armilla_ringfft *ringfft, int64_t number, int64_t n)
{
    const armilla_ring *ring = &ringfft->rings[number];
    const armilla_phase *phase = &ringfft->phases[number];
    return ring->nphi == n && ring->stride == 1 && phase->exact && phase->half_pixels == 0;
}

/* Lengths that FFTW transforms faster than four lanes do: 7 % of synthesis at 1024, measured. */
static int is_better_alone(int lanes, int64_t n)
{
    return lanes == 4 && (n == 512 || n == 1024 || n == 2048);
}

/* A single pair leaves six of eight lanes empty. */
static int fills_lanes(int lanes, int64_t nrings)
{
    return 4 * nrings > lanes;
}

int armilla_ringfft_lanes_pay(const armilla_ringfft *ringfft)
{
    const int64_t n = ringfft->longest;
    int64_t count = 0;
    for (int64_t i = 0; i < ringfft->nrings; i++) count += ring_fits(ringfft, i, n);
    if (is_better_alone(ringfft->kernels->lanes, n) || !fills_lanes(ringfft->kernels->lanes, count))
        return 0;
    return n <= longest_in_lanes(ringfft->kernels->lanes) && 2 * count > ringfft->nrings;
}

static int64_t ring_length(const armilla_ringfft *ringfft)
{
    return 2 * ringfft->lane_fft.n;
}

void armilla_ringfft_clear_lanes(armilla_ringfft *ringfft)
{
    armilla_lane_fft_clear(&ringfft->lane_fft);
    armilla_release(ringfft->lane_turn);
    ringfft->lane_turn = NULL;
}

static armilla_status make_turn(int64_t n, double **turn)
{
    double work[ARMILLA_PHASE_WORK];
    armilla_status status = armilla_allocate(turn, n, sizeof **turn);
    if (!status) armilla_ringfft_fill_twist(n, n / 2, *turn, work);
    return status;
}

armilla_status armilla_ringfft_plan_lanes(armilla_ringfft *ringfft)
{
    const int64_t n = ringfft->longest;
    armilla_lane_fft *fft = &ringfft->lane_fft;
    armilla_status status;
    if (fft->n || ringfft->kernels->lanes < 2 || n % 2 || n < 32) return ARMILLA_OK;
    if ((status = armilla_lane_fft_make_any(n / 2, fft)) ||
        (status = make_turn(n, &ringfft->lane_turn)))
        armilla_ringfft_clear_lanes(ringfft);
    else
        ringfft->bytes += armilla_lane_fft_bytes(fft) + 8 * n;
    return status;
}

int64_t armilla_ringfft_lanes(const armilla_ringfft *ringfft)
{
    return ring_length(ringfft) ? ringfft->kernels->lanes / 2 : 0;
}

static int64_t zeros_size(const armilla_ringfft *ringfft)
{
    return armilla_round_line(ring_length(ringfft));
}

int64_t armilla_ringfft_lanes_scratch_size(const armilla_ringfft *ringfft)
{
    const armilla_lane_fft *fft = &ringfft->lane_fft;
    if (!fft->n) return 0;
    /* columns, and one more for samples read twice */
    return zeros_size(ringfft) + 2 * ringfft->kernels->lanes * (fft->room + fft->step);
}

int armilla_ringfft_fits_lanes(const armilla_ringfft *ringfft, const armilla_ring_pair *pair)
{
    const int64_t n = ring_length(ringfft);
    return (pair->north < 0 || ring_fits(ringfft, pair->north, n)) &&
           (pair->south < 0 || ring_fits(ringfft, pair->south, n)) && 2 * pair->last < n;
}

/* What the kernels need of one pair, lanes 2 i and 2 i + 1. factor: 1, or 1/2. */
static void set_pair(const armilla_ringfft *ringfft, const armilla_ring_pair *pair, int64_t i,
                     const double *map, double factor, int weighted, double *zeros,
                     armilla_ring_lanes *lanes)
{
    const int64_t number[2] = {pair->north, pair->south}, last = pair->last;
    for (int side = 0; side < 2; side++) {
        const armilla_ring *ring = number[side] < 0 ? NULL : &ringfft->rings[number[side]];
        const int64_t lane = 2 * i + side;
        lanes->ring[lane] = ring ? (double *)map + ring->offset : zeros;
        lanes->scale[lane] = !ring ? 0 : weighted ? factor * ring->weight : factor;
        lanes->limit[lane] = (double)last;
    }
    if (last < lanes->least) lanes->least = last;
    if (last > lanes->last) lanes->last = last;
}

static void set_lanes(const armilla_ringfft *ringfft, int64_t count, const armilla_ring_pair *pairs,
                      const double *map, double factor, int weighted, double *zeros,
                      armilla_ring_lanes *lanes)
{
    const armilla_ring_pair none = {.north = -1, .south = -1, .last = -1};
    const int64_t room = armilla_ringfft_lanes(ringfft);
    lanes->fft = &ringfft->lane_fft, lanes->turn = ringfft->lane_turn;
    lanes->least = ring_length(ringfft), lanes->last = 0;
    lanes->width = 4 * count;
    for (int64_t i = 0; i < room; i++)
        set_pair(ringfft, i < count ? &pairs[i] : &none, i, map, factor, weighted, zeros, lanes);
}

void armilla_ringfft_lanes_synthesis(const armilla_ringfft *ringfft, int64_t count,
                                     const armilla_ring_pair *pairs, armilla_ringfft_mode mode,
                                     const double *leg, int64_t row_length, armilla_array map,
                                     double *scratch)
{
    armilla_ring_lanes lanes;
    lanes.row_length = row_length;
    set_lanes(ringfft, count, pairs, map.values, 1, mode.weighted, scratch, &lanes);
    ringfft->kernels->lanes_synthesis(&lanes, leg, scratch + zeros_size(ringfft));
}

void armilla_ringfft_lanes_analysis(const armilla_ringfft *ringfft, int64_t count,
                                    const armilla_ring_pair *pairs, armilla_ringfft_mode mode,
                                    armilla_array map, double *leg, int64_t row_length,
                                    double *scratch)
{
    armilla_ring_lanes lanes;
    lanes.row_length = row_length;
    set_lanes(ringfft, count, pairs, map.values, 0.5, mode.weighted, scratch, &lanes);
    memset(scratch, 0, sizeof *scratch * (size_t)ring_length(ringfft));
    ringfft->kernels->lanes_analysis(&lanes, leg, scratch + zeros_size(ringfft));
}
