/* Makes plans for skies seen through beams over ranks. */
#include "ranks/beams/plan.h"

#include "base/memory.h"
#include "base/options.h"
#include "ranks/agree.h"
#include "ranks/distribution.h"
#include "ranks/plan.h"
#include "ranks/threads.h"

/* What the caller asks for, and what is made on the way. */
typedef struct {
    const armilla_transport *transport;
    const armilla_distribution *distribution;
    const armilla_distributed_options *distributed;
    int64_t kmax, npointings;
    const double *pointings;
    armilla_beams_options options;
    armilla_points_options of_points; /* with the same wishes, on the hosts */
    double *points, *psi;             /* of the own pointings: [npointings][2], [npointings] */
    double *here;                     /* of the pointings here: psi, modulations */
    armilla_delegation gpus;
    int modulated; /* has any rank modulations? */
} making;

/* --- Wishes ---------------------------------------------------------------------------------- */

/* GPUs leave the calls to their hosts. */
static armilla_status delegate(making *m)
{
    armilla_distributed_options distributed;
    m->of_points = armilla_beams_points_options(m->kmax, &m->options);
    const armilla_status status = armilla_distributed_take_options(m->distributed, &distributed);
    if (status) return status;
    return armilla_distributed_points_delegate(m->transport, ARMILLA_OPERATION_BEAMS,
                                               distributed.device_number, &m->of_points, &m->gpus);
}

static armilla_status check(making *m, const armilla_beams_options *options)
{
    const armilla_distribution *d = m->distribution;
    armilla_status status = armilla_distribution_check(d, m->transport);
    if (!status)
        status = armilla_distribution_check_group("distribution", d, ARMILLA_OPERATION_BEAMS);
    if (!status) status = armilla_beams_check(m->kmax, d->lmax, options, &m->options);
    if (!status) status = delegate(m);
    if (!status && (m->npointings < 0 || m->npointings >= (int64_t)1 << 32))
        status = armilla_fail_argument("npointings", m->npointings, "must be 0 to 2^32 - 1");
    if (status) return status;
    return armilla_beams_check_pointings(m->npointings, m->pointings, &m->options,
                                         "options->modulation");
}

static armilla_status part_angles(making *m)
{
    armilla_status status = armilla_allocate(&m->points, 2 * m->npointings, sizeof *m->points);
    if (!status) status = armilla_allocate(&m->psi, m->npointings, sizeof *m->psi);
    for (int64_t i = 0; i < m->npointings && !status; i++) {
        const double *p = m->pointings + 3 * i;
        m->points[2 * i] = p[0], m->points[2 * i + 1] = p[1], m->psi[i] = p[2];
    }
    return status;
}

/* Ranks without pointings need not say whether there are modulations. */
static armilla_status agree_on_wishes(making *m, armilla_status status)
{
    const armilla_common values[] = {{"kmax", m->kmax},
                                     {"options->components", m->options.components},
                                     {"options->nbeams", m->options.nbeams},
                                     {"options->device", m->gpus.ndevices}};
    m->modulated = !status && m->options.modulation != NULL;
    status = armilla_agree_on(m->transport, status, 4, values, &m->modulated);
    if (status) return status;
    if (m->modulated && !m->options.modulation && m->npointings)
        status = armilla_fail(ARMILLA_ERROR_ARGUMENT,
                              "options->modulation = NULL: must be given, as on other ranks");
    return armilla_agree(m->transport, status);
}

/* --- Making ---------------------------------------------------------------------------------- */

static armilla_status begin_here(making *m, armilla_distributed_beams *plan)
{
    armilla_beams *here = &plan->here;
    armilla_points_core *core = plan->points->core;
    here->kmax = m->kmax, here->components = m->options.components;
    here->nbeams = m->options.nbeams;
    here->layout = core->layout, here->alm_size = core->layout->size;
    here->gpus = m->gpus;
    here->blm_size = armilla_alm_size(core->lmax, m->kmax);
    here->order = plan->points->order, here->place = here->order.place;
    here->order.place = NULL, plan->points->order = (armilla_points_order){0};
    const int64_t items = 1 + (m->modulated ? here->nbeams : 0);
    const armilla_status status = armilla_points_spins_of(core, &here->spins);
    return status ? status : armilla_allocate(&m->here, items * here->order.count, sizeof *m->here);
}

/* Angles and factors go where their pointings are. */
static armilla_status send_angles(const making *m, const armilla_distributed_beams *plan)
{
    const armilla_redistribution *route = plan->points->routes.to_strips;
    const int64_t count = plan->here.order.count;
    const armilla_status status =
        armilla_redistribution_run(route, sizeof(double), 1, m->psi, 0, m->here, 0);
    if (status || !m->modulated) return status;
    return armilla_redistribution_run(route, sizeof(double), plan->here.nbeams,
                                      m->options.modulation, m->npointings, m->here + count, count);
}

static armilla_status finish_here(const making *m, armilla_distributed_beams *plan)
{
    const int64_t count = plan->here.order.count;
    const armilla_beams_angles angles = {m->here, 1, m->modulated ? m->here + count : NULL, count};
    const int nthreads = armilla_rank_threads(m->transport, m->options.nthreads);
    const armilla_status status = armilla_beams_make_turns(&angles, nthreads, &plan->here);
    plan->degrees.transport = &plan->points->transport;
    plan->degrees.distribution = plan->points->orders;
    return status ? status : armilla_rank_degrees_open(&plan->degrees, 2);
}

/* After all ranks have agreed on what they wish. */
static armilla_status make(making *m, armilla_distributed_beams *plan)
{
    armilla_status status =
        armilla_distributed_points_new(m->transport, m->distribution, m->npointings, m->points,
                                       &m->of_points, m->distributed, &plan->points);
    if (status || (status = armilla_agree(m->transport, begin_here(m, plan))) ||
        (status = send_angles(m, plan)) ||
        (status = armilla_agree(m->transport, finish_here(m, plan))))
        return status;
    return armilla_rank_degrees_route(&plan->degrees, 0, &plan->to_degrees);
}

armilla_status armilla_distributed_beams_new(const armilla_transport *transport,
                                             const armilla_distribution *distribution, int64_t kmax,
                                             int64_t npointings, const double *pointings,
                                             const armilla_beams_options *options,
                                             const armilla_distributed_options *distributed,
                                             armilla_distributed_beams **plan)
{
    making m = {.transport = transport,
                .distribution = distribution,
                .distributed = distributed,
                .kmax = kmax,
                .npointings = npointings,
                .pointings = pointings};
    armilla_distributed_beams *made = NULL;
    armilla_status status = armilla_check_transport(transport);
    if (status) return status;
    status = check(&m, options);
    if (!status) status = armilla_check_given("plan", plan);
    if (!status) status = part_angles(&m);
    if (!status) status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (!(status = agree_on_wishes(&m, status))) status = make(&m, made);
    armilla_release(m.points);
    armilla_release(m.psi);
    armilla_release(m.here);
    if (status)
        armilla_distributed_beams_free(made);
    else
        *plan = made;
    return status;
}

void armilla_distributed_beams_free(armilla_distributed_beams *plan)
{
    if (!plan) return;
    armilla_redistribution_free(plan->to_degrees);
    armilla_rank_degrees_close(&plan->degrees);
    armilla_beams_clear(&plan->here);
    armilla_distributed_points_free(plan->points);
    armilla_release(plan);
}
