/* Keeps the rows of an exchange on the device, and moves them between legs and messages. */
#include "cuda/stages/moves.h"

#include "base/memory.h"
#include "cuda/cuda.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/kernels/exchange_kernels.h"
#include "cuda/runtime/work.h"

struct armilla_cuda_moves {
    armilla_cuda_object object;
    armilla_cuda_moved_row *rows; /* on the device, as the next one */
    int64_t *pairs;
};

static void free_moves(void *object)
{
    armilla_cuda_moves *m = object;
    int before;
    armilla_cuda_enter_to_free(m->object.device, &before);
    armilla_cuda_release(m->rows);
    armilla_cuda_release(m->pairs);
    armilla_cuda_leave_device(m->object.device, before);
    armilla_release(m);
}

armilla_status armilla_cuda_moves_new(int64_t nrows, const armilla_cuda_moved_row *rows,
                                      int64_t npairs, const int64_t *pairs,
                                      armilla_cuda_moves **moves)
{
    armilla_cuda_moves *m;
    armilla_status status = armilla_allocate_zero(&m, 1, sizeof *m);
    if (status) return status;
    m->object.free = free_moves;
    m->object.bytes = nrows * (int64_t)sizeof *rows + npairs * (int64_t)sizeof *pairs;
    if (!(status = armilla_cuda_current_device(&m->object.device)) &&
        !(status = armilla_cuda_upload(rows, nrows, sizeof *rows, "rows of an exchange",
                                       (void **)&m->rows)) &&
        !(status = armilla_cuda_upload(pairs, npairs, sizeof *pairs, "pairs of an exchange",
                                       (void **)&m->pairs)))
        status = armilla_cuda_status(cudaDeviceSynchronize(), "waiting for an exchange's rows");
    if (status)
        free_moves(m);
    else
        *moves = m;
    return status;
}

void armilla_cuda_moves_run(const armilla_cuda_moved *moved, armilla_cuda_work *work)
{
    const armilla_cuda_moved_range *range = &moved->range;
    const armilla_cuda_move move = {.rows = moved->moves->rows + range->first,
                                    .nrows = range->count,
                                    .most = range->most,
                                    .pairs = range->listed ? moved->moves->pairs : NULL,
                                    .nsets = moved->nsets,
                                    .legs = moved->legs,
                                    .messages = moved->messages,
                                    .pack = moved->pack};
    if (range->count && range->most)
        armilla_cuda_note(work, armilla_cuda_move_entries(&move, work->stream));
}
