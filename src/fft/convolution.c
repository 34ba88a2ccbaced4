/* Lengths, radices and twiddles of the convolutions in lanes; the formulas are in
 * kernels/convolve.c. */
#include "fft/convolution.h"
#include "base/memory.h"
#include "fft/radices.h"
#include "fft/roots.h"

/* Time per point of a pass, forward and backward, with AVX-512: nanoseconds measured at 2 to 3 GHz.
 * Ratios are much the same with AVX2. */
static const double pass_cost[9] = {
    [2] = 1.2, [3] = 1.6, [4] = 1.6, [5] = 2.4, [7] = 3.4, [8] = 2.8};
static const double point_cost = 3.0;

/* Returned: number of radices with product n; 0: a prime factor is above 7. */
static int factorise(int64_t n, int radix[ARMILLA_MOST_RADICES])
{
    static const int candidates[] = {7, 5, 3, 8, 4, 2};
    int count = 0;
    if (armilla_take_radices(n, 6, candidates, &count, radix) != 1) return 0;
    if (count >= 2 && radix[count - 1] == 2 && radix[count - 2] == 8) /* 8 2 -> 4 4 */
        radix[count - 2] = radix[count - 1] = 4;
    return count;
}

double armilla_convolution_cost(int64_t n)
{
    int radix[ARMILLA_MOST_RADICES], count = factorise(n, radix);
    double sum = point_cost;
    if (count == 0 || count > ARMILLA_CONVOLUTION_PASSES) return 1e300;
    for (int i = 0; i < count; i++) sum += pass_cost[radix[i]];
    return sum * (double)n;
}

/* The smallest power of two times `odd` that is no less than `minimum`. */
static int64_t power_of_two_times(int64_t odd, int64_t minimum)
{
    while (odd < minimum) odd *= 2;
    return odd;
}

int64_t armilla_convolution_position(const armilla_convolution *convolution, int64_t k)
{
    int64_t position = 0, n = convolution->n;
    for (int i = 0; i < convolution->npasses; i++) {
        const int radix = convolution->radix[i];
        n /= radix;
        position += k % radix * n;
        k /= radix;
    }
    return position;
}

int64_t armilla_convolution_length(int64_t minimum)
{
    int64_t best = power_of_two_times(1, minimum);
    double least = armilla_convolution_cost(best);
    for (int64_t sevens = 1; sevens <= 2 * minimum; sevens *= 7)
        for (int64_t fives = sevens; fives <= 2 * minimum; fives *= 5)
            for (int64_t odd = fives; odd <= 2 * minimum; odd *= 3) {
                const int64_t n = power_of_two_times(odd, minimum);
                const double price =
                    n <= minimum + minimum / 4 ? armilla_convolution_cost(n) : 1e300;
                if (price < least || (price == least && n < best)) best = n, least = price;
            }
    return best;
}

static void fill_twiddles(int64_t n, int64_t radix, double *twiddle)
{
    for (int64_t p = 0; p < n / radix; p++)
        for (int64_t c = 1; c < radix; c++, twiddle += 2) {
            armilla_root_of_unity(p * c, n, twiddle);
            twiddle[1] = -twiddle[1];
        }
}

static armilla_status make_half_turn(armilla_convolution *convolution)
{
    const int64_t n = convolution->n;
    armilla_status status = armilla_allocate(&convolution->half_turn, 2 * n, sizeof(double));
    for (int64_t j = 0; j < n && !status; j++) {
        armilla_root_of_unity(j, 2 * n, convolution->half_turn + 2 * j);
        convolution->half_turn[2 * j + 1] *= -1;
    }
    return status;
}

static armilla_status make_twiddles(armilla_convolution *convolution)
{
    int64_t n = convolution->n;
    armilla_status status;
    for (int i = 0; i + 1 < convolution->npasses; n /= convolution->radix[i], i++) {
        const int64_t radix = convolution->radix[i];
        status =
            armilla_allocate(&convolution->twiddle[i], n / radix * (radix - 1), 2 * sizeof(double));
        if (status) return status;
        fill_twiddles(n, radix, convolution->twiddle[i]);
    }
    return ARMILLA_OK;
}

armilla_status armilla_convolution_make(int64_t n, int halves, armilla_convolution *convolution)
{
    int radix[ARMILLA_MOST_RADICES];
    *convolution = (armilla_convolution){.n = n, .npasses = factorise(n, radix)};
    for (int i = 0; i < convolution->npasses; i++) convolution->radix[i] = radix[i];
    armilla_status status = make_twiddles(convolution);
    if (!status && halves) status = make_half_turn(convolution);
    if (status) armilla_convolution_clear(convolution);
    return status;
}

void armilla_convolution_clear(armilla_convolution *convolution)
{
    for (int i = 0; i < ARMILLA_CONVOLUTION_PASSES; i++) armilla_release(convolution->twiddle[i]);
    armilla_release(convolution->half_turn);
    *convolution = (armilla_convolution){0};
}

int64_t armilla_convolution_bytes(const armilla_convolution *convolution)
{
    int64_t n = convolution->n, numbers = convolution->half_turn ? n : 0;
    for (int i = 0; i + 1 < convolution->npasses; n /= convolution->radix[i], i++)
        numbers += n / convolution->radix[i] * (convolution->radix[i] - 1);
    return 16 * numbers;
}
