/* Chooses on which rings the Legendre stage of a plan works and how much memory each stage may
 * take, and tells what a plan has chosen. */
#include "sht/choose.h"

#include "grid/equidistant.h"
#include "grid/grid.h"
#include "legendre/choose.h"
#include "theta/choose.h"

#include <inttypes.h>
#include <stdio.h>

/* --- Memory ----------------------------------------------------------------------------------- */

/* Unless options say how much memory there is: docs/architecture.md 1. */
enum {
    LEG_SHARE = 3,        /* leg takes at most about this part of input and output, */
    WHOLE_SIZE = 1 << 24, /* or has all orders at once and, for a set, so many doubles: 134 MB. In
                             parts its rings go one by one, not in lanes, and those that are not
                             the longest twice in analysis: HEALPix, nside 512, 768: 1.10, 1.09
                             (analysis 1.17, 1.24) times the time, octahedral rings at lmax 1279
                             1.06 (1.30) */
    BOUNDED_LMAX = 2047   /* from here on all is bounded */
};

/* A share of input and output: where a plan, a call with one thread, and what else the process has
 * (code, free memory between arrays, plans of FFTW if it is used) take less, the plan keeps starts
 * of the Legendre stage. All that is to stay below 45 %. */
static const double MEMORY_SHARE = 0.435;
enum { BESIDE_BYTES = 4000000 };

/* Gaps in the caller's arrays do not count. The rest of host_bytes is for tables and starts. */
int64_t armilla_sht_leg_budget(const armilla_sht *sht, const armilla_sht_options *options)
{
    if (options->host_bytes) return options->host_bytes / 4 * 3 / (8 * sht->nmap);
    return (sht->samples + 2 * armilla_sht_degrees(sht)) / LEG_SHARE;
}

static int is_bounded_by_default(const armilla_sht *sht, const armilla_sht_options *options)
{
    return options->host_bytes == 0 && sht->layout->lmax >= BOUNDED_LMAX;
}

int armilla_sht_is_bounded(int64_t lmax, const armilla_sht_options *options)
{
    return options->host_bytes > 0 || lmax >= BOUNDED_LMAX;
}

static int is_bounded(const armilla_sht *sht, const armilla_sht_options *options)
{
    return armilla_sht_is_bounded(sht->layout->lmax, options);
}

int64_t armilla_sht_whole_size(const armilla_sht *sht, const armilla_sht_options *options)
{
    return is_bounded(sht, options) ? 0 : WHOLE_SIZE;
}

/* Bytes of the caller's arrays, of one transform. */
static int64_t array_bytes(const armilla_sht *sht)
{
    return 8 * sht->nmap * sht->samples + 16 * sht->nalm * armilla_sht_degrees(sht);
}

int64_t armilla_sht_device_budget(const armilla_sht *sht, const armilla_sht_options *options)
{
    const int64_t LEAST = (int64_t)512 << 20; /* so that small transforms go together */
    if (options->device_bytes) return options->device_bytes;
    const int64_t arrays = array_bytes(sht);
    return 2 * arrays > LEAST ? 2 * arrays : LEAST;
}

int64_t armilla_sht_starts_budget(const armilla_sht *sht, const armilla_sht_options *options,
                                  int second)
{
    if (second && is_bounded_by_default(sht, options)) return 0;
    if (!is_bounded(sht, options)) return INT64_MAX;
    const int64_t used = armilla_sht_bytes(sht);
    if (options->host_bytes) return options->host_bytes - used;
    return (int64_t)(MEMORY_SHARE * (double)array_bytes(sht)) - used - BESIDE_BYTES;
}

/* With ten sets analysis on Gauss-Legendre rings is 2 to 4 % slower that way: rows of all sets,
 * copied for the kernels, leave the second-level cache. */
int armilla_sht_lends_output(const armilla_flow *flow, int to_map, int64_t nsets, int is_float)
{
    enum { MOST_SETS = 2 };
    return !is_float && (to_map || flow->theta || nsets <= MOST_SETS);
}

/* --- Rings ------------------------------------------------------------------------------------ */

armilla_flow_kind armilla_sht_choose_flow(const armilla_flow_problem *problem,
                                          const armilla_sht_options *options)
{
    int fewer =
        !problem->on_device && armilla_theta_fewer_pay(problem->lmax, problem->pairs->count);
    const int may = options->ring_orders == ARMILLA_RING_ORDERS_ALL;
    if (options->method != ARMILLA_SHT_AUTO) fewer = options->method == ARMILLA_SHT_RESAMPLE;
    return armilla_forced_choose(problem->forced, "sht.flow", 0, may, fewer && may)
               ? ARMILLA_FLOW_FEWER
               : ARMILLA_FLOW_DIRECT;
}

