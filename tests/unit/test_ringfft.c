/* Checks the ring FFT stage on its own against direct sums in long double, both parts of the
 * orders against one pass, and adjointness: plain and strided maps of doubles and floats, single
 * rings, rings that cannot share an FFT, any shift, folded and padded rings, every instruction
 * set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/memory.h"
#include "oracle/checks.h"
#include "oracle/ring_waves.h"
#include "ringfft/way.h"
#include <math.h>
#include <string.h>

enum { PAIRS = 3, COLUMN = 2, ROW = 4 * PAIRS }; /* the pair in the middle is the one tested */

/* A pair of rings, and how the map holds them. */
typedef struct {
    int64_t n, south_n; /* south_n 0: no south ring; < 0: no north ring, -south_n samples */
    double phi0, south_phi0;
    int64_t stride;
    int is_float;
    int64_t last;
} problem;

static const problem problems[] = {
    {8, 8, 0, 0, 1, 0, 3},
    {64, 64, 0, 0, 1, 0, 31},
    {64, 64, M_PI / 64, M_PI / 64, 1, 0, 32}, /* HEALPix: half a pixel, one order folded */
    {1024, 1024, M_PI / 1024, M_PI / 1024, 1, 0, 512},
    {1024, 1024, 0.7, 0.7, 1, 0, 400},
    {1000, 1000, 0.1, 0.1, 1, 0, 499},                 /* quarters */
    {4096, 4096, M_PI / 4096, M_PI / 4096, 1, 0, 700}, /* eighths */
    {4200, 4200, 0.3, 0.3, 2, 0, 500},
    {1004, 1004, M_PI / 1004, M_PI / 1004, 1, 0, 420}, /* quarters, a rough length */
    {4, 4, M_PI / 4, M_PI / 4, 1, 0, 150},             /* heavily folded */
    {8, 8, M_PI / 8, M_PI / 8, 1, 0, 101},
    {12, 12, 0.3, 0.3, 1, 0, 77},
    {44, 44, 0.3, 0.3, 1, 0, 50}, /* folded, but rows fit into the samples */
    {1, 1, 0.2, 0.2, 1, 0, 13},
    {2, 2, 0, 0, 1, 0, 5},
    {7, 7, 0.5, 0.5, 1, 0, 3},
    {97, 97, 0.5, 0.5, 1, 0, 60}, /* no parts: transformed twice */
    {90, 90, 0, 0, 1, 0, 44},
    {256, 0, 0.4, 0, 1, 0, 128}, /* single rings */
    {0, -256, 0, 0.4, 1, 0, 100},
    {256, 256, 0, 0.4, 1, 0, 100},   /* different shifts */
    {256, 120, 0.1, 0.4, 1, 0, 100}, /* different lengths */
    {200, 200, 0.1, 0.1, 3, 0, 90},  /* strides */
    {200, 200, 0.1, 0.1, -2, 0, 101},
    {512, 512, 0.1, 0.1, 1, 1, 256}, /* floats */
    {204, 204, 0.1, 0.1, 2, 1, 100},
    {2560, 2560, M_PI / 2560, M_PI / 2560, 1, 0, 1280}, /* fours */
    {2500, 2500, 0.3, 0.3, 2, 0, 1400},
    {2400, 0, 0.3, 0, 1, 0, 3},
    {2160, 2160, 0.3, 0.3, 1, 1, 2500},
    {64, 64, 0.1, 0.1, 1, 0, 0},
    {64, 64, 0.1, 0.1, 1, 0, 5},
    {64, 64, 0.1, 0.1, 1, 0, 12},
    {64, 64, 0.1, 0.1, 1, 0, 13},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

static const double weights[2] = {0.75, 1.5};

typedef struct {
    const problem *p;
    armilla_ringfft *ringfft;
    armilla_ring rings[2];
    armilla_ring_pair pair;
    armilla_array map;
    int64_t map_size, longest;
    double *scratch;
} bench;

static void *allocated(int64_t count, size_t size)
{
    void *result;
    assert_int_equal(armilla_allocate_zero(&result, count, size), ARMILLA_OK);
    return result;
}

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53 - 0.5;
}

