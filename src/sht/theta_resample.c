/* Resampling in theta (docs/mathematics.md 6).
 *
 * With N = 2 n samples of the coarse circle, M of a finer one and a kernel phi of w samples,
 *
 *     C_k = (1 / N) sum_j x_j exp(-2 pi i j k / N) / phihat(k),        |k| <= lmax < N / 2
 *     y_j = sum_k C_k exp(2 pi i j k / M),         F(theta) = sum_j phi(theta M / 2 pi - j) y_j.
 *
 * phi is the Kaiser-Bessel window
 *
 *     phi(x) = I_0(beta sqrt(1 - (2 x / w)^2)),    phihat(k) = w sinh(s) / s,
 *     s^2 = beta^2 - (pi w k / M)^2,  beta = 0.99 pi w (1 - 1 / (2 sigma)),  sigma = M / (2 lmax).
 *
 * Its aliases are about exp(-pi w sqrt(1 - 1 / sigma)), measured 2e-15 rms for the w chosen here;
 * the division by phihat amplifies rounding by 190 at k = lmax for sigma = 1.5, by 8 for 2.
 * The kernel is evaluated only here, once per ring and sample: no order enters.
 *
 * Scratch: circle with margins | coefficients | work of the transforms | stage. The circle takes
 * the samples of both sides, one after the other.
 * Reference: Fourmont 2003, J. Fourier Anal. Appl. 9, 431; docs/mathematics.md 6. */
#include "sht/theta_resample.h"
#include "base/memory.h"
#include "fft/lane_fft_plan.h"
#include "fft/roots.h"
#include "sht/kernels/theta_kernels.h"
#include "sht/theta_kernel_table.h"
#include "sht/theta_window.h"

#include <math.h>
#include <string.h>

struct armilla_theta_resample {
    const armilla_theta_kernels *kernels;
    int64_t lmax, spin;
    armilla_lane_fft coarse, fine;
    double *coarse_root, *fine_root, *factor;
    armilla_theta_rings rings;
};

/* Smallest length for the coarse circle that can be transformed. */
static int64_t coarse_length(int64_t lmax)
{
    int64_t n = lmax + 1;
    while (!armilla_lane_fft_possible(n)) n++;
    return n;
}

int64_t armilla_theta_resample_rings(int64_t lmax)
{
    return coarse_length(lmax) + 1;
}

/* A column of degree l has the coefficients d^l_{mk}(pi/2) d^l_{ks}(pi/2), small for
 * k^2 + m^2 > l^2. The exponent of the decay, an integral over the barrier, passes 38 before
 * k^2 + m^2 = L^2 + 15.3 L^(4/3), L = l + 1, for all L and m (evaluated for L = 65 to 16385). */
int64_t armilla_theta_resample_band(int64_t lmax, int64_t m)
{
    double l = (double)lmax + 1, power = l * cbrt(l), order = (double)m;
    double band = ceil(sqrt(fmax(0, l * l - order * order) + 16 * power));
    return band < (double)lmax ? (int64_t)band : lmax;
}

/* Length of the fine circle: the cheapest with 1.5 <= sigma <= 2. In lengths of the transform,
 * M / 2 numbers. */
static int64_t fine_length(int64_t lmax, int64_t npairs)
{
    int64_t least = (3 * lmax + 1) / 2 < 32 ? 32 : (3 * lmax + 1) / 2, best = 0;
    double best_cost = INFINITY;
    for (int64_t n = least; n <= least + least / 3 || !best; n++) {
        if (!armilla_lane_fft_possible(n)) continue;
        armilla_theta_window window = armilla_theta_window_choose(lmax, 2 * n);
        double taps = (double)window.taps + 1, join = 20 * (double)n;
        double cost = armilla_lane_fft_cost(n) + join + 5 * (double)npairs * taps;
        if (cost >= best_cost) continue;
        best = n;
        best_cost = cost;
    }
    return best;
}

static armilla_status make_roots(int64_t n, double **roots)
{
    armilla_status status = armilla_allocate(roots, 2 * (n / 2 + 1), sizeof(double));
    for (int64_t k = 0; k <= n / 2 && !status; k++) {
        armilla_root_of_unity(k, 2 * n, *roots + 2 * k);
        (*roots)[2 * k + 1] = -(*roots)[2 * k + 1];
    }
    return status;
}

