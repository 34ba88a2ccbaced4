/* One pair of rings with FFTs of its own: from columns of leg to samples and back. */
#ifndef ARMILLA_RINGFFT_ALONE_H
#define ARMILLA_RINGFFT_ALONE_H

#include "ringfft/plan.h"
#include "ringfft/spectrum.h"
#include "ringfft/way.h"

/* One pair and one set of a batch; both rings share an FFT. */
typedef struct armilla_pair_call {
    const armilla_ringfft *ringfft;
    armilla_ringfft_mode mode;
    armilla_ring_pair pair;
    int64_t ring;       /* a ring of the pair that exists */
    double *leg;        /* entry of the first row of this pair */
    int64_t row_length; /* doubles between rows */
    armilla_array map;
    double *rows; /* NESTED: samples of the north ring, then of the south ring; NULL: in the map */
    armilla_ringfft_scratch scratch;
} armilla_pair_call;

/* Calls `one` for each pair and set of the batch, twice where its two rings cannot share an FFT. */
void armilla_pairs_run(const armilla_ring_batch *batch, int to_maps,
                       void (*one)(const armilla_pair_call *call));

/* Returned: whether both rings are doubles without gaps; then rows are their samples. */
int armilla_pair_rows(const armilla_pair_call *call, double *rows[2]);

/* The same for analysis that folds its samples: both rings of doubles in NESTED order are read into
 * the scratch, where the kernels find what they would find in a map without gaps, for the same
 * bits.
 */
int armilla_pair_rows_to_fold(const armilla_pair_call *call, double *rows[2]);

/* The first `count` samples of the rings, from the complex numbers z = north + i south or to them.
 * add: to what the map has. */
void armilla_pair_write(const armilla_pair_call *call, int64_t count, const double scale[2],
                        int add, const double *z);
void armilla_pair_read(const armilla_pair_call *call, int64_t count, double *z);

/* The pair's column of leg, with its phases. */
armilla_leg_column armilla_pair_column(const armilla_pair_call *call);

/* Samples from one column, or from those of both parts of the orders. */
void armilla_pair_make_samples(const armilla_pair_call *call, int ncolumns,
                               const armilla_leg_column *columns, int add);

/* The pair's column from a spectrum. */
void armilla_pair_take_column(const armilla_pair_call *call, const armilla_spectrum *spectrum);

/* The way alone: analysis of whatever orders the mode has. */
void armilla_pair_analyze(const armilla_pair_call *call);

#endif
