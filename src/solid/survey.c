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

static void add_powers(const armilla_solid_request *q, const double *alm, double *power)
{
    const armilla_alm_layout *layout = q->layout;
    for (int64_t m = 0; m <= layout->mmax; m++)
        for (int64_t l = m ? m : 1; l <= layout->lmax; l++) {
            const double *a = alm + 2 * (layout->mstart[m] + l * layout->stride);
            power[l] += m ? 2 * (a[0] * a[0] + a[1] * a[1]) : a[0] * a[0];
        }
}

static armilla_status choose(const armilla_solid_request *q, const double *alm,
                             armilla_solid_survey *survey)
{
    const int64_t lmax = q->layout->lmax;
    const armilla_solid_kernels *kernels = armilla_solid_kernels_find(q->machine.isa);
    armilla_status status =
        armilla_allocate_zero(&survey->power, q->exec.ntrans * (lmax + 1), sizeof(double));
    if (!status) status = sort_radii(q, survey);
    if (status) return status;
    for (int64_t t = 0; t < q->exec.ntrans; t++)
        add_powers(q, alm + 2 * t * q->exec.alm_distance, survey->power + t * (lmax + 1));
    const armilla_solid_problem problem = {.lmax = lmax,
                                           .mmax = q->layout->mmax,
                                           .npoints = q->places.count,
                                           .derivatives = q->options.derivatives,
                                           .ntrans = q->exec.ntrans,
                                           .power = survey->power,
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
    armilla_release(survey->power);
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
    if (!status) status = armilla_solid_request_call(alm, points, NULL, &q);
    if (!status && npoints) status = armilla_solid_survey_new(&q, alm, &survey);
    if (!status) tell(&q, &survey, &teller);
    armilla_solid_survey_clear(&survey);
    armilla_alm_layout_free(q.layout);
    return status;
}
