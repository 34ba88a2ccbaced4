/* Prepares once what all calls of a ring FFT stage share: an FFT for each length of a ring, phases
 * of shifted rings, twiddles of those that are transformed by residues, and where the parts of a
 * thread's scratch begin. */
#include "ringfft/plan.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/nested.h"
#include "ringfft/lanes.h"
#include "ringfft/way.h"

#include <math.h>

int armilla_ringfft_must_split(const armilla_ringfft *ringfft, const armilla_ring_pair *pair)
{
    return pair->north >= 0 && pair->south >= 0 &&
           !armilla_phase_is_same(&ringfft->phases[pair->north], &ringfft->phases[pair->south]);
}

/* The shift with the longest run of rings that share it. Rings without a shift do not end a run: on
 * HEALPix' equatorial belt they alternate with rings shifted by half a pixel. */
static void find_common(armilla_ringfft *ringfft)
{
    int64_t best = 0, count = 0;
    const armilla_phase *last = NULL;
    for (int64_t i = 0; i < ringfft->nrings; i++) {
        const armilla_phase *phase = &ringfft->phases[i];
        if (!armilla_phase_is_shifted(phase)) continue;
        count = last && armilla_phase_is_same(phase, last) ? count + 1 : 1;
        last = phase;
        if (count > best) best = count, ringfft->common = *phase;
    }
}

static int comes(const int64_t *places, int64_t ring)
{
    return !places || places[ring] >= 0;
}

static int64_t fft_length(const armilla_ringfft *ringfft, int64_t n)
{
    return n == ringfft->choices.fours ? n / 4 : n;
}

void armilla_ringfft_fill_twist(int64_t n, int64_t count, double *twist, double *work)
{
    armilla_phase phase;
    armilla_phase_init(&phase, 2 * M_PI / (double)n, n);
    armilla_phase_fill(&phase, count - 1, twist, work);
}

/* Lengths of all rings, then of parts; planned: of those that come. Returned: how many. */
static int64_t list_lengths(const armilla_ringfft *ringfft, const int64_t *places, int64_t *lengths,
                            unsigned char *planned)
{
    const int64_t n = ringfft->nrings;
    for (int64_t i = 0; i < n; i++) {
        lengths[i] = fft_length(ringfft, ringfft->rings[i].nphi);
        planned[i] = (unsigned char)comes(places, i);
    }
    if (!ringfft->choices.parts) return n;
    const int64_t count = armilla_ring_part_lengths(&ringfft->choices, lengths + n);
    for (int64_t i = 0; i < count; i++) planned[n + i] = 1;
    return n + count;
}

static void find_ffts(armilla_ringfft *ringfft, int64_t count, const int64_t *lengths,
                      const unsigned char *planned)
{
    const int64_t n = ringfft->nrings;
    for (int64_t i = 0; i < n; i++)
        if (planned[i]) ringfft->fft[i] = armilla_fft_set_find(ringfft->set, lengths[i]);
    for (int64_t i = n; i < count; i++) {
        const armilla_fft *fft = armilla_fft_set_find(ringfft->set, lengths[i]);
        ringfft->parts.fft[i - n] = fft;
        ringfft->parts.scratch =
            armilla_larger(ringfft->parts.scratch, armilla_fft_scratch_size(fft));
    }
}

static armilla_status make_set(int64_t count, const int64_t *lengths, const unsigned char *planned,
                               armilla_ringfft *ringfft)
{
    const armilla_isa isa = ringfft->machine.isa;
    return ringfft->counts ? armilla_fft_set_count(isa, count, lengths, &ringfft->set)
                           : armilla_fft_set_new_some(isa, count, lengths, planned, &ringfft->set);
}

/* One set for all lengths, so that whole rings and parts share tables; places: as in the problem.
 */
static armilla_status plan_ffts(armilla_ringfft *ringfft, const int64_t *places)
{
    const int64_t n = ringfft->nrings;
    int64_t *lengths;
    unsigned char *planned = NULL;
    armilla_status status = armilla_allocate(&lengths, n + 2, sizeof *lengths);
    if (!status) status = armilla_allocate(&planned, n + 2, sizeof *planned);
    if (!status) status = armilla_allocate_zero(&ringfft->fft, n, sizeof *ringfft->fft);
    if (!status) {
        const int64_t count = list_lengths(ringfft, places, lengths, planned);
        status = make_set(count, lengths, planned, ringfft);
        if (!status) find_ffts(ringfft, count, lengths, planned);
    }
    armilla_release(lengths);
    armilla_release(planned);
    return status;
}

