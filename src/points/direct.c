/* Transforms between alm and a field at given points, with its derivatives, by Legendre functions
 * at the points' own colatitudes and sums over orders: without a grid, and exact to rounding. A
 * task of the Legendre stage is an order, for all parts of the jet: its row of alm is read once.
 * Where leg would be large, passes take some of the pairs each. */
#include "points/direct.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "legendre/rows.h"

#include <string.h>

/* Doubles of the legs of a pass: 64 MB; the recurrence of an order, which is made anew in each
 * pass, takes as long as some ten pairs. */
enum { PASS_SIZE = 8 << 20, LEAST_PAIRS = 128 };

/* Several transforms share what is made for points, if their legs stay in the caches: doubles, and
 * how many at most. */
enum { TOGETHER_SIZE = 1 << 20, MOST_TOGETHER = 16 };

/* --- Making ----------------------------------------------------------------------------------- */

static armilla_status make_part(const armilla_direct *direct, const armilla_jet_part *jet,
                                armilla_direct_part *part)
{
    const armilla_direct_problem *p = &direct->problem;
    const armilla_latitudes *rings = &direct->latitudes;
    if (jet->spin > p->lmax || -jet->spin > p->lmax) return ARMILLA_OK;
    armilla_status status = armilla_ring_pairs_make(rings->nrings, rings->theta, p->lmax, p->mmax,
                                                    jet->spin, &part->pairs);
    const armilla_legendre_problem problem = {.machine = p->machine,
                                              .lmax = p->lmax,
                                              .norders = p->mmax + 1,
                                              .spin = jet->spin,
                                              .recurrence_only = p->recurrence_only,
                                              .pairs = &part->pairs,
                                              .block_size = direct->pass_pairs,
                                              .keep_tables = -1};
    const armilla_leg_shape shape = {
        .pairs = &part->pairs, .npairs = rings->npairs, .mmax = p->mmax};
    if (!status) status = armilla_legendre_new(&problem, &part->legendre);
    if (!status) status = armilla_leg_passes_by_pairs(&shape, direct->pass_pairs, &part->passes);
    return status;
}

static void choose_passes(armilla_direct *direct)
{
    const int64_t of_pair = 4 * direct->jet.nfields * (direct->problem.mmax + 1);
    const int64_t npairs = direct->latitudes.npairs;
    int64_t most = PASS_SIZE / of_pair / 8 * 8;
    if (most < LEAST_PAIRS) most = LEAST_PAIRS;
    direct->pass_pairs = npairs < most ? npairs : most;
    direct->npasses = (npairs + direct->pass_pairs - 1) / direct->pass_pairs;
    direct->together = armilla_smaller(TOGETHER_SIZE / (of_pair * npairs), MOST_TOGETHER);
    if (direct->together > direct->problem.ntrans) direct->together = direct->problem.ntrans;
    if (direct->together < 1) direct->together = 1;
}

armilla_status armilla_direct_make(const armilla_direct_problem *problem, armilla_direct *direct)
{
    *direct = (armilla_direct){.problem = *problem};
    armilla_status status =
        armilla_latitudes_make(problem->npoints, problem->points, &direct->latitudes);
    if (!status)
        status = armilla_jet_make(problem->lmax, problem->spin, problem->derivatives, &direct->jet);
    if (!status) choose_passes(direct);
    for (int64_t i = 0; i < direct->jet.nparts && !status; i++)
        status = make_part(direct, &direct->jet.part[i], &direct->part[i]);
    if (status) armilla_direct_clear(direct);
    return status;
}

void armilla_direct_clear(armilla_direct *direct)
{
    for (int64_t i = 0; i < ARMILLA_JET_PARTS; i++) {
        armilla_leg_passes_clear(&direct->part[i].passes);
        armilla_legendre_free(direct->part[i].legendre);
        armilla_ring_pairs_clear(&direct->part[i].pairs);
    }
    armilla_jet_clear(&direct->jet);
    armilla_latitudes_clear(&direct->latitudes);
}

/* --- Orders ----------------------------------------------------------------------------------- */

typedef struct {
    const armilla_direct *direct;
    int to_points;
    int64_t ntrans;
    armilla_alm_rows alm;               /* of the first transform */
    armilla_leg leg[ARMILLA_JET_PARTS]; /* of the present pass */
    int64_t row;                        /* doubles between rows of alm in scratch */
    armilla_work work;
} run;

