/* Inside of a plan for ring grids. */
#ifndef ARMILLA_SHT_PLAN_H
#define ARMILLA_SHT_PLAN_H

#include "alm/layout.h"
#include "armilla/sht.h"
#include "base/choice.h"
#include "base/workspace.h"
#include "call/call.h"
#include "cuda/transform.h"
#include "ringfft/ringfft.h"
#include "sht/flow.h"
#include "sht/share.h"

/* How coefficients of callers stand for a_lm: what rows are multiplied by on their way
 * (alm/rows.h), without weights and with weights. */
typedef struct armilla_sht_form {
    int packed, conjugate;
    int64_t numbers;   /* of a component: complex ones, or real ones where they are packed */
    double *degree[2]; /* the mode's factors with the scales; NULL: there are no scales */
    double *order[2];  /* by order; NULL: 1 */
} armilla_sht_form;

struct armilla_sht {
    const armilla_share *share; /* what this rank has; NULL: everything */
    int64_t *starts_end;        /* where it goes in a plan that is made to find it out; else NULL */
    const armilla_sht
        *lender; /* owns grid, layout, orders, ringfft and workspace; NULL: this plan does */
    armilla_grid *grid;
    armilla_alm_layout *layout;
    armilla_ringfft *ringfft; /* NULL on a GPU */
    armilla_workspace_store *workspace;
    int64_t mres;               /* orders are multiples of it, up to the layout's mmax */
    int64_t *orders;            /* all of them; NULL: mres is 1 */
    armilla_forced *forced;     /* the choices that options force */
    armilla_ring_pairs pairs;   /* of the grid: mirror images */
    armilla_ring_pairs far;     /* of the grid: any two, for flows with a theta stage */
    armilla_flow flow;          /* of all operators, or of those without weights */
    armilla_flow weighted_flow; /* of analysis and its adjoint; legendre NULL: the same as flow */
    int64_t spin;
    int64_t npix;                     /* largest pixel number + 1 */
    int64_t samples;                  /* of all rings; less than npix where the layout has gaps */
    int64_t nalm, nmap;               /* components of alm and of a map */
    double *degree_factor;            /* alm is multiplied by it, per degree; NULL: 1 */
    armilla_sht_form form;            /* the coefficients of callers */
    armilla_cuda_transform *cuda;     /* on a GPU: runs the calls; NULL: the processor does */
    armilla_cuda_room *room;          /* cuda: of a call that two plans make; else NULL */
    armilla_cuda_precision precision; /* cuda: of scalar functions */
    int cuts_orders;                  /* do rings lack orders that are not below rounding there? */
};

/* A plan on the same grid and coefficients, with what does not depend on the spin from the lender,
 * which must outlive it.
 * Given:    options  complete; layout is that of the lender, whatever it says.
 * Errors:   ARGUMENT, MEMORY, UNSUPPORTED. */
armilla_status armilla_sht_new_beside(const armilla_sht *lender, const armilla_sht_options *options,
                                      armilla_sht **sht);

/* armilla_sht_description.exact. In describe.c. */
int armilla_sht_exactness(const armilla_sht *sht);

/* The options of a call that makes a plan: the caller's over the defaults. Errors: ARGUMENT. */
armilla_status armilla_sht_take_options(const armilla_sht_options *given,
                                        armilla_sht_options *options);

static inline const armilla_flow *armilla_sht_flow(const armilla_sht *sht, int weighted)
{
    return weighted && sht->weighted_flow.legendre ? &sht->weighted_flow : &sht->flow;
}

/* ARMILLA_ERROR_ARGUMENT unless the coefficients are a_lm of all orders, complex; why: the end of
 * the message, "for I, Q and U". On a GPU: UNSUPPORTED. */
armilla_status armilla_sht_check_plain(const armilla_sht_options *options, const char *why);

/* The same of every mres-th order, too. */
armilla_status armilla_sht_check_unscaled(const armilla_sht_options *options, const char *why);

/* Threads that a call with this argument uses: no more than it has tasks. */
int armilla_sht_threads(const armilla_sht *sht, int nthreads);

/* Bytes of a plan, and of it and a call of one transform with one thread. */
int64_t armilla_sht_plan_bytes(const armilla_sht *sht);
int64_t armilla_sht_bytes(const armilla_sht *sht);

/* How many orders there are, and complex numbers in their rows. */
static inline int64_t armilla_sht_orders(const armilla_sht *sht)
{
    return sht->layout->mmax / sht->mres + 1;
}
int64_t armilla_sht_degrees(const armilla_sht *sht);

const armilla_alm_layout *armilla_sht_get_layout(const armilla_sht *sht);

/* For operations that GPUs do not offer: armilla_delegate with the options, which become those of a
 * plan on the host. */
armilla_status armilla_sht_delegate(const char *argument, armilla_operation operation,
                                    armilla_sht_options *options, armilla_delegation *delegation);

/* The arrays of calls with so many fields, each as a transform of the plan has it. */
armilla_call_arrays armilla_sht_call_arrays(const armilla_sht *sht, int64_t fields);

#endif
