/* The window of needlets; docs/mathematics.md (8.10), (8.11), Marinucci et al. 2008, MNRAS 383,
 * 539:
 *
 *     chi(t) = 1 for t <= 1 / B;  psi(1 - 2 B (t - 1 / B) / (B - 1));  0 for t >= 1
 *     psi(u) = integral -1..u of exp(-1 / (1 - v^2)) dv / the same to 1
 *     b(xi)^2 = chi(xi / B) - chi(xi)
 *
 * One of the two is always 0 or 1, so nothing cancels: 1 - psi(u) = psi(-u). With v = tanh w
 * the integrand becomes exp(-cosh^2 w) / cosh^2 w, which has no singularity near the real line;
 * panels of a quarter with 16 Gauss-Legendre nodes give it to rounding. */
#include "radial/kernel.h"
#include "grid/grid.h"

#include <math.h>

enum { NODES = 16, PANELS = 32 };
#define WIDTH 0.25L
#define END   4 /* exp(-cosh^2 4) = 1e-324 */

static long double bump(long double w)
{
    const long double c = coshl(w), square = c * c;
    return expl(-square) / square;
}

typedef struct {
    double theta[NODES / 2], weight[NODES / 2];
    long double before[PANELS + 1]; /* integral up to the lower end of the panel */
} rule;

/* Integral of the bump over from .. to, a panel at most. */
static long double panel(const rule *r, long double from, long double to)
{
    const long double middle = (from + to) / 2, half = (to - from) / 2;
    long double sum = 0;
    for (int i = 0; i < NODES / 2; i++) {
        const long double shift = half * cosl(r->theta[i]);
        sum += r->weight[i] * (bump(middle - shift) + bump(middle + shift));
    }
    return half * sum;
}

static void make_rule(rule *r)
{
    armilla_gauss_legendre_half(NODES, r->theta, r->weight);
    r->before[0] = 0;
    for (int i = 0; i < PANELS; i++)
        r->before[i + 1] = r->before[i] + panel(r, i * WIDTH - END, (i + 1) * WIDTH - END);
}

/* psi(2 part - 1), 0 <= part <= 1 */
static long double psi(const rule *r, long double part)
{
    if (part <= 0) return 0;
    if (part >= 1) return 1;
    const long double w = logl(part / (1 - part)) / 2;
    if (w <= -END) return 0;
    if (w >= END) return 1;
    const int i = (int)floorl((w + END) / WIDTH);
    return (r->before[i] + panel(r, i * WIDTH - END, w)) / r->before[PANELS];
}

void armilla_needlet_window(long double base, long double centre, int64_t count,
                            long double *window)
{
    rule r;
    make_rule(&r);
    for (int64_t l = 0; l < count; l++) {
        const long double xi = (long double)l / centre;
        const long double part = xi <= 1 ? (base * xi - 1) : (base - xi);
        window[l] = sqrtl(psi(&r, part / (base - 1)));
    }
}
