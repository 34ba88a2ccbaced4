/* See ringfft.h and plan.h: what is prepared once. */
#include "ringfft/plan.h"

#include "base/memory.h"
#include "ringfft/lanes.h"

#include <math.h>

int armilla_ringfft_same_phase(const armilla_phase *a, const armilla_phase *b)
{
    return a->phi0 == b->phi0 && a->nphi == b->nphi;
}

static int is_shifted(const armilla_phase *phase)
{
    return !(phase->exact && phase->half_pixels == 0);
}

/* The shift with the longest run of rings that share it, every second ring unshifted at most. */
static void find_common(armilla_ringfft *ringfft)
{
    int64_t best = 0, count = 0;
    const armilla_phase *last = NULL;
    for (int64_t i = 0; i < ringfft->nrings; i++) {
        const armilla_phase *phase = &ringfft->phases[i];
        if (!is_shifted(phase)) continue;
        count = last && armilla_ringfft_same_phase(phase, last) ? count + 1 : 1;
        last = phase;
        if (count > best) best = count, ringfft->common = *phase;
    }
}

/* Is a ring of n samples transformed by residues of orders? FFTW_ESTIMATE plans for a quarter of a
 * long smooth length are so much better that this takes half of the time at 8192. */
static int has_fours(int64_t n)
{
    return n > 2048 && n % 4 == 0 && armilla_fft_smooth_length(n) == n;
}

static int64_t fft_length(const armilla_ringfft *ringfft, int64_t n)
{
    return n == ringfft->fours ? n / 4 : n;
}

void armilla_ringfft_fill_twist(int64_t n, int64_t count, double *twist, double *work)
{
    armilla_phase phase;
    armilla_phase_init(&phase, 2 * M_PI / (double)n, n);
    armilla_phase_fill(&phase, count - 1, twist, work);
}

static void copy_rings(armilla_ringfft *ringfft, const armilla_ring *rings)
{
    for (int64_t i = 0; i < ringfft->nrings; i++) {
        ringfft->rings[i] = rings[i];
        armilla_phase_init(&ringfft->phases[i], rings[i].phi0, rings[i].nphi);
        if (rings[i].nphi > ringfft->longest) ringfft->longest = rings[i].nphi;
    }
    if (has_fours(ringfft->longest)) ringfft->fours = ringfft->longest;
}

/* One set for all lengths, so that whole rings and parts share tables. */
static armilla_status plan_ffts(armilla_ringfft *ringfft)
{
    int64_t n = ringfft->nrings, count = n, *lengths;
    armilla_status status = armilla_allocate(&lengths, 3 * n, sizeof *lengths);
    if (status) return status;
    for (int64_t i = 0; i < n; i++) {
        int64_t nphi = ringfft->rings[i].nphi;
        lengths[i] = fft_length(ringfft, nphi);
        if (ringfft->parts) count += armilla_ringfft_part_lengths(nphi, lengths + count);
    }
    status = armilla_fft_set_new(ringfft->isa, count, lengths, &ringfft->set);
    for (int64_t i = 0; i < n && !status; i++)
        ringfft->fft[i] = armilla_fft_set_find(ringfft->set, lengths[i]);
    for (int64_t i = n; i < count && !status; i++) {
        const armilla_fft *fft = armilla_fft_set_find(ringfft->set, lengths[i]);
        int64_t scratch = armilla_fft_scratch_size(fft);
        if (scratch > ringfft->part_scratch) ringfft->part_scratch = scratch;
    }
    armilla_release(lengths);
    return status;
}

armilla_status armilla_ringfft_new(armilla_isa isa, int64_t nrings, const armilla_ring *rings,
                                   int64_t mmax, int parts, armilla_ringfft **ringfft)
{
    armilla_ringfft *result;
    double work[ARMILLA_PHASE_WORK];
    armilla_status status = armilla_allocate_zero(&result, 1, sizeof *result);
    if (status) return status;
    result->isa = isa;
    result->kernels = armilla_ring_kernels_find(isa);
    result->nrings = nrings, result->mmax = mmax, result->parts = parts;
    if ((status = armilla_allocate(&result->rings, nrings, sizeof *result->rings)) ||
        (status = armilla_allocate(&result->phases, nrings, sizeof *result->phases)) ||
        (status = armilla_allocate(&result->fft, nrings, sizeof *result->fft)) ||
        (status = armilla_allocate(&result->common_table, 2 * (mmax + 1), sizeof(double)))) {
        armilla_ringfft_free(result);
        return status;
    }
    copy_rings(result, rings);
    if ((status = plan_ffts(result)) ||
        (status = armilla_allocate(&result->longest_twist, result->longest / 2, sizeof(double)))) {
        armilla_ringfft_free(result);
        return status;
    }
    find_common(result);
    if (result->common.nphi) armilla_phase_fill(&result->common, mmax, result->common_table, work);
    if (result->longest % 4 == 0)
        armilla_ringfft_fill_twist(result->longest, result->longest / 4, result->longest_twist,
                                   work);
    result->bytes = armilla_fft_set_bytes(result->set) + 16 * (mmax + 1) + 4 * result->longest +
                    nrings * (int64_t)(sizeof *rings + sizeof *result->phases + sizeof(void *));
    if (armilla_ringfft_lanes_pay(result) && (status = armilla_ringfft_plan_lanes(result))) {
        armilla_ringfft_free(result);
        return status;
    }
    *ringfft = result;
    return ARMILLA_OK;
}

