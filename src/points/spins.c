/* Makes the cores of several spins. */
#include "points/spins.h"

#include "base/memory.h"
#include "points/cores.h"
#include "sht/mode.h"

#include <stdatomic.h>

/* The spin whose theta stage this one has: of the same parity, as large as possible. */
static int64_t lender_of_theta(const armilla_points_spins *spins, int64_t spin)
{
    return spins->most - (spins->most - spin) % 2;
}

/* Spins that lend come first. */
static armilla_status make_view(armilla_points_spins *spins, int64_t spin)
{
    armilla_points_core *view = &spins->of[spin];
    const int64_t lender = lender_of_theta(spins, spin);
    *view = *spins->whole;
    if (spin == spins->most) return ARMILLA_OK;
    view->spin = spin;
    view->nmap = armilla_mode_nmap(spin), view->nalm = armilla_mode_nalm(view->mode, spin);
    view->legendre = NULL, view->theta = NULL;
    armilla_status status = armilla_points_core_make_legendre(view);
    if (!status && lender != spin)
        view->theta = spins->of[lender].theta;
    else if (!status)
        status = armilla_points_core_make_theta(view);
    return status;
}

armilla_status armilla_points_spins_of(armilla_points_core *whole, armilla_points_spins *spins)
{
    *spins = (armilla_points_spins){.most = whole->spin, .whole = whole};
    atomic_fetch_add(whole->users, 1);
    armilla_status status = armilla_allocate_zero(&spins->users, 1, sizeof *spins->users);
    if (!status) status = armilla_allocate_zero(&spins->of, spins->most + 1, sizeof *spins->of);
    for (int64_t spin = spins->most; spin >= 0 && !status; spin--) status = make_view(spins, spin);
    if (status) armilla_points_spins_clear(spins);
    return status;
}

armilla_status armilla_points_spins_make(const armilla_points_core *given,
                                         const armilla_sampling *sampling,
                                         armilla_points_spins *spins)
{
    armilla_points_core *whole;
    *spins = (armilla_points_spins){.most = 0};
    const armilla_status status = armilla_points_core_whole(given, NULL, sampling, &whole);
    return status ? status : armilla_points_spins_of(whole, spins);
}

armilla_points_spins armilla_points_spins_share(const armilla_points_spins *spins)
{
    atomic_fetch_add(spins->users, 1);
    return *spins;
}

/* Gives one copy back. Is it the last one? */
static int give_back(armilla_points_spins *spins)
{
    const int is_last = !spins->users || atomic_fetch_sub(spins->users, 1) == 0;
    if (!is_last) *spins = (armilla_points_spins){.most = 0};
    return is_last;
}

void armilla_points_spins_clear(armilla_points_spins *spins)
{
    if (!give_back(spins)) return;
    for (int64_t spin = 0; spins->of && spin < spins->most; spin++) {
        armilla_legendre_free(spins->of[spin].legendre);
        if (spin == spins->most - 1) armilla_theta_free(spins->of[spin].theta);
    }
    armilla_release(spins->of);
    armilla_release(spins->users);
    armilla_points_core_release(spins->whole);
    *spins = (armilla_points_spins){.most = 0};
}

int64_t armilla_points_spins_bytes(const armilla_points_spins *spins)
{
    int64_t bytes = 0;
    for (int64_t spin = 0; spin < spins->most; spin++) {
        bytes += spins->of[spin].legendre->bytes;
        if (spin == spins->most - 1) bytes += armilla_theta_bytes(spins->of[spin].theta);
    }
    return bytes;
}
