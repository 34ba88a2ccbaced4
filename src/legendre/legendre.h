/* Legendre stage: alm <-> leg (docs/mathematics.md (1.9), (1.12), sections 2 and 3).
 *
 *     synthesis  F_m(theta_r) = sum_l a_lm lambda_lm(theta_r)
 *     analysis   a_lm = sum_r lambda_lm(theta_r) G_m(theta_r)
 *
 * and the same for fields of spin s, whose two components (E, B in alm; Q, U in leg) are two sets
 * of a call. A call may hold several transforms, which share the recurrence of scalar functions.
 *
 * This header has one order at a time; stage.h has whole legs. Leg and its ring pairs: leg/leg.h.
 * Vectors, groups and lanes without a pair are known in this folder only. */
#ifndef ARMILLA_LEGENDRE_LEGENDRE_H
#define ARMILLA_LEGENDRE_LEGENDRE_H

#include "base/choice.h"
#include "base/machine.h"
#include "base/memory.h"
#include "leg/leg.h"
#include "legendre/kernels/kernels.h"

typedef struct armilla_legendre_spin armilla_legendre_spin; /* legendre/spin.h */

typedef struct armilla_legendre armilla_legendre;

/* The ring pairs fall into parts by their colatitude, each with groups of its own. Where sums of
 * scalar functions are good enough for large orders only, a pair is in two parts. */
enum {
    ARMILLA_PART_OWN,       /* functions of spin s by their own recurrence, for every order */
    ARMILLA_PART_OWN_SMALL, /* the same for orders below s; SCALAR has the other orders there */
    ARMILLA_PART_SCALAR,
    ARMILLA_PARTS
};

typedef struct armilla_legendre_part {
    int64_t first_pair, end_pair;
    int64_t first_group, end_group; /* of the plan's groups */
} armilla_legendre_part;

typedef struct armilla_legendre_problem {
    armilla_machine machine;
    int64_t lmax;
    int64_t norders;       /* of the list */
    const int64_t *orders; /* that will be asked for, in any sequence; NULL: 0 .. norders - 1 */
    int64_t spin;          /* any sign */
    int recurrence_only;   /* functions of spin s: never as sums of scalar ones */
    int single;            /* a GPU will make sums of floats as well; spin <= 3 */
    const armilla_ring_pairs *pairs; /* must outlive the stage */
    int64_t block_size;              /* pairs of the blocks of leg; 0: all are one block */
    const int64_t *block_ends;       /* where each block ends, if they differ in size; NULL */
    int whole;                       /* calls will have all blocks at once, too */
    int64_t lanes, vectors; /* of a vector, of a group, at most; 0: those of the instruction set,
                               which the kernels of the CPU need */
    int keep_tables; /* 1: those of all orders, whatever memory they take; -1: of none, for plans of
                        one call */
    int64_t cache_bytes; /* that calls may count on for matrices; 0: usual for the set, choose.c */
    armilla_forced *forced;         /* choices that the caller forces; NULL: none */
    const armilla_legendre *lender; /* for the same isa, lmax, orders and spin on other pairs, or
                                       NULL: lends its tables of the recurrences; must outlive */
} armilla_legendre_problem;

typedef enum armilla_legendre_starts_kept {
    ARMILLA_STARTS_NONE,
    ARMILLA_STARTS_POLAR, /* of groups from the poles on */
    ARMILLA_STARTS_ALL
} armilla_legendre_starts_kept;

typedef enum armilla_legendre_kept {
    ARMILLA_KEPT_NOT, /* calls make them */
    ARMILLA_KEPT,
    ARMILLA_KEPT_NEEDLESS /* no call needs any */
} armilla_legendre_kept;

enum { ARMILLA_LEGENDRE_MATRIX_LMAX = 500 }; /* no matrices above */

/* What a stage has chosen: choose.h. */
typedef struct armilla_legendre_choices {
    int64_t cache_bytes;    /* that calls count on */
    int64_t matrices;       /* the order from which on p is kept as a matrix; lmax + 1: none */
    int64_t synthesis_sets; /* scalars that share the sums of one synthesis, at most */
    armilla_legendre_starts_kept starts;
    int64_t tables; /* are those of all orders kept? */
    int recurrences;
    armilla_legendre_kept links, spin_recurrences;
} armilla_legendre_choices;