static armilla_ring make_ring(const problem *p, int64_t n, double phi0, int64_t offset,
                              double weight)
{
    if (p->stride < 0) offset += (n - 1) * -p->stride;
    return (armilla_ring){1, n, phi0, offset, p->stride, weight};
}

static bench set_up(const problem *p, armilla_isa isa)
{
    bench b = {.p = p};
    int64_t north = p->n, south = p->south_n < 0 ? -p->south_n : p->south_n, nrings = 0;
    int64_t step = p->stride < 0 ? -p->stride : p->stride;
    b.pair = (armilla_ring_pair){-1, -1, p->last};
    if (north > 0) {
        b.pair.north = nrings;
        b.rings[nrings++] = make_ring(p, north, p->phi0, 5, weights[0]);
    }
    if (south > 0) {
        b.pair.south = nrings;
        b.rings[nrings++] = make_ring(p, south, p->south_phi0, 5 + north * step, weights[1]);
    }
    b.map_size = 5 + (north + south) * step + 5;
    b.longest = north > south ? north : south;
    b.map = (armilla_array){allocated(b.map_size, p->is_float ? 4 : 8), p->is_float};
    assert_int_equal(
        armilla_ringfft_new(&(armilla_ringfft_problem){armilla_machine_with(isa), nrings, b.rings,
                                                       p->last, 1, NULL, NULL, 0},
                            &b.ringfft),
        ARMILLA_OK);
    b.scratch = allocated(armilla_ringfft_scratch_size(b.ringfft), sizeof *b.scratch);
    return b;
}

static void tear_down(bench *b)
{
    armilla_release(b->map.values);
    armilla_release(b->scratch);
    armilla_ringfft_free(b->ringfft);
}

static double get_sample(const bench *b, int64_t i)
{
    return b->map.is_float ? (double)((float *)b->map.values)[i] : ((double *)b->map.values)[i];
}

static void set_sample(const bench *b, int64_t i, double value)
{
    if (b->map.is_float)
        ((float *)b->map.values)[i] = (float)value;
    else
        ((double *)b->map.values)[i] = value;
}

/* leg of all orders, one entry per row: north re, im, south re, im. */
static double *random_leg(int64_t last)
{
    double *leg = allocated(4 * (last + 1), sizeof *leg);
    uint64_t seed = (uint64_t)last + 3;
    for (int64_t i = 0; i < 4 * (last + 1); i++) leg[i] = uniform(&seed);
    leg[1] = leg[3] = 0; /* order 0 is real */
    return leg;
}

/* The rows of a pass, in the middle column; the other columns and missing rows are not numbers. */
static double *part_leg(armilla_orders part, int64_t last, const double *leg)
{
    int64_t rows = armilla_orders_rows(part, last);
    double *result = allocated(rows * ROW, sizeof *result);
    for (int64_t i = 0; i < rows * ROW; i++) result[i] = NAN;
    for (int64_t m = 0; m <= last && leg; m++) {
        int64_t row = armilla_orders_row(part, m);
        if (row >= 0) memcpy(result + row * ROW + 2 * COLUMN, leg + 4 * m, 4 * sizeof *leg);
    }
    return result;
}

/* The way of the pair where no lanes are. */
static const armilla_ring_way *way_of(armilla_orders part)
{
    return part ? &armilla_ring_way_parts : &armilla_ring_way_alone;
}

static armilla_ring_batch make_batch(const bench *b, armilla_orders part, int weighted,
                                     double *rows)
{
    return (armilla_ring_batch){.ringfft = b->ringfft,
                                .mode = {.weighted = weighted, .part = part},
                                .sets = {.count = 1, .row_length = ROW},
                                .count = 1,
                                .pairs = &b->pair,
                                .leg = rows + 2 * COLUMN,
                                .map = b->map,
                                .scratch = b->scratch};
}

