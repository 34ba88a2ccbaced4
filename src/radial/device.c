/* Plans for a GPU: refuses what is not offered there, makes the tables that the kernels of src/cuda
 * go by from the rows of the method PIXELS, and hands calls over. Kernel values between rows of
 * equal length are made here, once, and polynomials for others, which the GPU evaluates. */
#include "radial/device.h"

#include "base/device_list.h"
#include "base/integer.h"
#include "base/memory.h"
#include "grid/grid.h"
#include "radial/pixels/links.h"

/* --- What is offered -------------------------------------------------------------------------- */

armilla_status armilla_radial_check_device(armilla_radial_options *options)
{
    const armilla_status status =
        armilla_device_list_check(options->device, options->devices, options->ndevices);
    if (status || options->device == ARMILLA_CPU) return status;
    if (options->method == ARMILLA_RADIAL_FASTEST && (options->ndevices || options->device_bytes))
        options->method = ARMILLA_RADIAL_PIXELS;
    return armilla_cuda_check_devices(options->devices, options->ndevices);
}

/* --- Tables ----------------------------------------------------------------------------------- */

typedef struct {
    const armilla_radial *radial;
    armilla_cuda_radial_problem problem;
    armilla_cuda_radial_row *rows;
    armilla_cuda_radial_link *links;
    armilla_cuda_radial_tile *tiles;
    double *values;
    double *fits; /* problem.nfits doubles, `room.used` of them in use */
    armilla_radial_room room;
} tables;

static int64_t ncomp_of(const armilla_radial_pixels *pixels)
{
    return 1 + pixels->profile->turns;
}

/* Doubles of the values of a uniform row, whole octets for each source and component. */
static int64_t values_of(const armilla_radial_pixels *pixels, const armilla_radial_row *r)
{
    int64_t doubles = 0;
    for (int64_t e = r->from; e < r->to && r->uniform; e++) {
        const int64_t count = armilla_radial_span_find(pixels, r, &pixels->rows.row[e]).count;
        doubles += (count + ARMILLA_OCTET - 1) / ARMILLA_OCTET * ARMILLA_OCTET;
    }
    return doubles * ncomp_of(pixels);
}

/* Doubles of the polynomials of a row, at most. */
static int64_t fits_of(const armilla_radial_pixels *pixels, const armilla_radial_row *r)
{
    int64_t doubles = 0;
    if (r->uniform || !armilla_radial_link_has_fits(pixels, r)) return 0;
    for (int64_t e = r->from; e < r->to; e++)
        doubles += armilla_radial_series_size(
            armilla_radial_rows_reach(&pixels->rows, r, &pixels->rows.row[e]).reach);
    return doubles * ncomp_of(pixels);
}

/* Polynomials take the memory of a map at most; what has no room goes by the profile. */
static void count_tables(tables *t)
{
    const armilla_radial_pixels *pixels = &t->radial->pixels;
    const armilla_radial_rows *rows = &pixels->rows;
    const armilla_profile *profile = &t->radial->profile;
    armilla_cuda_radial_problem *p = &t->problem;
    p->nrows = rows->count, p->nout = rows->nout;
    for (int64_t i = 0; i < rows->nout; i++) {
        const armilla_radial_row *r = &rows->row[i];
        p->nlinks += r->to - r->from, p->nvalues += values_of(pixels, r);
        p->nfits += fits_of(pixels, r);
        *(r->uniform ? &p->view.nuniform : &p->view.nother) += armilla_cuda_radial_tiles(r->arc);
        if (pixels->divisor) p->ndivisors += r->uniform ? 1 : r->arc;
    }
    p->nterms = ARMILLA_RADIAL_TERMS;
    p->nhalf = profile->turns ? 2 * ARMILLA_RADIAL_HALVES : 0;
    p->ncoef = (profile->ncells ? 2 * profile->ncells : 1) * (profile->degree + 1);
    p->npix = t->radial->grid->npix, p->samples = armilla_grid_samples(t->radial->grid);
    p->device_bytes = t->radial->options.device_bytes;
    p->nfits = armilla_smaller(p->nfits, p->npix);
}

static armilla_status allocate(tables *t)
{
    const armilla_cuda_radial_problem *p = &t->problem;
    const int64_t ntiles = p->view.nuniform + p->view.nother;
    armilla_status status = armilla_allocate_zero(&t->rows, p->nrows, sizeof *t->rows);
    if (!status) status = armilla_allocate_zero(&t->links, p->nlinks, sizeof *t->links);
    if (!status) status = armilla_allocate_zero(&t->tiles, ntiles, sizeof *t->tiles);
    if (!status) status = armilla_allocate(&t->values, p->nvalues, sizeof *t->values);
    if (!status) status = armilla_allocate(&t->fits, p->nfits, sizeof *t->fits);
    if (!status && p->nfits)
        status = armilla_allocate(&t->room.work,
                                  armilla_radial_series_work(t->radial->pixels.rows.most_taps / 2),
                                  sizeof *t->room.work);
    t->room.coef = t->fits;
    return status;
}

/* A row as a source; rows of output get more. Mirror images have the divisors of their rows. */
static void fill_row(const tables *t, int64_t number, int64_t packed)
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
        row.ring[image] = (int32_t)r->ring[image], row.first[image] = (int32_t)r->base[image];
        row.packed[image] = image ? t->problem.samples - packed - r->n : packed;
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
    link->difference = curve.difference, link->sum = curve.sum, link->nhalf = curve.nhalf;
    link->count = (int32_t)count, link->first = (int32_t)(-((count - 1) / 2));
    return curve.nterms;
}

