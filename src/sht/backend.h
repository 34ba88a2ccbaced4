/* The stages of a transform, as one backend has them: functions over whole legs, each the transpose
 * of the one beside it. Plans on a GPU do without: src/cuda/transform.c has their stages. */
#ifndef ARMILLA_SHT_BACKEND_H
#define ARMILLA_SHT_BACKEND_H

#include "legendre/stage.h"
#include "ringfft/stage.h"
#include "theta/stage.h"

typedef struct armilla_backend {
    const char *name;
    void (*legendre_to_leg)(const armilla_legendre *, const armilla_alm_rows *, const armilla_leg *,
                            const armilla_work *);
    void (*legendre_from_leg)(const armilla_legendre *, const armilla_leg *,
                              const armilla_alm_rows *, const armilla_work *);
    void (*theta_to_leg)(const armilla_theta *, const armilla_legendre *, const armilla_alm_rows *,
                         const armilla_leg *, const armilla_work *);
    void (*theta_from_leg)(const armilla_theta *, const armilla_legendre *, const armilla_leg *,
                           const armilla_alm_rows *, const armilla_work *);
    void (*ringfft_to_maps)(const armilla_ringfft *, const armilla_leg *, const armilla_ring_maps *,
                            const armilla_work *);
    void (*ringfft_from_maps)(const armilla_ringfft *, const armilla_leg *,
                              const armilla_ring_maps *, const armilla_work *);
} armilla_backend;

extern const armilla_backend armilla_backend_cpu;

#endif
