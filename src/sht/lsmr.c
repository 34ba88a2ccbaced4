/* LSMR: Fong & Saunders 2011, SIAM J. Sci. Comput. 33, 2950, doi 10.1137/10079687X (lambda = 0);
 * docs/mathematics.md (10.3) to (10.6).
 *
 * Golub-Kahan bidiagonalisation, beta_1 u_1 = b, alpha_1 v_1 = A^T u_1, then
 *     beta_{k+1} u_{k+1} = A v_k - alpha_k u_k
 *     alpha_{k+1} v_{k+1} = A^T u_{k+1} - beta_{k+1} v_k
 * gives A V_k = U_{k+1} B_k with B_k lower bidiagonal. Two sequences of plane rotations turn B_k
 * into R_k (upper bidiagonal: rho, theta) and R_k^T into Rbar_k (rhobar, thetabar), with which
 * x_k = V_k y_k minimises |A^T r_k| over the Krylov space. |A^T r_k| = |zetabar_{k+1}|
 * and falls monotonically. |r_k| needs one more sequence of rotations, the "tilde" quantities. |A|
 * is the Frobenius norm of B_k, cond A the ratio of the extreme diagonals of Rbar_k.
 *
 * Deviations: |x_k| is the norm of the vector itself, a by-product of its update. From a first
 * guess x_0 the bidiagonalisation starts with b - A x_0, and x_k counts from x_0; the tests and the
 * report go on to refer to |b| and to the whole x. */
#include "sht/lsmr.h"

#include "base/memory.h"
#include "base/status.h"
#include "sht/vector.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { UNDECIDED = -1 };

/* Beyond this a relative change of b by one rounding moves the weakest component of x by more than
 * 1e-4: the problem is singular for practical purposes. */
static const double condition_limit = 1e12;

typedef struct solver {
    const armilla_lsmr_problem *problem;
    double tolerance;
    int64_t iteration;
    double fraction; /* of the work, as far as one can tell */
    /* vectors; image and u have nrows values, the others ncolumns */
    double *u, *x, *v, *h, *hbar, *gradient, *image;
    const armilla_vector_space *rows, *columns;
    armilla_vector_space made[2];                            /* where the problem has none */
    double alpha, beta;                                      /* bidiagonalisation */
    double alphabar, rho, rhobar, cbar, sbar, zeta, zetabar; /* rotations of B_k and R_k */
    double betadd, betad, rhod, tau, thetatilde;             /* residual norm */
    double norm_b, norm_x, norm_r;
    double norm_a, sum_a2;                      /* of B_k; sum of the squares so far */
    double largest_diagonal, smallest_diagonal; /* of Rbar, without its last row */
} solver;

static armilla_status find_space(const armilla_vector_space *given, int64_t n,
                                 armilla_vector_space *made, const armilla_vector_space **space)
{
    *space = given ? given : made;
    return given ? ARMILLA_OK : armilla_vector_space_make(n, 0, NULL, 0, made);
}

static armilla_status allocate_vectors(solver *s)
{
    const armilla_lsmr_problem *problem = s->problem;
    double **columns[] = {&s->v, &s->h, &s->hbar, &s->gradient};
    armilla_status status = ARMILLA_OK;
    for (size_t i = 0; i < sizeof columns / sizeof *columns && !status; i++)
        status = armilla_allocate_zero(columns[i], problem->ncolumns, sizeof(double));
    if (!status) status = armilla_allocate_zero(&s->image, problem->nrows, sizeof(double));
    if (!status) status = find_space(problem->rows, problem->nrows, &s->made[0], &s->rows);
    if (!status) status = find_space(problem->columns, problem->ncolumns, &s->made[1], &s->columns);
    return status;
}

static void release_vectors(solver *s)
{
    armilla_release(s->v);
    armilla_release(s->h);
    armilla_release(s->hbar);
    armilla_release(s->gradient);
    armilla_release(s->image);
    armilla_vector_space_clear(&s->made[0]);
    armilla_vector_space_clear(&s->made[1]);
}

static double combine(solver *s, const armilla_vector_space *space, double a, const double *x,
                      double b, double *y)
{
    return armilla_vector_combine(space, a, x, b, y, s->problem->nthreads);
}

static void add(solver *s, double a, const double *x, double b, double *y)
{
    armilla_vector_add(s->columns, a, x, b, y, s->problem->nthreads);
}

/* y <- y / norm. A zero vector stays: the bidiagonalisation then ends with the exact solution. */
static void normalise(solver *s, const armilla_vector_space *space, double norm, double *y)
{
    if (norm > 0) armilla_vector_scale(space, 1 / norm, y, s->problem->nthreads);
}

