/* Potentials in a shell: on each sphere of Chebyshev's points in log r, the field and its
 * derivatives of unit radius are transformed to the directions of all points (armilla/points.h),
 * and each point adds them with the weights of its own radius (docs/mathematics.md 13.5). With n
 * the power of r, the sets of coefficients are those of a_lm s^l times
 *
 *     scalars    1, n, n (n - 1)                 V, r V_r, r^2 V_rr
 *     spin 1     1, n - 1                        r (V_t, V_p), r^2 (V_rt, V_rp)
 *     spin 2     1                               r^2 (V_tt - V_pp, 2 V_tp) */
#include "solid/shells.h"

#include "armilla/points.h"
#include "base/angle.h"
#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "solid/jet.h"

#include <math.h>

enum { MOST_SETS = 3, MOST_FIELDS = 9, MOST_VALUES = 4, SLICE = 4096, PIECE = 1 << 20 };

static const double per_root = 0.28209479177387814347; /* 1 / sqrt(4 pi) */

typedef struct {
    const armilla_solid_shells *job;
    const armilla_solid_shell *shell;
    int64_t mmax, count, transform;
    const int64_t *number;
    const double *log_r;
    armilla_points *plan[3];
    double *angles, *x, *divisor; /* [count][2]; radius, -1 .. 1; sum of weights */
    double *sum, *values, *alm;   /* [field][count]; of one sphere; [set] */
    double *factor;               /* [set][lmax + 1] */
    double at, weight;            /* of the node */
    double *to;                   /* fields of one spin */
    int64_t nvalues;
} piece;

/* --- Spheres ---------------------------------------------------------------------------------- */

static double node_of(const armilla_solid_shell *shell, int64_t k)
{
    return cos(M_PI * ((double)k + 0.5) / (double)shell->nodes);
}

static double weight_of(const armilla_solid_shell *shell, int64_t k)
{
    const double sine = sin(M_PI * ((double)k + 0.5) / (double)shell->nodes);
    return k % 2 ? -sine : sine;
}

/* Radii as numbers from -1 to 1, none of which is a node. */
static void place_radii(piece *p)
{
    const armilla_solid_shell *shell = p->shell;
    const double middle = 0.5 * (shell->low + shell->high), half = 0.5 * (shell->high - shell->low);
    for (int64_t i = 0; i < p->count; i++) {
        double sum = 0, x = half > 0 ? (p->log_r[i] - middle) / half : 0;
        for (int64_t k = 0; k < shell->nodes; k++)
            if (fabs(x - node_of(shell, k)) < 1e-15) x += 2e-15;
        for (int64_t k = 0; k < shell->nodes; k++)
            sum += weight_of(shell, k) / (x - node_of(shell, k));
        p->x[i] = x, p->divisor[i] = 1 / sum;
    }
}

static void place_directions(piece *p)
{
    for (int64_t i = 0; i < p->count; i++) {
        const double *point = p->job->places->points + 3 * p->number[i];
        p->angles[2 * i] = point[0], p->angles[2 * i + 1] = point[1];
    }
}

/* --- Coefficients on a sphere ----------------------------------------------------------------- */

static int sets_of(int spin, int64_t derivatives)
{
    return (int)(derivatives + 1) - spin;
}

/* What multiplies the terms of r^n in a set of a spin. */
static double factor_of(int spin, int set, double n)
{
    const double first = spin ? n - 1 : n;
    return set == 0 ? 1 : set == 1 ? first : first * (n - 1);
}

static void find_factors(piece *p, int spin)
{
    const armilla_solid_shell *shell = p->shell;
    const int interior = p->job->places->interior;
    const double log_s = 0.5 * ((shell->low + shell->high) + p->at * (shell->high - shell->low));
    for (int set = 0; set < sets_of(spin, p->job->options->derivatives); set++)
        for (int64_t l = 0; l <= shell->lmax; l++) {
            const double n = interior ? (double)l : -(double)(l + 1);
            const int none = l == 0 || l > p->job->layout->lmax;
            p->factor[set * (shell->lmax + 1) + l] =
                none ? 0 : factor_of(spin, set, n) * exp(n * log_s);
        }
}

