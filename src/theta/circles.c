/* Tabulates for the kernels of the theta stage where the FFT of a circle of colatitudes takes the
 * sample of each ring, and where it leaves samples and frequencies; makes its roots of unity. */
#include "theta/circles.h"

#include "base/integer.h"
#include "base/memory.h"
#include "fft/lane_fft_plan.h"
#include "fft/roots.h"

static armilla_status make_roots(int64_t n, double **roots)
{
    armilla_status status = armilla_allocate(roots, 2 * (n / 2 + 1), sizeof(double));
    for (int64_t k = 0; k <= n / 2 && !status; k++) {
        armilla_root_of_unity(k, 2 * n, *roots + 2 * k);
        (*roots)[2 * k + 1] = -(*roots)[2 * k + 1];
    }
    return status;
}

/* Complex vector of a number of the result, and of the input. */
static int64_t output_place(const armilla_lane_fft *fft, int64_t number)
{
    return number / fft->length[0] * fft->step + number % fft->length[0];
}

static int64_t input_place(const armilla_lane_fft *fft, int64_t number)
{
    const int64_t n2 = fft->length[1];
    return fft->place[1][number % n2] * fft->step + fft->place[0][number / n2];
}

armilla_status armilla_theta_circle_make(int64_t n, int64_t band, int in_sequence,
                                         armilla_theta_circle *circle)
{
    armilla_status status = armilla_lane_fft_make(n, in_sequence, &circle->fft);
    if (status) return status;
    circle->last = armilla_larger(n, band);
    if ((status = make_roots(n, &circle->root)) ||
        (status = armilla_allocate(&circle->spot, circle->last + 1, sizeof *circle->spot)))
        return status;
    for (int64_t k = 0; k <= n; k++) circle->spot[k] = (int32_t)output_place(&circle->fft, k);
    for (int64_t k = n + 1; k <= band; k++) circle->spot[k] = circle->spot[k - 1] + 1;
    return ARMILLA_OK;
}

void armilla_theta_circle_clear(armilla_theta_circle *circle)
{
    armilla_lane_fft_clear(&circle->fft);
    armilla_release(circle->root);
    armilla_release(circle->spot);
    *circle = (armilla_theta_circle){.root = NULL};
}

int64_t armilla_theta_circle_bytes(const armilla_theta_circle *circle)
{
    const int64_t n = circle->fft.n;
    return armilla_lane_fft_bytes(&circle->fft) + (n + 2) * (int64_t)sizeof(double) +
           (circle->last + 1) * (int64_t)sizeof *circle->spot;
}

int64_t armilla_theta_circle_size(const armilla_theta_circle *circle)
{
    return circle->spot[circle->last] + 1;
}

/* A ring and its image as vectors: sample j is a part of complex number j / 2. */
static void set_ring(const armilla_lane_fft *fft, int64_t ring, int64_t first, int64_t half_shifted,
                     int32_t *input, int32_t *output)
{
    const int64_t length = 2 * fft->n, sample = ring + first;
    const int64_t places[2] = {sample, (length - sample - half_shifted) % length};
    for (int i = 0; i < 2; i++) {
        const int64_t number = places[i] / 2, part = places[i] % 2;
        input[i] = ring < 0 ? -1 : (int32_t)(2 * input_place(fft, number) + part);
        output[i] = ring < 0 ? -1 : (int32_t)(2 * output_place(fft, number) + part);
    }
}

armilla_status armilla_theta_samples_make(const armilla_theta_circle *circle,
                                          const armilla_ring_pairs *pairs, int64_t first,
                                          int64_t half_shifted, armilla_theta_samples *samples)
{
    armilla_status status;
    samples->npairs = pairs->count;
    if ((status = armilla_allocate(&samples->input, pairs->count, sizeof *samples->input)) ||
        (status = armilla_allocate(&samples->output, pairs->count, sizeof *samples->output)))
        return status;
    for (int64_t i = 0; i < pairs->count; i++) {
        int32_t *input = samples->input[i], *output = samples->output[i];
        set_ring(&circle->fft, pairs->north[i], first, half_shifted, input, output);
        set_ring(&circle->fft, pairs->south[i], first, half_shifted, input + 2, output + 2);
    }
    return ARMILLA_OK;
}

void armilla_theta_samples_clear(armilla_theta_samples *samples)
{
    armilla_release(samples->input);
    armilla_release(samples->output);
    *samples = (armilla_theta_samples){.npairs = 0};
}

int64_t armilla_theta_samples_bytes(const armilla_theta_samples *samples)
{
    return samples->npairs * (int64_t)(sizeof *samples->input + sizeof *samples->output);
}
