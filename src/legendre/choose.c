/* Chooses what a plan keeps of the Legendre functions, and how many transforms share a sum, as
 * functions of the problem and the instruction set; and tells it. */
#include "legendre/choose.h"

#include "base/integer.h"
#include "legendre/plan.h"

#include <inttypes.h>
#include <stdio.h>

/* --- The cache -------------------------------------------------------------------------------- */

/* What calls are taken to be able to read again and again at full speed, unless options say it: not
 * what this machine has, for matrices follow from it, and bits from them. AVX-512: 2 MB, the
 * second-level cache of Xeons, whose third level is far. Others: 8 MB, which a core of AMD's has of
 * the third level; most machines without AVX-512 are such, or desktops.
 *
 * With what was measured of the other kind of machine: by 8 MB a Xeon (2 MB, 2026) takes 1.2 to 1.4
 * times the time for scalars from lmax 110 to 255, by 2 MB Zen 4 takes 1.13 to 1.22 times the time
 * from lmax 110 to 235; nothing elsewhere. options.cache_bytes takes what the user knows. */
static int64_t usual_cache(const armilla_legendre *legendre)
{
    return legendre->kernels->vector_length > 4 ? 2 * ARMILLA_CACHE_LEAST : ARMILLA_CACHE_NEAR;
}

/* Is the third-level cache as good as the second? See base/machine.h. */
static int caches_are_near(const armilla_legendre *legendre)
{
    return legendre->choices.cache_bytes >= ARMILLA_CACHE_NEAR;
}

/* --- Matrices --------------------------------------------------------------------------------- */

/* Sixteenths of the cache that the matrices by step take at most where it is near (those by pair
 * are as large, and a call reads one or the other): calls walk through them again and again, at
 * four doubles a cycle; and the bytes of that cache that all of a call takes with them.
 *
 * Measured on Zen 4, with 16 MB for each of two cores, the other one at work: 5.2 MB, which all
 * orders have up to lmax 160 or so, against 2.6 MB: lmax 159 to 223 13 to 22 %, AVX2 5 to 13 %
 * faster, 239 14 / 17 %. On another machine (Zen 3, which says 16 MB for each of two cores as well;
 * it is shared with cores that are not seen) a call of more than 6 to 7 MB is read from memory:
 * with 5.2 MB scalars at lmax 223 and 239 were 9 and 55 % slower than without any, fields of spin 1
 * at 191 27 %. With 4 MB a core as many processes as cores fill the cache with 2.6 MB each: there
 * it stays at that.
 *
 * On lmax + 1 rings nothing is left for them from lmax 310 on, from 235 where there is a spin. Few
 * rings leave more: with matrices lmax 319 on 64 rings takes 0.83 / 0.77 of the time, spin 1 at 300
 * on 32 rings 0.75 / 0.70 (Zen 3, synthesis / analysis). */
enum { NEAR_SIXTEENTHS = 5, CALL_BYTES = ARMILLA_CACHE_NEAR / 4 * 3 };
enum { LARGEST_LMAX = ARMILLA_LEGENDRE_MATRIX_LMAX };

/* The order from which on matrices have `most` doubles in all, by the size of those of all orders
 * up to lmax in steps, whatever part of them is listed: see plan.h. */
static int64_t first_within(const armilla_legendre *legendre, int64_t most)
{
    const int64_t count = legendre->pairs->count;
    int64_t m = legendre->lmax / legendre->step * legendre->step, pair = count, doubles = 0;
    for (; m >= 0; m -= legendre->step) {
        while (pair > 0 && armilla_legendre_largest_order(legendre, pair - 1) >= m) pair--;
        doubles += armilla_legendre_steps(legendre, m) * (count - pair);
        if (doubles > most) break;
    }
    return m < 0 ? 0 : m + 1;
}

/* Bytes that a call goes through besides matrices: leg and maps, alm, tables, those of the
 * recurrence of some orders or not. */
