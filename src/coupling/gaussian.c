/* Gaussian covariances of band powers without a mask: terms of all blocks, masks by masks and
 * spectrum by spectrum, so that what terms share is made once and little is held; then the bands of
 * both sides are solved for. See armilla/coupling.h, docs/mathematics.md 14. */
#include "coupling/gaussian.h"

#include "base/exec.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/progress.h"
#include "coupling/bands.h"
#include "coupling/decoupling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void armilla_gaussian_problem_init_sized(armilla_gaussian_problem *problem, size_t size)
{
    const armilla_gaussian_problem defaults = {.lmax = 0};
    armilla_options_give(&defaults, sizeof defaults, problem, size);
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {sizeof(armilla_gaussian_problem), 0};

/* --- Arguments ------------------------------------------------------------------------------- */

static armilla_status check_at_least_one(const char *name, int64_t count)
{
    if (count >= 1 && count <= INT64_C(1) << 24) return ARMILLA_OK;
    return armilla_fail_argument(name, count, "must be 1 .. 2^24");
}

static armilla_status check_index(const char *list, int64_t i, const char *name, int64_t value,
                                  int64_t count)
{
    if (value >= 0 && value < count) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "problem->%s[%lld].%s = %lld: must be 0 .. %lld",
                        list, (long long)i, name, (long long)value, (long long)count - 1);
}

static armilla_status check_masks(const armilla_gaussian_problem *p)
{
    const armilla_status status = check_at_least_one("problem->nmasks", p->nmasks);
    if (status) return status;
    if (p->lmask < 0 || p->lmask > INT64_C(1) << 31)
        return armilla_fail_argument("problem->lmask", p->lmask, "must be 0 .. 2^31");
    return armilla_coupling_check_spectra("problem->masks", p->nmasks, p->lmask, p->masks);
}

static armilla_status check_fields(armilla_gaussian *g)
{
    const armilla_gaussian_problem *p = &g->problem;
    armilla_status status = check_at_least_one("problem->nfields", p->nfields);
    if (!status) status = armilla_check_given("problem->spins", p->spins);
    if (!status) status = armilla_check_given("problem->cl", p->cl);
    if (!status) status = armilla_allocate(&g->first, p->nfields, sizeof *g->first);
    for (int64_t i = 0; i < p->nfields && !status; i++) {
        char name[64];
        snprintf(name, sizeof name, "problem->spins[%lld]", (long long)i);
        status = armilla_coupling_check_spin(name, p->spins[i], p->lmax);
        g->first[i] = g->ncomp;
        g->ncomp += status || p->spins[i] == 0 ? 1 : 2;
    }
    for (int64_t i = 0; i < g->ncomp * g->ncomp && !status; i++) {
        char name[64];
        snprintf(name, sizeof name, "problem->cl[%lld][%lld]", (long long)(i / g->ncomp),
                 (long long)(i % g->ncomp));
        if (i % g->ncomp >= i / g->ncomp)
            status = armilla_coupling_check_spectra(name, 1, p->lmax, p->cl + i * (p->lmax + 1));
    }
    return status;
}

int64_t armilla_gaussian_ncl(const armilla_gaussian *g, int64_t pair)
{
    const armilla_gaussian_pair *of = &g->problem.pairs[pair];
    return armilla_coupling_count_spectra(g->problem.spins[of->field1],
                                          g->problem.spins[of->field2]);
}

/* A matrix of all components is one of a single spectrum with as many bands. */
static void set_shape(const armilla_gaussian *g, int64_t pair, int64_t *nbands, int64_t *ncl,
                      int64_t *nkinds)
{
    const armilla_gaussian_pair *of = &g->problem.pairs[pair];
    const int64_t *spins = g->problem.spins, all = armilla_gaussian_ncl(g, pair);
    *nbands = g->bands.nbands * (of->is_whole ? all : 1);
    *ncl = of->is_whole ? 1 : all;
    *nkinds = of->is_whole ? 1 : armilla_coupling_count_kinds(spins[of->field1], spins[of->field2]);
}