/* Halves: one of the packing of real numbers, one of telling even and odd apart. */
static armilla_status make_factors(armilla_theta_resample *made, const armilla_theta_window *window)
{
    armilla_status status = armilla_allocate(&made->factor, made->lmax + 1, sizeof(double));
    for (int64_t k = 0; k <= made->lmax && !status; k++)
        made->factor[k] = (double)(0.25L / (long double)(2 * made->coarse.n) /
                                   armilla_theta_window_transform(window, k));
    return status;
}

/* First sample within reach of a colatitude. */
static int64_t first_sample(const armilla_theta_window *window, double theta)
{
    return (int64_t)ceill(armilla_theta_window_position(window, theta) -
                          0.5L * (long double)window->taps);
}

static void fill_weights(const armilla_theta_window *window, double theta, int64_t place,
                         double *weights, int64_t taps)
{
    long double position = armilla_theta_window_position(window, theta);
    for (int64_t tap = 0; tap < taps; tap++) {
        long double distance = position - (long double)(place + tap);
        weights[ARMILLA_THETA_GROUP * tap] = (double)armilla_theta_window_value(window, distance);
    }
}

/* Neighbours share a group if one more sample than one ring needs covers both. */
static void fill_rings(const armilla_theta_window *window, const double *theta,
                       armilla_theta_rings *rings)
{
    int64_t pair = 0, group = 0;
    while (pair < rings->npairs) {
        double *weights = rings->weights + group * rings->taps * ARMILLA_THETA_GROUP;
        int64_t place = first_sample(window, theta[pair]), next = place + 2;
        if (pair + 1 < rings->npairs) next = first_sample(window, theta[pair + 1]);
        int together = next >= place - 1 && next <= place + 1;
        if (next < place && together) place = next;
        rings->first[group] = pair;
        rings->place[group] = place;
        for (int i = 0; i <= together; i++)
            fill_weights(window, theta[pair + i], place, weights + i, rings->taps);
        pair += 1 + together;
        rings->first[++group] = pair;
    }
    rings->ngroups = group;
}

static armilla_status make_rings(const armilla_theta_window *window, int64_t npairs,
                                 const double *theta, armilla_theta_rings *rings)
{
    rings->npairs = npairs;
    rings->length = window->length;
    rings->taps = window->taps + 1;
    rings->margin = (window->taps / 2 + 2 + 7) / 8 * 8;
    armilla_status status = armilla_allocate_zero(&rings->first, npairs + 1, sizeof(int64_t));
    if (!status) status = armilla_allocate(&rings->place, npairs, sizeof(int64_t));
    if (!status)
        status = armilla_allocate_zero(&rings->weights, npairs * rings->taps * ARMILLA_THETA_GROUP,
                                       sizeof(double));
    if (!status) fill_rings(window, theta, rings);
    return status;
}

static armilla_status check_arguments(int64_t npairs, const double *theta, int64_t lmax)
{
    armilla_status status = armilla_check_band_limit(lmax, 0);
    if (!status && npairs < 0) status = armilla_fail_argument("npairs", npairs, "must not be < 0");
    for (int64_t i = 0; i < npairs && !status; i++)
        if (!(theta[i] >= 0 && theta[i] <= M_PI_2 + 4.5e-16))
            status = armilla_fail(ARMILLA_ERROR_ARGUMENT, "theta[%lld] = %g: must be 0 to pi / 2",
                                  (long long)i, theta[i]);
    return status;
}

/* All that depends on the fine circle. */
static armilla_status make_fine(armilla_theta_resample *made, int64_t npairs, const double *theta)
{
    int64_t fine = fine_length(made->lmax, npairs);
    armilla_theta_window window = armilla_theta_window_choose(made->lmax, 2 * fine);
    armilla_status status = armilla_lane_fft_make(fine, 0, &made->fine);
    if (!status) status = make_roots(fine, &made->fine_root);
    if (!status) status = make_factors(made, &window);
    return status ? status : make_rings(&window, npairs, theta, &made->rings);
}

