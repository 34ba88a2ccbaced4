/* Radices and twiddles of the Fourier transforms in lanes; the formulas are in kernels/lane_fft.c.
 * Both halves should be short: the radices are dealt so that their lengths are nearly equal. */
#include "fft/lane_fft_plan.h"
#include "base/memory.h"
#include "fft/roots.h"

#include <string.h>

enum { MOST_RADICES = 40 };

/* Vector operations per number in a pass, twiddles and half of the loads and stores included. */
static const double pass_cost[9] = {
    [2] = 6.0, [3] = 9.3, [4] = 9.0, [5] = 12.4, [7] = 14.9, [8] = 12.5};

/* Returned: number of radices with product n; 0: a prime factor is above 7. */
static int factorise(int64_t n, int radix[MOST_RADICES])
{
    static const int candidates[] = {8, 7, 5, 4, 3, 2};
    int count = 0;
    for (int i = 0; i < 6; i++)
        for (; n % candidates[i] == 0; n /= candidates[i]) radix[count++] = candidates[i];
    if (n != 1) return 0;
    if (count >= 2 && radix[count - 1] == 2 && radix[0] == 8) /* 8 2 -> 4 4 */
        radix[0] = radix[count - 1] = 4;
    return count;
}

int armilla_lane_fft_possible(int64_t n)
{
    int radix[MOST_RADICES];
    return n >= 16 && factorise(n, radix) > 0;
}

double armilla_lane_fft_cost(int64_t n)
{
    int radix[MOST_RADICES], count = factorise(n, radix);
    double cost = 0;
    for (int i = 0; i < count; i++) cost += pass_cost[radix[i]];
    return cost * (double)n;
}

/* Deals the radices to the two halves, all subsets tried. */
static void deal(armilla_lane_fft *fft, int count, const int *radix)
{
    int64_t best = INT64_MAX;
    uint32_t best_set = 1;
    for (uint32_t set = 1; set + 1 < (uint32_t)1 << count; set++) {
        int64_t length = 1;
        for (int i = 0; i < count; i++) length *= (set >> i & 1) ? radix[i] : 1;
        if (length + fft->n / length >= best) continue;
        best = length + fft->n / length;
        best_set = set;
    }
    fft->length[0] = fft->length[1] = 1;
    for (int i = 0; i < count; i++) {
        int half = (best_set >> i & 1) ? 0 : 1;
        fft->radix[half][fft->npasses[half]++] = radix[i];
        fft->length[half] *= radix[i];
    }
}

static void fill_pass(const armilla_lane_fft *fft, int half, int pass, int64_t length)
{
    const int64_t first = half ? fft->length[0] : 1, radix = fft->radix[half][pass];
    double *w = fft->twiddle[half][pass];
    for (int64_t k1 = 0; k1 < first; k1++)
        for (int64_t k2 = 0; k2 < length; k2++)
            for (int64_t a = 1; a < radix; a++, w += 2) {
                armilla_root_of_unity(a * (k1 + first * k2), first * length * radix, w);
                w[1] = -w[1];
            }
}

static int64_t pass_size(const armilla_lane_fft *fft, int half, int pass, int64_t length)
{
    return 2 * (half ? fft->length[0] : 1) * length * (fft->radix[half][pass] - 1);
}

armilla_status armilla_lane_fft_make(int64_t n, armilla_lane_fft *fft)
{
    int radix[MOST_RADICES], count = factorise(n, radix);
    memset(fft, 0, sizeof *fft);
    fft->n = n;
    deal(fft, count, radix);
    for (int half = 0; half < 2; half++) {
        int64_t length = 1;
        for (int i = 0; i < fft->npasses[half]; i++) {
            armilla_status status = armilla_allocate(
                &fft->twiddle[half][i], pass_size(fft, half, i, length), sizeof(double));
            if (status) {
                armilla_lane_fft_clear(fft);
                return status;
            }
            fill_pass(fft, half, i, length);
            length *= fft->radix[half][i];
        }
    }
    return ARMILLA_OK;
}

void armilla_lane_fft_clear(armilla_lane_fft *fft)
{
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < ARMILLA_LANE_PASSES; i++) armilla_release(fft->twiddle[half][i]);
    memset(fft, 0, sizeof *fft);
}

int64_t armilla_lane_fft_bytes(const armilla_lane_fft *fft)
{
    int64_t doubles = 0;
    for (int half = 0; half < 2; half++) {
        int64_t length = 1;
        for (int i = 0; i < fft->npasses[half]; i++) {
            doubles += pass_size(fft, half, i, length);
            length *= fft->radix[half][i];
        }
    }
    return doubles * (int64_t)sizeof(double);
}
