/* Bands of degrees: means of spectra over them, windows of bands of pseudo-spectra, and powers
 * without a mask. See armilla/coupling.h. */
#include "base/memory.h"
#include "base/options.h"
#include "coupling/bands.h"
#include "coupling/product.h"
#include "coupling/solve.h"

#include <math.h>
#include <string.h>

void armilla_bands_init_sized(armilla_bands *bands, size_t size)
{
    const armilla_bands defaults = {.nbands = 0};
    armilla_options_give(&defaults, sizeof defaults, bands, size);
}

/* --- Bands ----------------------------------------------------------------------------------- */

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {sizeof(armilla_bands), 0};

double armilla_bands_sum(const armilla_bands *bands, int64_t band)
{
    double sum = 0;
    for (int64_t l = bands->begin[band]; l < bands->end[band]; l++)
        sum += armilla_bands_weight(bands, l);
    return sum;
}

static armilla_status check_band(const armilla_bands *bands, int64_t lmax, int64_t band)
{
    const int64_t begin = bands->begin[band], end = bands->end[band];
    if (begin < 0 || begin >= end || end > lmax + 1)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "bands: band %lld has degrees %lld .. %lld: must be a range within 0 "
                            ".. lmax = %lld",
                            (long long)band, (long long)begin, (long long)end - 1, (long long)lmax);
    for (int64_t l = begin; l < end; l++) {
        if (!(armilla_bands_weight(bands, l) >= 0 && armilla_bands_weight(bands, l) <= 1e300))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "bands->weights: at l = %lld it is %g: must be 0 or more, and "
                                "finite",
                                (long long)l, armilla_bands_weight(bands, l));
        if (!isnormal(armilla_bands_factor(bands, l)))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "bands->factor: at l = %lld it is %g: must be finite and not 0",
                                (long long)l, armilla_bands_factor(bands, l));
    }
    if (armilla_bands_sum(bands, band) > 0) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "bands: band %lld has no degree with a weight",
                        (long long)band);
}

armilla_status armilla_bands_take(const armilla_bands *given, int64_t lmax, armilla_bands *bands)
{
    armilla_bands_init(bands);
    armilla_status status = armilla_check_given("bands", given);
    if (!status) status = armilla_options_copy("bands", "armilla_bands", given, VERSIONS, bands);
    if (status) return status;
    if (bands->nbands < 1 || bands->nbands > INT64_C(1) << 24)
        return armilla_fail_argument("bands->nbands", bands->nbands, "must be 1 .. 2^24");
    if ((status = armilla_check_given("bands->begin", bands->begin)) ||
        (status = armilla_check_given("bands->end", bands->end)))
        return status;
    for (int64_t b = 0; b < bands->nbands && !status; b++) status = check_band(bands, lmax, b);
    return status;
}

void armilla_bands_fill(const armilla_bands *bands, int64_t band, double *row)
{
    const double weight = armilla_bands_sum(bands, band);
    for (int64_t l = bands->begin[band]; l < bands->end[band]; l++)
        row[l] = armilla_bands_weight(bands, l) * armilla_bands_factor(bands, l) / weight;
}

static void average(const armilla_bands *bands, const double *cl, double *powers)
{
    for (int64_t b = 0; b < bands->nbands; b++) {
        double sum = 0;
        for (int64_t l = bands->begin[b]; l < bands->end[b]; l++)
            sum += armilla_bands_weight(bands, l) * armilla_bands_factor(bands, l) * cl[l];
        powers[b] = sum / armilla_bands_sum(bands, b);
    }
}

armilla_status armilla_bands_average(const armilla_bands *bands, int64_t lmax, int64_t ncl,
                                     const double *cl, double *powers)
{
    armilla_bands taken;
    armilla_status status = armilla_check_band_limit(lmax, 0);
    if (!status) status = armilla_bands_take(bands, lmax, &taken);
    if (!status && ncl < 1) status = armilla_fail_argument("ncl", ncl, "must be 1 or more");
    if (!status) status = armilla_check_given("cl", cl);
    if (!status) status = armilla_check_given("powers", powers);
    for (int64_t i = 0; i < ncl && !status; i++)
        average(&taken, cl + i * (lmax + 1), powers + i * taken.nbands);
    return status;
}

