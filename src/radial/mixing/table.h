/* Longitudes at which the kernel between two rings is sampled, and the cosines that turn samples
 * into Fourier coefficients: K_m = sum over j of weight_j K(phi_j) cos(m phi_j). Spin 2: the same
 * of the even part, and with sines of the odd one. */
#ifndef ARMILLA_RADIAL_MIXING_TABLE_H
#define ARMILLA_RADIAL_MIXING_TABLE_H

#include "base/status.h"
#include "radial/mixing/kernels/mixing.h"

typedef struct armilla_mixing_table {
    int64_t n;      /* samples of the circle */
    int half;       /* phi_j = pi (2 j + 1) / n, else 2 pi j / n */
    int folded;     /* n / 2 - m comes from the sums of m: n / 2 + 1 is a multiple of 2 WIDTH */
    int64_t count;  /* samples that are tabulated, even */
    int64_t nspans; /* of orders; folded: of the lower half of them */
    double *sine;   /* [count] sin^2(phi_j / 2) */
    double *weight; /* [count] */
    double *cosine; /* folded: [nspans][count][WIDTH] */
    double *odd;    /* sines, as cosine; folded: of spin 2 alone, else NULL */
    /* Tables that are not folded would be as large as the square of a ring. They have cosines and
     * sines of the first span only; those of the others are made of it when they are needed. */
    double *circle;     /* exp(2 pi i k / n), half: / 2 n; folded: NULL */
    double *half_angle; /* spin 2, else NULL: [2][count] cos(phi_j / 2), then sin(phi_j / 2) */
} armilla_mixing_table;

/* Samples for a smooth kernel, folded. Given: nspans, even: orders up to WIDTH nspans - 2 are
 * right; angle  the largest longitude wanted;  turns: spin 2. Errors: MEMORY; *table is empty then.
 */
armilla_status armilla_mixing_table_make_smooth(int64_t nspans, double angle, int turns,
                                                armilla_mixing_table *table);

/* Samples at the n pixels of a ring, not folded. K_(n / 2) is halved, for the orders n / 2 and
 * -n / 2 are one and both are added up. */
armilla_status armilla_mixing_table_make_discrete(int64_t n, int half, double angle, int turns,
                                                  armilla_mixing_table *table);

/* Not folded: cosines of a span, and sines unless that is NULL, of the samples from .. to - 1, to
 * their places in [count][WIDTH]. */
void armilla_mixing_table_fill_span(const armilla_mixing_kernels *kernels,
                                    const armilla_mixing_table *table, int64_t span, int64_t from,
                                    int64_t to, double *cosines, double *sines);

void armilla_mixing_table_clear(armilla_mixing_table *table);
int64_t armilla_mixing_table_bytes(const armilla_mixing_table *table);

/* Samples at which x = base + sines sin^2(phi / 2) <= end, or a few more; even. */
int64_t armilla_mixing_table_samples(const armilla_mixing_table *table, double ratio);

#endif
