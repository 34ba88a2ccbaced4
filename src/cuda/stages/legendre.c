/* The Legendre stage on a GPU, host side: what is uploaded, what is launched. See legendre.h; the
 * kernels: kernels/legendre_view.h. */
#include "cuda/stages/legendre.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/kernels/legendre_view.h"
#include "cuda/stages/legendre_lots.h"
#include "cuda/stages/legendre_tiles.h"
#include "cuda/stages/single.h"
#include "legendre/plan.h"
#include "legendre/spin.h"

enum { MOST_BUFFERS = 48 };

/* An array of the host and its copy. */
typedef struct {
    const void *host;
    int64_t bytes;
    void *device;
} buffer;

struct armilla_cuda_legendre {
    const armilla_legendre *legendre;
    const armilla_cuda_legendre *lender;
    armilla_cuda_view view;
    int64_t norders;
    int64_t *orders; /* those of the list, rising */
    armilla_cuda_order_sums sums;
    armilla_cuda_tiles tiles;
    const armilla_cuda_shape *shape;
    armilla_cuda_precision precision;
    int nbuffers;
    buffer buffers[MOST_BUFFERS];
    int64_t bytes;
};

/* --- Upload ---------------------------------------------------------------------------------- */

typedef struct {
    armilla_cuda_legendre *cuda;
    armilla_status status;
} upload;

/* The lender's copy of an array; NULL: it has none. */
static void *borrow(const armilla_cuda_legendre *lender, const void *host, int64_t bytes)
{
    for (int i = 0; lender && i < lender->nbuffers; i++)
        if (lender->buffers[i].host == host && lender->buffers[i].bytes >= bytes)
            return lender->buffers[i].device;
    return NULL;
}

/* A copy on the device; NULL for no items, and after the first failure. */
static void *put(upload *u, const void *host, int64_t count, size_t size, const char *what)
{
    const int64_t bytes = count * (int64_t)size;
    if (u->status || !host || count <= 0) return NULL;
    void *device = borrow(u->cuda->lender, host, bytes);
    if (device) return device;
    if ((u->status = armilla_cuda_upload(host, count, size, what, &device))) return NULL;
    u->cuda->buffers[u->cuda->nbuffers++] = (buffer){host, bytes, device};
    u->cuda->bytes += bytes;
    return device;
}

static const double *put_doubles(upload *u, const double *host, int64_t count)
{
    return put(u, host, count, sizeof *host, "tables of the Legendre stage");
}

static const int64_t *put_integers(upload *u, const int64_t *host, int64_t count)
{
    return put(u, host, count, sizeof *host, "tables of the Legendre stage");
}

static void put_places(upload *u, const armilla_legendre *l, armilla_cuda_view *view)
{
    const int64_t powers = (ARMILLA_LEGENDRE_LOW + l->places.nhigh) * l->grouping.npadded;
    view->npadded = l->grouping.npadded;
    view->groups = put(u, l->grouping.groups, l->grouping.count, sizeof *l->grouping.groups,
                       "groups of ring pairs");
    view->tiles =
        put(u, u->cuda->tiles.tiles, u->cuda->tiles.count, sizeof *u->cuda->tiles.tiles, "tiles");
    view->argument = put_doubles(u, l->places.argument, l->grouping.npadded);
    view->cos_theta = put_doubles(u, l->places.cos_theta, l->grouping.npadded);
    view->inverse_sine = put_doubles(u, l->places.inverse_sine, l->grouping.npadded);
    view->power_mantissa = put_doubles(u, l->places.power_mantissa, powers);
    view->power_exponent = put_doubles(u, l->places.power_exponent, powers);
    view->halves_groups = put(u, u->cuda->tiles.halves_groups, u->cuda->tiles.nhalves_groups,
                              sizeof *u->cuda->tiles.halves_groups, "groups of ring pairs");
    view->halves_tiles = put(u, u->cuda->tiles.halves_tiles, u->cuda->tiles.halves_count,
                             sizeof *u->cuda->tiles.halves_tiles, "tiles");
}

