/* Convolves Q + i U with a radial kernel at one pixel by the sum over all pixels: carries the axes
 * of each there by a rotation of space along their great circle, and measures by which angle they
 * arrive turned. */
#include "oracle/turned_oracle.h"

#include "oracle/basics.h"
#include <math.h>
#include <stdlib.h>

static const long double pi = 3.14159265358979323846264338327950288L;

/* --- Kernels ---------------------------------------------------------------------------------- */

/* d^(l+1) ((l + 1)^2 - 4) = (2 l + 1) (l + 1) (cos theta - 4 / (l (l + 1))) d^l
 *                           - (l + 1) / l (l^2 - 4) d^(l-1),    d^2 = ((1 + cos theta) / 2)^2
 *
 * d^(l+1) = (step[0] cos theta - step[1]) d^l - step[2] d^(l-1) */
static turned_kernel new_sum(int64_t count)
{
    turned_kernel k = {.count = count,
                       .window = checked_calloc(count, sizeof *k.window),
                       .step = checked_calloc(count, sizeof *k.step)};
    for (int64_t i = 2; i < count; i++) {
        const long double l = (long double)i, below = (l - 1) * (l + 3);
        k.step[i][0] = (2 * l + 1) * (l + 1) / below;
        k.step[i][1] = (2 * l + 1) * 4 / l / below;
        k.step[i][2] = (l + 1) / l * (l * l - 4) / below;
    }
    return k;
}

turned_kernel turned_beam(double fwhm, int hat)
{
    const long double sigma = fwhm / sqrtl(8 * logl(2));
    turned_kernel k = new_sum((int64_t)(11 / sigma) + 4);
    for (int64_t l = 2; l < k.count; l++) {
        const long double square = (long double)(l * (l + 1)) * sigma * sigma;
        k.window[l] =
            hat ? square * expl(-square / 2) : expl(-square / 2) * expl(2 * sigma * sigma);
    }
    return k;
}

turned_kernel turned_window(const oracle_kernel *kernel)
{
    turned_kernel k = new_sum(kernel->count);
    for (int64_t l = 2; l < k.count; l++) k.window[l] = kernel->value[l];
    return k;
}

void turned_kernel_free(turned_kernel *kernel)
{
    free(kernel->window);
    free(kernel->step);
}

long double turned_value(const turned_kernel *k, long double theta)
{
    const long double cosine = cosl(theta), half = cosl(theta / 2);
    double value, angle = fmin((double)theta, M_PI);
    if (k->plain) {
        oracle_kernel_values(k->plain, 1, &angle, &value);
        return value;
    }
    long double before = 0, now = half * half * half * half, sum = 0;
    for (int64_t i = 2; i < k->count; i++) {
        sum += (long double)(2 * i + 1) * k->window[i] * now;
        const long double next =
            (k->step[i][0] * cosine - k->step[i][1]) * now - k->step[i][2] * before;
        before = now;
        now = next;
    }
    return sum / (4 * pi);
}

/* --- Pixels ----------------------------------------------------------------------------------- */

static turned_pixel make_pixel(const armilla_ring *ring, int64_t j)
{
    const long double theta = ring->theta;
    const long double phi = ring->phi0 + 2 * pi * (long double)j / (long double)ring->nphi;
    const long double ct = cosl(theta), st = sinl(theta), cp = cosl(phi), sp = sinl(phi);
    return (turned_pixel){.place = {st * cp, st * sp, ct},
                          .south = {ct * cp, ct * sp, -st},
                          .east = {-sp, cp, 0},
                          .weight = ring->weight,
                          .number = ring->offset + j * ring->stride};
}

turned_oracle turned_oracle_new(int64_t nrings, const armilla_ring *rings, turned_kernel kernel,
                                double support)
{
    turned_oracle o = {.kernel = kernel, .support = support};
    for (int64_t r = 0; r < nrings; r++) o.count += rings[r].nphi;
    o.pixel = checked_malloc(o.count, sizeof *o.pixel);
    turned_pixel *next = o.pixel;
    for (int64_t r = 0; r < nrings; r++)
        for (int64_t j = 0; j < rings[r].nphi; j++) *next++ = make_pixel(&rings[r], j);
    return o;
}

void turned_oracle_free(turned_oracle *oracle)
{
    turned_kernel_free(&oracle->kernel);
    free(oracle->pixel);
}

/* --- Sums ------------------------------------------------------------------------------------- */

static long double dot(const long double a[3], const long double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const long double a[3], const long double b[3], long double c[3])
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* e_theta of q as it comes along to p: v cos a + n x v + n (n v) / (1 + cos a), n = q x p. */
static void carry(const turned_pixel *p, const turned_pixel *q, const long double normal[3],
                  long double carried[3])
{
    const long double cosine = dot(p->place, q->place), along = dot(normal, q->south);
    long double side[3];
    cross(normal, q->south, side);
    for (int i = 0; i < 3; i++)
        carried[i] = q->south[i] * cosine + side[i] + normal[i] * along / (1 + cosine);
}

static void add(const turned_oracle *o, const turned_pixel *p, const turned_pixel *q,
                const long double map[2], turned_sum *sum)
{
    long double normal[3], carried[3];
    cross(q->place, p->place, normal);
    const long double cosine = dot(p->place, q->place);
    const long double angle = atan2l(sqrtl(dot(normal, normal)), cosine);
    const long double beyond = o->support >= (double)pi ? -1 : angle / o->support - 1;
    if (beyond > 1e-12L) return;
    if (cosine < 0 && dot(normal, normal) < 1e-24L) return; /* the antipode does not count */
    carry(p, q, normal, carried);
    const long double turn = 2 * atan2l(dot(carried, p->east), dot(carried, p->south));
    const long double value = q->weight * turned_value(&o->kernel, angle);
    sum->q += value * (cosl(turn) * map[0] - sinl(turn) * map[1]);
    sum->u += value * (sinl(turn) * map[0] + cosl(turn) * map[1]);
    sum->size += fabsl(value);
    if (beyond > -1e-12L) sum->tie += fabsl(value) * (fabsl(map[0]) + fabsl(map[1]));
}

turned_sum oracle_turned_sum(const turned_oracle *oracle, int64_t p, const double *q,
                             const double *u)
{
    turned_sum sum = {0};
    for (int64_t i = 0; i < oracle->count; i++) {
        const turned_pixel *from = &oracle->pixel[i];
        add(oracle, &oracle->pixel[p], from, (long double[2]){q[from->number], u[from->number]},
            &sum);
    }
    return sum;
}
