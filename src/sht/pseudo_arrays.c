/* Checks the maps, weights and first guess that a caller hands to the iterative analysis, copies
 * them to arrays of doubles, divided by a power of two so that squares neither over- nor underflow,
 * and stores the coefficients in the caller's array. Component c of transform t begins at
 * (t * period + first + c) * distance. */
#include "sht/pseudo_arrays.h"

#include "base/status.h"
#include "grid/grid.h"
#include <math.h>

static int64_t map_component(const armilla_pseudo_arrays *arrays, int64_t transform, int64_t c)
{
    return transform * arrays->map_period + arrays->first + c;
}

static int64_t alm_component(const armilla_pseudo_arrays *arrays, int64_t transform, int64_t c)
{
    return transform * arrays->alm_period + arrays->first + c;
}

/* Do pixels come ring by ring? They come all at once where there is no grid, and in NESTED order.
 */
static int has_rings(const armilla_pseudo_arrays *arrays)
{
    return arrays->grid && !armilla_grid_nested(arrays->grid);
}

/* The grid's rings; one of all pixels where there are none. */
static int64_t count_rings(const armilla_pseudo_arrays *arrays)
{
    return has_rings(arrays) ? armilla_grid_nrings(arrays->grid) : 1;
}

/* Ring r. It exists, so that the call below cannot fail. */
static armilla_ring ring_of(const armilla_pseudo_arrays *arrays, int64_t r)
{
    armilla_ring ring = {.nphi = arrays->npix, .stride = 1};
    if (has_rings(arrays)) armilla_grid_ring(arrays->grid, r, &ring);
    return ring;
}

static int is_left_out(const armilla_pseudo_arrays *arrays, int64_t pixel)
{
    return arrays->weights && arrays->weights[pixel] == 0;
}

/* --- Weights --------------------------------------------------------------------------------- */

/* The largest of all ranks. */
static double share_largest(const armilla_pseudo_arrays *arrays, double largest)
{
    const armilla_pseudo_ranks *ranks = arrays->ranks;
    if (ranks) ranks->largest(ranks->context, 1, &largest);
    return largest;
}

/* Largest weight. *wrong: the first pixel whose weight is negative, NaN or infinite, or -1. */
static double largest_weight(const armilla_pseudo_arrays *arrays, int64_t *wrong)
{
    double largest = 0;
    *wrong = -1;
    for (int64_t r = 0; r < count_rings(arrays); r++) {
        armilla_ring ring = ring_of(arrays, r);
        for (int64_t j = 0; j < ring.nphi; j++) {
            int64_t pixel = ring.offset + j * ring.stride;
            double weight = arrays->weights[pixel];
            if (*wrong < 0 && !(weight >= 0 && weight < INFINITY)) *wrong = pixel;
            largest = fmax(largest, weight);
        }
    }
    return share_largest(arrays, largest);
}

armilla_status armilla_pseudo_check_weights(const armilla_pseudo_arrays *arrays)
{
    int64_t wrong;
    if (!arrays->weights || (arrays->npix == 0 && !arrays->ranks)) return ARMILLA_OK;
    double largest = largest_weight(arrays, &wrong);
    if (wrong >= 0)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->weights[%lld] = %g: must be finite and at least 0",
                            (long long)wrong, arrays->weights[wrong]);
    if (!(largest > 0))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "options->weights: all are 0; at least one must be positive");
    return ARMILLA_OK;
}

void armilla_pseudo_load_weights(const armilla_pseudo_arrays *arrays, int roots, double *weights)
{
    int64_t wrong;
    int exponent;
    frexp(sqrt(largest_weight(arrays, &wrong)), &exponent);
    for (int64_t r = 0; r < count_rings(arrays); r++) {
        armilla_ring ring = ring_of(arrays, r);
        for (int64_t j = 0; j < ring.nphi; j++) {
            int64_t pixel = ring.offset + j * ring.stride;
            double weight = arrays->weights[pixel];
            weights[pixel] = roots ? ldexp(sqrt(weight), -exponent) : weight;
        }
    }
}

/* --- Maps ------------------------------------------------------------------------------------ */

typedef struct {
    int64_t component, pixel, index; /* in maps of all ranks; index -1: there is none */
    double value;
} finding;

