/* Checks that rows of alm (alm/rows.h) are what plain loops give: precisions, strides of both
 * signs, several components and transforms, what is zero whatever the array says, sums of several
 * passes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "alm/rows.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LMAX = 9, MMAX = 6, DISTANCE = 400, NTRANS = 2, NROW = 2 * (LMAX + 1) + 6 };
enum { SIZE = 2 * 2 * NTRANS * DISTANCE }; /* doubles of an array, two components a transform */

typedef struct {
    armilla_alm_rows rows;
    int64_t mstart[MMAX + 1];
    double factor[LMAX + 1];
    double values[SIZE];
    float small[SIZE];
} scene;

/* Orders lie 50 apart, falling degrees where the stride is negative. Everything else is NaN. */
static void scene_open(scene *s, int64_t stride, int is_float)
{
    *s = (scene){.rows = {.distance = DISTANCE,
                          .ncomp = 2,
                          .nsets = 2,
                          .lmax = LMAX,
                          .stride = stride,
                          .last = 1}};
    s->rows.mstart = s->mstart;
    s->rows.values = (armilla_array){is_float ? (void *)s->small : (void *)s->values, is_float};
    for (int64_t m = 0; m <= MMAX; m++) s->mstart[m] = 50 * m + (stride < 0 ? -LMAX * stride : 0);
    for (int64_t l = 0; l <= LMAX; l++) s->factor[l] = 1 + 0.5 * (double)l;
    for (int64_t i = 0; i < SIZE; i++) s->values[i] = NAN, s->small[i] = NAN;
}

/* Number of the real part of a_lm in the array. */
static int64_t place(const scene *s, int64_t component, int64_t l, int64_t m)
{
    return 2 * (component * DISTANCE + s->mstart[m] + l * s->rows.stride);
}

static double value_of(int64_t component, int64_t l, int64_t m, int part)
{
    return (double)(1000 * component + 100 * m + 10 * l + part) / 16; /* exact as a float */
}

static void fill(scene *s)
{
    for (int64_t c = 0; c < 2 * NTRANS; c++)
        for (int64_t m = 0; m <= MMAX; m++)
            for (int64_t l = m; l <= LMAX; l++)
                for (int part = 0; part < 2; part++)
                    armilla_array_put(s->rows.values, place(s, c, l, m) + part,
                                      value_of(c, l, m, part));
}

