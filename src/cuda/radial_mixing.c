/* Keeps the tables of a radial convolution by Fourier coefficients of rings on a GPU, and runs
 * calls: rings to a leg, the mixing of its orders, and a leg to rings. Memory of a call: the leg
 * that is read, the one that is written, scratch of the ring stage. */
#include "cuda/radial_mixing.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/runtime/device_pool.h"
#include "cuda/kernels/radial_mixing_kernels.h"
#include "cuda/map_call.h"
#include "cuda/radial_means.h"
#include "cuda/stages/ringfft.h"
#include "leg/passes.h"

typedef struct {
    armilla_cuda_radial_plan plan;
    armilla_cuda_mixing_view view; /* on the device */
    armilla_ring_pairs pairs;
    armilla_leg_passes legs; /* one */
    armilla_cuda_ringfft *ringfft;
    double *divisor; /* on the device; NULL: none */
    int64_t nside;
    int open;
} mixing;

static const mixing *mixing_of(const armilla_cuda_radial_plan *plan)
{
    return (const mixing *)plan;
}

/* Plan number i of a call. */
static const mixing *plan_at(const armilla_cuda_radial_call *call, int64_t i)
{
    return mixing_of(call->plans[i]);
}

/* --- Plans ------------------------------------------------------------------------------------ */

/* A copy on the device, at the pointer that `at` points to. */
static armilla_status upload(mixing *m, const void *host, int64_t count, size_t size,
                             const void *at)
{
    void *device = NULL;
    const armilla_status status =
        armilla_cuda_upload(host, count, size, "tables of a radial convolution", &device);
    *(const void **)(uintptr_t)at = device;
    m->plan.object.bytes += status ? 0 : count * (int64_t)size;
    return status;
}

static void forget_host(armilla_cuda_mixing_view *view)
{
    view->tasks = NULL, view->tiles = NULL, view->groups = NULL, view->tables = NULL;
    view->numbers = NULL, view->theta = NULL, view->sine = NULL, view->limit = NULL;
    view->coef = NULL, view->border = NULL;
}

static armilla_status upload_tables(mixing *m, const armilla_cuda_mixing_problem *p)
{
    const armilla_cuda_mixing_view *from = &p->view;
    const int64_t npairs = m->pairs.count;
    armilla_cuda_mixing_view *to = &m->view;
    armilla_status status;
    if ((status = upload(m, from->tasks, from->ntasks, sizeof *from->tasks, &to->tasks)) ||
        (status = upload(m, from->tiles, p->ntiles, sizeof *from->tiles, &to->tiles)) ||
        (status = upload(m, from->groups, p->ngroups, sizeof *from->groups, &to->groups)) ||
        (status = upload(m, from->tables, p->ntables, sizeof *from->tables, &to->tables)) ||
        (status = upload(m, from->numbers, p->nnumbers, sizeof(double), &to->numbers)) ||
        (status = upload(m, m->pairs.theta, npairs, sizeof(double), &to->theta)) ||
        (status = upload(m, from->sine, npairs, sizeof(double), &to->sine)) ||
        (status = upload(m, m->pairs.limit, npairs, sizeof *from->limit, &to->limit)) ||
        (status = upload(m, from->coef, p->ncoef, sizeof(double), &to->coef)) ||
        (status = upload(m, from->border, from->ncells, sizeof(double), &to->border)) ||
        (status = upload(m, p->divisor, p->divisor ? p->npix : 0, sizeof(double), &m->divisor)))
        return status;
    return armilla_cuda_status(cudaDeviceSynchronize(), "waiting for a radial plan's tables");
}

/* Room for the scratch of the ring stage: what legs and copies of a field of the host leave. */
static int64_t room_of(const mixing *m, const armilla_cuda_mixing_problem *problem)
{
    const int64_t copy = armilla_cuda_round_part(8 * m->plan.ncomp * m->plan.npix);
    const int64_t leg = armilla_cuda_round_part(8 * m->plan.ncomp * m->legs.size);
    const int64_t others = 2 * leg + (m->nside ? 3 : 2) * copy;
    if (!problem->device_bytes) return problem->ring_bytes;
    return armilla_smaller(problem->ring_bytes, armilla_larger(problem->device_bytes - others, 0));
}

/* One leg of all pairs, and the ring stage. */
static armilla_status make_legs(mixing *m, const armilla_cuda_mixing_problem *problem)
{
    armilla_status status = armilla_ring_pairs_take(problem->pairs, 0, 1, &m->pairs);
    if (status) return status;
    const int64_t count = m->pairs.count;
    const armilla_leg_shape shape = {.pairs = &m->pairs,
                                     .npairs = count,
                                     .block_size = count,
                                     .mmax = m->pairs.limit[count - 1]};
    if ((status = armilla_leg_passes_by_pairs(&shape, count, &m->legs))) return status;
    status = armilla_cuda_ringfft_new(problem->rings, NULL, &m->legs, room_of(m, problem), 0,
                                      &m->ringfft);
    if (!status) m->plan.object.bytes += armilla_cuda_ringfft_bytes(m->ringfft);
    return status;
}