static void put_degrees(upload *u, const armilla_legendre *l, armilla_cuda_view *view)
{
    const int64_t nscale = l->top + ARMILLA_LEGENDRE_PADDING, orders = l->mmax - l->mfirst + 1;
    const int64_t nroot = l->top + armilla_larger(l->mmax, l->spin) + ARMILLA_LEGENDRE_PADDING;
    view->orders = put_integers(u, u->cuda->orders, u->cuda->norders);
    view->root = put_doubles(u, l->tables.root, nroot);
    view->scale = put_doubles(u, l->tables.scale, nscale);
    view->square_scale = put_doubles(u, l->tables.square_scale, nscale);
    view->start = put_doubles(u, l->tables.start, orders);
    view->table_start = put_integers(u, l->tables.table_start, orders);
    view->least_pair = put_integers(u, l->least_pair, orders);
    view->a = put_doubles(u, l->tables.steps.a, l->tables.table_steps);
    view->pair = put_doubles(u, l->tables.steps.pair, 2 * l->tables.table_steps);
    view->v = put_doubles(u, l->tables.steps.v, l->tables.table_steps);
    view->ceiling =
        put_doubles(u, l->tables.steps.ceiling, l->tables.table_steps / ARMILLA_KERNEL_STEPS);
}

static const float *put_floats(upload *u, const float *host, int64_t count)
{
    return put(u, host, count, sizeof *host, "tables of single precision");
}

/* The tables of two floats, by way of the host: other stages cannot know these copies by
 * where they were, but by the tables in double that they are made of. */
static void put_single(upload *u, const armilla_legendre *l, armilla_cuda_view *view)
{
    const armilla_cuda_legendre *lender = u->cuda->lender;
    armilla_cuda_single single;
    if (u->status) return;
    if (lender && lender->view.single_steps &&
        lender->legendre->tables.steps.a == l->tables.steps.a) {
        view->single_steps = lender->view.single_steps;
        view->single_ceiling = lender->view.single_ceiling;
        return;
    }
    if (!(u->status = armilla_cuda_single_make(l, &single))) {
        const int first = u->cuda->nbuffers;
        view->single_steps = put_floats(u, single.steps, 4 * l->tables.table_steps);
        view->single_ceiling =
            put_floats(u, single.ceilings, l->tables.table_steps / ARMILLA_CUDA_SINGLE_STEPS);
        for (int i = first; i < u->cuda->nbuffers; i++) u->cuda->buffers[i].host = NULL;
    }
    armilla_cuda_single_clear(&single);
}

static void put_ladders(upload *u, const armilla_legendre *l, armilla_cuda_view *view)
{
    const armilla_legendre_spin *spin = l->functions;
    const int64_t count = l->top + ARMILLA_LEGENDRE_PADDING;
    view->nladders = (int32_t)spin->nladders;
    for (int64_t i = 0; i < spin->nladders; i++) {
        view->up[i] = put_doubles(u, spin->ladder[i].up, count);
        const double *down = put_doubles(u, spin->ladder[i].down - 1, count + 1);
        view->down[i] = down ? down + 1 : NULL;
        view->across[i] = put_doubles(u, spin->ladder[i].across, count);
    }
}

static int64_t function_steps_of(const armilla_legendre *l, int64_t m)
{
    if (!l->functions || m > l->functions->mmax) return 0;
    return armilla_larger(0, armilla_legendre_spin_steps(l, m));
}

static void put_functions(upload *u, const armilla_legendre *l, armilla_cuda_view *view)
{
    const armilla_legendre_spin *spin = l->functions;
    const int64_t orders = spin->mmax - l->mfirst + 1;
    int64_t steps = 0;
    view->function_mmax = spin->mmax;
    if (orders <= 0 || !u->cuda->tiles.functions) return;
    for (int64_t i = 0; i < u->cuda->norders; i++) {
        const int64_t m = u->cuda->orders[i], count = function_steps_of(l, m);
        if (count) steps = spin->table_start[m - l->mfirst] + count;
    }
    for (int i = 0; i < 4; i++)
        view->half[i] = put_doubles(u, spin->half[i], (l->spin + 1) * l->grouping.npadded);
    view->function_mantissa = put_doubles(u, spin->start_mantissa, orders);
    view->function_exponent = put_doubles(u, spin->start_exponent, orders);
    view->function_start = put_integers(u, spin->table_start, orders);
    view->function_a = put_doubles(u, spin->a, steps);
    view->function_alpha = put_doubles(u, spin->alpha, steps);
}

/* --- Making ---------------------------------------------------------------------------------- */

static void fill_orders(armilla_cuda_legendre *cuda)
{
    const armilla_legendre *l = cuda->legendre;
    for (int64_t m = l->mfirst; m <= l->mmax; m++) {
        if (!armilla_legendre_is_listed(l, m)) continue;
        cuda->orders[cuda->norders++] = m;
        armilla_cuda_order_sums_add(&cuda->sums, armilla_legendre_steps(l, m),
                                    function_steps_of(l, m));
    }
}

