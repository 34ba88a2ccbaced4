/* Lengths as products of radices. */
#ifndef ARMILLA_FFT_RADICES_H
#define ARMILLA_FFT_RADICES_H

#include <stdint.h>

enum { ARMILLA_MOST_RADICES = 40 };

/* Divides n by the candidates in their sequence, each as often as it goes, and appends them to
 * radix, which has *count entries. Returned: what is left of n. */
static inline int64_t armilla_take_radices(int64_t n, int ncandidates, const int *candidates,
                                           int *count, int *radix)
{
    for (int i = 0; i < ncandidates; i++)
        for (; n % candidates[i] == 0; n /= candidates[i]) radix[(*count)++] = candidates[i];
    return n;
}

#endif
