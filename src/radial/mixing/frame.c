/* Finds, for each pair of rings, the pairs within the support of the radial kernel, the orders that
 * it needs, and whether its neighbours' pixels match its own, so that their sum is a circular
 * convolution. */
#include "radial/mixing/frame.h"

#include "base/memory.h"
#include "grid/grid.h"
#include "ringfft/phase.h"

#include <math.h>
#include <string.h>

enum { FEWEST = 3 }; /* pairs of a stretch that is worth its tables, where there is a choice */

/* --- Rings of equal length ------------------------------------------------------------------- */

static const armilla_ring *ring_of(const armilla_mixing_frame *frame, int64_t pair, int south)
{
    const int64_t ring = south ? frame->pairs.south[pair] : frame->pairs.north[pair];
    return ring < 0 ? NULL : &frame->rings[ring];
}

/* Do longitudes of two rings of n pixels differ by whole half pixels, and which of them are odd? */
static int is_regular(const armilla_ring *a, const armilla_ring *b)
{
    armilla_phase one, other;
    if (a->nphi != b->nphi) return 0;
    armilla_phase_init(&one, a->phi0, a->nphi);
    armilla_phase_init(&other, b->phi0, b->nphi);
    return (one.exact && other.exact) || a->phi0 == b->phi0;
}

static int is_half(const armilla_ring *ring)
{
    armilla_phase phase;
    armilla_phase_init(&phase, ring->phi0, ring->nphi);
    return phase.exact && phase.half_pixels % 2 != 0;
}

int64_t armilla_mixing_pixels(const armilla_mixing_frame *frame, int64_t pair)
{
    const armilla_ring *north = ring_of(frame, pair, 0), *south = ring_of(frame, pair, 1);
    if (!north) return south->nphi;
    return !south || south->nphi == north->nphi ? north->nphi : 0;
}

/* Are both rings of the pair alike? */
static int is_uniform(const armilla_mixing_frame *frame, int64_t pair)
{
    const armilla_ring *north = ring_of(frame, pair, 0), *south = ring_of(frame, pair, 1);
    return !north || !south || (is_regular(north, south) && is_half(north) == is_half(south));
}

static const armilla_ring *any_ring(const armilla_mixing_frame *frame, int64_t pair)
{
    const armilla_ring *north = ring_of(frame, pair, 0);
    return north ? north : ring_of(frame, pair, 1);
}

/* Are the discrete K_m of use for a pair? Not where the kernel has fewer orders than the ring. */
static int wants_discrete(const armilla_mixing_frame *frame, int64_t pair)
{
    return is_uniform(frame, pair) &&
           (!frame->smooth || armilla_mixing_pixels(frame, pair) / 2 < frame->pairs.limit[pair]);
}

static void find_stretches(armilla_mixing_frame *frame)
{
    const int64_t count = frame->pairs.count;
    for (int64_t i = 0, next; i < count; i = next) {
        next = i + 1;
        const int wanted = wants_discrete(frame, i);
        while (wanted && next < count && wants_discrete(frame, next) &&
               is_regular(any_ring(frame, i), any_ring(frame, next)))
            next++;
        const int use = wanted && (!frame->smooth || next - i >= FEWEST);
        for (int64_t k = i; k < next; k++) {
            frame->stretch[k] = use ? i : -1;
            frame->half[k] = (uint8_t)is_half(any_ring(frame, k));
        }
    }
}

/* --- What is within the support -------------------------------------------------------------- */

static double half_sine(double angle)
{
    const double s = sin(angle / 2);
    return s * s;
}

static void find_neighbours(armilla_mixing_frame *frame, double end)
{
    const int64_t count = frame->pairs.count;
    const double *theta = frame->pairs.theta;
    int64_t first = 0, last = 0, across = count;
    for (int64_t i = 0; i < count; i++) {
        while (half_sine(theta[i] - theta[first]) > end) first++;
        if (last < i) last = i;
        while (last + 1 < count && half_sine(theta[last + 1] - theta[i]) <= end) last++;
        while (across > 0 && half_sine(M_PI - theta[i] - theta[across - 1]) <= end) across--;
        frame->first[i] = first, frame->last[i] = last, frame->across[i] = across;
    }
}

int armilla_mixing_is_discrete(const armilla_mixing_frame *frame, int64_t pair)
{
    const int64_t *stretch = frame->stretch, across = frame->across[pair];
    const int64_t lowest = across < frame->first[pair] ? across : frame->first[pair];
    const int64_t highest =
        across < frame->pairs.count ? frame->pairs.count - 1 : frame->last[pair];
    return stretch[pair] >= 0 && stretch[lowest] == stretch[pair] &&
           stretch[highest] == stretch[pair];
}