static armilla_status make_lists(armilla_cuda_legendre *cuda)
{
    const armilla_legendre *l = cuda->legendre;
    armilla_status status;
    const int64_t orders = armilla_larger(0, l->mmax - l->mfirst + 1);
    if ((status = armilla_cuda_tiles_make(l, cuda->shape, cuda->precision, &cuda->tiles)) ||
        (status = armilla_allocate(&cuda->orders, orders, sizeof *cuda->orders)) ||
        (status = armilla_cuda_order_sums_make(orders, &cuda->sums)))
        return status;
    fill_orders(cuda);
    return ARMILLA_OK;
}

/* Does the recurrence have two floats? */
static int uses_floats(armilla_cuda_arithmetic arithmetic)
{
    return arithmetic == ARMILLA_CUDA_IN_SINGLE || arithmetic == ARMILLA_CUDA_IN_TWO_FLOATS;
}

static armilla_status put_all(armilla_cuda_legendre *cuda)
{
    const armilla_legendre *l = cuda->legendre;
    armilla_cuda_view *view = &cuda->view;
    upload u = {cuda, ARMILLA_OK};
    view->lmax = l->lmax, view->top = l->top, view->mfirst = l->mfirst, view->spin = l->spin;
    view->twist = l->twist, view->sign = armilla_legendre_spin_sign(l);
    view->function_mmax = -1;
    put_places(&u, l, view);
    put_degrees(&u, l, view);
    if (uses_floats(cuda->precision.of_doubles) || uses_floats(cuda->precision.of_floats))
        put_single(&u, l, view);
    if (l->functions) put_ladders(&u, l, view);
    if (l->functions) put_functions(&u, l, view);
    return u.status;
}

armilla_status armilla_cuda_legendre_new(const armilla_legendre *legendre,
                                         const armilla_cuda_shape *shape,
                                         armilla_cuda_precision precision,
                                         const armilla_cuda_legendre *lender,
                                         armilla_cuda_legendre **cuda)
{
    armilla_cuda_legendre *result;
    armilla_status status = armilla_allocate_zero(&result, 1, sizeof *result);
    if (status) return status;
    result->legendre = legendre, result->lender = lender, result->shape = shape;
    result->precision = precision;
    if ((status = make_lists(result)) || (status = put_all(result)))
        armilla_cuda_legendre_free(result);
    else
        *cuda = result;
    return status;
}

void armilla_cuda_legendre_free(armilla_cuda_legendre *cuda)
{
    if (!cuda) return;
    for (int i = 0; i < cuda->nbuffers; i++) armilla_cuda_release(cuda->buffers[i].device);
    armilla_cuda_tiles_clear(&cuda->tiles);
    armilla_release(cuda->orders);
    armilla_cuda_order_sums_clear(&cuda->sums);
    armilla_release(cuda);
}

int64_t armilla_cuda_legendre_bytes(const armilla_cuda_legendre *cuda)
{
    return cuda->bytes;
}

/* --- Scratch --------------------------------------------------------------------------------- */

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* A call's tiles, sets and scratch. In halves, scalar tiles are those that are made in doubles. */
typedef struct {
    const armilla_cuda_legendre *cuda;
    int64_t tile, scalar_tile, end_tile;
    int64_t halves_tile, halves_end;
    int64_t nsets;
    int to_leg;
    armilla_cuda_arithmetic arithmetic;
} call;

static armilla_cuda_lot_shape shape_of(const call *c)
{
    return (armilla_cuda_lot_shape){.spin_tiles = c->scalar_tile - c->tile,
                                    .scalar_tiles = c->end_tile - c->scalar_tile,
                                    .halves_tiles = c->halves_end - c->halves_tile,
                                    .nsets = c->nsets,
                                    .to_leg = c->to_leg};
}

/* Do calls of floats with so many sets make sums by products of halves? */
static int has_halves(const armilla_cuda_legendre *cuda, int64_t nsets)
{
    return cuda->precision.of_floats == ARMILLA_CUDA_IN_HALVES &&
           nsets >= ARMILLA_CUDA_HALVES_LEAST;
}

/* The orders from number `first` of the list on that fit into the scratch. */
static armilla_cuda_part take_orders(const call *c, int64_t first, const armilla_cuda_work *work)
{
    const armilla_legendre *l = c->cuda->legendre;
    const armilla_cuda_lot_shape shape = shape_of(c);
    const armilla_cuda_lot lot =
        armilla_cuda_lot_take(&c->cuda->sums, &shape, first, work->scratch_bytes);
    const int64_t m = c->cuda->orders[first];
    char *scratch = work->scratch;
    return (armilla_cuda_part){
        .first_order = first,
        .norders = lot.norders,
        .first_degree = m,
        .step = l->tables.table_start[m - l->mfirst],
        .nsteps = lot.steps,
        .function_step = function_steps_of(l, m) ? l->functions->table_start[m - l->mfirst] : 0,
        .function_steps = lot.function_steps,
        .nsets = c->nsets,
        .arithmetic = c->arithmetic,
        .tile = c->tile,
        .scalar_tile = c->scalar_tile,
        .end_tile = c->end_tile,
        .values = (double *)scratch,
        .functions = (double *)(scratch + lot.functions),
        .first = (int64_t *)(scratch + lot.first),
        .halves_tile = c->halves_tile,
        .halves_end = c->halves_end,
        .degrees = (float *)(scratch + lot.degrees),
        .halves_first = (int64_t *)(scratch + lot.halves_first)};
}

