/* The stages of a plan for ring grids: what depends on the spin, or on how a GPU's kernels share
 * their work. */
#ifndef ARMILLA_SHT_PLAN_STAGES_H
#define ARMILLA_SHT_PLAN_STAGES_H

#include "sht/plan.h"

/* Makes flows, ring transforms unless they are borrowed, and, on a GPU, its copy of them. Grid,
 * layout, pairs and components of the plan exist.
 * Given:    options  complete;  shape  of a GPU's kernels; NULL: the default one.
 * Errors:   MEMORY, UNSUPPORTED (also no GPU); armilla_sht_clear_stages is due all the same. */
armilla_status armilla_sht_make_stages(armilla_sht *sht, const armilla_premises *premises,
                                       const armilla_sht_options *options,
                                       const armilla_cuda_shape *shape);
void armilla_sht_clear_stages(armilla_sht *sht);

/* The copies of further GPUs, where options list several; the stages exist. Errors: as above. */
armilla_status armilla_sht_make_others(armilla_sht *sht, const armilla_sht_options *options);

/* What the GPU is told of a plan whose flows exist. */
armilla_cuda_problem armilla_sht_device_problem(const armilla_sht *sht,
                                                const armilla_sht_options *options);

#endif