static int64_t bytes_of_call(const armilla_legendre *legendre, int recurrence)
{
    const int64_t n = legendre->lmax + 1, nsets = legendre->spin ? 2 : 1;
    const int64_t tables = (recurrence ? 16 : 6) + (legendre->spin ? 12 : 0);
    return (nsets * (64 * legendre->pairs->count + 8 * n) * n + tables * n * n) / legendre->step;
}

/* The order from which on matrices are kept. Where the third-level cache is far, everything should
 * stay in the second: fifteen sixteenths of it where all orders have matrices, three quarters with
 * vectors of eight lanes, which use them up twice as fast. That is up to lmax 107 and 99 where it
 * has 2 MB. Else the largest orders have a third of what the rest leaves, for calls go through the
 * cache in one direction, and what is too much pushes out what comes next: on a Xeon lmax 111, 127,
 * 159 are 8 to 12, 4, 0 to 1 % faster than without, three times as much is up to 20 % slower. */
static int64_t choose_matrices(const armilla_legendre *legendre)
{
    const int64_t cache = legendre->choices.cache_bytes;
    if (legendre->lmax > LARGEST_LMAX) return legendre->lmax + 1;
    if (caches_are_near(legendre)) {
        const int64_t left = CALL_BYTES - bytes_of_call(legendre, 1);
        return first_within(legendre, armilla_smaller(cache / 16 * NEAR_SIXTEENTHS, left) / 8);
    }
    const int64_t sixteenths = legendre->kernels->vector_length > 4 ? 12 : 15;
    const int64_t all =
        first_within(legendre, (cache / 16 * sixteenths - bytes_of_call(legendre, 0)) / 8);
    return all == 0 ? 0 : first_within(legendre, (cache - bytes_of_call(legendre, 1)) / 24);
}

/* --- Starts ----------------------------------------------------------------------------------- */

/* Bytes up to which a plan keeps all of them: Gauss-Legendre up to lmax 1700 or so. Larger ones
 * would take an eighth of the memory of alm and map, where plan and workspace together are to stay
 * below 45 %: there groups from the poles on have them, as many as the rest leaves room for. Those
 * save most steps: of all that matter nowhere, rings up to colatitude 45 degrees have 70 %, with 30
 * of 100 starts; rings up to 60 degrees 90 %, with 50. Where pairs are few, an order's recurrence
 * takes longer than what its starts save. */
enum { KEPT_BYTES = 10000000, LEAST_PAIRS = 512 };

/* Entries of leg of all orders up to lmax. */
static int64_t count_entries(const armilla_legendre *legendre)
{
    int64_t entries = 0;
    for (int64_t i = 0; i < legendre->pairs->count; i++)
        entries += armilla_legendre_largest_order(legendre, i) + 1;
    return entries;
}

/* --- Tables ----------------------------------------------------------------------------------- */

/* Steps of all orders together up to which a plan keeps tables (10 MB: lmax 1080 or so), and
 * recurrences, too: 400 KB, to stay in the second-level cache, lmax 150 or so. The latter saves 4
 * to 8 % of a transform there; at lmax 255 reading them takes as long as making them. */
enum { KEPT_STEPS = 300000, KEPT_RECURRENCES = 6000 };

/* Doubles of the links of all orders (1 MB: up to lmax 255 or so for spin 1, where caches hold them
 * beside what else a call needs), and of the recurrences of functions of spin s (2 MB: up to lmax
 * 400 or so). Made by each call, the latter are 5 % of transforms of spins 2 and 3 at lmax 31, up
 * to 9 % at lmax 127 with AVX2, 1 to 5 % at lmax 255. */
enum { KEPT_LINKS = 128 * 1024, KEPT_SPIN_RECURRENCES = 1 << 18 };

static armilla_legendre_kept keep_up_to(int64_t most, int64_t doubles, const char *name,
                                        armilla_forced *forced)
{
    const int none = doubles == 0;
    const armilla_legendre_kept chosen = none              ? ARMILLA_KEPT_NEEDLESS
                                         : doubles <= most ? ARMILLA_KEPT
                                                           : ARMILLA_KEPT_NOT;
    return (armilla_legendre_kept)armilla_forced_choose(
        forced, name, none ? ARMILLA_KEPT_NEEDLESS : ARMILLA_KEPT_NOT,
        none ? ARMILLA_KEPT_NEEDLESS : ARMILLA_KEPT, chosen);
}

