/* What the tests of the theta stage share: rings on circles, random rows, and the stage's matrix by
 * direct sums in long double. */
#ifndef ARMILLA_TESTS_THETA_SCENE_H
#define ARMILLA_TESTS_THETA_SCENE_H

#include "base/memory.h"
#include "grid/equidistant.h"
#include "oracle/checks.h"
#include "theta/theta.h"
#include <math.h>
#include <string.h>

static const long double PI = 3.14159265358979323846264338327950288L;

static inline double *doubles(int64_t count)
{
    double *result;
    assert_int_equal(armilla_allocate_zero(&result, count, sizeof *result), ARMILLA_OK);
    return result;
}

/* The colatitudes of a grid's rings. */
static inline double *equidistant_rings(armilla_grid_kind kind, int64_t nrings)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_equidistant(kind, nrings, 1, &grid));
    double *theta = doubles(nrings);
    for (int64_t r = 0; r < nrings; r++) {
        armilla_ring ring;
        check_ok(armilla_grid_ring(grid, r, &ring));
        theta[r] = ring.theta;
    }
    armilla_grid_free(grid);
    return theta;
}

/* Pairs on which every order up to mmax matters. */
static inline armilla_ring_pairs all_pairs(int64_t nrings, const double *theta, int64_t mmax)
{
    armilla_ring_pairs pairs;
    check_ok(armilla_ring_pairs_make(nrings, theta, mmax, mmax, 0, &pairs));
    for (int64_t i = 0; i < pairs.count; i++) pairs.limit[i] = mmax;
    return pairs;
}

/* A theta object with its two sides; owns them. */
typedef struct {
    armilla_theta *theta;
    armilla_ring_pairs from, to;
    armilla_circle circle;
    int64_t band, spin;
    double *scratch;
} scene;

enum { LARGEST_ORDER = 1000 };

/* The whole band of the grid's circle, or band if that is not negative. */
static inline void scene_open(scene *s, armilla_isa isa, armilla_grid_kind kind, int64_t nrings,
                              int64_t band, int64_t spin, int64_t nto, const double *to)
{
    double *theta = equidistant_rings(kind, nrings);
    *s = (scene){.circle = armilla_grid_circle(kind, nrings), .spin = spin};
    s->from = all_pairs(nrings, theta, LARGEST_ORDER);
    s->to = all_pairs(nto, to, LARGEST_ORDER);
    s->band = band < 0 ? s->circle.length / 2 : band;
    const armilla_theta_problem problem = {.machine = armilla_machine_with(isa),
                                           .spin = spin,
                                           .band = s->band,
                                           .from = &s->from,
                                           .to = &s->to,
                                           .circle_length = s->circle.length,
                                           .half_shifted = s->circle.half_shifted,
                                           .first = s->circle.first};
    check_ok(armilla_theta_new(&problem, &s->theta));
    s->scratch = doubles(armilla_theta_scratch_size(s->theta));
    armilla_release(theta);
}

static inline void scene_close(scene *s)
{
    armilla_theta_free(s->theta);
    armilla_ring_pairs_clear(&s->from);
    armilla_ring_pairs_clear(&s->to);
    armilla_release(s->scratch);
}

/* Rows of both sides. */
typedef struct {
    armilla_theta_batch batch;
    int64_t from_size, to_size; /* doubles of all rows */
    double *from, *to;
} scene_rows;

static inline scene_rows rows_open(const scene *s, int64_t count, const int64_t *orders)
{
    scene_rows r = {.from_size = 4 * count * s->from.count, .to_size = 4 * count * s->to.count};
    r.from = doubles(r.from_size), r.to = doubles(r.to_size);
    r.batch =
        (armilla_theta_batch){count, orders, r.from, r.to, 4 * s->from.count, 4 * s->to.count};
    return r;
}

static inline void rows_close(scene_rows *r)
{
    armilla_release(r->from);
    armilla_release(r->to);
}

/* The coefficients |k| <= band, band + 1 complex numbers, of the column in one of the four parts
 * (0: real, 1: imaginary) of a row of the side `from`. */
static inline void direct_coefficients(const scene *s, const double *row, int part, int odd,
                                       long double *c)
{
    const int64_t length = s->circle.length;
    memset(c, 0, (size_t)(2 * (s->band + 1)) * sizeof *c);
    for (int64_t i = 0; i < 2 * s->from.count; i++) {
        const int64_t ring = i % 2 ? s->from.south[i / 2] : s->from.north[i / 2];
        const int64_t place = 2 * (ring + s->circle.first) + s->circle.half_shifted;
        const long double x = row[4 * (i / 2) + 2 * (i % 2) + part] / (long double)length;
        const int pole = place == 0 || place == length;
        if (ring < 0) continue;
        for (int64_t k = 0; k <= s->band; k++) {
            const long double angle =
                PI * (long double)(k * place % (2 * length)) / (long double)length;
            const long double half = 2 * k == length && k == s->band ? 0.5L : 1;
            if (!odd) c[2 * k] += (pole ? 1 : 2) * half * x * cosl(angle);
            if (odd && !pole) c[2 * k + 1] -= 2 * half * x * sinl(angle);
        }
    }
}

/* sum_{|k| <= band} c_k exp(i k theta). The waves by recurrence, off by band roundings of long
 * double: sines of each would take minutes where long double is software (Arm). */
static inline long double direct_value(int64_t band, const long double *c, long double theta)
{
    const long double cosine = cosl(theta), sine = sinl(theta);
    long double sum = c[0], re = cosine, im = sine;
    for (int64_t k = 1; k <= band; k++) {
        sum += 2 * (c[2 * k] * re - c[2 * k + 1] * im);
        const long double next = re * cosine - im * sine;
        im = re * sine + im * cosine;
        re = next;
    }
    return sum;
}

/* Rows of the side `to` by direct sums. */
static inline void direct_forward(const scene *s, const scene_rows *r, double *to)
{
    long double *c = checked_malloc(2 * (s->band + 1), sizeof *c);
    for (int64_t i = 0; i < 2 * r->batch.count; i++) {
        const int64_t row = i / 2, part = i % 2;
        const int odd = (r->batch.orders[row] + s->spin) % 2 != 0;
        direct_coefficients(s, r->from + 4 * row * s->from.count, (int)part, odd, c);
        for (int64_t pair = 0; pair < s->to.count; pair++) {
            double *place = to + 4 * (row * s->to.count + pair) + part;
            const long double theta = s->to.theta[pair];
            place[0] = place[2] = 0;
            if (s->to.north[pair] >= 0) place[0] = (double)direct_value(s->band, c, theta);
            if (s->to.south[pair] >= 0) place[2] = (double)direct_value(s->band, c, PI - theta);
        }
    }
    free(c);
}

#endif
