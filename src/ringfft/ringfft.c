/* See ringfft.h. North and south rings of equal length are the real and imaginary part of one
 * complex FFT (docs/mathematics.md (4.1), (4.2)): with N_m, S_m the ring spectra and
 * Z = FFT(north + i south),
 *
 *     Z_m = N_m + i S_m,               Z_{-m} = conj N_m + i conj S_m,
 *     N_m = (Z_m + conj Z_{-m}) / 2,   S_m = (Z_m - conj Z_{-m}) / (2 i).
 *
 * Orders beyond the ring's Nyquist frequency are folded to m mod n.
 *
 * Scratch: Z, scratch of the FFT, phases, entries kept when two rings go one by one, work. */
#include "ringfft/ringfft.h"

#include "base/memory.h"
#include "fft/fft.h"
#include "ringfft/dispatch.h"
#include "ringfft/phase.h"
#include "ringfft/samples.h"

#include <string.h>

enum { WORK = 128 };

struct armilla_ringfft {
    const armilla_ring_kernels *kernels;
    int64_t nrings, mmax, longest;
    armilla_ring *rings;
    armilla_phase *phases;
    const armilla_fft **fft;
    armilla_fft_set *set;
    armilla_phase common; /* the shift most rings share, its phases tabulated once */
    double *common_table;
    int64_t bytes;
};

static int same_phase(const armilla_phase *a, const armilla_phase *b)
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
        count = last && same_phase(phase, last) ? count + 1 : 1;
        last = phase;
        if (count > best) best = count, ringfft->common = *phase;
    }
}

static armilla_status plan_rings(armilla_ringfft *ringfft, const armilla_ring *rings)
{
    int64_t n = ringfft->nrings, *lengths;
    armilla_status status = armilla_allocate(&lengths, n, sizeof *lengths);
    if (status) return status;
    for (int64_t i = 0; i < n; i++) {
        ringfft->rings[i] = rings[i];
        armilla_phase_init(&ringfft->phases[i], rings[i].phi0, rings[i].nphi);
        lengths[i] = rings[i].nphi;
        if (lengths[i] > ringfft->longest) ringfft->longest = lengths[i];
    }
    status = armilla_fft_set_new(n, lengths, &ringfft->set);
    armilla_release(lengths);
    if (status) return status;
    for (int64_t i = 0; i < n; i++)
        ringfft->fft[i] = armilla_fft_set_find(ringfft->set, rings[i].nphi);
    return ARMILLA_OK;
}

armilla_status armilla_ringfft_new(armilla_isa isa, int64_t nrings, const armilla_ring *rings,
                                   int64_t mmax, armilla_ringfft **ringfft)
{
    armilla_ringfft *result;
    double work[WORK];
    armilla_status status = armilla_allocate_zero(&result, 1, sizeof *result);
    if (status) return status;
    result->kernels = armilla_ring_kernels_find(isa);
    result->nrings = nrings, result->mmax = mmax;
    if ((status = armilla_allocate(&result->rings, nrings, sizeof *result->rings)) ||
        (status = armilla_allocate(&result->phases, nrings, sizeof *result->phases)) ||
        (status = armilla_allocate(&result->fft, nrings, sizeof *result->fft)) ||
        (status = armilla_allocate(&result->common_table, 2 * (mmax + 1), sizeof(double))) ||
        (status = plan_rings(result, rings))) {
        armilla_ringfft_free(result);
        return status;
    }
    find_common(result);
    if (result->common.nphi) armilla_phase_fill(&result->common, mmax, result->common_table, work);
    result->bytes = armilla_fft_set_bytes(result->set) + 16 * (mmax + 1) +
                    nrings * (int64_t)(sizeof *rings + sizeof *result->phases + sizeof(void *));
    *ringfft = result;
    return ARMILLA_OK;
}

void armilla_ringfft_free(armilla_ringfft *ringfft)
{
    if (!ringfft) return;
    armilla_fft_set_free(ringfft->set);
    armilla_release(ringfft->rings);
    armilla_release(ringfft->phases);
    armilla_release(ringfft->fft);
    armilla_release(ringfft->common_table);
    armilla_release(ringfft);
}

int64_t armilla_ringfft_bytes(const armilla_ringfft *ringfft)
{
    return ringfft->bytes;
}

static int64_t round_line(int64_t doubles)
{
    return (doubles + 7) / 8 * 8;
}

int64_t armilla_ringfft_scratch_size(const armilla_ringfft *ringfft)
{
    return round_line(2 * ringfft->longest) +
           round_line(2 * armilla_fft_set_scratch_size(ringfft->set)) +
           2 * round_line(2 * (ringfft->mmax + 1)) + WORK;
}

/* Parts of the scratch. */
typedef struct {
    double *z, *fft, *phase, *kept, *work;
} parts;

