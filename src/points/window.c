/* Computes the window that interpolates samples to points, a prolate spheroidal function: its
 * Legendre series, by inverse iteration, and the polynomials by which kernels evaluate each tap. */
#include "points/window.h"

#include <math.h>
#include <string.h>

static const long double PI = 3.14159265358979323846264338327950288L;

/* --- The prolate function --------------------------------------------------------------------- */

/* In the basis of normalised Legendre polynomials of even degree, psi is the eigenvector of the
 * smallest eigenvalue of a symmetric tridiagonal matrix; Osipov et al. (2.56). */
static void fill_matrix(long double c, long double *diagonal, long double *beside)
{
    for (int n = 0; n < ARMILLA_WINDOW_TERMS; n++) {
        const long double k = 2 * n;
        diagonal[n] = k * (k + 1) + (2 * k * (k + 1) - 1) / ((2 * k + 3) * (2 * k - 1)) * c * c;
        beside[n] = (k + 2) * (k + 1) / ((2 * k + 3) * sqrtl((2 * k + 1) * (2 * k + 5))) * c * c;
    }
}

/* Solves the system in place: the matrix is positive definite. */
static void solve(const long double *diagonal, const long double *beside, long double *x)
{
    long double pivot[ARMILLA_WINDOW_TERMS];
    pivot[0] = diagonal[0];
    for (int n = 1; n < ARMILLA_WINDOW_TERMS; n++) {
        const long double factor = beside[n - 1] / pivot[n - 1];
        pivot[n] = diagonal[n] - factor * beside[n - 1];
        x[n] -= factor * x[n - 1];
    }
    x[ARMILLA_WINDOW_TERMS - 1] /= pivot[ARMILLA_WINDOW_TERMS - 1];
    for (int n = ARMILLA_WINDOW_TERMS - 2; n >= 0; n--)
        x[n] = (x[n] - beside[n] * x[n + 1]) / pivot[n];
}

/* By inverse iteration: the next eigenvalue is about five times as large for large c, and more for
 * small c. */
static void find_terms(armilla_window *window)
{
    long double diagonal[ARMILLA_WINDOW_TERMS], beside[ARMILLA_WINDOW_TERMS];
    long double x[ARMILLA_WINDOW_TERMS];
    fill_matrix(window->c, diagonal, beside);
    for (int n = 0; n < ARMILLA_WINDOW_TERMS; n++) x[n] = n == 0;
    for (int i = 0; i < 60; i++) {
        long double norm = 0;
        solve(diagonal, beside, x);
        for (int n = 0; n < ARMILLA_WINDOW_TERMS; n++) norm += x[n] * x[n];
        for (int n = 0; n < ARMILLA_WINDOW_TERMS; n++) x[n] /= sqrtl(norm);
    }
    for (int n = 0; n < ARMILLA_WINDOW_TERMS; n++)
        window->term[n] = x[n] * sqrtl(2 * (long double)n + 0.5L);
}

long double armilla_window_psi(const armilla_window *window, long double x)
{
    long double before = 1, now = x, sum = window->term[0]; /* P_0, P_1 */
    for (int n = 1; n < ARMILLA_WINDOW_TERMS; n++) {
        for (int i = 0; i < 2; i++) {
            const long double l = 2 * n - 1 + i; /* of P_l = now at i = 0 */
            if (i == 0) {
                const long double next = ((2 * l + 1) * x * now - l * before) / (l + 1);
                before = now, now = next; /* P_2n */
                sum += window->term[n] * now;
            } else {
                const long double next = ((2 * l + 1) * x * now - l * before) / (l + 1);
                before = now, now = next; /* P_2n+1 */
            }
        }
    }
    return sum;
}

long double armilla_window_rise(const armilla_window *window, long double x)
{
    long double before = 1, now = x, sum = window->term[0] * (x + 1); /* P_0, P_1 */
    for (int n = 1; n < ARMILLA_WINDOW_TERMS; n++) {
        const long double l = 2 * n, odd = now; /* P_l-1 */
        const long double even = ((2 * l - 1) * x * odd - (l - 1) * before) / l;
        now = ((2 * l + 1) * x * even - l * odd) / (l + 1), before = even;
        sum += window->term[n] * (now - odd) / (2 * l + 1);
    }
    return sum / window->mu;
}

