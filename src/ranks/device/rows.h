/* The rows of an exchange whose legs are on a GPU, where they are uploaded with the plan. */
#ifndef ARMILLA_RANKS_DEVICE_ROWS_H
#define ARMILLA_RANKS_DEVICE_ROWS_H

#include "cuda/stages/moves.h"
#include "ranks/schedule.h"

/* The rows of a chunk's messages in one direction: those of the messages before the own one, of the
 * own one, of those behind it. */
typedef struct armilla_message_rows {
    int64_t first, own, behind, end;
    int64_t most; /* entries of a row */
} armilla_message_rows;

typedef struct armilla_device_rows {
    armilla_cuda_moves *moves;      /* NULL: there are none */
    armilla_message_rows *out, *in; /* of each chunk */
} armilla_device_rows;

/* On the calling thread's current GPU. Given: legs of the schedule have one block each. Errors:
 * MEMORY, UNSUPPORTED; *rows must be cleared all the same. */
armilla_status armilla_device_rows_make(const armilla_schedule *schedule,
                                        armilla_device_rows *rows);
void armilla_device_rows_clear(armilla_device_rows *rows);

#endif
