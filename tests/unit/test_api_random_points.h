/* Random options that points.h and lensing.h share. */
#ifndef TEST_API_RANDOM_POINTS_H
#define TEST_API_RANDOM_POINTS_H

#include "test_api_random_sht.h"

static inline armilla_points_options options_of(trial *t, const wish *w)
{
    static const double epsilons[] = {1e-13, 1e-7, 1e-3, 0.1};
    armilla_points_options o;
    armilla_points_options_init(&o);
    o.spin = w->options.spin, o.mode = w->options.mode, o.spin_method = w->options.spin_method;
    o.layout = w->options.layout, o.isa = w->options.isa;
    o.epsilon = epsilons[below(t, 4)];
    o.nthreads = (int)below(t, 4);
    return o;
}

/* derivatives: the largest number of them that the function takes. */
static inline void spoil_options(trial *t, int64_t derivatives, wish *w, armilla_points_options *o)
{
    const double epsilons[] = {0, 0.99e-13, -1e-7, 0.11, 1e300, not_finite(t)};
    if (spoil(t, "spin")) o->spin = outside(t, -w->lmax, w->lmax);
    if (spoil(t, "mode")) o->mode = (armilla_sht_mode)outside_int(t, 0, 2);
    if (spoil(t, "spin_method")) o->spin_method = (armilla_sht_spin_method)outside_int(t, 0, 1);
    if (spoil(t, "epsilon")) o->epsilon = epsilons[below(t, 6)];
    if (spoil(t, "derivatives")) o->derivatives = outside(t, 0, derivatives);
    if (spoil(t, "vax")) o->isa = "vax";
    if (spoil(t, "nthreads")) o->nthreads = outside_int(t, 0, INT32_MAX);
    if (spoil(t, "size"))
        o->size = wrong_size(t, offsetof(armilla_points_options, derivatives), sizeof *o);
    if (spoil(t, "mmax")) w->mmax = outside(t, 0, w->lmax);
    if (spoil(t, "lmax")) w->lmax = outside(t, 0, largest_lmax);
}

#endif
