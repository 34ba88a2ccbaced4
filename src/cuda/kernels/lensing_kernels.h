/* Lensing on a GPU: what the kernels for deflected directions and turned values work on, and their
 * launches. C and CUDA.
 *
 * A thread has a pixel. Pixels are counted ring by ring, in the sequence of the grid's rings; an
 * entry is what a pixel has among directions, angles and values at points: its place in the map
 * where each place is a pixel, else its number. */
#ifndef ARMILLA_CUDA_KERNELS_LENSING_KERNELS_H
#define ARMILLA_CUDA_KERNELS_LENSING_KERNELS_H

#include "base/healpix.h"
#include "cuda/runtime/runtime.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_cuda_lensing_ring {
    int64_t nphi;
    int64_t offset, stride;     /* of its pixels in a map; stride 0: offset of RING order */
    double phi0;                /* of pixel 0 */
    double theta, cosine, sine; /* its colatitude, and of the half of it */
} armilla_cuda_lensing_ring;

/* Everything lies on the device. */
typedef struct armilla_cuda_lensing_view {
    const armilla_cuda_lensing_ring *rings;
    const int64_t *first; /* [nrings + 1] the first pixel of each ring, and their number */
    int64_t nrings, count;
    int64_t npix;          /* of a map */
    int64_t placed;        /* are entries places? */
    armilla_scheme scheme; /* of rings of stride 0 */
} armilla_cuda_lensing_view;

/* A pixel's deflection is found where a map of RING order has it, whatever the map's order is; or,
 * of a map that is in the grid's order, at the pixel's place. */
typedef struct armilla_cuda_deflecting {
    const double *field; /* [2][npix]: alpha_theta, alpha_phi */
    double *points;      /* [count][2]: theta', phi' */
    double *gamma;       /* [count] */
    int32_t *bad;        /* [armilla_cuda_lensing_warps]: the first of so many pixels whose
                            deflection is not finite; ARMILLA_CUDA_LENSING_GOOD: there is none */
    int64_t in_order;    /* is the field in the grid's order? */
} armilla_cuda_deflecting;

enum {
    ARMILLA_CUDA_LENSING_WARP = 256, /* pixels of a warp that deflects */
    ARMILLA_CUDA_LENSING_GOOD = ARMILLA_CUDA_LENSING_WARP
};

static inline int64_t armilla_cuda_lensing_warps(int64_t count)
{
    return (count + ARMILLA_CUDA_LENSING_WARP - 1) / ARMILLA_CUDA_LENSING_WARP;
}

/* Values of entries to maps, times exp(i spin gamma), or of maps to entries, times
 * exp(-i spin gamma). Both may be one array where entries are places. */
typedef struct armilla_cuda_turned {
    const double *from;
    double *to;
    int64_t from_distance, to_distance; /* from one component to the next */
    int64_t ncomp;                      /* 1 (spin 0) or 2 */
    int64_t ntrans;                     /* at most 65535 */
    int64_t spin, to_map;
    const double *gamma;
} armilla_cuda_turned;

/* Coefficients of a potential, [ncomp][triangle], become those of its vector field: times
 * sqrt(l (l + 1)). */
typedef struct armilla_cuda_potential {
    double *alm;
    int64_t lmax, mmax, ncomp;
} armilla_cuda_potential;

/* Each puts a kernel on the stream. Returned: the launch's error. */
cudaError_t armilla_cuda_lensing_deflect(const armilla_cuda_lensing_view *view,
                                         const armilla_cuda_deflecting *deflecting,
                                         cudaStream_t stream);
cudaError_t armilla_cuda_lensing_turn(const armilla_cuda_lensing_view *view,
                                      const armilla_cuda_turned *turned, cudaStream_t stream);
cudaError_t armilla_cuda_lensing_scale(const armilla_cuda_potential *potential,
                                       cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
