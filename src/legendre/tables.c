/* Recurrence tables of the Legendre stage; docs/mathematics.md (2.4), (2.6).
 *
 * With g_l = A_l A_{l+1} and step k of order m:
 *
 *     alpha_0 = 1,  alpha_1 = sqrt(g_{m+2} / g_{m+4})
 *     alpha_{k+1} = -alpha_{k-1} g_{m+2k} / g_{m+2k+2},  a_k = alpha_k / (alpha_{k+1} g_{m+2k+2})
 *     p_0 / sin^m theta = (-1)^m sqrt((2m+1)(2m+3) / (4 pi) * prod_{i=1..m} (2i-1)/(2i))
 *
 * alpha_1 is free; this choice keeps p_k of one size. Only the ratios between neighbours enter the
 * recurrence, so the rounding that piles up in alpha_k is harmless: it changes the scale of p_k and
 * of the coefficients alike. */
#include "base/memory.h"
#include "legendre/choose.h"
#include "legendre/plan.h"

#include <math.h>

static void fill_degrees(armilla_legendre *legendre, int64_t nroot, int64_t nscale)
{
    for (int64_t i = 0; i < nroot; i++) legendre->tables.root[i] = sqrt((double)i);
    legendre->tables.scale[0] = legendre->tables.square_scale[0] = 0; /* A_0 = 0 */
    for (int64_t l = 1; l < nscale; l++) {
        double square = (2 * (double)l - 1) * (2 * (double)l + 1);
        legendre->tables.square_scale[l] = 1 / square;
        legendre->tables.scale[l] = (double)(1 / sqrtl((long double)square));
    }
}

static void fill_starts(armilla_legendre *legendre)
{
    long double product = 1;
    for (int64_t m = 0; m <= legendre->mmax; m++) {
        long double d = (long double)m;
        if (m > 0) product *= (2 * d - 1) / (2 * d);
        if (m < legendre->mfirst) continue;
        long double start = sqrtl((2 * d + 1) * (2 * d + 3) /
                                  (4 * 3.14159265358979323846264338327950288L) * product);
        legendre->tables.start[m - legendre->mfirst] = (double)(m % 2 ? -start : start);
    }
}

int64_t armilla_legendre_table_work(const armilla_legendre *legendre)
{
    return 3 * (armilla_legendre_steps(legendre, legendre->mfirst) + 8);
}

/* The steps of order m. work: armilla_legendre_table_work doubles. */
static void fill_table(const armilla_legendre *legendre, int64_t m,
                       const armilla_legendre_table *table, double *work)
{
    const armilla_kernels *kernels = legendre->kernels;
    int64_t nsteps = (legendre->top - m) / 2 + 1, padded = armilla_legendre_steps(legendre, m);
    double *g = work, *alpha = work + padded + 8, *ratio = alpha + padded + 8;
    kernels->products(m, nsteps + 2, legendre->tables.root, legendre->tables.scale, g);
    kernels->tables(nsteps, g, table->a, alpha, ratio);
    for (int64_t k = nsteps; k < padded; k++) table->a[k] = alpha[k] = 0;
    table->v[-1] = 0; /* where all orders share a table, this is the last v of the order before, of
                         a degree above top */
    kernels->couplings(m, padded, alpha, legendre->tables.root, legendre->tables.scale, table->pair,
                       table->v);
    kernels->ceilings(m, padded, table->a, legendre->tables.square_scale, table->ceiling, work);
}

static void kept_table(const armilla_legendre *legendre, int64_t m, armilla_legendre_table *table)
{
    const int64_t start = legendre->tables.table_start[m - legendre->mfirst];
    const armilla_legendre_table *all = &legendre->tables.steps;
    table->a = all->a + start, table->pair = all->pair + 2 * start, table->v = all->v + start;
    table->ceiling = all->ceiling + start / ARMILLA_KERNEL_STEPS;
}

int64_t armilla_legendre_table_size(int64_t nsteps)
{
    return 4 * nsteps + ARMILLA_LEGENDRE_GAP + armilla_round_line(nsteps / ARMILLA_KERNEL_STEPS);
}

/* The table of an order, the plan's or, where that keeps none, made now. */
static void find_table(const armilla_legendre *legendre, int64_t m, double *work,
                       armilla_legendre_table *table)
{
    if (legendre->tables.steps.a) {
        kept_table(legendre, m, table);
        return;
    }
    const int64_t nsteps = armilla_legendre_steps(legendre, m);
    table->a = work, table->pair = table->a + nsteps;
    table->v = table->pair + 2 * nsteps + ARMILLA_LEGENDRE_GAP, table->ceiling = table->v + nsteps;
    fill_table(legendre, m, table, work + armilla_legendre_table_size(nsteps));
}

