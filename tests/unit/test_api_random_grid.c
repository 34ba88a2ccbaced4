/* Checks that the functions of grid.h and status.h stand random arguments: right ones work, wrong
 * ones are refused by name. */
#include "test_api_random.h"

static const int64_t largest_count = INT64_C(1) << 30;

static void finish(const trial *t, armilla_status status, armilla_grid **grid)
{
    if (!judge(t, status)) {
        assert_marked(t, *grid);
        return;
    }
    assert_true(armilla_grid_nrings(*grid) >= 1 && armilla_grid_npix(*grid) >= 1);
    armilla_grid_free(*grid);
}

/* --- Families --------------------------------------------------------------------------------- */

static void try_healpix(trial *t)
{
    armilla_grid *grid = MARK, **target = &grid;
    int64_t nside = between(t, 1, 9);
    if (spoil(t, "nside")) nside = outside(t, 1, INT64_C(1) << 28);
    if (spoil(t, "grid")) target = NULL;
    finish(t, armilla_grid_new_healpix(nside, target), &grid);
}

static void try_weighted(trial *t)
{
    armilla_grid *grid = MARK, **target = &grid;
    int64_t nside = between(t, 1, 9), lmax = below(t, 3 * nside);
    if (spoil(t, "lmax")) lmax = outside(t, 0, INT64_C(1) << 31);
    if (spoil(t, "nside")) nside = outside(t, 1, INT64_C(1) << 28);
    if (spoil(t, "grid")) target = NULL;
    finish(t, armilla_grid_new_healpix_weighted(nside, lmax, target), &grid);
}

static void try_gauss(trial *t)
{
    armilla_grid *grid = MARK, **target = &grid;
    int64_t nrings = between(t, 1, 60), nphi = between(t, 1, 60), lmax = below(t, 60);
    int reduced = (int)below(t, 2);
    if (spoil(t, "nrings")) nrings = outside(t, 1, largest_count);
    if (reduced && spoil(t, "lmax")) lmax = outside(t, 0, INT64_C(1) << 28);
    if (!reduced && spoil(t, "nphi")) nphi = outside(t, 1, largest_count);
    if (spoil(t, "grid")) target = NULL;
    finish(t,
           reduced ? armilla_grid_new_reduced_gauss_legendre(nrings, lmax, target)
                   : armilla_grid_new_gauss_legendre(nrings, nphi, target),
           &grid);
}

static void try_equidistant(trial *t)
{
    armilla_grid *grid = MARK, **target = &grid;
    int kind = (int)between(t, ARMILLA_GRID_CC, ARMILLA_GRID_MWFLIP);
    int64_t nrings = between(t, 2, 40), nphi = between(t, 1, 40);
    if (spoil(t, "kind")) kind = outside_int(t, ARMILLA_GRID_CC, ARMILLA_GRID_MWFLIP);
    if (spoil(t, "nrings")) nrings = outside(t, 1, INT64_C(1) << 28);
    if (spoil(t, "nphi")) nphi = outside(t, 1, largest_count);
    if (spoil(t, "grid")) target = NULL;
    finish(t, armilla_grid_new_equidistant((armilla_grid_kind)kind, nrings, nphi, target), &grid);
}

/* --- The caller's rings ----------------------------------------------------------------------- */

enum { RINGS = 5 };

static void draw_rings(trial *t, armilla_ring *rings)
{
    int64_t next = below(t, 3) ? below(t, 9) : INT64_C(1) << 40;
    for (int i = 0; i < RINGS; i++) {
        int64_t nphi = between(t, 1, 20), stride = between(t, 1, 3), span = nphi * stride;
        int backwards = (int)below(t, 2);
        rings[i] = (armilla_ring){.theta = M_PI * (double)below(t, 1001) / 1000,
                                  .nphi = nphi,
                                  .phi0 = any_finite(t),
                                  .offset = backwards ? next + span : next,
                                  .stride = backwards ? -stride : stride,
                                  .weight = any_finite(t)};
        next += span + 1;
    }
}

