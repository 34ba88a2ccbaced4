/* Deals strips of colatitude in their sequence, so that each rank has neighbours, which see the
 * same rings: a strip goes to the rank in whose share of the whole cost its middle lies. */
#include "ranks/points/owners.h"

#include "base/integer.h"
#include "base/memory.h"
#include "ranks/moves/sums.h"

#include <string.h>

/* Nanoseconds of a component. A strip without points makes no samples. */
static double cost_of_strip(const armilla_points_core *core, int64_t strip, int64_t npoints)
{
    const int length = core->kernels->vector_length;
    const double rings = 2 * (double)core->strips[strip].rows;
    if (npoints == 0) return 0;
    return armilla_sampling_cost_of_rings(&core->sampling, length, rings) +
           armilla_sampling_cost_of_points(&core->sampling, length, (double)npoints);
}

static void deal(const armilla_points_core *core, const int64_t *npoints, int64_t nranks,
                 armilla_strip_owners *owners)
{
    double all = 0, before = 0;
    for (int64_t i = 0; i < core->nstrips; i++) all += cost_of_strip(core, i, npoints[i]);
    int64_t end = 0; /* ranks whose first strip is known */
    for (int64_t i = 0; i < core->nstrips; i++) {
        const double cost = cost_of_strip(core, i, npoints[i]);
        const double share = all > 0 ? (before + cost / 2) / all : 0;
        const int64_t rank = armilla_smaller((int64_t)(share * (double)nranks), nranks - 1);
        before += cost;
        while (end <= rank) owners->first[end++] = i;
        for (int64_t b = core->strips[i].band; b < core->strips[i].end_band; b++)
            owners->owner[b] = rank;
    }
    while (end <= nranks) owners->first[end++] = core->nstrips;
}

static void count_points(const armilla_points_core *core, int64_t npoints, const int64_t *band,
                         int64_t *of_strip)
{
    const int64_t size = core->strips[0].end_band;
    for (int64_t i = 0; i < npoints; i++)
        of_strip[armilla_smaller(band[i] / size, core->nstrips - 1)]++;
}

armilla_status armilla_strip_owners_make(const armilla_transport *transport, armilla_status status,
                                         const armilla_points_core *core, int64_t npoints,
                                         const int64_t *band, armilla_strip_owners *owners)
{
    int64_t *of_strip = NULL;
    *owners = (armilla_strip_owners){NULL, NULL};
    if (!status) status = armilla_allocate_zero(&of_strip, core->nstrips, sizeof *of_strip);
    if (!status)
        status = armilla_allocate(&owners->first, transport->nranks + 1, sizeof *owners->first);
    if (!status)
        status = armilla_allocate(&owners->owner, armilla_points_count_bands(&core->sampling),
                                  sizeof *owners->owner);
    if (!status) count_points(core, npoints, band, of_strip);
    status = armilla_ranks_add(transport, status, core ? core->nstrips : 0, of_strip);
    if (!status) deal(core, of_strip, transport->nranks, owners);
    armilla_release(of_strip);
    return status;
}

void armilla_strip_owners_clear(armilla_strip_owners *owners)
{
    armilla_release(owners->first);
    armilla_release(owners->owner);
    *owners = (armilla_strip_owners){NULL, NULL};
}
