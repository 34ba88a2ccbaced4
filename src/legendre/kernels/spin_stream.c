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

/* Lowering, degree l of spin s - 1 takes degree l - 1 of spin s times up_l, degree l + 1 times
 * down_l, and degree l of the other component times across_l. Raising is the transpose: degree l of
 * spin s takes degree l + 1 of spin s - 1 times up_{l+1}, and l - 1 times down_{l-1}. Number i of
 * each array is degree m + i. before: what multiplies degree i - 1, behind: degree i + 1. */
ARMILLA_ALWAYS_INLINE void fill_links(int64_t m, int64_t count, const armilla_kernel_ladder *ladder,
                                      double twist, const int raise, double *restrict before,
                                      double *restrict behind, double *restrict across)
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
        const ladder_links links = find_links(&o, i, raise);
        before[i] = raise ? links.down : links.up;
        behind[i] = raise ? links.up : links.down;
        across[i] = links.across;
    }
}

/* One degree of a component; other: the other component. For B, `across` comes with its sign
 * turned. */
ARMILLA_ALWAYS_INLINE void link_degree(int64_t i, double before, double behind, double across,
                                       const double *row, const double *other, int add,
                                       double *restrict out)
{
    for (int part = 0; part < 2; part++) {
        double value = behind * row[2 * i + 2 + part];
        if (i > 0) value += before * row[2 * i - 2 + part];
        value += (part ? -across : across) * other[2 * i + 1 - part];
        out[2 * i + part] = (add ? out[2 * i + part] : 0) + value;
    }
}

/* Degrees from 1 on; the last vector may go beyond `count`. */
ARMILLA_ALWAYS_INLINE void link_degrees(int64_t count, const double *links, int64_t size,
                                        const double *const in[2], const int add,
                                        double *const out[2])
{
#ifdef QUADS
    static const double signs[8] = {1, -1, 1, -1, 1, -1, 1, -1};
    const vec sign = v_load_any(signs);
    const double *restrict e = in[0], *restrict b = in[1];
    double *restrict f = out[0], *restrict g = out[1];
    for (int64_t i = 1; i < count; i += 2 * QUADS) {
        const vec before = v_quads_of_pairs(links + i), behind = v_quads_of_pairs(links + size + i);
        const vec across = v_mul(sign, v_quads_of_pairs(links + 2 * size + i));
        vec first = v_mul(before, v_load_any(e + 2 * i - 2));
        vec second = v_mul(before, v_load_any(b + 2 * i - 2));
        first = v_fma(behind, v_load_any(e + 2 * i + 2), first);
        second = v_fma(behind, v_load_any(b + 2 * i + 2), second);
        first = v_fma(across, v_pairs_swapped(v_load_any(b + 2 * i)), first);
        second = v_fnma(across, v_pairs_swapped(v_load_any(e + 2 * i)), second);
        v_store_any(f + 2 * i, add ? v_add(first, v_load_any(f + 2 * i)) : first);
        v_store_any(g + 2 * i, add ? v_add(second, v_load_any(g + 2 * i)) : second);
    }
#else
    for (int64_t i = 1; i < count; i++)
        for (int set = 0; set < 2; set++) {
            const double across = links[2 * size + i];
            link_degree(i, links[i], links[size + i], set ? -across : across, in[set], in[1 - set],
                        add, out[set]);
        }
#endif
}

void ARMILLA_KERNEL(armilla_kernel_spin_ladder)(const armilla_kernel_ladder *ladder,
                                                const armilla_kernel_climb *climb,
                                                const double *const in[2], double *const out[2])
{
    const int64_t m = climb->m, count = climb->count, size = climb->size;
    double *links = climb->links;
    if (climb->raise)
        fill_links(m, count, ladder, climb->twist, 1, links, links + size, links + 2 * size);
    else
        fill_links(m, count, ladder, climb->twist, 0, links, links + size, links + 2 * size);
    for (int set = 0; set < 2; set++)
        link_degree(0, 0, links[size], set ? -links[2 * size] : links[2 * size], in[set],
                    in[1 - set], climb->add, out[set]);
    if (climb->add)
        link_degrees(count, links, size, in, 1, out);
    else
        link_degrees(count, links, size, in, 0, out);
}