static void fill_order(void *context, int64_t m, int thread)
{
    const piece *p = context;
    const armilla_alm_layout *from = p->job->layout;
    const int64_t lmax = p->shell->lmax, size = armilla_alm_size(lmax, p->mmax);
    const double *alm = p->job->alm + 2 * p->transform * p->job->alm_distance;
    double *to = p->alm + 2 * (m * (2 * lmax + 1 - m) / 2);
    (void)thread;
    for (int set = 0; set < MOST_SETS; set++)
        for (int64_t l = m; l <= lmax; l++) {
            double *b = to + 2 * (set * size + l);
            b[0] = b[1] = 0;
            if (l > from->lmax) continue;
            const double *a = alm + 2 * (from->mstart[m] + l * from->stride);
            const double factor = p->factor[set * (lmax + 1) + l];
            b[0] = factor * a[0], b[1] = factor * a[1];
        }
}

/* --- Sums over spheres ------------------------------------------------------------------------ */

static void add_slice(void *context, int64_t index, int thread)
{
    const piece *p = context;
    const int64_t first = index * SLICE, end = armilla_smaller(first + SLICE, p->count);
    double weight[SLICE];
    (void)thread;
    for (int64_t i = first; i < end; i++)
        weight[i - first] = p->weight / (p->x[i] - p->at) * p->divisor[i];
    for (int64_t f = 0; f < p->nvalues; f++)
        for (int64_t i = first; i < end; i++)
            p->to[f * p->count + i] += weight[i - first] * p->values[f * p->count + i];
}

static armilla_status add_spin(piece *p, int spin)
{
    const int sets = sets_of(spin, p->job->options->derivatives), parts = spin ? 2 : 1;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = p->job->nthreads, exec.ntrans = sets;
    find_factors(p, spin);
    armilla_team_run(p->job->nthreads, p->mmax + 1, fill_order, p);
    const armilla_status status = armilla_points_synthesis(p->plan[spin], p->alm, p->values, &exec);
    p->nvalues = sets * parts;
    if (!status) armilla_team_run(p->job->nthreads, (p->count + SLICE - 1) / SLICE, add_slice, p);
    p->to += p->nvalues * p->count;
    return status;
}

/* The rest of the piece's share of the progress. */
static armilla_status advance(const piece *p, int64_t k)
{
    const int64_t nodes = p->shell->nodes;
    const int64_t units = p->count * (k + 1) / nodes - p->count * k / nodes;
    armilla_progress_advance(p->job->progress, units, 0);
    return armilla_progress_status(p->job->progress);
}

static armilla_status add_nodes(piece *p)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < MOST_FIELDS * p->count; i++)
        if (i < p->count * (p->job->options->derivatives == 2 ? 9 : p->job->ncomp)) p->sum[i] = 0;
    for (int64_t k = 0; k < p->shell->nodes && !status; k++) {
        p->at = node_of(p->shell, k), p->weight = weight_of(p->shell, k), p->to = p->sum;
        for (int spin = 0; spin <= p->job->options->derivatives && !status; spin++)
            status = add_spin(p, spin);
        if (!status) status = advance(p, k);
    }
    return status;
}

/* --- Components ------------------------------------------------------------------------------- */

/* The local jet of point i but for l = 0. */
static armilla_solid_jet jet_of(const piece *p, int64_t i, double r)
{
    double f[MOST_FIELDS] = {0};
    const int64_t d = p->job->options->derivatives, nfields = d == 2 ? 9 : d ? 4 : 1;
    for (int64_t k = 0; k < nfields; k++) f[k] = p->sum[k * p->count + i];
    if (d < 2) return (armilla_solid_jet){f[0], {f[1] / r, f[2] / r, f[3] / r}, {{0}}};
    const double rr = f[2] / r / r, rt = f[5] / r / r, rp = f[6] / r / r; /* r^2 may underflow */
    const double tt = 0.5 * (f[7] / r / r - rr), pp = -rr - tt, tp = 0.5 * f[8] / r / r;
    return (armilla_solid_jet){
        f[0], {f[1] / r, f[3] / r, f[4] / r}, {{rr, rt, rp}, {rt, tt, tp}, {rp, tp, pp}}};
}

