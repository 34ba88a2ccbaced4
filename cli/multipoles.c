/* Monopole and dipole of a map with missing pixels, docs/mathematics.md (12.4): the least squares
 * fit
 *     minimise sum over valid pixels p of (f_p - a - b . n_p)^2,
 * n_p the unit vector of the pixel, every pixel with weight 1, as remove_monopole and remove_dipole
 * of HEALPix do. Normal equations of 4 unknowns (1, x, y, z), solved by Cholesky's method: they are
 * well conditioned unless the valid pixels lie on a small patch, which is refused. */
#include "sky.h"

#include "message.h"

#include <math.h>

enum { NBASIS = 4 };

typedef struct fit {
    int nbasis; /* 1: monopole, 4: and dipole */
    double matrix[NBASIS][NBASIS], right[NBASIS];
} fit;

typedef void (*pixel_action)(sky *self, int64_t pixel, const double *basis, fit *sums);

static void accumulate(sky *self, int64_t pixel, const double *basis, fit *sums)
{
    if (self->missing[0][pixel]) return;
    for (int i = 0; i < sums->nbasis; i++) {
        sums->right[i] += basis[i] * self->values[0][pixel];
        for (int j = 0; j <= i; j++) sums->matrix[i][j] += basis[i] * basis[j];
    }
}

static void subtract(sky *self, int64_t pixel, const double *basis, fit *sums)
{
    double model = 0;
    if (self->missing[0][pixel]) return;
    for (int i = 0; i < sums->nbasis; i++) model += sums->right[i] * basis[i];
    self->values[0][pixel] -= model;
}

static int for_each_pixel(sky *self, const armilla_grid *grid, pixel_action action, fit *sums)
{
    int64_t nrings = armilla_grid_nrings(grid);
    for (int64_t r = 0; r < nrings; r++) {
        armilla_ring ring;
        armilla_status status = armilla_grid_ring(grid, r, &ring);
        if (status) return data_error(status, NULL);
        double height = cos(ring.theta), radius = sin(ring.theta);
        for (int64_t j = 0; j < ring.nphi; j++) {
            double phi = ring.phi0 + 2 * M_PI * (double)j / (double)ring.nphi;
            const double basis[NBASIS] = {1, radius * cos(phi), radius * sin(phi), height};
            action(self, ring.offset + j * ring.stride, basis, sums);
        }
    }
    return CLI_OK;
}

/* Replaces right by the solution; nonzero if the matrix is singular. Only the lower triangle of the
 * matrix is used. */
static int solve(fit *sums)
{
    double(*a)[NBASIS] = sums->matrix, *x = sums->right;
    int n = sums->nbasis;
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
    fit sums = {.nbasis = dipole ? NBASIS : 1};
    armilla_grid *grid;
    armilla_status status = armilla_grid_new_healpix(self->nside, &grid);
    if (status) return data_error(status, self->path);
    int code = for_each_pixel(self, grid, accumulate, &sums);
    if (code == CLI_OK && solve(&sums))
        code = work_error("--remove-dipole: the %lld valid pixels cannot tell a dipole from a "
                          "monopole",
                          (long long)(self->npix - self->nmissing[0]));
    if (code == CLI_OK) code = for_each_pixel(self, grid, subtract, &sums);
    armilla_grid_free(grid);
    return code;
}
