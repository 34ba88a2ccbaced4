/* Brings the rings of maps to one length on a GPU, by the ring stage of either length and the leg
 * between them, has a plan for these convolve them, and brings the result back. Memory of a call:
 * long rings before and after, a leg, scratch of the ring stage, and what the plan inside takes. */
#include "cuda/radial_standard.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/device_memory.h"
#include "cuda/device_pool.h"
#include "cuda/kernels/radial_mixing_kernels.h"
#include "cuda/map_call.h"
#include "cuda/ringfft.h"
#include "cuda/transform.h"
#include "leg/passes.h"

struct armilla_cuda_standard {
    armilla_ring_pairs pairs;
    armilla_leg_passes legs; /* one */
    armilla_cuda_ringfft *own, *wide;
    double *halves; /* on the device, of each number of a set: 2 where it is halved, else 0 */
    const armilla_cuda_radial *pixels, *scalar_pixels;
    const armilla_cuda_mixing *mixing, *scalar_mixing;
    int64_t ncomp, npix, samples, nside, wide_npix, bytes;
    int device, open;
};

/* --- Plans ------------------------------------------------------------------------------------ */

static int64_t pixels_of(const armilla_ring *rings, int64_t ring)
{
    return ring < 0 ? 0 : rings[ring].nphi;
}

static armilla_status upload_halves(armilla_cuda_standard *s,
                                    const armilla_cuda_standard_problem *problem)
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
    s->halves = device, s->bytes += status ? 0 : size * (int64_t)sizeof *halves;
    armilla_release(halves);
    return status
               ? status
               : armilla_cuda_status(cudaDeviceSynchronize(), "waiting for a radial plan's tables");
}

/* Room for the scratch of the ring stages: what fields, the leg, copies of a field of the host and
 * the plan inside leave. */
static int64_t room_of(const armilla_cuda_standard *s, const armilla_cuda_standard_problem *problem)
{
    const int64_t copy = armilla_cuda_round_part(8 * s->ncomp * s->npix);
    const int64_t leg = armilla_cuda_round_part(8 * s->ncomp * s->legs.size);
    const int64_t field = armilla_cuda_round_part(8 * s->ncomp * s->wide_npix);
    const int64_t inside = s->mixing ? armilla_cuda_mixing_call_bytes(&s->mixing, 1, 0, 1) : 0;
    const int64_t others = 2 * field + leg + (s->nside ? 3 : 2) * copy + inside;
    if (!problem->device_bytes) return problem->ring_bytes;
    return armilla_smaller(problem->ring_bytes, armilla_larger(problem->device_bytes - others, 0));
}

static armilla_status make_stages(armilla_cuda_standard *s,
                                  const armilla_cuda_standard_problem *problem)
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
    if ((status = armilla_cuda_ringfft_new(problem->own, NULL, &s->legs, most, &s->own)) ||
        (status = armilla_cuda_ringfft_new(problem->wide, NULL, &s->legs, most, &s->wide)))
        return status;
    s->bytes += armilla_cuda_ringfft_bytes(s->own) + armilla_cuda_ringfft_bytes(s->wide);
    return upload_halves(s, problem);
}

armilla_status armilla_cuda_standard_new(const armilla_cuda_standard_problem *problem,
                                         armilla_cuda_standard **standard)
{
    armilla_cuda_standard *s;
    armilla_status status = armilla_allocate_zero(&s, 1, sizeof *s);
    if (status) return status;
    s->pixels = problem->pixels, s->mixing = problem->mixing, s->ncomp = problem->ncomp;
    s->scalar_pixels = problem->scalar_pixels, s->scalar_mixing = problem->scalar_mixing;
    s->npix = problem->npix, s->samples = problem->samples, s->wide_npix = problem->wide_npix;
    s->nside = problem->nside;
    if (!(status = armilla_cuda_current_device(&s->device)) &&
        !(status = armilla_cuda_pool_open(s->device))) {
        s->open = 1;
        status = make_stages(s, problem);
    }
    if (status)
        armilla_cuda_standard_free(s);
    else
        *standard = s;
    return status;
}

void armilla_cuda_standard_free(armilla_cuda_standard *standard)
{
    int before;
    if (!standard) return;
    (void)armilla_cuda_enter_device(standard->device, &before);
    armilla_cuda_release(standard->halves);
    armilla_cuda_ringfft_free(standard->own), armilla_cuda_ringfft_free(standard->wide);
    if (standard->open) armilla_cuda_pool_close(standard->device);
    armilla_cuda_leave_device(standard->device, before);
    armilla_leg_passes_clear(&standard->legs);
    armilla_ring_pairs_clear(&standard->pairs);
    armilla_release(standard);
}

