/* Plans for functions on the rotation group. See armilla/so3.h. */
#include "so3/plan.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "grid/grid.h"

#include <math.h>

#define ENOUGH_BYTES ((int64_t)64 << 20)

void armilla_so3_options_init_sized(armilla_so3_options *options, size_t size)
{
    const armilla_so3_options defaults = {.ngamma = 0};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

/* --- Arguments -------------------------------------------------------------------------------- */

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {sizeof(armilla_so3_options), 0};

static armilla_status take_options(const armilla_so3_options *given, int64_t nmax,
                                   armilla_so3_options *options)
{
    armilla_so3_options_init(options);
    const armilla_status status =
        armilla_options_copy("options", "armilla_so3_options", given, VERSIONS, options);
    if (status) return status;
    if (options->ngamma == 0) options->ngamma = 2 * nmax + 1;
    if (options->ngamma < 2 * nmax + 1 || options->ngamma > ARMILLA_GRID_COUNT_LIMIT)
        return armilla_fail_argument("options->ngamma", options->ngamma,
                                     "must be 0 or 2 nmax + 1 to 2^30");
    if (options->table_bytes < 0)
        return armilla_fail_argument("options->table_bytes", options->table_bytes,
                                     "must be 0 (chosen) or more");
    if (options->plane_bytes < 0)
        return armilla_fail_argument("options->plane_bytes", options->plane_bytes,
                                     "must be 0 (chosen) or more");
    return ARMILLA_OK;
}

static armilla_status check_arguments(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                      int64_t nmax)
{
    armilla_status status = armilla_check_band_limit(lmax, mmax);
    if (status) return status;
    if (nmax < 0 || nmax > lmax) return armilla_fail_argument("nmax", nmax, "must be 0 .. lmax");
    status = armilla_check_given("grid", grid);
    return status ? status
                  : armilla_grid_refuse_nested(grid, "a transform of functions of rotations");
}

/* --- Transforms of the spins ------------------------------------------------------------------ */

static armilla_status make_spin(const armilla_so3 *plan, int64_t n, armilla_sht **sht)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.spin = n, options.isa = armilla_isa_label(plan->isa);
    return armilla_sht_new_beside(plan->of[0], &options, sht);
}

armilla_status armilla_so3_take_spin(const armilla_so3 *plan, int64_t n, armilla_sht **sht)
{
    *sht = plan->of[n];
    return *sht ? ARMILLA_OK : make_spin(plan, n, sht);
}

void armilla_so3_give_spin(const armilla_so3 *plan, int64_t n, armilla_sht *sht)
{
    if (sht != plan->of[n]) armilla_sht_free(sht);
}

/* --- Making ----------------------------------------------------------------------------------- */

/* A share of the arrays of a call, or what was asked for. */
static double allowed_bytes(const armilla_so3 *plan, int64_t given, double share)
{
    const armilla_sht *scalar = plan->of[0];
    const double samples = 8 * (double)plan->ngamma * (double)scalar->npix;
    const double alm = 16 * (double)(2 * plan->nmax + 1) * (double)scalar->layout->size;
    return given ? (double)given : fmax(ENOUGH_BYTES, share * (samples + alm));
}

/* Keeps the first spins whose tables have room. */
static armilla_status keep_spins(armilla_so3 *plan, int64_t given)
{
    double left = allowed_bytes(plan, given, 1 / 4.0);
    for (int64_t n = 1; n <= plan->nmax; n++) {
        const armilla_status status = make_spin(plan, n, &plan->of[n]);
        if (status) return status;
        left -= (double)armilla_sht_plan_bytes(plan->of[n]);
        if (left < 0) {
            armilla_sht_free(plan->of[n]);
            plan->of[n] = NULL;
            break;
        }
        plan->kept++;
    }
    return ARMILLA_OK;
}

/* kappa_l = sqrt((2 l + 1) / (16 pi^3)), and 1 / (kappa_l ngamma). */
static armilla_status make_scales(armilla_so3 *plan, int64_t lmax)
{
    for (int weighted = 0; weighted < 2; weighted++) {
        const armilla_status status =
            armilla_allocate(&plan->scale[weighted], lmax + 1, sizeof(double));
        if (status) return status;
        for (int64_t l = 0; l <= lmax; l++) {
            const double kappa = sqrt((double)(2 * l + 1) / M_PI) / (4 * M_PI);
            plan->scale[weighted][l] = weighted ? 1 / (kappa * (double)plan->ngamma) : kappa;
        }
    }
    return ARMILLA_OK;
}