armilla_legendre_kept armilla_legendre_choose_links(int64_t doubles, armilla_forced *forced)
{
    return keep_up_to(KEPT_LINKS, doubles, "legendre.links", forced);
}

armilla_legendre_kept armilla_legendre_choose_spin_recurrences(int64_t doubles,
                                                               armilla_forced *forced)
{
    return keep_up_to(KEPT_SPIN_RECURRENCES, doubles, "legendre.spin_recurrences", forced);
}

/* --- Sets ------------------------------------------------------------------------------------- */

/* Sets of scalars that one synthesis should hold at most; analysis takes ARMILLA_SETS_MAX. The
 * kernel for many sets writes the values of the recurrence to memory and reads them for each set.
 * With vectors of eight lanes and few steps, two sets at a time are 6 to 14 % faster: what the
 * kernels do besides the sums is little, and two legs stay nearer than ten. The bits are the same:
 * so this depends on the machine's cache. */
static int64_t choose_synthesis_sets(const armilla_legendre *legendre)
{
    const int64_t few = legendre->machine.cache_bytes >= ARMILLA_CACHE_NEAR ? 400 : 1700;
    if (legendre->choices.matrices == 0) return ARMILLA_SETS_MAX;
    return legendre->kernels->vector_length > 4 && legendre->lmax < few ? 2 : ARMILLA_SETS_MAX;
}

/* --- All -------------------------------------------------------------------------------------- */

/* Steps of the orders of the list, with those in front of the first one. */
static int64_t count_steps(const armilla_legendre *legendre)
{
    int64_t steps = ARMILLA_KERNEL_STEPS;
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++)
        if (armilla_legendre_is_listed(legendre, m)) steps += armilla_legendre_steps(legendre, m);
    return steps;
}

static void choose_tables(const armilla_legendre_problem *problem, armilla_legendre *legendre)
{
    armilla_legendre_choices *choices = &legendre->choices;
    const int kept = problem->keep_tables;
    const int64_t steps = count_steps(legendre);
    choices->tables = kept > 0 || (kept == 0 && steps <= KEPT_STEPS);
    if (kept == 0)
        choices->tables =
            armilla_forced_choose(problem->forced, "legendre.tables", 0, 1, choices->tables);
    choices->recurrences = choices->tables && steps <= KEPT_RECURRENCES;
    if (kept == 0)
        choices->recurrences = (int)armilla_forced_choose(problem->forced, "legendre.recurrences",
                                                          0, choices->tables, choices->recurrences);
}

static void choose_starts(const armilla_legendre_problem *problem, armilla_legendre *legendre)
{
    const int calls = armilla_legendre_is_for_calls(problem) && legendre->grouping.count > 0;
    const int polar = calls && legendre->pairs->count >= LEAST_PAIRS;
    const int all = calls && 8 * count_entries(legendre) <= KEPT_BYTES;
    const int64_t chosen = all     ? ARMILLA_STARTS_ALL
                           : polar ? ARMILLA_STARTS_POLAR
                                   : ARMILLA_STARTS_NONE;
    legendre->choices.starts = (armilla_legendre_starts_kept)armilla_forced_choose(
        problem->forced, "legendre.starts", ARMILLA_STARTS_NONE,
        calls ? ARMILLA_STARTS_ALL : ARMILLA_STARTS_NONE, chosen);
}

