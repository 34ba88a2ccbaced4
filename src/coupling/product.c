/* Products of many vectors with coupling matrices: vectors go group by group, and a group's nodes
 * block by block, so that single vectors keep a team busy as well. See product.h. */
#include "coupling/product.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"

#include <string.h>

/* Tasks that go to the team at once, at least, as long as there are vectors. */
enum { TASKS = 16 };

/* Where the rows of a group's sets are. */
typedef struct {
    const armilla_coupling *coupling;
    const armilla_coupling_vectors *vectors;
    int64_t nsets, row;       /* complex rows of a group, doubles of each */
    int64_t nblocks, ngroups; /* of nodes; of vectors, that go at once */
    int64_t first;            /* of the vectors that go now */
    int64_t scratch_size, leg_size;
    double *in, *sums; /* [groups][sets][row], [groups][blocks][sets][row] */
    double *scratch;   /* of each thread: leg, then that of the stage */
    double *meetings;  /* [nmasks][pairs][2]; NULL: of a product that goes back to degrees */
    double *panels;    /* of vectors at the nodes of a block; NULL likewise */
    int64_t block, columns;
    armilla_progress *progress;
} product;

static int is_spin(const product *p)
{
    return p->coupling->nkinds == 2;
}

/* Vectors of a group: two of each set, or of each field, which has two sets. */
static int64_t group_size(const product *p)
{
    return is_spin(p) ? p->nsets : 2 * p->nsets;
}

static double *rows_of(const product *p, int64_t group)
{
    return p->in + group * p->nsets * p->row;
}

static double *sums_of(const product *p, int64_t group, int64_t block)
{
    return p->sums + (group * p->nblocks + block) * p->nsets * p->row;
}

/* --- Vectors to complex rows, and back ---------------------------------------------------------
 */

/* Row of set i: vector 2 i is its real part, and the next one its imaginary part. */
static void pack_scalars(const product *p, int64_t group, double *own)
{
    const armilla_coupling *c = p->coupling;
    const armilla_coupling_vectors *v = p->vectors;
    const int64_t first = p->first + group * group_size(p);
    double *rows = rows_of(p, group);
    memset(rows, 0, (size_t)(p->nsets * p->row) * sizeof *rows);
    for (int64_t i = 0; i < group_size(p) && first + i < v->count; i++) {
        double *row = rows + i / 2 * p->row + i % 2;
        memset(own, 0, (size_t)(c->lmax + 1) * sizeof *own);
        v->give(v->context, first + i, 0, own);
        for (int64_t l = c->least; l <= c->lmax; l++) row[2 * (l - c->order)] = own[l];
    }
}

/* E - i B and E + i B are what the functions d^l_s1,s2 and d^l_s1,-s2 take. */
static void pack_field(const product *p, int64_t first, double *e, double *own)
{
    const armilla_coupling *c = p->coupling;
    const armilla_coupling_vectors *v = p->vectors;
    const int64_t size = armilla_coupling_row(c->lmax);
    double *b = e + p->row;
    memset(e, 0, (size_t)(2 * p->row) * sizeof *e);
    memset(own, 0, (size_t)(4 * size) * sizeof *own);
    for (int64_t i = 0; i < 4 && first < v->count; i++)
        v->give(v->context, first + i / 2, (int)(i % 2), own + i * size);
    for (int64_t l = c->least; l <= c->lmax; l++) {
        const double *at = own + l, re[2] = {at[0], at[size]}, im[2] = {at[2 * size], at[3 * size]};
        const int64_t k = 2 * (l - c->order);
        e[k] = 0.5 * (re[0] + re[1]), e[k + 1] = 0.5 * (im[0] + im[1]);
        b[k] = 0.5 * (im[1] - im[0]), b[k + 1] = 0.5 * (re[0] - re[1]);
    }
}

static void pack_spin(const product *p, int64_t group, double *own)
{
    const int64_t first = p->first + group * group_size(p);
    for (int64_t set = 0; set < p->nsets; set += 2)
        pack_field(p, first + set, rows_of(p, group) + set * p->row, own);
}

