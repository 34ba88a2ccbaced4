/* Directions moved by a deflection. See armilla/lensing.h, base/geodesic.h. */
#include "armilla/lensing.h"

#include "base/colatitude.h"
#include "base/status.h"
#include "base/team.h"
#include "base/geodesic.h"
#include "points/order.h"

/* Points of one task: some 100 microseconds of work. */
enum { CHUNK = 1024 };

typedef struct {
    int64_t npoints;
    const double *points, *alpha_theta, *alpha_phi;
    double *deflected, *gamma;
} job;

static armilla_status check_deflection(const job *j)
{
    for (int64_t i = 0; i < j->npoints; i++)
        if (!isfinite(j->alpha_theta[i]) || !isfinite(j->alpha_phi[i]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "deflection of point %lld = (%g, %g): must be finite", (long long)i,
                                j->alpha_theta[i], j->alpha_phi[i]);
    return ARMILLA_OK;
}

static void deflect_one(const job *j, int64_t i)
{
    const armilla_colatitude start =
        armilla_colatitude_of(armilla_colatitude_taken(j->points[2 * i]));
    const double gamma = armilla_deflect_point(start, j->points[2 * i + 1], j->alpha_theta[i],
                                               j->alpha_phi[i], j->deflected + 2 * i);
    if (j->gamma) j->gamma[i] = gamma;
}

static void deflect_chunk(void *context, int64_t index, int thread)
{
    (void)thread;
    const job *j = context;
    const int64_t first = index * CHUNK, left = j->npoints - first;
    for (int64_t i = 0; i < (left < CHUNK ? left : CHUNK); i++) deflect_one(j, first + i);
}

armilla_status armilla_lensing_deflect(int64_t npoints, const double *points,
                                       const double *deflection, int nthreads, double *deflected,
                                       double *gamma)
{
    if (npoints < 0) return armilla_fail_argument("npoints", npoints, "must be at least 0");
    if (nthreads < 0) return armilla_fail_argument("nthreads", nthreads, "must be 0 (all) or more");
    if (npoints == 0) return ARMILLA_OK;
    armilla_status status = armilla_check_given("points", points);
    if (!status) status = armilla_check_given("deflection", deflection);
    if (!status) status = armilla_check_given("deflected", deflected);
    if (status) return status;
    job j = {npoints, points, deflection, deflection + npoints, deflected, gamma};
    status = armilla_points_check(npoints, points);
    if (!status) status = check_deflection(&j);
    if (!status) armilla_team_run(nthreads, (npoints - 1) / CHUNK + 1, deflect_chunk, &j);
    return status;
}
