/* Sums the orders of the ring spectrum to values at points of any longitude, and the transpose,
 * many points at a time. Points go in vectors, and m = 64 q + r:
 *
 *     f = sum_q Re[ e^{i 64 q phi} sum_{r < 64} c_m F_m e^{i r phi} ],  c_0 = 1, c_m = 2 (7.9) G_m
 * = sum over the points of a ring of f e^{-i 64 q phi} e^{-i r phi}
 *
 * so that a point needs 64 + mmax / 64 phases, each right to a rounding. Some thousand points, a
 * chunk, are worked on at once. To points, a task is some vectors; to leg, 64 orders: each entry is
 * written by one task, and sums do not depend on the number of threads. */
#include "points/waves.h"

#include "base/angle.h"
#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "ringfft/phase.h"

#include <math.h>
#include <string.h>

enum {
    ORDERS = ARMILLA_WAVE_ORDERS,
    BUFFER = 2 * 8 * ORDERS, /* doubles: entries of a vector of at most eight lanes */
    CHUNK = 128,             /* vectors: 1 to 2 MB of phases */
    TASK = 4 /* vectors of a task: neighbours on one ring share what was read of its leg */
};

typedef struct {
    const armilla_waves *waves;
    const armilla_work *work;
    int64_t vlen, nhigh, most; /* most: vectors of a chunk */
    int64_t first, count;      /* points of the chunk */
    int fresh;                 /* legs have nothing yet */
    int64_t phases;            /* doubles of the phases of a vector */
    double *table;             /* [vector]: low [ORDERS][2][vlen], high [nhigh][2][vlen] */
    double *fields;            /* [transform][most][ARMILLA_JET_FIELDS][vlen] */
} chunk;

static int64_t count_high(int64_t mmax)
{
    return mmax / ORDERS + 1;
}

static int64_t phases_of(const armilla_points_kernels *kernels, int64_t mmax)
{
    return 2 * kernels->vector_length * (ORDERS + count_high(mmax));
}

/* Vectors of a chunk, at most: no more than there are. Allocations of a single point are small. */
static int64_t most_vectors(const armilla_points_kernels *kernels, int64_t npoints)
{
    const int64_t vlen = kernels->vector_length;
    return armilla_smaller(CHUNK, (npoints + vlen - 1) / vlen);
}

static int64_t table_size(const armilla_points_kernels *kernels, int64_t mmax, int64_t npoints)
{
    return armilla_round_line(most_vectors(kernels, npoints) * phases_of(kernels, mmax));
}

int64_t armilla_waves_shared(const armilla_points_kernels *kernels, int64_t mmax, int64_t npoints,
                             int64_t ntrans)
{
    const int64_t fields = ARMILLA_JET_FIELDS * kernels->vector_length;
    return table_size(kernels, mmax, npoints) +
           armilla_round_line(ntrans * most_vectors(kernels, npoints) * fields);
}

int64_t armilla_waves_scratch(int64_t mmax)
{
    const int64_t most = count_high(mmax) > ORDERS ? count_high(mmax) : ORDERS;
    return BUFFER + (2 * most + ARMILLA_PHASE_WORK + 7) / 8 * 8;
}

/* --- Vectors of points ------------------------------------------------------------------------ */

static int64_t count_vectors(const chunk *c)
{
    return (c->count + c->vlen - 1) / c->vlen;
}

/* Lanes behind the last point repeat it. */
static const armilla_latitude_point *point_of(const chunk *c, int64_t vector, int64_t lane)
{
    const int64_t i = vector * c->vlen + lane;
    return c->waves->latitudes->point + c->first + armilla_smaller(i, c->count - 1);
}

/* exp(i m phi) for m = 0, step, ..., step (count - 1), step a power of two, into one lane. */
static void fill_phases(const chunk *c, double phi, int64_t step, int64_t count, double *scratch,
                        double *lane)
{
    armilla_phase phase;
    armilla_phase_init(&phase, phi * (double)step, 1);
    armilla_phase_fill(&phase, count - 1, scratch + ARMILLA_PHASE_WORK, scratch);
    const double *from = scratch + ARMILLA_PHASE_WORK;
    for (int64_t i = 0; i < count; i++) {
        lane[2 * i * c->vlen] = from[2 * i];
        lane[(2 * i + 1) * c->vlen] = from[2 * i + 1];
    }
}

