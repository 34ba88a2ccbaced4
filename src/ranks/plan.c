/* Makes distributed plans: the share of this rank, its stages, the exchanges of each way of a call.
 * Ranks agree on the outcome at the end, so that all of them have a plan or none. */
#include "ranks/plan.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "cuda/runtime/device.h"
#include "grid/grid.h"
#include "ranks/agree.h"
#include "ranks/device/place.h"
#include "ranks/digest.h"
#include "sht/choose.h"

#include <string.h>

enum { CHUNK_BYTES = 1000000, DEVICE_CHUNK_BYTES = 8000000 };

void armilla_distributed_options_init_sized(armilla_distributed_options *options, size_t size)
{
    const armilla_distributed_options defaults = {.device_number = ARMILLA_DEVICE_OF_RANK};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

/* --- Shares ---------------------------------------------------------------------------------- */

static armilla_status make_share(const armilla_distribution *d, int64_t member,
                                 armilla_share *share)
{
    const int64_t first = d->orders.start[member];
    int64_t *places;
    const armilla_status status = armilla_distribution_places(d, member, &places);
    if (status) return status;
    *share = (armilla_share){.norders = d->orders.start[member + 1] - first,
                             .orders = d->orders.list + first,
                             .places = places,
                             .samples = d->rings.size[member]};
    return ARMILLA_OK;
}

/* --- Schedules ------------------------------------------------------------------------------- */

/* Synthesis never waits in alm, analysis never in maps. */
static armilla_status make_schedules(const armilla_distributed_sht *plan, const armilla_flow *flow,
                                     int64_t bytes, armilla_flow_schedules *schedules)
{
    const armilla_distribution *d = plan->distribution;
    const int64_t member = armilla_distribution_member(d, plan->transport.rank);
    armilla_status status = ARMILLA_OK;
    for (int i = 0; i < ARMILLA_FLOW_PLACES && !status; i++) {
        const armilla_flow_place place = (armilla_flow_place)i;
        if (flow->ways[i].passes.count == 0) continue;
        if (place != ARMILLA_FLOW_IN_ALM)
            status = armilla_schedule_make(d, member, flow, place, ARMILLA_BY_ORDER, bytes,
                                           &schedules->to_map[i]);
        if (!status && place != ARMILLA_FLOW_IN_MAPS)
            status = armilla_schedule_make(d, member, flow, place, ARMILLA_BY_PAIR, bytes,
                                           &schedules->to_alm[i]);
    }
    return status;
}

/* A GPU has no other place for leg. */
static armilla_status make_device_rows(armilla_flow_schedules *schedules)
{
    const armilla_schedule *to_alm = &schedules->to_alm[ARMILLA_FLOW_IN_MEMORY];
    const armilla_schedule *to_map = &schedules->to_map[ARMILLA_FLOW_IN_MEMORY];
    const armilla_status status = armilla_device_rows_make(to_alm, &schedules->rows[0]);
    return status ? status : armilla_device_rows_make(to_map, &schedules->rows[1]);
}

static void clear_schedules(armilla_flow_schedules *schedules)
{
    for (int i = 0; i < ARMILLA_FLOW_PLACES; i++) {
        armilla_schedule_clear(&schedules->to_map[i]);
        armilla_schedule_clear(&schedules->to_alm[i]);
    }
    for (int i = 0; i < 2; i++) armilla_device_rows_clear(&schedules->rows[i]);
}

/* --- Plans ----------------------------------------------------------------------------------- */

static armilla_status take_options(const armilla_sht_options *given, armilla_sht_options *options)
{
    armilla_status status = armilla_sht_take_options(given, options);
    if (status) return status;
    if (options->layout)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->layout: must be NULL, for the rows of a rank's alm are one "
                            "behind the other");
    if ((status = armilla_sht_check_plain(options, "over ranks"))) return status;
    if (options->ring_orders != ARMILLA_RING_ORDERS_ALL || options->ring_limits)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "options->ring_orders: must be ARMILLA_RING_ORDERS_ALL over ranks");
    status = armilla_rank_refuse_list(options->devices, options->ndevices);
    if (status) return status;
    if (options->device == ARMILLA_CUDA && options->device_tune != ARMILLA_DEVICE_TUNE_TABLE)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "options->device_tune: ranks measure no shapes; name the one of a plan "
                            "on one rank as options->device_shape");
    if (options->device == ARMILLA_CUDA && options->device_streams == 2)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "options->device_streams = 2: ranks have one stream");
    return ARMILLA_OK;
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {ARMILLA_END_OF(armilla_distributed_options, chunk_bytes),
                                  sizeof(armilla_distributed_options), 0};

