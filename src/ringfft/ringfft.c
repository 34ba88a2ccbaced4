/* Transforms one pair of rings, from its entries of leg to samples and back. North and south rings
 * of equal length are the real and imaginary part of one complex FFT (docs/mathematics.md (4.1),
 * (4.2)); rings that differ in length or shift have one each. How leg becomes a spectrum is in
 * spectrum.h.
 *
 * Parts. Synthesis needs nothing but room for the orders of the first part until those of the
 * second are there, and the map itself is such room: the first pass parks its rows in the rings'
 * samples, the second joins them with its own. Rings with fewer samples than the rows need are
 * transformed twice instead. Analysis cannot write to its map: each pass folds the samples so that
 * only its own residues of orders remain, and transforms those. */
#include "ringfft/ringfft.h"

#include "ringfft/parked.h"
#include "ringfft/samples.h"
#include "ringfft/transform.h"

#include <string.h>

/* Are these two rings of doubles without gaps? The kernels read and write such samples directly. */
static int are_plain(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                     armilla_array map)
{
    return !map.is_float && pair->north >= 0 && pair->south >= 0 &&
           ringfft->rings[pair->north].stride == 1 && ringfft->rings[pair->south].stride == 1;
}

static double *ring_values(const armilla_ringfft *ringfft, int64_t ring, armilla_array map)
{
    return (double *)map.values + ringfft->rings[ring].offset;
}

/* Returned: whether the rings are plain; then rows are their samples. */
static int find_rows(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                     armilla_array map, double *rows[2])
{
    if (!are_plain(ringfft, pair, map)) return 0;
    rows[0] = ring_values(ringfft, pair->north, map);
    rows[1] = ring_values(ringfft, pair->south, map);
    return 1;
}

/* A ring of the pair that exists. */
static int64_t any_ring(const armilla_ring_pair *pair)
{
    return pair->north >= 0 ? pair->north : pair->south;
}

static armilla_leg_column make_column(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                                      armilla_ringfft_mode mode, const double *leg,
                                      int64_t row_length, const armilla_ringfft_scratch *scratch)
{
    const double *phase =
        armilla_ringfft_phases(ringfft, any_ring(pair), pair->last, mode.again, scratch);
    return (armilla_leg_column){mode.part, pair->last, row_length, (double *)leg, phase};
}

/* --- Samples --------------------------------------------------------------------------------- */

/* Weights of the two rings, or ones. */
static void find_weights(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                         int weighted, double scale[2])
{
    scale[0] = weighted && pair->north >= 0 ? ringfft->rings[pair->north].weight : 1;
    scale[1] = weighted && pair->south >= 0 ? ringfft->rings[pair->south].weight : 1;
}

/* The first `count` samples of the rings, from the complex numbers z. */
static void write_rings(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                        armilla_array map, int64_t count, const double scale[2], int add,
                        const double *z)
{
    double *rows[2];
    if (!add && find_rows(ringfft, pair, map, rows)) {
        ringfft->kernels->split(count, z, scale, rows[0], rows[1]);
        return;
    }
    for (int part = 0; part < 2; part++) {
        int64_t number = part ? pair->south : pair->north;
        if (number < 0) continue;
        armilla_ring ring = ringfft->rings[number];
        ring.nphi = count;
        if (add)
            armilla_samples_add(map, &ring, scale[part], z + part);
        else
            armilla_samples_write(map, &ring, scale[part], z + part);
    }
}

/* z = north + i south, the first `count` samples. */
static void read_rings(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                       armilla_array map, int64_t count, double *z)
{
    double *rows[2];
    if (find_rows(ringfft, pair, map, rows)) {
        ringfft->kernels->join(count, rows[0], rows[1], z);
        return;
    }
    for (int part = 0; part < 2; part++) {
        int64_t number = part ? pair->south : pair->north;
        armilla_samples_read(map, number < 0 ? NULL : &ringfft->rings[number], count, z + part);
    }
}

/* --- Synthesis ------------------------------------------------------------------------------- */

/* Rows of the first part become samples. */
static void park(const armilla_ringfft *ringfft, const armilla_ring_pair *pair, const double *leg,
                 int64_t row_length, armilla_array map, int64_t rows, double *kept)
{
    const double ones[2] = {1, 1};
    double *samples[2];
    if (find_rows(ringfft, pair, map, samples)) {
        armilla_rows_park(rows, leg, row_length, samples);
        return;
    }
    armilla_rows_transpose(rows, leg, row_length, kept);
    write_rings(ringfft, pair, map, 2 * rows, ones, 0, kept);
}

static void fetch_parked(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                         armilla_array map, int64_t rows, double *kept)
{
    double *samples[2];
    if (find_rows(ringfft, pair, map, samples)) {
        armilla_rows_fetch(rows, samples, kept);
        return;
    }
    read_rings(ringfft, pair, map, 2 * rows, kept);
    armilla_rows_transpose(rows, kept, 4, kept);
}