static parts split_scratch(const armilla_ringfft *ringfft, double *scratch)
{
    parts p;
    p.z = scratch;
    p.fft = p.z + round_line(2 * ringfft->longest);
    p.phase = p.fft + round_line(2 * armilla_fft_set_scratch_size(ringfft->set));
    p.kept = p.phase + round_line(2 * (ringfft->mmax + 1));
    p.work = p.kept + round_line(2 * (ringfft->mmax + 1));
    return p;
}

/* Phases of a ring up to limit, or NULL where all are 1. */
static const double *find_phases(const armilla_ringfft *ringfft, int64_t ring, int64_t limit,
                                 parts *p)
{
    const armilla_phase *phase = &ringfft->phases[ring];
    if (!is_shifted(phase)) return NULL;
    if (same_phase(phase, &ringfft->common)) return ringfft->common_table;
    armilla_phase_fill(phase, limit, p->phase, p->work);
    return p->phase;
}

/* Z from leg. f: N re, im, S re, im of order m; c + i s = phase. */
static void add_mode(double *plus, double *minus, const double *f, double c, double s)
{
    double n_re = c * f[0] - s * f[1], n_im = c * f[1] + s * f[0];
    double s_re = c * f[2] - s * f[3], s_im = c * f[3] + s * f[2];
    plus[0] += n_re - s_im, plus[1] += n_im + s_re;
    minus[0] += n_re + s_im, minus[1] += s_re - n_im;
}

/* The places of order m and -m in Z. */
typedef struct {
    int64_t n, plus, minus; /* m mod n; n - m mod n, from 1 to n */
} places;

static places places_of(int64_t n, int64_t m)
{
    int64_t plus = m % n;
    return (places){n, plus, n - plus};
}

static void next_place(places *at)
{
    at->plus = at->plus + 1 < at->n ? at->plus + 1 : 0;
    at->minus = at->minus > 1 ? at->minus - 1 : at->n;
}

static int64_t minus_index(const places *at)
{
    return at->minus == at->n ? 0 : at->minus;
}

static void spread_modes(const armilla_ring_pair *pair, const double *leg, int64_t row_length,
                         int64_t n, const double *phase, double *z)
{
    memset(z, 0, sizeof(double) * (size_t)(2 * n));
    int64_t m = pair->first;
    if (m == 0) z[0] = leg[0], z[1] = leg[2], leg += row_length, m++; /* order 0 is real */
    places at = places_of(n, m);
    for (; m <= pair->last; m++, leg += row_length, next_place(&at)) {
        double *plus = z + 2 * at.plus, *minus = z + 2 * minus_index(&at);
        if (phase)
            add_mode(plus, minus, leg, phase[2 * m], phase[2 * m + 1]);
        else
            add_mode(plus, minus, leg, 1, 0);
    }
}

/* leg from Z. scale: half the weights of the two rings. */
static void gather_modes(const armilla_ring_pair *pair, const double *z, int64_t n,
                         const double *phase, const double scale[2], double *leg,
                         int64_t row_length)
{
    places at = places_of(n, pair->first);
    for (int64_t m = pair->first; m <= pair->last; m++, leg += row_length, next_place(&at)) {
        const double *p = z + 2 * at.plus, *q = z + 2 * minus_index(&at);
        double n_re = scale[0] * (p[0] + q[0]), n_im = scale[0] * (p[1] - q[1]);
        double s_re = scale[1] * (p[1] + q[1]), s_im = scale[1] * (q[0] - p[0]);
        double c = phase ? phase[2 * m] : 1, s = phase ? -phase[2 * m + 1] : 0;
        leg[0] = c * n_re - s * n_im, leg[1] = c * n_im + s * n_re;
        leg[2] = c * s_re - s * s_im, leg[3] = c * s_im + s * s_re;
    }
}

/* Both directions, folded or not. */
static void spread(const armilla_ringfft *ringfft, const armilla_ring_pair *pair, const double *leg,
                   int64_t row_length, int64_t n, const double *phase, double *z)
{
    armilla_ring_modes modes = {pair->first, pair->last, row_length, n, phase};
    if (2 * pair->last < n)
        ringfft->kernels->spread(&modes, leg, z);
    else
        spread_modes(pair, leg, row_length, n, phase, z);
}

static void gather(const armilla_ringfft *ringfft, const armilla_ring_pair *pair, const double *z,
                   int64_t n, const double *phase, const double scale[2], double *leg,
                   int64_t row_length)
{
    armilla_ring_modes modes = {pair->first, pair->last, row_length, n, phase};
    if (2 * pair->last < n)
        ringfft->kernels->gather(&modes, z, scale, leg);
    else
        gather_modes(pair, z, n, phase, scale, leg, row_length);
}

/* Two rings of doubles without gaps go through the kernels. */
static int are_plain(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                     armilla_samples map)
{
    return !map.is_float && pair->north >= 0 && pair->south >= 0 &&
           ringfft->rings[pair->north].stride == 1 && ringfft->rings[pair->south].stride == 1;
}

static double *ring_values(const armilla_ringfft *ringfft, int64_t ring, armilla_samples map)
{
    return (double *)map.values + ringfft->rings[ring].offset;
}

