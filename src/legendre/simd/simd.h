/* The vocabulary that kernels are written in. CMake compiles every kernel source once per
 * instruction set with ARMILLA_SIMD_HEADER naming simd/<isa>.h and ARMILLA_ISA_NAME the suffix of
 * its symbols.
 *
 *   vec, vmask, VLEN      vector of doubles, lane mask, lanes per vector
 *   REGISTERS             vector registers of the processor
 *   GROUP_VECTORS         vectors of ring pairs in a group, 2 to 4, and how many of them a kernel
 *   SYNTHESIS_VECTORS     keeps in registers at once, chosen by measurement: limited by registers,
 *   ANALYSIS_VECTORS      needed to hide latency. ..._OF_TWO: where two sets of sums share a
 *   SYNTHESIS_VECTORS_OF_TWO  recurrence, or 0: two sets take p from memory, as more always do
 *   ANALYSIS_VECTORS_OF_TWO   (sets_synthesis.c, sets_analysis.c). Synthesis holds 4 sums for each
 *                         vector and set, analysis 4 values, which may also come from the
 *                         first-level cache
 *   SETS_VECTORS          vectors of values of several sets that analysis adds up at once
 *   SPIN_VECTORS          the same as the others for functions of spin s
 *   ROTATION_VECTORS      the same for alm/kernels/rotation.c
 *   MATRIX_VECTORS        the same where p is a matrix, 3 or 4: of pairs in synthesis, of steps in
 *   MATRIX_VECTORS_OF_TWO analysis; of two sets that share p, up to 3, or 0: they take turns
 *   v_load v_store        aligned to the vector
 *   v_load_any v_store_any  at any address
 *   v_stream              v_store past the caches where the set can, for whole cache lines:
 *                         others are slow. v_stream_end() before other threads read them
 *   v_all                 broadcast
 *   v_add v_sub v_mul     arithmetic
 *   v_fma(a, b, c)        a b + c, one rounding where the set has FMA
 *   v_fma_sum(a, b, c)    the same where a loop adds to c, in c's register if the set has few
 *   v_fnma(a, b, c)       c - a b
 *   v_min v_div v_sqrt
 *   v_larger(a, bound)    lane mask |a| > bound
 *   v_negative(a)         lane mask a < 0
 *   v_lanes               one bit per lane of a mask
 *   v_select(m, yes, no)
 *   v_exp2(n + V_EXP2)    2^n for integers -1022 <= n <= 1023 held as doubles
 *   v_reversed            the last lane first
 *   v_reduce8             sums over lanes of eight vectors
 *   v_reduce8_of(p, from) the same of vectors in memory, one behind the other
 *   v_store4, v_load4     four vectors, interleaved in memory
 *   v_store2, v_load2     two vectors, interleaved in memory
 *   v_store_halves,       the same where the pairs of numbers in memory belong to the first and the
 *   v_load_halves         second half of the lanes in turns
 *   v_stream_halves       v_store_halves past the caches
 *   v_store_mirrored(p, q, a), v_load_mirrored(p, q)
 *                         p[i] and lane i, q[-i] and lane VLEN / 2 + i, for i < VLEN / 2
 *   v_store_mirrored_two, v_load_mirrored_two
 *                         the same of two vectors at p, q and at p + VLEN / 2, q - VLEN / 2; four
 *                         lanes or more
 *   QUADS                 vectors of 4 QUADS lanes only: lanes by fours,
 *   v_some(first, end)    mask of the lanes first .. end - 1,
 *   v_load_some           those of them at any address, 0 in the place of others, which are not
 *   v_store_some          touched,
 *   v_quads_of_pairs      a b c d  ->  a a b b c c d d,
 *   v_quads_of_halves     a b      ->  a a 0 0 b b 0 0
 *   v_quads_swapped       a b c d  ->  c d a b in each quad
 *   v_pairs_swapped       a b c d  ->  b a d c
 *   v_sides               a b c d  ->  a + c, b + d, a - c, b - d
 *   v_store_quads         one quad to p, the next one to p + far, each aligned to its size
 *   v_load_quads          the inverse, at any address
 *   v_load_rows           one complex number from each of up to four rows; eight lanes hold four
 *                         twice
 *   v_store_rows          its transpose into neighbours: eight lanes are added up to four
 *   v_spread_rows         one complex number to each of VLEN rows
 *   v_transpose           lane i of v[j] <-> lane j of v[i], VLEN vectors
 *
 *   quad                  four doubles, in as many vectors as it takes:
 *   q_load q_store        at any address
 *   q_all q_add q_mul q_fma_sum  as above
 *   q_sides               a b c d  ->  a + c, b + d, a - c, b - d
 *   q_pairs_swapped       a b c d  ->  b a d c
 *   q_load_half q_store_half  two numbers, the other two 0
 *   q_of_pair q_of_half   a b  ->  a a b b,  a  ->  a a 0 0 */
#ifndef ARMILLA_LEGENDRE_SIMD_SIMD_H
#define ARMILLA_LEGENDRE_SIMD_SIMD_H

#include "base/compiler.h"

#include <stdint.h>

#include ARMILLA_SIMD_HEADER

#define V_EXP2  (0x1p52 + 1023) /* brings n + 1023 into the lowest bits of the double */
#define V_ROUND 0x1.8p52        /* (a + V_ROUND) - V_ROUND rounds to an integer */

#ifndef OWN_FMA_SUM
#define v_fma_sum v_fma
#endif

#if defined(MATRIX_VECTORS) && !defined(OWN_REDUCE8_OF)
ARMILLA_ALWAYS_INLINE void v_reduce8_of(double *p, const double *from)
{
    vec v[8];
    for (int i = 0; i < 8; i++) v[i] = v_load(from + i * VLEN);
    v_reduce8(p, v);
}
#endif

#if defined(MATRIX_VECTORS) && !defined(OWN_QUADS)
#include "legendre/simd/quads.h"
#endif

#if defined(MATRIX_VECTORS) && !defined(OWN_HALVES)
#include "legendre/simd/halves.h"
#endif

#ifndef OWN_STREAM
#define v_stream       v_store
#define v_stream_end() ((void)0)
#endif

#ifndef LANES_ALL
enum { LANES_ALL = (1 << VLEN) - 1 };
#endif

#endif