static void unpack_scalars(const product *p, int64_t group, double *own)
{
    const armilla_coupling *c = p->coupling;
    const armilla_coupling_vectors *v = p->vectors;
    const int64_t first = p->first + group * group_size(p);
    for (int64_t i = 0; i < group_size(p) && first + i < v->count; i++) {
        const double *row = sums_of(p, group, 0) + i / 2 * p->row + i % 2;
        memset(own, 0, (size_t)(c->lmax + 1) * sizeof *own);
        for (int64_t l = c->least; l <= c->lmax; l++) own[l] = row[2 * (l - c->order)];
        v->take(v->context, first + i, 0, own);
    }
}

static void unpack_field(const product *p, int64_t first, const double *e, double *own)
{
    const armilla_coupling *c = p->coupling;
    const armilla_coupling_vectors *v = p->vectors;
    const int64_t size = armilla_coupling_row(c->lmax);
    const double *b = e + p->row;
    memset(own, 0, (size_t)(4 * size) * sizeof *own);
    for (int64_t l = c->least; l <= c->lmax; l++) {
        const int64_t k = 2 * (l - c->order);
        double *at = own + l;
        at[0] = e[k] + b[k + 1], at[size] = e[k] - b[k + 1];
        at[2 * size] = e[k + 1] - b[k], at[3 * size] = e[k + 1] + b[k];
    }
    for (int64_t i = 0; i < 4 && first < v->count; i++)
        v->take(v->context, first + i / 2, (int)(i % 2), own + i * size);
}

static void unpack_spin(const product *p, int64_t group, double *own)
{
    const int64_t first = p->first + group * group_size(p);
    for (int64_t set = 0; set < p->nsets; set += 2)
        unpack_field(p, first + set, sums_of(p, group, 0) + set * p->row, own);
}

/* --- Tasks ----------------------------------------------------------------------------------- */

static void pack(void *context, int64_t group, int thread)
{
    const product *p = context;
    (is_spin(p) ? pack_spin : pack_scalars)(p, group, p->scratch + thread * p->scratch_size);
}

/* Adds up the blocks, in their sequence. */
static void unpack(void *context, int64_t group, int thread)
{
    const product *p = context;
    double *sums = sums_of(p, group, 0);
    for (int64_t block = 1; block < p->nblocks; block++) {
        const double *others = sums_of(p, group, block);
        for (int64_t i = 0; i < p->nsets * p->row; i++) sums[i] += others[i];
    }
    (is_spin(p) ? unpack_spin : unpack_scalars)(p, group, p->scratch + thread * p->scratch_size);
}

/* The masks of the real and of the imaginary part of a set. */
static void find_masks(const product *p, int64_t group, int64_t set, const double *weight[2])
{
    const armilla_coupling *c = p->coupling;
    const int64_t first = p->first + group * group_size(p) + (is_spin(p) ? set / 2 * 2 : 2 * set);
    for (int64_t i = 0; i < 2; i++) {
        const int64_t vector = armilla_smaller(first + i, p->vectors->count - 1);
        weight[i] = c->weight + p->vectors->mask(p->vectors->context, vector) * 2 * c->pairs.count;
    }
}

static void multiply(const double *const weight[2], int64_t first, int64_t npairs, double *leg)
{
    for (int64_t i = 2 * first; i < 2 * (first + npairs); i++, leg += 2)
        leg[0] *= weight[0][i], leg[1] *= weight[1][i];
}

/* The rows of a group at the nodes of a block. */
static armilla_legendre_sets synthesize(const product *p, int64_t group, int64_t first,
                                        int64_t npairs, double *leg)
{
    const armilla_coupling *c = p->coupling;
    const armilla_legendre_sets sets = {.count = p->nsets,
                                        .alm = rows_of(p, group),
                                        .alm_stride = p->row,
                                        .leg = leg,
                                        .leg_stride = armilla_round_line(4 * npairs)};
    armilla_legendre_synthesis(c->fields, first, npairs, c->order, &sets, leg + p->leg_size);
    return sets;
}

static void run(void *context, int64_t task, int thread)
{
    const product *p = context;
    const armilla_coupling *c = p->coupling;
    const int64_t group = task / p->nblocks, block = task % p->nblocks;
    const int64_t first = block * ARMILLA_COUPLING_BLOCK;
    const int64_t npairs = armilla_coupling_block_pairs(c, first);
    double *leg = p->scratch + thread * p->scratch_size;
    if (armilla_progress_advance(p->progress, 0, thread)) return; /* stopped */
    armilla_legendre_sets sets = synthesize(p, group, first, npairs, leg);
    for (int64_t set = 0; set < p->nsets; set++) {
        const double *weight[2];
        find_masks(p, group, set, weight);
        multiply(weight, first, npairs, leg + set * sets.leg_stride);
    }
    sets.alm = sums_of(p, group, block);
    armilla_legendre_analysis(c->fields, first, npairs, c->order, &sets, leg + p->leg_size);
    armilla_progress_advance(p->progress, 1, thread);
}

