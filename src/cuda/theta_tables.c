/* Computes on the host what the GPU's theta stage reads: the window's weights at every ring and at
 * its images beyond the poles, sorted so that each sample of the fine circle finds the rings that
 * see it, and the factors that undo the window's transform. */
#include "cuda/theta_tables.h"

#include "base/integer.h"
#include "base/memory.h"
#include "fft/roots.h"
#include "leg/orders.h"
#include "theta/window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So short that no ring is seen by both ends of the half circle otherwise: twice the widest window
 * has 38 samples. */
static const int64_t LEAST_FINE = 64;

/* --- Circles --------------------------------------------------------------------------------- */

static int is_smooth(int64_t n)
{
    for (int64_t factor = 2; factor <= 7; factor++)
        while (n % factor == 0) n /= factor;
    return n == 1;
}

int64_t armilla_cuda_theta_fine_length(int64_t band)
{
    int64_t length = 3 * band + band % 2; /* sigma = 1.5, what the window was measured for */
    if (length < LEAST_FINE) length = LEAST_FINE;
    while (!is_smooth(length)) length += 2;
    return length;
}

/* 1 / (P phihat(k)), turned back by the half shift of the rings. */
static void fill_factor(const armilla_theta_problem *problem, const armilla_theta_window *window,
                        double *factor)
{
    const int64_t length = problem->circle_length;
    for (int64_t k = 0; k <= problem->band; k++) {
        const long double transform = armilla_theta_window_transform(window, k);
        long double size = 1 / ((long double)length * transform);
        double root[2] = {1, 0};
        if (2 * k == length) size /= 2; /* k and -k have the same sum */
        if (problem->half_shifted) armilla_root_of_unity(k, 2 * length, root);
        factor[2 * k] = (double)(size * root[0]);
        factor[2 * k + 1] = (double)(-size * root[1]);
    }
}

static void fill_samples(const armilla_theta_problem *problem, armilla_cuda_theta_sample *samples)
{
    const int64_t length = problem->circle_length;
    for (int64_t i = 0; i < problem->from->count; i++)
        for (int south = 0; south < 2; south++) {
            const int64_t ring = south ? problem->from->south[i] : problem->from->north[i];
            const int64_t place = ring + problem->first;
            samples[2 * i + south] = (armilla_cuda_theta_sample){-1, -1};
            if (ring < 0) continue;
            samples[2 * i + south] = (armilla_cuda_theta_sample){
                place, (2 * length - place - problem->half_shifted) % length};
        }
}

static void fill_least(const armilla_ring_pairs *pairs, const armilla_cuda_theta_rows *rows,
                       int64_t *least)
{
    for (int64_t i = 0; i < rows->norders; i++)
        least[i] = armilla_ring_pairs_first(pairs, rows->orders[i]);
}

/* Orders that make a two are in one column, as on a processor: so bits are the same on every rank
 * that has both. column_of: room for all twos, by number. */
static void fill_rows(const armilla_cuda_theta_rows *rows, int odd, int64_t *column_of,
                      armilla_cuda_theta_tables *tables)
{
    for (int64_t i = 0; i < rows->norders; i++) column_of[armilla_orders_two(rows->orders[i])] = -1;
    for (int64_t i = 0; i < rows->norders; i++) {
        int64_t *column = &column_of[armilla_orders_two(rows->orders[i])];
        if (*column < 0) {
            *column = tables->ncolumns++;
            tables->rows[2 * *column] = tables->rows[2 * *column + 1] = -1;
        }
        tables->rows[2 * *column + (rows->orders[i] + odd) % 2] = i;
    }
}

static armilla_status make_rows(const armilla_cuda_theta_rows *rows, int odd,
                                armilla_cuda_theta_tables *tables)
{
    int64_t most = 0, *column_of;
    for (int64_t i = 0; i < rows->norders; i++)
        most = armilla_larger(most, armilla_orders_two(rows->orders[i]));
    tables->norders = rows->norders;
    armilla_status status = armilla_allocate(&tables->rows, 2 * rows->norders, sizeof(int64_t));
    if (status || (status = armilla_allocate(&column_of, most + 1, sizeof *column_of)))
        return status;
    fill_rows(rows, odd, column_of, tables);
    armilla_release(column_of);
    return ARMILLA_OK;
}

/* --- Points ---------------------------------------------------------------------------------- */

/* A ring of `to`. */
typedef struct {
    int64_t place;        /* the first sample that it sees */
    long double position; /* in samples of the fine circle, from the north pole */
    double factor;
} ring_place;

