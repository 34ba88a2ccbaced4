/* The inner loops of the Legendre stage, as the stage sees them: one table of functions per
 * instruction set.
 *
 * A kernel works on a group: up to `vectors` vectors of ring pairs (colatitudes theta, pi - theta)
 * at one order m. Step k of the recurrence covers the degrees l = m + 2k and m + 2k + 1:
 *
 *     p_{k+1} = (a_k y + b_k) p_k + p_{k-1}                              docs/mathematics.md (2.7)
 *
 * y is cos^2 theta, or sin^2 theta with a, b changed to suit near the poles, so that the rounding
 * of y never matters. Where y is nearly 0 (next to the equator or a pole) |b_k| is nearly 2 and a
 * rounding error would grow like the number of steps; there the fine forms carry the difference
 * from the solution for y = 0 instead of p_{k-1}:
 *
 *     d_{k+1} = (a_k y) p_k + c1_k d_k,  p_{k+1} = c2_k p_k + d_{k+1},  d_0 = p_0          (2.9)
 *
 * Range: a value is p 2^(512 n) with a whole number n <= 0 per ring pair; n = 0 holds before |p|
 * reaches 2^-56. Only pairs with n = 0 contribute: what is dropped is below 2e-17 of the largest
 * coefficient.
 *
 * Several sets of coefficients (the two parts of a field of spin 1, 2, 3; several transforms) share
 * one recurrence: a set has its own sums. Functions of any spin by their own recurrence, one degree
 * per step: spin_*.c.
 *
 * Assumptions: pair arrays are padded to whole vectors and 64-byte aligned; step arrays are padded
 * with zero steps to a multiple of ARMILLA_KERNEL_STEPS. Kernels do not allocate, fail, or keep
 * state. */
#ifndef ARMILLA_LEGENDRE_KERNELS_KERNELS_H
#define ARMILLA_LEGENDRE_KERNELS_KERNELS_H

#include "base/isa_table.h"

#include <stdint.h>

enum {
    ARMILLA_KERNEL_STEPS = 8,     /* steps between two tests of the range */
    ARMILLA_ANALYSIS_STEPS = 128, /* steps whose lane sums stay in the first-level cache */
    ARMILLA_SETS_MAX = 10,        /* sets that share a recurrence */
    ARMILLA_SETS_STEPS = 64,      /* steps of several sets whose sums stay there */
    ARMILLA_VECTOR_MAX = 8        /* largest VLEN */
};

/* How the recurrence is written on a group. */
enum {
    ARMILLA_FORM_EQUATOR = 0, /* y = cos^2 theta */
    ARMILLA_FORM_POLE = 1,    /* y = sin^2 theta */
    ARMILLA_FORM_COUNT = 2,
    ARMILLA_FORM_SPIN = 2, /* functions of spin s, y = 1 - cos theta */
    ARMILLA_FORM_FINE_SPIN = 3
};

/* sin^j theta = high[j / 64] low[j % 64], mantissa * 2^exponent each, per ring pair. */
typedef struct armilla_kernel_power {
    const double *high_mantissa, *high_exponent, *low_mantissa, *low_exponent;
} armilla_kernel_power;

/* Where an order begins to matter, kept from plan to call: a step of each vector (place / VLEN),
 * even, before which none matters on its pairs, and a value for each place. From it, and 0 as the
 * value before, the recurrence makes p of later steps (see starts.c); at step 0 it is p_0. */
typedef struct armilla_kernel_starts {
    const int32_t *step; /* NULL: nothing is kept, a call begins with p_0 */
    const double *value;
    int64_t end; /* groups from this place on have none */
} armilla_kernel_starts;

/* Fields of spin 1: what a step takes of E and B, two numbers for each, see spin_couplings.h. Zeros
 * in front of the arrays and, for vectors, behind them. */
typedef struct armilla_kernel_links {
    const double *before, *behind, *beyond, *across, *crossing;
} armilla_kernel_links;

/* p of all steps and pairs of an order, for band limits so small that caches hold them: its sums
 * are products of matrices. */
typedef struct armilla_kernel_matrix {
    const double *by_step;      /* [ncount][length]; NULL: not kept */
    const double *by_pair;      /* [npairs][height], the last pair first */
    const unsigned char *begin; /* of each pair: the step, even, before which its p is 0; not
                                   larger than that of the pair before */
    const double *factor;       /* f of (3.5) for each pair of leg, from pair 0 on */
    const double *odd_factor;   /* x f with x = cos theta */
    const double *sides;        /* f, f, x f, x f of each pair */
    const double *pair, *v;     /* u_k, alpha_k in turns; v_k, with v_-1: stream.c */
    int64_t first, npairs;      /* the first pair of leg; how many */
    int64_t length, height;     /* npairs or more, nsteps or more */
    int64_t ncount, nsteps;     /* as in armilla_kernel_order */
    int64_t degrees;            /* complex numbers of a row of alm */
    armilla_kernel_links links; /* before = NULL: rows are those of scalar functions */
} armilla_kernel_matrix;        /* all arrays of doubles go on for a vector behind their ends */