static void put_slice(void *context, int64_t index, int thread)
{
    const piece *p = context;
    const armilla_solid_shells *job = p->job;
    const int64_t first = index * SLICE, end = armilla_smaller(first + SLICE, p->count);
    const double mean = job->alm[2 * (p->transform * job->alm_distance + job->layout->mstart[0])];
    (void)thread;
    for (int64_t i = first; i < end; i++) {
        double axes[3][3], out[10], rest;
        const double *point = job->places->points + 3 * p->number[i];
        const double s = job->places->interior ? 1 : armilla_solid_ratio(job->places, point[2]);
        const double phi = armilla_angle_reduce(point[1], &rest);
        armilla_solid_jet jet = jet_of(p, i, point[2]);
        armilla_solid_jet_add_mean(mean * per_root * s, point[2], job->places->interior, &jet);
        armilla_solid_axes(point[0], cos(phi) - rest * sin(phi), sin(phi) + rest * cos(phi), axes);
        if (job->options->frame != ARMILLA_SOLID_LOCAL) armilla_solid_jet_turn(axes, 1, &jet);
        armilla_solid_jet_components(&jet, out);
        for (int64_t c = 0; c < job->ncomp; c++)
            job->values[(p->transform * job->ncomp + c) * job->distance + p->number[i]] = out[c];
    }
}

/* --- Pieces ----------------------------------------------------------------------------------- */

static armilla_status allocate(piece *p)
{
    const int64_t size = armilla_alm_size(p->shell->lmax, p->mmax);
    armilla_status status = armilla_allocate(&p->angles, 2 * p->count, sizeof(double));
    if (!status) status = armilla_allocate(&p->x, p->count, sizeof(double));
    if (!status) status = armilla_allocate(&p->divisor, p->count, sizeof(double));
    if (!status) status = armilla_allocate(&p->sum, MOST_FIELDS * p->count, sizeof(double));
    if (!status) status = armilla_allocate(&p->values, MOST_VALUES * p->count, sizeof(double));
    if (!status) status = armilla_allocate(&p->alm, MOST_SETS * size, 2 * sizeof(double));
    if (!status)
        status =
            armilla_allocate_zero(&p->factor, MOST_SETS * (p->shell->lmax + 1), sizeof(double));
    return status;
}

static void release(piece *p)
{
    double *const arrays[] = {p->angles, p->x, p->divisor, p->sum, p->values, p->alm, p->factor};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) armilla_release(arrays[i]);
    for (int spin = 0; spin < 3; spin++) armilla_points_free(p->plan[spin]);
}

static armilla_status make_plans(piece *p)
{
    armilla_points_options options;
    armilla_status status = ARMILLA_OK;
    const double epsilon = armilla_solid_points_epsilon(p->job->options->epsilon, p->shell->nodes);
    for (int spin = 0; spin <= p->job->options->derivatives && !status; spin++) {
        armilla_points_options_init(&options);
        options.isa = p->job->options->isa, options.nthreads = p->job->nthreads;
        options.spin = spin, options.epsilon = epsilon;
        options.mode = spin ? ARMILLA_SHT_DERIVATIVES : ARMILLA_SHT_STANDARD;
        status = armilla_points_new(p->shell->lmax, p->mmax, p->count, p->angles, &options,
                                    &p->plan[spin]);
    }
    return status;
}

static armilla_status run_piece(piece *p)
{
    armilla_status status = allocate(p);
    if (!status) {
        place_radii(p), place_directions(p);
        status = make_plans(p);
    }
    for (int64_t t = 0; t < p->job->ntrans && !status; t++) {
        p->transform = t;
        status = add_nodes(p);
        if (!status)
            armilla_team_run(p->job->nthreads, (p->count + SLICE - 1) / SLICE, put_slice, p);
    }
    release(p);
    return status;
}

armilla_status armilla_solid_shells_run(const armilla_solid_shells *job,
                                        const armilla_solid_shell *shell)
{
    const int64_t most = shell->lmax > 1024 ? shell->lmax * shell->lmax : PIECE;
    armilla_status status = ARMILLA_OK;
    for (int64_t done = 0; done < shell->count && !status; done += most) {
        piece p = {.job = job,
                   .shell = shell,
                   .mmax = armilla_smaller(job->layout->mmax, shell->lmax),
                   .count = armilla_smaller(most, shell->count - done),
                   .number = job->number + shell->first + done,
                   .log_r = job->log_r + shell->first + done};
        status = run_piece(&p);
    }
    return status;
}
