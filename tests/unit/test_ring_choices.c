/* Each choice of the ring stage can be forced by its name, is told, and changes transforms by
 * rounding alone; no pair of rings depends on the pairs beside it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/memory.h"
#include "oracle/checks.h"
#include "ringfft/dispatch.h"
#include "ringfft/stage.h"
#include "ringfft/way.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 96, MMAX = 40, NRINGS = 32, LEG = 4 * (MMAX + 1) };

static armilla_ringfft *plan_with(const char *text, armilla_forced *forced)
{
    armilla_ring rings[NRINGS];
    armilla_isa isa;
    armilla_ringfft *ringfft;
    assert_int_equal(armilla_isa_choose(NULL, &isa), ARMILLA_OK);
    assert_int_equal(armilla_forced_read("forced", text, forced), ARMILLA_OK);
    for (int64_t i = 0; i < NRINGS; i++) {
        const int is_ours = i == 1 || i == NRINGS - 2;
        rings[i] = (armilla_ring){1, N, is_ours ? 0.3 : M_PI / N, i, NRINGS, 1};
    }
    const armilla_ringfft_problem problem = {
        armilla_machine_with(isa), NRINGS, rings, MMAX, 1, forced, NULL, 0};
    assert_int_equal(armilla_ringfft_new(&problem, &ringfft), ARMILLA_OK);
    return ringfft;
}

/* What the plan tells of a name; empty: nothing. */
typedef struct {
    const char *name;
    char value[64];
} told;

static void take(void *data, const armilla_choice *choice)
{
    told *t = data;
    assert_true(strlen(choice->why) > 20);
    if (!strcmp(t->name, choice->name)) strncpy(t->value, choice->value, sizeof t->value - 1);
}

static void check_told(const armilla_ringfft *ringfft, const char *name, const char *value)
{
    told t = {.name = name};
    const armilla_teller teller = {.take = take, .data = &t};
    armilla_ringfft_tell(ringfft, &teller);
    assert_int_equal(strncmp(t.value, value, strlen(value)), 0);
}

/* The map and a part's leg of the pair of rings with a shift of their own, one behind the other. */
static void run(const armilla_ringfft *ringfft, double *results)
{
    const armilla_ring_pair pair = {1, NRINGS - 2, MMAX};
    double leg[LEG], *scratch;
    for (int i = 0; i < LEG; i++) leg[i] = i == 1 || i == 3 ? 0 : sin(i);
    assert_int_equal(
        armilla_allocate(&scratch, armilla_ringfft_scratch_size(ringfft), sizeof *scratch),
        ARMILLA_OK);
    armilla_ring_batch batch = {.ringfft = ringfft,
                                .sets = {.count = 1, .row_length = 4},
                                .count = 1,
                                .pairs = &pair,
                                .leg = leg,
                                .map = {results, 0},
                                .scratch = scratch};
    armilla_ring_way_alone.run(&batch, 1);
    batch.mode.part = ARMILLA_ORDERS_SECOND, batch.leg = results + N * NRINGS;
    armilla_ring_way_parts.run(&batch, 0);
    armilla_release(scratch);
}

/* The value that is told begins with the number that is forced. */
static void check_forced(const char *text)
{
    enum { SIZE = N * NRINGS + LEG };
    static double chosen[SIZE], other[SIZE];
    armilla_forced none, forced;
    armilla_ringfft *plans[2] = {plan_with("", &none), plan_with(text, &forced)};
    assert_int_equal(armilla_forced_check("forced", &forced, 1), ARMILLA_OK);
    check_told(plans[1], forced.name[0], strchr(text, '=') + 1);
    run(plans[0], chosen), run(plans[1], other);
    for (int i = 0; i < SIZE; i++) assert_true(fabs(chosen[i] - other[i]) < 1e-11);
    armilla_ringfft_free(plans[0]), armilla_ringfft_free(plans[1]);
}

static void each_choice_can_be_forced(void **state)
{
    (void)state;
    check_forced("ring.lanes=0");
    check_forced("ring.fours=0");
    check_forced("ring.fours=1");
    check_forced("ring.part_kind=0");
    check_forced("ring.part_kind=1");
    check_forced("ring.part_kind=2");
    check_forced("ring.roots=0");
    check_forced("ring.roots=1");
}

/* --- Plans that count ------------------------------------------------------------------------ */

/* Rings of nside 150: all lengths 4 i, most with rough factors; parts: of the orders. */
static void check_counted(int parts, int64_t most)
{
    enum { NSIDE = 150, RINGS = 4 * NSIDE - 1 };
    static armilla_ring rings[RINGS];
    armilla_isa isa;
    armilla_ringfft *plan, *counted;
    check_ok(armilla_isa_choose(NULL, &isa));
    for (int64_t i = 0, end = 0; i < RINGS; end += rings[i++].nphi) {
        const int64_t from_pole = i < RINGS - 1 - i ? i + 1 : RINGS - i;
        const int64_t n = 4 * (from_pole < NSIDE ? from_pole : NSIDE);
        rings[i] = (armilla_ring){1, n < most ? n : most, M_PI / (double)n, end, 1, 1};
    }
    const armilla_ringfft_problem problem = {.machine = armilla_machine_with(isa),
                                             .nrings = RINGS,
                                             .rings = rings,
                                             .mmax = 2 * NSIDE,
                                             .parts = parts};
    check_ok(armilla_ringfft_new(&problem, &plan));
    check_ok(armilla_ringfft_count(&problem, &counted));
    assert_int_equal(armilla_ringfft_bytes(counted), armilla_ringfft_bytes(plan));
    assert_int_equal(armilla_ringfft_scratch_size(counted), armilla_ringfft_scratch_size(plan));
    armilla_ringfft_free(plan), armilla_ringfft_free(counted);
}

