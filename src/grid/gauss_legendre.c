/* Nodes and weights of the Gauss-Legendre rule in colatitude, each in O(1);
 * docs/mathematics.md (5.1), (5.2).
 *
 * With rho = n + 1/2, u = sqrt(sin theta) P_n(cos theta) obeys
 * u'' + (rho^2 + 1/(4 sin^2 theta)) u = 0, and sqrt(x) J_0(rho x) the same equation with
 * 1/(4 x^2). The map theta(x) between the two,
 *
 *     theta'^2 (rho^2 + 1/(4 sin^2 theta)) + {theta, x} / 2 = rho^2 + 1/(4 x^2)
 *     theta = x + F_1(x)/rho^2 + F_2(x)/rho^4 + F_3(x)/rho^6 + ...,      {,} the Schwarzian,
 *
 * takes j_k / rho (j_k the k-th zero of J_0) to the k-th node, and the weight there is
 *
 *     w = 2 / (dP_n/dtheta)^2 = (pi / rho) sin(theta) theta'(x) S_k
 *     S_k = 2 / (pi j_k J_1(j_k)^2)
 *
 * F_k are polynomials in 1/x and cot x, got by inserting the series; the 1/x^j in them cancel to
 * an error of about 1e-16 / j_k^2 of the node. For small n Newton's method replaces the series.
 * Reference: Bogaert 2014, SIAM J. Sci. Comput. 36, A1008, whose F_k these are (his weights are
 * expanded differently). */
#include "grid/grid.h"
#include "base/memory.h"

#include <math.h>

/* Below this n the terms left out, about 0.1 / rho^8, would show. */
enum { SERIES_FROM = 100, TABULATED = 24 };

/* j_k - (k - 1/4) pi and S_k, k = 1 .. 24. mpmath 1.3, 40 digits: besseljzero(0, k). */
static const double bessel[TABULATED][2] = {{0.04863106750342783977, 0.9822341167218512513},
                                            {0.02229096650417248229, 0.9960951712438778575},
                                            {0.01434811553908081118, 0.9983661220823557619},
                                            {0.01056198805255696951, 0.9991115104807027736},
                                            {0.008352603936268065065, 0.9994434412453225768},
                                            {0.006906209769611421988, 0.9996191732821179639},
                                            {0.005886218148154599456, 0.9997232113735498785},
                                            {0.005128465428405138972, 0.9997898172483115146},
                                            {0.004543413129563959329, 0.99983499899710226},
                                            {0.004078095931491042539, 0.9998670439582880937},
                                            {0.003699187483291370765, 0.9998905896964102528},
                                            {0.003384673983973427833, 0.9999083950665695853},
                                            {0.003119431358375504401, 0.9999221843802547144},
                                            {0.002892726317073328663, 0.9999330801564747119},
                                            {0.002696731212363751362, 0.9999418385663340361},
                                            {0.002525603358573667816, 0.9999489840430770728},
                                            {0.002374893485959285002, 0.9999548895439108153},
                                            {0.002241153801149328972, 0.9999598261634556617},
                                            {0.00212167127231891166, 0.9999639947771562333},
                                            {0.002014281828753423215, 0.9999675467847976172},
                                            {0.001917238218650742536, 0.9999705980425170242},
                                            {0.00182911427879533443, 0.9999732384242626305},
                                            {0.001748734425936650038, 0.9999755385120204354},
                                            {0.001675120944248470333, 0.9999775543594234163}};

/* j_k = (k - 1/4) pi + shift, S_k = amplitude. Beyond the table McMahon's expansion of the zero
 * and the asymptotic modulus of the Bessel function (DLMF 10.21.19, 10.18.17) have full accuracy.
 */
static void bessel_zero(int64_t k, double *shift, double *amplitude)
{
    if (k <= TABULATED) {
        *shift = bessel[k - 1][0];
        *amplitude = bessel[k - 1][1];
        return;
    }
    double inverse = 1 / (8 * M_PI * ((double)k - 0.25)), q = inverse * inverse;
    *shift = inverse * (1 + q * (-124.0 / 3 + q * (120928.0 / 15 - q * (401743168.0 / 105))));
    double zero = M_PI * ((double)k - 0.25) + *shift, term = 1, sum = 1;
    for (int m = 1; m <= 5; m++) {
        double odd = 2 * m - 1;
        term *= -odd * odd * odd / (2 * m * 4 * zero * zero);
        sum += term;
    }
    *amplitude = sum;
}

