/* Checks that points in bands and tiles (src/points/order.h) stand each once, where long double
 * says they lie, in the caller's sequence within their tile, whatever the number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "points/dispatch.h"
#include "points/order.h"
#include "test_points_scene.h"

#include <stdio.h>

static const long double PI_L = 3.14159265358979323846264338327950288L;

typedef struct {
    int64_t count;
    double *points;
    armilla_sampling sampling;
    armilla_points_order order;
} ordered;

/* With the samples of the given band limit and 1e-13, which has the finest ones. */
static ordered sort_points(const armilla_points_kernels *kernels, point_kind kind, int64_t lmax,
                           int64_t count, int nthreads)
{
    ordered o = {.count = count, .points = checked_malloc(2 * count, sizeof(double))};
    armilla_points_locations locations;
    fill_points(kind, count, o.points);
    check_ok(armilla_points_survey(kernels, count, o.points, &locations));
    const armilla_sampling_problem problem = {.lmax = lmax,
                                              .mmax = lmax,
                                              .epsilon = 1e-13,
                                              .npoints = count,
                                              .vector_length = kernels->vector_length,
                                              .extent = armilla_points_extent_of(&locations)};
    o.sampling = armilla_sampling_choose(&problem);
    check_ok(armilla_points_order_make(&locations, &o.sampling, nthreads, 1, &o.order));
    return o;
}

static void free_points(ordered *o)
{
    armilla_points_order_clear(&o->order);
    free(o->points);
}

/* From the nearest of the places that are a turn apart. */
static long double turns_off(long double difference, long double turn)
{
    return fabsl(difference - turn * rintl(difference / turn));
}

/* Both within `bound` of a sample, in the point's own tile. */
static void check_point(const ordered *o, int south, int64_t band, int64_t tile, int64_t at)
{
    const armilla_points_order *order = &o->order;
    const double *point = o->points + 2 * (int64_t)order->place[at], bound = 2e-14;
    const long double nphi = (long double)o->sampling.nphi;
    const long double u = (long double)point[0] * (long double)o->sampling.whole / PI_L - 0.5L -
                          (long double)o->sampling.first;
    const long double v = fmodl((long double)point[1], 2 * PI_L) * nphi / (2 * PI_L);
    const int64_t row = armilla_points_band_row(order, south, band);
    check_at_most((double)fabsl(u - (long double)row - (long double)order->u[at]), bound,
                  "row of point %u", (unsigned)order->place[at]);
    const long double column = (long double)(tile * ARMILLA_TILE_SAMPLES);
    const double turns = bound + 3e-17 * fabs(point[1]); /* pi in long double, many times */
    check_at_most((double)turns_off(v - column - (long double)order->v[at], nphi), turns,
                  "column of point %u", (unsigned)order->place[at]);
    check_at_most(fabs(order->v[at] - 0.5 * ARMILLA_TILE_SAMPLES),
                  0.5 * ARMILLA_TILE_SAMPLES + 1e-9, "column of point %u in tile %d",
                  (unsigned)order->place[at], (int)tile);
    assert_true(order->u[at] > -1.1 && order->u[at] < ARMILLA_TILE_RINGS + 1.1);
}

/* Each point once, in sequence within a tile. */
static void check_order(const ordered *o)
{
    const armilla_points_order *order = &o->order;
    char *seen = checked_calloc(o->count, 1);
    assert_int_equal(order->start[0], 0);
    assert_int_equal(order->start[2 * order->nbands * order->ntiles], o->count);
    for (int64_t t = 0; t < 2 * order->nbands * order->ntiles; t++) {
        const int64_t band = t / order->ntiles, south = band >= order->nbands;
        for (int64_t at = order->start[t]; at < order->start[t + 1]; at++) {
            assert_true(order->place[at] < o->count && !seen[order->place[at]]);
            assert_true(at == order->start[t] || order->place[at] > order->place[at - 1]);
            seen[order->place[at]] = 1;
            check_point(o, (int)south, band - south * order->nbands, t % order->ntiles, at);
        }
    }
    free(seen);
}

static void points_are_in_their_tiles(void **state)
{
    (void)state;
    const int64_t count = checks_quick() ? 3001 : 20001;
    for (int i = 0; armilla_isa_available(i); i++) {
        armilla_isa isa;
        check_ok(armilla_isa_choose(armilla_isa_available(i), &isa));
        for (int kind = 0; kind < POINT_KINDS; kind++) {
            ordered o =
                sort_points(armilla_points_kernels_find(isa), (point_kind)kind, 700, count, 1);
            check_order(&o);
            free_points(&o);
        }
    }
}

