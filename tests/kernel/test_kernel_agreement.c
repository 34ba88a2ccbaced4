/* Checks that the inner loops of the Legendre stage agree: every instruction set, from kept
 * starts, with matrices and from p_0 on, with the scalar one from p_0 on, on many ring pairs,
 * blocks of pairs and lengths of rows; and that each analysis kernel is the transpose of its
 * synthesis kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/machine.h"
#include "base/memory.h"
#include "legendre/plan.h"
#include "oracle/checks.h"
#include <fenv.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_RINGS = 300 };

/* Colatitudes from pole to pole, mirrored but for every fifth, poles and equator included. */
static int64_t make_rings(int64_t count, double *theta)
{
    uint64_t stream = 51;
    int64_t nrings = 0;
    theta[nrings++] = M_PI / 2;
    while (nrings + 1 < count) {
        double t = nrings == 1 ? 0 : acos((random_next(&stream) + 1) / 2);
        theta[nrings++] = t;
        if (nrings % 5) theta[nrings++] = M_PI - t;
    }
    return nrings;
}

typedef struct {
    int64_t lmax, spin, nrings;
    int recurrence_only;
    const double *theta;
    const int64_t *block_ends; /* NULL: blocks of the same size */
    int64_t bytes;             /* of starts of large band limits; 0: none */
    int64_t cache_bytes;       /* 0: ARMILLA_CACHE_NEAR, so that tests are those of any machine */
} shape;

typedef struct {
    armilla_ring_pairs pairs;
    armilla_legendre *legendre;
    int64_t block_npairs, nrings;
    const int64_t *block_ends;
    double *alm, *leg, *scratch;
    armilla_legendre_sets sets;
} stage;

/* keep_tables: -1 for stages that keep nothing for the next call. */
static void stage_open(stage *s, armilla_isa isa, const shape *of, int64_t block_npairs,
                       int keep_tables)
{
    armilla_legendre_problem problem = {.machine = armilla_machine_with(isa),
                                        .lmax = of->lmax,
                                        .norders = of->lmax + 1,
                                        .spin = of->spin,
                                        .recurrence_only = of->recurrence_only,
                                        .pairs = &s->pairs,
                                        .block_size = block_npairs,
                                        .block_ends = of->block_ends,
                                        .keep_tables = keep_tables};
    problem.cache_bytes = of->cache_bytes ? of->cache_bytes : ARMILLA_CACHE_NEAR;
    check_ok(
        armilla_ring_pairs_make(of->nrings, of->theta, of->lmax, of->lmax, of->spin, &s->pairs));
    check_ok(armilla_legendre_new(&problem, &s->legendre));
    if (of->bytes && keep_tables >= 0)
        check_ok(armilla_legendre_keep_starts(s->legendre, of->bytes));
    s->block_npairs = block_npairs, s->nrings = of->nrings, s->block_ends = of->block_ends;
    int64_t length = armilla_legendre_alm_row(s->legendre, 0);
    int64_t columns = s->pairs.count + 1;
    check_ok(armilla_allocate_zero(&s->alm, 2 * length, sizeof(double)));
    check_ok(armilla_allocate_zero(&s->leg, 8 * columns, sizeof(double)));
    check_ok(armilla_allocate_zero(&s->scratch, armilla_legendre_scratch_size(s->legendre, 2),
                                   sizeof(double)));
    s->sets = (armilla_legendre_sets){.count = of->spin ? 2 : 1,
                                      .alm = s->alm,
                                      .alm_stride = length,
                                      .leg = s->leg,
                                      .leg_stride = 4 * columns};
}

static void stage_close(stage *s)
{
    armilla_release(s->scratch);
    armilla_release(s->leg);
    armilla_release(s->alm);
    armilla_legendre_free(s->legendre);
    armilla_ring_pairs_clear(&s->pairs);
}

/* Copies between the leg of a block of pairs and value[set][2 * ring]. Entries that do not exist
 * are NaN in leg: they must not be read. */