/* --- Windows --------------------------------------------------------------------------------- */

typedef struct {
    const armilla_coupling *coupling;
    const armilla_bands *bands;
    double *windows, *matrix; /* NULL: not asked for */
} wishes;

static int64_t vectors_of(const wishes *w)
{
    return armilla_coupling_band_vectors(w->coupling, w->bands->nbands);
}

static int64_t mask_of(const void *context, int64_t vector)
{
    return vector / vectors_of(context);
}

static void give(const void *context, int64_t vector, int kind, double *row)
{
    const wishes *w = context;
    const int64_t band = vector % vectors_of(w);
    (void)kind;
    if (band == w->bands->nbands) return;
    armilla_bands_fill(w->bands, band, row);
    for (int64_t l = w->bands->begin[band]; l < w->bands->end[band]; l++)
        row[l] /= w->coupling->up[l];
}

static void take(const void *context, int64_t vector, int kind, const double *row)
{
    const wishes *w = context;
    const armilla_coupling *c = w->coupling;
    const int64_t n = w->bands->nbands, length = c->lmax + 1;
    const int64_t mask = vector / vectors_of(w), band = vector % vectors_of(w);
    if (band == n) return;
    const int64_t at = mask * c->nkinds * n + band;
    for (int64_t l = 0; l < length && w->windows; l++)
        armilla_coupling_add_kind(c->nkinds, kind, n * length, row[l] * c->up[l],
                                  w->windows + at * length + l);
    for (int64_t b = 0; b < n && w->matrix; b++) {
        double sum = 0;
        for (int64_t l = w->bands->begin[b]; l < w->bands->end[b]; l++)
            sum += row[l] * c->up[l] / armilla_bands_factor(w->bands, l);
        armilla_coupling_add_kind(c->nkinds, kind, n * n, sum, w->matrix + at * n + b);
    }
}

armilla_status armilla_coupling_windows(const armilla_coupling *coupling,
                                        const armilla_bands *bands, double *windows, double *matrix,
                                        const armilla_exec *exec)
{
    armilla_exec resolved;
    armilla_bands taken;
    armilla_status status = armilla_coupling_check(coupling, exec, &resolved);
    if (!status) status = armilla_bands_take(bands, coupling->lmax, &taken);
    if (!status && !windows && !matrix) status = armilla_check_given("windows", NULL);
    if (status) return status;
    const wishes w = {coupling, &taken, windows, matrix};
    const armilla_coupling_vectors vectors = {.count = coupling->nmasks * vectors_of(&w),
                                              .mask = mask_of,
                                              .give = give,
                                              .take = take,
                                              .context = &w};
    return armilla_coupling_product(coupling, &vectors, &resolved);
}

/* --- Powers without a mask ---------------------------------------------------------------------
 */

/* One pair of masks: K+ and K-, or the only matrix, solved for all of its spectra. */
typedef struct {
    const armilla_coupling *coupling;
    int64_t nbands, mask;
    const double *matrix;
    double *lu;
    int64_t *pivots;
    double condition;
} decoupling;

/* K+ + K- takes EE + BB and EB - BE to their powers, K+ - K- the other two. */
static armilla_status factorize(decoupling *d, int kind)
{
    const int64_t n = d->nbands;
    int64_t band;
    for (int64_t i = 0; i < n * n; i++) {
        const double other = d->coupling->nkinds == 2 ? d->matrix[n * n + i] : 0;
        d->lu[i] = d->matrix[i] + (kind ? -other : other);
    }
    const double condition = armilla_lu_factorize(n, d->lu, d->pivots, d->lu + n * n, &band);
    d->condition = condition > d->condition ? condition : d->condition;
    if (band < 0) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "matrix: that of mask %lld cannot be solved: band %lld adds nothing to the "
                        "bands before it; take wider bands, or fewer",
                        (long long)d->mask, (long long)band);
}