void armilla_legendre_choose(const armilla_legendre_problem *problem, armilla_legendre *legendre)
{
    armilla_legendre_choices *choices = &legendre->choices;
    const int64_t lmax = legendre->lmax;
    choices->cache_bytes = problem->cache_bytes ? problem->cache_bytes : usual_cache(legendre);
    choose_tables(problem, legendre);
    choose_starts(problem, legendre);
    const armilla_legendre_part *scalar = &legendre->grouping.part[ARMILLA_PART_SCALAR];
    const int can = choices->starts == ARMILLA_STARTS_ALL && choices->tables &&
                    scalar->first_group < scalar->end_group;
    choices->matrices = can ? choose_matrices(legendre) : lmax + 1;
    choices->matrices = armilla_forced_choose(problem->forced, "legendre.matrices",
                                              can && lmax <= LARGEST_LMAX ? 0 : lmax + 1, lmax + 1,
                                              choices->matrices);
    choices->synthesis_sets = choose_synthesis_sets(legendre);
    if (legendre->spin == 0 && problem->lanes == 0)
        choices->synthesis_sets =
            armilla_forced_choose(problem->forced, "legendre.synthesis_sets", 1, ARMILLA_SETS_MAX,
                                  choices->synthesis_sets);
}

/* --- Telling ---------------------------------------------------------------------------------- */

static void tell_matrices(const armilla_legendre *legendre, const armilla_teller *teller)
{
    const int64_t from = legendre->choices.matrices, lmax = legendre->lmax;
    char why[160];
    snprintf(
        why, sizeof why,
        "calls count on %.1f MB of cache, which leg, maps and tables share; none above lmax %d",
        (double)legendre->choices.cache_bytes / 1048576, (int)LARGEST_LMAX);
    if (from > legendre->mmax)
        armilla_choice_tell(teller, "legendre.matrices", why, "%" PRId64 ": none", from);
    else
        armilla_choice_tell(teller, "legendre.matrices", why,
                            "%" PRId64 ": p of the orders from %" PRId64 " to %" PRId64, from, from,
                            armilla_smaller(legendre->mmax, lmax));
}

static const char *const kept[] = {"0: made by calls", "1: kept", "2: none needed"};

static void tell_spin(const armilla_legendre *legendre, const armilla_teller *teller)
{
    const double degrees = 180 / 3.14159265358979323846;
    const double low = legendre->grouping.low_border, border = legendre->grouping.border;
    if (border > 3)
        armilla_choice_tell(teller, "legendre.spin",
                            "the spin is large for the band limit, or options ask for it",
                            "by their own recurrence on all rings");
    else
        armilla_choice_tell(teller, "legendre.spin",
                            "sums of scalar functions lose digits next to the poles",
                            "as sums of scalar functions, but by their own recurrence within %.2f "
                            "degrees of a pole, %.2f for orders below the spin",
                            low * degrees, border * degrees);
    if (border <= 3)
        armilla_choice_tell(teller, "legendre.links", "up to 1 MB for all orders without matrices",
                            "%s", kept[legendre->choices.links]);
    armilla_choice_tell(teller, "legendre.spin_recurrences", "up to 2 MB for all orders", "%s",
                        kept[legendre->choices.spin_recurrences]);
}

static void tell_starts(const armilla_legendre *legendre, const armilla_teller *teller)
{
    static const char *const starts[] = {"0: none", "1: of rings from the poles on", "2: all"};
    const int64_t end = legendre->starts.end, groups = legendre->grouping.count;
    int which = end > 0;
    if (which && end == armilla_legendre_end_of_group(legendre, groups - 1)) which = 2;
    armilla_choice_tell(teller, "legendre.starts",
                        "all up to 10 MB, else what the memory of a plan leaves", "%s",
                        starts[which]);
}

void armilla_legendre_tell(const armilla_legendre *legendre, const armilla_teller *teller)
{
    const armilla_legendre_choices *choices = &legendre->choices;
    armilla_choice_tell(teller, "legendre.tables", "up to 10 MB for all orders", "%s",
                        choices->tables ? "1: kept" : "0: made by calls");
    armilla_choice_tell(teller, "legendre.recurrences", "up to 400 KB for all orders", "%s",
                        kept[choices->recurrences]);
    tell_starts(legendre, teller);
    tell_matrices(legendre, teller);
    if (legendre->spin)
        tell_spin(legendre, teller);
    else
        armilla_choice_tell(
            teller, "legendre.synthesis_sets",
            "with vectors of eight lanes and few degrees two sums at a time are faster",
            "%" PRId64 " at most", choices->synthesis_sets);
}
