/* Moves numbers from any layout over ranks to any other: maps between ranges of pixels and rings,
 * coefficients between ranges of the triangle and orders, and both to and from one rank.
 *
 * There is one array of numbers 0, 1, ..., the whole array, of which each rank has some. Its
 * numbers may be pixels of a map, coefficients of alm, or pixels of all maps of several groups of
 * fields: pixel p of field f is then number f npix + p. Spans say which numbers a rank has and
 * where; the spans of the sources and of the targets are made in the same way.
 *
 *     whole array   0 1 2 3 4 5 6 7      span {begin 3, count 2, place 0}: numbers 3 and 4 are
 *     a rank's                3 4        elements 0 and 1 of this rank's array
 *
 * A redistribution is made once, and may move arrays of any type. Ranks tell each other their
 * spans, but no rank sees all of them: each rank compares the spans for one range of the whole
 * array. Nothing has the size of the whole array, and messages are cut to a budget.
 *
 * Collective rule: calls whose first argument is a transport, and _run, are collective: every rank
 * makes them, in the same sequence. An error on one rank becomes the same error on all ranks, with
 * the same message, and outputs are untouched, except those of a call that ends with TRANSPORT.
 * Thread rule: a rank calls from one thread at a time. */
#ifndef ARMILLA_REDISTRIBUTION_H
#define ARMILLA_REDISTRIBUTION_H

#include "distribution.h"
#include "transport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers begin .. begin + count - 1 of the whole array are elements place .. place + count - 1 of
 * this rank's array. All three are >= 0; count = 0 is allowed and moves nothing. */
typedef struct armilla_span {
    int64_t begin, count, place;
} armilla_span;

/* --- Redistributions ------------------------------------------------------------------------- */

typedef struct armilla_redistribution armilla_redistribution;

typedef struct armilla_redistribution_options {
    size_t size;         /* set by _init */
    int64_t chunk_bytes; /* of the messages that a rank sends, and that it receives, at once, about:
                            two such chunks are under way. Where ranks differ, the largest one
                            counts. 0, the default: 4 MB */
} armilla_redistribution_options;

ARMILLA_API void armilla_redistribution_options_init_sized(armilla_redistribution_options *options,
                                                           size_t size);
#define armilla_redistribution_options_init(options)                                               \
    armilla_redistribution_options_init_sized(options, sizeof(armilla_redistribution_options))

/* Finds out what goes where: collective.
 * Given:    transport  the struct is copied, its context must outlive the redistribution;
 *           from  nfrom spans, of the numbers that this rank has; no number may be in two spans of
 *           any ranks;
 *           to  nto spans, of the numbers that this rank wants, each of which must have a source.
 *           Several ranks may want a number, and a rank may want it in several places; no place may
 *           be in two spans. Both may be NULL where there are none. Copied;
 *           options  or NULL for the defaults.
 * Returned: *redistribution  new; free with armilla_redistribution_free.
 * Errors:   ARGUMENT (spans that are wrong; two spans with one place; the first number that has two
 *           sources, with their ranks; the first number that is wanted and has no source, with the
 *           rank that wants it), MEMORY, TRANSPORT.
 * Notes:    while it is made, a redistribution takes some 200 bytes for each span; afterwards it
 *           takes 16 for each stretch that leaves or arrives in one piece. */
ARMILLA_API armilla_status armilla_redistribution_new(const armilla_transport *transport,
                                                      int64_t nfrom, const armilla_span *from,
                                                      int64_t nto, const armilla_span *to,
                                                      const armilla_redistribution_options *options,
                                                      armilla_redistribution **redistribution);

/* NULL is allowed. Not collective. */
ARMILLA_API void armilla_redistribution_free(armilla_redistribution *redistribution);

