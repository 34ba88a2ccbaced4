/* Counts the points of all ranks, finds their bounds, and looks at the same sample of them as one
 * rank with all points would, so that the same samples of the sphere are chosen. */
#include "ranks/points_survey.h"

#include "base/memory.h"
#include "ranks/agree.h"
#include "ranks/notes.h"

#include <inttypes.h>
#include <string.h>

/* Doubles that are not negative are in the sequence of their bits as whole numbers. */
static int64_t bits_of(double value)
{
    const double positive = value + 0.0; /* no negative zero */
    int64_t bits;
    memcpy(&bits, &positive, sizeof bits);
    return bits;
}

static double value_of(int64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static armilla_status agree_on_bounds(const armilla_transport *transport, armilla_status status,
                                      const armilla_points_locations *l,
                                      armilla_points_bounds *bounds)
{
    int64_t values[3] = {0};
    if (!status)
        values[0] = -bits_of(l->bounds.theta[0]), values[1] = bits_of(l->bounds.theta[1]),
        values[2] = -bits_of(l->bounds.from_equator);
    status = armilla_agree_largest(transport, status, 3, values);
    bounds->theta[0] = value_of(-values[0]), bounds->theta[1] = value_of(values[1]);
    bounds->from_equator = value_of(-values[2]);
    return status;
}

static armilla_status largest(const armilla_transport *transport, int64_t count, int64_t *values)
{
    return transport->largest(transport->context, count, values) ? armilla_fail_transport()
                                                                 : ARMILLA_OK;
}

/* counts: room for one of each rank. */
static armilla_status number_points(const armilla_transport *transport, int64_t own,
                                    int64_t *counts, armilla_ranks_survey *survey)
{
    survey->first = survey->all = 0;
    for (int64_t rank = 0; rank < transport->nranks; rank++) counts[rank] = 0;
    counts[transport->rank] = own;
    armilla_status status = largest(transport, transport->nranks, counts);
    for (int64_t rank = 0; rank < transport->nranks && !status; rank++) {
        if (rank < transport->rank) survey->first += counts[rank];
        survey->all += counts[rank];
    }
    if (!status && survey->all >= (int64_t)1 << 32)
        status =
            armilla_fail(ARMILLA_ERROR_ARGUMENT,
                         "npoints: %" PRId64 " on all ranks: must be 0 to 2^32 - 1", survey->all);
    return status;
}

armilla_status armilla_ranks_survey_make(const armilla_transport *transport, armilla_status status,
                                         const armilla_points_locations *locations,
                                         armilla_ranks_survey *survey)
{
    int64_t cell[ARMILLA_SURVEY_SAMPLE], *counts = NULL;
    armilla_points_bounds bounds = {.wrong = 0};
    if (!status) status = armilla_allocate(&counts, transport->nranks, sizeof *counts);
    if (!(status = agree_on_bounds(transport, status, locations, &bounds)) &&
        !(status = number_points(transport, locations->count, counts, survey))) {
        const int64_t taken =
            armilla_points_take_sample(locations, survey->first, survey->all, cell);
        if (taken) status = largest(transport, taken, cell);
        if (!status) survey->extent = armilla_points_extent_by(&bounds, survey->all, cell);
    }
    armilla_release(counts);
    return status;
}

/* --- Sums ------------------------------------------------------------------------------------ */

/* The notes about number i go to rank i modulo nranks, which adds them up. */
static armilla_status make_notes(const armilla_transport *transport, int64_t count,
                                 const int64_t *values, armilla_notes *notes)
{
    armilla_status status = armilla_allocate(&notes->note, count, sizeof *notes->note);
    for (int64_t i = 0; i < count && !status; i++)
        if (values[i])
            notes->note[notes->count++] =
                (armilla_note){.rank = i % transport->nranks, .number = i, .count = values[i]};
    return status;
}

armilla_status armilla_ranks_add(const armilla_transport *transport, armilla_status status,
                                 int64_t count, int64_t *values)
{
    armilla_notes notes = {0, NULL}, found;
    if (!status) status = make_notes(transport, count, values, &notes);
    status = armilla_notes_exchange(transport, status, &notes, &found);
    if (!status) {
        memset(values, 0, (size_t)count * sizeof *values);
        for (int64_t i = 0; i < found.count; i++)
            values[found.note[i].number] += found.note[i].count;
        status = largest(transport, count, values);
    }
    armilla_notes_clear(&notes);
    armilla_notes_clear(&found);
    return status;
}
