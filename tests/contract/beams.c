/* Rows of the contract: skies seen through a beam that is the same in all transforms, and the sky
 * that fits samples. */
#include "contract/calls.h"
#include "contract/operations.h"

#include "oracle/checks.h"
#include <stdlib.h>

enum { KMAX = 3, COMPONENTS = 3, MOST = 9 }; /* MOST: transforms of a call */

/* A plan, alone or of a rank, and its beam for MOST transforms. */
typedef struct {
    armilla_beams *alone;
    armilla_distributed_beams *ranks;
    double *beam;
    float *beam_float;
} beamed;

static void fill_beam(beamed *made)
{
    const int64_t size = 2 * COMPONENTS * armilla_alm_size(CONTRACT_LMAX, KMAX);
    made->beam = checked_malloc(MOST * size, 8), made->beam_float = checked_malloc(MOST * size, 4);
    random_fill(9, size, made->beam);
    for (int64_t i = 0; i < MOST * size; i++) {
        made->beam_float[i] = (float)made->beam[i % size];
        made->beam[i] = made->beam_float[i];
    }
}

static void release_beams(const contract_site *site, void *plan)
{
    beamed *given = plan;
    (void)site;
    if (!given) return;
    armilla_distributed_beams_free(given->ranks);
    armilla_beams_free(given->alone);
    free(given->beam), free(given->beam_float);
    free(given);
}

static armilla_status make_beams(const contract_site *site, const contract_choice *choice,
                                 void **plan)
{
    const armilla_transport *t = site->transport;
    double pointings[3 * CONTRACT_POINTS];
    armilla_beams_options options;
    beamed *made = checked_calloc(1, sizeof *made);
    (void)choice;
    armilla_beams_options_init(&options);
    const armilla_points_options points = contract_points_options(site);
    options.components = COMPONENTS, options.nthreads = 1;
    options.device = points.device, options.delegate = points.delegate;
    options.devices = points.devices, options.ndevices = points.ndevices;
    contract_points(3, pointings);
    fill_beam(made);
    const int64_t first = t ? contract_first_point(t->rank, t->nranks) : 0;
    const int64_t end = t ? contract_first_point(t->rank + 1, t->nranks) : CONTRACT_POINTS;
    const armilla_status status =
        t ? armilla_distributed_beams_new(t, site->distribution, KMAX, end - first,
                                          pointings + 3 * first, &options, NULL, &made->ranks)
          : armilla_beams_new(CONTRACT_LMAX, CONTRACT_LMAX, KMAX, end, pointings, &options,
                              &made->alone);
    if (status)
        release_beams(site, made);
    else
        *plan = made;
    return status;
}

#define WRAP(name, call, plan_)                                                                    \
    static armilla_status name(const void *plan, int is_float, const void *in, void *out,          \
                               const armilla_exec *exec)                                           \
    {                                                                                              \
        const beamed *b = plan;                                                                    \
        return is_float ? armilla_##call##_float(b->plan_, in, b->beam_float, out, exec)           \
                        : armilla_##call(b->plan_, in, b->beam, out, exec);                        \
    }

WRAP(convolve, beams_convolve, alone)
WRAP(adjoint, beams_adjoint, alone)
WRAP(convolve_ranks, distributed_beams_convolve, ranks)
WRAP(adjoint_ranks, distributed_beams_adjoint, ranks)

/* Iterations, of which three are made. */
#define WRAP_FIT(name, call, plan_)                                                                \
    static armilla_status name(const void *plan, int is_float, const void *in, void *out,          \
                               const armilla_exec *exec)                                           \
    {                                                                                              \
        const beamed *b = plan;                                                                    \
        armilla_pseudo_options few;                                                                \
        armilla_pseudo_options_init(&few);                                                         \
        few.max_iterations = 3;                                                                    \
        (void)is_float;                                                                            \
        return armilla_##call(b->plan_, in, b->beam, out, &few, NULL, exec);                       \
    }

WRAP_FIT(deconvolve, beams_deconvolve, alone)
WRAP_FIT(deconvolve_ranks, distributed_beams_deconvolve, ranks)

#define BEAMS_OVER_RANKS_WITH_GPUS                                                                 \
    "options->device: skies seen through beams are not offered over ranks with GPUs; ranks run "   \
    "them on the host"

const contract_operation contract_beams = {
    .name = "beams",
    .variant = "T, E, B",
    .sides = {{CONTRACT_ALM, COMPONENTS, 2, 0}, {CONTRACT_VALUES, 1, 1, 0}},
    .make = make_beams,
    .release = release_beams,
    .calls = {{"convolve", 0, 1, 1, CONTRACT_UNREAD, convolve, convolve_ranks},
              {"adjoint", 1, 0, 0, CONTRACT_REFUSES, adjoint, adjoint_ranks}},
    .delegated = {[CONTRACT_RANKS_GPUS] = BEAMS_OVER_RANKS_WITH_GPUS},
    .tolerances = {.adjoint = 1e-13, .device = 1e-12, .floats = 1e-6},
    .has_floats = 1,
    .waits = 1};

const contract_operation contract_beams_fit = {
    .name = "fit of beams",
    .variant = "T, E, B",
    .sides = {{CONTRACT_ALM, COMPONENTS, 2, 0}, {CONTRACT_VALUES, 1, 1, 0}},
    .make = make_beams,
    .release = release_beams,
    .calls = {{"deconvolve", 1, 0, -1, CONTRACT_REFUSES, deconvolve, deconvolve_ranks}},
    .delegated = {[CONTRACT_RANKS_GPUS] = BEAMS_OVER_RANKS_WITH_GPUS},
    .tolerances = {.device = 1e-11},
    .host_arrays = 1,
    .one_by_one = 1,
    .waits = 1,
    .stops = 1};
