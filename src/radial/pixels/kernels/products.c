/* Sums of products of kernel values and pixels. */
#include "legendre/simd/simd.h"
#include "radial/pixels/kernels/kernels.h"

enum {
    VECTORS = ARMILLA_OCTET / VLEN, /* of an octet */
    /* Octets of sums that are kept in registers: eight chains of dependent sums or more hide the
     * latency of one; a value that is loaded serves as many products. */
    STENCIL = VECTORS == 1   ? 12
              : VECTORS == 2 ? 5
                             : 2,
    PRODUCTS = VECTORS == 1   ? 4
               : VECTORS == 2 ? 2
                              : 1 /* and as many reflections */
};

_Static_assert((int)STENCIL <= (int)ARMILLA_RADIAL_BLOCK, "stencil may not write further");
_Static_assert((int)ARMILLA_OCTET % (int)PRODUCTS == 0, "octets are cut evenly");

void ARMILLA_KERNEL(armilla_radial_kernel_stencil)(int64_t nsources,
                                                   const armilla_radial_taps *sources,
                                                   int64_t begin, int64_t end, int add, double *out)
{
    for (int64_t p = begin; p < end; p += STENCIL) {
        vec sum[STENCIL][VECTORS];
        for (int i = 0; i < STENCIL; i++)
            for (int v = 0; v < VECTORS; v++)
                sum[i][v] = add ? v_load(out + (p + i) * ARMILLA_OCTET + v * VLEN) : v_all(0);
        for (int64_t s = 0; s < nsources; s++) {
            const double *row = sources[s].row + (p + sources[s].first) * ARMILLA_OCTET;
            for (int64_t k = 0; k < sources[s].count; k++, row += ARMILLA_OCTET) {
                const vec value = v_all(sources[s].value[k]);
                for (int i = 0; i < STENCIL; i++)
                    for (int v = 0; v < VECTORS; v++)
                        sum[i][v] =
                            v_fma(value, v_load(row + i * ARMILLA_OCTET + v * VLEN), sum[i][v]);
            }
        }
        for (int i = 0; i < STENCIL; i++)
            for (int v = 0; v < VECTORS; v++)
                v_store(out + (p + i) * ARMILLA_OCTET + v * VLEN, sum[i][v]);
    }
}

/* Octets number i .. i + PRODUCTS - 1 */
ARMILLA_ALWAYS_INLINE void add_products(const armilla_radial_octet *octet, int i, double *sums,
                                        const int reflected)
{
    vec sum[2][PRODUCTS][VECTORS];
    const double *row[2][PRODUCTS], *values = octet->values + i;
    for (int side = 0; side < 1 + reflected; side++)
        for (int j = 0; j < PRODUCTS; j++) {
            const int64_t first = octet->first[i + j];
            row[side][j] = octet->row + (side ? octet->turning - first : first) * ARMILLA_OCTET;
            for (int v = 0; v < VECTORS; v++)
                sum[side][j][v] =
                    v_load(sums + (ARMILLA_OCTET * side + i + j) * ARMILLA_OCTET + v * VLEN);
        }
    for (int64_t k = 0; k < octet->count; k++, values += ARMILLA_OCTET)
        for (int j = 0; j < PRODUCTS; j++) {
            const vec value = v_all(values[j]);
            for (int v = 0; v < VECTORS; v++) {
                sum[0][j][v] =
                    v_fma(value, v_load(row[0][j] + k * ARMILLA_OCTET + v * VLEN), sum[0][j][v]);
                if (reflected)
                    sum[1][j][v] = v_fma(value, v_load(row[1][j] - k * ARMILLA_OCTET + v * VLEN),
                                         sum[1][j][v]);
            }
        }
    for (int side = 0; side < 1 + reflected; side++)
        for (int j = 0; j < PRODUCTS; j++)
            for (int v = 0; v < VECTORS; v++)
                v_store(sums + (ARMILLA_OCTET * side + i + j) * ARMILLA_OCTET + v * VLEN,
                        sum[side][j][v]);
}

void ARMILLA_KERNEL(armilla_radial_kernel_products)(const armilla_radial_octet *octet, double *sums)
{
    for (int i = 0; i < ARMILLA_OCTET; i += PRODUCTS) {
        if (octet->turning >= 0)
            add_products(octet, i, sums, 1);
        else
            add_products(octet, i, sums, 0);
    }
}
