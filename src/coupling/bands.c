/* Bands of degrees: means of spectra over them, windows of bands of pseudo-spectra, and powers
 * without a mask. See armilla/coupling.h. */
#include "base/memory.h"
#include "base/options.h"
#include "base/progress.h"
#include "coupling/bands.h"
#include "coupling/decoupling.h"
#include "coupling/gram.h"
#include "coupling/low.h"
#include "coupling/product.h"

#include <math.h>
#include <stdio.h>
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
    double *windows;
} wishes;

static int64_t vectors_of(const wishes *w)
{
    return armilla_coupling_band_vectors(w->coupling, w->bands->nbands);
}

static int64_t mask_of(const void *context, int64_t vector)
{
    return vector / vectors_of(context);
}

/* The weights of a band's mean, of pseudo-spectra. */
static void give_mean(const wishes *w, int64_t band, double *row)
{
    armilla_bands_fill(w->bands, band, row);
    for (int64_t l = w->bands->begin[band]; l < w->bands->end[band]; l++)
        row[l] = l < w->coupling->nlow ? 0 : row[l] / w->coupling->scale[l];
}

static void give(const void *context, int64_t vector, int kind, double *row)
{
    const wishes *w = context;
    const int64_t band = vector % vectors_of(w);
    (void)kind;
    if (band < w->bands->nbands) give_mean(w, band, row);
}

static void take(const void *context, int64_t vector, int kind, const double *row)
{
    const wishes *w = context;
    const armilla_coupling *c = w->coupling;
    const int64_t n = w->bands->nbands, length = c->lmax + 1;
    const int64_t mask = vector / vectors_of(w), band = vector % vectors_of(w);
    const int64_t at = mask * c->nkinds * n + band;
    for (int64_t l = 0; l < length && band < n; l++)
        armilla_coupling_add_kind(c->nkinds, kind, n * length, row[l] * c->scale_in[l],
                                  w->windows + at * length + l);
}

/* Adds what rows of low degrees (low.h) have in the windows, and in the matrix; either may be NULL.
 */
static armilla_status add_low(const wishes *w, double *windows, double *matrix)
{
    const armilla_coupling *c = w->coupling;
    const int64_t n = w->bands->nbands, length = c->lmax + 1;
    double *row;
    armilla_status status = c->nlow ? armilla_allocate(&row, 2 * length, sizeof *row) : ARMILLA_OK;
    if (status || !c->nlow) return status;
    double *own = row + length;
    for (int64_t i = 0; i < c->nmasks * n; i++) {
        if (w->bands->begin[i % n] >= c->nlow) continue;
        double *window = windows ? windows + i * length : own;
        memset(row, 0, (size_t)(2 * length) * sizeof *row);
        armilla_bands_fill(w->bands, i % n, row);
        armilla_coupling_low_adjoint(c, i / n, row, window);
        for (int64_t b = 0; b < n && matrix; b++)
            for (int64_t l = w->bands->begin[b]; l < w->bands->end[b]; l++)
                matrix[i * n + b] += window[l] / armilla_bands_factor(w->bands, l);
    }
    armilla_release(row);
    return ARMILLA_OK;
}

static armilla_status make_windows(const wishes *w, const armilla_exec *exec)
{
    const armilla_coupling_vectors vectors = {.count = w->coupling->nmasks * vectors_of(w),
                                              .mask = mask_of,
                                              .give = give,
                                              .take = take,
                                              .context = w};
    const armilla_status status = armilla_coupling_product(w->coupling, &vectors, exec);
    return status ? status : add_low(w, w->windows, NULL);
}

/* --- Matrices of bands ------------------------------------------------------------------------
 */

enum { MEANS, SPECTRA }; /* families: of the bands' means, and of spectra of 1 / factor in a band */

static void give_family(const void *context, int64_t family, int64_t band, double *row)
{
    const wishes *w = context;
    if (family == MEANS) {
        give_mean(w, band, row);
        return;
    }
    for (int64_t l = w->bands->begin[band]; l < w->bands->end[band]; l++)
        row[l] = w->coupling->scale_in[l] / armilla_bands_factor(w->bands, l);
}

