/* Products of families of functions at nodes, block of nodes by block, as many families at once as
 * memory holds. See gram.h. */
#include "coupling/gram.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/team.h"
#include "coupling/dispatch.h"
#include "coupling/product.h"

#include <string.h>

enum { ROOM = 1 << 23, NODES = 2 * ARMILLA_COUPLING_BLOCK }; /* doubles of families; of a block */

typedef struct {
    const armilla_coupling *coupling;
    const armilla_coupling_families *families;
    const armilla_coupling_meeting *meetings;
    const armilla_coupling_kernels *kernels;
    int64_t per_family;   /* functions, with empty ones to whole tiles of columns */
    int64_t most, nslots; /* families that go at once: at most, and now */
    int64_t *slots;       /* [most]: which ones */
    int64_t first, end;   /* meetings that go now */
    int64_t block, nodes; /* of nodes, and how many it has */
    double *panels;       /* [nkinds][slots][tiles][nodes][columns] */
    double *scratch, *out;
    int64_t scratch_size;
    armilla_relay relay;
    armilla_progress progress;
} gram;

/* --- Functions at nodes ------------------------------------------------------------------------
 */

static void give(const void *context, int64_t vector, int kind, double *row)
{
    const gram *g = context;
    const int64_t slot = vector / g->per_family, band = vector % g->per_family;
    (void)kind;
    if (band < g->families->nbands)
        g->families->give(g->families->context, g->slots[slot], band, row);
}

static int64_t slot_of(const gram *g, int64_t family)
{
    int64_t slot = 0;
    while (slot < g->nslots && g->slots[slot] != family) slot++;
    return slot;
}

/* The functions of a tile of columns. */
static const double *panel_of(const gram *g, int64_t family, int64_t kind, int64_t tile)
{
    const int64_t tiles = g->per_family / g->kernels->columns;
    const int64_t place = (kind * g->nslots + slot_of(g, family)) * tiles + tile;
    return g->panels + place * g->nodes * g->kernels->columns;
}

/* --- Sums ------------------------------------------------------------------------------------ */

/* Some rows times weights, as a tile has them. */
static void pack_rows(const gram *g, const armilla_coupling_meeting *m, int64_t kind, int64_t row,
                      double *a)
{
    const armilla_coupling *c = g->coupling;
    const int64_t rows = g->kernels->rows, columns = g->kernels->columns;
    const double *weight =
        c->weight + 2 * (m->mask * c->pairs.count + g->block * ARMILLA_COUPLING_BLOCK);
    for (int64_t i = 0; i < rows; i++) {
        const int64_t band = row + i, is_there = band < g->per_family;
        const double *from =
            panel_of(g, m->left, kind, is_there ? band / columns : 0) + band % columns;
        for (int64_t k = 0; k < g->nodes; k++)
            a[k * rows + i] = is_there ? weight[k] * from[k * columns] : 0;
    }
}

static void add_tile(const gram *g, const double *tile, int64_t row, int64_t column, double *out)
{
    const int64_t n = g->families->nbands, rows = g->kernels->rows, columns = g->kernels->columns;
    for (int64_t i = 0; i < rows && row + i < n; i++)
        for (int64_t j = 0; j < columns && column + j < n; j++)
            out[(row + i) * n + column + j] += tile[i * columns + j];
}

static int64_t count_rows(const gram *g)
{
    return (g->families->nbands + g->kernels->rows - 1) / g->kernels->rows;
}

/* Some rows of one kind of a meeting. */
static void sum(void *context, int64_t task, int thread)
{
    gram *g = context;
    const int64_t n = g->families->nbands, columns = g->kernels->columns, tasks = count_rows(g);
    const int64_t row = task % tasks * g->kernels->rows, which = task / tasks;
    const int64_t kind = which % g->coupling->nkinds;
    const armilla_coupling_meeting *m = &g->meetings[g->first + which / g->coupling->nkinds];
    double *a = g->scratch + thread * g->scratch_size, *tile = a + g->kernels->rows * NODES;
    double *out = g->out + (g->first * g->coupling->nkinds + which) * n * n;
    if (armilla_progress_advance(&g->progress, 0, thread)) return; /* stopped */
    pack_rows(g, m, kind, row, a);
    for (int64_t column = 0; column < n; column += columns) {
        memset(tile, 0, (size_t)(g->kernels->rows * columns) * sizeof *tile);
        g->kernels->tile(g->nodes, a, panel_of(g, m->right, kind, column / columns), tile, columns);
        add_tile(g, tile, row, column, out);
    }
    armilla_progress_advance(&g->progress, 1, thread);
}