/* --- Vectors that meet at nodes ----------------------------------------------------------------
 */

/* The two vectors of a set, or of a field by each function, at a node: values[kind][vector]. Q - i
 * U is the first function's, Q + i U the second one's. */
static void find_values(const double *leg, int64_t stride, int is_spin, double values[2][2])
{
    const double *q = leg, *u = is_spin ? leg + stride : NULL;
    values[0][0] = u ? q[0] + u[1] : q[0];
    values[0][1] = u ? q[1] - u[0] : q[1];
    values[1][0] = u ? q[0] - u[1] : 0;
    values[1][1] = u ? q[1] + u[0] : 0;
}

/* One vector times the other, by both functions, added. */
static double meet(const double *leg, int64_t stride, int is_spin)
{
    double f[2][2];
    find_values(leg, stride, is_spin, f);
    return f[0][0] * f[0][1] + f[1][0] * f[1][1];
}

/* Goes through all groups, so that sums have one sequence. */
static void run_meetings(void *context, int64_t block, int thread)
{
    const product *p = context;
    const armilla_coupling *c = p->coupling;
    const int64_t first = block * ARMILLA_COUPLING_BLOCK;
    const int64_t npairs = armilla_coupling_block_pairs(c, first);
    const int64_t met = armilla_larger(armilla_ring_pairs_first(&c->pairs, c->order), first);
    double *leg = p->scratch + thread * p->scratch_size;
    for (int64_t group = 0; group < p->ngroups; group++) {
        const int64_t vector = p->first + group * group_size(p);
        if (vector >= p->vectors->count) return;
        const armilla_legendre_sets sets = synthesize(p, group, first, npairs, leg);
        for (int64_t set = 0; set < p->nsets; set += is_spin(p) ? 2 : 1) {
            const int64_t met_first = vector + (is_spin(p) ? set : 2 * set);
            if (met_first >= p->vectors->count) break;
            const int64_t mask = p->vectors->mask(p->vectors->context, met_first);
            double *sums = p->meetings + mask * 2 * c->pairs.count;
            const double *entries = leg + set * sets.leg_stride;
            for (int64_t i = 2 * met; i < 2 * (first + npairs); i++)
                sums[i] +=
                    c->node[i] * meet(entries + 2 * (i - 2 * first), sets.leg_stride, is_spin(p));
        }
        if (armilla_progress_advance(p->progress, 1, thread)) return;
    }
}

/* --- Vectors at nodes --------------------------------------------------------------------------
 */

/* Two vectors from node `begin` on, where they begin to matter. */
static void place(const product *p, int64_t vector, int64_t begin, int64_t nodes, const double *leg,
                  int64_t stride)
{
    const int64_t tiles = p->vectors->count / p->columns, tile = vector / p->columns;
    for (int64_t i = 0; i < nodes; i++) {
        double values[2][2] = {{0}};
        if (i >= begin) find_values(leg + 2 * i, stride, is_spin(p), values);
        for (int64_t kind = 0; kind < p->coupling->nkinds; kind++) {
            double *to = p->panels + ((kind * tiles + tile) * nodes + i) * p->columns;
            to[vector % p->columns] = values[kind][0];
            to[vector % p->columns + 1] = values[kind][1];
        }
    }
}

static void run_values(void *context, int64_t group, int thread)
{
    const product *p = context;
    const armilla_coupling *c = p->coupling;
    const int64_t first = p->block * ARMILLA_COUPLING_BLOCK;
    const int64_t npairs = armilla_coupling_block_pairs(c, first);
    const int64_t met = armilla_larger(armilla_ring_pairs_first(&c->pairs, c->order), first);
    const int64_t begin = 2 * armilla_smaller(met - first, npairs);
    double *leg = p->scratch + thread * p->scratch_size;
    if (armilla_progress_advance(p->progress, 0, thread)) return;
    const armilla_legendre_sets sets = synthesize(p, group, first, npairs, leg);
    for (int64_t set = 0; set < p->nsets; set += is_spin(p) ? 2 : 1) {
        const int64_t vector = p->first + group * group_size(p) + (is_spin(p) ? set : 2 * set);
        if (vector >= p->vectors->count) break;
        place(p, vector, begin, 2 * npairs, leg + set * sets.leg_stride, sets.leg_stride);
    }
    armilla_progress_advance(p->progress, 1, thread);
}