/* The rows of an order among several of a call. */
typedef struct armilla_kernel_rows {
    double *alm;     /* of the first set; synthesis only reads them */
    int64_t alm_far; /* doubles to the next set's */
    double *leg;     /* of the first set */
} armilla_kernel_rows;

/* Neighbouring orders of a plan with matrices that go through a kernel together: their pairs first
 * .. end - 1 of leg, at least one, and any number of sets, whose rows of leg lie `distance` doubles
 * apart. */
typedef struct armilla_kernel_together {
    const armilla_kernel_matrix *matrix; /* of each order, `step` apart */
    const armilla_kernel_rows *rows;     /* of each order; leg from pair `first` on */
    int64_t count, first, end, nsets, distance, step;
} armilla_kernel_together;

/* The steps of a set whose coefficients are not all 0: begin .. end - 1. */
typedef struct armilla_kernel_steps_used {
    int64_t begin, end;
} armilla_kernel_steps_used;

/* Everything that belongs to one order m. Pair arrays are indexed by ring pair. */
typedef struct armilla_kernel_order {
    const double *argument;  /* y of each pair */
    const double *cos_theta; /* of the northern ring, >= 0 */
    const double *factor;    /* sets are multiplied by it: 1 / sin^s theta; NULL: 1 */
    armilla_kernel_power power;
    double start_mantissa;                        /* p_0 / sin^m theta */
    int64_t nsteps;                               /* multiple of ARMILLA_KERNEL_STEPS */
    int64_t ncount;                               /* even; steps behind it are zero */
    const double *recurrence[ARMILLA_FORM_COUNT]; /* nsteps values each of a, b, c1, c2; the last
                                                     two where groups have fine vectors */
    const double *ceiling; /* see range.h; one per ARMILLA_KERNEL_STEPS steps */
    armilla_kernel_starts starts;
    int64_t nsets;              /* 1 .. ARMILLA_SETS_MAX */
    int64_t leg_stride;         /* doubles between the leg rows of two sets */
    int64_t least_pair;         /* the first pair of leg on which the order matters */
    const double *coefficients; /* synthesis: even re, even im, odd re, odd im per step; sets lie
                                   4 nsteps apart */
    const armilla_kernel_steps_used *used; /* sets_synthesis: of each set */
} armilla_kernel_order;

/* The same for functions of spin s, docs/mathematics.md (3.8): d+ (index 0) and d- (1). Step j is
 * degree max(m, s) + j. */
typedef struct armilla_kernel_spin {
    const double *argument;
    armilla_kernel_power power;                        /* of |m - s| */
    const double *half_mantissa[2], *half_exponent[2]; /* sin, cos (theta / 2)^(2 min(m, s)) */
    double start_mantissa[2], start_exponent;
    int64_t nsteps;
    const double *recurrence[2]; /* plain: a, b+, b-; fine: c0, c1+, c1-, c2+, c2- */
    const double *ceiling;
    double mirror; /* d(pi - theta) = mirror (-1)^step d'(theta), d' the other one */
    double twist;  /* sign of the second component: -1 for negative spins */
    int64_t leg_stride, least_pair;
    const double *coefficients;     /* a+ re, im, a- re, im per step */
    armilla_kernel_steps_used used; /* synthesis: of these coefficients */
} armilla_kernel_spin;

/* Neighbouring pairs of leg as whole vectors of tables: the last one may have lanes without a pair,
 * which hold the last pair again. */
typedef struct armilla_kernel_group {
    int64_t pair, npairs; /* of leg */
    int64_t first;        /* place of the first pair in the tables, a multiple of the lanes */
    int32_t nvec;         /* vectors */
    int32_t nfine;        /* how many of them are in fine form: 0, 1 (see groups.h) or nvec */
    int32_t form;         /* ARMILLA_FORM_... */
} armilla_kernel_group;

/* Per-thread state of an analysis: rows over the pairs of a block of rings. analysis_steps has an
 * order of its own in the same memory. */
typedef struct armilla_kernel_state {
    double *rows;
    int64_t stride;
    int64_t base; /* place of the block's first pair */
} armilla_kernel_state;

