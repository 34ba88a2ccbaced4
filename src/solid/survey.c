/* Looks at the points and the coefficients of a call, and tells what is chosen from them. */
#include "solid/survey.h"

#include "base/choice.h"
#include "base/memory.h"
#include "solid/dispatch.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

typedef struct {
    double r;
    int64_t number;
} radius;

static int compare(const void *left, const void *right)
{
    const radius *a = left, *b = right;
    if (a->r != b->r) return a->r < b->r ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static armilla_status sort_radii(const armilla_solid_request *q, armilla_solid_survey *survey)
{
    const armilla_solid_places *places = &q->places;
    radius *radii;
    armilla_status status = armilla_allocate(&survey->log_r, places->count, sizeof(double));
    if (!status) status = armilla_allocate(&radii, places->count, sizeof *radii);
    if (status) return status;
    for (int64_t i = 0; i < places->count; i++) radii[i] = (radius){places->points[3 * i + 2], i};
    qsort(radii, (size_t)places->count, sizeof *radii, compare);
    for (int64_t i = 0; i < places->count; i++) {
        survey->log_r[i] = log(radii[i].r / places->radius);
        survey->number[i] = radii[i].number;
    }
    armilla_release(radii);
    return ARMILLA_OK;
}

static const double *number_of(const armilla_alm_layout *layout, const double *alm, int64_t l,
                               int64_t m)
{
    return alm + 2 * (layout->mstart[m] + l * layout->stride);
}

/* The largest part of each degree. Degrees that are not finite would count as degrees without
 * power, and be left out. */
static armilla_status find_largest(const armilla_alm_layout *layout, const double *alm, int64_t t,
                                   double *largest)
{
    for (int64_t m = 0; m <= layout->mmax; m++)
        for (int64_t l = m; l <= layout->lmax; l++)
            for (int part = 0; part < (m ? 2 : 1); part++) {
                const double value = number_of(layout, alm, l, m)[part];
                if (!isfinite(value))
                    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                        "alm: has %g at l = %lld, m = %lld of transform %lld: must "
                                        "be finite where options->epsilon is above 0",
                                        value, (long long)l, (long long)m, (long long)t);
                largest[l] = fmax(largest[l], fabs(value));
            }
    return ARMILLA_OK;
}

/* sum[l]: 0 on input, then of the squares over that of the largest part. */
static void add_squares(const armilla_alm_layout *layout, const double *alm, const double *largest,
                        double *sum)
{
    for (int64_t m = 0; m <= layout->mmax; m++)
        for (int64_t l = m; l <= layout->lmax; l++)
            for (int part = 0; part < (m ? 2 : 1) && largest[l] > 0; part++) {
                const double value = number_of(layout, alm, l, m)[part] / largest[l];
                sum[l] += (m ? 2 : 1) * value * value;
            }
}

/* log_power [ntrans][lmax + 1]: 0 on input. Logarithms, since squares may be no doubles. */
static armilla_status find_powers(const armilla_solid_request *q, const double *alm,
                                  double *log_power)
{
    const int64_t degrees = q->layout->lmax + 1;
    double *sum;
    armilla_status status = armilla_allocate(&sum, degrees, sizeof *sum);
    if (status) return status;
    for (int64_t t = 0; t < q->call.exec.ntrans && !status; t++, log_power += degrees) {
        const double *one = alm + 2 * t * q->call.exec.alm_distance;
        status = find_largest(q->layout, one, t, log_power);
        if (status) break;
        for (int64_t l = 0; l < degrees; l++) sum[l] = 0;
        add_squares(q->layout, one, log_power, sum);
        for (int64_t l = 0; l < degrees; l++)
            log_power[l] = sum[l] > 0 ? log(sum[l]) + 2 * log(log_power[l]) : -INFINITY;
    }
    armilla_release(sum);
    return status;
}

static armilla_status choose(const armilla_solid_request *q, const double *alm,
                             armilla_solid_survey *survey)
{
    const int64_t lmax = q->layout->lmax;
    const armilla_solid_kernels *kernels = armilla_solid_kernels_find(q->machine.isa);
    armilla_status status =
        armilla_allocate_zero(&survey->log_power, q->call.exec.ntrans * (lmax + 1), sizeof(double));
    if (!status) status = find_powers(q, alm, survey->log_power);
    if (!status) status = sort_radii(q, survey);
    if (status) return status;
    const armilla_solid_problem problem = {.lmax = lmax,
                                           .mmax = q->layout->mmax,
                                           .npoints = q->places.count,
                                           .derivatives = q->options.derivatives,
                                           .ntrans = q->call.exec.ntrans,
                                           .log_power = survey->log_power,
                                           .log_r = survey->log_r,
                                           .epsilon = q->options.epsilon,
                                           .way = q->options.way,
                                           .interior = q->places.interior,
                                           .vector_length = kernels->vector_length};
    return armilla_solid_choose(&problem, &survey->choice);
}