/* A point, while points are sorted. */
typedef struct {
    armilla_cuda_theta_point point;
    const ring_place *ring;
} placed_point;

static ring_place place_ring(const armilla_theta_problem *problem,
                             const armilla_theta_window *window, int64_t pair, int south)
{
    const double *theta = south ? problem->to->south_theta : problem->to->theta;
    const long double half = (long double)window->length / 2;
    ring_place ring = {.position = armilla_theta_window_position(window, theta[pair])};
    if (south) ring.position = half - ring.position;
    ring.place = (int64_t)ceill(ring.position - 0.5L * (long double)window->taps);
    ring.factor = problem->to_factor ? 0.5 * problem->to_factor[pair] : 0.5;
    return ring;
}

/* A ring, and its images at -theta and beyond the south pole, where samples 0 .. M / 2 see them:
 * they see the mirrored samples. Returned: how many. */
static int64_t place_points(const ring_place *ring, int64_t number, int64_t taps, int64_t fine,
                            placed_point *points)
{
    const int64_t last = ring->place + taps - 1;
    int64_t count = 0;
    points[count++] = (placed_point){{number, (int32_t)ring->place, 1}, ring};
    if (ring->place <= 0) points[count++] = (placed_point){{number, (int32_t)-last, -1}, ring};
    if (2 * last >= fine)
        points[count++] = (placed_point){{number, (int32_t)(fine - last), -1}, ring};
    return count;
}

static int compare(const void *a, const void *b)
{
    const armilla_cuda_theta_point *first = &((const placed_point *)a)->point;
    const armilla_cuda_theta_point *second = &((const placed_point *)b)->point;
    if (first->place != second->place) return first->place < second->place ? -1 : 1;
    if (first->sign != second->sign) return first->sign < second->sign ? -1 : 1;
    return first->ring < second->ring ? -1 : 1;
}

/* All points, sorted; behind them the rings that are missing. Returned: the former. */
static int64_t sort_points(const armilla_theta_problem *problem, const armilla_theta_window *window,
                           ring_place *rings, placed_point *points)
{
    const armilla_ring_pairs *to = problem->to;
    int64_t count = 0, missing = 0;
    for (int64_t i = 0; i < 2 * to->count; i++) {
        const int south = i % 2 != 0;
        if ((south ? to->south : to->north)[i / 2] < 0) continue;
        rings[i] = place_ring(problem, window, i / 2, south);
        count += place_points(&rings[i], i, window->taps, window->length, points + count);
    }
    qsort(points, (size_t)count, sizeof *points, compare);
    for (int64_t i = 0; i < 2 * to->count; i++)
        if ((i % 2 ? to->south : to->north)[i / 2] < 0)
            points[count + missing++] = (placed_point){{i, 0, 0}, NULL};
    return count;
}

/* Weights of a point's samples: weights[tap npoints]. */
static void fill_point(const armilla_theta_window *window, const placed_point *point,
                       int64_t npoints, double *weights)
{
    enum { STEP = ARMILLA_THETA_WINDOW_VALUES };
    const ring_place *ring = point->ring;
    long double values[STEP];
    for (int64_t tap = 0; tap < window->taps; tap += STEP) {
        armilla_theta_window_values(window, ring->position - (long double)(ring->place + tap),
                                    values);
        for (int64_t i = 0; i < STEP && tap + i < window->taps; i++) {
            const int64_t mine = point->point.sign < 0 ? window->taps - 1 - tap - i : tap + i;
            weights[mine * npoints] = (double)(ring->factor * values[i]);
        }
    }
}

/* Places rise, and all points see as many samples: those that see a sample are neighbours. */
static void fill_range(armilla_cuda_theta_tables *tables, int64_t count)
{
    const armilla_cuda_theta_view *view = &tables->view;
    const armilla_cuda_theta_point *points = tables->points;
    int64_t begin = 0, end = 0;
    for (int64_t j = 0; 2 * j <= view->fine; j++) {
        while (begin < count && points[begin].place + view->taps <= j) begin++;
        while (end < count && points[end].place <= j) end++;
        tables->range[2 * j] = (int32_t)begin, tables->range[2 * j + 1] = (int32_t)end;
    }
}

/* --- Problems -------------------------------------------------------------------------------- */

armilla_status armilla_cuda_theta_check(const armilla_theta_problem *problem)
{
    const char *name = problem->to_length      ? "to_length"
                       : problem->to_transform ? "to_transform"
                                               : NULL;
    return name
               ? armilla_fail(ARMILLA_ERROR_UNSUPPORTED, "%s: is not for a GPU's theta stage", name)
               : ARMILLA_OK;
}

