/* Chooses by a model of the cost which rings of a map are convolved by the method PIXELS and which
 * by RINGS, and how far out the kernel is cut where the caller leaves that open. */
#include "radial/method.h"

#include "base/memory.h"
#include "grid/grid.h"
#include "radial/device_prices.h"
#include "radial/pixels/links.h"
#include "radial/normalization.h"

#include <float.h>
#include <math.h>

/* --- The model of the cost -------------------------------------------------------------------- */

/* Nanoseconds on a core of 2 to 3 GHz (bench/run.py radial --model; docs/results/radial.md,
 * "Prices of the model"). Lanes that are not filled cost as much as others: positions count, not
 * pixels. An octet of values is eight positions and their reflections, for one pixel of the
 * source. */
typedef struct {
    double stencil; /* a product of uniform rows, for all lanes of a position */
    double value;   /* a kernel value that all positions of a uniform row share */
    double link;    /* a source of another row is prepared */
    double fit;     /* a polynomial of a link is made: for two distances between pixels */
    double place;   /* pixels of a source near eight positions are found */
    double series;  /* an octet of values by these polynomials, and its products */
    double direct;  /* ... by the profile's polynomial */
    double cells;   /* ... by cells */
    double pixel;   /* is read and written */
    double mixing;  /* how much slower than with AVX-512 the mixing of rings is */
} prices;

/* By the length of vectors: 8, 4, less. */
static prices find_prices(const armilla_radial *radial)
{
    const int length = radial->pixels.kernels->vector_length;
    if (length >= 8) return (prices){0.36, 15.5, 265, 540, 54, 14.4, 36, 72, 4.3, 1};
    if (length >= 4) return (prices){0.47, 16, 300, 600, 55, 22, 38, 75, 3.8, 1.3};
    return (prices){2.0, 60, 500, 2000, 150, 70, 140, 140, 6, 5};
}

/* What a row takes whose sources have other numbers of pixels. Fits are made where rows are long:
 * small maps have none, and dearer values. */
static double links_ns(const armilla_radial *radial, const armilla_radial_row *row)
{
    const prices p = find_prices(radial);
    const int64_t half = (row->arc + 1) / 2,
                  positions = radial->pixels.rows.reflects ? half : row->arc;
    const double octets = ceil((double)positions / ARMILLA_OCTET);
    const double sources = (double)(row->to - row->from);
    const double ns = sources * (p.link + octets * p.place);
    if (armilla_radial_link_has_fits(&radial->pixels, row))
        return ns + p.fit * (sources + row->taps / 4) + octets * row->taps * p.series;
    return ns + octets * row->taps * (radial->profile.ncells ? p.cells : p.direct);
}

/* What a row and its image take by PIXELS, one map. */
static double map_seconds(const armilla_radial *radial, const armilla_radial_row *row)
{
    const prices p = find_prices(radial);
    const int images = row->ring[1] >= 0 && row->ring[1] != row->ring[0];
    const double pixels = p.pixel * (double)(row->n * (1 + images));
    if (row->uniform) return 1e-9 * (pixels + row->taps * (p.value + (double)row->arc * p.stencil));
    return 1e-9 * (pixels + links_ns(radial, row));
}

/* A pair Q, U takes 1.8 times one map at nside 64, where kernel values are most of it, 2.4 at 512
 * and 2.8 at 1024. */
static double row_seconds(const armilla_radial *radial, const armilla_radial_row *row)
{
    return (radial->options.spin ? 2.4 : 1) * map_seconds(radial, row);
}

/* All rows that are not made elsewhere. */
static double pixels_seconds(const armilla_radial *radial)
{
    const armilla_radial_rows *rows = &radial->pixels.rows;
    double seconds = 0;
    for (int64_t i = 0; i < rows->nout; i++)
        if (armilla_radial_row_is_made(&rows->row[i], 0))
            seconds += row_seconds(radial, &rows->row[i]);
    return seconds;
}

/* --- One support ------------------------------------------------------------------------------ */

/* What each ring takes. */
typedef struct {
    uint8_t *wanted; /* [nrings]: by RINGS */
    double *cost;    /* [nrings]: seconds by RINGS */
    int64_t nwanted;
    double seconds;             /* of all */
    int surveyed;               /* RINGS was looked at */
    armilla_mixing_frame frame; /* of RINGS, if so */
} choice;

static void choice_free(choice *c)
{
    armilla_release(c->wanted);
    armilla_release(c->cost);
    armilla_mixing_frame_clear(&c->frame);
}

static void clear_parts(armilla_radial *radial)
{
    armilla_profile_free(&radial->profile);
    armilla_radial_rows_free(&radial->pixels.rows);
}

