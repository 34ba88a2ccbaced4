/* Rings that are samples of a circle. For an even column E and an odd column O the circle has E + O
 * at theta and E - O at -theta. */
#include "theta/kernels/tile.h"

/* At a pole, which is its own image, the odd column is left out. */
ARMILLA_ALWAYS_INLINE void put(double *place, double *image, const double *ring)
{
    vec even = v_load(ring), odd = v_load(ring + 2 * VLEN);
    v_store(place, place == image ? even : v_add(even, odd));
    if (place != image) v_store(image, v_sub(even, odd));
}

ARMILLA_ALWAYS_INLINE void take(const double *place, const double *image, double *ring)
{
    vec a = v_load(place), b = v_load(image);
    v_store(ring, place == image ? a : v_add(a, b));
    v_store(ring + 2 * VLEN, v_sub(a, b));
}

void ARMILLA_KERNEL(armilla_theta_kernel_put)(const armilla_theta_samples *samples,
                                              const armilla_theta_rows *rows, double *circle,
                                              double *tile)
{
    for (int64_t begin = 0, end; begin < samples->npairs; begin = end) {
        end = tile_end(begin, samples->npairs);
        gather(rows, begin, end, tile);
        for (int64_t i = begin; i < end; i++) {
            const double *pair = tile + (i - begin) * PAIR;
            const int32_t *at = samples->input[i];
            if (at[0] >= 0) put(circle + at[0] * VLEN, circle + at[1] * VLEN, pair);
            if (at[2] >= 0) put(circle + at[2] * VLEN, circle + at[3] * VLEN, pair + VLEN);
        }
    }
}

void ARMILLA_KERNEL(armilla_theta_kernel_take)(const armilla_theta_samples *samples,
                                               const armilla_theta_rows *rows, const double *circle,
                                               double *tile)
{
    const int64_t least = rows->least / ARMILLA_THETA_TILE * ARMILLA_THETA_TILE;
    for (int64_t begin = least, end; begin < samples->npairs; begin = end) {
        end = tile_end(begin, samples->npairs);
        memset(tile, 0, ARMILLA_THETA_TILE * PAIR * sizeof *tile);
        for (int64_t i = begin; i < end; i++) {
            double *pair = tile + (i - begin) * PAIR;
            const int32_t *at = samples->output[i];
            if (at[0] >= 0) take(circle + at[0] * VLEN, circle + at[1] * VLEN, pair);
            if (at[2] >= 0) take(circle + at[2] * VLEN, circle + at[3] * VLEN, pair + VLEN);
        }
        scatter(rows, begin, end, tile);
    }
}