/* Fewer than a vector, and a few more than one, two, ... */
static void few_points(void **state)
{
    (void)state;
    armilla_isa isa;
    check_ok(armilla_isa_choose(NULL, &isa));
    for (int64_t count = 0; count < 40; count++) {
        ordered o = sort_points(armilla_points_kernels_find(isa), RANDOM, 90, count, 2);
        check_order(&o);
        free_points(&o);
    }
}

/* Slices of points, a thread each, are worked on from 65536 points on. */
static void threads_change_nothing(void **state)
{
    (void)state;
    const int64_t count = 200001;
    armilla_isa isa;
    check_ok(armilla_isa_choose(NULL, &isa));
    ordered one = sort_points(armilla_points_kernels_find(isa), RANDOM, 300, count, 1);
    for (int nthreads = 2; nthreads < 5; nthreads++) {
        ordered more = sort_points(armilla_points_kernels_find(isa), RANDOM, 300, count, nthreads);
        assert_memory_equal(one.order.u, more.order.u, (size_t)count * sizeof(double));
        assert_memory_equal(one.order.v, more.order.v, (size_t)count * sizeof(double));
        assert_memory_equal(one.order.place, more.order.place, (size_t)count * sizeof(uint32_t));
        free_points(&more);
    }
    check_order(&one);
    free_points(&one);
}

/* What is not finite or out of range is found wherever it stands. */
static void wrong_points_are_named(void **state)
{
    (void)state;
    const double wrong[] = {NAN, INFINITY, -INFINITY, -5e-324, 3.15};
    armilla_points_locations locations;
    armilla_isa isa;
    for (int i = 0; armilla_isa_available(i); i++)
        for (int64_t at = 0; at < 2 * 21; at++)
            for (int w = 0; w < (at % 2 ? 3 : 5); w++) {
                double points[2 * 21];
                char name[64];
                fill_points(RANDOM, 21, points);
                points[at] = wrong[w];
                snprintf(name, sizeof name, "points: %s of point %lld", at % 2 ? "phi" : "theta",
                         (long long)(at / 2));
                check_ok(armilla_isa_choose(armilla_isa_available(i), &isa));
                check_error(
                    armilla_points_survey(armilla_points_kernels_find(isa), 21, points, &locations),
                    ARMILLA_ERROR_ARGUMENT, name);
            }
}

/* Two components of points in any sequence: where each of the caller's points is. Of points that
 * lie as they do on the sphere, or of one component, where each of the sorted ones is. */
static void scattered_points_have_turns(void **state)
{
    (void)state;
    const int64_t count = 40001;
    armilla_isa isa;
    check_ok(armilla_isa_choose(NULL, &isa));
    ordered o = sort_points(armilla_points_kernels_find(isa), RANDOM, 100, count, 1);
    double *sorted = checked_malloc(2 * count, sizeof(double));
    for (int64_t i = 0; i < 2 * count; i++) sorted[i] = o.points[2 * o.order.place[i / 2] + i % 2];
    for (int is_sorted = 0; is_sorted < 2; is_sorted++)
        for (int64_t ncomp = 1; ncomp < 3; ncomp++) {
            armilla_points_locations locations;
            armilla_points_order order;
            check_ok(armilla_points_survey(armilla_points_kernels_find(isa), count,
                                           is_sorted ? sorted : o.points, &locations));
            check_ok(armilla_points_order_make(&locations, &o.sampling, 2, ncomp, &order));
            assert_memory_equal(order.u, o.order.u, (size_t)count * sizeof(double));
            assert_int_equal(order.turn != NULL, !is_sorted && ncomp == 2);
            assert_int_equal(order.place != NULL, !order.turn);
            for (int64_t i = 0; i < count && order.turn; i++)
                assert_int_equal(order.turn[o.order.place[i]], i);
            armilla_points_order_clear(&order);
        }
    free(sorted);
    free_points(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_in_their_tiles),   cmocka_unit_test(few_points),
        cmocka_unit_test(threads_change_nothing),      cmocka_unit_test(wrong_points_are_named),
        cmocka_unit_test(scattered_points_have_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
