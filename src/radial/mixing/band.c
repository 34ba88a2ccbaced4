/* The band limit of a kernel K(angle) is that of its values along a great circle. On a ring p,
 * order m matters if on some ring q within the support
 *
 *     sin(theta_q) |K_m(theta_p, theta_q)|  >  3e-15 max over q of sin(theta_q) mean over phi |K|.
 *
 * What the orders beyond change is below 1e-14 of max|map| sum of w |K|, measured. The limit is a
 * concave function of sin(theta), about L sin(theta) + c (L sin(theta))^(1/3): found at knots, and
 * between the first two of them taken from above. The equator's circle has a sample at the
 * antipode: kernels that jump shortly before it, and rotations of spin 2 that do around it, are
 * seen there. */
#include "radial/mixing/band.h"

#include "base/memory.h"
#include "base/real.h"
#include "fft/fft.h"

#include <math.h>
#include <string.h>

enum { KNOTS = ARMILLA_MIXING_KNOTS, OTHERS = 4, SHORTEST = 256 };
static const double threshold = 3e-15;

typedef struct {
    const armilla_mixing_kernels *kernels;
    const armilla_profile *profile;
    int64_t n, half; /* samples; of half the circle, both ends, in eights */
    armilla_fft *fft;
    double *sine;          /* sin^2(phi / 2) of half the circle */
    double *half_angle[2]; /* cos(phi / 2), sin(phi / 2): spin 2 */
    double *x, *values, *odd, *turn[2], *z, *scratch;
    double *sizes; /* of orders 0 .. n / 2: the largest on the rings looked at */
} circle;

static void clear_circle(circle *c)
{
    armilla_fft_free(c->fft);
    armilla_release(c->sine), armilla_release(c->x), armilla_release(c->values);
    armilla_release(c->odd), armilla_release(c->z), armilla_release(c->scratch);
    armilla_release(c->sizes);
    for (int i = 0; i < 2; i++) armilla_release(c->half_angle[i]), armilla_release(c->turn[i]);
    *c = (circle){.kernels = c->kernels, .profile = c->profile};
}

static armilla_status allocate_turn(circle *c)
{
    armilla_status status = ARMILLA_OK;
    for (int i = 0; i < 2 && !status; i++) {
        status = armilla_allocate(&c->half_angle[i], c->half, sizeof(double));
        if (!status) status = armilla_allocate(&c->turn[i], c->half, sizeof(double));
    }
    return status;
}

/* A circle of n samples; one that is there already stays. */
static armilla_status open_circle(int64_t n, circle *c)
{
    armilla_status status;
    if (c->n == n) return ARMILLA_OK;
    clear_circle(c);
    c->half = armilla_round_line(n / 2 + 1);
    if ((status = armilla_fft_new(n, &c->fft)) ||
        (status = armilla_allocate(&c->sine, c->half, sizeof(double))) ||
        (status = armilla_allocate(&c->x, c->half, sizeof(double))) ||
        (status = armilla_allocate(&c->values, c->half, sizeof(double))) ||
        (status = armilla_allocate_zero(&c->odd, c->half, sizeof(double))) ||
        (c->profile->turns && (status = allocate_turn(c))) ||
        (status = armilla_allocate(&c->z, 2 * n, sizeof(double))) ||
        (status = armilla_allocate(&c->sizes, n / 2 + 1, sizeof(double))) ||
        (status =
             armilla_allocate(&c->scratch, 2 * armilla_fft_scratch_size(c->fft), sizeof(double)))) {
        clear_circle(c);
        return status;
    }
    for (int64_t j = 0; j < c->half; j++) {
        const double h = sin(M_PI * (double)j / (double)n);
        c->sine[j] = h * h;
        if (!c->profile->turns) continue;
        c->half_angle[0][j] = cos(M_PI * (double)j / (double)n);
        c->half_angle[1][j] = h;
    }
    c->n = n;
    return ARMILLA_OK;
}

/* sin(q) times the kernel between rings at p and q on half the circle, even and odd part. */
static void find_values(const circle *c, double p, double q)
{
    const double s = sin((p - q) / 2), sines = sin(p) * sin(q);
    for (int64_t j = 0; j < c->half; j++) c->x[j] = s * s + sines * c->sine[j];
    armilla_mixing_kernel_values(c->kernels, c->profile, sin(q), c->half, c->x, c->values);
    if (!c->profile->turns) return;
    for (int64_t j = 0; j < c->half; j++) {
        c->turn[0][j] = cos((p - q) / 2) * c->half_angle[0][j];
        c->turn[1][j] = cos((p + q) / 2) * c->half_angle[1][j];
    }
    c->kernels->turn(c->half, c->turn[0], c->turn[1], c->values, c->odd);
}

/* The samples become z (part 0), or i times them are added (part 1). Returned: the sum of their
 * sizes. */