/* The turned kernel's profile, scaled as its scalar plan says. */
static armilla_status make_turned_profile(armilla_radial *radial)
{
    const armilla_radial_options *options = &radial->options;
    const double factor =
        options->normalization == ARMILLA_RADIAL_INTEGRAL ? 1 / radial->integral : 1;
    const armilla_status status =
        armilla_profile_make(radial->turned, options->support, factor, &radial->profile);
    radial->profile.turns = 1;
    return status;
}

/* Resolves AUTO and makes the profile, scaled. */
static armilla_status make_profile(armilla_radial *radial, double support)
{
    armilla_radial_options *options = &radial->options;
    if (options->spin) return make_turned_profile(radial);
    armilla_status status = armilla_profile_make(radial->kernel, support, 1, &radial->profile);
    if (status) return status;
    radial->integral = armilla_kernel_integral(radial->kernel, support);
    if (options->normalization == ARMILLA_RADIAL_AUTO)
        options->normalization =
            armilla_radial_choose_normalization(radial->kernel, support, radial->grid);
    /* The integral of |K| is at most that of the peak: rounding is no integral. */
    const double most = radial->profile.peak * 4 * M_PI * radial->profile.end;
    const double least = fmax(1e-12 * most, DBL_MIN);
    if (options->normalization != ARMILLA_RADIAL_NONE && !(fabs(radial->integral) >= least))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "normalization = %s: the kernel's integral over the support is 0, up "
                            "to rounding; NONE is possible",
                            options->normalization == ARMILLA_RADIAL_SUM ? "SUM" : "INTEGRAL");
    if (options->normalization != ARMILLA_RADIAL_INTEGRAL || radial->integral == 1)
        return ARMILLA_OK;
    armilla_profile_free(&radial->profile);
    return armilla_profile_make(radial->kernel, support, 1 / radial->integral, &radial->profile);
}

/* RINGS reads the rings around those that it makes as well, which no ring's price has: two methods
 * must gain more than that over the better one alone. */
static const double WORTH = 0.85;

/* All rows by one method. */
static void choose_one(const armilla_radial *radial, int rings, double seconds, choice *c)
{
    const int64_t count = radial->pixels.rows.count;
    for (int64_t i = 0; i < count; i++) c->wanted[i] = (uint8_t)rings;
    c->nwanted = rings ? count : 0, c->seconds = seconds;
}

/* Each row, with its image, goes where it is cheaper, if that gains much; all of them by RINGS,
 * where that is possible, if it was asked for. */
static void choose_rows(armilla_radial *radial, choice *c)
{
    const armilla_radial_rows *rows = &radial->pixels.rows;
    const int64_t images = 1 + rows->mirrored;
    double all_pixels = 0, all_rings = 0;
    int all_possible = 1;
    for (int64_t i = 0; i < rows->nout; i++) {
        const armilla_radial_row *row = &rows->row[i];
        const int64_t members = row->ring[1] == row->ring[0] ? 1 : images;
        const double pixels = row_seconds(radial, row);
        double rings = 0;
        int possible = radial->options.method != ARMILLA_RADIAL_PIXELS;
        for (int64_t k = 0; k < members; k++) {
            rings += c->cost[row->ring[k]];
            possible = possible && c->wanted[row->ring[k]];
        }
        all_possible = all_possible && possible;
        possible = possible && (radial->options.method == ARMILLA_RADIAL_RINGS || rings < pixels);
        for (int64_t k = 0; k < members; k++) c->wanted[row->ring[k]] = (uint8_t)possible;
        c->nwanted += possible ? members : 0;
        c->seconds += possible ? rings : pixels;
        all_pixels += pixels, all_rings += rings;
    }
    const int rings = all_possible && all_rings < all_pixels;
    const double one = rings ? all_rings : all_pixels;
    if (radial->options.method == ARMILLA_RADIAL_RINGS || c->seconds < WORTH * one) return;
    choose_one(radial, rings, one, c);
}

/* A GPU makes all rows by one method: by RINGS where that is possible for all, and cheaper or asked
 * for. */
static void choose_device(armilla_radial *radial, choice *c)
{
    const armilla_radial_method method = radial->options.method;
    double *seconds = radial->device_seconds;
    int64_t possible = 0;
    for (int64_t i = 0; i < radial->grid->nrings; i++) possible += c->wanted[i];
    seconds[0] = armilla_radial_device_pixels_seconds(radial), seconds[1] = -1;
    if (possible == radial->grid->nrings)
        seconds[1] = armilla_radial_device_rings_seconds(radial, &c->frame);
    const int rings = seconds[1] >= 0 && method != ARMILLA_RADIAL_PIXELS &&
                      (method == ARMILLA_RADIAL_RINGS || seconds[1] < seconds[0]);
    choose_one(radial, rings, seconds[rings], c);
}

