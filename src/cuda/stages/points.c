/* Makes sorted points of what a caller asks for, with the tasks of their tiles. See points.h. */
#include "cuda/stages/points.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/stages/points_plan.h"

static const long double PI = 3.14159265358979323846264338327950288L;

/* Most rings, samples of a ring, and tiles, so that their numbers are integers of 32 bits. */
static const int64_t MOST = (int64_t)1 << 28, MOST_TILES = (int64_t)1 << 30;

/* --- What is asked --------------------------------------------------------------------------- */

static armilla_status check_range(const char *name, int64_t value, int64_t least, int64_t most)
{
    return value < least || value > most
               ? armilla_fail_argument(name, value, "is not one of samples and their points")
               : ARMILLA_OK;
}

static armilla_status check_problem(const armilla_cuda_points_problem *p, int64_t count)
{
    armilla_status status;
    if ((status = check_range("count", count, 0, UINT32_MAX)) ||
        (status = check_range("whole", p->whole, 1, MOST)) ||
        (status = check_range("nrings", p->nrings, 2, p->whole)) ||
        (status = check_range("first", p->first, 0, p->whole - p->nrings)) ||
        (status = check_range("nphi", p->nphi, 2, MOST)) ||
        (status = check_range("taps", p->taps, 2, ARMILLA_CUDA_TAPS)) ||
        (status = check_range("degree", p->degree, 0, ARMILLA_CUDA_DEGREE)) ||
        (status = check_range("row_length", p->row_length, p->taps, INT32_MAX)))
        return status;
    if (p->nrings % 2) return armilla_fail_argument("nrings", p->nrings, "must be even");
    const armilla_cuda_point_tiling t = armilla_cuda_points_tiling(p);
    if (2 * t.nbands * t.ncolumns > MOST_TILES)
        return armilla_fail_argument("nphi", p->nphi, "makes more than 2^30 tiles");
    return p->single && !(p->epsilon >= ARMILLA_CUDA_POINTS_SINGLE)
               ? armilla_fail(ARMILLA_ERROR_ARGUMENT,
                              "epsilon = %g: must be at least %g in single precision", p->epsilon,
                              ARMILLA_CUDA_POINTS_SINGLE)
               : ARMILLA_OK;
}

static armilla_cuda_point_scale make_scale(long double samples_per_radian)
{
    const double high = (double)samples_per_radian;
    return (armilla_cuda_point_scale){high, (double)(samples_per_radian - high)};
}

armilla_cuda_point_tiling armilla_cuda_points_tiling(const armilla_cuda_points_problem *p)
{
    const int64_t rings = ARMILLA_CUDA_TILE_RINGS, samples = ARMILLA_CUDA_TILE_SAMPLES;
    return (armilla_cuda_point_tiling){.first = p->first,
                                       .nrings = p->nrings,
                                       .nphi = p->nphi,
                                       .taps = p->taps,
                                       .nbands = (p->nrings / 2 + rings - 1) / rings,
                                       .ncolumns = (p->nphi + samples - 1) / samples,
                                       .rows = make_scale((long double)p->whole / PI),
                                       .columns = make_scale((long double)p->nphi / (2 * PI))};
}

/* --- Memory ---------------------------------------------------------------------------------- */

static int64_t add_part(int64_t *size, int64_t bytes)
{
    const int64_t before = *size;
    *size += armilla_cuda_round_part(bytes);
    return before;
}

static int64_t count_tiles(const armilla_cuda_points_problem *problem)
{
    const armilla_cuda_point_tiling tiling = armilla_cuda_points_tiling(problem);
    return 2 * tiling.nbands * tiling.ncolumns;
}

armilla_cuda_points_parts armilla_cuda_points_cut(const armilla_cuda_points_problem *problem,
                                                  int64_t count)
{
    const int64_t item = armilla_cuda_points_item(problem);
    const int64_t tasks = armilla_cuda_point_tasks_bound(count_tiles(problem), count);
    armilla_cuda_points_parts parts = {.size = 0};
    parts.spot = add_part(&parts.size, (int64_t)sizeof(uint32_t) * count);
    parts.argument = add_part(&parts.size, 2 * item * count);
    parts.place = add_part(&parts.size, (int64_t)sizeof(uint32_t) * count);
    parts.weights = add_part(&parts.size, item * ARMILLA_CUDA_TAPS * (problem->degree + 1));
    if (!problem->single && armilla_cuda_points_take_floats(problem))
        parts.float_weights = add_part(&parts.size, (int64_t)sizeof(float) * ARMILLA_CUDA_TAPS *
                                                        (problem->degree + 1));
    parts.tasks = add_part(&parts.size, (int64_t)sizeof(armilla_cuda_point_task) * tasks);
    return parts;
}

