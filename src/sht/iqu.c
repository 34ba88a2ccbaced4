/* I, Q, U and T, E, B by two plans of one grid. A call runs the scalar transforms, all at once,
 * then the fields of spin 2 one by one:
 *
 *     alm  T E B | T E B | ...        scalar: components 0, 3, ..., distance 3 components
 *     map  I Q U | I Q U | ...        polar:  components 3 t + 1 and 3 t + 2 of transform t
 *
 * Its workspace is taken before anything is written and serves both: once it is there nothing can
 * fail but by the caller's wish. */
#include "sht/iqu.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/progress.h"
#include "sht/choose.h"
#include "sht/execute.h"

/* --- The plan -------------------------------------------------------------------------------- */

static armilla_status check_options(const armilla_sht_options *options)
{
    if (options->spin != 0)
        return armilla_fail_argument("options->spin", options->spin,
                                     "must be 0: the spins of I, Q and U are known");
    if (options->mode != ARMILLA_SHT_STANDARD)
        return armilla_fail_argument("options->mode", (int64_t)options->mode,
                                     "must be ARMILLA_SHT_STANDARD");
    return armilla_sht_check_unscaled(options, "for I, Q and U, and for vectors");
}

static armilla_status make_plans(armilla_iqu *iqu, const armilla_grid *grid, int64_t lmax,
                                 int64_t mmax, int64_t spin, armilla_sht_options *options)
{
    armilla_status status = armilla_sht_new(grid, lmax, mmax, options, &iqu->scalar);
    if (status) return status;
    options->spin = spin;
    if ((status = armilla_sht_new_beside(iqu->scalar, options, &iqu->polar))) return status;
    double scalar = armilla_legendre_flops(iqu->scalar->flow.legendre);
    double polar = armilla_legendre_flops(iqu->polar->flow.legendre);
    iqu->scalar_share = scalar / (scalar + polar);
    return ARMILLA_OK;
}

armilla_status armilla_iqu_new_of_spin(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                       int64_t spin, const armilla_sht_options *options,
                                       armilla_iqu **iqu)
{
    armilla_sht_options chosen;
    armilla_iqu *result;
    armilla_status status = armilla_sht_take_options(options, &chosen);
    if (!status) status = check_options(&chosen);
    if (status || (status = armilla_allocate_zero(&result, 1, sizeof *result))) return status;
    if ((status = make_plans(result, grid, lmax, mmax, spin, &chosen)))
        armilla_iqu_free(result);
    else
        *iqu = result;
    return status;
}

armilla_status armilla_iqu_new(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                               const armilla_sht_options *options, armilla_iqu **iqu)
{
    armilla_sht_options chosen;
    armilla_status status = armilla_sht_take_options(options, &chosen);
    if (!status) status = check_options(&chosen);
    if (!status) status = armilla_sht_check_plain(&chosen, "for I, Q and U");
    if (!status && lmax < 2)
        status = armilla_fail_argument("lmax", lmax, "must be at least 2 for E and B");
    if (!status) status = armilla_check_given("iqu", iqu);
    return status ? status : armilla_iqu_new_of_spin(grid, lmax, mmax, 2, &chosen, iqu);
}

void armilla_iqu_free(armilla_iqu *iqu)
{
    if (!iqu) return;
    armilla_sht_free(iqu->polar);
    armilla_sht_free(iqu->scalar);
    armilla_release(iqu);
}

/* On the processor fields of spin 2 go one by one, on a GPU as many together as have room. */
armilla_status armilla_iqu_describe_many(const armilla_iqu *iqu, int nthreads, int64_t ntrans,
                                         armilla_sht_description *description)
{
    if (!iqu) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "iqu = NULL: must be a plan");
    const int64_t pairs = iqu->polar->cuda ? ntrans : 1;
    armilla_sht_description whole = {.size = sizeof whole}, polar = {.size = sizeof polar};
    armilla_status status = armilla_sht_describe_many(iqu->scalar, nthreads, ntrans, &whole);
    if (!status) status = armilla_sht_describe_many(iqu->polar, nthreads, pairs, &polar);
    if (status) return status;
    whole.ncomp = whole.alm_ncomp = ARMILLA_IQU_FIELDS;
    whole.plan_bytes += polar.plan_bytes;
    whole.workspace_bytes = armilla_larger(whole.workspace_bytes, polar.workspace_bytes);
    whole.useful_flops += polar.useful_flops;
    whole.device_plan_bytes += polar.device_plan_bytes;
    whole.device_workspace_bytes =
        armilla_larger(whole.device_workspace_bytes, polar.device_workspace_bytes);
    whole.device_batch = armilla_smaller(whole.device_batch, polar.device_batch);
    whole.device_streams = armilla_larger(whole.device_streams, polar.device_streams);
    return armilla_description_give("description", "armilla_sht_description", &whole, sizeof whole,
                                    description);
}

