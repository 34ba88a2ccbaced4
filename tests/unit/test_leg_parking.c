/* Checks that entries of leg that wait in maps or in alm (leg/home.h) come back as they were,
 * whatever the place of a map in memory, and that nothing but their samples and rows is touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/integer.h"
#include "base/memory.h"
#include "leg/dispatch.h"
#include "leg/parking.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NRINGS = 41, LMAX = 50, NSETS = 2, ROW_LENGTH = 4 * NRINGS, GAP = 3, SHIFTS = 8 };

/* Rings from pole to pole, short ones and long ones; one has a stride, and one no mirror image. */
typedef struct {
    armilla_ring rings[NRINGS];
    double theta[NRINGS];
    armilla_ring_pairs pairs;
    int64_t npix;
} scene;

static void scene_open(scene *s)
{
    s->npix = GAP;
    for (int64_t i = 0; i < NRINGS; i++) {
        armilla_ring *ring = &s->rings[i];
        s->theta[i] = M_PI * (double)(i + 1) / (NRINGS + 2);
        *ring = (armilla_ring){.theta = s->theta[i], .offset = s->npix, .stride = i == 17 ? 2 : 1};
        ring->nphi = 1 + (int64_t)(150 * sin(s->theta[i]) * sin(s->theta[i]));
        s->npix += ring->nphi * ring->stride + GAP;
    }
    check_ok(armilla_ring_pairs_make_any(NRINGS, s->theta, LMAX, LMAX, 0, &s->pairs));
}

/* A number that tells its set, order, pair and place in the entry. */
static double number(int64_t set, int64_t m, int64_t pair, int64_t i)
{
    return (double)(((set * (LMAX + 1) + m) * NRINGS + pair) * 4 + i + 1);
}

static void copy(double *to, const double *from, int64_t row_length, int64_t count, int far)
{
    assert_true(far);
    assert_true(count <= 8);
    for (int64_t i = 0; i < count; i++) memcpy(to + 4 * i, from + i * row_length, 4 * sizeof *to);
}

static const armilla_leg_copies copies = {.entries = copy};

/* Which doubles of an array of two sets may be written. */
static unsigned char *samples_of(const scene *s)
{
    unsigned char *own = checked_calloc(s->npix, 1);
    for (int64_t i = 0; i < NRINGS; i++)
        for (int64_t j = 0; j < s->rings[i].nphi && s->rings[i].stride == 1; j++)
            own[s->rings[i].offset + j] = 1;
    return own;
}

static void put_all(const armilla_leg_home *home)
{
    double *rows = checked_malloc(8 * ROW_LENGTH, sizeof *rows);
    for (int64_t set = 0; set < NSETS; set++)
        for (int64_t first = 0; first <= LMAX; first += 8) {
            const int64_t count = armilla_smaller(8, LMAX + 1 - first);
            for (int64_t k = 0; k < 8 * ROW_LENGTH; k++)
                rows[k] = number(set, first + k / ROW_LENGTH, k % ROW_LENGTH / 4, k % 4);
            armilla_parking_put_orders(home, &copies, 1, set, first, count, rows, ROW_LENGTH);
        }
    free(rows);
}

/* `count` pairs from `pair` on: numbers that exist, -1 elsewhere. */
static void check_columns(const scene *s, int64_t set, int64_t pair, int64_t count,
                          const double *columns)
{
    for (int64_t m = 0; m <= LMAX; m++)
        for (int64_t k = 0; k < 4 * count; k++) {
            const int exists = m <= s->pairs.limit[pair + k / 4];
            const double expected = exists ? number(set, m, pair + k / 4, k % 4) : -1;
            assert_true(columns[m * 4 * count + k] == expected);
        }
}

static void take_all(const scene *s, const armilla_leg_home *home, int64_t together)
{
    const int64_t size = (LMAX + 1) * 4 * together;
    double *columns = checked_malloc(size, sizeof *columns);
    for (int64_t set = 0; set < NSETS; set++)
        for (int64_t pair = 0; pair < s->pairs.count; pair += together) {
            const int64_t count = armilla_smaller(together, s->pairs.count - pair);
            for (int64_t i = 0; i < size; i++) columns[i] = -1;
            armilla_parking_take_pairs(home, set, pair, count, columns);
            check_columns(s, set, pair, count, columns);
        }
    free(columns);
}

static void entries_wait_in_the_samples_of_their_rings(void **state)
{
    (void)state;
    scene s;
    armilla_leg_home home;
    scene_open(&s);
    unsigned char *own = samples_of(&s);
    check_ok(armilla_leg_home_in_maps(&s.pairs, s.rings, 0, &home));
    assert_true(home.rest_size > 0 && home.rest_size % 8 == 0);
    for (int64_t shift = 0; shift < SHIFTS; shift++) {
        double *memory, *rest;
        check_ok(armilla_allocate(&memory, NSETS * s.npix + SHIFTS, sizeof *memory));
        check_ok(armilla_allocate(&rest, NSETS * home.rest_size, sizeof *rest));
        for (int64_t i = 0; i < NSETS * s.npix + SHIFTS; i++) memory[i] = -2;
        home.rest = rest, home.values = memory + shift, home.distance = s.npix;
        put_all(&home);
        for (int64_t i = 0; i < NSETS * s.npix + SHIFTS; i++)
            if (i < shift || i >= shift + NSETS * s.npix || !own[(i - shift) % s.npix])
                assert_true(memory[i] == -2);
        take_all(&s, &home, 1);
        take_all(&s, &home, 4);
        armilla_release(memory), armilla_release(rest);
    }
    armilla_leg_home_clear(&home);
    armilla_ring_pairs_clear(&s.pairs);
    free(own);
}

