/* Radices and twiddles of the Fourier transforms in lanes; the formulas are in kernels/lane_fft.c.
 * Both halves should be short: the radices are dealt so that their lengths are nearly equal. */
#include "fft/lane_fft_plan.h"
#include "base/memory.h"
#include "fft/radices.h"
#include "fft/roots.h"

#include <string.h>

enum { PAGE = 32 };

/* Vector operations per number in a pass, twiddles and half of the loads and stores included. */
static const double pass_cost[9] = {
    [2] = 6.0, [3] = 9.3, [4] = 9.0, [5] = 12.4, [7] = 14.9, [8] = 12.5};

/* Returned: number of radices with product n; 0: a prime factor is above 7. */
static int factorise(int64_t n, int radix[ARMILLA_MOST_RADICES])
{
    static const int candidates[] = {8, 7, 5, 4, 3, 2};
    int count = 0;
    if (armilla_take_radices(n, 6, candidates, &count, radix) != 1) return 0;
    if (count >= 2 && radix[count - 1] == 2 && radix[0] == 8) /* 8 2 -> 4 4 */
        radix[0] = radix[count - 1] = 4;
    return count;
}

int armilla_lane_fft_possible(int64_t n)
{
    int radix[ARMILLA_MOST_RADICES];
    return n >= 16 && factorise(n, radix) > 0;
}

double armilla_lane_fft_cost(int64_t n)
{
    int radix[ARMILLA_MOST_RADICES], count = factorise(n, radix);
    double cost = 0;
    for (int i = 0; i < count; i++) cost += pass_cost[radix[i]];
    return cost * (double)n;
}

/* Radix 4 and one 8 for an odd power of two: in place they are faster than 8 (fewer registers,
 * fewer places of a page in flight). */
static int factorise_in_place(int64_t n, int radix[ARMILLA_MOST_RADICES])
{
    static const int candidates[] = {4, 7, 5, 3, 2};
    int64_t power = n & -n;
    int count = 0;
    while (power > 8) power /= 4;
    if (power == 8) radix[count++] = 8, n /= 8;
    armilla_take_radices(n, 5, candidates, &count, radix);
    return count;
}

/* Deals the radices to the two halves, all subsets tried. The first half has no twiddles in its
 * first pass: in place, that is the place for radix 8. */
static void deal(armilla_lane_fft *fft, int in_place, int count, const int *radix)
{
    int64_t best = INT64_MAX;
    uint32_t best_set = 1;
    const uint32_t step = in_place && radix[0] == 8 ? 2 : 1;
    for (uint32_t set = 1; set + 1 < (uint32_t)1 << count; set += step) {
        int64_t length = 1;
        for (int i = 0; i < count; i++) length *= (set >> i & 1) ? radix[i] : 1;
        const int64_t other = fft->n / length;
        if (length + other > best || (length + other == best && length < other)) continue;
        best = length + other;
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

static armilla_status make_passes(armilla_lane_fft *fft, int half)
{
    int64_t length = 1;
    for (int i = 0; i < fft->npasses[half]; i++) {
        armilla_status status = armilla_allocate(&fft->twiddle[half][i],
                                                 pass_size(fft, half, i, length), sizeof(double));
        if (status) return status;
        fill_pass(fft, half, i, length);
        length *= fft->radix[half][i];
        fft->rest[half][i] = fft->length[half] / length;
    }
    return ARMILLA_OK;
}

/* Number j = sum_i a_i rest_i, a_i < radix_i, belongs to sum_i a_i L_i, L_i the product of the
 * radices before. */
static armilla_status make_places(armilla_lane_fft *fft, int half)
{
    armilla_status status = armilla_allocate(&fft->place[half], fft->length[half], sizeof(int64_t));
    for (int64_t j = 0; j < fft->length[half] && !status; j++) {
        int64_t place = 0, length = 1, left = j;
        for (int i = 0; i < fft->npasses[half]; i++) {
            const int64_t rest = fft->rest[half][i];
            place += left / rest * length;
            left %= rest;
            length *= fft->radix[half][i];
        }
        fft->place[half][j] = place;
    }
    return status;
}

/* Numbers of a row and of the next ones should lie at different places of a page, which has room
 * for PAGE complex vectors of eight lanes. */
static int64_t choose_step(const armilla_lane_fft *fft)
{
    const int64_t wanted = fft->length[1] < PAGE ? PAGE / fft->length[1] : 1;
    return (fft->length[0] - wanted + PAGE - 1) / PAGE * PAGE + wanted;
}

armilla_status armilla_lane_fft_make(int64_t n, int in_place, armilla_lane_fft *fft)
{
    int radix[ARMILLA_MOST_RADICES];
    int count = in_place ? factorise_in_place(n, radix) : factorise(n, radix);
    armilla_status status = ARMILLA_OK;
    memset(fft, 0, sizeof *fft);
    fft->n = n;
    deal(fft, in_place, count, radix);
    fft->step = choose_step(fft);
    for (int half = 0; half < 2 && !status; half++)
        if (!(status = make_passes(fft, half))) status = make_places(fft, half);
    if (status) armilla_lane_fft_clear(fft);
    return status;
}

void armilla_lane_fft_clear(armilla_lane_fft *fft)
{
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i < ARMILLA_LANE_PASSES; i++) armilla_release(fft->twiddle[half][i]);
        armilla_release(fft->place[half]);
    }
    memset(fft, 0, sizeof *fft);
}

int64_t armilla_lane_fft_bytes(const armilla_lane_fft *fft)
{
    int64_t doubles = fft->length[0] + fft->length[1];
    for (int half = 0; half < 2; half++) {
        int64_t length = 1;
        for (int i = 0; i < fft->npasses[half]; i++) {
            doubles += pass_size(fft, half, i, length);
            length *= fft->radix[half][i];
        }
    }
    return doubles * (int64_t)sizeof(double);
}