/* What belongs to the steps of an order, whatever the colatitude; (2.4), (2.11) and kernels.h. */
typedef struct armilla_legendre_table {
    double *a;
    double *pair;    /* u_k, alpha_k */
    double *v;       /* v[-1] is there, too */
    double *ceiling; /* one per ARMILLA_KERNEL_STEPS steps */
} armilla_legendre_table;

/* Where each order begins to matter on the places of the scalar groups; kernels.h,
 * armilla_kernel_starts. Orders stand one behind the other, each from the first place of its first
 * group on. */
typedef struct armilla_legendre_starts {
    int64_t *place; /* of the arrays, for place 0 of each order (below 0 in general); NULL: none are
                       kept */
    int64_t end;    /* groups from this place on have none */
    unsigned char *kept; /* 0 for an order without */
    int32_t *step;       /* one for each vector */
    double *value;
} armilla_legendre_starts;

/* p of all steps, of the orders from choices.matrices on; kernels.h, armilla_kernel_matrix. */
typedef struct armilla_legendre_matrices {
    armilla_kernel_matrix *orders; /* empty for those without; NULL: no order has one */
    unsigned char *together; /* how many orders, this one and those behind it, go together, up to
                                ARMILLA_LEGENDRE_TOGETHER; 0: this one alone */
    double *values;          /* of all orders by step, then of all by pair: calls walk through
                                one or the other */
    double *factor, *odd_factor, *sides;
    double *links; /* of all orders, spin 1; NULL: rows are those of scalar functions */
    unsigned char *begin;
    double *by_step, *by_pair; /* while they are filled: those of the next order */
    int64_t used;              /* and its place in `begin` */
} armilla_legendre_matrices;

/* Where the parts of a call's scratch begin, doubles. */
typedef struct armilla_legendre_parts {
    int64_t recurrence;   /* equator and pole: 4 arrays of steps each */
    int64_t coefficients; /* ARMILLA_LEGENDRE_GAP, then 4 doubles per step of each set; a gap before
                             the sums of each set, or all side by side */
    int64_t table;        /* of the order, and work, where the plan has no tables */
    int64_t lane_sums;    /* analysis: of a block of steps */
    int64_t state;        /* analysis: rows over the places of a block */
    int64_t rows;         /* spin: two rows of scalar functions for each order, or one for each
                             set */
    int64_t ladder, functions, total;
} armilla_legendre_parts;

/* Most orders of a call; behind ladders, whose rows wait in the scratch for the kernel. */
enum { ARMILLA_LEGENDRE_TOGETHER = 32, ARMILLA_LEGENDRE_TOGETHER_BEHIND_LADDERS = 8 };

/* How pairs go to the vectors of kernels (groups.c). */
typedef struct armilla_legendre_grouping {
    int64_t lanes, vectors;    /* pairs of a vector, the most vectors of a group */
    double border, low_border; /* colatitudes below which functions of spin s have their own
                                  recurrence: for orders below s, for all */
    armilla_legendre_part part[ARMILLA_PARTS];
    int64_t count, npadded; /* groups; places of all of them, with padding */
    armilla_kernel_group *groups;
    int fine[ARMILLA_FORM_COUNT]; /* does any group of this form have fine vectors? */
    int64_t block_places; /* the most places that a block has, of its own functions or of scalar
                             ones */
    int64_t *least_group; /* the first scalar group on which each order matters */
} armilla_legendre_grouping;

/* What pairs have in the places of their vectors (places.c). */
typedef struct armilla_legendre_places {
    double *theta;
    double *argument, *cos_theta;            /* as in armilla_kernel_order */
    int64_t nhigh;                           /* rows of the tables of high powers */
    double *power_mantissa, *power_exponent; /* [64 + nhigh][npadded]: sin^j, then sin^(64 j) */
    double *inverse_sine;                    /* +-1 / sin^spin theta, (3.5); NULL for spin 0 */
} armilla_legendre_places;

