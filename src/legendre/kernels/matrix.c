/* Legendre synthesis and analysis of one order whose p the plan keeps as a matrix:
 *
 *     sums[pair][i] = sum over steps of p_k(pair) f[k][i]           lanes belong to pairs
 *     sums[k][i]    = sum over pairs of p_k(pair) value[pair][i]    lanes belong to steps
 *
 * with the four coefficients f of a step and the four values of a pair, set by set. Per step and
 * pair 4 FMA for each set; no recurrence, no sums over lanes. */
#include "legendre/kernels/block.h"
#include "legendre/kernels/placed.h"
#include "legendre/kernels/values.h"

enum { MATRIX_VECTORS = REGISTERS > 16 ? 4 : 3 };

typedef vec matrix_sums[MATRIX_VECTORS][4];

/* Sums of nvec vectors of `count` rows times four numbers each; row, f: of the first one, `length`
 * and `step` doubles before the next. */
ARMILLA_ALWAYS_INLINE void multiply(const double *row, int64_t length, const double *f,
                                    int64_t step, int64_t count, matrix_sums *sums, const int nvec)
{
    matrix_sums s;
    for (int i = 0; i < nvec; i++)
        for (int j = 0; j < 4; j++) s[i][j] = v_all(0.0);
    for (int64_t k = 0; k < count; k++, row += length, f += step) {
        vec p[MATRIX_VECTORS];
        for (int i = 0; i < nvec; i++) p[i] = v_load(row + i * VLEN);
        for (int j = 0; j < 4; j++) {
            const vec number = v_all(f[j]);
            for (int i = 0; i < nvec; i++) s[i][j] = v_fma(number, p[i], s[i][j]);
        }
    }
    for (int i = 0; i < nvec; i++)
        for (int j = 0; j < 4; j++) (*sums)[i][j] = s[i][j];
}

static void multiply_some(const double *row, int64_t length, const double *f, int64_t step,
                          int64_t count, matrix_sums *sums, int64_t nvec)
{
    if (nvec == 1)
        multiply(row, length, f, step, count, sums, 1);
    else if (nvec == 2)
        multiply(row, length, f, step, count, sums, 2);
    else if (nvec == 3)
        multiply(row, length, f, step, count, sums, 3);
    else
        multiply(row, length, f, step, count, sums, MATRIX_VECTORS);
}

static int64_t end_place(const armilla_kernel_group *groups, int64_t ngroups)
{
    return groups[ngroups - 1].first + groups[ngroups - 1].nvec * (int64_t)VLEN;
}

/* --- Filling ---------------------------------------------------------------------------------- */

ARMILLA_ALWAYS_INLINE void fill_vector(const armilla_kernel_order *order, const double *c,
                                       int64_t place, double *by_step, const int fine)
{
    const int64_t begin = kept_step(order, place), row = order->matrix.places;
    block_state s;
    s.y[0] = v_load(order->argument + place);
    begin_vector(order, place, begin, &s.current[0], &s.previous[0], fine);
    store_steps(c + begin, order->nsteps, order->ncount - begin, &s, NULL, by_step + begin * row,
                row / VLEN, 1, fine);
}

/* What is before the first steps of vectors is 0 already. */
void ARMILLA_KERNEL(armilla_kernel_matrix_fill)(const armilla_kernel_order *order,
                                                const armilla_kernel_group *group, double *by_step)
{
    const double *c = order->recurrence[group->form];
    for (int64_t i = 0; i < group->nvec * (int64_t)VLEN; i += VLEN) {
        const int64_t place = group->first + i;
        if (vector_is_fine(group, place))
            fill_vector(order, c, place, by_step + i, 1);
        else
            fill_vector(order, c, place, by_step + i, 0);
    }
}

/* --- Synthesis -------------------------------------------------------------------------------- */