armilla_status armilla_solid_survey_new(const armilla_solid_request *q, const double *alm,
                                        armilla_solid_survey *survey)
{
    *survey = (armilla_solid_survey){.choice = {.count = 1}};
    const armilla_status status =
        armilla_allocate(&survey->number, q->places.count, sizeof *survey->number);
    if (status) return status;
    if (q->options.epsilon > 0) return choose(q, alm, survey);
    survey->choice.shell[0] = (armilla_solid_shell){.count = q->places.count};
    for (int64_t i = 0; i < q->places.count; i++) survey->number[i] = i;
    return ARMILLA_OK;
}

void armilla_solid_survey_clear(armilla_solid_survey *survey)
{
    armilla_release(survey->number);
    armilla_release(survey->log_r);
    armilla_release(survey->log_power);
}

armilla_status armilla_solid_survey_direct(const armilla_solid_survey *survey,
                                           armilla_solid_places *some)
{
    some->count = 0, some->place = NULL;
    for (int64_t i = 0; i < survey->choice.count; i++)
        if (!survey->choice.shell[i].nodes) some->count += survey->choice.shell[i].count;
    const armilla_status status = armilla_allocate(&some->place, some->count, sizeof *some->place);
    if (status) return status;
    int64_t at = 0;
    for (int64_t i = 0; i < survey->choice.count; i++) {
        const armilla_solid_shell *shell = &survey->choice.shell[i];
        for (int64_t k = 0; k < shell->count && !shell->nodes; k++)
            some->place[at++].number = survey->number[shell->first + k];
    }
    return ARMILLA_OK;
}

/* --- Telling ---------------------------------------------------------------------------------- */

static const char *why_of(const armilla_solid_request *q)
{
    if (q->options.epsilon == 0) return "no error is asked for";
    if (q->options.way == ARMILLA_SOLID_DIRECT) return "options->way asks for it";
    if (q->options.way == ARMILLA_SOLID_SHELLS) return "options->way asks for it";
    return "what takes less time for the error that is asked for, by a model of the cost";
}

static void tell(const armilla_solid_request *q, const armilla_solid_survey *survey,
                 const armilla_teller *teller)
{
    int64_t direct = 0, shells = 0, most = 0, lmax = 0;
    for (int64_t i = 0; i < survey->choice.count; i++) {
        const armilla_solid_shell *shell = &survey->choice.shell[i];
        direct += shell->nodes ? 0 : shell->count, shells += shell->nodes > 0;
        most = shell->nodes > most ? shell->nodes : most;
        if (shell->nodes && shell->lmax > lmax) lmax = shell->lmax;
    }
    armilla_choice_tell(teller, "solid.way", why_of(q),
                        "%" PRId64 " points summed directly, %" PRId64 " between spheres", direct,
                        q->places.count - direct);
    if (shells)
        armilla_choice_tell(teller, "solid.shells", "spectrum, range of radii and points",
                            "%" PRId64 " of up to %" PRId64 " spheres, degrees up to %" PRId64,
                            shells, most, lmax);
}

armilla_status armilla_solid_explain(int64_t lmax, int64_t mmax, int64_t npoints,
                                     const double *points, const armilla_solid_options *options,
                                     const double *alm, armilla_choice_fn take, void *data)
{
    armilla_solid_request q = {.layout = NULL};
    armilla_solid_survey survey = {.number = NULL};
    const armilla_teller teller = {.take = take, .data = data};
    armilla_status status = armilla_teller_check("alm", alm, take);
    if (!status) status = armilla_solid_request_problem(lmax, mmax, npoints, points, options, &q);
    if (!status) status = armilla_solid_request_call(1, alm, points, NULL, &q);
    if (!status && npoints) status = armilla_solid_survey_new(&q, q.call.alm.values, &survey);
    if (!status) {
        tell(&q, &survey, &teller);
        armilla_delegation_tell(&q.delegation, take, data);
    }
    armilla_solid_survey_clear(&survey);
    return armilla_solid_request_close(&q, status);
}