static void release(const void *device)
{
    armilla_cuda_release((void *)(uintptr_t)device);
}

static void free_plan(void *object)
{
    mixing *m = object;
    const int device = m->plan.object.device;
    int before;
    const armilla_cuda_mixing_view *v = &m->view;
    (void)armilla_cuda_enter_device(device, &before);
    release(v->tasks), release(v->tiles), release(v->groups), release(v->tables);
    release(v->numbers), release(v->theta), release(v->sine), release(v->limit);
    release(v->coef), release(v->border), release(m->divisor);
    armilla_cuda_ringfft_free(m->ringfft);
    if (m->open) armilla_cuda_pool_close(device);
    armilla_cuda_leave_device(device, before);
    armilla_leg_passes_clear(&m->legs);
    armilla_ring_pairs_clear(&m->pairs);
    armilla_release(m);
}

/* --- Memory of a call ------------------------------------------------------------------------- */

static int64_t leg_bytes(const mixing *m)
{
    return armilla_cuda_round_part(8 * m->plan.ncomp * m->legs.size);
}

static int64_t ring_bytes(const mixing *m)
{
    return armilla_cuda_round_part(armilla_cuda_ringfft_scratch(m->ringfft, m->plan.ncomp));
}

/* Bytes of a leg and of the scratch of the ring stage: as much as any of the plans needs. */
typedef struct {
    int64_t leg, rings;
} sizes;

static sizes find_sizes(const armilla_cuda_radial_call *call)
{
    sizes s = {0, 0};
    for (int64_t i = 0; i < call->nplans; i++) {
        s.leg = armilla_larger(s.leg, leg_bytes(plan_at(call, i)));
        s.rings = armilla_larger(s.rings, ring_bytes(plan_at(call, i)));
    }
    return s;
}

static armilla_cuda_map_call map_call_of(const armilla_cuda_radial_call *call)
{
    const mixing *first = plan_at(call, 0);
    const sizes s = find_sizes(call);
    armilla_cuda_map_call result = {.map = call->map,
                                    .out = call->out,
                                    .exec = call->exec,
                                    .ncomp = first->plan.ncomp,
                                    .out_distance = call->out_distance,
                                    .nplans = call->nplans,
                                    .device = first->plan.object.device,
                                    .npix = first->plan.npix,
                                    .samples = first->plan.samples,
                                    .nside = first->nside,
                                    .bytes = 2 * s.leg + s.rings,
                                    .what = "a radial convolution"};
    for (int64_t i = 0; i < call->nplans; i++)
        result.copies |= call->adjoint && !call->plain && plan_at(call, i)->divisor;
    return result;
}

static int64_t call_bytes(const armilla_cuda_radial_plan *const *plans, int64_t nplans, int on_host,
                          int adjoint)
{
    const armilla_cuda_radial_call call = {.nplans = nplans, .plans = plans, .adjoint = adjoint};
    const armilla_cuda_map_call field = map_call_of(&call);
    return armilla_cuda_map_call_bytes(&field, on_host);
}

/* --- Calls ------------------------------------------------------------------------------------ */

typedef struct {
    const armilla_cuda_radial_call *call;
    const mixing *reader; /* the plan with most orders */
    const mixing *read;   /* whose leg of the field is in memory */
    sizes sizes;
} run;

/* Has the leg that `reader` reads all that a plan needs? */
static int covers(const mixing *reader, const mixing *m)
{
    for (int64_t p = 0; p < m->pairs.count; p++)
        if (reader->pairs.limit[p] < m->pairs.limit[p]) return 0;
    return 1;
}

static int64_t most_orders(const mixing *m)
{
    return m->pairs.limit[m->pairs.count - 1];
}

static const mixing *find_reader(const armilla_cuda_radial_call *call)
{
    const mixing *reader = plan_at(call, 0);
    for (int64_t i = 1; i < call->nplans; i++)
        if (most_orders(plan_at(call, i)) > most_orders(reader)) reader = plan_at(call, i);
    return reader;
}

static armilla_leg leg_at(const mixing *m, char *memory)
{
    return (armilla_leg){m->legs.layouts, m->plan.ncomp, (double *)(void *)memory, NULL, 0};
}

/* A field over the divisors, component by component. */
static void divide(const mixing *m, armilla_array from, int64_t from_distance, armilla_array to,
                   int64_t to_distance, armilla_cuda_work *work)
{
    for (int64_t c = 0; c < m->plan.ncomp; c++)
        armilla_cuda_note(work, armilla_cuda_mixing_divide(
                                    m->plan.npix, m->divisor, from.is_float,
                                    armilla_array_from(from, c * from_distance).values,
                                    armilla_array_from(to, c * to_distance).values, work->stream));
}

