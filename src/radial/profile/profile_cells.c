/* Profiles in equal cells of y = sqrt(x / end); docs/mathematics.md (8.16).
 *
 * A table is a cubic of the chord h = 2 sqrt(end) y between nodes, so a cell with at most one node
 * holds it exactly. Smooth kernels are fitted, cell by cell. The number of cells is doubled until
 * everything fits. */
#include "radial/profile/profile_fit.h"

#include "base/memory.h"

#include <math.h>

enum {
    MOST_CELLS = 65536, /* 11 MB */
    DEGREE = ARMILLA_PROFILE_CELL_DEGREE,
    ROW = DEGREE + 1
};
#define NO_BORDER 2.0
/* A share of the peak, for the fit of a cell that holds several nodes of a table, whose cubics
 * become one polynomial. Only tables of thousands of nodes come to that, mostly near theta = pi,
 * where nodes that are equally spaced in theta crowd together in y. */
#define CROWDED_ERROR 1e-9L

typedef struct {
    const armilla_kernel *kernel;
    const armilla_series *series; /* NULL: table */
    long double root;             /* sqrt(end) */
    double peak;
} source;

typedef struct {
    double border;
    long double coef[2][ROW];
} cell;

typedef struct {
    int degree;
    long double node[ROW], power[ROW][ROW], check[ROW + 1];
} rule;

static long double value_at(const source *s, long double y)
{
    if (s->series) return armilla_series_value(s->series, fminl(1, y));
    return armilla_kernel_table_value(s->kernel, 2 * asinl(fminl(1, s->root * y)));
}

static long double polynomial(int degree, const long double *coef, long double t)
{
    long double sum = 0;
    for (int i = degree; i >= 0; i--) sum = sum * t + coef[i];
    return sum;
}

/* --- Fits ------------------------------------------------------------------------------------ */

/* The rule of a fit: degree + 1 Chebyshev nodes, the way from values there to powers of t, and
 * where the fit is compared with the kernel: between the nodes, and at both ends. */
static void make_rule(int degree, rule *r)
{
    const int n = degree + 1;
    r->degree = degree;
    for (int j = 0; j < n; j++) {
        r->node[j] = cosl(ARMILLA_PI * (j + 0.5L) / n);
        long double chebyshev[ROW];
        for (int k = 0; k < n; k++)
            chebyshev[k] = cosl(ARMILLA_PI * k * (j + 0.5L) / n) * (k ? 2 : 1) / n;
        armilla_chebyshev_powers(n, chebyshev, r->power[j]);
    }
    for (int i = 0; i <= n; i++) r->check[i] = cosl(ARMILLA_PI * i / n);
}

static long double place(int64_t c, int64_t ncells, long double t)
{
    return ((long double)c + (1 + t) / 2) / (long double)ncells;
}

/* The polynomial through the nodes of cell c; 0 if it misses the kernel between them by more than
 * `bound` of the peak. */
static int fit_cell(const source *s, const rule *r, int64_t c, int64_t ncells, long double bound,
                    cell *made)
{
    *made = (cell){.border = NO_BORDER};
    for (int j = 0; j <= r->degree; j++) {
        const long double value = value_at(s, place(c, ncells, r->node[j]));
        for (int i = 0; i <= r->degree; i++) made->coef[0][i] += value * r->power[j][i];
    }
    long double growth = 0;
    for (int i = 0; i <= r->degree; i++) {
        growth += fabsl(made->coef[0][i]);
        made->coef[1][i] = made->coef[0][i];
    }
    if (!(growth <= ARMILLA_PROFILE_GROWTH * (long double)s->peak)) return 0;
    for (int i = 0; i <= r->degree + 1; i++) {
        const long double value = value_at(s, place(c, ncells, r->check[i]));
        const long double error = polynomial(r->degree, made->coef[0], r->check[i]) - value;
        if (!(fabsl(error) <= bound * (long double)s->peak)) return 0;
    }
    return 1;
}

/* --- Tables ---------------------------------------------------------------------------------- */

/* Where node k lies, in cells. */
static long double node_place(const source *s, int64_t k, int64_t ncells)
{
    return sinl((long double)s->kernel->theta[k] / 2) / s->root * (long double)ncells;
}

/* The piece of the table that ends at node k, as powers of t in cell c; 0 if they cancel. */
static int piece(const source *s, int64_t k, int64_t c, int64_t ncells, long double *coef)
{
    for (int i = 0; i < ROW; i++) coef[i] = 0;
    if (k == 0) {
        coef[0] = s->kernel->value[0];
        return 1;
    }
    if (k == s->kernel->count) return 1;
    long double p[4];
    armilla_kernel_table_cubic(s->kernel, k - 1, p);
    /* h - h_k = a + b t */
    const long double b = s->root / (long double)ncells;
    const long double a =
        (2 * (long double)c + 1) * b - 2 * sinl((long double)s->kernel->theta[k - 1] / 2);
    coef[0] = p[0] + a * (p[1] + a * (p[2] + a * p[3]));
    coef[1] = b * (p[1] + a * (2 * p[2] + 3 * a * p[3]));
    coef[2] = b * b * (p[2] + 3 * a * p[3]);
    coef[3] = b * b * b * p[3];
    long double sum = 0;
    for (int i = 0; i < 4; i++) sum += fabsl(coef[i]);
    return sum <= ARMILLA_PROFILE_GROWTH * (long double)s->peak;
}

