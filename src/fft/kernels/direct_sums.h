/* Fourier sums of odd length q, one complex transform per lane: with s_j = x_j + x_{q-j} and
 * d_j = x_j - x_{q-j}, 1 <= j <= (q - 1) / 2,
 *
 *     even_k = x_0 + sum_j cos(2 pi j k / q) s_j,    odd_k = sum_j sin(2 pi j k / q) d_j
 *     X_k = even_k - i odd_k,    X_{q-k} = even_k + i odd_k.
 *
 * s_j takes the place of x_j, d_j that of x_{q-j}. */
#ifndef ARMILLA_FFT_KERNELS_DIRECT_SUMS_H
#define ARMILLA_FFT_KERNELS_DIRECT_SUMS_H

#include "fft/kernels/butterfly.h"
#include "fft/roots.h"

enum { OUTPUTS = REGISTERS > 16 ? 4 : 2 }; /* made together: a divisor of ARMILLA_DIRECT_BLOCK */

/* x: q complex vectors, to s and d. */
ARMILLA_ALWAYS_INLINE void fold_inputs(int64_t q, double *x)
{
    for (int64_t j = 1; 2 * j < q; j++) {
        const complex_vec a = load_complex(x + j * COMPLEX),
                          b = load_complex(x + (q - j) * COMPLEX);
        store_complex(x + j * COMPLEX, plus(a, b));
        store_complex(x + (q - j) * COMPLEX, minus(a, b));
    }
}

/* X_0 */
ARMILLA_ALWAYS_INLINE complex_vec sum_inputs(int64_t q, const double *folded)
{
    complex_vec total = load_complex(folded);
    for (int64_t j = 1; 2 * j < q; j++) total = plus(total, load_complex(folded + j * COMPLEX));
    return total;
}

/* even and odd of k + 1, ..., k + OUTPUTS, k a multiple of OUTPUTS; zeros or more of what there is
 * behind (q - 1) / 2. roots: armilla_direct_roots_fill. */
ARMILLA_ALWAYS_INLINE void direct_sums(int64_t q, const double *roots, int64_t k,
                                       const double *folded, complex_vec *even, complex_vec *odd)
{
    const int64_t half = q / 2, block = ARMILLA_DIRECT_BLOCK;
    const double *root = roots + 2 * (block * half * (k / block) + k % block);
    for (int i = 0; i < OUTPUTS; i++) {
        even[i] = load_complex(folded);
        odd[i] = (complex_vec){v_all(0), v_all(0)};
    }
    for (int64_t j = 1; j <= half; j++, root += 2 * block) {
        const complex_vec s = load_complex(folded + j * COMPLEX);
        const complex_vec d = load_complex(folded + (q - j) * COMPLEX);
        for (int i = 0; i < OUTPUTS; i++) {
            const vec cosine = v_all(root[2 * i]), sine = v_all(root[2 * i + 1]);
            even[i].re = v_fma(cosine, s.re, even[i].re);
            even[i].im = v_fma(cosine, s.im, even[i].im);
            odd[i].re = v_fma(sine, d.re, odd[i].re);
            odd[i].im = v_fma(sine, d.im, odd[i].im);
        }
    }
}

#endif
