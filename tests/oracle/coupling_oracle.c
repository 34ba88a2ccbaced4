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

double coupling_oracle_matrix(int l, int other, int lmask, const double *mask, int spin1, int spin2,
                              int sign)
{
    long double sum = 0;
    for (int k = 0; k <= lmask; k++) {
        const int odd = (l + other + k) % 2;
        const long double part = sign == 0 ? 1 : sign > 0 ? !odd : odd;
        sum += part * (2 * k + 1) * (long double)mask[k] *
               coupling_oracle_3j(l, other, k, spin1, -spin1) *
               coupling_oracle_3j(l, other, k, spin2, -spin2);
    }
    if ((spin1 + spin2) % 2) sum = -sum; /* (-1)^s of each symbol at L = 0 */
    return (double)(sum * (2 * other + 1) / (4 * acosl(-1)));
}
