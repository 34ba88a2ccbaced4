/* Counts the points of all ranks, finds their bounds, and looks at the same sample of them as one
 * rank with all points would, so that the same samples of the sphere are chosen. */
#include "ranks/points/survey.h"

#include "base/integer.h"
#include "base/memory.h"
#include "ranks/agree.h"
#include "ranks/moves/notes.h"

#include <inttypes.h>
#include <stdlib.h>
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
    survey->all = 0, survey->only = (armilla_span){0, own, 0};
    for (int64_t rank = 0; rank < transport->nranks; rank++) counts[rank] = 0;
    counts[transport->rank] = own;
    armilla_status status = largest(transport, transport->nranks, counts);
    for (int64_t rank = 0; rank < transport->nranks && !status; rank++) {
        if (rank < transport->rank) survey->only.begin += counts[rank];
        survey->all += counts[rank];
    }
    if (!status && survey->all >= (int64_t)1 << 32)
        status =
            armilla_fail(ARMILLA_ERROR_ARGUMENT,
                         "npoints: %" PRId64 " on all ranks: must be 0 to 2^32 - 1", survey->all);
    return status;
}

static int rising(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The cells of a sample's own points; -1: another rank has the point. number: rising. */
static void find_cells(const armilla_points_locations *l, const armilla_point_numbers *own,
                       int64_t count, const int64_t *number, int64_t *cell)
{
    for (int64_t i = 0; i < count; i++) cell[i] = -1;
    for (int64_t k = 0; k < own->nspans; k++) {
        const armilla_span *span = &own->spans[k];
        int64_t i = armilla_count_below(number, count, span->begin);
        for (; i < count && number[i] < span->begin + span->count; i++)
            cell[i] = armilla_points_cell(l->points + 2 * (span->place + number[i] - span->begin));
    }
}

static armilla_status find_extent(const armilla_transport *transport,
                                  const armilla_points_locations *l,
                                  const armilla_point_numbers *numbers,
                                  const armilla_points_bounds *bounds, armilla_ranks_survey *survey)
{
    int64_t cell[ARMILLA_SURVEY_SAMPLE], number[ARMILLA_SURVEY_SAMPLE];
    const int64_t taken = armilla_points_take_sample(survey->all, number);
    qsort(number, (size_t)taken, sizeof *number, rising);
    find_cells(l, numbers, taken, number, cell);
    if (taken && transport->largest(transport->context, taken, cell))
        return armilla_fail_transport();
    survey->extent = armilla_points_extent_by(bounds, survey->all, cell);
    return ARMILLA_OK;
}

armilla_status armilla_ranks_survey_make(const armilla_transport *transport, armilla_status status,
                                         const armilla_points_locations *locations,
                                         const armilla_point_numbers *numbers,
                                         armilla_ranks_survey *survey)
{
    int64_t *counts = NULL;
    armilla_points_bounds bounds = {.wrong = 0};
    if (!status) status = armilla_allocate(&counts, transport->nranks, sizeof *counts);
    status = agree_on_bounds(transport, status, locations, &bounds);
    if (!status) status = number_points(transport, locations->count, counts, survey);
    const armilla_point_numbers only = {1, &survey->only};
    if (!status)
        status = find_extent(transport, locations, numbers ? numbers : &only, &bounds, survey);
    armilla_release(counts);
    return status;
}
