/* See radial_oracle.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/radial_oracle.h"

#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>

static const long double pi = 3.14159265358979323846264338327950288L;

/* --- Kernels ---------------------------------------------------------------------------------- */

void radial_library_values(const void *kernel, int64_t count, const double *theta, double *values)
{
    check_ok(armilla_kernel_values(kernel, count, theta, values));
}

/* Of the sum over l: terms, and the recurrence (l + 1) P_(l+1) = (2 l + 1) x P_l - l P_(l-1).
 * power 0: Gaussian beam; 1: Mexican hat. It ends where terms are below 1e-24 of the largest. */
typedef struct {
    double fwhm;
    int power;
    int64_t count;
    long double *term, *forth, *back;
} legendre_sum;

static legendre_sum new_sum(double fwhm, int power)
{
    const long double sigma = fwhm / sqrtl(8 * logl(2));
    legendre_sum s = {fwhm, power, (int64_t)(10.6L / sigma) + 3, NULL, NULL, NULL};
    s.term = checked_malloc(3 * s.count, sizeof *s.term);
    s.forth = s.term + s.count, s.back = s.forth + s.count;
    for (int64_t l = 0; l < s.count; l++) {
        const long double degree = (long double)l, square = degree * (degree + 1) * sigma * sigma;
        s.term[l] = (2 * degree + 1) / (4 * pi) * (power ? square : 1) * expl(-square / 2);
        s.forth[l] = (2 * degree + 1) / (degree + 1);
        s.back[l] = degree / (degree + 1);
    }
    return s;
}

static long double summed(const legendre_sum *s, long double theta)
{
    const long double cosine = cosl(theta);
    long double before = 0, now = 1, sum = 0;
    for (int64_t l = 0; l < s->count; l++) {
        sum += s->term[l] * now;
        const long double next = s->forth[l] * cosine * now - s->back[l] * before;
        before = now;
        now = next;
    }
    return sum;
}

/* Tables are kept for the next call, which mostly asks for the same kernel. */
static void beam_values(const double *fwhm, int power, int64_t count, const double *theta,
                        double *values)
{
    static legendre_sum kept;
    if (kept.fwhm != *fwhm || kept.power != power) {
        free(kept.term);
        kept = new_sum(*fwhm, power);
    }
    for (int64_t i = 0; i < count; i++) values[i] = (double)summed(&kept, theta[i]);
}

void radial_gaussian_values(const void *kernel, int64_t count, const double *theta, double *values)
{
    beam_values(kernel, 0, count, theta, values);
}

void radial_mexican_hat_values(const void *kernel, int64_t count, const double *theta,
                               double *values)
{
    beam_values(kernel, 1, count, theta, values);
}

/* --- Angles ----------------------------------------------------------------------------------- */

static long double squared_sine(long double angle)
{
    const long double sine = sinl(angle);
    return sine * sine;
}

/* sin^2 of half the difference in longitude. */
static long double longitudes_apart(const armilla_ring *a, int64_t i, const armilla_ring *b,
                                    int64_t j)
{
    const long double turns =
        (long double)(i * b->nphi - j * a->nphi) / (long double)a->nphi / (long double)b->nphi;
    return squared_sine(((long double)a->phi0 - b->phi0) / 2 + pi * turns);
}

static long double angle_of(const armilla_ring *a, const armilla_ring *b, long double sine_product,
                            long double apart)
{
    const long double square =
        squared_sine(((long double)a->theta - b->theta) / 2) + sine_product * apart;
    return 2 * asinl(sqrtl(square < 1 ? square : 1));
}

long double oracle_radial_angle(const armilla_ring *a, int64_t i, const armilla_ring *b, int64_t j)
{
    return angle_of(a, b, sinl(a->theta) * sinl(b->theta), longitudes_apart(a, i, b, j));
}

/* --- Sums ------------------------------------------------------------------------------------- */

typedef struct {
    int64_t count;
    double *theta, *value;
    int64_t *pixel;
    char *tie;
} found; /* pixels of a ring within the support */

