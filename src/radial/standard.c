/* Convolves in the mode STANDARD: FFTs bring each ring to the length of the longest one, or a
 * little more, a plan inside this one convolves those rings exactly, and FFTs bring the result back
 * to the grid's own pixels. */
#include "radial/standard.h"

#include "base/angle.h"
#include "base/memory.h"
#include "base/team.h"
#include "fft/fft.h"
#include "grid/grid.h"
#include "radial/normalization.h"
#include "radial/ranks.h"

#include <math.h>
#include <string.h>

struct armilla_radial_standard {
    int64_t n; /* n' */
    armilla_fft_set *ffts;
};

/* --- Plan ------------------------------------------------------------------------------------- */

/* What AUTO means for the grid's own pixels, not for those of the inner one. */
static armilla_status resolve(const armilla_radial *radial, armilla_radial_options *options)
{
    double support = options->support;
    armilla_status status = ARMILLA_OK;
    if (options->normalization != ARMILLA_RADIAL_AUTO) return ARMILLA_OK;
    if (!(support > 0))
        status = armilla_kernel_choose_support(radial->kernel, options->truncation_error, 0, NULL,
                                               &support);
    if (!status)
        options->normalization =
            armilla_radial_choose_normalization(radial->kernel, support, radial->grid);
    return status;
}

/* The same rings, all of n pixels from longitude 0 on; weights of rings stay what they are. */
static armilla_status make_grid(const armilla_radial *radial, armilla_grid **grid)
{
    const armilla_radial_standard *standard = radial->standard;
    const int64_t nrings = radial->grid->nrings;
    armilla_ring *rings;
    armilla_status status = armilla_allocate(&rings, nrings, sizeof *rings);
    if (status) return status;
    for (int64_t i = 0; i < nrings; i++) {
        const armilla_ring *ring = &radial->grid->rings[i];
        rings[i] =
            (armilla_ring){.theta = ring->theta,
                           .nphi = standard->n,
                           .offset = i * standard->n,
                           .stride = 1,
                           .weight = ring->weight * (double)ring->nphi / (double)standard->n};
    }
    status = armilla_grid_new_custom(nrings, rings, grid);
    armilla_release(rings);
    return status;
}

armilla_status armilla_radial_standard_take_rings(armilla_radial *radial, const uint8_t *mine)
{
    const armilla_grid *grid = armilla_radial_whole(radial);
    const int64_t nrings = grid->nrings;
    int64_t *lengths;
    uint8_t *planned;
    armilla_status status = armilla_allocate(&lengths, nrings + 1, sizeof *lengths);
    if (status) return status;
    if (!(status = armilla_allocate(&planned, nrings + 1, sizeof *planned))) {
        for (int64_t i = 0; i < nrings; i++)
            lengths[i] = grid->rings[i].nphi, planned[i] = !mine || mine[i];
        lengths[nrings] = radial->standard->n, planned[nrings] = 1;
        status = armilla_fft_set_new_some(radial->isa, nrings + 1, lengths, planned,
                                          &radial->standard->ffts);
    }
    armilla_release(lengths), armilla_release(planned);
    return status;
}

armilla_status armilla_radial_standard_make(armilla_radial *radial, armilla_grid **grid,
                                            armilla_radial_options *options)
{
    armilla_radial_standard *standard;
    int64_t longest = 1;
    armilla_status status = armilla_allocate_zero(&standard, 1, sizeof *standard);
    if (status) return status;
    radial->standard = standard;
    for (int64_t i = 0; i < radial->grid->nrings; i++)
        if (radial->grid->rings[i].nphi > longest) longest = radial->grid->rings[i].nphi;
    standard->n = armilla_fft_smooth_length(longest);
    *options = radial->options;
    options->mode = ARMILLA_RADIAL_EXACT;
    options->device_bytes /= 2; /* by RINGS; by PIXELS maps of the GPU take none */
    if (!radial->later && (status = armilla_radial_standard_take_rings(radial, NULL)))
        return status;
    if ((status = resolve(radial, options))) return status;
    return make_grid(radial, grid);
}

void armilla_radial_standard_free(armilla_radial_standard *standard)
{
    if (!standard) return;
    armilla_fft_set_free(standard->ffts);
    armilla_release(standard);
}

int64_t armilla_radial_standard_bytes(const armilla_radial_standard *standard)
{
    return (int64_t)sizeof *standard + armilla_fft_set_bytes(standard->ffts);
}

/* --- Between rings of different lengths ------------------------------------------------------- */

/* Doubles of a thread: two spectra and scratch. */
static int64_t scratch_size(const armilla_radial_standard *standard)
{
    return 2 * armilla_round_line(2 * standard->n) +
           armilla_round_line(2 * armilla_fft_set_scratch_size(standard->ffts));
}

