/* Where pixels are in memory, and in longitude, other than the families have them. Rows are the
 * rings in the sequence of memory; pixel j of ring r lies at
 *
 *     map[row * ring_stride + column * pixel_stride],     row = r,  or nrings - 1 - r
 *                                                         column = j,  or nphi - 1 - j
 *
 * Rings of different lengths may have no distance in common: then they follow one another. The
 * pixels of HEALPix may be in NESTED order instead (base/nested.h). */
#include "base/angle.h"
#include "base/integer.h"
#include "base/options.h"
#include "grid/grid.h"

#include <math.h>

void armilla_grid_layout_init_sized(armilla_grid_layout *layout, size_t size)
{
    const armilla_grid_layout defaults = {0};
    armilla_options_give(&defaults, sizeof defaults, layout, size);
}

/* --- What is asked for ------------------------------------------------------------------------ */

static int64_t longest_ring(const armilla_grid *grid)
{
    int64_t longest = 0;
    for (int64_t r = 0; r < grid->nrings; r++)
        longest = armilla_larger(longest, grid->rings[r].nphi);
    return longest;
}

static armilla_status check_fields(const armilla_grid *grid, const armilla_grid_layout *layout)
{
    if (!isfinite(layout->phi0))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "layout->phi0 = %g: must be finite",
                            layout->phi0);
    if (layout->ring_stride < 0)
        return armilla_fail_argument("layout->ring_stride", layout->ring_stride,
                                     "must be 0 (chosen) or more");
    if (layout->pixel_stride < 0)
        return armilla_fail_argument("layout->pixel_stride", layout->pixel_stride,
                                     "must be 0 (chosen) or more");
    if (layout->theta_contiguous && !armilla_grid_has_equal_rings(grid))
        return armilla_fail_argument("layout->theta_contiguous", layout->theta_contiguous,
                                     "must be 0 for rings that differ in their number of pixels");
    return ARMILLA_OK;
}

static int has_places(const armilla_grid_layout *layout)
{
    return layout->phi0 != 0 || layout->south_first || layout->west_first ||
           layout->theta_contiguous || layout->ring_stride || layout->pixel_stride > 1;
}

/* NESTED order is one of all pixels of the sphere. */
static armilla_status check_nested(const armilla_grid *grid, const armilla_grid_layout *layout)
{
    const int64_t nside = grid->nside;
    if (!layout->nested) return ARMILLA_OK;
    if (grid->kind != ARMILLA_GRID_HEALPIX)
        return armilla_fail_argument("layout->nested", layout->nested,
                                     "must be 0 for a grid that is not the whole of HEALPix");
    if (nside & (nside - 1))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "layout->nested = %d: must be 0 for nside = %lld, which is no power of "
                            "two",
                            layout->nested, (long long)nside);
    if (has_places(layout))
        return armilla_fail_argument("layout->nested", layout->nested,
                                     "must be 0 where any other field has not its default");
    return ARMILLA_OK;
}

/* The last of `count` places with this distance; -1: does not fit. */
static int64_t last_place(int64_t count, int64_t stride)
{
    return count > 1 && stride > INT64_MAX / (count - 1) ? -1 : (count - 1) * stride;
}

static armilla_status fail_size(const char *field, int64_t value)
{
    return armilla_fail_argument(field, value, "the map's size does not fit in 64 bits");
}

/* Distances where none are given: of the inner axis 1, of the outer one without gaps. */
static armilla_status choose_strides(const armilla_grid *grid, int64_t longest,
                                     armilla_grid_layout *layout)
{
    if (layout->theta_contiguous) {
        if (!layout->ring_stride) layout->ring_stride = 1;
        if (layout->pixel_stride) return ARMILLA_OK;
        if (layout->ring_stride > INT64_MAX / grid->nrings)
            return fail_size("layout->ring_stride", layout->ring_stride);
        layout->pixel_stride = layout->ring_stride * grid->nrings;
        return ARMILLA_OK;
    }
    if (!layout->pixel_stride) layout->pixel_stride = 1;
    if (layout->ring_stride || layout->nested || !armilla_grid_has_equal_rings(grid))
        return ARMILLA_OK;
    if (layout->pixel_stride > INT64_MAX / longest)
        return fail_size("layout->pixel_stride", layout->pixel_stride);
    layout->ring_stride = layout->pixel_stride * longest;
    return ARMILLA_OK;
}

