/* How the Legendre stage puts ring pairs into vectors and groups. Pairs of leg (leg/pairs.h) follow
 * each other without gaps; here each vector holds pairs that one form of the recurrence suits, and
 * ends where a block of leg ends: its other lanes repeat the last pair. */
#include "base/memory.h"
#include "legendre/plan.h"

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

static int is_spin(int32_t form)
{
    return form >= ARMILLA_FORM_SPIN;
}

/* Pairs from `first` on, before `end`, that one vector holds. */
static int64_t count_lanes(const armilla_legendre *legendre, int64_t first, int64_t end)
{
    const double *theta = legendre->pairs->theta;
    const int64_t length = legendre->lanes;
    int64_t count = 1;
    while (count < length && first + count < end &&
           fits_vector(legendre, theta[first], theta[first + count]))
        count++;
    return count;
}

/* How many vectors the next group should have, so that the pairs that are left fill as few groups
 * as possible, of about equal size. */
static int64_t wanted_vectors(const armilla_legendre *legendre, int64_t npairs)
{
    const int64_t length = legendre->lanes, most = legendre->vectors;
    const int64_t vectors = (npairs + length - 1) / length, groups = (vectors + most - 1) / most;
    return (vectors + groups - 1) / groups;
}

/* The group that begins at pair `first`, before pair `end`. Vectors in fine form lie at the side of
 * pole or equator; more than one make the whole group fine, which costs less than groups of few
 * vectors. A vector that is not full is the last one. */
static void fill_group(const armilla_legendre *legendre, int64_t first, int64_t end,
                       armilla_kernel_group *group)
{
    const double *theta = legendre->pairs->theta;
    const int64_t length = legendre->lanes;
    const int64_t wanted = wanted_vectors(legendre, end - first);
    const int32_t form = choose_form(legendre, theta[first]);
    int64_t count = 0;
    int32_t nvec = 0, nfine = 0;
    while (first + count < end && nvec < wanted && count == nvec * length) {
        const int64_t begin = first + count, lanes = count_lanes(legendre, begin, end);
        const double last = theta[begin + lanes - 1];
        if (is_spin(choose_form(legendre, theta[begin])) != is_spin(form)) break;
        if (nvec > 0 && !fits_vector(legendre, theta[first], last)) break;
        nfine += needs_fine(legendre, theta[begin]) || needs_fine(legendre, last);
        nvec++, count += lanes;
    }
    *group = (armilla_kernel_group){.pair = first, .npairs = count, .nvec = nvec, .form = form};
    if (!is_spin(form)) group->nfine = nfine > 1 ? nvec : nfine;
}

/* Makes the groups of all blocks; with groups = NULL it only counts them. Returned: their number;
 * *npadded: how many places the tables need. */
static int64_t fill_groups(const armilla_legendre *legendre, armilla_kernel_group *groups,
                           int64_t *npadded)
{
    const int64_t npairs = legendre->pairs->count, size = legendre->block_size;
    int64_t count = 0, place = 0, end = 0;
    for (int64_t first = 0; first < npairs; count++) {
        armilla_kernel_group group;
        if (first == end) end = npairs - first < size ? npairs : first + size;
        fill_group(legendre, first, end, &group);
        group.first = place;
        place += group.nvec * legendre->lanes;
        first += group.npairs;
        if (groups) groups[count] = group;
    }
    *npadded = armilla_round_line(place); /* so that every row is aligned */
    return count;
}

/* The most places that the groups of one block have. */
static int64_t widest_block(const armilla_legendre *legendre)
{
    const armilla_kernel_group *groups = legendre->groups;
    int64_t most = 0, begin = 0;
    for (int64_t g = 0; g < legendre->ngroups; g++) {
        if (groups[g].pair % legendre->block_size == 0) begin = groups[g].first;
        const int64_t end = groups[g].first + groups[g].nvec * legendre->lanes;
        if (end - begin > most) most = end - begin;
    }
    return most;
}

armilla_status armilla_legendre_make_groups(armilla_legendre *legendre)
{
    legendre->ngroups = fill_groups(legendre, NULL, &legendre->npadded);
    armilla_status status =
        armilla_allocate(&legendre->groups, legendre->ngroups, sizeof *legendre->groups);
    if (status) return status;
    fill_groups(legendre, legendre->groups, &legendre->npadded);
    legendre->block_places = widest_block(legendre);
    legendre->bytes += legendre->ngroups * (int64_t)sizeof *legendre->groups;
    return ARMILLA_OK;
}

int64_t armilla_legendre_first_group(const armilla_legendre *legendre, int64_t pair)
{
    int64_t low = 0, high = legendre->ngroups;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (legendre->groups[middle].pair + legendre->groups[middle].npairs <= pair)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
