/* The tables of radial convolution by Fourier coefficients of rings on a GPU, and how its work is
 * shared. C and CUDA; the launches: radial_mixing_kernels.h.
 *
 *     legs[m][p] = sum over q of K_m(p, q) legs_in[m][q]         p, q: pairs of rings, m: orders
 *
 * as src/radial/mixing does it on the processor; docs/mathematics.md (8.4), spin 2 (8.21). K_m is
 * the sum of `count` samples of the radial kernel times cosines, of spin 2 times sines besides.
 *
 *     tile    up to four pairs p (of spin 2 two) that share a class: the same table serves them
 *     group   up to four pairs q that a tile sees, northern rings from northern ones and southern
 *             from southern ones or, crossed, the other way round
 *     task    a tile and 2 x 128 orders, the work of a block: low ones first .. first + 127 and
 *             those opposite, top - low
 *
 * A thread has an order and the one opposite to it. It holds the sums of its tile in registers, and
 * goes over the tile's groups. Samples of a group are made once for the block, in shared memory.
 * Where a table is folded, top = n / 2 for its n samples of the circle, and
 * cos((n / 2 - m) phi_j) = (-1)^j cos(m phi_j): the sums over even and over odd j make both orders.
 * Cosines come from those of the orders below 16 by addition of angles. Each entry of the result is
 * written by one thread, which adds in a fixed sequence. */
#ifndef ARMILLA_CUDA_KERNELS_RADIAL_MIXING_TABLES_H
#define ARMILLA_CUDA_KERNELS_RADIAL_MIXING_TABLES_H

#include <stdint.h>

enum {
    ARMILLA_CUDA_MIXING_ORDERS = 128, /* low orders of a task, and threads of a block */
    ARMILLA_CUDA_MIXING_WIDTH = 16,   /* orders whose waves are tabulated */
    ARMILLA_CUDA_MIXING_TILE = 4,     /* pairs of a tile; of spin 2 half as many */
    ARMILLA_CUDA_MIXING_GROUP = 4     /* pairs of a group */
};

/* Longitudes phi_j at which the kernel is sampled, and their waves: places in `numbers`. */
typedef struct armilla_cuda_mixing_table {
    int64_t n;            /* samples of the circle */
    int64_t length;       /* of the circle of roots: n, or 2 n where phi_j = pi (2 j + 1) / n */
    int64_t folded;       /* see above; else orders above n / 2 are 0, and n / 2 counts half */
    int64_t sine, weight; /* [count] sin^2(phi_j / 2); weights of the sums */
    int64_t waves;        /* [2][count][WIDTH] cosines and sines of the orders below WIDTH */
    int64_t circle;       /* [length][2] cosines and sines of 2 pi k / length */
    int64_t half_angle;   /* spin 2: [2][count] cos(phi_j / 2), sin(phi_j / 2) */
    int64_t count;        /* samples that are tabulated, even */
} armilla_cuda_mixing_table;

typedef struct armilla_cuda_mixing_tile {
    int32_t pair[ARMILLA_CUDA_MIXING_TILE]; /* -1: none */
    int64_t group, ngroups;                 /* the first one */
    int64_t top;                            /* odd; orders 0 .. top */
} armilla_cuda_mixing_tile;

typedef struct armilla_cuda_mixing_group {
    int32_t pair[ARMILLA_CUDA_MIXING_GROUP]; /* -1: none */
    int32_t table, crossed;
    int64_t count; /* of samples, even: beyond them the kernel is 0 */
} armilla_cuda_mixing_group;

typedef struct armilla_cuda_mixing_task {
    int32_t tile, first; /* low order */
} armilla_cuda_mixing_task;

/* All arrays are on the device. */
typedef struct armilla_cuda_mixing_view {
    int64_t ntasks, turns; /* turns: spin 2 */
    const armilla_cuda_mixing_task *tasks;
    const armilla_cuda_mixing_tile *tiles;
    const armilla_cuda_mixing_group *groups;
    const armilla_cuda_mixing_table *tables;
    const double *numbers;      /* of the tables */
    const double *theta, *sine; /* of the pairs: of the northern ring */
    const int64_t *limit;       /* of each pair the largest order that exists */
    /* The profile, as in radial/profile/profile.h. */
    int64_t degree, ncells;
    double end;
    const double *coef, *border;
} armilla_cuda_mixing_view;

#endif
