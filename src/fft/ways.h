/* The ways to transform rows that a build may have: rows.c lists them. */
#ifndef ARMILLA_FFT_WAYS_H
#define ARMILLA_FFT_WAYS_H

#include "fft/rows.h"

/* Passes in the lanes of vectors; rows_own.c. */
extern const armilla_rows_way armilla_rows_by_own;

/* FFTW's plans, where ARMILLA_FFT is fftw; rows_fftw.c. */
extern const armilla_rows_way armilla_rows_by_fftw;

#endif
