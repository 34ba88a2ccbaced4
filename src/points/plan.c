/* Plans for arbitrary points, and their operators. See armilla/points.h. */
#include "points/plan.h"

#include "base/device_list.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "cuda/runtime/device.h"
#include "points/check.h"
#include "points/cores.h"
#include "points/device.h"
#include "points/execute.h"
#include "points/tell.h"
#include "sht/mode.h"

#include <math.h>
#include <stdatomic.h>

void armilla_points_options_init_sized(armilla_points_options *options, size_t size)
{
    const armilla_points_options defaults = {.epsilon = 1e-7};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

/* --- Making ----------------------------------------------------------------------------------- */

static armilla_status check_options(int64_t lmax, int64_t mmax,
                                    const armilla_points_options *options)
{
    armilla_status status = armilla_check_band_limit(lmax, mmax);
    if (status || (status = armilla_mode_check("options", options->mode, options->spin, lmax)))
        return status;
    if (!(options->epsilon >= 1e-13 && options->epsilon <= 0.1))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "options->epsilon = %g: must be 1e-13 to 0.1",
                            options->epsilon);
    if (options->upsampling != 0 && !(options->upsampling >= ARMILLA_WINDOW_LEAST_SIGMA &&
                                      options->upsampling <= ARMILLA_WINDOW_SIGMA))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->upsampling = %g: must be 0 (chosen) or 1.1 to 3",
                            options->upsampling);
    if (options->taps != 0 && (options->taps < 2 || options->taps > ARMILLA_WINDOW_TAPS))
        return armilla_fail_argument("options->taps", options->taps,
                                     "must be 0 (chosen) or 2 to 16");
    if (options->nthreads < 0)
        return armilla_fail_argument("options->nthreads", options->nthreads,
                                     "must be 0 (all) or more");
    if (options->spin_method < ARMILLA_SPIN_AUTO || options->spin_method > ARMILLA_SPIN_RECURRENCE)
        return armilla_fail_argument("options->spin_method", options->spin_method,
                                     "must be an armilla_sht_spin_method");
    if ((status = armilla_device_list_check(options->device, options->devices, options->ndevices)))
        return status;
    if (options->device_bytes < 0)
        return armilla_fail_argument("options->device_bytes", options->device_bytes,
                                     "must be 0 (usual) or more");
    if (options->points_memory < ARMILLA_MEMORY_ASK ||
        options->points_memory > ARMILLA_MEMORY_DEVICE)
        return armilla_fail_argument("options->points_memory", (int64_t)options->points_memory,
                                     "must be an armilla_memory");
    if (options->points_memory == ARMILLA_MEMORY_DEVICE && options->device == ARMILLA_CPU)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->points_memory = ARMILLA_MEMORY_DEVICE: the plan runs on the "
                            "CPU");
    if (options->layout && options->layout->mres != 1)
        return armilla_fail_argument("options->layout: mres", options->layout->mres,
                                     "must be 1: points are anywhere, not in a sector");
    if (options->layout && options->layout->lmax != lmax)
        return armilla_fail_argument("lmax", lmax, "differs from the lmax of options->layout");
    if (options->layout && options->layout->mmax != mmax)
        return armilla_fail_argument("mmax", mmax, "differs from the mmax of options->layout");
    return ARMILLA_OK;
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {ARMILLA_END_OF(armilla_points_options, epsilon),
                                  ARMILLA_END_OF(armilla_points_options, derivatives),
                                  ARMILLA_END_OF(armilla_points_options, device),
                                  ARMILLA_END_OF(armilla_points_options, points_memory),
                                  ARMILLA_END_OF(armilla_points_options, ndevices),
                                  ARMILLA_END_OF(armilla_points_options, delegate),
                                  sizeof(armilla_points_options),
                                  0};

armilla_status armilla_points_take_options(int64_t lmax, int64_t mmax,
                                           const armilla_points_options *options,
                                           armilla_points_options *taken)
{
    armilla_points_options_init(taken);
    armilla_status status =
        armilla_options_copy("options", "armilla_points_options", options, VERSIONS, taken);
    return status ? status : check_options(lmax, mmax, taken);
}