/* alpha_{k+1} v_{k+1} = A^T u_{k+1} - beta_{k+1} v_k */
static armilla_status next_v(solver *s)
{
    const armilla_lsmr_problem *problem = s->problem;
    armilla_status status = problem->adjoint(problem->context, s->u, s->gradient);
    if (status) return status;
    s->alpha = combine(s, s->columns, 1, s->gradient, -s->beta, s->v);
    normalise(s, s->columns, s->alpha, s->v);
    return ARMILLA_OK;
}

/* beta_{k+1} u_{k+1} = A v_k - alpha_k u_k */
static armilla_status next_u(solver *s)
{
    const armilla_lsmr_problem *problem = s->problem;
    armilla_status status = problem->forward(problem->context, s->v, s->image);
    if (status) return status;
    s->beta = combine(s, s->rows, 1, s->image, -s->alpha, s->u);
    normalise(s, s->rows, s->beta, s->u);
    return ARMILLA_OK;
}

/* u <- b - A x, x the first guess */
static armilla_status subtract_guess(solver *s)
{
    const armilla_lsmr_problem *problem = s->problem;
    armilla_status status = problem->forward(problem->context, s->x, s->image);
    if (status) return status;
    s->norm_r = combine(s, s->rows, -1, s->image, 1, s->u);
    s->norm_x = armilla_vector_norm(s->columns, s->x, problem->nthreads);
    return ARMILLA_OK;
}

/* u_1, v_1 and the state before the first iteration; x = 0 or the guess. */
static armilla_status start(solver *s)
{
    const armilla_lsmr_problem *problem = s->problem;
    armilla_status status = ARMILLA_OK;
    s->norm_b = armilla_vector_norm(s->rows, s->u, problem->nthreads);
    s->norm_r = s->norm_b;
    if (!problem->has_guess || !(s->norm_b > 0))
        memset(s->x, 0, (size_t)problem->ncolumns * sizeof *s->x);
    else
        status = subtract_guess(s);
    if (status || !(s->norm_b > 0)) return status;
    normalise(s, s->rows, s->norm_r, s->u);
    if ((status = next_v(s))) return status; /* beta and v still are 0 */
    memcpy(s->h, s->v, (size_t)problem->ncolumns * sizeof *s->h);
    s->alphabar = s->alpha;
    s->zetabar = s->alpha * s->norm_r;
    s->rho = s->rhobar = s->cbar = 1;
    s->betadd = s->norm_r;
    s->rhod = 1;
    s->sum_a2 = s->alpha * s->alpha;
    s->norm_a = s->alpha;
    s->smallest_diagonal = DBL_MAX;
    return ARMILLA_OK;
}

typedef struct rotations { /* of one iteration, what later formulas need */
    double c, s, theta, thetabar, rho_old, rhobar_old, zeta_old;
    double last_diagonal; /* of Rbar_k */
} rotations;

/* From (alpha_{k+1}, beta_{k+1}) to rho_k, rhobar_k, zeta_k. */
static rotations rotate(solver *s)
{
    rotations r = {.rho_old = s->rho, .rhobar_old = s->rhobar, .zeta_old = s->zeta};
    s->rho = hypot(s->alphabar, s->beta);
    r.c = s->alphabar / s->rho;
    r.s = s->beta / s->rho;
    r.theta = r.s * s->alpha;
    s->alphabar = r.c * s->alpha;
    r.thetabar = s->sbar * s->rho;
    r.last_diagonal = s->cbar * s->rho;
    s->rhobar = hypot(r.last_diagonal, r.theta);
    s->cbar = r.last_diagonal / s->rhobar;
    s->sbar = r.theta / s->rhobar;
    s->zeta = s->cbar * s->zetabar;
    s->zetabar = -s->sbar * s->zetabar;
    return r;
}

static void update_solution(solver *s, const rotations *r)
{
    add(s, 1, s->h, -r->thetabar * s->rho / (r->rho_old * r->rhobar_old), s->hbar);
    s->norm_x = combine(s, s->columns, s->zeta / (s->rho * s->rhobar), s->hbar, 1, s->x);
    add(s, 1, s->v, -r->theta / s->rho, s->h);
}

/* |r_k|. The first iteration has no earlier row to rotate away (rhod = 1, thetabar = 0
 * make that rotation the identity). */