static void plans_that_count_have_the_sizes_of_others(void **state)
{
    static const int64_t most[] = {600, 599, 22, 337}; /* 337: a single row, by FFTW */
    (void)state;
    for (int i = 0; i < 4; i++)
        for (int parts = 0; parts < 2; parts++) check_counted(parts, most[i]);
}

/* --- Whole transforms ------------------------------------------------------------------------ */

enum { LMAX = 40, NALM = (LMAX + 1) * (LMAX + 2) / 2, MOST_PIXELS = 12 * 20 * 20 };

static const char *const forced_ways[] = {
    "",
    "ring.lanes=1,ring.groups=1",
    "ring.lanes=1,ring.groups=2",
    "ring.lanes=1,ring.groups=4",
    "ring.lanes=0,ring.roots=0",
    "ring.lanes=0,ring.roots=1",
    "ring.lanes=0,ring.fours=0",
    "ring.lanes=0,ring.fours=1",
};
enum { WAYS = sizeof forced_ways / sizeof *forced_ways, GRIDS = 8 };

/* Even and odd lengths, along rings and along theta, shifts, rings of many lengths. */
static armilla_grid *new_grid(int number)
{
    armilla_grid *grid = NULL, *plain = NULL;
    armilla_grid_layout layout;
    armilla_grid_layout_init(&layout);
    layout.theta_contiguous = number % 2;
    if (number < 2) check_ok(armilla_grid_new_gauss_legendre(LMAX + 1, 2 * LMAX + 4, &plain));
    if (number / 2 == 1) check_ok(armilla_grid_new_gauss_legendre(LMAX + 4, 2 * LMAX + 1, &plain));
    if (number / 2 == 2)
        check_ok(armilla_grid_new_equidistant(ARMILLA_GRID_MW, LMAX + 1, 2 * LMAX + 2, &plain));
    if (number == 6) check_ok(armilla_grid_new_healpix(20, &grid));
    if (number == 7) check_ok(armilla_grid_new_reduced_gauss_legendre(LMAX + 1, LMAX, &grid));
    if (plain) check_ok(armilla_grid_new_laid_out(plain, &layout, &grid));
    armilla_grid_free(plain);
    return grid;
}

/* Both directions of a field of spin 2, two sets. Returned: 0 where the plan refuses the choices.
 */
static int transform(const armilla_grid *grid, const char *ways, double *map, double *alm)
{
    armilla_sht_options options;
    armilla_sht *sht;
    armilla_sht_options_init(&options);
    options.spin = 2, options.choices = ways;
    const armilla_status status = armilla_sht_new(grid, LMAX, LMAX, &options, &sht);
    if (status == ARMILLA_ERROR_ARGUMENT) return 0;
    check_ok(status);
    random_fill(5, 4 * NALM, alm);
    for (int64_t i = 0; i <= LMAX; i++) alm[2 * i + 1] = alm[2 * NALM + 2 * i + 1] = 0;
    check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
    check_ok(armilla_sht_adjoint_synthesis(sht, map, alm, NULL));
    armilla_sht_free(sht);
    return 1;
}

/* Doubles of a vector of the instruction set that plans have. */
static int find_lanes(void)
{
    armilla_isa isa;
    check_ok(armilla_isa_choose(NULL, &isa));
    return armilla_ring_kernels_find(isa)->lanes;
}

static void check_values(int64_t count, const double *chosen, const double *other, int grid,
                         const char *ways)
{
    double largest = 0, worst = 0;
    for (int64_t i = 0; i < count; i++) {
        largest = larger_or_nan(largest, fabs(chosen[i]));
        worst = larger_or_nan(worst, fabs(chosen[i] - other[i]));
    }
    check_at_most(worst / largest, 1e-14, "grid %d, %s", grid, ways);
}

