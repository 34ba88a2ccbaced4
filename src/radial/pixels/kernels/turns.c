/* Values of a kernel with the rotation of spin 2, and sums of their products with pairs of maps.
 *
 * even + i odd multiplies Q + i U; the reflection of longitudes makes it even - i odd. */
#include "radial/pixels/kernels/places.h"
#include "radial/profile/kernels/turned.h"

enum {
    VECTORS = ARMILLA_OCTET / VLEN, /* of an octet */
    MOST_CHAINS = 4,                /* vectors that are worked on at once */
    CHAINS = VECTORS < MOST_CHAINS ? VECTORS : MOST_CHAINS,
    /* Octets of sums, each of Q and of U, that are kept in registers: two vectors that are loaded
     * serve four products. */
    STENCIL = VECTORS == 1   ? 8
              : VECTORS == 2 ? 2
                             : 1,
    PRODUCTS = VECTORS == 1 ? 4 : 1 /* and as many reflections */
};

_Static_assert((int)STENCIL <= (int)ARMILLA_RADIAL_BLOCK, "stencil may not write further");
_Static_assert((int)ARMILLA_OCTET % (int)PRODUCTS == 0, "octets are cut evenly");

/* --- Values ----------------------------------------------------------------------------------- */

/* z = p + i q of (8.18). */
ARMILLA_ALWAYS_INLINE void half_turns(const armilla_radial_curve *curve, const vec *delta, vec *p,
                                      vec *q, const int chains)
{
    vec square[MOST_CHAINS];
    for (int i = 0; i < chains; i++) {
        square[i] = v_mul(delta[i], delta[i]);
        p[i] = v_all(curve->half[curve->nhalf - 1][1]);
        q[i] = v_all(curve->half[curve->nhalf - 1][0]);
    }
    for (int t = curve->nhalf - 2; t >= 0; t--)
        for (int i = 0; i < chains; i++) {
            p[i] = v_fma(p[i], square[i], v_all(curve->half[t][1]));
            q[i] = v_fma(q[i], square[i], v_all(curve->half[t][0]));
        }
    for (int i = 0; i < chains; i++) {
        p[i] = v_mul(p[i], v_all(curve->difference));
        q[i] = v_mul(v_mul(q[i], delta[i]), v_all(curve->sum));
    }
}

/* Vectors number v .. v + chains - 1 of the values. */
ARMILLA_ALWAYS_INLINE void turn_some(const armilla_radial_curve *curve, const double *delta,
                                     double step, int64_t v, double *even, double *odd,
                                     const int chains)
{
    vec at[MOST_CHAINS], p[MOST_CHAINS], q[MOST_CHAINS];
    for (int i = 0; i < chains; i++) at[i] = find_place(delta, step, v + i);
    half_turns(curve, at, p, q, chains);
    for (int i = 0; i < chains; i++)
        turn_values(p[i], q[i], even + (v + i) * VLEN, odd + (v + i) * VLEN);
}

void ARMILLA_KERNEL(armilla_radial_kernel_turn)(const armilla_radial_curve *curve,
                                                const double delta[ARMILLA_OCTET], double step,
                                                int64_t count, double *even, double *odd)
{
    const int64_t end = count * VECTORS;
    int64_t v = 0;
    for (; v + MOST_CHAINS <= end; v += MOST_CHAINS)
        turn_some(curve, delta, step, v, even, odd, MOST_CHAINS);
    for (; v < end; v += CHAINS) turn_some(curve, delta, step, v, even, odd, CHAINS);
}

/* --- Products --------------------------------------------------------------------------------- */

