/* Ring pairs of the Legendre stage: which rings mirror each other, their groups, the orders that
 * matter, and sin^m theta.
 *
 * Orders that matter: base/polar_limit.h, docs/mathematics.md (2.16).
 *
 * sin^m theta underflows and its rounding grows with m; it is looked up as
 *     sin^(m % 64) * sin^(64 (m / 64)),
 * each a mantissa and a whole exponent, computed in long double from the sine of the given double
 * theta. Error of the product: 1.5 ulp + m 1e-19. */
#include "base/memory.h"
#include "base/polar_limit.h"
#include "legendre/legendre.h"
#include "leg/mirror.h"
#include "legendre/spin.h"

#include <math.h>

/* Form of the recurrence at a colatitude <= pi/2, docs/mathematics.md (2.7) to (2.10). */
static int32_t choose_form(const armilla_legendre *legendre, double theta)
{
    if (theta >= legendre->border) return theta < M_PI_4 ? ARMILLA_FORM_POLE : ARMILLA_FORM_EQUATOR;
    const double degrees = (double)legendre->lmax;
    const double fine = fmax(0.04, 4.4 / cbrt(degrees * degrees + 1));
    return legendre->lmax > 100 && theta < fine ? ARMILLA_FORM_FINE_SPIN : ARMILLA_FORM_SPIN;
}

/* Does a ring need the fine form of a scalar recurrence?
 *
 * At a distance t from pole or equator the plain forms amplify a rounding error by about 1 / (2 t).
 * Measured against the fine forms, every order, the error stays below 0.8 (pole) and 0.3 (equator)
 * of 5e-16 max(l, 100) times the largest |lambda_lm| outside of these distances, for lmax from 101
 * to 8191; from lmax 255 on, below 0.5 and 0.3. At a tenth of the distances it is 1 to 4 times that
 * bound. Up to degree 80 the plain forms stay below 0.9 everywhere. */
static int needs_fine(const armilla_legendre *legendre, double theta)
{
    return legendre->lmax > 80 && (theta < 0.025 || M_PI_2 - theta < 0.04);
}

/* Can a vector that begins at one colatitude hold a later one? Fine and plain rings can be
 * neighbours; forms of pole and equator meet only where both are good. */
static int fits_vector(const armilla_legendre *legendre, double begin, double theta)
{
    if (begin < legendre->border) return 1;
    if ((begin < M_PI_4) == (theta < M_PI_4)) return 1;
    return !needs_fine(legendre, begin) && theta < 1.0;
}

/* Neighbours in the sorted list that mirror each other become one pair. A pair that does not fit
 * the vector begun starts the next one; pairs without rings fill the gap. Needs room for nrings + 2
 * vectors. */
static void match_rings(armilla_legendre *legendre, const armilla_ring_place *places,
                        int64_t nrings)
{
    const int64_t length = legendre->kernels->vector_length;
    double *theta = legendre->theta;
    int64_t count = 0;
    for (int64_t i = 0; i < nrings; count++) {
        if (count % length &&
            !fits_vector(legendre, theta[count / length * length], places[i].theta)) {
            legendre->north[count] = legendre->south[count] = -1;
            theta[count] = theta[count - 1];
            continue;
        }
        i += armilla_mirror_take(places, nrings, i, &legendre->north[count],
                                 &legendre->south[count], &theta[count]);
    }
    legendre->npairs = count;
}

static armilla_status find_pairs(armilla_legendre *legendre, int64_t nrings, const double *theta)
{
    armilla_ring_place *places;
    armilla_status status = armilla_mirror_sort(nrings, theta, &places);
    if (status) return status;
    match_rings(legendre, places, nrings);
    armilla_release(places);
    return ARMILLA_OK;
}

static int is_spin(int32_t form)
{
    return form >= ARMILLA_FORM_SPIN;
}

/* The group that begins at pair `first`: whole vectors. Vectors in fine form lie at the side of
 * pole or equator; more than one make the whole group fine, which costs less than groups of few
 * vectors. Returns the number of pairs, fillers of the last vector left out. */
