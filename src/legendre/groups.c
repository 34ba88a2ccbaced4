/* How the Legendre stage puts ring pairs into vectors and groups. Pairs of leg (leg/pairs.h) follow
 * each other without gaps; here each vector holds pairs that one form of the recurrence suits, and
 * ends where a block of leg ends: its other lanes repeat the last pair. */
#include "base/memory.h"
#include "base/integer.h"
#include "legendre/plan.h"

#include <math.h>

/* Form of the recurrence at a colatitude <= pi/2, docs/mathematics.md (2.7) to (2.10). */
static int32_t choose_form(const armilla_legendre *legendre, int part, double theta)
{
    if (part == ARMILLA_PART_SCALAR)
        return theta < M_PI_4 ? ARMILLA_FORM_POLE : ARMILLA_FORM_EQUATOR;
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
 * bound. Up to degree 80 the plain forms stay below 0.9 everywhere.
 *
 * Fine vectors are also those whose sums of floats need care (cuda/kernels/legendre_single.h), at
 * any degree: next to the equator, and where sums of scalar functions are divided by sin^s theta,
 * down to 1/4. */
static int needs_fine(const armilla_legendre *legendre, double theta)
{
    static const double careful[] = {0.025, 0.25, 0.5, 0.7};
    const int single = legendre->single && legendre->spin <= 3;
    if (legendre->lmax <= 80 && !single) return 0;
    return theta < (single ? careful[legendre->spin] : careful[0]) || M_PI_2 - theta < 0.04;
}

/* Can a vector that begins at one colatitude hold a later one? Fine and plain rings can be
 * neighbours; forms of pole and equator meet only where both are good. */
static int fits_vector(const armilla_legendre *legendre, int part, double begin, double theta)
{
    if (part != ARMILLA_PART_SCALAR) return 1;
    if ((begin < M_PI_4) == (theta < M_PI_4)) return 1;
    return !needs_fine(legendre, begin) && theta < 1.0;
}

/* Pairs from `first` on, before `end`, that one vector holds. */
static int64_t count_lanes(const armilla_legendre *legendre, int part, int64_t first, int64_t end)
{
    const double *theta = legendre->pairs->theta;
    const int64_t length = legendre->grouping.lanes;
    int64_t count = 1;
    while (count < length && first + count < end &&
           fits_vector(legendre, part, theta[first], theta[first + count]))
        count++;
    return count;
}

/* How many vectors the next group should have, so that the pairs that are left fill as few groups
 * as possible, of about equal size. */
static int64_t wanted_vectors(const armilla_legendre *legendre, int64_t npairs)
{
    const int64_t length = legendre->grouping.lanes, most = legendre->grouping.vectors;
    const int64_t vectors = (npairs + length - 1) / length, groups = (vectors + most - 1) / most;
    return (vectors + groups - 1) / groups;
}

/* The group that begins at pair `first`, before pair `end`. Vectors in fine form lie at the side of
 * pole or equator; more than one make the whole group fine, which costs less than groups of few
 * vectors. A vector that is not full is the last one. */
static void fill_group(const armilla_legendre *legendre, int part, int64_t first, int64_t end,
                       armilla_kernel_group *group)
{
    const double *theta = legendre->pairs->theta;
    const int64_t length = legendre->grouping.lanes;
    const int64_t wanted = wanted_vectors(legendre, end - first);
    const int32_t form = choose_form(legendre, part, theta[first]);
    int64_t count = 0;
    int32_t nvec = 0, nfine = 0;
    while (first + count < end && nvec < wanted && count == nvec * length) {
        const int64_t begin = first + count, lanes = count_lanes(legendre, part, begin, end);
        const double last = theta[begin + lanes - 1];
        if (nvec > 0 && !fits_vector(legendre, part, theta[first], last)) break;
        nfine += needs_fine(legendre, theta[begin]) || needs_fine(legendre, last);
        nvec++, count += lanes;
    }
    *group = (armilla_kernel_group){.pair = first, .npairs = count, .nvec = nvec, .form = form};
    if (part == ARMILLA_PART_SCALAR) group->nfine = nfine > 1 ? nvec : nfine;
}

/* The first pair that is not nearer to a pole than this. */
static int64_t pairs_below(const armilla_legendre *legendre, double border)
{
    int64_t count = 0;
    while (count < legendre->pairs->count && legendre->pairs->theta[count] < border) count++;
    return count;
}

static void set_parts(armilla_legendre *legendre)
{
    const int64_t low = pairs_below(legendre, legendre->grouping.low_border);
    armilla_legendre_part *part = legendre->grouping.part;
    part[ARMILLA_PART_OWN] = (armilla_legendre_part){.first_pair = 0, .end_pair = low};
    part[ARMILLA_PART_OWN_SMALL] = (armilla_legendre_part){
        .first_pair = low, .end_pair = pairs_below(legendre, legendre->grouping.border)};
    part[ARMILLA_PART_SCALAR] =
        (armilla_legendre_part){.first_pair = low, .end_pair = legendre->pairs->count};
}

/* Where the block of leg that has a pair ends. */
static int64_t end_of_block(const armilla_legendre_problem *problem, int64_t pair)
{
    const int64_t *end = problem->block_ends, size = problem->block_size;
    if (!end) return size > 0 ? (pair / size + 1) * size : problem->pairs->count;
    while (*end <= pair) end++;
    return *end;
}

/* Makes the groups of a part, from number legendre->grouping.count and place
 * legendre->grouping.npadded on, block by block; with legendre->grouping.groups = NULL it only
 * counts them. */
static void fill_part(const armilla_legendre_problem *problem, armilla_legendre *legendre,
                      int number)
{
    armilla_legendre_part *part = &legendre->grouping.part[number];
    part->first_group = legendre->grouping.count;
    for (int64_t first = part->first_pair; first < part->end_pair; legendre->grouping.count++) {
        const int64_t end = armilla_smaller(end_of_block(problem, first), part->end_pair);
        armilla_kernel_group group;
        fill_group(legendre, number, first, end, &group);
        group.first = legendre->grouping.npadded;
        legendre->grouping.npadded += group.nvec * legendre->grouping.lanes;
        first += group.npairs;
        if (legendre->grouping.groups) legendre->grouping.groups[legendre->grouping.count] = group;
    }
    part->end_group = legendre->grouping.count;
}

static void fill_parts(const armilla_legendre_problem *problem, armilla_legendre *legendre)
{
    legendre->grouping.count = legendre->grouping.npadded = 0;
    for (int part = 0; part < ARMILLA_PARTS; part++) fill_part(problem, legendre, part);
    legendre->grouping.npadded =
        armilla_round_line(legendre->grouping.npadded); /* so that every row is aligned */
}

/* The most places that the groups first .. end - 1 have in one block. */
static int64_t widest_block(const armilla_legendre_problem *problem,
                            const armilla_legendre *legendre, int64_t first, int64_t end)
{
    int64_t most = 0, block = -1, begin = 0;
    for (int64_t g = first; g < end; g++) {
        const armilla_kernel_group *group = &legendre->grouping.groups[g];
        if (end_of_block(problem, group->pair) != block) begin = group->first;
        block = end_of_block(problem, group->pair);
        const int64_t places = group->first + group->nvec * legendre->grouping.lanes - begin;
        if (places > most) most = places;
    }
    return most;
}

armilla_status armilla_legendre_make_groups(const armilla_legendre_problem *problem,
                                            armilla_legendre *legendre)
{
    set_parts(legendre);
    fill_parts(problem, legendre);
    armilla_status status = armilla_allocate(&legendre->grouping.groups, legendre->grouping.count,
                                             sizeof *legendre->grouping.groups);
    if (status) return status;
    fill_parts(problem, legendre);
    const int64_t nown = legendre->grouping.part[ARMILLA_PART_SCALAR].first_group;
    const int64_t own = widest_block(problem, legendre, 0, nown);
    const int64_t scalar = widest_block(problem, legendre, nown, legendre->grouping.count);
    legendre->grouping.block_places =
        problem->whole ? legendre->grouping.npadded : armilla_larger(own, scalar);
    legendre->bytes += legendre->grouping.count * (int64_t)sizeof *legendre->grouping.groups;
    return ARMILLA_OK;
}

int64_t armilla_legendre_first_group(const armilla_legendre *legendre, int64_t low, int64_t high,
                                     int64_t pair)
{
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (legendre->grouping.groups[middle].pair + legendre->grouping.groups[middle].npairs <=
            pair)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t armilla_legendre_least_scalar(const armilla_legendre *legendre, int64_t m)
{
    const int64_t least = legendre->least_pair[m - legendre->mfirst];
    const int64_t behind = legendre->grouping.part[ARMILLA_PART_OWN_SMALL].end_pair;
    return m < legendre->spin && least < behind ? behind : least;
}
