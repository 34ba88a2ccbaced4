/* The product at the heart of all that is asked of a coupling: degrees -> nodes, times what a mask
 * is there, -> degrees,
 *
 *     out_l = 2 pi  integral over x of  xi_w lambda_l  sum_l' lambda_l' in_l'       (14.3)
 *
 * for many vectors, two of which share a complex number, and some of which share the recurrence. */
#ifndef ARMILLA_COUPLING_PRODUCT_H
#define ARMILLA_COUPLING_PRODUCT_H

#include "base/progress.h"
#include "coupling/plan.h"

/* Vectors of one product. Those of a plan with two kinds have two rows, one a kind; the mask of
 * vector 2 i is then that of 2 i + 1, and their number is even. */
typedef struct armilla_coupling_vectors {
    int64_t count;
    int64_t (*mask)(const void *context, int64_t vector);
    /* row[lmax + 1], zeros before; called by any thread, for different vectors at once. */
    void (*give)(const void *context, int64_t vector, int kind, double *row);
    /* The result; of kind 0 first. Likewise. */
    void (*take)(const void *context, int64_t vector, int kind, const double *row);
    const void *context;
} armilla_coupling_vectors;

/* Errors: MEMORY, CANCELLED. */
armilla_status armilla_coupling_product(const armilla_coupling *coupling,
                                        const armilla_coupling_vectors *vectors,
                                        const armilla_exec *exec);

/* The vectors at the nodes of a block, each kind: panels[nkinds][count / columns][nodes][columns],
 * north and south of each pair in turns. Their number is a multiple of `columns`, which is even.
 * No masks take part, and nothing is taken. Errors: as above. */
armilla_status armilla_coupling_evaluate(const armilla_coupling *coupling,
                                         const armilla_coupling_vectors *vectors, int64_t block,
                                         int64_t columns, double *panels, const armilla_exec *exec);

/* Vector 2 i times vector 2 i + 1 at each node, its weight and 2 pi, added to those of their mask,
 * which they have in common: meetings[nmasks][pairs][2]. Of two kinds: the sum of both. Nothing is
 * taken. Errors: as above. */
armilla_status armilla_coupling_meet(const armilla_coupling *coupling,
                                     const armilla_coupling_vectors *vectors,
                                     const armilla_exec *exec, double *meetings);

#endif
