/* Values of a radial kernel by polynomials, and the fits of those. See kernels.h.
 *
 * A polynomial E(s^2) + s O(s^2) is two chains of multiply-adds and gives two values, on both sides
 * of the nearest pixel. */
#include "legendre/simd/simd.h"
#include "radial/pixels/kernels/kernels.h"

enum {
    VECTORS = ARMILLA_OCTET / VLEN, /* of an octet */
    PLANES = ARMILLA_RADIAL_PLANES,
    /* Polynomials at once: 8 to 12 chains hide the latency of a sum and fit the registers. */
    TOGETHER = VECTORS == 1   ? 4
               : VECTORS == 2 ? 3
                              : 1,
    ROWS = VECTORS < 4 ? 4 / VECTORS : 1 /* of a product of matrices, likewise */
};

/* --- Values ----------------------------------------------------------------------------------- */

/* Finds E and O of `count` polynomials at one vector or more of squares. */
ARMILLA_ALWAYS_INLINE void find_parts(const double *coef, int64_t nterms, const vec *square,
                                      const int count, const int vectors, vec even[][VECTORS * 2],
                                      vec odd[][VECTORS * 2])
{
    for (int t = 0; t < count; t++)
        for (int v = 0; v < vectors; v++) {
            even[t][v] = v_all(coef[t * nterms + nterms - 2]);
            odd[t][v] = v_all(coef[t * nterms + nterms - 1]);
        }
    for (int64_t i = nterms - 4; i >= 0; i -= 2)
        for (int t = 0; t < count; t++)
            for (int v = 0; v < vectors; v++) {
                even[t][v] = v_fma(even[t][v], square[v], v_all(coef[t * nterms + i]));
                odd[t][v] = v_fma(odd[t][v], square[v], v_all(coef[t * nterms + i + 1]));
            }
}

/* Polynomials number k .. k + count - 1, all in front of the last one. */
ARMILLA_ALWAYS_INLINE void some_values(const armilla_radial_series *series, const double *delta,
                                       int64_t k, double *values, const int count, const int turned)
{
    vec even[TOGETHER][VECTORS * 2], odd[TOGETHER][VECTORS * 2], square[VECTORS];
    for (int v = 0; v < VECTORS; v++) {
        const vec s = v_mul(v_load_any(delta + v * VLEN), v_all(series->scale));
        square[v] = v_mul(s, s);
    }
    find_parts(series->coef + k * series->nterms, series->nterms, square, count, VECTORS, even,
               odd);
    for (int v = 0; v < VECTORS; v++) {
        const vec s = v_mul(v_load_any(delta + v * VLEN), v_all(series->scale));
        for (int t = 0; t < count; t++) {
            double *at = values + v * VLEN + series->reach * ARMILLA_OCTET;
            const vec part = v_mul(odd[t][v], s);
            v_store(at - (k + t) * ARMILLA_OCTET, v_add(even[t][v], part));
            v_store(at + (k + t) * ARMILLA_OCTET,
                    turned ? v_sub(part, even[t][v]) : v_sub(even[t][v], part));
        }
    }
}

/* On both sides, which end at different places. */
ARMILLA_ALWAYS_INLINE void last_values(const armilla_radial_series *series, const double *delta,
                                       double *values, const int turned)
{
    vec even[1][VECTORS * 2], odd[1][VECTORS * 2], s[VECTORS * 2], square[VECTORS * 2];
    for (int v = 0; v < 2 * VECTORS; v++) {
        const vec at = v_load_any(delta + v % VECTORS * VLEN);
        const vec scale = v_all(series->last_scale), place = v_all(series->last_place);
        s[v] = v < VECTORS ? v_fma(at, scale, place) : v_fnma(at, scale, place);
        square[v] = v_mul(s[v], s[v]);
    }
    find_parts(series->coef + series->reach * series->nterms, series->nterms, square, 1,
               2 * VECTORS, even, odd);
    for (int v = 0; v < 2 * VECTORS; v++) {
        const vmask beyond = v_negative(v_sub(v_all(1), s[v]));
        const vec sum = v_fma(odd[0][v], s[v], even[0][v]);
        const vec value = v < VECTORS || !turned ? sum : v_sub(v_all(0), sum);
        const int64_t row = v < VECTORS ? 0 : 2 * series->reach;
        v_store(values + row * ARMILLA_OCTET + v % VECTORS * VLEN,
                v_select(beyond, v_all(0), value));
    }
}

ARMILLA_ALWAYS_INLINE void all_values(const armilla_radial_series *series, const double *delta,
                                      double *values, const int turned)
{
    int64_t k = 0;
    for (; k + TOGETHER <= series->reach; k += TOGETHER)
        some_values(series, delta, k, values, TOGETHER, turned);
    for (; k < series->reach; k++) some_values(series, delta, k, values, 1, turned);
    last_values(series, delta, values, turned);
}

void ARMILLA_KERNEL(armilla_radial_kernel_series)(const armilla_radial_series *series,
                                                  const double delta[ARMILLA_OCTET], double *values)
{
    if (series->odd)
        all_values(series, delta, values, 1);
    else
        all_values(series, delta, values, 0);
}

/* --- Fits ------------------------------------------------------------------------------------- */

void ARMILLA_KERNEL(armilla_radial_kernel_transform)(const double *matrix, int64_t nterms,
                                                     int64_t count, int64_t rows, const double *in,
                                                     double *out)
{
    for (int64_t k = 0; k < count; k += ROWS) {
        vec sum[ROWS][PLANES][VECTORS];
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < PLANES * VECTORS; c++) sum[r][c / VECTORS][c % VECTORS] = v_all(0);
        for (int64_t j = 0; j < nterms; j++) {
            const double *from = in + (j / ARMILLA_OCTET * rows + k) * ARMILLA_OCTET;
            for (int r = 0; r < ROWS; r++) {
                const vec value = v_all(from[r * ARMILLA_OCTET + j % ARMILLA_OCTET]);
                for (int c = 0; c < PLANES * VECTORS; c++)
                    sum[r][c / VECTORS][c % VECTORS] =
                        v_fma(value, v_load_any(matrix + j * ARMILLA_RADIAL_NODES + c * VLEN),
                              sum[r][c / VECTORS][c % VECTORS]);
            }
        }
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < PLANES; c++)
                for (int v = 0; v < VECTORS; v++)
                    v_store(out + (c * rows + k + r) * ARMILLA_OCTET + v * VLEN, sum[r][c][v]);
    }
}
