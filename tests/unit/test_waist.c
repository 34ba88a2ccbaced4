/* Checks the seam between the stages: stage functions alone, without a plan of armilla/sht.h, make
 * transforms. Radial kernels, MPI and other backends are made of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/memory.h"
#include "legendre/stage.h"
#include "oracle/checks.h"
#include "ringfft/stage.h"
#include <complex.h>
#include <math.h>
#include <string.h>

enum { LMAX = 47, MMAX = 44, NRINGS = 53, NPHI = 96, RANKS = 3 };

static armilla_isa best_isa(void)
{
    armilla_isa isa;
    check_ok(armilla_isa_choose(NULL, &isa));
    return isa;
}

/* Doubles on whole cache lines, all of them NaN: what nobody writes, nobody must read. */
static double *poisoned(int64_t count)
{
    double *values;
    check_ok(armilla_allocate(&values, count, sizeof *values));
    for (int64_t i = 0; i < count; i++) values[i] = NAN;
    return values;
}

/* A grid and what belongs to it whatever the stage. */
typedef struct {
    armilla_grid *grid;
    armilla_ring *rings;
    int64_t npix, spin, nsets;
    armilla_ring_pairs pairs;
    int64_t mstart[MMAX + 1];
    armilla_progress progress;
    armilla_work work;
} scene;

static void scene_open(scene *s, int64_t spin)
{
    double theta[NRINGS];
    check_ok(armilla_grid_new_gauss_legendre(NRINGS, NPHI, &s->grid));
    s->rings = grid_rings(s->grid), s->npix = armilla_grid_npix(s->grid);
    s->spin = spin, s->nsets = spin ? 2 : 1;
    for (int64_t r = 0; r < NRINGS; r++) theta[r] = s->rings[r].theta;
    check_ok(armilla_ring_pairs_make(NRINGS, theta, LMAX, MMAX, spin, &s->pairs));
    for (int64_t m = 0; m <= MMAX; m++) s->mstart[m] = m * (2 * LMAX + 1 - m) / 2;
    armilla_progress_start(&s->progress, NULL, NULL, 0);
    s->work = (armilla_work){.nthreads = 2, .scratch_size = 1 << 16, .progress = &s->progress};
    s->work.scratch = poisoned(2 * s->work.scratch_size);
}

static void scene_close(scene *s)
{
    armilla_release(s->work.scratch);
    armilla_ring_pairs_clear(&s->pairs);
    armilla_grid_free(s->grid);
    free(s->rings);
}

static armilla_alm_rows alm_rows(const scene *s, double *alm)
{
    return (armilla_alm_rows){.values = {alm, 0},
                              .distance = armilla_alm_size(LMAX, MMAX),
                              .ncomp = s->nsets,
                              .nsets = s->nsets,
                              .lmax = LMAX,
                              .stride = 1,
                              .mstart = s->mstart,
                              .spin = s->spin,
                              .real = 1,
                              .last = 1};
}

static double *random_coefficients(const scene *s)
{
    const int64_t size = 2 * armilla_alm_size(LMAX, MMAX);
    double *alm = checked_malloc(2 * size, sizeof *alm);
    for (int64_t c = 0; c < s->nsets; c++)
        random_alm_triangle(7 + (uint64_t)c, LMAX, MMAX, alm + c * size);
    return alm;
}

/* Y alm by a plan. */
static double *planned_synthesis(const scene *s, const double *alm)
{
    armilla_sht *sht;
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.spin = s->spin;
    double *map = checked_malloc(s->nsets * s->npix, sizeof *map);
    check_ok(armilla_sht_new(s->grid, LMAX, MMAX, &options, &sht));
    check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
    armilla_sht_free(sht);
    return map;
}

static armilla_leg_layout all_of(const armilla_ring_pairs *pairs, int64_t block_size)
{
    armilla_leg_layout layout;
    const armilla_leg_shape shape = {
        .pairs = pairs, .npairs = pairs->count, .block_size = block_size, .room = 4, .mmax = MMAX};
    check_ok(armilla_leg_layout_make(&shape, &layout));
    return layout;
}

