/* Tells what the cores of plans for points have chosen: the sampling, and the stages. */
#include "points/tell.h"

#include "legendre/choose.h"
#include "points/device.h"

#include <inttypes.h>
#include <stdio.h>

static void tell_sampling(const armilla_points_core *core, const armilla_teller *teller)
{
    const armilla_sampling *s = &core->sampling;
    char why[200];
    snprintf(why, sizeof why,
             "the cheapest for errors of %.2g%s%s by a model of the cost: %.3g ms without points",
             s->epsilon, core->upsampling > 0 ? " with the upsampling that was asked for" : "",
             core->taps ? " with the taps that were asked for" : "", 1e-6 * s->cost);
    armilla_choice_tell(teller, "points.samples", why,
                        "on %" PRId64 " rings of %" PRId64
                        " samples, of which a point sees %d by %d",
                        s->nrings, s->nphi, s->taps, s->taps);
    snprintf(why, sizeof why, "points are between colatitudes %.4g and %.4g", s->extent.north,
             s->extent.south);
    armilla_choice_tell(teller, "points.zone", why,
                        "%s, by Legendre functions on %" PRId64 " rings, orders up to %" PRId64,
                        s->fade > 0 ? "a part of the sphere" : "the sphere", s->near_rings,
                        core->mmax);
}

static void tell_strips(const armilla_points *plan, const armilla_teller *teller)
{
    const armilla_points_core *core = plan->core;
    const armilla_cuda_points_needs needs = armilla_points_device_needs(plan);
    if (core->ndevices < 2) {
        armilla_choice_tell(teller, "points.strips", "as few as the memory of a call allows",
                            "%" PRId64 " strips of samples, one after the other", core->nstrips);
        armilla_choice_tell(teller, "points.launches", "by the memory of a call",
                            "%" PRId64 " launches in synthesis, %" PRId64 " in its adjoint",
                            needs.launches[1], needs.launches[0]);
    } else {
        armilla_choice_tell(teller, "points.strips",
                            "as few as the memory of a call allows, as many for each GPU",
                            "%" PRId64 " strips of samples, shared by %" PRId64 " GPUs",
                            core->nstrips, needs.ngpus);
    }
}

static void tell_core(const armilla_points_core *core, const armilla_teller *teller)
{
    tell_sampling(core, teller);
    armilla_legendre_tell(core->legendre, teller);
    if (core->on_device) return;
    armilla_theta_tell(core->theta, teller);
    armilla_ringfft_tell(core->ringfft, teller);
}

void armilla_points_tell(const armilla_points *plan, const armilla_teller *teller)
{
    tell_core(plan->core, teller);
    if (plan->core->on_device) tell_strips(plan, teller);
}

armilla_teller armilla_points_teller_of_spin(const armilla_teller *teller, int64_t spin)
{
    char group[24];
    snprintf(group, sizeof group, "k%" PRId64 ".", spin);
    return armilla_teller_of_group(teller, group);
}

void armilla_points_spins_tell(const armilla_points_spins *spins, const armilla_teller *teller)
{
    tell_core(spins->whole, teller);
    for (int64_t spin = 0; spin < spins->most; spin++) {
        const armilla_teller own = armilla_points_teller_of_spin(teller, spin);
        armilla_legendre_tell(spins->of[spin].legendre, &own);
        if (spin == spins->most - 1) armilla_theta_tell(spins->of[spin].theta, &own);
    }
}