/* --- Meetings that go at once ------------------------------------------------------------------
 */

/* From g->end on, as many as there is room for. */
static void choose(gram *g, int64_t count)
{
    g->first = g->end, g->nslots = 0;
    for (; g->end < count; g->end++) {
        const int64_t both[2] = {g->meetings[g->end].left, g->meetings[g->end].right};
        const int64_t before = g->nslots;
        for (int i = 0; i < 2; i++) {
            const int64_t slot = slot_of(g, both[i]);
            if (slot == g->most) {
                g->nslots = before;
                return;
            }
            if (slot == g->nslots) g->slots[g->nslots++] = both[i];
        }
    }
}

/* One block of nodes, which is `share` of the call. */
static armilla_status run_block(gram *g, double share, const armilla_exec *exec)
{
    const armilla_coupling *c = g->coupling;
    const armilla_coupling_vectors vectors = {
        .count = g->nslots * g->per_family, .give = give, .context = g};
    const int64_t tasks = (g->end - g->first) * c->nkinds * count_rows(g);
    armilla_status status = armilla_relay_next(&g->relay, 0.5 * share);
    g->nodes = 2 * armilla_coupling_block_pairs(c, g->block * ARMILLA_COUPLING_BLOCK);
    if (!status)
        status =
            armilla_coupling_evaluate(c, &vectors, g->block, g->kernels->columns, g->panels, exec);
    if (status || (status = armilla_relay_next(&g->relay, 0.5 * share))) return status;
    armilla_progress_start(&g->progress, exec->progress, exec->progress_data, (double)tasks);
    armilla_team_run(armilla_team_size(exec->nthreads), tasks, sum, g);
    return armilla_progress_status(&g->progress);
}

/* Sums of both kinds become M+ and M-. */
static void turn(const gram *g, int64_t count)
{
    const int64_t size = g->families->nbands * g->families->nbands;
    for (int64_t i = 0; i < count && g->coupling->nkinds == 2; i++) {
        double *plus = g->out + 2 * i * size, *minus = plus + size;
        for (int64_t k = 0; k < size; k++) {
            const double one = plus[k], two = minus[k];
            plus[k] = 0.5 * (one + two), minus[k] = 0.5 * (one - two);
        }
    }
}

static armilla_status take_room(gram *g, int64_t count, int nthreads)
{
    const int64_t each = g->coupling->nkinds * g->per_family * NODES;
    g->most = armilla_smaller(2 * count, armilla_larger(ROOM / each, 2));
    g->scratch_size = armilla_round_line(g->kernels->rows * NODES +
                                         (int64_t)g->kernels->rows * g->kernels->columns);
    armilla_status status = armilla_allocate(&g->slots, g->most, sizeof *g->slots);
    if (!status)
        status = armilla_allocate(&g->panels, g->most * each + nthreads * g->scratch_size,
                                  sizeof *g->panels);
    if (!status) g->scratch = g->panels + g->most * each;
    return status;
}

armilla_status armilla_coupling_gram(const armilla_coupling *coupling,
                                     const armilla_coupling_families *families, int64_t count,
                                     const armilla_coupling_meeting *meetings, double *out,
                                     const armilla_exec *exec)
{
    const int64_t n = families->nbands, nkinds = coupling->nkinds;
    const int64_t nblocks = armilla_coupling_nblocks(coupling);
    gram g = {.coupling = coupling, .families = families, .meetings = meetings, .out = out};
    armilla_exec inner = *exec;
    g.kernels = armilla_coupling_kernels_find(coupling->isa);
    g.per_family = (n + g.kernels->columns - 1) / g.kernels->columns * g.kernels->columns;
    armilla_status status = take_room(&g, count, armilla_team_size(exec->nthreads));
    armilla_relay_start(&g.relay, exec->progress, exec->progress_data);
    if (exec->progress) inner.progress = armilla_relay_report, inner.progress_data = &g.relay;
    if (!status) memset(out, 0, (size_t)(count * nkinds * n * n) * sizeof *out);
    while (g.end < count && !status) {
        choose(&g, count);
        const double share = (double)(g.end - g.first) / (double)(count * nblocks);
        for (g.block = 0; g.block < nblocks && !status; g.block++)
            status = run_block(&g, share, &inner);
    }
    if (!status) turn(&g, count);
    armilla_release(g.slots);
    armilla_release(g.panels);
    return status;
}