static void exchange(stage *s, int64_t first, int64_t npairs, int64_t m, double *value, int to_leg)
{
    for (int64_t i = 0; i < s->sets.count * npairs * 2; i++) {
        const int64_t side = i % 2, offset = i / 2 % npairs, set = i / 2 / npairs;
        const int64_t pair = first + offset;
        const int64_t ring = side ? s->pairs.south[pair] : s->pairs.north[pair];
        double *leg = s->leg + set * s->sets.leg_stride + 4 * offset + 2 * side;
        double *of_ring = value + 2 * (set * s->nrings + (ring < 0 ? 0 : ring));
        if (to_leg && s->pairs.limit[pair] < m)
            leg[0] = leg[1] = NAN;
        else if (to_leg)
            leg[0] = ring < 0 ? 0 : of_ring[0], leg[1] = ring < 0 ? 0 : of_ring[1];
        else if (ring >= 0 && s->pairs.limit[pair] >= m)
            of_ring[0] = leg[0], of_ring[1] = leg[1];
    }
}

static int64_t block_end(const stage *s, int64_t first)
{
    const int64_t rest = s->pairs.count - first, *end = s->block_ends;
    while (end && *end <= first) end++;
    if (end) return *end;
    return first + (rest < s->block_npairs ? rest : s->block_npairs);
}

/* The place behind a row belongs to others. */
static void guard(stage *s, int64_t npairs)
{
    for (int64_t set = 0; set < s->sets.count; set++)
        s->leg[set * s->sets.leg_stride + 4 * npairs] = 12345;
}

static void check_guard(const stage *s, int64_t npairs)
{
    for (int64_t set = 0; set < s->sets.count; set++)
        assert_true(s->leg[set * s->sets.leg_stride + 4 * npairs] == 12345);
}

/* What is behind lmax: zeros, or, where a plan keeps a matrix, what belongs to others. */
static double behind_lmax(const stage *s, int64_t m)
{
    return armilla_legendre_kept_matrix(s->legendre, m) ? NAN : 0;
}

/* Coefficients of order m; those of degrees below the spin are 0, as in every transform. */
static void fill_alm(stage *s, int64_t m, uint64_t seed)
{
    const armilla_legendre *legendre = s->legendre;
    for (int64_t set = 0; set < s->sets.count; set++) {
        double *row = s->alm + set * s->sets.alm_stride;
        for (int64_t i = 0; i < s->sets.alm_stride; i++)
            row[i] = i < 2 * (legendre->lmax - m + 1) ? 0 : behind_lmax(s, m);
        if (seed) random_fill(seed + (uint64_t)set, 2 * (legendre->lmax - m + 1), row);
        for (int64_t l = m; l < legendre->spin; l++) row[2 * (l - m)] = row[2 * (l - m) + 1] = 0;
    }
}

/* value[set][2 * ring]: F_m on all rings, block after block; rings that do not matter stay 0. */
static void synthesize(stage *s, int64_t m, uint64_t seed, double *value)
{
    fill_alm(s, m, seed);
    for (int64_t i = 0; i < s->sets.count * 2 * s->nrings; i++) value[i] = 0;
    for (int64_t first = 0, end; first < s->pairs.count; first = end) {
        end = block_end(s, first);
        guard(s, end - first);
        armilla_legendre_synthesis(s->legendre, first, end - first, m, &s->sets, s->scratch);
        check_guard(s, end - first);
        exchange(s, first, end - first, m, value, 0);
    }
}

/* alm[set][2 (l - m)], the transpose of synthesize applied to value. */
static void analyze(stage *s, int64_t m, double *value, double *alm)
{
    const armilla_legendre *legendre = s->legendre;
    const int64_t count = 2 * (legendre->lmax - m + 1);
    for (int64_t i = 0; i < 2 * s->sets.alm_stride; i++)
        s->alm[i] = NAN; /* the first call writes */
    for (int64_t first = 0, end; first < s->pairs.count; first = end) {
        end = block_end(s, first);
        exchange(s, first, end - first, m, value, 1);
        s->sets.add = first > 0;
        armilla_legendre_analysis(legendre, first, end - first, m, &s->sets, s->scratch);
        for (int64_t set = 0; set < s->sets.count; set++)
            for (int64_t i = count; i < armilla_legendre_alm_row(legendre, 0); i++) {
                double *behind = &s->alm[set * s->sets.alm_stride + i];
                if (isnan(behind_lmax(s, m))) assert_true(isnan(*behind));
                *behind = behind_lmax(s, m);
            }
    }
    const int64_t below = m < legendre->spin ? 2 * (legendre->spin - m) : 0;
    for (int64_t set = 0; set < s->sets.count; set++)
        for (int64_t i = 0; i < count; i++)
            alm[set * count + i] = i < below ? 0 : s->alm[set * s->sets.alm_stride + i];
}

