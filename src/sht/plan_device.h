/* What a plan chooses for a GPU: the precision and the shape of its kernels. On the CPU there is
 * nothing to choose. */
#ifndef ARMILLA_SHT_PLAN_DEVICE_H
#define ARMILLA_SHT_PLAN_DEVICE_H

#include "sht/plan.h"

/* Sets sht->single; the layout of the plan exists. Errors: UNSUPPORTED (single precision is asked
 * for, and cannot be had; no GPU). */
armilla_status armilla_sht_choose_precision(armilla_sht *sht, const armilla_sht_options *options);

/* What is chosen where nobody asks: does the current GPU make the scalar functions of calls of
 * floats in single precision? Errors: UNSUPPORTED. */
armilla_status armilla_sht_prefers_single(int64_t lmax, int64_t spin,
                                          armilla_sht_spin_method spin_method, int *single);

/* The shape of the kernels: the one that the options name, or the fastest of those measured now or
 * earlier. *shape: NULL for the default one. All of the plan but its stages exists; measuring makes
 * them and takes them away.
 * Errors:   ARGUMENT (an unknown name), MEMORY, UNSUPPORTED (also no GPU). */
armilla_status armilla_sht_choose_shape(armilla_sht *sht, const armilla_premises *premises,
                                        const armilla_sht_options *options,
                                        const armilla_cuda_shape **shape);

#endif
