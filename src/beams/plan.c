/* Plans for skies seen through beams. See armilla/beams.h. */
#include "beams/execute.h"

#include "base/compiler.h"
#include "base/directions.h"
#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "beams/check.h"
#include "points/check.h"
#include "points/cores.h"
#include "points/tell.h"

#include <math.h>

void armilla_beams_options_init_sized(armilla_beams_options *options, size_t size)
{
    const armilla_beams_options defaults = {.components = 1, .epsilon = 1e-7, .nbeams = 1};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

/* --- Arguments -------------------------------------------------------------------------------- */

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {sizeof(armilla_beams_options), 0};

static armilla_status take_options(const armilla_beams_options *given,
                                   armilla_beams_options *options)
{
    armilla_beams_options_init(options);
    const armilla_status status =
        armilla_options_copy("options", "armilla_beams_options", given, VERSIONS, options);
    if (status) return status;
    if (options->components < 1 || options->components > ARMILLA_BEAMS_COMPONENTS)
        return armilla_fail_argument("options->components", options->components,
                                     "must be 1 (T), 2 (E, B) or 3 (T, E, B)");
    if (options->nbeams < 1 || options->nbeams > ARMILLA_BEAMS_MOST)
        return armilla_fail_argument("options->nbeams", options->nbeams, "must be 1 to 65536");
    return ARMILLA_OK;
}

static armilla_status check_modulation(int64_t count, const armilla_beams_options *options,
                                       const char *name)
{
    const double *factor = options->modulation;
    if (options->nbeams > 1 && !factor && count)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = NULL: must be the factors of %lld beams",
                            name, (long long)options->nbeams);
    for (int64_t i = 0; factor && i < options->nbeams * count; i++)
        if (!isfinite(factor[i]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "%s: that of beam %lld at pointing %lld = %.17g: must be finite",
                                name, (long long)(i / count), (long long)(i % count), factor[i]);
    return ARMILLA_OK;
}

armilla_status armilla_beams_check_pointings(int64_t count, const double *pointings,
                                             const armilla_beams_options *options,
                                             const char *modulation)
{
    const armilla_directions all = {"pointings", "pointing", count, 3, pointings};
    const armilla_status status = count ? armilla_directions_check(&all) : ARMILLA_OK;
    return status ? status : check_modulation(count, options, modulation);
}

armilla_status armilla_beams_check(int64_t kmax, int64_t lmax, const armilla_beams_options *given,
                                   armilla_beams_options *options)
{
    const armilla_status status = armilla_beams_check_band(lmax, kmax);
    return status ? status : take_options(given, options);
}

static armilla_status check_count(int64_t count)
{
    if (count < 1 || count >= (int64_t)1 << 32)
        return armilla_fail_argument("npointings", count, "must be 1 to 2^32 - 1");
    return ARMILLA_OK;
}

/* --- Making ----------------------------------------------------------------------------------- */

/* What a plan is made of. */
typedef struct {
    int64_t lmax, mmax, kmax, count;
    const double *pointings;
    const armilla_beams *beside; /* shares its cores, if they serve; or NULL */
    armilla_beams_options options;
    double *points; /* [count][2] */
    armilla_points_locations locations;
} request;

armilla_points_options armilla_beams_points_options(int64_t kmax,
                                                    const armilla_beams_options *options)
{
    armilla_points_options made;
    armilla_points_options_init(&made);
    made.spin = kmax, made.epsilon = options->epsilon;
    made.isa = options->isa, made.nthreads = options->nthreads;
    made.device = options->device, made.device_bytes = options->device_bytes;
    made.devices = options->devices, made.ndevices = options->ndevices;
    made.delegate = options->delegate;
    return made;
}

/* The core of the largest spin. */
static armilla_status take_core(const request *q, armilla_points_core *given)
{
    const armilla_points_options options = armilla_beams_points_options(q->kmax, &q->options);
    armilla_points_options chosen;
    armilla_machine machine;
    const armilla_status status =
        armilla_points_take_plan_options(q->lmax, q->mmax, &options, &chosen, &machine);
    if (!status) *given = armilla_points_core_given(q->lmax, q->mmax, &chosen, &machine);
    return status;
}

static armilla_status take_points(request *q)
{
    const armilla_status status = armilla_allocate(&q->points, 2 * q->count, sizeof *q->points);
    for (int64_t i = 0; i < q->count && !status; i++)
        q->points[2 * i] = q->pointings[3 * i], q->points[2 * i + 1] = q->pointings[3 * i + 1];
    return status;
}

/* The cores of the plan beside, or new ones. */
static armilla_status make_spins(request *q, const armilla_points_core *given, armilla_beams *plan)
{
    armilla_sampling sampling;
    armilla_status status =
        armilla_points_survey(given->kernels, q->count, q->points, &q->locations);
    if (status) return status;
    const armilla_points_extent extent = armilla_points_extent_of(&q->locations);
    status = armilla_points_choose_sampling(given, q->mmax, q->count, &extent, &sampling);
    if (status) return status;
    const armilla_points_spins *shared = q->beside ? &q->beside->spins : NULL;
    if (shared && armilla_sampling_is_shared(&shared->whole->sampling, &extent, &sampling))
        plan->spins = armilla_points_spins_share(shared);
    else
        status = armilla_points_spins_make(given, &sampling, &plan->spins);
    if (!status) plan->layout = plan->spins.whole->layout;
    return status;
}

/* The sequence of the points, whose places the plan itself keeps. */
static armilla_status sort_points(const request *q, armilla_beams *plan)
{
    const armilla_status status = armilla_points_order_make(
        &q->locations, &plan->spins.whole->sampling, q->options.nthreads, 1, &plan->order);
    plan->place = plan->order.place, plan->order.place = NULL;
    return status;
}

typedef struct {
    const armilla_beams_angles *angles;
    armilla_beams *plan;
} turning;

static void turn_slice(void *context, int64_t slice, int thread)
{
    (void)thread;
    const turning *t = context;
    const armilla_beams_angles *angles = t->angles;
    const int64_t count = t->plan->order.count, begin = slice * ARMILLA_BEAMS_SLICE;
    const int64_t end = armilla_smaller(begin + ARMILLA_BEAMS_SLICE, count);
    for (int64_t i = begin; i < end && t->plan->turn; i++) {
        double *cosine = t->plan->turn, *sine = cosine + count;
        const int64_t later = armilla_smaller(i + ARMILLA_BEAMS_AHEAD, end - 1);
        ARMILLA_PREFETCH(angles->psi + angles->stride * armilla_beams_place_of(t->plan, later));
        const double psi = angles->psi[angles->stride * armilla_beams_place_of(t->plan, i)];
        cosine[i] = cos(psi), sine[i] = sin(psi);
    }
    for (int64_t beam = 0; beam < t->plan->nbeams && t->plan->weight; beam++)
        for (int64_t i = begin; i < end; i++)
            t->plan->weight[beam * count + i] =
                angles->modulation[beam * angles->distance + armilla_beams_place_of(t->plan, i)];
}

armilla_status armilla_beams_make_turns(const armilla_beams_angles *angles, int nthreads,
                                        armilla_beams *plan)
{
    const int64_t count = plan->order.count;
    turning t = {angles, plan};
    armilla_status status = ARMILLA_OK;
    if (plan->kmax) status = armilla_allocate(&plan->turn, 2 * count, sizeof *plan->turn);
    if (!status && angles->modulation)
        status = armilla_allocate(&plan->weight, plan->nbeams * count, sizeof *plan->weight);
    if (!status) armilla_team_run(nthreads, armilla_beams_slices(plan), turn_slice, &t);
    return status;
}

static armilla_status make_parts(request *q, const armilla_points_core *given, armilla_beams *plan)
{
    const armilla_beams_angles angles = {q->pointings + 2, 3, q->options.modulation, q->count};
    armilla_status status;
    plan->kmax = q->kmax, plan->components = q->options.components;
    plan->nbeams = q->options.nbeams, plan->nthreads = q->options.nthreads;
    plan->alm_size = armilla_alm_size(q->lmax, q->mmax);
    plan->blm_size = armilla_alm_size(q->lmax, q->kmax);
    if ((status = take_points(q))) return status;
    plan->order.count = q->count;
    if (q->options.device != ARMILLA_CPU)
        status =
            armilla_beams_device_make(q->lmax, q->mmax, q->points, &q->options, q->beside, plan);
    else if (!(status = make_spins(q, given, plan)))
        status = sort_points(q, plan);
    return status ? status : armilla_beams_make_turns(&angles, q->options.nthreads, plan);
}

static armilla_status new_plan(request *q, const armilla_points_core *given, armilla_beams **plan)
{
    armilla_beams *made;
    armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) return status;
    status = make_parts(q, given, made);
    armilla_points_locations_clear(&q->locations);
    armilla_release(q->points);
    if (status)
        armilla_beams_free(made);
    else
        *plan = made;
    return status;
}