int64_t armilla_cuda_standard_bytes(const armilla_cuda_standard *standard)
{
    return standard->bytes;
}

/* --- Memory of a call ------------------------------------------------------------------------- */

/* Bytes of the parts of a call's memory: a field of long rings, a leg, scratch of ring stages. */
typedef struct {
    int64_t field, leg, rings;
} sizes;

static sizes find_sizes(const armilla_cuda_standard *s, int64_t ncomp)
{
    return (sizes){
        armilla_cuda_round_part(8 * ncomp * s->wide_npix),
        armilla_cuda_round_part(8 * ncomp * s->legs.size),
        armilla_cuda_round_part(armilla_larger(armilla_cuda_ringfft_scratch(s->own, ncomp),
                                               armilla_cuda_ringfft_scratch(s->wide, ncomp)))};
}

static armilla_cuda_map_call map_call_of(const armilla_cuda_standard *s, int64_t ncomp)
{
    const sizes at = find_sizes(s, ncomp);
    return (armilla_cuda_map_call){.ncomp = ncomp,
                                   .nplans = 1,
                                   .device = s->device,
                                   .npix = s->npix,
                                   .samples = s->samples,
                                   .nside = s->nside,
                                   .bytes = 2 * at.field + at.leg + at.rings,
                                   .what = "a radial convolution"};
}

int64_t armilla_cuda_standard_call_bytes(const armilla_cuda_standard *standard, int on_host,
                                         int adjoint)
{
    const armilla_cuda_map_call field = map_call_of(standard, standard->ncomp);
    return armilla_cuda_map_call_bytes(&field, on_host, sizeof(double)) +
           (standard->mixing ? armilla_cuda_mixing_call_bytes(&standard->mixing, 1, 0, adjoint)
                             : 0);
}

/* --- Calls ------------------------------------------------------------------------------------ */

typedef struct {
    const armilla_cuda_standard *standard;
    const armilla_cuda_standard_call *call;
    int64_t ncomp;
} run;

static void halve(const armilla_cuda_standard *s, const armilla_leg *leg, armilla_cuda_work *work)
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

/* The plan inside, on rings of the device. */
static armilla_status convolve(const run *r, char *in, char *out, const armilla_cuda_work *work)
{
    const armilla_cuda_standard *s = r->standard;
    const armilla_array map = {in, 0}, sums = {out, 0};
    const int other = r->call->scalar && s->ncomp > 1; /* a plan of pairs sums scalars */
    const armilla_cuda_mixing *mixing = other ? s->scalar_mixing : s->mixing;
    const armilla_cuda_radial_call pixels = {.adjoint = r->call->adjoint,
                                             .plain = r->call->plain,
                                             .map = map,
                                             .out = sums,
                                             .nmaps = 1,
                                             .distance = s->wide_npix,
                                             .memory = ARMILLA_MEMORY_DEVICE,
                                             .stream = work->stream};
    const armilla_cuda_mixing_call rings = {.nplans = 1,
                                            .plans = &mixing,
                                            .adjoint = r->call->adjoint,
                                            .plain = r->call->plain,
                                            .map = map,
                                            .out = sums,
                                            .ntrans = 1,
                                            .distance = s->wide_npix,
                                            .memory = ARMILLA_MEMORY_DEVICE,
                                            .stream = work->stream};
    return mixing ? armilla_cuda_mixing_run(&rings)
                  : armilla_cuda_radial_run(other ? s->scalar_pixels : s->pixels, &pixels);
}

static armilla_status run_step(void *context, const armilla_cuda_map_step *step,
                               armilla_cuda_work *work)
{
    const run *r = context;
    const armilla_cuda_standard *s = r->standard;
    const sizes at = find_sizes(s, r->ncomp);
    char *up = work->scratch, *sums = up + at.field, *leg_at = sums + at.field;
    const armilla_leg leg = {s->legs.layouts, r->ncomp, (double *)(void *)leg_at, NULL};
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

armilla_status armilla_cuda_standard_run(const armilla_cuda_standard *standard,
                                         const armilla_cuda_standard_call *call)
{
    run r = {standard, call, call->scalar ? 1 : standard->ncomp};
    armilla_cuda_map_call field = map_call_of(standard, r.ncomp);
    field.map = call->map, field.out = call->out, field.ntrans = call->ntrans;
    field.distance = call->distance, field.out_distance = call->out_distance;
    field.memory = call->memory, field.stream = call->stream;
    field.progress = call->progress, field.progress_data = call->progress_data;
    field.run = run_step, field.context = &r;
    return armilla_cuda_map_call_run(&field);
}
