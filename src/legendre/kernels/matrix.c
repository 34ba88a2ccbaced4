/* Legendre synthesis and analysis of one order whose p the plan keeps as a matrix:
 *
 *     sums[pair][4] = sum over steps of p_k(pair) f[k][4]
 *     sums[k][4]    = sum over pairs of p_k(pair) value[pair][4]
 *
 * with the four coefficients f of a step and the four values of a pair. Lanes belong to the four
 * numbers: what leg and alm have side by side stays so, and pairs and steps come in any number. Per
 * step and pair one multiply-add of quads, whose p is broadcast from memory; vectors of eight lanes
 * take the quads of two neighbours at once (simd.h, wide). */
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
enum { UNIT_OF_TWO = MOST_OF_TWO > 12 ? 4 : 2 };
_Static_assert(MOST == 12 || MOST == 48, "FOR_SUMS has cases for these");
_Static_assert(MOST_OF_TWO == 0 || MOST_OF_TWO == 6 || MOST_OF_TWO == 24, "FOR_SUMS_OF_TWO, too");

/* Vectors of so many sums */
#define WIDES(nsums) (((nsums) + WIDE - 1) / WIDE)

typedef wide some_sums[2][WIDES(QUAD_SUMS)];

ARMILLA_ALWAYS_INLINE void clear_sums(some_sums *sum, const int nsums, const int nsets)
{
    ARMILLA_UNROLL
    for (int i = 0; i < WIDES(nsums); i++)
        for (int set = 0; set < nsets; set++) (*sum)[set][i] = w_all(0.0);
}

/* p of the neighbours of the i-th vector; where only one sum is made, of that one alone. */
ARMILLA_ALWAYS_INLINE wide load_p(const double *p, int i, const int nsums)
{
    return nsums == 1 ? w_all(*p) : w_load_neighbours(p + WIDE * i);
}

/* sum[set][i] += p[i] f of `count` rows; `length` and `step` doubles from one row's p and f to the
 * next, f of the second set `far` doubles further. */
ARMILLA_ALWAYS_INLINE void add_rows(const double *p, int64_t length, const double *f, int64_t far,
                                    int64_t step, int64_t count, some_sums *sum, const int nsums,
                                    const int nsets)
{
    for (int64_t k = 0; k < count; k++, p += length, f += step) {
        const wide first = w_of_quad(f), second = nsets > 1 ? w_of_quad(f + far) : first;
        ARMILLA_UNROLL
        for (int i = 0; i < WIDES(nsums); i++) {
            const wide now = load_p(p, i, nsums);
            (*sum)[0][i] = w_fma_sum(now, first, (*sum)[0][i]);
            if (nsets > 1) (*sum)[1][i] = w_fma_sum(now, second, (*sum)[1][i]);
        }
    }
}

