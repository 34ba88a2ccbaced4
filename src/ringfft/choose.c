/* Chooses how the rings of a grid are transformed: by residues, in parts, with kept roots of
 * shifts, in the lanes of vectors. A caller can force each choice by its name (base/choice.h). */
#include "ringfft/choose.h"

#include "base/choice.h"
#include "base/integer.h"
#include "fft/fft.h"
#include "ringfft/kernels/kernels.h"

enum {
    /* FFTW_ESTIMATE plans for a quarter of a longer smooth length are so much better that residues
     * of orders modulo 4 take half of the time at 8192. */
    FOURS_ABOVE = 2048,
    /* By measurement: eighths instead of quarters take 5 % from analysis at 4096 samples, 24 % at
     * 8192, nothing at 2048. */
    EIGHTHS_FROM = 4096,
    /* Sines of shifts are 7 % of a transform on HEALPix of nside 64, 2 % at nside 256; beyond, the
     * plan would have more than it gains. */
    MOST_ORDERS_OF_ROOTS = 512,
    SHORTEST_IN_LANES = ARMILLA_RING_WIDTH,
    SHORTEST_ODD_IN_LANES = 9,
    LONGEST_IN_LANES = 32768, /* by measurement */
    NEAR_BYTES = 24576,       /* of a first-level cache of 32 kB, which holds other things, too */
    GROUPS_BYTES = 1500000    /* of a second-level cache: docs/ways.md, "Special paths" */
};

static int has_fours(int64_t n)
{
    return n > FOURS_ABOVE && n % 4 == 0 && armilla_fft_smooth_length(n) == n;
}

/* How a part's orders of the longest rings are transformed. Shorter rings of a grid have so little
 * to gain that making their twist takes longer. */
static armilla_part_kind choose_part_kind(const armilla_ringfft_problem *problem, int64_t n)
{
    if (!problem->parts) return ARMILLA_PART_WHOLE;
    const int quarters = n % 4 == 0, eighths = n % 8 == 0;
    return (armilla_part_kind)armilla_forced_choose(
        problem->forced, "ring.part_kind", ARMILLA_PART_WHOLE, quarters + eighths,
        eighths && n >= EIGHTHS_FROM ? ARMILLA_PART_EIGHTHS : quarters);
}

int64_t armilla_ring_part_lengths(const armilla_ring_choices *choices, int64_t length[2])
{
    const int64_t n = choices->longest;
    if (choices->part_kind == ARMILLA_PART_WHOLE) return 0;
    length[0] = n / 4;
    length[1] = choices->part_kind == ARMILLA_PART_EIGHTHS ? n / 8 : n / 2;
    return 2;
}

/* --- Lanes ----------------------------------------------------------------------------------- */

static int64_t find_longest(const armilla_ringfft_problem *problem)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < problem->nrings; i++)
        longest = armilla_larger(longest, problem->rings[i].nphi);
    return longest;
}

/* Samples in NESTED order come to lanes without gaps. */
static int64_t stride_of(const armilla_ring *ring)
{
    return ring->stride ? ring->stride : 1;
}

/* The stride of the longest rings, or of one of them. */
static int64_t find_stride(const armilla_ringfft_problem *problem, int64_t longest)
{
    for (int64_t i = 0; i < problem->nrings; i++)
        if (problem->rings[i].nphi == longest) return stride_of(&problem->rings[i]);
    return 1;
}

int armilla_ring_fits(const armilla_ring_question *question, const armilla_ring_choices *choices,
                      int64_t number)
{
    const armilla_ring *ring = &question->problem->rings[number];
    const armilla_phase *phase = &question->phases[number];
    const int64_t n = choices->longest;
    if (ring->nphi != n || stride_of(ring) != choices->lane_stride || !phase->exact) return 0;
    return !armilla_phase_is_shifted(phase) ||
           (n % 2 == 0 && armilla_phase_is_same(phase, &question->common));
}

static int64_t count_fitting(const armilla_ring_question *question,
                             const armilla_ring_choices *choices)
{
    int64_t count = 0;
    for (int64_t i = 0; i < question->problem->nrings; i++)
        count += armilla_ring_fits(question, choices, i);
    return count;
}

/* Rings that go in lanes together. */
static int64_t rings_together(int lanes, int64_t n)
{
    return n % 2 ? 2 * lanes : lanes;
}