static void update_residual(solver *s, const rotations *r)
{
    double betahat = r->c * s->betadd;
    s->betadd = -r->s * s->betadd;
    double rhotilde = hypot(s->rhod, r->thetabar);
    double c = s->rhod / rhotilde, t = r->thetabar / rhotilde;
    double thetatilde_old = s->thetatilde;
    s->thetatilde = t * s->rhobar;
    s->rhod = c * s->rhobar;
    s->betad = -t * s->betad + c * betahat;
    s->tau = (r->zeta_old - thetatilde_old * s->tau) / rhotilde;
    double taud = (s->zeta - s->thetatilde * s->tau) / s->rhod;
    s->norm_r = hypot(s->betad - taud, s->betadd);
}

/* cond A by the diagonals rhobar_1 .. rhobar_{k-1} and the last one. */
static double condition(solver *s, const rotations *r)
{
    if (s->iteration > 1) {
        s->largest_diagonal = fmax(s->largest_diagonal, r->rhobar_old);
        s->smallest_diagonal = fmin(s->smallest_diagonal, r->rhobar_old);
    }
    return fmax(s->largest_diagonal, r->last_diagonal) /
           fmin(s->smallest_diagonal, r->last_diagonal);
}

/* How far the test that falls fastest has come, on a logarithmic scale. */
static double progress_fraction(const solver *s, double residual, double gradient, double limit)
{
    double fraction = (double)s->iteration / (double)s->problem->max_iterations;
    fraction = fmax(fraction, log(residual) / log(limit));
    fraction = fmax(fraction, log(gradient) / log(s->tolerance));
    return fmin(1, fmax(fraction, s->fraction));
}

/* Fills report; returns the reason to stop or UNDECIDED. */
static int judge(solver *s, double cond, armilla_pseudo_report *report)
{
    report->iterations = s->iteration;
    report->residual = s->norm_r / s->norm_b;
    double scale = s->norm_a * s->norm_r;
    report->gradient = scale > 0 ? fabs(s->zetabar) / scale : 0;
    double limit = s->tolerance * (1 + s->norm_a * s->norm_x / s->norm_b);
    s->fraction = progress_fraction(s, report->residual, report->gradient, limit);
    if (report->residual <= limit) return ARMILLA_STOP_RESIDUAL;
    if (report->gradient <= s->tolerance) return ARMILLA_STOP_GRADIENT;
    if (cond >= condition_limit) return ARMILLA_STOP_CONDITION;
    if (s->iteration >= s->problem->max_iterations) return ARMILLA_STOP_ITERATIONS;
    return UNDECIDED;
}

static armilla_status iterate(solver *s, double *cond)
{
    s->iteration++;
    armilla_status status = next_u(s);
    if (!status) status = next_v(s);
    if (status) return status;
    s->sum_a2 += s->beta * s->beta;
    s->norm_a = sqrt(s->sum_a2); /* B_k ends with beta_{k+1} */
    s->sum_a2 += s->alpha * s->alpha;
    rotations r = rotate(s);
    update_solution(s, &r);
    update_residual(s, &r);
    *cond = condition(s, &r);
    return ARMILLA_OK;
}

static armilla_status agree(const solver *s, armilla_status status)
{
    const armilla_lsmr_problem *problem = s->problem;
    return problem->agree ? problem->agree(problem->context, status) : status;
}

static armilla_status solve(solver *s, armilla_pseudo_report *report)
{
    const armilla_lsmr_problem *problem = s->problem;
    armilla_status status = start(s);
    if (status) return status;
    *report = (armilla_pseudo_report){.stop = ARMILLA_STOP_ZERO};
    if (!(s->norm_b > 0)) return ARMILLA_OK;
    double cond = 1;
    int stop;
    while ((stop = judge(s, cond, report)) == UNDECIDED) {
        if (problem->progress && problem->progress(problem->progress_data, s->fraction))
            status = armilla_fail(ARMILLA_ERROR_CANCELLED, "stopped by the progress callback");
        if ((status = agree(s, status)) || (status = iterate(s, &cond))) return status;
    }
    report->stop = (armilla_pseudo_stop)stop;
    return ARMILLA_OK;
}

armilla_status armilla_lsmr_solve(const armilla_lsmr_problem *problem, double *b, double *x,
                                  armilla_pseudo_report *report)
{
    solver s = {.problem = problem, .u = b, .x = x};
    s.tolerance = problem->tolerance > DBL_EPSILON ? problem->tolerance : DBL_EPSILON;
    armilla_status status = agree(&s, allocate_vectors(&s));
    if (!status) status = solve(&s, report);
    release_vectors(&s);
    return status;
}
