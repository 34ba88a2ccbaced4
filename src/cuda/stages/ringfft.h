/* The ring stage on a GPU: leg <-> maps, both in device memory, with few launches. A pair of rings
 * of one length is one complex transform, north + i south. Rings of smooth lengths, and of lengths
 * that few pairs have, go together in shared memory; pairs of one other length go together by
 * cuFFT. */
#ifndef ARMILLA_CUDA_STAGES_RINGFFT_H
#define ARMILLA_CUDA_STAGES_RINGFFT_H

#include "armilla/grid.h"
#include "cuda/runtime/work.h"
#include "leg/passes.h"
#include "ringfft/stage.h" /* armilla_ring_maps */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_cuda_ringfft armilla_cuda_ringfft;

/* Given:    rings, places  as in armilla_cuda_own_rings;
 *           passes  the legs that will come, all orders of some pairs each, or of those of them
 *           that come; copied, but pairs and layouts must outlive the result;
 *           most  device bytes of scratch that a call should not exceed: transforms go by batches
 *           then;
 *           single  are calls with maps of floats in single precision? Others are in double.
 * Errors:   MEMORY (also of the device: names the bytes), UNSUPPORTED (a CUDA or cuFFT error). */
armilla_status armilla_cuda_ringfft_new(const armilla_ring *rings, const int64_t *places,
                                        const armilla_leg_passes *passes, int64_t most, int single,
                                        armilla_cuda_ringfft **cuda);
void armilla_cuda_ringfft_free(armilla_cuda_ringfft *cuda);
int64_t armilla_cuda_ringfft_bytes(const armilla_cuda_ringfft *cuda); /* of the device */

/* Pairs of rings of each method, ARMILLA_CUDA_RING_METHODS of ringfft_layout.h. */
void armilla_cuda_ringfft_methods(const armilla_cuda_ringfft *cuda, int64_t *pairs);

/* Device bytes of scratch of a call on so many sets in either precision, work areas of cuFFT
 * included. As many sets go together as have room in `most`. */
int64_t armilla_cuda_ringfft_scratch(const armilla_cuda_ringfft *cuda, int64_t nsets);

/* As armilla_ringfft_to_maps and armilla_ringfft_from_maps, for pass number `pass`. In device
 * memory: leg->values, doubles or floats in either precision, and maps->values. */
void armilla_cuda_ringfft_to_maps(const armilla_cuda_ringfft *cuda, int64_t pass,
                                  const armilla_leg *leg, const armilla_ring_maps *maps,
                                  armilla_cuda_work *work);
void armilla_cuda_ringfft_from_maps(const armilla_cuda_ringfft *cuda, int64_t pass,
                                    const armilla_leg *leg, const armilla_ring_maps *maps,
                                    armilla_cuda_work *work);

#ifdef __cplusplus
}
#endif
#endif