/* In double precision, on all tiles. */
static call call_on_all(const armilla_cuda_legendre *cuda, int64_t nsets, int to_leg)
{
    return (call){.cuda = cuda,
                  .scalar_tile = cuda->tiles.functions,
                  .end_tile = cuda->tiles.count,
                  .nsets = nsets,
                  .to_leg = to_leg};
}

/* Makes a call on the pairs begin .. end - 1 one in halves. */
static void take_halves(call *c, int64_t begin, int64_t end)
{
    const armilla_cuda_tiles *tiles = &c->cuda->tiles;
    c->arithmetic = ARMILLA_CUDA_IN_HALVES;
    c->end_tile = clamp(tiles->functions + tiles->in_double, c->scalar_tile, c->end_tile);
    c->halves_tile = armilla_cuda_tiles_find_halves(tiles, begin);
    c->halves_end = armilla_cuda_tiles_find_halves(tiles, end);
}

int64_t armilla_cuda_legendre_scratch(const armilla_cuda_legendre *cuda, int64_t nsets, int to_leg,
                                      int64_t most)
{
    call c = call_on_all(cuda, nsets, to_leg);
    armilla_cuda_lot_shape shape = shape_of(&c);
    const int64_t bytes = armilla_cuda_lots_scratch(&cuda->sums, &shape, most);
    if (!has_halves(cuda, nsets)) return bytes;
    take_halves(&c, 0, INT64_MAX);
    shape = shape_of(&c);
    return armilla_larger(bytes, armilla_cuda_lots_scratch(&cuda->sums, &shape, most));
}

int64_t armilla_cuda_legendre_launches(const armilla_cuda_legendre *cuda, int64_t nsets, int to_leg,
                                       int64_t bytes)
{
    const call c = call_on_all(cuda, nsets, to_leg);
    const armilla_cuda_lot_shape shape = shape_of(&c);
    const int64_t kinds = (shape.spin_tiles > 0) + (shape.scalar_tiles > 0);
    const int64_t stretches =
        (shape.spin_tiles > 0) + (shape.scalar_tiles > 0 ? cuda->tiles.runs : 0);
    int64_t lots = 0;
    for (int64_t i = 0; i < cuda->norders; lots++)
        i += armilla_cuda_lot_take(&cuda->sums, &shape, i, bytes).norders;
    return lots * (stretches + (to_leg ? kinds : 1));
}

/* --- Calls ----------------------------------------------------------------------------------- */

typedef void (*leg_kernel)(const armilla_cuda_view *, const armilla_cuda_part *,
                           const armilla_cuda_leg_block *, armilla_cuda_work *);

/* The tiles of a block of leg whose sums are products of halves. */
static void run_halves(const call *c, const armilla_cuda_part *part, const armilla_leg_block *of,
                       armilla_cuda_leg_block block, armilla_cuda_work *work)
{
    armilla_cuda_view view = c->cuda->view;
    view.groups = view.halves_groups, view.tiles = view.halves_tiles;
    block.tile = armilla_cuda_tiles_find_halves(&c->cuda->tiles, of->first);
    block.ntiles =
        armilla_cuda_tiles_find_halves(&c->cuda->tiles, of->first + of->npairs) - block.tile;
    if (block.ntiles == 0) return;
    (c->to_leg ? armilla_cuda_halves_synthesis : armilla_cuda_halves_analysis)(&view, part, &block,
                                                                               work);
}

