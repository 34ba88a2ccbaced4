/* Spectra and rotations need all orders of a degree: coefficients go from orders to ranges of
 * degrees, of which each rank has one, and back. Sums over orders have the sequence of one rank. */
#include "ranks/degrees.h"

#include "alm/layout.h"
#include "alm/rotation.h"
#include "armilla/distributed.h"
#include "base/exec.h"
#include "base/memory.h"
#include "ranks/agree.h"
#include "ranks/digest.h"
#include "ranks/distribution.h"
#include "ranks/threads.h"

#include <math.h>
#include <string.h>

/* Degrees of a rank: ranges whose work, the power-th power of the degree in all, is the same. */
static int64_t first_degree(const armilla_rank_degrees *t, int64_t rank, int power)
{
    const double share = (double)rank / (double)t->transport->nranks;
    return (int64_t)round((double)(t->rows.lmax + 1) * pow(share, 1.0 / power));
}

static void fill_rows(armilla_rank_degrees *t)
{
    armilla_degree_rows *rows = &t->rows;
    for (int64_t m = 0; m <= rows->mmax; m++) {
        const int64_t first = m > rows->first ? m : rows->first;
        const int64_t count = rows->end > first ? rows->end - first : 0;
        rows->start[m] = rows->size - first;
        t->degrees[m] = (armilla_span){.begin = count ? armilla_alm_index(rows->lmax, first, m) : 0,
                                       .count = count,
                                       .place = rows->size};
        rows->size += count;
    }
    t->ndegrees = rows->mmax + 1;
}

armilla_status armilla_rank_degrees_open(armilla_rank_degrees *t, int power)
{
    const armilla_distribution *d = t->distribution;
    armilla_status status = armilla_distribution_check(d, t->transport);
    if (!status)
        status = armilla_distribution_check_group("distribution", d, ARMILLA_OPERATION_DEGREES);
    if (status) return status;
    const int64_t rank = t->transport->rank;
    t->rows = (armilla_degree_rows){.lmax = d->lmax, .mmax = d->mmax};
    t->rows.first = first_degree(t, rank, power), t->rows.end = first_degree(t, rank + 1, power);
    t->norders = armilla_distribution_alm_spans(d, rank, NULL);
    t->own = armilla_distribution_alm_size(d, rank);
    if ((status = armilla_allocate(&t->rows.start, d->mmax + 1, sizeof *t->rows.start)) ||
        (status = armilla_allocate(&t->degrees, d->mmax + 1, sizeof *t->degrees)) ||
        (status = armilla_allocate(&t->orders, t->norders, sizeof *t->orders)))
        return status;
    armilla_distribution_alm_spans(d, rank, t->orders);
    fill_rows(t);
    return ARMILLA_OK;
}

void armilla_rank_degrees_close(armilla_rank_degrees *t)
{
    armilla_release(t->rows.start);
    armilla_release(t->degrees);
    armilla_release(t->orders);
}

armilla_status armilla_rank_degrees_route(const armilla_rank_degrees *t, int back,
                                          armilla_redistribution **route)
{
    return armilla_redistribution_new(
        t->transport, back ? t->ndegrees : t->norders, back ? t->degrees : t->orders,
        back ? t->norders : t->ndegrees, back ? t->orders : t->degrees, NULL, route);
}

/* nfields fields from orders to degrees, or back. */
static armilla_status move(const armilla_rank_degrees *t, int back, int64_t nfields,
                           const double *from, int64_t from_stride, double *to, int64_t to_stride)
{
    armilla_redistribution *r;
    armilla_status status = armilla_rank_degrees_route(t, back, &r);
    if (status) return status;
    status = armilla_redistribution_run(r, 2 * sizeof(double), nfields, from, from_stride, to,
                                        to_stride);
    armilla_redistribution_free(r);
    return status;
}

/* --- Spectra --------------------------------------------------------------------------------- */

/* The bits of a number go as they are: those of what is not known are smaller than any other. */
void armilla_rank_degrees_mark(const armilla_rank_degrees *t, int64_t first, int64_t width,
                               double *row)
{
    const int64_t nothing = INT64_MIN;
    for (int64_t l = first; l <= t->rows.lmax; l++)
        for (int64_t i = 0; i < width && (l < t->rows.first || l >= t->rows.end); i++)
            memcpy(&row[width * (l - first) + i], &nothing, sizeof nothing);
}

armilla_status armilla_rank_degrees_share(const armilla_rank_degrees *t, int64_t count,
                                          double *values)
{
    return t->transport->largest(t->transport->context, count, (int64_t *)(void *)values)
               ? armilla_fail_transport()
               : ARMILLA_OK;
}

