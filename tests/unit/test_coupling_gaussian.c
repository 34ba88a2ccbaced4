/* Checks covariances of band powers without a mask against sums of 3j symbols with E and B as parts
 * of two complex fields, and on the whole sky; threads, short memory and wrong input. */
#include "unit/test_coupling_support.h"

#include <complex.h>

enum { LMASK = 17, FEW = 3, FIELDS = 4, COMPONENTS = 7, PAIRS = 5, BLOCKS = 9 };

static const int64_t SPIN[FIELDS] = {0, 2, 2, 1}, FIRST[FIELDS] = {0, 1, 3, 5};
static const int64_t PAIR[PAIRS][2] = {{0, 0}, {0, 1}, {1, 2}, {2, 0}, {3, 1}};
static const armilla_gaussian_block BLOCK[BLOCKS] = {{0, 0, 0, 0}, {0, 1, 1, 0}, {1, 1, 0, 1},
                                                     {2, 2, 0, 1}, {2, 0, 0, 0}, {1, 3, 1, 1},
                                                     {2, 1, 1, 0}, {4, 2, 0, 0}, {4, 4, 1, 0}};
static const int64_t FEW_BEGIN[FEW] = {2, 5, 8}, FEW_END[FEW] = {5, 9, LENGTH};

/* A problem, and the memory of its arrays. */
typedef struct {
    armilla_gaussian_problem problem;
    armilla_bands bands;
    armilla_gaussian_pair pairs[PAIRS];
    double *masks, *cl, *matrix, memory[2 * LENGTH];
} example;

static double *matrix_of(const example *e, int64_t pair)
{
    return e->matrix + pair * 2 * FEW * FEW;
}

static void new_example(example *e)
{
    e->bands = new_bands(LMAX, e->memory);
    e->bands.nbands = FEW, e->bands.begin = FEW_BEGIN, e->bands.end = FEW_END;
    e->masks = new_masks(LMASK);
    e->cl = new_random(COMPONENTS * COMPONENTS * LENGTH, 1);
    e->matrix = new_random(PAIRS * 2 * FEW * FEW, 2);
    for (int64_t i = 0; i < COMPONENTS * COMPONENTS; i++)
        for (int64_t l = 0; l < LENGTH && i / COMPONENTS > i % COMPONENTS; l++)
            e->cl[i * LENGTH + l] = (double)NAN; /* is not read */
    for (int64_t i = 0; i < PAIRS; i++) {
        for (int64_t b = 0; b < FEW; b++) matrix_of(e, i)[b * (FEW + 1)] += 4;
        e->pairs[i] = (armilla_gaussian_pair){PAIR[i][0], PAIR[i][1], matrix_of(e, i), 0};
    }
    armilla_gaussian_problem_init(&e->problem);
    e->problem.lmax = LMAX, e->problem.lmask = LMASK;
    e->problem.nmasks = MASKS, e->problem.masks = e->masks;
    e->problem.nfields = FIELDS, e->problem.spins = SPIN, e->problem.cl = e->cl;
    e->problem.bands = &e->bands;
    e->problem.npairs = PAIRS, e->problem.pairs = e->pairs;
    e->problem.nblocks = BLOCKS, e->problem.blocks = BLOCK;
}

static void free_example(example *e)
{
    free(e->masks), free(e->cl), free(e->matrix);
}

static int64_t ncl_of(int64_t pair)
{
    return (SPIN[PAIR[pair][0]] ? 2 : 1) * (SPIN[PAIR[pair][1]] ? 2 : 1);
}

static int64_t size_of(int64_t block)
{
    return ncl_of(BLOCK[block].pair1) * ncl_of(BLOCK[block].pair2) * FEW * FEW;
}

static int64_t size_of_all(void)
{
    int64_t size = 0;
    for (int64_t i = 0; i < BLOCKS; i++) size += size_of(i);
    return size;
}

