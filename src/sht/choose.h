/* The choices of a plan as a whole: on which rings the Legendre stage works, and how memory is
 * dealt out. They are functions of the problem and of options; docs/architecture.md 1. */
#ifndef ARMILLA_SHT_CHOOSE_H
#define ARMILLA_SHT_CHOOSE_H

#include "base/choice.h"
#include "sht/plan.h"

/* Doubles that leg may take for a set, and those that it may have in any case where all orders of
 * all ring pairs come at once. */
int64_t armilla_sht_leg_budget(const armilla_sht *sht, const armilla_sht_options *options);
int64_t armilla_sht_whole_size(const armilla_sht *sht, const armilla_sht_options *options);

/* Bytes of a GPU that a call may take. */
int64_t armilla_sht_device_budget(const armilla_sht *sht, const armilla_sht_options *options);

/* Bytes that starts of the Legendre stage may take, after all else is made; second: those of the
 * flow with weights, 0 where they are not kept at all. */
int64_t armilla_sht_starts_budget(const armilla_sht *sht, const armilla_sht_options *options,
                                  int second);

/* The rings of the Legendre stage: fewer where they are asked for, or pay. */
armilla_flow_kind armilla_sht_choose_flow(const armilla_flow_problem *problem,
                                          const armilla_sht_options *options);

/* Is the memory of a plan bounded? Else it keeps all starts. */
int armilla_sht_is_bounded(int64_t lmax, const armilla_sht_options *options);

/* Does W mix the rings? It does where a weight for each ring is exact only up to about half of the
 * band limit that the rings resolve. */
int armilla_sht_mixes_rings(const armilla_grid *grid, int64_t lmax);

/* In front of the names of choices of the flow with weights. */
#define ARMILLA_WEIGHTED_GROUP "weighted."

/* Tells all choices of a plan but those of its ring stage. */
void armilla_sht_tell(const armilla_sht *sht, const armilla_teller *teller);

/* May the array that a call writes hold entries of leg? */
int armilla_sht_lends_output(const armilla_flow *flow, int to_map, int64_t nsets, int is_float);

#endif
