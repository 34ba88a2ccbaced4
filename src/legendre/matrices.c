/* p of all steps of an order, kept by plans for the largest orders, or for all where the band limit
 * is small: sums have two thirds of the operations of a recurrence, and no starts. Rows of large
 * orders are short, so that starts are much of what they take. kernels.h, armilla_kernel_matrix. */
#include "base/integer.h"
#include "base/memory.h"
#include "legendre/plan.h"
#include "legendre/spin.h"

_Static_assert(ARMILLA_LEGENDRE_MATRIX_LMAX / 2 + 4 < 256, "first steps of pairs are bytes");
enum { ROW_UNIT = 4 }; /* doubles */

/* The first pair of an order's matrix, and how many there are from it on. */
static int64_t first_pair(const armilla_legendre *legendre, int64_t m)
{
    const int64_t group = legendre->grouping.least_group[m - legendre->mfirst];
    return armilla_larger(armilla_legendre_least_scalar(legendre, m),
                          legendre->grouping.groups[group].pair);
}

static int64_t count_pairs(const armilla_legendre *legendre, int64_t m)
{
    const int64_t places = armilla_legendre_count_places(legendre, m);
    return places > 0 ? legendre->pairs->count - first_pair(legendre, m) : 0;
}

static int64_t count_steps(const armilla_legendre *legendre, int64_t m)
{
    return ((legendre->top - m) / 2 + 2) / 2 * 2;
}

/* Doubles of a row by step: vectors should not begin in the middle of others. */
static int64_t row_length(const armilla_legendre *legendre, int64_t m)
{
    return (count_pairs(legendre, m) + ROW_UNIT - 1) / ROW_UNIT * ROW_UNIT;
}

static int64_t size_by_step(const armilla_legendre *legendre, int64_t m)
{
    return armilla_round_line(count_steps(legendre, m) * row_length(legendre, m));
}

/* Doubles of a row by pair. */
static int64_t row_height(const armilla_legendre *legendre, int64_t m)
{
    return (armilla_legendre_steps(legendre, m) + ROW_UNIT - 1) / ROW_UNIT * ROW_UNIT;
}

static int64_t size_by_pair(const armilla_legendre *legendre, int64_t m)
{
    return armilla_round_line(row_height(legendre, m) * count_pairs(legendre, m));
}

/* f, x f, and f, f, x f, x f of each pair that scalar groups have */
static void fill_factors(const armilla_legendre *legendre, armilla_legendre_matrices *matrices)
{
    const armilla_legendre_part *part = &legendre->grouping.part[ARMILLA_PART_SCALAR];
    for (int64_t g = part->first_group; g < part->end_group; g++) {
        const armilla_kernel_group *group = &legendre->grouping.groups[g];
        for (int64_t i = 0; i < group->npairs; i++) {
            const int64_t place = group->first + i, pair = group->pair + i;
            const double f =
                legendre->places.inverse_sine ? legendre->places.inverse_sine[place] : 1;
            double *sides = matrices->sides + 4 * pair;
            sides[0] = sides[1] = matrices->factor[pair] = f;
            sides[2] = sides[3] = matrices->odd_factor[pair] =
                f * legendre->places.cos_theta[place];
        }
    }
}

static armilla_status allocate_matrices(armilla_legendre *legendre)
{
    const int64_t orders = legendre->mmax - legendre->mfirst + 1, count = legendre->pairs->count;
    armilla_legendre_matrices *matrices = &legendre->matrices;
    int64_t by_step = 0, by_pair = 0, pairs = 0;
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++)
        if (m >= legendre->choices.matrices) {
            by_step += size_by_step(legendre, m), by_pair += size_by_pair(legendre, m);
            pairs += count_pairs(legendre, m);
        }
    const int64_t total = by_step + by_pair + ARMILLA_VECTOR_MAX;
    const int64_t factors = count + ARMILLA_VECTOR_MAX;
    if (pairs == 0) {
        legendre->choices.matrices = legendre->lmax + 1;
        return ARMILLA_OK;
    }
    armilla_status status;
    if ((status = armilla_allocate_zero(&matrices->values, total, sizeof(double))) ||
        (status = armilla_allocate_zero(&matrices->begin, pairs, 1)) ||
        (status = armilla_allocate_zero(&matrices->factor, 6 * factors, sizeof(double))) ||
        (status = armilla_allocate_zero(&matrices->together, orders, 1)) ||
        (status = armilla_allocate_zero(&matrices->orders, orders, sizeof *matrices->orders)))
        return status;
    matrices->by_step = matrices->values, matrices->by_pair = matrices->values + by_step;
    matrices->odd_factor = matrices->factor + factors;
    matrices->sides = matrices->odd_factor + factors;
    fill_factors(legendre, matrices);
    legendre->bytes +=
        8 * (total + 6 * factors) + pairs + orders * (1 + (int64_t)sizeof *matrices->orders);
    return ARMILLA_OK;
}

