/* Two-point functions at angles, or averaged over bins of angles: sums over degrees of the
 * functions that whole matrices are made of, some angles at a time. See armilla/coupling.h. */
#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/point.h"
#include "base/team.h"
#include "coupling/functions.h"
#include "coupling/plan.h"
#include "grid/grid.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 32, MOST = 4 };

void armilla_correlation_init_sized(armilla_correlation *problem, size_t size)
{
    const armilla_correlation defaults = {.lmax = 0};
    armilla_options_give(&defaults, sizeof defaults, problem, size);
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {sizeof(armilla_correlation), 0};

/* Angles at which functions are taken, and how much each counts in the mean of its bin. */
typedef struct {
    armilla_correlation problem;
    double *own_theta; /* in place of the caller's; NULL: none */
    int64_t ncl, nkinds, least;
    int64_t count;
    double *theta, *weight; /* [count] */
    int64_t *bin;           /* [count], rising */
    armilla_wigner wigner[2];
    double *sums;    /* [ncl][count], or of an adjoint [chunks][ncl][lmax + 1] */
    double *scratch; /* of a thread: values of functions, and their room */
    int64_t scratch_size;
    int64_t first; /* of an adjoint: the chunk that its round begins with */
    const double *in;
} work;

/* --- Arguments ------------------------------------------------------------------------------- */

/* Angles, of which the float above pi is taken as pi. */
static armilla_status take_angles(work *w)
{
    armilla_correlation *p = &w->problem;
    const int64_t count = p->ntheta + (p->bins != 0);
    if (p->ntheta < 1 || p->ntheta > INT64_C(1) << 32)
        return armilla_fail_argument("problem->ntheta", p->ntheta, "must be 1 .. 2^32");
    armilla_status status = armilla_check_given("problem->theta", p->theta);
    for (int64_t i = 0; i < count && !status; i++)
        if (!armilla_colatitude_is_good(p->theta[i]))
            status = armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                  "problem->theta[%lld] = %g: must be in 0 .. pi", (long long)i,
                                  p->theta[i]);
    if (!status) status = armilla_points_settle(count, 1, &p->theta, &w->own_theta);
    for (int64_t i = 1; p->bins && i < count && !status; i++)
        if (!(p->theta[i] > p->theta[i - 1]))
            status = armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                  "problem->theta[%lld] = %g: edges of bins must rise",
                                  (long long)i, p->theta[i]);
    return status;
}

static armilla_status take_problem(const armilla_correlation *given, work *w)
{
    armilla_correlation *p = &w->problem;
    armilla_correlation_init(p);
    armilla_status status = armilla_check_given("problem", given);
    if (!status)
        status = armilla_options_copy("problem", "armilla_correlation", given, VERSIONS, p);
    if (!status) status = armilla_check_band_limit(p->lmax, 0);
    if (!status) status = armilla_coupling_check_spin("problem->spin1", p->spin1, p->lmax);
    if (!status) status = armilla_coupling_check_spin("problem->spin2", p->spin2, p->lmax);
    if (!status && p->nthreads < 0)
        status = armilla_fail_argument("problem->nthreads", p->nthreads, "must be 0 (all) or more");
    if (!status) status = take_angles(w);
    w->ncl = armilla_coupling_count_spectra(p->spin1, p->spin2);
    w->nkinds = armilla_coupling_count_kinds(p->spin1, p->spin2);
    w->least = armilla_larger(p->spin1, p->spin2);
    return status;
}

/* --- Angles ---------------------------------------------------------------------------------- */

/* Nodes of a bin: more than a function of degree lmax turns there. */
static int64_t count_nodes(const armilla_correlation *p, int64_t bin)
{
    if (!p->bins) return 1;
    return (int64_t)(0.5 * (double)p->lmax * (p->theta[bin + 1] - p->theta[bin])) + 20;
}

/* Gauss nodes of n in -1 .. 1, brought to the bin. */
static void fill_bin(const armilla_correlation *p, int64_t bin, int64_t n, double *theta,
                     double *weight)
{
    const double middle = 0.5 * (p->theta[bin] + p->theta[bin + 1]);
    const double half = 0.5 * (p->theta[bin + 1] - p->theta[bin]);
    const double area = 2 * sin(middle) * sin(half);
    armilla_gauss_legendre_half(n, theta, weight);
    for (int64_t i = 0; i < n / 2; i++)
        theta[n - 1 - i] = M_PI - theta[i], weight[n - 1 - i] = weight[i];
    for (int64_t i = 0; i < n; i++) {
        theta[i] = middle - half * cos(theta[i]);
        weight[i] *= half * sin(theta[i]) / area;
    }
}

