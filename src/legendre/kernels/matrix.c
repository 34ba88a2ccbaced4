/* Legendre synthesis and analysis of one order whose p the plan keeps as a matrix:
 *
 *     sums[pair][4] = sum over steps of p_k(pair) f[k][4]
 *     sums[k][4]    = sum over pairs of p_k(pair) value[pair][4]
 *
 * with the four coefficients f of a step and the four values of a pair. Lanes belong to the four
 * numbers: what leg and alm have side by side stays so, and pairs and steps come in any number. Per
 * step and pair one multiply-add of quads, whose p is broadcast from memory. */
#include "legendre/kernels/block.h"
#include "legendre/kernels/couplings.h"

/* --- Filling ---------------------------------------------------------------------------------- */

ARMILLA_ALWAYS_INLINE void fill_vector(const armilla_kernel_order *order, const double *c,
                                       int64_t place, int64_t row, double *by_step, const int fine)
{
    const int64_t begin = kept_step(order, place);
    block_state s;
    s.y[0] = v_load(order->argument + place);
    begin_vector(order, place, begin, &s.current[0], &s.previous[0], fine);
    store_steps(c + begin, order->nsteps, order->ncount - begin, &s, NULL, by_step + begin * row,
                row / VLEN, 1, fine);
}

/* What is before the first steps of vectors is 0 already. */
void ARMILLA_KERNEL(armilla_kernel_matrix_fill)(const armilla_kernel_order *order,
                                                const armilla_kernel_group *group, int64_t row,
                                                double *by_step)
{
    const double *c = order->recurrence[group->form];
    for (int64_t i = 0; i < group->nvec * (int64_t)VLEN; i += VLEN) {
        const int64_t place = group->first + i;
        if (vector_is_fine(group, place))
            fill_vector(order, c, place, row, by_step + i, 1);
        else
            fill_vector(order, c, place, row, by_step + i, 0);
    }
}

/* --- Products --------------------------------------------------------------------------------- */

ARMILLA_ALWAYS_INLINE void clear_sums(quad *sum, const int nsums)
{
    ARMILLA_UNROLL
    for (int i = 0; i < nsums; i++) sum[i] = q_all(0.0);
}

/* sum[i] += p[i] f of `count` rows; `length` and `step` doubles from one row's p and f to the
 * next. */
ARMILLA_ALWAYS_INLINE void add_rows(const double *p, int64_t length, const double *f, int64_t step,
                                    int64_t count, quad *sum, const int nsums)
{
    for (int64_t k = 0; k < count; k++, p += length, f += step) {
        const quad now = q_load(f);
        ARMILLA_UNROLL
        for (int i = 0; i < nsums; i++) sum[i] = q_fma_sum(q_all(p[i]), now, sum[i]);
    }
}

/* The same for four sums, two rows at once: else each sum would wait for itself. At most one row is
 * left. */
ARMILLA_ALWAYS_INLINE void add_two_rows(const double **p, int64_t length, const double **f,
                                        int64_t step, int64_t *count, quad *sum)
{
    quad other[4];
    clear_sums(other, 4);
    for (; *count >= 2; *count -= 2, *p += 2 * length, *f += 2 * step) {
        const quad now = q_load(*f), next = q_load(*f + step);
        ARMILLA_UNROLL
        for (int i = 0; i < 4; i++) {
            sum[i] = q_fma_sum(q_all((*p)[i]), now, sum[i]);
            other[i] = q_fma_sum(q_all((*p)[length + i]), next, other[i]);
        }
    }
    ARMILLA_UNROLL
    for (int i = 0; i < 4; i++) sum[i] = q_add(sum[i], other[i]);
}

/* How many of `left` sums, of `all`, are made at once: by fours where there are so many. The last
 * two times share what is left, for few sums wait for each other. */
ARMILLA_ALWAYS_INLINE int64_t choose_sums(int64_t left, int64_t all)
{
    const int64_t most = left <= QUAD_SUMS       ? left
                         : left >= 2 * QUAD_SUMS ? QUAD_SUMS
                                                 : (left + 1) / 2;
    const int64_t rounded = (most + 3) / 4 * 4;
    if (rounded <= all) return rounded;
    return all < 4 ? 1 : all / 4 * 4;
}

/* Runs work(nsums) with the number as a constant. */
#if QUAD_SUMS > 12
#define LARGE_CASES(work)                                                                          \
    case 16:                                                                                       \
        work(16);                                                                                  \
        break;                                                                                     \
    case 20:                                                                                       \
        work(20);                                                                                  \
        break;                                                                                     \
    case 24:                                                                                       \
        work(24);                                                                                  \
        break;
#else
#define LARGE_CASES(work)
#endif
#if QUAD_SUMS > 4
#define MEDIUM_CASES(work)                                                                         \
    case 8:                                                                                        \
        work(8);                                                                                   \
        break;                                                                                     \
    case 12:                                                                                       \
        work(12);                                                                                  \
        break;