static armilla_status check_matrix(const armilla_gaussian *g, int64_t pair)
{
    const double *matrix = g->problem.pairs[pair].matrix;
    int64_t nbands, ncl, nkinds;
    char name[64];
    set_shape(g, pair, &nbands, &ncl, &nkinds);
    snprintf(name, sizeof name, "problem->pairs[%lld].matrix", (long long)pair);
    const armilla_status status = armilla_check_given(name, matrix);
    for (int64_t i = 0; i < nkinds * nbands * nbands && !status; i++)
        if (!isfinite(matrix[i]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s: number %lld is %g: must be finite",
                                name, (long long)i, matrix[i]);
    return status;
}

static armilla_status check_pairs(const armilla_gaussian *g)
{
    const armilla_gaussian_problem *p = &g->problem;
    armilla_status status = check_at_least_one("problem->npairs", p->npairs);
    if (!status) status = armilla_check_given("problem->pairs", p->pairs);
    for (int64_t i = 0; i < p->npairs && !status; i++) {
        status = check_index("pairs", i, "field1", p->pairs[i].field1, p->nfields);
        if (!status) status = check_index("pairs", i, "field2", p->pairs[i].field2, p->nfields);
        if (!status) status = check_matrix(g, i);
    }
    return status;
}

static armilla_status check_blocks(armilla_gaussian *g)
{
    const armilla_gaussian_problem *p = &g->problem;
    armilla_status status = check_at_least_one("problem->nblocks", p->nblocks);
    if (!status) status = armilla_check_given("problem->blocks", p->blocks);
    if (!status) status = armilla_allocate(&g->block_at, p->nblocks + 1, sizeof *g->block_at);
    if (!status) g->block_at[0] = 0;
    for (int64_t i = 0; i < p->nblocks && !status; i++) {
        const armilla_gaussian_block *block = &p->blocks[i];
        if ((status = check_index("blocks", i, "pair1", block->pair1, p->npairs)) ||
            (status = check_index("blocks", i, "pair2", block->pair2, p->npairs)) ||
            (status = check_index("blocks", i, "mask1", block->mask1, p->nmasks)) ||
            (status = check_index("blocks", i, "mask2", block->mask2, p->nmasks)))
            return status;
        g->block_at[i + 1] = g->block_at[i] + armilla_gaussian_ncl(g, block->pair1) *
                                                  armilla_gaussian_ncl(g, block->pair2) *
                                                  g->bands.nbands * g->bands.nbands;
    }
    return status;
}

static armilla_status check(const armilla_gaussian_problem *given, const double *cov,
                            armilla_gaussian *g)
{
    armilla_gaussian_problem *p = &g->problem;
    armilla_gaussian_problem_init(p);
    armilla_status status = armilla_check_given("problem", given);
    if (!status)
        status = armilla_options_copy("problem", "armilla_gaussian_problem", given, VERSIONS, p);
    if (!status) status = armilla_check_band_limit(p->lmax, 0);
    if (!status) status = check_masks(p);
    if (!status) status = armilla_bands_take(p->bands, p->lmax, &g->bands);
    if (!status) status = check_fields(g);
    if (!status) status = check_pairs(g);
    if (!status) status = check_blocks(g);
    return status ? status : armilla_check_given("cov", cov);
}

/* --- Groups of terms ---------------------------------------------------------------------------
 */

/* Terms with the same spins, masks and x: one call of the library. */
typedef struct {
    const armilla_gaussian *g;
    const armilla_gaussian_term *terms;
    int64_t nterms, ny;
    double *memory, *x, *y; /* [lmax + 1], [nterms][lmax + 1] */
    armilla_covariance_term *wanted;
    double *made; /* [ny][nkinds][nbands][nbands] */
} group;

static int are_one_group(const armilla_gaussian_term *a, const armilla_gaussian_term *b)
{
    return a->spin1 == b->spin1 && a->spin2 == b->spin2 && a->mask == b->mask && a->x == b->x;
}

static int have_one_plan(const armilla_gaussian_term *a, const armilla_gaussian_term *b)
{
    return a->spin1 == b->spin1 && a->spin2 == b->spin2 && a->mask == b->mask;
}

static int64_t count_group(const armilla_gaussian *g, int64_t first)
{
    int64_t end = first + 1;
    while (end < g->nterms && are_one_group(&g->terms[first], &g->terms[end])) end++;
    return end - first;
}

static int64_t count_ys(const group *own)
{
    int64_t count = 1;
    for (int64_t i = 1; i < own->nterms; i++) count += own->terms[i].y != own->terms[i - 1].y;
    return count;
}

static armilla_status take_room(group *own, int64_t nkinds)
{
    const int64_t n = own->g->bands.nbands, length = own->g->problem.lmax + 1;
    armilla_status status = armilla_allocate(
        &own->memory, (1 + own->ny) * length + own->ny * nkinds * n * n, sizeof *own->memory);
    if (!status) status = armilla_allocate(&own->wanted, own->ny, sizeof *own->wanted);
    if (status) return status;
    own->x = own->memory, own->y = own->x + length, own->made = own->y + own->ny * length;
    armilla_gaussian_spectrum(own->g, own->terms[0].x, own->x);
    for (int64_t i = 0, y = -1; i < own->nterms; i++) {
        if (i && own->terms[i].y == own->terms[i - 1].y) continue;
        y++;
        armilla_gaussian_spectrum(own->g, own->terms[i].y, own->y + y * length);
        own->wanted[y] = (armilla_covariance_term){.mask = 0, .x = 0, .y = y};
    }
    return ARMILLA_OK;
}

/* Adds what was made to the blocks, symmetric in x and y. */
static void add_terms(const group *own, int64_t nkinds, double *cov)
{
    const int64_t n = own->g->bands.nbands;
    for (int64_t i = 0, y = -1; i < own->nterms; i++) {
        const armilla_gaussian_term *t = &own->terms[i];
        y += i == 0 || t->y != own->terms[i - 1].y;
        const double *made = own->made + (y * nkinds + t->kind) * n * n;
        for (int64_t b = 0; b < n; b++)
            for (int64_t other = 0; other < n; other++)
                cov[t->place + b * t->stride + other] +=
                    0.5 * t->factor * (made[b * n + other] + made[other * n + b]);
    }
}

static armilla_status run_group(const armilla_gaussian *g, const armilla_coupling *coupling,
                                int64_t first, double *cov, const armilla_exec *exec)
{
    const int64_t nkinds =
        armilla_coupling_count_kinds(g->terms[first].spin1, g->terms[first].spin2);
    group own = {.g = g, .terms = g->terms + first, .nterms = count_group(g, first)};
    own.ny = count_ys(&own);
    armilla_status status = take_room(&own, nkinds);
    armilla_covariance_problem problem;
    armilla_covariance_problem_init(&problem);
    problem.nx = 1, problem.x = own.x, problem.ny = own.ny, problem.y = own.y;
    problem.nterms = own.ny, problem.terms = own.wanted;
    if (!status)
        status = armilla_coupling_covariance(coupling, &g->bands, &problem, own.made, exec);
    if (!status) add_terms(&own, nkinds, cov);
    armilla_release(own.memory);
    armilla_release(own.wanted);
    return status;
}

static armilla_status make_plan(const armilla_gaussian *g, const armilla_gaussian_term *term,
                                armilla_coupling **coupling)
{
    const armilla_gaussian_problem *p = &g->problem;
    armilla_coupling_options options;
    armilla_coupling_free(*coupling);
    *coupling = NULL;
    armilla_coupling_options_init(&options);
    options.spin1 = term->spin1, options.spin2 = term->spin2;
    return armilla_coupling_new(p->lmax, p->lmask, 1, p->masks + term->mask * (p->lmask + 1),
                                &options, coupling);
}

static armilla_status run_groups(const armilla_gaussian *g, double *cov, const armilla_exec *exec)
{
    armilla_relay relay;
    armilla_exec inner = *exec;
    armilla_coupling *coupling = NULL;
    armilla_status status = ARMILLA_OK;
    int64_t ngroups = 0;
    for (int64_t i = 0; i < g->nterms; i += count_group(g, i)) ngroups++;
    armilla_relay_start(&relay, exec->progress, exec->progress_data);
    if (inner.progress) inner.progress = armilla_relay_report, inner.progress_data = &relay;
    for (int64_t i = 0; i < g->nterms && !status; i += count_group(g, i)) {
        status = armilla_relay_next(&relay, 1 / (double)ngroups);
        if (!status && (i == 0 || !have_one_plan(&g->terms[i - 1], &g->terms[i])))
            status = make_plan(g, &g->terms[i], &coupling);
        if (!status) status = run_group(g, coupling, i, cov, &inner);
    }
    armilla_coupling_free(coupling);
    return status;
}

/* --- Both sides are solved for ------------------------------------------------------------------
 */

/* Columns of a block [ncl1 nbands][columns], one by one. */
static void solve_columns(const armilla_decoupling *d, int64_t columns, double *room, double *block)
{
    const int64_t rows = d->ncl * d->nbands;
    for (int64_t column = 0; column < columns; column++) {
        for (int64_t i = 0; i < rows; i++) room[i] = block[i * columns + column];
        armilla_decoupling_solve(d, room);
        for (int64_t i = 0; i < rows; i++) block[i * columns + column] = room[i];
    }
}

static void make_symmetric(int64_t n, double *block)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            block[i * n + j] = block[j * n + i] = 0.5 * (block[i * n + j] + block[j * n + i]);
}

