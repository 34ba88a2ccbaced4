/* Beams that are sums of symmetric kernels at offsets, docs/mathematics.md (15.7):
 *
 *     b_lk = sum over kernels j of weight_j w_jl conj(Y_lk(offset_j))
 *
 * an adjoint synthesis at points times a window: at all of them if they share one. */
#include "armilla/alm.h"
#include "armilla/beam.h"
#include "armilla/points.h"
#include "base/directions.h"
#include "base/memory.h"
#include "beams/check.h"

#include <string.h>

typedef struct {
    int64_t count;
    const double *offsets, *weights;
    int64_t nwindows;
    const double *windows;
    int64_t lmax, kmax;
} kernels;

static armilla_status check(const kernels *k)
{
    const armilla_directions all = {"offsets", "offset", k->count, 2, k->offsets};
    armilla_status status = armilla_beams_check_band(k->lmax, k->kmax);
    if (status) return status;
    if (k->count < 1 || k->count >= (int64_t)1 << 32)
        return armilla_fail_argument("nkernels", k->count, "must be 1 to 2^32 - 1");
    if (k->nwindows != 1 && k->nwindows != k->count)
        return armilla_fail_argument("nwindows", k->nwindows, "must be 1 or nkernels");
    status = armilla_directions_check(&all);
    if (!status) status = armilla_check_finite("weights", k->count, 1, k->weights);
    return status ? status
                  : armilla_check_finite("windows", k->nwindows * (k->lmax + 1), 1, k->windows);
}

/* Kernels first .. first + count - 1, which share a window. */
static armilla_status make_some(const kernels *k, int64_t first, int64_t count, double *beam)
{
    const double *window = k->windows + (k->nwindows > 1 ? first * (k->lmax + 1) : 0);
    const armilla_status status = armilla_points_adjoint_evaluate(
        k->lmax, k->kmax, count, k->offsets + 2 * first, NULL, k->weights + first, beam, NULL);
    if (status) return status;
    return armilla_alm_multiply_window(k->lmax, k->kmax, k->lmax + 1, window, beam);
}

/* beam is written when nothing can fail any more. room: for two beams. */
static armilla_status add_each(const kernels *k, double *room, double *beam)
{
    const int64_t size = 2 * armilla_alm_size(k->lmax, k->kmax);
    double *sum = room, *one = room + size;
    armilla_status status = make_some(k, 0, 1, sum);
    for (int64_t j = 1; j < k->count && !status; j++) {
        status = make_some(k, j, 1, one);
        for (int64_t i = 0; i < size && !status; i++) sum[i] += one[i];
    }
    if (!status) memcpy(beam, sum, (size_t)size * sizeof *beam);
    return status;
}

armilla_status armilla_beam_sum_of_kernels(int64_t nkernels, const double *offsets,
                                           const double *weights, int64_t nwindows,
                                           const double *windows, int64_t lmax, int64_t kmax,
                                           double *beam)
{
    const kernels k = {nkernels, offsets, weights, nwindows, windows, lmax, kmax};
    double *room;
    armilla_status status = check(&k);
    if (!status) status = armilla_check_given("beam", beam);
    if (status) return status;
    if (nwindows == 1) return make_some(&k, 0, nkernels, beam);
    status = armilla_allocate(&room, 4 * armilla_alm_size(lmax, kmax), sizeof *room);
    if (!status) status = add_each(&k, room, beam);
    armilla_release(room);
    return status;
}