/* The recurrence, whatever the pairs (tables.c). */
typedef struct armilla_legendre_tables {
    double *root;                 /* sqrt(i) */
    double *scale, *square_scale; /* 1 / sqrt(4 l^2 - 1), 1 / (4 l^2 - 1) */
    double *start;                /* p_0 / sin^m theta, per order */
    int64_t *table_start;         /* first step of each order in `steps`; -1: not listed */
    armilla_kernel_order *orders; /* all that does not depend on a call, for few steps; NULL */
    double *recurrences;          /* of `orders` */
    armilla_legendre_table steps; /* of all orders; NULL: made for each order of a call */
    int64_t table_steps;          /* of all orders, where `steps` has them */
    int lent;                     /* but for orders and recurrences, all is a lender's */
} armilla_legendre_tables;

struct armilla_legendre {
    armilla_machine machine;
    const armilla_kernels *kernels;
    int64_t lmax, mfirst, mmax; /* mfirst, mmax: smallest and largest order of the list */
    int64_t step;               /* of orders that can go together: pairs->step of the problem */
    int64_t spin;               /* >= 0 */
    double twist;               /* -1 for a negative spin, else 1 */
    int single;                 /* as in the problem */
    int64_t top; /* last degree of the scalar recurrence: lmax + spin if groups use it */
    armilla_legendre_choices choices;
    const armilla_ring_pairs *pairs;
    int64_t block_size;  /* pairs of a block, where all have as many */
    int64_t *least_pair; /* the first pair on which each order matters */
    armilla_legendre_grouping grouping;
    armilla_legendre_places places;
    armilla_legendre_tables tables;
    armilla_legendre_starts starts;
    armilla_legendre_matrices matrices;
    armilla_legendre_spin *functions;                   /* NULL for spin 0 */
    armilla_legendre_parts parts[ARMILLA_SETS_MAX + 1]; /* by the number of sets */
    int64_t bytes;                                      /* memory held */
};

/* Errors: MEMORY. */
armilla_status armilla_legendre_new(const armilla_legendre_problem *problem,
                                    armilla_legendre **legendre);
void armilla_legendre_free(armilla_legendre *legendre);

/* If the stage has no starts yet, for all of them would be large: keeps those of groups from the
 * poles on, up to so many bytes; see starts.c. Before the first call. Errors: MEMORY. */
armilla_status armilla_legendre_keep_starts(armilla_legendre *legendre, int64_t bytes);

/* The place up to which it would keep them; and the same for a place that is given. Sums depend on
 * it: in the last bits, since steps that matter nowhere are left out where starts are kept. */
int64_t armilla_legendre_starts_end(const armilla_legendre *legendre, int64_t bytes);
armilla_status armilla_legendre_keep_starts_to(armilla_legendre *legendre, int64_t end);

/* Scratch of one thread for calls of so many sets: doubles, 64-byte aligned. */
static inline int64_t armilla_legendre_scratch_size(const armilla_legendre *legendre, int64_t nsets)
{
    return legendre->parts[nsets].total;
}

/* So many of a call's transforms of nmap components share the recurrences. */
int64_t armilla_legendre_batch(const armilla_legendre *legendre, int64_t nmap, int to_leg,
                               int64_t ntrans);

/* Is m one of the orders the stage was made for? Given: mfirst <= m <= mmax. */
static inline int armilla_legendre_is_listed(const armilla_legendre *legendre, int64_t m)
{
    return legendre->tables.table_start[m - legendre->mfirst] >= 0;
}

/* Steps of order m, with padding. */
static inline int64_t armilla_legendre_steps(const armilla_legendre *legendre, int64_t m)
{
    int64_t steps = (legendre->top - m) / 2 + 1;
    return (steps + ARMILLA_KERNEL_STEPS - 1) / ARMILLA_KERNEL_STEPS * ARMILLA_KERNEL_STEPS;
}

/* Doubles in a row of scratch of order m: complex numbers for l = m .. top, and whole steps. */
static inline int64_t armilla_legendre_alm_row(const armilla_legendre *legendre, int64_t m)
{
    return armilla_round_line(4 * armilla_legendre_steps(legendre, m) + 4 +
                              (legendre->spin ? 2 * ARMILLA_KERNEL_STEPS : 0));
}

