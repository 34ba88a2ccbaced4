/* Making a Legendre stage: what the files of this folder share. */
#ifndef ARMILLA_LEGENDRE_PLAN_H
#define ARMILLA_LEGENDRE_PLAN_H

#include "legendre/legendre.h"

enum {
    ARMILLA_LEGENDRE_GAP = 8,                               /* doubles */
    ARMILLA_LEGENDRE_LOW = 64,                              /* sin^m = low[m % 64] * high[m / 64] */
    ARMILLA_LEGENDRE_PADDING = 2 * ARMILLA_KERNEL_STEPS + 8 /* degrees behind the last one that
                                                               step arrays may touch */
};

/* Groups, then the tables of their places, then those of the recurrence. Errors: MEMORY. */
armilla_status armilla_legendre_make_groups(const armilla_legendre_problem *problem,
                                            armilla_legendre *legendre);
armilla_status armilla_legendre_make_places(armilla_legendre *legendre);
armilla_status armilla_legendre_make_tables(armilla_legendre *legendre,
                                            const armilla_legendre_problem *problem);

/* The first of the groups low .. high - 1 that has this pair or later ones; high: none. */
int64_t armilla_legendre_first_group(const armilla_legendre *legendre, int64_t low, int64_t high,
                                     int64_t pair);

/* The place behind a group. */
static inline int64_t armilla_legendre_end_of_group(const armilla_legendre *legendre, int64_t g)
{
    const armilla_kernel_group *group = &legendre->grouping.groups[g];
    return group->first + group->nvec * legendre->grouping.lanes;
}

/* The part that an order has by the recurrence of spin s, from the poles on. */
static inline const armilla_legendre_part *
armilla_legendre_own_part(const armilla_legendre *legendre, int64_t m)
{
    return &legendre->grouping.part[m < legendre->spin ? ARMILLA_PART_OWN_SMALL : ARMILLA_PART_OWN];
}

/* How many groups that are, the first ones. */
static inline int64_t armilla_legendre_own_groups(const armilla_legendre *legendre, int64_t m)
{
    return armilla_legendre_own_part(legendre, m)->end_group;
}

/* The first pair on which an order matters and comes from scalar functions. */
int64_t armilla_legendre_least_scalar(const armilla_legendre *legendre, int64_t m);

/* Doubles of a row of the state between blocks of steps. */
static inline int64_t armilla_legendre_state_stride(const armilla_legendre *legendre)
{
    return armilla_round_line(legendre->grouping.block_places);
}

/* Where orders begin to matter, of all groups, if that is small. Given: everything else of the
 * scalar recurrence is made. Errors: MEMORY. */
armilla_status armilla_legendre_make_starts(armilla_legendre *legendre);
armilla_kernel_starts armilla_legendre_kept_starts(const armilla_legendre *legendre, int64_t m);
void armilla_legendre_free_starts(armilla_legendre_starts *starts);

/* The largest order that matters on a pair, whatever part of the orders is listed: how sums are
 * made, and so their last bits, must not depend on the list. */
int64_t armilla_legendre_largest_order(const armilla_legendre *legendre, int64_t pair);

/* The matrices of all orders that are to have one, when starts are made. Errors: MEMORY. */
armilla_status armilla_legendre_make_matrices(armilla_legendre *legendre);
void armilla_legendre_free_matrices(armilla_legendre_matrices *matrices);

/* Links of the matrices of spin 1, when ladders are made. Errors: MEMORY. */
armilla_status armilla_legendre_make_links(armilla_legendre *legendre);

/* Which of the orders go together, when all matrices and least_pair are made. */
void armilla_legendre_find_together(armilla_legendre *legendre);

/* The first place of the scalar groups of an order, and how many there are from it on whose starts
 * are kept, 0 for none. */
int64_t armilla_legendre_first_place(const armilla_legendre *legendre, int64_t m);
int64_t armilla_legendre_count_places(const armilla_legendre *legendre, int64_t m);

/* The table of an order and the order with its recurrences and starts, the plan's or, where that
 * keeps none, made now. work: 8 doubles for each step; table_work: armilla_legendre_table_size of
 * the steps, and armilla_legendre_table_work behind them; _order_work: all of them. */
void armilla_legendre_find_order(const armilla_legendre *legendre, int64_t m, double *work,
                                 double *table_work, armilla_legendre_table *table,
                                 armilla_kernel_order *order);
int64_t armilla_legendre_table_size(int64_t nsteps);
int64_t armilla_legendre_table_work(const armilla_legendre *legendre);
int64_t armilla_legendre_order_work(const armilla_legendre *legendre);

void armilla_legendre_power(const armilla_legendre *legendre, int64_t exponent,
                            armilla_kernel_power *power);

/* value 2^shift as mantissa 2^exponent, 1/2 <= |mantissa| < 1 (0: exponent 0) */
void armilla_legendre_split(long double value, int64_t shift, double *mantissa, double *exponent);

#endif
