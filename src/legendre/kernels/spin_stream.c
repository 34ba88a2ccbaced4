/* Per-order arrays for fields of spin s; docs/mathematics.md 3. Degree l = max(m, s) + j of step j.
 *
 *     plain  a = -a_l,  b+- = (1 +- m s / (l (l+1))) a_l                              (3.7)
 *     fine   c1+- = a_l (l - M) (l -+ N) / (l (2l+1)),                                (3.9)
 *            c2+- = a_l (l+1 + M) (l+1 +- N) / ((l+1) (2l+1)),  M = max(m, s), N = min(m, s)
 *
 * spin_ladder takes coefficients of spin s to spin s - 1 (3.4), or the other way: its transpose. */
#include "legendre/kernels/start.h"
#include "legendre/kernels/steps.h"

void ARMILLA_KERNEL(armilla_kernel_spin_recurrence)(int64_t m, int64_t spin, int64_t nsteps,
                                                    const double *restrict a, double *restrict c,
                                                    double *restrict ceiling, double *restrict work)
{
    const double product = (double)m * (double)spin;
    const int64_t first = m > spin ? m : spin;
    for (int64_t j = 0; j < nsteps; j++) {
        double largest = spin_plain(product, (double)(first + j), a[j], &c[j], &c[nsteps + j],
                                    &c[2 * nsteps + j]);
        work[j] = largest;
    }
    fill_ceilings(nsteps, work, ceiling);
}

void ARMILLA_KERNEL(armilla_kernel_spin_fine)(int64_t m, int64_t spin, int64_t nsteps,
                                              const double *restrict a, double *restrict c)
{
    const double large = (double)(m > spin ? m : spin), small = (double)(m > spin ? spin : m);
    for (int64_t j = 0; j < nsteps; j++) {
        double next[4];
        spin_fine(large, small, large + (double)j, a[j], next);
        c[j] = -a[j];
        for (int i = 0; i < 4; i++) c[(i + 1) * nsteps + j] = next[i];
    }
}

/* gradient, curl: complex E, B from the first degree on; a+- = E +- i twist B */
void ARMILLA_KERNEL(armilla_kernel_spin_coefficients)(int64_t count, double factor, double twist,
                                                      const double *restrict alpha,
                                                      const double *restrict gradient,
                                                      const double *restrict curl,
                                                      double *restrict out)
{
    for (int64_t j = 0; j < count; j++) {
        double f = factor * alpha[j], g = twist * f;
        out[4 * j] = f * gradient[2 * j] - g * curl[2 * j + 1];
        out[4 * j + 1] = f * gradient[2 * j + 1] + g * curl[2 * j];
        out[4 * j + 2] = f * gradient[2 * j] + g * curl[2 * j + 1];
        out[4 * j + 3] = f * gradient[2 * j + 1] - g * curl[2 * j];
    }
}

/* The transpose; adds to gradient and curl. */
void ARMILLA_KERNEL(armilla_kernel_spin_degrees)(int64_t count, double factor, double twist,
                                                 const double *restrict alpha,
                                                 const double *restrict sums,
                                                 double *restrict gradient, double *restrict curl)
{
    for (int64_t j = 0; j < count; j++) {
        double f = factor * alpha[j], g = twist * f;
        gradient[2 * j] += f * (sums[4 * j] + sums[4 * j + 2]);
        gradient[2 * j + 1] += f * (sums[4 * j + 1] + sums[4 * j + 3]);
        curl[2 * j] += g * (sums[4 * j + 1] - sums[4 * j + 3]);
        curl[2 * j + 1] += g * (sums[4 * j + 2] - sums[4 * j]);
    }
}

/* --- Ladders ---------------------------------------------------------------------------------- */

/* Lowering, degree l of spin s - 1 takes degree l - 1 of spin s times up_l, degree l + 1 times
 * down_l, and degree l of the other component times across_l. Raising is the transpose: degree l of
 * spin s takes degree l + 1 of spin s - 1 times up_{l+1}, and l - 1 times down_{l-1}. Number i of
 * each array is degree m + i. */
void ARMILLA_KERNEL(armilla_kernel_spin_links)(const armilla_kernel_ladder *ladder, int64_t m,
                                               int64_t count, double twist, double *restrict up,
                                               double *restrict down, double *restrict across)
{
    const ladder_order o = {
        .root = ladder->root,
        .sum_root = ladder->root + 2 * m,
        .scale = ladder->scale + m,
        .up = ladder->up + m,
        .down = ladder->down + m,
        .across = ladder->across + m,
        .order = twist * (double)m,
    };
    for (int64_t i = 0; i < count; i++) {
        const ladder_links links = find_links(&o, i, 0);
        up[i] = links.up, down[i] = links.down, across[i] = links.across;
    }
}

