/* Decides which rings of a grid are transformed together, in the lanes of a vector, and makes the
 * tables that a plan keeps for them. The scratch is: a ring of zeros for those that are missing |
 * rings of maps of floats, as doubles | work of the kernels | where orders come in parts, rows of
 * both. */
#include "ringfft/lanes.h"

#include "base/memory.h"
#include "ringfft/parked.h"
#include "ringfft/stage.h"

enum {
    SHORTEST = ARMILLA_RING_WIDTH,
    SHORTEST_ODD = 9,
    NEAR_BYTES = 24576,
    GROUPS_BYTES = 1500000
};
_Static_assert((int)ARMILLA_RING_LANES <= (int)ARMILLA_RING_BATCH, "a batch fills the lanes");

/* Longest rings that go in lanes, by measurement. Vectors of two lanes hold one pair, which is no
 * faster than FFTW. */
static int64_t longest_in_lanes(int lanes)
{
    return lanes < 4 ? 0 : 32768;
}

/* The stride of the longest rings, or of one of them. */
static int64_t find_stride(const armilla_ringfft *ringfft)
{
    int64_t i = 0;
    while (i + 1 < ringfft->nrings && ringfft->rings[i].nphi != ringfft->longest) i++;
    return ringfft->rings[i].stride;
}

/* Rings that lanes can take: of one length and stride, without a shift. Of an even length they may
 * have the commonest shift. */
static int ring_fits(const armilla_ringfft *ringfft, int64_t number, int64_t n, int64_t stride)
{
    const armilla_ring *ring = &ringfft->rings[number];
    const armilla_phase *phase = &ringfft->phases[number];
    if (ring->nphi != n || ring->stride != stride || !phase->exact) return 0;
    return !armilla_phase_is_shifted(phase) ||
           (n % 2 == 0 && armilla_ringfft_same_phase(phase, &ringfft->common));
}

/* Rings that go in lanes together. */
static int64_t rings_together(int lanes, int64_t n)
{
    return n % 2 ? 2 * lanes : lanes;
}

/* Does the first-level cache have room for all columns of a transform of this length and for other
 * things? */
static int is_near(int lanes, int64_t length)
{
    return (int64_t)sizeof(double) * 2 * lanes * length <= NEAR_BYTES;
}

/* Lanes without a ring cost what others do: where half of four are empty, or a third of those of
 * odd lengths, FFTW is faster, measured. Half of eight are worth it. */
static int fills_lanes(int lanes, int64_t n, int64_t nrings)
{
    const int64_t together = rings_together(lanes, n);
    if (lanes > 4) return 2 * nrings >= together;
    return n % 2 ? 4 * nrings > 3 * together : 2 * nrings > together;
}

/* Odd lengths that are not near, not rough and no product of two numbers from ARMILLA_RING_WIDTH
 * on, up to 343: the convolution that lanes would need takes up to 1.7 times as long as FFTW. */
static int has_no_halves(int lanes, int64_t n)
{
    const int64_t least = ARMILLA_RING_WIDTH;
    int64_t rest = n;
    if (n % 2 == 0 || is_near(lanes, n)) return 0;
    for (int64_t prime = 3; prime <= 13; prime += 2)
        while (rest % prime == 0) rest /= prime;
    for (int64_t half = least; half * least <= n; half++)
        if (n % half == 0) return 0;
    return rest == 1;
}

int armilla_ringfft_lanes_pay(const armilla_ringfft *ringfft)
{
    const int64_t n = ringfft->longest;
    const int64_t stride = ringfft->nrings > 0 ? find_stride(ringfft) : 1;
    const int lanes = ringfft->kernels->lanes;
    int64_t count = 0;
    for (int64_t i = 0; i < ringfft->nrings; i++) count += ring_fits(ringfft, i, n, stride);
    if (!fills_lanes(lanes, n, count) || has_no_halves(lanes, n)) return 0;
    return n <= longest_in_lanes(lanes) && 2 * count > ringfft->nrings;
}

void armilla_ringfft_clear_lanes(armilla_ringfft *ringfft)
{
    armilla_lane_fft_clear(&ringfft->lane_fft);
    armilla_release(ringfft->lane_turn);
    armilla_release(ringfft->fits_lanes);
    ringfft->lane_turn = NULL, ringfft->fits_lanes = NULL, ringfft->all_fit = 0;
}

/* Lanes have the orders below this one. */
static int64_t orders_in_lanes(int64_t n)
{
    return n % 2 ? (n + 1) / 2 : n;
}

/* Which rings fit, found once: calls ask for each. */
static armilla_status mark_rings(armilla_ringfft *ringfft, int64_t n)
{
    armilla_status status = armilla_allocate(&ringfft->fits_lanes, ringfft->nrings, 1);
    ringfft->lane_stride = find_stride(ringfft);
    ringfft->all_fit = ringfft->mmax < orders_in_lanes(n);
    for (int64_t i = 0; i < ringfft->nrings && !status; i++) {
        const int fits = ring_fits(ringfft, i, n, ringfft->lane_stride);
        ringfft->fits_lanes[i] = (unsigned char)fits;
        ringfft->all_fit &= fits;
    }
    return status;
}