/* Rings become a leg; of the adjoint maps over their divisors do. */
static void read_rings(const run *r, const mixing *m, const armilla_cuda_map_step *step,
                       char *memory, armilla_cuda_work *work)
{
    const armilla_leg leg = leg_at(m, memory);
    const int adjoint = r->call->adjoint;
    armilla_ring_maps maps = {
        .values = step->in, .distance = step->in_distance, .weighted = !adjoint};
    if (adjoint && !r->call->plain && m->divisor) {
        const armilla_array copy = {step->copy, step->in.is_float};
        divide(m, step->in, step->in_distance, copy, m->plan.npix, work);
        maps.values = copy, maps.distance = m->plan.npix;
    }
    armilla_cuda_ringfft_from_maps(m->ringfft, 0, &leg, &maps, work);
}

static void write_rings(const run *r, const mixing *m, const armilla_cuda_map_step *step,
                        char *memory, armilla_cuda_work *work)
{
    const armilla_leg leg = leg_at(m, memory);
    const armilla_ring_maps maps = {
        .values = step->out, .distance = step->out_distance, .weighted = r->call->adjoint};
    armilla_cuda_ringfft_to_maps(m->ringfft, 0, &leg, &maps, work);
    if (m->divisor && !r->call->adjoint && !r->call->plain)
        divide(m, step->out, step->out_distance, step->out, step->out_distance, work);
}

/* From the leg that `from` has read. */
static void mix(const mixing *from, const mixing *m, char *in, char *out, armilla_cuda_work *work)
{
    const armilla_leg_block *read = from->legs.layouts->blocks, *written = m->legs.layouts->blocks;
    const armilla_cuda_mixing_legs legs = {.in = (const double *)(const void *)in,
                                           .out = (double *)(void *)out,
                                           .in_row = read->row_length,
                                           .in_set = armilla_leg_set_length(read),
                                           .out_row = written->row_length,
                                           .out_set = armilla_leg_set_length(written)};
    armilla_cuda_note(work, armilla_cuda_mixing_mix(&m->view, &legs, work->stream));
}

/* What serves most plans is read once; a plan that needs more orders reads for itself. */
static armilla_status run_step(void *context, const armilla_cuda_map_step *step,
                               armilla_cuda_work *work)
{
    run *r = context;
    const mixing *m = plan_at(r->call, step->number);
    const mixing *from = covers(r->reader, m) ? r->reader : m;
    char *in = work->scratch, *out = in + r->sizes.leg;
    armilla_cuda_work rings = *work;
    rings.scratch = out + r->sizes.leg, rings.scratch_bytes = r->sizes.rings;
    if (step->number == 0) r->read = NULL; /* another field */
    if (r->read != from) read_rings(r, from, step, in, &rings);
    r->read = from;
    mix(from, m, in, out, &rings);
    write_rings(r, m, step, out, &rings);
    armilla_cuda_take_error(work, &rings);
    return ARMILLA_OK;
}

static armilla_status run_plans(const armilla_cuda_radial_call *call)
{
    const int device = call->plans[0]->object.device;
    if (call->weights) return armilla_cuda_means_run(call);
    for (int64_t i = 1; i < call->nplans; i++)
        if (call->plans[i]->object.device != device)
            return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                                "radials: plans on GPU %d and on GPU %d in one call are not "
                                "offered",
                                device, call->plans[i]->object.device);
    run r = {.call = call, .reader = find_reader(call), .sizes = find_sizes(call)};
    armilla_cuda_map_call field = map_call_of(call);
    field.run = run_step, field.context = &r;
    return armilla_cuda_map_call_run(&field);
}

/* --- Making ----------------------------------------------------------------------------------- */

armilla_status armilla_cuda_mixing_new(const armilla_cuda_mixing_problem *problem,
                                       armilla_cuda_radial_plan **plan)
{
    mixing *m;
    armilla_status status = armilla_allocate_zero(&m, 1, sizeof *m);
    if (status) return status;
    m->plan = (armilla_cuda_radial_plan){.object = {.free = free_plan},
                                         .ncomp = problem->view.turns ? 2 : 1,
                                         .npix = problem->npix,
                                         .samples = problem->samples,
                                         .scalar = problem->scalar,
                                         .call_bytes = call_bytes,
                                         .run = run_plans};
    m->view = problem->view, m->nside = problem->nside;
    forget_host(&m->view);
    if (!(status = armilla_cuda_current_device(&m->plan.object.device)) &&
        !(status = armilla_cuda_pool_open(m->plan.object.device))) {
        m->open = 1;
        status = make_legs(m, problem);
        if (!status) status = upload_tables(m, problem);
    }
    if (status)
        free_plan(m);
    else
        *plan = &m->plan;
    return status;
}