armilla_status armilla_distributed_take_options(const armilla_distributed_options *given,
                                                armilla_distributed_options *taken)
{
    armilla_distributed_options_init(taken);
    armilla_status status =
        armilla_options_copy("distributed", "armilla_distributed_options", given, VERSIONS, taken);
    if (!status && taken->chunk_bytes < 0)
        status = armilla_fail_argument("distributed->chunk_bytes", taken->chunk_bytes,
                                       "must be 0 (chosen) or more");
    return status;
}

/* What the caller asks for. */
typedef struct {
    armilla_sht_options sht;
    armilla_distributed_options distributed;
    armilla_isa isa; /* on a GPU, where results do not depend on it: 0 */
} wishes;

static armilla_status take_wishes(const armilla_sht_options *options,
                                  const armilla_distributed_options *distributed, wishes *w)
{
    armilla_status status = armilla_distributed_take_options(distributed, &w->distributed);
    if (status || (status = take_options(options, &w->sht))) return status;
    if ((status = armilla_rank_check_device(w->distributed.device_number))) return status;
    w->isa = (armilla_isa)0;
    return w->sht.device == ARMILLA_CUDA ? ARMILLA_OK : armilla_isa_choose(w->sht.isa, &w->isa);
}

/* Collective. Rank 0 finds out for all. */
static armilla_status find_starts(armilla_distributed_sht *plan, const armilla_sht_options *options)
{
    const armilla_distribution *d = plan->distribution;
    int64_t *end = plan->share.starts_end;
    armilla_status status = ARMILLA_OK;
    end[0] = end[1] = ARMILLA_STARTS_OF_ALL;
    if (options->device == ARMILLA_CUDA || !armilla_sht_is_bounded(d->lmax, options))
        return ARMILLA_OK;
    if (plan->transport.rank == 0)
        status = armilla_share_find_starts(d->grid, d->lmax, d->mmax, options, end);
    return armilla_agree_largest(&plan->transport, status, 2, end);
}

/* --- GPUs ------------------------------------------------------------------------------------- */

/* Transforms at once: what a GPU can take depends on the share, but all ranks take as many. */
static armilla_status agree_on_batches(armilla_distributed_sht *plan)
{
    enum { SETS = 4 }; /* messages grow with them, and the budget of a plan does not know of them */
    const int64_t most = armilla_larger(1, SETS / plan->sht->nmap);
    int64_t *batch = plan->batch[0];
    for (int i = 0; i < 4; i++)
        batch[i] = -armilla_cuda()->transform->batch(plan->sht->cuda, i / 2, i % 2, most);
    const armilla_status status = armilla_agree_largest(&plan->transport, ARMILLA_OK, 4, batch);
    for (int i = 0; i < 4; i++) batch[i] = -batch[i];
    return status;
}

/* --- All -------------------------------------------------------------------------------------- */

static armilla_status make(const wishes *w, armilla_distributed_sht *plan)
{
    const armilla_distribution *d = plan->distribution;
    armilla_status status =
        armilla_sht_new_share(d->grid, d->lmax, d->mmax, &w->sht, &plan->share, &plan->sht);
    if (status) return status;
    const int64_t usual = plan->sht->cuda ? DEVICE_CHUNK_BYTES : CHUNK_BYTES;
    const int64_t chunk_bytes = w->distributed.chunk_bytes ? w->distributed.chunk_bytes : usual;
    const int64_t each = chunk_bytes / plan->sht->nmap + 1;
    const int weighted = plan->sht->weighted_flow.legendre != NULL;
    status = make_schedules(plan, &plan->sht->flow, each, &plan->flow);
    if (!status && weighted)
        status = make_schedules(plan, &plan->sht->weighted_flow, each, &plan->weighted_flow);
    if (!status && plan->sht->cuda) status = make_device_rows(&plan->flow);
    if (!status && plan->sht->cuda && weighted) status = make_device_rows(&plan->weighted_flow);
    return status;
}

static armilla_status make_on_device(const wishes *w, armilla_distributed_sht *plan)
{
    int device, before;
    armilla_status status =
        armilla_rank_choose_device(&plan->transport, w->distributed.device_number, &device);
    if (status || (status = armilla_cuda()->gpus->enter(device, &before))) return status;
    status = make(w, plan);
    armilla_cuda()->gpus->leave(device, before);
    return status;
}

enum { WISHES = 19, PASSES = 8 };