/* Each pair's numbers from those of its place. */
static void fill_pairs(const armilla_legendre *legendre, int64_t m,
                       const armilla_kernel_order *order, const double *by_place,
                       armilla_kernel_matrix *matrix, double *by_step, double *by_pair,
                       unsigned char *begin)
{
    const int64_t places = armilla_legendre_count_places(legendre, m);
    const int64_t first = armilla_legendre_first_place(legendre, m);
    int64_t g = legendre->grouping.count - 1, step = order->ncount;
    for (int64_t i = matrix->npairs - 1; i >= 0; i--) {
        while (matrix->first + i < legendre->grouping.groups[g].pair) g--;
        const int64_t place = legendre->grouping.groups[g].first + matrix->first + i -
                              legendre->grouping.groups[g].pair;
        if (i == matrix->npairs - 1 || order->starts.step[place / legendre->grouping.lanes] > step)
            step = order->starts.step[place / legendre->grouping.lanes];
        begin[i] = (unsigned char)step;
        for (int64_t k = 0; k < order->ncount; k++)
            by_step[k * matrix->length + i] =
                by_pair[(matrix->npairs - 1 - i) * matrix->height + k] =
                    by_place[k * places + place - first];
    }
}

static armilla_status make_matrix(armilla_legendre *legendre, int64_t m, double *work)
{
    armilla_legendre_matrices *matrices = &legendre->matrices;
    armilla_kernel_order order;
    armilla_legendre_table table;
    const int64_t index = m - legendre->mfirst, npairs = count_pairs(legendre, m);
    armilla_legendre_find_order(legendre, m, work, work + 8 * armilla_legendre_steps(legendre, m),
                                &table, &order);
    if (!order.starts.step) return ARMILLA_OK;
    const int64_t first = armilla_legendre_first_place(legendre, m);
    const int64_t places = armilla_legendre_count_places(legendre, m);
    double *by_place;
    armilla_status status = armilla_allocate_zero(&by_place, order.ncount * places, sizeof(double));
    if (status) return status;
    for (int64_t g = legendre->grouping.least_group[index]; g < legendre->grouping.count; g++)
        legendre->kernels->matrix_fill(&order, &legendre->grouping.groups[g], places,
                                       by_place + legendre->grouping.groups[g].first - first);
    double *by_step = matrices->by_step, *by_pair = matrices->by_pair;
    unsigned char *begin = matrices->begin + matrices->used;
    armilla_kernel_matrix *matrix = &matrices->orders[index];
    *matrix = (armilla_kernel_matrix){.by_step = by_step,
                                      .by_pair = by_pair,
                                      .begin = begin,
                                      .factor = matrices->factor,
                                      .odd_factor = matrices->odd_factor,
                                      .sides = matrices->sides,
                                      .pair = table.pair,
                                      .v = table.v,
                                      .first = first_pair(legendre, m),
                                      .npairs = npairs,
                                      .length = row_length(legendre, m),
                                      .height = row_height(legendre, m),
                                      .ncount = order.ncount,
                                      .nsteps = order.nsteps,
                                      .degrees = legendre->top - m + 1};
    fill_pairs(legendre, m, &order, by_place, matrix, by_step, by_pair, begin);
    matrices->by_step += size_by_step(legendre, m), matrices->by_pair += size_by_pair(legendre, m);
    matrices->used += npairs;
    armilla_release(by_place);
    return ARMILLA_OK;
}