void armilla_ringfft_free(armilla_ringfft *ringfft)
{
    if (!ringfft) return;
    armilla_fft_set_free(ringfft->set);
    armilla_ringfft_clear_lanes(ringfft);
    armilla_release(ringfft->rings);
    armilla_release(ringfft->phases);
    armilla_release(ringfft->fft);
    armilla_release(ringfft->common_table);
    armilla_release(ringfft->longest_twist);
    armilla_release(ringfft);
}

int64_t armilla_ringfft_bytes(const armilla_ringfft *ringfft)
{
    return ringfft->bytes;
}

/* --- Parts ----------------------------------------------------------------------------------- */

int armilla_ringfft_parts_are_cheap(int64_t nrings, const armilla_ring *rings)
{
    for (int64_t i = 0; i < nrings; i++)
        if (rings[i].nphi % 4) return 0;
    return 1;
}

int64_t armilla_ringfft_part_lengths(int64_t n, int64_t length[2])
{
    armilla_spectrum_kind kind = armilla_spectrum_kind_of(n);
    if (kind == ARMILLA_SPECTRUM_WHOLE) return 0;
    length[0] = n / 4;
    length[1] = kind == ARMILLA_SPECTRUM_EIGHTHS ? n / 8 : n / 2;
    return 2;
}

/* --- Scratch --------------------------------------------------------------------------------- */

/* One cache line more than needed: residues must not all fall into one cache set. */
int64_t armilla_ringfft_fours_step(int64_t n)
{
    return armilla_round_line(n / 2) + 8;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

enum { SCRATCH_PARTS = 8 };

/* Doubles of each part, in the order of armilla_ringfft_scratch. */
static void scratch_sizes(const armilla_ringfft *ringfft, int64_t size[SCRATCH_PARTS])
{
    const int64_t longest = ringfft->longest, fft = armilla_fft_set_scratch_size(ringfft->set);
    const int64_t fours = ringfft->fours ? 4 * armilla_ringfft_fours_step(ringfft->fours) : 0;
    size[0] = larger(2 * longest, fours);
    size[1] = larger(2 * fft, fours);
    size[2] = 2 * (ringfft->mmax + 1);
    size[3] = 2 * (ringfft->mmax + 9); /* four doubles for every second order */
    size[4] = ARMILLA_PHASE_WORK;
    const int parts = ringfft->parts;
    size[5] = larger(parts ? 3 * longest / 2 + 16 : 0, fours);
    size[6] = parts ? 3 * armilla_round_line(2 * ringfft->part_scratch) : 0;
    size[7] = parts ? longest / 2 : 0;
}

int64_t armilla_ringfft_scratch_size(const armilla_ringfft *ringfft)
{
    int64_t size[SCRATCH_PARTS], sum = 0;
    scratch_sizes(ringfft, size);
    for (int i = 0; i < SCRATCH_PARTS; i++) sum += armilla_round_line(size[i]);
    return larger(sum, armilla_ringfft_lanes_scratch_size(ringfft));
}

armilla_ringfft_scratch armilla_ringfft_split_scratch(const armilla_ringfft *ringfft,
                                                      double *scratch)
{
    int64_t size[SCRATCH_PARTS];
    double *part[SCRATCH_PARTS];
    scratch_sizes(ringfft, size);
    for (int i = 0; i < SCRATCH_PARTS; i++) {
        part[i] = scratch;
        scratch += armilla_round_line(size[i]);
    }
    return (armilla_ringfft_scratch){part[0], part[1], part[2], part[3],
                                     part[4], part[5], part[6], part[7]};
}

const double *armilla_ringfft_phases(const armilla_ringfft *ringfft, int64_t ring, int64_t limit,
                                     const armilla_ringfft_scratch *scratch)
{
    const armilla_phase *phase = &ringfft->phases[ring];
    if (!is_shifted(phase)) return NULL;
    if (armilla_ringfft_same_phase(phase, &ringfft->common)) return ringfft->common_table;
    armilla_phase_fill(phase, limit, scratch->phase, scratch->work);
    return scratch->phase;
}