/* --- Orders ---------------------------------------------------------------------------------- */

/* All orders that the kernel has, or those that the ring needs. */
static void find_limits(const armilla_mixing_band *band, armilla_mixing_frame *frame)
{
    for (int64_t i = 0; i < frame->pairs.count; i++)
        frame->pairs.limit[i] = armilla_mixing_band_limit(band, frame->sine[i]);
    find_stretches(frame);
    for (int64_t i = 0; i < frame->pairs.count; i++) {
        if (frame->stretch[i] >= 0 && (!frame->smooth || armilla_mixing_is_discrete(frame, i)))
            frame->pairs.limit[i] = armilla_mixing_pixels(frame, i) / 2;
    }
}

static armilla_status allocate(const armilla_grid *grid, armilla_mixing_frame *frame)
{
    double *theta;
    armilla_status status;
    frame->nrings = grid->nrings, frame->nested = armilla_grid_nested(grid);
    if ((status = armilla_allocate(&frame->rings, grid->nrings, sizeof *frame->rings)))
        return status;
    memcpy(frame->rings, grid->rings, (size_t)grid->nrings * sizeof *frame->rings);
    if ((status = armilla_grid_copy_theta(grid, &theta))) return status;
    status = armilla_ring_pairs_make(grid->nrings, theta, 0, 0, 0, &frame->pairs);
    armilla_release(theta);
    if (status) return status;
    const int64_t count = frame->pairs.count;
    if ((status = armilla_allocate(&frame->sine, count, sizeof *frame->sine)) ||
        (status = armilla_allocate(&frame->stretch, count, sizeof *frame->stretch)) ||
        (status = armilla_allocate(&frame->half, count, sizeof *frame->half)) ||
        (status = armilla_allocate(&frame->first, count, sizeof *frame->first)) ||
        (status = armilla_allocate(&frame->last, count, sizeof *frame->last)) ||
        (status = armilla_allocate(&frame->across, count, sizeof *frame->across)))
        return status;
    for (int64_t i = 0; i < count; i++) frame->sine[i] = sin(frame->pairs.theta[i]);
    return ARMILLA_OK;
}

armilla_status armilla_mixing_frame_make(const armilla_grid *grid, const armilla_profile *profile,
                                         armilla_isa isa, armilla_mixing_frame *frame)
{
    const armilla_mixing_kernels *kernels = armilla_mixing_kernels_find(isa);
    armilla_mixing_band band;
    int64_t longest = 0;
    memset(frame, 0, sizeof *frame);
    for (int64_t i = 0; i < grid->nrings; i++)
        if (grid->rings[i].nphi > longest) longest = grid->rings[i].nphi;
    armilla_status status = allocate(grid, frame);
    if (!status) status = armilla_mixing_band_find(kernels, profile, 4 * longest, &band);
    if (status) {
        armilla_mixing_frame_clear(frame);
        return status;
    }
    frame->smooth = band.smooth;
    find_neighbours(frame, profile->end);
    find_limits(&band, frame);
    return ARMILLA_OK;
}

void armilla_mixing_frame_clear(armilla_mixing_frame *frame)
{
    armilla_release(frame->rings);
    armilla_ring_pairs_clear(&frame->pairs);
    armilla_release(frame->sine), armilla_release(frame->stretch), armilla_release(frame->half);
    armilla_release(frame->first), armilla_release(frame->last), armilla_release(frame->across);
    memset(frame, 0, sizeof *frame);
}

double armilla_mixing_samples(const armilla_mixing_frame *frame, const armilla_profile *profile,
                              int64_t pair)
{
    const double sine = frame->sine[pair], ratio = profile->end / (sine * sine);
    const double angle = ratio < 1 ? 2 * asin(sqrt(ratio)) : M_PI;
    const double orders = (double)frame->pairs.limit[pair] + 1;
    const double spacing = armilla_mixing_is_discrete(frame, pair)
                               ? 2 * M_PI / (double)armilla_mixing_pixels(frame, pair)
                               : M_PI / orders;
    return M_PI / 4 * angle / spacing + 2;
}

int64_t armilla_mixing_frame_bytes(const armilla_mixing_frame *frame)
{
    return frame->nrings * (int64_t)sizeof *frame->rings + armilla_ring_pairs_bytes(&frame->pairs) +
           frame->pairs.count * (int64_t)(sizeof(double) + 4 * sizeof(int64_t) + 1);
}
