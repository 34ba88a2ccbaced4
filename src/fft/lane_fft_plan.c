/* Radices and twiddles of the Fourier transforms in lanes; the formulas are in kernels/lane_fft.c.
 * Both halves should be short: the radices are dealt so that their lengths are nearly equal. */
#include "fft/lane_fft_plan.h"
#include "base/memory.h"
#include "fft/convolution.h"
#include "fft/lane_chirp.h"
#include "fft/radices.h"
#include "fft/roots.h"

#include <string.h>

enum { PAGE = 32 };

enum { LEAST_FOR_16 = 64 }; /* shorter lengths would leave a half below 4 */

/* Vector operations per number in a pass, twiddles and half of the loads and stores included. */
static const double pass_cost[17] = {
    [2] = 6.0, [3] = 9.3, [4] = 9.0, [5] = 12.4, [7] = 14.9, [8] = 12.5, [16] = 16.0};

/* Multiply-adds of a direct sum for each number of a prime radix, and what else it takes. */
static const double direct_cost = 2.0, prime_cost = 14.0;

/* Vector operations of lane_fft_cost in a nanosecond of armilla_convolution_cost. */
static const double operations_per_nanosecond = 8.5;

/* Radices of a power of two: as few passes as possible, which halves the loads and stores that
 * passes of radix 4 would have. */
static int take_power(int64_t power, int radix[ARMILLA_MOST_RADICES])
{
    int count = 0, bits = 0;
    while ((int64_t)1 << bits < power) bits++;
    const int rest = bits % 4, least = rest == 1 ? 5 : rest == 2 ? 6 : rest; /* not 16 */
    for (; bits >= 4 + least || bits == 4; bits -= 4) radix[count++] = 16;
    for (; bits >= 5 || bits == 3; bits -= 3) radix[count++] = 8;
    if (bits > 0) radix[count++] = 1 << bits;
    return count;
}

/* Appends the odd prime factors of n that direct sums can have. Returned: what is left of n. */
static int64_t take_primes(int64_t n, int *count, int radix[ARMILLA_MOST_RADICES])
{
    for (int prime = 3; prime < ARMILLA_LANE_RADIX_MOST && n > 1; prime += 2)
        n = armilla_take_radices(n, 1, &prime, count, radix);
    return n;
}

/* Returned: number of radices with product n; 0: a prime factor is above 7. */
static int factorise(int64_t n, int radix[ARMILLA_MOST_RADICES])
{
    static const int odd[] = {7, 5, 3}, short_ones[] = {4, 7, 5, 3, 2};
    const int64_t power = n & -n;
    int count = 0;
    if (n >= LEAST_FOR_16) {
        count = take_power(power, radix);
        return armilla_take_radices(n / power, 3, odd, &count, radix) == 1 ? count : 0;
    }
    if (power == 8 || power == 32) radix[count++] = 8, n /= 8;
    return armilla_take_radices(n, 5, short_ones, &count, radix) == 1 ? count : 0;
}

/* The same with prime factors up to ARMILLA_LANE_RADIX_MOST; 0: one is above. */
static int factorise_any(int64_t n, int radix[ARMILLA_MOST_RADICES])
{
    int count = n >= 16 ? factorise(n, radix) : 0;
    if (count > 0) return count;
    count = take_power(n & -n, radix);
    return take_primes(n / (n & -n), &count, radix) == 1 ? count : 0;
}

int armilla_lane_fft_possible(int64_t n)
{
    int radix[ARMILLA_MOST_RADICES];
    return n >= 16 && factorise(n, radix) > 0;
}

/* Others have direct sums. */
static int has_butterfly(int64_t radix)
{
    return radix <= 16 && pass_cost[radix] > 0;
}

static double cost_of_passes(int64_t n, int count, const int *radix)
{
    double cost = 0;
    for (int i = 0; i < count; i++)
        cost += has_butterfly(radix[i]) ? pass_cost[radix[i]] : direct_cost * radix[i] + prime_cost;
    return cost * (double)n;
}

double armilla_lane_fft_cost(int64_t n)
{
    int radix[ARMILLA_MOST_RADICES];
    const int count = factorise(n, radix);
    return cost_of_passes(n, count, radix);
}

/* Numbers of a row that lie length[0] complex vectors of eight lanes, 128 bytes each, apart meet in
 * the first-level cache after PAGE / gcd of them; it holds about ten at a place. */
static int rows_collide(int64_t columns, int64_t rows)
{
    int64_t common = PAGE;
    while (columns % common) common /= 2;
    return rows > 10 * PAGE / common;
}

/* Deals the radices to the two halves, all subsets tried. Of halves equally good the longer one
 * goes first: rows are far apart in memory, and the first half has no twiddles in its first pass.
 * Rows that collide take more than twice the time (measured at 32 x 48 and 64 x 48): unequal
 * halves are better. */
