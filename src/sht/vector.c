/* Scales and combines long vectors with a team of threads, and computes norms whose bits depend
 * neither on the number of threads nor on the ranks. A task is some segments; the sum of squares of
 * each goes to its own place. Inside a segment LANES partial sums let the compiler use SIMD without
 * reordering anything. */
#include "sht/vector.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include <math.h>
#include <string.h>

enum { BLOCK = 16384, LANES = 8 }; /* BLOCK: values of a task, about */

/* --- Spaces ---------------------------------------------------------------------------------- */

static int64_t length_of(int64_t n, const int64_t *lengths, int64_t i)
{
    return lengths ? lengths[i] : armilla_smaller(BLOCK, n - i * BLOCK);
}

static void cut_tasks(armilla_vector_space *space)
{
    for (int64_t i = 0; i < space->nsegments; i++)
        if (space->ntasks == 0 ||
            space->begin[i] - space->begin[space->task[space->ntasks - 1]] >= BLOCK)
            space->task[space->ntasks++] = i;
    space->task[space->ntasks] = space->nsegments;
}

armilla_status armilla_vector_space_make(int64_t n, int64_t nsegments, const int64_t *lengths,
                                         int64_t nsums, armilla_vector_space *space)
{
    armilla_status status;
    if (!lengths) nsegments = (n + BLOCK - 1) / BLOCK;
    if (!nsums) nsums = nsegments;
    *space = (armilla_vector_space){.n = n, .nsegments = nsegments, .nsums = nsums};
    if ((status = armilla_allocate(&space->begin, nsegments + 1, sizeof *space->begin)) ||
        (status = armilla_allocate(&space->task, nsegments + 1, sizeof *space->task)) ||
        (status = armilla_allocate(&space->sums, nsums, sizeof *space->sums))) {
        armilla_vector_space_clear(space);
        return status;
    }
    space->begin[0] = 0;
    for (int64_t i = 0; i < nsegments; i++)
        space->begin[i + 1] = space->begin[i] + length_of(n, lengths, i);
    cut_tasks(space);
    return ARMILLA_OK;
}

armilla_status armilla_vector_space_share(armilla_vector_space *space, int64_t nshared,
                                          armilla_shared_segment *shared)
{
    int64_t nvalues = 0;
    double *sums;
    for (int64_t i = 0; i < nshared; i++) shared[i].values = nvalues, nvalues += shared[i].length;
    armilla_status status = armilla_allocate(&sums, space->nsums + nvalues, sizeof *sums);
    space->nshared = nshared, space->shared = shared;
    if (status) return status;
    armilla_release(space->sums);
    space->sums = sums, space->nvalues = nvalues;
    return ARMILLA_OK;
}

void armilla_vector_space_clear(armilla_vector_space *space)
{
    armilla_release(space->begin);
    armilla_release(space->task);
    armilla_release(space->sums);
    armilla_release(space->number);
    armilla_release(space->shared);
    memset(space, 0, sizeof *space);
}

/* --- Sums ------------------------------------------------------------------------------------ */

typedef struct operation {
    const armilla_vector_space *space;
    double a, b; /* of y <- a x + b y; scaling uses b alone */
    const double *x;
    double *y;
    int sums; /* of the new y */
} operation;

