/* What a plan chooses for a GPU: the precision and the shape of its kernels. On the CPU there is
 * nothing to choose. */
#ifndef ARMILLA_SHT_PLAN_DEVICE_H
#define ARMILLA_SHT_PLAN_DEVICE_H

#include "sht/plan.h"

/* Sets sht->precision; the layout of the plan exists. Errors: UNSUPPORTED (single precision or two
 * floats are asked for, and cannot be had; no GPU). */
armilla_status armilla_sht_choose_precision(armilla_sht *sht, const armilla_sht_options *options);

/* What is chosen for the current GPU where nobody asks. *precision: doubles, after an error.
 * Errors: UNSUPPORTED. */
armilla_status armilla_sht_usual_precision(int64_t lmax, int64_t spin,
                                           armilla_sht_spin_method spin_method,
                                           armilla_cuda_precision *precision);

/* The shape of the kernels: the one that the options name, or the fastest of those measured now or
 * earlier. *shape: NULL for the default one. All of the plan but its stages exists; measuring makes
 * them and takes them away.
 * Errors:   ARGUMENT (an unknown name), MEMORY, UNSUPPORTED (also no GPU). */
armilla_status armilla_sht_choose_shape(armilla_sht *sht, const armilla_premises *premises,
                                        const armilla_sht_options *options,
                                        const armilla_cuda_shape **shape);

#endif
