/* Chooses the passes of smooth transforms, and makes their tables. Each 3 takes a pass of its own,
 * and may take a 2 along at no further pass. There are as many sixes as save a pass by eights. Even
 * radices come first, and the largest of them, so that fewest accesses meet in a bank: stretches of
 * the later passes begin at even numbers, and the first pass, which has no products with roots,
 * does the most. */
#include "cuda/stages/ringfft_smooth.h"

#include "base/array.h"
#include "base/integer.h"
#include "cuda/kernels/ringfft_kernels.h"
#include "fft/roots.h"

/* Divides *n by a factor as often as it can. Returned: how often. */
static int64_t take_out(int64_t factor, int64_t *n)
{
    int64_t count = 0;
    for (; *n % factor == 0; *n /= factor) count++;
    return count;
}

/* Appends passes. */
static void add_passes(int64_t count, uint32_t radix, int *bits, uint32_t *radices)
{
    for (int64_t i = 0; i < count; i++, *bits += 4) *radices |= radix << *bits;
}

uint32_t armilla_cuda_smooth_radices(int64_t n)
{
    if (n < 2 || n > ARMILLA_CUDA_RING_SMOOTH) return 0;
    const int64_t twos = take_out(2, &n), threes = take_out(3, &n);
    const int64_t fives = take_out(5, &n), sevens = take_out(7, &n);
    if (n > 1) return 0;
    const int64_t even = (twos - armilla_smaller(twos, threes) + 2) / 3; /* passes without a 3 */
    const int64_t sixes = armilla_larger(0, twos - 3 * even);
    const int64_t missing = 3 * even - (twos - sixes); /* twos, for all of these to be eights */
    const int two = even == 1 && missing == 2;
    const int64_t fours = two ? 0 : missing;
    uint32_t radices = 0;
    int bits = 0;
    add_passes(even - fours - two, 8, &bits, &radices);
    add_passes(sixes, 6, &bits, &radices);
    add_passes(fours, 4, &bits, &radices);
    add_passes(two, 2, &bits, &radices);
    add_passes(sevens, 7, &bits, &radices);
    add_passes(fives, 5, &bits, &radices);
    add_passes(threes - sixes, 3, &bits, &radices);
    return radices;
}

int64_t armilla_cuda_smooth_passes(uint32_t radices)
{
    int64_t passes = 0;
    for (; radices; radices >>= 4) passes++;
    return passes;
}

int64_t armilla_cuda_smooth_room(int64_t n)
{
    int64_t room = ARMILLA_CUDA_RING_SMOOTH / 32;
    while (room < n) room *= 2;
    return room;
}

int64_t armilla_cuda_smooth_table_size(int64_t n, uint32_t radices)
{
    int64_t stretch = 1, roots = 0;
    for (; radices; radices >>= 4) {
        if (stretch > 1) roots += stretch;
        stretch *= radices & 15;
    }
    return armilla_cuda_ring_places_size(n) + (roots + 7) / 8 * 8;
}

/* Where number j of n is before the first pass: with R the radix of the last one, in stretch j % R
 * of R, where number j / R is before the passes of that. */
static int64_t place_before(int64_t j, int64_t n, uint32_t radices)
{
    int64_t place = 0;
    for (int shift = 28; shift >= 0; shift -= 4) {
        const int64_t radix = radices >> shift & 15;
        if (!radix) continue;
        n /= radix;
        place += j % radix * n, j /= radix;
    }
    return place;
}

void armilla_cuda_smooth_table_fill(int64_t n, uint32_t radices, int is_float, void *table)
{
    int32_t *places = table;
    const armilla_array numbers = {table, is_float};
    int64_t at = armilla_cuda_ring_places_size(n);
    for (int64_t j = 0; j < n; j++)
        places[j] = armilla_cuda_ring_fold((int)place_before(j, n, radices));
    for (int64_t stretch = 1; radices; stretch *= radices & 15, radices >>= 4)
        for (int64_t j = 0; j < stretch && stretch > 1; j++, at++) {
            double root[2];
            armilla_root_of_unity(j, stretch * (radices & 15), root);
            armilla_array_put(numbers, 2 * at, root[0]);
            armilla_array_put(numbers, 2 * at + 1, root[1]);
        }
}