/* F_1 .. F_3 and their derivatives at x; y = 1/x, c = cot x. */
static void map_terms(double x, double f[3], double df[3])
{
    double y = 1 / x, c = cos(x) / sin(x), y2 = y * y, c2 = c * c, cy = c * y;
    f[0] = (c - y) / 8;
    df[0] = (y2 - c2 - 1) / 8;
    f[1] = (-31 * c * c2 + 6 * c2 * y - 33 * c + 25 * y * y2 + 6 * y) / 384;
    df[1] =
        (31 * c2 * c2 - 4 * c2 * cy - 2 * cy * cy + 42 * c2 - 4 * cy - 25 * y2 * y2 - 2 * y2 + 11) /
        128;
    f[2] = (c2 * c * (7558 * c2 - 930 * cy + 60 * y2 + 12700) - 250 * c2 * y * y2 - 1260 * c2 * y +
            60 * c * y2 + 5190 * c - 6438 * y2 * y2 * y - 250 * y * y2 - 330 * y) /
           30720;
    df[2] = (c2 * c2 * (-3779 * c2 + 372 * cy + 75 * y2 - 7589) + 38 * cy * cy * cy +
             624 * c2 * cy + 75 * c2 * y2 * y2 + 102 * c2 * y2 - 4329 * c2 + 38 * cy * y2 +
             252 * cy + 3219 * y2 * y2 * y2 + 75 * y2 * y2 + 27 * y2 - 519) /
            3072;
}

/* j_k / rho is kept as quotient + rest, so that the node is rounded once. */
static void node_by_series(int64_t n, int64_t k, double *theta, double *weight)
{
    static const double low = 1.2246467991473532e-16; /* pi - M_PI */
    double rho = (double)n + 0.5, count = (double)k - 0.25, shift, amplitude, f[3], df[3];
    bessel_zero(k, &shift, &amplitude);
    double product = count * M_PI, quotient = product / rho;
    double rest = fma(count, M_PI, -product) + count * low + fma(-quotient, rho, product) + shift;
    map_terms(quotient + rest / rho, f, df);
    double e = 1 / (rho * rho);
    *theta = quotient + (rest / rho + e * (f[0] + e * (f[1] + e * f[2])));
    double slope = 1 + e * (df[0] + e * (df[1] + e * df[2]));
    *weight = M_PI / rho * (sin(*theta) * slope * amplitude);
}

/* P_n(cos theta) and its derivative with respect to theta. The recurrence runs in the differences
 * d_l = P_l - P_{l-1}, (l + 1) d_{l+1} = l d_l - (2 l + 1) (1 - x) P_l, which keeps all digits near
 * the pole; long double gives the digits that Newton's correction needs. */
static void legendre(int64_t n, long double theta, long double *value, long double *slope)
{
    long double half = sinl(theta / 2), gap = 2 * half * half, p = 1, d = 0, before = 1;
    for (int64_t l = 0; l < n; l++) {
        d = ((long double)l * d - (long double)(2 * l + 1) * gap * p) / (long double)(l + 1);
        before = p;
        p += d;
    }
    *value = p;
    *slope = (long double)n * ((1 - gap) * p - before) / sinl(theta);
}

static void node_by_newton(int64_t n, int64_t k, double *theta, double *weight)
{
    double rho = (double)n + 0.5, shift, amplitude;
    bessel_zero(k, &shift, &amplitude);
    double x = (M_PI * ((double)k - 0.25) + shift) / rho;
    long double node = x + (cos(x) / sin(x) - 1 / x) / (8 * rho * rho), value, slope;
    for (int i = 0; i < 4; i++) {
        legendre(n, node, &value, &slope);
        node -= value / slope;
    }
    legendre(n, node, &value, &slope);
    *theta = (double)node;
    *weight = (double)(2 / (slope * slope));
}

void armilla_gauss_legendre_half(int64_t n, double *theta, double *weight)
{
    for (int64_t k = 1; 2 * k <= n + 1; k++) {
        if (n < SERIES_FROM)
            node_by_newton(n, k, &theta[k - 1], &weight[k - 1]);
        else
            node_by_series(n, k, &theta[k - 1], &weight[k - 1]);
        if (2 * k == n + 1) theta[k - 1] = M_PI / 2;
    }
}

armilla_status armilla_grid_fill_gauss_legendre(armilla_grid *grid)
{
    int64_t n = grid->nrings, half = (n + 1) / 2;
    double *theta;
    armilla_status status = armilla_allocate(&theta, 2 * half, sizeof *theta);
    if (status) return status;
    double *weight = theta + half;
    armilla_gauss_legendre_half(n, theta, weight);
    for (int64_t r = 0; r < half; r++) {
        armilla_ring *north = &grid->rings[r], *south = &grid->rings[n - 1 - r];
        south->theta = M_PI - theta[r];
        north->theta =
            theta[r]; /* written after the southern ring: on the equator both are the same ring */
        north->weight = south->weight = weight[r];
    }
    armilla_release(theta);
    return ARMILLA_OK;
}

armilla_status armilla_grid_new_gauss_legendre(int64_t nrings, int64_t nphi, armilla_grid **grid)
{
    armilla_grid *made = NULL;
    armilla_status status = armilla_grid_check_count("nrings", nrings, 1);
    if (!status) status = armilla_grid_check_count("nphi", nphi, 1);
    if (!status) status = armilla_check_given("grid", grid);
    if (!status) status = armilla_grid_allocate(ARMILLA_GRID_GAUSS_LEGENDRE, nrings, &made);
    if (status) return status;
    for (int64_t r = 0; r < nrings; r++) made->rings[r].nphi = nphi;
    made->exact_lmax = nrings - 1;
    status = armilla_grid_fill_gauss_legendre(made);
    return armilla_grid_finish(status, made, grid);
}
