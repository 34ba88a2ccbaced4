/* The window of needlets; docs/mathematics.md (8.10), (8.11), Marinucci et al. 2008, MNRAS 383,
 * 539:
 *
 *     chi(t) = 1 for t <= 1 / B;  psi(1 - 2 B (t - 1 / B) / (B - 1));  0 for t >= 1
 *     psi(u) = integral -1..u of exp(-1 / (1 - v^2)) dv / the same to 1
 *     b(xi)^2 = chi(xi / B) - chi(xi)
 *
 * One of the two is always 0 or 1, so nothing cancels: 1 - psi(u) = psi(-u). With part =
 * (1 + v) / 2 the integrand is exp(-1 / (4 part (1 - part))); panels that are equal in
 * w = log(part / (1 - part)) / 2, short against the distance to its singularities at 0 and 1, have
 * 6 Gauss-Legendre nodes each: for bases of 1.1 to 1000 b is that of 16 nodes on panels of a
 * quarter in w to 2.2e-19, in a sixth of their time, 0.8 us a degree. */
#include "radial/profile/kernel.h"
#include "grid/grid.h"

#include <math.h>

enum { NODES = 6, PER_UNIT = 64, END = 4, PANELS = 2 * END * PER_UNIT };

static long double bump(long double part)
{
    return expl(-1 / (4 * part * (1 - part)));
}

/* Panel i: from edge[i] to edge[i + 1]; before: the integral up to edge[i]. What is outside of the
 * edges, w = -END and END, is 1e-324. */
typedef struct {
    long double node[NODES / 2], weight[NODES / 2];
    long double edge[PANELS + 1], before[PANELS + 1];
} rule;

/* Integral of the bump over from .. to, a panel at most. */
static long double panel(const rule *r, long double from, long double to)
{
    const long double middle = (from + to) / 2, half = (to - from) / 2;
    long double sum = 0;
    for (int i = 0; i < NODES / 2; i++) {
        const long double shift = half * r->node[i];
        sum += r->weight[i] * (bump(middle - shift) + bump(middle + shift));
    }
    return half * sum;
}

static void make_rule(rule *r)
{
    double theta[NODES / 2], weight[NODES / 2];
    armilla_gauss_legendre_half(NODES, theta, weight);
    for (int i = 0; i < NODES / 2; i++)
        r->node[i] = cosl((long double)theta[i]), r->weight[i] = weight[i];
    for (int i = 0; i <= PANELS; i++) {
        const long double w = (long double)i / PER_UNIT - END;
        r->edge[i] = 1 / (1 + expl(-2 * w));
        r->before[i] = i ? r->before[i - 1] + panel(r, r->edge[i - 1], r->edge[i]) : 0;
    }
}

/* psi(2 part - 1), 0 <= part <= 1 */
static long double psi(const rule *r, long double part)
{
    if (part <= r->edge[0]) return 0;
    if (part >= r->edge[PANELS]) return 1;
    const long double w = logl(part / (1 - part)) / 2;
    const int i = (int)fminl(floorl((w + END) * PER_UNIT), PANELS - 1);
    return (r->before[i] + panel(r, r->edge[i], part)) / r->before[PANELS];
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
