/* Launches of kernels that have a row of blocks for each set, or each row of something, whatever
 * their number. Included by .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_LAUNCH_ROWS_H
#define ARMILLA_CUDA_KERNELS_LAUNCH_ROWS_H

#include <stdint.h>

/* Calls launch(first, count) for pieces of 0 .. count - 1, of at most `most` each. */
template <typename Launch>
static inline void armilla_cuda_launch_pieces(int64_t count, int64_t most, const Launch &launch)
{
    for (int64_t first = 0; first < count; first += most)
        launch(first, count - first < most ? count - first : most);
}

/* Calls launch(first, count) until `count` rows are launched: in its second and third dimension a
 * grid has 65535 at most. */
template <typename Launch>
static inline void armilla_cuda_launch_rows(int64_t count, const Launch &launch)
{
    armilla_cuda_launch_pieces(count, 65535,
                               [&](int64_t first, int64_t rows) { launch(first, (unsigned)rows); });
}

#endif
