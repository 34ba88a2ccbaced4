/* Brings the rings of maps to one length on a GPU, by the ring stage of either length and the leg
 * between them, has a plan for these convolve them, and brings the result back. Memory of a call:
 * long rings before and after, a leg, scratch of the ring stage, and what the plan inside takes. */
#include "cuda/radial_standard.h"

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
    armilla_ring_pairs pairs;
    armilla_leg_passes legs; /* one */
    armilla_cuda_ringfft *own, *wide;
    double *halves; /* on the device, of each number of a set: 2 where it is halved, else 0 */
    const armilla_cuda_radial_plan *inside, *scalar;
    int64_t nside, wide_npix;
    int open;
} standard;

/* --- Plans ------------------------------------------------------------------------------------ */

static int64_t pixels_of(const armilla_ring *rings, int64_t ring)
{
    return ring < 0 ? 0 : rings[ring].nphi;
}

static armilla_status upload_halves(standard *s, const armilla_cuda_standard_problem *problem)
{
    const armilla_leg_block *block = s->legs.layouts->blocks;
    const int64_t size = armilla_leg_set_length(block);
    void *device = NULL;
    double *halves;
    armilla_status status = armilla_allocate_zero(&halves, size, sizeof *halves);
    if (status) return status;
    for (int64_t p = 0; p < s->pairs.count; p++) {
        const int64_t n = pixels_of(problem->own, s->pairs.north[p]), m = s->pairs.limit[p];
        double *entry = halves + m * block->row_length + 4 * p;
        for (int i = 0; i < 4 && 2 * m == n; i++) entry[i] = 2;
    }
    status = armilla_cuda_upload(halves, size, sizeof *halves, "tables of a radial convolution",
                                 &device);
    s->halves = device, s->plan.object.bytes += status ? 0 : size * (int64_t)sizeof *halves;
    armilla_release(halves);
    return status
               ? status
               : armilla_cuda_status(cudaDeviceSynchronize(), "waiting for a radial plan's tables");
}

/* Room for the scratch of the ring stages: what fields, the leg, copies of a field of the host and
 * the plan inside leave. */
static int64_t room_of(const standard *s, const armilla_cuda_standard_problem *problem)
{
    const int64_t copy = armilla_cuda_round_part(8 * s->plan.ncomp * s->plan.npix);
    const int64_t leg = armilla_cuda_round_part(8 * s->plan.ncomp * s->legs.size);
    const int64_t field = armilla_cuda_round_part(8 * s->plan.ncomp * s->wide_npix);
    const int64_t inside = s->inside->call_bytes(&s->inside, 1, 0, 1);
    const int64_t others = 2 * field + leg + (s->nside ? 3 : 2) * copy + inside;
    if (!problem->device_bytes) return problem->ring_bytes;
    return armilla_smaller(problem->ring_bytes, armilla_larger(problem->device_bytes - others, 0));
}

static armilla_status make_stages(standard *s, const armilla_cuda_standard_problem *problem)
{
    armilla_status status = armilla_ring_pairs_take(problem->pairs, 0, 1, &s->pairs);
    if (status) return status;
    const int64_t count = s->pairs.count;
    const armilla_leg_shape shape = {.pairs = &s->pairs,
                                     .npairs = count,
                                     .block_size = count,
                                     .mmax = s->pairs.limit[count - 1]};
    if ((status = armilla_leg_passes_by_pairs(&shape, count, &s->legs))) return status;
    const int64_t most = room_of(s, problem);
    if ((status = armilla_cuda_ringfft_new(problem->own, NULL, &s->legs, most, 0, &s->own)) ||
        (status = armilla_cuda_ringfft_new(problem->wide, NULL, &s->legs, most, 0, &s->wide)))
        return status;
    s->plan.object.bytes +=
        armilla_cuda_ringfft_bytes(s->own) + armilla_cuda_ringfft_bytes(s->wide);
    return upload_halves(s, problem);
}

static void free_plan(void *object)
{
    standard *s = object;
    const int device = s->plan.object.device;
    int before;
    (void)armilla_cuda_enter_device(device, &before);
    armilla_cuda_release(s->halves);
    armilla_cuda_ringfft_free(s->own), armilla_cuda_ringfft_free(s->wide);
    if (s->open) armilla_cuda_pool_close(device);
    armilla_cuda_leave_device(device, before);
    armilla_leg_passes_clear(&s->legs);
    armilla_ring_pairs_clear(&s->pairs);
    armilla_release(s);
}

/* --- Memory of a call ------------------------------------------------------------------------- */

/* Bytes of the parts of a call's memory: a field of long rings, a leg, scratch of ring stages. */
typedef struct {
    int64_t field, leg, rings;
} sizes;

static sizes find_sizes(const standard *s, int64_t ncomp)
{
    return (sizes){
        armilla_cuda_round_part(8 * ncomp * s->wide_npix),
        armilla_cuda_round_part(8 * ncomp * s->legs.size),
        armilla_cuda_round_part(armilla_larger(armilla_cuda_ringfft_scratch(s->own, ncomp),
                                               armilla_cuda_ringfft_scratch(s->wide, ncomp)))};
}

static armilla_cuda_map_call map_call_of(const standard *s, int64_t ncomp)
{
    const sizes at = find_sizes(s, ncomp);
    return (armilla_cuda_map_call){.ncomp = ncomp,
                                   .nplans = 1,
                                   .device = s->plan.object.device,
                                   .npix = s->plan.npix,
                                   .samples = s->plan.samples,
                                   .nside = s->nside,
                                   .bytes = 2 * at.field + at.leg + at.rings,
                                   .what = "a radial convolution"};
}

