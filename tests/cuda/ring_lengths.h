/* Rings of lengths that a GPU transforms in every way there is, three of each kind, which is too
 * few for a cuFFT of their own: Bluestein's convolutions of 128, 256, 512, 1024, 1536, 2048 and
 * 3072 numbers in shared memory, in one part and in four, and of 4096 numbers by cuFFT; all of
 * these also where there are few orders, up to 190. Included behind cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_RING_LENGTHS_H
#define ARMILLA_TESTS_CUDA_RING_LENGTHS_H

#include "armilla/grid.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>

static const int64_t every_ring_length[] = {
    53,      59,      61,      101,  103,  107,  211,  223,  227,  268,  276,  284,
    409,     419,     421,     613,  617,  619,  853,  857,  859,  1201, 1213, 1217,
    4 * 301, 4 * 302, 4 * 303, 1601, 1607, 1609, 2081, 2083, 2087, 3079, 3083, 3089};
enum { RING_LENGTHS = sizeof every_ring_length / sizeof *every_ring_length };

/* Smooth lengths, shortest first: products of 2, 3, 5 and 7 up to 3072, which are transformed in
 * shared memory without a convolution. */
enum { SMOOTH_RING_LENGTHS = 220 };

static inline int is_smooth_length(int64_t n)
{
    static const int64_t primes[] = {2, 3, 5, 7};
    for (int i = 0; i < 4; i++)
        while (n % primes[i] == 0) n /= primes[i];
    return n == 1;
}

static inline int64_t smooth_ring_length(int64_t number)
{
    int64_t n = 2;
    for (; number > 0 || !is_smooth_length(n); n++) number -= is_smooth_length(n);
    return n;
}

/* Pairs of rings of some of the lengths. */
static inline armilla_grid *ring_lengths_grid(int first, int count)
{
    const int64_t nrings = 2 * count;
    armilla_ring *rings = checked_malloc(nrings, sizeof *rings);
    armilla_grid *grid = NULL;
    int64_t offset = 0;
    for (int64_t i = 0; i < nrings; i++) {
        const int64_t from_pole = i < count ? i : nrings - 1 - i;
        const double theta = M_PI * ((double)i + 0.5) / (double)nrings;
        const int64_t n = every_ring_length[first + from_pole];
        rings[i] = (armilla_ring){theta, n, M_PI / (double)n, offset, 1, sin(theta)};
        offset += n;
    }
    check_ok(armilla_grid_new_custom(nrings, rings, &grid));
    free(rings);
    return grid;
}

#endif
