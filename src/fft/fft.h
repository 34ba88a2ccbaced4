/* Complex 1-D Fourier transforms of any length. The only door to rows.h, and so to FFTW
 * where the build has it.
 *
 *   forward   X[k] = sum_j x[j] exp(-2 pi i j k / n)
 *   backward  x[j] = sum_k X[k] exp(+2 pi i j k / n)       neither is normalised
 *
 * Plans are for the forward transform; a backward one is that of X with the places k and n - k
 * exchanged, which costs nothing where X is filled in for it.
 *
 * Data are interleaved complex numbers, transformed in place. An armilla_fft is immutable and may
 * be executed from many threads at once, each with its own scratch. */
#ifndef ARMILLA_FFT_FFT_H
#define ARMILLA_FFT_FFT_H

#include "base/choice.h"
#include "base/cpu.h"

typedef struct armilla_fft armilla_fft;
typedef struct armilla_fft_set armilla_fft_set;

/* Plans one length, with what any machine has, not in lanes. Given: n, 1 <= n <= 2^30.
 * Errors: ARGUMENT, MEMORY. */
armilla_status armilla_fft_new(int64_t n, armilla_fft **fft);

/* NULL is allowed. Not for members of a set. */
void armilla_fft_free(armilla_fft *fft);

/* Tells how the length is transformed. */
void armilla_fft_tell(const armilla_fft *fft, const armilla_teller *teller);

/* Complex numbers of scratch that an execution needs; may be 0. */
int64_t armilla_fft_scratch_size(const armilla_fft *fft);

/* data: n complex numbers, 64-byte aligned, overwritten by the transform; scratch: 64-byte
 * aligned. */
void armilla_fft_forward(const armilla_fft *fft, double *data, double *scratch);
void armilla_fft_backward(const armilla_fft *fft, double *data, double *scratch);

/* Forward, but the result lies where the algorithm leaves it, in scratch, which is returned. Saves
 * the copy that an in-place transform ends with. */
double *armilla_fft_execute(const armilla_fft *fft, double *data, double *scratch);

/* Smallest number >= minimum with no prime factor above 5 (1 for minimum < 1). */
int64_t armilla_fft_smooth_length(int64_t minimum);

/* Plans every distinct length among lengths[0 .. nlengths - 1] once; what lengths have in common
 * is shared. Given: a usable instruction set. Errors: ARGUMENT, MEMORY. */
armilla_status armilla_fft_set_new(armilla_isa isa, int64_t nlengths, const int64_t *lengths,
                                   armilla_fft_set **set);

/* The same, but of lengths that are not planned the set has nothing: they count in choices alone,
 * so that a set of some lengths transforms these as a set of all does. planned: a flag for each of
 * lengths. */
armilla_status armilla_fft_set_new_some(armilla_isa isa, int64_t nlengths, const int64_t *lengths,
                                        const unsigned char *planned, armilla_fft_set **set);

/* A set that tells the sizes of armilla_fft_set_new: it has no tables, and transforms nothing. */
armilla_status armilla_fft_set_count(armilla_isa isa, int64_t nlengths, const int64_t *lengths,
                                     armilla_fft_set **set);

/* NULL is allowed. */
void armilla_fft_set_free(armilla_fft_set *set);

/* Returned: the member of length n, owned by the set; NULL if it was not asked for. */
const armilla_fft *armilla_fft_set_find(const armilla_fft_set *set, int64_t n);

/* Largest armilla_fft_scratch_size of the members. */
int64_t armilla_fft_set_scratch_size(const armilla_fft_set *set);

/* Memory the set holds, without what FFTW keeps for itself where the build has it. */
int64_t armilla_fft_set_bytes(const armilla_fft_set *set);

#endif