/* --- Against 3j symbols ------------------------------------------------------------------------
 */

static double spectrum(const example *e, int64_t i, int64_t j, int64_t l)
{
    return e->cl[(i < j ? i * COMPONENTS + j : j * COMPONENTS + i) * LENGTH + l];
}

/* A pure component is a scalar to its mask. */
static int64_t spin_of(const example *e, int64_t field, int64_t part)
{
    return e->problem.pure && e->problem.pure[FIRST[field] + part] ? 0 : SPIN[field];
}

/* The mean of <a c> for two components of fields: times the masks' product with functions of the
 * spin s, and of -s. E +- iB are what a mask multiplies; where it makes one sign of the other, the
 * mean of both is taken. */
static void expected_mean(const example *e, int64_t a, int64_t apart, int64_t c, int64_t cpart,
                          int64_t l, double complex value[2])
{
    const int64_t i = FIRST[a], j = FIRST[c];
    value[0] = value[1] = 0;
    if (spin_of(e, a, apart) != spin_of(e, c, cpart) || spin_of(e, a, apart) == 0) {
        value[0] = value[1] = 0.5 * spectrum(e, i + apart, j + cpart, l);
        return;
    }
    for (int one = 1; one >= -1; one -= 2)
        for (int two = 1; two >= -1; two -= 2) {
            const double complex from = apart ? -0.5 * I * one : 0.5;
            const double complex to = cpart ? -0.5 * I * two : 0.5;
            const double complex cl =
                spectrum(e, i, j, l) + one * two * spectrum(e, i + 1, j + 1, l) +
                I * (one * spectrum(e, i + 1, j, l) - two * spectrum(e, i, j + 1, l));
            const double complex part = from * conj(to) * cl;
            if (one == two)
                value[one < 0] += part;
            else
                value[0] += 0.5 * part, value[1] += 0.5 * part;
        }
}

/* Sums over orders of two products of masks, with functions of one sign and of two. */
static void expected_sums(const double *mask, int64_t l, int64_t k, int64_t spin1, int64_t spin2,
                          double sum[2])
{
    double part[2];
    for (int i = 0; i < 2; i++)
        part[i] = coupling_oracle_matrix((int)l, (int)k, LMASK, mask, (int)spin1, (int)spin2,
                                         spin1 && spin2 ? 1 - 2 * i : 0) /
                  (double)(2 * k + 1);
    sum[0] = spin1 && spin2 ? part[0] + part[1] : part[0];
    sum[1] = spin1 && spin2 ? part[0] - part[1] : part[0];
}

static int64_t smaller_spin(const example *e, const int64_t a[2], const int64_t c[2])
{
    const int64_t one = spin_of(e, a[0], a[1]), two = spin_of(e, c[0], c[1]);
    return one < two ? one : two;
}

/* <a c> <b d>, each a field and its part, between two degrees. */
static double expected_product(const example *e, int64_t mask, const int64_t of[4][2], int64_t l,
                               int64_t k)
{
    double complex one[2][2], two[2][2]; /* at l and at k */
    double sum[2], value = 0;
    for (int i = 0; i < 2; i++) {
        expected_mean(e, of[0][0], of[0][1], of[1][0], of[1][1], i ? k : l, one[i]);
        expected_mean(e, of[2][0], of[2][1], of[3][0], of[3][1], i ? k : l, two[i]);
    }
    expected_sums(e->masks + mask * (LMASK + 1), l, k, smaller_spin(e, of[0], of[1]),
                  smaller_spin(e, of[2], of[3]), sum);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            value += 0.5 * sum[i != j] *
                     creal(one[0][i] * conj(two[1][j]) + one[1][i] * conj(two[0][j]));
    return value;
}