static void compare_order(stage *plain, stage *fast, int64_t m, const char *label)
{
    const int64_t nsets = plain->sets.count, row = 2 * (plain->legendre->lmax - m + 1);
    const int64_t nvalues = nsets * 2 * plain->nrings, count = nsets * row;
    double *expected = checked_malloc(nvalues, 8), *value = checked_malloc(nvalues, 8);
    double *alm = checked_malloc(count, 8), *back = checked_malloc(count, 8);
    double *signal = checked_malloc(nvalues, 8);
    double bound = 1e-15 * fmax((double)plain->legendre->lmax, 100);
    synthesize(plain, m, 52, expected);
    synthesize(fast, m, 52, value);
    check_at_most(rms_error(nvalues, expected, value), bound, "%s: synthesis, m = %lld", label,
                  (long long)m);
    random_fill(53, nvalues, signal);
    analyze(plain, m, signal, alm);
    analyze(fast, m, signal, back);
    check_at_most(rms_error(count, alm, back), bound, "%s: analysis, m = %lld", label,
                  (long long)m);
    fill_alm(fast, m, 52);
    for (int64_t set = 0; set < nsets; set++)
        for (int64_t i = 0; i < row; i++)
            alm[set * row + i] = fast->alm[set * fast->sets.alm_stride + i];
    double left = dot_maps(nvalues, value, signal), right = dot_maps(count, alm, back);
    double scale = sqrt(dot_maps(nvalues, value, value) * dot_maps(nvalues, signal, signal));
    check_at_most(fabs(left - right), 1e-14 * scale, "%s: transpose, m = %lld", label,
                  (long long)m);
    free(signal);
    free(back);
    free(alm);
    free(value);
    free(expected);
}

static void compare_stages(stage *plain, armilla_isa isa, const shape *of, int64_t block_npairs,
                           int keep_tables)
{
    stage fast;
    stage_open(&fast, isa, of, block_npairs, keep_tables);
    for (int64_t m = 0; m <= of->lmax; m += 1 + m / 3)
        compare_order(plain, &fast, m, armilla_isa_label(isa));
    compare_order(plain, &fast, of->lmax, armilla_isa_label(isa));
    stage_close(&fast);
}

static void compare_shape(const shape *of, int64_t block_npairs)
{
    stage plain;
    shape whole = *of;
    whole.block_ends = NULL;
    stage_open(&plain, ARMILLA_ISA_SCALAR, &whole, 1 << 20, -1);
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        for (int keep_tables = -1; keep_tables <= 0; keep_tables++)
            if (armilla_isa_usable((armilla_isa)isa))
                compare_stages(&plain, (armilla_isa)isa, of, block_npairs, keep_tables);
    stage_close(&plain);
}

/* Scalars, and fields of the spins that take a way of their own. */
static void compare_all(int64_t lmax, int64_t wanted_rings, int64_t block_npairs)
{
    static const int64_t spins[] = {0, 1, 2, -3, 3, 5};
    double theta[MOST_RINGS];
    const int64_t nrings = make_rings(wanted_rings, theta);
    for (size_t i = 0; i < sizeof spins / sizeof *spins; i++) {
        const shape of = {lmax, spins[i], nrings, spins[i] == 3, theta, NULL, 0, 0};
        if (llabs(spins[i]) <= lmax) compare_shape(&of, block_npairs);
    }
    const shape top = {lmax, lmax, nrings, 0, theta, NULL, 0, 0};
    if (lmax > 5 && lmax < 400) compare_shape(&top, block_npairs);
}

static void few_rings_few_degrees(void **state)
{
    (void)state;
    for (int64_t lmax = 0; lmax < 22; lmax += checks_quick() && lmax > 4 ? 4 : 1)
        for (int64_t nrings = 2; nrings < 30; nrings += 1 + nrings / 4)
            compare_all(lmax, nrings, 1 << 20);
}