armilla_status armilla_beams_new(int64_t lmax, int64_t mmax, int64_t kmax, int64_t npointings,
                                 const double *pointings, const armilla_beams_options *options,
                                 armilla_beams **plan)
{
    request q = {
        .lmax = lmax, .mmax = mmax, .kmax = kmax, .count = npointings, .pointings = pointings};
    armilla_points_core given;
    armilla_status status = armilla_check_band_limit(lmax, mmax);
    if (!status) status = armilla_beams_check(kmax, lmax, options, &q.options);
    if (!status) status = armilla_check_given("plan", plan);
    if (!status) status = take_core(&q, &given);
    if (!status) status = check_count(npointings);
    if (!status)
        status =
            armilla_beams_check_pointings(npointings, pointings, &q.options, "options->modulation");
    return status ? status : new_plan(&q, &given, plan);
}

armilla_status armilla_beams_new_beside(const armilla_beams *plan, int64_t npointings,
                                        const double *pointings, const double *modulation,
                                        armilla_beams **result)
{
    armilla_status status = armilla_check_given("plan", plan);
    if (!status) status = armilla_check_given("result", result);
    if (!status) status = check_count(npointings);
    if (status) return status;
    request q = {.lmax = plan->layout->lmax,
                 .mmax = plan->layout->mmax,
                 .kmax = plan->kmax,
                 .count = npointings,
                 .pointings = pointings,
                 .beside = plan};
    armilla_points_core given = plan->on_gpu ? *plan->on_gpu[q.kmax]->core : *plan->spins.whole;
    armilla_beams_options_init(&q.options);
    q.options.components = plan->components, q.options.nthreads = plan->nthreads;
    q.options.nbeams = plan->nbeams, q.options.modulation = modulation;
    q.options.device = plan->on_gpu ? ARMILLA_CUDA : ARMILLA_CPU;
    given.mmax = q.mmax;
    status = armilla_beams_check_pointings(npointings, pointings, &q.options, "modulation");
    return status ? status : new_plan(&q, &given, result);
}