static double fill(const circle *c, double p, double q, int part)
{
    double sum = 0;
    find_values(c, p, q);
    for (int64_t j = 0; j < c->n; j++) {
        const int back = c->n - j < j;
        const double even = c->values[back ? c->n - j : j];
        const double odd = back ? -c->odd[c->n - j] : c->odd[j];
        c->z[2 * j] = part ? c->z[2 * j] - odd : even;
        c->z[2 * j + 1] = part ? c->z[2 * j + 1] + even : odd;
        sum += c->profile->turns ? hypot(even, odd) : fabs(even);
    }
    return sum;
}

/* The transform has, for m > 0, two sets of real coefficients, of spin 2 those of -m besides. */
static double size_of_order(const circle *c, const double *z, int64_t m)
{
    const int64_t back = c->profile->turns ? c->n - m : m;
    const double one = armilla_larger_real(fabs(z[2 * m]), fabs(z[2 * m + 1]));
    if (back == m) return one;
    const double other = armilla_larger_real(fabs(z[2 * back]), fabs(z[2 * back + 1]));
    return armilla_larger_real(one, other);
}

/* Rings q at equal distances from p on, to the support, towards the other pole. Returned: the last
 * order that matters; n / 2 if there is none to be seen. */
static int64_t last_order(const circle *c, double p)
{
    double largest = 0;
    memset(c->sizes, 0, (size_t)(c->n / 2 + 1) * sizeof *c->sizes);
    for (int i = 0; i < OTHERS; i += 2) {
        /* the transform of such samples is real: two at a time */
        for (int part = 0; part < 2; part++) {
            const double q = p + c->profile->support * (i + part) / OTHERS;
            largest = fmax(largest, fill(c, p, fmin(q, M_PI), part));
        }
        const double *z = armilla_fft_execute(c->fft, c->z, c->scratch);
        for (int64_t m = 1; m <= c->n / 2; m++)
            c->sizes[m] = armilla_larger_real(c->sizes[m], size_of_order(c, z, m));
    }
    int64_t last = c->n / 2;
    while (last > 0 && c->sizes[last] <= threshold * largest) last--;
    return last;
}

/* A kernel that jumps at its support has orders m of about jump / (pi m) on the equator, where its
 * mean is at most peak support / pi. Do they matter up to the last one that circles for `most` can
 * show? Not said of supports near pi, whose edges meet behind. */
static int jumps(const circle *c, int64_t most)
{
    const armilla_profile *profile = c->profile;
    _Alignas(64) double x[8], value[8];
    if (profile->support > 3) return 0;
    for (int i = 0; i < 8; i++) x[i] = profile->end * (1 - 1e-15);
    armilla_mixing_kernel_values(c->kernels, profile, 1, 8, x, value);
    return fabs(value[0]) / (2 * (double)most) > 4 * threshold * profile->peak * profile->support;
}

/* Doubles the circle until it holds the band. */
static armilla_status find_limit(circle *c, double p, int64_t n, int64_t most, int64_t *limit)
{
    armilla_status status;
    for (*limit = -1; *limit < 0 && n <= 4 * most; n *= 2) {
        if ((status = open_circle(n, c))) return status;
        const int64_t last = last_order(c, p);
        if (5 * last < 2 * n) *limit = last;
    }
    return ARMILLA_OK;
}

static int64_t power_of_two(double least)
{
    int64_t n = SHORTEST;
    while ((double)n < least) n *= 2;
    return n;
}

armilla_status armilla_mixing_band_find(const armilla_mixing_kernels *kernels,
                                        const armilla_profile *profile, int64_t most,
                                        armilla_mixing_band *band)
{
    circle c = {.kernels = kernels, .profile = profile};
    int64_t limit;
    memset(band, 0, sizeof *band);
    if (most < SHORTEST) most = SHORTEST;
    band->least = profile->turns ? 2 : 0;
    if (jumps(&c, most)) return ARMILLA_OK;
    armilla_status status = find_limit(&c, M_PI / 2, SHORTEST, most, &limit);
    const double whole = (double)limit;
    band->smooth = !status && limit >= 0;
    for (int i = KNOTS; i > 0 && band->smooth && !status; i--) {
        const double sine = (double)i / KNOTS, near = whole * sine;
        status = find_limit(&c, asin(sine), power_of_two(2.6 * (near + 8 * cbrt(near))), 4 * most,
                            &limit);
        if (limit < 0) band->smooth = 0;
        band->limit[i] = limit;
    }
    for (int i = 2; i <= KNOTS; i++)
        if (band->limit[i] < band->limit[i - 1]) band->limit[i] = band->limit[i - 1];
    band->limit[0] = band->limit[1];
    clear_circle(&c);
    return status;
}

int64_t armilla_mixing_band_limit(const armilla_mixing_band *band, double sine)
{
    const double place = sine * KNOTS;
    const int i = place < 1 ? 1 : place >= KNOTS ? KNOTS - 1 : (int)place;
    if (sine <= 0) return band->least;
    if (place <= 1) return band->limit[1];
    const double slope = (double)(band->limit[i + 1] - band->limit[i]);
    return band->limit[i] + (int64_t)ceil(slope * (place - i)) + 2;
}
