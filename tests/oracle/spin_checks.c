/* Makes plans and random coefficients for the tests of spin transforms, and turns coefficients of
 * the other modes into the E and B of the mode STANDARD that mean the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/spin_checks.h"

#include "oracle/checks.h"
#include <math.h>
#include <string.h>

static void check_resamples(const armilla_sht *sht)
{
    armilla_sht_description d = {.size = sizeof d};
    check_ok(armilla_sht_describe(sht, 1, &d));
    if (strcmp(d.method, "resampled") != 0) fail_msg("asked to resample, the plan is %s", d.method);
}

armilla_sht *spin_plan(const armilla_grid *grid, const spin_case *c)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.spin = c->spin;
    options.mode = c->mode;
    options.spin_method = c->method;
    options.method = c->rings;
    armilla_sht *sht;
    check_ok(armilla_sht_new(grid, c->lmax, c->mmax, &options, &sht));
    if (options.method == ARMILLA_SHT_RESAMPLE) check_resamples(sht);
    return sht;
}

int64_t spin_ncomp(const spin_case *c)
{
    return c->mode == ARMILLA_SHT_STANDARD && c->spin ? 2 : 1;
}

int64_t spin_size(const spin_case *c)
{
    return 2 * spin_ncomp(c) * armilla_alm_size(c->lmax, c->mmax);
}

void spin_random_alm(uint64_t seed, const spin_case *c, double below, double *alm)
{
    const int64_t size = 2 * armilla_alm_size(c->lmax, c->mmax);
    const int64_t spin = c->spin < 0 ? -c->spin : c->spin;
    for (int64_t k = 0; k < spin_ncomp(c); k++) {
        double *component = alm + k * size;
        random_alm_triangle(seed + (uint64_t)k, c->lmax, c->mmax, component);
        for (int64_t m = 0; m <= c->mmax; m++)
            for (int64_t l = m; l < spin; l++) {
                double *a = component + 2 * armilla_alm_index(c->lmax, l, m);
                a[0] = a[1] = below;
            }
    }
}

double spin_dot_alm(const spin_case *c, const double *a, const double *b)
{
    const int64_t size = 2 * armilla_alm_size(c->lmax, c->mmax);
    double sum = 0;
    for (int64_t k = 0; k < spin_ncomp(c); k++)
        sum += dot_alm(c->lmax, c->mmax, a + k * size, b + k * size);
    return sum;
}

/* By which a_lm of a scalar are E of its derivatives: edh f = -(f_t + i f_p) has coefficients
 * sqrt((l+1)!/(l-1)!), edh edh f = (f_tt - f_pp) + 2 i f_tp has sqrt((l+2)!/(l-2)!), and Q + i U is
 * minus the sum. */
static double standard_factor(const spin_case *c, int64_t degree)
{
    const double l = (double)degree;
    if (c->mode != ARMILLA_SHT_DERIVATIVES) return 1;
    return c->spin == 1 ? sqrt(l * (l + 1)) : -sqrt((l - 1) * l * (l + 1) * (l + 2));
}

void spin_to_standard(const spin_case *c, const double *alm, double *standard)
{
    const int64_t size = 2 * armilla_alm_size(c->lmax, c->mmax);
    memset(standard + size, 0, sizeof *standard * (size_t)size);
    memcpy(standard, alm, sizeof *alm * (size_t)(size * spin_ncomp(c)));
    for (int64_t m = 0; m <= c->mmax; m++)
        for (int64_t l = m; l <= c->lmax; l++) {
            double *a = standard + 2 * armilla_alm_index(c->lmax, l, m);
            a[0] *= standard_factor(c, l), a[1] *= standard_factor(c, l);
        }
}

void spin_from_standard(const spin_case *c, const double *standard, double *alm)
{
    memcpy(alm, standard, sizeof *alm * (size_t)spin_size(c));
    for (int64_t m = 0; m <= c->mmax; m++)
        for (int64_t l = m; l <= c->lmax; l++) {
            double *a = alm + 2 * armilla_alm_index(c->lmax, l, m);
            a[0] *= standard_factor(c, l), a[1] *= standard_factor(c, l);
        }
}