static armilla_status make_matrix(const wishes *w, double *matrix, const armilla_exec *exec)
{
    const armilla_coupling_families families = {
        .nbands = w->bands->nbands, .give = give_family, .context = w};
    const int64_t nmasks = w->coupling->nmasks;
    armilla_coupling_meeting *meetings;
    armilla_status status = armilla_allocate(&meetings, nmasks, sizeof *meetings);
    if (status) return status;
    for (int64_t i = 0; i < nmasks; i++)
        meetings[i] = (armilla_coupling_meeting){.mask = i, .left = MEANS, .right = SPECTRA};
    status = armilla_coupling_gram(w->coupling, &families, nmasks, meetings, matrix, exec);
    armilla_release(meetings);
    return status ? status : add_low(w, NULL, matrix);
}

/* Nearly all of the work, where both are made, is that of the windows. */
enum { SHARE_OF_WINDOWS = 95 };

armilla_status armilla_coupling_windows(const armilla_coupling *coupling,
                                        const armilla_bands *bands, double *windows, double *matrix,
                                        const armilla_exec *exec)
{
    armilla_exec resolved;
    armilla_bands taken;
    armilla_relay relay;
    armilla_status status = armilla_coupling_check(coupling, exec, &resolved);
    if (!status) status = armilla_bands_take(bands, coupling->lmax, &taken);
    if (!status && !windows && !matrix) status = armilla_check_given("windows", NULL);
    if (status) return status;
    const wishes w = {coupling, &taken, windows};
    const double share = !matrix ? 1 : !windows ? 0 : 0.01 * SHARE_OF_WINDOWS;
    armilla_relay_start(&relay, resolved.progress, resolved.progress_data);
    if (resolved.progress)
        resolved.progress = armilla_relay_report, resolved.progress_data = &relay;
    if (windows && !(status = armilla_relay_next(&relay, share)))
        status = make_windows(&w, &resolved);
    if (matrix && !status && !(status = armilla_relay_next(&relay, 1 - share)))
        status = make_matrix(&w, matrix, &resolved);
    return status;
}

/* --- Powers without a mask ---------------------------------------------------------------------
 */

static armilla_status check_matrix(const armilla_coupling *c, int64_t n, const double *matrix)
{
    const armilla_status status = armilla_check_given("matrix", matrix);
    for (int64_t i = 0; i < c->nmasks * c->nkinds * n * n && !status; i++)
        if (!isfinite(matrix[i]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "matrix[%lld] = %g: must be finite",
                                (long long)i, matrix[i]);
    return status;
}

/* All pairs of masks, in place: bands of pseudo-spectra become powers. */
static armilla_status decouple(const armilla_coupling *c, int64_t n, const double *matrix,
                               double *powers, double *condition)
{
    armilla_status status = ARMILLA_OK;
    *condition = 0;
    for (int64_t mask = 0; mask < c->nmasks && !status; mask++) {
        armilla_decoupling d;
        char name[64];
        snprintf(name, sizeof name, "matrix: that of mask %lld", (long long)mask);
        status = armilla_decoupling_make(n, c->ncl, c->nkinds, matrix + mask * c->nkinds * n * n,
                                         name, &d);
        if (!status) armilla_decoupling_solve(&d, powers + mask * c->ncl * n);
        *condition = d.condition > *condition ? d.condition : *condition;
        armilla_decoupling_clear(&d);
    }
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
    const int64_t n = taken.nbands, length = coupling->lmax + 1;
    const int64_t nspectra = coupling->nmasks * coupling->ncl;
    double *made = NULL, largest;
    if (!(status = check_matrix(coupling, n, matrix)) &&
        !(status = armilla_coupling_check_spectra("coupled", nspectra, coupling->lmax, coupled)) &&
        !(status = armilla_check_given("powers", powers)))
        status = armilla_allocate(&made, nspectra * n, sizeof *made);
    if (status) return status;
    for (int64_t i = 0; i < nspectra; i++) average(&taken, coupled + i * length, made + i * n);
    status = decouple(coupling, n, matrix, made, &largest);
    if (!status) memcpy(powers, made, (size_t)(nspectra * n) * sizeof *made);
    if (!status && condition) *condition = largest;
    armilla_release(made);
    return status;
}