static double *low_of(const chunk *c, int64_t vector)
{
    return c->table + vector * c->phases;
}

static double *high_of(const chunk *c, int64_t vector, int64_t q)
{
    return low_of(c, vector) + 2 * (ORDERS + q) * c->vlen;
}

static double *field_of(const chunk *c, int64_t trans, int64_t vector, int64_t field)
{
    return c->fields + ((trans * c->most + vector) * ARMILLA_JET_FIELDS + field) * c->vlen;
}

/* How many orders from 64 q on exist, as an even number: kernels take two at a time. */
static int64_t count_orders(const chunk *c, int64_t q)
{
    const int64_t count = armilla_smaller(c->waves->mmax + 1 - ORDERS * q, ORDERS);
    return (count + 1) / 2 * 2;
}

/* Lanes behind the last point have its phases. */
static void copy_lane(const chunk *c, int64_t vector, int64_t lane)
{
    double *low = low_of(c, vector) + lane, *high = high_of(c, vector, 0) + lane;
    for (int64_t i = 0; i < 2 * count_orders(c, 0); i++) low[i * c->vlen] = low[i * c->vlen - 1];
    for (int64_t i = 0; i < 2 * c->nhigh; i++) high[i * c->vlen] = high[i * c->vlen - 1];
}

/* A phase behind mmax meets zeros, but must be a number. */
static void fill_table(const chunk *c, int64_t vector, double *scratch)
{
    for (int64_t lane = 0; lane < c->vlen; lane++) {
        if (vector * c->vlen + lane >= c->count) {
            copy_lane(c, vector, lane);
            continue;
        }
        const double phi = armilla_angle_reduce(point_of(c, vector, lane)->phi, NULL);
        fill_phases(c, phi, 1, count_orders(c, 0), scratch, low_of(c, vector) + lane);
        fill_phases(c, phi, ORDERS, c->nhigh, scratch, high_of(c, vector, 0) + lane);
    }
}

/* --- Leg -------------------------------------------------------------------------------------- */

/* Entries of the orders from 64 q on of the ring that a point lies on. Returned: how many exist. */
static int64_t find_entries(const armilla_wave_field *field, int64_t trans, int64_t q,
                            int64_t entry, double **at)
{
    const armilla_leg_layout *layout = field->leg->layout;
    const armilla_leg_block *block = layout->blocks;
    const int64_t pair = entry / 2, count = layout->pairs->limit[pair] + 1 - ORDERS * q;
    if (count <= 0) return 0;
    const int64_t set = field->set + trans * field->nsets;
    *at = armilla_leg_row(field->leg, block, set, ORDERS * q) + 4 * (pair - block->first) +
          2 * (entry % 2);
    return armilla_smaller(count, ORDERS);
}

/* Are the points of two vectors on the same rings, lane by lane? */
static int is_alike(const chunk *c, int64_t a, int64_t b)
{
    for (int64_t lane = 0; lane < c->vlen; lane++)
        if (point_of(c, a, lane)->entry != point_of(c, b, lane)->entry) return 0;
    return 1;
}

/* Entries of a vector's rings, with the factors of (7.9), zeros where they do not exist. Returned:
 * how many orders, an even number. */
static int64_t read_entries(const chunk *c, const armilla_wave_field *field, int64_t trans,
                            int64_t q, int64_t vector, double *to)
{
    const int64_t step = field->leg->layout->blocks->row_length;
    int64_t most = 0;
    double *from;
    memset(to, 0, sizeof *to * (size_t)(2 * count_orders(c, q) * c->vlen));
    for (int64_t lane = 0; lane < c->vlen; lane++) {
        const int64_t count =
            find_entries(field, trans, q, point_of(c, vector, lane)->entry, &from);
        for (int64_t r = 0; r < count; r++, from += step) {
            to[2 * r * c->vlen + lane] = 2 * from[0];
            to[(2 * r + 1) * c->vlen + lane] = 2 * from[1];
        }
        if (count > most) most = count;
    }
    for (int64_t lane = 0; lane < c->vlen && q == 0; lane++) to[lane] *= 0.5;
    return (most + 1) / 2 * 2;
}