/* A block of steps of an analysis, an even number from step `first` on, and their sums. */
typedef struct armilla_kernel_block {
    int64_t first, nsteps;
    double *sums;
    int fresh; /* the sums hold nothing yet; not for sets_analysis */
} armilla_kernel_block;

enum {
    STATE_CURRENT = 0,  /* p_k; for spin_* of d+ and d- */
    STATE_PREVIOUS = 2, /* p_{k-1} */
    STATE_SCALE = 4,    /* n */
    STATE_VALUES = 6    /* N + S re, im; x (N - S) re, im of each set; for spin_*: N+ re, im,
                           S- re, im, N- re, im, S+ re, im */
};

static inline double *state_row(const armilla_kernel_state *state, int64_t row)
{
    return state->rows + row * state->stride;
}

/* Doubles of a pair's values, and of a step's sums, of several sets: whole vectors. */
static inline int64_t armilla_kernel_sets_width(int64_t nsets, int64_t lanes)
{
    return (4 * nsets + lanes - 1) / lanes * lanes;
}

/* Between coefficients of spin s and of spin s - 1, docs/mathematics.md (3.4): tables over l. */
typedef struct armilla_kernel_ladder {
    const double *root, *scale;       /* sqrt(i), 1 / sqrt(4 l^2 - 1) */
    const double *up, *down, *across; /* down[-1] = 0 */
} armilla_kernel_ladder;

/* One step of a ladder: what each degree takes of the one before, of the one behind, of its own of
 * the other component; see spin_stream.c. The first one takes nothing from before. */
typedef struct armilla_kernel_climb {
    int64_t given, count;                   /* degrees that go in, that come out */
    const double *before, *behind, *across; /* by degree that comes out, and one more */
    int add;                                /* to what is there? */
} armilla_kernel_climb;

/* Each kernel: F(x, name, arguments), see base/isa_table.h.
 *
 * synthesis       writes north re, north im, south re, south im of each pair of the group to
 *                 leg[4 (pair - group->pair)], for each set. Neighbouring groups without fine
 *                 vectors may come as one, with any number of vectors, where synthesis_joins.
 * analysis_steps  advances a group by a block of at most ARMILLA_ANALYSIS_STEPS / nsets steps,
 *                 whose first is a multiple of ARMILLA_KERNEL_STEPS, and adds to the lane sums: 4
 *                 vectors per step, sets 4 ARMILLA_ANALYSIS_STEPS / nsets vectors apart. Step 0
 *                 begins from leg, later ones from the state.
 * sets_synthesis  the same for synthesis_sets_least sets and more.
 * sets_start      for sets_analysis: loads a group's ring values (as synthesis writes them) and
 *                 sets p_0; rows of the state are indexed by pair - state->base, those from
 *                 STATE_VALUES on are one array [pair - base][armilla_kernel_sets_width].
 * sets_analysis   advances a group by a block of steps, a multiple of ARMILLA_KERNEL_STEPS, at most
 *                 ARMILLA_SETS_STEPS, and adds to sums[step - block->first][width], width =
 *                 armilla_kernel_sets_width, four of each set one behind the other.
 * matrix_synthesis  rows of alm to leg of those pairs that a matrix has. coefficients: work,
 *                 8 nsteps doubles of the first order.
 *                 Where matrices have links, of two sets: rows of spin 1.
 * matrix_analysis the transpose; add: as in degrees. Work: values, 8 doubles for each pair; sums,
 *                 of two sets `far` doubles apart, 4 for each step of whole vectors and 8 in front.
 * analysis_reduce sums over lanes: out[4 step + i].
 * spin_*          the same for functions of spin s: both components, 4 vectors per step.
 *
 * For plans, of the vectors of a group:
 * starts          what armilla_kernel_starts says. The step is ncount where none matters, and -1
 *                 where p is too small for a double on a pair that has an entry of leg.
 * matrix_fill     p of all steps, to by_step[step][row] of the group's first place.
 *
 * From the plan's tables to what these read; see stream.c, spin_stream.c. work: nsteps doubles;
 * ratio: one more.
 * products, tables, ceilings, couplings, recurrence (with c1 and c2 of a form where it says fine),
 * coefficients, degrees (of a row of `count` complex numbers; see couplings.h); spin_recurrence,
 * spin_fine, spin_coefficients, spin_degrees; spin_links, the links of `count` degrees of an order
 * as lowering has them; spin_ladder from coefficients of spin s to those of spin s - 1 or, its
 * transpose, back (in, out: complex E, B of the degrees from m on). */
