/* Sorts points on a GPU by the tiles of samples that they see, digit by digit of the tiles'
 * numbers, and writes where they lie in their tiles. Points that are none come last, so that the
 * first of them can be named. The caller's points are copied where they are on the host. */
#include "cuda/stages/points_plan.h"

#include "base/integer.h"
#include "base/point.h"
#include "cuda/runtime/device_memory.h"

/* Device memory of a sort, in parts. */
typedef struct {
    int64_t key[2], place, table, total, start, points; /* bytes before each */
    int64_t size;
} sort_parts;

static int64_t add_part(int64_t *size, int64_t bytes)
{
    const int64_t before = *size;
    *size += armilla_cuda_round_part(bytes);
    return before;
}

static int64_t blocks_of(int64_t count)
{
    return (count + ARMILLA_CUDA_SORT_KEYS - 1) / ARMILLA_CUDA_SORT_KEYS;
}

static sort_parts cut_sort(const armilla_cuda_point_tiling *tiling, int64_t count, int on_device)
{
    const int64_t item = sizeof(uint32_t), ntiles = 2 * tiling->nbands * tiling->ncolumns;
    sort_parts parts = {.size = 0};
    for (int i = 0; i < 2; i++) parts.key[i] = add_part(&parts.size, item * count);
    parts.place = add_part(&parts.size, item * count);
    parts.table = add_part(&parts.size, item * ARMILLA_CUDA_SORT_DIGITS * blocks_of(count));
    parts.total = add_part(&parts.size, item * ARMILLA_CUDA_SORT_DIGITS);
    parts.start = add_part(&parts.size, item * (ntiles + 1));
    parts.points = add_part(&parts.size, on_device ? 0 : 2 * (int64_t)sizeof(double) * count);
    return parts;
}

int64_t armilla_cuda_points_sort_bytes(const armilla_cuda_points_problem *problem, int64_t count,
                                       int on_device)
{
    const armilla_cuda_point_tiling tiling = armilla_cuda_points_tiling(problem);
    return count ? cut_sort(&tiling, count, on_device).size : 0;
}

typedef struct {
    const armilla_cuda_points *p;
    const double *points; /* on the device */
    sort_parts parts;
    char *memory;
    armilla_cuda_work work;
} sorting;

static uint32_t *numbers_at(const sorting *s, int64_t bytes)
{
    return (uint32_t *)(void *)(s->memory + bytes);
}

static uint32_t *own_places(const sorting *s)
{
    return (uint32_t *)(void *)(s->p->memory + s->p->parts.place);
}

static int bits_of(int64_t number)
{
    int bits = 1;
    while (number >> bits) bits++;
    return bits;
}

/* The last pass leaves places where they stay. Returned: the keys then. */
static const uint32_t *run_passes(sorting *s)
{
    const int bits = bits_of(s->p->ntiles);
    const int passes = (bits + ARMILLA_CUDA_SORT_BITS - 1) / ARMILLA_CUDA_SORT_BITS;
    const int of_pass = (bits + passes - 1) / passes;
    armilla_cuda_sort_pass pass = {.count = s->p->count,
                                   .nblocks = blocks_of(s->p->count),
                                   .bits = of_pass,
                                   .to_key = numbers_at(s, s->parts.key[0]),
                                   .table = numbers_at(s, s->parts.table),
                                   .total = numbers_at(s, s->parts.total)};
    for (int i = 0; i < passes; i++) {
        pass.shift = i * of_pass;
        pass.key = pass.to_key, pass.place = pass.to_place;
        pass.to_key = numbers_at(s, s->parts.key[(i + 1) % 2]);
        pass.to_place = (passes - 1 - i) % 2 ? numbers_at(s, s->parts.place) : own_places(s);
        armilla_cuda_note(&s->work, armilla_cuda_points_pass(&pass, s->work.stream));
    }
    return pass.to_key;
}

static void copy(sorting *s, void *to, const void *from, int64_t bytes, enum cudaMemcpyKind kind)
{
    armilla_cuda_note(&s->work, cudaMemcpyAsync(to, from, (size_t)bytes, kind, s->work.stream));
}

static armilla_status finish(sorting *s)
{
    armilla_cuda_note(&s->work, cudaStreamSynchronize(s->work.stream));
    return armilla_cuda_work_status(&s->work, "sorting points");
}

static armilla_status fail_first(sorting *s, uint32_t number)
{
    uint32_t place;
    double point[2];
    copy(s, &place, own_places(s) + number, sizeof place, cudaMemcpyDeviceToHost);
    armilla_status status = finish(s);
    if (status) return status;
    copy(s, point, s->points + 2 * (int64_t)place, sizeof point, cudaMemcpyDeviceToHost);
    if ((status = finish(s))) return status;
    if (!armilla_point_is_good(point[0], point[1]))
        return armilla_point_fail(place, point[0], point[1]);
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "points: theta of point %lld = %.17g: is outside of the rings' zone",
                        (long long)place, point[0]);
}

static void place(sorting *s)
{
    const armilla_cuda_points *p = s->p;
    const armilla_cuda_point_places places = {.count = p->count,
                                              .points = s->points,
                                              .place = own_places(s),
                                              .spot =
                                                  (uint32_t *)(void *)(p->memory + p->parts.spot),
                                              .argument = p->memory + p->parts.argument,
                                              .single = p->problem.single};
    armilla_cuda_note(&s->work, armilla_cuda_points_place(&p->tiling, &places, s->work.stream));
}

static armilla_status sort(sorting *s, uint32_t *start)
{
    const armilla_cuda_points *p = s->p;
    uint32_t *key = numbers_at(s, s->parts.key[0]), *starts = numbers_at(s, s->parts.start);
    armilla_cuda_note(
        &s->work, armilla_cuda_points_number(&p->tiling, p->count, s->points, key, s->work.stream));
    const uint32_t *sorted = run_passes(s);
    armilla_cuda_note(
        &s->work, armilla_cuda_points_starts(p->count, sorted, p->ntiles, starts, s->work.stream));
    copy(s, start, starts, (int64_t)sizeof *start * (p->ntiles + 1), cudaMemcpyDeviceToHost);
    const armilla_status status = finish(s);
    if (status) return status;
    if (start[p->ntiles] < p->count) return fail_first(s, start[p->ntiles]);
    place(s);
    return finish(s);
}

armilla_status armilla_cuda_points_sort(const armilla_cuda_points *p, const double *points,
                                        int on_device, cudaStream_t stream, uint32_t *start)
{
    sorting s = {.p = p, .points = points, .work = {.stream = stream}};
    void *memory;
    for (int64_t i = 0; i <= p->ntiles; i++) start[i] = 0;
    if (p->count == 0) return ARMILLA_OK;
    s.parts = cut_sort(&p->tiling, p->count, on_device);
    armilla_status status = armilla_cuda_allocate(s.parts.size, "sorting points", &memory);
    if (status) return status;
    s.memory = memory;
    if (!on_device) {
        double *here = (double *)(void *)(s.memory + s.parts.points);
        copy(&s, here, points, 2 * (int64_t)sizeof *points * p->count, cudaMemcpyHostToDevice);
        s.points = here;
    }
    status = sort(&s, start);
    armilla_cuda_release(memory);
    return status;
}