static void synthesize_part(const bench *b, armilla_orders part, int weighted, const double *leg)
{
    double *rows = part_leg(part, b->p->last, leg);
    const armilla_ring_batch batch = make_batch(b, part, weighted, rows);
    way_of(part)->run(&batch, 1);
    armilla_release(rows);
}

static void synthesize(const bench *b, int parts, int weighted, const double *leg)
{
    for (int64_t i = 0; i < b->map_size; i++) set_sample(b, i, 12345);
    if (parts) {
        synthesize_part(b, ARMILLA_ORDERS_FIRST, weighted, leg);
        synthesize_part(b, ARMILLA_ORDERS_SECOND, weighted, leg);
    } else {
        synthesize_part(b, ARMILLA_ORDERS_ALL, weighted, leg);
    }
}

static void analyse_part(const bench *b, armilla_orders part, int weighted, double *leg)
{
    double *rows = part_leg(part, b->p->last, NULL);
    const armilla_ring_batch batch = make_batch(b, part, weighted, rows);
    way_of(part)->run(&batch, 0);
    for (int64_t i = 0; i < armilla_orders_rows(part, b->p->last); i++) {
        int64_t m = armilla_orders_at(part, i);
        const double *row = rows + i * ROW;
        if (m <= b->p->last) memcpy(leg + 4 * m, row + 2 * COLUMN, 4 * sizeof *leg);
        assert_true(isnan(row[2 * COLUMN - 1]) && isnan(row[2 * COLUMN + 4]));
        if (m > b->p->last) assert_true(isnan(row[2 * COLUMN]));
    }
    armilla_release(rows);
}

static double *analyse(const bench *b, int parts, int weighted)
{
    double *leg = allocated(4 * (b->p->last + 1), sizeof *leg);
    if (parts) {
        analyse_part(b, ARMILLA_ORDERS_FIRST, weighted, leg);
        analyse_part(b, ARMILLA_ORDERS_SECOND, weighted, leg);
    } else {
        analyse_part(b, ARMILLA_ORDERS_ALL, weighted, leg);
    }
    return leg;
}

static void random_map(const bench *b)
{
    uint64_t seed = (uint64_t)b->map_size;
    for (int64_t i = 0; i < b->map_size; i++) set_sample(b, i, uniform(&seed));
}

static int64_t ring_index(const bench *b, int ring, int64_t j)
{
    return b->rings[ring].offset + j * b->rings[ring].stride;
}

/* Ring number `ring` of the plan: entries 0, 1 or 2, 3 of a row. */
static int side_of(const bench *b, int ring)
{
    return b->pair.north == ring ? 0 : 2;
}

static void check(const bench *b, const char *what, double error, double norm, double bound)
{
    if (error <= bound * norm) return;
    const problem *p = b->p;
    print_error("%s: n %lld %lld phi0 %g stride %lld float %d last %lld: error %g, bound %g\n",
                what, (long long)p->n, (long long)p->south_n, p->phi0, (long long)p->stride,
                p->is_float, (long long)p->last, error / norm, bound);
    fail();
}

static double bound_of(const bench *b)
{
    return b->p->is_float ? 3e-7 : 2e-15;
}

/* At some forty samples of each ring. */
static void check_synthesis(const bench *b, const ring_waves *of, const double *leg, int parts,
                            int weighted)
{
    synthesize(b, parts, weighted, leg);
    double error = 0, norm = 0;
    for (int ring = 0; ring < 2 && b->rings[ring].nphi; ring++) {
        const double *f = leg + side_of(b, ring);
        for (int64_t j = 0; j < b->rings[ring].nphi; j += b->rings[ring].nphi / 40 + 1) {
            long double sum = f[0], factor[2];
            for (int64_t m = 1; m <= b->p->last; m++) {
                ring_wave(&of[ring], m, j, factor);
                sum += 2 * (f[4 * m] * factor[0] - f[4 * m + 1] * factor[1]);
            }
            double expected = (double)(sum * (weighted ? b->rings[ring].weight : 1));
            double difference = get_sample(b, ring_index(b, ring, j)) - expected;
            error += difference * difference, norm += expected * expected;
        }
    }
    check(b, "synthesis", sqrt(error), sqrt(norm), bound_of(b));
}

