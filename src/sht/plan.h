/* Inside of a plan for ring grids. */
#ifndef ARMILLA_SHT_PLAN_H
#define ARMILLA_SHT_PLAN_H

#include "alm/layout.h"
#include "armilla/sht.h"
#include "legendre/legendre.h"
#include "ringfft/ringfft.h"
#include "sht/theta_weights.h"
#include "sht/workspace.h"

enum { ARMILLA_PAIR_BATCH = 8 }; /* pairs per task: vectors, and leg entries that share lines */

struct armilla_sht {
    const armilla_sht *lender; /* owns grid, layout, ringfft and workspace; NULL: this plan does */
    armilla_grid *grid;
    armilla_alm_layout *layout;
    armilla_legendre *legendre;
    armilla_ringfft *ringfft;
    armilla_theta_weights *theta_weights; /* NULL: W is diagonal */
    struct armilla_fewer_rings *fewer;    /* NULL: the Legendre stage works on every ring */
    armilla_workspace_store *workspace;
    int64_t npix;          /* largest pixel number + 1 */
    int64_t samples;       /* of all rings; less than npix where the layout has gaps */
    int64_t nalm, nmap;    /* components of alm and of a map */
    double *degree_factor; /* alm is multiplied by it, per degree; NULL: 1 */
    int64_t *ring_column;  /* pair * 2 + (0 north, 1 south) of each ring */
};

/* A plan on the same grid and coefficients, with what does not depend on the spin from the lender,
 * which must outlive it.
 * Given:    options  complete; layout is that of the lender, whatever it says.
 * Errors:   ARGUMENT, MEMORY, UNSUPPORTED. */
armilla_status armilla_sht_new_beside(const armilla_sht *lender, const armilla_sht_options *options,
                                      armilla_sht **sht);

/* What the caller's struct has room for. Errors: ARGUMENT. */
armilla_status armilla_sht_give_description(const armilla_sht_description *whole,
                                            armilla_sht_description *description);

/* One pass over a part of leg: a block of ring pairs and a range of orders. Either all orders and a
 * block of rings, or (where W mixes the rings) all rings and a range of orders. */
typedef struct armilla_sht_pass {
    armilla_legendre_block block;
    int64_t first_order, norders;
} armilla_sht_pass;

/* Returned: 0 past the end. mixed: the pass is for an operator with theta weights. */
int armilla_sht_get_pass(const armilla_sht *sht, int mixed, int64_t index, armilla_sht_pass *pass);

/* Largest leg of any pass, doubles, with `sets` rows per order: components, times transforms that
 * run together. */
int64_t armilla_sht_leg_size(const armilla_sht *sht, int mixed, int64_t sets);

/* Threads that a call with this argument uses: no more than it has tasks. */
int armilla_sht_threads(const armilla_sht *sht, int nthreads);

/* Doubles of scratch per thread. */
int64_t armilla_sht_scratch_size(const armilla_sht *sht, int mixed, int64_t sets);

const armilla_grid *armilla_sht_get_grid(const armilla_sht *sht);
const armilla_alm_layout *armilla_sht_get_layout(const armilla_sht *sht);

/* ARMILLA_ERROR_ARGUMENT unless *exec can run; fills *resolved with exec or the defaults. */
armilla_status armilla_sht_check_exec(const armilla_sht *sht, const armilla_exec *exec,
                                      armilla_exec *resolved);

#endif
