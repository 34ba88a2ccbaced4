/* Plans for a GPU: refuses what is not offered there, makes the tables that the kernels of src/cuda
 * go by from the rows of the method PIXELS, and hands calls over. Kernel values between rows of
 * equal length are made here, once; others are made on the GPU. */
#include "radial/device.h"

#include "base/memory.h"
#include "cuda/radial.h"
#include "cuda/transform.h"
#include "grid/grid.h"
#include "radial/pixels/links.h"

/* --- What is offered -------------------------------------------------------------------------- */

armilla_status armilla_radial_check_device(const armilla_grid *grid,
                                           armilla_radial_options *options)
{
    if (options->device == ARMILLA_CPU) return ARMILLA_OK;
    if (options->device != ARMILLA_CUDA)
        return armilla_fail_argument("device", (int64_t)options->device,
                                     "must be ARMILLA_CPU or ARMILLA_CUDA");
    const char *missing = options->mode == ARMILLA_RADIAL_STANDARD ? "mode = STANDARD"
                          : options->spin && options->method == ARMILLA_RADIAL_PIXELS ? "spin = 2"
                          : armilla_grid_nested(grid) ? "grid: maps in NESTED order"
                                                      : NULL;
    if (missing)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "%s: radial convolution does not offer it on a GPU", missing);
    if (options->spin) options->method = ARMILLA_RADIAL_RINGS; /* FASTEST has no other way */
    return armilla_cuda_check_device();
}

/* --- Tables ----------------------------------------------------------------------------------- */

typedef struct {
    const armilla_radial *radial;
    armilla_cuda_radial_problem problem;
    armilla_cuda_radial_row *rows;
    armilla_cuda_radial_link *links;
    armilla_cuda_radial_tile *tiles;
    double *values;
} tables;

static int64_t tiles_of(const armilla_radial_row *row)
{
    return (row->arc + ARMILLA_CUDA_RADIAL_TILE - 1) / ARMILLA_CUDA_RADIAL_TILE;
}

/* Doubles of the values of a uniform row, whole octets for each source. */
static int64_t values_of(const armilla_radial_pixels *pixels, const armilla_radial_row *r)
{
    int64_t doubles = 0;
    for (int64_t e = r->from; e < r->to && r->uniform; e++) {
        const int64_t count = armilla_radial_span_find(pixels, r, &pixels->rows.row[e]).count;
        doubles += (count + ARMILLA_OCTET - 1) / ARMILLA_OCTET * ARMILLA_OCTET;
    }
    return doubles;
}

static void count_tables(tables *t)
{
    const armilla_radial_pixels *pixels = &t->radial->pixels;
    const armilla_radial_rows *rows = &pixels->rows;
    const armilla_profile *profile = &t->radial->profile;
    armilla_cuda_radial_problem *p = &t->problem;
    p->nrows = rows->count;
    for (int64_t i = 0; i < rows->nout; i++) {
        const armilla_radial_row *r = &rows->row[i];
        p->nlinks += r->to - r->from, p->nvalues += values_of(pixels, r);
        *(r->uniform ? &p->view.nuniform : &p->view.nother) += tiles_of(r);
        if (pixels->divisor) p->ndivisors += r->uniform ? 1 : r->arc;
    }
    p->nterms = ARMILLA_RADIAL_TERMS;
    p->ncoef = (profile->ncells ? 2 * profile->ncells : 1) * (profile->degree + 1);
    p->npix = t->radial->grid->npix;
    for (int64_t r = 0; r < t->radial->grid->nrings; r++)
        p->samples += t->radial->grid->rings[r].nphi;
}

static armilla_status allocate(tables *t)
{
    const armilla_cuda_radial_problem *p = &t->problem;
    const int64_t ntiles = p->view.nuniform + p->view.nother;
    armilla_status status = armilla_allocate_zero(&t->rows, p->nrows, sizeof *t->rows);
    if (!status) status = armilla_allocate_zero(&t->links, p->nlinks, sizeof *t->links);
    if (!status) status = armilla_allocate_zero(&t->tiles, ntiles, sizeof *t->tiles);
    if (!status) status = armilla_allocate(&t->values, p->nvalues, sizeof *t->values);
    return status;
}

/* A row as a source; rows of output get more. Mirror images have the divisors of their rows. */
static void fill_row(const tables *t, int64_t number)
{
    const armilla_radial_pixels *pixels = &t->radial->pixels;
    const armilla_radial_rows *rows = &pixels->rows;
    const armilla_radial_row *r = &rows->row[number];
    const int64_t made = number < rows->nout ? number : rows->count - 1 - number;
    armilla_cuda_radial_row row = {.n = (int32_t)r->n,
                                   .arc = (int32_t)r->arc,
                                   .images = 1 + rows->mirrored,
                                   .own = rows->mirrored && r->ring[1] == r->ring[0],
                                   .from = (int32_t)r->from,
                                   .nlinks = (int32_t)(r->to - r->from),
                                   .divisor = pixels->divisor ? pixels->divisor_first[made] : 0,
                                   .divisor_step = !r->uniform,
                                   .uniform = r->uniform,
                                   .weight = pixels->grid->rings[r->ring[0]].weight};
    for (int image = 0; image < row.images; image++) {
        const armilla_ring *ring = &pixels->grid->rings[r->ring[image]];
        row.offset[image] = ring->offset, row.stride[image] = ring->stride;
        row.first[image] = (int32_t)r->base[image];
    }
    t->rows[number] = row;
}