static armilla_status make_angles(work *w)
{
    const armilla_correlation *p = &w->problem;
    for (int64_t b = 0; b < p->ntheta; b++) w->count += count_nodes(p, b);
    armilla_status status = armilla_allocate(&w->theta, 2 * w->count, sizeof *w->theta);
    if (!status) status = armilla_allocate(&w->bin, w->count, sizeof *w->bin);
    if (status) return status;
    w->weight = w->theta + w->count;
    for (int64_t b = 0, at = 0; b < p->ntheta; b++) {
        const int64_t n = count_nodes(p, b);
        if (p->bins)
            fill_bin(p, b, n, w->theta + at, w->weight + at);
        else
            w->theta[at] = p->theta[b], w->weight[at] = 1;
        for (int64_t i = 0; i < n; i++) w->bin[at++] = b;
    }
    return ARMILLA_OK;
}

/* --- Sums ------------------------------------------------------------------------------------ */

/* The functions of a chunk: [kinds][lmax + 1][CHUNK]. South of the equator a function is the other
 * one at the mirror image, or itself where there is no other, with the sign of (-1)^(l - least). */
static void fill(const work *w, int64_t first, int64_t count, double *values, double *room)
{
    const int64_t length = w->problem.lmax + 1;
    double theta[CHUNK] = {0};
    for (int64_t i = 0; i < count; i++) {
        const double t = w->theta[first + i];
        theta[i] = t > M_PI_2 ? M_PI - t : t;
    }
    for (int64_t k = 0; k < w->nkinds; k++)
        armilla_wigner_fill(&w->wigner[k], count, theta, room, values + k * length * CHUNK, CHUNK);
    for (int64_t i = 0; i < count; i++)
        for (int64_t l = w->least; l < length && w->theta[first + i] > M_PI_2; l++) {
            double *one = values + l * CHUNK + i;
            double *other = one + (w->nkinds - 1) * length * CHUNK;
            const double sign = (l - w->least) % 2 ? -1 : 1, value = sign * *one;
            *one = sign * *other, *other = value;
        }
}

/* The function of a spectrum: EE + BB, EE - BB, EB - BE, EB + BE in turns. */
static const double *function_of(const work *w, int64_t spectrum, const double *values)
{
    return values + spectrum % w->nkinds * (w->problem.lmax + 1) * CHUNK;
}

/* in: (2l+1)/(4 pi) C_l of each function, over sqrt(l + 1/2). */
static void sum_degrees(void *context, int64_t chunk, int thread)
{
    const work *w = context;
    const int64_t first = chunk * CHUNK, count = armilla_smaller(w->count - first, CHUNK);
    const int64_t length = w->problem.lmax + 1;
    double *values = w->scratch + thread * w->scratch_size;
    fill(w, first, count, values, values + w->nkinds * length * CHUNK);
    for (int64_t c = 0; c < w->ncl; c++) {
        const double *function = function_of(w, c, values), *cl = w->in + c * length;
        double *sums = w->sums + c * w->count + first;
        memset(sums, 0, (size_t)count * sizeof *sums);
        for (int64_t l = w->least; l < length; l++)
            for (int64_t i = 0; i < count; i++) sums[i] += cl[l] * function[l * CHUNK + i];
    }
}

/* in: [ncl][ntheta] */
static void sum_angles(void *context, int64_t chunk, int thread)
{
    const work *w = context;
    const int64_t first = (w->first + chunk) * CHUNK;
    const int64_t count = armilla_smaller(w->count - first, CHUNK);
    const int64_t length = w->problem.lmax + 1;
    double *values = w->scratch + thread * w->scratch_size, xi[CHUNK];
    fill(w, first, count, values, values + w->nkinds * length * CHUNK);
    for (int64_t c = 0; c < w->ncl; c++) {
        const double *function = function_of(w, c, values);
        double *sums = w->sums + (chunk * w->ncl + c) * length;
        for (int64_t i = 0; i < count; i++)
            xi[i] = w->weight[first + i] * w->in[c * w->problem.ntheta + w->bin[first + i]];
        for (int64_t l = 0; l < length; l++) {
            sums[l] = 0;
            for (int64_t i = 0; i < count; i++) sums[l] += xi[i] * function[l * CHUNK + i];
        }
    }
}

/* --- Spectra --------------------------------------------------------------------------------- */

/* EE, EB, BE, BB to EE + BB, EE - BB, EB - BE, EB + BE. */
static void combine(const work *w, double value[MOST])
{
    const double ee = value[0], eb = value[1], be = value[2], bb = value[3];
    if (w->ncl < 4) return;
    value[0] = ee + bb, value[1] = ee - bb, value[2] = eb - be, value[3] = eb + be;
}

/* The transpose. */
static void separate(const work *w, double value[MOST])
{
    const double a = value[0], b = value[1], c = value[2], d = value[3];
    if (w->ncl < 4) return;
    value[0] = a + b, value[1] = c + d, value[2] = d - c, value[3] = a - b;
}

/* Spectra at a degree, times (2l+1)/(4 pi) and what makes d^l of e_l. */
static double scale_of(int64_t l)
{
    return sqrt((double)l + 0.5) / (2 * M_PI);
}