/* One element of the covariance of bands of pseudo-spectra. */
static double expected_element(const example *e, const armilla_gaussian_block *block, int64_t i,
                               int64_t b, int64_t j, int64_t other)
{
    const int64_t *one = PAIR[block->pair1], *two = PAIR[block->pair2];
    const int64_t n1 = SPIN[one[1]] ? 2 : 1, n2 = SPIN[two[1]] ? 2 : 1;
    const int64_t fields[4][2] = {
        {one[0], i / n1}, {one[1], i % n1}, {two[0], j / n2}, {two[1], j % n2}};
    const int order[2][4] = {{0, 2, 1, 3}, {0, 3, 1, 2}};
    double sum = 0, weights[2] = {0, 0};
    for (int64_t l = FEW_BEGIN[b]; l < FEW_END[b]; l++) weights[0] += e->bands.weights[l];
    for (int64_t k = FEW_BEGIN[other]; k < FEW_END[other]; k++) weights[1] += e->bands.weights[k];
    for (int way = 0; way < 2; way++) {
        int64_t of[4][2];
        for (int p = 0; p < 4; p++) memcpy(of[p], fields[order[way][p]], sizeof of[p]);
        for (int64_t l = FEW_BEGIN[b]; l < FEW_END[b]; l++)
            for (int64_t k = FEW_BEGIN[other]; k < FEW_END[other]; k++)
                sum += e->bands.weights[l] * e->bands.factor[l] * e->bands.weights[k] *
                       e->bands.factor[k] *
                       expected_product(e, way ? block->mask2 : block->mask1,
                                        (const int64_t(*)[2])of, l, k);
    }
    return sum / (weights[0] * weights[1]);
}

/* What goes in again: bands of pseudo-spectra of powers. */
static void mix(const example *e, int64_t pair, const double *powers, int64_t stride, double *bands)
{
    const int64_t ncl = ncl_of(pair);
    for (int64_t i = 0; i < ncl; i++)
        for (int64_t b = 0; b < FEW; b++) {
            const double *row = matrix_of(e, pair) + b * FEW;
            double sum = 0;
            for (int64_t other = 0; other < FEW; other++) {
                sum += row[other] * powers[(i * FEW + other) * stride];
                if (ncl == 4)
                    sum += (i == 0 || i == 3 ? 1 : -1) * row[FEW * FEW + other] *
                           powers[((3 - i) * FEW + other) * stride];
            }
            bands[i * FEW + b] = sum;
        }
}

static void check_block(const example *e, const armilla_gaussian_block *block, const double *cov)
{
    const int64_t rows = ncl_of(block->pair1) * FEW, columns = ncl_of(block->pair2) * FEW;
    double half[12 * 12], column[12], row[12];
    for (int64_t i = 0; i < columns; i++) {
        mix(e, block->pair1, cov + i, columns, column);
        for (int64_t j = 0; j < rows; j++) half[j * columns + i] = column[j];
    }
    for (int64_t i = 0; i < rows; i++) {
        mix(e, block->pair2, half + i * columns, 1, row);
        for (int64_t j = 0; j < columns; j++) {
            const double want = expected_element(e, block, i / FEW, i % FEW, j / FEW, j % FEW);
            if (!(fabs(row[j] - want) < 2e-12 * (1 + fabs(want))))
                fail_msg("pairs %lld and %lld, element %lld, %lld: %.15g, not %.15g",
                         (long long)block->pair1, (long long)block->pair2, (long long)i,
                         (long long)j, row[j], want);
        }
    }
}

static void covariances_are_those_of_3j_symbols(void **state)
{
    (void)state;
    example e;
    new_example(&e);
    double *cov = new_random(size_of_all(), 3);
    const double *own = cov;
    check_ok(armilla_gaussian_covariance(&e.problem, cov, NULL));
    for (int64_t i = 0; i < BLOCKS; own += size_of(i), i++) {
        check_block(&e, &BLOCK[i], own);
        const int64_t n = ncl_of(BLOCK[i].pair1) * FEW;
        for (int64_t j = 0; j < n * n && BLOCK[i].pair1 == BLOCK[i].pair2; j++)
            assert_true(own[j] == own[j % n * n + j / n]);
    }
    free(cov);
    free_example(&e);
}