armilla_status armilla_points_take_plan_options(int64_t lmax, int64_t mmax,
                                                const armilla_points_options *options,
                                                armilla_points_options *taken,
                                                armilla_machine *machine)
{
    armilla_status status = armilla_points_take_options(lmax, mmax, options, taken);
    if (!status && taken->derivatives)
        status = armilla_fail_argument("options->derivatives", taken->derivatives,
                                       "must be 0 in a plan; armilla_points_evaluate takes others");
    return status ? status : armilla_machine_choose(taken->isa, machine);
}

armilla_status armilla_points_check_count(int64_t npoints, const double *points)
{
    if (npoints < 0 || npoints >= (int64_t)1 << 32)
        return armilla_fail_argument("npoints", npoints, "must be 0 to 2^32 - 1");
    return npoints ? armilla_check_given("points", points) : ARMILLA_OK;
}

armilla_status armilla_points_check_given(int64_t npoints, const double *points)
{
    armilla_status status = armilla_points_check_count(npoints, points);
    return status ? status : armilla_points_check(npoints, points);
}

/* Where the caller's points are, and what is known of them. */
typedef struct {
    int there;                          /* in a GPU's memory, which the host cannot read */
    const double *points;               /* there or here */
    armilla_points_locations locations; /* there: their count alone */
    armilla_points_extent extent;
} found;

static armilla_status find_points(const armilla_points_core *given, int64_t npoints,
                                  const double *points, armilla_memory memory, found *f)
{
    *f = (found){.points = points, .locations.count = npoints};
    armilla_status status = armilla_points_check_count(npoints, points);
    if (!status && given->on_device)
        status =
            armilla_points_device_see(given, npoints, &f->points, memory, &f->there, &f->extent);
    if (status || f->there) return status;
    status = armilla_points_survey(given->kernels, npoints, points, &f->locations);
    f->points = f->locations.points;
    if (!status) f->extent = armilla_points_extent_of(&f->locations);
    return status;
}

static void clear_found(found *f)
{
    armilla_points_locations_clear(&f->locations);
}

static armilla_status sort_points(const found *f, armilla_points *plan)
{
    const armilla_points_core *core = plan->core;
    if (!core->on_device)
        return armilla_points_order_make(&f->locations, &core->sampling, plan->nthreads, core->nmap,
                                         &plan->order);
    plan->order.count = f->locations.count;
    return armilla_points_device_sort(core, f->locations.count, f->points, f->there, &plan->sorted);
}

/* Takes a share of the core, whatever happens. like: its threads, and where points are. */
static armilla_status new_plan(armilla_points_core *core, const found *f,
                               const armilla_points *like, armilla_points **plan)
{
    armilla_points *made;
    atomic_fetch_add(core->users, 1);
    armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (!status) {
        made->core = core, made->nthreads = like->nthreads;
        made->points_memory = like->points_memory;
        if ((status = sort_points(f, made))) armilla_release(made);
    }
    if (status)
        armilla_points_core_release(core);
    else
        *plan = made;
    return status;
}

/* Bytes of alm and values. */
static int64_t array_bytes(const armilla_points_core *given, const armilla_points_options *options,
                           int64_t mmax, int64_t npoints)
{
    const int64_t size =
        options->layout ? options->layout->size : armilla_alm_size(given->lmax, mmax);
    return 16 * armilla_mode_nalm(options->mode, options->spin) * size +
           8 * armilla_mode_nmap(options->spin) * npoints;
}

static armilla_status new_for(armilla_points_core *given, int64_t mmax, const found *f,
                              const armilla_points_options *options, armilla_points **plan)
{
    const armilla_points like = {.nthreads = options->nthreads,
                                 .points_memory = options->points_memory};
    armilla_sampling sampling;
    armilla_points_core *core;
    armilla_status status =
        armilla_points_choose_sampling(given, mmax, f->locations.count, &f->extent, &sampling);
    if (!status && given->on_device && !given->device_bytes)
        status = armilla_points_device_budget(given, &sampling,
                                              array_bytes(given, options, mmax, f->locations.count),
                                              &given->device_bytes);
    if (!status) status = armilla_points_core_whole(given, options->layout, &sampling, &core);
    return status ? status : new_plan(core, f, &like, plan);
}

