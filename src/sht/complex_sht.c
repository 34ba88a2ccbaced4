/* Transforms of complex fields by a plan for real ones, which runs on the very maps of the caller:
 * their real and imaginary parts are two maps whose pixels take turns, a distance of one number
 * apart. A scalar is two transforms of spin 0, a field of spin s is one of spin s. */
#include "armilla/complex_sht.h"

#include "base/exec.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/progress.h"
#include "grid/grid.h"
#include "grid/missing.h"
#include "sht/complex_coefficients.h"
#include "sht/execute.h"

struct armilla_complex_sht {
    armilla_sht *sht; /* on a grid whose pixels take turns */
    armilla_workspace_store *halves;
    armilla_delegation delegation;
    int64_t npix; /* complex numbers of a map */
};

int64_t armilla_complex_index(int64_t l, int64_t m)
{
    const int64_t most = (int64_t)1 << 31;
    return l < 0 || l >= most || m < -l || m > l ? -1 : l * l + l + m;
}

/* Transforms of the plan for real fields that are one of a complex field. */
static int64_t parts_of(const armilla_sht *sht)
{
    return 2 / sht->nmap;
}

/* --- The plan -------------------------------------------------------------------------------- */

static armilla_status check_options(const armilla_sht_options *options)
{
    if (options->mode != ARMILLA_SHT_STANDARD)
        return armilla_fail_argument("options->mode", (int64_t)options->mode,
                                     "must be ARMILLA_SHT_STANDARD");
    if (options->layout)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->layout: must be NULL, for f_lm is number l^2 + l + m");
    return armilla_sht_check_plain(options, "for complex fields");
}

/* The grid of the real parts: that of the imaginary parts is one number behind it. */
static armilla_status interleave(const armilla_grid *grid, armilla_grid **parts)
{
    const int64_t most = INT64_MAX / 64;
    if (!grid) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "grid = NULL: must be a grid");
    if (grid->npix > most)
        return armilla_fail_argument("grid: npix", grid->npix, "must be less than 2^57");
    armilla_status status = armilla_grid_refuse_nested(grid, "a transform of complex fields");
    if (status || (status = armilla_grid_copy(grid, parts))) return status;
    (*parts)->npix *= 2;
    for (int64_t r = 0; r < grid->nrings; r++)
        (*parts)->rings[r].offset *= 2, (*parts)->rings[r].stride *= 2;
    return ARMILLA_OK;
}

armilla_status armilla_complex_sht_new(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                       const armilla_sht_options *options,
                                       armilla_complex_sht **sht)
{
    armilla_sht_options chosen;
    armilla_grid *parts = NULL;
    armilla_complex_sht *made = NULL;
    armilla_delegation delegation;
    armilla_status status = armilla_sht_take_options(options, &chosen);
    if (!status)
        status = armilla_sht_delegate("options->device", ARMILLA_OPERATION_COMPLEX, &chosen,
                                      &delegation);
    if (!status) status = check_options(&chosen);
    if (!status) status = armilla_check_given("sht", sht);
    if (!status) status = armilla_check_band_limit(lmax, mmax);
    if (status || (status = interleave(grid, &parts))) return status;
    if (!(status = armilla_allocate_zero(&made, 1, sizeof *made)) &&
        !(status = armilla_workspace_store_new(&made->halves)))
        status = armilla_sht_new(parts, lmax, mmax, &chosen, &made->sht);
    armilla_grid_free(parts);
    if (status) {
        armilla_complex_sht_free(made);
        return status;
    }
    made->npix = grid->npix, made->delegation = delegation;
    *sht = made;
    return ARMILLA_OK;
}

void armilla_complex_sht_free(armilla_complex_sht *sht)
{
    if (!sht) return;
    armilla_sht_free(sht->sht);
    armilla_workspace_store_free(sht->halves);
    armilla_release(sht);
}