/* Ring r of this rank, as the grid of all ranks has it; its points, as all ranks number them. */
static armilla_ring ring_of_all(const armilla_pseudo_arrays *arrays, int64_t r)
{
    const armilla_pseudo_ranks *ranks = arrays->ranks;
    if (!ranks) return ring_of(arrays, r);
    if (ranks->grid) return ranks->grid->rings[ranks->number[r]];
    return (armilla_ring){.nphi = arrays->npix, .offset = ranks->start[ranks->rank], .stride = 1};
}

/* Between the components of maps of all ranks. */
static int64_t distance_of_all(const armilla_pseudo_arrays *arrays)
{
    const armilla_pseudo_ranks *ranks = arrays->ranks;
    if (!ranks) return arrays->map_distance;
    return ranks->grid ? ranks->grid->npix : ranks->start[ranks->nranks];
}

/* The first value of a component that is not finite. */
static void look_at(const armilla_pseudo_arrays *arrays, int64_t component, finding *first)
{
    const armilla_pseudo_ranks *ranks = arrays->ranks;
    const armilla_grid *grid = ranks ? ranks->grid : NULL;
    const int64_t nrings = grid ? ranks->nrings : count_rings(arrays);
    const int64_t distance = distance_of_all(arrays);
    int64_t count = 0;
    for (int64_t r = 0; r < nrings; r++) {
        const armilla_ring ring = ring_of_all(arrays, r);
        for (int64_t j = 0; j < ring.nphi; j++, count++) {
            const int64_t pixel = armilla_ring_item(&ring, grid ? grid->nside : 0, j);
            const int64_t place = ranks ? count : pixel, index = component * distance + pixel;
            const double value =
                armilla_array_get(arrays->map, component * arrays->map_distance + place);
            if (isfinite(value) || is_left_out(arrays, place)) continue;
            if (first->index < 0 || index < first->index)
                *first = (finding){component, pixel, index, value};
        }
    }
}

/* Collective: has no other rank one before? */
static int is_first_of_all(const armilla_pseudo_arrays *arrays, int64_t index)
{
    const double late = index < 0 ? 0 : 0x1p53 - (double)index;
    return share_largest(arrays, late) == late && index >= 0;
}

armilla_status armilla_pseudo_check_map(const armilla_pseudo_arrays *arrays, int64_t ntrans)
{
    finding first = {.index = -1};
    for (int64_t i = 0; i < ntrans * arrays->nmap && first.index < 0; i++)
        look_at(arrays, map_component(arrays, i / arrays->nmap, i % arrays->nmap), &first);
    if (!is_first_of_all(arrays, first.index)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "%s[%lld] = %g: must be finite (%s %lld of component %lld)",
                        arrays->map_name, (long long)first.index, first.value, arrays->pixel_name,
                        (long long)first.pixel, (long long)first.component);
}

/* Copies factor * factors * map; returns the largest magnitude before `factor`. */
static double copy_scaled(const armilla_pseudo_arrays *arrays, int64_t transform, double factor,
                          const double *factors, double *map)
{
    double largest = 0;
    for (int64_t c = 0; c < arrays->nmap; c++) {
        int64_t begin = map_component(arrays, transform, c) * arrays->map_distance;
        for (int64_t r = 0; r < count_rings(arrays); r++) {
            armilla_ring ring = ring_of(arrays, r);
            for (int64_t j = 0; j < ring.nphi; j++) {
                int64_t pixel = ring.offset + j * ring.stride;
                double value = 0;
                if (!is_left_out(arrays, pixel))
                    value = armilla_array_get(arrays->map, begin + pixel);
                if (factors) value *= factors[pixel];
                largest = fmax(largest, fabs(value));
                map[c * arrays->npix + pixel] = factor * value;
            }
        }
    }
    return largest;
}

/* --- Coefficients ---------------------------------------------------------------------------- */

/* Where a_lm stands in an array of the layout. */
static int64_t place(const armilla_alm_layout *layout, int64_t l, int64_t m)
{
    return layout->mstart[m] + l * layout->stride;
}

/* -1: another rank has the order. */
static int64_t last_degree(const armilla_alm_layout *layout, int64_t m)
{
    return armilla_alm_layout_has(layout, m) ? layout->lmax : -1;
}

