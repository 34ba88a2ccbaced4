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

/* What a call takes at most, with arrays of doubles. */
static int64_t workspace_bytes(const armilla_sht *sht, int threads, int64_t ntrans)
{
    const armilla_exec exec = {.nthreads = threads, .ntrans = ntrans};
    int64_t most = 0;
    for (int i = 0; i < 4; i++) {
        const int64_t size = armilla_sht_workspace_size(sht, i / 2, i % 2, 0, &exec);
        most = armilla_larger(most, size);
    }
    return 8 * most;
}

int64_t armilla_sht_bytes(const armilla_sht *sht)
{
    return armilla_sht_plan_bytes(sht) + workspace_bytes(sht, 1, 1);
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

/* What a call takes, on the GPU that has most of its transforms. */
static armilla_cuda_needs device_needs(const armilla_sht *sht, int64_t ntrans)
{
    return sht->cuda ? armilla_cuda()->transform->needs(sht->cuda, ntrans)
                     : (armilla_cuda_needs){0};
}

static const char *name_of(armilla_cuda_arithmetic arithmetic)
{
    return arithmetic == ARMILLA_CUDA_IN_DOUBLE   ? "double"
           : arithmetic == ARMILLA_CUDA_IN_SINGLE ? "single"
           : arithmetic == ARMILLA_CUDA_IN_HALVES ? "halves"
                                                  : "two floats";
}

static armilla_sht_description describe(const armilla_sht *sht, int nthreads, int64_t ntrans)
{
    const int threads = armilla_sht_threads(sht, nthreads);
    const armilla_cuda_needs needs = device_needs(sht, ntrans);
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
        .workspace_bytes = workspace_bytes(sht, threads, ntrans),
        .useful_flops = armilla_legendre_flops(sht->flow.legendre) / (double)sht->mres,
        .device_plan_bytes = armilla_cuda_bytes(sht->cuda),
        .device_workspace_bytes = needs.bytes,
        .device_shape = sht->cuda ? sht->flow.shape->name : NULL,
        .device_precision = sht->cuda ? name_of(sht->precision.of_floats) : NULL,
        .exact = armilla_sht_exactness(sht),
        .mres = sht->mres,
        .device_batch = needs.batch,
        .device_doubles = sht->cuda ? name_of(sht->precision.of_doubles) : NULL,
        .device_streams = needs.streams,
    };
}

armilla_status armilla_sht_describe(const armilla_sht *sht, int nthreads,
                                    armilla_sht_description *description)
{
    return armilla_sht_describe_many(sht, nthreads, 1, description);
}

/* More transforms than have addresses: their bytes would not fit in 64 bits. One whose arrays have
 * gaps that long is described all the same, since gaps take no memory. */
static armilla_status check_count(const armilla_sht *sht, int64_t ntrans)
{
    const int64_t most = INT64_MAX / 32;
    const int64_t numbers = armilla_larger(1, armilla_larger(sht->npix, sht->layout->size));
    if (ntrans == 1 || (ntrans >= 1 && numbers <= most && ntrans <= most / numbers / 2))
        return ARMILLA_OK;
    return armilla_fail_argument("ntrans", ntrans,
                                 "must be at least 1, and the arrays fit in 64 bits");
}

armilla_status armilla_sht_describe_many(const armilla_sht *sht, int nthreads, int64_t ntrans,
                                         armilla_sht_description *description)
{
    if (!sht) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "sht = NULL: must be a plan");
    const armilla_status status = check_count(sht, ntrans);
    if (status) return status;
    armilla_sht_description whole = describe(sht, nthreads, ntrans);
    return armilla_description_give("description", "armilla_sht_description", &whole, sizeof whole,
                                    description);
}