static int count_terms(const armilla_radial_pixels *pixels, const armilla_radial_row *r,
                       const armilla_radial_row *e, armilla_cuda_radial_link *link)
{
    const armilla_radial_reach reach = armilla_radial_rows_reach(&pixels->rows, r, e);
    const armilla_radial_curve curve = armilla_radial_curve_make(
        pixels, r, e, reach.largest + 2 * 3.141592653589793 / (double)e->n);
    const int64_t count = reach.whole ? e->n : 2 * reach.reach + 1;
    link->x0 = curve.x0, link->slope = curve.slope;
    link->count = (int32_t)count, link->first = (int32_t)(-((count - 1) / 2));
    return curve.nterms;
}

/* Returned: the doubles of values that were written at number `used`. */
static int64_t fill_link(const tables *t, const armilla_radial_row *r, const armilla_radial_row *e,
                         int64_t used, armilla_cuda_radial_link *link)
{
    const armilla_radial_pixels *pixels = &t->radial->pixels;
    link->values = used;
    link->offset = r->shift * (double)e->n - e->shift * (double)r->n;
    link->nterms = count_terms(pixels, r, e, link);
    if (!r->uniform) return 0;
    const armilla_radial_span span = armilla_radial_span_find(pixels, r, e);
    link->first = (int32_t)span.first, link->count = (int32_t)span.count;
    return armilla_radial_span_values(pixels, r, e, &span, t->values + used, NULL);
}

static void fill_output(const tables *t, int64_t number, int64_t *links, int64_t *values,
                        int64_t tile[2])
{
    const armilla_radial_rows *rows = &t->radial->pixels.rows;
    const armilla_radial_row *r = &rows->row[number];
    t->rows[number].link = *links;
    for (int64_t e = r->from; e < r->to; e++)
        *values += fill_link(t, r, &rows->row[e], *values, &t->links[(*links)++]);
    for (int64_t i = 0; i < tiles_of(r); i++)
        t->tiles[tile[!r->uniform]++] =
            (armilla_cuda_radial_tile){(int32_t)number, (int32_t)(i * ARMILLA_CUDA_RADIAL_TILE)};
}

static void fill_tables(tables *t)
{
    const armilla_radial_rows *rows = &t->radial->pixels.rows;
    const armilla_profile *profile = &t->radial->profile;
    armilla_cuda_radial_view *view = &t->problem.view;
    int64_t links = 0, values = 0, tile[2] = {0, view->nuniform};
    for (int64_t i = 0; i < rows->count; i++) fill_row(t, i);
    for (int64_t i = 0; i < rows->nout; i++) fill_output(t, i, &links, &values, tile);
    view->rows = t->rows, view->links = t->links, view->tiles = t->tiles, view->values = t->values;
    view->divisor = t->radial->pixels.divisor;
    view->term = armilla_radial_curve_terms();
    view->arcs = rows->arcs;
    view->degree = profile->degree, view->ncells = profile->ncells, view->end = profile->end;
    view->coef = profile->coef, view->border = profile->border;
}

/* Places in kernels are 32 bits. */
static armilla_status check_sizes(const armilla_radial *radial)
{
    const armilla_grid *grid = radial->grid;
    for (int64_t r = 0; r < grid->nrings; r++)
        if (grid->rings[r].nphi > INT32_MAX / 8)
            return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                                "grid: ring %lld has %lld pixels; on a GPU a radial convolution "
                                "takes rings of up to 2^28",
                                (long long)r, (long long)grid->rings[r].nphi);
    return ARMILLA_OK;
}

armilla_status armilla_radial_make_device(armilla_radial *radial)
{
    tables t = {.radial = radial};
    armilla_status status = check_sizes(radial);
    if (status) return status;
    count_tables(&t);
    if (!(status = allocate(&t))) {
        fill_tables(&t);
        status = armilla_cuda_radial_new(&t.problem, &radial->cuda);
    }
    armilla_release(t.rows), armilla_release(t.links);
    armilla_release(t.tiles), armilla_release(t.values);
    return status;
}

/* --- Calls ------------------------------------------------------------------------------------ */

armilla_status armilla_radial_run_device(const armilla_radial_call *call, const armilla_maps *maps,
                                         const armilla_exec *exec)
{
    const char *missing = call->weights       ? "weights: means over weights are"
                          : maps->in.is_float ? "map: a convolution of floats is"
                                              : NULL;
    if (missing) return armilla_fail(ARMILLA_ERROR_UNSUPPORTED, "%s not offered on a GPU", missing);
    const armilla_cuda_radial_call there = {.adjoint = call->transposed,
                                            .map = maps->in.values,
                                            .out = maps->out.values,
                                            .nmaps = call->nmaps,
                                            .distance = maps->in_distance,
                                            .memory = exec->memory,
                                            .stream = exec->stream,
                                            .progress = exec->progress,
                                            .progress_data = exec->progress_data};
    return armilla_cuda_radial_run(call->radial->cuda, &there);
}
