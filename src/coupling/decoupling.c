/* Solves for band powers without a mask. See decoupling.h. */
#include "coupling/decoupling.h"

#include "base/memory.h"
#include "coupling/solve.h"

#include <string.h>

/* K+ + K- takes EE + BB and EB - BE to their powers, K+ - K- the other two. */
static armilla_status factorize(armilla_decoupling *d, const double *matrix, int kind,
                                const char *name)
{
    const int64_t n = d->nbands;
    double *lu;
    int64_t band;
    armilla_status status = armilla_allocate(&d->lu[kind], n * n + 3 * n, sizeof *lu);
    if (!status) status = armilla_allocate(&d->pivots[kind], n, sizeof *d->pivots[kind]);
    if (status) return status;
    lu = d->lu[kind];
    for (int64_t i = 0; i < n * n; i++) {
        const double other = d->nkinds == 2 ? matrix[n * n + i] : 0;
        lu[i] = matrix[i] + (kind ? -other : other);
    }
    const double condition = armilla_lu_factorize(n, lu, d->pivots[kind], lu + n * n, &band);
    d->condition = condition > d->condition ? condition : d->condition;
    if (band < 0) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "%s cannot be solved: band %lld adds nothing to the bands before it; take "
                        "wider bands, or fewer",
                        name, (long long)band);
}

armilla_status armilla_decoupling_make(int64_t nbands, int64_t ncl, int64_t nkinds,
                                       const double *matrix, const char *name,
                                       armilla_decoupling *d)
{
    armilla_status status = ARMILLA_OK;
    memset(d, 0, sizeof *d);
    d->nbands = nbands, d->ncl = ncl, d->nkinds = nkinds;
    for (int kind = 0; kind < nkinds && !status; kind++) status = factorize(d, matrix, kind, name);
    return status;
}

void armilla_decoupling_clear(armilla_decoupling *d)
{
    for (int kind = 0; kind < 2; kind++) {
        armilla_release(d->lu[kind]);
        armilla_release(d->pivots[kind]);
    }
}

/* a, b become (a + b), (a - b), which is its own inverse but for a factor of 2. */
static void turn(int64_t n, double factor, double *a, double *b)
{
    for (int64_t i = 0; i < n; i++) {
        const double sum = factor * (a[i] + b[i]), difference = factor * (a[i] - b[i]);
        a[i] = sum, b[i] = difference;
    }
}

static void solve(const armilla_decoupling *d, int kind, double *x)
{
    armilla_lu_solve(d->nbands, d->lu[kind], d->pivots[kind], x);
}

void armilla_decoupling_solve(const armilla_decoupling *d, double *powers)
{
    const int64_t n = d->nbands;
    if (d->nkinds == 1) {
        for (int64_t i = 0; i < d->ncl; i++) solve(d, 0, powers + i * n);
        return;
    }
    double *ee = powers, *eb = powers + n, *be = powers + 2 * n, *bb = powers + 3 * n;
    turn(n, 1, ee, bb), turn(n, 1, eb, be); /* EB + BE, then EB - BE */
    solve(d, 0, ee), solve(d, 0, be);
    solve(d, 1, bb), solve(d, 1, eb);
    turn(n, 0.5, ee, bb), turn(n, 0.5, eb, be);
}