int64_t armilla_cuda_points_bytes(const armilla_cuda_points_problem *problem, int64_t count)
{
    return armilla_cuda_points_cut(problem, count).size;
}

static int64_t buffer_bytes(const armilla_cuda_points_problem *problem, int64_t buffers,
                            int64_t ncomp)
{
    return armilla_cuda_round_part(buffers * ncomp * ARMILLA_CUDA_TILE_SIZE *
                                   armilla_cuda_points_item(problem));
}

int64_t armilla_cuda_points_scratch(const armilla_cuda_points *points, int64_t ncomp)
{
    return buffer_bytes(&points->problem, points->tasks.nbuffers, ncomp);
}

int64_t armilla_cuda_points_most_scratch(const armilla_cuda_points_problem *problem, int64_t count,
                                         int64_t ncomp)
{
    return buffer_bytes(problem, armilla_cuda_point_buffers_bound(count), ncomp);
}

/* --- Making ---------------------------------------------------------------------------------- */

static armilla_status copy_part(const armilla_cuda_points *p, int64_t part, const void *from,
                                int64_t bytes)
{
    if (bytes == 0) return ARMILLA_OK;
    return armilla_cuda_status(
        cudaMemcpy(p->memory + part, from, (size_t)bytes, cudaMemcpyHostToDevice),
        "tables of points");
}

/* Rows of taps, with zeros behind them, in the precision of the sums. */
static armilla_status put_weights(const armilla_cuda_points *p)
{
    const armilla_cuda_points_problem *problem = &p->problem;
    double doubles[(ARMILLA_CUDA_DEGREE + 1) * ARMILLA_CUDA_TAPS] = {0};
    float floats[(ARMILLA_CUDA_DEGREE + 1) * ARMILLA_CUDA_TAPS];
    const int64_t count = (problem->degree + 1) * ARMILLA_CUDA_TAPS;
    for (int64_t n = 0; n <= problem->degree; n++)
        for (int64_t i = 0; i < problem->taps; i++)
            doubles[n * ARMILLA_CUDA_TAPS + i] = problem->coefficient[n * problem->row_length + i];
    for (int64_t i = 0; i < count; i++) floats[i] = (float)doubles[i];
    armilla_status status =
        copy_part(p, p->parts.weights, problem->single ? (void *)floats : (void *)doubles,
                  count * armilla_cuda_points_item(problem));
    if (status || !p->parts.float_weights) return status;
    return copy_part(p, p->parts.float_weights, floats, count * (int64_t)sizeof *floats);
}

static armilla_status put_tasks(armilla_cuda_points *p, const uint32_t *start)
{
    const int64_t piece = armilla_cuda_piece_size(armilla_larger(p->problem.total, p->count));
    armilla_status status = armilla_cuda_point_tasks_make(&p->tiling, start, piece, &p->tasks);
    if (status) return status;
    status = copy_part(p, p->parts.tasks, p->tasks.tasks,
                       p->tasks.count * (int64_t)sizeof *p->tasks.tasks);
    armilla_release(p->tasks.tasks);
    p->tasks.tasks = NULL;
    return status;
}

static armilla_status make(armilla_cuda_points *p, const double *points, int on_device,
                           cudaStream_t stream)
{
    uint32_t *start;
    void *memory;
    armilla_status status = armilla_cuda_allocate(p->parts.size, "points", &memory);
    p->memory = memory;
    if (status || (status = armilla_allocate(&start, p->ntiles + 1, sizeof *start))) return status;
    status = put_weights(p);
    if (!status) status = armilla_cuda_points_sort(p, points, on_device, stream, start);
    if (!status) status = put_tasks(p, start);
    if (!status)
        status = armilla_cuda_status(cudaDeviceSynchronize(), "waiting for tables of points");
    armilla_release(start);
    return status;
}

armilla_status armilla_cuda_points_new(const armilla_cuda_points_problem *problem, int64_t count,
                                       const double *points, int on_device, cudaStream_t stream,
                                       armilla_cuda_points **result)
{
    armilla_cuda_points *p;
    armilla_status status = check_problem(problem, count);
    if (status || (status = armilla_allocate_zero(&p, 1, sizeof *p))) return status;
    p->problem = *problem, p->count = count;
    p->tiling = armilla_cuda_points_tiling(problem);
    p->ntiles = count_tiles(problem);
    p->parts = armilla_cuda_points_cut(problem, count);
    status = make(p, points, on_device, stream);
    p->problem.coefficient = NULL;
    if (status)
        armilla_cuda_points_free(p);
    else
        *result = p;
    return status;
}

void armilla_cuda_points_free(armilla_cuda_points *points)
{
    if (!points) return;
    armilla_cuda_point_tasks_clear(&points->tasks);
    armilla_cuda_release(points->memory);
    armilla_release(points);
}
