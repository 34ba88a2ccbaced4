/* What the transform tests share: bounds that report themselves, random data, inner products, one
 * table of grids. Failures end the test through cmocka. */
#ifndef ARMILLA_TESTS_CHECKS_H
#define ARMILLA_TESTS_CHECKS_H

#include "armilla/armilla.h"
#include "base/compiler.h"
#include "oracle/basics.h"

/* Fails unless value <= bound (NaN fails); the message shows both and the printf-style label. */
void check_at_most(double value, double bound, const char *format, ...) ARMILLA_PRINTF(3, 4);

/* The larger of two numbers; NaN where one of them is NaN. For largest errors: fmax would drop a
 * NaN and call the result right. */
double larger_or_nan(double a, double b);

/* Fails unless status is ARMILLA_OK; shows the library's message. */
void check_ok(armilla_status status);

/* Fails unless status is the expected one and the message contains the text. */
void check_error(armilla_status status, armilla_status expected, const char *text);

/* Nonzero when sizes should be small: under a sanitizer, or with ARMILLA_TEST_QUICK set. */
int checks_quick(void);

/* --- Data ------------------------------------------------------------------------------------ */

/* Next uniform number in [-1, 1) of the stream. */
double random_next(uint64_t *stream);
void random_fill(uint64_t seed, int64_t count, double *values);
/* The same, but each half is a float of that size: for who takes either kind of number. */
void random_fill_either(uint64_t seed, int64_t count, double *values);

/* Every coefficient of the layout uniform in [-1, 1)^2, imaginary parts of m = 0 zero; other
 * numbers of the array are left as they are. */
void random_alm(uint64_t seed, const armilla_alm_layout *layout, double *alm);
void random_alm_triangle(uint64_t seed, int64_t lmax, int64_t mmax, double *alm);

/* A layout in which only order m matters: the orders below share one stretch of zeros, order m
 * follows it. */
armilla_alm_layout *layout_of_order(int64_t m, int64_t lmax);

/* 64-bit FNV-1a of bytes: has an input been written? */
uint64_t checksum(const void *data, size_t bytes);

void to_float(int64_t count, const double *from, float *to);
void to_double(int64_t count, const float *from, double *to);

/* --- Inner products and norms (docs/mathematics.md 1) ---------------------------------------- */

double dot_maps(int64_t count, const double *a, const double *b);

/* Re sum over m >= 0 of a conj(b), factor 2 for m > 0; triangular layout. */
double dot_alm(int64_t lmax, int64_t mmax, const double *a, const double *b);

/* libsharp eq. 17: sqrt(sum |a - b|^2 / sum |a|^2) over count numbers; NaN where one of them is. */
double rms_error(int64_t count, const double *a, const double *b);

/* --- Threads --------------------------------------------------------------------------------- */

/* Synthesis of alm, and analysis of its map, are the same bits for 1, 2, 8 and all threads. size,
 * npix: doubles of alm and map, all components. */
void check_threads_agree(const armilla_sht *sht, int64_t size, int64_t npix, const double *alm);

/* --- Grids ----------------------------------------------------------------------------------- */

/* The kinds with an exact rule: 0 .. EXACT_KINDS - 1. */
enum { EXACT_KINDS = 9 };
extern const armilla_grid_kind exact_kinds[EXACT_KINDS];

armilla_grid *healpix_grid(int64_t nside);

/* The smallest grid of the kind with an exact rule for lmax, plus extra rings. nphi = 0: the
 * smallest exact number, 2 mmax + 1 (ignored by the reduced grid). */
armilla_grid *exact_grid(armilla_grid_kind kind, int64_t lmax, int64_t mmax, int64_t extra_rings,
                         int64_t nphi);

/* All rings of a grid; free() them. */
armilla_ring *grid_rings(const armilla_grid *grid);

/* Rings that an equidistant grid needs for analysis: CC and MWSS have both poles; the pole alone,
 * DH's first ring, has no weight. */
int64_t fewest_weighted_rings(int kind);

#endif
