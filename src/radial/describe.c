/* What a plan is and takes. See armilla/radial.h. */
#include "base/choice.h"
#include "base/options.h"
#include "base/team.h"
#include "cuda/radial.h"
#include "grid/grid.h"
#include "radial/apply.h"
#include "radial/method.h"
#include "radial/normalization.h"
#include "radial/standard.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static int64_t plan_bytes(const armilla_radial *radial)
{
    if (radial->standard)
        return radial->grid->nrings * (int64_t)sizeof(armilla_ring) +
               armilla_radial_standard_bytes(radial->standard) +
               plan_bytes(armilla_radial_maker(radial)) +
               (radial->scalar ? plan_bytes(radial->scalar) : 0);
    const armilla_radial_rows *rows = &radial->pixels.rows;
    const armilla_profile *profile = &radial->profile;
    int64_t bytes = rows->count * (int64_t)(sizeof *rows->row + sizeof(armilla_ring));
    bytes += (profile->ncells ? profile->ncells * (2 * profile->degree + 3) : profile->degree + 1) *
             (int64_t)sizeof(double);
    if (radial->mixing) bytes += armilla_mixing_bytes(radial->mixing);
    const armilla_radial *owner = radial->scalar; /* of the divisors, unless it has no map */
    if (radial->divisor_map && !(owner && owner->divisor_map))
        bytes += radial->grid->npix * (int64_t)sizeof(double);
    if (owner) return bytes + plan_bytes(owner);
    if (!radial->pixels.divisor) return bytes;
    for (int64_t i = 0; i < rows->nout; i++)
        bytes += (rows->row[i].uniform ? 1 : rows->row[i].arc) * (int64_t)sizeof(double);
    return bytes + rows->count * (int64_t)sizeof(int64_t);
}

static int64_t device_bytes(const armilla_radial *radial)
{
    if (!radial) return 0;
    const armilla_radial *inner = radial->inner;
    return armilla_cuda_bytes(radial->cuda) +
           (inner ? device_bytes(inner) + device_bytes(inner->scalar) : 0);
}

static int64_t device_workspace(const armilla_radial *radial)
{
    const armilla_cuda_radial_plan *plan = radial->cuda;
    return plan ? plan->call_bytes(&plan, 1, 1, 1) : 0;
}

static const char *const normalizations[] = {"auto", "none", "integral", "sum"};

const char *armilla_radial_method_name(const armilla_radial *radial)
{
    const armilla_radial *maker = armilla_radial_maker(radial);
    return !maker->mixing ? "pixels" : maker->all_mixed ? "rings" : "pixels and rings";
}

const char *armilla_radial_normalization_name(const armilla_radial *radial)
{
    return normalizations[radial->options.normalization];
}

static armilla_radial_description describe(const armilla_radial *radial, int nthreads)
{
    const int threads = armilla_team_size(nthreads);
    const armilla_radial *maker = armilla_radial_maker(radial);
    return (armilla_radial_description){
        .isa = armilla_isa_label(radial->isa),
        .method = armilla_radial_method_name(radial),
        .normalization = armilla_radial_normalization_name(radial),
        .support = radial->options.support,
        .integral = radial->integral,
        .width = armilla_kernel_half_width(radial->kernel),
        .pixel = armilla_radial_pixel(radial->grid),
        .nrings = radial->grid->nrings,
        .npix = radial->grid->npix,
        .pairs = (int64_t)armilla_radial_rows_products(&maker->pixels.rows),
        .plan_bytes = plan_bytes(radial),
        .workspace_bytes =
            radial->cuda ? 0
                         : armilla_radial_call_bytes(radial, armilla_radial_ncomp(radial), threads),
        .device_plan_bytes = device_bytes(radial) + device_bytes(radial->scalar),
        .device_workspace_bytes = device_workspace(radial)};
}

armilla_status armilla_radial_describe(const armilla_radial *radial, int nthreads,
                                       armilla_radial_description *description)
{
    armilla_status status = armilla_check_given("radial", radial);
    if (status) return status;
    if (nthreads < 0) return armilla_fail_argument("nthreads", nthreads, "must be 0 (all) or more");
    armilla_radial_description whole = describe(radial, nthreads);
    status = armilla_kernel_truncation_error(radial->kernel, whole.support, 0, NULL,
                                             &whole.truncation_error);
    return status ? status
                  : armilla_description_give("description", "armilla_radial_description", &whole,
                                             sizeof whole, description);
}

/* --- What it has chosen ----------------------------------------------------------------------- */