armilla_status armilla_legendre_make_matrices(armilla_legendre *legendre)
{
    double *work;
    if (legendre->choices.starts != ARMILLA_STARTS_ALL) return ARMILLA_OK;
    armilla_status status = allocate_matrices(legendre);
    if (status || !legendre->matrices.values) return status;
    status = armilla_allocate(&work, armilla_legendre_order_work(legendre), sizeof *work);
    if (status) return status;
    int64_t m = armilla_larger(legendre->mfirst, legendre->choices.matrices);
    for (; m <= legendre->mmax && !status; m++)
        if (count_pairs(legendre, m)) status = make_matrix(legendre, m, work);
    armilla_release(work);
    return status;
}

/* --- Rows of spin 1 --------------------------------------------------------------------------- */

enum { LINK_ARRAYS = 5, LINKS_GAP = 8 }; /* doubles in front of each array, and behind the last */

/* Doubles of an array. */
static int64_t links_size(const armilla_kernel_matrix *matrix)
{
    return LINKS_GAP + 2 * matrix->nsteps;
}

/* Doubles of all arrays of an order. */
static int64_t all_links_size(const armilla_legendre *legendre, int64_t m)
{
    const armilla_kernel_matrix *matrix = armilla_legendre_kept_matrix(legendre, m);
    return matrix ? LINK_ARRAYS * links_size(matrix) : 0;
}

/* Ladder and couplings as one. up, down, across: of each degree from m on (spin_stream.c). */
static void join_links(const armilla_kernel_matrix *matrix, const double *up, const double *down,
                       const double *across, double *links)
{
    const int64_t size = links_size(matrix), count = matrix->degrees;
    double *before = links + LINKS_GAP, *behind = before + size, *beyond = behind + size;
    double *own = beyond + size, *crossing = own + size;
    for (int64_t k = 0; 2 * k < count; k++) {
        const double u = matrix->pair[2 * k], alpha = matrix->pair[2 * k + 1], v = matrix->v[k];
        const int64_t i = 2 * k;
        before[i] = i > 0 ? u * up[i] : 0, behind[i] = u * down[i], own[i] = u * across[i];
        if (i + 1 < count) {
            before[i + 1] = alpha * up[i + 1], behind[i + 1] = alpha * down[i + 1];
            own[i + 1] = alpha * across[i + 1];
        }
        if (i + 2 < count) {
            behind[i] += v * up[i + 2], beyond[i] = v * down[i + 2];
            crossing[i] = v * across[i + 2];
        }
    }
}

static void link_matrix(armilla_legendre *legendre, int64_t m, double *work, double *links)
{
    armilla_kernel_matrix *matrix = &legendre->matrices.orders[m - legendre->mfirst];
    const int64_t size = links_size(matrix), row = legendre->top + 2;
    double *up = work, *down = up + row, *across = down + row;
    armilla_legendre_fill_links(legendre, m, 0, matrix->degrees, up, down, across);
    join_links(matrix, up, down, across, links);
    const double *first = links + LINKS_GAP;
    matrix->links = (armilla_kernel_links){first, first + size, first + 2 * size, first + 3 * size,
                                           first + 4 * size};
}

armilla_status armilla_legendre_make_links(armilla_legendre *legendre)
{
    armilla_legendre_matrices *matrices = &legendre->matrices;
    if (!matrices->orders || legendre->spin != 1 || !legendre->kernels->links_steps)
        return ARMILLA_OK;
    int64_t total = ARMILLA_VECTOR_MAX;
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++)
        total += all_links_size(legendre, m);
    double *work;
    armilla_status status = armilla_allocate_zero(&matrices->links, total, sizeof(double));
    if (status || (status = armilla_allocate(&work, 3 * (legendre->top + 2), sizeof *work)))
        return status;
    double *links = matrices->links;
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++) {
        if (armilla_legendre_kept_matrix(legendre, m)) link_matrix(legendre, m, work, links);
        links += all_links_size(legendre, m);
    }
    armilla_release(work);
    legendre->bytes += 8 * total;
    return ARMILLA_OK;
}

void armilla_legendre_free_matrices(armilla_legendre_matrices *matrices)
{
    armilla_release(matrices->values);
    armilla_release(matrices->orders);
    armilla_release(matrices->together);
    armilla_release(matrices->begin);
    armilla_release(matrices->factor);
    armilla_release(matrices->links);
}