/* Polynomials, where the processor has them and there is room. */
static void fill_fits(tables *t, const armilla_radial_row *r, int64_t source, int64_t most,
                      armilla_cuda_radial_link *link)
{
    const armilla_radial_pixels *pixels = &t->radial->pixels;
    if (!armilla_radial_link_has_fits(pixels, r) || t->room.used + most > t->problem.nfits) return;
    link->fits = t->room.used;
    const armilla_radial_link fitted = armilla_radial_link_make(pixels, r, source, &t->room);
    link->reach = (int32_t)fitted.series.reach;
    link->nfit = fitted.series.nterms, link->nodd = fitted.odd.nterms;
    link->fit_scale = fitted.series.scale;
    link->last_place = fitted.series.last_place, link->last_scale = fitted.series.last_scale;
}

/* Returned: the doubles of values that were written at number `used`. */
static int64_t fill_link(tables *t, const armilla_radial_row *r, int64_t source, int64_t used,
                         armilla_cuda_radial_link *link)
{
    const armilla_radial_row *e = &t->radial->pixels.rows.row[source];
    const armilla_radial_pixels *pixels = &t->radial->pixels;
    link->values = used;
    link->offset = r->shift * (double)e->n - e->shift * (double)r->n;
    link->nterms = count_terms(pixels, r, e, link);
    if (!r->uniform) {
        const int64_t reach = link->count / 2;
        fill_fits(t, r, source, ncomp_of(pixels) * armilla_radial_series_size(reach), link);
        return 0;
    }
    const armilla_radial_span span = armilla_radial_span_find(pixels, r, e);
    link->first = (int32_t)span.first, link->count = (int32_t)span.count;
    const int64_t octets = (span.count + ARMILLA_OCTET - 1) / ARMILLA_OCTET;
    double *values = t->values + used, *odd = values + octets * ARMILLA_OCTET;
    return ncomp_of(pixels) * armilla_radial_span_values(pixels, r, e, &span, values, odd);
}

static void fill_output(tables *t, int64_t number, int64_t *links, int64_t *values, int64_t tile[2])
{
    const armilla_radial_rows *rows = &t->radial->pixels.rows;
    const armilla_radial_row *r = &rows->row[number];
    t->rows[number].link = *links;
    for (int64_t e = r->from; e < r->to; e++)
        *values += fill_link(t, r, e, *values, &t->links[(*links)++]);
    for (int64_t i = 0; i < armilla_cuda_radial_tiles(r->arc); i++)
        t->tiles[tile[!r->uniform]++] =
            (armilla_cuda_radial_tile){(int32_t)number, (int32_t)(i * ARMILLA_CUDA_RADIAL_TILE)};
}

/* What is not made row by row. */
static void fill_view(const tables *t, armilla_cuda_radial_view *view)
{
    const armilla_radial_pixels *pixels = &t->radial->pixels;
    const armilla_profile *profile = &t->radial->profile;
    view->rows = t->rows, view->links = t->links, view->tiles = t->tiles, view->values = t->values;
    view->divisor = pixels->divisor;
    view->term = armilla_radial_curve_terms(), view->half = armilla_radial_curve_halves();
    view->fits = t->fits;
    view->nside = pixels->nested.nside, view->order = pixels->nested.order;
    view->arcs = pixels->rows.arcs, view->ncomp = (int32_t)ncomp_of(pixels);
    view->degree = profile->degree, view->ncells = profile->ncells, view->end = profile->end;
    view->coef = profile->coef, view->border = profile->border;
}

static void fill_tables(tables *t)
{
    const armilla_radial_rows *rows = &t->radial->pixels.rows;
    int64_t links = 0, values = 0, packed = 0, tile[2] = {0, t->problem.view.nuniform};
    for (int64_t i = 0; i < rows->count; packed += rows->row[i++].n) fill_row(t, i, packed);
    for (int64_t i = 0; i < rows->nout; i++) fill_output(t, i, &links, &values, tile);
    t->problem.nfits = t->room.used;
    fill_view(t, &t->problem.view);
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
        status = armilla_cuda()->radial->by_pixels(
            &t.problem, radial->scalar ? radial->scalar->cuda : NULL, radial->options.devices,
            radial->options.ndevices, &radial->cuda);
    }
    armilla_release(t.rows), armilla_release(t.links);
    armilla_release(t.tiles), armilla_release(t.values);
    armilla_release(t.fits), armilla_release(t.room.work);
    return status;
}

/* --- Calls ------------------------------------------------------------------------------------ */

armilla_status armilla_radial_run_device(const armilla_cuda_radial_plan *const *plans,
                                         int64_t nplans, const armilla_radial_call *call,
                                         const armilla_maps *maps, const armilla_exec *exec)
{
    const armilla_radial_weights *weights = call->weights;
    const armilla_cuda_radial_weights means = {
        weights ? weights->values : NULL, weights ? weights->least : 0, weights ? weights->fill : 0,
        call->weights_there, call->weight_scale};
    const armilla_cuda_radial_call there = {.plans = plans,
                                            .nplans = nplans,
                                            .adjoint = call->transposed,
                                            .map = maps->in,
                                            .out = maps->out,
                                            .weights = weights ? &means : NULL,
                                            .exec = *exec};
    return plans[0]->run(&there);
}
