/* Checksums of transforms over ranks: sums of hashes of all numbers that come out, each with its
 * place in the whole array, so that ranks add theirs in any sequence. */
#ifndef ARMILLA_TESTS_RANKS_CHECKSUMS_H
#define ARMILLA_TESTS_RANKS_CHECKSUMS_H

#include "armilla/transport.h"

/* Three grids, on each three kinds of fields, of these one, seven, and one with the ranks in two
 * groups if they are even, so that half of the ranks have no field; in double and in float. */
enum { RANKS_CHECKSUMS = 3 * 3 * 3 * 2 };

/* What the rank adds to the sum of each case, of its four operators. few: only the cases of one
 * field in double precision; the others stay. All ranks call it. Returned: 0, or 1 after a sentence
 * on stderr. */
int ranks_add_checksums(const armilla_transport *transport, int nthreads, int few,
                        uint64_t sums[RANKS_CHECKSUMS]);

#endif