static int64_t fill_group(const armilla_legendre *legendre, int64_t first,
                          armilla_kernel_group *group)
{
    const double *theta = legendre->theta;
    const int64_t length = legendre->kernels->vector_length, npairs = legendre->npairs;
    const int64_t vectors = (npairs - first + length - 1) / length,
                  most = legendre->kernels->vectors;
    const int64_t groups = (vectors + most - 1) / most, wanted = (vectors + groups - 1) / groups;
    int32_t nvec = 0, nfine = 0;
    const int32_t form = choose_form(legendre, theta[first]);
    for (int64_t i = first; i < npairs && nvec < wanted; i += length, nvec++) {
        int64_t last = i + length < npairs ? i + length - 1 : npairs - 1;
        if (is_spin(choose_form(legendre, theta[i])) != is_spin(form)) break;
        if (nvec > 0 && !fits_vector(legendre, theta[first], theta[last])) break;
        nfine += needs_fine(legendre, theta[i]) || needs_fine(legendre, theta[last]);
    }
    *group = (armilla_kernel_group){.first = first, .nvec = nvec, .form = form};
    if (!is_spin(form)) group->nfine = nfine > 1 ? nvec : nfine;
    return nvec * length < npairs - first ? nvec * length : npairs - first;
}

/* A function of spin s and order m is as large as a scalar one of order m - s or more. */
static int64_t order_limit(const armilla_legendre *legendre, double theta)
{
    int64_t limit = armilla_polar_limit(legendre->lmax, theta) + legendre->spin;
    return limit < legendre->lmax ? limit : legendre->lmax;
}

static void make_groups(armilla_legendre *legendre)
{
    const double *theta = legendre->theta;
    legendre->ngroups = 0;
    for (int64_t first = 0; first < legendre->npairs;) {
        armilla_kernel_group *group = &legendre->groups[legendre->ngroups++];
        int64_t count = fill_group(legendre, first, group);
        group->mlimit = order_limit(legendre, theta[first + count - 1]);
        for (int64_t i = first; i < first + count; i++) legendre->limit[i] = group->mlimit;
        first += count;
    }
}

void armilla_legendre_split(long double value, int64_t shift, double *mantissa, double *exponent)
{
    int e;
    *mantissa = (double)frexpl(value, &e);
    *exponent = value != 0 ? (double)(shift + e) : 0;
}

/* Rows of one pair: sin^j for j < 64, then (sin^64)^j, kept in range by frexp. */
static void fill_powers(armilla_legendre *legendre, int64_t pair, long double sine)
{
    int64_t rows = ARMILLA_LEGENDRE_LOW + legendre->nhigh, stride = legendre->npadded;
    double *mantissa = legendre->power_mantissa + pair, *exponent = legendre->power_exponent + pair;
    long double base = sine, value = 1;
    int64_t base_exponent = 0, value_exponent = 0;
    for (int64_t row = 0; row < rows; row++) {
        if (row == ARMILLA_LEGENDRE_LOW)
            base = value, base_exponent = value_exponent, value = 1, value_exponent = 0;
        armilla_legendre_split(value, value_exponent, &mantissa[row * stride],
                               &exponent[row * stride]);
        int shift;
        value = frexpl(value * base, &shift);
        value_exponent += base_exponent + shift;
    }
}

static double pair_argument(int32_t form, long double theta)
{
    long double sine = sinl(theta), cosine = cosl(theta), half = sinl(theta / 2);
    if (is_spin(form)) return (double)(2 * half * half);
    return (double)(form & 1 ? sine * sine : cosine * cosine);
}

static void fill_pairs(armilla_legendre *legendre)
{
    for (int64_t g = 0; g < legendre->ngroups; g++) {
        const armilla_kernel_group *group = &legendre->groups[g];
        int64_t end = group->first + group->nvec * (int64_t)legendre->kernels->vector_length;
        for (int64_t i = group->first; i < end; i++) {
            if (i >= legendre->npairs) legendre->theta[i] = legendre->theta[legendre->npairs - 1];
            const long double theta = (long double)legendre->theta[i], sine = sinl(theta);
            legendre->cos_theta[i] = (double)cosl(theta);
            legendre->argument[i] = pair_argument(group->form, theta);
            fill_powers(legendre, i, sine);
            if (legendre->spin)
                legendre->inverse_sine[i] = armilla_legendre_spin_sign(legendre) *
                                            (double)powl(sine, -(long double)legendre->spin);
        }
    }
}

/* Below which colatitude functions of spin s come from their own recurrence; above they are sums of
 * scalar ones over sin^s theta, (3.5). */
