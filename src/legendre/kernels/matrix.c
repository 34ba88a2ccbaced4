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

/* Sums that are made at once, of one set or of each of two: by UNIT where there are so many. */
enum { MOST = QUAD_SUMS, UNIT = 4, MOST_OF_TWO = QUAD_SUMS_OF_TWO };
enum { UNIT_OF_TWO = MOST_OF_TWO > 0 ? (int)MOST_OF_TWO / 3 : 2 };
_Static_assert(MOST == 12 || MOST == 24, "FOR_SUMS has cases for these");

typedef quad some_sums[2][QUAD_SUMS];

ARMILLA_ALWAYS_INLINE void clear_sums(some_sums *sum, const int nsums, const int nsets)
{
    ARMILLA_UNROLL
    for (int i = 0; i < nsums; i++)
        for (int set = 0; set < nsets; set++) (*sum)[set][i] = q_all(0.0);
}

/* sum[set][i] += p[i] f of `count` rows; `length` and `step` doubles from one row's p and f to the
 * next, f of the second set `far` doubles further. */
ARMILLA_ALWAYS_INLINE void add_rows(const double *p, int64_t length, const double *f, int64_t far,
                                    int64_t step, int64_t count, some_sums *sum, const int nsums,
                                    const int nsets)
{
    for (int64_t k = 0; k < count; k++, p += length, f += step) {
        const quad first = q_load(f), second = nsets > 1 ? q_load(f + far) : first;
        ARMILLA_UNROLL
        for (int i = 0; i < nsums; i++) {
            const quad now = q_all(p[i]);
            (*sum)[0][i] = q_fma_sum(now, first, (*sum)[0][i]);
            if (nsets > 1) (*sum)[1][i] = q_fma_sum(now, second, (*sum)[1][i]);
        }
    }
}

/* The same for four sums of one set, two rows at once: else each sum would wait for itself. */
ARMILLA_ALWAYS_INLINE void add_two_rows(const double *p, int64_t length, const double *f,
                                        int64_t step, int64_t count, some_sums *sum)
{
    some_sums other;
    clear_sums(&other, 4, 1);
    for (; count >= 2; count -= 2, p += 2 * length, f += 2 * step) {
        const quad now = q_load(f), next = q_load(f + step);
        ARMILLA_UNROLL
        for (int i = 0; i < 4; i++) {
            (*sum)[0][i] = q_fma_sum(q_all(p[i]), now, (*sum)[0][i]);
            other[0][i] = q_fma_sum(q_all(p[length + i]), next, other[0][i]);
        }
    }
    add_rows(p, length, f, 0, step, count, sum, 4, 1);
    ARMILLA_UNROLL
    for (int i = 0; i < 4; i++) (*sum)[0][i] = q_add((*sum)[0][i], other[0][i]);
}

/* How many of `left` sums, of `all`, are made at once. The last two times share what is left, for
 * few sums wait for each other. */
ARMILLA_ALWAYS_INLINE int64_t choose_sums(int64_t left, int64_t all, const int nsets)
{
    const int64_t most = nsets > 1 ? MOST_OF_TWO : MOST, unit = nsets > 1 ? UNIT_OF_TWO : UNIT;
    const int64_t wanted = left <= most ? left : left >= 2 * most ? most : (left + 1) / 2;
    const int64_t rounded = (wanted + unit - 1) / unit * unit;
    if (rounded <= all) return rounded;
    return all < unit ? 1 : all / unit * unit;
}

#define SUMS_CASE(work, nsums, nsets)                                                              \
    case nsums:                                                                                    \
        work(nsums, nsets);                                                                        \
        break;

/* Runs work(nsums, nsets) with the numbers as constants. */
#define FOR_SUMS_OF_TWO(nsums, work)                                                               \
    switch (nsums) {                                                                               \
        SUMS_CASE(work, 1, 2)                                                                      \
        SUMS_CASE(work, UNIT_OF_TWO, 2)                                                            \
        SUMS_CASE(work, 2 * UNIT_OF_TWO, 2)                                                        \
        SUMS_CASE(work, 3 * UNIT_OF_TWO, 2) default : ARMILLA_TRAP();                              \
    }