/* At some 64 orders. */
static void check_analysis(const bench *b, const ring_waves *of, int parts, int weighted)
{
    random_map(b);
    double *leg = analyse(b, parts, weighted), error = 0, norm = 0;
    for (int64_t m = 0; m <= b->p->last; m += b->p->last / 64 + 1)
        for (int ring = 0; ring < 2; ring++) {
            long double re = 0, im = 0, factor[2];
            for (int64_t j = 0; j < b->rings[ring].nphi; j++) {
                ring_wave(&of[ring], m, j, factor);
                re += get_sample(b, ring_index(b, ring, j)) * factor[0];
                im -= get_sample(b, ring_index(b, ring, j)) * factor[1];
            }
            if (!b->rings[ring].nphi) continue;
            double weight = weighted ? b->rings[ring].weight : 1;
            const double *f = leg + 4 * m + side_of(b, ring);
            error += pow(f[0] - (double)re * weight, 2) + pow(f[1] - (double)im * weight, 2);
            norm += (double)(re * re + im * im) * weight * weight;
        }
    check(b, "analysis", sqrt(error), sqrt(norm), 2e-15);
    armilla_release(leg);
}

static void each_isa(void (*test)(const problem *p, armilla_isa isa))
{
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        for (int i = 0; i < PROBLEMS; i++)
            if (armilla_isa_usable((armilla_isa)isa) && !(checks_quick() && (i + isa) % 2))
                test(&problems[i], (armilla_isa)isa);
}

static void check_sums(const problem *p, armilla_isa isa)
{
    bench b = set_up(p, isa);
    double *leg = random_leg(p->last);
    ring_waves of[2] = {new_ring_waves(&b.rings[0], p->last), new_ring_waves(&b.rings[1], p->last)};
    for (int parts = 0; parts < 2; parts++)
        for (int weighted = 0; weighted < 2; weighted++) {
            check_synthesis(&b, of, leg, parts, weighted);
            check_analysis(&b, of, parts, weighted);
        }
    for (int ring = 0; ring < 2; ring++) free_ring_waves(&of[ring]);
    armilla_release(leg);
    tear_down(&b);
}

static void both_directions_match_direct_sums(void **state)
{
    (void)state;
    each_isa(check_sums);
}

static double *copy_map(const bench *b)
{
    double *copy = allocated(b->map_size, sizeof *copy);
    for (int64_t i = 0; i < b->map_size; i++) copy[i] = get_sample(b, i);
    return copy;
}

static double largest_difference(int64_t count, const double *a, const double *b, double *largest)
{
    double error = 0;
    *largest = 0;
    for (int64_t i = 0; i < count; i++) {
        error = larger_or_nan(error, fabs(a[i] - b[i]));
        *largest = larger_or_nan(*largest, fabs(a[i]));
    }
    return error;
}

static void check_parts(const problem *p, armilla_isa isa)
{
    bench b = set_up(p, isa);
    double *leg = random_leg(p->last), largest;
    synthesize(&b, 0, 1, leg);
    double *whole = copy_map(&b);
    synthesize(&b, 1, 1, leg);
    double *halves = copy_map(&b); /* untouched samples included: they stay 12345 */
    double error = largest_difference(b.map_size, whole, halves, &largest);
    largest = 0;
    for (int64_t i = 0; i < b.map_size; i++)
        if (whole[i] != 12345) largest = larger_or_nan(largest, fabs(whole[i]));
    check(&b, "map of parts", error, largest, p->is_float ? 3e-7 : 1e-15);
    armilla_release(whole);
    armilla_release(halves);
    random_map(&b);
    whole = analyse(&b, 0, 1), halves = analyse(&b, 1, 1);
    error = largest_difference(4 * (p->last + 1), whole, halves, &largest);
    check(&b, "leg of parts", error, largest, 1e-15);
    armilla_release(whole);
    armilla_release(halves);
    armilla_release(leg);
    tear_down(&b);
}

