/* Coefficients in the conventions of other programs: norm, Condon-Shortley sign, complex or real
 * harmonics, and where each number lies. Conversion from and to the library's own a_lm.
 *
 * A field f on the sphere is f = sum over l, m of c_lm F_lm, with the functions of a convention:
 *     complex harmonics   F_lm = N_lm P_lm(cos theta) e^(i m phi), m of both signs,
 *                         F_l,-m = (-1)^m conj(F_lm)
 *     real harmonics      N'_lm P_lm cos m phi with C_lm and N'_lm P_lm sin m phi with S_lm, m >= 0
 * P_lm are Legendre functions with P_lm(x) > 0 near x = 1 or, with the Condon-Shortley sign,
 * (-1)^m times these. */
#ifndef ARMILLA_CONVENTION_H
#define ARMILLA_CONVENTION_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the functions are normed to. For real harmonics with m > 0, N' = sqrt(2) N in the first
 * three, so that they have the same mean square as those with m = 0, and N' = 1 in the last. */
typedef enum armilla_normalization {
    ARMILLA_NORM_ORTHONORMAL = 0, /* integral of |F|^2 over the sphere: 1 */
    ARMILLA_NORM_FOUR_PI = 1,     /* integral: 4 pi, mean square: 1 (geodesy; GRIB) */
    ARMILLA_NORM_SCHMIDT = 2,     /* mean square: 1 / (2 l + 1) (geomagnetism, SN3D) */
    ARMILLA_NORM_UNNORMALIZED = 3 /* N = 1: P_lm as Ferrers and Hobson have them */
} armilla_normalization;

typedef enum armilla_harmonics {
    ARMILLA_HARMONICS_COMPLEX = 0,       /* c_lm */
    ARMILLA_HARMONICS_REAL = 1,          /* C_lm, S_lm */
    ARMILLA_HARMONICS_REAL_CONJUGATE = 2 /* C_lm, -S_lm: the complex number C - i S (SHTns' real
                                            norm, armilla_alm_to_real) */
} armilla_harmonics;

/* Where numbers lie. An item is a complex number (re, im), or a pair C, S of real harmonics, in the
 * first three, which have m >= 0 alone. In the others it is a complex number, or one real number:
 * C_lm at (l, m), S_lm at (l, -m). Items that no (l, m) has are 0 on output, not read on input. */
typedef enum armilla_convention_packing {
    ARMILLA_PACKING_ORDERS = 0,    /* order after order: armilla_alm_index */
    ARMILLA_PACKING_DEGREES = 1,   /* degree after degree: item l (l + 1) / 2 + m */
    ARMILLA_PACKING_RECTANGLE = 2, /* [lmax + 1][mmax + 1], [l][m] */
    ARMILLA_PACKING_PLANES = 3,    /* [2][lmax + 1][lmax + 1]: [0][l][m] and [1][l][m] for -m */
    ARMILLA_PACKING_ACN = 4,       /* item l^2 + l + m */
    ARMILLA_PACKING_CENTRED = 5,   /* [lmax + 1][2 lmax + 1], [l][lmax + m] */
    ARMILLA_PACKING_VECTOR = 6     /* real harmonics: C_lm is number l^2 + m, S_lm l^2 + l + m */
} armilla_convention_packing;

typedef struct armilla_convention {
    int normalization;   /* an armilla_normalization */
    int condon_shortley; /* 1: functions have the sign (-1)^m, 0: they have not */
    int harmonics;       /* an armilla_harmonics */
    int packing;         /* an armilla_convention_packing */
    int complex_field;   /* 0: of a real field; 1: of a complex one, whose a_lm and a_l,-m are
                            independent: complex harmonics, packings with both signs of m */
    int integrals;       /* 0: f = sum of c F; 1: c = integral of f conj(F), which differs where F
                            is not orthonormal (torch-harmonics); not for unnormalised ones */
} armilla_convention;

/* A convention by its name: one of armilla_convention_name, then any of these words, each behind
 * a colon: ortho, 4pi (or fourpi), schmidt, unnorm; cs, nocs; complex, real, real-norm (C - i S);
 * complex-field. "healpy", "shtools:schmidt", "shtns:fourpi:nocs", "acn-n3d", "ifs", "s2fft".
 * Given:    name  of letters of any case.
 * Returned: *convention.
 * Errors:   ARGUMENT (says which names or words there are, or which two words contradict each
 *           other). */
ARMILLA_API armilla_status armilla_convention_named(const char *name,
                                                    armilla_convention *convention);

/* Returned: the name with this number, 0, 1, ...; NULL behind the last one. Static text. */
ARMILLA_API const char *armilla_convention_name(int64_t number);

/* Returned: doubles in an array of coefficients, a complex number being two; -1 where the
 * convention contradicts itself, not 0 <= mmax <= lmax, or lmax > 2^30. */
ARMILLA_API int64_t armilla_convention_size(const armilla_convention *convention, int64_t lmax,
                                            int64_t mmax);

/* Returned: number of the double where the item of (l, m) begins; m < 0 asks for S_l,-m or a_lm of
 * packings with both signs. -1 where there is no such item. */
ARMILLA_API int64_t armilla_convention_index(const armilla_convention *convention, int64_t lmax,
                                             int64_t mmax, int64_t l, int64_t m);

/* The factor between a_lm and a convention's coefficients, its sign included:
 *     complex harmonics: c_lm = factor a_lm;  real: C_lm = factor Re a_lm, S_lm = -factor Im a_lm.
 * Given:    0 <= m <= l <= 2^30.
 * Returned: *factor, to 4e-16 of it.
 * Errors:   ARGUMENT (the factor of an unnormalised convention is no normal double: names l, m).
 * Reference: docs/mathematics.md (9.8). */
ARMILLA_API armilla_status armilla_convention_factor(const armilla_convention *convention,
                                                     int64_t l, int64_t m, double *factor);

/* From the library's coefficients to those of a convention.
 * Given:    0 <= mmax <= lmax <= 2^30;
 *           alm  complex, triangular layout (armilla/alm.h), size = armilla_alm_size(lmax, mmax);
 *           for a complex field f = g + i h two of them, [2][size], of g and h.
 * Returned: array  armilla_convention_size doubles; must not overlap alm.
 * Errors:   ARGUMENT: the convention contradicts itself; a coefficient is not finite; a factor, or
 *           its product with a coefficient, leaves the doubles (unnormalised ones; all name l and
 *           m). MEMORY.
 * Error of a number: 1e-15 of it. Thread rule: any number of calls at once; a call has one. */
ARMILLA_API armilla_status armilla_convention_from_alm(const armilla_convention *convention,
                                                       int64_t lmax, int64_t mmax,
                                                       const double *alm, double *array);

/* From a convention's coefficients to those of the library: the inverse.
 * Given:    array, with 0 for all m > mmax; for a real field in complex harmonics of both signs of
 *           m, a_l,-m must be (-1)^m conj(a_lm) to 1e-5 of the largest; m >= 0 is taken then.
 * Returned: alm  as above. Imaginary parts of m = 0 are 0.
 * Errors:   ARGUMENT (as above, and where array breaks the rules: names l and m), MEMORY. */
ARMILLA_API armilla_status armilla_convention_to_alm(const armilla_convention *convention,
                                                     int64_t lmax, int64_t mmax,
                                                     const double *array, double *alm);

#ifdef __cplusplus
}
#endif
#endif
