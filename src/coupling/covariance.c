/* Gaussian covariances of bands: terms x_l M_ll' / (2l'+1) y_l' between bands, products of bands
 * times x and bands times y at nodes. See armilla/coupling.h, docs/mathematics.md 14. */
#include "base/memory.h"
#include "base/options.h"
#include "coupling/bands.h"
#include "coupling/gram.h"

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
    if (v->coupling->is_pure)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "coupling: has a pure field; make a plan with spin 0 in its place, and "
                            "x and y of pseudo-spectra over the mean of the product of the masks");
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

/* --- Families --------------------------------------------------------------------------------- */

/* Bands times x, then bands times y. */
static void give(const void *context, int64_t family, int64_t band, double *row)
{
    const covariance *v = context;
    const armilla_coupling *c = v->coupling;
    const armilla_covariance_problem *p = &v->problem;
    const double *by =
        family < p->nx ? p->x + family * (c->lmax + 1) : p->y + (family - p->nx) * (c->lmax + 1);
    armilla_bands_fill(&v->bands, band, row);
    for (int64_t l = v->bands.begin[band]; l < v->bands.end[band]; l++)
        row[l] *= by[l] / (c->scale[l] * sqrt(4 * M_PI));
}

armilla_status armilla_coupling_covariance(const armilla_coupling *coupling,
                                           const armilla_bands *bands,
                                           const armilla_covariance_problem *problem, double *cov,
                                           const armilla_exec *exec)
{
    covariance v = {.coupling = coupling, .cov = cov};
    armilla_exec resolved;
    armilla_coupling_meeting *meetings = NULL;
    armilla_status status = armilla_coupling_check(coupling, exec, &resolved);
    if (!status) status = check(bands, problem, &v);
    const int64_t nterms = v.problem.nterms;
    if (!status) status = armilla_allocate(&meetings, nterms, sizeof *meetings);
    for (int64_t i = 0; i < nterms && !status; i++) {
        const armilla_covariance_term *t = &v.problem.terms[i];
        meetings[i] = (armilla_coupling_meeting){t->mask, t->x, v.problem.nx + t->y};
    }
    if (!status) {
        const armilla_coupling_families families = {
            .nbands = v.bands.nbands, .give = give, .context = &v};
        status = armilla_coupling_gram(coupling, &families, nterms, meetings, cov, &resolved);
    }
    armilla_release(meetings);
    return status;
}
