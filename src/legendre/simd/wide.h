/* Wide vectors of simd.h as the quad of one neighbour. */
#ifndef ARMILLA_LEGENDRE_SIMD_WIDE_H
#define ARMILLA_LEGENDRE_SIMD_WIDE_H

enum { WIDE = 1 };
typedef quad wide;

#define w_load_neighbours(p) q_all(*(p))
#define w_of_quad            q_load
#define w_load               q_load
#define w_store              q_store
#define w_all                q_all
#define w_add                q_add
#define w_mul                q_mul
#define w_fma_sum            q_fma_sum
#define w_sides              q_sides
#define w_quads(a)           (a)
#define w_first(a)           (a)

#endif