int64_t armilla_radial_standard_workspace(const armilla_radial *radial, int nthreads)
{
    const int64_t size = armilla_round_line(radial->inner->grid->npix);
    return 8 *
           (2 * armilla_radial_ncomp(radial) * size + nthreads * scratch_size(radial->standard));
}

/* Maps to be moved from the plan's grid up to rings of n' pixels, or down from these. */
typedef struct {
    const armilla_radial_call *call;
    armilla_maps maps;
    int up;
    double *scratch;
} move;

/* The orders of the ring, times scale and a shift by phi0, from the spectrum of n1 samples to that
 * of n2. The order n / 2 of an even n is a cosine alone. */
static void move_orders(int64_t n, double scale, double phi0, const double *from, int64_t n2,
                        double *to)
{
    memset(to, 0, (size_t)(2 * n2) * sizeof *to);
    to[0] = scale * from[0];
    for (int64_t m = 1; 2 * m <= n; m++) {
        const double factor = 2 * m == n ? scale / 2 : scale;
        const double c = factor * cos((double)m * phi0), s = factor * sin((double)m * phi0);
        const double re = c * from[2 * m] - s * from[2 * m + 1];
        const double im = c * from[2 * m + 1] + s * from[2 * m];
        to[2 * m] += re, to[2 * m + 1] += im;
        to[2 * (n2 - m)] += re, to[2 * (n2 - m) + 1] -= im;
    }
}

/* Ring number index % nrings of map index / nrings. Up takes 1 / n of the spectrum and down 1 / n',
 * transposed the other way round: with weights n / n' times those of the ring, that makes the
 * adjoint the transpose. */
static void move_ring(void *context, int64_t index, int thread)
{
    const move *t = context;
    const armilla_grid *grid = t->call->radial->grid;
    const armilla_radial_standard *standard = t->call->radial->standard;
    const armilla_maps map = armilla_maps_from(&t->maps, index / grid->nrings);
    const armilla_ring *own = &grid->rings[index % grid->nrings];
    const armilla_ring *wide = &t->call->radial->inner->grid->rings[index % grid->nrings];
    const armilla_ring *source = t->up ? own : wide, *target = t->up ? wide : own;
    const double scale = 1 / (double)(t->call->transposed ? target : source)->nphi;
    double *a = t->scratch + thread * scratch_size(standard);
    double *b = a + armilla_round_line(2 * standard->n), *scratch = b + (b - a);
    for (int64_t j = 0; j < source->nphi; j++) {
        a[2 * j] = armilla_array_get(map.in, armilla_ring_item(source, grid->nside, j));
        a[2 * j + 1] = 0;
    }
    armilla_fft_forward(armilla_fft_set_find(standard->ffts, source->nphi), a, scratch);
    const double phi0 = armilla_angle_reduce(own->phi0, NULL);
    move_orders(own->nphi, scale, t->up ? -phi0 : phi0, a, target->nphi, b);
    armilla_fft_backward(armilla_fft_set_find(standard->ffts, target->nphi), b, scratch);
    for (int64_t j = 0; j < target->nphi; j++)
        armilla_array_put(map.out, armilla_ring_item(target, grid->nside, j), b[2 * j]);
}

/* --- A call ----------------------------------------------------------------------------------- */

armilla_status armilla_radial_standard_sum(const armilla_radial_call *call,
                                           const armilla_maps *maps)
{
    const armilla_radial *radial = call->radial, *inner = radial->inner;
    const int64_t size = armilla_round_line(inner->grid->npix), ncomp = armilla_radial_ncomp(inner);
    const int64_t nrings = ncomp * inner->grid->nrings;
    armilla_radial_call exact = *call;
    double *memory = NULL;
    armilla_status status = armilla_workspace_take(
        radial->workspace, armilla_radial_standard_workspace(radial, call->nthreads) / 8, &memory);
    if ((status = armilla_radial_agree(radial, status))) {
        if (memory) armilla_workspace_give(radial->workspace, memory);
        return status;
    }
    const armilla_array wide = {memory, 0}, sums = {memory + ncomp * size, 0};
    const armilla_maps between = {wide, sums, size, size};
    double *scratch = memory + 2 * ncomp * size;
    move up = {call, {maps->in, wide, maps->in_distance, size}, 1, scratch};
    move down = {call, {sums, maps->out, size, maps->out_distance}, 0, scratch};
    exact.radial = inner, exact.spectra = NULL; /* of other rings */
    armilla_team_run(call->nthreads, nrings, move_ring, &up);
    status = armilla_radial_sum(&exact, &between);
    if (!status) armilla_team_run(call->nthreads, nrings, move_ring, &down);
    armilla_workspace_give(radial->workspace, memory);
    return status;
}