/* A ring of the other hemisphere mostly has the shift of its mirror image. */
static int64_t place_roots(armilla_ringfft *ringfft)
{
    const int64_t n = ringfft->nrings, size = 2 * armilla_phase_roots(ringfft->mmax);
    int64_t end = 0;
    for (int64_t i = 0; i < n; i++) {
        const armilla_phase *phase = &ringfft->phases[i];
        const int64_t mirror = n - 1 - i;
        ringfft->root_place[i] = -1;
        if (!armilla_phase_is_shifted(phase) || armilla_phase_is_same(phase, &ringfft->common))
            continue;
        if (mirror < i && armilla_phase_is_same(phase, &ringfft->phases[mirror]))
            ringfft->root_place[i] = ringfft->root_place[mirror];
        else
            ringfft->root_place[i] = end, end += size;
    }
    return end;
}

static armilla_status make_roots(armilla_ringfft *ringfft)
{
    if (!ringfft->choices.roots) return ARMILLA_OK;
    armilla_status status =
        armilla_allocate(&ringfft->root_place, ringfft->nrings, sizeof *ringfft->root_place);
    if (status) return status;
    const int64_t size = place_roots(ringfft);
    if (size == 0) {
        armilla_release(ringfft->root_place);
        ringfft->root_place = NULL;
        return ARMILLA_OK;
    }
    if ((status = armilla_allocate(&ringfft->roots, size, sizeof *ringfft->roots))) return status;
    for (int64_t i = 0, end = 0; i < ringfft->nrings; i++) {
        if (ringfft->root_place[i] < end) continue;
        end = ringfft->root_place[i] + 1;
        armilla_phase_fill_roots(&ringfft->phases[i], ringfft->mmax,
                                 ringfft->roots + ringfft->root_place[i]);
    }
    ringfft->bytes += 8 * (size + ringfft->nrings);
    return ARMILLA_OK;
}

/* --- Scratch --------------------------------------------------------------------------------- */

/* One cache line more than needed: residues must not all fall into one cache set. */
int64_t armilla_ringfft_fours_step(int64_t n)
{
    return armilla_round_line(n / 2) + 8;
}

/* The parts in the order of armilla_ringfft_scratch. */
static void place_scratch(armilla_ringfft *ringfft)
{
    const int64_t longest = ringfft->choices.longest,
                  fft = armilla_fft_set_scratch_size(ringfft->set);
    const int64_t fours =
        ringfft->choices.fours ? 4 * armilla_ringfft_fours_step(ringfft->choices.fours) : 0;
    const int64_t size[ARMILLA_RINGFFT_PLACES] = {
        armilla_larger(2 * longest, fours),
        armilla_larger(2 * fft + fours / 4 * 3, fours),
        2 * (ringfft->mmax + 1),
        2 * (ringfft->mmax + 9), /* four doubles for every second order */
        ARMILLA_PHASE_WORK,
        armilla_larger(ringfft->choices.parts ? 3 * longest / 2 + 16 : 0, fours),
        ringfft->choices.parts ? 3 * armilla_round_line(2 * ringfft->parts.scratch) + 2 : 0};
    for (int i = 0; i < ARMILLA_RINGFFT_PLACES; i++)
        ringfft->place[i + 1] = ringfft->place[i] + armilla_round_line(size[i]);
}

armilla_ringfft_scratch armilla_ringfft_split_scratch(const armilla_ringfft *ringfft,
                                                      double *scratch)
{
    const int64_t *place = ringfft->place;
    return (armilla_ringfft_scratch){scratch,
                                     scratch + place[1],
                                     scratch + place[2],
                                     scratch + place[3],
                                     scratch + place[4],
                                     scratch + place[5],
                                     scratch + place[6]};
}

/* --- Plans ----------------------------------------------------------------------------------- */

static armilla_status copy_rings(const armilla_ringfft_problem *problem, armilla_ringfft *ringfft)
{
    const int64_t n = problem->nrings;
    armilla_status status = armilla_allocate(&ringfft->rings, n, sizeof *ringfft->rings);
    if (!status) status = armilla_allocate(&ringfft->phases, n, sizeof *ringfft->phases);
    for (int64_t i = 0; i < n && !status; i++) {
        const armilla_ring *ring = &problem->rings[i];
        ringfft->rings[i] = *ring;
        armilla_phase_init(&ringfft->phases[i], ring->phi0, ring->nphi);
        if (comes(problem->places, i)) ringfft->nsamples += ring->nphi;
    }
    if (!status) find_common(ringfft);
    return status;
}