static double spin_border(const armilla_legendre_problem *problem)
{
    static const double border[] = {0, 0.02, 0.1, 0.2};
    int64_t spin = problem->spin < 0 ? -problem->spin : problem->spin;
    if (spin == 0) return 0;
    return problem->recurrence_only || spin > 3 ? M_PI : border[spin];
}

armilla_status armilla_legendre_make_pairs(armilla_legendre *legendre,
                                           const armilla_legendre_problem *problem)
{
    const int64_t nrings = problem->nrings;
    const int64_t group_size =
        (int64_t)legendre->kernels->vector_length * legendre->kernels->vectors;
    armilla_status status;
    legendre->border = spin_border(problem);
    int64_t room = (nrings + 2 * ARMILLA_VECTOR_MAX + group_size) / group_size * group_size;
    room += ARMILLA_VECTOR_MAX;
    if ((status = armilla_allocate(&legendre->theta, room, sizeof(double))) ||
        (status = armilla_allocate(&legendre->north, room, sizeof(int64_t))) ||
        (status = armilla_allocate(&legendre->south, room, sizeof(int64_t))) ||
        (status = armilla_allocate(&legendre->limit, room, sizeof(int64_t))) ||
        (status = find_pairs(legendre, nrings, problem->theta)))
        return status;

    legendre->npadded = (legendre->npairs + group_size - 1) / group_size * group_size;
    legendre->npadded =
        (legendre->npadded + ARMILLA_VECTOR_MAX - 1) / ARMILLA_VECTOR_MAX * ARMILLA_VECTOR_MAX;
    int64_t highest = legendre->mmax > legendre->spin ? legendre->mmax : legendre->spin;
    legendre->nhigh = highest / ARMILLA_LEGENDRE_LOW + 1;
    int64_t table = (ARMILLA_LEGENDRE_LOW + legendre->nhigh) * legendre->npadded;
    if ((status = armilla_allocate(&legendre->groups,
                                   legendre->npadded / legendre->kernels->vector_length + 1,
                                   sizeof *legendre->groups)) ||
        (status = armilla_allocate_zero(&legendre->argument, legendre->npadded, sizeof(double))) ||
        (status = armilla_allocate_zero(&legendre->cos_theta, legendre->npadded, sizeof(double))) ||
        (status = armilla_allocate_zero(&legendre->power_mantissa, table, sizeof(double))) ||
        (status = armilla_allocate_zero(&legendre->power_exponent, table, sizeof(double))) ||
        (legendre->spin && (status = armilla_allocate_zero(&legendre->inverse_sine,
                                                           legendre->npadded, sizeof(double)))))
        return status;
    make_groups(legendre);
    fill_pairs(legendre);
    legendre->bytes += 8 * (2 * table + 3 * legendre->npadded + 3 * nrings);
    return ARMILLA_OK;
}

void armilla_legendre_power(const armilla_legendre *legendre, int64_t exponent,
                            armilla_kernel_power *power)
{
    int64_t low = exponent % ARMILLA_LEGENDRE_LOW * legendre->npadded;
    int64_t high = (ARMILLA_LEGENDRE_LOW + exponent / ARMILLA_LEGENDRE_LOW) * legendre->npadded;
    power->high_mantissa = legendre->power_mantissa + high;
    power->high_exponent = legendre->power_exponent + high;
    power->low_mantissa = legendre->power_mantissa + low;
    power->low_exponent = legendre->power_exponent + low;
}

double armilla_legendre_flops(const armilla_legendre *legendre)
{
    double flops = 0;
    const double each = legendre->spin == 0 ? 3 : legendre->top > legendre->lmax ? 5 : 12;
    for (int64_t i = 0; i < legendre->npairs; i++) {
        double x = legendre->cos_theta[i], sine = sqrt((1 - x) * (1 + x));
        double rings = (legendre->north[i] >= 0) + (legendre->south[i] >= 0);
        double top = fmin((double)legendre->mmax, (double)legendre->lmax * sine);
        /* sum over m <= top of (lmax - m / sin) */
        double terms = (double)legendre->lmax * (top + 1);
        if (sine > 0) terms -= top * (top + 1) / 2 / sine;
        flops += each * rings * terms;
    }
    return flops;
}