/* Rings of different length or shift cannot share an FFT. */
static int must_split(const armilla_ringfft *ringfft, const armilla_ring_pair *pair)
{
    return pair->north >= 0 && pair->south >= 0 &&
           !same_phase(&ringfft->phases[pair->north], &ringfft->phases[pair->south]);
}

static void write_rings(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                        armilla_ringfft_mode mode, armilla_samples map, const double *z)
{
    double scale[2] = {1, 1};
    if (mode.weighted && pair->north >= 0) scale[0] = ringfft->rings[pair->north].weight;
    if (mode.weighted && pair->south >= 0) scale[1] = ringfft->rings[pair->south].weight;
    if (are_plain(ringfft, pair, map) && !mode.add) {
        ringfft->kernels->split(ringfft->rings[pair->north].nphi, z, scale,
                                ring_values(ringfft, pair->north, map),
                                ring_values(ringfft, pair->south, map));
        return;
    }
    for (int part = 0; part < 2; part++) {
        int64_t number = part ? pair->south : pair->north;
        if (number < 0) continue;
        const armilla_ring *ring = &ringfft->rings[number];
        if (mode.add)
            armilla_samples_add(map, ring, scale[part], z + part);
        else
            armilla_samples_write(map, ring, scale[part], z + part);
    }
}

static void synthesis_together(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                               armilla_ringfft_mode mode, const double *leg, int64_t row_length,
                               armilla_samples map, double *scratch)
{
    parts p = split_scratch(ringfft, scratch);
    int64_t any = pair->north >= 0 ? pair->north : pair->south, n = ringfft->rings[any].nphi;
    spread(ringfft, pair, leg, row_length, n, find_phases(ringfft, any, pair->last, &p), p.z);
    write_rings(ringfft, pair, mode, map, armilla_fft_execute(ringfft->fft[any], 1, p.z, p.fft));
}

/* z = north + i south; scale: half the weights. */
static void read_rings(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                       armilla_ringfft_mode mode, armilla_samples map, int64_t n, double *z,
                       double scale[2])
{
    for (int part = 0; part < 2; part++) {
        int64_t number = part ? pair->south : pair->north;
        const armilla_ring *ring = number < 0 ? NULL : &ringfft->rings[number];
        scale[part] = ring ? 0.5 * (mode.weighted ? ring->weight : 1) : 0;
        if (!are_plain(ringfft, pair, map)) armilla_samples_read(map, ring, n, z + part);
    }
    if (are_plain(ringfft, pair, map))
        ringfft->kernels->join(n, ring_values(ringfft, pair->north, map),
                               ring_values(ringfft, pair->south, map), z);
}

static void analysis_together(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                              armilla_ringfft_mode mode, armilla_samples map, double *leg,
                              int64_t row_length, double *scratch)
{
    parts p = split_scratch(ringfft, scratch);
    int64_t any = pair->north >= 0 ? pair->north : pair->south, n = ringfft->rings[any].nphi;
    double scale[2];
    read_rings(ringfft, pair, mode, map, n, p.z, scale);
    const double *z = armilla_fft_execute(ringfft->fft[any], -1, p.z, p.fft);
    gather(ringfft, pair, z, n, find_phases(ringfft, any, pair->last, &p), scale, leg, row_length);
}

void armilla_ringfft_synthesis(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                               armilla_ringfft_mode mode, const double *leg, int64_t row_length,
                               armilla_samples map, double *scratch)
{
    if (!must_split(ringfft, pair)) {
        synthesis_together(ringfft, pair, mode, leg, row_length, map, scratch);
        return;
    }
    armilla_ring_pair alone = *pair;
    alone.south = -1;
    synthesis_together(ringfft, &alone, mode, leg, row_length, map, scratch);
    alone.north = -1, alone.south = pair->south;
    synthesis_together(ringfft, &alone, mode, leg, row_length, map, scratch);
}

void armilla_ringfft_analysis(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                              armilla_ringfft_mode mode, armilla_samples map, double *leg,
                              int64_t row_length, double *scratch)
{
    if (!must_split(ringfft, pair)) {
        analysis_together(ringfft, pair, mode, map, leg, row_length, scratch);
        return;
    }
    /* each ring alone writes zeros for the other: set the south entries aside while the north comes
     */
    armilla_ring_pair alone = *pair;
    int64_t orders = pair->last - pair->first + 1;
    double *kept = split_scratch(ringfft, scratch).kept;
    alone.north = -1;
    analysis_together(ringfft, &alone, mode, map, leg, row_length, scratch);
    for (int64_t m = 0; m < orders; m++)
        memcpy(kept + 2 * m, leg + m * row_length + 2, 2 * sizeof *kept);
    alone.north = pair->north, alone.south = -1;
    analysis_together(ringfft, &alone, mode, map, leg, row_length, scratch);
    for (int64_t m = 0; m < orders; m++)
        memcpy(leg + m * row_length + 2, kept + 2 * m, 2 * sizeof *kept);
}