/* Largest magnitude of a transform's guess. *wrong: the first real or imaginary part that is not
 * finite, or -1. */
static double largest_guess(const armilla_pseudo_arrays *arrays, int64_t transform, int64_t *wrong)
{
    const armilla_alm_layout *layout = arrays->layout;
    double largest = 0;
    *wrong = -1;
    for (int64_t c = 0; c < arrays->nalm; c++) {
        int64_t begin = alm_component(arrays, transform, c) * arrays->alm_distance;
        for (int64_t m = 0; m <= layout->mmax; m++)
            for (int64_t l = m > arrays->spin ? m : arrays->spin; l <= last_degree(layout, m); l++)
                for (int64_t part = 0; part < (m ? 2 : 1); part++) {
                    int64_t index = 2 * (begin + place(layout, l, m)) + part;
                    double value = fabs(armilla_array_get(arrays->guess, index));
                    if (*wrong < 0 && !isfinite(value)) *wrong = index;
                    largest = fmax(largest, value);
                }
    }
    return largest;
}

armilla_status armilla_pseudo_check_guess(const armilla_pseudo_arrays *arrays, int64_t ntrans)
{
    int64_t wrong;
    for (int64_t t = 0; t < ntrans && arrays->guess.values; t++) {
        largest_guess(arrays, t, &wrong);
        if (wrong >= 0)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "options->guess[%lld] = %g: must be finite (%s part)",
                                (long long)(wrong / 2), armilla_array_get(arrays->guess, wrong),
                                wrong % 2 ? "imaginary" : "real");
    }
    return ARMILLA_OK;
}

double armilla_pseudo_load_map(const armilla_pseudo_arrays *arrays, int64_t transform,
                               const double *factors, double *map)
{
    int64_t wrong;
    double largest = share_largest(arrays, copy_scaled(arrays, transform, 1, factors, map));
    if (largest == 0) return 0;
    if (arrays->guess.values)
        largest = fmax(largest, share_largest(arrays, largest_guess(arrays, transform, &wrong)));
    int exponent;
    frexp(largest, &exponent);
    if (exponent > -100 && exponent < 100) return 1; /* the usual case: no second pass */
    /* The scale and its reciprocal must be finite, and no subnormal number: some processors and
     * compilers are told to take those as 0. */
    if (exponent < -1000) exponent = -1000;
    if (exponent > 1000) exponent = 1000;
    copy_scaled(arrays, transform, ldexp(1, -exponent), factors, map);
    return ldexp(1, exponent);
}

void armilla_pseudo_load_guess(const armilla_pseudo_arrays *arrays, int64_t transform, double scale,
                               double *alm)
{
    const armilla_alm_layout *layout = arrays->layout;
    for (int64_t c = 0; c < arrays->nalm; c++, alm += 2 * layout->size) {
        int64_t begin = alm_component(arrays, transform, c) * arrays->alm_distance;
        for (int64_t m = 0; m <= layout->mmax; m++)
            for (int64_t l = m; l <= last_degree(layout, m); l++) {
                int64_t index = place(layout, l, m), from = 2 * (begin + index);
                int is_zero = l < arrays->spin;
                alm[2 * index] = is_zero ? 0 : armilla_array_get(arrays->guess, from) / scale;
                alm[2 * index + 1] =
                    is_zero || !m ? 0 : armilla_array_get(arrays->guess, from + 1) / scale;
            }
    }
}

void armilla_pseudo_store_alm(const armilla_pseudo_arrays *arrays, int64_t transform, double scale,
                              const double *alm)
{
    const armilla_alm_layout *layout = arrays->layout;
    for (int64_t c = 0; c < arrays->nalm; c++, alm += 2 * layout->size) {
        int64_t begin = alm_component(arrays, transform, c) * arrays->alm_distance;
        for (int64_t m = 0; m <= layout->mmax; m++)
            for (int64_t l = m; l <= last_degree(layout, m); l++) {
                int64_t index = place(layout, l, m);
                armilla_array_put(arrays->alm, 2 * (begin + index), scale * alm[2 * index]);
                armilla_array_put(arrays->alm, 2 * (begin + index) + 1, scale * alm[2 * index + 1]);
            }
    }
}
