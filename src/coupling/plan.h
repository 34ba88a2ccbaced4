/* Inside of a plan for coupled spectra (armilla/coupling.h): Gauss nodes, what the masks are there,
 * and a Legendre stage of one order for the functions of the fields. */
#ifndef ARMILLA_COUPLING_PLAN_H
#define ARMILLA_COUPLING_PLAN_H

#include "armilla/coupling.h"
#include "base/integer.h"
#include "leg/pairs.h"
#include "legendre/legendre.h"

struct armilla_coupling {
    armilla_isa isa;
    int64_t lmax, lmask, nmasks;
    int64_t lused;  /* of the masks: min(lmask, 2 lmax) */
    int64_t order;  /* of the stage of fields: one of the spins, 0 in place of a pure one */
    int64_t spin;   /* of that stage: the other spin; 0: a scalar stage */
    int64_t least;  /* degrees below have no functions: the larger spin */
    int64_t nkinds; /* 1, or 2: of d^l_s1,s2 and of d^l_s1,-s2 */
    int64_t ncl;
    armilla_ring_pairs pairs; /* of the nodes, which mirror each other */
    armilla_legendre *fields, *masks;
    double *node;     /* [pairs][2]: 2 pi and the weight of each node, north and south */
    double *weight;   /* [nmasks][pairs][2]: the same, times xi_w */
    double *up;       /* [lused + 1]: sqrt((2 l + 1) / 4 pi), of the masks */
    double *scale;    /* [lmax + 1]: the same of the fields, of pure ones over (14.5)'s N_l */
    double *scale_in; /* [lmax + 1]: the same times the window of beams and pixels */
    int is_pure;      /* is any field? */
    int64_t nlow;     /* rows of two pure fields that products leave out: low.h; else 0 */
    double *low;      /* [nmasks][nlow][lmax + 1]: M_ll' window_l' */
};

/* Pairs of nodes that a task has: blocks begin at multiples of it. */
enum { ARMILLA_COUPLING_BLOCK = 1024 };

static inline int64_t armilla_coupling_nblocks(const armilla_coupling *coupling)
{
    return (coupling->pairs.count + ARMILLA_COUPLING_BLOCK - 1) / ARMILLA_COUPLING_BLOCK;
}

/* How many pairs the block has that begins with this one. */
static inline int64_t armilla_coupling_block_pairs(const armilla_coupling *coupling, int64_t first)
{
    return armilla_smaller(coupling->pairs.count - first, ARMILLA_COUPLING_BLOCK);
}

/* Spectra of a pair of fields, and the functions that go with them. */
static inline int64_t armilla_coupling_count_spectra(int64_t spin1, int64_t spin2)
{
    return spin1 && spin2 ? 4 : spin1 || spin2 ? 2 : 1;
}

static inline int64_t armilla_coupling_count_kinds(int64_t spin1, int64_t spin2)
{
    return spin1 && spin2 ? 2 : 1;
}

/* Doubles of a vector's row. */
static inline int64_t armilla_coupling_row(int64_t lmax)
{
    return armilla_round_line(lmax + 1);
}

/* --- Arguments ------------------------------------------------------------------------------- */

/* exec, or its defaults, for a plan of the host. Errors: ARGUMENT. */
armilla_status armilla_coupling_check(const armilla_coupling *coupling, const armilla_exec *exec,
                                      armilla_exec *resolved);

/* Each: ARGUMENT, by name; of spectra the first value that is not finite, with its spectrum and
 * degree. */
armilla_status armilla_coupling_check_spin(const char *name, int64_t spin, int64_t lmax);
armilla_status armilla_coupling_check_spectra(const char *name, int64_t count, int64_t lmax,
                                              const double *cl);

#endif
