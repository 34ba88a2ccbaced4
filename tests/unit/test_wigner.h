/* Wigner's functions d^l_mk(theta) for tests of beams and of the rotation group: slow and stable.
 */
#ifndef ARMILLA_TESTS_WIGNER_H
#define ARMILLA_TESTS_WIGNER_H

#include <math.h>

enum { WIGNER_LMAX = 40, WIGNER_SIDE = 2 * WIGNER_LMAX + 1 };

/* d^j_mk(theta) of all half-integer j up to WIGNER_LMAX, one after the other, by products with spin
 * 1/2 (Risbo 1996): stable. Row j - m, column j - k. */
typedef struct {
    long double cosine, sine;
    long double d[2][WIGNER_SIDE][WIGNER_SIDE];
    int n; /* 2 j; d[n % 2] is that of j */
} wigner;

static inline void wigner_begin(wigner *w, double theta)
{
    w->cosine = cosl((long double)theta / 2), w->sine = sinl((long double)theta / 2);
    w->n = 0, w->d[0][0][0] = 1;
}

static inline long double wigner_entry(const wigner *w, int i, int k)
{
    return i < 0 || k < 0 || i > w->n || k > w->n ? 0 : w->d[w->n % 2][i][k];
}

static inline void wigner_next(wigner *w)
{
    const int n = w->n + 1;
    for (int i = 0; i <= n; i++)
        for (int k = 0; k <= n; k++) {
            const long double sum =
                sqrtl((long double)(n - i) * (n - k)) * w->cosine * wigner_entry(w, i, k) -
                sqrtl((long double)(n - i) * k) * w->sine * wigner_entry(w, i, k - 1) +
                sqrtl((long double)i * (n - k)) * w->sine * wigner_entry(w, i - 1, k) +
                sqrtl((long double)i * k) * w->cosine * wigner_entry(w, i - 1, k - 1);
            w->d[n % 2][i][k] = sum / n;
        }
    w->n = n;
}

#endif