/* The same for few sums of one set, two rows at once: else each sum would wait for itself. */
ARMILLA_ALWAYS_INLINE void add_two_rows(const double *p, int64_t length, const double *f,
                                        int64_t step, int64_t count, some_sums *sum,
                                        const int nsums)
{
    some_sums other;
    clear_sums(&other, nsums, 1);
    for (; count >= 2; count -= 2, p += 2 * length, f += 2 * step) {
        const wide now = w_of_quad(f), next = w_of_quad(f + step);
        ARMILLA_UNROLL
        for (int i = 0; i < WIDES(nsums); i++) {
            (*sum)[0][i] = w_fma_sum(load_p(p, i, nsums), now, (*sum)[0][i]);
            other[0][i] = w_fma_sum(load_p(p + length, i, nsums), next, other[0][i]);
        }
    }
    add_rows(p, length, f, 0, step, count, sum, nsums, 1);
    ARMILLA_UNROLL
    for (int i = 0; i < WIDES(nsums); i++) (*sum)[0][i] = w_add((*sum)[0][i], other[0][i]);
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

#define SUMS_CASES(work, unit, nsets)                                                              \
    SUMS_CASE(work, 1, nsets)                                                                      \
    SUMS_CASE(work, unit, nsets)                                                                   \
    SUMS_CASE(work, 2 * unit, nsets) SUMS_CASE(work, 3 * unit, nsets)
#define SUMS_CASES_4_TO_6(work, unit, nsets)                                                       \
    SUMS_CASE(work, 4 * unit, nsets)                                                               \
    SUMS_CASE(work, 5 * unit, nsets) SUMS_CASE(work, 6 * unit, nsets)
#define SUMS_CASES_7_TO_12(work, unit, nsets)                                                      \
    SUMS_CASE(work, 7 * unit, nsets)                                                               \
    SUMS_CASE(work, 8 * unit, nsets)                                                               \
    SUMS_CASE(work, 9 * unit, nsets)                                                               \
    SUMS_CASE(work, 10 * unit, nsets)                                                              \
    SUMS_CASE(work, 11 * unit, nsets) SUMS_CASE(work, 12 * unit, nsets)

/* Runs work(nsums, nsets) with the numbers as constants. */
#if QUAD_SUMS > 12
#define FOR_SUMS(nsums, work)                                                                      \
    switch (nsums) {                                                                               \
        SUMS_CASES(work, UNIT, 1)                                                                  \
        SUMS_CASES_4_TO_6(work, UNIT, 1)                                                           \
        SUMS_CASES_7_TO_12(work, UNIT, 1) default : ARMILLA_TRAP();                                \
    }
#define FOR_SUMS_OF_TWO(nsums, work)                                                               \
    switch (nsums) {                                                                               \
        SUMS_CASES(work, UNIT_OF_TWO, 2)                                                           \
        SUMS_CASES_4_TO_6(work, UNIT_OF_TWO, 2) default : ARMILLA_TRAP();                          \
    }
#else
#define FOR_SUMS(nsums, work)                                                                      \
    switch (nsums) {                                                                               \
        SUMS_CASES(work, UNIT, 1) default : ARMILLA_TRAP();                                        \
    }
#define FOR_SUMS_OF_TWO(nsums, work)                                                               \
    switch (nsums) {                                                                               \
        SUMS_CASES(work, UNIT_OF_TWO, 2) default : ARMILLA_TRAP();                                 \
    }
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
    for (int i = 0; i < npairs; i += WIDE)
        for (int set = 0; set < nsets; set++) {
            double *out = leg + set * distance + 4 * i;
            const double *sides = matrix->sides + 4 * (pair + i);
            const wide quads = w_quads(sum[set][i / WIDE]);
            if (npairs == 1)
                q_store(out, q_sides(q_mul(w_first(quads), q_load(sides))));
            else
                w_store(out, w_sides(w_mul(quads, w_load(sides))));
        }
}

ARMILLA_ALWAYS_INLINE void synthesis_sets(const armilla_kernel_matrix *matrix, int64_t first,
                                          int64_t end, const double *const *alm,
                                          double *coefficients, double *leg, int64_t distance,
                                          const int nsets)
{
    for (int set = 0; set < nsets; set++)
        fill_coefficients(matrix->degrees, matrix->ncount, matrix->pair, matrix->v, alm[set],
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
    const double *sides = matrix->sides + 4 * first;
    int64_t i = 0, end_wide = 4 * ((end - first) / WIDE * WIDE);
    for (; i < end_wide; i += 4 * WIDE)
        w_store(values + i, w_mul(w_sides(w_load(leg + i)), w_load(sides + i)));
    for (; i < 4 * (end - first); i += 4)
        q_store(values + i, q_mul(q_sides(q_load(leg + i)), q_load(sides + i)));
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
    if (nsteps <= 4 * WIDE && nsets == 1)
        add_two_rows(p, length, value, -4, end - least, &sum, nsteps);
    else
        add_rows(p, length, value, 4 * (end - first), -4, end - least, &sum, nsteps, nsets);
    ARMILLA_UNROLL
    for (int i = 0; i < nsteps; i += WIDE)
        for (int set = 0; set < nsets; set++) {
            double *out = sums + set * far + 4 * (k + i);
            const wide quads = w_quads(sum[set][i / WIDE]);
            if (nsteps == 1)
                q_store(out, w_first(quads));
            else
                w_store(out, quads);
        }
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
        fill_degrees(matrix->degrees, matrix->pair, matrix->v, sums, 4, add, alm[set]);
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