armilla_status armilla_complex_sht_describe(const armilla_complex_sht *sht, int nthreads,
                                            armilla_sht_description *description)
{
    armilla_sht_description whole = {.size = sizeof whole};
    armilla_status status = armilla_check_given("sht", sht);
    if (status) return status;
    status = armilla_sht_describe_many(sht->sht, nthreads, parts_of(sht->sht), &whole);
    if (status) return status;
    whole.backend = armilla_delegation_backend(&sht->delegation, whole.backend);
    whole.workspace_bytes += 2 * 16 * whole.alm_size;
    whole.useful_flops *= sht->sht->spin ? 1 : 2;
    whole.alm_size = armilla_complex_size(whole.lmax);
    whole.npix = sht->npix;
    whole.ncomp = whole.alm_ncomp = 1;
    return armilla_description_give("description", "armilla_sht_description", &whole, sizeof whole,
                                    description);
}

armilla_status armilla_complex_sht_explain(const armilla_complex_sht *sht, armilla_choice_fn take,
                                           void *data)
{
    armilla_status status = armilla_check_given("sht", sht);
    if (!status) status = armilla_sht_explain(sht->sht, take, data);
    if (!status) armilla_delegation_tell(&sht->delegation, take, data);
    return status;
}

/* --- A call ---------------------------------------------------------------------------------- */

typedef struct {
    const armilla_complex_sht *plan;
    armilla_sht sht; /* the plan's, for maps whose parts are one number apart */
    int weighted;
    armilla_call call;
    armilla_complex_coefficients coefficients;
} run;

static armilla_array map_of(const run *r, int64_t t)
{
    return armilla_array_from(r->call.map, 2 * t * r->call.exec.map_distance);
}

static armilla_status check_missing(const run *r)
{
    const armilla_exec *exec = &r->call.exec;
    armilla_missing_values found = {.count = 0};
    armilla_status status = ARMILLA_OK;
    int64_t t = -1;
    while (++t < exec->ntrans && exec->missing && !found.count && !status) {
        const armilla_missing_maps maps = {.map = map_of(r, t), .distance = 1};
        status = armilla_missing_find(r->sht.grid, 2, &maps, NULL, exec->nthreads, &found);
    }
    if (status || !found.count) return status;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "map[%lld]: its %s part %g is missing, one of %lld numbers of transform "
                        "%lld that are NaN, infinite or UNSEEN; set missing = PROPAGATE to take "
                        "them as they are",
                        (long long)((t - 1) * exec->map_distance + found.first / 2),
                        found.first % 2 ? "imaginary" : "real", found.value, (long long)found.count,
                        (long long)(t - 1));
}

/* Transform t, by way of u and v. */
static armilla_status run_one(run *r, int64_t t)
{
    armilla_call *c = &r->call;
    const int nthreads = armilla_sht_threads(&r->sht, c->exec.nthreads);
    const armilla_array half = r->coefficients.half;
    armilla_exec inner = armilla_call_inner(c);
    inner.ntrans = parts_of(&r->sht), inner.alm_distance = 0, inner.map_distance = 1;
    r->coefficients.both = armilla_array_from(c->alm, 2 * t * c->exec.alm_distance);
    armilla_status status = armilla_relay_next(&c->relay, 1 / (double)c->exec.ntrans);
    if (status) return status;
    if (c->to_map) {
        armilla_complex_split(&r->coefficients, nthreads);
        return armilla_sht_to_map(&r->sht, r->weighted, half, map_of(r, t), &inner);
    }
    status = armilla_sht_to_alm(&r->sht, r->weighted, map_of(r, t), half, &inner);
    if (!status) armilla_complex_join(&r->coefficients, nthreads);
    return status;
}

static armilla_status run_all(run *r)
{
    double *halves;
    armilla_status status =
        armilla_workspace_take(r->plan->halves, 4 * r->sht.layout->size, &halves);
    if (status) return status;
    r->coefficients.half = (armilla_array){halves, r->call.alm.is_float};
    for (int64_t t = 0; t < r->call.exec.ntrans && !status; t++) status = run_one(r, t);
    armilla_workspace_give(r->plan->halves, halves);
    return status;
}