#else
#define MEDIUM_CASES(work)
#endif
#define FOR_SUMS(nsums, work)                                                                      \
    switch (nsums) {                                                                               \
    case 1:                                                                                        \
        work(1);                                                                                   \
        break;                                                                                     \
    case 4:                                                                                        \
        work(4);                                                                                   \
        break;                                                                                     \
        MEDIUM_CASES(work) LARGE_CASES(work) default : ARMILLA_TRAP();                             \
    }

/* Matrices of orders stand side by side, and come in turn. */
ARMILLA_ALWAYS_INLINE void ask_for_next(const armilla_kernel_matrix *matrix)
{
    ARMILLA_PREFETCH((const char *)(matrix + 1));
    ARMILLA_PREFETCH((const char *)(matrix + 1) + 64);
}

/* --- Synthesis -------------------------------------------------------------------------------- */

/* Entries of leg of pair .. pair + npairs - 1; leg: of the first one. */
ARMILLA_ALWAYS_INLINE void synthesis_pairs(const armilla_kernel_matrix *matrix, int64_t pair,
                                           const double *f, double *leg, const int npairs)
{
    const int64_t at = pair - matrix->first, length = matrix->npairs;
    const int64_t begin = matrix->begin[at + npairs - 1];
    quad sum[QUAD_SUMS];
    clear_sums(sum, npairs);
    add_rows(matrix->by_step + begin * length + at, length, f + 4 * begin, 4,
             matrix->ncount - begin, sum, npairs);
    ARMILLA_UNROLL
    for (int i = 0; i < npairs; i++)
        q_store(leg + 4 * i, q_sides(q_mul(sum[i], q_load(matrix->sides + 4 * (pair + i)))));
}

void ARMILLA_KERNEL(armilla_kernel_matrix_synthesis)(const armilla_kernel_matrix *matrix,
                                                     int64_t first, int64_t end, const double *alm,
                                                     double *coefficients, double *leg)
{
    fill_coefficients(matrix->ncount, matrix->pair, matrix->v, alm, coefficients);
    for (int64_t pair = first, nsums; pair < end; pair += nsums) {
        nsums = choose_sums(end - pair, end - first);
        if (nsums > end - pair) pair = end - nsums;
#define WORK(n) synthesis_pairs(matrix, pair, coefficients, leg + 4 * (pair - first), n)
        FOR_SUMS(nsums, WORK)
#undef WORK
    }
}

/* --- Analysis --------------------------------------------------------------------------------- */

/* N + S re, im, x (N - S) re, im of each pair, times the factor of (3.5) */
static void fill_values(const armilla_kernel_matrix *matrix, int64_t first, int64_t end,
                        const double *leg, double *values)
{
    for (int64_t pair = first; pair < end; pair++, leg += 4, values += 4)
        q_store(values, q_mul(q_sides(q_load(leg)), q_load(matrix->sides + 4 * pair)));
}

/* Sums of steps k .. k + nsteps - 1 over the pairs first .. end - 1. Pairs next to the poles come
 * last, and only for steps on which they matter: fields of spin s are divided by sin^s theta there,
 * and sums round only a few times at the size of such values. */
ARMILLA_ALWAYS_INLINE void analysis_steps(const armilla_kernel_matrix *matrix, int64_t k,
                                          int64_t first, int64_t end, const double *values,
                                          double *sums, const int nsteps)
{
    const int64_t length = matrix->nsteps;
    int64_t least = first;
    while (least < end && matrix->begin[least - matrix->first] >= k + nsteps) least++;
    const double *p = matrix->by_pair + (matrix->first + matrix->npairs - end) * length + k;
    const double *value = values + 4 * (end - 1 - first);
    int64_t count = end - least;
    quad sum[QUAD_SUMS];
    clear_sums(sum, nsteps);
    if (nsteps == 4) add_two_rows(&p, length, &value, -4, &count, sum);
    add_rows(p, length, value, -4, count, sum, nsteps);
    ARMILLA_UNROLL
    for (int i = 0; i < nsteps; i++) q_store(sums + 4 * (k + i), sum[i]);
}

void ARMILLA_KERNEL(armilla_kernel_matrix_analysis)(const armilla_kernel_matrix *matrix,
                                                    int64_t first, int64_t end, const double *leg,
                                                    double *values, double *sums, int add,
                                                    double *alm)
{
    ask_for_next(matrix);
    fill_values(matrix, first, end, leg, values);
    for (int64_t k = 0, nsums; k < matrix->ncount; k += nsums) {
        nsums = choose_sums(matrix->ncount - k, matrix->nsteps);
#define WORK(n) analysis_steps(matrix, k, first, end, values, sums, n)
        FOR_SUMS(nsums, WORK)
#undef WORK
    }
    q_store(sums - 4, q_all(0.0));
    if (add)
        fill_degrees_of(matrix->degrees, matrix->pair, matrix->v, sums, 1, alm);
    else
        fill_degrees_of(matrix->degrees, matrix->pair, matrix->v, sums, 0, alm);
}
