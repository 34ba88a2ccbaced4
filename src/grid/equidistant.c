/* Equidistant colatitudes. Doubled over the poles, the rings are points of a circle,
 *
 *     theta_j = pi (2 j + a) / P,   0 <= j < P                      docs/mathematics.md (5.4)
 *
 * with P = 2 n + extra for n rings, of which the first is j = first. The table below has the
 * families.
 *
 * An even function on it is a cosine sum, and the integral of cos(k theta) sin(theta) over [0, pi]
 * is I_k = 2 / (1 - k^2) for even k, else 0, so that the rule which is exact for all the
 * frequencies the points tell apart has the weights
 *
 *     w_j = (q_j / P) sum_{|k| <= P/2}'' I_k cos(k theta_j),   q = 1 on a pole, else 2      (5.5)
 *
 * ('' halves |k| = P/2). F2 and DH do not use the poles; their rule is
 *
 *     w_j = (8 / P) sin(theta_j) sum_{odd k <= P/2}'' sin(k theta_j) / k                    (5.6)
 *
 * Both sums are one FFT of length P.
 * Reference: Waldvogel 2006, BIT 46, 195; McEwen & Wiaux 2011, section 4. */
#include "grid/grid.h"
#include "grid/equidistant.h"
#include "base/memory.h"
#include "fft/fft.h"
#include "fft/roots.h"

#include <math.h>

/* Where sums of sines (5.6) give the weights, the rule has to be exact for products of two
 * functions; else the quadrature of (5.8a) resolves lmax up to the largest frequency of the circle.
 */
typedef struct {
    armilla_grid_kind kind;
    int64_t extra, half_shifted, first; /* half_shifted: a */
    int64_t poles;                      /* that are rings; those of sines have no weight */
    int sines;
} family;

static const family families[] = {
    /* kind          extra  a  first  poles  sines */
    {ARMILLA_GRID_CC, -2, 0, 0, 2, 0},     /* Clenshaw-Curtis */
    {ARMILLA_GRID_F1, 0, 1, 0, 0, 0},      /* Fejer 1 */
    {ARMILLA_GRID_F2, 2, 0, 1, 0, 1},      /* Fejer 2 */
    {ARMILLA_GRID_DH, 0, 0, 0, 1, 1},      /* Driscoll-Healy */
    {ARMILLA_GRID_MWSS, -2, 0, 0, 2, 0},   /* McEwen-Wiaux, symmetric */
    {ARMILLA_GRID_MW, -1, 1, 0, 1, 0},     /* McEwen-Wiaux */
    {ARMILLA_GRID_MWFLIP, -1, 0, 0, 1, 0}, /* MW mirrored */
};
enum { NFAMILIES = sizeof families / sizeof *families };

static const family *find_family(armilla_grid_kind kind)
{
    for (int i = 0; i < NFAMILIES; i++)
        if (families[i].kind == kind) return &families[i];
    return NULL;
}

armilla_grid_kind armilla_grid_equidistant_kind(int64_t number)
{
    return number < NFAMILIES ? families[number].kind : ARMILLA_GRID_CUSTOM;
}

int armilla_grid_mixes_rings(armilla_grid_kind kind)
{
    const family *f = find_family(kind);
    return f && !f->sines;
}

armilla_circle armilla_grid_circle(armilla_grid_kind kind, int64_t nrings)
{
    const family *f = find_family(kind);
    return f ? (armilla_circle){2 * nrings + f->extra, f->half_shifted, f->first}
             : (armilla_circle){0, 0, 0};
}

/* Degrees for which the analysis is exact; -1: none. */
static int64_t exact_lmax(const family *f, int64_t nrings)
{
    if (!f->sines) return nrings - (f->poles == 2 ? 2 : 1);
    return nrings > f->poles ? (nrings - 1 - f->poles) / 2 : -1;
}