static void add_entries(const chunk *c, const armilla_wave_field *field, int64_t trans, int64_t q,
                        int64_t vector, const double *from)
{
    const int64_t step = field->leg->layout->blocks->row_length;
    double *to;
    for (int64_t lane = 0; lane < c->vlen; lane++) {
        const int64_t count = find_entries(field, trans, q, point_of(c, vector, lane)->entry, &to);
        for (int64_t r = 0; r < count; r++, to += step) {
            to[0] += from[2 * r * c->vlen + lane];
            to[1] += from[(2 * r + 1) * c->vlen + lane];
        }
    }
}

static void clear_entries(const armilla_wave_field *field, int64_t trans, int64_t q)
{
    const armilla_leg_block *block = field->leg->layout->blocks;
    for (int64_t row = ORDERS * q; row < armilla_smaller(block->nrows, ORDERS * (q + 1)); row++)
        memset(armilla_leg_row(field->leg, block, field->set + trans * field->nsets, row), 0,
               sizeof(double) * 4 * (size_t)block->npairs);
}

/* --- To points -------------------------------------------------------------------------------- */

static void sum_orders(const chunk *c, int64_t trans, int64_t field, int64_t begin, int64_t end,
                       double *leg)
{
    const armilla_wave_field *of = &c->waves->field[field];
    for (int64_t q = 0; q < c->nhigh && of->leg; q++) {
        int64_t count = 0;
        for (int64_t v = begin; v < end; v++) {
            if (v == begin || !is_alike(c, v - 1, v)) count = read_entries(c, of, trans, q, v, leg);
            c->waves->kernels->waves(count, low_of(c, v), high_of(c, v, q), leg,
                                     field_of(c, trans, v, field));
        }
    }
}

static void put_values(const chunk *c, int64_t trans, int64_t vector)
{
    const armilla_waves *w = c->waves;
    const int64_t lanes = armilla_smaller(c->vlen, c->count - vector * c->vlen);
    for (int64_t component = 0; component < w->nfields; component++)
        for (int64_t lane = 0; lane < lanes; lane++) {
            const int64_t row = trans * w->nfields + component;
            double value = 0;
            for (int64_t f = 0; f < w->nfields; f++)
                value += w->mixing[component][f] * field_of(c, trans, vector, f)[lane];
            armilla_array_put(w->values, row * w->distance + point_of(c, vector, lane)->number,
                              value);
        }
}

static void to_points(void *context, int64_t task, int thread)
{
    const chunk *c = context;
    double *leg = armilla_work_scratch(c->work, thread);
    const int64_t begin = task * TASK, end = armilla_smaller(begin + TASK, count_vectors(c));
    if (armilla_progress_advance(c->work->progress, 0, thread)) return; /* is it cancelled? */
    for (int64_t v = begin; v < end; v++) fill_table(c, v, leg + BUFFER);
    for (int64_t t = 0; t < c->waves->ntrans; t++) {
        for (int64_t v = begin; v < end; v++)
            memset(field_of(c, t, v, 0), 0,
                   sizeof(double) * (size_t)(ARMILLA_JET_FIELDS * c->vlen));
        for (int64_t f = 0; f < c->waves->nfields; f++) sum_orders(c, t, f, begin, end, leg);
        for (int64_t v = begin; v < end; v++) put_values(c, t, v);
    }
}

/* --- From points ------------------------------------------------------------------------------ */

