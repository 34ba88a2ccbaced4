/* How the vectors of the iterative analysis are cut into segments whose sums of squares are made
 * one by one: maps ring by ring, where the rings are one behind the other, values at points so many
 * at a time, coefficients order by order. So a rank with some of the rings, points and orders makes
 * the sums that one rank makes of all. */
#include "base/integer.h"
#include "base/memory.h"
#include "grid/grid.h"
#include "sht/pseudo_job.h"

/* Points of a segment. Where a segment is that of several ranks these send its values for each
 * norm; and all ranks get the sums of all segments. */
enum { SEGMENT_POINTS = 2048 };

/* Segments of one component. */
typedef struct {
    int64_t count, all; /* here, and of all ranks */
    int64_t *length, *number;
} segments;

static armilla_status allocate(int64_t count, int64_t all, segments *s)
{
    *s = (segments){.count = 0, .all = all};
    armilla_status status = armilla_allocate(&s->length, count, sizeof *s->length);
    return status ? status : armilla_allocate(&s->number, count, sizeof *s->number);
}

static void clear(segments *s)
{
    armilla_release(s->length);
    armilla_release(s->number);
}

static void add(segments *s, int64_t length, int64_t number)
{
    s->length[s->count] = length;
    s->number[s->count++] = number;
}

static int are_behind_each_other(const armilla_grid *grid)
{
    int64_t end = 0;
    for (int64_t r = 0; r < grid->nrings; r++) {
        const armilla_ring *ring = &grid->rings[r];
        if (ring->offset != end || ring->stride != 1) return 0;
        end += ring->nphi;
    }
    return end == grid->npix;
}

/* The points of a rank may end and begin within a segment. */
static armilla_status list_points(const armilla_pseudo_field *field, segments *s)
{
    const armilla_pseudo_ranks *ranks = field->ranks;
    const int64_t n = SEGMENT_POINTS, all = ranks ? ranks->start[ranks->nranks] : field->npix;
    int64_t first = ranks ? ranks->start[ranks->rank] : 0;
    const int64_t end = first + field->npix;
    armilla_status status = allocate(field->npix / n + 2, (all + n - 1) / n, s);
    for (; first < end && !status; first += s->length[s->count - 1])
        add(s, armilla_smaller(first / n * n + n, end) - first, first / n);
    return status;
}

/* None where a map is no sequence of rings. */
static armilla_status list_rings(const armilla_pseudo_field *field, segments *s)
{
    const armilla_pseudo_ranks *ranks = field->ranks;
    const armilla_grid *grid = ranks ? ranks->grid : field->grid;
    if (!grid) return list_points(field, s);
    if (!ranks && !are_behind_each_other(grid)) return allocate(0, 0, s);
    const int64_t count = ranks ? ranks->nrings : grid->nrings;
    armilla_status status = allocate(count, grid->nrings, s);
    for (int64_t i = 0; i < count && !status; i++) {
        const int64_t number = ranks ? ranks->number[i] : i;
        add(s, grid->rings[number].nphi, number);
    }
    return status;
}

static armilla_status list_orders(const armilla_alm_layout *layout, segments *s)
{
    armilla_status status = allocate(layout->mmax + 1, layout->mmax + 1, s);
    for (int64_t m = 0; m <= layout->mmax && !status; m++)
        if (armilla_alm_layout_has(layout, m)) add(s, armilla_alm_real_length(layout->lmax, m), m);
    return status;
}

/* --- Segments of several ranks ---------------------------------------------------------------- */

/* Does a rank's first point lie within a segment of another rank? */
static int64_t count_shared(const armilla_pseudo_ranks *ranks, int64_t *number)
{
    int64_t count = 0;
    for (int64_t rank = 1; rank < ranks->nranks; rank++) {
        const int64_t first = ranks->start[rank], segment = first / SEGMENT_POINTS;
        if (first % SEGMENT_POINTS == 0 || first == ranks->start[ranks->nranks]) continue;
        if (count == 0 || number[count - 1] != segment) number[count++] = segment;
    }
    return count;
}