/* Pure components, and matrices of all components, which are made of the same kinds. */
static void pure_components_are_scalars(void **state)
{
    (void)state;
    static const int pure[COMPONENTS] = {0, 0, 1, 1, 1, 0, 0};
    enum { MOST = 4 * FEW };
    double whole[PAIRS][MOST * MOST], *plain[2];
    example e;
    new_example(&e);
    e.problem.pure = pure;
    for (int64_t i = 0; i < PAIRS; i++) {
        const int64_t n = ncl_of(i) * FEW;
        for (int64_t j = 0; j < n; j++) {
            double unit[MOST] = {0}, column[MOST];
            unit[j] = 1;
            mix(&e, i, unit, 1, column);
            for (int64_t k = 0; k < n; k++) whole[i][k * n + j] = column[k];
        }
    }
    for (int is_whole = 0; is_whole < 2; is_whole++) {
        const double *own = plain[is_whole] = new_random(size_of_all(), 3);
        for (int64_t i = 0; i < PAIRS && is_whole; i++)
            e.pairs[i].matrix = whole[i], e.pairs[i].is_whole = 1;
        check_ok(armilla_gaussian_covariance(&e.problem, plain[is_whole], NULL));
        for (int64_t i = 0; i < BLOCKS; own += size_of(i), i++) check_block(&e, &BLOCK[i], own);
    }
    free(plain[0]), free(plain[1]);
    free_example(&e);
}

/* --- On the whole sky --------------------------------------------------------------------------
 */

/* Degree by degree, (C^ac C^bd + C^ad C^bc) / (2 l + 1), for all components. */
static void a_mask_of_1_gives_what_is_known(void **state)
{
    (void)state;
    enum { FIRST_DEGREE = 3, DEGREES = LENGTH - FIRST_DEGREE };
    const double whole = 4 * M_PI;
    const int64_t pair[][2] = {{0, 0}, {0, 1}, {1, 2}, {1, 1}};
    const armilla_gaussian_block blocks[] = {{0, 0, 0, 0}, {1, 1, 0, 0}, {2, 2, 0, 0},
                                             {0, 2, 0, 0}, {1, 2, 0, 0}, {2, 3, 0, 0}};
    enum { ALL = sizeof blocks / sizeof *blocks };
    double one[2 * DEGREES * DEGREES] = {0}, cov[ALL * 16 * DEGREES * DEGREES], *own = cov;
    int64_t begin[DEGREES], end[DEGREES];
    armilla_gaussian_pair pairs[4];
    example e;
    new_example(&e);
    for (int64_t b = 0; b < DEGREES; b++)
        begin[b] = FIRST_DEGREE + b, end[b] = begin[b] + 1, one[b * (DEGREES + 1)] = 1;
    for (int i = 0; i < 4; i++) pairs[i] = (armilla_gaussian_pair){pair[i][0], pair[i][1], one, 0};
    e.bands.nbands = DEGREES, e.bands.begin = begin, e.bands.end = end;
    e.bands.weights = e.bands.factor = NULL;
    e.problem.lmask = 0, e.problem.nmasks = 1, e.problem.masks = &whole;
    e.problem.npairs = 4, e.problem.pairs = pairs;
    e.problem.nblocks = ALL, e.problem.blocks = blocks;
    check_ok(armilla_gaussian_covariance(&e.problem, cov, NULL));
    for (int k = 0; k < ALL; k++) {
        const int64_t *x = pair[blocks[k].pair1], *y = pair[blocks[k].pair2];
        const int64_t n1 = SPIN[x[1]] ? 2 : 1, n2 = SPIN[y[1]] ? 2 : 1;
        const int64_t ncl1 = (SPIN[x[0]] ? 2 : 1) * n1, ncl2 = (SPIN[y[0]] ? 2 : 1) * n2;
        for (int64_t i = 0; i < ncl1 * DEGREES * ncl2 * DEGREES; i++, own++) {
            const int64_t other = i % DEGREES, to = i / DEGREES % ncl2;
            const int64_t b = i / DEGREES / ncl2 % DEGREES, from = i / DEGREES / ncl2 / DEGREES;
            const int64_t of[4] = {FIRST[x[0]] + from / n1, FIRST[x[1]] + from % n1,
                                   FIRST[y[0]] + to / n2, FIRST[y[1]] + to % n2};
            const int64_t l = begin[b];
            const double want = (spectrum(&e, of[0], of[2], l) * spectrum(&e, of[1], of[3], l) +
                                 spectrum(&e, of[0], of[3], l) * spectrum(&e, of[1], of[2], l)) /
                                (double)(2 * l + 1);
            assert_true(fabs(*own - (b == other ? want : 0)) < 1e-14);
        }
    }
    free_example(&e);
}