/* What an array or a row must have. */
static double expected(const scene *s, int64_t component, int64_t l, int64_t m, int part)
{
    if (l < s->rows.spin || (m == 0 && part && s->rows.real)) return 0;
    return value_of(component, l, m, part) * (s->rows.factor ? s->factor[l] : 1);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static void check_read(const scene *s)
{
    const armilla_alm_rows *rows = &s->rows;
    for (int64_t set = 0; set < NTRANS * rows->nsets; set++)
        for (int64_t m = 0; m <= MMAX; m++) {
            double row[NROW + 1];
            const int64_t component = set / rows->nsets * rows->ncomp + set % rows->nsets;
            const int missing = set % rows->nsets >= rows->ncomp;
            for (int i = 0; i <= NROW; i++) row[i] = NAN;
            armilla_alm_rows_read(rows, set, m, row, NROW);
            for (int64_t i = 0; i < NROW; i++) {
                const int64_t l = m + i / 2;
                const double judge =
                    l > LMAX || missing ? 0 : expected(s, component, l, m, (int)(i % 2));
                assert_true(row[i] == judge);
            }
            assert_true(isnan(row[NROW]));
        }
}

static void rows_are_read_from_any_layout(void **state)
{
    (void)state;
    static const int64_t strides[] = {1, 3, -1, -2};
    for (int i = 0; i < 8; i++) {
        scene s;
        scene_open(&s, strides[i % 4], i / 4);
        fill(&s);
        check_read(&s);
        s.rows.real = 1;
        check_read(&s);
        s.rows.spin = 4, s.rows.factor = s.factor;
        check_read(&s);
        s.rows.ncomp = 1; /* gradients only: the second component of a transform is zero */
        check_read(&s);
    }
}

/* Degrees below the spin are zero even where the array has nothing of use. */
static void ignored_numbers_may_be_anything(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 1, 0);
    fill(&s);
    s.rows.spin = 3, s.rows.real = 1, s.rows.factor = s.factor;
    for (int64_t m = 0; m < 3; m++)
        for (int64_t l = m; l < 3; l++) s.values[place(&s, 0, l, m)] = NAN;
    for (int64_t l = 0; l <= LMAX; l++) s.values[place(&s, 0, l, 0) + 1] = INFINITY;
    check_read(&s);
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void make_row(int64_t component, int64_t m, double share, double *row)
{
    for (int64_t i = 0; i < 2 * (LMAX - m + 1); i++)
        row[i] = share * value_of(component, m + i / 2, m, (int)(i % 2));
}

static void write_all(const scene *s, double share)
{
    const armilla_alm_rows *rows = &s->rows;
    for (int64_t set = 0; set < NTRANS * rows->nsets; set++)
        for (int64_t m = 0; m <= MMAX; m++) {
            double row[NROW];
            make_row(set / rows->nsets * rows->ncomp + set % rows->nsets, m, share, row);
            armilla_alm_rows_write(rows, set, m, row);
        }
}

/* Every coefficient, and nothing else, is written. */
static void check_written(const scene *s)
{
    const int64_t ncomp = NTRANS * s->rows.ncomp;
    char touched[SIZE] = {0};
    for (int64_t c = 0; c < ncomp; c++)
        for (int64_t m = 0; m <= MMAX; m++)
            for (int64_t l = m; l <= LMAX; l++)
                for (int part = 0; part < 2; part++) {
                    const int64_t at = place(s, c, l, m) + part;
                    touched[at] = 1;
                    assert_true(armilla_array_get(s->rows.values, at) ==
                                expected(s, c, l, m, part));
                }
    for (int64_t i = 0; i < SIZE; i++)
        if (!touched[i]) assert_true(isnan(armilla_array_get(s->rows.values, i)));
}

static void rows_are_written_to_any_layout(void **state)
{
    (void)state;
    static const int64_t strides[] = {1, 3, -1, -2};
    for (int i = 0; i < 8; i++)
        for (int kind = 0; kind < 4; kind++) {
            scene s;
            scene_open(&s, strides[i % 4], i / 4);
            s.rows.real = kind > 0, s.rows.spin = kind > 1 ? 4 : 0;
            s.rows.factor = kind > 1 ? s.factor : NULL;
            s.rows.ncomp = kind > 2 ? 1 : 2;
            write_all(&s, 1);
            check_written(&s);
        }
}

/* Three passes leave a quarter, a quarter and a half: in the array, or in doubles beside it. */
static void check_passes(int64_t stride, int is_float, int beside)
{
    static const double share[] = {0.25, 0.25, 0.5};
    static double sums[2 * NTRANS * 2 * (LMAX + 1) * (LMAX + 1)];
    scene s;
    scene_open(&s, stride, is_float);
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) sums[i] = NAN;
    s.rows.real = 1, s.rows.spin = 2, s.rows.factor = s.factor;
    if (beside) s.rows.sums = sums;
    s.rows.sums_size = 2 * armilla_alm_size(LMAX, MMAX);
    for (int pass = 0; pass < 3; pass++) {
        s.rows.later = pass > 0, s.rows.last = pass == 2;
        write_all(&s, share[pass]);
        if (beside && pass < 2) /* nothing is final yet */
            assert_true(isnan(armilla_array_get(s.rows.values, place(&s, 0, LMAX, MMAX))));
    }
    check_written(&s);
}

static void passes_add_up(void **state)
{
    (void)state;
    for (int64_t stride = -2; stride < 4; stride += 3) {
        check_passes(stride, 0, 0);
        check_passes(stride, 0, 1);
        check_passes(stride, 1, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_read_from_any_layout),
        cmocka_unit_test(ignored_numbers_may_be_anything),
        cmocka_unit_test(rows_are_written_to_any_layout),
        cmocka_unit_test(passes_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
