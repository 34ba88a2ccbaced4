/* See method.h. */
#include "radial/method.h"

#include "base/memory.h"
#include "grid/grid.h"

#include <math.h>

/* --- The model of the cost -------------------------------------------------------------------- */

/* Nanoseconds on a core of 2 to 3 GHz: of a product in uniform rows, in others by one polynomial,
 * in others by cells, of a pixel that is read and written; how much slower than with AVX-512 the
 * mixing of rings is (docs/performance.md, "Radial kernels"). */
typedef struct {
    double uniform, polynomial, cells, pixel, mixing;
} prices;

/* By the length of vectors: 8, 4, less. */
static prices find_prices(const armilla_radial *radial)
{
    const int length = radial->kernels->vector_length;
    if (length >= 8) return (prices){0.050, 0.13, 0.30, 5.0, 1};
    if (length >= 4) return (prices){0.080, 0.20, 0.45, 5.5, 1.5};
    return (prices){0.30, 0.6, 1.0, 7.0, 5};
}

static double row_seconds(const armilla_radial *radial, const armilla_radial_row *row, double taps)
{
    const prices p = find_prices(radial);
    const double product = row->uniform             ? p.uniform
                           : radial->profile.ncells ? p.cells
                                                    : p.polynomial;
    return 1e-9 * (double)row->n * (taps * product + p.pixel);
}

static double count_seconds(const armilla_radial *radial, const armilla_radial_work_count *count)
{
    const prices p = find_prices(radial);
    const double general = radial->profile.ncells ? p.cells : p.polynomial;
    return 1e-9 * (count->uniform * p.uniform + count->general * general + count->pixels * p.pixel);
}

/* --- One support ------------------------------------------------------------------------------ */

/* What each ring takes. */
typedef struct {
    uint8_t *wanted; /* [nrings]: by RINGS */
    double *cost;    /* [nrings]: seconds by RINGS */
    int64_t nwanted;
    double seconds; /* of all */
    int surveyed;   /* RINGS was looked at */
} choice;

static void choice_free(choice *c)
{
    armilla_release(c->wanted);
    armilla_release(c->cost);
}

static void clear_parts(armilla_radial *radial)
{
    armilla_profile_free(&radial->profile);
    armilla_radial_rows_free(&radial->rows);
}

/* Resolves AUTO and makes the profile, scaled. */
static armilla_status make_profile(armilla_radial *radial, double support)
{
    armilla_radial_options *options = &radial->options;
    armilla_status status = armilla_profile_make(radial->kernel, support, 1, &radial->profile);
    if (status) return status;
    radial->integral = armilla_kernel_integral(radial->kernel, support);
    if (options->normalization == ARMILLA_RADIAL_AUTO)
        options->normalization = armilla_kernel_is_negative(radial->kernel, support)
                                     ? ARMILLA_RADIAL_NONE
                                     : ARMILLA_RADIAL_INTEGRAL;
    /* Of the integral of |K|, at most that of the peak: rounding is no integral. */
    const double most = radial->profile.peak * 4 * M_PI * radial->profile.end;
    if (options->normalization != ARMILLA_RADIAL_NONE && fabs(radial->integral) <= 1e-12 * most)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "normalization = %s: the kernel's integral over the support is 0, up "
                            "to rounding; NONE is possible",
                            options->normalization == ARMILLA_RADIAL_SUM ? "SUM" : "INTEGRAL");
    if (options->normalization != ARMILLA_RADIAL_INTEGRAL || radial->integral == 1)
        return ARMILLA_OK;
    armilla_profile_free(&radial->profile);
    return armilla_profile_make(radial->kernel, support, 1 / radial->integral, &radial->profile);
}

/* Each row, with its image, goes where it is cheaper; all of them by RINGS, where that is possible,
 * if it was asked for. */
static void choose_rows(armilla_radial *radial, choice *c)
{
    const armilla_radial_rows *rows = &radial->rows;
    const int64_t images = 1 + rows->mirrored;
    const int64_t step =
        1 + rows->count * rows->window / 1000000; /* else rows are counted in vain */
    double taps = 0;
    for (int64_t i = 0; i < rows->nout; i++) {
        const armilla_radial_row *row = &rows->row[i];
        if (i % step == 0) taps = armilla_radial_rows_taps(rows, row);
        const int64_t members = row->ring[1] == row->ring[0] ? 1 : images;
        double pixels = 0, rings = 0;
        int possible = radial->options.method != ARMILLA_RADIAL_PIXELS;
        for (int64_t k = 0; k < members; k++) {
            pixels += row_seconds(radial, row, taps);
            rings += c->cost[row->ring[k]];
            possible = possible && c->wanted[row->ring[k]];
        }
        possible = possible && (radial->options.method == ARMILLA_RADIAL_RINGS || rings < pixels);
        for (int64_t k = 0; k < members; k++) c->wanted[row->ring[k]] = (uint8_t)possible;
        c->nwanted += possible ? members : 0;
        c->seconds += possible ? rings : pixels;
    }
}

