/* cuFFT plans of complex transforms, all of doubles or all of floats, by length and number. They
 * share the caller's work area. What is planned for one set of a leg may be planned for 2, 4, 16
 * and 64 sets as well where memory allows: any number of sets is then a few calls, and the number
 * of plans has a bound. Plans of several sets are made when a call first has so many. They are not
 * needed: where cuFFT cannot make one, calls use those of fewer sets. */
#ifndef ARMILLA_CUDA_RUNTIME_FFT_PLANS_H
#define ARMILLA_CUDA_RUNTIME_FFT_PLANS_H

#include "base/status.h"
#include "cuda/runtime/work.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_cuda_fft_plans armilla_cuda_fft_plans;

/* Rows of complex numbers to be transformed, one behind the other: `count` for each set. */
typedef struct armilla_cuda_fft_rows {
    void *data;
    int64_t length, count, nsets;
} armilla_cuda_fft_rows;

/* Makes an empty list for the current device, of transforms of floats or of doubles. Errors:
 * MEMORY, UNSUPPORTED. */
armilla_status armilla_cuda_fft_plans_new(int is_float, armilla_cuda_fft_plans **plans);

/* NULL is allowed. Where another device is current, since theirs could not be had any more, plans
 * of cuFFT are left to it. */
void armilla_cuda_fft_plans_free(armilla_cuda_fft_plans *plans);

/* Plans `count` transforms of a length, one behind the other in memory, in place, both directions;
 * once.
 * Given:    of_set  will those of several sets, which lie behind each other, go together?
 * Errors:   MEMORY (also of the device), UNSUPPORTED (a cuFFT error). */
armilla_status armilla_cuda_fft_plans_add(armilla_cuda_fft_plans *plans, int64_t length,
                                          int64_t count, int of_set);

/* What a call's scratch has beside the work area, in bytes: for each set, and whatever their
 * number; and what all of it should not exceed. */
typedef struct armilla_cuda_fft_room {
    int64_t of_set, fixed, most;
} armilla_cuda_fft_room;

/* Lets what was added with of_set go together by 2, 4, 16 and 64 sets, as far as there is room for
 * so many. Errors: MEMORY. */
armilla_status armilla_cuda_fft_plans_widen(armilla_cuda_fft_plans *plans,
                                            const armilla_cuda_fft_room *room);

/* How many of these sets go together where all is to have room: all, or as many as there is room
 * for; at least one. It falls nowhere with nsets, so that scratch for so many sets is enough for
 * fewer of them, as a call's last ones are. */
int64_t armilla_cuda_fft_plans_fit(const armilla_cuda_fft_plans *plans,
                                   const armilla_cuda_fft_room *room, int64_t nsets);

/* Device bytes of the work area where so many sets go together. */
int64_t armilla_cuda_fft_plans_work(const armilla_cuda_fft_plans *plans, int64_t nsets);

/* Calls of cuFFT for the rows of so many sets, if all plans can be made. */
int64_t armilla_cuda_fft_plans_calls(const armilla_cuda_fft_plans *plans, int64_t nsets);

/* Transforms `count` rows of each of some sets, complex numbers of the device, without a factor.
 * Given:    rows  of a length and number that were added, with of_set where nsets is not 1;
 *           sign  of the exponent, CUFFT_FORWARD or CUFFT_INVERSE;  area  the work area.
 * Notes:    calls may run side by side. cuFFT's plans know one stream and one work area at a time:
 *           a lock is held while they are set and the transform is put on the stream. */
void armilla_cuda_fft_plans_run(armilla_cuda_fft_plans *plans, const armilla_cuda_fft_rows *rows,
                                int sign, void *area, armilla_cuda_work *work);

#ifdef __cplusplus
}
#endif
#endif
