/* Reads and writes the samples of one ring, in a map of doubles or floats with any stride, as the
 * real or the imaginary parts of an array of complex numbers. */
#include "ringfft/samples.h"

void armilla_samples_write(armilla_array map, const armilla_ring *ring, double scale,
                           const double *buffer)
{
    const int64_t n = ring->nphi, stride = ring->stride;
    if (map.is_float) {
        float *values = (float *)map.values + ring->offset;
        for (int64_t j = 0; j < n; j++) values[j * stride] = (float)(scale * buffer[2 * j]);
    } else if (stride == 1) {
        double *values = (double *)map.values + ring->offset;
        for (int64_t j = 0; j < n; j++) values[j] = scale * buffer[2 * j];
    } else {
        double *values = (double *)map.values + ring->offset;
        for (int64_t j = 0; j < n; j++) values[j * stride] = scale * buffer[2 * j];
    }
}

void armilla_samples_add(armilla_array map, const armilla_ring *ring, double scale,
                         const double *buffer)
{
    for (int64_t j = 0; j < ring->nphi; j++) {
        int64_t index = ring->offset + j * ring->stride;
        if (map.is_float)
            ((float *)map.values)[index] += (float)(scale * buffer[2 * j]);
        else
            ((double *)map.values)[index] += scale * buffer[2 * j];
    }
}

void armilla_samples_read(armilla_array map, const armilla_ring *ring, int64_t n, double *buffer)
{
    if (!ring) {
        for (int64_t j = 0; j < n; j++) buffer[2 * j] = 0;
    } else if (map.is_float) {
        const float *values = (const float *)map.values + ring->offset;
        for (int64_t j = 0; j < n; j++) buffer[2 * j] = (double)values[j * ring->stride];
    } else {
        const double *values = (const double *)map.values + ring->offset;
        for (int64_t j = 0; j < n; j++) buffer[2 * j] = values[j * ring->stride];
    }
}
