/* Checks the ring FFT stage over whole legs against direct sums in long double, and that entries
 * that do not exist are never read (they are not numbers) and nothing outside of the pairs'
 * columns is ever written: all orders in one pass and in two parts, all instruction sets, lanes
 * and pairs alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_ringfft_scene.h"

/* --- Direct sums ----------------------------------------------------------------------------- */

static int64_t ring_of_entry(const bench *b, int64_t pair, int south)
{
    return south ? b->pairs.south[pair] : b->pairs.north[pair];
}

static int64_t sample_index(const bench *b, int64_t set, int64_t ring, int64_t j)
{
    return set * b->maps.distance + b->rings[ring].offset + j * b->rings[ring].stride;
}

static double direct_sample(const bench *b, int64_t set, int64_t pair, int south, int64_t j)
{
    const int64_t ring = ring_of_entry(b, pair, south);
    long double sum = 0, wave[2];
    for (int64_t m = 0; m <= b->pairs.limit[pair]; m++) {
        ring_wave(&b->waves[ring], m, j, wave);
        sum += (m ? 2 : 1) * (value_of(b, set, m, pair, 2 * south) * wave[0] -
                              value_of(b, set, m, pair, 2 * south + 1) * wave[1]);
    }
    return (double)(b->maps.weighted ? b->rings[ring].weight * sum : sum);
}

/* The expected map, OTHER_SAMPLE where there is no sample. */
static double *direct_map(const bench *b)
{
    double *map = checked_malloc(b->map_size, sizeof *map);
    for (int64_t i = 0; i < b->map_size; i++) map[i] = OTHER_SAMPLE;
    for (int64_t set = 0; set < b->p->nsets; set++)
        for (int64_t i = 0; i < 2 * b->pairs.count; i++) {
            const int64_t ring = ring_of_entry(b, i / 2, i % 2);
            for (int64_t j = 0; ring >= 0 && j < b->rings[ring].nphi; j++)
                map[sample_index(b, set, ring, j)] = direct_sample(b, set, i / 2, i % 2, j);
        }
    return map;
}

/* Samples by rms, everything else exactly. */
static void check_map(const bench *b, const double *expected)
{
    double error = 0, norm = 0;
    for (int64_t i = 0; i < b->map_size; i++) {
        const double value = armilla_array_get(b->maps.values, i);
        if (expected[i] == OTHER_SAMPLE) {
            assert_true(value == OTHER_SAMPLE);
            continue;
        }
        error += (value - expected[i]) * (value - expected[i]), norm += expected[i] * expected[i];
    }
    check_at_most(sqrt(error / norm), b->p->is_float ? 6e-8 : 1e-15, "synthesis, problem %d, %s",
                  (int)(b->p - problems), armilla_isa_label(b->isa));
}

static void check_synthesis(bench *b)
{
    for (b->maps.weighted = 0; b->maps.weighted < 2; b->maps.weighted++) {
        double *expected = direct_map(b);
        for (int parts = 0; parts < 2; parts++) {
            fill_map(b, 0);
            synthesise(b, &b->pairs, parts);
            check_map(b, expected);
        }
        free(expected);
    }
}

typedef struct {
    long double error, norm;
} sums;

static void compare_entry(const bench *b, int64_t set, int64_t m, int64_t pair, double *entry,
                          void *data)
{
    sums *s = data;
    for (int south = 0; south < 2; south++) {
        const int64_t ring = ring_of_entry(b, pair, south);
        long double re = 0, im = 0, wave[2];
        for (int64_t j = 0; ring >= 0 && j < b->rings[ring].nphi; j++) {
            ring_wave(&b->waves[ring], m, j, wave);
            const double sample = armilla_array_get(b->maps.values, sample_index(b, set, ring, j));
            re += sample * wave[0], im -= sample * wave[1];
        }
        const double weight = ring >= 0 && b->maps.weighted ? b->rings[ring].weight : 1;
        const long double d_re = entry[2 * south] - weight * re;
        const long double d_im = entry[2 * south + 1] - weight * im;
        s->error += d_re * d_re + d_im * d_im, s->norm += weight * weight * (re * re + im * im);
        if (ring < 0) assert_true(entry[2 * south] == 0 && entry[2 * south + 1] == 0);
    }
}

/* Nothing but the columns of the pairs is written. */
static void check_padding(const owned_leg *o)
{
    const armilla_leg leg = view(o);
    for (int64_t i = o->size - guard_size(); i < o->size; i++) assert_true(isnan(o->leg.values[i]));
    for (int64_t i = 0; i < o->layout.nblocks; i++) {
        const armilla_leg_block *block = &o->layout.blocks[i];
        for (int64_t row = 0; row < leg.nsets * block->nrows; row++)
            for (int64_t k = 4 * block->npairs; k < block->row_length; k++)
                assert_true(isnan(armilla_leg_row(&leg, block, 0, row)[k]));
    }
}

static void check_analysis(bench *b)
{
    for (int i = 0; i < 4; i++) {
        const int parts = i / 2;
        sums s = {0, 0};
        b->maps.weighted = i % 2;
        fill_map(b, 17);
        double *before = copy_map(b);
        for (armilla_orders kind = first_kind(parts); kind <= last_kind(parts); kind++) {
            owned_leg o = new_leg(b, &b->pairs, kind);
            run(b, &o, 0);
            each_entry(b, &o, compare_entry, &s);
            check_padding(&o);
            free_leg(&o);
        }
        double *after = copy_map(b);
        assert_memory_equal(before, after, sizeof *after * (size_t)b->map_size);
        check_at_most((double)sqrtl(s.error / s.norm), 1e-15, "analysis, problem %d, %s",
                      (int)(b->p - problems), armilla_isa_label(b->isa));
        free(before), free(after);
    }
}

static void maps_are_the_direct_sums(void **state)
{
    (void)state;
    each_problem(check_synthesis);
}

static void legs_are_the_direct_sums(void **state)
{
    (void)state;
    each_problem(check_analysis);
}

/* --- Adjointness ----------------------------------------------------------------------------- */

static void add_products(const bench *b, int64_t set, int64_t m, int64_t pair, double *entry,
                         void *data)
{
    for (int i = 0; i < 4; i++)
        *(double *)data += (m ? 2 : 1) * entry[i] * value_of(b, set, m, pair, i);
}

/* <Y leg, map> = <leg, Y^T map> */
static void check_adjoint(bench *b)
{
    if (b->p->is_float) return;
    for (int parts = 0; parts < 2; parts++) {
        double left = 0, right = 0, size = 0;
        fill_map(b, 0);
        synthesise(b, &b->pairs, parts);
        double *map = copy_map(b);
        fill_map(b, 29);
        for (int64_t i = 0; i < b->map_size; i++) {
            const double other = armilla_array_get(b->maps.values, i);
            if (map[i] != OTHER_SAMPLE) left += map[i] * other, size += fabs(map[i] * other);
        }
        for (armilla_orders kind = first_kind(parts); kind <= last_kind(parts); kind++) {
            owned_leg o = new_leg(b, &b->pairs, kind);
            run(b, &o, 0);
            each_entry(b, &o, add_products, &right);
            free_leg(&o);
        }
        check_at_most(fabs(left - right) / size, 1e-15, "adjoint, problem %d, %s",
                      (int)(b->p - problems), armilla_isa_label(b->isa));
        free(map);
    }
}

static void directions_are_adjoint(void **state)
{
    (void)state;
    each_problem(check_adjoint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_are_the_direct_sums),
        cmocka_unit_test(legs_are_the_direct_sums),
        cmocka_unit_test(directions_are_adjoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
