/* The rows of an exchange on the device, and their moves between legs and messages. Part of
 * share.h.
 */
#ifndef ARMILLA_CUDA_STAGES_MOVES_H
#define ARMILLA_CUDA_STAGES_MOVES_H

#include "base/status.h"
#include "cuda/kernels/moved_row.h"

typedef struct armilla_cuda_moves armilla_cuda_moves; /* an armilla_cuda_object */

/* Copies rows, and the list of pairs (moved_row.h) that some of them mean, to the calling thread's
 * current GPU. Errors: MEMORY (also of the device: names the bytes), UNSUPPORTED. */
armilla_status armilla_cuda_moves_new(int64_t nrows, const armilla_cuda_moved_row *rows,
                                      int64_t npairs, const int64_t *pairs,
                                      armilla_cuda_moves **moves);

/* Neighbours among the rows. */
typedef struct armilla_cuda_moved_range {
    int64_t first, count;
    int64_t most; /* entries of a row, at most */
    int listed;   /* do they mean pairs of the list? */
} armilla_cuda_moved_range;

/* A move. Legs, messages: on the device; range: within the rows. */
typedef struct armilla_cuda_moved {
    const armilla_cuda_moves *moves;
    armilla_cuda_moved_range range;
    int64_t nsets;
    double *legs, *messages;
    int pack; /* from legs to messages; else back */
} armilla_cuda_moved;

struct armilla_cuda_work; /* work.h */

/* Puts it on the stream. */
void armilla_cuda_moves_run(const armilla_cuda_moved *moved, struct armilla_cuda_work *work);

#endif
