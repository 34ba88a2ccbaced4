/* What spin and mode of a transform mean: components, factors of the degrees, what is allowed. */
#ifndef ARMILLA_SHT_MODE_H
#define ARMILLA_SHT_MODE_H

#include "armilla/sht.h"

/* ARMILLA_ERROR_ARGUMENT, naming owner->spin or owner->mode, unless they make sense. */
armilla_status armilla_mode_check(const char *owner, armilla_sht_mode mode, int64_t spin,
                                  int64_t lmax);

/* Components of alm; of leg and map. */
int64_t armilla_mode_nalm(armilla_sht_mode mode, int64_t spin);
int64_t armilla_mode_nmap(int64_t spin);

/* Factors of a_lm for l = 0 .. lmax, docs/mathematics.md (3.12): new, free with armilla_release;
 * NULL where all are 1. Errors: MEMORY. */
armilla_status armilla_mode_factors(armilla_sht_mode mode, int64_t spin, int64_t lmax,
                                    double **factors);

#endif
