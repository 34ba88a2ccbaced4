/* Rotation of coefficients, degree by degree. With Wigner's matrices in the convention
 * D^l_{mm'} = e^{-i m phi} d^l_{mm'}(theta) e^{-i m' psi}, and a turn about y taken apart into two
 * exchanges of axes and a turn about z,
 *
 *     d_{mm'}(theta) = i^(m' - m) sum_j Delta_jm e^{i j theta} Delta_jm',  Delta = d(pi/2)
 *
 * (Risbo 1996), each degree goes through
 *
 *     b_m = i^m e^{-i m psi} a_m;  b <- Delta b;  b_j <- (-1)^j e^{i j theta} b_j;  b <- Delta b;
 *     a'_m = i^m e^{-i m phi} b_m.
 *
 * The phases are tables; what an exchange does is in rotation_degree.h. Tasks are blocks of
 * degrees, the largest first, with neighbours in the same task since they share cache lines. */
#include "alm/layout.h"
#include "alm/rotation.h"
#include "alm/rotation_degree.h"
#include "base/exec.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/team.h"
#include <math.h>

enum { BLOCK = 4, FIELDS = ARMILLA_ROTATION_FIELDS };

typedef struct {
    int64_t lmax, mmax, mmax_out, nfields;
    int64_t first, end;               /* degrees */
    const int64_t *start, *start_out; /* a_lm is complex number start[m] + l of its field */
    int64_t distance, distance_out;   /* complex numbers from field to field */
    const double *alm;
    double *out;
    double *phase[3]; /* of psi, theta, phi: complex, lmax + 1 */
    armilla_rotation_tables tables;
    armilla_rotation_degree *degrees; /* one per thread */
    int nthreads, tilted;             /* tilted: not about z only */
    armilla_progress progress;
} run;

/* The same direction within -pi .. pi, where the angle is more than a hundred turns. What is lost,
 * 2e-16, is less than the angle's own last digit; m times it would lose whole turns from 1e12 on,
 * and overflow from 1e300 on. */
static double reduce(double angle)
{
    const double most = 1000;
    return fabs(angle) <= most ? angle : atan2(sin(angle), cos(angle));
}

/* z[m] = (i^quarters)^m e^{-i m angle}. m times the angle is taken with all its digits: it may be
 * thousands of turns. */
static void fill_phase(int64_t lmax, double angle, int64_t quarters, double *z)
{
    angle = reduce(angle);
    for (int64_t m = 0; m <= lmax; m++, z += 2) {
        double turn = (double)m * angle, lost = fma((double)m, angle, -turn);
        double c = cos(turn) - lost * sin(turn), s = -(sin(turn) + lost * cos(turn));
        switch (m * quarters % 4) {
        case 0:
            z[0] = c, z[1] = s;
            break;
        case 1:
            z[0] = -s, z[1] = c;
            break;
        case 2:
            z[0] = -c, z[1] = -s;
            break;
        default:
            z[0] = s, z[1] = -c;
        }
    }
}

/* to[m] = phase[m] from[m]; the values of a degree are far apart. */
static void gather(const run *r, int64_t l, const double *alm, double *to)
{
    int64_t m = 0, mmax = l < r->mmax ? l : r->mmax;
    const double *z = r->phase[0];
    for (; m <= mmax; m++, z += 2, to += 2) {
        const double *from = alm + 2 * (r->start[m] + l);
        double re = from[0], im = m > 0 ? from[1] : 0;
        to[0] = z[0] * re - z[1] * im;
        to[1] = z[0] * im + z[1] * re;
    }
    for (; m <= l; m++, to += 2) to[0] = to[1] = 0;
}

static void scatter(const run *r, int64_t l, const double *from, double *alm)
{
    int64_t mmax = l < r->mmax_out ? l : r->mmax_out;
    const double *z = r->phase[2];
    for (int64_t m = 0; m <= mmax; m++, z += 2, from += 2) {
        double *to = alm + 2 * (r->start_out[m] + l);
        to[0] = z[0] * from[0] - z[1] * from[1];
        to[1] = m > 0 ? z[0] * from[1] + z[1] * from[0] : 0;
    }
}

static void turn(int64_t l, const double *z, double *value)
{
    for (int64_t m = 0; m <= l; m++, z += 2, value += 2) {
        double re = value[0], im = value[1];
        value[0] = z[0] * re - z[1] * im;
        value[1] = z[0] * im + z[1] * re;
    }
}

static void rotate_degree(const run *r, int64_t l, armilla_rotation_degree *degree)
{
    int64_t jmax = l < r->mmax_out ? l : r->mmax_out;
    for (int64_t field = 0; field < r->nfields; field += FIELDS) {
        int fields = (int)(r->nfields - field < FIELDS ? r->nfields - field : FIELDS);
        if (r->tilted) armilla_rotation_degree_start(degree, l, fields);
        for (int f = 0; f < fields; f++)
            gather(r, l, r->alm + 2 * (field + f) * r->distance, degree->value[f]);
        if (r->tilted) armilla_rotation_degree_exchange(degree, l, 1);
        for (int f = 0; r->tilted && f < fields; f++) turn(l, r->phase[1], degree->value[f]);
        if (r->tilted) armilla_rotation_degree_exchange(degree, jmax, 0);
        for (int f = 0; f < fields; f++)
            scatter(r, l, degree->value[f], r->out + 2 * (field + f) * r->distance_out);
    }
}

static void rotate_block(void *context, int64_t index, int thread)
{
    run *r = context;
    int64_t high = r->end - 1 - BLOCK * index, low = high - BLOCK + 1;
    for (int64_t l = high; l >= low && l >= r->first; l--) {
        if (armilla_progress_advance(&r->progress, (l + 1) * (l + 1), thread)) return;
        rotate_degree(r, l, r->degrees + thread);
    }
}