armilla_status armilla_iqu_describe(const armilla_iqu *iqu, int nthreads,
                                    armilla_sht_description *description)
{
    return armilla_iqu_describe_many(iqu, nthreads, 1, description);
}

armilla_status armilla_iqu_explain(const armilla_iqu *iqu, armilla_choice_fn take, void *data)
{
    const armilla_status status = armilla_teller_check("iqu", iqu, take);
    if (status) return status;
    const armilla_teller teller = {.take = take, .data = data, .forced = iqu->scalar->forced};
    const armilla_teller scalar = armilla_teller_of_group(&teller, "scalar.");
    const armilla_teller polar = armilla_teller_of_group(&teller, "polar.");
    armilla_sht_tell(iqu->scalar, &scalar);
    armilla_sht_tell(iqu->polar, &polar);
    if (iqu->scalar->ringfft) armilla_ringfft_tell(iqu->scalar->ringfft, &teller);
    return ARMILLA_OK;
}

/* --- A call ---------------------------------------------------------------------------------- */

typedef struct run {
    armilla_sht scalar, polar; /* the plans, with workspace of this call */
    armilla_cuda_room room;    /* on a GPU, likewise */
    int weighted;
    armilla_call call;
} run;

/* Transforms whose first component is number `component` and which are `step` components apart. */
static armilla_status run_field(run *r, const armilla_sht *sht, int64_t component, int64_t step,
                                int64_t ntrans, double width)
{
    armilla_call *c = &r->call;
    armilla_exec inner = armilla_call_inner(c);
    const armilla_array alm = armilla_array_from(c->alm, 2 * component * inner.alm_distance);
    const armilla_array map = armilla_array_from(c->map, component * inner.map_distance);
    inner.ntrans = ntrans;
    inner.alm_distance *= step, inner.map_distance *= step;
    armilla_status status = armilla_relay_next(&c->relay, width);
    if (status) return status;
    return c->to_map ? armilla_sht_to_map(sht, r->weighted, alm, map, &inner)
                     : armilla_sht_to_alm(sht, r->weighted, map, alm, &inner);
}

/* All polarised transforms of a call on a GPU, which takes as many at once as have room. */
static armilla_status run_polar_on_device(run *r, double width)
{
    armilla_call *c = &r->call;
    armilla_exec inner = armilla_call_inner(c);
    const armilla_sht_arrays arrays = {armilla_array_from(c->alm, 2 * c->exec.alm_distance),
                                       armilla_array_from(c->map, c->exec.map_distance),
                                       ARMILLA_IQU_FIELDS};
    inner.ntrans = c->exec.ntrans;
    const armilla_status status = armilla_relay_next(&c->relay, width);
    if (status) return status;
    return armilla_sht_run_step(&r->polar, r->weighted, c->to_map, &arrays, &inner);
}

static armilla_status run_fields(run *r, double scalar_share)
{
    const int64_t ntrans = r->call.exec.ntrans;
    const double rest = (1 - scalar_share) / (double)ntrans;
    armilla_status status = run_field(r, &r->scalar, 0, ARMILLA_IQU_FIELDS, ntrans, scalar_share);
    if (r->polar.cuda) return status ? status : run_polar_on_device(r, 1 - scalar_share);
    for (int64_t t = 0; t < ntrans && !status; t++)
        status = run_field(r, &r->polar, ARMILLA_IQU_FIELDS * t + 1, 1, 1, rest);
    return status;
}

/* A store of workspace for this call alone, which holds as much as the larger of its transforms
 * will take from it. */
static armilla_status take_workspace(const run *r, armilla_workspace_store *kept,
                                     armilla_workspace_store **own)
{
    const armilla_call *c = &r->call;
    armilla_exec single = c->exec;
    single.ntrans = 1;
    const int is_float = c->alm.is_float;
    int64_t size = armilla_larger(
        armilla_sht_workspace_size(&r->scalar, r->weighted, c->to_map, is_float, &c->exec),
        armilla_sht_workspace_size(&r->polar, r->weighted, c->to_map, is_float, &single));
    double *memory;
    armilla_status status = armilla_workspace_store_new(own);
    if (status) return status;
    if ((status = armilla_workspace_take(kept, size, &memory)))
        armilla_workspace_store_free(*own);
    else
        armilla_workspace_give(*own, memory);
    return status;
}

