/* Sums of d^l_22, in long double: what (8.5) is for maps of spin 2.
 *
 * The recurrence of d^l_(2, 2 s) in l, s = 1 or -1, runs in the differences D_l = d^l - d^(l-1),
 *
 *     D_(l+1) = b D_l + (e - c gap) d^l,                      gap = 1 - cos theta = 2 sin^2(theta /
 * 2) b = (l + 1) (l^2 - 4) / (l ((l + 1)^2 - 4)),   c = (2 l + 1) (l + 1) / ((l + 1)^2 - 4) e = 0
 * for s = 1;  8 (2 l + 1) / (l ((l + 1)^2 - 4)) for s = -1
 *
 * which keeps all digits near theta = 0. Angles beyond pi / 2 are taken to pi - theta, where d^l_22
 * is (-1)^l d^l_(2,-2): that grows as (l theta)^4 from l = 2 on, so that the recurrence is stable.
 */
#include "radial/profile/kernel.h"

#include <math.h>

typedef struct {
    long double gap, d, change; /* d^l and D_l */
    int mirrored;
} state;

static state start(long double theta)
{
    const int mirrored = theta > ARMILLA_PI / 2;
    const long double half = (mirrored ? ARMILLA_PI - theta : theta) / 2;
    const long double square = sinl(half) * sinl(half);
    const long double first = mirrored ? square * square : (1 - square) * (1 - square);
    return (state){.gap = 2 * square, .d = first, .change = first, .mirrored = mirrored};
}

/* A block of angles: count <= ARMILLA_KERNEL_BLOCK. */
static void sum_block(int64_t terms, const long double *window, int64_t count,
                      const long double *theta, long double *value)
{
    state at[ARMILLA_KERNEL_BLOCK];
    for (int64_t i = 0; i < count; i++) at[i] = start(theta[i]), value[i] = 0;
    for (int64_t l = 2; l < terms; l++) {
        const long double n = (long double)l, below = 1 / ((n - 1) * (n + 3));
        const long double b = (n + 1) * (n * n - 4) / n * below, c = (2 * n + 1) * (n + 1) * below;
        const long double e = 8 * (2 * n + 1) / n * below;
        const long double term = (2 * n + 1) / (4 * ARMILLA_PI) * window[l];
        for (int64_t i = 0; i < count; i++) {
            state *s = &at[i];
            value[i] += (s->mirrored && l % 2 ? -term : term) * s->d;
            s->change = b * s->change + ((s->mirrored ? e : 0) - c * s->gap) * s->d;
            s->d += s->change;
        }
    }
}

void armilla_turned_sum(int64_t terms, const long double *window, int64_t count,
                        const long double *theta, long double *value)
{
    for (int64_t done = 0; done < count; done += ARMILLA_KERNEL_BLOCK)
        sum_block(terms, window,
                  count - done < ARMILLA_KERNEL_BLOCK ? count - done : ARMILLA_KERNEL_BLOCK,
                  theta + done, value + done);
}