#define ARMILLA_KERNEL_LIST(F, x)                                                                  \
    F(x, synthesis, (const armilla_kernel_order *, const armilla_kernel_group *, double *leg))     \
    F(x, sets_synthesis,                                                                           \
      (const armilla_kernel_order *, const armilla_kernel_group *, double *leg))                   \
    F(x, sets_start,                                                                               \
      (const armilla_kernel_order *, const armilla_kernel_group *, const double *leg,              \
       const armilla_kernel_state *))                                                              \
    F(x, sets_analysis,                                                                            \
      (const armilla_kernel_order *, const armilla_kernel_group *, const armilla_kernel_state *,   \
       const armilla_kernel_block *))                                                              \
    F(x, analysis_steps,                                                                           \
      (const armilla_kernel_order *, const armilla_kernel_group *, const double *leg,              \
       const armilla_kernel_state *, const armilla_kernel_block *))                                \
    F(x, analysis_reduce, (int64_t nsteps, const double *sums, double *out))                       \
    F(x, matrix_fill,                                                                              \
      (const armilla_kernel_order *, const armilla_kernel_group *, int64_t row, double *by_step))  \
    F(x, matrix_synthesis, (const armilla_kernel_together *, double *coefficients))                \
    F(x, matrix_analysis,                                                                          \
      (const armilla_kernel_together *, int add, double *values, double *sums, int64_t far))       \
    F(x, starts,                                                                                   \
      (const armilla_kernel_order *, const armilla_kernel_group *, int32_t *step, double *value))  \
    F(x, products, (int64_t m, int64_t count, const double *root, const double *scale, double *g)) \
    F(x, tables, (int64_t nsteps, const double *g, double *a, double *alpha, double *ratio))       \
    F(x, recurrence,                                                                               \
      (int64_t m, int64_t nsteps, const double *a, const double *square_scale, int fine_equator,   \
       int fine_pole, double *equator, double *pole))                                              \
    F(x, ceilings,                                                                                 \
      (int64_t m, int64_t nsteps, const double *a, const double *square_scale, double *ceiling,    \
       double *work))                                                                              \
    F(x, couplings,                                                                                \
      (int64_t m, int64_t nsteps, const double *alpha, const double *root, const double *scale,    \
       double *pair, double *v))                                                                   \
    F(x, coefficients,                                                                             \
      (int64_t count, int64_t nsteps, const double *pair, const double *v, const double *alm,      \
       double *out))                                                                               \
    F(x, degrees,                                                                                  \
      (int64_t count, const double *pair, const double *v, const double *sums, int64_t width,      \
       int add, double *alm))                                                                      \
    F(x, spin_synthesis, (const armilla_kernel_spin *, const armilla_kernel_group *, double *leg)) \
    F(x, spin_start,                                                                               \
      (const armilla_kernel_spin *, const armilla_kernel_group *, const double *leg,               \
       const armilla_kernel_state *))                                                              \
    F(x, spin_steps,                                                                               \
      (const armilla_kernel_spin *, const armilla_kernel_group *, const armilla_kernel_state *,    \
       const armilla_kernel_block *))                                                              \
    F(x, spin_recurrence,                                                                          \
      (int64_t m, int64_t spin, int64_t nsteps, const double *a, double *c, double *ceiling,       \
       double *work))                                                                              \
    F(x, spin_fine, (int64_t m, int64_t spin, int64_t nsteps, const double *a, double *c))         \
    F(x, spin_coefficients,                                                                        \
      (int64_t count, double factor, double twist, const double *alpha, const double *gradient,    \
       const double *curl, double *out))                                                           \
    F(x, spin_degrees,                                                                             \
      (int64_t count, double factor, double twist, const double *alpha, const double *sums,        \
       double *gradient, double *curl))                                                            \
    F(x, spin_links,                                                                               \
      (const armilla_kernel_ladder *, int64_t m, int64_t count, double twist, double *up,          \
       double *down, double *across))                                                              \
    F(x, spin_ladder,                                                                              \
      (const armilla_kernel_climb *, const double *const in[2], double *const out[2]))

typedef struct armilla_kernels {
    int vector_length;
    int vectors;                                   /* most vectors of a group */
    int synthesis_joins;                           /* synthesis is faster on joined groups */
    int links_steps;                               /* matrices may have rows of spin 1 */
    int synthesis_sets_least, analysis_sets_least; /* from so many sets on, the kernels sets_...
                                                      are faster */
    ARMILLA_KERNEL_LIST(ARMILLA_KERNEL_FIELD, )
} armilla_kernels;

#endif
