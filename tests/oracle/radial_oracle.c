/* Convolves with a radial kernel at one pixel by the sum over all pixels within the support, and
 * tells how much of the sum comes from pixels so near its edge that rounding decides on them. */
#include "oracle/radial_oracle.h"

#include "oracle/basics.h"
#include <math.h>
#include <stdlib.h>

static const long double pi = 3.14159265358979323846264338327950288L;

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
    oracle_kernel_values(o->kernel, f->count, f->theta, f->value);
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
