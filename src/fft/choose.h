/* Decides how a length is transformed: functions of the length, of how many rings have it, and of
 * whether there are lanes. Each threshold of src/fft stands in choose.c, with its reason. */
#ifndef ARMILLA_FFT_CHOOSE_H
#define ARMILLA_FFT_CHOOSE_H

#include <stdint.h>

typedef struct armilla_fft_question {
    int64_t n, uses;  /* the length, and how many rings have it */
    int lanes;        /* use them wherever possible */
    int plans_slowly; /* the way of rows is one that does */
} armilla_fft_question;

/* n without its factors 2, 3, 5, 7 */
int64_t armilla_fft_rough_factor(int64_t n);

/* The factor that is not left to rows (rows.h); 1: all of the length is one row. */
int64_t armilla_fft_choose_factor(const armilla_fft_question *question);

/* Given: there are lanes. Does the rough factor of smooth times rough go there, and not to
 * Bluestein's convolutions by rows? has_tables: another length has made those of this factor. */
int armilla_fft_choose_lanes(int64_t smooth, int64_t rough, int has_tables);

/* Length of the convolution of rough factor q in lanes; 0: direct sums. */
int64_t armilla_fft_choose_convolution(int64_t q);

#endif
