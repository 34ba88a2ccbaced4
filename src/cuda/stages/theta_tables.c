/* Computes on the host what the GPU's theta stage reads: the window's weights at every ring and at
 * its images beyond the poles, sorted so that each sample of the fine circle finds the rings that
 * see it, and the factors that undo the window's transform. */
#include "cuda/stages/theta_tables.h"

#include "base/integer.h"
#include "base/memory.h"
#include "fft/roots.h"
#include "leg/orders.h"
#include "theta/choose.h"
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

/* What frequency k is divided by: the window's transform, or, for rings that are samples, what is
 * given, and two for E and O. */
static long double transform_of(const armilla_theta_problem *problem,
                                const armilla_theta_window *window, int64_t k)
{
    if (!problem->to_length) return armilla_theta_window_transform(window, k);
    return 2 * (problem->to_transform ? (long double)problem->to_transform[k] : 1);
}

/* exp(-i angle), by which frequency k is turned: rings lie half a sample behind the first sample of
 * their circle, those of `to` the other way. */
static void find_turn(const armilla_theta_problem *problem, int64_t k, double turn[2])
{
    double from[2] = {1, 0}, to[2] = {1, 0};
    if (problem->half_shifted) armilla_root_of_unity(k, 2 * problem->circle_length, from);
    if (problem->to_length) armilla_root_of_unity(k, 2 * problem->to_length, to);
    turn[0] = from[0] * to[0] + from[1] * to[1];
    turn[1] = from[0] * to[1] - from[1] * to[0];
}

/* 1 / (P phihat(k)), turned back by the half shift of the rings. A band that ends with P / 2 has k
 * and -k, which have the same sum; of one that goes on, to_transform says how much either gets. */
static void fill_factor(const armilla_theta_problem *problem, const armilla_theta_window *window,
                        double *factor)
{
    const int64_t length = problem->circle_length;
    for (int64_t k = 0; k <= problem->band; k++) {
        long double size = 1 / ((long double)length * transform_of(problem, window, k));
        double turn[2];
        if (2 * k == length && k == problem->band) size /= 2;
        find_turn(problem, k, turn);
        factor[2 * k] = (double)(size * turn[0]);
        factor[2 * k + 1] = (double)(size * turn[1]);
    }
}

/* place below 0: there is no such ring. */
static armilla_cuda_theta_sample sample_of(int64_t ring, int64_t place)
{
    return (armilla_cuda_theta_sample){(int32_t)ring, (int32_t)(place < 0 ? -1 : place)};
}

static void fill_samples(const armilla_theta_problem *problem, armilla_cuda_theta_sample *samples)
{
    for (int64_t i = 0; i < 2 * problem->from->count; i++) {
        const int64_t ring = (i % 2 ? problem->from->south : problem->from->north)[i / 2];
        samples[i] = sample_of(i, ring < 0 ? -1 : ring + problem->first);
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

/* --- Rings `to` that are samples --------------------------------------------------------------
 */

/* The rings in sequence; behind them samples of the half circle without a ring. taken: of each
 * sample, whether it has one; zeros. */
static void fill_spots(const armilla_theta_problem *problem, char *taken,
                       armilla_cuda_theta_tables *tables)
{
    const armilla_ring_pairs *to = problem->to;
    int64_t count = 0;
    for (int64_t i = 0; i < 2 * to->count; i++) {
        const int64_t place = (i % 2 ? to->south : to->north)[i / 2];
        tables->spots[count++] = sample_of(i, place);
        if (place >= 0) taken[place] = 1;
    }
    for (int64_t j = 0; j < problem->to_length / 2; j++)
        if (!taken[j]) tables->spots[count++] = sample_of(-1, j);
    tables->view.nspots = count;
}

static armilla_status make_spots(const armilla_theta_problem *problem,
                                 armilla_cuda_theta_tables *tables)
{
    const int64_t half = problem->to_length / 2;
    char *taken;
    armilla_status status =
        armilla_allocate(&tables->spots, 2 * problem->to->count + half, sizeof *tables->spots);
    if (status || (status = armilla_allocate_zero(&taken, half, 1))) return status;
    fill_spots(problem, taken, tables);
    armilla_release(taken);
    return ARMILLA_OK;
}

/* --- Problems -------------------------------------------------------------------------------- */

armilla_status armilla_cuda_theta_check(const armilla_theta_problem *problem)
{
    const int64_t length = problem->circle_length;
    const int64_t most = problem->to_length ? length - 1 : length / 2;
    if (length > INT32_MAX)
        return armilla_fail_argument("circle_length", length, "must be below 2^31");
    if (length < 1 || problem->band < 0 || problem->band > most)
        return armilla_fail_argument("band", problem->band,
                                     "must be 0 to half the circle_length, or below it where the "
                                     "rings `to` are samples");
    if (!armilla_theta_takes_places(problem))
        return armilla_fail_argument("circle_length", length,
                                     "must be that of a circle that the rings `from` fill");
    if (problem->to_length > INT32_MAX)
        return armilla_fail_argument("to_length", problem->to_length, "must be below 2^31");
    return armilla_theta_check_to(problem);
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
    view->samples = tables->samples, view->points = tables->points, view->spots = tables->spots;
    view->weights = tables->weights, view->range = tables->range, view->factor = tables->factor;
    view->least_from = tables->least[0], view->least_to = tables->least[1];
}

armilla_status armilla_cuda_theta_tables_make(const armilla_theta_problem *problem,
                                              const armilla_cuda_theta_rows *rows,
                                              armilla_cuda_theta_tables *tables)
{
    const int64_t equidistant = problem->to_length;
    const int64_t fine = equidistant ? equidistant : armilla_cuda_theta_fine_length(problem->band);
    armilla_theta_window window = {.taps = 0};
    armilla_status status;
    if (!equidistant) window = armilla_theta_window_choose(problem->band, fine);
    memset(tables, 0, sizeof *tables);
    tables->view = (armilla_cuda_theta_view){.coarse = problem->circle_length,
                                             .fine = fine,
                                             .band = problem->band,
                                             .taps = window.taps,
                                             .nsamples = 2 * problem->from->count,
                                             .shift = problem->half_shifted};
    if (!(status = make_lists(problem, rows, tables)) &&
        !(status =
              equidistant ? make_spots(problem, tables) : make_points(problem, &window, tables)))
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
    armilla_release(tables->spots);
    armilla_release(tables->weights);
    armilla_release(tables->range);
    armilla_release(tables->factor);
    armilla_release(tables->least[0]);
    armilla_release(tables->least[1]);
    memset(tables, 0, sizeof *tables);
}