/* --- Calls -------------------------------------------------------------------------------------
 */

static int never(void *data, double fraction)
{
    assert_true(fraction >= 0 && fraction <= 1);
    return ++*(int *)data > 20;
}

static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    example e;
    new_example(&e);
    const int64_t size = size_of_all();
    double *one = new_random(size, 3), *many = new_random(size, 4);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 1;
    check_ok(armilla_gaussian_covariance(&e.problem, one, &exec));
    exec.nthreads = 3;
    check_ok(armilla_gaussian_covariance(&e.problem, many, &exec));
    assert_memory_equal(one, many, 8 * (size_t)size);
    int calls = 0;
    armilla_progress_set_interval(0);
    exec.progress = never, exec.progress_data = &calls;
    assert_int_equal(armilla_gaussian_covariance(&e.problem, many, &exec), ARMILLA_ERROR_CANCELLED);
    assert_int_equal(calls, 21);
    free(one), free(many);
    free_example(&e);
}

/* Every allocation fails once. */
static void short_memory_is_an_error(void **state)
{
    (void)state;
    example e;
    new_example(&e);
    e.problem.nblocks = 2;
    double *cov = new_random(size_of_all(), 3);
    armilla_status status = ARMILLA_ERROR_MEMORY;
    int failed = 0;
    for (; status == ARMILLA_ERROR_MEMORY; failed++) {
        armilla_memory_fail_after(failed);
        status = armilla_gaussian_covariance(&e.problem, cov, NULL);
        armilla_memory_fail_after(-1);
    }
    check_ok(status);
    assert_true(failed > 40);
    free(cov);
    free_example(&e);
}

/* Means over degrees: what is linear in (2 l + 1) C_l / sum of weights is known; ends stay. */
static void running_means(void **state)
{
    (void)state;
    enum { L = 60, N = L + 1 };
    double cl[2 * N], smooth[2 * N];
    for (int l = 0; l < N; l++) cl[l] = 3, cl[N + l] = l % 2 ? 1 : -1;
    check_ok(armilla_gaussian_smooth(L, 2, 2, cl, smooth));
    for (int l = 0; l < N; l++) {
        int half = l / 4 < 16 ? l / 4 : 16;
        half = half < l - 2 ? half : l - 2;
        half = half < L - l ? half : L - l;
        double sum = 0, weights = 0;
        for (int k = l - half; k <= l + half && l >= 2; k++)
            sum += (2 * k + 1) * cl[N + k], weights += 2 * k + 1;
        assert_true(fabs(smooth[l] - (l < 2 ? 0 : 3)) < 1e-14);
        assert_true(fabs(smooth[N + l] - (l < 2 ? 0 : sum / weights)) < 1e-14);
    }
    cl[N + 3] = (double)NAN;
    check_refused(armilla_gaussian_smooth(L, 2, 2, cl, smooth), "cl: spectrum 1 at l = 3 is nan");
    check_refused(armilla_gaussian_smooth(-1, 0, 1, cl, smooth), "lmax = -1");
    check_refused(armilla_gaussian_smooth(5, 6, 1, cl, smooth), "least = 6");
    check_refused(armilla_gaussian_smooth(5, 0, 0, cl, smooth), "ncl = 0");
    check_refused(armilla_gaussian_smooth(5, 0, 1, cl, NULL), "smooth");
}