/* Fills what every call with order m has alike: all but the recurrences, the number of sets and
 * where leg is. */
static void set_order(const armilla_legendre *legendre, int64_t m,
                      const armilla_legendre_table *table, armilla_kernel_order *order)
{
    order->argument = legendre->places.argument, order->cos_theta = legendre->places.cos_theta;
    order->factor = legendre->places.inverse_sine;
    order->start_mantissa = legendre->tables.start[m - legendre->mfirst];
    order->nsteps = armilla_legendre_steps(legendre, m);
    order->ncount = ((legendre->top - m) / 2 + 2) / 2 * 2;
    order->ceiling = table->ceiling;
    order->least_pair = armilla_legendre_least_scalar(legendre, m);
    order->starts = armilla_legendre_kept_starts(legendre, m);
    armilla_legendre_power(legendre, m, &order->power);
}

static int any_fine(const armilla_legendre *legendre, int32_t form)
{
    for (int64_t g = 0; g < legendre->grouping.count; g++)
        if (legendre->grouping.groups[g].form == form && legendre->grouping.groups[g].nfine)
            return 1;
    return 0;
}

/* The recurrences of an order in both forms, 8 nsteps doubles. With those of fine vectors where any
 * group of the plan has them: numbers are rounded differently then, which must not depend on the
 * groups of one call. */
static void fill_recurrences(const armilla_legendre *legendre, int64_t m, const double *a,
                             double *work, armilla_kernel_order *order)
{
    double *equator = work, *pole = work + 4 * order->nsteps;
    legendre->kernels->recurrence(m, order->nsteps, a, legendre->tables.square_scale,
                                  legendre->grouping.fine[ARMILLA_FORM_EQUATOR],
                                  legendre->grouping.fine[ARMILLA_FORM_POLE], equator, pole);
    order->recurrence[ARMILLA_FORM_EQUATOR] = equator;
    order->recurrence[ARMILLA_FORM_POLE] = pole;
}

int64_t armilla_legendre_order_work(const armilla_legendre *legendre)
{
    const int64_t steps = armilla_legendre_steps(legendre, legendre->mfirst);
    return 8 * steps + armilla_legendre_table_size(steps) + armilla_legendre_table_work(legendre);
}

void armilla_legendre_find_order(const armilla_legendre *legendre, int64_t m, double *work,
                                 double *table_work, armilla_legendre_table *table,
                                 armilla_kernel_order *order)
{
    find_table(legendre, m, table_work, table);
    if (legendre->tables.orders) {
        *order = legendre->tables.orders[m - legendre->mfirst];
        return;
    }
    set_order(legendre, m, table, order);
    fill_recurrences(legendre, m, table->a, work, order);
}

/* Orders with their recurrences, where all of them, with so many steps, are small enough for the
 * nearer caches. */
static armilla_status keep_orders(armilla_legendre *legendre, int64_t steps)
{
    const int64_t count = legendre->mmax - legendre->mfirst + 1;
    armilla_status status;
    legendre->tables.table_steps = steps;
    if (!legendre->choices.recurrences) return ARMILLA_OK;
    if ((status = armilla_allocate_zero(&legendre->tables.orders, count,
                                        sizeof *legendre->tables.orders)) ||
        (status = armilla_allocate_zero(&legendre->tables.recurrences, 8 * steps, sizeof(double))))
        return status;
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++) {
        armilla_legendre_table table;
        armilla_kernel_order *order = &legendre->tables.orders[m - legendre->mfirst];
        if (!armilla_legendre_is_listed(legendre, m)) continue;
        kept_table(legendre, m, &table);
        set_order(legendre, m, &table, order);
        fill_recurrences(legendre, m, table.a,
                         legendre->tables.recurrences +
                             8 * legendre->tables.table_start[m - legendre->mfirst],
                         order);
    }
    legendre->bytes += count * (int64_t)sizeof *legendre->tables.orders + 64 * steps;
    return ARMILLA_OK;
}

