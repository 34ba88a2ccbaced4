/* What a deflection is: a caller's struct, and its field of spin 1 on a grid. See pointing.h. */
#include "armilla/sht.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/unseen.h"
#include "lensing/pointing.h"

#include <math.h>

/* --- Arguments ---------------------------------------------------------------------------------
 */

void armilla_deflection_init_sized(armilla_deflection *deflection, size_t size)
{
    const armilla_deflection defaults = {.kind = ARMILLA_DEFLECTION_POTENTIAL};
    armilla_options_give(&defaults, sizeof defaults, deflection, size);
}

static armilla_status check_map(const armilla_deflection *d)
{
    if (d->gradient || d->curl)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "deflection->%s: must be NULL where kind is ARMILLA_DEFLECTION_MAP",
                            d->gradient ? "gradient" : "curl");
    return armilla_check_given("deflection->map", d->map);
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {ARMILLA_END_OF(armilla_deflection, nthreads),
                                  sizeof(armilla_deflection), 0};

armilla_status armilla_deflection_take(const armilla_deflection *given, armilla_deflection *d)
{
    armilla_deflection_init(d);
    armilla_status status = armilla_check_given("deflection", given);
    if (!status)
        status = armilla_options_copy("deflection", "armilla_deflection", given, VERSIONS, d);
    if (status) return status;
    if (d->nthreads < 0)
        return armilla_fail_argument("deflection->nthreads", d->nthreads,
                                     "must be 0 (all) or more");
    if (d->kind == ARMILLA_DEFLECTION_MAP) return check_map(d);
    if (d->map)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "deflection->map: must be NULL unless kind is ARMILLA_DEFLECTION_MAP");
    if (d->lmax < 1 || d->lmax > (int64_t)1 << 30)
        return armilla_fail_argument("deflection->lmax", d->lmax, "must be 1 to 2^30");
    if (d->mmax < 0 || d->mmax > d->lmax)
        return armilla_fail_argument("deflection->mmax", d->mmax, "must be 0 to deflection->lmax");
    if (d->kind != ARMILLA_DEFLECTION_POTENTIAL && d->kind != ARMILLA_DEFLECTION_VECTOR)
        return armilla_fail_argument("deflection->kind", d->kind,
                                     "must be an armilla_deflection_kind");
    return armilla_check_given("deflection->gradient", d->gradient);
}

/* --- The field of spin 1 -----------------------------------------------------------------------
 */

/* Coefficients of the vector field: those of a potential times sqrt(l (l + 1)). */
static void fill_vector(const armilla_deflection *d, const double *alm, double *vector)
{
    for (int64_t m = 0; m <= d->mmax; m++)
        for (int64_t l = m; l <= d->lmax; l++) {
            const int64_t i = 2 * armilla_alm_index(d->lmax, l, m);
            const double factor = armilla_deflection_factor(d->kind, l);
            vector[i] = factor * alm[i], vector[i + 1] = factor * alm[i + 1];
        }
}

static armilla_status new_vector(const armilla_deflection *d, double **vector)
{
    const int64_t size = 2 * armilla_alm_size(d->lmax, d->mmax);
    armilla_status status = armilla_allocate(vector, d->curl ? 2 * size : size, sizeof **vector);
    if (status) return status;
    fill_vector(d, d->gradient, *vector);
    if (d->curl) fill_vector(d, d->curl, *vector + size);
    return ARMILLA_OK;
}

armilla_status armilla_deflection_synthesize(const armilla_grid *grid, const armilla_deflection *d,
                                             const char *isa, int64_t spin, const double *alm,
                                             double *map)
{
    armilla_sht *sht;
    armilla_sht_options options;
    armilla_exec exec;
    armilla_sht_options_init(&options);
    armilla_exec_init(&exec);
    options.spin = spin, options.isa = isa;
    if (spin && !d->curl) options.mode = ARMILLA_SHT_GRADIENT_ONLY;
    if (!spin && d->curl) exec.ntrans = 2, exec.map_distance = 3 * grid->npix;
    exec.nthreads = d->nthreads;
    armilla_status status = armilla_sht_new(grid, d->lmax, d->mmax, &options, &sht);
    if (status) return status;
    status = armilla_sht_synthesis(sht, alm, map, &exec);
    armilla_sht_free(sht);
    return status;
}

armilla_status armilla_deflection_field(const armilla_grid *grid, const armilla_deflection *d,
                                        const char *isa, double **field)
{
    double *vector = NULL;
    armilla_status status = armilla_allocate(field, 2 * grid->npix, sizeof **field);
    if (!status) status = new_vector(d, &vector);
    if (!status) status = armilla_deflection_synthesize(grid, d, isa, 1, vector, *field);
    armilla_release(vector);
    if (!status) return ARMILLA_OK;
    armilla_release(*field);
    return status;
}

armilla_status armilla_deflection_fail(int64_t place, double alpha_theta, double alpha_phi)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "deflection: at pixel %lld it is (%g, %g): must be finite, and not UNSEEN",
                        (long long)place, alpha_theta, alpha_phi);
}

static int is_given(double alpha)
{
    return isfinite(alpha) && !armilla_is_unseen(alpha);
}

armilla_status armilla_deflection_check(const armilla_grid *grid, const double *field)
{
    for (int64_t ring = 0; ring < grid->nrings; ring++)
        for (int64_t j = 0; j < grid->rings[ring].nphi; j++) {
            const int64_t place = armilla_grid_place(grid, ring, j);
            if (is_given(field[place]) && is_given(field[place + grid->npix])) continue;
            return armilla_deflection_fail(place, field[place], field[place + grid->npix]);
        }
    return ARMILLA_OK;
}