armilla_status armilla_theta_resample_new(armilla_isa isa, int64_t npairs, const double *theta,
                                          int64_t lmax, int64_t spin,
                                          armilla_theta_resample **resample)
{
    armilla_theta_resample *made;
    armilla_status status = check_arguments(npairs, theta, lmax);
    if (!status) status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) return status;
    made->kernels = armilla_theta_kernels_find(isa);
    made->lmax = lmax;
    made->spin = spin;
    status = armilla_lane_fft_make(coarse_length(lmax), 0, &made->coarse);
    if (!status) status = make_roots(made->coarse.n, &made->coarse_root);
    /* Only now: where there is no memory for lmax, the search would take minutes to no end. */
    if (!status) status = make_fine(made, npairs, theta);
    if (status)
        armilla_theta_resample_free(made);
    else
        *resample = made;
    return status;
}

void armilla_theta_resample_free(armilla_theta_resample *resample)
{
    if (!resample) return;
    armilla_lane_fft_clear(&resample->coarse);
    armilla_lane_fft_clear(&resample->fine);
    armilla_release(resample->coarse_root);
    armilla_release(resample->fine_root);
    armilla_release(resample->factor);
    armilla_release(resample->rings.first);
    armilla_release(resample->rings.place);
    armilla_release(resample->rings.weights);
    armilla_release(resample);
}

int64_t armilla_theta_resample_coarse_rings(const armilla_theta_resample *resample)
{
    return resample->coarse.n + 1;
}

int64_t armilla_theta_resample_batch(const armilla_theta_resample *resample)
{
    return resample->kernels->vector_length < 2 ? 2 : resample->kernels->vector_length;
}

/* Parts of the scratch, doubles. */
typedef struct {
    int64_t circle, coefficients, work, stage;
} scratch_sizes;

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t longest_half(const armilla_lane_fft *fft)
{
    return larger(fft->length[0], fft->length[1]);
}

static scratch_sizes get_sizes(const armilla_theta_resample *resample)
{
    int64_t vector = resample->kernels->vector_length, unit = 2 * vector;
    int64_t n = larger(resample->coarse.n, resample->fine.n);
    int64_t half = larger(longest_half(&resample->coarse), longest_half(&resample->fine));
    scratch_sizes sizes = {.circle = 2 * vector * (n + resample->rings.margin),
                           .coefficients = unit * n,
                           .work = unit * 4 * half,
                           .stage = 4 * vector * ARMILLA_THETA_BLOCK};
    int64_t *parts[] = {&sizes.circle, &sizes.coefficients, &sizes.work, &sizes.stage};
    for (int i = 0; i < 4; i++) *parts[i] = armilla_round_line(*parts[i]);
    return sizes;
}

int64_t armilla_theta_resample_scratch_size(const armilla_theta_resample *resample)
{
    scratch_sizes sizes = get_sizes(resample);
    return sizes.circle + sizes.coefficients + sizes.work + sizes.stage;
}

int64_t armilla_theta_resample_bytes(const armilla_theta_resample *resample)
{
    const armilla_theta_rings *rings = &resample->rings;
    int64_t roots = resample->coarse.n / 2 + resample->fine.n / 2 + 2;
    int64_t entries = 2 * roots + resample->lmax + 1 + 2 * rings->npairs + 1 +
                      rings->npairs * rings->taps * ARMILLA_THETA_GROUP;
    return (int64_t)sizeof *resample + entries * (int64_t)sizeof(double) +
           armilla_lane_fft_bytes(&resample->coarse) + armilla_lane_fft_bytes(&resample->fine);
}

/* A call's view of its scratch. */
typedef struct {
    double *circle, *coefficients, *work, *stage;
    int64_t margin; /* doubles */
    int64_t length;
} workspace;

static workspace cut_scratch(const armilla_theta_resample *resample, double *scratch)
{
    int64_t vector = resample->kernels->vector_length;
    scratch_sizes sizes = get_sizes(resample);
    workspace space = {.margin = resample->rings.margin * vector,
                       .length = resample->rings.length * vector};
    space.circle = scratch + space.margin;
    space.coefficients = scratch + sizes.circle;
    space.work = space.coefficients + sizes.coefficients;
    space.stage = space.work + sizes.work;
    return space;
}

