/* Makes the tables that a plan keeps for rings that are transformed together, in the lanes of a
 * vector, and answers which rings these are. The scratch is: a ring of zeros for those that are
 * missing | rings of maps of floats, as doubles | work of the kernels. */
#include "ringfft/lanes.h"

#include "base/memory.h"
#include "ringfft/stage.h"

_Static_assert((int)ARMILLA_RING_LANES <= (int)ARMILLA_RING_BATCH, "a batch fills the lanes");

/* Lanes have the orders below this one. */
static int64_t orders_in_lanes(int64_t n)
{
    return n % 2 ? (n + 1) / 2 : n;
}

/* Which rings fit, found once: calls ask for each. */
static armilla_status mark_rings(const armilla_ring_question *question, armilla_ringfft *ringfft)
{
    armilla_ringfft_lane_tables *lanes = &ringfft->lanes;
    armilla_status status = armilla_allocate(&lanes->fits, ringfft->nrings, 1);
    lanes->all_fit = ringfft->mmax < orders_in_lanes(ringfft->choices.longest);
    for (int64_t i = 0; i < ringfft->nrings && !status; i++) {
        const int fits = armilla_ring_fits(question, &ringfft->choices, i);
        lanes->fits[i] = (unsigned char)fits;
        lanes->all_fit &= fits;
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
    armilla_lane_fft *fft = &ringfft->lanes.fft;
    const int64_t length = n % 2 ? n : n / 2;
    const int64_t width = n % 2 ? ARMILLA_RING_WIDTH : ARMILLA_RING_WIDTH / 2; /* of a block */
    const int lanes = ringfft->kernels->lanes, near = ringfft->choices.lane_near;
    armilla_status status = armilla_lane_fft_make_any(length, near ? 1 : width, fft);
    if (!status && near) status = armilla_lane_fft_make_places(lanes, fft);
    return status || n % 2 ? status : make_turn(n, &ringfft->lanes.turn);
}

/* What kernels need for a group. */
static int64_t work_size(const armilla_ringfft *ringfft)
{
    return armilla_ring_lanes_work(&ringfft->lanes.fft, ringfft->kernels->lanes);
}

armilla_status armilla_ringfft_make_lanes(const armilla_ring_question *question,
                                          armilla_ringfft *ringfft)
{
    armilla_ring_choices *choices = &ringfft->choices;
    armilla_ringfft_lane_tables *lanes = &ringfft->lanes;
    const int64_t n = choices->longest;
    armilla_status status = make_fft(ringfft, n);
    if (!status) status = mark_rings(question, ringfft);
    if (status) return status;
    choices->lane_groups = armilla_ring_choose_groups(question, choices, work_size(ringfft));
    lanes->work =
        armilla_lanes_zeros(ringfft) + 2 * choices->lane_pairs * armilla_lanes_distance(ringfft);
    ringfft->bytes += armilla_lane_fft_bytes(&lanes->fft) + (n % 2 ? 0 : 8 * n) + ringfft->nrings;
    return ARMILLA_OK;
}

int64_t armilla_ringfft_lanes(const armilla_ringfft *ringfft)
{
    return ringfft->choices.lane_pairs;
}

int64_t armilla_lanes_scratch_size(const armilla_ringfft *ringfft)
{
    if (!ringfft->choices.lane_pairs) return 0;
    return ringfft->lanes.work + ringfft->choices.lane_groups * work_size(ringfft);
}

int armilla_lanes_take(const armilla_ringfft *ringfft, const armilla_ring_pair *pair)
{
    const armilla_ringfft_lane_tables *lanes = &ringfft->lanes;
    return lanes->fits && (pair->north < 0 || lanes->fits[pair->north]) &&
           (pair->south < 0 || lanes->fits[pair->south]) &&
           pair->last < orders_in_lanes(ringfft->choices.longest);
}