static armilla_status run_on_device(run *r, double scalar_share)
{
    r->scalar.room = r->polar.room = &r->room, r->room.next = r->polar.cuda;
    const armilla_status status = run_fields(r, scalar_share);
    const armilla_status left = armilla_cuda()->transform->leave(&r->room, r->call.exec.stream);
    return status ? status : left;
}

static armilla_status execute(const armilla_iqu *iqu, int weighted, armilla_call call,
                              const armilla_exec *exec)
{
    armilla_workspace_store *own;
    if (!iqu) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "iqu = NULL: must be a plan");
    const armilla_call_arrays arrays = armilla_sht_call_arrays(iqu->scalar, ARMILLA_IQU_FIELDS);
    run r = {.scalar = *iqu->scalar, .polar = *iqu->polar, .weighted = weighted, .call = call};
    armilla_status status = armilla_call_open(&arrays, exec, &r.call);
    if (status) return status;
    if ((status = take_workspace(&r, iqu->scalar->workspace, &own))) return status;
    r.scalar.workspace = r.polar.workspace = own;
    status =
        r.polar.cuda ? run_on_device(&r, iqu->scalar_share) : run_fields(&r, iqu->scalar_share);
    armilla_workspace_move(own, iqu->scalar->workspace);
    armilla_workspace_store_free(own);
    return status;
}

armilla_status armilla_iqu_to_map(const armilla_iqu *iqu, int weighted, armilla_array alm,
                                  armilla_array map, const armilla_exec *exec)
{
    return execute(iqu, weighted, armilla_call_of(1, alm, map), exec);
}

armilla_status armilla_iqu_to_alm(const armilla_iqu *iqu, int weighted, armilla_array map,
                                  armilla_array alm, const armilla_exec *exec)
{
    return execute(iqu, weighted, armilla_call_of(0, alm, map), exec);
}

armilla_status armilla_iqu_synthesis(const armilla_iqu *iqu, const double *alm, double *map,
                                     const armilla_exec *exec)
{
    return armilla_iqu_to_map(iqu, 0, armilla_array_of_doubles(alm), armilla_array_of_doubles(map),
                              exec);
}

armilla_status armilla_iqu_adjoint_synthesis(const armilla_iqu *iqu, const double *map, double *alm,
                                             const armilla_exec *exec)
{
    return armilla_iqu_to_alm(iqu, 0, armilla_array_of_doubles(map), armilla_array_of_doubles(alm),
                              exec);
}

armilla_status armilla_iqu_analysis(const armilla_iqu *iqu, const double *map, double *alm,
                                    const armilla_exec *exec)
{
    return armilla_iqu_to_alm(iqu, 1, armilla_array_of_doubles(map), armilla_array_of_doubles(alm),
                              exec);
}

armilla_status armilla_iqu_adjoint_analysis(const armilla_iqu *iqu, const double *alm, double *map,
                                            const armilla_exec *exec)
{
    return armilla_iqu_to_map(iqu, 1, armilla_array_of_doubles(alm), armilla_array_of_doubles(map),
                              exec);
}

armilla_status armilla_iqu_synthesis_float(const armilla_iqu *iqu, const float *alm, float *map,
                                           const armilla_exec *exec)
{
    return armilla_iqu_to_map(iqu, 0, armilla_array_of_floats(alm), armilla_array_of_floats(map),
                              exec);
}

armilla_status armilla_iqu_adjoint_synthesis_float(const armilla_iqu *iqu, const float *map,
                                                   float *alm, const armilla_exec *exec)
{
    return armilla_iqu_to_alm(iqu, 0, armilla_array_of_floats(map), armilla_array_of_floats(alm),
                              exec);
}

armilla_status armilla_iqu_analysis_float(const armilla_iqu *iqu, const float *map, float *alm,
                                          const armilla_exec *exec)
{
    return armilla_iqu_to_alm(iqu, 1, armilla_array_of_floats(map), armilla_array_of_floats(alm),
                              exec);
}

armilla_status armilla_iqu_adjoint_analysis_float(const armilla_iqu *iqu, const float *alm,
                                                  float *map, const armilla_exec *exec)
{
    return armilla_iqu_to_map(iqu, 1, armilla_array_of_floats(alm), armilla_array_of_floats(map),
                              exec);
}
