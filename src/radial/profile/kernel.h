/* What a radial kernel holds, and what its files share. Public functions: include/armilla/kernel.h;
 * what convolution asks for besides: radial/profile/profile.h. Formulas: docs/mathematics.md 8.
 *
 * Angles here are long double, so that values carry some 1e-18 of the largest one: what is made
 * from them (windows, truncation errors, fits) is then rounded once. */
#ifndef ARMILLA_RADIAL_KERNEL_H
#define ARMILLA_RADIAL_KERNEL_H

#include "radial/profile/profile.h"

#define ARMILLA_PI 3.14159265358979323846264338327950288L

/* How values are made. */
typedef enum armilla_kernel_form {
    ARMILLA_KERNEL_TOPHAT,
    ARMILLA_KERNEL_HEAT, /* narrow Gaussian or Mexican hat: integral (8.6) */
    ARMILLA_KERNEL_SUM,  /* Legendre sum (8.5) */
    ARMILLA_KERNEL_TABLE /* PCHIP (8.9) */
} armilla_kernel_form;

enum {
    ARMILLA_KERNEL_BLOCK = 32, /* most nodes of a panel */
    ARMILLA_PANEL_RULES = 3    /* of 8, 16 and 32 nodes */
};

/* A Gauss-Legendre rule on [-1, 1]. */
typedef struct armilla_panel_rule {
    double node[ARMILLA_KERNEL_BLOCK], weight[ARMILLA_KERNEL_BLOCK];
} armilla_panel_rule;

struct armilla_kernel {
    armilla_kernel_form form;
    int positive;        /* a Gaussian: nowhere negative */
    int hat;             /* HEAT: Mexican hat, not Gaussian */
    int spin;            /* 2: HEAT and SUM are sums of d^l_22 in place of P_l */
    long double angle;   /* TOPHAT: radius; Gaussian, Mexican hat: sigma */
    int64_t count;       /* SUM: degrees; TABLE: nodes */
    int64_t terms;       /* SUM: degrees that matter, the rest is below 1e-20 of the whole */
    long double *window; /* SUM: b_l [count] */
    double *theta;       /* TABLE: [count] */
    double *value;       /* TABLE: [count] */
    long double *slope;  /* TABLE: dK / dh, h = 2 sin(theta / 2), [count] */
    armilla_panel_rule rule[ARMILLA_PANEL_RULES];
};

/* A kernel with its rules and nothing else. Errors: MEMORY. */
armilla_status armilla_kernel_new_empty(armilla_kernel_form form, armilla_kernel **kernel);

/* K at count angles. */
void armilla_kernel_evaluate(const armilla_kernel *kernel, int64_t count, const long double *theta,
                             long double *value);

/* The forms of it. */
void armilla_kernel_heat(const armilla_kernel *kernel, int64_t count, const long double *theta,
                         long double *value);
/* b_l of the Gaussian or the hat. */
long double armilla_kernel_heat_window(long double sigma, int hat, int64_t l);
long double armilla_kernel_table_value(const armilla_kernel *kernel, long double theta);

/* The cubic between nodes k and k + 1 of a table: powers of h - h_k, h = 2 sin(theta / 2). */
void armilla_kernel_table_cubic(const armilla_kernel *kernel, int64_t k, long double cubic[4]);
/* The first node beyond theta; the number of nodes if there is none. */
int64_t armilla_kernel_table_beyond(const armilla_kernel *kernel, long double theta);

/* K of (8.5): the sum over l < terms of (2 l + 1) / (4 pi) window[l] P_l(cos theta). */
void armilla_legendre_sum(int64_t terms, const long double *window, int64_t count,
                          const long double *theta, long double *value);
/* The transpose, count <= ARMILLA_KERNEL_BLOCK: window[l] += sum over nodes of value P_l(cos
 * theta), l <= lmax. */
void armilla_legendre_project(int64_t lmax, int64_t count, const long double *theta,
                              const long double *value, long double *window);

/* The kernel that maps of spin 2 see: a copy of the scalar one, (8.19). Errors: MEMORY. */
armilla_status armilla_kernel_turn(const armilla_kernel *kernel, armilla_kernel **turned);

/* The same sum with d^l_22 in place of P_l, from l = 2 on. */
void armilla_turned_sum(int64_t terms, const long double *window, int64_t count,
                        const long double *theta, long double *value);

/* 2 sin(b / 2) - 2 sin(a / 2) without cancellation. */
long double armilla_chord_between(long double a, long double b);

/* window[l] = b(l / centre), l < count, of the needlets of the given base, (8.11). */
void armilla_needlet_window(long double base, long double centre, int64_t count,
                            long double *window);

/* Beyond this angle the kernel is 0, or below 1e-17 of its largest value; at most pi. */
double armilla_kernel_extent(const armilla_kernel *kernel);

/* The highest frequency of K as a function of theta, as far as it matters; 0 where K is a cubic
 * between nodes, or constant. */
double armilla_kernel_frequency(const armilla_kernel *kernel);

/* --- Integrals over rings of the sphere ------------------------------------------------------ */

/* The panels on which the integral over from < theta < to of K(theta) f(theta), f of the given
 * highest frequency, is a sum. */
typedef struct armilla_panels {
    const armilla_kernel *kernel;
    long double at, to;
    double frequency;
    int64_t node; /* TABLE: the first node beyond `at` */
} armilla_panels;

typedef struct armilla_panel {
    int count;
    long double theta[ARMILLA_KERNEL_BLOCK], value[ARMILLA_KERNEL_BLOCK]; /* K */
    long double weight[ARMILLA_KERNEL_BLOCK];                             /* solid angle */
} armilla_panel;

/* The rules that a kernel needs for its integrals, from 8 nodes on. */
void armilla_panels_make_rules(armilla_panel_rule rule[ARMILLA_PANEL_RULES]);

void armilla_panels_start(armilla_panels *panels, const armilla_kernel *kernel, double from,
                          double to, double frequency);
/* Fills the next panel; 0 when there is none. */
int armilla_panels_next(armilla_panels *panels, armilla_panel *panel);

#endif