void ARMILLA_KERNEL(armilla_radial_kernel_pair_stencil)(int64_t nsources,
                                                        const armilla_radial_taps *sources,
                                                        int64_t end, int add, double *const out[2])
{
    for (int64_t p = 0; p < end; p += STENCIL) {
        vec sum[2][STENCIL][VECTORS];
        for (int c = 0; c < 2; c++)
            for (int i = 0; i < STENCIL; i++)
                for (int v = 0; v < VECTORS; v++)
                    sum[c][i][v] =
                        add ? v_load(out[c] + (p + i) * ARMILLA_OCTET + v * VLEN) : v_all(0);
        for (int64_t s = 0; s < nsources; s++) {
            const double *row = sources[s].row + (p + sources[s].first) * ARMILLA_OCTET;
            const int64_t other = sources[s].other;
            for (int64_t k = 0; k < sources[s].count; k++, row += ARMILLA_OCTET) {
                const vec even = v_all(sources[s].value[k]), odd = v_all(sources[s].odd[k]);
                for (int i = 0; i < STENCIL; i++)
                    for (int v = 0; v < VECTORS; v++) {
                        const int64_t at = i * ARMILLA_OCTET + v * VLEN;
                        const vec q = v_load(row + at), u = v_load(row + other + at);
                        sum[0][i][v] = v_fnma(odd, u, v_fma(even, q, sum[0][i][v]));
                        sum[1][i][v] = v_fma(odd, q, v_fma(even, u, sum[1][i][v]));
                    }
            }
        }
        for (int c = 0; c < 2; c++)
            for (int i = 0; i < STENCIL; i++)
                for (int v = 0; v < VECTORS; v++)
                    v_store(out[c] + (p + i) * ARMILLA_OCTET + v * VLEN, sum[c][i][v]);
    }
}

/* Where the sum of an octet is: component 0 or 1, of the octet itself or of its reflection. */
ARMILLA_ALWAYS_INLINE double *find_sum(double *sums, int component, int side, int i)
{
    return sums + ((2 * component + side) * ARMILLA_OCTET + i) * ARMILLA_OCTET;
}

/* Octets number i .. i + PRODUCTS - 1 */
ARMILLA_ALWAYS_INLINE void add_pairs(const armilla_radial_octet *octet, int i, double *sums,
                                     const int reflected)
{
    vec sum[2][2][PRODUCTS][VECTORS]; /* component, side */
    const double *row[2][PRODUCTS], *values = octet->values + i, *odds = octet->odd + i;
    const int64_t other = octet->other;
    for (int side = 0; side < 1 + reflected; side++)
        for (int j = 0; j < PRODUCTS; j++) {
            const int64_t first = octet->first[i + j];
            row[side][j] = octet->row + (side ? octet->turning - first : first) * ARMILLA_OCTET;
            for (int c = 0; c < 2; c++)
                for (int v = 0; v < VECTORS; v++)
                    sum[c][side][j][v] = v_load(find_sum(sums, c, side, i + j) + v * VLEN);
        }
    for (int64_t k = 0; k < octet->count; k++, values += ARMILLA_OCTET, odds += ARMILLA_OCTET)
        for (int j = 0; j < PRODUCTS; j++) {
            const vec even = v_all(values[j]), odd = v_all(odds[j]);
            for (int v = 0; v < VECTORS; v++) {
                const double *at = row[0][j] + k * ARMILLA_OCTET + v * VLEN;
                const vec q = v_load(at), u = v_load(at + other);
                sum[0][0][j][v] = v_fnma(odd, u, v_fma(even, q, sum[0][0][j][v]));
                sum[1][0][j][v] = v_fma(odd, q, v_fma(even, u, sum[1][0][j][v]));
                if (!reflected) continue;
                const double *back = row[1][j] - k * ARMILLA_OCTET + v * VLEN;
                const vec q1 = v_load(back), u1 = v_load(back + other);
                sum[0][1][j][v] = v_fma(odd, u1, v_fma(even, q1, sum[0][1][j][v]));
                sum[1][1][j][v] = v_fnma(odd, q1, v_fma(even, u1, sum[1][1][j][v]));
            }
        }
    for (int side = 0; side < 1 + reflected; side++)
        for (int j = 0; j < PRODUCTS; j++)
            for (int c = 0; c < 2; c++)
                for (int v = 0; v < VECTORS; v++)
                    v_store(find_sum(sums, c, side, i + j) + v * VLEN, sum[c][side][j][v]);
}

void ARMILLA_KERNEL(armilla_radial_kernel_pair_products)(const armilla_radial_octet *octet,
                                                         double *sums)
{
    for (int i = 0; i < ARMILLA_OCTET; i += PRODUCTS) {
        if (octet->turning >= 0)
            add_pairs(octet, i, sums, 1);
        else
            add_pairs(octet, i, sums, 0);
    }
}