static void list_wishes(const armilla_distributed_sht *plan, const wishes *w,
                        armilla_common values[WISHES])
{
    const armilla_distribution *d = plan->distribution;
    const armilla_common list[WISHES] = {
        {"lmax", d->lmax},
        {"mmax", d->mmax},
        {"options->groups", d->nranks / d->nmembers},
        {"number of rings", d->rings.count},
        {"number of pixels", d->grid->npix},
        {"the grid", armilla_digest_grid(d->grid)},
        {"members of orders", armilla_owned_digest(&d->orders)},
        {"members of rings", armilla_owned_digest(&d->rings)},
        {"options->spin", w->sht.spin},
        {"options->mode", (int64_t)w->sht.mode},
        {"options->method", (int64_t)w->sht.method},
        {"options->spin_method", (int64_t)w->sht.spin_method},
        {ARMILLA_COMMON_ISA, (int64_t)w->isa},
        {"options->choices (a number made of the text)", armilla_digest_text(w->sht.choices)},
        {"options->cache_bytes", w->sht.cache_bytes},
        {"options->host_bytes", w->sht.host_bytes},
        {"distributed->chunk_bytes", w->distributed.chunk_bytes},
        {"options->device", (int64_t)w->sht.device},
        {"options->device_bytes", w->sht.device_bytes}};
    memcpy(values, list, sizeof list);
}

/* Ranks with other plans would wait for each other for ever, or for other messages. A rank with an
 * error has as many values as the others, which nobody compares. */
static armilla_status agree_on_wishes(const armilla_transport *transport,
                                      const armilla_distributed_sht *plan, const wishes *w,
                                      armilla_status status)
{
    armilla_common values[WISHES] = {{NULL, 0}};
    if (!status) list_wishes(plan, w, values);
    return armilla_agree_on(transport, status, WISHES, values, NULL);
}

/* The shape of a GPU's kernels, by its place in the list of all; -1: none. */
static int64_t shape_number(const armilla_sht *sht)
{
    int64_t number = 0;
    while (sht->flow.shape && armilla_cuda()->shape->at(number) != sht->flow.shape) number++;
    return sht->flow.shape ? number : -1;
}

static armilla_status agree_on_plan(const armilla_transport *transport,
                                    const armilla_distributed_sht *plan, armilla_status status)
{
    armilla_common values[PASSES] = {{NULL, 0}};
    if (!status) {
        const armilla_common list[PASSES] = {
            {"components of alm", plan->sht->nalm},
            {"flow of the plan", (int64_t)plan->sht->flow.kind},
            {"passes of the plan", plan->sht->flow.ways[ARMILLA_FLOW_IN_MEMORY].passes.count},
            {"chunks of a synthesis", plan->flow.to_map[ARMILLA_FLOW_IN_MEMORY].nchunks},
            {"chunks of an analysis", plan->flow.to_alm[ARMILLA_FLOW_IN_MEMORY].nchunks},
            {"options->device_shape", shape_number(plan->sht)},
            {"options->device_precision (arithmetic of floats)", plan->sht->precision.of_floats},
            {"options->device_precision (arithmetic of doubles)", plan->sht->precision.of_doubles}};
        memcpy(values, list, sizeof list);
    }
    return armilla_agree_on(transport, status, PASSES, values, NULL);
}

armilla_status armilla_distributed_sht_new(const armilla_transport *transport,
                                           const armilla_distribution *distribution,
                                           const armilla_sht_options *options,
                                           const armilla_distributed_options *distributed,
                                           armilla_distributed_sht **sht)
{
    armilla_distributed_sht *result = NULL;
    wishes w;
    armilla_status status = armilla_check_transport(transport);
    if (status) return status;
    if (!(status = armilla_distribution_check(distribution, transport)) &&
        !(status = armilla_check_given("sht", sht)) &&
        !(status = take_wishes(options, distributed, &w)) &&
        !(status = armilla_allocate_zero(&result, 1, sizeof *result))) {
        const int64_t member = armilla_distribution_member(distribution, transport->rank);
        result->transport = *transport, result->distribution = distribution;
        result->first_rank = transport->rank - member;
        status = make_share(distribution, member, &result->share);
    }
    if (!(status = agree_on_wishes(transport, result, &w, status)) &&
        !(status = find_starts(result, &w.sht)))
        status = agree_on_plan(transport, result,
                               (w.sht.device == ARMILLA_CUDA ? make_on_device : make)(&w, result));
    if (!status && result->sht->cuda) status = agree_on_batches(result);
    if (status)
        armilla_distributed_sht_free(result);
    else
        *sht = result;
    return status;
}

void armilla_distributed_sht_free(armilla_distributed_sht *sht)
{
    if (!sht) return;
    clear_schedules(&sht->flow);
    clear_schedules(&sht->weighted_flow);
    armilla_sht_free(sht->sht);
    armilla_release((void *)sht->share.places);
    armilla_release(sht);
}