/* Moves several arrays at once, such as components and fields: collective.
 * Given:    element_bytes  of a number, >= 1: 8 for pixels in double, 16 for coefficients; the same
 *           on all ranks;
 *           narrays  >= 0, the same on all ranks;
 *           source  array i begins at element i source_stride; source_stride >= 0; 0: the arrays
 *           follow one another, each as long as the spans of this rank's source reach, the largest
 *           place + count;
 *           target_stride  likewise. An array without numbers may be NULL.
 * Returned: target  elements that no span has are untouched; must not overlap source.
 * Errors:   ARGUMENT, MEMORY, TRANSPORT. */
ARMILLA_API armilla_status armilla_redistribution_run(const armilla_redistribution *redistribution,
                                                      int64_t element_bytes, int64_t narrays,
                                                      const void *source, int64_t source_stride,
                                                      void *target, int64_t target_stride);

/* --- Spans of distributions ------------------------------------------------------------------ */

/* The spans of a rank's map and of its alm, one component of one field. Numbers of the whole array
 * are the grid's own indices of pixels (offset + j stride of a ring), and the indices of the
 * triangular layout (armilla_alm_index). Ranks of the same place in two groups have the same spans:
 * take the spans of one group, or add f npix to `begin` and the field's first element to `place`.
 * Given:    spans  room for all of them, or NULL, to count.
 * Returned: the number of spans: neighbours are joined, and where the stride is not 1 each pixel
 *           has a span of its own. -1 for distribution = NULL, and for a rank that is not in 0 ..
 *           nranks - 1.
 * Notes:    not collective; any thread. */
ARMILLA_API int64_t armilla_distribution_map_spans(const armilla_distribution *distribution,
                                                   int64_t rank, armilla_span *spans);
ARMILLA_API int64_t armilla_distribution_alm_spans(const armilla_distribution *distribution,
                                                   int64_t rank, armilla_span *spans);

/* --- From and to one rank -------------------------------------------------------------------- */

/* Gathers the parts of all ranks, as armilla_distributed_sht has them, into whole arrays on one
 * rank, and scatters whole arrays to all ranks: collective.
 * Given:    transport  with as many ranks as the distribution;
 *           root  the rank that has the whole arrays;
 *           nfields, ncomp  >= 0: fields of all groups, and components of each field;
 *           element_bytes  of a pixel (8 or 4), of a coefficient (16 or 8);
 *           part  (fields of the rank's group, ncomp, armilla_distribution_npix or _alm_size);
 *           whole  on root (nfields, ncomp, armilla_grid_npix or armilla_alm_size); ignored on
 *           other ranks. Arrays without numbers may be NULL.
 * Returned: whole, or part. Gaps between the pixels of a grid are untouched.
 * Errors:   ARGUMENT, MEMORY, TRANSPORT.
 * Notes:    each call makes redistributions, one for each group. A program that moves arrays often,
 *           or has no room for whole arrays on one rank, makes its own redistributions. */
ARMILLA_API armilla_status armilla_distributed_map_gather(const armilla_transport *transport,
                                                          const armilla_distribution *distribution,
                                                          int64_t root, int64_t nfields,
                                                          int64_t ncomp, int64_t element_bytes,
                                                          const void *part, void *whole);
ARMILLA_API armilla_status armilla_distributed_map_scatter(const armilla_transport *transport,
                                                           const armilla_distribution *distribution,
                                                           int64_t root, int64_t nfields,
                                                           int64_t ncomp, int64_t element_bytes,
                                                           const void *whole, void *part);
ARMILLA_API armilla_status armilla_distributed_alm_gather(const armilla_transport *transport,
                                                          const armilla_distribution *distribution,
                                                          int64_t root, int64_t nfields,
                                                          int64_t ncomp, int64_t element_bytes,
                                                          const void *part, void *whole);
ARMILLA_API armilla_status armilla_distributed_alm_scatter(const armilla_transport *transport,
                                                           const armilla_distribution *distribution,
                                                           int64_t root, int64_t nfields,
                                                           int64_t ncomp, int64_t element_bytes,
                                                           const void *whole, void *part);

#ifdef __cplusplus
}
#endif
#endif
