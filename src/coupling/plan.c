/* Makes plans for coupled spectra: enough Gauss nodes for products of two functions of the fields
 * and one of the masks, and xi_w there. See armilla/coupling.h, docs/mathematics.md 14. */
#include "coupling/plan.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "coupling/low.h"
#include "coupling/masks.h"
#include "grid/grid.h"

#include <math.h>

void armilla_coupling_options_init_sized(armilla_coupling_options *options, size_t size)
{
    const armilla_coupling_options defaults = {.isa = NULL};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

/* --- Arguments ------------------------------------------------------------------------------- */

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {sizeof(armilla_coupling_options), 0};

armilla_status armilla_coupling_check_spin(const char *name, int64_t spin, int64_t lmax)
{
    if (spin >= 0 && spin <= lmax) return ARMILLA_OK;
    return armilla_fail_argument(name, spin, "must be 0 .. lmax");
}

static armilla_status check_pure(const char *name, int pure, int64_t spin)
{
    if (!pure || spin == 2) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "%s = %d: the spin of that field is %lld, and a pure one has spin 2", name,
                        pure, (long long)spin);
}

static armilla_status take_options(const armilla_coupling_options *given, int64_t lmax,
                                   armilla_coupling_options *options)
{
    armilla_coupling_options_init(options);
    armilla_status status =
        armilla_options_copy("options", "armilla_coupling_options", given, VERSIONS, options);
    if (!status) status = armilla_coupling_check_spin("options->spin1", options->spin1, lmax);
    if (!status) status = armilla_coupling_check_spin("options->spin2", options->spin2, lmax);
    if (!status) status = check_pure("options->pure1", options->pure1, options->spin1);
    if (!status) status = check_pure("options->pure2", options->pure2, options->spin2);
    for (int64_t l = 0; l <= lmax && options->window && !status; l++)
        if (!isfinite(options->window[l]))
            status = armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                  "options->window: at l = %lld it is %g: must be finite",
                                  (long long)l, options->window[l]);
    return status;
}

static armilla_status check_masks(int64_t lmask, int64_t nmasks, const double *masks)
{
    if (lmask < 0) return armilla_fail_argument("lmask", lmask, "must be 0 or more");
    if (nmasks < 1) return armilla_fail_argument("nmasks", nmasks, "must be 1 or more");
    if (lmask >= (INT64_C(1) << 40) / nmasks)
        return armilla_fail_argument("lmask", lmask, "is too large for so many masks");
    const armilla_status status = armilla_check_given("masks", masks);
    for (int64_t i = 0; i < nmasks * (lmask + 1) && !status; i++)
        if (!isfinite(masks[i]))
            return armilla_fail(
                ARMILLA_ERROR_ARGUMENT, "masks: W of mask %lld at L = %lld is %g: must be finite",
                (long long)(i / (lmask + 1)), (long long)(i % (lmask + 1)), masks[i]);
    return status;
}

/* --- Nodes ----------------------------------------------------------------------------------- */

/* An even number: all of them have mirror images. */
static int64_t count_nodes(const armilla_coupling *c)
{
    return (c->lmax + c->lused / 2 + 2) / 2 * 2;
}

static armilla_status make_nodes(armilla_coupling *c)
{
    const int64_t n = count_nodes(c), half = n / 2;
    double *theta, *weight;
    armilla_status status = armilla_allocate(&theta, n, sizeof *theta);
    if (status) return status;
    status = armilla_allocate(&weight, half, sizeof *weight);
    if (!status) {
        armilla_gauss_legendre_half(n, theta, weight);
        for (int64_t i = 0; i < half; i++) theta[half + i] = M_PI - theta[i];
        status = armilla_ring_pairs_make(n, theta, armilla_larger(c->lmax, c->lused), c->order,
                                         c->spin, &c->pairs);
    }
    if (!status) status = armilla_allocate(&c->node, 2 * c->pairs.count, sizeof *c->node);
    for (int64_t p = 0; p < c->pairs.count && !status; p++)
        c->node[2 * p] = c->node[2 * p + 1] = 2 * M_PI * weight[c->pairs.north[p] % half];
    armilla_release(theta);
    armilla_release(weight);
    return status;
}

/* --- Degrees ---------------------------------------------------------------------------------- */

/* A pure field is a scalar whose coefficients go with sqrt((l+2)! / (l-2)!) = 1 / N_l. */
static double scale_of(int64_t l, const armilla_coupling_options *options)
{
    const double up = sqrt((double)(2 * l + 1) / (4 * M_PI));
    const double square = (double)((l - 1) * (l + 2)) * (double)(l * (l + 1));
    const int npure = (options->pure1 != 0) + (options->pure2 != 0);
    if (l < 2 || npure == 0) return up;
    return npure == 1 ? up * sqrt(square) : up * square;
}

