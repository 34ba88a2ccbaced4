/* Checks what is put around the samples of a strip (src/points/samples.h), number by number from
 * its definition, and that folding it back is the exact transpose: rings that are long and rings
 * that go round more than once in their margins, rows beyond poles and equator, spins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "oracle/checks.h"
#include "points/samples.h"
#include <math.h>
#include <string.h>

enum { NMAP = 2 };

typedef struct {
    int64_t nphi, left, right;
    int64_t half;              /* ring pairs */
    int64_t first, rows, most; /* of the strip; rows of the longest strip */
    int64_t spin;
} halo_case;

/* Margins shorter than the ring, longer, longer than twice the ring. */
static const halo_case cases[] = {
    {.nphi = 40, .left = 16, .right = 36, .half = 18, .first = -4, .rows = 26, .most = 26},
    {.nphi = 34,
     .left = 16,
     .right = 38,
     .half = 16,
     .first = -4,
     .rows = 12,
     .most = 14,
     .spin = 1},
    {.nphi = 16,
     .left = 16,
     .right = 56,
     .half = 16,
     .first = 5,
     .rows = 15,
     .most = 15,
     .spin = 3},
    {.nphi = 18, .left = 40, .right = 4, .half = 20, .first = 4, .rows = 9, .most = 9, .spin = 2},
};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct {
    const halo_case *of;
    armilla_points_core core;
    armilla_points_strip strip;
    int64_t size;
} scene;

static scene open_scene(const halo_case *of)
{
    scene s = {.of = of};
    s.core.sampling.nphi = of->nphi, s.core.sampling.nrings = 2 * of->half;
    s.core.left = of->left, s.core.pitch = of->left + of->nphi + of->right;
    s.core.fine.count = of->half, s.core.spin = of->spin;
    s.core.nmap = NMAP, s.core.most_rows = of->most;
    s.strip.first = of->first, s.strip.rows = of->rows;
    s.size = armilla_points_strip_size(&s.core);
    return s;
}

/* A row of the strip as the ring it is: pair and hemisphere. */
static int64_t pair_of(const halo_case *of, int south, int64_t row)
{
    return of->first + (south ? of->rows - 1 - row : row);
}

static int64_t place_of(const scene *s, int64_t c, int south, int64_t pair, int64_t column)
{
    const halo_case *of = s->of;
    const int64_t row = south ? of->rows - 1 - (pair - of->first) : pair - of->first;
    return ((2 * c + south) * of->most + row) * s->core.pitch + column;
}

/* The sample that stands where (hemisphere, pair, column) is; *sign: what it is multiplied by. */
static int64_t sample_of(const scene *s, int64_t c, int south, int64_t pair, int64_t column,
                         double *sign)
{
    const int64_t n = s->of->nphi;
    int64_t j = (column - s->of->left + 4 * n) % n;
    *sign = 1;
    if (pair < 0) {
        pair = -1 - pair, j = (j + n / 2) % n;
        if (s->of->spin % 2) *sign = -1;
    } else if (pair >= s->of->half) {
        pair = 2 * s->of->half - 1 - pair, south = !south;
    }
    return place_of(s, c, south, pair, s->of->left + j);
}

typedef void visit(const scene *s, int64_t at, int64_t sample, double sign, void *context);

static void each_number(const scene *s, visit *see, void *context)
{
    for (int64_t c = 0; c < NMAP; c++)
        for (int south = 0; south < 2; south++)
            for (int64_t row = 0; row < s->of->rows; row++)
                for (int64_t column = 0; column < s->core.pitch; column++) {
                    const int64_t pair = pair_of(s->of, south, row);
                    double sign;
                    const int64_t sample = sample_of(s, c, south, pair, column, &sign);
                    see(s, place_of(s, c, south, pair, column), sample, sign, context);
                }
}

static const armilla_points_sides both = {{1, 1}};

/* Whole numbers, so that sums are exact in any sequence. */
static double *whole_numbers(const scene *s)
{
    double *values = checked_malloc(s->size, sizeof *values);
    for (int64_t i = 0; i < s->size; i++) values[i] = (double)(i * 7919 % 1009 - 500);
    return values;
}

static double *copy_of(const scene *s, const double *values)
{
    double *copy = checked_malloc(s->size, sizeof *copy);
    memcpy(copy, values, (size_t)s->size * sizeof *copy);
    return copy;
}

/* --- Filling ---------------------------------------------------------------------------------- */

typedef struct {
    const double *given, *made;
} filling;

static void check_number(const scene *s, int64_t at, int64_t sample, double sign, void *context)
{
    const filling *f = context;
    (void)s;
    assert_true(f->made[at] == sign * f->given[sample]);
}

static void what_is_around_are_samples(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        const scene s = open_scene(&cases[i]);
        double *given = whole_numbers(&s), *made = copy_of(&s, given);
        armilla_points_fill_halo(&s.core, &s.strip, both, made);
        each_number(&s, check_number, &(filling){given, made});
        free(given);
        free(made);
    }
}

/* --- Folding ---------------------------------------------------------------------------------- */

typedef struct {
    const double *given;
    double *sums;
} folding;

static void add_number(const scene *s, int64_t at, int64_t sample, double sign, void *context)
{
    const folding *f = context;
    (void)s;
    f->sums[sample] += sign * f->given[at];
}

static void check_sum(const scene *s, int64_t at, int64_t sample, double sign, void *context)
{
    const filling *f = context;
    (void)s, (void)sign;
    if (at == sample) assert_true(f->made[at] == f->given[at]);
}

static void folding_is_the_transpose(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        const scene s = open_scene(&cases[i]);
        double *given = whole_numbers(&s), *made = copy_of(&s, given);
        double *sums = checked_malloc(s.size, sizeof *sums);
        memset(sums, 0, (size_t)s.size * sizeof *sums);
        each_number(&s, add_number, &(folding){given, sums});
        armilla_points_fold_halo(&s.core, &s.strip, both, made);
        each_number(&s, check_sum, &(filling){sums, made});
        free(given);
        free(made);
        free(sums);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_around_are_samples),
        cmocka_unit_test(folding_is_the_transpose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