/* row <- factor from, or where `add` row += factor from, for the degrees from m on. */
static void scale_row(const run *r, int64_t m, const double *factor, int add, const double *from,
                      double *row)
{
    const int64_t count = r->alm.lmax - m + 1;
    for (int64_t i = 0; i < count; i++)
        for (int part = 0; part < 2; part++) {
            const double value = (factor ? factor[m + i] : 1) * from[2 * i + part];
            row[2 * i + part] = add ? row[2 * i + part] + value : value;
        }
}

/* One part of an order: rows of alm <-> leg. */
static void run_part(const run *r, int64_t trans, int64_t i, int64_t m, double *rows,
                     double *scratch)
{
    const armilla_jet_part *jet = &r->direct->jet.part[i];
    const armilla_legendre *legendre = r->direct->part[i].legendre;
    if (!legendre) return;
    if (m >= r->leg[i].layout->blocks->nrows) return;
    armilla_leg_rows leg = {.of = &r->leg[i],
                            .first_set = trans * jet->nsets,
                            .nsets = jet->nsets,
                            .first = m,
                            .count = 1};
    armilla_legendre_sets sets = {.count = jet->nsets, .alm = scratch, .alm_stride = r->row};
    armilla_leg_rows_open(&leg, !r->to_points, NULL);
    for (int64_t set = 0; set < jet->nsets; set++)
        memset(scratch + set * r->row, 0,
               sizeof *scratch * (size_t)armilla_legendre_alm_row(legendre, m));
    for (int64_t set = 0; set < jet->nsets && r->to_points; set++)
        if (jet->source[set] >= 0)
            scale_row(r, m, jet->factor[set], 0, rows + jet->source[set] * r->row,
                      scratch + set * r->row);
    armilla_legendre_run_row(legendre, &leg, 0, r->to_points, &sets, scratch + jet->nsets * r->row);
    for (int64_t set = 0; set < jet->nsets && !r->to_points; set++)
        if (jet->source[set] >= 0)
            scale_row(r, m, jet->factor[set], 1, scratch + set * r->row,
                      rows + jet->source[set] * r->row);
}

/* The rows of a transform. */
static armilla_alm_rows alm_of(const run *r, int64_t trans)
{
    armilla_alm_rows alm = r->alm;
    alm.values = armilla_array_from(alm.values, 2 * trans * alm.ncomp * alm.distance);
    if (alm.sums) alm.sums += trans * alm.ncomp * alm.sums_size;
    return alm;
}

