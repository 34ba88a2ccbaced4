/* Convolves the same maps with several kernels. Plans run one after the other; what the method
 * RINGS makes of the rings of the maps is made once for all of them. See armilla/radial.h. */
#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "cuda/radial.h"
#include "grid/grid.h"
#include "grid/missing.h"
#include "radial/apply.h"
#include "radial/device.h"
#include "radial/execute.h"
#include "radial/mixing/spectra.h"

/* --- Arguments -------------------------------------------------------------------------------- */

static armilla_status check_plans(const armilla_radial *const *radials, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const char *reason = !radials[i] ? "is NULL"
                             : radials[i]->options.spin != radials[0]->options.spin
                                 ? "has another spin than radials[0]"
                             : !armilla_grid_is_same(radials[i]->grid, radials[0]->grid, 1)
                                 ? "has another grid than radials[0]"
                                 : NULL;
        if (reason)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "radials[%lld]: %s", (long long)i, reason);
    }
    return ARMILLA_OK;
}

/* --- What plans share ------------------------------------------------------------------------- */

/* What the plan reads of the maps as they are; NULL: nothing by RINGS. */
static const armilla_mixing *mixing_of(const armilla_radial *radial)
{
    return radial->standard ? NULL : radial->mixing;
}

/* Memory for coefficients of nmaps maps, if two plans or more have use for them. */
static armilla_status make_spectra(const armilla_radial *const *radials, int64_t count,
                                   int64_t nmaps, armilla_mixing_spectra *spectra)
{
    const armilla_mixing **mixings;
    int64_t users = 0;
    armilla_status status = armilla_allocate(&mixings, count, sizeof *mixings);
    if (status) return status;
    for (int64_t i = 0; i < count; i++) users += (mixings[i] = mixing_of(radials[i])) != NULL;
    if (users > 1) status = armilla_mixing_spectra_make(count, mixings, nmaps, spectra);
    armilla_release(mixings);
    return status;
}

/* --- A call ----------------------------------------------------------------------------------- */

typedef struct {
    const armilla_radial *const *radials;
    int64_t count;
    armilla_mixing_spectra spectra;
    int64_t nmaps;     /* of all transforms */
    armilla_work work; /* scratch to read spectra with */
} run;

static double count_units(const run *r)
{
    double units = 0;
    for (int64_t i = 0; i < r->count; i++) {
        const armilla_radial_call call = {.radial = r->radials[i], .nmaps = r->nmaps};
        units += armilla_radial_units(&call);
    }
    return units;
}

/* A few maps through all plans. */
static armilla_status run_maps(const run *r, const armilla_maps *maps, int64_t nmaps)
{
    armilla_status status = ARMILLA_OK;
    const armilla_mixing_spectra *spectra = r->spectra.reader ? &r->spectra : NULL;
    if (spectra) armilla_mixing_spectra_read(spectra, maps, nmaps, &r->work);
    for (int64_t i = 0; i < r->count && !status; i++) {
        const armilla_radial_call call = {.radial = r->radials[i],
                                          .nmaps = nmaps,
                                          .nthreads = r->work.nthreads,
                                          .progress = r->work.progress,
                                          .spectra = spectra};
        armilla_maps here = *maps;
        here.out = armilla_array_from(maps->out, i * r->nmaps * maps->out_distance);
        status = armilla_radial_apply(&call, &here);
    }
    return status;
}

static armilla_status run_all(const run *r, const armilla_maps *maps)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t t = 0; t < r->nmaps && !status; t += ARMILLA_RADIAL_MAPS) {
        const armilla_maps some = armilla_maps_from(maps, t);
        status = run_maps(r, &some, armilla_smaller(r->nmaps - t, ARMILLA_RADIAL_MAPS));
    }
    return status;
}

static armilla_status run_plans(const armilla_radial *const *radials, int64_t count,
                                const armilla_maps *maps, const armilla_exec *exec)
{
    armilla_progress progress;
    run r = {.radials = radials,
             .count = count,
             .nmaps = exec->ntrans * armilla_radial_ncomp(radials[0]),
             .work = {.nthreads = armilla_team_size(exec->nthreads), .progress = &progress}};
    const int64_t most = armilla_smaller(r.nmaps, ARMILLA_RADIAL_MAPS);
    armilla_status status = make_spectra(radials, count, most, &r.spectra);
    if (!status && r.spectra.reader) {
        r.work.scratch_size = armilla_round_line(armilla_mixing_scratch_size(r.spectra.reader));
        status = armilla_allocate(&r.work.scratch, r.work.nthreads * r.work.scratch_size,
                                  sizeof *r.work.scratch);
    }
    armilla_progress_start(&progress, exec->progress, exec->progress_data, count_units(&r));
    if (!status) status = run_all(&r, maps);
    armilla_release(r.work.scratch);
    armilla_mixing_spectra_clear(&r.spectra);
    return status;
}

/* --- On a GPU --------------------------------------------------------------------------------- */

/* Plans of a call run on the processor, or all of them on a GPU. */
static armilla_status check_devices(const armilla_radial *const *radials, int64_t count)
{
    const int there = radials[0]->cuda != NULL;
    for (int64_t i = 1; i < count; i++)
        if ((radials[i]->cuda != NULL) != there)
            return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                                "radials[%lld]: is %s a GPU, unlike radials[0]", (long long)i,
                                there ? "not on" : "on");
    return ARMILLA_OK;
}

/* On several GPUs each call is dealt out by itself. */
static int shares_rings(const armilla_radial *radial)
{
    return radial->mixing && !radial->inner && !radial->shares;
}

/* Neighbours of the method RINGS share what is made of the rings of the maps: how many go together
 * with the first one. */
