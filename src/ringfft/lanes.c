/* See lanes.h and ringfft.h. Scratch: a ring of zeros for those that are missing | work of the
 * kernels. */
#include "ringfft/lanes.h"

#include "base/memory.h"

#include <string.h>

enum { LINE = ARMILLA_RING_WIDTH * sizeof(double), POINTS = ARMILLA_RING_WIDTH / 2 };

/* Longest rings that go in lanes, by measurement. One pair in two lanes is no faster than FFTW. */
static const int64_t longest_in_lanes[ARMILLA_ISA_COUNT] = {
    [ARMILLA_ISA_AVX2] = 32768, [ARMILLA_ISA_AVX512] = 32768};

/* Rings that lanes can take: without a shift and gaps, of one length. */
static int ring_fits(const armilla_ringfft *ringfft, int64_t number, int64_t n)
{
    const armilla_ring *ring = &ringfft->rings[number];
    const armilla_phase *phase = &ringfft->phases[number];
    return ring->nphi == n && ring->stride == 1 && phase->exact && phase->half_pixels == 0;
}

/* What FFTW does as fast by measurement, with four lanes. */
static int is_better_alone(armilla_isa isa, int64_t n)
{
    return isa == ARMILLA_ISA_AVX2 && (n == 512 || n == 1024 || n == 2048);
}

int armilla_ringfft_lanes_pay(const armilla_ringfft *ringfft)
{
    const int64_t n = ringfft->longest;
    int64_t count = 0;
    for (int64_t i = 0; i < ringfft->nrings; i++) count += ring_fits(ringfft, i, n);
    if (is_better_alone(ringfft->isa, n)) return 0;
    return n <= longest_in_lanes[ringfft->isa] && 2 * count > ringfft->nrings;
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
    if (fft->n || ringfft->kernels->lanes < 2 || n % 2 || !armilla_lane_fft_possible(n / 2))
        return ARMILLA_OK;
    if ((status = armilla_lane_fft_make(n / 2, 1, fft)) ||
        (status = make_turn(n, &ringfft->lane_turn))) {
        armilla_ringfft_clear_lanes(ringfft);
        return status;
    }
    if (fft->length[0] < POINTS || fft->length[1] < POINTS)
        armilla_ringfft_clear_lanes(ringfft);
    else
        ringfft->bytes += armilla_lane_fft_bytes(fft) + 8 * n;
    return ARMILLA_OK;
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
    return zeros_size(ringfft) + 2 * ringfft->kernels->lanes * (fft->length[1] + 1) * fft->step;
}

static int is_filler(const armilla_ring_pair *pair)
{
    return pair->north < 0 && pair->south < 0;
}

static int pair_fits(const armilla_ringfft *ringfft, const armilla_ring_pair *pair)
{
    const int64_t n = ring_length(ringfft);
    return (pair->north < 0 || ring_fits(ringfft, pair->north, n)) &&
           (pair->south < 0 || ring_fits(ringfft, pair->south, n)) && pair->first == 0 &&
           2 * pair->last < n;
}

int armilla_ringfft_lanes_fit(const armilla_ringfft *ringfft, const armilla_ring_pair *pairs,
                              armilla_ringfft_mode mode, armilla_array map)
{
    const int64_t lanes = armilla_ringfft_lanes(ringfft);
    int64_t count = 0;
    if (map.is_float || mode.part || mode.add) return 0;
    for (int64_t i = 0; i < lanes; i++) {
        if (is_filler(&pairs[i])) continue;
        if (!pair_fits(ringfft, &pairs[i])) return 0;
        count++;
    }
    return 2 * count > lanes; /* lanes without rings cost as much as the others */
}

/* What the kernels need of one pair, lanes 2 i and 2 i + 1. factor: 1, or 1/2. */
static void set_pair(const armilla_ringfft *ringfft, const armilla_ring_pair *pair, int64_t i,
                     const double *map, double factor, int weighted, double *zeros,
                     armilla_ring_lanes *lanes)
{
    const int64_t number[2] = {pair->north, pair->south}, last = is_filler(pair) ? -1 : pair->last;
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

static void set_lanes(const armilla_ringfft *ringfft, const armilla_ring_pair *pairs,
                      const double *map, double factor, int weighted, double *zeros,
                      armilla_ring_lanes *lanes)
{
    lanes->fft = &ringfft->lane_fft, lanes->turn = ringfft->lane_turn;
    lanes->least = ring_length(ringfft), lanes->last = 0, lanes->head = 0;
    for (int64_t i = 0; i < armilla_ringfft_lanes(ringfft); i++)
        set_pair(ringfft, &pairs[i], i, map, factor, weighted, zeros, lanes);
}

/* Pairs of samples in front of the first cache line, if that is the same in every ring, or 0. */
static int64_t find_head(const armilla_ring_lanes *lanes, int64_t count)
{
    const int64_t head = (int64_t)(-(uintptr_t)lanes->ring[0] % LINE / (2 * sizeof(double)));
    if (lanes->fft->length[0] % POINTS) return 0;
    for (int64_t i = 0; i < count; i++)
        if ((uintptr_t)(lanes->ring[i] + 2 * head) % LINE) return 0;
    return head;
}

void armilla_ringfft_lanes_synthesis(const armilla_ringfft *ringfft, const armilla_ring_pair *pairs,
                                     armilla_ringfft_mode mode, const double *leg,
                                     int64_t row_length, armilla_array map, double *scratch)
{
    armilla_ring_lanes lanes;
    lanes.row_length = row_length;
    set_lanes(ringfft, pairs, map.values, 1, mode.weighted, scratch, &lanes);
    lanes.head = find_head(&lanes, ringfft->kernels->lanes);
    ringfft->kernels->lanes_synthesis(&lanes, leg, scratch + zeros_size(ringfft));
}

void armilla_ringfft_lanes_analysis(const armilla_ringfft *ringfft, const armilla_ring_pair *pairs,
                                    armilla_ringfft_mode mode, armilla_array map, double *leg,
                                    int64_t row_length, double *scratch)
{
    armilla_ring_lanes lanes;
    lanes.row_length = row_length;
    set_lanes(ringfft, pairs, map.values, 0.5, mode.weighted, scratch, &lanes);
    memset(scratch, 0, sizeof *scratch * (size_t)ring_length(ringfft));
    ringfft->kernels->lanes_analysis(&lanes, leg, scratch + zeros_size(ringfft));
}