static armilla_status execute(const armilla_complex_sht *sht, int weighted, int to_map,
                              armilla_array alm, armilla_array map, const armilla_exec *exec)
{
    armilla_status status = armilla_check_given("sht", sht);
    if (status) return status;
    const armilla_sht *inner = sht->sht;
    const int64_t lmax = inner->layout->lmax, spin = inner->spin < 0 ? -inner->spin : inner->spin;
    const armilla_call_arrays arrays = {.alm_size = armilla_complex_size(lmax),
                                        .nalm = 1,
                                        .npix = sht->npix,
                                        .nmap = 1,
                                        .map_unit = 2,
                                        .delegation = sht->delegation};
    run r = {.plan = sht,
             .sht = *inner,
             .weighted = weighted,
             .call = armilla_call_of(to_map, alm, map)};
    r.sht.npix = 1;
    r.coefficients = (armilla_complex_coefficients){
        .lmax = lmax, .mmax = inner->layout->mmax, .least = spin, .sign = spin ? -1 : 1};
    if ((status = armilla_call_take(&arrays, exec, &r.call))) return status;
    if (!to_map) status = check_missing(&r);
    if (!status && weighted) status = armilla_sht_check_weights(inner);
    if (!status) status = run_all(&r);
    return armilla_call_close(&r.call, status);
}

/* --- Public ----------------------------------------------------------------------------------- */

armilla_status armilla_complex_sht_synthesis(const armilla_complex_sht *sht, const double *alm,
                                             double *map, const armilla_exec *exec)
{
    return execute(sht, 0, 1, armilla_array_of_doubles(alm), armilla_array_of_doubles(map), exec);
}

armilla_status armilla_complex_sht_synthesis_float(const armilla_complex_sht *sht, const float *alm,
                                                   float *map, const armilla_exec *exec)
{
    return execute(sht, 0, 1, armilla_array_of_floats(alm), armilla_array_of_floats(map), exec);
}

armilla_status armilla_complex_sht_adjoint_synthesis(const armilla_complex_sht *sht,
                                                     const double *map, double *alm,
                                                     const armilla_exec *exec)
{
    return execute(sht, 0, 0, armilla_array_of_doubles(alm), armilla_array_of_doubles(map), exec);
}

armilla_status armilla_complex_sht_adjoint_synthesis_float(const armilla_complex_sht *sht,
                                                           const float *map, float *alm,
                                                           const armilla_exec *exec)
{
    return execute(sht, 0, 0, armilla_array_of_floats(alm), armilla_array_of_floats(map), exec);
}

armilla_status armilla_complex_sht_analysis(const armilla_complex_sht *sht, const double *map,
                                            double *alm, const armilla_exec *exec)
{
    return execute(sht, 1, 0, armilla_array_of_doubles(alm), armilla_array_of_doubles(map), exec);
}

armilla_status armilla_complex_sht_analysis_float(const armilla_complex_sht *sht, const float *map,
                                                  float *alm, const armilla_exec *exec)
{
    return execute(sht, 1, 0, armilla_array_of_floats(alm), armilla_array_of_floats(map), exec);
}

armilla_status armilla_complex_sht_adjoint_analysis(const armilla_complex_sht *sht,
                                                    const double *alm, double *map,
                                                    const armilla_exec *exec)
{
    return execute(sht, 1, 1, armilla_array_of_doubles(alm), armilla_array_of_doubles(map), exec);
}

armilla_status armilla_complex_sht_adjoint_analysis_float(const armilla_complex_sht *sht,
                                                          const float *alm, float *map,
                                                          const armilla_exec *exec)
{
    return execute(sht, 1, 1, armilla_array_of_floats(alm), armilla_array_of_floats(map), exec);
}
