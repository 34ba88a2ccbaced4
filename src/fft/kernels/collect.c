/* The last step of the prime factor algorithm: src/fft/prime_factor.c. */
#include "base/compiler.h"
#include "fft/kernels/kernels.h"

/* Rows of the grid that a block reads: they stay in the first-level cache. */
enum { BLOCK = 16 };

void ARMILLA_KERNEL(armilla_rough_collect)(int64_t r, int64_t q, const double *grid, double *result)
{
    for (int64_t first = 0; first < q; first += BLOCK) {
        int64_t last = q - first < BLOCK ? q : first + BLOCK, start = first % r;
        for (int64_t t = 0; t < r; t++) {
            int64_t place = start;
            for (int64_t k = first; k < last; k++) {
                const double *from = grid + 2 * (k * r + place);
                double *to = result + 2 * (k + q * t);
                to[0] = from[0];
                to[1] = from[1];
                if (++place == r) place = 0;
            }
            start = (start + q) % r;
        }
    }
}
