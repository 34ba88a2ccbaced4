/* Cuts the points of tiles into tasks of blocks of threads. See point_tasks.h. */
#include "cuda/stages/point_tasks.h"

#include "base/integer.h"
#include "base/memory.h"

enum {
    LEAST_PIECE = 1024,
    PIECES = 2048,
    MOST_SUMS =
        (ARMILLA_CUDA_TILE_RINGS + ARMILLA_CUDA_TAPS) / ARMILLA_CUDA_ADD_ROWS /* of a tile */
};

static int64_t parts_of(int64_t count, int64_t size)
{
    return (count + size - 1) / size;
}

int64_t armilla_cuda_piece_size(int64_t count)
{
    return armilla_larger(LEAST_PIECE, parts_of(count, PIECES));
}

/* A tile of more than one piece has fewer than twice as many as whole ones. */
int64_t armilla_cuda_point_buffers_bound(int64_t count)
{
    return 2 * count / armilla_cuda_piece_size(count);
}

int64_t armilla_cuda_point_tasks_bound(int64_t ntiles, int64_t count)
{
    const int64_t used = armilla_smaller(ntiles, count);
    const int64_t heavy = armilla_smaller(used, count / armilla_cuda_piece_size(count));
    return 2 * used + count / ARMILLA_CUDA_READ_POINTS + armilla_cuda_point_buffers_bound(count) +
           MOST_SUMS * heavy;
}

/* Tasks are counted first, then written by the same code. */
typedef struct {
    const armilla_cuda_point_tiling *tiling;
    const uint32_t *start;
    int64_t piece;
    armilla_cuda_point_tasks *to;
} maker;

static void put(const maker *m, armilla_cuda_point_task task)
{
    if (m->to->tasks) m->to->tasks[m->to->count] = task;
    m->to->count++;
}

/* All points of a tile by tasks of `size`. buffer: of the first one; below 0: none. Returned:
 * tasks. */
static int64_t put_parts(const maker *m, uint32_t tile, int64_t size, int32_t buffer)
{
    const int64_t first = m->start[tile], count = m->start[tile + 1] - first;
    const int64_t parts = parts_of(count, size);
    for (int64_t i = 0; i < parts; i++) {
        const int64_t begin = i * size, some = armilla_smaller(size, count - begin);
        put(m, (armilla_cuda_point_task){tile, (uint32_t)(first + begin), (uint32_t)some,
                                         buffer < 0 ? -1 : buffer + (int32_t)i});
    }
    return parts;
}

/* Rows of all its buffers. */
static void put_sums(const maker *m, uint32_t tile, int64_t pieces, int32_t buffer)
{
    for (int64_t row = 0; row < ARMILLA_CUDA_TILE_RINGS + m->tiling->taps;
         row += ARMILLA_CUDA_ADD_ROWS)
        put(m, (armilla_cuda_point_task){tile, (uint32_t)row, (uint32_t)pieces, buffer});
}

/* Tiles before this one of the list have the buffers below *buffer. */
static void put_tile(const maker *m, int list, uint32_t tile, int32_t *buffer)
{
    const int64_t count = m->start[tile + 1] - m->start[tile];
    const int64_t pieces = count > m->piece ? parts_of(count, m->piece) : 0;
    if (count == 0) return;
    if (list == ARMILLA_CUDA_READ) {
        put_parts(m, tile, ARMILLA_CUDA_READ_POINTS, -1);
    } else if (list == ARMILLA_CUDA_PIECES) {
        if (pieces) *buffer += (int32_t)put_parts(m, tile, m->piece, *buffer);
    } else if (pieces) {
        put_sums(m, tile, pieces, *buffer);
        *buffer += (int32_t)pieces;
    } else {
        put_parts(m, tile, m->piece, -1);
    }
}

/* Does a list have the tiles of this band and column? If not, their buffers are passed over. */
static int has_tile(int list, int64_t band, int64_t column)
{
    return list < ARMILLA_CUDA_ADD || list - ARMILLA_CUDA_ADD == 2 * (band % 2) + column % 2;
}

static void pass_tile(const maker *m, uint32_t tile, int32_t *buffer)
{
    const int64_t count = m->start[tile + 1] - m->start[tile];
    if (count > m->piece) *buffer += (int32_t)parts_of(count, m->piece);
}

static void put_list(const maker *m, int list)
{
    const armilla_cuda_point_tiling *t = m->tiling;
    int64_t *begin = m->to->begin + list * (m->to->rows + 1);
    int32_t buffer = 0;
    for (int64_t row = 0; row < m->to->rows; row++) {
        begin[row] = m->to->count;
        for (int64_t column = 0; column < t->ncolumns; column++) {
            const uint32_t tile = (uint32_t)(row * t->ncolumns + column);
            if (has_tile(list, row % t->nbands, column))
                put_tile(m, list, tile, &buffer);
            else
                pass_tile(m, tile, &buffer);
        }
    }
    begin[m->to->rows] = m->to->count;
    if (list == ARMILLA_CUDA_PIECES) m->to->nbuffers = buffer;
}

static void put_lists(const maker *m)
{
    m->to->count = 0;
    for (int list = 0; list < ARMILLA_CUDA_TASK_LISTS; list++) put_list(m, list);
}

armilla_status armilla_cuda_point_tasks_make(const armilla_cuda_point_tiling *tiling,
                                             const uint32_t *start, int64_t piece,
                                             armilla_cuda_point_tasks *tasks)
{
    const int64_t rows = 2 * tiling->nbands;
    const maker m = {tiling, start, piece, tasks};
    *tasks = (armilla_cuda_point_tasks){.rows = rows};
    armilla_status status =
        armilla_allocate(&tasks->begin, ARMILLA_CUDA_TASK_LISTS * (rows + 1), sizeof *tasks->begin);
    if (status) return status;
    put_lists(&m);
    status = armilla_allocate(&tasks->tasks, tasks->count, sizeof *tasks->tasks);
    if (!status) put_lists(&m);
    if (status) armilla_cuda_point_tasks_clear(tasks);
    return status;
}

void armilla_cuda_point_tasks_clear(armilla_cuda_point_tasks *tasks)
{
    armilla_release(tasks->tasks);
    armilla_release(tasks->begin);
    *tasks = (armilla_cuda_point_tasks){.count = 0};
}