/* The rows behind the lanes first_lane, first_lane + 1, ...; lanes 2 i and 2 i + 1 are the real and
 * the imaginary part of orders m + 2 i and m + 2 i + 1. */
static armilla_theta_rows choose_rows(const armilla_theta_resample *resample, int64_t m,
                                      int64_t norders, int64_t first_lane,
                                      const armilla_theta_side *side)
{
    const int length = resample->kernels->vector_length, chunk = length > 1 ? 2 : 1;
    armilla_theta_rows rows = {.places = side->places, .first = side->first};
    for (int i = 0; i < length / chunk; i++) {
        int64_t lane = first_lane + i * chunk, index = lane / 2 * 2;
        for (int next = 0; next < 2; next++) {
            int odd = (m + resample->spin + next) % 2 != 0;
            if (index + next >= norders) continue;
            rows.row[odd][i] = side->rows + (index + next) * side->row_length + lane % 2;
        }
    }
    return rows;
}

/* Both ends of the circle go on beyond its margins. */
static void copy_margins(const workspace *space)
{
    size_t bytes = (size_t)space->margin * sizeof(double);
    memcpy(space->circle - space->margin, space->circle + space->length - space->margin, bytes);
    memcpy(space->circle + space->length, space->circle, bytes);
}

static void add_margins(const workspace *space)
{
    double *begin = space->circle, *end = space->circle + space->length;
    for (int64_t i = 0; i < space->margin; i++) {
        begin[i] += end[i];
        end[i - space->margin] += begin[i - space->margin];
    }
}

void armilla_theta_resample_forward(const armilla_theta_resample *resample, int64_t m,
                                    int64_t norders, const armilla_theta_side *coarse,
                                    const armilla_theta_side *fine, double *scratch)
{
    const armilla_theta_kernels *kernels = resample->kernels;
    const armilla_theta_spectrum spectrum = {.from = &resample->coarse,
                                             .to = &resample->fine,
                                             .from_root = resample->coarse_root,
                                             .to_root = resample->fine_root,
                                             .factor = resample->factor,
                                             .band = resample->lmax};
    workspace space = cut_scratch(resample, scratch);
    for (int64_t lane = 0; lane < (norders + 1) / 2 * 2; lane += kernels->vector_length) {
        armilla_theta_rows from = choose_rows(resample, m, norders, lane, coarse);
        armilla_theta_rows to = choose_rows(resample, m, norders, lane, fine);
        kernels->extend(resample->coarse.n, &from, space.circle, space.stage);
        kernels->transform(&spectrum, space.circle, space.coefficients, space.circle, space.work);
        copy_margins(&space);
        kernels->interpolate(&resample->rings, &to, space.circle, space.stage);
    }
}

void armilla_theta_resample_adjoint(const armilla_theta_resample *resample, int64_t m,
                                    int64_t norders, const armilla_theta_side *fine,
                                    const armilla_theta_side *coarse, double *scratch)
{
    const armilla_theta_kernels *kernels = resample->kernels;
    const armilla_theta_spectrum spectrum = {.from = &resample->fine,
                                             .to = &resample->coarse,
                                             .from_root = resample->fine_root,
                                             .to_root = resample->coarse_root,
                                             .factor = resample->factor,
                                             .band = resample->lmax};
    workspace space = cut_scratch(resample, scratch);
    for (int64_t lane = 0; lane < (norders + 1) / 2 * 2; lane += kernels->vector_length) {
        armilla_theta_rows from = choose_rows(resample, m, norders, lane, fine);
        armilla_theta_rows to = choose_rows(resample, m, norders, lane, coarse);
        memset(space.circle - space.margin, 0,
               (size_t)(space.length + 2 * space.margin) * sizeof(double));
        kernels->spread(&resample->rings, &from, space.circle, space.stage);
        add_margins(&space);
        kernels->transform(&spectrum, space.circle, space.coefficients, space.circle, space.work);
        kernels->fold(resample->coarse.n, &to, space.circle, space.stage);
    }
}