/* a, b become (a + b), (a - b), which is its own inverse but for a factor of 2. */
static void turn(int64_t n, double factor, double *a, double *b)
{
    for (int64_t i = 0; i < n; i++) {
        const double sum = factor * (a[i] + b[i]), difference = factor * (a[i] - b[i]);
        a[i] = sum, b[i] = difference;
    }
}

static armilla_status decouple(decoupling *d, double *powers)
{
    const int64_t n = d->nbands, ncl = d->coupling->ncl;
    armilla_status status;
    if (ncl < 4) {
        if ((status = factorize(d, 0))) return status;
        for (int64_t i = 0; i < ncl; i++) armilla_lu_solve(n, d->lu, d->pivots, powers + i * n);
        return ARMILLA_OK;
    }
    double *ee = powers, *eb = powers + n, *be = powers + 2 * n, *bb = powers + 3 * n;
    turn(n, 1, ee, bb), turn(n, 1, eb, be); /* EB + BE, then EB - BE */
    if ((status = factorize(d, 0))) return status;
    armilla_lu_solve(n, d->lu, d->pivots, ee);
    armilla_lu_solve(n, d->lu, d->pivots, be);
    if ((status = factorize(d, 1))) return status;
    armilla_lu_solve(n, d->lu, d->pivots, bb);
    armilla_lu_solve(n, d->lu, d->pivots, eb);
    turn(n, 0.5, ee, bb), turn(n, 0.5, eb, be);
    return ARMILLA_OK;
}

static armilla_status check_matrix(const armilla_coupling *c, int64_t n, const double *matrix)
{
    const armilla_status status = armilla_check_given("matrix", matrix);
    for (int64_t i = 0; i < c->nmasks * c->nkinds * n * n && !status; i++)
        if (!isfinite(matrix[i]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "matrix[%lld] = %g: must be finite",
                                (long long)i, matrix[i]);
    return status;
}

armilla_status armilla_coupling_decouple(const armilla_coupling *coupling,
                                         const armilla_bands *bands, const double *matrix,
                                         const double *coupled, double *powers, double *condition)
{
    armilla_bands taken;
    armilla_status status = armilla_check_given("coupling", coupling);
    if (!status) status = armilla_bands_take(bands, coupling->lmax, &taken);
    if (status) return status;
    const int64_t n = taken.nbands, length = coupling->lmax + 1, ncl = coupling->ncl;
    decoupling d = {.coupling = coupling, .nbands = n};
    double *made = NULL;
    if (!(status = check_matrix(coupling, n, matrix)) &&
        !(status = armilla_coupling_check_spectra("coupled", coupling->nmasks * ncl, coupling->lmax,
                                                  coupled)) &&
        !(status = armilla_check_given("powers", powers)) &&
        !(status = armilla_allocate(&made, coupling->nmasks * ncl * n, sizeof *made)) &&
        !(status = armilla_allocate(&d.lu, n * n + 3 * n, sizeof *d.lu)))
        status = armilla_allocate(&d.pivots, n, sizeof *d.pivots);
    for (; d.mask < coupling->nmasks && !status; d.mask++) {
        double *own = made + d.mask * ncl * n;
        for (int64_t i = 0; i < ncl; i++)
            average(&taken, coupled + (d.mask * ncl + i) * length, own + i * n);
        d.matrix = matrix + d.mask * coupling->nkinds * n * n;
        status = decouple(&d, own);
    }
    if (!status) memcpy(powers, made, (size_t)(coupling->nmasks * ncl * n) * sizeof *made);
    if (!status && condition) *condition = d.condition;
    armilla_release(made);
    armilla_release(d.lu);
    armilla_release(d.pivots);
    return status;
}