static void run_order(void *context, int64_t m, int thread)
{
    const run *r = context;
    double *rows = armilla_work_scratch(&r->work, thread);
    double *scratch = rows + r->alm.nsets * r->row;
    if (armilla_progress_advance(r->work.progress, r->ntrans * (r->alm.lmax - m + 1), thread))
        return;
    for (int64_t t = 0; t < r->ntrans; t++) {
        const armilla_alm_rows alm = alm_of(r, t);
        if (!r->to_points) memset(rows, 0, sizeof *rows * (size_t)(alm.nsets * r->row));
        for (int64_t set = 0; set < alm.nsets && r->to_points; set++)
            armilla_alm_rows_read(&alm, set, m, rows + set * r->row, r->row);
        for (int64_t i = 0; i < r->direct->jet.nparts; i++) run_part(r, t, i, m, rows, scratch);
        for (int64_t set = 0; set < alm.nsets && !r->to_points; set++)
            armilla_alm_rows_write(&alm, set, m, rows + set * r->row);
    }
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* What one thread needs; *row: doubles between rows. */
static int64_t scratch_size(const armilla_direct *direct, int64_t nsets, int64_t *row)
{
    int64_t legendre = 0;
    *row = armilla_round_line(2 * (direct->problem.lmax + 1));
    for (int64_t i = 0; i < direct->jet.nparts; i++) {
        const armilla_legendre *part = direct->part[i].legendre;
        if (!part) continue;
        legendre = armilla_larger(legendre,
                                  armilla_legendre_scratch_size(part, direct->jet.part[i].nsets));
        *row = armilla_larger(*row, armilla_legendre_alm_row(part, 0));
    }
    const int64_t orders = (nsets + 2) * *row + legendre;
    return armilla_round_line(armilla_larger(orders, armilla_waves_scratch(direct->problem.mmax)));
}

static int64_t leg_size(const armilla_direct *direct, int64_t part)
{
    return direct->jet.part[part].nsets * direct->part[part].passes.size;
}

/* Sums of several passes are kept in doubles where alm are floats. */
static int64_t sums_size(const armilla_direct *direct, const armilla_alm_rows *alm, int to_points)
{
    if (to_points || direct->npasses == 1 || !alm->values.is_float) return 0;
    return armilla_round_line(alm->ncomp * alm->sums_size);
}

/* --- A transform ------------------------------------------------------------------------------ */

static armilla_waves make_waves(const run *r, const armilla_points_kernels *kernels,
                                armilla_array values, int64_t distance, double *shared)
{
    const armilla_jet *jet = &r->direct->jet;
    armilla_waves waves = {.kernels = kernels,
                           .latitudes = &r->direct->latitudes,
                           .mmax = r->direct->problem.mmax,
                           .mixing = jet->mixing,
                           .values = values,
                           .distance = distance,
                           .shared = shared};
    for (int64_t i = 0; i < jet->nparts; i++)
        for (int64_t set = 0; set < jet->part[i].nsets; set++)
            waves.field[waves.nfields++] = (armilla_wave_field){
                r->direct->part[i].legendre ? &r->leg[i] : NULL, set, jet->part[i].nsets};
    return waves;
}

static void run_pass(run *r, const armilla_waves *waves, int64_t pass)
{
    const armilla_direct *direct = r->direct;
    const int64_t first = pass * direct->pass_pairs, rest = direct->latitudes.npairs - first;
    const int64_t npairs = rest < direct->pass_pairs ? rest : direct->pass_pairs;
    const int64_t norders = direct->problem.mmax + 1;
    for (int64_t i = 0; i < direct->jet.nparts; i++)
        if (direct->part[i].legendre) r->leg[i].layout = &direct->part[i].passes.layouts[pass];
    r->alm.later = pass > 0, r->alm.last = pass + 1 == direct->npasses;
    if (!r->to_points) armilla_waves_from_points(waves, first, npairs, &r->work);
    armilla_team_run(r->work.nthreads, norders, run_order, r);
    if (r->to_points && !armilla_progress_status(r->work.progress))
        armilla_waves_to_points(waves, first, npairs, &r->work);
}

/* Some transforms. */
static armilla_status run_together(run *r, armilla_waves *waves)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < r->direct->jet.nparts; i++)
        r->leg[i].nsets = r->ntrans * r->direct->jet.part[i].nsets;
    waves->ntrans = r->ntrans;
    for (int64_t pass = 0; pass < r->direct->npasses && !status; pass++) {
        run_pass(r, waves, pass);
        status = armilla_progress_status(r->work.progress);
    }
    return status;
}

armilla_status armilla_direct_run(const armilla_direct *direct, int to_points,
                                  const armilla_alm_rows *alm, armilla_array values,
                                  int64_t distance, const armilla_work *threads)
{
    const armilla_points_kernels *kernels =
        armilla_points_kernels_find(direct->problem.machine.isa);
    const int64_t together = direct->together, ntrans = direct->problem.ntrans;
    run r = {.direct = direct, .to_points = to_points, .alm = *alm, .work = *threads};
    r.work.scratch_size = scratch_size(direct, alm->nsets, &r.row);
    const int64_t shared =
        armilla_waves_shared(kernels, direct->problem.mmax, direct->latitudes.npoints, together);
    const int64_t sums = together * sums_size(direct, alm, to_points);
    int64_t size = shared + sums + r.work.nthreads * r.work.scratch_size;
    for (int64_t i = 0; i < direct->jet.nparts; i++) size += together * leg_size(direct, i);
    double *memory;
    armilla_status status = armilla_allocate(&memory, size, sizeof *memory);
    if (status) return status;
    double *next = memory + shared;
    for (int64_t i = 0; i < direct->jet.nparts; next += together * leg_size(direct, i), i++)
        r.leg[i].values = next;
    r.alm.sums = sums ? next : NULL;
    r.work.scratch = next + sums;
    armilla_waves waves = make_waves(&r, kernels, values, distance, memory);
    for (int64_t t = 0; t < ntrans && !status; t += together) {
        r.ntrans = armilla_smaller(together, ntrans - t);
        r.alm.values = armilla_array_from(alm->values, 2 * t * alm->ncomp * alm->distance);
        waves.values = armilla_array_from(values, t * waves.nfields * distance);
        status = run_together(&r, &waves);
    }
    armilla_release(memory);
    return status;
}
