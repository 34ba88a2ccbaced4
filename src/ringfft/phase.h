/* Phases exp(i m phi0) of rings, m = 0 .. mmax. */
#ifndef ARMILLA_RINGFFT_PHASE_H
#define ARMILLA_RINGFFT_PHASE_H

#include "base/status.h"

enum { ARMILLA_PHASE_WORK = 128 }; /* doubles of work */

/* phi0 as a multiple of half a pixel, when it is one: phi0 = pi half_pixels / nphi. */
typedef struct armilla_phase {
    double phi0, rest; /* near 0, armilla_angle_reduce; the angle is their sum */
    int64_t nphi;
    int64_t half_pixels;
    int exact; /* half_pixels holds */
} armilla_phase;

void armilla_phase_init(armilla_phase *phase, double phi0, int64_t nphi);

/* 0: all phases are 1. */
static inline int armilla_phase_is_shifted(const armilla_phase *phase)
{
    return !(phase->exact && phase->half_pixels == 0);
}

static inline int armilla_phase_is_same(const armilla_phase *a, const armilla_phase *b)
{
    return a->phi0 == b->phi0 && a->nphi == b->nphi;
}

/* Fills table with mtop + 1 complex numbers exp(i m phi0). Error: < 4e-16 where exact, else that
 * plus nothing but the rounding of the given phi0 itself. work: ARMILLA_PHASE_WORK doubles. */
void armilla_phase_fill(const armilla_phase *phase, int64_t mtop, double *table, double *work);

/* The same in two parts: so many complex numbers, of orders up to mtop, from which last + 1 of the
 * table are filled without a sine. Given: last <= mtop. */
int64_t armilla_phase_roots(int64_t mtop);
void armilla_phase_fill_roots(const armilla_phase *phase, int64_t mtop, double *roots);
void armilla_phase_fill_from(const double *roots, int64_t mtop, int64_t last, double *table);

#endif
