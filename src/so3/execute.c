/* The operators of functions on the rotation group: for each n a mix and a transform of spin n, and
 * one Fourier transform over gamma. See plan.h. */
#include "so3/plan.h"

#include "base/integer.h"
#include "base/memory.h"
#include "sht/execute.h"
#include "so3/gamma.h"
#include "so3/mix.h"

typedef struct {
    const armilla_so3 *plan;
    int weighted;
    armilla_call call;
    int64_t parts;         /* of the call, for its progress */
    double *alm, *map;     /* of one function */
    double *rows, *planes; /* planes: of an analysis */
    double *scratch;
    int nthreads;
} run;

/* --- Memory ----------------------------------------------------------------------------------- */

/* Doubles of each part. */
typedef struct {
    int64_t rows, planes, scratch;
} sizes;

static sizes sizes_of(const armilla_so3 *plan, int to_map, int nthreads)
{
    const armilla_sht *scalar = plan->of[0];
    const int64_t maps = 2 * plan->at_a_time;
    const armilla_fft *fft = armilla_fft_set_find(plan->ffts, plan->ngamma);
    return (sizes){.rows = armilla_round_line(4 * scalar->layout->size),
                   .planes = to_map ? 0 : armilla_round_line(maps * scalar->npix),
                   .scratch = nthreads * armilla_so3_gamma_scratch(plan->ngamma, fft)};
}

int64_t armilla_so3_workspace_bytes(const armilla_so3 *plan, int nthreads)
{
    const sizes s = sizes_of(plan, 0, nthreads);
    return 8 * (s.rows + s.planes + s.scratch);
}

/* --- Steps ------------------------------------------------------------------------------------ */

static armilla_status next_part(run *r)
{
    return armilla_relay_next(&r->call.relay, 1 / (double)(r->parts * r->call.exec.ntrans));
}

static double *triangle(const run *r, int64_t n)
{
    return r->alm + 2 * (r->plan->nmax + n) * r->call.exec.alm_distance;
}

static armilla_so3_mix mix_of(const run *r, int64_t n)
{
    const armilla_alm_layout *layout = r->plan->of[0]->layout;
    return (armilla_so3_mix){.lmax = layout->lmax,
                             .mmax = layout->mmax,
                             .n = n,
                             .scale = r->plan->scale[r->weighted],
                             .plus = triangle(r, n),
                             .minus = triangle(r, -n),
                             .rows = r->rows,
                             .nthreads = r->nthreads};
}

/* The transform of spin n between the rows and a plane. */
static armilla_status transform(run *r, int64_t n, double *plane, int64_t distance)
{
    const armilla_array rows = armilla_array_of_doubles(r->rows);
    const armilla_array map = armilla_array_of_doubles(plane);
    armilla_exec inner = armilla_call_inner(&r->call);
    armilla_sht *sht;
    armilla_status status = armilla_so3_take_spin(r->plan, n, &sht);
    if (status) return status;
    inner.alm_distance = sht->layout->size, inner.map_distance = distance;
    status = r->call.to_map ? armilla_sht_to_map(sht, r->weighted, rows, map, &inner)
                            : armilla_sht_to_alm(sht, r->weighted, map, rows, &inner);
    armilla_so3_give_spin(r->plan, n, sht);
    return status;
}

static armilla_so3_gamma gamma_of(const run *r, int64_t first, int64_t end)
{
    const armilla_so3 *plan = r->plan;
    return (armilla_so3_gamma){.grid = plan->of[0]->grid,
                               .fft = armilla_fft_set_find(plan->ffts, plan->ngamma),
                               .ngamma = plan->ngamma,
                               .first = first,
                               .end = end,
                               .samples = r->map,
                               .planes = r->call.to_map ? r->map : r->planes,
                               .sample_distance = r->call.exec.map_distance,
                               .plane_distance =
                                   r->call.to_map ? r->call.exec.map_distance : plan->of[0]->npix,
                               .scratch = r->scratch,
                               .nthreads = r->nthreads};
}

/* --- Both ways -------------------------------------------------------------------------------- */