#define FOR_SUMS(nsums, work)                                                                      \
    switch (nsums) {                                                                               \
        SUMS_CASE(work, 1, 1)                                                                      \
        SUMS_CASE(work, 4, 1)                                                                      \
        SUMS_CASE(work, 8, 1)                                                                      \
        SUMS_CASE(work, 12, 1) SUMS_CASES_LARGE(work) default : ARMILLA_TRAP();                    \
    }
#if QUAD_SUMS > 12
#define SUMS_CASES_LARGE(work) SUMS_CASE(work, 16, 1) SUMS_CASE(work, 20, 1) SUMS_CASE(work, 24, 1)
#else
#define SUMS_CASES_LARGE(work)
#endif

/* Matrices of orders stand side by side, and come in turn. */
ARMILLA_ALWAYS_INLINE void ask_for_next(const armilla_kernel_matrix *matrix)
{
    ARMILLA_PREFETCH((const char *)(matrix + 1));
    ARMILLA_PREFETCH((const char *)(matrix + 1) + 64);
}

/* --- Synthesis -------------------------------------------------------------------------------- */

/* Entries of leg of pair .. pair + npairs - 1; leg: of the first one, of the second set `distance`
 * doubles further. */
ARMILLA_ALWAYS_INLINE void synthesis_pairs(const armilla_kernel_matrix *matrix, int64_t pair,
                                           const double *f, double *leg, int64_t distance,
                                           const int npairs, const int nsets)
{
    const int64_t at = pair - matrix->first, length = matrix->npairs;
    const int64_t begin = matrix->begin[at + npairs - 1];
    some_sums sum;
    clear_sums(&sum, npairs, nsets);
    add_rows(matrix->by_step + begin * length + at, length, f + 4 * begin, 4 * matrix->nsteps, 4,
             matrix->ncount - begin, &sum, npairs, nsets);
    ARMILLA_UNROLL
    for (int i = 0; i < npairs; i++)
        for (int set = 0; set < nsets; set++)
            q_store(leg + set * distance + 4 * i,
                    q_sides(q_mul(sum[set][i], q_load(matrix->sides + 4 * (pair + i)))));
}

ARMILLA_ALWAYS_INLINE void synthesis_sets(const armilla_kernel_matrix *matrix, int64_t first,
                                          int64_t end, const double *const *alm,
                                          double *coefficients, double *leg, int64_t distance,
                                          const int nsets)
{
    for (int set = 0; set < nsets; set++)
        fill_coefficients_of(matrix->degrees, matrix->ncount, matrix->pair, matrix->v, alm[set],
                             coefficients + 4 * set * matrix->nsteps);
    for (int64_t pair = first, nsums; pair < end; pair += nsums) {
        nsums = choose_sums(end - pair, end - first, nsets);
        if (nsums > end - pair) pair = end - nsums;
#define WORK(n, s)                                                                                 \
    synthesis_pairs(matrix, pair, coefficients, leg + 4 * (pair - first), distance, n, s)
        if (nsets > 1)
            FOR_SUMS_OF_TWO(nsums, WORK)
        else
            FOR_SUMS(nsums, WORK)
#undef WORK
    }
}

void ARMILLA_KERNEL(armilla_kernel_matrix_synthesis)(const armilla_kernel_matrix *matrix,
                                                     int64_t first, int64_t end, int64_t nsets,
                                                     const double *const *alm, double *coefficients,
                                                     double *leg, int64_t distance)
{
    ask_for_next(matrix);
    for (; MOST_OF_TWO > 0 && nsets > 1; nsets -= 2, alm += 2, leg += 2 * distance)
        synthesis_sets(matrix, first, end, alm, coefficients, leg, distance, 2);
    for (; nsets > 0; nsets--, alm++, leg += distance)
        synthesis_sets(matrix, first, end, alm, coefficients, leg, distance, 1);
}

