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
armilla_status armilla_legendre_make_groups(armilla_legendre *legendre);
armilla_status armilla_legendre_make_places(armilla_legendre *legendre);
armilla_status armilla_legendre_make_tables(armilla_legendre *legendre,
                                            const armilla_legendre_problem *problem);

/* The first of the groups low .. high - 1 that has this pair or later ones; high: none. */
int64_t armilla_legendre_first_group(const armilla_legendre *legendre, int64_t low, int64_t high,
                                     int64_t pair);

/* How many groups, the first ones, an order has by the recurrence of spin s. */
static inline int64_t armilla_legendre_own_groups(const armilla_legendre *legendre, int64_t m)
{
    return legendre->part[m < legendre->spin ? ARMILLA_PART_OWN_SMALL : ARMILLA_PART_OWN].end_group;
}

/* The first pair on which an order matters and comes from scalar functions. */
int64_t armilla_legendre_least_scalar(const armilla_legendre *legendre, int64_t m);

/* Doubles of a row of the state between blocks of steps. */
static inline int64_t armilla_legendre_state_stride(const armilla_legendre *legendre)
{
    return armilla_round_line(legendre->block_places);
}

/* The steps of order m. work: armilla_legendre_table_work doubles. */
int64_t armilla_legendre_table_work(const armilla_legendre *legendre);
void armilla_legendre_fill_table(const armilla_legendre *legendre, int64_t m,
                                 const armilla_legendre_table *table, double *work);
void armilla_legendre_kept_table(const armilla_legendre *legendre, int64_t m,
                                 armilla_legendre_table *table);

/* Fills what every call with order m has alike: all but the recurrences, the number of sets and
 * where leg is. */
void armilla_legendre_set_order(const armilla_legendre *legendre, int64_t m,
                                const armilla_legendre_table *table, armilla_kernel_order *order);

void armilla_legendre_power(const armilla_legendre *legendre, int64_t exponent,
                            armilla_kernel_power *power);

/* value 2^shift as mantissa 2^exponent, 1/2 <= |mantissa| < 1 (0: exponent 0) */
void armilla_legendre_split(long double value, int64_t shift, double *mantissa, double *exponent);

#endif