/* --- A product ------------------------------------------------------------------------------- */

static int64_t groups_of(const product *p)
{
    return (p->vectors->count + group_size(p) - 1) / group_size(p);
}

static void set_sizes(product *p)
{
    const armilla_coupling *c = p->coupling;
    const int64_t most = armilla_smaller((p->vectors->count + 1) / 2, ARMILLA_SETS_MAX);
    const int64_t fields = armilla_legendre_kept_matrix(c->fields, c->order)
                               ? 1
                               : armilla_smaller(most, ARMILLA_SETS_MAX / 2);
    p->nsets = is_spin(p) ? 2 * fields : most;
    p->row = armilla_round_line(2 * (c->lmax - c->order + 1));
    p->nblocks = p->panels ? 1 : armilla_coupling_nblocks(c);
    p->ngroups = armilla_smaller(groups_of(p), (TASKS + p->nblocks - 1) / p->nblocks);
    p->leg_size = armilla_round_line(p->nsets * 4 * (ARMILLA_COUPLING_BLOCK + 2));
    const int64_t stage = p->leg_size + armilla_legendre_scratch_size(c->fields, p->nsets);
    p->scratch_size = armilla_larger(stage, 4 * armilla_coupling_row(c->lmax));
}

static void run_round(product *p, int nthreads, int64_t groups)
{
    armilla_team_run(nthreads, groups, pack, p);
    if (p->panels)
        armilla_team_run(nthreads, groups, run_values, p);
    else if (p->meetings)
        armilla_team_run(nthreads, p->nblocks, run_meetings, p);
    else
        armilla_team_run(nthreads, groups * p->nblocks, run, p);
    if (!p->panels && !p->meetings && !armilla_progress_status(p->progress))
        armilla_team_run(nthreads, groups, unpack, p);
}

static armilla_status run_all(product *p, const armilla_exec *exec)
{
    const int nthreads = armilla_team_size(exec->nthreads);
    armilla_progress progress;
    p->progress = &progress;
    set_sizes(p);
    const int64_t in = p->ngroups * p->nsets * p->row;
    armilla_status status =
        armilla_allocate(&p->in, in * (1 + p->nblocks) + nthreads * p->scratch_size, sizeof *p->in);
    if (status) return status;
    p->sums = p->in + in, p->scratch = p->sums + in * p->nblocks;
    armilla_progress_start(&progress, exec->progress, exec->progress_data,
                           (double)(groups_of(p) * p->nblocks));
    for (; p->first < p->vectors->count && !status; p->first += p->ngroups * group_size(p)) {
        const int64_t left = p->vectors->count - p->first;
        run_round(p, nthreads,
                  armilla_smaller(p->ngroups, (left + group_size(p) - 1) / group_size(p)));
        status = armilla_progress_status(&progress);
    }
    armilla_release(p->in);
    return status;
}

armilla_status armilla_coupling_product(const armilla_coupling *coupling,
                                        const armilla_coupling_vectors *vectors,
                                        const armilla_exec *exec)
{
    product p = {.coupling = coupling, .vectors = vectors};
    return run_all(&p, exec);
}

armilla_status armilla_coupling_evaluate(const armilla_coupling *coupling,
                                         const armilla_coupling_vectors *vectors, int64_t block,
                                         int64_t columns, double *panels, const armilla_exec *exec)
{
    product p = {.coupling = coupling,
                 .vectors = vectors,
                 .panels = panels,
                 .block = block,
                 .columns = columns};
    return run_all(&p, exec);
}

armilla_status armilla_coupling_meet(const armilla_coupling *coupling,
                                     const armilla_coupling_vectors *vectors,
                                     const armilla_exec *exec, double *meetings)
{
    product p = {.coupling = coupling, .vectors = vectors, .meetings = meetings};
    return run_all(&p, exec);
}