static void scale_all(const work *w, const double *from, double *to,
                      void (*turn)(const work *w, double value[MOST]))
{
    const int64_t length = w->problem.lmax + 1;
    for (int64_t l = 0; l < length; l++) {
        double value[MOST] = {0};
        for (int64_t c = 0; c < w->ncl; c++) value[c] = from[c * length + l] * scale_of(l);
        turn(w, value);
        for (int64_t c = 0; c < w->ncl; c++) to[c * length + l] = l < w->least ? 0 : value[c];
    }
}

/* --- Calls ----------------------------------------------------------------------------------- */

enum { ROUND = 64 }; /* chunks whose sums over angles are in memory */

static int64_t chunks_of(const work *w)
{
    return (w->count + CHUNK - 1) / CHUNK;
}

static armilla_status prepare(const armilla_correlation *problem, work *w)
{
    const armilla_correlation *p = &w->problem;
    armilla_status status = take_problem(problem, w);
    if (status || (status = make_angles(w))) return status;
    for (int64_t k = 0; k < w->nkinds && !status; k++)
        status = armilla_wigner_make(p->lmax, p->spin1, k ? -p->spin2 : p->spin2, &w->wigner[k]);
    w->scratch_size = armilla_round_line((w->nkinds * (p->lmax + 1) + 5) * CHUNK);
    if (!status)
        status = armilla_allocate(&w->scratch, armilla_team_size(p->nthreads) * w->scratch_size,
                                  sizeof *w->scratch);
    return status;
}

static void clear(work *w)
{
    for (int k = 0; k < 2; k++) armilla_wigner_clear(&w->wigner[k]);
    armilla_release(w->own_theta);
    armilla_release(w->theta);
    armilla_release(w->bin);
    armilla_release(w->sums);
    armilla_release(w->scratch);
}

armilla_status armilla_correlation_from_cl(const armilla_correlation *problem, const double *cl,
                                           double *xi)
{
    work w = {.count = 0};
    double *own = NULL;
    armilla_status status = prepare(problem, &w);
    const int64_t length = w.problem.lmax + 1, n = w.problem.ntheta;
    if (!status) status = armilla_coupling_check_spectra("cl", w.ncl, w.problem.lmax, cl);
    if (!status) status = armilla_check_given("xi", xi);
    if (!status) status = armilla_allocate(&own, w.ncl * length, sizeof *own);
    if (!status) status = armilla_allocate(&w.sums, w.ncl * w.count, sizeof *w.sums);
    if (!status) {
        scale_all(&w, cl, own, combine);
        w.in = own;
        armilla_team_run(w.problem.nthreads, chunks_of(&w), sum_degrees, &w);
        memset(xi, 0, (size_t)(w.ncl * n) * sizeof *xi);
        for (int64_t c = 0; c < w.ncl; c++)
            for (int64_t i = 0; i < w.count; i++)
                xi[c * n + w.bin[i]] += w.weight[i] * w.sums[c * w.count + i];
    }
    armilla_release(own);
    clear(&w);
    return status;
}

/* Rounds of chunks, added up in their sequence. */
static void add_chunks(work *w, double *own)
{
    const int64_t size = w->ncl * (w->problem.lmax + 1), all = chunks_of(w);
    memset(own, 0, (size_t)size * sizeof *own);
    for (w->first = 0; w->first < all; w->first += ROUND) {
        const int64_t chunks = armilla_smaller(all - w->first, ROUND);
        armilla_team_run(w->problem.nthreads, chunks, sum_angles, w);
        for (int64_t k = 0; k < chunks; k++)
            for (int64_t i = 0; i < size; i++) own[i] += w->sums[k * size + i];
    }
}

armilla_status armilla_correlation_adjoint(const armilla_correlation *problem, const double *xi,
                                           double *cl)
{
    work w = {.in = xi};
    double *own = NULL;
    armilla_status status = prepare(problem, &w);
    const int64_t size = w.ncl * (w.problem.lmax + 1);
    const int64_t chunks = armilla_smaller(chunks_of(&w), ROUND);
    if (!status) status = armilla_check_given("cl", cl);
    if (!status) status = armilla_check_given("xi", xi);
    for (int64_t i = 0; i < w.ncl * w.problem.ntheta && !status; i++)
        if (!isfinite(xi[i]))
            status = armilla_fail(ARMILLA_ERROR_ARGUMENT, "xi[%lld] = %g: must be finite",
                                  (long long)i, xi[i]);
    if (!status) status = armilla_allocate(&own, size, sizeof *own);
    if (!status) status = armilla_allocate(&w.sums, chunks * size, sizeof *w.sums);
    if (!status) {
        add_chunks(&w, own);
        scale_all(&w, own, cl, separate);
    }
    armilla_release(own);
    clear(&w);
    return status;
}
