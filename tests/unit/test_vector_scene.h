/* What the tests of vector fields share: a flow in closed form. With the harmonic polynomials
 *
 *     psi = Re (x + i y)^3 z + z / 2     degrees 4 and 1
 *     chi = Im (x + i y)^2               degree 2
 *
 * and unit vectors e_theta, e_phi, the tangent derivatives on a sphere of radius R are those of the
 * polynomials along e_theta and e_phi, divided by R, and the Laplacian is -l (l + 1) / R^2. Nothing
 * here uses the library's transforms. Included after cmocka.h. */
#ifndef ARMILLA_TESTS_VECTOR_SCENE_H
#define ARMILLA_TESTS_VECTOR_SCENE_H

#include "armilla/armilla.h"
#include "oracle/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FORMS = 6, FLOW_LMAX = 4 };

typedef struct flow_point {
    double psi, chi, vorticity, divergence;
    double rotational[2], divergent[2]; /* along e_theta, e_phi */
} flow_point;

static inline flow_point flow_at(double theta, double phi, double radius)
{
    const double ct = cos(theta), st = sin(theta), cp = cos(phi), sp = sin(phi);
    const double x = st * cp, y = st * sp, z = ct;
    const double re2 = x * x - y * y, im2 = 2 * x * y;
    const double re3 = re2 * x - im2 * y;
    const double psi[3] = {3 * re2 * z, -3 * im2 * z, re3 + 0.5}, chi[3] = {2 * y, 2 * x, 0};
    const double along[2][3] = {{ct * cp, ct * sp, -st}, {-sp, cp, 0}}; /* e_theta, e_phi */
    double slope[2][2] = {{0, 0}, {0, 0}};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            slope[0][i] += along[i][k] * psi[k] / radius;
            slope[1][i] += along[i][k] * chi[k] / radius;
        }
    return (flow_point){.psi = re3 * z + z / 2,
                        .chi = im2,
                        .vorticity = -(20 * re3 * z + z) / (radius * radius),
                        .divergence = -6 * im2 / (radius * radius),
                        .rotational = {-slope[0][1], slope[0][0]}, /* e_r x grad psi */
                        .divergent = {slope[1][0], slope[1][1]}};
}

/* The two numbers of a form at a point. */
static inline void flow_form(const flow_point *p, armilla_vector_form form,
                             armilla_vector_components components, double value[2])
{
    double v[2] = {0, 0};
    switch (form) {
    case ARMILLA_VECTOR_VORTICITY_DIVERGENCE:
        value[0] = p->vorticity, value[1] = p->divergence;
        return;
    case ARMILLA_VECTOR_STREAM_POTENTIAL:
        value[0] = p->psi, value[1] = p->chi;
        return;
    case ARMILLA_VECTOR_SPHEROIDAL_TOROIDAL:
        value[0] = p->chi, value[1] = -p->psi;
        return;
    default:
        for (int i = 0; i < 2; i++) {
            if (form != ARMILLA_VECTOR_DIVERGENT) v[i] += p->rotational[i];
            if (form != ARMILLA_VECTOR_ROTATIONAL) v[i] += p->divergent[i];
        }
    }
    const int theta_phi = components == ARMILLA_VECTOR_THETA_PHI;
    value[0] = theta_phi ? v[0] : v[1], value[1] = theta_phi ? v[1] : -v[0];
}

/* Two maps of npix values: a form of the flow on a grid whose pixels are those of its rings. */
static inline double *flow_maps(const armilla_grid *grid, armilla_vector_form form,
                                armilla_vector_components components, double radius)
{
    const int64_t npix = armilla_grid_npix(grid);
    double *maps = checked_calloc(2 * npix, sizeof *maps);
    armilla_ring ring;
    for (int64_t r = 0; r < armilla_grid_nrings(grid); r++) {
        check_ok(armilla_grid_ring(grid, r, &ring));
        for (int64_t j = 0; j < ring.nphi; j++) {
            double value[2];
            const double phi = ring.phi0 + 2 * acos(-1.0) * (double)j / (double)ring.nphi;
            const flow_point p = flow_at(ring.theta, phi, radius);
            flow_form(&p, form, components, value);
            for (int c = 0; c < 2; c++) maps[c * npix + ring.offset + j * ring.stride] = value[c];
        }
    }
    return maps;
}

/* Octahedral reduced Gaussian rings: 20 + 4 i pixels on ring i from either pole. */
static inline armilla_grid *octahedral_grid(int64_t half)
{
    armilla_grid *full, *grid;
    check_ok(armilla_grid_new_gauss_legendre(2 * half, 1, &full));
    armilla_ring *rings = grid_rings(full);
    int64_t offset = 0;
    for (int64_t r = 0; r < 2 * half; r++) {
        rings[r].nphi = 20 + 4 * (r < half ? r : 2 * half - 1 - r);
        rings[r].weight /= (double)rings[r].nphi;
        rings[r].offset = offset;
        offset += rings[r].nphi;
    }
    check_ok(armilla_grid_new_custom(2 * half, rings, &grid));
    free(rings);
    armilla_grid_free(full);
    return grid;
}

static inline armilla_vector *new_vector(const armilla_grid *grid, int64_t lmax,
                                         const armilla_vector_options *options)
{
    armilla_vector *vector;
    check_ok(armilla_vector_new(grid, lmax, lmax, options, &vector));
    return vector;
}

/* The largest difference of two arrays, as part of the largest number of the first. */
static inline double largest_error(int64_t count, const double *expected, const double *made)
{
    double scale = 0, error = 0;
    for (int64_t i = 0; i < count; i++) {
        scale = larger_or_nan(scale, fabs(expected[i]));
        error = larger_or_nan(error, fabs(expected[i] - made[i]));
    }
    return scale > 0 ? error / scale : error;
}

#endif