static found new_found(int64_t most)
{
    return (found){0, checked_malloc(most, 8), checked_malloc(most, 8), checked_malloc(most, 8),
                   checked_malloc(most, 1)};
}

static void free_found(found *f)
{
    free(f->theta);
    free(f->value);
    free(f->pixel);
    free(f->tie);
}

static void find(const radial_oracle *o, const armilla_ring *from, int64_t pixel,
                 const armilla_ring *ring, found *f)
{
    const long double product = sinl(from->theta) * sinl(ring->theta);
    const int everything = o->support >= (double)pi;
    f->count = 0;
    if (fabs(from->theta - ring->theta) > o->support * (1 + 1e-9)) return;
    for (int64_t j = 0; j < ring->nphi; j++) {
        const long double angle =
            angle_of(from, ring, product, longitudes_apart(from, pixel, ring, j));
        const long double beyond = angle / o->support - 1;
        if (beyond > 1e-12L && !everything) continue;
        f->theta[f->count] = fmin((double)angle, M_PI);
        f->tie[f->count] = beyond > -1e-12L && !everything;
        f->pixel[f->count++] = ring->offset + j * ring->stride;
    }
    o->values(o->kernel, f->count, f->theta, f->value);
}

static void add(const radial_oracle *o, const armilla_ring *ring, const found *f, const double *map,
                const double *v, radial_sum *sum)
{
    const long double weight = o->factor * (o->adjoint ? 1 : ring->weight);
    for (int64_t i = 0; i < f->count; i++) {
        const int64_t q = f->pixel[i];
        if (v && v[q] == 0) continue;
        const long double one = weight * f->value[i] * (v ? v[q] : 1), many = map ? map[q] : 1;
        sum->value += one * many;
        sum->divisor += one;
        sum->size += fabsl(one);
        if (!f->tie[i]) continue;
        sum->tie += fabsl(one * many);
        sum->ties += fabsl(one);
    }
}

static int64_t longest(const radial_oracle *o)
{
    int64_t most = 1;
    for (int64_t r = 0; r < o->nrings; r++)
        if (o->rings[r].nphi > most) most = o->rings[r].nphi;
    return most;
}

radial_sum oracle_radial_sum(const radial_oracle *oracle, int64_t ring, int64_t pixel,
                             const double *map, const double *v)
{
    radial_sum sum = {0};
    found f = new_found(longest(oracle));
    for (int64_t r = 0; r < oracle->nrings; r++) {
        find(oracle, &oracle->rings[ring], pixel, &oracle->rings[r], &f);
        add(oracle, &oracle->rings[r], &f, map, v, &sum);
    }
    free_found(&f);
    return sum;
}

/* --- Integral --------------------------------------------------------------------------------- */

enum { NODES = 16, PANELS = 400 };

/* 2 pi integral of K sin(theta) from low to high by PANELS Gauss rules. */
static long double piece(radial_values values, const void *kernel, const armilla_ring *rule,
                         long double low, long double high)
{
    const long double half = (high - low) / (2 * PANELS);
    long double sum = 0;
    for (int panel = 0; panel < PANELS; panel++) {
        double theta[NODES], value[NODES];
        for (int i = 0; i < NODES; i++)
            theta[i] = (double)(low + half * (2 * panel + 1 + cosl(rule[i].theta)));
        values(kernel, NODES, theta, value);
        for (int i = 0; i < NODES; i++)
            sum += (long double)rule[i].weight * half * value[i] * sinl(theta[i]);
    }
    return sum; /* the weights add up to 4 pi, twice 2 pi */
}

long double oracle_radial_integral(radial_values values, const void *kernel, double support,
                                   int64_t nbreaks, const double *breaks)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(NODES, 1, &grid));
    armilla_ring *rule = grid_rings(grid);
    long double sum = 0, low = 0;
    for (int64_t i = 0; i <= nbreaks; i++) {
        const double high = i < nbreaks && breaks[i] < support ? breaks[i] : support;
        if (high > low) sum += piece(values, kernel, rule, low, high);
        low = high > low ? (long double)high : low;
    }
    free(rule);
    armilla_grid_free(grid);
    return sum;
}
