/* Exact quadrature over colatitude; docs/mathematics.md (5.7), (5.8).
 *
 * A ring spectrum F of order m and degree lmax is a trigonometric polynomial on the circle through
 * the poles, even for even m + spin, else odd. Its extension E F to the circle's P points (see
 * grid/equidistant.c) determines it. The integral of a product of two such functions,
 *
 *     integral_0^pi lambda F sin(theta) dtheta = 1/2 integral_0^2pi lambda F |sin(theta)| dtheta,
 *
 * has frequencies up to 2 lmax < P, twice of what P points integrate exactly; 2 P points do. Those
 * are the P points and the ones half way between, where S, trigonometric interpolation, gives F.
 * With D_0 and D_1 the weights of the 2 P points,
 *
 *     W = E^T (D_0 + S^T D_1 S) E 2 pi / nphi
 *     D(theta) = sum''_{|k| <= P} I_k cos(k theta) / 2 P,   I_k = 2 / (1 - k^2) for even k, else 0
 *
 * S is real: it drops the frequency P/2, which no function up to the exact lmax has, so that S^T is
 * the shift back and W is symmetric. E leaves a pole's sample out of odd functions, which vanish
 * there.
 *
 * D_0, D_1 and S commute with reflection at the poles. So an even and an odd column may share one
 * circle and be told apart afterwards, and real and imaginary parts share the complex FFT.
 * Reference: McEwen & Wiaux 2011, IEEE Trans. Signal Process. 59, 5876 (for MW, in other terms). */
#include "sht/theta_weights.h"
#include "base/memory.h"
#include "base/status.h"
#include "fft/fft.h"
#include "fft/roots.h"
#include "grid/equidistant.h"
#include "grid/grid.h"

#include <math.h>
#include <string.h>

struct armilla_theta_weights {
    int64_t nrings, spin;
    armilla_circle circle;
    armilla_fft *fft; /* of the circle's length */
    double *direct;   /* D_0 at the rings, times 2 pi / nphi and the number of images (1 or 2) */
    double *between;  /* D_1 at the P points half way between, times 2 pi / nphi */
    double *shift;    /* P complex numbers: exp(i pi k / P) / P, signed k, 0 for k = P/2 */
};

int armilla_theta_weights_needed(armilla_grid_kind kind)
{
    return kind == ARMILLA_GRID_CC || kind == ARMILLA_GRID_F1 || kind == ARMILLA_GRID_MW ||
           kind == ARMILLA_GRID_MWSS || kind == ARMILLA_GRID_MWFLIP;
}

static int is_pole(armilla_circle circle, int64_t ring)
{
    int64_t place = 2 * ring + circle.half_shifted;
    return place == 0 || place == circle.length;
}

/* Place on the circle of a ring's mirror image; a pole's is itself. */
static int64_t mirror(armilla_circle circle, int64_t ring)
{
    int64_t place = circle.length - ring - circle.half_shifted;
    return place == circle.length ? 0 : place;
}

static void fill_shift(int64_t length, double *shift)
{
    for (int64_t k = 0; k < length; k++) {
        double *factor = shift + 2 * k;
        int negative = 2 * k > length;
        armilla_root_of_unity(negative ? length - k : k, 2 * length, factor);
        factor[0] /= (double)length;
        factor[1] /= negative ? -(double)length : (double)length;
        if (2 * k == length) factor[0] = factor[1] = 0;
    }
}

/* D at the 2 P points pi j / P times scale, as the real part of data[0], data[1], ... */
static armilla_status sum_weights(int64_t length, double scale, double *data)
{
    armilla_fft *fft;
    double *scratch = NULL;
    armilla_status status = armilla_fft_new(2 * length, &fft);
    if (status) return status;
    status = armilla_allocate(&scratch, 2 * armilla_fft_scratch_size(fft), sizeof *scratch);
    if (!status) {
        memset(data, 0, (size_t)length * 4 * sizeof *data);
        for (int64_t k = 0; k <= length; k += 2) {
            double integral = 2 / (1 - (double)k * (double)k);
            int both_signs = k > 0 && k < length;
            data[2 * k] = scale * integral * (both_signs ? 2 : 1) / (double)(2 * length);
        }
        armilla_fft_backward(fft, data, scratch);
    }
    armilla_release(scratch);
    armilla_fft_free(fft);
    return status;
}

static armilla_status fill_weights(armilla_theta_weights *weights, double scale)
{
    armilla_circle circle = weights->circle;
    double *data;
    armilla_status status = armilla_allocate(&data, 4 * circle.length, sizeof *data);
    if (status) return status;
    status = sum_weights(circle.length, scale, data);
    for (int64_t r = 0; r < weights->nrings && !status; r++) {
        int64_t place = 2 * r + circle.half_shifted;
        weights->direct[r] = data[2 * place] * (is_pole(circle, r) ? 1 : 2);
    }
    for (int64_t j = 0; j < circle.length && !status; j++) {
        int64_t place = (2 * j + circle.half_shifted + 1) % (2 * circle.length);
        weights->between[j] = data[2 * place];
    }
    armilla_release(data);
    return status;
}

