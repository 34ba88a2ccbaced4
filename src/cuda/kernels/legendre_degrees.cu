/* From sums of steps to alm, docs/mathematics.md (2.14), (3.4), (3.11): adds the tiles' sums, one
 * after the other, and writes what is a degree's. A block of threads makes a stretch of degrees of
 * one set of scalars, or of the two sets of a field of spin s. */
#include "cuda/kernels/legendre_degrees.h"
#include "cuda/kernels/launch_rows.h"

#include "alm/layout.h"

namespace
{

enum {
    STRETCH_STEPS = STRETCH / 2 + 1, /* from the step before the stretch on */
    TILES = 64,                      /* whose first steps are in shared memory at once */
    NEVER = INT32_MAX /* the first step of a tile that the order does not matter on */
};

struct degrees_shared {
    degree_stretch stretch;
    double sums[2][STRETCH_STEPS][4];
    int32_t first[TILES];
};

/* The first steps of `count` tiles from number `begin` on, once for a block: all that its threads
 * ask of a tile, again and again. */
__device__ void find_first_steps(const armilla_cuda_view &view, const int64_t *first_steps,
                                 int64_t norders, int m, int64_t begin, int count,
                                 degrees_shared *shared)
{
    FOR_THREADS(i, count)
    shared->first[i] =
        tile_matters(view, begin + i, m) ? (int32_t)first_steps[i * norders + blockIdx.y] : NEVER;
}

/* Adds those tiles' sums over their pairs, of each step from before - 1 on. */
__device__ void add_some_tiles(const armilla_cuda_view &view, const armilla_cuda_part &part, int m,
                               int before, int64_t begin, int count, int64_t set,
                               degrees_shared *shared)
{
    const int together = sets_together(view);
    const int64_t start = view.table_start[m - view.mfirst] - part.step;
    const int last = ((int)view.top - m) / 2;
    FOR_THREADS(i, 4 * together * STRETCH_STEPS)
    {
        const int j = i / (4 * STRETCH_STEPS), step = before - 1 + i / 4 % STRETCH_STEPS;
        double *to = &shared->sums[j][i / 4 % STRETCH_STEPS][i % 4];
        double sum = begin > part.scalar_tile ? *to : 0;
        for (int tile = 0; tile < count && step >= 0 && step <= last; tile++) {
            if (step < shared->first[tile]) continue;
            const int64_t row = (begin + tile - part.scalar_tile) * part.nsets + set + j;
            sum += part.values[4 * (row * part.nsteps + start + step) + i % 4];
        }
        *to = sum;
    }
}

/* Sums over all tiles, one after the other; a barrier at the end. */
__device__ void add_tiles(const armilla_cuda_view &view, const armilla_cuda_part &part, int m,
                          int before, int64_t set, degrees_shared *shared)
{
    for (int64_t begin = part.scalar_tile; begin < part.end_tile; begin += TILES) {
        const int count = (int)min((int64_t)TILES, part.end_tile - begin);
        find_first_steps(view, part.first + (begin - part.tile) * part.norders, part.norders, m,
                         begin, count, shared);
        __syncthreads();
        add_some_tiles(view, part, m, before, begin, count, set, shared);
        __syncthreads();
    }
}

/* first: the stretch's degree after the halo; degrees that do not exist become 0. any: are there
 * sums of steps? */
__device__ void make_degrees(const armilla_cuda_view &view, int m, int first, int together, int any,
                             degrees_shared *shared)
{
    const double *pair = view.pair + 2 * view.table_start[m - view.mfirst];
    const double *v = view.v + view.table_start[m - view.mfirst];
    FOR_THREADS(i, STRETCH)
    {
        const int l = first - HALO + i, exists = l >= m && l <= view.top;
        const int64_t k = exists ? (l - m) / 2 : 0;
        const int even = i % 2 == 0;
        const double here = !exists ? 0 : even ? pair[2 * k] : pair[2 * k + 1];
        const double behind = exists && even && k > 0 ? v[k - 1] : 0;
        for (int j = 0; j < 2 * together; j++) {
            const double(*sums)[4] = shared->sums[j / 2] + i / 2;
            shared->stretch.part[0][j][i] =
                any ? here * sums[1][even ? j % 2 : 2 + j % 2] + behind * sums[0][j % 2] : 0;
        }
    }
}

/* Adds sums of halves to the degrees of a stretch. */
__device__ void add_some_halves(const armilla_cuda_view &view, const armilla_cuda_part &part, int m,
                                int first, int64_t begin, int count, int64_t set,
                                degrees_shared *shared)
{
    const int together = sets_together(view);
    const float2 *sums = reinterpret_cast<const float2 *>(part.degrees);
    const int64_t start = view.table_start[m - view.mfirst] - part.step;
    FOR_THREADS(i, STRETCH)
    for (int j = 0; j < together; j++) {
        const int l = first - HALO + i;
        if (l < m || l > view.top) continue;
        double re = 0, im = 0;
        for (int tile = 0; tile < count; tile++) {
            if ((l - m) / 2 < shared->first[tile]) continue;
            const int64_t row = (begin + tile - part.halves_tile) * part.nsets + set + j;
            const float2 sum = sums[2 * (row * part.nsteps + start) + l - m];
            re += (double)sum.x, im += (double)sum.y;
        }
        shared->stretch.part[0][2 * j][i] += re;
        shared->stretch.part[0][2 * j + 1][i] += im;
    }
}

/* A thread has the degrees that it has made. A barrier at the end. */
__device__ void add_halves(const armilla_cuda_view &view, const armilla_cuda_part &part, int m,
                           int first, int64_t set, degrees_shared *shared)
{
    armilla_cuda_view of_halves = view;
    of_halves.groups = view.halves_groups, of_halves.tiles = view.halves_tiles;
    for (int64_t begin = part.halves_tile; begin < part.halves_end; begin += TILES) {
        const int count = (int)min((int64_t)TILES, part.halves_end - begin);
        find_first_steps(of_halves, part.halves_first + (begin - part.halves_tile) * part.norders,
                         part.norders, m, begin, count, shared);
        __syncthreads();
        add_some_halves(view, part, m, first, begin, count, set, shared);
        __syncthreads();
    }
}

/* Sums of functions of spin s: what they add to E and B of a degree. */
__device__ void add_functions(const armilla_cuda_view &view, const armilla_cuda_part &part, int m,
                              int l, int64_t field, double2 *e, double2 *b)
{
    const int64_t least = m > view.spin ? m : view.spin;
    if (m > view.function_mmax || l < least) return;
    const int64_t step = view.function_start[m - view.mfirst] + l - least;
    double sum[4] = {0, 0, 0, 0};
    for (int64_t tile = part.tile; tile < part.scalar_tile; tile++) {
        if (!tile_matters(view, tile, m)) continue;
        if (l - least < part.first[(tile - part.tile) * part.norders + blockIdx.y]) continue;
        const int64_t row = (tile - part.tile) * (part.nsets / 2) + field;
        const double *values =
            part.functions + 4 * (row * part.function_steps + step - part.function_step);
        ARMILLA_UNROLLED
        for (int j = 0; j < 4; j++) sum[j] += values[j];
    }
    const double f = 0.5 * view.sign * view.function_alpha[step], g = view.twist * f;
    e->x += f * (sum[0] + sum[2]), e->y += f * (sum[1] + sum[3]);
    b->x += g * (sum[1] - sum[3]), b->y += g * (sum[2] - sum[0]);
}

__global__ void legendre_degrees(const armilla_cuda_view view, const armilla_cuda_part part,
                                 const armilla_alm_rows rows, int64_t first_lot)
{
    ARMILLA_SHARED(degrees_shared, shared);
    const int m = (int)view.orders[part.first_order + blockIdx.y];
    const int first = m + (int)blockIdx.x * DEGREES, together = sets_together(view);
    const int64_t lot = first_lot + blockIdx.z, set = lot * together;
    const int halves = part.halves_end > part.halves_tile;
    const int scalars = part.end_tile > part.scalar_tile;
    int last = 0;
    if (first > view.lmax) return;
    if (scalars || halves) {
        add_tiles(view, part, m, (first - m - HALO) / 2, set, shared);
        make_degrees(view, m, first, together, scalars, shared);
        if (halves)
            add_halves(view, part, m, first, set, shared);
        else
            __syncthreads();
        last = run_ladders(view, m, first, 1, &shared->stretch);
    }
    FOR_THREADS(i, DEGREES)
    {
        double2 a[2] = {make_double2(0, 0), make_double2(0, 0)};
        if (first + i > view.lmax) continue;
        const degree_part *part_of = shared->stretch.part[last];
        ARMILLA_UNROLLED
        for (int j = 0; j < 2; j++)
            if (j < together && (scalars || halves))
                a[j] = make_double2(part_of[2 * j][HALO + i], part_of[2 * j + 1][HALO + i]);
        if (together == 2 && part.scalar_tile > part.tile)
            add_functions(view, part, m, first + i, lot, &a[0], &a[1]);
        write_degree(rows, set, m, first + i, a[0]);
        if (together == 2) write_degree(rows, set + 1, m, first + i, a[1]);
    }
}

/* Zeros in orders that have no sums. */
__global__ void __launch_bounds__(DEGREES)
    clear_orders(const armilla_alm_rows rows, int64_t first, int64_t first_set)
{
    const int m = (int)(first + blockIdx.y), l = m + (int)(blockIdx.x * DEGREES + threadIdx.x);
    if (l > rows.lmax || rows.mstart[m] == ARMILLA_ALM_ELSEWHERE) return;
    write_degree(rows, first_set + blockIdx.z, m, l, make_double2(0, 0));
}

} // namespace