/* --- In alm ---------------------------------------------------------------------------------- */

static void put_pairs(const armilla_leg_home *home, int64_t together)
{
    double *columns = checked_malloc((LMAX + 1) * 4 * together, sizeof *columns);
    for (int64_t set = 0; set < NSETS; set++)
        for (int64_t pair = 0; pair < home->npairs; pair += together) {
            const int64_t count = armilla_smaller(together, home->npairs - pair);
            for (int64_t k = 0; k < (LMAX + 1) * 4 * count; k++)
                columns[k] = number(set, k / (4 * count), pair + k % (4 * count) / 4, k % 4);
            armilla_parking_put_pairs(home, set, pair, count, columns);
        }
    free(columns);
}

/* Each order has its row still after all pairs are there: rows do not overlap. */
static void take_orders(const scene *s, const armilla_leg_home *home)
{
    double row[ROW_LENGTH];
    for (int64_t set = 0; set < NSETS; set++)
        for (int64_t m = 0; m <= LMAX; m++) {
            for (int64_t k = 0; k < ROW_LENGTH; k++) row[k] = -1;
            armilla_parking_take_order(home, set, m, row);
            for (int64_t k = 0; k < ROW_LENGTH; k++) {
                const int64_t pair = k / 4;
                const int parked = pair < home->npairs && m <= s->pairs.limit[pair];
                assert_true(row[k] == (parked ? number(set, m, pair, k % 4) : -1));
            }
        }
}

/* Entries that exist, of the pairs that are parked, and doubles that have been written. */
static void check_written(const scene *s, int64_t npairs, int64_t all, const double *alm)
{
    int64_t entries = 0, written = 0;
    for (int64_t pair = 0; pair < npairs; pair++) entries += s->pairs.limit[pair] + 1;
    for (int64_t i = 0; i < all; i++) written += alm[i] != -2;
    assert_int_equal(written, NSETS * 4 * entries);
}

static void entries_wait_in_the_rows_of_their_orders(void **state)
{
    (void)state;
    scene s;
    scene_open(&s);
    const int64_t size = armilla_alm_size(LMAX, LMAX), all = 2 * NSETS * size;
    armilla_leg_home home = armilla_leg_home_in_alm(&s.pairs, LMAX, LMAX);
    const int64_t npairs = home.npairs;
    int64_t mstart[LMAX + 1];
    for (int64_t m = 0; m <= LMAX; m++) mstart[m] = armilla_alm_index(LMAX, m, m) - m;
    assert_true(npairs > 4 && npairs < s.pairs.count);
    double *memory = checked_malloc(all + 2, sizeof *memory);
    for (int64_t i = 0; i < all + 2; i++) memory[i] = -2;
    home.values = memory + 1, home.distance = 2 * size;
    home.lmax = LMAX, home.mstart = mstart;
    for (int64_t together = 1; together <= 8; together *= 2) {
        put_pairs(&home, together);
        check_written(&s, npairs, all, memory + 1);
        take_orders(&s, &home);
    }
    assert_true(memory[0] == -2 && memory[all + 1] == -2);
    free(memory);
    armilla_ring_pairs_clear(&s.pairs);
}

/* --- Copies ---------------------------------------------------------------------------------- */

/* Rows of any size, from and to where vectors cannot begin, too. */
static void rows_past_the_caches_are_copies(void **state)
{
    (void)state;
    enum { SIZE = 80 };
    double *from, *to;
    check_ok(armilla_allocate(&from, SIZE, sizeof *from));
    check_ok(armilla_allocate(&to, SIZE, sizeof *to));
    for (int i = 0; i < SIZE; i++) from[i] = i + 1;
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++) {
        if (!armilla_isa_usable(isa)) continue;
        const armilla_leg_copies *kernels = armilla_leg_copies_find(isa);
        for (int64_t i = 0; i < 33 * 12; i++) {
            const int64_t first = i / 33, skip = first % 3, count = i % 33;
            memset(to, 0, SIZE * sizeof *to);
            kernels->row(to + first, from + skip, count);
            kernels->settle();
            for (int64_t k = 0; k < SIZE; k++) {
                const int inside = k >= first && k < first + count;
                assert_true(to[k] == (inside ? from[k - first + skip] : 0));
            }
        }
    }
    armilla_release(from), armilla_release(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_wait_in_the_samples_of_their_rings),
        cmocka_unit_test(entries_wait_in_the_rows_of_their_orders),
        cmocka_unit_test(rows_past_the_caches_are_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