/* --- Analysis --------------------------------------------------------------------------------- */

/* N + S re, im, x (N - S) re, im of each pair, times the factor of (3.5) */
ARMILLA_ALWAYS_INLINE void fill_values(const armilla_kernel_matrix *matrix, int64_t first,
                                       int64_t end, const double *leg, double *values)
{
    for (int64_t pair = first; pair < end; pair++, leg += 4, values += 4)
        q_store(values, q_mul(q_sides(q_load(leg)), q_load(matrix->sides + 4 * pair)));
}

/* Sums of steps k .. k + nsteps - 1 over the pairs first .. end - 1; those of the second set `far`
 * doubles further. Pairs next to the poles come last, and only for steps on which they matter:
 * fields of spin s are divided by sin^s theta there, and sums round only a few times at the size of
 * such values. */
ARMILLA_ALWAYS_INLINE void analysis_steps(const armilla_kernel_matrix *matrix, int64_t k,
                                          int64_t first, int64_t end, const double *values,
                                          double *sums, int64_t far, const int nsteps,
                                          const int nsets)
{
    const int64_t length = matrix->nsteps;
    int64_t least = first;
    while (least < end && matrix->begin[least - matrix->first] >= k + nsteps) least++;
    const double *p = matrix->by_pair + (matrix->first + matrix->npairs - end) * length + k;
    const double *value = values + 4 * (end - 1 - first);
    some_sums sum;
    clear_sums(&sum, nsteps, nsets);
    if (nsteps == 4 && nsets == 1)
        add_two_rows(p, length, value, -4, end - least, &sum);
    else
        add_rows(p, length, value, 4 * (end - first), -4, end - least, &sum, nsteps, nsets);
    ARMILLA_UNROLL
    for (int i = 0; i < nsteps; i++)
        for (int set = 0; set < nsets; set++) q_store(sums + set * far + 4 * (k + i), sum[set][i]);
}

ARMILLA_ALWAYS_INLINE void analysis_sets(const armilla_kernel_matrix *matrix, int64_t first,
                                         int64_t end, const double *leg, int64_t distance,
                                         double *values, double *sums, int64_t far, int add,
                                         double *const *alm, const int nsets)
{
    for (int set = 0; set < nsets; set++)
        fill_values(matrix, first, end, leg + set * distance, values + 4 * set * (end - first));
    for (int64_t k = 0, nsums; k < matrix->ncount; k += nsums) {
        nsums = choose_sums(matrix->ncount - k, matrix->nsteps, nsets);
#define WORK(n, s) analysis_steps(matrix, k, first, end, values, sums, far, n, s)
        if (nsets > 1)
            FOR_SUMS_OF_TWO(nsums, WORK)
        else
            FOR_SUMS(nsums, WORK)
#undef WORK
    }
    for (int set = 0; set < nsets; set++, sums += far) {
        q_store(sums - 4, q_all(0.0));
        if (add)
            fill_degrees_of(matrix->degrees, matrix->pair, matrix->v, sums, 1, alm[set]);
        else
            fill_degrees_of(matrix->degrees, matrix->pair, matrix->v, sums, 0, alm[set]);
    }
}

void ARMILLA_KERNEL(armilla_kernel_matrix_analysis)(const armilla_kernel_matrix *matrix,
                                                    int64_t first, int64_t end, int64_t nsets,
                                                    const double *leg, int64_t distance,
                                                    double *values, double *sums, int64_t far,
                                                    int add, double *const *alm)
{
    ask_for_next(matrix);
    for (; MOST_OF_TWO > 0 && nsets > 1; nsets -= 2, alm += 2, leg += 2 * distance)
        analysis_sets(matrix, first, end, leg, distance, values, sums, far, add, alm, 2);
    for (; nsets > 0; nsets--, alm++, leg += distance)
        analysis_sets(matrix, first, end, leg, distance, values, sums, far, add, alm, 1);
}
