/* Tabulates exp(i m phi) on a ring for the slow transforms of the oracles: roots of unity of its
 * samples and the turn of each order by phi0, which are multiplied when a value is asked for. */
#include "oracle/ring_waves.h"

#include "oracle/basics.h"
#include <math.h>
#include <stdlib.h>

ring_waves new_ring_waves(const armilla_ring *ring, int64_t last)
{
    const long double pi = 3.14159265358979323846264338L, phi0 = (long double)ring->phi0;
    const double half = ring->phi0 * (double)ring->nphi / M_PI;
    ring_waves w = {ring->nphi, -1, checked_malloc(4 * ring->nphi, sizeof(long double)),
                    checked_malloc(2 * (last + 1), sizeof(long double))};
    if (fabs(half - nearbyint(half)) < 1e-12) w.half = (int64_t)nearbyint(half);
    for (int64_t k = 0; k < 2 * w.n; k++) {
        w.root[2 * k] = cosl(pi * k / w.n);
        w.root[2 * k + 1] = sinl(pi * k / w.n);
    }
    for (int64_t m = 0; m <= last; m++) {
        w.turn[2 * m] = cosl(m * phi0);
        w.turn[2 * m + 1] = sinl(m * phi0);
    }
    return w;
}

void free_ring_waves(ring_waves *waves)
{
    free(waves->root);
    free(waves->turn);
}

void ring_wave(const ring_waves *waves, int64_t m, int64_t j, long double wave[2])
{
    const int64_t shift = waves->half < 0 ? 0 : waves->half;
    const long double *root = waves->root + 2 * (m * (shift + 2 * j) % (2 * waves->n));
    const long double *turn = waves->turn + 2 * m;
    wave[0] = root[0], wave[1] = root[1];
    if (waves->half >= 0) return;
    wave[0] = root[0] * turn[0] - root[1] * turn[1];
    wave[1] = root[0] * turn[1] + root[1] * turn[0];
}