static void solve_block(const armilla_gaussian *g, const armilla_decoupling *solvers, int64_t at,
                        double *room, double *cov)
{
    const armilla_gaussian_block *block = &g->problem.blocks[at];
    const armilla_decoupling *first = &solvers[block->pair1], *second = &solvers[block->pair2];
    const int64_t rows = first->ncl * first->nbands, columns = second->ncl * second->nbands;
    double *own = cov + g->block_at[at];
    solve_columns(first, columns, room, own);
    for (int64_t i = 0; i < rows; i++) armilla_decoupling_solve(second, own + i * columns);
    if (block->pair1 == block->pair2) make_symmetric(rows, own);
}

static armilla_status make_solvers(const armilla_gaussian *g, armilla_decoupling *solvers)
{
    const armilla_gaussian_problem *p = &g->problem;
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < p->npairs && !status; i++) {
        int64_t nbands, ncl, nkinds;
        char name[64];
        set_shape(g, i, &nbands, &ncl, &nkinds);
        snprintf(name, sizeof name, "problem->pairs[%lld].matrix", (long long)i);
        status =
            armilla_decoupling_make(nbands, ncl, nkinds, p->pairs[i].matrix, name, &solvers[i]);
    }
    return status;
}

static armilla_status run(armilla_gaussian *g, double *cov, const armilla_exec *exec)
{
    const armilla_gaussian_problem *p = &g->problem;
    armilla_decoupling *solvers;
    double *room;
    armilla_status status = armilla_allocate_zero(&solvers, p->npairs, sizeof *solvers);
    if (status) return status;
    status = armilla_allocate(&room, 4 * g->bands.nbands, sizeof *room);
    if (!status) status = make_solvers(g, solvers);
    if (!status) status = armilla_gaussian_list(g);
    if (!status) {
        memset(cov, 0, (size_t)g->block_at[p->nblocks] * sizeof *cov);
        status = run_groups(g, cov, exec);
    }
    for (int64_t i = 0; i < p->nblocks && !status; i++) solve_block(g, solvers, i, room, cov);
    for (int64_t i = 0; i < p->npairs; i++) armilla_decoupling_clear(&solvers[i]);
    armilla_release(solvers);
    armilla_release(room);
    return status;
}

armilla_status armilla_gaussian_covariance(const armilla_gaussian_problem *problem, double *cov,
                                           const armilla_exec *exec)
{
    armilla_gaussian g = {.ncomp = 0};
    armilla_exec resolved;
    armilla_status status = armilla_exec_take(exec, &resolved);
    if (!status) status = armilla_exec_check_memory(&resolved, 0);
    if (!status) status = check(problem, cov, &g);
    if (!status) status = run(&g, cov, &resolved);
    armilla_release(g.first);
    armilla_release(g.is_zero);
    armilla_release(g.block_at);
    armilla_release(g.terms);
    return status;
}