/* Runs the kernels of functions of spin s and of scalar ones on a block of leg. */
static void run_block(const call *c, const armilla_cuda_part *part, const armilla_leg *leg,
                      const armilla_leg_block *of, armilla_cuda_work *work)
{
    const armilla_cuda_legendre *cuda = c->cuda;
    const int64_t begin = armilla_cuda_tiles_find(&cuda->tiles, of->first);
    int64_t end = armilla_cuda_tiles_find(&cuda->tiles, of->first + of->npairs);
    const int64_t border = clamp(cuda->tiles.functions, begin, end);
    const armilla_array values = {leg->values, leg->is_float};
    armilla_cuda_leg_block block = {
        .leg = armilla_array_from(values, leg->nsets * of->begin).values,
        .is_float = leg->is_float,
        .first_pair = of->first,
        .row_length = of->row_length,
        .set_length = armilla_leg_set_length(of),
        .norders = clamp(of->nrows - part->first_order, 0, part->norders),
        .warps = cuda->tiles.warps,
        .vectors = cuda->tiles.vectors,
        .tensor = cuda->shape->tensor};
    const leg_kernel spin = c->to_leg ? armilla_cuda_spin_synthesis : armilla_cuda_spin_analysis;
    const leg_kernel scalar = c->to_leg ? armilla_cuda_synthesis : armilla_cuda_analysis;
    if (block.norders == 0) return;
    block.tile = begin, block.ntiles = border - begin;
    if (block.ntiles) spin(&cuda->view, part, &block, work);
    if (c->arithmetic == ARMILLA_CUDA_IN_HALVES) {
        run_halves(c, part, of, block, work);
        end = clamp(c->end_tile, border, end);
    }
    for (block.tile = border; block.tile < end; block.tile += block.ntiles) {
        armilla_cuda_part of_run = *part;
        int in_double = 0;
        block.ntiles = end - block.tile;
        if (c->arithmetic == ARMILLA_CUDA_IN_TWO_FLOATS)
            block.ntiles = armilla_cuda_tiles_run(&cuda->tiles, block.tile, end, &in_double);
        if (in_double || c->arithmetic == ARMILLA_CUDA_IN_HALVES)
            of_run.arithmetic = ARMILLA_CUDA_IN_DOUBLE;
        scalar(&cuda->view, &of_run, &block, work);
    }
}

static void run(const call *c, const armilla_leg *leg, const armilla_alm_rows *alm,
                armilla_cuda_work *work)
{
    const armilla_cuda_legendre *cuda = c->cuda;
    armilla_cuda_part part;
    for (int64_t i = 0; i < cuda->norders; i += part.norders) {
        part = take_orders(c, i, work);
        if (c->to_leg) armilla_cuda_coefficients(&cuda->view, &part, alm, work);
        for (int64_t b = 0; b < leg->layout->nblocks; b++)
            run_block(c, &part, leg, &leg->layout->blocks[b], work);
        if (!c->to_leg) armilla_cuda_degrees(&cuda->view, &part, alm, work);
    }
}

static call make_call(const armilla_cuda_legendre *cuda, const armilla_leg *leg,
                      const armilla_alm_rows *alm, int to_leg)
{
    const armilla_leg_layout *layout = leg->layout;
    const int64_t blocks = layout->nblocks;
    const armilla_leg_block none = {0}, *last = blocks ? &layout->blocks[blocks - 1] : &none;
    const int64_t begin = blocks ? layout->blocks[0].first : 0, end = last->first + last->npairs;
    call c = {.cuda = cuda,
              .tile = armilla_cuda_tiles_find(&cuda->tiles, begin),
              .end_tile = armilla_cuda_tiles_find(&cuda->tiles, end),
              .nsets = leg->nsets,
              .to_leg = to_leg,
              .arithmetic =
                  alm->values.is_float ? cuda->precision.of_floats : cuda->precision.of_doubles};
    c.scalar_tile = clamp(cuda->tiles.functions, c.tile, c.end_tile);
    if (c.arithmetic == ARMILLA_CUDA_IN_HALVES) c.arithmetic = ARMILLA_CUDA_IN_DOUBLE;
    if (alm->values.is_float && has_halves(cuda, leg->nsets)) take_halves(&c, begin, end);
    return c;
}

static void run_call(const armilla_cuda_legendre *cuda, const armilla_leg *leg,
                     const armilla_alm_rows *alm, int to_leg, armilla_cuda_work *work)
{
    const call c = make_call(cuda, leg, alm, to_leg);
    if (armilla_cuda_legendre_unknown_member(alm))
        armilla_cuda_note(work, cudaErrorNotSupported);
    else
        run(&c, leg, alm, work);
}

void armilla_cuda_legendre_to_leg(const armilla_cuda_legendre *cuda, const armilla_alm_rows *alm,
                                  const armilla_leg *leg, armilla_cuda_work *work)
{
    run_call(cuda, leg, alm, 1, work);
}

void armilla_cuda_legendre_from_leg(const armilla_cuda_legendre *cuda, const armilla_leg *leg,
                                    const armilla_alm_rows *alm, armilla_cuda_work *work)
{
    run_call(cuda, leg, alm, 0, work);
}
