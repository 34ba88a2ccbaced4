/* Monopole and dipole of a map with missing pixels, docs/mathematics.md (12.4): the least squares
 * fit
 *     minimise sum over valid pixels p of (f_p - a - b . n_p)^2,
 * n_p the unit vector of the pixel, every pixel with weight 1, as remove_monopole and remove_dipole
 * of HEALPix do, or on other grids with the weight of quadrature, about its area. Normal equations
 * of 4 unknowns (1, x, y, z), solved by Cholesky's method: they are well conditioned unless the
 * valid pixels lie on a small patch, which is refused.
 *
 * Sums are made ring by ring, and those of the rings then added in the grid's sequence: each ring
 * is on one rank, so that the result does not depend on how many there are. */
#include "sky.h"

#include "message.h"
#include "ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NBASIS = 4 };

typedef struct fit {
    double matrix[NBASIS][NBASIS], right[NBASIS];
} fit;

enum { FIT_VALUES = sizeof(fit) / sizeof(double) };

typedef struct multipoles {
    sky *map;
    const armilla_grid *grid;
    int nbasis; /* 1: monopole, 4: and dipole */
    fit sums;
} multipoles;

typedef void (*pixel_action)(const multipoles *self, int64_t pixel, double weight,
                             const double *basis, fit *sums);

static void accumulate(const multipoles *self, int64_t pixel, double weight, const double *basis,
                       fit *sums)
{
    const sky *map = self->map;
    if (map->missing[0][pixel]) return;
    for (int i = 0; i < self->nbasis; i++) {
        sums->right[i] += weight * basis[i] * reals_get(map->values[0], pixel);
        for (int j = 0; j <= i; j++) sums->matrix[i][j] += weight * basis[i] * basis[j];
    }
}

static void subtract(const multipoles *self, int64_t pixel, double weight, const double *basis,
                     fit *sums)
{
    double model = 0;
    (void)weight;
    if (self->map->missing[0][pixel]) return;
    for (int i = 0; i < self->nbasis; i++) model += sums->right[i] * basis[i];
    const reals values = self->map->values[0];
    reals_set(values, pixel, reals_get(values, pixel) - model);
}

/* The pixels of a ring, if it is here. Returned: is it? */
static int for_each_pixel(const multipoles *self, int64_t number, pixel_action action, fit *sums)
{
    armilla_ring ring = {.nphi = 0};
    armilla_grid_ring(self->grid, number, &ring);
    const int64_t first = share_ring(&self->map->share, number, &ring);
    const double height = cos(ring.theta), radius = sin(ring.theta);
    const double weight = self->map->share.on.nside ? 1 : ring.weight;
    for (int64_t j = 0; j < ring.nphi && first >= 0; j++) {
        double phi = ring.phi0 + 2 * M_PI * (double)j / (double)ring.nphi;
        const double basis[NBASIS] = {1, radius * cos(phi), radius * sin(phi), height};
        action(self, first + j * ring.stride, weight, basis, sums);
    }
    return first >= 0;
}

static void add(const fit *ring, fit *sums)
{
    for (int i = 0; i < NBASIS; i++) {
        sums->right[i] += ring->right[i];
        for (int j = 0; j < NBASIS; j++) sums->matrix[i][j] += ring->matrix[i][j];
    }
}

/* Sums of each ring, on all ranks. */
static int sum_rings(multipoles *self)
{
    const int64_t nrings = armilla_grid_nrings(self->grid);
    fit *rings = calloc((size_t)nrings, sizeof *rings);
    unsigned char *is_mine = malloc((size_t)(nrings * FIT_VALUES));
    int code = ranks_agree(rings && is_mine ? CLI_OK : memory_error());
    for (int64_t r = 0; r < nrings && code == CLI_OK; r++)
        memset(is_mine + r * FIT_VALUES, for_each_pixel(self, r, accumulate, &rings[r]),
               FIT_VALUES);
    if (code == CLI_OK) ranks_exchange(nrings * FIT_VALUES, is_mine, rings->matrix[0]);
    for (int64_t r = 0; r < nrings && code == CLI_OK; r++) add(&rings[r], &self->sums);
    free(rings);
    free(is_mine);
    return code;
}

/* Replaces right by the solution; nonzero if the matrix is singular. Only the lower triangle of the
 * matrix is used. */
static int solve(multipoles *self)
{
    double(*a)[NBASIS] = self->sums.matrix, *x = self->sums.right;
    int n = self->nbasis;
    for (int j = 0; j < n; j++) {
        double whole = a[j][j];
        for (int k = 0; k < j; k++) a[j][j] -= a[j][k] * a[j][k];
        if (!(a[j][j] > 1e-10 * whole)) return 1;
        a[j][j] = sqrt(a[j][j]);
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= a[k][i] * x[k];
        x[i] /= a[i][i];
    }
    return 0;
}

int sky_remove_multipoles(sky *self, int dipole)
{
    multipoles fitted = {.map = self, .grid = self->share.on.grid, .nbasis = dipole ? NBASIS : 1};
    const char *what = dipole ? "--remove-dipole" : "--remove-monopole";
    int code = pixel_grid_needs_weights(&self->share.on, what);
    if (code == CLI_OK) code = sum_rings(&fitted);
    if (code == CLI_OK && solve(&fitted))
        code = work_error("--remove-dipole: the %lld valid pixels cannot tell a dipole from a "
                          "monopole",
                          (long long)(self->all - self->nmissing[0]));
    const int64_t nrings = code == CLI_OK ? armilla_grid_nrings(fitted.grid) : 0;
    for (int64_t r = 0; r < nrings; r++) for_each_pixel(&fitted, r, subtract, &fitted.sums);
    return code;
}
