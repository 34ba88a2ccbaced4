/* Takes points of callers whose arrays of floats have the south pole above pi. */
#include "base/point.h"

#include "base/memory.h"

#include <string.h>

armilla_status armilla_points_settle(int64_t count, int64_t stride, const double **points,
                                     double **own)
{
    const double *given = *points;
    int64_t beyond = 0;
    *own = NULL;
    for (int64_t i = 0; i < count; i++) beyond += given[stride * i] > ARMILLA_COLATITUDE_PI;
    if (beyond == 0) return ARMILLA_OK;
    const armilla_status status = armilla_allocate(own, stride * count, sizeof **own);
    if (status) return status;
    memcpy(*own, given, (size_t)(stride * count) * sizeof **own);
    for (int64_t i = 0; i < count; i++)
        (*own)[stride * i] = armilla_colatitude_taken(given[stride * i]);
    *points = *own;
    return ARMILLA_OK;
}
