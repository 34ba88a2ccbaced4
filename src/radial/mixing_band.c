/* The band limit of a kernel K(angle) is that of its values along a great circle. On a ring p,
 * order m matters if on some ring q within the support
 *
 *     sin(theta_q) |K_m(theta_p, theta_q)|  >  3e-15 max over q of sin(theta_q) mean over phi |K|.
 *
 * What the orders beyond change is below 1e-14 of max|map| sum of w |K|, measured. The limit is a
 * concave function of sin(theta), about L sin(theta) + c (L sin(theta))^(1/3): found at knots, and
 * between the first two of them taken from above. */
#include "radial/mixing_band.h"

#include "base/memory.h"
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
    double *sine; /* sin^2(phi / 2) of half the circle */
    double *x, *values, *z, *scratch;
} circle;

static void clear_circle(circle *c)
{
    armilla_fft_free(c->fft);
    armilla_release(c->sine), armilla_release(c->x), armilla_release(c->values);
    armilla_release(c->z), armilla_release(c->scratch);
    c->fft = NULL, c->sine = c->x = c->values = c->z = c->scratch = NULL, c->n = 0;
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
        (status = armilla_allocate(&c->z, 2 * n, sizeof(double))) ||
        (status =
             armilla_allocate(&c->scratch, 2 * armilla_fft_scratch_size(c->fft), sizeof(double)))) {
        clear_circle(c);
        return status;
    }
    for (int64_t j = 0; j < c->half; j++) {
        const double h = sin(M_PI * (double)j / (double)n);
        c->sine[j] = h * h;
    }
    c->n = n;
    return ARMILLA_OK;
}

/* The samples of K between rings at p and q become real (part 0) or imaginary parts. Returned:
 * sin(q) times the sum of |K|. */
static double fill(const circle *c, double p, double q, int part)
{
    const double s = sin((p - q) / 2), sines = sin(p) * sin(q);
    double sum = 0;
    for (int64_t j = 0; j < c->half; j++) c->x[j] = s * s + sines * c->sine[j];
    armilla_mixing_kernel_values(c->kernels, c->profile, sin(q), c->half, c->x, c->values);
    for (int64_t j = 0; j < c->n; j++) {
        const double value = c->values[j < c->n - j ? j : c->n - j];
        c->z[2 * j + part] = value;
        sum += fabs(value);
    }
    return sum;
}

/* Rings q at equal distances from p on, to the support, towards the other pole. Returned: the last
 * order that matters; n / 2 if there is none to be seen. */
static int64_t last_order(const circle *c, double p)
{
    int64_t last = 0;
    double largest = 0;
    /* the transform of samples that are even is real: two at a time */
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < OTHERS; i += 2) {
            for (int part = 0; part < 2; part++) {
                const double q = p + c->profile->support * (i + part) / OTHERS;
                largest = fmax(largest, fill(c, p, fmin(q, M_PI), part));
            }
            if (round == 0) continue; /* the first one finds the scale */
            const double *z = armilla_fft_execute(c->fft, -1, c->z, c->scratch);
            for (int64_t m = c->n / 2; m > last; m--)
                if (fmax(fabs(z[2 * m]), fabs(z[2 * m + 1])) > threshold * largest) last = m;
        }
    return last;
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
    if (sine <= 0) return 0;
    if (place <= 1) return band->limit[1];
    const double slope = (double)(band->limit[i + 1] - band->limit[i]);
    return band->limit[i] + (int64_t)ceil(slope * (place - i)) + 2;
}
