/* Moves entries between legs and messages to other ranks, row by row. Two threads have an entry, 16
 * bytes each, so that a warp moves 512 bytes of the message without gaps; those of the leg are
 * neighbours, too, where it has all orders of its pairs, and whole sectors of 32 bytes else. */
#include "cuda/kernels/device.h"
#include "cuda/kernels/exchange_kernels.h"
#include "cuda/kernels/launch_rows.h"

namespace
{

enum { THREADS = 128 };

__global__ void __launch_bounds__(THREADS)
    move_entries(const armilla_cuda_move move, int64_t first_set)
{
    const armilla_cuda_moved_row row = move.rows[blockIdx.y];
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x, entry = i / 2,
                  set = first_set + blockIdx.z;
    if (entry >= row.count) return;
    const int64_t listed = move.pairs ? move.pairs[row.pair + entry] : 4 * (row.pair + entry);
    const int64_t half = listed % 4; /* 0: both */
    if (!move.pack && half && half - 1 != i % 2) return;
    double2 *leg = reinterpret_cast<double2 *>(move.legs + move.nsets * row.leg +
                                               set * row.set_length + row.row + (listed - half)) +
                   i % 2;
    double2 *message = reinterpret_cast<double2 *>(move.messages + move.nsets * row.begin) +
                       2 * set * row.count + i;
    if (move.pack)
        *message = *leg;
    else
        *leg = *message;
}

} // namespace

cudaError_t armilla_cuda_move_entries(const armilla_cuda_move *move, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    const unsigned across = (unsigned)((2 * move->most + THREADS - 1) / THREADS);
    armilla_cuda_launch_rows(move->nrows, [&](int64_t first_row, unsigned rows) {
        armilla_cuda_move some = *move;
        some.rows += first_row, some.nrows = rows;
        armilla_cuda_launch_rows(move->nsets, [&](int64_t first_set, unsigned sets) {
            if (error) return;
            error = ARMILLA_LAUNCH(move_entries, dim3(across, rows, sets), THREADS, 0, stream, some,
                                   first_set);
        });
    });
    return error;
}