/* RINGS takes three times its transforms at least (measured from nside 512 to 2048, FWHM 0.1 to 5
 * degrees): where PIXELS takes less, nobody need look. */
static const double LEAST = 3;

/* Seconds of all rings by PIXELS, and of the Fourier transforms of RINGS. */
static void bound_seconds(const armilla_radial *radial, double *pixels, double *least)
{
    const armilla_radial_work_count count = armilla_radial_rows_count(&radial->rows);
    const prices p = find_prices(radial);
    *pixels = count_seconds(radial, &count);
    *least = 0;
    for (int64_t i = 0; i < radial->rows.count; i++) {
        const double n = (double)radial->rows.row[i].n;
        *least += 1e-9 * p.mixing * ARMILLA_MIXING_FFT * n * log2(n + 1);
    }
}

/* Profile and rows of a support, and the methods. */
static armilla_status try_support(armilla_radial *radial, double support, choice *c)
{
    const int64_t nrings = radial->grid->nrings;
    armilla_status status;
    *c = (choice){0};
    clear_parts(radial);
    if ((status = make_profile(radial, support)) ||
        (status = armilla_radial_rows_make(radial->grid, support, &radial->rows)) ||
        (status = armilla_allocate_zero(&c->wanted, nrings, sizeof *c->wanted)) ||
        (status = armilla_allocate_zero(&c->cost, nrings, sizeof *c->cost)))
        return status;
    double pixels, least;
    bound_seconds(radial, &pixels, &least);
    const int surveys =
        radial->options.method == ARMILLA_RADIAL_RINGS ||
        (radial->options.method == ARMILLA_RADIAL_FASTEST && pixels > LEAST * least);
    if (surveys && (status = armilla_mixing_survey(radial->grid, &radial->profile, radial->isa,
                                                   c->wanted, c->cost)))
        return status;
    c->surveyed = surveys;
    const double price = 1e-9 * find_prices(radial).mixing;
    for (int64_t i = 0; i < nrings; i++) c->cost[i] *= price;
    choose_rows(radial, c);
    return ARMILLA_OK;
}

/* --- The choice ------------------------------------------------------------------------------- */

/* What a cut at a support costs that is chosen for the truncation error alone, and what one where
 * the kernel has fallen to rounding: there RINGS is possible on all grids. The cheaper one. */
static armilla_status try_supports(armilla_radial *radial, choice *c)
{
    armilla_radial_options *options = &radial->options;
    double narrow, wide;
    if (options->support > 0) return try_support(radial, options->support, c);
    armilla_status status =
        armilla_kernel_choose_support(radial->kernel, options->truncation_error, 0, NULL, &narrow);
    if (status) return status;
    options->support = narrow;
    if ((status = try_support(radial, narrow, c)) || options->method == ARMILLA_RADIAL_PIXELS ||
        c->nwanted == radial->grid->nrings || !c->surveyed)
        return status;
    if ((status = armilla_kernel_choose_support(radial->kernel, 1e-16, 0, NULL, &wide)))
        return status;
    if (wide <= narrow) return ARMILLA_OK;
    const double seconds = c->seconds;
    choice_free(c);
    if ((status = try_support(radial, wide, c))) return status;
    if (c->seconds < seconds ||
        (options->method == ARMILLA_RADIAL_RINGS && c->nwanted == radial->grid->nrings)) {
        options->support = wide;
        return ARMILLA_OK;
    }
    choice_free(c);
    return try_support(radial, narrow, c);
}

static armilla_status make_mixing(armilla_radial *radial, const choice *c)
{
    const armilla_radial_rows *rows = &radial->rows;
    if (!c->nwanted) return ARMILLA_OK;
    for (int64_t i = 0; i < rows->count; i++)
        rows->row[i].elsewhere = c->wanted[rows->row[i].ring[0]];
    radial->all_mixed = c->nwanted == radial->grid->nrings;
    return armilla_mixing_new(radial->grid, &radial->profile, radial->isa, c->wanted,
                              &radial->mixing);
}

armilla_status armilla_radial_choose_method(armilla_radial *radial)
{
    choice c = {0};
    armilla_status status = try_supports(radial, &c);
    if (!status) status = make_mixing(radial, &c);
    choice_free(&c);
    return status;
}

armilla_status armilla_radial_model_seconds(const armilla_radial *radial, double *seconds)
{
    const armilla_radial_work_count count = armilla_radial_rows_count(&radial->rows);
    const prices p = find_prices(radial);
    double *cost;
    *seconds = count_seconds(radial, &count);
    if (!radial->mixing) return ARMILLA_OK;
    armilla_status status = armilla_allocate_zero(&cost, radial->grid->nrings, sizeof *cost);
    if (status) return status;
    status = armilla_mixing_survey(radial->grid, &radial->profile, radial->isa, NULL, cost);
    for (int64_t i = 0; i < radial->rows.count && !status; i++)
        if (radial->rows.row[i].elsewhere)
            *seconds += 1e-9 * p.mixing * cost[radial->rows.row[i].ring[0]];
    armilla_release(cost);
    return status;
}