/* Phases of the commonest shift and twiddles of the longest rings, behind the FFTs. */
static armilla_status make_tables(armilla_ringfft *ringfft)
{
    const int64_t longest = ringfft->choices.longest, mmax = ringfft->mmax;
    double work[ARMILLA_PHASE_WORK];
    armilla_status status =
        armilla_allocate(&ringfft->common_table, 2 * (mmax + 1), sizeof(double));
    if (!status) status = armilla_allocate(&ringfft->longest_twist, longest / 2, sizeof(double));
    if (status) return status;
    if (ringfft->common.nphi)
        armilla_phase_fill(&ringfft->common, mmax, ringfft->common_table, work);
    if (longest % 4 == 0)
        armilla_ringfft_fill_twist(longest, longest / 4, ringfft->longest_twist, work);
    ringfft->bytes =
        armilla_fft_set_bytes(ringfft->set) + 16 * (mmax + 1) + 4 * longest +
        ringfft->nrings * (int64_t)(sizeof(armilla_ring) + sizeof(armilla_phase) + sizeof(void *));
    return ARMILLA_OK;
}

static armilla_status make(const armilla_ringfft_problem *problem, armilla_ringfft *ringfft)
{
    armilla_status status = copy_rings(problem, ringfft);
    if (status) return status;
    const armilla_ring_question question = {problem, ringfft->phases, ringfft->common,
                                            ringfft->kernels->lanes};
    ringfft->choices = armilla_ring_choose(&question);
    for (int64_t i = 0; i < ringfft->nrings && problem->places; i++)
        ringfft->rings[i].offset = problem->places[i];
    if ((status = plan_ffts(ringfft, problem->places)) || (status = make_tables(ringfft)) ||
        (status = make_roots(ringfft)))
        return status;
    place_scratch(ringfft);
    if (ringfft->choices.lane_pairs) status = armilla_ringfft_make_lanes(&question, ringfft);
    if (!status) ringfft->scratch_size = armilla_ring_ways_scratch_size(ringfft);
    return status;
}

static armilla_status make_plan(const armilla_ringfft_problem *problem, int counts,
                                armilla_ringfft **ringfft)
{
    armilla_ringfft *result;
    armilla_status status = armilla_allocate_zero(&result, 1, sizeof *result);
    if (status) return status;
    result->machine = problem->machine;
    result->kernels = armilla_ring_kernels_find(problem->machine.isa);
    result->nrings = problem->nrings, result->mmax = problem->mmax;
    result->counts = counts;
    if (problem->nside) result->nested = armilla_nested_scheme(problem->nside);
    if ((status = make(problem, result)))
        armilla_ringfft_free(result);
    else
        *ringfft = result;
    return status;
}

armilla_status armilla_ringfft_new(const armilla_ringfft_problem *problem,
                                   armilla_ringfft **ringfft)
{
    return make_plan(problem, 0, ringfft);
}

armilla_status armilla_ringfft_count(const armilla_ringfft_problem *problem,
                                     armilla_ringfft **ringfft)
{
    return make_plan(problem, 1, ringfft);
}

void armilla_ringfft_free(armilla_ringfft *ringfft)
{
    if (!ringfft) return;
    armilla_fft_set_free(ringfft->set);
    armilla_lane_fft_clear(&ringfft->lanes.fft);
    armilla_release(ringfft->lanes.turn);
    armilla_release(ringfft->lanes.fits);
    armilla_release(ringfft->rings);
    armilla_release(ringfft->phases);
    armilla_release(ringfft->fft);
    armilla_release(ringfft->common_table);
    armilla_release(ringfft->roots);
    armilla_release(ringfft->root_place);
    armilla_release(ringfft->longest_twist);
    armilla_release(ringfft);
}

int64_t armilla_ringfft_scratch_size(const armilla_ringfft *ringfft)
{
    return ringfft->scratch_size;
}

int64_t armilla_ringfft_bytes(const armilla_ringfft *ringfft)
{
    return ringfft->bytes;
}

const double *armilla_ringfft_phases(const armilla_ringfft *ringfft, int64_t ring, int64_t limit,
                                     int again, const armilla_ringfft_scratch *scratch)
{
    const armilla_phase *phase = &ringfft->phases[ring];
    if (!armilla_phase_is_shifted(phase)) return NULL;
    if (armilla_phase_is_same(phase, &ringfft->common)) return ringfft->common_table;
    if (again) return scratch->phase;
    if (ringfft->roots)
        armilla_phase_fill_from(ringfft->roots + ringfft->root_place[ring], ringfft->mmax, limit,
                                scratch->phase);
    else
        armilla_phase_fill(phase, limit, scratch->phase, scratch->work);
    return scratch->phase;
}