static double sum_of_squares(int64_t n, const double *x)
{
    double lane[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int k = 0; k < LANES; k++) lane[k] += x[i + k] * x[i + k];
    for (; i < n; i++) lane[0] += x[i] * x[i];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

static double pairwise_sum(int64_t n, const double *x)
{
    if (n <= 2) return n < 1 ? 0 : n < 2 ? x[0] : x[0] + x[1];
    return pairwise_sum(n / 2, x) + pairwise_sum(n - n / 2, x + n / 2);
}

static double *sum_of(const armilla_vector_space *space, int64_t segment)
{
    return space->sums + (space->number ? space->number[segment] : segment);
}

static double *values_of(const armilla_vector_space *space, const armilla_shared_segment *shared)
{
    return space->sums + space->nsums + shared->values;
}

/* The sum of squares of an own segment goes to its place; of a part of a shared segment go the
 * values, without their signs: numbers of which the largest of all ranks is that of its owner. */
static void sum_up(const armilla_vector_space *space, int64_t segment, const double *x)
{
    const int64_t n = space->begin[segment + 1] - space->begin[segment];
    const int64_t number = space->number ? space->number[segment] : segment;
    if (number >= 0) {
        space->sums[number] = sum_of_squares(n, x);
        return;
    }
    const armilla_shared_segment *shared = &space->shared[-1 - number];
    double *values = values_of(space, shared) + shared->first;
    for (int64_t i = 0; i < n; i++) values[i] = fabs(x[i]);
}

static double sum_over_ranks(const armilla_vector_space *space)
{
    if (space->largest) space->largest(space->context, space->nsums + space->nvalues, space->sums);
    for (int64_t i = 0; i < space->nshared; i++) {
        const armilla_shared_segment *shared = &space->shared[i];
        space->sums[shared->number] = sum_of_squares(shared->length, values_of(space, shared));
    }
    return pairwise_sum(space->nsums, space->sums);
}

/* Runs the tasks, whose sums go to their places, and adds the sums of all ranks. Some places have
 * no segment here: those of other ranks, or of orders that are no multiples of mres. */
static double run(const operation *op, armilla_team_task task, int nthreads)
{
    const armilla_vector_space *space = op->space;
    if (op->sums && (space->largest || space->nsums > space->nsegments))
        for (int64_t i = 0; i < space->nsums + space->nvalues; i++) space->sums[i] = 0;
    armilla_team_run(nthreads, space->ntasks, task, (void *)op);
    return op->sums ? sqrt(sum_over_ranks(space)) : 0;
}

/* --- Tasks ----------------------------------------------------------------------------------- */

static void norm_task(void *context, int64_t index, int thread)
{
    const operation *op = context;
    const armilla_vector_space *s = op->space;
    (void)thread;
    for (int64_t i = s->task[index]; i < s->task[index + 1]; i++) sum_up(s, i, op->x + s->begin[i]);
}

static void combine_task(void *context, int64_t index, int thread)
{
    const operation *op = context;
    const armilla_vector_space *s = op->space;
    (void)thread;
    for (int64_t i = s->task[index]; i < s->task[index + 1]; i++) {
        const double *x = op->x + s->begin[i];
        double *y = op->y + s->begin[i];
        const int64_t length = s->begin[i + 1] - s->begin[i];
        for (int64_t k = 0; k < length; k++) y[k] = op->a * x[k] + op->b * y[k];
        if (op->sums) sum_up(s, i, y);
    }
}

static void weigh_task(void *context, int64_t index, int thread)
{
    const operation *op = context;
    const armilla_vector_space *s = op->space;
    (void)thread;
    for (int64_t i = s->task[index]; i < s->task[index + 1]; i++) {
        const double *w = op->x + s->begin[i];
        double *y = op->y + s->begin[i];
        const int64_t length = s->begin[i + 1] - s->begin[i];
        double lane[LANES] = {0};
        for (int64_t k = 0; k < length; k++) {
            double weighed = w[k] * y[k];
            lane[k % LANES] += weighed * y[k];
            y[k] = weighed;
        }
        *sum_of(s, i) = pairwise_sum(LANES, lane);
    }
}

static void scale_task(void *context, int64_t index, int thread)
{
    const operation *op = context;
    const armilla_vector_space *s = op->space;
    (void)thread;
    for (int64_t i = s->begin[s->task[index]]; i < s->begin[s->task[index + 1]]; i++)
        op->y[i] *= op->b;
}

double armilla_vector_norm(const armilla_vector_space *space, const double *x, int nthreads)
{
    return run(&(operation){.space = space, .x = x, .sums = 1}, norm_task, nthreads);
}

double armilla_vector_combine(const armilla_vector_space *space, double a, const double *x,
                              double b, double *y, int nthreads)
{
    const operation op = {.space = space, .a = a, .b = b, .x = x, .y = y, .sums = 1};
    return run(&op, combine_task, nthreads);
}

void armilla_vector_add(const armilla_vector_space *space, double a, const double *x, double b,
                        double *y, int nthreads)
{
    const operation op = {.space = space, .a = a, .b = b, .x = x, .y = y};
    run(&op, combine_task, nthreads);
}

static void multiply_task(void *context, int64_t index, int thread)
{
    const operation *op = context;
    const armilla_vector_space *s = op->space;
    (void)thread;
    for (int64_t i = s->begin[s->task[index]]; i < s->begin[s->task[index + 1]]; i++)
        op->y[i] *= op->x[i];
}

void armilla_vector_multiply(const armilla_vector_space *space, const double *w, double *y,
                             int nthreads)
{
    run(&(operation){.space = space, .x = w, .y = y}, multiply_task, nthreads);
}

double armilla_vector_weigh(const armilla_vector_space *space, const double *w, double *y,
                            int nthreads)
{
    return run(&(operation){.space = space, .x = w, .y = y, .sums = 1}, weigh_task, nthreads);
}

void armilla_vector_scale(const armilla_vector_space *space, double factor, double *y, int nthreads)
{
    run(&(operation){.space = space, .b = factor, .y = y}, scale_task, nthreads);
}