/* Does the first-level cache have room for all columns of the transforms? */
static int is_near(int lanes, int64_t n)
{
    return (int64_t)sizeof(double) * 2 * lanes * (n % 2 ? n : n / 2) <= NEAR_BYTES;
}

/* Lanes without a ring cost what others do: where half of four are empty, or a third of those of
 * odd lengths, FFTW is faster, measured. Half of eight are worth it. */
static int fills_lanes(int lanes, int64_t n, int64_t nrings)
{
    const int64_t together = rings_together(lanes, n);
    if (lanes > 4) return 2 * nrings >= together;
    return n % 2 ? 4 * nrings > 3 * together : 2 * nrings > together;
}

/* Odd lengths that are not near, not rough and no product of two numbers from ARMILLA_RING_WIDTH
 * on, up to 343: the convolution that lanes would need takes up to 1.7 times as long as FFTW. */
static int has_no_halves(const armilla_ring_choices *choices)
{
    const int64_t least = ARMILLA_RING_WIDTH, n = choices->longest;
    int64_t rest = n;
    if (n % 2 == 0 || choices->lane_near) return 0;
    for (int64_t prime = 3; prime <= 13; prime += 2)
        while (rest % prime == 0) rest /= prime;
    for (int64_t half = least; half * least <= n; half++)
        if (n % half == 0) return 0;
    return rest == 1;
}

/* Can more than half of the rings go in lanes, and is that faster than one by one? Vectors of two
 * lanes hold one pair, which is no faster than FFTW. */
static int lanes_pay(const armilla_ring_question *question, const armilla_ring_choices *choices)
{
    const int64_t n = choices->longest, count = choices->lane_rings;
    if (question->lanes < 4 || n > LONGEST_IN_LANES) return 0;
    if (!fills_lanes(question->lanes, n, count) || has_no_halves(choices)) return 0;
    return 2 * count > question->problem->nrings;
}

/* Longest rings of 4 k samples have FFTs for the orders of a part alone, one ring at a time:
 * analysis takes 3 to 6 % less than all orders twice in lanes, synthesis the same. */
static void choose_lanes(const armilla_ring_question *question, armilla_ring_choices *choices)
{
    const int64_t n = choices->longest, least = n % 2 ? SHORTEST_ODD_IN_LANES : SHORTEST_IN_LANES;
    const int possible = question->lanes >= 2 && n >= least;
    choices->lane_stride = find_stride(question->problem, n);
    choices->lane_rings = count_fitting(question, choices);
    choices->lane_near = is_near(question->lanes, n);
    if (!armilla_forced_choose(question->problem->forced, "ring.lanes", 0, possible,
                               possible && lanes_pay(question, choices)))
        return;
    choices->lane_pairs = rings_together(question->lanes, n) / 2;
    choices->lane_groups = 1;
    choices->lane_parts = choices->parts && choices->part_kind == ARMILLA_PART_WHOLE;
}

int64_t armilla_ring_choose_groups(const armilla_ring_question *question,
                                   const armilla_ring_choices *choices, int64_t work)
{
    const int has_kernel = question->lanes >= 4 && choices->longest % 2 == 0;
    const int is_along_theta = choices->lane_stride != 1;
    const int64_t most =
        has_kernel && is_along_theta ? ARMILLA_RING_WIDTH / choices->lane_pairs : 1;
    int64_t groups = most;
    while (groups > 1 && 8 * groups * work > GROUPS_BYTES) groups /= 2;
    return armilla_forced_choose(question->problem->forced, "ring.groups", 1, most, groups);
}

/* --- All choices ----------------------------------------------------------------------------- */

armilla_ring_choices armilla_ring_choose(const armilla_ring_question *question)
{
    const armilla_ringfft_problem *problem = question->problem;
    const int64_t n = find_longest(problem);
    armilla_ring_choices choices = {.longest = n, .parts = problem->parts};
    const int64_t fours =
        armilla_forced_choose(problem->forced, "ring.fours", 0, n % 4 == 0, has_fours(n));
    choices.fours = fours ? n : 0;
    choices.part_kind = choose_part_kind(problem, n);
    choices.roots = (int)armilla_forced_choose(problem->forced, "ring.roots", 0, 1,
                                               problem->mmax <= MOST_ORDERS_OF_ROOTS);
    choose_lanes(question, &choices);
    return choices;
}