/* Shared segments of one component, whose segments are `base` and so on among those of all. */
static void mark_shared(const armilla_pseudo_ranks *ranks, int64_t base, int64_t count,
                        const int64_t *number, armilla_shared_segment *shared)
{
    const int64_t all = ranks->start[ranks->nranks];
    for (int64_t i = 0; i < count; i++) {
        const int64_t first = number[i] * SEGMENT_POINTS;
        shared[i] =
            (armilla_shared_segment){.number = base + number[i],
                                     .length = armilla_smaller(SEGMENT_POINTS, all - first),
                                     .first = armilla_larger(0, ranks->start[ranks->rank] - first)};
    }
}

/* Own segments that are parts of shared ones: the first and the last one of a component at most. */
static void find_own(int64_t own, int64_t count, const armilla_shared_segment *shared,
                     int64_t nshared, int64_t *number)
{
    const int64_t ends[] = {own, own + count - 1};
    for (int64_t i = 0; i < armilla_smaller(count, 2); i++)
        for (int64_t k = 0; k < nshared && number[ends[i]] >= 0; k++)
            if (number[ends[i]] == shared[k].number) number[ends[i]] = -1 - k;
}

/* Finds the segments of the space that several ranks have parts of. */
static armilla_status share_segments(const armilla_pseudo_ranks *ranks, const segments *s,
                                     int64_t ncomp, armilla_vector_space *space)
{
    int64_t *number;
    armilla_shared_segment *shared;
    armilla_status status = armilla_allocate(&number, ranks->nranks, sizeof *number);
    if (status) return status;
    const int64_t count = count_shared(ranks, number);
    if (!(status = armilla_allocate(&shared, ncomp * count, sizeof *shared))) {
        for (int64_t c = 0; c < ncomp; c++)
            mark_shared(ranks, c * s->all, count, number, shared + c * count);
        for (int64_t c = 0; c < ncomp; c++)
            find_own(c * s->count, s->count, shared, ncomp * count, space->number);
        status = armilla_vector_space_share(space, ncomp * count, shared);
    }
    armilla_release(number);
    return status;
}

/* --- Spaces ----------------------------------------------------------------------------------- */

/* The segments of ncomp components, n values. */
static armilla_status make_space(const armilla_pseudo_field *field, const segments *s, int64_t n,
                                 int64_t ncomp, armilla_vector_space *space)
{
    int64_t *length, *number;
    if (s->all == 0) return armilla_vector_space_make(n, 0, NULL, 0, space);
    armilla_status status = armilla_allocate(&length, ncomp * s->count, sizeof *length);
    if (!status && !(status = armilla_allocate(&number, ncomp * s->count, sizeof *number))) {
        for (int64_t i = 0; i < ncomp * s->count; i++) {
            length[i] = s->length[i % s->count];
            number[i] = i / s->count * s->all + s->number[i % s->count];
        }
        status = armilla_vector_space_make(n, ncomp * s->count, length, ncomp * s->all, space);
        if (status) armilla_release(number);
    }
    armilla_release(length);
    if (status) return status;
    space->number = number;
    if (!field->ranks) return ARMILLA_OK;
    space->largest = field->ranks->largest, space->context = field->ranks->context;
    return ARMILLA_OK;
}

/* The space of maps; points of several ranks share segments. */
static armilla_status make_maps(const armilla_pseudo_field *field, const segments *s,
                                armilla_vector_space *space)
{
    armilla_status status = make_space(field, s, field->nmap * field->npix, field->nmap, space);
    if (status || !field->ranks || field->ranks->grid || s->all == 0) return status;
    return share_segments(field->ranks, s, field->nmap, space);
}

armilla_status armilla_pseudo_make_spaces(armilla_pseudo_job *job)
{
    const armilla_pseudo_field *field = &job->field;
    segments rings = {.count = 0}, orders = {.count = 0};
    armilla_status status;
    if (!(status = list_rings(field, &rings)) && !(status = list_orders(field->layout, &orders)) &&
        !(status = make_maps(field, &rings, &job->maps)) &&
        !(status = make_space(field, &rings, field->npix, 1, &job->component)) &&
        !(status = make_space(field, &orders, job->nreal, field->nalm, &job->reals)))
        status = armilla_vector_space_make(job->nalm, 0, NULL, 0, &job->coefficients);
    clear(&rings);
    clear(&orders);
    return status;
}