static void wrong_problems_are_named(void **state)
{
    (void)state;
    example e;
    double cov[4096];
    new_example(&e);
    armilla_gaussian_block block = {0, 5, 0, 0};
    const int64_t others[FIELDS] = {0, 2, 13, 1};
    armilla_gaussian_problem p = e.problem;
    check_refused(armilla_gaussian_covariance(NULL, cov, NULL), "problem");
    check_refused(armilla_gaussian_covariance(&p, NULL, NULL), "cov");
    p.lmax = -1;
    check_refused(armilla_gaussian_covariance(&p, cov, NULL), "lmax = -1");
    p = e.problem, p.lmask = -1;
    check_refused(armilla_gaussian_covariance(&p, cov, NULL), "problem->lmask = -1");
    p = e.problem, p.nmasks = 0;
    check_refused(armilla_gaussian_covariance(&p, cov, NULL), "problem->nmasks = 0");
    p = e.problem, p.bands = NULL;
    check_refused(armilla_gaussian_covariance(&p, cov, NULL), "bands");
    p = e.problem, p.spins = others;
    check_refused(armilla_gaussian_covariance(&p, cov, NULL), "problem->spins[2] = 13");
    p = e.problem, p.blocks = &block, p.nblocks = 1;
    check_refused(armilla_gaussian_covariance(&p, cov, NULL),
                  "problem->blocks[0].pair2 = 5: must be 0 .. 4");
    block.pair2 = 0, block.mask2 = 2;
    check_refused(armilla_gaussian_covariance(&p, cov, NULL),
                  "problem->blocks[0].mask2 = 2: must be 0 .. 1");
    p = e.problem, p.npairs = 0;
    check_refused(armilla_gaussian_covariance(&p, cov, NULL), "problem->npairs = 0");
    p = e.problem, e.pairs[1].field2 = FIELDS;
    check_refused(armilla_gaussian_covariance(&p, cov, NULL),
                  "problem->pairs[1].field2 = 4: must be 0 .. 3");
    e.pairs[1].field2 = 1, e.pairs[3].matrix = NULL;
    check_refused(armilla_gaussian_covariance(&p, cov, NULL), "problem->pairs[3].matrix");
    e.pairs[3].matrix = e.matrix;
    memset(e.matrix, 0, 2 * FEW * FEW * sizeof *e.matrix);
    check_refused(armilla_gaussian_covariance(&p, cov, NULL),
                  "problem->pairs[0].matrix cannot be solved: band 0");
    e.matrix[7] = (double)INFINITY;
    check_refused(armilla_gaussian_covariance(&p, cov, NULL),
                  "problem->pairs[0].matrix: number 7 is inf");
    e.cl[(2 * COMPONENTS + 4) * LENGTH + 6] = (double)NAN;
    check_refused(armilla_gaussian_covariance(&p, cov, NULL),
                  "problem->cl[2][4]: spectrum 0 at l = 6 is nan");
    e.masks[LMASK + 3] = (double)NAN;
    check_refused(armilla_gaussian_covariance(&p, cov, NULL),
                  "problem->masks: spectrum 1 at l = 2 is nan");
    free_example(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covariances_are_those_of_3j_symbols),
        cmocka_unit_test(pure_components_are_scalars),
        cmocka_unit_test(a_mask_of_1_gives_what_is_known),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(short_memory_is_an_error),
        cmocka_unit_test(running_means),
        cmocka_unit_test(wrong_problems_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
