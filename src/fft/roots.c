/* exp(2 pi i k / n). The angle is brought to [0, pi/4] in integers, so that neither a large
 * argument nor a zero of the sine or cosine costs a digit. */
#include "fft/roots.h"

#include <math.h>

void armilla_root_of_unity(int64_t k, int64_t n, double root[2])
{
    int64_t eighths = 8 * k; /* angle in units of 2 pi / (8 n) */
    int lower = eighths > 4 * n;
    if (lower) eighths = 8 * n - eighths; /* conjugate: now in [0, pi] */
    int left = eighths > 2 * n;
    if (left) eighths = 4 * n - eighths; /* mirror at the imaginary axis: now in [0, pi/2] */
    int steep = eighths > n;
    if (steep) eighths = 2 * n - eighths; /* mirror at the diagonal: now in [0, pi/4] */
    double angle = M_PI / 4 * ((double)eighths / (double)n);
    double c = cos(angle), s = sin(angle);
    root[0] = steep ? s : c;
    root[1] = steep ? c : s;
    if (left) root[0] = -root[0];
    if (lower) root[1] = -root[1];
}

int64_t armilla_direct_roots(int64_t q)
{
    int64_t half = q / 2, blocks = (half + ARMILLA_DIRECT_BLOCK - 1) / ARMILLA_DIRECT_BLOCK;
    return blocks * half * ARMILLA_DIRECT_BLOCK;
}

void armilla_direct_roots_fill(int64_t q, double *roots)
{
    const int64_t half = q / 2, block = ARMILLA_DIRECT_BLOCK;
    for (int64_t k = 0; k < half; k++)
        for (int64_t j = 0; j < half; j++)
            armilla_root_of_unity((j + 1) * (k + 1) % q, q,
                                  roots + 2 * ((k / block * half + j) * block + k % block));
}