static armilla_status make_workspace(run *r, const armilla_rotation *rotation)
{
    armilla_isa isa;
    double *phases = NULL;
    armilla_status status = armilla_isa_choose(NULL, &isa);
    if (!status) status = armilla_rotation_tables_new(r->lmax, &r->tables);
    if (!status) status = armilla_allocate(&phases, 6 * (r->lmax + 1), sizeof *phases);
    if (status) return status;
    for (int i = 0; i < 3; i++) r->phase[i] = phases + 2 * i * (r->lmax + 1);
    r->tilted = rotation->theta != 0;
    fill_phase(r->lmax, rotation->psi, r->tilted, r->phase[0]);
    fill_phase(r->lmax, -rotation->theta, 2, r->phase[1]);
    fill_phase(r->lmax, rotation->phi, r->tilted, r->phase[2]);
    status = armilla_allocate_zero(&r->degrees, r->nthreads, sizeof *r->degrees);
    const armilla_rotation_kernels *kernels = armilla_rotation_kernels_find(isa);
    for (int i = 0; i < r->nthreads && !status; i++)
        status = armilla_rotation_degree_new(r->lmax, &r->tables, kernels, &r->degrees[i]);
    return status;
}

static void free_workspace(run *r)
{
    for (int i = 0; r->degrees && i < r->nthreads; i++)
        armilla_rotation_degree_free(&r->degrees[i]);
    armilla_release(r->degrees);
    armilla_release(r->phase[0]);
    armilla_rotation_tables_free(&r->tables);
}

static armilla_status check(const armilla_rotation *rotation, const run *r,
                            const armilla_exec *exec)
{
    armilla_status status = armilla_rotation_check("rotation", rotation);
    if (!status) status = armilla_check_band_limit(r->lmax, r->mmax);
    if (!status && (r->mmax_out < 0 || r->mmax_out > r->lmax))
        status = armilla_fail_argument("mmax_out", r->mmax_out, "must be within 0 .. lmax");
    if (!status) status = armilla_alm_check_array("alm", r->alm);
    if (!status) status = armilla_alm_check_array("out", r->out);
    if (!status && r->out == r->alm && r->mmax_out != r->mmax)
        status = armilla_fail_argument("mmax_out", r->mmax_out, "must be mmax where out is alm");
    if (status) return status;
    const int64_t larger = r->mmax > r->mmax_out ? r->mmax : r->mmax_out;
    const int64_t least = armilla_alm_size(r->lmax, larger);
    return armilla_exec_check_distance(
        "alm_distance", exec->alm_distance ? exec->alm_distance : least, least, exec->ntrans, 1);
}

/* Squares of l + 1 for all degrees below `end`. */
static double sum_of_work(int64_t end)
{
    return (double)end * (double)(end + 1) * (double)(2 * end + 1) / 6;
}

static armilla_status rotate(run *r, const armilla_rotation *rotation, const armilla_exec *exec)
{
    const int64_t ntasks = (r->end - r->first + BLOCK - 1) / BLOCK;
    if (ntasks == 0) return ARMILLA_OK;
    r->nthreads = armilla_team_size(exec->nthreads);
    if (r->nthreads > ntasks) r->nthreads = (int)ntasks;
    armilla_status status = make_workspace(r, rotation);
    if (!status) {
        armilla_progress_start(&r->progress, exec->progress, exec->progress_data,
                               sum_of_work(r->end) - sum_of_work(r->first));
        armilla_team_run(r->nthreads, ntasks, rotate_block, r);
        status = armilla_progress_status(&r->progress);
    }
    free_workspace(r);
    return status;
}

armilla_status armilla_rotation_apply(const armilla_rotation *rotation,
                                      const armilla_degree_rows *rows, double *alm,
                                      const armilla_exec *exec)
{
    run r = {.lmax = rows->lmax,
             .mmax = rows->mmax,
             .mmax_out = rows->mmax,
             .nfields = exec->ntrans,
             .first = rows->first,
             .end = rows->end,
             .start = rows->start,
             .start_out = rows->start,
             .distance = rows->size,
             .distance_out = rows->size,
             .alm = alm,
             .out = alm};
    return rotate(&r, rotation, exec);
}

/* The triangle, whatever its largest order. */
static void fill_start(int64_t lmax, int64_t count, int64_t *start)
{
    for (int64_t m = 0; m < count; m++) start[m] = armilla_alm_index(lmax, m, m) - m;
}

armilla_status armilla_alm_rotate(const armilla_rotation *rotation, int64_t lmax, int64_t mmax,
                                  const double *alm, int64_t mmax_out, double *out,
                                  const armilla_exec *exec)
{
    armilla_exec resolved;
    int64_t *start;
    run r = {.lmax = lmax, .mmax = mmax, .mmax_out = mmax_out, .alm = alm, .out = out};
    armilla_status status = armilla_exec_take(exec, &resolved);
    if (!status) status = armilla_exec_check_memory(&resolved, 0);
    if (!status) status = check(rotation, &r, &resolved);
    const int64_t larger = mmax > mmax_out ? mmax : mmax_out;
    if (status || (status = armilla_allocate(&start, larger + 1, sizeof *start))) return status;
    fill_start(lmax, larger + 1, start);
    r.end = lmax + 1;
    const int64_t given = resolved.alm_distance;
    r.start = r.start_out = start;
    r.nfields = resolved.ntrans;
    r.distance = given ? given : armilla_alm_size(lmax, mmax);
    r.distance_out = given ? given : armilla_alm_size(lmax, mmax_out);
    status = rotate(&r, rotation, &resolved);
    armilla_release(start);
    return status;
}
