/* Between rows of E and B of spin 1 and the coefficients, or sums, of steps, in one pass: the
 * ladder (3.4) and the couplings (2.11) of docs/mathematics.md as one. With numbers i = l - m, E_i
 * = 0 where there is no such degree, and B' = (im B, -re B) for the first set,
 *
 *     e_k = before_{2k} E_{2k-1} + behind_{2k} E_{2k+1} + beyond_{2k} E_{2k+3}
 *           + across_{2k} B'_{2k} + crossing_{2k} B'_{2k+2},
 *     o_k = before_{2k+1} E_{2k} + behind_{2k+1} E_{2k+2} + across_{2k+1} B'_{2k+1};
 *
 * the second set has B and E in turn, and the other sign of what goes across. Included by matrix.c
 * where QUADS. */
#ifndef ARMILLA_LEGENDRE_KERNELS_SPIN_COUPLINGS_H
#define ARMILLA_LEGENDRE_KERNELS_SPIN_COUPLINGS_H

#include "base/integer.h"
#include "legendre/kernels/kernels.h"
#include "legendre/simd/simd.h"

static const double spin_signs[8] = {1, -1, 1, -1, 1, -1, 1, -1};

/* Numbers i .. i + 2 QUADS - 1 of a row of `given` ones. ends: some of them may not exist. */
ARMILLA_ALWAYS_INLINE vec load_numbers(const double *row, int64_t i, int64_t given, const int ends)
{
    if (!ends) return v_load_any(row + 2 * i);
    const int64_t end = armilla_smaller(2 * (given - i), VLEN), first = i < 0 ? -2 * i : 0;
    return v_load_some(row + 2 * i, v_some(first, armilla_larger(end, first)));
}

/* a + across other for the first set, a - across other for the second one; across has its signs. */
ARMILLA_ALWAYS_INLINE vec add_across(vec a, vec across, vec other, const int set)
{
    const vec x = v_pairs_swapped(other);
    return set ? v_fnma(across, x, a) : v_fma(across, x, a);
}

/* --- Rows to steps ---------------------------------------------------------------------------- */

/* Steps k .. k + QUADS - 1. */
ARMILLA_ALWAYS_INLINE void couple_steps(const armilla_kernel_links *links, int64_t k, int64_t given,
                                        const double *const row[2], double *const out[2],
                                        const int ends)
{
    const vec sign = v_load_any(spin_signs);
    const vec before = v_quads_of_pairs(links->before + 2 * k);
    const vec behind = v_quads_of_pairs(links->behind + 2 * k);
    const vec beyond = v_quads_of_pairs(links->beyond + 2 * k);
    const vec across = v_mul(sign, v_quads_of_pairs(links->across + 2 * k));
    const vec crossing = v_mul(sign, v_quads_of_pairs(links->crossing + 2 * k));
    for (int set = 0; set < 2; set++) {
        const double *own = row[set], *other = row[1 - set];
        vec a = v_mul(before, load_numbers(own, 2 * k - 1, given, ends));
        a = v_fma(behind, load_numbers(own, 2 * k + 1, given, ends), a);
        a = v_fma(beyond, load_numbers(own, 2 * k + 3, given, ends), a);
        a = add_across(a, across, load_numbers(other, 2 * k, given, ends), set);
        a = add_across(a, crossing, load_numbers(other, 2 * k + 2, given, ends), set);
        v_store_any(out[set] + 4 * k, a);
    }
}

/* Coefficients of nsteps steps of both sets, in whole vectors. row: E and B, `given` numbers each.
 */
ARMILLA_ALWAYS_INLINE void fill_spin_coefficients(const armilla_kernel_links *links, int64_t nsteps,
                                                  int64_t given, const double *const row[2],
                                                  double *const out[2])
{
    int64_t k = QUADS;
    couple_steps(links, 0, given, row, out, 1);
    for (; k < nsteps && 2 * k + 2 * QUADS + 3 <= given; k += QUADS)
        couple_steps(links, k, given, row, out, 0);
    for (; k < nsteps; k += QUADS) couple_steps(links, k, given, row, out, 1);
}

/* --- Sums of steps to rows -------------------------------------------------------------------- */

/* Numbers 2 j - 1 .. 2 j + 2 QUADS - 2 of E and B. */
ARMILLA_ALWAYS_INLINE void gather_numbers(const armilla_kernel_links *links, int64_t j,
                                          const double *const sums[2], vec number[2])
{
    const vec sign = v_load_any(spin_signs);
    const vec before = v_quads_of_pairs(links->before + 2 * j);
    const vec behind = v_quads_of_pairs(links->behind + 2 * j - 2);
    const vec beyond = v_quads_of_pairs(links->beyond + 2 * j - 4);
    const vec across = v_mul(sign, v_quads_of_pairs(links->across + 2 * j - 1));
    const vec crossing = v_mul(sign, v_quads_of_pairs(links->crossing + 2 * j - 3));
    for (int set = 0; set < 2; set++) {
        const double *own = sums[set] + 4 * j, *other = sums[1 - set] + 4 * j;
        vec a = v_mul(before, v_load_any(own));
        a = v_fma(behind, v_load_any(own - 4), a);
        a = v_fma(beyond, v_load_any(own - 8), a);
        a = add_across(a, across, v_load_any(other - 2), set);
        number[set] = add_across(a, crossing, v_load_any(other - 6), set);
    }
}

/* sums: of both sets, eight zeros in front of each. row: E and B, `given` numbers each. */
ARMILLA_ALWAYS_INLINE void fill_spin_rows(const armilla_kernel_links *links, int64_t given,
                                          const double *const sums[2], const int add,
                                          double *const row[2])
{
    for (int64_t j = 0; 2 * j - 1 < given; j += QUADS) {
        const int64_t first = j > 0 ? 0 : 2, end = armilla_smaller(VLEN, 2 * (given - 2 * j + 1));
        vec number[2];
        gather_numbers(links, j, sums, number);
        for (int set = 0; set < 2; set++) {
            double *to = row[set] + 4 * j - 2;
            if (end - first == VLEN) {
                v_store_any(to, add ? v_add(number[set], v_load_any(to)) : number[set]);
            } else {
                const vmask some = v_some(first, end);
                v_store_some(to, some,
                             add ? v_add(number[set], v_load_some(to, some)) : number[set]);
            }
        }
    }
}

#endif