/* On a GPU all rings go by one method. */
static void tell_device(const armilla_radial *radial, const armilla_teller *teller)
{
    const double *seconds = radial->device_seconds;
    const int rings = radial->mixing != NULL;
    const char *reason = radial->options.method != ARMILLA_RADIAL_FASTEST ? "options ask for it"
                         : seconds[1] < 0 ? "not all rings can go by RINGS"
                                          : "a model of the cost on a GPU says it is cheaper";
    if (seconds[1] < 0)
        armilla_choice_tell(teller, "radial.method", reason,
                            "all rings by PIXELS, some %.3g ms of an H100", 1e3 * seconds[0]);
    else
        armilla_choice_tell(teller, "radial.method", reason,
                            "all rings by %s, some %.3g ms of an H100; by %s %.3g ms",
                            rings ? "RINGS" : "PIXELS", 1e3 * seconds[rings],
                            rings ? "PIXELS" : "RINGS", 1e3 * seconds[!rings]);
}

static void tell_method(const armilla_radial *maker, const armilla_teller *teller)
{
    const armilla_radial_rows *rows = &maker->pixels.rows;
    const int asked = maker->options.method != ARMILLA_RADIAL_FASTEST;
    int64_t mixed = 0;
    for (int64_t i = 0; i < rows->count; i++) mixed += rows->row[i].elsewhere != 0;
    armilla_choice_tell(teller, "radial.method",
                        asked ? "options ask for it where it is possible"
                              : "a model of the cost says which is cheaper, ring by ring; two "
                                "methods must gain 15 %",
                        "of %" PRId64 " rings %" PRId64 " by RINGS, the rest by PIXELS",
                        rows->count, mixed);
}

static void tell_kernel(const armilla_radial *maker, const armilla_teller *teller)
{
    armilla_choice_tell(teller, "radial.support",
                        "options say it, or the error of the cut; where RINGS gains by it, the "
                        "kernel has fallen to rounding",
                        "the kernel is cut at %.6g radians", maker->options.support);
    armilla_choice_tell(teller, "radial.normalization",
                        "options say it, or how finely the pixels sample the kernel", "%s",
                        normalizations[maker->options.normalization]);
}

armilla_status armilla_radial_explain(const armilla_radial *radial, armilla_choice_fn take,
                                      void *data)
{
    const armilla_status status = armilla_teller_check("radial", radial, take);
    if (status) return status;
    const armilla_teller teller = {.take = take, .data = data};
    const armilla_radial *maker = armilla_radial_maker(radial);
    (maker->cuda ? tell_device : tell_method)(maker, &teller);
    tell_kernel(maker, &teller);
    return ARMILLA_OK;
}

/* --- What it costs ---------------------------------------------------------------------------- */

/* What harmonic smoothing takes each way: the Legendre stage per useful operation, the ring stage
 * per pixel of rings whose lengths are products of 2, 3, 5 and 7, and of others. */
static const double LEGENDRE_NS = 0.027, SMOOTH_NS = 4, ROUGH_NS = 40;

static double ring_stage_ns(const armilla_grid *grid)
{
    double ns = 0;
    for (int64_t r = 0; r < grid->nrings; r++) {
        const int64_t n = grid->rings[r].nphi;
        ns += (double)n * (armilla_mixing_is_smooth(n) ? SMOOTH_NS : ROUGH_NS);
    }
    return ns;
}

armilla_status armilla_radial_compare(const armilla_radial *radial, const armilla_sht *sht,
                                      double *radial_seconds, double *harmonic_seconds)
{
    armilla_status status = armilla_check_given("radial", radial);
    armilla_sht_description d = {.size = sizeof d};
    if (!status) status = armilla_check_given("sht", sht);
    if (!status) status = armilla_check_given("radial_seconds", radial_seconds);
    if (!status) status = armilla_check_given("harmonic_seconds", harmonic_seconds);
    if (status || (status = armilla_sht_describe(sht, 1, &d))) return status;
    if (d.mres != 1)
        return armilla_fail_argument("sht: mres", d.mres,
                                     "must be 1: a radial convolution is of the whole sphere");
    if ((status = armilla_radial_model_seconds(armilla_radial_maker(radial), radial_seconds)))
        return status;
    const double wider = 8.0 / (double)radial->pixels.kernels->vector_length;
    *harmonic_seconds = 2e-9 * (d.useful_flops * LEGENDRE_NS * (wider < 2 ? 1 : wider * 0.8) +
                                (double)d.ncomp * ring_stage_ns(radial->grid));
    return ARMILLA_OK;
}