void armilla_beams_clear(armilla_beams *plan)
{
    armilla_points_order_clear(&plan->order);
    armilla_points_spins_clear(&plan->spins);
    armilla_release(plan->place);
    armilla_release(plan->turn);
    armilla_release(plan->weight);
    armilla_beams_device_clear(plan);
}

void armilla_beams_free(armilla_beams *plan)
{
    if (!plan) return;
    armilla_beams_clear(plan);
    armilla_release(plan);
}

/* --- What it is ------------------------------------------------------------------------------- */

int64_t armilla_beams_own_bytes(const armilla_beams *plan)
{
    const int64_t angles = (plan->kmax ? 2 : 0) + (plan->weight ? plan->nbeams : 0);
    const int64_t order = plan->on_gpu ? 0 : armilla_points_order_bytes(&plan->order);
    return armilla_points_spins_bytes(&plan->spins) + order +
           angles * plan->order.count * (int64_t)sizeof(double);
}

/* Doubles of a call; of one with GPUs those of the host, in which planes go to and fro. */
static int64_t workspace_of(const armilla_beams *plan, int nthreads)
{
    if (!plan->on_gpu)
        return armilla_beams_workspace_size(plan, ARMILLA_BEAMS_CONVOLVE, 0, nthreads);
    return armilla_round_line(2 * plan->order.count) +
           armilla_beams_transform_size(plan, ARMILLA_BEAMS_CONVOLVE, 0, NULL);
}

armilla_status armilla_beams_describe(const armilla_beams *plan, int nthreads,
                                      armilla_beams_description *description)
{
    const armilla_status status = armilla_check_given("plan", plan);
    if (status) return status;
    if (nthreads < 0) return armilla_fail_argument("nthreads", nthreads, "must be 0 (all) or more");
    const armilla_points_core *core =
        plan->on_gpu ? plan->on_gpu[plan->kmax]->core : plan->spins.whole;
    const armilla_beams_description made = {
        .isa = armilla_isa_label(core->machine.isa),
        .lmax = core->lmax,
        .mmax = plan->layout->mmax,
        .kmax = plan->kmax,
        .npointings = plan->order.count,
        .components = plan->components,
        .nbeams = plan->nbeams,
        .alm_size = plan->alm_size,
        .blm_size = plan->blm_size,
        .epsilon = core->epsilon,
        .nrings = core->sampling.nrings,
        .nphi = core->sampling.nphi,
        .taps = core->sampling.taps,
        .plan_bytes = armilla_points_core_bytes(core) + armilla_beams_own_bytes(plan),
        .workspace_bytes = 8 * workspace_of(plan, armilla_team_size(nthreads)),
        .backend = plan->on_gpu ? "cuda" : "cpu"};
    return armilla_description_give("description", "armilla_beams_description", &made, sizeof made,
                                    description);
}

armilla_status armilla_beams_explain(const armilla_beams *plan, armilla_choice_fn take, void *data)
{
    const armilla_status status = armilla_teller_check("plan", plan, take);
    if (status) return status;
    const armilla_teller teller = {.take = take, .data = data};
    if (plan->on_gpu)
        armilla_beams_device_tell(plan, &teller);
    else
        armilla_points_spins_tell(&plan->spins, &teller);
    return ARMILLA_OK;
}