static void synthesis_together(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                               armilla_ringfft_mode mode, const double *leg, int64_t row_length,
                               armilla_array map, double *scratch)
{
    armilla_ringfft_scratch s = armilla_ringfft_split_scratch(ringfft, scratch);
    int64_t any = any_ring(pair), n = ringfft->rings[any].nphi;
    int64_t parked = mode.part ? armilla_parked_rows(pair, n) : 0;
    if (parked && mode.part == ARMILLA_ORDERS_FIRST) {
        park(ringfft, pair, leg, row_length, map, parked, s.kept);
        return;
    }
    armilla_leg_column columns[2] = {make_column(ringfft, pair, mode, leg, row_length, &s)};
    if (parked) {
        fetch_parked(ringfft, pair, map, parked, s.kept);
        columns[1] = columns[0];
        columns[1].part = ARMILLA_ORDERS_FIRST;
        columns[1].values = s.kept, columns[1].row_length = 4;
    }
    armilla_spectrum spectrum = armilla_ringfft_empty_spectrum(ringfft, any, &s);
    armilla_spectrum_spread(ringfft->kernels, &spectrum, parked ? 2 : 1, columns);
    double scale[2], *rows[2];
    find_weights(ringfft, pair, mode.weighted, scale);
    const int add = mode.add || (mode.part == ARMILLA_ORDERS_SECOND && !parked);
    int direct = !add && find_rows(ringfft, pair, map, rows);
    const double *z =
        armilla_ringfft_backward(ringfft, any, &spectrum, scale, direct ? rows : NULL, &s);
    if (z) write_rings(ringfft, pair, map, n, scale, add, z);
}

void armilla_ringfft_synthesis(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                               armilla_ringfft_mode mode, const double *leg, int64_t row_length,
                               armilla_array map, double *scratch)
{
    if (!armilla_ringfft_must_split(ringfft, pair)) {
        synthesis_together(ringfft, pair, mode, leg, row_length, map, scratch);
        return;
    }
    armilla_ring_pair alone = *pair;
    mode.again = 0; /* the scratch has those of the other ring */
    alone.south = -1;
    synthesis_together(ringfft, &alone, mode, leg, row_length, map, scratch);
    alone.north = -1, alone.south = pair->south;
    synthesis_together(ringfft, &alone, mode, leg, row_length, map, scratch);
}

/* --- Analysis -------------------------------------------------------------------------------- */

static void analysis_together(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                              armilla_ringfft_mode mode, armilla_array map, double *leg,
                              int64_t row_length, double *scratch)
{
    armilla_ringfft_scratch s = armilla_ringfft_split_scratch(ringfft, scratch);
    int64_t any = any_ring(pair);
    double *rows[2];
    int direct = find_rows(ringfft, pair, map, rows);
    if (!direct) read_rings(ringfft, pair, map, ringfft->rings[any].nphi, s.z);
    armilla_spectrum spectrum =
        armilla_ringfft_forward(ringfft, any, mode.part, direct ? rows : NULL, &s);
    armilla_leg_column column = make_column(ringfft, pair, mode, leg, row_length, &s);
    double scale[2];
    find_weights(ringfft, pair, mode.weighted, scale);
    scale[0] *= pair->north >= 0 ? 0.5 : 0;
    scale[1] *= pair->south >= 0 ? 0.5 : 0;
    armilla_spectrum_gather(ringfft->kernels, &spectrum, scale, &column);
}

void armilla_ringfft_analysis(const armilla_ringfft *ringfft, const armilla_ring_pair *pair,
                              armilla_ringfft_mode mode, armilla_array map, double *leg,
                              int64_t row_length, double *scratch)
{
    if (!armilla_ringfft_must_split(ringfft, pair)) {
        analysis_together(ringfft, pair, mode, map, leg, row_length, scratch);
        return;
    }
    /* each ring alone writes zeros for the other: set the south entries aside while the north comes
     */
    armilla_ring_pair alone = *pair;
    int64_t rows = armilla_orders_rows(mode.part, pair->last);
    double *kept = armilla_ringfft_split_scratch(ringfft, scratch).kept;
    alone.north = -1, mode.again = 0;
    analysis_together(ringfft, &alone, mode, map, leg, row_length, scratch);
    for (int64_t i = 0; i < rows; i++)
        memcpy(kept + 2 * i, leg + i * row_length + 2, 2 * sizeof *kept);
    alone.north = pair->north, alone.south = -1;
    analysis_together(ringfft, &alone, mode, map, leg, row_length, scratch);
    for (int64_t i = 0; i < rows; i++)
        memcpy(leg + i * row_length + 2, kept + 2 * i, 2 * sizeof *kept);
}
