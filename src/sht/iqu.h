/* Inside of a plan for polarised maps. */
#ifndef ARMILLA_SHT_IQU_H
#define ARMILLA_SHT_IQU_H

#include "armilla/iqu.h"
#include "sht/plan.h"

enum { ARMILLA_IQU_FIELDS = 3 };

struct armilla_iqu {
    armilla_sht *scalar; /* I, T */
    armilla_sht *polar;  /* Q, U and E, B, spin 2 or of_spin: borrows from scalar */
    double scalar_share; /* of the work of a transform */
};

/* A plan whose second and third component are a field of another spin, for those who name the three
 * otherwise. Given: 1 <= |spin| <= lmax;  iqu not NULL;  all else as armilla_iqu_new. */
armilla_status armilla_iqu_new_of_spin(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                       int64_t spin, const armilla_sht_options *options,
                                       armilla_iqu **iqu);

/* The operators, as armilla_sht_to_map, armilla_sht_to_alm and armilla_sht_solve have them. */
armilla_status armilla_iqu_to_map(const armilla_iqu *iqu, int weighted, armilla_array alm,
                                  armilla_array map, const armilla_exec *exec);
armilla_status armilla_iqu_to_alm(const armilla_iqu *iqu, int weighted, armilla_array map,
                                  armilla_array alm, const armilla_exec *exec);
armilla_status armilla_iqu_solve(const armilla_iqu *iqu, armilla_array map, armilla_array alm,
                                 const armilla_pseudo_options *options,
                                 armilla_pseudo_report *reports, const armilla_exec *exec);

#endif