static armilla_status make_degrees(const armilla_coupling_options *options, armilla_coupling *c)
{
    const armilla_coupling_options plain = {.pure1 = 0};
    armilla_status status = armilla_allocate(&c->up, c->lused + 1, sizeof *c->up);
    if (!status) status = armilla_allocate(&c->scale, 2 * (c->lmax + 1), sizeof *c->scale);
    if (!status) c->scale_in = c->scale + c->lmax + 1;
    for (int64_t l = 0; l <= c->lused && !status; l++) c->up[l] = scale_of(l, &plain);
    for (int64_t l = 0; l <= c->lmax && !status; l++) {
        c->scale[l] = scale_of(l, options);
        c->scale_in[l] = c->scale[l] * (options->window ? options->window[l] : 1);
    }
    return status;
}

/* --- Stages ---------------------------------------------------------------------------------- */

static armilla_status make_stage(const armilla_coupling *c, const armilla_machine *machine,
                                 int64_t lmax, int64_t order, int64_t spin,
                                 armilla_legendre **stage)
{
    const armilla_legendre_problem problem = {.machine = *machine,
                                              .lmax = lmax,
                                              .norders = 1,
                                              .orders = &order,
                                              .spin = spin,
                                              .pairs = &c->pairs,
                                              .block_size = ARMILLA_COUPLING_BLOCK};
    return armilla_legendre_new(&problem, stage);
}

static armilla_status make_parts(const double *masks, const armilla_coupling_options *options,
                                 const armilla_machine *machine, armilla_coupling *c)
{
    armilla_status status;
    if ((status = make_nodes(c)) || (status = make_degrees(options, c)) ||
        (status = make_stage(c, machine, c->lmax, c->order, c->spin, &c->fields)) ||
        (status = make_stage(c, machine, c->lused, 0, 0, &c->masks)) ||
        (status = armilla_allocate(&c->weight, 2 * c->nmasks * c->pairs.count, sizeof *c->weight)))
        return status;
    status = armilla_coupling_weigh(c, masks, c->weight);
    return status ? status : armilla_coupling_make_low(c, masks);
}

/* The function of two scalars is P_l, of a scalar and a spin s lambda_ls; only of two spins it is a
 * function of a spin. Pure fields are scalars. */
static void set_spins(const armilla_coupling_options *options, armilla_coupling *c)
{
    const int64_t s1 = options->pure1 ? 0 : options->spin1;
    const int64_t s2 = options->pure2 ? 0 : options->spin2;
    c->is_pure = options->pure1 || options->pure2;
    c->order = s1 ? s1 : s2, c->spin = s1 ? s2 : 0;
    c->least = armilla_larger(options->spin1, options->spin2);
    c->nlow = armilla_coupling_count_low(c->lmax, (options->pure1 != 0) + (options->pure2 != 0));
    c->nkinds = armilla_coupling_count_kinds(s1, s2);
    c->ncl = armilla_coupling_count_spectra(options->spin1, options->spin2);
}

armilla_status armilla_coupling_new(int64_t lmax, int64_t lmask, int64_t nmasks,
                                    const double *masks, const armilla_coupling_options *options,
                                    armilla_coupling **coupling)
{
    armilla_coupling_options chosen;
    armilla_machine machine;
    armilla_coupling *made;
    armilla_status status = armilla_check_given("coupling", coupling);
    if (!status) status = armilla_check_band_limit(lmax, 0);
    if (!status) status = check_masks(lmask, nmasks, masks);
    if (!status) status = take_options(options, lmax, &chosen);
    if (!status) status = armilla_machine_choose(chosen.isa, &machine);
    if (status || (status = armilla_allocate_zero(&made, 1, sizeof *made))) return status;
    made->lmax = lmax, made->lmask = lmask, made->nmasks = nmasks;
    made->isa = machine.isa;
    made->lused = armilla_smaller(lmask, 2 * lmax);
    set_spins(&chosen, made);
    status = make_parts(masks, &chosen, &machine, made);
    if (status)
        armilla_coupling_free(made);
    else
        *coupling = made;
    return status;
}

void armilla_coupling_free(armilla_coupling *coupling)
{
    if (!coupling) return;
    armilla_legendre_free(coupling->fields);
    armilla_legendre_free(coupling->masks);
    armilla_ring_pairs_clear(&coupling->pairs);
    armilla_release(coupling->node);
    armilla_release(coupling->weight);
    armilla_release(coupling->up);
    armilla_release(coupling->scale);
    armilla_release(coupling->low);
    armilla_release(coupling);
}

int64_t armilla_coupling_ncl(const armilla_coupling *coupling)
{
    return coupling ? coupling->ncl : -1;
}

int64_t armilla_coupling_nkinds(const armilla_coupling *coupling)
{
    return coupling ? coupling->nkinds : -1;
}
