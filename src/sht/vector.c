/* Scales and combines long vectors with a team of threads, and computes norms whose bits do not
 * depend on the number of threads. A task is one block; its sum of squares goes to scratch[block].
 * Inside a block LANES partial sums let the compiler use SIMD without reordering anything. */
#include "sht/vector.h"

#include "base/team.h"
#include <math.h>

enum { BLOCK = 16384, LANES = 8 };

typedef struct operation {
    int64_t n;
    double a, b; /* of y <- a x + b y; scaling uses b alone */
    const double *x;
    double *y;
    double *sums;
} operation;

static int64_t blocks(int64_t n)
{
    return (n + BLOCK - 1) / BLOCK;
}

static int64_t block_length(int64_t n, int64_t index)
{
    int64_t rest = n - index * BLOCK;
    return rest < BLOCK ? rest : BLOCK;
}

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

static void norm_block(void *context, int64_t index, int thread)
{
    const operation *task = context;
    (void)thread;
    task->sums[index] = sum_of_squares(block_length(task->n, index), task->x + index * BLOCK);
}

static void combine_block(void *context, int64_t index, int thread)
{
    const operation *task = context;
    const double *x = task->x + index * BLOCK;
    double *y = task->y + index * BLOCK;
    int64_t length = block_length(task->n, index);
    (void)thread;
    for (int64_t i = 0; i < length; i++) y[i] = task->a * x[i] + task->b * y[i];
    task->sums[index] = sum_of_squares(length, y);
}

static void weigh_block(void *context, int64_t index, int thread)
{
    const operation *task = context;
    const double *w = task->x + index * BLOCK;
    double *y = task->y + index * BLOCK;
    int64_t length = block_length(task->n, index);
    double lane[LANES] = {0};
    (void)thread;
    for (int64_t i = 0; i < length; i++) {
        double weighed = w[i] * y[i];
        lane[i % LANES] += weighed * y[i];
        y[i] = weighed;
    }
    task->sums[index] = pairwise_sum(LANES, lane);
}

static void scale_block(void *context, int64_t index, int thread)
{
    const operation *task = context;
    double *y = task->y + index * BLOCK;
    int64_t length = block_length(task->n, index);
    (void)thread;
    for (int64_t i = 0; i < length; i++) y[i] *= task->b;
}

int64_t armilla_vector_scratch(int64_t n)
{
    return blocks(n);
}

double armilla_vector_norm(int64_t n, const double *x, double *scratch, int nthreads)
{
    operation task = {.n = n, .x = x, .sums = scratch};
    armilla_team_run(nthreads, blocks(n), norm_block, &task);
    return sqrt(pairwise_sum(blocks(n), scratch));
}

double armilla_vector_combine(int64_t n, double a, const double *x, double b, double *y,
                              double *scratch, int nthreads)
{
    operation task = {.n = n, .a = a, .b = b, .x = x, .y = y, .sums = scratch};
    armilla_team_run(nthreads, blocks(n), combine_block, &task);
    return sqrt(pairwise_sum(blocks(n), scratch));
}

double armilla_vector_weigh(int64_t n, const double *w, double *y, double *scratch, int nthreads)
{
    operation task = {.n = n, .x = w, .y = y, .sums = scratch};
    armilla_team_run(nthreads, blocks(n), weigh_block, &task);
    return sqrt(pairwise_sum(blocks(n), scratch));
}

void armilla_vector_scale(int64_t n, double factor, double *y, int nthreads)
{
    operation task = {.n = n, .b = factor, .y = y};
    armilla_team_run(nthreads, blocks(n), scale_block, &task);
}
