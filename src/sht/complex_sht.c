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
    armilla_status status = armilla_sht_check_plain(options, "for complex fields");
    if (status) return status;
    if (options->device != ARMILLA_CPU)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "options->device: must be ARMILLA_CPU for complex fields");
    return ARMILLA_OK;
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
    armilla_status status = armilla_sht_take_options(options, &chosen);
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
    made->npix = grid->npix;
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
    const armilla_status status = armilla_check_given("sht", sht);
    return status ? status : armilla_sht_explain(sht->sht, take, data);
}

/* --- A call ---------------------------------------------------------------------------------- */

typedef struct {
    const armilla_complex_sht *plan;
    armilla_sht sht; /* the plan's, for maps whose parts are one number apart */
    int weighted, to_map;
    armilla_array alm, map;
    armilla_exec exec;
    armilla_complex_coefficients coefficients;
    armilla_relay relay;
} call;

/* exec: the caller's. */
static armilla_status check_exec(call *c, const armilla_exec *exec)
{
    const int64_t alm = armilla_complex_size(c->sht.layout->lmax), map = c->plan->npix;
    armilla_exec *e = &c->exec;
    armilla_status status = armilla_exec_take(exec, e);
    if (!status) status = armilla_exec_check_memory(e, c->sht.cuda != NULL);
    if (status) return status;
    if (e->alm_distance == 0) e->alm_distance = alm;
    if (e->map_distance == 0) e->map_distance = map;
    status = armilla_exec_check_distance("alm_distance", e->alm_distance, alm, e->ntrans, 1);
    return status ? status
                  : armilla_exec_check_distance("map_distance", e->map_distance, map, e->ntrans, 1);
}

static armilla_array map_of(const call *c, int64_t t)
{
    return armilla_array_from(c->map, 2 * t * c->exec.map_distance);
}

static armilla_status check_missing(const call *c)
{
    armilla_missing_values found = {.count = 0};
    armilla_status status = ARMILLA_OK;
    int64_t t = -1;
    while (++t < c->exec.ntrans && c->exec.missing && !found.count && !status) {
        const armilla_missing_maps maps = {.map = map_of(c, t), .distance = 1};
        status = armilla_missing_find(c->sht.grid, 2, &maps, NULL, c->exec.nthreads, &found);
    }
    if (status || !found.count) return status;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "map[%lld]: its %s part %g is missing, one of %lld numbers of transform "
                        "%lld that are NaN, infinite or UNSEEN; set missing = PROPAGATE to take "
                        "them as they are",
                        (long long)((t - 1) * c->exec.map_distance + found.first / 2),
                        found.first % 2 ? "imaginary" : "real", found.value, (long long)found.count,
                        (long long)(t - 1));
}

/* Transform t, by way of u and v. */
static armilla_status run_one(call *c, int64_t t)
{
    const int nthreads = armilla_sht_threads(&c->sht, c->exec.nthreads);
    const armilla_array half = c->coefficients.half;
    armilla_exec inner = c->exec;
    inner.ntrans = parts_of(&c->sht), inner.alm_distance = 0, inner.map_distance = 1;
    if (inner.progress) inner.progress = armilla_relay_report, inner.progress_data = &c->relay;
    c->coefficients.both = armilla_array_from(c->alm, 2 * t * c->exec.alm_distance);
    armilla_status status = armilla_relay_next(&c->relay, 1 / (double)c->exec.ntrans);
    if (status) return status;
    if (c->to_map) {
        armilla_complex_split(&c->coefficients, nthreads);
        return armilla_sht_to_map(&c->sht, c->weighted, half, map_of(c, t), &inner);
    }
    status = armilla_sht_to_alm(&c->sht, c->weighted, map_of(c, t), half, &inner);
    if (!status) armilla_complex_join(&c->coefficients, nthreads);
    return status;
}

static armilla_status run(call *c)
{
    double *halves;
    armilla_status status =
        armilla_workspace_take(c->plan->halves, 4 * c->sht.layout->size, &halves);
    if (status) return status;
    c->coefficients.half = (armilla_array){halves, c->alm.is_float};
    armilla_relay_start(&c->relay, c->exec.progress, c->exec.progress_data);
    for (int64_t t = 0; t < c->exec.ntrans && !status; t++) status = run_one(c, t);
    armilla_workspace_give(c->plan->halves, halves);
    return status;
}

static armilla_status execute(const armilla_complex_sht *sht, int weighted, int to_map,
                              armilla_array alm, armilla_array map, const armilla_exec *exec)
{
    armilla_status status = armilla_check_given("sht", sht);
    if (!status) status = armilla_alm_check_array("alm", alm.values);
    if (!status) status = armilla_alm_check_array("map", map.values);
    if (status) return status;
    const armilla_sht *inner = sht->sht;
    const int64_t spin = inner->spin < 0 ? -inner->spin : inner->spin;
    call c = {.plan = sht, .sht = *inner, .weighted = weighted, .to_map = to_map};
    c.sht.npix = 1, c.alm = alm, c.map = map;
    c.coefficients = (armilla_complex_coefficients){.lmax = inner->layout->lmax,
                                                    .mmax = inner->layout->mmax,
                                                    .least = spin,
                                                    .sign = spin ? -1 : 1};
    if ((status = check_exec(&c, exec)) || (!to_map && (status = check_missing(&c)))) return status;
    if (weighted && (status = armilla_sht_check_weights(inner))) return status;
    return run(&c);
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