static armilla_legendre *make_legendre(const scene *s, armilla_isa isa, int64_t norders,
                                       const int64_t *orders, int64_t block_size)
{
    armilla_legendre *legendre;
    const armilla_legendre_problem problem = {.machine = armilla_machine_with(isa),
                                              .lmax = LMAX,
                                              .norders = norders,
                                              .orders = orders,
                                              .spin = s->spin,
                                              .pairs = &s->pairs,
                                              .block_size = block_size};
    check_ok(armilla_legendre_new(&problem, &legendre));
    assert_true(armilla_legendre_stage_scratch(legendre, s->nsets) <= s->work.scratch_size);
    return legendre;
}

static armilla_ringfft *make_ringfft(const scene *s)
{
    armilla_ringfft *ringfft;
    check_ok(
        armilla_ringfft_new(&(armilla_ringfft_problem){armilla_machine_with(best_isa()), NRINGS,
                                                       s->rings, MMAX, 0, NULL, NULL, 0},
                            &ringfft));
    assert_true(armilla_ringfft_scratch_size(ringfft) <= s->work.scratch_size);
    return ringfft;
}

/* --- A transform ----------------------------------------------------------------------------- */

static void check_synthesis(int64_t spin, int64_t block_size)
{
    scene s;
    scene_open(&s, spin);
    double *alm = random_coefficients(&s), *map = poisoned(s.nsets * s.npix);
    const armilla_alm_rows rows = alm_rows(&s, alm);
    const armilla_ring_maps maps = {.values = {map, 0}, .distance = s.npix};

    armilla_leg_layout layout = all_of(&s.pairs, block_size);
    armilla_legendre *legendre = make_legendre(&s, best_isa(), MMAX + 1, NULL, block_size);
    armilla_ringfft *ringfft = make_ringfft(&s);
    const armilla_leg leg = {&layout, s.nsets, poisoned(s.nsets * layout.size), NULL, 0};
    armilla_legendre_to_leg(legendre, &rows, &leg, &s.work);
    armilla_ringfft_to_maps(ringfft, &leg, &maps, &s.work);

    double *expected = planned_synthesis(&s, alm);
    if (block_size >= s.pairs.count)
        assert_memory_equal(map, expected, sizeof *map * (size_t)(s.nsets * s.npix));
    check_at_most(rms_error(s.nsets * s.npix, expected, map), 1e-15, "spin %d", (int)spin);
    armilla_release(leg.values);
    armilla_legendre_free(legendre);
    armilla_ringfft_free(ringfft);
    armilla_leg_layout_clear(&layout);
    armilla_release(map);
    free(expected);
    free(alm);
    scene_close(&s);
}

static void two_stages_are_a_synthesis(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin < 3; spin += 2) {
        check_synthesis(spin, NRINGS);
        check_synthesis(spin, 10); /* blocks of pairs that cut vectors */
    }
}

/* --- Without a Legendre stage ---------------------------------------------------------------- */

/* What one order has on a ring becomes a sum over three neighbouring rings, with weights that
 * depend on the order: as a radial kernel does. */
static double mixing_weight(int64_t m, int64_t distance)
{
    return (distance ? 0.25 : 0.5) * cos(0.1 * (double)m);
}

static int64_t clamp_ring(int64_t ring)
{
    return ring < 0 ? 0 : ring < NRINGS ? ring : NRINGS - 1;
}

/* The entries of a ring, order after order. */
static double *entry(const armilla_leg *leg, const armilla_ring_pairs *pairs, int64_t ring,
                     int64_t m)
{
    int64_t pair = 0;
    while (pairs->north[pair] != ring && pairs->south[pair] != ring) pair++;
    return armilla_leg_row(leg, &leg->layout->blocks[0], 0, m) + 4 * pair +
           (pairs->north[pair] == ring ? 0 : 2);
}