/* Against rings one by one. Lanes need a vector of four doubles or more, four groups just that. */
static void ways_agree_on_whole_transforms(void **state)
{
    (void)state;
    static double map[2][2 * MOST_PIXELS], alm[2][4 * NALM];
    int done[WAYS] = {0}, lanes;
    for (int number = 0; number < GRIDS; number++) {
        armilla_grid *grid = new_grid(number);
        const int64_t npix = armilla_grid_npix(grid);
        assert_true(npix <= MOST_PIXELS);
        assert_true(transform(grid, "ring.lanes=0", map[0], alm[0]));
        for (int way = 0; way < WAYS; way++) {
            if (!transform(grid, forced_ways[way], map[1], alm[1])) continue;
            check_values(2 * npix, map[0], map[1], number, forced_ways[way]);
            check_values(4 * NALM, alm[0], alm[1], number, forced_ways[way]);
            done[way]++;
        }
        armilla_grid_free(grid);
    }
    lanes = find_lanes();
    for (int way = 0; way < WAYS; way++) {
        const int groups = strstr(forced_ways[way], "groups=") ? forced_ways[way][25] - '0' : 0;
        if (groups <= (lanes < 4 ? 0 : lanes == 4 ? 4 : 2)) assert_true(done[way] > 0);
    }
}

/* --- Neighbours ------------------------------------------------------------------------------ */

enum { PAIRS = ARMILLA_RING_BATCH, COLUMNS = 4 * PAIRS, MOST_LEG = COLUMNS * (MMAX + 1) };

/* Pairs `first` .. `first` + `count` - 1 of a leg by the way that lanes or pairs alone go. */
static void run_pairs(const armilla_ringfft *ringfft, const armilla_ring_way *way, int64_t first,
                      int64_t count, int to_maps, double *leg, double *map)
{
    armilla_ring_pair pairs[PAIRS];
    double *scratch;
    for (int64_t i = 0; i < count; i++)
        pairs[i] = (armilla_ring_pair){2 + first + i, NRINGS - 3 - first - i, MMAX - first - i};
    check_ok(armilla_allocate(&scratch, armilla_ringfft_scratch_size(ringfft), sizeof *scratch));
    const armilla_ring_batch batch = {.ringfft = ringfft,
                                      .sets = {.count = 1, .row_length = COLUMNS},
                                      .count = count,
                                      .pairs = pairs,
                                      .leg = leg + 4 * first,
                                      .map = {map, 0},
                                      .scratch = scratch};
    assert_true(!way->fits || way->fits(&batch, pairs, to_maps));
    way->run(&batch, to_maps);
    armilla_release(scratch);
}

static void check_neighbours(const armilla_ringfft *ringfft, const armilla_ring_way *way)
{
    static double leg[2][MOST_LEG], map[2][N * NRINGS];
    for (int to_maps = 0; to_maps < 2; to_maps++) {
        for (int run = 0; run < 2; run++) {
            random_fill(7, MOST_LEG, leg[run]), random_fill(8, N * NRINGS, map[run]);
            for (int i = 0; i < COLUMNS; i++) leg[run][i] *= i % 2 ? 0 : 1;
        }
        run_pairs(ringfft, way, 0, PAIRS, to_maps, leg[0], map[0]);
        for (int64_t i = 0, count; i < PAIRS; i += count) {
            count = i == 1 ? 2 : i == 3 ? 3 : 1;
            run_pairs(ringfft, way, i, count, to_maps, leg[1], map[1]);
        }
        for (int64_t m = 0; m <= MMAX; m++)
            for (int64_t i = 0; i < PAIRS && i <= MMAX - m; i++)
                assert_memory_equal(&leg[0][COLUMNS * m + 4 * i], &leg[1][COLUMNS * m + 4 * i],
                                    4 * sizeof(double));
        assert_memory_equal(map[0], map[1], sizeof map[0]);
    }
}

static void a_pair_does_not_depend_on_its_neighbours(void **state)
{
    (void)state;
    armilla_forced forced;
    armilla_ringfft *ringfft = plan_with("ring.lanes=1", &forced);
    check_neighbours(ringfft, &armilla_ring_way_alone);
    if (armilla_ringfft_lanes(ringfft)) check_neighbours(ringfft, &armilla_ring_way_lanes);
    armilla_ringfft_free(ringfft);
}

static void lanes_and_their_groups_can_be_forced(void **state)
{
    (void)state;
    armilla_forced forced;
    armilla_ringfft *ringfft = plan_with("ring.lanes=1,ring.groups=1", &forced);
    if (armilla_ringfft_lanes(ringfft)) {
        assert_int_equal(armilla_forced_check("forced", &forced, 1), ARMILLA_OK);
        check_told(ringfft, "ring.groups", "1");
    }
    armilla_ringfft_free(ringfft);
}

static void what_is_not_possible_is_refused(void **state)
{
    (void)state;
    armilla_forced forced;
    armilla_ringfft_free(plan_with("ring.part_kind=3", &forced));
    assert_int_equal(armilla_forced_check("forced", &forced, 1), ARMILLA_ERROR_ARGUMENT);
    armilla_ringfft_free(plan_with("ring.lines=1", &forced));
    assert_int_equal(armilla_forced_check("forced", &forced, 1), ARMILLA_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_choice_can_be_forced),
        cmocka_unit_test(plans_that_count_have_the_sizes_of_others),
        cmocka_unit_test(ways_agree_on_whole_transforms),
        cmocka_unit_test(a_pair_does_not_depend_on_its_neighbours),
        cmocka_unit_test(lanes_and_their_groups_can_be_forced),
        cmocka_unit_test(what_is_not_possible_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
