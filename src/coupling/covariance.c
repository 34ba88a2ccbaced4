/* Gaussian covariances of bands: terms x_l M_ll' / (2l'+1) y_l' between bands, by products with
 * bands times x, which terms share. See armilla/coupling.h, docs/mathematics.md 14. */
#include "base/memory.h"
#include "base/options.h"
#include "coupling/bands.h"
#include "coupling/product.h"

#include <math.h>

void armilla_covariance_problem_init_sized(armilla_covariance_problem *problem, size_t size)
{
    const armilla_covariance_problem defaults = {.nx = 0};
    armilla_options_give(&defaults, sizeof defaults, problem, size);
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {sizeof(armilla_covariance_problem), 0};

typedef struct {
    const armilla_coupling *coupling;
    armilla_bands bands;
    armilla_covariance_problem problem;
    int64_t nshared;
    armilla_covariance_term *shared; /* [nshared]: mask and x that terms have */
    double *cov;
} covariance;

/* --- Arguments ------------------------------------------------------------------------------- */

static armilla_status check_terms(const covariance *v)
{
    const armilla_covariance_problem *p = &v->problem;
    if (p->nterms < 1 || p->nterms > INT64_C(1) << 24)
        return armilla_fail_argument("problem->nterms", p->nterms, "must be 1 .. 2^24");
    const armilla_status status = armilla_check_given("problem->terms", p->terms);
    for (int64_t i = 0; i < p->nterms && !status; i++) {
        const armilla_covariance_term *t = &p->terms[i];
        const int64_t is[] = {t->mask, t->x, t->y};
        const int64_t below[] = {v->coupling->nmasks, p->nx, p->ny};
        const char *const names[] = {"mask", "x", "y"};
        for (int k = 0; k < 3; k++)
            if (is[k] < 0 || is[k] >= below[k])
                return armilla_fail(
                    ARMILLA_ERROR_ARGUMENT, "problem->terms[%lld].%s = %lld: must be 0 .. %lld",
                    (long long)i, names[k], (long long)is[k], (long long)below[k] - 1);
    }
    return status;
}

static armilla_status check(const armilla_bands *bands, const armilla_covariance_problem *given,
                            covariance *v)
{
    armilla_covariance_problem *p = &v->problem;
    const int64_t lmax = v->coupling->lmax;
    armilla_covariance_problem_init(p);
    armilla_status status = armilla_bands_take(bands, lmax, &v->bands);
    if (!status) status = armilla_check_given("problem", given);
    if (!status)
        status = armilla_options_copy("problem", "armilla_covariance_problem", given, VERSIONS, p);
    if (status) return status;
    if (p->nx < 1) return armilla_fail_argument("problem->nx", p->nx, "must be 1 or more");
    if (p->ny < 1) return armilla_fail_argument("problem->ny", p->ny, "must be 1 or more");
    if ((status = armilla_coupling_check_spectra("problem->x", p->nx, lmax, p->x)) ||
        (status = armilla_coupling_check_spectra("problem->y", p->ny, lmax, p->y)) ||
        (status = check_terms(v)))
        return status;
    return armilla_check_given("cov", v->cov);
}

/* The place of a term's mask and x in the list; nshared where it is not there. */
static int64_t find_shared(const covariance *v, const armilla_covariance_term *term)
{
    int64_t i = 0;
    while (i < v->nshared && (v->shared[i].mask != term->mask || v->shared[i].x != term->x)) i++;
    return i;
}

static armilla_status list_shared(covariance *v)
{
    const armilla_covariance_problem *p = &v->problem;
    const armilla_status status = armilla_allocate(&v->shared, p->nterms, sizeof *v->shared);
    for (int64_t i = 0; i < p->nterms && !status; i++) {
        const int64_t place = find_shared(v, &p->terms[i]);
        if (place == v->nshared) v->shared[v->nshared++] = p->terms[i];
    }
    return status;
}

/* --- Vectors --------------------------------------------------------------------------------- */

/* Vectors of a mask and an x. */
static int64_t vectors_of(const covariance *v)
{
    return armilla_coupling_band_vectors(v->coupling, v->bands.nbands);
}

static int64_t mask_of(const void *context, int64_t vector)
{
    const covariance *v = context;
    return v->shared[vector / vectors_of(v)].mask;
}

static void give(const void *context, int64_t vector, int kind, double *row)
{
    const covariance *v = context;
    const armilla_coupling *c = v->coupling;
    const int64_t band = vector % vectors_of(v);
    const double *x = v->problem.x + v->shared[vector / vectors_of(v)].x * (c->lmax + 1);
    (void)kind;
    if (band == v->bands.nbands) return;
    armilla_bands_fill(&v->bands, band, row);
    for (int64_t l = v->bands.begin[band]; l < v->bands.end[band]; l++) row[l] *= x[l] / c->up[l];
}

/* One band of a term: its row with all bands. */
static void write_row(const covariance *v, int64_t term, int64_t band, int kind, const double *row)
{
    const armilla_coupling *c = v->coupling;
    const armilla_bands *bands = &v->bands;
    const int64_t n = bands->nbands;
    const double *y = v->problem.y + v->problem.terms[term].y * (c->lmax + 1);
    double *cov = v->cov + (term * c->nkinds * n + band) * n;
    for (int64_t b = 0; b < n; b++) {
        const double weight = armilla_bands_sum(bands, b);
        double sum = 0;
        for (int64_t l = bands->begin[b]; l < bands->end[b]; l++)
            sum += armilla_bands_weight(bands, l) * armilla_bands_factor(bands, l) * row[l] * y[l] /
                   c->up[l];
        armilla_coupling_add_kind(c->nkinds, kind, n * n, sum / (4 * M_PI * weight), cov + b);
    }
}

static void take(const void *context, int64_t vector, int kind, const double *row)
{
    const covariance *v = context;
    const int64_t place = vector / vectors_of(v), band = vector % vectors_of(v);
    if (band == v->bands.nbands) return;
    for (int64_t i = 0; i < v->problem.nterms; i++)
        if (v->problem.terms[i].mask == v->shared[place].mask &&
            v->problem.terms[i].x == v->shared[place].x)
            write_row(v, i, band, kind, row);
}

armilla_status armilla_coupling_covariance(const armilla_coupling *coupling,
                                           const armilla_bands *bands,
                                           const armilla_covariance_problem *problem, double *cov,
                                           const armilla_exec *exec)
{
    covariance v = {.coupling = coupling, .cov = cov};
    armilla_exec resolved;
    armilla_status status = armilla_coupling_check(coupling, exec, &resolved);
    if (!status) status = check(bands, problem, &v);
    if (!status) status = list_shared(&v);
    if (!status) {
        const armilla_coupling_vectors vectors = {.count = v.nshared * vectors_of(&v),
                                                  .mask = mask_of,
                                                  .give = give,
                                                  .take = take,
                                                  .context = &v};
        status = armilla_coupling_product(coupling, &vectors, &resolved);
    }
    armilla_release(v.shared);
    return status;
}
