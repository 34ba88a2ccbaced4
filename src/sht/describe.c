/* What a plan is and takes. See armilla/sht.h. */
#include "sht/plan.h"

#include "base/integer.h"
#include "base/options.h"
#include "grid/grid.h"

/* Doubles of leg and of scratch per thread that a call of one transform takes at most. */
static int64_t leg_size(const armilla_sht *sht)
{
    if (sht->cuda) return 0; /* see device_workspace_bytes */
    const int64_t size = armilla_flow_leg_size(&sht->flow, sht->nmap);
    return sht->weighted_flow.legendre
               ? armilla_larger(size, armilla_flow_leg_size(&sht->weighted_flow, sht->nmap))
               : size;
}

static int64_t scratch_size(const armilla_sht *sht)
{
    if (sht->cuda) return 0;
    const int64_t size = armilla_larger(armilla_flow_scratch_size(&sht->flow, sht->nmap),
                                        armilla_ringfft_scratch_size(sht->ringfft));
    return sht->weighted_flow.legendre
               ? armilla_larger(size, armilla_flow_scratch_size(&sht->weighted_flow, sht->nmap))
               : size;
}

static int64_t plan_bytes(const armilla_sht *sht)
{
    int64_t bytes = armilla_flow_bytes(&sht->flow) + armilla_ring_pairs_bytes(&sht->pairs) +
                    armilla_ring_pairs_bytes(&sht->far);
    if (sht->weighted_flow.legendre) bytes += armilla_flow_bytes(&sht->weighted_flow);
    if (sht->lender) return bytes;
    bytes += sht->grid->nrings * (int64_t)sizeof(armilla_ring);
    return sht->ringfft ? bytes + armilla_ringfft_bytes(sht->ringfft) : bytes;
}

static int64_t workspace_bytes(const armilla_sht *sht, int64_t threads)
{
    return 8 * (leg_size(sht) + scratch_size(sht) * threads);
}

int64_t armilla_sht_bytes(const armilla_sht *sht)
{
    return plan_bytes(sht) + workspace_bytes(sht, 1);
}

static const char *method_name(const armilla_sht *sht)
{
    if (sht->flow.kind == ARMILLA_FLOW_FEWER) return "resampled";
    return sht->weighted_flow.legendre ? "theta weights" : "direct";
}

static armilla_sht_description describe(const armilla_sht *sht, int nthreads)
{
    return (armilla_sht_description){
        .backend = sht->cuda ? "cuda" : "cpu",
        .isa = armilla_isa_label(sht->flow.legendre->isa),
        .method = method_name(sht),
        .lmax = sht->layout->lmax,
        .mmax = sht->layout->mmax,
        .nrings = sht->grid->nrings,
        .npix = sht->npix,
        .alm_size = sht->layout->size,
        .ncomp = sht->nmap,
        .alm_ncomp = sht->nalm,
        .plan_bytes = plan_bytes(sht),
        .workspace_bytes = workspace_bytes(sht, armilla_sht_threads(sht, nthreads)),
        .useful_flops = armilla_legendre_flops(sht->flow.legendre),
        .device_plan_bytes = sht->cuda ? armilla_cuda_transform_bytes(sht->cuda) : 0,
        .device_workspace_bytes = sht->cuda ? armilla_cuda_transform_workspace(sht->cuda) : 0,
        .device_shape = sht->cuda ? sht->flow.shape->name : NULL,
        .device_precision = sht->cuda ? (sht->single ? "single" : "double") : NULL,
    };
}

armilla_status armilla_sht_describe(const armilla_sht *sht, int nthreads,
                                    armilla_sht_description *description)
{
    if (!sht) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "sht = NULL: must be a plan");
    armilla_sht_description whole = describe(sht, nthreads);
    return armilla_description_give("armilla_sht_description", &whole, sizeof whole, description);
}
