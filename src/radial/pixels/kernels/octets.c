/* Between arrays and octets. */
#include "legendre/simd/simd.h"
#include "radial/pixels/kernels/kernels.h"

enum { OCTET = ARMILLA_OCTET };

void ARMILLA_KERNEL(armilla_radial_kernel_interleave)(const double *const lane[OCTET],
                                                      const double scale[OCTET], int64_t count,
                                                      double *octets)
{
    int64_t j = 0;
    for (; j + VLEN <= count; j += VLEN)
        for (int part = 0; part < OCTET; part += VLEN) {
            vec v[VLEN];
            for (int i = 0; i < VLEN; i++)
                v[i] = v_mul(v_all(scale[part + i]), v_load_any(lane[part + i] + j));
            v_transpose(v);
            for (int i = 0; i < VLEN; i++) v_store(octets + (j + i) * OCTET + part, v[i]);
        }
    for (; j < count; j++)
        for (int k = 0; k < OCTET; k++) octets[j * OCTET + k] = scale[k] * lane[k][j];
}

void ARMILLA_KERNEL(armilla_radial_kernel_separate)(const double *octets, const double scale[OCTET],
                                                    int64_t count, double *const lane[OCTET])
{
    int64_t j = 0;
    for (; j + VLEN <= count; j += VLEN)
        for (int part = 0; part < OCTET; part += VLEN) {
            vec v[VLEN];
            for (int i = 0; i < VLEN; i++)
                v[i] = v_mul(v_load_any(scale + part), v_load(octets + (j + i) * OCTET + part));
            v_transpose(v);
            for (int i = 0; i < VLEN; i++) v_store_any(lane[part + i] + j, v[i]);
        }
    for (; j < count; j++)
        for (int k = 0; k < OCTET; k++) lane[k][j] = scale[k] * octets[j * OCTET + k];
}