void ARMILLA_KERNEL(armilla_kernel_matrix_synthesis)(const armilla_kernel_order *order,
                                                     const armilla_kernel_group *groups,
                                                     int64_t ngroups, int64_t first_pair,
                                                     double *leg)
{
    const armilla_kernel_matrix *matrix = &order->matrix;
    const int64_t end = end_place(groups, ngroups);
    const armilla_kernel_group *group = groups;
    for (int64_t place = groups->first; place < end;) {
        const int64_t left = (end - place) / VLEN;
        const int64_t nvec = left < MATRIX_VECTORS ? left : MATRIX_VECTORS;
        int64_t begin = order->ncount;
        for (int64_t i = 0; i < nvec; i++)
            if (kept_step(order, place + i * VLEN) < begin)
                begin = kept_step(order, place + i * VLEN);
        for (int64_t set = 0; set < order->nsets; set++) {
            const armilla_kernel_group *now = group;
            matrix_sums s;
            multiply_some(matrix->by_step + begin * matrix->places + place - matrix->first,
                          matrix->places, order->coefficients + 4 * (set * order->nsteps + begin),
                          4, order->ncount - begin, &s, nvec);
            for (int64_t i = 0; i < nvec; i++) {
                const int64_t at = place + i * VLEN;
                while (at >= now->first + now->nvec * (int64_t)VLEN) now++;
                write_values(order, now, at, s[i],
                             leg + set * order->leg_stride + 4 * (now->pair - first_pair));
            }
        }
        place += nvec * VLEN;
        while (group < groups + ngroups && place >= group->first + group->nvec * (int64_t)VLEN)
            group++;
    }
}

/* --- Analysis --------------------------------------------------------------------------------- */

/* values[set][place][4] */
static void place_all(const armilla_kernel_order *order, const armilla_kernel_group *groups,
                      int64_t ngroups, int64_t first_pair, const double *leg, double *values)
{
    const int64_t first = groups->first, far = 4 * (end_place(groups, ngroups) - first);
    for (const armilla_kernel_group *group = groups; group < groups + ngroups; group++)
        for (int64_t i = 0; i < group->nvec * (int64_t)VLEN; i += VLEN)
            place_vector(order, group, group->first + i, leg + 4 * (group->pair - first_pair), 4,
                         far, values + 4 * (group->first + i - first));
}

/* Pairs next to the poles come last, and only for steps on which they matter: fields of spin s are
 * divided by sin^s theta there, and sums round only a few times at the size of such values. */
void ARMILLA_KERNEL(armilla_kernel_matrix_analysis)(const armilla_kernel_order *order,
                                                    const armilla_kernel_group *groups,
                                                    int64_t ngroups, int64_t first_pair,
                                                    const double *leg, double *values, double *sums,
                                                    int64_t far)
{
    const int64_t nsteps = order->nsteps, least = groups->first, end = end_place(groups, ngroups);
    const armilla_kernel_matrix *matrix = &order->matrix;
    const double *rows = matrix->by_place + (matrix->first + matrix->places - end) * nsteps;
    place_all(order, groups, ngroups, first_pair, leg, values);
    int64_t nvec;
    for (int64_t k = 0; k < order->ncount; k += nvec * VLEN) {
        const int64_t left = (order->ncount - k + VLEN - 1) / VLEN;
        nvec = left < MATRIX_VECTORS ? left : MATRIX_VECTORS;
        int64_t place = least;
        while (place < end && kept_step(order, place) >= k + nvec * VLEN) place += VLEN;
        for (int64_t set = 0; set < order->nsets; set++) {
            matrix_sums s;
            multiply_some(rows + k, nsteps, values + 4 * ((set + 1) * (end - least) - 1), -4,
                          end - place, &s, nvec);
            for (int64_t i = 0; i < nvec; i++)
                v_store4(sums + set * far + 4 * (k + i * VLEN), s[i][0], s[i][1], s[i][2], s[i][3]);
        }
    }
}
