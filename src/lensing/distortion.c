/* Convergence, shear and rotation of a deflection. See armilla/lensing.h, docs/mathematics.md (7.7)
 * and (7.8). kappa and omega are scalars, (gamma1, gamma2) has spin 2:
 *
 *     kappa = 1/2 l (l + 1) phi    omega = 1/2 l (l + 1) Omega
 *     E, B = 1/2 sqrt((l - 1) l (l + 1) (l + 2)) (phi, Omega) */
#include "base/memory.h"
#include "base/team.h"
#include "lensing/pointing.h"

#include <math.h>

/* --- The linear map ----------------------------------------------------------------------------
 */

/* What a coefficient of the deflection is multiplied with. */
static double factor_of(const armilla_deflection *d, int64_t spin, int64_t l)
{
    const double power = (double)l * ((double)l + 1);
    const double scale = d->kind == ARMILLA_DEFLECTION_POTENTIAL ? sqrt(power) : 1;
    return 0.5 * scale * sqrt(spin && l > 0 ? power - 2 : power);
}

/* Potential of the part, or its vector field -> coefficients of a scalar or of E or B. */
static void fill_part(const armilla_deflection *d, int64_t spin, const double *alm, double *result)
{
    for (int64_t m = 0; m <= d->mmax; m++)
        for (int64_t l = m; l <= d->lmax; l++) {
            const int64_t i = 2 * armilla_alm_index(d->lmax, l, m);
            const double factor = factor_of(d, spin, l);
            result[i] = factor * alm[i], result[i + 1] = factor * alm[i + 1];
        }
}

/* Fields that the deflection has not: shear where lmax is 1, omega without a curl. */
static void clear(const armilla_grid *grid, double *map)
{
    for (int64_t ring = 0; ring < grid->nrings; ring++)
        for (int64_t j = 0; j < grid->rings[ring].nphi; j++)
            map[armilla_grid_place(grid, ring, j)] = 0;
}

static armilla_status linear(const armilla_grid *grid, const armilla_deflection *d, double *map)
{
    const int64_t size = 2 * armilla_alm_size(d->lmax, d->mmax), npix = grid->npix;
    double *alm;
    armilla_status status = armilla_allocate(&alm, d->curl ? 2 * size : size, sizeof *alm);
    for (int64_t spin = 0; spin <= 2 && spin <= d->lmax && !status; spin += 2) {
        fill_part(d, spin, d->gradient, alm);
        if (d->curl) fill_part(d, spin, d->curl, alm + size);
        status = armilla_deflection_synthesize(grid, d, NULL, spin, alm, spin ? map + npix : map);
    }
    armilla_release(alm);
    if (status) return status;
    if (!d->curl) clear(grid, map + 3 * npix);
    if (d->lmax < 2) clear(grid, map + npix), clear(grid, map + 2 * npix);
    return ARMILLA_OK;
}

/* --- Walks of any length -----------------------------------------------------------------------
 */

typedef struct {
    const armilla_grid *grid;
    const double *alpha; /* [2][npix] */
    double *map;
} job;

/* sin(a) / a, (1 - cos a) / a^2, (1 - sin(a) / a) / a^2, from q = a^2; by series where q is small:
 * the terms that are left out are q^3 / 5040 = 2e-16 and smaller. */
typedef struct {
    double sinc, versine, rest;
} walk_factors;

static walk_factors factors_of(double q)
{
    if (q < 1e-4)
        return (walk_factors){1 - q * (1.0 / 6 - q * (1.0 / 120)),
                              0.5 - q * (1.0 / 24 - q * (1.0 / 720)),
                              1.0 / 6 - q * (1.0 / 120 - q * (1.0 / 5040))};
    const double a = sqrt(q), s = sin(0.5 * a), sinc = sin(a) / a;
    return (walk_factors){sinc, 2 * s * s / q, (1 - sinc) / q};
}

/* A step v of n, along which alpha changes by D v, is one of n' by
 * A v = v_along + (D v)_along + cos a v_across + sin a / a (D v)_across, along and across the
 * geodesic: kappa, gamma and omega of D become those of A. */
static void walk(const double alpha[2], double field[4])
{
    const double kappa = field[0], gamma1 = field[1], gamma2 = field[2], omega = field[3];
    const double d[2][2] = {{-kappa - gamma1, omega - gamma2}, {-omega - gamma2, gamma1 - kappa}};
    const double q = alpha[0] * alpha[0] + alpha[1] * alpha[1];
    const walk_factors f = factors_of(q);
    double a[2][2]; /* A - 1 */
    for (int j = 0; j < 2; j++) {
        const double along =
            f.versine * alpha[j] + f.rest * (alpha[0] * d[0][j] + alpha[1] * d[1][j]);
        for (int i = 0; i < 2; i++) {
            a[i][j] = f.sinc * d[i][j] + alpha[i] * along;
            if (i == j) a[i][j] -= q * f.versine;
        }
    }
    field[0] = -0.5 * (a[0][0] + a[1][1]), field[1] = -0.5 * (a[0][0] - a[1][1]);
    field[2] = -0.5 * (a[0][1] + a[1][0]), field[3] = 0.5 * (a[0][1] - a[1][0]);
}

static void walk_ring(void *context, int64_t ring, int thread)
{
    (void)thread;
    const job *k = context;
    const int64_t npix = k->grid->npix;
    for (int64_t j = 0; j < k->grid->rings[ring].nphi; j++) {
        const int64_t place = armilla_grid_place(k->grid, ring, j);
        const double alpha[2] = {k->alpha[place], k->alpha[place + npix]};
        double field[4];
        for (int i = 0; i < 4; i++) field[i] = k->map[place + i * npix];
        walk(alpha, field);
        for (int i = 0; i < 4; i++) k->map[place + i * npix] = field[i];
    }
}

/* --- The call ----------------------------------------------------------------------------------
 */

armilla_status armilla_lensing_distortion(const armilla_grid *grid,
                                          const armilla_deflection *deflection,
                                          armilla_distortion_kind kind, double *map)
{
    armilla_deflection d;
    double *alpha;
    armilla_status status = armilla_check_given("grid", grid);
    if (!status) status = armilla_deflection_take(deflection, &d);
    if (!status && d.map)
        status = armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                              "deflection->kind = ARMILLA_DEFLECTION_MAP: the derivatives of a map "
                              "are not known; give coefficients");
    if (!status && kind != ARMILLA_DISTORTION_LINEAR && kind != ARMILLA_DISTORTION_EXACT)
        status = armilla_fail_argument("kind", kind, "must be an armilla_distortion_kind");
    if (!status) status = armilla_check_given("map", map);
    if (!status) status = armilla_deflection_field(grid, &d, NULL, &alpha);
    if (status) return status;
    status = armilla_deflection_check(grid, alpha);
    if (!status) status = linear(grid, &d, map);
    if (!status && kind == ARMILLA_DISTORTION_EXACT) {
        job k = {grid, alpha, map};
        armilla_team_run(d.nthreads, grid->nrings, walk_ring, &k);
    }
    armilla_release(alpha);
    return status;
}
