/* Keeps a plan for each GPU of a list, and gives each of them its share of a call's maps. */
#include "radial/shares.h"

#include "base/device_list.h"
#include "base/integer.h"
#include "base/memory.h"
#include "base/parts.h"
#include "cuda/runtime/device.h"
#include "radial/execute.h"

typedef struct {
    int device;
    const armilla_radial *radial;
    armilla_radial *own; /* the same, but for the first one, which is the caller's */
    void *stream;
} member;

struct armilla_radial_shares {
    int64_t count;
    member *members;
};

/* --- Plans ------------------------------------------------------------------------------------ */

/* What the first plan has chosen is asked for. */
static armilla_radial_options options_like(const armilla_radial *radial)
{
    armilla_radial_options options = radial->options;
    options.isa = armilla_isa_label(radial->isa);
    options.method =
        armilla_radial_maker(radial)->mixing ? ARMILLA_RADIAL_RINGS : ARMILLA_RADIAL_PIXELS;
    return options;
}

/* An armilla_cuda_make_fn. */
static armilla_status make(const void *problem, void *made)
{
    const armilla_radial *radial = problem;
    const armilla_radial_options options = options_like(radial);
    member *m = made;
    if (m->radial) return ARMILLA_OK;
    const armilla_status status =
        armilla_radial_new(radial->grid, radial->kernel, &options, &m->own);
    m->radial = m->own;
    return status;
}

armilla_status armilla_radial_shares_new(const armilla_radial *radial, const int *devices,
                                         int64_t ndevices, armilla_radial_shares **shares)
{
    armilla_radial_shares *made;
    armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) return status;
    status = armilla_allocate_zero(&made->members, ndevices, sizeof *made->members);
    for (int64_t i = 0; i < ndevices && !status; i++, made->count++) {
        member *m = &made->members[i];
        *m = (member){.device = devices[i], .radial = i ? NULL : radial};
        status = armilla_cuda()->gpus->make_member(m->device, make, radial, m, &m->stream);
    }
    if (status)
        armilla_radial_shares_free(made);
    else
        *shares = made;
    return status;
}

void armilla_radial_shares_free(armilla_radial_shares *shares)
{
    if (!shares) return;
    for (int64_t i = 0; i < shares->count; i++) {
        armilla_cuda()->gpus->free_stream(shares->members[i].device, shares->members[i].stream);
        armilla_radial_free(shares->members[i].own);
    }
    armilla_release(shares->members);
    armilla_release(shares);
}

/* --- Calls ------------------------------------------------------------------------------------ */

typedef struct {
    const armilla_radial_call *call;
    const armilla_maps *maps;
    const armilla_exec *exec;
    int64_t nparts;
} dealt_call;

/* An armilla_part_fn. */
static armilla_status run_part(void *context, int64_t part, const armilla_listener *listener)
{
    const dealt_call *d = context;
    const member *m = &d->call->radial->shares->members[part];
    const int64_t ncomp = armilla_radial_ncomp(m->radial), all = d->exec->ntrans;
    const int64_t first = armilla_parts_first(all, d->nparts, part);
    const armilla_maps maps = armilla_maps_from(d->maps, first * ncomp);
    armilla_radial_call call = *d->call;
    armilla_exec exec = *d->exec;
    exec.ntrans = armilla_parts_first(all, d->nparts, part + 1) - first;
    exec.memory = ARMILLA_MEMORY_HOST, exec.stream = m->stream;
    exec.missing = ARMILLA_MISSING_PROPAGATE; /* all maps have been looked at */
    exec.progress = listener->progress, exec.progress_data = listener->data;
    call.radial = m->radial, call.nmaps = exec.ntrans * ncomp;
    return armilla_device_name(m->device, armilla_radial_run_one(&call, &maps, &exec));
}

/* With weights, maps are looked at here: what is wrong is named by its place in the caller's
 * arrays. */
static armilla_status check_weighted(const armilla_radial_call *call, const armilla_maps *maps,
                                     const armilla_exec *exec)
{
    const armilla_radial_weights *weights = call->weights;
    if (!weights) return ARMILLA_OK;
    const armilla_cuda_shared shared = {.name = {"weights"}, .values = {weights->values}};
    armilla_status status = armilla_check_given("weights", weights->values);
    if (!status) status = armilla_cuda()->gpus->check_shared(&shared);
    if (!status) status = armilla_radial_check_weights(call->radial, weights);
    return status ? status
                  : armilla_radial_check_missing(call->radial, maps, weights->values, exec);
}

armilla_status armilla_radial_shares_run(const armilla_radial_call *call, const armilla_maps *maps,
                                         const armilla_exec *exec)
{
    const armilla_radial_shares *shares = call->radial->shares;
    const int64_t nparts = armilla_smaller(shares->count, exec->ntrans);
    dealt_call d = {call, maps, exec, nparts};
    const armilla_listener listener = {exec->progress, exec->progress_data};
    const armilla_cuda_shared shared = {
        {"map", "out"}, {maps->in.values, maps->out.values}, exec->memory, exec->stream};
    armilla_status status = armilla_cuda()->gpus->check_shared(&shared);
    if (!status) status = check_weighted(call, maps, exec);
    return status ? status : armilla_parts_run(nparts, run_part, &d, &listener);
}