static armilla_status new_here(armilla_points_core *given, int64_t mmax, int64_t npoints,
                               const double *points, const armilla_points_options *options,
                               armilla_points **plan)
{
    found f;
    armilla_status status = find_points(given, npoints, points, options->points_memory, &f);
    if (!status) status = new_for(given, mmax, &f, options, plan);
    clear_found(&f);
    return status;
}

/* With the first GPU of a list as the current one. */
static armilla_status new_listed(armilla_points_core *given, int64_t mmax, int64_t npoints,
                                 const double *points, const armilla_points_options *options,
                                 armilla_points **plan)
{
    int before;
    armilla_status status = armilla_cuda()->gpus->enter(options->devices[0], &before);
    if (status) return status;
    status = new_here(given, mmax, npoints, points, options, plan);
    armilla_cuda()->gpus->leave(options->devices[0], before);
    return status;
}

armilla_status armilla_points_new(int64_t lmax, int64_t mmax, int64_t npoints, const double *points,
                                  const armilla_points_options *options, armilla_points **plan)
{
    armilla_points_options chosen;
    armilla_machine machine;
    armilla_status status =
        armilla_points_take_plan_options(lmax, mmax, options, &chosen, &machine);
    if (!status) status = armilla_check_given("plan", plan);
    if (!status) status = armilla_points_device_check(&chosen);
    if (status) return status;
    armilla_points_core given = armilla_points_core_given(lmax, mmax, &chosen, &machine);
    if (chosen.ndevices) return new_listed(&given, mmax, npoints, points, &chosen, plan);
    return new_here(&given, mmax, npoints, points, &chosen, plan);
}

/* The core of a plan or, since a core that was sampled for other points may not serve these, or
 * take more than twice as long as one of their own would, a new one. */
static armilla_status share_core(const armilla_points *plan, const found *f,
                                 armilla_points_core **core)
{
    armilla_points_core given = *plan->core;
    given.mmax = plan->core->layout->mmax;
    armilla_sampling own;
    const armilla_status status =
        armilla_points_choose_sampling(&given, given.mmax, f->locations.count, &f->extent, &own);
    if (status) return status;
    *core = plan->core;
    if (armilla_sampling_is_shared(&plan->core->sampling, &f->extent, &own)) return ARMILLA_OK;
    return armilla_points_core_whole(&given, plan->core->layout, &own, core);
}

static armilla_status new_beside(const armilla_points *plan, int64_t npoints, const double *points,
                                 armilla_points **result)
{
    armilla_points_core *core = plan->core;
    found f;
    armilla_status status = find_points(core, npoints, points, plan->points_memory, &f);
    if (!status) status = share_core(plan, &f, &core);
    if (!status) status = new_plan(core, &f, plan, result);
    clear_found(&f);
    return status;
}

armilla_status armilla_points_new_beside(const armilla_points *plan, int64_t npoints,
                                         const double *points, armilla_points **result)
{
    int before = 0;
    armilla_status status = armilla_check_given("plan", plan);
    if (!status) status = armilla_check_given("result", result);
    if (status || !plan->core->on_device)
        return status ? status : new_beside(plan, npoints, points, result);
    const int device = armilla_points_device_number(plan->core);
    if ((status = armilla_cuda()->gpus->enter(device, &before))) return status;
    status = new_beside(plan, npoints, points, result);
    armilla_cuda()->gpus->leave(device, before);
    return status;
}

void armilla_points_free(armilla_points *plan)
{
    if (!plan) return;
    armilla_cuda_free(plan->sorted);
    armilla_points_order_clear(&plan->order);
    armilla_points_core_release(plan->core);
    armilla_release(plan);
}

/* --- What it is ------------------------------------------------------------------------------- */

static int64_t plan_bytes(const armilla_points *plan)
{
    const int64_t order = plan->core->on_device ? 0 : armilla_points_order_bytes(&plan->order);
    return order + armilla_points_core_bytes(plan->core);
}