static void mix_rings(const armilla_leg *from, const armilla_leg *to,
                      const armilla_ring_pairs *pairs)
{
    for (int64_t m = 0; m <= MMAX; m++)
        for (int64_t ring = 0; ring < NRINGS; ring++) {
            double *sum = entry(to, pairs, ring, m);
            sum[0] = sum[1] = 0;
            for (int64_t d = -1; d <= 1; d++) {
                const double *value = entry(from, pairs, clamp_ring(ring + d), m);
                sum[0] += mixing_weight(m, d) * value[0];
                sum[1] += mixing_weight(m, d) * value[1];
            }
            if (pairs->north[pairs->count - 1] == ring || pairs->south[pairs->count - 1] == ring)
                if (NRINGS % 2) sum[2] = sum[3] = 0; /* the equator has no southern ring */
        }
}

static complex double direct_spectrum(const scene *s, const double *map, int64_t ring, int64_t m)
{
    const armilla_ring *r = &s->rings[ring];
    complex double sum = 0;
    for (int64_t j = 0; j < r->nphi; j++)
        sum += map[r->offset + j] *
               cexp(-I * (double)m * (r->phi0 + 2 * M_PI * (double)j / (double)r->nphi));
    return sum;
}

static void check_mixed_ring(const scene *s, const double *map, const double *mixed, int64_t ring)
{
    complex double spectrum[MMAX + 1];
    const armilla_ring *r = &s->rings[ring];
    for (int64_t m = 0; m <= MMAX; m++) {
        spectrum[m] = 0;
        for (int64_t d = -1; d <= 1; d++)
            spectrum[m] += mixing_weight(m, d) * direct_spectrum(s, map, clamp_ring(ring + d), m);
    }
    for (int64_t j = 0; j < r->nphi; j += 7) {
        const double phi = r->phi0 + 2 * M_PI * (double)j / (double)r->nphi;
        double expected = creal(spectrum[0]);
        for (int64_t m = 1; m <= MMAX; m++)
            expected += 2 * creal(spectrum[m] * cexp(I * (double)m * phi));
        check_at_most(fabs(mixed[r->offset + j] - expected), 1e-11, "ring %d, pixel %d", (int)ring,
                      (int)j);
    }
}

static void rings_mix_without_a_legendre_plan(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 0);
    for (int64_t i = 0; i < s.pairs.count; i++) s.pairs.limit[i] = MMAX; /* all orders matter */
    double *map = checked_malloc(s.npix, sizeof *map), *mixed = poisoned(s.npix);
    random_fill(3, s.npix, map);
    armilla_leg_layout layout = all_of(&s.pairs, s.pairs.count);
    armilla_ringfft *ringfft = make_ringfft(&s);
    const armilla_leg leg = {&layout, 1, poisoned(layout.size), NULL, 0};
    const armilla_leg other = {&layout, 1, poisoned(layout.size), NULL, 0};
    armilla_ringfft_from_maps(
        ringfft, &leg, &(armilla_ring_maps){.values = {map, 0}, .distance = s.npix}, &s.work);
    mix_rings(&leg, &other, &s.pairs);
    armilla_ringfft_to_maps(
        ringfft, &other, &(armilla_ring_maps){.values = {mixed, 0}, .distance = s.npix}, &s.work);
    for (int64_t ring = 0; ring < NRINGS; ring += 4) check_mixed_ring(&s, map, mixed, ring);
    armilla_release(leg.values);
    armilla_release(other.values);
    armilla_release(mixed);
    free(map);
    armilla_ringfft_free(ringfft);
    armilla_leg_layout_clear(&layout);
    scene_close(&s);
}

/* --- Ranks ----------------------------------------------------------------------------------- */

/* A rank has every third order on all pairs, and every third pair with all orders. */
typedef struct {
    armilla_ring_pairs pairs; /* its own */
    armilla_leg_layout by_order, by_pair;
    armilla_leg orders, rings;
    armilla_legendre *legendre;
} rank;

