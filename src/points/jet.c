/* Decides which transforms give a field and its derivatives at a point: their spins, the factors of
 * their coefficients, and the matrix that turns their values into the caller's components. With D_t
 * and D_p the covariant derivatives along e_theta and e_phi, and F = Q + i U,
 *
 *     R = (D_t + i D_p) F   has spin s + 1 and the coefficients -sqrt((l-s) (l+s+1)) (E, B)
 *     L = (D_t - i D_p) F   has spin s - 1 and the coefficients +sqrt((l+s) (l-s+1)) (E, B)  (3.13)
 *
 * with the other sign where s or the spin of the result is 0 (fields of spin 0 are +sum a Y, all
 * others -sum (E + i B) sY). Second derivatives of a scalar: their trace has the coefficients
 * -l (l + 1) a_lm, the other two are (3.12). */
#include "points/jet.h"

#include "base/memory.h"

#include <math.h>

static const double half = 0.5;

/* f, f_t, f_p of f and the gradient; Q, U of themselves. */
static const double plain[ARMILLA_JET_FIELDS][ARMILLA_JET_FIELDS] = {{1}, {0, 1}, {0, 0, 1}};

/* f, f_t, f_p, f_tt, f_tp, f_pp of f, the Laplacian, the gradient, f_tt - f_pp, 2 f_tp */
static const double second[ARMILLA_JET_FIELDS][ARMILLA_JET_FIELDS] = {
    {1},
    {0, 0, 1},
    {0, 0, 0, 1},
    {0, half, 0, 0, half},
    {0, 0, 0, 0, 0, half},
    {0, half, 0, 0, -half},
};

/* Q, U, D_t of both, D_p of both; of Q, U, Re R, Im R, Re L, Im L */
static const double gradient[ARMILLA_JET_FIELDS][ARMILLA_JET_FIELDS] = {
    {1},
    {0, 1},
    {0, 0, half, 0, half},
    {0, 0, 0, half, 0, half},
    {0, 0, 0, half, 0, -half},
    {0, 0, -half, 0, half},
};

/* The product of (l - a) for a from `from` to `to`, not below 0. */
static double falling(double l, int64_t from, int64_t to)
{
    double product = 1;
    for (int64_t a = from; a <= to; a++) product *= fmax(0, l - (double)a);
    return product;
}

/* sign sqrt((l - from) ... (l - to)) */
static armilla_status make_roots(int64_t lmax, int64_t from, int64_t to, double sign,
                                 double **factor)
{
    armilla_status status = armilla_allocate(factor, lmax + 1, sizeof **factor);
    for (int64_t l = 0; l <= lmax && !status; l++)
        (*factor)[l] = sign * sqrt(falling((double)l, from, to));
    return status;
}

static void add_part(armilla_jet *jet, int64_t spin, int64_t nsets, int first, int second_source)
{
    jet->part[jet->nparts++] =
        (armilla_jet_part){.spin = spin, .nsets = nsets, .source = {first, second_source}};
    jet->nfields += nsets;
}

static armilla_status make_scalar(int64_t lmax, int64_t derivatives, armilla_jet *jet)
{
    armilla_status status = ARMILLA_OK;
    jet->mixing = derivatives == 2 ? second : plain;
    add_part(jet, 0, derivatives == 2 ? 2 : 1, 0, 0);
    if (derivatives < 1) return ARMILLA_OK;
    add_part(jet, 1, 2, 0, -1);
    status = make_roots(lmax, -1, 0, 1, &jet->part[1].factor[0]);
    if (status || derivatives < 2) return status;
    add_part(jet, 2, 2, 0, -1);
    if ((status = make_roots(lmax, -2, 1, -1, &jet->part[2].factor[0])) ||
        (status = armilla_allocate(&jet->part[0].factor[1], lmax + 1, sizeof(double))))
        return status;
    for (int64_t l = 0; l <= lmax; l++) jet->part[0].factor[1][l] = -(double)l * (double)(l + 1);
    return ARMILLA_OK;
}

/* The derivative of spin s + 1 (up) or s - 1. */
static armilla_status add_derivative(int64_t lmax, int64_t spin, int up, armilla_jet *jet)
{
    const int64_t to = spin + (up ? 1 : -1);
    const double sign = (up ? -1 : 1) * (to == 0 ? -1 : 1);
    const int64_t from = up ? -spin - 1 : -spin, last = up ? spin : spin - 1;
    add_part(jet, to, 2, 0, 1);
    armilla_jet_part *part = &jet->part[jet->nparts - 1];
    armilla_status status = ARMILLA_OK;
    for (int set = 0; set < 2 && !status; set++) {
        status = armilla_allocate(&part->factor[set], lmax + 1, sizeof(double));
        for (int64_t l = 0; l <= lmax && !status; l++) {
            const double product = falling((double)l, from, from) * falling((double)l, last, last);
            part->factor[set][l] = sign * sqrt(product);
        }
    }
    return status;
}

armilla_status armilla_jet_make(int64_t lmax, int64_t spin, int64_t derivatives, armilla_jet *jet)
{
    armilla_status status = ARMILLA_OK;
    *jet = (armilla_jet){.mixing = derivatives ? gradient : plain};
    if (spin == 0) {
        status = make_scalar(lmax, derivatives, jet);
    } else {
        add_part(jet, spin, 2, 0, 1);
        if (derivatives && !(status = add_derivative(lmax, spin, 1, jet)))
            status = add_derivative(lmax, spin, 0, jet);
    }
    if (status) armilla_jet_clear(jet);
    return status;
}

void armilla_jet_clear(armilla_jet *jet)
{
    for (int64_t i = 0; i < jet->nparts; i++)
        for (int set = 0; set < 2; set++) armilla_release(jet->part[i].factor[set]);
    *jet = (armilla_jet){.nparts = 0};
}