/* Cell c, whose first node, or the first one behind it, is k. */
static int table_cell(const source *s, int64_t k, int64_t c, int64_t ncells, double support,
                      cell *made)
{
    const armilla_kernel *kernel = s->kernel;
    made->border = NO_BORDER;
    if (!piece(s, k, c, ncells, made->coef[0])) return 0;
    const int inside = k < kernel->count && kernel->theta[k] < support &&
                       node_place(s, k, ncells) < (long double)(c + 1);
    if (!inside) {
        for (int i = 0; i < ROW; i++) made->coef[1][i] = made->coef[0][i];
        return 1;
    }
    if (k + 1 < kernel->count && kernel->theta[k + 1] < support &&
        node_place(s, k + 1, ncells) < (long double)(c + 1))
        return 0;
    /* the node itself belongs to the lower side: behind the last one there may be a step */
    made->border = nextafter((double)(2 * (node_place(s, k, ncells) - (long double)c) - 1), 2);
    return piece(s, k + 1, c, ncells, made->coef[1]);
}

/* --- All cells ------------------------------------------------------------------------------- */

static void store(const cell *made, int64_t c, armilla_profile *profile)
{
    const int n = profile->degree + 1;
    profile->border[c] = made->border;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < n; i++)
            profile->coef[(2 * c + side) * n + i] = (double)made->coef[side][i];
}

/* Tries all cells, and stores them if the profile has room; 0 at the first that does not fit. From
 * the last one on: there a smooth kernel changes fastest. */
static int fit_all(const source *s, armilla_profile *profile)
{
    rule r;
    make_rule(profile->degree, &r);
    for (int64_t c = profile->ncells - 1; c >= 0; c--) {
        cell made;
        if (!fit_cell(s, &r, c, profile->ncells, ARMILLA_PROFILE_ERROR, &made)) return 0;
        if (profile->coef) store(&made, c, profile);
    }
    return 1;
}

/* The same for tables. A cell that holds several nodes is fitted if degree is as high as it can be.
 */
static int table_all(const source *s, armilla_profile *profile)
{
    rule r;
    make_rule(profile->degree, &r);
    const int64_t ncells = profile->ncells;
    for (int64_t c = 0, k = 0; c < ncells; c++) {
        cell made;
        while (k < s->kernel->count && node_place(s, k, ncells) < (long double)c) k++;
        if (!table_cell(s, k, c, ncells, profile->support, &made) &&
            !(r.degree == DEGREE && fit_cell(s, &r, c, ncells, CROWDED_ERROR, &made)))
            return 0;
        if (profile->coef) store(&made, c, profile);
    }
    return 1;
}

static int find_table(const source *s, armilla_profile *profile)
{
    profile->degree = 3;
    for (profile->ncells = 1; profile->ncells <= MOST_CELLS; profile->ncells *= 2)
        if (table_all(s, profile)) return 1;
    profile->ncells = MOST_CELLS;
    profile->degree = DEGREE;
    return table_all(s, profile);
}

static int find_fit(const source *s, armilla_profile *profile)
{
    profile->degree = DEGREE;
    for (profile->ncells = 1; !fit_all(s, profile); profile->ncells *= 2)
        if (profile->ncells == MOST_CELLS) return 0;
    while (profile->degree > 0) {
        profile->degree--;
        if (fit_all(s, profile)) continue;
        profile->degree++;
        break;
    }
    return 1;
}

static armilla_status fail_cells(const source *s, const armilla_profile *profile)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "kernel: %s for a support of %g rad: its features must be wider than "
                        "1/%d of the support",
                        s->series ? "varies too fast" : "table too fine", profile->support,
                        MOST_CELLS);
}

armilla_status armilla_profile_make_cells(const armilla_kernel *kernel,
                                          const armilla_series *series, armilla_profile *profile)
{
    const source s = {kernel, series, sqrtl((long double)profile->end), profile->peak};
    profile->coef = NULL;
    if (!(series ? find_fit(&s, profile) : find_table(&s, profile))) return fail_cells(&s, profile);
    const int64_t count = profile->ncells * 2 * (profile->degree + 1);
    armilla_status status = armilla_allocate(&profile->coef, count, sizeof *profile->coef);
    if (!status)
        status = armilla_allocate(&profile->border, profile->ncells, sizeof *profile->border);
    if (status) {
        armilla_release(profile->coef);
        return status;
    }
    (void)(series ? fit_all(&s, profile) : table_all(&s, profile));
    return ARMILLA_OK;
}