static int64_t call_bytes(const armilla_cuda_radial_plan *const *plans, int64_t nplans, int on_host,
                          int adjoint)
{
    const standard *s = (const standard *)plans[0];
    const armilla_cuda_map_call field = map_call_of(s, s->plan.ncomp);
    (void)nplans;
    return armilla_cuda_map_call_bytes(&field, on_host) +
           s->inside->call_bytes(&s->inside, 1, 0, adjoint);
}

/* --- Calls ------------------------------------------------------------------------------------ */

typedef struct {
    const standard *standard;
    const armilla_cuda_radial_call *call;
    int64_t ncomp;
} run;

static void halve(const standard *s, const armilla_leg *leg, armilla_cuda_work *work)
{
    const int64_t size = armilla_leg_set_length(s->legs.layouts->blocks);
    for (int64_t c = 0; c < leg->nsets && !work->error; c++) {
        double *set = leg->values + c * size;
        armilla_cuda_note(work,
                          armilla_cuda_mixing_divide(size, s->halves, 0, set, set, work->stream));
    }
}

/* Rings of `from` become those of `to`, by way of a leg, over the number of pixels of the rings
 * that are read, or of the adjoint of those that are written: with weights of long rings that are
 * as many times smaller as the rings are longer, that makes the adjoint the transpose. */
static void move(const run *r, armilla_cuda_ringfft *from, armilla_ring_maps read,
                 armilla_cuda_ringfft *to, armilla_ring_maps written, const armilla_leg *leg,
                 armilla_cuda_work *work)
{
    read.weighted = !r->call->adjoint, written.weighted = r->call->adjoint;
    armilla_cuda_ringfft_from_maps(from, 0, leg, &read, work);
    halve(r->standard, leg, work);
    armilla_cuda_ringfft_to_maps(to, 0, leg, &written, work);
}

/* The plan inside, on rings of the device; a plan of pairs sums scalars by another. */
static armilla_status convolve(const run *r, char *in, char *out, const armilla_cuda_work *work)
{
    const standard *s = r->standard;
    const armilla_cuda_radial_plan *inside =
        r->call->scalar && s->plan.ncomp > 1 ? s->scalar : s->inside;
    const armilla_cuda_radial_call call = {.plans = &inside,
                                           .nplans = 1,
                                           .adjoint = r->call->adjoint,
                                           .plain = r->call->plain,
                                           .map = {in, 0},
                                           .out = {out, 0},
                                           .exec = armilla_cuda_inner_exec(s->wide_npix, work)};
    return inside->run(&call);
}

static armilla_status run_step(void *context, const armilla_cuda_map_step *step,
                               armilla_cuda_work *work)
{
    const run *r = context;
    const standard *s = r->standard;
    const sizes at = find_sizes(s, r->ncomp);
    char *up = work->scratch, *sums = up + at.field, *leg_at = sums + at.field;
    const armilla_leg leg = {s->legs.layouts, r->ncomp, (double *)(void *)leg_at, NULL, 0};
    const armilla_ring_maps in = {.values = step->in, .distance = step->in_distance};
    const armilla_ring_maps out = {.values = step->out, .distance = step->out_distance};
    const armilla_ring_maps raised = {.values = {up, 0}, .distance = s->wide_npix};
    const armilla_ring_maps summed = {.values = {sums, 0}, .distance = s->wide_npix};
    armilla_cuda_work rings = *work;
    rings.scratch = leg_at + at.leg, rings.scratch_bytes = at.rings;
    move(r, s->own, in, s->wide, raised, &leg, &rings);
    const armilla_status status = rings.error ? ARMILLA_OK : convolve(r, up, sums, &rings);
    if (!status) move(r, s->wide, summed, s->own, out, &leg, &rings);
    armilla_cuda_take_error(work, &rings);
    return status;
}

static armilla_status run_plan(const armilla_cuda_radial_call *call)
{
    const standard *s = (const standard *)call->plans[0];
    run r = {s, call, call->scalar ? 1 : s->plan.ncomp};
    armilla_cuda_map_call field = map_call_of(s, r.ncomp);
    if (call->weights) return armilla_cuda_means_run(call);
    field.map = call->map, field.out = call->out, field.exec = call->exec;
    field.out_distance = call->out_distance;
    field.run = run_step, field.context = &r;
    return armilla_cuda_map_call_run(&field);
}

/* --- Making ----------------------------------------------------------------------------------- */

armilla_status armilla_cuda_standard_new(const armilla_cuda_standard_problem *problem,
                                         armilla_cuda_radial_plan **plan)
{
    standard *s;
    armilla_status status = armilla_allocate_zero(&s, 1, sizeof *s);
    if (status) return status;
    s->plan = (armilla_cuda_radial_plan){.object = {.free = free_plan},
                                         .ncomp = problem->ncomp,
                                         .npix = problem->npix,
                                         .samples = problem->samples,
                                         .call_bytes = call_bytes,
                                         .run = run_plan};
    s->inside = problem->inside, s->scalar = problem->scalar;
    s->wide_npix = problem->wide_npix, s->nside = problem->nside;
    if (!(status = armilla_cuda_current_device(&s->plan.object.device)) &&
        !(status = armilla_cuda_pool_open(s->plan.object.device))) {
        s->open = 1;
        status = make_stages(s, problem);
    }
    if (status)
        free_plan(s);
    else
        *plan = &s->plan;
    return status;
}
