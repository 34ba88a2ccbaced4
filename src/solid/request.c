/* Checks what a call of solid harmonics asks for; see request.h. */
#include "solid/request.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/point.h"

void armilla_solid_options_init_sized(armilla_solid_options *options, size_t size)
{
    const armilla_solid_options defaults = {.radius = 1};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

static armilla_status check_epsilon(const armilla_solid_options *options)
{
    const int way = (int)options->way;
    if (way < ARMILLA_SOLID_AUTO || way > ARMILLA_SOLID_SHELLS)
        return armilla_fail_argument("options->way", way, "must be AUTO, DIRECT or SHELLS");
    if (options->epsilon == 0 && options->way != ARMILLA_SOLID_SHELLS) return ARMILLA_OK;
    if (options->epsilon >= 1e-11 && options->epsilon <= 0.1) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "options->epsilon = %g: must be %s1e-11 to 0.1",
                        options->epsilon,
                        options->way == ARMILLA_SOLID_SHELLS ? "" : "0, to rounding, or ");
}

static armilla_status check_options(const armilla_solid_options *options)
{
    if (options->kind != ARMILLA_SOLID_EXTERIOR && options->kind != ARMILLA_SOLID_INTERIOR)
        return armilla_fail_argument("options->kind", options->kind,
                                     "must be EXTERIOR or INTERIOR");
    if (options->frame != ARMILLA_SOLID_CARTESIAN && options->frame != ARMILLA_SOLID_LOCAL)
        return armilla_fail_argument("options->frame", options->frame,
                                     "must be CARTESIAN or LOCAL");
    if (options->derivatives < 0 || options->derivatives > 2)
        return armilla_fail_argument("options->derivatives", options->derivatives,
                                     "must be 0, 1 or 2");
    if (!(options->radius >= 1e-100 && options->radius <= 1e100))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "options->radius = %g: must be 1e-100 to 1e100",
                            options->radius);
    return check_epsilon(options);
}

static armilla_status take_layout(int64_t lmax, int64_t mmax, armilla_solid_request *q)
{
    const armilla_alm_layout *given = q->options.layout;
    if (!given) return armilla_alm_layout_new(lmax, mmax, &q->layout);
    if (given->mres != 1)
        return armilla_fail_argument("options->layout: mres", given->mres,
                                     "must be 1: points are anywhere, not in a sector");
    if (given->lmax != lmax || given->mmax != mmax)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->layout: its lmax = %lld and mmax = %lld must be those of "
                            "the call, %lld and %lld",
                            (long long)given->lmax, (long long)given->mmax, (long long)lmax,
                            (long long)mmax);
    return armilla_alm_layout_copy(given, &q->layout);
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {ARMILLA_END_OF(armilla_solid_options, isa),
                                  ARMILLA_END_OF(armilla_solid_options, way),
                                  sizeof(armilla_solid_options), 0};

static armilla_status take_problem(int64_t lmax, int64_t mmax, const armilla_solid_options *options,
                                   armilla_solid_request *q)
{
    armilla_solid_options_init(&q->options);
    armilla_status status =
        armilla_options_copy("options", "armilla_solid_options", options, VERSIONS, &q->options);
    const armilla_solid_options *o = &q->options;
    if (!status) status = armilla_check_band_limit(lmax, mmax);
    if (!status) status = check_options(o);
    if (!status)
        status = armilla_delegate("options->device", ARMILLA_OPERATION_SOLID, o->device, o->devices,
                                  o->ndevices, o->delegate, &q->delegation);
    if (!status) status = armilla_machine_choose(q->options.isa, &q->machine);
    return status ? status : take_layout(lmax, mmax, q);
}

static armilla_status take_points(int64_t npoints, const double *points, armilla_solid_request *q)
{
    if (npoints < 0 || npoints >= (int64_t)1 << 32)
        return armilla_fail_argument("npoints", npoints, "must be 0 to 2^32 - 1");
    armilla_status status = npoints ? armilla_check_given("points", points) : ARMILLA_OK;
    if (!status) status = armilla_delegation_check_host(&q->delegation, "points", points);
    q->places = (armilla_solid_places){.count = npoints,
                                       .points = points,
                                       .radius = q->options.radius,
                                       .interior = q->options.kind == ARMILLA_SOLID_INTERIOR};
    if (status) return status;
    status = armilla_solid_places_check(&q->places, q->layout->lmax + 1 + q->options.derivatives);
    return status ? status : armilla_points_settle(npoints, 3, &q->places.points, &q->own_points);
}

armilla_status armilla_solid_request_call(int to_values, const double *alm, const double *values,
                                          const armilla_exec *exec, armilla_solid_request *q)
{
    const int64_t derivatives = q->options.derivatives;
    q->arrays = (armilla_call_arrays){.alm_size = q->layout->size,
                                      .nalm = 1,
                                      .npix = q->places.count,
                                      .nmap = derivatives == 2 ? 10
                                              : derivatives    ? 4
                                                               : 1,
                                      .samples = "values",
                                      .delegation = q->delegation};
    q->call =
        armilla_call_of(to_values, armilla_array_of_doubles(alm), armilla_array_of_doubles(values));
    const armilla_status status = armilla_call_take(&q->arrays, exec, &q->call);
    return status ? status
                  : armilla_call_check_missing(&q->arrays, q->call.map, NULL, &q->call.exec);
}

armilla_status armilla_solid_request_problem(int64_t lmax, int64_t mmax, int64_t npoints,
                                             const double *points,
                                             const armilla_solid_options *options,
                                             armilla_solid_request *q)
{
    const armilla_status status = take_problem(lmax, mmax, options, q);
    return status ? status : take_points(npoints, points, q);
}

armilla_status armilla_solid_request_close(armilla_solid_request *q, armilla_status status)
{
    status = armilla_call_close(&q->call, status);
    armilla_alm_layout_free(q->layout);
    armilla_release(q->own_points);
    return status;
}