/* The transposed mixing; 0 in lanes behind the last point. */
static void get_values(const chunk *c, int64_t trans, int64_t vector)
{
    const armilla_waves *w = c->waves;
    const int64_t lanes = armilla_smaller(c->vlen, c->count - vector * c->vlen);
    for (int64_t f = 0; f < w->nfields; f++)
        for (int64_t lane = 0; lane < c->vlen; lane++) {
            double value = 0;
            for (int64_t component = 0; component < w->nfields && lane < lanes; component++) {
                const int64_t row = trans * w->nfields + component;
                value += w->mixing[component][f] *
                         armilla_array_get(w->values,
                                           row * w->distance + point_of(c, vector, lane)->number);
            }
            field_of(c, trans, vector, f)[lane] = value;
        }
}

static void prepare(void *context, int64_t vector, int thread)
{
    const chunk *c = context;
    fill_table(c, vector, armilla_work_scratch(c->work, thread) + BUFFER);
    for (int64_t t = 0; t < c->waves->ntrans; t++) get_values(c, t, vector);
}

/* The orders from 64 q on of one field of one transform. */
static void gather_orders(const chunk *c, int64_t trans, int64_t f, int64_t q, double *leg)
{
    const armilla_wave_field *field = &c->waves->field[f];
    const int64_t vectors = count_vectors(c);
    const int64_t count = armilla_smaller(c->waves->mmax + 1 - ORDERS * q, ORDERS);
    if (c->fresh) clear_entries(field, trans, q);
    for (int64_t v = 0; v < vectors; v++) {
        if (v == 0 || !is_alike(c, v - 1, v))
            memset(leg, 0, sizeof *leg * (size_t)(2 * count * c->vlen));
        c->waves->kernels->gather(count, low_of(c, v), high_of(c, v, q), field_of(c, trans, v, f),
                                  leg);
        if (v + 1 == vectors || !is_alike(c, v, v + 1)) add_entries(c, field, trans, q, v, leg);
    }
}

static void from_points(void *context, int64_t q, int thread)
{
    const chunk *c = context;
    double *leg = armilla_work_scratch(c->work, thread);
    if (armilla_progress_advance(c->work->progress, 0, thread)) return; /* is it cancelled? */
    for (int64_t t = 0; t < c->waves->ntrans; t++)
        for (int64_t f = 0; f < c->waves->nfields; f++)
            if (c->waves->field[f].leg) gather_orders(c, t, f, q, leg);
}

/* --- All -------------------------------------------------------------------------------------- */

/* Calls run(chunk) for the points of the pairs, some at a time. */
static void run_chunks(const armilla_waves *waves, int64_t first_pair, int64_t npairs,
                       const armilla_work *work, void (*run)(chunk *))
{
    const int64_t *first = waves->latitudes->first, end = first[first_pair + npairs];
    chunk c = {.waves = waves,
               .work = work,
               .vlen = waves->kernels->vector_length,
               .nhigh = count_high(waves->mmax),
               .fresh = 1,
               .phases = phases_of(waves->kernels, waves->mmax),
               .table = waves->shared};
    c.most = most_vectors(waves->kernels, waves->latitudes->npoints);
    c.fields = c.table + table_size(waves->kernels, waves->mmax, waves->latitudes->npoints);
    for (c.first = first[first_pair]; c.first < end; c.first += c.count, c.fresh = 0) {
        c.count = armilla_smaller(end - c.first, c.most * c.vlen);
        run(&c);
    }
}

static void run_to_points(chunk *c)
{
    armilla_team_run(c->work->nthreads, (count_vectors(c) + TASK - 1) / TASK, to_points, c);
}

static void run_from_points(chunk *c)
{
    armilla_team_run(c->work->nthreads, count_vectors(c), prepare, c);
    armilla_team_run(c->work->nthreads, c->nhigh, from_points, c);
}

void armilla_waves_to_points(const armilla_waves *waves, int64_t first_pair, int64_t npairs,
                             const armilla_work *work)
{
    run_chunks(waves, first_pair, npairs, work, run_to_points);
}

void armilla_waves_from_points(const armilla_waves *waves, int64_t first_pair, int64_t npairs,
                               const armilla_work *work)
{
    run_chunks(waves, first_pair, npairs, work, run_from_points);
}