/* Frequencies of the circle times their phases at theta_0. */
static void fill_frequencies(armilla_circle circle, int sines, double *data)
{
    for (int64_t k = 0; 2 * k <= circle.length; k++) {
        double root[2], value = 0;
        armilla_root_of_unity(circle.half_shifted ? k : 0, 2 * circle.length, root);
        if (sines && k % 2 == 1) value = 4 / (double)k;
        if (!sines && k % 2 == 0) value = 2 / (1 - (double)k * (double)k) * (k ? 2 : 1);
        if (2 * k == circle.length) value /= 2;
        data[2 * k] = value * root[0];
        data[2 * k + 1] = value * root[1];
    }
}

static void set_weights(armilla_grid *grid, armilla_circle circle, int sines, const double *data)
{
    double length = (double)circle.length;
    for (int64_t r = 0; r < grid->nrings; r++) {
        armilla_ring *ring = &grid->rings[r];
        int64_t j = r + circle.first, place = 2 * j + circle.half_shifted;
        int pole = place == 0 || place == circle.length;
        if (sines)
            ring->weight = 2 * sin(ring->theta) * data[2 * j + 1] / length;
        else
            ring->weight = (pole ? 1 : 2) * data[2 * j] / length;
    }
}

static armilla_status fill_weights(armilla_grid *grid, armilla_circle circle)
{
    const int sines = find_family(grid->kind)->sines;
    armilla_fft *fft = NULL;
    double *data = NULL, *scratch = NULL;
    armilla_status status = armilla_fft_new(circle.length, &fft);
    if (!status) status = armilla_allocate_zero(&data, 2 * circle.length, sizeof *data);
    if (!status)
        status = armilla_allocate(&scratch, 2 * armilla_fft_scratch_size(fft), sizeof *scratch);
    if (!status) {
        fill_frequencies(circle, sines, data);
        armilla_fft_backward(fft, data, scratch);
        set_weights(grid, circle, sines, data);
    }
    armilla_release(scratch);
    armilla_release(data);
    armilla_fft_free(fft);
    return status;
}

/* The southern half is computed as pi - theta, so that mirrored rings are exact partners. */
static void fill_colatitudes(armilla_grid *grid, armilla_circle circle)
{
    for (int64_t r = 0; r < grid->nrings; r++) {
        int64_t place = 2 * (r + circle.first) + circle.half_shifted;
        int64_t mirrored = circle.length - place;
        grid->rings[r].theta = place <= mirrored
                                   ? armilla_grid_pi_fraction(place, circle.length)
                                   : M_PI - armilla_grid_pi_fraction(mirrored, circle.length);
    }
}

static armilla_status check_equidistant(armilla_grid_kind kind, int64_t nrings, int64_t nphi)
{
    const family *f = find_family(kind);
    if (!f)
        return armilla_fail_argument("kind", kind, "must be CC, F1, F2, DH, MW, MWSS or MWFLIP");
    armilla_status status = armilla_grid_check_count("nrings", nrings, f->poles == 2 ? 2 : 1);
    if (!status && nrings > ARMILLA_GRID_COUNT_LIMIT / 4)
        status = armilla_fail_argument("nrings", nrings, "must be at most 2^28");
    return status ? status : armilla_grid_check_count("nphi", nphi, 1);
}

armilla_status armilla_grid_new_equidistant(armilla_grid_kind kind, int64_t nrings, int64_t nphi,
                                            armilla_grid **grid)
{
    armilla_grid *made = NULL;
    armilla_status status = check_equidistant(kind, nrings, nphi);
    if (!status) status = armilla_check_given("grid", grid);
    if (!status) status = armilla_grid_allocate(kind, nrings, &made);
    if (status) return status;
    armilla_circle circle = armilla_grid_circle(kind, nrings);
    for (int64_t r = 0; r < nrings; r++) made->rings[r].nphi = nphi;
    made->exact_lmax = exact_lmax(find_family(kind), nrings);
    fill_colatitudes(made, circle);
    status = fill_weights(made, circle);
    return armilla_grid_finish(status, made, grid);
}