static armilla_status to_map(run *r)
{
    const int64_t nmax = r->plan->nmax, distance = r->call.exec.map_distance;
    const armilla_so3_gamma gamma = gamma_of(r, 0, nmax + 1);
    armilla_status status = ARMILLA_OK;
    for (int64_t n = 0; n <= nmax && !status; n++) {
        const armilla_so3_mix mix = mix_of(r, n);
        if ((status = next_part(r))) return status;
        armilla_so3_mix_to_rows(&mix);
        status = transform(r, n, r->map + armilla_so3_maps_before(n) * distance, distance);
    }
    if (!status) status = next_part(r);
    if (!status) armilla_so3_to_samples(&gamma);
    return status;
}

/* The planes first .. end - 1. */
static armilla_status some_to_alm(run *r, int64_t first, int64_t end)
{
    const armilla_so3_gamma gamma = gamma_of(r, first, end);
    armilla_status status = next_part(r);
    if (status) return status;
    armilla_so3_to_planes(&gamma);
    for (int64_t n = first; n < end; n++) {
        const int64_t map = armilla_so3_maps_before(n) - armilla_so3_maps_before(first);
        const armilla_so3_mix mix = mix_of(r, n);
        if ((status = next_part(r)) ||
            (status =
                 transform(r, n, r->planes + map * gamma.plane_distance, gamma.plane_distance)))
            return status;
        armilla_so3_mix_from_rows(&mix);
    }
    return ARMILLA_OK;
}

static armilla_status to_alm(run *r)
{
    const int64_t end = r->plan->nmax + 1, step = r->plan->at_a_time;
    armilla_status status = ARMILLA_OK;
    for (int64_t first = 0; first < end && !status; first += step)
        status = some_to_alm(r, first, armilla_smaller(first + step, end));
    return status;
}

static armilla_status run_all(run *r)
{
    const armilla_so3 *plan = r->plan;
    const sizes s = sizes_of(plan, r->call.to_map, r->nthreads);
    double *alm = r->call.alm.values, *map = r->call.map.values, *memory;
    armilla_status status =
        armilla_workspace_take(plan->workspace, s.rows + s.planes + s.scratch, &memory);
    if (status) return status;
    r->rows = memory, r->planes = r->rows + s.rows, r->scratch = r->planes + s.planes;
    for (int64_t t = 0; t < r->call.exec.ntrans && !status; t++) {
        r->alm = alm + 2 * t * (2 * plan->nmax + 1) * r->call.exec.alm_distance;
        r->map = map + t * plan->ngamma * r->call.exec.map_distance;
        status = r->call.to_map ? to_map(r) : to_alm(r);
    }
    armilla_workspace_give(plan->workspace, memory);
    return status;
}

static armilla_status execute(const armilla_so3 *plan, int weighted, int to_map, const double *alm,
                              const double *map, const armilla_exec *exec)
{
    armilla_status status = armilla_check_given("plan", plan);
    if (status) return status;
    const armilla_sht *scalar = plan->of[0];
    const armilla_call_arrays arrays = {.alm_size = scalar->layout->size,
                                        .nalm = 2 * plan->nmax + 1,
                                        .npix = scalar->npix,
                                        .nmap = plan->ngamma,
                                        .grid = scalar->grid};
    run r = {.plan = plan,
             .weighted = weighted,
             .call = armilla_call_of(to_map, armilla_array_of_doubles(alm),
                                     armilla_array_of_doubles(map))};
    if ((status = armilla_call_open(&arrays, exec, &r.call))) return status;
    const int64_t fourier = to_map ? 1 : (plan->nmax + plan->at_a_time) / plan->at_a_time;
    r.parts = plan->nmax + 1 + fourier;
    r.nthreads = armilla_sht_threads(scalar, r.call.exec.nthreads);
    return run_all(&r);
}

/* --- Public ----------------------------------------------------------------------------------- */

armilla_status armilla_so3_synthesis(const armilla_so3 *plan, const double *alm, double *map,
                                     const armilla_exec *exec)
{
    return execute(plan, 0, 1, alm, map, exec);
}

armilla_status armilla_so3_adjoint_synthesis(const armilla_so3 *plan, const double *map,
                                             double *alm, const armilla_exec *exec)
{
    return execute(plan, 0, 0, alm, map, exec);
}

armilla_status armilla_so3_analysis(const armilla_so3 *plan, const double *map, double *alm,
                                    const armilla_exec *exec)
{
    return execute(plan, 1, 0, alm, map, exec);
}

armilla_status armilla_so3_adjoint_analysis(const armilla_so3 *plan, const double *alm, double *map,
                                            const armilla_exec *exec)
{
    return execute(plan, 1, 1, alm, map, exec);
}