/* The first degree of a component; other: the other component. For B, `across` comes with its sign
 * turned. */
ARMILLA_ALWAYS_INLINE void link_first(const armilla_kernel_climb *climb, double across,
                                      const double *row, const double *other, double *restrict out)
{
    for (int part = 0; part < 2; part++) {
        double value = climb->given > 1 ? climb->behind[0] * row[2 + part] : 0;
        value += (part ? -across : across) * other[1 - part];
        out[part] = (climb->add ? out[part] : 0) + value;
    }
}

#ifdef QUADS
/* Degrees from 1 on, whole vectors. Returned: the first one that is left. */
ARMILLA_ALWAYS_INLINE int64_t link_vectors(const armilla_kernel_climb *climb,
                                           const double *const in[2], const int add,
                                           double *const out[2])
{
    static const double signs[8] = {1, -1, 1, -1, 1, -1, 1, -1};
    const vec sign = v_load_any(signs);
    const double *restrict e = in[0], *restrict b = in[1];
    double *restrict f = out[0], *restrict g = out[1];
    int64_t i = 1;
    for (; i + 2 * QUADS <= climb->count && i + 1 + 2 * QUADS <= climb->given; i += 2 * QUADS) {
        const vec before = v_quads_of_pairs(climb->before + i);
        const vec behind = v_quads_of_pairs(climb->behind + i);
        const vec across = v_mul(sign, v_quads_of_pairs(climb->across + i));
        vec first = v_mul(before, v_load_any(e + 2 * i - 2));
        vec second = v_mul(before, v_load_any(b + 2 * i - 2));
        first = v_fma(behind, v_load_any(e + 2 * i + 2), first);
        second = v_fma(behind, v_load_any(b + 2 * i + 2), second);
        first = v_fma(across, v_pairs_swapped(v_load_any(b + 2 * i)), first);
        second = v_fnma(across, v_pairs_swapped(v_load_any(e + 2 * i)), second);
        v_store_any(f + 2 * i, add ? v_add(first, v_load_any(f + 2 * i)) : first);
        v_store_any(g + 2 * i, add ? v_add(second, v_load_any(g + 2 * i)) : second);
    }
    return i;
}
#else
ARMILLA_ALWAYS_INLINE int64_t link_vectors(const armilla_kernel_climb *climb,
                                           const double *const in[2], const int add,
                                           double *const out[2])
{
    (void)climb, (void)in, (void)add, (void)out;
    return 1;
}
#endif

/* Degrees i and i + 1 of those that are given. */
ARMILLA_ALWAYS_INLINE quad load_degrees(const double *row, int64_t i, int64_t given)
{
    if (i + 2 <= given) return q_load(row + 2 * i);
    return i < given ? q_load_half(row + 2 * i) : q_all(0.0);
}

ARMILLA_ALWAYS_INLINE void store_degrees(double *row, int64_t i, int64_t count, int add, quad a)
{
    if (add) a = q_add(a, load_degrees(row, i, count));
    if (i + 2 <= count)
        q_store(row + 2 * i, a);
    else
        q_store_half(row + 2 * i, a);
}

/* Two degrees at a time, to the last one. */
ARMILLA_ALWAYS_INLINE void link_pairs(const armilla_kernel_climb *climb, int64_t i,
                                      const double *const in[2], const int add,
                                      double *const out[2])
{
    static const double signs[2][4] = {{1, -1, 1, -1}, {-1, 1, -1, 1}};
    const int64_t given = climb->given;
    for (; i < climb->count; i += 2) {
        const quad before = q_of_pair(climb->before + i), behind = q_of_pair(climb->behind + i);
        const quad across = q_of_pair(climb->across + i);
        for (int set = 0; set < 2; set++) {
            const quad own = q_mul(before, load_degrees(in[set], i - 1, given));
            const quad next = q_fma_sum(behind, load_degrees(in[set], i + 1, given), own);
            const quad other = q_pairs_swapped(load_degrees(in[1 - set], i, given));
            store_degrees(out[set], i, climb->count, add,
                          q_fma_sum(q_mul(q_load(signs[set]), across), other, next));
        }
    }
}

void ARMILLA_KERNEL(armilla_kernel_spin_ladder)(const armilla_kernel_climb *climb,
                                                const double *const in[2], double *const out[2])
{
    const double across = climb->across[0];
    for (int set = 0; set < 2; set++)
        link_first(climb, set ? -across : across, in[set], in[1 - set], out[set]);
    if (climb->add)
        link_pairs(climb, link_vectors(climb, in, 1, out), in, 1, out);
    else
        link_pairs(climb, link_vectors(climb, in, 0, out), in, 0, out);
}
