/* HEALPix ring weights; docs/mathematics.md (5.10), (5.11). The pixels of ring r and of
 * its mirror image, N_r together, get the weight (1 + d_r) 4 pi / npix such that with
 * p_l = sqrt(2 l + 1) P_l
 *
 *     sum_r (N_r / npix) (1 + d_r) p_l(cos theta_r) = [l = 0],    even l <= lmax,
 *
 * which makes the quadrature of every harmonic of those degrees that the rings do not alias exact
 * (odd degrees vanish by symmetry). Among the solutions the one with the least sum_r N_r d_r^2 is a
 * zonal function of the same degrees, d_r = sum_l mu_l p_l(cos theta_r), and
 *
 *     G mu = b,    G_ll' = sum_r (N_r / npix) p_l p_l',    b_l = [l = 0] - sum_r (N_r / npix) p_l .
 *
 * The rings integrate well already, so that G is close to the unit matrix and conjugate gradients
 * need few steps; near lmax = 4 nside - 2 there are as many conditions as weights and more steps.
 * Even degrees follow from each other in x^2 (docs/mathematics.md (2.3) for m = 0):
 *
 *     A_{l+1} A_{l+2} p_{l+2} = (x^2 - A_{l+1}^2 - A_l^2) p_l - A_l A_{l-1} p_{l-2},
 *     A_l = l / sqrt(4 l^2 - 1).
 *
 * Layout: rings in blocks of LANES, so that the inner loops are over a fixed number of them. */
#include "grid/grid.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { LANES = 16 };

/* CG has converged; where rounding stops it earlier, it has done what it can. Up to lmax = 3.5
 * nside some 60 steps are enough. Beyond pi sqrt(5) / 2 nside = 3.51 nside the rings at |cos theta|
 * = 2/3, which are widest apart (2 / (sqrt(5) nside) radians), no longer tell the degrees apart:
 * for small nside weights exist but are large, for large nside none do in double precision. */
static const double TOLERANCE = 1e-14;
enum { STEP_LIMIT = 120 };

/* Largest error of a condition that counts as rounding. */
static const double EXACT = 1e-12;

typedef struct ring_system {
    int64_t ndegrees, nblocks; /* even degrees; blocks of LANES northern rings */
    double *step;              /* ndegrees triples: p_{l+2} = (s0 x^2 + s1) p_l + s2 p_{l-2} */
    double *x2;                /* cos^2(theta), padded with a ring of no pixels */
    double *share;             /* N_r / npix */
    double *change;            /* d_r */
} ring_system;

static double coefficient(int64_t l)
{
    double degree = (double)l;
    return l == 0 ? 0 : degree / sqrt(4 * degree * degree - 1);
}

static void fill_steps(ring_system *system)
{
    for (int64_t k = 0; k < system->ndegrees; k++) {
        int64_t l = 2 * k;
        double before = l ? coefficient(l - 1) : 0, here = coefficient(l);
        double next = coefficient(l + 1), inverse = 1 / (next * coefficient(l + 2));
        double *step = system->step + 3 * k;
        step[0] = inverse;
        step[1] = -(next * next + here * here) * inverse;
        step[2] = -here * before * inverse;
    }
}

static void fill_rings(ring_system *system, const armilla_grid *grid)
{
    int64_t equator = 2 * grid->nside - 1;
    for (int64_t r = 0; r < system->nblocks * LANES; r++) {
        const armilla_ring *ring = &grid->rings[r < equator ? r : equator];
        double x = r < equator ? cos(ring->theta) : 0, copies = r < equator ? 2 : 1;
        system->x2[r] = x * x;
        system->share[r] = r > equator ? 0 : copies * (double)ring->nphi / (double)grid->npix;
    }
}

static inline void advance(const double *step, const double *x2, double *before, double *here)
{
    for (int i = 0; i < LANES; i++) {
        double next = (step[0] * x2[i] + step[1]) * here[i] + step[2] * before[i];
        before[i] = here[i];
        here[i] = next;
    }
}

static void start(double *before, double *here)
{
    for (int i = 0; i < LANES; i++) {
        before[i] = 0;
        here[i] = 1;
    }
}

/* values_r = sum_l coefficients_l p_l(x_r) */
static void evaluate(const ring_system *system, const double *coefficients, double *values)
{
    for (int64_t block = 0; block < system->nblocks; block++) {
        double before[LANES], here[LANES], sum[LANES] = {0};
        start(before, here);
        for (int64_t k = 0; k < system->ndegrees; k++) {
            for (int i = 0; i < LANES; i++) sum[i] += coefficients[k] * here[i];
            advance(system->step + 3 * k, system->x2 + block * LANES, before, here);
        }
        memcpy(values + block * LANES, sum, sizeof sum);
    }
}