/* Either rows lie behind one another, or columns do. */
static armilla_status check_strides(const armilla_grid *grid, int64_t longest,
                                    const armilla_grid_layout *layout)
{
    const int64_t ring = layout->ring_stride, pixel = layout->pixel_stride;
    const int64_t row_end = last_place(longest, pixel), rows_end = last_place(grid->nrings, ring);
    if (row_end < 0) return fail_size("layout->pixel_stride", pixel);
    if (rows_end < 0 || rows_end >= INT64_MAX - row_end)
        return fail_size("layout->ring_stride", ring);
    if (ring > row_end || pixel > rows_end) return ARMILLA_OK;
    if (layout->theta_contiguous)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "layout->pixel_stride = %lld: must be at least %lld, or columns of "
                            "%lld rings overlap",
                            (long long)pixel, (long long)rows_end + 1, (long long)grid->nrings);
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "layout->ring_stride = %lld: must be at least %lld, or rows of %lld pixels "
                        "overlap",
                        (long long)ring, (long long)row_end + 1, (long long)longest);
}

/* --- Places ----------------------------------------------------------------------------------- */

/* Returned: the place behind the row. */
static int64_t place_ring(const armilla_grid_layout *layout, int64_t first, armilla_ring *ring)
{
    const int64_t last = first + (ring->nphi - 1) * layout->pixel_stride;
    ring->offset = layout->west_first ? last : first;
    ring->stride = layout->west_first ? -layout->pixel_stride : layout->pixel_stride;
    ring->phi0 =
        ring->phi0 == 0 ? layout->phi0 : ring->phi0 + armilla_angle_reduce(layout->phi0, NULL);
    return last + 1;
}

static armilla_status place_rings(const armilla_grid_layout *layout, armilla_grid *grid)
{
    int64_t first = 0;
    grid->npix = 0;
    for (int64_t row = 0; row < grid->nrings; row++) {
        armilla_ring *ring = &grid->rings[layout->south_first ? grid->nrings - 1 - row : row];
        if (layout->ring_stride) first = row * layout->ring_stride;
        if (last_place(ring->nphi + 2, layout->pixel_stride) < 0 ||
            (ring->nphi + 1) * layout->pixel_stride > INT64_MAX - first)
            return fail_size("layout->pixel_stride", layout->pixel_stride);
        grid->npix = armilla_larger(grid->npix, place_ring(layout, first, ring));
        first += ring->nphi * layout->pixel_stride;
    }
    return ARMILLA_OK;
}

static void place_nested(armilla_grid *grid)
{
    for (int64_t r = 0, first = 0; r < grid->nrings; first += grid->rings[r++].nphi)
        grid->rings[r].offset = first, grid->rings[r].stride = 0;
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {ARMILLA_END_OF(armilla_grid_layout, pixel_stride),
                                  sizeof(armilla_grid_layout), 0};

armilla_status armilla_grid_new_laid_out(const armilla_grid *grid,
                                         const armilla_grid_layout *layout, armilla_grid **laid_out)
{
    armilla_grid_layout chosen;
    armilla_grid *made = NULL;
    armilla_grid_layout_init(&chosen);
    armilla_status status = armilla_check_given("grid", grid);
    if (!status)
        status = armilla_options_copy("layout", "armilla_grid_layout", layout, VERSIONS, &chosen);
    if (!status) status = armilla_check_given("laid_out", laid_out);
    if (status || (status = check_fields(grid, &chosen)) || (status = check_nested(grid, &chosen)))
        return status;
    const int64_t longest = longest_ring(grid);
    if ((status = choose_strides(grid, longest, &chosen)) ||
        (chosen.ring_stride && (status = check_strides(grid, longest, &chosen))) ||
        (status = armilla_grid_copy(grid, &made)))
        return status;
    if ((status = place_rings(&chosen, made))) {
        armilla_grid_free(made);
        return status;
    }
    if (chosen.nested) place_nested(made);
    if (grid->has_layout) chosen.phi0 += grid->layout.phi0;
    made->has_layout = 1;
    made->layout = chosen;
    *laid_out = made;
    return ARMILLA_OK;
}

armilla_status armilla_grid_get_layout(const armilla_grid *grid, armilla_grid_layout *layout)
{
    armilla_status status = armilla_check_given("grid", grid);
    if (!status) status = armilla_check_given("layout", layout);
    if (status) return status;
    if (!grid->has_layout)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "grid: its rings were placed by the caller and "
                                                    "have no layout");
    return armilla_description_give("layout", "armilla_grid_layout", &grid->layout,
                                    sizeof grid->layout, layout);
}
