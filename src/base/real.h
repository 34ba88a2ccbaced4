/* The larger of two numbers. fmax is a call, for the sake of what is no number. */
#ifndef ARMILLA_BASE_REAL_H
#define ARMILLA_BASE_REAL_H

static inline double armilla_larger_real(double a, double b)
{
    return a > b ? a : b;
}

#endif