static void choose_planes(armilla_so3 *plan, int64_t given)
{
    const double pair = 16 * (double)plan->of[0]->npix;
    const double most = floor(allowed_bytes(plan, given, 1 / 3.0) / fmax(pair, 1));
    plan->at_a_time = most < 1 ? 1 : most > plan->nmax ? plan->nmax + 1 : (int64_t)most;
}

static armilla_status make_parts(armilla_so3 *plan, const armilla_grid *grid, int64_t lmax,
                                 int64_t mmax, const armilla_so3_options *options)
{
    armilla_sht_options scalar;
    armilla_sht_options_init(&scalar);
    scalar.isa = options->isa;
    armilla_status status = armilla_allocate_zero(&plan->of, plan->nmax + 1, sizeof *plan->of);
    if (status || (status = armilla_sht_new(grid, lmax, mmax, &scalar, &plan->of[0])))
        return status;
    plan->kept = 1, plan->isa = plan->of[0]->flow.legendre->machine.isa;
    if ((status = keep_spins(plan, options->table_bytes)) || (status = make_scales(plan, lmax)) ||
        (status = armilla_workspace_store_new(&plan->workspace)))
        return status;
    choose_planes(plan, options->plane_bytes);
    return armilla_fft_set_new(plan->isa, 1, &plan->ngamma, &plan->ffts);
}

armilla_status armilla_so3_new(const armilla_grid *grid, int64_t lmax, int64_t mmax, int64_t nmax,
                               const armilla_so3_options *options, armilla_so3 **plan)
{
    armilla_so3_options chosen;
    armilla_so3 *made;
    armilla_status status = check_arguments(grid, lmax, mmax, nmax);
    if (!status) status = take_options(options, nmax, &chosen);
    if (!status) status = armilla_check_given("plan", plan);
    if (status || (status = armilla_allocate_zero(&made, 1, sizeof *made))) return status;
    made->nmax = nmax, made->ngamma = chosen.ngamma;
    if ((status = make_parts(made, grid, lmax, mmax, &chosen)))
        armilla_so3_free(made);
    else
        *plan = made;
    return status;
}

/* The first transform lends to the others. */
void armilla_so3_free(armilla_so3 *plan)
{
    if (!plan) return;
    for (int64_t n = plan->of ? plan->nmax : -1; n >= 0; n--) armilla_sht_free(plan->of[n]);
    armilla_release(plan->of);
    armilla_release(plan->scale[0]);
    armilla_release(plan->scale[1]);
    armilla_fft_set_free(plan->ffts);
    armilla_workspace_store_free(plan->workspace);
    armilla_release(plan);
}

/* --- What it is ------------------------------------------------------------------------------- */

static int64_t plan_bytes(const armilla_so3 *plan)
{
    int64_t bytes = armilla_fft_set_bytes(plan->ffts) + 16 * (plan->of[0]->layout->lmax + 1);
    for (int64_t n = 0; n < plan->kept; n++) bytes += armilla_sht_plan_bytes(plan->of[n]);
    return bytes;
}

/* What the transforms of a call take: of those kept, the most. */
static armilla_status find_workspace(const armilla_so3 *plan, int nthreads, int64_t *bytes)
{
    armilla_sht_description of_spin = {.size = sizeof of_spin};
    *bytes = 0;
    for (int64_t n = 0; n < plan->kept; n++) {
        const armilla_status status = armilla_sht_describe(plan->of[n], nthreads, &of_spin);
        if (status) return status;
        *bytes = armilla_larger(*bytes, of_spin.workspace_bytes);
    }
    return ARMILLA_OK;
}

armilla_status armilla_so3_describe(const armilla_so3 *plan, int nthreads,
                                    armilla_so3_description *description)
{
    int64_t of_transforms;
    armilla_status status = armilla_check_given("plan", plan);
    if (status) return status;
    if (nthreads < 0) return armilla_fail_argument("nthreads", nthreads, "must be 0 (all) or more");
    if ((status = find_workspace(plan, nthreads, &of_transforms))) return status;
    const armilla_sht *scalar = plan->of[0];
    const armilla_so3_description made = {
        .isa = armilla_isa_label(plan->isa),
        .lmax = scalar->layout->lmax,
        .mmax = scalar->layout->mmax,
        .nmax = plan->nmax,
        .ngamma = plan->ngamma,
        .npix = scalar->npix,
        .alm_size = scalar->layout->size,
        .kept = plan->kept,
        .parts = (plan->nmax + plan->at_a_time) / plan->at_a_time,
        .exact = armilla_sht_exactness(scalar),
        .plan_bytes = plan_bytes(plan),
        .workspace_bytes = of_transforms + armilla_so3_workspace_bytes(
                                               plan, armilla_sht_threads(scalar, nthreads))};
    return armilla_description_give("description", "armilla_so3_description", &made, sizeof made,
                                    description);
}
