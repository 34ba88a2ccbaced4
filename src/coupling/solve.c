/* LU factors with partial pivoting, and an estimate of the inverse's norm. See solve.h. */
#include "coupling/solve.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double norm_of(int64_t n, const double *matrix)
{
    double most = 0;
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++) sum += fabs(matrix[i * n + j]);
        most = sum > most ? sum : most;
    }
    return most;
}

static int64_t find_pivot(int64_t n, const double *lu, int64_t column)
{
    int64_t pivot = column;
    for (int64_t i = column + 1; i < n; i++)
        if (fabs(lu[i * n + column]) > fabs(lu[pivot * n + column])) pivot = i;
    return pivot;
}

static void exchange_rows(int64_t n, double *lu, int64_t a, int64_t b)
{
    for (int64_t j = 0; j < n && a != b; j++) {
        const double value = lu[a * n + j];
        lu[a * n + j] = lu[b * n + j], lu[b * n + j] = value;
    }
}

static void eliminate(int64_t n, double *lu, int64_t column)
{
    const double *row = lu + column * n;
    for (int64_t i = column + 1; i < n; i++) {
        double *below = lu + i * n;
        const double factor = below[column] /= row[column];
        for (int64_t j = column + 1; j < n; j++) below[j] -= factor * row[j];
    }
}

void armilla_lu_solve(int64_t n, const double *lu, const int64_t *pivots, double *x)
{
    for (int64_t i = 0; i < n; i++) {
        const double value = x[pivots[i]];
        x[pivots[i]] = x[i], x[i] = value;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++) x[i] -= lu[i * n + j] * x[j];
    for (int64_t i = n - 1; i >= 0; i--) {
        for (int64_t j = i + 1; j < n; j++) x[i] -= lu[i * n + j] * x[j];
        x[i] /= lu[i * n + i];
    }
}

/* The transposed system. */
static void solve_transposed(int64_t n, const double *lu, const int64_t *pivots, double *x)
{
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < i; j++) x[i] -= lu[j * n + i] * x[j];
        x[i] /= lu[i * n + i];
    }
    for (int64_t i = n - 1; i >= 0; i--)
        for (int64_t j = i + 1; j < n; j++) x[i] -= lu[j * n + i] * x[j];
    for (int64_t i = n - 1; i >= 0; i--) {
        const double value = x[pivots[i]];
        x[pivots[i]] = x[i], x[i] = value;
    }
}

/* Climbs to a column of the inverse with a large norm: few steps, each a solution and a transposed
 * one. work: x, y and the signs, 3 n. */
static double norm_of_inverse(int64_t n, const double *lu, const int64_t *pivots, double *work)
{
    double *x = work, *y = work + n, *z = work + 2 * n, most = 0;
    for (int64_t i = 0; i < n; i++) x[i] = 1 / (double)n;
    for (int step = 0; step < 5; step++) {
        double norm = 0, along = 0;
        int64_t largest = 0;
        memcpy(y, x, (size_t)n * sizeof *y);
        armilla_lu_solve(n, lu, pivots, y);
        for (int64_t i = 0; i < n; i++) norm += fabs(y[i]), z[i] = copysign(1, y[i]);
        if (norm <= most) break;
        most = norm;
        solve_transposed(n, lu, pivots, z);
        for (int64_t i = 0; i < n; i++) {
            along += z[i] * x[i];
            if (fabs(z[i]) > fabs(z[largest])) largest = i;
        }
        if (fabs(z[largest]) <= along) break;
        memset(x, 0, (size_t)n * sizeof *x);
        x[largest] = 1;
    }
    return most;
}

double armilla_lu_factorize(int64_t n, double *lu, int64_t *pivots, double *work, int64_t *column)
{
    const double norm = norm_of(n, lu);
    for (int64_t k = 0; k < n; k++) {
        pivots[k] = find_pivot(n, lu, k);
        if (!(fabs(lu[pivots[k] * n + k]) > (double)n * DBL_EPSILON * norm)) {
            *column = k;
            return INFINITY;
        }
        exchange_rows(n, lu, k, pivots[k]);
        eliminate(n, lu, k);
    }
    *column = -1;
    return norm * norm_of_inverse(n, lu, pivots, work);
}
