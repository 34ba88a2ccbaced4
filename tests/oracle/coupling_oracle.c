/* 3j symbols and coupling matrices. See coupling_oracle.h. */
#include "oracle/coupling_oracle.h"

#include <math.h>

static long double factorial(int n)
{
    long double value = 1;
    for (int i = 2; i <= n; i++) value *= i;
    return value;
}

static int largest(int a, int b, int c)
{
    const int ab = a > b ? a : b;
    return ab > c ? ab : c;
}

static int smallest(int a, int b, int c)
{
    return -largest(-a, -b, -c);
}

static long double triangle(int a, int b, int c)
{
    return factorial(a + b - c) * factorial(a - b + c) * factorial(b + c - a) /
           factorial(a + b + c + 1);
}

long double coupling_oracle_3j(int l1, int l2, int l3, int m1, int m2)
{
    const int m3 = -m1 - m2;
    long double sum = 0;
    if (l3 > l1 + l2 || l1 > l2 + l3 || l2 > l1 + l3) return 0;
    if (m1 > l1 || -m1 > l1 || m2 > l2 || -m2 > l2 || m3 > l3 || -m3 > l3) return 0;
    for (int k = largest(0, l2 - l3 - m1, l1 - l3 + m2);
         k <= smallest(l1 + l2 - l3, l1 - m1, l2 + m2); k++) {
        const long double term = 1 / (factorial(k) * factorial(l1 + l2 - l3 - k) *
                                      factorial(l1 - m1 - k) * factorial(l2 + m2 - k) *
                                      factorial(l3 - l2 + m1 + k) * factorial(l3 - l1 - m2 + k));
        sum += k % 2 ? -term : term;
    }
    const long double norm =
        sqrtl(triangle(l1, l2, l3) * factorial(l1 + m1) * factorial(l1 - m1) * factorial(l2 + m2) *
              factorial(l2 - m2) * factorial(l3 + m3) * factorial(l3 - m3));
    return ((l1 - l2 - m3) % 2 ? -1 : 1) * norm * sum;
}

/* sqrt((l+s)! / (l-s)!) */
static long double raised(int l, int s)
{
    return l < s ? 0 : sqrtl(factorial(l + s) / factorial(l - s));
}

/* What the degree k of a mask makes of the degree `other` of a field, at l. That of a pure one is
 * the integral of conj(eth^s (w Y)) by the product rule: slopes of the mask meet harmonics of
 * smaller spins. */
static long double leg(int l, int other, int k, int spin, int is_pure)
{
    long double sum = 0, choices = 1;
    for (int i = 0; i <= (is_pure ? spin : 0); i++) {
        sum += choices * raised(l, spin - i) / raised(l, spin) * raised(k, i) *
               coupling_oracle_3j(l, other, k, spin - i, -spin);
        choices = choices * (spin - i) / (i + 1);
    }
    return sum;
}

double coupling_oracle_pure_matrix(int l, int other, int lmask, const double *mask,
                                   const coupling_oracle_field field[2], int sign)
{
    const coupling_oracle_field *a = &field[0], *b = &field[1];
    long double sum = 0;
    if (l < a->spin || l < b->spin) return 0;
    for (int k = 0; k <= lmask; k++) {
        const int odd = (l + other + k) % 2;
        const long double part = sign == 0 ? 1 : sign > 0 ? !odd : odd;
        sum += part * (2 * k + 1) * (long double)mask[k] * leg(l, other, k, a->spin, a->is_pure) *
               leg(l, other, k, b->spin, b->is_pure);
    }
    if ((a->spin + b->spin) % 2) sum = -sum; /* (-1)^s of each symbol at L = 0 */
    return (double)(sum * (2 * other + 1) / (4 * acosl(-1)));
}

double coupling_oracle_matrix(int l, int other, int lmask, const double *mask, int spin1, int spin2,
                              int sign)
{
    const coupling_oracle_field field[2] = {{spin1, 0}, {spin2, 0}};
    return coupling_oracle_pure_matrix(l, other, lmask, mask, field, sign);
}
