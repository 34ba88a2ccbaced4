/* Legendre synthesis and analysis of one order whose p the plan keeps as a matrix:
 *
 *     sums[pair][4] = sum over steps of p_k(pair) f[k][4]
 *     sums[k][4]    = sum over pairs of p_k(pair) value[pair][4]
 *
 * with the four coefficients f of a step and the four values of a pair. Lanes belong to pairs in
 * synthesis, to steps in analysis; four multiply-adds share each vector of p, and the numbers of
 * f, or of values, are broadcast from memory. Several sets go over the same p one after the other,
 * while the first-level cache has it. */
#include "base/integer.h"
#include "legendre/kernels/block.h"
#include "legendre/kernels/couplings.h"
#ifdef QUADS
#include "legendre/kernels/spin_couplings.h"
#endif

#include <string.h>

/* --- Filling ---------------------------------------------------------------------------------- */

ARMILLA_ALWAYS_INLINE void fill_vector(const armilla_kernel_order *order, const double *c,
                                       int64_t place, int64_t row, double *by_step, const int fine)
{
    const int64_t begin = kept_step(order, place);
    block_state s;
    s.y[0] = v_load(order->argument + place);
    begin_vector(order, place, begin, &s.current[0], &s.previous[0], fine);
    store_steps(&(step_run){c + begin, order->nsteps, order->ncount - begin}, &s, NULL,
                by_step + begin * row, row / VLEN, 1, fine);
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

/* --- Rows of spin 1 --------------------------------------------------------------------------- */

#ifdef QUADS
/* Are rows E and B of spin 1? They end a degree before those of scalar functions. */
ARMILLA_ALWAYS_INLINE int has_links(const armilla_kernel_matrix *matrix)
{
    return matrix->links.before != NULL;
}

ARMILLA_ALWAYS_INLINE void fill_linked(const armilla_kernel_matrix *matrix, const double *alm,
                                       int64_t alm_far, double *f)
{
    const double *const in[2] = {alm, alm + alm_far};
    double *const out[2] = {f, f + 4 * matrix->nsteps};
    fill_spin_coefficients(&matrix->links, matrix->ncount, matrix->degrees - 1, in, out);
}

ARMILLA_ALWAYS_INLINE void gather_linked(const armilla_kernel_matrix *matrix, double *sums,
                                         int64_t far, int add, double *alm, int64_t alm_far)
{
    const double *const in[2] = {sums, sums + far};
    double *const out[2] = {alm, alm + alm_far};
    for (int set = 0; set < 2; set++)
        q_store(sums + set * far - 8, q_all(0.0)), q_store(sums + set * far - 4, q_all(0.0));
    if (add)
        fill_spin_rows(&matrix->links, matrix->degrees - 1, in, 1, out);
    else
        fill_spin_rows(&matrix->links, matrix->degrees - 1, in, 0, out);
}
#else /* plans make no links */
ARMILLA_ALWAYS_INLINE int has_links(const armilla_kernel_matrix *matrix)
{
    (void)matrix;
    return 0;
}

ARMILLA_ALWAYS_INLINE void fill_linked(const armilla_kernel_matrix *matrix, const double *alm,
                                       int64_t alm_far, double *f)
{
    (void)matrix, (void)alm, (void)alm_far, (void)f;
}

ARMILLA_ALWAYS_INLINE void gather_linked(const armilla_kernel_matrix *matrix, double *sums,
                                         int64_t far, int add, double *alm, int64_t alm_far)
{
    (void)matrix, (void)sums, (void)far, (void)add, (void)alm, (void)alm_far;
}
#endif

/* --- Products --------------------------------------------------------------------------------- */

enum { MOST = MATRIX_VECTORS, MOST_OF_TWO = MATRIX_VECTORS_OF_TWO };
_Static_assert(MOST >= 3 && MOST <= 4 && MOST_OF_TWO <= 3, "FOR_VECTORS has cases for these");

/* [set][of the four numbers][vector] */
typedef vec some_sums[2][4][MOST];

ARMILLA_ALWAYS_INLINE void clear_sums(some_sums *sum, const int nvec, const int nsets)
{
    ARMILLA_UNROLL
    for (int i = 0; i < 4 * nsets; i++)
        for (int v = 0; v < nvec; v++) (*sum)[i / 4][i % 4][v] = v_all(0.0);
}

/* sum[set][i][v] += p[v] f[i] of one row; the vectors of p lie `next` doubles apart, f of the
 * second set is `far` doubles further. */
ARMILLA_ALWAYS_INLINE void add_row(const double *p, int64_t next, const double *f, int64_t far,
                                   some_sums *sum, const int nvec, const int nsets)
{
    vec now[MOST];
    ARMILLA_UNROLL
    for (int v = 0; v < nvec; v++) now[v] = v_load_any(p + v * next);
    ARMILLA_UNROLL
    for (int i = 0; i < 4 * nsets; i++) {
        vec *own = (*sum)[i / 4][i % 4];
        const vec number = v_all(f[i / 4 * far + i % 4]);
        ARMILLA_UNROLL
        for (int v = 0; v < nvec; v++) own[v] = v_fma_sum(now[v], number, own[v]);
    }
}

/* Rows that are multiplied and added up: p and f of the first one, `length` and `step` doubles from
 * one row's to the next row's. */
typedef struct {
    const double *p, *f;
    int64_t length, step, count;
    int64_t next, far; /* as in add_row */
} some_rows;

/* The sums grow by all rows, whose number is even or not. Two rows a turn where registers are left:
 * what controls the loop is a fifth of a short row. */
ARMILLA_ALWAYS_INLINE void add_rows(const some_rows *rows, some_sums *sum, const int even,
                                    const int nvec, const int nsets)
{
    const int two = 4 * nvec * nsets + nvec + 1 < REGISTERS;
    const int64_t length = rows->length, next = rows->next, far = rows->far, step = rows->step;
    const int64_t count = rows->count;
    const double *p = rows->p, *f = rows->f;
    const double *end = f + step * (two ? count / 2 * 2 : count);
    for (; f != end; p += (1 + two) * length, f += (1 + two) * step) {
        add_row(p, next, f, far, sum, nvec, nsets);
        if (two) add_row(p + length, next, f + step, far, sum, nvec, nsets);
    }
    if (two && !even && count % 2) add_row(p, next, f, far, sum, nvec, nsets);
}

/* add_rows for one vector. Four sums alone would wait for each other: rows in turns have two,
 * whatever the number of sets, whose results must not depend on it. */
ARMILLA_ALWAYS_INLINE void add_by_twos(const some_rows *rows, some_sums *sum, const int nsets)
{
    some_rows left = *rows;
    some_sums other;
    clear_sums(&other, 1, nsets);
    for (; left.count >= 2; left.count -= 2, left.p += 2 * left.length, left.f += 2 * left.step) {
        add_row(left.p, VLEN, left.f, left.far, sum, 1, nsets);
        add_row(left.p + left.length, VLEN, left.f + left.step, left.far, &other, 1, nsets);
    }
    add_rows(&left, sum, 0, 1, nsets);
    for (int i = 0; i < 4 * nsets; i++) {
        vec *own = (*sum)[i / 4][i % 4];
        own[0] = v_add(own[0], other[i / 4][i % 4][0]);
    }
}

/* How many vectors of `left` numbers, at least one, are summed at once. The last two times share
 * what is left, for few sums wait for each other. */
ARMILLA_ALWAYS_INLINE int64_t choose_vectors(int64_t left, const int nsets)
{
    const int64_t vectors = (left + VLEN - 1) / VLEN, most = nsets > 1 ? MOST_OF_TWO : MOST;
    return vectors <= most ? vectors : vectors >= 2 * most ? most : (vectors + 1) / 2;
}

#define VECTORS_CASE(work, nvec, nsets)                                                            \
    case nvec:                                                                                     \
        if ((nvec) > (nsets > 1 ? MOST_OF_TWO : MOST)) ARMILLA_TRAP();                             \
        work(nvec, nsets);                                                                         \
        break;

/* Runs work(nvec, nsets) with the numbers as constants. */
#define FOR_VECTORS(nvec, nsets, work)                                                             \
    switch (nvec) {                                                                                \
        VECTORS_CASE(work, 1, nsets)                                                               \
        VECTORS_CASE(work, 2, nsets)                                                               \
        VECTORS_CASE(work, 3, nsets) VECTORS_CASE(work, 4, nsets) default : ARMILLA_TRAP();        \
    }

/* Matrices of orders stand side by side, and come in turn. */
ARMILLA_ALWAYS_INLINE void ask_for_next(const armilla_kernel_matrix *next)
{
    ARMILLA_PREFETCH((const char *)next);
    ARMILLA_PREFETCH((const char *)next + 64);
}

/* --- Synthesis -------------------------------------------------------------------------------- */

/* north, south = f E +- x f O of a vector of pairs, E re, im and O re, im in its sums */
ARMILLA_ALWAYS_INLINE void store_pairs(const armilla_kernel_matrix *matrix, int64_t pair,
                                       const vec *sum[4], double *leg)
{
    const vec f = v_load_any(matrix->factor + pair), x = v_load_any(matrix->odd_factor + pair);
    const vec even_re = v_mul(f, *sum[0]), even_im = v_mul(f, *sum[1]);
    v_store4(leg, v_fma(x, *sum[2], even_re), v_fma(x, *sum[3], even_im),
             v_fnma(x, *sum[2], even_re), v_fnma(x, *sum[3], even_im));
}

/* Pairs that one sum takes: nvec vectors from `pair` on, `next` pairs apart, up to `last`. */
typedef struct {
    int64_t pair, next, last, nvec;
} pair_part;

/* Entries of leg of a part; those of the second set `distance` doubles further. Sums go from step
 * to step, whatever pairs a call has. */
ARMILLA_ALWAYS_INLINE void synthesis_pairs(const armilla_kernel_matrix *matrix,
                                           const pair_part *part, const double *f, double *leg,
                                           int64_t distance, const int nvec, const int nsets)
{
    const int64_t pair = part->pair, length = matrix->length;
    const int64_t next = nvec == 2 ? part->next : VLEN;
    const int64_t begin = matrix->begin[part->last - matrix->first];
    const some_rows rows = {.p = matrix->by_step + begin * length + pair - matrix->first,
                            .f = f + 4 * begin,
                            .length = length,
                            .step = 4,
                            .count = matrix->ncount - begin,
                            .next = next,
                            .far = 4 * matrix->nsteps};
    some_sums sum;
    clear_sums(&sum, nvec, nsets);
    add_rows(&rows, &sum, 1, nvec, nsets);
    ARMILLA_UNROLL
    for (int i = 0; i < nvec * nsets; i++) {
        const int set = i / nvec, v = i % nvec;
        const vec *own[4] = {&sum[set][0][v], &sum[set][1][v], &sum[set][2][v], &sum[set][3][v]};
        store_pairs(matrix, pair + v * next, own, leg + set * distance + 4 * v * next);
    }
}

/* Fewer pairs than a vector has lanes. */
static ARMILLA_NOINLINE void synthesis_few(const armilla_kernel_matrix *matrix, int64_t first,
                                           int64_t end, const double *f, double *leg)
{
    const pair_part part = {first, VLEN, end - 1, 1};
    double entries[4 * VLEN];
    synthesis_pairs(matrix, &part, f, entries, 0, 1, 1);
    memcpy(leg, entries, sizeof *leg * (size_t)(4 * (end - first)));
}

enum { PARTS = 16 };

/* How the pairs first .. end - 1 are cut, from `pair` on as far as there is room. Orders one behind
 * the other often have the same pairs. */
typedef struct {
    int64_t first, pair, end, together; /* together: sets at once; 0: none is cut */
    int64_t count;
    pair_part part[PARTS];
} pair_parts;

static ARMILLA_NOINLINE void cut_pairs(int64_t first, int64_t pair, int64_t end, const int together,
                                       pair_parts *p)
{
    p->first = first, p->pair = pair, p->end = end, p->together = together, p->count = 0;
    for (int64_t nvec; pair < end && p->count < PARTS; pair += nvec * VLEN) {
        nvec = choose_vectors(end - pair, together);
        if (nvec == 1) nvec = 2; /* that overlap: the sums of one would wait for each other */
        if (nvec > 2 && nvec * VLEN > end - first) nvec--;
        if (nvec * VLEN > end - pair) pair = armilla_larger(first, end - nvec * VLEN);
        const int64_t last = armilla_smaller(pair + nvec * VLEN, end) - 1;
        const int64_t next = nvec == 2 ? last + 1 - VLEN - pair : VLEN;
        p->part[p->count++] = (pair_part){pair, next, last, nvec};
    }
}

/* f: coefficients; leg: of pair `first`. */
ARMILLA_ALWAYS_INLINE void synthesis_parts(const armilla_kernel_matrix *matrix, const pair_parts *p,
                                           const double *f, double *leg, int64_t distance,
                                           const int nsets)
{
    const int together = MOST_OF_TWO > 0 ? nsets : 1;
    const int64_t far = 4 * matrix->nsteps;
    for (const pair_part *part = p->part; part < p->part + p->count; part++)
        for (int set = 0; set < nsets; set += together) {
            double *out = leg + set * distance + 4 * (part->pair - p->first);
#define WORK(n, s) synthesis_pairs(matrix, part, f + set * far, out, distance, n, s)
            FOR_VECTORS(part->nvec, together, WORK)
#undef WORK
        }
}

/* One or two sets of an order, whose leg begins with pair `first`. parts: of the order before. */
ARMILLA_ALWAYS_INLINE void synthesis_sets(const armilla_kernel_matrix *matrix, int64_t first,
                                          int64_t end, const armilla_kernel_rows *rows,
                                          int64_t distance, double *f, pair_parts *parts,
                                          const int nsets)
{
    const int together = MOST_OF_TWO > 0 ? nsets : 1;
    double *leg = rows->leg;
    if (nsets == 2 && has_links(matrix))
        fill_linked(matrix, rows->alm, rows->alm_far, f);
    else
        for (int set = 0; set < nsets; set++)
            fill_coefficients(matrix->degrees, matrix->ncount, matrix->pair, matrix->v,
                              rows->alm + set * rows->alm_far, f + 4 * set * matrix->nsteps);
    if (end - first < VLEN) {
        for (int set = 0; set < nsets; set++)
            synthesis_few(matrix, first, end, f + 4 * set * matrix->nsteps, leg + set * distance);
        return;
    }
    for (int64_t pair = first; pair < end; pair = parts->part[parts->count - 1].last + 1) {
        if (parts->together != together || parts->pair != pair || parts->first != first ||
            parts->end != end)
            cut_pairs(first, pair, end, together, parts);
        synthesis_parts(matrix, parts, f, leg, distance, nsets);
    }
}

/* The rows of an order from its own first pair on. */
ARMILLA_ALWAYS_INLINE armilla_kernel_rows own_rows(const armilla_kernel_together *t, int64_t i,
                                                   int64_t first)
{
    armilla_kernel_rows rows = t->rows[i];
    rows.leg += 4 * (first - t->first);
    return rows;
}

/* To the rows of the next two sets. */
ARMILLA_ALWAYS_INLINE void skip_two(armilla_kernel_rows *rows, int64_t distance)
{
    rows->alm += 2 * rows->alm_far, rows->leg += 2 * distance;
}

void ARMILLA_KERNEL(armilla_kernel_matrix_synthesis)(const armilla_kernel_together *t,
                                                     double *coefficients)
{
    const int64_t end = t->end, distance = t->distance;
    pair_parts parts;
    parts.together = 0;
    for (int64_t i = 0; i < t->count; i++) {
        const armilla_kernel_matrix *matrix = t->matrix + i * t->step;
        const int64_t first = armilla_larger(t->first, matrix->first);
        armilla_kernel_rows rows = own_rows(t, i, first);
        int64_t left = t->nsets;
        ask_for_next(matrix + t->step);
        for (; left > 1; left -= 2, skip_two(&rows, distance))
            synthesis_sets(matrix, first, end, &rows, distance, coefficients, &parts, 2);
        if (left > 0) synthesis_sets(matrix, first, end, &rows, distance, coefficients, &parts, 1);
    }
}

/* --- Analysis --------------------------------------------------------------------------------- */

/* N + S re, im, x (N - S) re, im of each pair, times the factor of (3.5) */
ARMILLA_ALWAYS_INLINE void fill_values(const armilla_kernel_matrix *matrix, int64_t first,
                                       int64_t end, const double *leg, double *values)
{
    const double *sides = matrix->sides + 4 * first;
    const int64_t size = 4 * (end - first);
    int64_t i = 0;
#ifdef QUADS
    for (; i + VLEN <= size; i += VLEN)
        v_store_any(values + i, v_mul(v_sides(v_load_any(leg + i)), v_load_any(sides + i)));
#endif
    for (; i < size; i += 4)
        q_store(values + i, q_mul(q_sides(q_load(leg + i)), q_load(sides + i)));
}

/* Values of pairs and sums of steps: doubles between those of two sets. */
typedef struct {
    double *values, *sums;
    int64_t values_far, sums_far;
} sets_work;

/* Sums of the nvec VLEN steps from k on over the pairs first .. end - 1, for one set or two from
 * `set` on. Pairs next to the poles come last, and only for steps on which they matter: fields of
 * spin s are divided by sin^s theta there, and sums round only a few times at the size of such
 * values. */
ARMILLA_ALWAYS_INLINE void analysis_steps(const armilla_kernel_matrix *matrix, int64_t k,
                                          int64_t first, int64_t end, const sets_work *work,
                                          int set, const int nvec, const int nsets)
{
    const int64_t length = matrix->height;
    int64_t least = first;
    while (least < end && matrix->begin[least - matrix->first] >= k + nvec * VLEN) least++;
    const some_rows rows = {
        .p = matrix->by_pair + (matrix->first + matrix->npairs - end) * length + k,
        .f = work->values + set * work->values_far + 4 * (end - 1 - first),
        .length = length,
        .step = -4,
        .count = end - least,
        .next = VLEN,
        .far = work->values_far,
    };
    double *sums = work->sums + set * work->sums_far;
    some_sums sum;
    clear_sums(&sum, nvec, nsets);
    if (nvec == 1)
        add_by_twos(&rows, &sum, nsets);
    else
        add_rows(&rows, &sum, 0, nvec, nsets);
    ARMILLA_UNROLL
    for (int i = 0; i < nvec * nsets; i++) {
        const int own = i / nvec, v = i % nvec;
        v_store4(sums + own * work->sums_far + 4 * (k + v * VLEN), sum[own][0][v], sum[own][1][v],
                 sum[own][2][v], sum[own][3][v]);
    }
}

ARMILLA_ALWAYS_INLINE void analysis_sets(const armilla_kernel_matrix *matrix, int64_t first,
                                         int64_t end, const armilla_kernel_rows *rows,
                                         int64_t distance, int add, const sets_work *work,
                                         const int nsets)
{
    const int together = MOST_OF_TWO > 0 ? nsets : 1;
    for (int set = 0; set < nsets; set++)
        fill_values(matrix, first, end, rows->leg + set * distance,
                    work->values + set * work->values_far);
    for (int64_t k = 0, nvec; k < matrix->ncount; k += nvec * VLEN) {
        nvec = choose_vectors(matrix->ncount - k, together);
        for (int set = 0; set < nsets; set += together) {
#define WORK(n, s) analysis_steps(matrix, k, first, end, work, set, n, s)
            FOR_VECTORS(nvec, together, WORK)
#undef WORK
        }
    }
    if (nsets == 2 && has_links(matrix)) {
        gather_linked(matrix, work->sums, work->sums_far, add, rows->alm, rows->alm_far);
        return;
    }
    for (int set = 0; set < nsets; set++) {
        double *sums = work->sums + set * work->sums_far;
        q_store(sums - 4, q_all(0.0));
        fill_degrees(matrix->degrees, matrix->pair, matrix->v, sums, 4, add,
                     rows->alm + set * rows->alm_far);
    }
}

void ARMILLA_KERNEL(armilla_kernel_matrix_analysis)(const armilla_kernel_together *t, int add,
                                                    double *values, double *sums, int64_t far)
{
    const int64_t end = t->end, distance = t->distance;
    for (int64_t i = 0; i < t->count; i++) {
        const armilla_kernel_matrix *matrix = t->matrix + i * t->step;
        const int64_t first = armilla_larger(t->first, matrix->first);
        const sets_work work = {values, sums, 4 * (end - first), far};
        armilla_kernel_rows rows = own_rows(t, i, first);
        int64_t left = t->nsets;
        ask_for_next(matrix + t->step);
        for (; left > 1; left -= 2, skip_two(&rows, distance))
            analysis_sets(matrix, first, end, &rows, distance, add, &work, 2);
        if (left > 0) analysis_sets(matrix, first, end, &rows, distance, add, &work, 1);
    }
}