static void spoil_ring(trial *t, armilla_ring *ring)
{
    const double angles[] = {-1e-300, 3.1415928, 1e300, not_finite(t)};
    if (spoil(t, "theta")) ring->theta = angles[below(t, 4)];
    if (spoil(t, "nphi")) ring->nphi = outside(t, 1, largest_count);
    if (spoil(t, "phi0")) ring->phi0 = not_finite(t);
    if (spoil(t, "weight")) ring->weight = not_finite(t);
    if (spoil(t, "offset")) ring->offset = below(t, 2) ? outside(t, 0, INT64_MAX) : INT64_MAX;
    /* Up to 3 pixels 2^62 apart still have numbers below 2^63. */
    if (ring->nphi > 3 && ring->nphi <= largest_count && spoil(t, "stride"))
        ring->stride = below(t, 2) ? 0 : (below(t, 2) ? INT64_MAX : INT64_MIN) / 2 * below(t, 3);
    if (ring->offset > INT64_MAX / 2 && spoil(t, "stride")) ring->stride = 0;
}

static void try_custom(trial *t)
{
    armilla_ring rings[RINGS];
    const armilla_ring *given = rings;
    armilla_grid *grid = MARK, **target = &grid;
    int64_t nrings = RINGS;
    draw_rings(t, rings);
    spoil_ring(t, &rings[below(t, RINGS)]);
    if (spoil(t, "share")) rings[1] = rings[0];
    if (spoil(t, "nrings")) nrings = outside(t, 1, largest_count);
    if (spoil(t, "rings")) given = NULL;
    if (spoil(t, "grid")) target = NULL;
    uint64_t before = checksum(rings, sizeof rings);
    finish(t, armilla_grid_new_custom(nrings, given, target), &grid);
    assert_unchanged(t, before, rings, sizeof rings);
}

static void try_subset(trial *t)
{
    armilla_grid *whole = NULL, *part = MARK, **target = &part;
    check_ok(armilla_grid_new_healpix(3, &whole));
    int64_t first = below(t, 11), count = between(t, 1, 11 - first);
    const armilla_grid *given = whole;
    if (spoil(t, "count")) count = outside(t, 1, 11 - first);
    if (spoil(t, "first")) first = outside(t, 0, 10);
    if (spoil(t, "grid")) given = NULL;
    if (spoil(t, "subset")) target = NULL;
    finish(t, armilla_grid_new_subset(given, first, count, (int)any_integer(t), target), &part);
    armilla_grid_free(whole);
}

static void try_laid_out(trial *t)
{
    armilla_grid *plain = NULL, *made = MARK, **target = &made;
    const int64_t nrings = between(t, 1, 9), nphi = between(t, 1, 9);
    check_ok(armilla_grid_new_gauss_legendre(nrings, nphi, &plain));
    const armilla_grid *given = plain;
    armilla_grid_layout layout;
    armilla_grid_layout_init(&layout);
    layout.phi0 = any_finite(t), layout.south_first = (int)below(t, 3) - 1;
    layout.west_first = (int)below(t, 3) - 1, layout.theta_contiguous = (int)below(t, 3) - 1;
    int64_t *outer = layout.theta_contiguous ? &layout.pixel_stride : &layout.ring_stride;
    if (below(t, 2)) *outer = between(t, 9, INT64_C(1) << 40);
    if (spoil(t, "phi0")) layout.phi0 = not_finite(t);
    if (spoil(t, "ring_stride")) layout.ring_stride = -1 - below(t, INT64_MAX);
    if (spoil(t, "pixel_stride")) layout.pixel_stride = -1 - below(t, INT64_MAX);
    if (spoil(t, "size")) layout.size = (size_t)outside(t, 48, sizeof layout);
    if (spoil(t, "grid")) given = NULL;
    if (spoil(t, "laid_out")) target = NULL;
    uint64_t before = checksum(&layout, sizeof layout);
    finish(t, armilla_grid_new_laid_out(given, &layout, target), &made);
    assert_unchanged(t, before, &layout, sizeof layout);
    armilla_grid_free(plain);
}