/* The rings that the largest matrices have. */
static void rings_of_matrices(void **state)
{
    (void)state;
    compare_all(128, 60, 7);
    if (checks_quick()) return;
    compare_all(95, 110, 1 << 20);
    compare_all(96, 113, 16);
    compare_all(130, MOST_RINGS, 64);
}

static void many_rings_in_blocks(void **state)
{
    (void)state;
    compare_all(301, 199, 1);
    if (checks_quick()) return;
    compare_all(300, MOST_RINGS, 1 << 20);
    compare_all(300, MOST_RINGS, 64);
}

/* sin^m theta below the smallest double on most rings. */
static void large_orders(void **state)
{
    (void)state;
    compare_all(checks_quick() ? 700 : 3000, 80, 32);
}

/* Every order that has large values on some ring; on others it begins to matter at the last
 * degrees. */
static void rings_next_to_a_pole(void **state)
{
    (void)state;
    enum { LMAX = 700, LARGEST = 54 }; /* LMAX sin theta[39] */
    double theta[40];
    for (int i = 0; i < 40; i++) theta[i] = (0.3 + i) * 0.002;
    for (int64_t spin = 0; spin < 2; spin++) {
        const shape of = {LMAX, spin, 40, 0, theta, NULL, 0, 0};
        stage plain, fast;
        stage_open(&plain, ARMILLA_ISA_SCALAR, &of, 40, -1);
        for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++) {
            if (!armilla_isa_usable((armilla_isa)isa)) continue;
            stage_open(&fast, (armilla_isa)isa, &of, 40, 0);
            for (int64_t m = 0; m <= LARGEST; m += checks_quick() ? 6 : 1)
                compare_order(&plain, &fast, m, armilla_isa_label((armilla_isa)isa));
            stage_close(&fast);
        }
        stage_close(&plain);
    }
}

/* Plans keep the starts of groups from the poles on in so many bytes, and no matrices then. */
static void compare_partial_starts(const shape *of, const int64_t *ends)
{
    stage s;
    stage_open(&s, ARMILLA_ISA_SCALAR, of, 1 << 20, 0);
    const armilla_legendre_starts *starts = &s.legendre->starts;
    assert_in_range(starts->end, s.legendre->grouping.npadded / 4,
                    s.legendre->grouping.npadded * 3 / 4);
    assert_true(starts->kept[0] && starts->kept[of->lmax / 2]);
    assert_false(starts->kept[of->lmax]); /* begins behind them */
    assert_null(s.legendre->matrices.orders);
    const int64_t block_ends[] = {ends[0], ends[1], ends[2], s.pairs.count};
    assert_in_range(s.pairs.count, ends[2] + 1, of->nrings);
    stage_close(&s);
    shape in_blocks = *of;
    in_blocks.block_ends = block_ends;
    if (!checks_quick()) compare_shape(&in_blocks, 0); /* takes minutes there */
}

/* At large band limits, and at small ones on very many rings; blocks of unequal size. */
static void starts_next_to_the_poles(void **state)
{
    (void)state;
    enum { MANY = 26000 };
    static const int64_t ends[] = {300, 304, 700}, many_ends[] = {4000, 4008, 9000};
    double *theta = checked_malloc(MANY, sizeof *theta);
    shape of = {2600, 0, make_rings(1400, theta), 0, theta, NULL, 6000000, 0};
    compare_partial_starts(&of, ends);
    of.spin = 1;
    compare_partial_starts(&of, ends);
    const shape small = {140, 0, make_rings(MANY, theta), 0, theta, NULL, 6500000, 0};
    compare_partial_starts(&small, many_ends);
    free(theta);
}

/* Rings at a pole, where p is 0, and any others: programs may trap what is no number. */
static void plans_raise_no_exceptions(void **state)
{
    (void)state;
    double theta[MOST_RINGS];
    const shape of = {400, 0, make_rings(MOST_RINGS, theta), 0, theta, NULL, 0, 0};
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++) {
        stage s;
        if (!armilla_isa_usable((armilla_isa)isa)) continue;
        feclearexcept(FE_ALL_EXCEPT);
        stage_open(&s, (armilla_isa)isa, &of, MOST_RINGS, 0);
        assert_int_equal(fetestexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW), 0);
        stage_close(&s);
    }
}

