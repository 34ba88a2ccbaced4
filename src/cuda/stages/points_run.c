/* Calls between samples and sorted points on a GPU: which tasks, which samples. See points.h. */
#include "base/integer.h"
#include "cuda/stages/points_plan.h"

/* --- What is given --------------------------------------------------------------------------- */

typedef struct {
    int64_t first, end;
} ring_range;

/* The rings that points of these bands see. */
static ring_range rings_seen(const armilla_cuda_points *p, int south, int64_t band, int64_t end)
{
    const armilla_cuda_point_tiling *t = &p->tiling;
    const int64_t rings = ARMILLA_CUDA_TILE_RINGS, before = (t->taps + 1) / 2;
    const int64_t last = end == t->nbands ? t->nrings / 2 - !south : rings * end - 1;
    if (south)
        return (ring_range){t->nrings - last - before, t->nrings - rings * band - before + t->taps};
    return (ring_range){rings * band - before, last - before + t->taps};
}

static armilla_status check_sides(const armilla_cuda_points *p, const armilla_cuda_point_samples *s,
                                  int to_points)
{
    for (int south = 0; south < 2; south++) {
        const armilla_cuda_point_side *side = &s->side[south];
        const ring_range seen = rings_seen(p, south, s->band, s->end_band);
        const int64_t end = side->first + side->rows;
        if (to_points && s->band < s->end_band && (side->first > seen.first || end < seen.end))
            return armilla_fail_argument("side: rows", side->rows,
                                         "are not all rows that points see");
        if (!to_points && (side->begin < side->first || side->end > end))
            return armilla_fail_argument("side: begin", side->begin,
                                         "and end: must be among the rows");
    }
    return ARMILLA_OK;
}

armilla_status armilla_cuda_points_check(const armilla_cuda_points *p,
                                         const armilla_cuda_point_samples *s, int to_points)
{
    const armilla_cuda_point_tiling *t = &p->tiling;
    const int64_t before = (t->taps + 1) / 2;
    if (s->ncomp != 1 && s->ncomp != 2)
        return armilla_fail_argument("ncomp", s->ncomp, "must be 1 or 2");
    if (s->values.is_float ? !armilla_cuda_points_take_floats(&p->problem) : p->problem.single)
        return armilla_fail_argument("values: is_float", s->values.is_float,
                                     "must be the precision of the points");
    if (s->band < 0 || s->band > s->end_band || s->end_band > t->nbands)
        return armilla_fail_argument("end_band", s->end_band, "must be one of the bands");
    if (s->left < before)
        return armilla_fail_argument("left", s->left, "are fewer columns than points see");
    if (s->pitch < s->left + t->nphi + t->taps - before)
        return armilla_fail_argument("pitch", s->pitch, "are fewer columns than points see");
    return check_sides(p, s, to_points);
}

/* --- Calls ----------------------------------------------------------------------------------- */

static armilla_cuda_point_view make_view(const armilla_cuda_points *p,
                                         const armilla_cuda_point_samples *s, armilla_array values,
                                         int64_t distance)
{
    return (armilla_cuda_point_view){
        .spot = (const uint32_t *)(const void *)(p->memory + p->parts.spot),
        .argument = p->memory + p->parts.argument,
        .place = (const uint32_t *)(const void *)(p->memory + p->parts.place),
        .arguments_are_float = p->problem.single,
        .weights = p->memory + (s->values.is_float && !p->problem.single ? p->parts.float_weights
                                                                         : p->parts.weights),
        .taps = (int)p->tiling.taps,
        .degree = (int)p->problem.degree,
        .nrings = p->tiling.nrings,
        .nbands = p->tiling.nbands,
        .ncolumns = p->tiling.ncolumns,
        .samples = s->values.values,
        .ncomp = s->ncomp,
        .component = s->component,
        .pitch = s->pitch,
        .left = s->left,
        .side = {s->side[0], s->side[1]},
        .values = values.values,
        .distance = distance,
        .values_are_float = values.is_float,
        .single = s->values.is_float};
}

/* The tasks of a list that belong to the bands. */
static void take_tasks(const armilla_cuda_points *p, const armilla_cuda_point_samples *s, int list,
                       armilla_cuda_point_view *view)
{
    const armilla_cuda_point_task *tasks =
        (const armilla_cuda_point_task *)(const void *)(p->memory + p->parts.tasks);
    const int64_t *begin = p->tasks.begin + list * (p->tasks.rows + 1);
    for (int south = 0; south < 2; south++, begin += p->tiling.nbands) {
        view->tasks[south] = tasks + begin[s->band];
        view->ntasks[south] = begin[s->end_band] - begin[s->band];
    }
}

static int can_run(const armilla_cuda_points *p, const armilla_cuda_point_samples *s, int to_points,
                   armilla_cuda_work *work)
{
    const armilla_status status = armilla_cuda_points_check(p, s, to_points);
    if (status) armilla_cuda_note(work, cudaErrorInvalidValue);
    return !status;
}

void armilla_cuda_points_interpolate(const armilla_cuda_points *points,
                                     const armilla_cuda_point_samples *samples,
                                     armilla_array values, int64_t distance,
                                     armilla_cuda_work *work)
{
    if (!can_run(points, samples, 1, work)) return;
    armilla_cuda_point_view view = make_view(points, samples, values, distance);
    take_tasks(points, samples, ARMILLA_CUDA_READ, &view);
    armilla_cuda_note(work, armilla_cuda_points_read(&view, work->stream));
}

/* Rows of all components. */
static void clear_samples(const armilla_cuda_point_samples *s, armilla_cuda_work *work)
{
    for (int64_t c = 0; c < s->ncomp; c++)
        for (int south = 0; south < 2; south++) {
            const armilla_cuda_point_side *side = &s->side[south];
            const armilla_array rows =
                armilla_array_from(s->values, c * s->component + side->offset);
            const int64_t bytes = armilla_array_item_size(rows) * side->rows * s->pitch;
            armilla_cuda_note(work, cudaMemsetAsync(rows.values, 0, (size_t)bytes, work->stream));
        }
}

void armilla_cuda_points_spread(const armilla_cuda_points *points, armilla_array values,
                                int64_t distance, const armilla_cuda_point_samples *samples,
                                armilla_cuda_work *work)
{
    if (!can_run(points, samples, 0, work)) return;
    armilla_cuda_point_view view = make_view(points, samples, values, distance);
    view.buffers = work->scratch;
    clear_samples(samples, work);
    take_tasks(points, samples, ARMILLA_CUDA_PIECES, &view);
    armilla_cuda_note(work, armilla_cuda_points_pieces(&view, work->stream));
    for (int colour = 0; colour < ARMILLA_CUDA_COLOURS; colour++) {
        take_tasks(points, samples, ARMILLA_CUDA_ADD + colour, &view);
        armilla_cuda_note(work, armilla_cuda_points_add(&view, work->stream));
    }
}

int64_t armilla_cuda_points_launches(const armilla_cuda_points *points, int64_t band,
                                     int64_t end_band, int to_points)
{
    const armilla_cuda_point_samples samples = {.band = band, .end_band = end_band};
    const int first = to_points ? ARMILLA_CUDA_READ : ARMILLA_CUDA_PIECES;
    const int end = to_points ? ARMILLA_CUDA_READ + 1 : ARMILLA_CUDA_TASK_LISTS;
    int64_t launches = 0;
    if (!points) return end - first;
    for (int list = first; list < end; list++) {
        armilla_cuda_point_view view;
        take_tasks(points, &samples, list, &view);
        launches += view.ntasks[0] + view.ntasks[1] > 0;
    }
    return launches;
}
