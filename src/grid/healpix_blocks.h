/* Loops over arrays of HEALPix pixels, cut into blocks that a team of threads shares. */
#ifndef ARMILLA_GRID_HEALPIX_BLOCKS_H
#define ARMILLA_GRID_HEALPIX_BLOCKS_H

#include "grid/healpix_scheme.h"

/* Does the items first .. end - 1. Returned: the first that is wrong, or end. */
typedef int64_t (*armilla_block_check)(const void *context, int64_t first, int64_t end);
typedef void (*armilla_block_work)(const void *context, int64_t first, int64_t end);

/* Runs work over 0 .. count - 1: in the calling thread if it is one block, else by at most nthreads
 * threads (0: all). block  items; those of a block are neighbours. */
void armilla_blocks_run(int nthreads, int64_t count, int64_t block, armilla_block_work work,
                        const void *context);

/* The same for a check. Returned: the first item that is wrong, or count. */
int64_t armilla_blocks_check(int nthreads, int64_t count, armilla_block_check check,
                             const void *context);

/* Items of a block where none costs much more than 100 ns. */
enum { ARMILLA_BLOCK = 16384 };

/* ARGUMENT unless nthreads >= 0, count >= 0 and, with a count, all pointers are there: names (n of
 * them) and what they point to. */
armilla_status armilla_check_arrays(int nthreads, const char *count_name, int64_t count, int n,
                                    const char *const *names, const void *const *arrays);

/* ARGUMENT unless each of pixels is 0 .. npix - 1; names the first that is not. */
armilla_status armilla_check_pixels(const armilla_scheme *scheme, int64_t npixels,
                                    const int64_t *pixels, int nthreads);

/* ARGUMENT unless theta is a colatitude (base/colatitude.h) and phi is finite; names the first
 * point that is wrong. */
armilla_status armilla_check_directions(int64_t npoints, const double *theta, const double *phi,
                                        int nthreads);

#endif