static void try_ring(trial *t)
{
    armilla_grid *grid = NULL;
    armilla_ring ring, *target = &ring;
    memset(&ring, 0x5a, sizeof ring);
    uint64_t before = checksum(&ring, sizeof ring);
    check_ok(armilla_grid_new_healpix(3, &grid));
    const armilla_grid *given = grid;
    int64_t index = below(t, 11);
    if (spoil(t, "index")) index = outside(t, 0, 10);
    if (spoil(t, "grid")) given = NULL;
    if (spoil(t, "ring")) target = NULL;
    if (!judge(t, armilla_grid_ring(given, index, target)))
        assert_unchanged(t, before, &ring, sizeof ring);
    armilla_grid_free(grid);
}

/* --- Functions that return a number ----------------------------------------------------------- */

static void getters_take_null(void **state)
{
    (void)state;
    assert_int_equal(armilla_grid_get_kind(NULL), ARMILLA_GRID_CUSTOM);
    assert_int_equal(armilla_grid_npix(NULL), -1);
    assert_int_equal(armilla_grid_nrings(NULL), -1);
    assert_int_equal(armilla_grid_exact_lmax(NULL), -1);
    assert_int_equal(armilla_grid_exact_lmax_for(NULL, 0), -1);
    assert_int_equal(armilla_grid_lost_rule(NULL, 0, 0), ARMILLA_GRID_CUSTOM);
    armilla_grid_layout_init(NULL);
    armilla_grid_free(NULL);
    for (int i = 0; i < EXTREMES; i++) {
        assert_non_null(armilla_grid_kind_name((armilla_grid_kind)extreme_integers[i]));
        assert_non_null(armilla_status_name((armilla_status)extreme_integers[i]));
        const char *isa = armilla_isa_available((int)extreme_integers[i]);
        assert_true(isa == NULL || *isa);
    }
    assert_null(armilla_isa_available(INT32_MIN));
    assert_null(armilla_isa_available(INT32_MAX));
}

static void try_pixels(trial *t)
{
    int64_t nside = below(t, 3) ? INT64_C(1) << below(t, 31) : any_integer(t);
    int64_t npix = armilla_healpix_npix(nside), pixel = any_integer(t);
    assert_true(npix == -1 || (npix >= 12 && npix / 12 / nside == nside));
    if (npix > 0) assert_int_equal(armilla_healpix_nside(npix), nside);
    if (npix > 0 && below(t, 2)) pixel = below(t, npix);
    int64_t ring = armilla_healpix_nest_to_ring(nside, pixel);
    int64_t nest = armilla_healpix_ring_to_nest(nside, pixel);
    int exists = npix > 0 && (nside & (nside - 1)) == 0 && pixel >= 0 && pixel < npix;
    if (!exists) assert_true(ring == -1 && nest == -1);
    if (exists) assert_int_equal(armilla_healpix_ring_to_nest(nside, ring), pixel);
    if (exists) assert_int_equal(armilla_healpix_nest_to_ring(nside, nest), pixel);
    int64_t count = any_integer(t), found = armilla_healpix_nside(count);
    assert_true(found == -1 || armilla_healpix_npix(found) == count);
}

static void try_directions(trial *t)
{
    int64_t nside = below(t, 2) ? between(t, 1, INT64_C(1) << below(t, 30)) : any_integer(t);
    double theta = below(t, 2) ? M_PI * (double)below(t, 1000001) / 1e6 : any_finite(t);
    double phi = any_finite(t);
    if (below(t, 8) == 0) theta = not_finite(t);
    if (below(t, 8) == 0) phi = not_finite(t);
    int64_t npix = armilla_healpix_npix(nside);
    int exists = npix > 0 && theta >= 0 && theta <= M_PI && isfinite(phi);
    int64_t pixel = armilla_healpix_ang_to_ring(nside, theta, phi);
    if (exists ? pixel < 0 || pixel >= npix : pixel != -1)
        fail_msg("trial %lld: nside %lld, theta %.17g, phi %.17g: pixel %lld", (long long)t->number,
                 (long long)nside, theta, phi, (long long)pixel);
}

/* --- Pixels around, and their outlines -------------------------------------------------------- */

enum { MOST_PIXELS = 6, MOST_STEP = 50, MOST_VECTORS = MOST_PIXELS * 4 * MOST_STEP * 3 };

typedef struct some_pixels {
    int64_t nside, count, list[MOST_PIXELS];
    int nested;
    const int64_t *given;
} some_pixels;