static armilla_status share_spectrum(const armilla_rank_degrees *t, double *cl)
{
    armilla_rank_degrees_mark(t, 0, 1, cl);
    return armilla_rank_degrees_share(t, t->rows.lmax + 1, cl);
}

static armilla_status run_spectrum(armilla_rank_degrees *t, const double *alm_a,
                                   const double *alm_b, double *memory, double *cl)
{
    double *a = memory, *b = alm_a == alm_b ? a : a + 2 * t->rows.size;
    armilla_status status = move(t, 0, 1, alm_a, 0, a, 0);
    if (!status && b != a) status = move(t, 0, 1, alm_b, 0, b, 0);
    if (status) return status;
    status = armilla_agree(t->transport, armilla_degree_rows_spectrum(&t->rows, a, b, cl));
    return status ? status : share_spectrum(t, cl);
}

armilla_status armilla_distributed_spectrum(const armilla_transport *transport,
                                            const armilla_distribution *distribution,
                                            const double *alm_a, const double *alm_b, double *cl)
{
    armilla_rank_degrees t = {.transport = transport, .distribution = distribution};
    double *memory = NULL, *found = NULL;
    armilla_status status = armilla_check_transport(transport);
    if (status) return status;
    status = armilla_rank_degrees_open(&t, 2);
    if (!status) status = armilla_check_given("cl", cl);
    if (!status && t.own) status = armilla_alm_check_array("alm_a", alm_a);
    if (!status && t.own) status = armilla_alm_check_array("alm_b", alm_b);
    if (!status) status = armilla_allocate(&memory, 4 * t.rows.size, sizeof *memory);
    if (!status) status = armilla_allocate(&found, t.rows.lmax + 1, sizeof *found);
    const armilla_common same = {"alm_a and alm_b (1: the same array)", alm_a == alm_b};
    status = armilla_agree_on(transport, status, 1, &same, NULL);
    if (!status) status = run_spectrum(&t, alm_a, alm_b, memory, found);
    if (!status) memcpy(cl, found, (size_t)(t.rows.lmax + 1) * sizeof *cl);
    armilla_release(memory);
    armilla_release(found);
    armilla_rank_degrees_close(&t);
    return status;
}

/* --- Rotations ------------------------------------------------------------------------------- */

static armilla_status run_rotation(const armilla_rank_degrees *t, const armilla_rotation *rotation,
                                   double *alm, double *memory, const armilla_exec *exec)
{
    const int64_t n = exec->ntrans, distance = exec->alm_distance ? exec->alm_distance : t->own;
    armilla_status status = move(t, 0, n, alm, distance, memory, t->rows.size);
    if (status) return status;
    status = armilla_rotation_apply(rotation, &t->rows, memory, exec);
    if ((status = armilla_agree(t->transport, status))) return status;
    return move(t, 1, n, memory, t->rows.size, alm, distance);
}

/* rotation: NULL on a rank with an error. */
static int64_t digest(const armilla_rotation *rotation)
{
    if (!rotation) return 0;
    const int64_t angle[] = {armilla_digest_double(rotation->psi),
                             armilla_digest_double(rotation->theta),
                             armilla_digest_double(rotation->phi)};
    return armilla_digest_list(3, angle);
}

armilla_status armilla_distributed_rotate(const armilla_transport *transport,
                                          const armilla_distribution *distribution,
                                          const armilla_rotation *rotation, double *alm,
                                          const armilla_exec *exec)
{
    armilla_rank_degrees t = {.transport = transport, .distribution = distribution};
    armilla_exec resolved = {.ntrans = 0};
    double *memory = NULL;
    armilla_status status = armilla_check_transport(transport);
    if (status) return status;
    status = armilla_rank_degrees_open(&t, 3);
    if (!status) status = armilla_rotation_check("rotation", rotation);
    if (!status) status = armilla_exec_take(exec, &resolved);
    if (!status) status = armilla_exec_check_memory(&resolved, 0);
    if (!status) resolved.nthreads = armilla_rank_threads(transport, resolved.nthreads);
    if (!status && t.own) status = armilla_alm_check_array("alm", alm);
    if (!status && resolved.alm_distance)
        status = armilla_exec_check_distance("alm_distance", resolved.alm_distance, t.own,
                                             resolved.ntrans, 1);
    if (!status)
        status = armilla_allocate(&memory, 2 * resolved.ntrans * t.rows.size, sizeof *memory);
    const armilla_common values[] = {{"exec->ntrans", resolved.ntrans},
                                     {"rotation (its bits)", digest(status ? NULL : rotation)}};
    status = armilla_agree_on(transport, status, 2, values, NULL);
    if (!status) status = run_rotation(&t, rotation, alm, memory, &resolved);
    armilla_release(memory);
    armilla_rank_degrees_close(&t);
    return status;
}