static void make(int taps, long double c, armilla_window *window)
{
    *window = (armilla_window){.taps = taps, .c = c};
    find_terms(window);
    const long double centre = armilla_window_psi(window, 0);
    for (int n = 0; n < ARMILLA_WINDOW_TERMS; n++) window->term[n] /= centre;
    window->mu = 2 * window->term[0];
}

void armilla_window_make(double sigma, int taps, armilla_window *window)
{
    make(taps,
         PI * taps * (1 - 0.5L / (sigma > ARMILLA_WINDOW_SIGMA ? ARMILLA_WINDOW_SIGMA : sigma)),
         window);
}

void armilla_window_make_narrow(long double c, armilla_window *window)
{
    make(2, c, window);
}

double armilla_window_transform(const armilla_window *window, int64_t k, int64_t length)
{
    const long double x = PI * window->taps * (long double)k / ((long double)length * window->c);
    return (double)(0.5L * window->taps * window->mu * armilla_window_psi(window, x));
}

/* --- How good it is --------------------------------------------------------------------------- */

double armilla_window_error(int taps, double sigma)
{
    const double decay =
        M_PI * sqrt(1 - 1 / (sigma > ARMILLA_WINDOW_SIGMA ? ARMILLA_WINDOW_SIGMA : sigma));
    return 4 * exp(-decay * (taps - 0.5));
}

/* --- Polynomials ------------------------------------------------------------------------------ */

/* Value of tap i at t. */
static long double tap_value(const armilla_window *window, int i, long double t)
{
    const long double x = 2 * (t + i) / window->taps - 1;
    return x > 1 ? 0 : armilla_window_psi(window, x);
}

enum { N = ARMILLA_WINDOW_DEGREE + 1 };

/* cosine[n][j] = T_n at the j-th root of T_N */
static void fill_cosines(long double cosine[N][N])
{
    for (int n = 0; n < N; n++)
        for (int j = 0; j < N; j++) cosine[n][j] = cosl(PI * n * (j + 0.5L) / N);
}

/* Chebyshev coefficients of a tap in 2 t - 1. */
static void chebyshev(const armilla_window *window, int i, long double cosine[N][N], long double *a)
{
    long double value[N];
    for (int j = 0; j < N; j++) value[j] = tap_value(window, i, (1 + cosine[1][j]) / 2);
    for (int n = 0; n < N; n++) {
        a[n] = 0;
        for (int j = 0; j < N; j++) a[n] += value[j] * cosine[n][j];
        a[n] *= (n ? 2.0L : 1.0L) / N;
    }
}

/* sum of a[n] T_n(s), n <= degree, as powers of s: the coefficients of a tap. */
static void to_powers(const long double *a, int degree, int tap, armilla_window_table *table)
{
    long double before[ARMILLA_WINDOW_DEGREE + 1] = {1}, now[ARMILLA_WINDOW_DEGREE + 1] = {0, 1};
    long double sum[ARMILLA_WINDOW_DEGREE + 1] = {0};
    sum[0] = a[0];
    for (int n = 1; n <= degree; n++) { /* now = T_n */
        long double next[ARMILLA_WINDOW_DEGREE + 1];
        for (int k = 0; k <= n; k++) sum[k] += a[n] * now[k];
        for (int k = 0; k <= ARMILLA_WINDOW_DEGREE; k++)
            next[k] = (k ? 2 * now[k - 1] : 0) - before[k];
        memcpy(before, now, sizeof before);
        memcpy(now, next, sizeof now);
    }
    for (int k = 0; k <= degree; k++)
        table->coefficient[degree - k + 1][ARMILLA_WINDOW_ROOM + tap] = (double)sum[k];
}

void armilla_window_fill_table(const armilla_window *window, double epsilon,
                               armilla_window_table *table)
{
    long double a[ARMILLA_WINDOW_TAPS][ARMILLA_WINDOW_DEGREE + 1];
    long double cosine[N][N];
    const long double edge = (PI * window->taps - window->c) / window->c; /* of the band */
    const long double most = 0.02L * epsilon * armilla_window_psi(window, edge);
    fill_cosines(cosine);
    memset(table, 0, sizeof *table);
    table->taps = window->taps, table->degree = 2;
    for (int i = 0; i < window->taps; i++) {
        chebyshev(window, i, cosine, a[i]);
        for (int n = ARMILLA_WINDOW_DEGREE; n > table->degree; n--)
            if (fabsl(a[i][n]) > most) table->degree = n;
    }
    for (int i = 0; i < window->taps; i++) to_powers(a[i], table->degree, i, table);
}
