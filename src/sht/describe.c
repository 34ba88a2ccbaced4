/* What a plan is and takes. See armilla/sht.h. */
#include "sht/plan.h"

#include "base/integer.h"
#include "base/options.h"
#include "grid/grid.h"
#include "sht/execute.h"
#include "sht/form.h"

int64_t armilla_sht_plan_bytes(const armilla_sht *sht)
{
    int64_t bytes = armilla_flow_bytes(&sht->flow) + armilla_ring_pairs_bytes(&sht->pairs) +
                    armilla_ring_pairs_bytes(&sht->far) + armilla_sht_form_bytes(sht);
    if (sht->weighted_flow.legendre) bytes += armilla_flow_bytes(&sht->weighted_flow);
    if (sht->lender) return bytes;
    bytes += sht->grid->nrings * (int64_t)sizeof(armilla_ring);
    if (sht->orders) bytes += armilla_sht_orders(sht) * (int64_t)sizeof *sht->orders;
    return sht->ringfft ? bytes + armilla_ringfft_bytes(sht->ringfft) : bytes;
}

/* What a call of one transform takes at most, with arrays of doubles. */
static int64_t workspace_bytes(const armilla_sht *sht, int threads)
{
    const armilla_exec exec = {.nthreads = threads, .ntrans = 1};
    int64_t most = 0;
    for (int i = 0; i < 4; i++) {
        const int64_t size = armilla_sht_workspace_size(sht, i / 2, i % 2, 0, &exec);
        most = armilla_larger(most, size);
    }
    return 8 * most;
}

int64_t armilla_sht_bytes(const armilla_sht *sht)
{
    return armilla_sht_plan_bytes(sht) + workspace_bytes(sht, 1);
}

static const char *method_name(const armilla_sht *sht)
{
    if (sht->flow.kind == ARMILLA_FLOW_FEWER) return "resampled";
    return sht->weighted_flow.legendre ? "theta weights" : "direct";
}

int armilla_sht_exactness(const armilla_sht *sht)
{
    if (sht->grid->exact_lmax < 0) return -1;
    if (sht->cuts_orders) return 0;
    return armilla_grid_resolves(sht->grid, sht->layout->lmax, armilla_sht_orders(sht) - 1,
                                 sht->mres);
}

/* Bytes of the fullest GPU: of the plan, or of a call. */
static int64_t device_bytes(const armilla_sht *sht, int of_call)
{
    if (!sht->cuda) return 0;
    if (of_call)
        return sht->all ? armilla_cuda_transforms_workspace(sht->all)
                        : armilla_cuda_transform_workspace(sht->cuda);
    return sht->all ? armilla_cuda_transforms_bytes(sht->all)
                    : armilla_cuda_transform_bytes(sht->cuda);
}

static armilla_sht_description describe(const armilla_sht *sht, int nthreads)
{
    return (armilla_sht_description){
        .backend = sht->cuda ? "cuda" : "cpu",
        .isa = armilla_isa_label(sht->flow.legendre->machine.isa),
        .method = method_name(sht),
        .lmax = sht->layout->lmax,
        .mmax = armilla_sht_orders(sht) - 1,
        .nrings = sht->grid->nrings,
        .npix = sht->npix,
        .alm_size = sht->form.numbers,
        .ncomp = sht->nmap,
        .alm_ncomp = sht->nalm,
        .plan_bytes = armilla_sht_plan_bytes(sht),
        .workspace_bytes = workspace_bytes(sht, armilla_sht_threads(sht, nthreads)),
        .useful_flops = armilla_legendre_flops(sht->flow.legendre) / (double)sht->mres,
        .device_plan_bytes = device_bytes(sht, 0),
        .device_workspace_bytes = device_bytes(sht, 1),
        .device_shape = sht->cuda ? sht->flow.shape->name : NULL,
        .device_precision = sht->cuda ? (sht->single ? "single" : "double") : NULL,
        .exact = armilla_sht_exactness(sht),
        .mres = sht->mres,
    };
}

armilla_status armilla_sht_describe(const armilla_sht *sht, int nthreads,
                                    armilla_sht_description *description)
{
    if (!sht) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "sht = NULL: must be a plan");
    armilla_sht_description whole = describe(sht, nthreads);
    return armilla_description_give("description", "armilla_sht_description", &whole, sizeof whole,
                                    description);
}