static void open_rank(const scene *s, int64_t number, rank *r)
{
    int64_t orders[MMAX + 1], norders = 0;
    for (int64_t m = number; m <= MMAX; m += RANKS) orders[norders++] = m;
    const armilla_leg_shape shape = {.pairs = &s->pairs,
                                     .npairs = s->pairs.count,
                                     .block_size = s->pairs.count,
                                     .kind = ARMILLA_ORDERS_LISTED,
                                     .norders = norders,
                                     .orders = orders};
    check_ok(armilla_leg_layout_make(&shape, &r->by_order));
    check_ok(armilla_ring_pairs_take(&s->pairs, number, RANKS, &r->pairs));
    r->by_pair = all_of(&r->pairs, r->pairs.count);
    r->legendre = make_legendre(s, best_isa(), norders, orders, 0);
    r->orders =
        (armilla_leg){&r->by_order, s->nsets, poisoned(s->nsets * r->by_order.size), NULL, 0};
    r->rings = (armilla_leg){&r->by_pair, s->nsets, poisoned(s->nsets * r->by_pair.size), NULL, 0};
}

static void close_rank(rank *r)
{
    armilla_release(r->orders.values);
    armilla_release(r->rings.values);
    armilla_legendre_free(r->legendre);
    armilla_leg_layout_clear(&r->by_order);
    armilla_leg_layout_clear(&r->by_pair);
    armilla_ring_pairs_clear(&r->pairs);
}

/* What rank `from` has of the pairs of rank `to`: the entries that exist, no others. Returned:
 * their number. */
static int64_t send(const scene *s, const rank *from, int64_t to_number, const rank *to, int back)
{
    int64_t count = 0;
    for (int64_t row = 0; row < from->by_order.norders; row++)
        for (int64_t i = 0; i < to->pairs.count; i++) {
            const int64_t m = from->by_order.orders[row], pair = to_number + i * RANKS;
            if (m > s->pairs.limit[pair]) continue;
            for (int64_t set = 0; set < s->nsets; set++, count++) {
                double *mine = armilla_leg_row(&from->orders, from->by_order.blocks, set, row);
                double *yours = armilla_leg_row(&to->rings, to->by_pair.blocks, set, m);
                mine += 4 * pair, yours += 4 * i;
                memcpy(back ? mine : yours, back ? yours : mine, 4 * sizeof *mine);
            }
        }
    return count;
}

static int64_t transpose(const scene *s, const rank ranks[RANKS], int back)
{
    int64_t count = 0;
    for (int64_t from = 0; from < RANKS; from++)
        for (int64_t to = 0; to < RANKS; to++) count += send(s, &ranks[from], to, &ranks[to], back);
    return count;
}

static int64_t count_entries(const scene *s)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->pairs.count; i++) count += s->pairs.limit[i] + 1;
    return s->nsets * count;
}

/* Synthesis on all ranks, then the adjoint of the map. */
static void run_ranks(scene *s, const rank ranks[RANKS], double *alm, double *map, double *back)
{
    armilla_ringfft *ringfft = make_ringfft(s);
    const armilla_alm_rows rows = alm_rows(s, alm), found = alm_rows(s, back);
    const armilla_ring_maps maps = {.values = {map, 0}, .distance = s->npix};
    for (int r = 0; r < RANKS; r++)
        armilla_legendre_to_leg(ranks[r].legendre, &rows, &ranks[r].orders, &s->work);
    assert_int_equal(transpose(s, ranks, 0), count_entries(s));
    for (int r = 0; r < RANKS; r++)
        armilla_ringfft_to_maps(ringfft, &ranks[r].rings, &maps, &s->work);
    for (int r = 0; r < RANKS; r++)
        armilla_ringfft_from_maps(ringfft, &ranks[r].rings, &maps, &s->work);
    transpose(s, ranks, 1);
    for (int r = 0; r < RANKS; r++)
        armilla_legendre_from_leg(ranks[r].legendre, &ranks[r].orders, &found, &s->work);
    armilla_ringfft_free(ringfft);
}