void armilla_cuda_clear_orders(const armilla_alm_rows *alm, int64_t nsets, int64_t first,
                               int64_t norders, armilla_cuda_work *work)
{
    const int64_t degrees = alm->lmax + 1 - first;
    armilla_cuda_launch_rows(nsets, [&](int64_t first_set, unsigned rows) {
        const dim3 blocks((unsigned)((degrees + DEGREES - 1) / DEGREES), (unsigned)norders, rows);
        armilla_cuda_note(work, ARMILLA_LAUNCH(clear_orders, blocks, DEGREES, 0, work->stream, *alm,
                                               first, first_set));
    });
}

void armilla_cuda_degrees(const armilla_cuda_view *view, const armilla_cuda_part *part,
                          const armilla_alm_rows *alm, armilla_cuda_work *work)
{
    const int64_t degrees = view->lmax + 1 - part->first_degree;
    armilla_cuda_launch_rows(part->nsets / sets_together(*view), [&](int64_t first, unsigned rows) {
        const dim3 blocks((unsigned)((degrees + DEGREES - 1) / DEGREES), (unsigned)part->norders,
                          rows);
        armilla_cuda_note(work,
                          ARMILLA_LAUNCH(legendre_degrees, blocks, DEGREES, sizeof(degrees_shared),
                                         work->stream, *view, *part, *alm, first));
    });
}