static void deal(armilla_lane_fft *fft, int in_sequence, int count, const int *radix)
{
    int64_t best = INT64_MAX;
    uint32_t best_set = 1;
    for (uint32_t set = 1; set + 1 < (uint32_t)1 << count; set++) {
        int64_t length = 1;
        for (int i = 0; i < count; i++) length *= (set >> i & 1) ? radix[i] : 1;
        const int64_t other = fft->n / length;
        const int collide = in_sequence && rows_collide(length, other);
        const int64_t sum = (length + other) * (collide ? 2 : 1);
        if (sum > best || (sum == best && length < other)) continue;
        best = sum;
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

static armilla_status make_roots(int64_t radix, double **roots)
{
    if (has_butterfly(radix)) return ARMILLA_OK;
    armilla_status status =
        armilla_allocate_zero(roots, armilla_direct_roots(radix), 2 * sizeof(double));
    if (!status) armilla_direct_roots_fill(radix, *roots);
    return status;
}

static armilla_status make_passes(armilla_lane_fft *fft, int half)
{
    int64_t length = 1;
    for (int i = 0; i < fft->npasses[half]; i++) {
        const int64_t radix = fft->radix[half][i];
        armilla_status status = armilla_allocate(&fft->twiddle[half][i],
                                                 pass_size(fft, half, i, length), sizeof(double));
        if (!status) status = make_roots(radix, &fft->roots[half][i]);
        if (status) return status;
        fill_pass(fft, half, i, length);
        length *= radix;
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
        fft->place[half][j] = place + left * length; /* left: without passes */
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

/* Without tables. */
static void outline(int64_t n, int in_sequence, int count, const int *radix, armilla_lane_fft *fft)
{
    memset(fft, 0, sizeof *fft);
    fft->n = n;
    deal(fft, in_sequence, count, radix);
    fft->step = in_sequence ? fft->length[0] : choose_step(fft);
    fft->room = fft->length[1] * fft->step;
}

/* Given: a possible n. */
static void outline_smooth(int64_t n, int in_sequence, armilla_lane_fft *fft)
{
    int radix[ARMILLA_MOST_RADICES];
    const int count = factorise(n, radix);
    outline(n, in_sequence, count, radix, fft);
}

int armilla_lane_fft_collides(int64_t n)
{
    armilla_lane_fft fft;
    outline_smooth(n, 1, &fft);
    return rows_collide(fft.length[0], fft.length[1]);
}

static armilla_status fill_tables(armilla_lane_fft *fft)
{
    armilla_status status = ARMILLA_OK;
    for (int half = 0; half < 2 && !status; half++)
        if (!(status = make_passes(fft, half))) status = make_places(fft, half);
    if (status) armilla_lane_fft_clear(fft);
    return status;
}

armilla_status armilla_lane_fft_make(int64_t n, int in_sequence, armilla_lane_fft *fft)
{
    outline_smooth(n, in_sequence, fft);
    return fill_tables(fft);
}

static armilla_status make_whole(int64_t n, int64_t padded, armilla_lane_fft *fft)
{
    *fft = (armilla_lane_fft){.n = n, .length = {n, 1}, .step = n, .room = padded};
    armilla_status status = armilla_lane_chirp_new(n, padded, &fft->whole);
    if (!status) return fill_tables(fft);
    armilla_lane_fft_clear(fft);
    return status;
}

armilla_status armilla_lane_fft_make_any(int64_t n, int64_t least, armilla_lane_fft *fft)
{
    int radix[ARMILLA_MOST_RADICES];
    const int count = factorise_any(n, radix);
    int has_halves = 0;
    if (count > (least > 1)) {
        outline(n, 0, count, radix, fft);
        has_halves = fft->length[0] >= least && fft->length[1] >= least;
    }
    if (has_halves && armilla_lane_fft_possible(n)) return fill_tables(fft);
    const int64_t padded = armilla_convolution_length(2 * n - 1);
    const double whole = operations_per_nanosecond * armilla_convolution_cost(padded);
    if (has_halves && cost_of_passes(n, count, radix) <= whole) return fill_tables(fft);
    return make_whole(n, padded, fft);
}

armilla_status armilla_lane_fft_make_places(int lanes, armilla_lane_fft *fft)
{
    const int64_t n1 = fft->length[0], n2 = fft->length[1], size = 2 * lanes;
    armilla_status status = armilla_allocate(&fft->input, fft->n, sizeof *fft->input);
    if (!status) status = armilla_allocate(&fft->output, fft->n, sizeof *fft->output);
    for (int64_t k = 0; k < fft->n && !status; k++) {
        fft->input[k] =
            (int32_t)(size * (fft->place[1][k % n2] * fft->step + fft->place[0][k / n2]));
        fft->output[k] = (int32_t)(size * (k / n1 * fft->step + k % n1));
    }
    if (status) armilla_lane_fft_clear(fft);
    return status;
}

void armilla_lane_fft_clear(armilla_lane_fft *fft)
{
    armilla_release(fft->input);
    armilla_release(fft->output);
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i < ARMILLA_LANE_PASSES; i++) {
            armilla_release(fft->twiddle[half][i]);
            armilla_release(fft->roots[half][i]);
        }
        armilla_release(fft->place[half]);
    }
    armilla_lane_chirp_free(fft->whole);
    memset(fft, 0, sizeof *fft);
}

int64_t armilla_lane_fft_bytes(const armilla_lane_fft *fft)
{
    int64_t doubles = fft->length[0] + fft->length[1] + (fft->input ? fft->n : 0);
    for (int half = 0; half < 2; half++) {
        int64_t length = 1;
        for (int i = 0; i < fft->npasses[half]; i++) {
            doubles += pass_size(fft, half, i, length);
            if (fft->roots[half][i]) doubles += 2 * armilla_direct_roots(fft->radix[half][i]);
            length *= fft->radix[half][i];
        }
    }
    return doubles * (int64_t)sizeof(double) + armilla_lane_chirp_bytes(fft->n, fft->whole);
}