/* The largest spin whose functions may be sums of scalar ones. */
enum { ARMILLA_SPIN_LADDERS = 32 };

/* Whether functions of spin s, of any sign, are sums of scalar ones but near the poles. Above spin
 * 3 the steps through s ladders pay from lmax = 16 s on; below, the functions' tails would lose
 * digits too. The kernels of a GPU have three ladders. */
int armilla_legendre_sums_scalars(int64_t spin, int64_t lmax, int on_device);

/* NULL: the plan keeps none of this order. */
static inline const armilla_kernel_matrix *
armilla_legendre_kept_matrix(const armilla_legendre *legendre, int64_t m)
{
    const armilla_kernel_matrix *orders = legendre->matrices.orders;
    return orders && orders[m - legendre->mfirst].by_step ? &orders[m - legendre->mfirst] : NULL;
}

/* The coefficients and leg rows of one call: 1 .. ARMILLA_SETS_MAX sets; for spin > 0 two for each
 * field, and of orders with matrices 2. */
typedef struct armilla_legendre_sets {
    int64_t count;
    double *alm; /* rows, complex numbers for l = m .. lmax: nothing behind them is touched */
    int64_t alm_stride;
    double *leg; /* rows of entries of four doubles, one per pair */
    int64_t leg_stride;
    int add; /* analysis: to what alm has, else alm is written */
} armilla_legendre_sets;

/* One order on the pairs first_pair .. first_pair + npairs - 1, one block or, of a stage that is
 * `whole`, all: alm -> leg.
 * Returned: the entries that exist; others may be written as well.
 * Thread rule: any number of threads at once, each with its own scratch. */
void armilla_legendre_synthesis(const armilla_legendre *legendre, int64_t first_pair,
                                int64_t npairs, int64_t m, const armilla_legendre_sets *sets,
                                double *scratch);

/* leg -> alm. Entries that do not exist are not read. */
void armilla_legendre_analysis(const armilla_legendre *legendre, int64_t first_pair, int64_t npairs,
                               int64_t m, const armilla_legendre_sets *sets, double *scratch);

/* Do kernels of matrices work at the other end of a ladder? They take rows of spin 1 as they are
 * where they have their links. */
static inline int armilla_legendre_has_ladder(const armilla_legendre *legendre)
{
    return legendre->spin && !legendre->matrices.links;
}

/* The most orders that any call of the plan can take together. */
static inline int64_t armilla_legendre_most_together(const armilla_legendre *legendre)
{
    if (!legendre->matrices.orders) return 1;
    return armilla_legendre_has_ladder(legendre) ? ARMILLA_LEGENDRE_TOGETHER_BEHIND_LADDERS
                                                 : ARMILLA_LEGENDRE_TOGETHER;
}

/* How many orders, m and those behind it in steps of legendre->step, at most `most`, one call can
 * take together: those whose p the plan keeps as matrices, if all of their pairs come from it; else
 * 1. */
static inline int64_t armilla_legendre_together(const armilla_legendre *legendre, int64_t m,
                                                int64_t most)
{
    const unsigned char *together = legendre->matrices.together;
    const int64_t count = together ? together[m - legendre->mfirst] : 1;
    return count < 1 ? 1 : count < most ? count : most;
}

/* The same of `count` orders, m first, all of which have matrices and some of the pairs; of one, or
 * of several that go together. rows: of each order, alm_far as alm_stride of sets, which says the
 * rest. */
void armilla_legendre_synthesis_together(const armilla_legendre *legendre, int64_t first_pair,
                                         int64_t npairs, int64_t m, int64_t count,
                                         const armilla_legendre_sets *sets,
                                         const armilla_kernel_rows *rows, double *scratch);
void armilla_legendre_analysis_together(const armilla_legendre *legendre, int64_t first_pair,
                                        int64_t npairs, int64_t m, int64_t count,
                                        const armilla_legendre_sets *sets,
                                        const armilla_kernel_rows *rows, double *scratch);

/* Useful flops of one synthesis or analysis, counted where l sin theta > m, per degree, order and
 * ring: 3 for scalars; 5 for spin functions as sums of scalar ones, 12 by their own recurrence. */
double armilla_legendre_flops(const armilla_legendre *legendre);

#endif
