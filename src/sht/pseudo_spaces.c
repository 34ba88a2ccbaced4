/* How the vectors of the iterative analysis are cut into segments whose sums of squares are made
 * one by one: maps ring by ring, where the rings are one behind the other, coefficients order by
 * order. So a rank with some of the rings and orders makes the sums that one rank makes of all. */
#include "base/memory.h"
#include "grid/grid.h"
#include "sht/pseudo_job.h"

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

/* None where a map is no sequence of rings. */
static armilla_status list_rings(const armilla_pseudo_field *field, segments *s)
{
    const armilla_pseudo_ranks *ranks = field->ranks;
    const armilla_grid *grid = ranks ? ranks->grid : field->grid;
    if (!ranks && (!grid || !are_behind_each_other(grid))) return allocate(0, 0, s);
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

armilla_status armilla_pseudo_make_spaces(armilla_pseudo_job *job)
{
    const armilla_pseudo_field *field = &job->field;
    segments rings = {.count = 0}, orders = {.count = 0};
    armilla_status status;
    if (!(status = list_rings(field, &rings)) && !(status = list_orders(field->layout, &orders)) &&
        !(status = make_space(field, &rings, job->nmap, field->nmap, &job->maps)) &&
        !(status = make_space(field, &rings, field->npix, 1, &job->component)) &&
        !(status = make_space(field, &orders, job->nreal, field->nalm, &job->reals)))
        status = armilla_vector_space_make(job->nalm, 0, NULL, 0, &job->coefficients);
    clear(&rings);
    clear(&orders);
    return status;
}