static void draw_pixels(trial *t, some_pixels *p)
{
    *p = (some_pixels){.nested = (int)below(t, 2), .count = below(t, MOST_PIXELS + 1)};
    p->nside = p->nested ? INT64_C(1) << below(t, 30) : between(t, 1, 876706528);
    if (!p->nested && below(t, 2)) p->nside = between(t, 1, 4);
    const int64_t npix = armilla_healpix_npix(p->nside);
    for (int64_t i = 0; i < p->count; i++)
        p->list[i] = below(t, 4) ? below(t, npix) : below(t, 2) ? 0 : npix - 1;
    if (p->nested && below(t, 2)) p->nested = any_integer(t) < 0 ? -1 : 1000;
    p->given = p->count || below(t, 2) ? p->list : NULL;
    if (p->count && spoil(t, "pixels[")) p->list[below(t, p->count)] = outside(t, 0, npix - 1);
    if (p->count && spoil(t, "pixels = NULL")) p->given = NULL;
    if (spoil(t, "npixels")) p->count = outside(t, 0, INT64_MAX);
    if (p->nested && spoil(t, "nside")) p->nside = 3 * between(t, 1, 1 << 20);
    if (spoil(t, "nside")) p->nside = outside(t, 1, 876706528);
}

static void try_neighbours(trial *t)
{
    some_pixels p;
    int64_t neighbours[MOST_PIXELS * 8], *target = neighbours;
    draw_pixels(t, &p);
    memset(neighbours, 0x5a, sizeof neighbours);
    uint64_t before = checksum(neighbours, sizeof neighbours), read = checksum(&p, sizeof p);
    int64_t npix = armilla_healpix_npix(p.nside);
    if (p.count && spoil(t, "neighbours")) target = NULL;
    if (!judge(t, armilla_healpix_neighbours(p.nside, p.nested, p.count, p.given, target)))
        assert_unchanged(t, before, neighbours, sizeof neighbours);
    else
        for (int64_t i = 0; i < 8 * p.count; i++)
            assert_true(neighbours[i] >= -1 && neighbours[i] < npix);
    assert_unchanged(t, read, &p, sizeof p);
}

static void try_boundaries(trial *t)
{
    some_pixels p;
    double vectors[MOST_VECTORS], *target = vectors;
    int64_t step = between(t, 1, MOST_STEP);
    draw_pixels(t, &p);
    memset(vectors, 0x5a, sizeof vectors);
    uint64_t before = checksum(vectors, sizeof vectors), read = checksum(&p, sizeof p);
    if (spoil(t, "step")) step = outside(t, 1, INT64_C(1) << 24);
    if (p.count && spoil(t, "vectors")) target = NULL;
    if (!judge(t, armilla_healpix_boundaries(p.nside, p.nested, p.count, p.given, step, target)))
        assert_unchanged(t, before, vectors, sizeof vectors);
    else
        for (int64_t i = 0; i < 4 * step * p.count; i++) {
            const double *v = vectors + 3 * i;
            assert_true(fabs(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - 1) < 2e-15);
        }
    assert_unchanged(t, read, &p, sizeof p);
}

static void families_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_healpix, 500);
    try_often(try_weighted, 500);
    try_often(try_gauss, 1000);
    try_often(try_equidistant, 1000);
}

static void custom_rings_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_custom, 5000);
    try_often(try_subset, 1000);
    try_often(try_laid_out, 3000);
    try_often(try_ring, 500);
}

static void pixels_around_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_neighbours, 5000);
    try_often(try_boundaries, 3000);
}

static void pixel_numbers_are_in_range_or_minus_one(void **state)
{
    (void)state;
    try_often(try_pixels, 20000);
    try_often(try_directions, 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_name_a_wrong_argument),
        cmocka_unit_test(custom_rings_name_a_wrong_argument),
        cmocka_unit_test(pixels_around_name_a_wrong_argument),
        cmocka_unit_test(getters_take_null),
        cmocka_unit_test(pixel_numbers_are_in_range_or_minus_one),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (failed) print_message("last trial %lld\n", (long long)last_trial);
    return failed;
}