/* coefficients_l = sum_r share_r values_r p_l(x_r) */
static void integrate(const ring_system *system, const double *values, double *coefficients)
{
    memset(coefficients, 0, (size_t)system->ndegrees * sizeof *coefficients);
    for (int64_t block = 0; block < system->nblocks; block++) {
        double before[LANES], here[LANES], factor[LANES];
        start(before, here);
        for (int i = 0; i < LANES; i++)
            factor[i] = values[block * LANES + i] * system->share[block * LANES + i];
        for (int64_t k = 0; k < system->ndegrees; k++) {
            double sum[4] = {0};
            for (int i = 0; i < LANES; i++) sum[i % 4] += factor[i] * here[i];
            coefficients[k] += (sum[0] + sum[1]) + (sum[2] + sum[3]);
            advance(system->step + 3 * k, system->x2 + block * LANES, before, here);
        }
    }
}

static double dot(int64_t count, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

/* Conjugate gradients for G mu = b. work: 4 vectors of ndegrees; leaves d_r in change. */
static void solve(const ring_system *system, double *work)
{
    int64_t n = system->ndegrees, nrings = system->nblocks * LANES;
    double *mu = work, *residual = mu + n, *direction = residual + n, *product = direction + n;
    for (int64_t r = 0; r < nrings; r++) system->change[r] = -1;
    integrate(system, system->change, residual);
    residual[0] = 0; /* the weights 4 pi / npix integrate a constant exactly */
    memset(mu, 0, (size_t)n * sizeof *mu);
    memcpy(direction, residual, (size_t)n * sizeof *mu);
    double norm = dot(n, residual, residual), goal = TOLERANCE * TOLERANCE * norm;
    for (int64_t i = 0; i < STEP_LIMIT && norm > goal; i++) {
        evaluate(system, direction, system->change);
        integrate(system, system->change, product);
        double length = norm / dot(n, direction, product), old = norm;
        for (int64_t k = 0; k < n; k++) {
            mu[k] += length * direction[k];
            residual[k] -= length * product[k];
        }
        norm = dot(n, residual, residual);
        for (int64_t k = 0; k < n; k++) direction[k] = residual[k] + norm / old * direction[k];
    }
    evaluate(system, mu, system->change);
}

/* Largest violation of a condition by the weights found. Uses the first vector of work. */
static double largest_error(const ring_system *system, double *work)
{
    double largest = 0;
    for (int64_t r = 0; r < system->nblocks * LANES; r++) system->change[r] += 1;
    integrate(system, system->change, work);
    for (int64_t r = 0; r < system->nblocks * LANES; r++) system->change[r] -= 1;
    for (int64_t k = 0; k < system->ndegrees; k++)
        largest = fmax(largest, fabs(work[k] - (k == 0 ? 1 : 0)));
    return largest;
}

static void apply_changes(armilla_grid *grid, const double *change)
{
    for (int64_t r = 0; r < 2 * grid->nside; r++) {
        armilla_ring *north = &grid->rings[r], *south = &grid->rings[grid->nrings - 1 - r];
        north->weight += change[r] * north->weight;
        south->weight = north->weight;
    }
}

static armilla_status weigh(armilla_grid *grid, int64_t lmax)
{
    ring_system system = {.ndegrees = lmax / 2 + 1,
                          .nblocks = (2 * grid->nside + LANES - 1) / LANES};
    int64_t nrings = system.nblocks * LANES;
    double *rings = NULL, *degrees = NULL;
    armilla_status status = armilla_allocate(&rings, 3 * nrings, sizeof *rings);
    if (!status) status = armilla_allocate(&degrees, 7 * system.ndegrees, sizeof *degrees);
    if (!status) {
        system.x2 = rings;
        system.share = rings + nrings;
        system.change = rings + 2 * nrings;
        system.step = degrees + 4 * system.ndegrees;
        fill_steps(&system);
        fill_rings(&system, grid);
        solve(&system, degrees);
        if (!(largest_error(&system, degrees) < EXACT))
            status = armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                  "lmax = %lld: nside = %lld has no exact ring weights up to there "
                                  "(there are up to 3.5 nside)",
                                  (long long)lmax, (long long)grid->nside);
        else
            apply_changes(grid, system.change);
    }
    armilla_release(rings);
    armilla_release(degrees);
    return status;
}

armilla_status armilla_grid_new_healpix_weighted(int64_t nside, int64_t lmax, armilla_grid **grid)
{
    armilla_grid *made;
    armilla_status status = armilla_check_given("grid", grid);
    if (status) return status;
    if (nside >= 1 && nside <= ARMILLA_GRID_COUNT_LIMIT && (lmax < 0 || lmax > 4 * nside - 2))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "lmax = %lld: must be 0 to 4 nside - 2 = %lld",
                            (long long)lmax, (long long)(4 * nside - 2));
    status = armilla_grid_new_healpix(nside, &made); /* a wrong nside is named there */
    if (status) return status;
    status = weigh(made, lmax);
    if (status)
        armilla_grid_free(made);
    else
        *grid = made;
    return status;
}