armilla_status armilla_points_describe(const armilla_points *plan, int nthreads,
                                       armilla_points_description *description)
{
    armilla_status status = armilla_check_given("plan", plan);
    if (status) return status;
    if (nthreads < 0) return armilla_fail_argument("nthreads", nthreads, "must be 0 (all) or more");
    const armilla_points_core *core = plan->core;
    const double whole = (double)core->sampling.whole;
    const armilla_points_description made = {
        .isa = armilla_isa_label(core->machine.isa),
        .lmax = core->lmax,
        .mmax = core->layout->mmax,
        .npoints = plan->order.count,
        .ncomp = core->nmap,
        .alm_ncomp = core->nalm,
        .alm_size = core->layout->size,
        .epsilon = core->sampling.epsilon,
        .nrings = core->sampling.nrings,
        .nphi = core->sampling.nphi,
        .taps = core->sampling.taps,
        .plan_bytes = plan_bytes(plan),
        .workspace_bytes =
            core->on_device ? 0
                            : 8 * armilla_points_workspace_size(plan, armilla_team_size(nthreads)),
        .north = M_PI * ((double)core->sampling.first / whole),
        .south = M_PI * ((double)(core->sampling.first + core->sampling.nrings) / whole),
        .near_rings = core->sampling.near_rings,
        .highest_order = core->mmax,
        .backend = core->on_device ? "cuda" : "cpu",
        .device_plan_bytes = armilla_cuda_bytes(plan->sorted),
        .device_workspace_bytes = armilla_points_device_needs(plan).bytes};
    return armilla_description_give("description", "armilla_points_description", &made, sizeof made,
                                    description);
}

/* --- Operators -------------------------------------------------------------------------------- */

armilla_status armilla_points_open(const armilla_points *plan, const armilla_exec *exec,
                                   armilla_call *call)
{
    armilla_status status = armilla_check_given("plan", plan);
    if (status) return status;
    const armilla_points_core *core = plan->core;
    const armilla_call_arrays arrays = {.alm_size = core->layout->size,
                                        .nalm = core->nalm,
                                        .npix = plan->order.count,
                                        .nmap = core->nmap,
                                        .ndevices =
                                            core->on_device ? core->ndevices + !core->ndevices : 0,
                                        .samples = "values"};
    return armilla_call_open(&arrays, exec, call);
}

static armilla_status operate(const armilla_points *plan, int to_points, armilla_array alm,
                              armilla_array values, const armilla_exec *exec)
{
    armilla_call call = armilla_call_of(to_points, alm, values);
    const armilla_status status = armilla_points_open(plan, exec, &call);
    return status ? status : armilla_points_run(plan, &call, NULL);
}

armilla_status armilla_points_synthesis(const armilla_points *plan, const double *alm,
                                        double *values, const armilla_exec *exec)
{
    return operate(plan, 1, armilla_array_of_doubles(alm), armilla_array_of_doubles(values), exec);
}

armilla_status armilla_points_adjoint_synthesis(const armilla_points *plan, const double *values,
                                                double *alm, const armilla_exec *exec)
{
    return operate(plan, 0, armilla_array_of_doubles(alm), armilla_array_of_doubles(values), exec);
}

armilla_status armilla_points_synthesis_float(const armilla_points *plan, const float *alm,
                                              float *values, const armilla_exec *exec)
{
    return operate(plan, 1, armilla_array_of_floats(alm), armilla_array_of_floats(values), exec);
}

armilla_status armilla_points_adjoint_synthesis_float(const armilla_points *plan,
                                                      const float *values, float *alm,
                                                      const armilla_exec *exec)
{
    return operate(plan, 0, armilla_array_of_floats(alm), armilla_array_of_floats(values), exec);
}

/* --- What it has chosen ----------------------------------------------------------------------- */

armilla_status armilla_points_explain(const armilla_points *plan, armilla_choice_fn take,
                                      void *data)
{
    const armilla_status status = armilla_teller_check("plan", plan, take);
    if (status) return status;
    armilla_points_tell(plan, &(armilla_teller){.take = take, .data = data});
    return ARMILLA_OK;
}