/* --- All of them ----------------------------------------------------------------------------- */

/* count: points that are not missing. */
static armilla_status keep_points(const armilla_theta_window *window, const placed_point *points,
                                  int64_t count, armilla_cuda_theta_tables *tables)
{
    const armilla_cuda_theta_view *view = &tables->view;
    const int64_t n = view->npoints;
    armilla_status status;
    if ((status = armilla_allocate(&tables->points, n, sizeof *tables->points)) ||
        (status = armilla_allocate(&tables->weights, view->taps * n, sizeof(double))) ||
        (status = armilla_allocate(&tables->range, view->fine + 2, sizeof *tables->range)))
        return status;
    memset(tables->weights, 0, sizeof(double) * (size_t)(view->taps * n));
    for (int64_t i = 0; i < n; i++) tables->points[i] = points[i].point;
    for (int64_t i = 0; i < count; i++) fill_point(window, &points[i], n, tables->weights + i);
    fill_range(tables, count);
    return ARMILLA_OK;
}

static armilla_status make_points(const armilla_theta_problem *problem,
                                  const armilla_theta_window *window,
                                  armilla_cuda_theta_tables *tables)
{
    const int64_t nrings = 2 * problem->to->count;
    ring_place *rings = NULL;
    placed_point *points = NULL;
    armilla_status status;
    if (!(status = armilla_allocate(&rings, nrings, sizeof *rings)) &&
        !(status = armilla_allocate(&points, 3 * nrings, sizeof *points))) {
        const int64_t count = sort_points(problem, window, rings, points);
        tables->view.npoints = count;
        for (int64_t i = 0; i < problem->to->count; i++)
            tables->view.npoints += (problem->to->north[i] < 0) + (problem->to->south[i] < 0);
        status = keep_points(window, points, count, tables);
    }
    armilla_release(points);
    armilla_release(rings);
    return status;
}

static armilla_status make_lists(const armilla_theta_problem *problem,
                                 const armilla_cuda_theta_rows *rows,
                                 armilla_cuda_theta_tables *tables)
{
    const armilla_ring_pairs *sides[2] = {problem->from, problem->to};
    armilla_status status = make_rows(rows, problem->spin % 2 != 0, tables);
    for (int i = 0; i < 2 && !status; i++) {
        status = armilla_allocate(&tables->least[i], rows->norders, sizeof(int64_t));
        if (!status) fill_least(sides[i], rows, tables->least[i]);
    }
    if (!status)
        status =
            armilla_allocate(&tables->samples, 2 * problem->from->count, sizeof *tables->samples);
    if (!status) fill_samples(problem, tables->samples);
    return status;
}

static void point_to_tables(armilla_cuda_theta_tables *tables)
{
    armilla_cuda_theta_view *view = &tables->view;
    view->rows = tables->rows;
    view->samples = tables->samples, view->points = tables->points;
    view->weights = tables->weights, view->range = tables->range, view->factor = tables->factor;
    view->least_from = tables->least[0], view->least_to = tables->least[1];
}

armilla_status armilla_cuda_theta_tables_make(const armilla_theta_problem *problem,
                                              const armilla_cuda_theta_rows *rows,
                                              armilla_cuda_theta_tables *tables)
{
    const int64_t fine = armilla_cuda_theta_fine_length(problem->band);
    const armilla_theta_window window = armilla_theta_window_choose(problem->band, fine);
    armilla_status status;
    memset(tables, 0, sizeof *tables);
    tables->view = (armilla_cuda_theta_view){.coarse = problem->circle_length,
                                             .fine = fine,
                                             .band = problem->band,
                                             .taps = window.taps,
                                             .nsamples = 2 * problem->from->count};
    if (!(status = make_lists(problem, rows, tables)) &&
        !(status = make_points(problem, &window, tables)))
        status = armilla_allocate(&tables->factor, 2 * (problem->band + 1), sizeof(double));
    if (status) {
        armilla_cuda_theta_tables_clear(tables);
        return status;
    }
    fill_factor(problem, &window, tables->factor);
    point_to_tables(tables);
    return ARMILLA_OK;
}

void armilla_cuda_theta_tables_clear(armilla_cuda_theta_tables *tables)
{
    armilla_release(tables->rows);
    armilla_release(tables->samples);
    armilla_release(tables->points);
    armilla_release(tables->weights);
    armilla_release(tables->range);
    armilla_release(tables->factor);
    armilla_release(tables->least[0]);
    armilla_release(tables->least[1]);
    memset(tables, 0, sizeof *tables);
}