/* Tables of all orders, where they are small enough to stay near; else each call makes its own. */
static armilla_status keep_tables(armilla_legendre *legendre)
{
    armilla_legendre_table *table = &legendre->tables.steps;
    int64_t total = ARMILLA_KERNEL_STEPS; /* step k of an order looks at v_{k-1} */
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++) {
        if (!armilla_legendre_is_listed(legendre, m)) continue;
        legendre->tables.table_start[m - legendre->mfirst] = total;
        total += armilla_legendre_steps(legendre, m);
    }
    if (!legendre->choices.tables) return ARMILLA_OK;
    double *work;
    armilla_status status;
    if ((status = armilla_allocate(&table->a, total, sizeof(double))) ||
        (status = armilla_allocate(&table->pair, 2 * total, sizeof(double))) ||
        (status = armilla_allocate(&table->v, total, sizeof(double))) ||
        (status =
             armilla_allocate(&table->ceiling, total / ARMILLA_KERNEL_STEPS, sizeof(double))) ||
        (status = armilla_allocate(&work, armilla_legendre_table_work(legendre), sizeof(double))))
        return status;
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++) {
        armilla_legendre_table one;
        if (!armilla_legendre_is_listed(legendre, m)) continue;
        kept_table(legendre, m, &one);
        fill_table(legendre, m, &one, work);
    }
    armilla_release(work);
    legendre->bytes += 33 * total;
    return keep_orders(legendre, total);
}

/* The first pair that has an entry of each order, and the first scalar group that has. */
static void find_least(armilla_legendre *legendre)
{
    const int64_t first = legendre->grouping.part[ARMILLA_PART_SCALAR].first_group,
                  n = legendre->grouping.count;
    for (int64_t i = 0; i <= legendre->mmax - legendre->mfirst; i++) {
        const int64_t m = legendre->mfirst + i;
        legendre->least_pair[i] = armilla_ring_pairs_first(legendre->pairs, m);
        const int64_t pair = armilla_legendre_least_scalar(legendre, m);
        legendre->grouping.least_group[i] = armilla_legendre_first_group(legendre, first, n, pair);
    }
}

/* table_start: 0 for orders of the list, -1 for others. */
static void mark_orders(const armilla_legendre_problem *problem, armilla_legendre *legendre)
{
    const int64_t orders = legendre->mmax - legendre->mfirst + 1;
    for (int64_t i = 0; i < orders; i++) legendre->tables.table_start[i] = problem->orders ? -1 : 0;
    for (int64_t i = 0; i < problem->norders && problem->orders; i++)
        legendre->tables.table_start[problem->orders[i] - legendre->mfirst] = 0;
}

/* What does not depend on the pairs. */
static armilla_status borrow_tables(armilla_legendre *legendre,
                                    const armilla_legendre_problem *problem)
{
    const armilla_legendre *lender = problem->lender;
    legendre->tables.lent = 1;
    legendre->tables.root = lender->tables.root, legendre->tables.scale = lender->tables.scale;
    legendre->tables.square_scale = lender->tables.square_scale,
    legendre->tables.start = lender->tables.start;
    legendre->tables.table_start = lender->tables.table_start,
    legendre->tables.steps = lender->tables.steps;
    armilla_legendre_choose(problem, legendre);
    return legendre->tables.steps.a ? keep_orders(legendre, lender->tables.table_steps)
                                    : ARMILLA_OK;
}

armilla_status armilla_legendre_make_tables(armilla_legendre *legendre,
                                            const armilla_legendre_problem *problem)
{
    int64_t orders = legendre->mmax - legendre->mfirst + 1,
            nscale = legendre->top + ARMILLA_LEGENDRE_PADDING;
    int64_t highest = legendre->mmax > legendre->spin ? legendre->mmax : legendre->spin;
    int64_t nroot = legendre->top + highest + ARMILLA_LEGENDRE_PADDING;
    armilla_status status;
    if ((status = armilla_allocate(&legendre->least_pair, orders, sizeof(int64_t))) ||
        (status = armilla_allocate(&legendre->grouping.least_group, orders, sizeof(int64_t))))
        return status;
    find_least(legendre);
    for (int form = 0; form < ARMILLA_FORM_COUNT; form++)
        legendre->grouping.fine[form] = any_fine(legendre, form);
    legendre->bytes += 16 * orders;
    if (problem->lender && problem->lender->top == legendre->top)
        return borrow_tables(legendre, problem);
    if ((status = armilla_allocate(&legendre->tables.root, nroot, sizeof(double))) ||
        (status = armilla_allocate(&legendre->tables.scale, nscale, sizeof(double))) ||
        (status = armilla_allocate(&legendre->tables.square_scale, nscale, sizeof(double))) ||
        (status = armilla_allocate(&legendre->tables.start, orders, sizeof(double))) ||
        (status = armilla_allocate(&legendre->tables.table_start, orders, sizeof(int64_t))))
        return status;
    mark_orders(problem, legendre);
    fill_degrees(legendre, nroot, nscale);
    fill_starts(legendre);
    legendre->bytes += 8 * (nroot + 2 * nscale + 2 * orders);
    armilla_legendre_choose(problem, legendre);
    return keep_tables(legendre);
}