static void two_parts_equal_one_pass(void **state)
{
    (void)state;
    each_isa(check_parts);
}

/* <Y leg, map> = <leg, Y^T map>, orders above 0 counted twice */
static void check_adjoint(const problem *p, armilla_isa isa)
{
    bench b = set_up(p, isa);
    for (int parts = 0; parts < 2 && !p->is_float; parts++) {
        double *leg = random_leg(p->last), left = 0, right = 0, size = 0;
        random_map(&b);
        double *map = copy_map(&b), *back = analyse(&b, parts, 1);
        synthesize(&b, parts, 1, leg);
        for (int ring = 0; ring < 2; ring++)
            for (int64_t j = 0; j < b.rings[ring].nphi; j++) {
                int64_t i = ring_index(&b, ring, j);
                left += get_sample(&b, i) * map[i];
                size += fabs(get_sample(&b, i) * map[i]);
            }
        for (int64_t i = 0; i < 4 * (p->last + 1); i++) {
            int ring = (int)(i % 4 < 2 ? b.pair.north : b.pair.south);
            if (ring >= 0) right += (i < 4 ? 1 : 2) * leg[i] * back[i];
        }
        check(&b, "adjoint", fabs(left - right), size, 1e-15);
        armilla_release(leg);
        armilla_release(map);
        armilla_release(back);
    }
    tear_down(&b);
}

static void directions_are_adjoint(void **state)
{
    (void)state;
    each_isa(check_adjoint);
}

static void parts_share_the_orders(void **state)
{
    (void)state;
    for (int64_t mmax = 0; mmax < 40; mmax++) {
        int64_t rows[3] = {0, 0, 0};
        for (int64_t m = 0; m <= mmax; m++) {
            int64_t first = armilla_orders_row(ARMILLA_ORDERS_FIRST, m);
            int64_t second = armilla_orders_row(ARMILLA_ORDERS_SECOND, m);
            assert_true((first < 0) != (second < 0));
            armilla_orders part = first < 0 ? ARMILLA_ORDERS_SECOND : ARMILLA_ORDERS_FIRST;
            int64_t row = first < 0 ? second : first;
            assert_int_equal(armilla_orders_at(part, row), m);
            assert_int_equal((row - m) % 2, 0); /* even and odd take turns */
            if (row >= rows[part]) rows[part] = row + 1;
            assert_int_equal(armilla_orders_row(ARMILLA_ORDERS_ALL, m), m);
        }
        for (int part = 1; part < 3; part++)
            assert_int_equal(armilla_orders_rows((armilla_orders)part, mmax), rows[part]);
        assert_int_equal(armilla_orders_rows(ARMILLA_ORDERS_ALL, mmax), mmax + 1);
    }
}

static void failing_allocations_are_reported(void **state)
{
    (void)state;
    const armilla_ring rings[2] = {{1, 44, 0, 0, 1, 1}, {2, 44, 0, 44, 1, 1}};
    int64_t size[2];
    for (int parts = 0; parts < 2; parts++) {
        armilla_ringfft *ringfft = NULL;
        for (int64_t n = 0;; n++) {
            armilla_memory_fail_after(n);
            armilla_status status = armilla_ringfft_new(
                &(armilla_ringfft_problem){armilla_machine_with(ARMILLA_ISA_SCALAR), 2, rings, 20,
                                           parts, NULL, NULL, 0},
                &ringfft);
            armilla_memory_fail_after(-1);
            if (status == ARMILLA_OK) break;
            assert_int_equal(status, ARMILLA_ERROR_MEMORY);
            assert_null(ringfft);
        }
        size[parts] = armilla_ringfft_scratch_size(ringfft);
        armilla_ringfft_free(ringfft);
    }
    assert_true(size[1] > size[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_directions_match_direct_sums),
        cmocka_unit_test(two_parts_equal_one_pass),
        cmocka_unit_test(directions_are_adjoint),
        cmocka_unit_test(parts_share_the_orders),
        cmocka_unit_test(failing_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
