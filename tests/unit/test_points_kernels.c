/* Checks values of a patch of samples through windows of 2 to 16 taps, and back
 * (src/points/kernels), on every instruction set, against the prolate function in long double. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "points/dispatch.h"
#include "test_points_scene.h"

enum { ROWS = 48, PITCH = 64, NCOMP = 2, SIZE = NCOMP * ROWS * PITCH, COUNT = 21 };

/* Random samples, points between rows and columns 16 and 32, and their values. */
typedef struct {
    const armilla_points_kernels *kernels;
    armilla_window window;
    armilla_window_table table;
    _Alignas(64) double samples[SIZE];
    double u[COUNT], v[COUNT], values[NCOMP][COUNT];
    armilla_points_patch patch;
    armilla_points_list list;
} kernel_scene;

static void open_scene(const char *name, int taps, double epsilon, int64_t ncomp, kernel_scene *s)
{
    uint64_t stream = 3;
    armilla_isa isa;
    check_ok(armilla_isa_choose(name, &isa));
    s->kernels = armilla_points_kernels_find(isa);
    armilla_window_make(1.7, taps, &s->window);
    armilla_window_fill_table(&s->window, epsilon, &s->table);
    for (int i = 0; i < SIZE; i++) s->samples[i] = random_next(&stream);
    for (int i = 0; i < COUNT; i++) {
        s->u[i] = i == 0 ? 20 : 24 + 8 * random_next(&stream); /* one lies on a sample */
        s->v[i] = i == 0 ? 21 : 24 + 8 * random_next(&stream);
        s->values[0][i] = random_next(&stream), s->values[1][i] = random_next(&stream);
    }
    s->patch = (armilla_points_patch){s->samples, PITCH, ROWS * PITCH, ncomp};
    s->list = (armilla_points_list){.count = COUNT, .u = s->u, .v = s->v, .values = {s->values[0]}};
}

/* The weight of a sample so far behind the point; if two lie w / 2 away, points see the first. */
static long double weight_of(const kernel_scene *s, double distance)
{
    const long double x = 2 * (long double)distance / s->window.taps;
    return x < -1 || x >= 1 ? 0 : armilla_window_psi(&s->window, x);
}

static double exact_value(const kernel_scene *s, int point, int64_t component)
{
    long double sum = 0;
    for (int row = 0; row < ROWS; row++) {
        const long double height = weight_of(s, row - s->u[point]);
        for (int column = 0; column < PITCH && height != 0; column++)
            sum += height * weight_of(s, column - s->v[point]) *
                   (long double)s->samples[(component * ROWS + row) * PITCH + column];
    }
    return (double)sum;
}

/* Components are in turns: the list has no places. */
static double *value_of(kernel_scene *s, int point, int64_t component)
{
    return s->values[0] + s->patch.ncomp * point + component;
}

static void check_values(kernel_scene *s, double bound, const char *name)
{
    s->list.values[1] = s->values[0] + 1;
    s->kernels->interpolate(&s->table, &s->patch, &s->list);
    for (int i = 0; i < COUNT; i++)
        for (int64_t c = 0; c < s->patch.ncomp; c++)
            check_at_most(fabs(*value_of(s, i, c) - exact_value(s, i, c)), bound,
                          "%s, %d taps, degree %d, point %d", name, s->window.taps, s->table.degree,
                          i);
}

/* Values spread over rows 20 to 27 only, times samples there, against values of these samples. */
static void check_transpose(kernel_scene *s, double bound, const char *name)
{
    enum { BEGIN = 20, END = 28 };
    kernel_scene other = *s;
    double sums[2] = {0, 0};
    memset(other.samples, 0, sizeof other.samples);
    other.patch.samples = other.samples;
    s->kernels->spread(&s->table, &other.patch, &s->list, BEGIN, END);
    for (int i = 0; i < SIZE; i++) {
        const int row = i / PITCH % ROWS, inside = row >= BEGIN && row < END;
        if (!inside) assert_true(other.samples[i] == 0);
        if (!inside || i >= s->patch.ncomp * ROWS * PITCH) s->samples[i] = 0;
        sums[0] += s->samples[i] * other.samples[i];
    }
    for (int i = 0; i < COUNT; i++)
        for (int64_t c = 0; c < s->patch.ncomp; c++)
            sums[1] += *value_of(s, i, c) * exact_value(s, i, c);
    check_at_most(fabs(sums[0] - sums[1]), bound, "%s, %d taps, degree %d, spread", name,
                  s->window.taps, s->table.degree);
}

static void every_number_of_taps(void **state)
{
    (void)state;
    const int some_digits[] = {3, 6, 9, 12, 13};
    kernel_scene s;
    for (int i = 0; armilla_isa_available(i); i++)
        for (int taps = 2; taps <= ARMILLA_WINDOW_TAPS; taps++)
            for (int d = 0; d < 5; d++) {
                if (checks_quick() && d != taps % 5) continue;
                const char *name = armilla_isa_available(i);
                const double epsilon = pow(10, -some_digits[d]);
                const double bound = 0.03 * epsilon * taps * taps + 1e-14 * taps;
                open_scene(name, taps, epsilon, 1 + d % 2, &s);
                check_values(&s, bound, name);
                check_transpose(&s, NCOMP * COUNT * bound, name);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_number_of_taps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
