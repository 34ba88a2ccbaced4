/* Rings that see a circle through a window: tables for the kernels. */
#ifndef ARMILLA_THETA_RINGS_H
#define ARMILLA_THETA_RINGS_H

#include "leg/pairs.h"
#include "theta/kernels/kernels.h"
#include "theta/window.h"

/* Where the rings of a side are, and what their weights are multiplied by. */
typedef struct armilla_theta_positions {
    long double *position[2]; /* of each pair's northern ring, and of the image of the southern one,
                                 in samples of the window's circle */
    double *factor[2];
} armilla_theta_positions;

/* Errors: MEMORY (*rings can be cleared then). */
armilla_status armilla_theta_rings_make(const armilla_theta_window *window,
                                        const armilla_ring_pairs *pairs,
                                        const armilla_theta_positions *positions,
                                        armilla_theta_rings *rings);
void armilla_theta_rings_clear(armilla_theta_rings *rings);

int64_t armilla_theta_rings_bytes(const armilla_theta_rings *rings);

#endif