/* What plans keep, by size; a pair whose value is too small for a double when its neighbours begin
 * to matter has its order begin with p_0. */
static void what_is_kept(void **state)
{
    (void)state;
    static const double even[] = {0.3, 0.5, 0.7, 0.9, 1.1, 1.2, 1.3, 1.4};
    static const double uneven[] = {0.8, 1.45, 1.46, 1.47, 1.48, 1.49, 1.5, 1.51};
    stage s;
    assert_in_range(armilla_machine_with(ARMILLA_ISA_SCALAR).cache_bytes, ARMILLA_CACHE_LEAST,
                    ARMILLA_CACHE_LARGEST);
    shape of = {100, 0, 8, 0, even, NULL, 0, 0};
    stage_open(&s, ARMILLA_ISA_SCALAR, &of, 8, 0);
    assert_non_null(s.legendre->matrices.orders);
    assert_int_equal(s.legendre->choices.matrices, 0);
    stage_close(&s);
    double many[MOST_RINGS];
    of.lmax = 130, of.nrings = make_rings(MOST_RINGS, many), of.theta = many;
    stage_open(&s, ARMILLA_ISA_SCALAR, &of, MOST_RINGS, 0);
    assert_null(armilla_legendre_kept_matrix(s.legendre, 0));
    assert_non_null(armilla_legendre_kept_matrix(s.legendre, 120));
    const int64_t near = s.legendre->choices.matrices;
    stage_close(&s);
    of.cache_bytes = ARMILLA_CACHE_NEAR / 8 * 9;
    stage_open(&s, ARMILLA_ISA_SCALAR, &of, MOST_RINGS, 0);
    assert_in_range(s.legendre->choices.matrices, 0, near - 1);
    stage_close(&s);
    of.cache_bytes = ARMILLA_CACHE_LEAST; /* the rest fills it */
    stage_open(&s, ARMILLA_ISA_SCALAR, &of, MOST_RINGS, 0);
    assert_null(s.legendre->matrices.orders);
    stage_close(&s);
    int64_t first[2]; /* the more room, the more orders */
    for (int i = 0; i < 2; i++) {
        of.cache_bytes = (4 + 3 * i) * ARMILLA_CACHE_LEAST;
        stage_open(&s, ARMILLA_ISA_SCALAR, &of, MOST_RINGS, 0);
        assert_non_null(armilla_legendre_kept_matrix(s.legendre, 130));
        first[i] = s.legendre->choices.matrices;
        stage_close(&s);
    }
    assert_in_range(first[0], 60, 120);
    assert_in_range(first[1], 40, first[0] - 10);
    of.nrings = make_rings(20, many);
    stage_open(&s, ARMILLA_ISA_SCALAR, &of, MOST_RINGS, 0);
    assert_non_null(armilla_legendre_kept_matrix(s.legendre, 0));
    stage_close(&s);
    of.cache_bytes = 0;
    of.nrings = 8;
    of.lmax = 3000, of.theta = uneven;
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++) {
        if (!armilla_isa_usable((armilla_isa)isa)) continue;
        stage_open(&s, (armilla_isa)isa, &of, 8, 0);
        assert_null(armilla_legendre_kept_matrix(s.legendre, 0));
        assert_true(s.legendre->starts.kept[0]);
        const int64_t m = s.pairs.limit[0];
        assert_false(s.legendre->starts.kept[m]);
        assert_true(s.legendre->starts.kept[m + 1]); /* the first pair has none */
        assert_null(armilla_legendre_kept_matrix(s.legendre, 3000));
        stage_close(&s);
    }
    compare_shape(&of, 8);
    of.lmax = 300000;
    stage_open(&s, ARMILLA_ISA_SCALAR, &of, 8, 0);
    assert_null(s.legendre->starts.place);
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_rings_few_degrees),     cmocka_unit_test(rings_of_matrices),
        cmocka_unit_test(many_rings_in_blocks),      cmocka_unit_test(large_orders),
        cmocka_unit_test(rings_next_to_a_pole),      cmocka_unit_test(starts_next_to_the_poles),
        cmocka_unit_test(plans_raise_no_exceptions), cmocka_unit_test(what_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
