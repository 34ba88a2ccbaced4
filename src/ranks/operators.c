/* The public operators of distributed plans, and what these plans tell. See armilla/distributed.h.
 */
#include "base/integer.h"
#include "base/options.h"
#include "grid/grid.h"
#include "ranks/execute.h"
#include "sht/choose.h"

static armilla_status run(const armilla_distributed_sht *sht, armilla_rank_operation op,
                          const armilla_exec *exec)
{
    if (!sht) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "sht = NULL: must be a plan");
    return armilla_distributed_run(sht, &op, exec, ARMILLA_OK);
}

armilla_status armilla_distributed_sht_synthesis(const armilla_distributed_sht *sht,
                                                 const double *alm, double *map,
                                                 const armilla_exec *exec)
{
    return run(sht, armilla_rank_doubles(0, 1, alm, map), exec);
}

armilla_status armilla_distributed_sht_adjoint_synthesis(const armilla_distributed_sht *sht,
                                                         const double *map, double *alm,
                                                         const armilla_exec *exec)
{
    return run(sht, armilla_rank_doubles(0, 0, alm, map), exec);
}

armilla_status armilla_distributed_sht_analysis(const armilla_distributed_sht *sht,
                                                const double *map, double *alm,
                                                const armilla_exec *exec)
{
    return run(sht, armilla_rank_doubles(1, 0, alm, map), exec);
}

armilla_status armilla_distributed_sht_adjoint_analysis(const armilla_distributed_sht *sht,
                                                        const double *alm, double *map,
                                                        const armilla_exec *exec)
{
    return run(sht, armilla_rank_doubles(1, 1, alm, map), exec);
}

armilla_status armilla_distributed_sht_synthesis_float(const armilla_distributed_sht *sht,
                                                       const float *alm, float *map,
                                                       const armilla_exec *exec)
{
    return run(sht, armilla_rank_floats(0, 1, alm, map), exec);
}

armilla_status armilla_distributed_sht_adjoint_synthesis_float(const armilla_distributed_sht *sht,
                                                               const float *map, float *alm,
                                                               const armilla_exec *exec)
{
    return run(sht, armilla_rank_floats(0, 0, alm, map), exec);
}

armilla_status armilla_distributed_sht_analysis_float(const armilla_distributed_sht *sht,
                                                      const float *map, float *alm,
                                                      const armilla_exec *exec)
{
    return run(sht, armilla_rank_floats(1, 0, alm, map), exec);
}

armilla_status armilla_distributed_sht_adjoint_analysis_float(const armilla_distributed_sht *sht,
                                                              const float *alm, float *map,
                                                              const armilla_exec *exec)
{
    return run(sht, armilla_rank_floats(1, 1, alm, map), exec);
}

/* --- Description ----------------------------------------------------------------------------- */

static void count_messages(const armilla_distributed_sht *sht, armilla_distributed_description *d)
{
    const armilla_flow *flow = &sht->sht->flow;
    const int lends = armilla_sht_lends_output(flow, 1, sht->sht->nmap, 0);
    const armilla_schedule *s =
        armilla_distributed_schedule(sht, flow, armilla_flow_find_way(flow, 1, lends), 1);
    d->chunks = s->nchunks;
    for (int64_t k = 0; k < s->nchunks; k++)
        for (int64_t member = 0; member < s->nmembers; member++) {
            const int64_t size = armilla_message_size(&s->chunks[k].out, member);
            if (member == s->legs.member || size == 0) continue;
            d->messages++;
            d->bytes += 8 * sht->sht->nmap * size;
        }
}

static int64_t plan_bytes(const armilla_distributed_sht *sht)
{
    int64_t bytes = armilla_sht_plan_bytes(sht->sht) + 8 * sht->sht->grid->nrings;
    for (int i = 0; i < ARMILLA_FLOW_PLACES; i++)
        bytes += armilla_schedule_bytes(&sht->flow.to_map[i]) +
                 armilla_schedule_bytes(&sht->flow.to_alm[i]) +
                 armilla_schedule_bytes(&sht->weighted_flow.to_map[i]) +
                 armilla_schedule_bytes(&sht->weighted_flow.to_alm[i]);
    return bytes;
}

armilla_status armilla_distributed_sht_describe(const armilla_distributed_sht *sht, int nthreads,
                                                armilla_distributed_description *description)
{
    if (!sht) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "sht = NULL: must be a plan");
    armilla_distributed_description whole = {.alm_size = sht->sht->layout->size,
                                             .npix = sht->sht->npix,
                                             .ncomp = sht->sht->nmap,
                                             .alm_ncomp = sht->sht->nalm,
                                             .plan_bytes = plan_bytes(sht)};
    for (int i = 0; i < 4; i++)
        whole.workspace_bytes =
            armilla_larger(whole.workspace_bytes,
                           8 * armilla_distributed_workspace_size(sht, i / 2, i % 2, nthreads));
    count_messages(sht, &whole);
    return armilla_description_give("description", "armilla_distributed_description", &whole,
                                    sizeof whole, description);
}