/* Mirror images to the last bit, so that orders k and n / 2 - k may change places. */
static armilla_status make_turn(int64_t n, double **turn)
{
    const int64_t h = n / 2;
    double work[ARMILLA_PHASE_WORK];
    armilla_status status = armilla_allocate(turn, n, sizeof **turn);
    if (!status) armilla_ringfft_fill_twist(n, h / 2 + 1, *turn, work);
    for (int64_t k = 1; 2 * k < h && !status; k++) {
        (*turn)[2 * (h - k)] = -(*turn)[2 * k];
        (*turn)[2 * (h - k) + 1] = (*turn)[2 * k + 1];
    }
    return status;
}

/* Lanes that are rings take half of an even length; those that are pairs, all of an odd one. Near
 * transforms, whose numbers are found one by one, may have halves of any length. */
static armilla_status make_fft(armilla_ringfft *ringfft, int64_t n)
{
    armilla_lane_fft *fft = &ringfft->lane_fft;
    const int64_t length = n % 2 ? n : n / 2;
    const int64_t width = n % 2 ? ARMILLA_RING_WIDTH : ARMILLA_RING_WIDTH / 2; /* of a block */
    const int lanes = ringfft->kernels->lanes, near = is_near(lanes, length);
    armilla_status status = armilla_lane_fft_make_any(length, near ? 1 : width, fft);
    if (!status && near) status = armilla_lane_fft_make_places(lanes, fft);
    return status || n % 2 ? status : make_turn(n, &ringfft->lane_turn);
}

/* Of the kernels, for a group. */
static int64_t work_size(const armilla_ringfft *ringfft)
{
    return armilla_ring_lanes_work(&ringfft->lane_fft, ringfft->kernels->lanes);
}

/* Groups whose rings share cache lines where the map is along theta, as far as caches have room for
 * the work of all: docs/ways.md, "Special paths". */
static int64_t groups_together(const armilla_ringfft *ringfft)
{
    int64_t groups = ARMILLA_RING_WIDTH / ringfft->lane_pairs;
    const int has_kernel = ringfft->kernels->lanes >= 4 && ringfft->lane_turn;
    if (!has_kernel || ringfft->lane_stride == 1) return 1;
    while (groups > 1 && 8 * groups * work_size(ringfft) > GROUPS_BYTES) groups /= 2;
    return groups;
}

/* Longest rings of 4 k samples have FFTs for the orders of a part alone, one ring at a time:
 * analysis takes 3 to 6 % less than all orders twice in lanes, synthesis the same. */
static int takes_parts(const armilla_ringfft *ringfft)
{
    return ringfft->parts && ringfft->part_kind == ARMILLA_SPECTRUM_WHOLE;
}

armilla_status armilla_ringfft_plan_lanes(armilla_ringfft *ringfft)
{
    const int64_t n = ringfft->longest, together = rings_together(ringfft->kernels->lanes, n);
    if (ringfft->lane_fft.n || ringfft->kernels->lanes < 2 || n < (n % 2 ? SHORTEST_ODD : SHORTEST))
        return ARMILLA_OK;
    armilla_status status = make_fft(ringfft, n);
    if (!status) status = mark_rings(ringfft, n);
    if (status) {
        armilla_ringfft_clear_lanes(ringfft);
        return status;
    }
    ringfft->lane_pairs = together / 2;
    ringfft->lane_groups = groups_together(ringfft);
    ringfft->lane_work = armilla_lanes_zeros(ringfft) + together * armilla_lanes_distance(ringfft);
    if (takes_parts(ringfft))
        ringfft->lane_rows = ringfft->lane_work + ringfft->lane_groups * work_size(ringfft);
    ringfft->bytes +=
        armilla_lane_fft_bytes(&ringfft->lane_fft) + (n % 2 ? 0 : 8 * n) + ringfft->nrings;
    return ARMILLA_OK;
}

int64_t armilla_ringfft_lanes(const armilla_ringfft *ringfft)
{
    return ringfft->lane_pairs;
}

int64_t armilla_ringfft_lanes_scratch_size(const armilla_ringfft *ringfft)
{
    if (!ringfft->lane_fft.n) return 0;
    if (!ringfft->lane_rows) return ringfft->lane_work + ringfft->lane_groups * work_size(ringfft);
    return ringfft->lane_rows + 4 * ringfft->lane_pairs * (ringfft->mmax + 1);
}

int armilla_ringfft_fits_lanes(const armilla_ringfft *ringfft, const armilla_ring_pair *pair)
{
    return (pair->north < 0 || ringfft->fits_lanes[pair->north]) &&
           (pair->south < 0 || ringfft->fits_lanes[pair->south]) &&
           pair->last < orders_in_lanes(armilla_lanes_length(ringfft));
}

int armilla_ringfft_all_fit_lanes(const armilla_ringfft *ringfft)
{
    return ringfft->all_fit;
}

int armilla_ringfft_parts_fit_lanes(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                                    armilla_array map)
{
    return ringfft->lane_rows > 0 && !map.is_float && ringfft->lane_stride == 1 &&
           pair->north >= 0 && pair->south >= 0 && armilla_ringfft_fits_lanes(ringfft, pair) &&
           !armilla_ringfft_must_split(ringfft, pair) &&
           armilla_parked_rows(pair, armilla_lanes_length(ringfft)) > 0;
}