int armilla_sht_mixes_rings(const armilla_grid *grid, int64_t lmax)
{
    return armilla_grid_mixes_rings(grid->kind) && lmax <= grid->exact_lmax;
}

/* --- Telling ---------------------------------------------------------------------------------- */

static void tell_flow(const armilla_sht *sht, const armilla_teller *teller)
{
    char why[160];
    const int fewer = sht->flow.kind == ARMILLA_FLOW_FEWER;
    const int64_t near = (armilla_theta_coarse_rings(sht->layout->lmax) + 1) / 2;
    if (fewer == armilla_theta_fewer_pay(sht->layout->lmax, sht->pairs.count))
        snprintf(
            why, sizeof why,
            "%" PRId64 " pairs of the grid, or %" PRId64
            " that theta interpolates from: pays where lmax times the share saved is above 300",
            sht->pairs.count, near);
    else
        snprintf(why, sizeof why, "options ask for it%s", sht->cuda ? ", or a GPU" : "");
    armilla_choice_tell(teller, "sht.flow", why, "%s",
                        fewer ? "1: the Legendre stage works on fewer rings"
                              : "0: the Legendre stage works on the rings of the grid");
    armilla_choice_tell(
        teller, "sht.weights",
        "rings mix on CC, F1, MW, MWSS and MWFLIP, up to the lmax to which they are exact", "%s",
        sht->weighted_flow.legendre ? "analysis on Gauss-Legendre rings" : "one for each ring");
}

static void tell_passes(const armilla_flow *flow, const armilla_teller *teller)
{
    const armilla_flow_way *memory = &flow->ways[ARMILLA_FLOW_IN_MEMORY];
    const int maps = flow->ways[ARMILLA_FLOW_IN_MAPS].passes.count > 0;
    const int alm = flow->ways[ARMILLA_FLOW_IN_ALM].passes.count > 0;
    char why[160];
    snprintf(why, sizeof why, "leg of a pass takes %.1f MB for each component",
             (double)memory->passes.size * 8e-6);
    armilla_choice_tell(teller, "sht.passes", why, "%" PRId64 " %s", memory->passes.count,
                        memory->passes.count == 1    ? "pass with all orders and pairs"
                        : memory->norder_passes == 1 ? "passes with a part of the orders each"
                                                     : "passes with some of the pairs each");
    if (armilla_flow_is_parked(flow))
        armilla_choice_tell(teller, "sht.parking",
                            "leg of all orders is larger than a pass, and outputs have room",
                            "1: with doubles, leg waits in %s%s%s", maps ? "maps" : "",
                            maps && alm ? " and " : "", alm ? "coefficients" : "");
    else
        armilla_choice_tell(teller, "sht.parking", "there is one pass, or outputs have no room",
                            "0: leg is in memory of its own");
}

static void tell_flow_stages(const armilla_flow *flow, const armilla_teller *teller)
{
    tell_passes(flow, teller);
    if (!flow->shape) armilla_legendre_tell(flow->legendre, teller);
    if (flow->theta) armilla_theta_tell(flow->theta, teller);
}

static void tell_device_rings(const armilla_cuda_transform *cuda, const armilla_teller *teller)
{
    const armilla_cuda_needs needs = armilla_cuda()->transform->needs(cuda, 1);
    const int64_t *pairs = needs.ring_pairs;
    armilla_choice_tell(teller, "device.rings", "pairs by length, and by how many share one",
                        "sums %" PRId64 ", cuFFT %" PRId64 ", smooth %" PRId64
                        ", convolutions in shared memory %" PRId64 ", by cuFFT %" PRId64,
                        pairs[0], pairs[1], pairs[4], pairs[3], pairs[2]);
}

void armilla_sht_tell(const armilla_sht *sht, const armilla_teller *teller)
{
    const armilla_teller weighted = armilla_teller_of_group(teller, ARMILLA_WEIGHTED_GROUP);
    tell_flow(sht, teller);
    tell_flow_stages(&sht->flow, teller);
    if (sht->weighted_flow.legendre) tell_flow_stages(&sht->weighted_flow, &weighted);
    if (sht->cuda) tell_device_rings(sht->cuda, teller);
}

armilla_status armilla_sht_explain(const armilla_sht *sht, armilla_choice_fn take, void *data)
{
    const armilla_status status = armilla_teller_check("sht", sht, take);
    if (status) return status;
    const armilla_teller teller = {.take = take, .data = data, .forced = sht->forced};
    armilla_sht_tell(sht, &teller);
    if (sht->ringfft) armilla_ringfft_tell(sht->ringfft, &teller);
    return ARMILLA_OK;
}