armilla_status armilla_theta_weights_new(const armilla_grid *grid, int64_t lmax, int64_t spin,
                                         armilla_theta_weights **weights)
{
    if (!armilla_theta_weights_needed(grid->kind))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "grid: %s has no theta weights",
                            armilla_grid_kind_name(grid->kind));
    armilla_status status = armilla_check_band_limit(lmax, 0);
    if (status) return status;
    armilla_theta_weights *made;
    status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) return status;
    made->nrings = grid->nrings;
    made->spin = spin;
    made->circle = armilla_grid_circle(grid->kind, grid->nrings);
    int64_t length = made->circle.length;
    status = armilla_fft_new(length, &made->fft);
    if (!status) status = armilla_allocate(&made->direct, made->nrings, sizeof(double));
    if (!status) status = armilla_allocate(&made->between, length, sizeof(double));
    if (!status) status = armilla_allocate(&made->shift, 2 * length, sizeof(double));
    if (!status) status = fill_weights(made, 2 * M_PI / (double)grid->rings[0].nphi);
    if (status) {
        armilla_theta_weights_free(made);
        return status;
    }
    fill_shift(length, made->shift);
    *weights = made;
    return ARMILLA_OK;
}

void armilla_theta_weights_free(armilla_theta_weights *weights)
{
    if (!weights) return;
    armilla_fft_free(weights->fft);
    armilla_release(weights->direct);
    armilla_release(weights->between);
    armilla_release(weights->shift);
    armilla_release(weights);
}

/* Complex numbers of the circle, rounded up so that the FFT's scratch behind it is aligned. */
static int64_t circle_size(const armilla_theta_weights *weights)
{
    return (weights->circle.length + 3) / 4 * 4;
}

int64_t armilla_theta_weights_scratch_size(const armilla_theta_weights *weights)
{
    return 2 * (circle_size(weights) + armilla_fft_scratch_size(weights->fft));
}

int64_t armilla_theta_weights_bytes(const armilla_theta_weights *weights)
{
    int64_t doubles = weights->nrings + 3 * weights->circle.length;
    return (int64_t)sizeof *weights + doubles * (int64_t)sizeof(double);
}

/* Adds E column to the circle. */
static void extend(const armilla_theta_weights *weights, int odd, const double *column,
                   double *circle)
{
    double sign = odd ? -1 : 1;
    for (int64_t r = 0; r < weights->nrings; r++) {
        int64_t image = mirror(weights->circle, r);
        if (image == r && odd) continue;
        for (int part = 0; part < 2; part++) {
            circle[2 * r + part] += column[2 * r + part];
            if (image != r) circle[2 * image + part] += sign * column[2 * r + part];
        }
    }
}

/* column <- direct column + E^T circle */
static void fold(const armilla_theta_weights *weights, int odd, const double *circle,
                 double *column)
{
    double sign = odd ? -1 : 1;
    for (int64_t r = 0; r < weights->nrings; r++) {
        int64_t image = mirror(weights->circle, r);
        for (int part = 0; part < 2; part++) {
            double value = weights->direct[r] * column[2 * r + part] + circle[2 * r + part];
            if (image != r) value += sign * circle[2 * image + part];
            column[2 * r + part] = image == r && odd ? 0 : value;
        }
    }
}

/* S (sign = 1) or S^T (sign = -1) on the circle. */
static void interpolate(const armilla_theta_weights *weights, double sign, double *circle,
                        double *scratch)
{
    const double *shift = weights->shift;
    armilla_fft_forward(weights->fft, circle, scratch);
    for (int64_t k = 0; k < weights->circle.length; k++) {
        double re = circle[2 * k], im = circle[2 * k + 1];
        double c = shift[2 * k], s = sign * shift[2 * k + 1];
        circle[2 * k] = re * c - im * s;
        circle[2 * k + 1] = re * s + im * c;
    }
    armilla_fft_backward(weights->fft, circle, scratch);
}

static void apply(const armilla_theta_weights *weights, int odd, double *column, double *opposite,
                  double *scratch)
{
    int64_t length = weights->circle.length;
    double *circle = scratch, *fft_scratch = scratch + 2 * circle_size(weights);
    memset(circle, 0, (size_t)length * 2 * sizeof *circle);
    extend(weights, odd, column, circle);
    if (opposite) extend(weights, !odd, opposite, circle);
    interpolate(weights, 1, circle, fft_scratch);
    for (int64_t j = 0; j < length; j++) {
        circle[2 * j] *= weights->between[j];
        circle[2 * j + 1] *= weights->between[j];
    }
    interpolate(weights, -1, circle, fft_scratch);
    fold(weights, odd, circle, column);
    if (opposite) fold(weights, !odd, circle, opposite);
}

void armilla_theta_weights_apply(const armilla_theta_weights *weights, int64_t m, double *column,
                                 double *scratch)
{
    apply(weights, (m + weights->spin) % 2 != 0, column, NULL, scratch);
}

void armilla_theta_weights_apply_pair(const armilla_theta_weights *weights, int64_t m,
                                      double *column, double *next_column, double *scratch)
{
    apply(weights, (m + weights->spin) % 2 != 0, column, next_column, scratch);
}