/* RINGS takes 1.8 to 5 times its transforms, on small maps 12: where PIXELS takes less, nobody need
 * look. */
static const double LEAST = 1.8;

/* Seconds of the Fourier transforms of RINGS. */
static double fft_seconds(const armilla_radial *radial)
{
    double ns = 0;
    for (int64_t i = 0; i < radial->pixels.rows.count; i++)
        ns += armilla_mixing_fft_cost(radial->pixels.rows.row[i].n);
    return 1e-9 * ns * (double)armilla_radial_ncomp(radial) * find_prices(radial).mixing;
}

static int is_worth_a_look(const armilla_radial *radial)
{
    if (radial->options.method != ARMILLA_RADIAL_FASTEST)
        return radial->options.method == ARMILLA_RADIAL_RINGS;
    return radial->options.device != ARMILLA_CPU ||
           pixels_seconds(radial) > LEAST * fft_seconds(radial);
}

/* Profile and rows of a support, and the methods. */
static armilla_status try_support(armilla_radial *radial, double support, choice *c)
{
    const int64_t nrings = radial->grid->nrings;
    armilla_status status;
    *c = (choice){0};
    clear_parts(radial);
    if ((status = make_profile(radial, support)) ||
        (status = armilla_radial_rows_make(radial->grid, support, radial->nsources,
                                           &radial->pixels.rows)) ||
        (status = armilla_allocate_zero(&c->wanted, nrings, sizeof *c->wanted)) ||
        (status = armilla_allocate_zero(&c->cost, nrings, sizeof *c->cost)))
        return status;
    c->surveyed = is_worth_a_look(radial);
    if (c->surveyed) {
        if ((status =
                 armilla_mixing_frame_make(radial->grid, &radial->profile, radial->isa, &c->frame)))
            return status;
        armilla_mixing_survey(&c->frame, &radial->profile, c->wanted, c->cost);
    }
    const double price = 1e-9 * find_prices(radial).mixing;
    for (int64_t i = 0; i < nrings; i++) c->cost[i] *= price;
    (radial->options.device == ARMILLA_CPU ? choose_rows : choose_device)(radial, c);
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

static armilla_status make_mixing(armilla_radial *radial, choice *c)
{
    const armilla_radial_rows *rows = &radial->pixels.rows;
    if (!c->nwanted) return ARMILLA_OK;
    for (int64_t i = 0; i < rows->count; i++)
        rows->row[i].elsewhere = c->wanted[rows->row[i].ring[0]];
    radial->all_mixed = c->nwanted == radial->grid->nrings;
    return armilla_mixing_new(&c->frame, &radial->profile, radial->isa, c->wanted, &radial->mixing);
}

armilla_status armilla_radial_choose_method(armilla_radial *radial)
{
    choice c = {0};
    armilla_status status = try_supports(radial, &c);
    if (!status) status = make_mixing(radial, &c);
    choice_free(&c);
    return status;
}

void armilla_radial_ring_seconds(const armilla_radial *radial, double *seconds)
{
    const armilla_radial_rows *rows = &radial->pixels.rows;
    const double price = 1e-9 * find_prices(radial).mixing * (double)armilla_radial_ncomp(radial);
    for (int64_t i = 0; i < rows->nout; i++) {
        const armilla_radial_row *row = &rows->row[i];
        const int images = row->ring[1] >= 0 && row->ring[1] != row->ring[0];
        const double each = row->elsewhere ? price * armilla_mixing_fft_cost(row->n)
                                           : row_seconds(radial, row) / (1 + images);
        seconds[row->ring[0]] = each;
        if (images) seconds[row->ring[1]] = each;
    }
}

armilla_status armilla_radial_model_seconds(const armilla_radial *radial, double *seconds)
{
    const prices p = find_prices(radial);
    double *cost;
    *seconds = pixels_seconds(radial);
    if (!radial->mixing) return ARMILLA_OK;
    const armilla_status status = armilla_allocate_zero(&cost, radial->grid->nrings, sizeof *cost);
    if (status) return status;
    armilla_mixing_survey(armilla_mixing_frame_of(radial->mixing), &radial->profile, NULL, cost);
    for (int64_t i = 0; i < radial->pixels.rows.count; i++)
        if (radial->pixels.rows.row[i].elsewhere)
            *seconds += 1e-9 * p.mixing * cost[radial->pixels.rows.row[i].ring[0]];
    armilla_release(cost);
    return ARMILLA_OK;
}