static int64_t count_neighbours(const armilla_radial *const *radials, int64_t count)
{
    int64_t together = 1;
    while (together < count && shares_rings(radials[0]) && shares_rings(radials[together]))
        together++;
    return together;
}

static armilla_status list_plans(const armilla_radial *const *radials, int64_t count,
                                 const armilla_cuda_radial_plan ***plans)
{
    const armilla_status status = armilla_allocate(plans, count, sizeof **plans);
    for (int64_t i = 0; i < count && !status; i++) (*plans)[i] = radials[i]->cuda;
    return status;
}

static armilla_status run_there(const armilla_radial *const *radials, int64_t count,
                                const armilla_maps *maps, const armilla_exec *exec)
{
    const int64_t nmaps = exec->ntrans * armilla_radial_ncomp(radials[0]);
    const armilla_cuda_radial_plan **plans;
    armilla_status status = list_plans(radials, count, &plans);
    for (int64_t i = 0, next; i < count && !status; i = next) {
        const armilla_radial_call call = {.radial = radials[i], .nmaps = nmaps};
        armilla_maps here = *maps;
        here.out = armilla_array_from(maps->out, i * nmaps * maps->out_distance);
        next = i + count_neighbours(radials + i, count - i);
        status = next - i > 1 ? armilla_radial_run_device(plans + i, next - i, &call, &here, exec)
                              : armilla_radial_run_there(&call, &here, exec);
    }
    armilla_release(plans);
    return status;
}

/* --- Calls ------------------------------------------------------------------------------------ */

static armilla_status check(const armilla_radial *const *radials, int64_t count)
{
    armilla_status status = armilla_check_given("radials", radials);
    if (!status && count < 1)
        status = armilla_fail_argument("nradials", count, "must be 1 or more");
    if (!status) status = check_plans(radials, count);
    return status ? status : check_devices(radials, count);
}

static armilla_status execute(const armilla_radial *const *radials, int64_t count,
                              armilla_array map, armilla_array out, const armilla_exec *given)
{
    armilla_exec exec;
    armilla_status status = check(radials, count);
    if (!status) status = armilla_check_given("map", map.values);
    if (!status) status = armilla_check_given("out", out.values);
    if (!status) status = armilla_radial_check_exec(radials[0], given, &exec);
    if (status) return status;
    const armilla_maps maps = {map, out, exec.map_distance, exec.map_distance};
    if ((status = armilla_radial_check_missing(radials[0], &maps, NULL, &exec))) return status;
    return (radials[0]->cuda ? run_there : run_plans)(radials, count, &maps, &exec);
}

armilla_status armilla_radial_convolve_many(const armilla_radial *const *radials, int64_t nradials,
                                            const double *map, double *out,
                                            const armilla_exec *exec)
{
    return execute(radials, nradials, armilla_array_of_doubles(map), (armilla_array){out, 0}, exec);
}

armilla_status armilla_radial_convolve_many_float(const armilla_radial *const *radials,
                                                  int64_t nradials, const float *map, float *out,
                                                  const armilla_exec *exec)
{
    return execute(radials, nradials, armilla_array_of_floats(map), (armilla_array){out, 1}, exec);
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Is the plan one of those before it? Its workspace is then there. */
static int was_there(const armilla_radial *const *radials, int64_t number)
{
    for (int64_t i = 0; i < number; i++)
        if (radials[i] == radials[number]) return 1;
    return 0;
}

/* Each plan keeps its workspace; the coefficients, and scratch to read them with, are there beside
 * them. */
static armilla_status count_here(const armilla_radial *const *radials, int64_t count,
                                 const armilla_exec *exec, int64_t *bytes)
{
    const int64_t nmaps = exec->ntrans * armilla_radial_ncomp(radials[0]);
    const int64_t most = armilla_smaller(nmaps, ARMILLA_RADIAL_MAPS);
    const int nthreads = armilla_team_size(exec->nthreads);
    armilla_mixing_spectra spectra = {0};
    const armilla_status status = make_spectra(radials, count, 0, &spectra);
    if (status) return status;
    *bytes = armilla_mixing_spectra_bytes(&spectra, most);
    if (spectra.reader)
        *bytes += 8 * nthreads * armilla_round_line(armilla_mixing_scratch_size(spectra.reader));
    for (int64_t i = 0; i < count; i++)
        if (!was_there(radials, i)) *bytes += armilla_radial_call_bytes(radials[i], most, nthreads);
    armilla_mixing_spectra_clear(&spectra);
    return ARMILLA_OK;
}

/* The largest of the parts that run one after the other. */
static armilla_status count_there(const armilla_radial *const *radials, int64_t count, int on_host,
                                  int64_t *bytes)
{
    const armilla_cuda_radial_plan **plans;
    const armilla_status status = list_plans(radials, count, &plans);
    for (int64_t i = 0, next; i < count && !status; i = next) {
        next = i + count_neighbours(radials + i, count - i);
        *bytes = armilla_larger(*bytes, plans[i]->call_bytes(plans + i, next - i, on_host, 0));
    }
    armilla_release(plans);
    return status;
}

armilla_status armilla_radial_many_bytes(const armilla_radial *const *radials, int64_t nradials,
                                         const armilla_exec *given, int64_t *bytes,
                                         int64_t *device_bytes)
{
    armilla_exec exec;
    armilla_status status = check(radials, nradials);
    if (!status) status = armilla_radial_check_exec(radials[0], given, &exec);
    if (!status) status = armilla_check_given("bytes", bytes);
    if (!status) status = armilla_check_given("device_bytes", device_bytes);
    if (status) return status;
    *bytes = *device_bytes = 0;
    return radials[0]->cuda
               ? count_there(radials, nradials, exec.memory != ARMILLA_MEMORY_DEVICE, device_bytes)
               : count_here(radials, nradials, &exec, bytes);
}