static void check_ranks(int64_t spin)
{
    scene s;
    rank ranks[RANKS];
    armilla_sht *sht;
    armilla_sht_options options;
    scene_open(&s, spin);
    armilla_sht_options_init(&options);
    options.spin = spin;
    const int64_t size = 2 * s.nsets * armilla_alm_size(LMAX, MMAX);
    double *alm = random_coefficients(&s), *expected = planned_synthesis(&s, alm);
    double *map = poisoned(s.nsets * s.npix), *back = poisoned(size), *serial = poisoned(size);
    for (int64_t r = 0; r < RANKS; r++) open_rank(&s, r, &ranks[r]);
    run_ranks(&s, ranks, alm, map, back);
    assert_memory_equal(map, expected, sizeof *map * (size_t)(s.nsets * s.npix));
    check_ok(armilla_sht_new(s.grid, LMAX, MMAX, &options, &sht));
    check_ok(armilla_sht_adjoint_synthesis(sht, expected, serial, NULL));
    assert_memory_equal(back, serial, sizeof *back * (size_t)size);
    for (int64_t r = 0; r < RANKS; r++) close_rank(&ranks[r]);
    armilla_sht_free(sht);
    armilla_release(map);
    armilla_release(back);
    armilla_release(serial);
    free(expected);
    free(alm);
    scene_close(&s);
}

static void ranks_have_the_bits_of_one(void **state)
{
    (void)state;
    check_ranks(0);
    check_ranks(2);
}

/* --- Instruction sets ------------------------------------------------------------------------ */

/* The largest difference of two legs of one layout over their existing entries. */
static double largest_difference(const armilla_leg *a, const armilla_leg *b)
{
    const armilla_leg_layout *layout = a->layout;
    const armilla_leg_block *block = &layout->blocks[0];
    double largest = 0;
    for (int64_t set = 0; set < a->nsets; set++)
        for (int64_t row = 0; row < layout->norders; row++)
            for (int64_t i = 0; i < 4 * block->npairs; i++) {
                if (layout->orders[row] > layout->pairs->limit[i / 4]) continue;
                const double difference =
                    armilla_leg_row(a, block, set, row)[i] - armilla_leg_row(b, block, set, row)[i];
                largest = larger_or_nan(fabs(difference), largest);
            }
    return largest;
}

static void check_instruction_sets(int64_t spin)
{
    scene s;
    scene_open(&s, spin);
    double *alm = random_coefficients(&s);
    const armilla_alm_rows rows = alm_rows(&s, alm);
    armilla_leg_layout layout = all_of(&s.pairs, s.pairs.count);
    const armilla_leg plain = {&layout, s.nsets, poisoned(s.nsets * layout.size), NULL, 0};
    const char *name;
    for (int i = 0; (name = armilla_isa_available(i)); i++) {
        armilla_isa isa;
        check_ok(armilla_isa_choose(name, &isa));
        const armilla_leg leg = {&layout, s.nsets, poisoned(s.nsets * layout.size), NULL, 0};
        armilla_legendre *legendre = make_legendre(&s, isa, MMAX + 1, NULL, 0);
        armilla_legendre_to_leg(legendre, &rows, i ? &leg : &plain, &s.work);
        if (i)
            check_at_most(largest_difference(&plain, &leg), 2e-13, "%s, spin %d", name, (int)spin);
        armilla_legendre_free(legendre);
        armilla_release(leg.values);
    }
    armilla_release(plain.values);
    armilla_leg_layout_clear(&layout);
    free(alm);
    scene_close(&s);
}

static void instruction_sets_have_one_leg(void **state)
{
    (void)state;
    check_instruction_sets(0);
    check_instruction_sets(2);
    check_instruction_sets(5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_stages_are_a_synthesis),
        cmocka_unit_test(rings_mix_without_a_legendre_plan),
        cmocka_unit_test(ranks_have_the_bits_of_one),
        cmocka_unit_test(instruction_sets_have_one_leg),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
