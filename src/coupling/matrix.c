/* Whole coupling matrices: tiles of sums over nodes, some nodes at a time. Degrees are ordered by
 * their parity, so that one function serves both nodes of a pair: between degrees of one parity
 * their weights are added, else subtracted (docs/mathematics.md 14). */
#include "base/integer.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/team.h"
#include "coupling/bands.h"
#include "coupling/dispatch.h"
#include "coupling/functions.h"

#include <math.h>
#include <string.h>

enum {
    NODES = 256, /* pairs that go at once */
    CHUNK = 48,  /* of them: a task that makes functions */
    ROWS = 192,  /* of a task that sums: whole tiles of every instruction set */
    SQUARE = 32  /* of sums that are mirrored at once */
};

typedef struct {
    const armilla_coupling *coupling;
    const armilla_coupling_kernels *kernels;
    int64_t length, even, nsize; /* degrees, those that are even, numbers of a plane */
    int64_t mask;
    armilla_wigner wigner[2];
    double *values[2]; /* of each function: [length][NODES] */
    double *panels[2]; /* the same by tiles of columns: [tiles][count][columns], 0 behind the end */
    double *sums;      /* [nkinds][length][length], by places */
    double *scratch;
    int64_t scratch_size;
    int64_t first, count; /* pairs that go now */
    armilla_progress progress;
} making;

/* --- Places: even degrees first ----------------------------------------------------------------
 */

static int64_t degree_of(const making *m, int64_t place)
{
    return place < m->even ? 2 * place : 2 * (place - m->even) + 1;
}

static int64_t place_of(const making *m, int64_t l)
{
    return l / 2 + l % 2 * m->even;
}

/* Tasks of rows of one parity. */
static int64_t count_tasks(int64_t rows)
{
    return (rows + ROWS - 1) / ROWS;
}

/* --- Sums ------------------------------------------------------------------------------------ */

/* Some rows of one kind, and what a thread has for them. */
typedef struct {
    const making *m;
    int64_t kind, first, end;
    double *a, *c; /* [functions] rows times weights, a tile that sticks out */
} rows_task;

static void fill(void *context, int64_t task, int thread)
{
    const making *m = context;
    const int64_t from = task * CHUNK, count = armilla_smaller(m->count - from, CHUNK);
    for (int64_t k = 0; k < m->coupling->nkinds; k++)
        armilla_wigner_fill(&m->wigner[k], count, m->coupling->pairs.theta + m->first + from,
                            m->scratch + thread * m->scratch_size, m->values[k] + from, NODES);
}

/* The values of a function at a place, or NULL behind the end. */
static const double *values_of(const making *m, int64_t function, int64_t place, int64_t end)
{
    return place < end ? m->values[function] + degree_of(m, place) * NODES : NULL;
}

static int64_t tiles_of(const making *m, int64_t places)
{
    return (places + m->kernels->columns - 1) / m->kernels->columns;
}

/* Where a tile of columns is; its first column is at a multiple of them from where its parity
 * begins. */
static double *panel_of(const making *m, int64_t function, int64_t column)
{
    const int64_t tile = column < m->even
                             ? column / m->kernels->columns
                             : tiles_of(m, m->even) + (column - m->even) / m->kernels->columns;
    return m->panels[function] + tile * m->kernels->columns * NODES;
}

static void pack_columns(void *context, int64_t task, int thread)
{
    const making *m = context;
    const int64_t columns = m->kernels->columns, evens = tiles_of(m, m->even);
    const int64_t column = task < evens ? task * columns : m->even + (task - evens) * columns;
    const int64_t end = task < evens ? m->even : m->length;
    (void)thread;
    for (int64_t k = 0; k < m->coupling->nkinds; k++) {
        double *panel = panel_of(m, k, column);
        const double *from[ARMILLA_TILE_COLUMNS];
        for (int64_t i = 0; i < columns; i++) from[i] = values_of(m, k, column + i, end);
        for (int64_t j = 0; j < m->count; j++)
            for (int64_t i = 0; i < columns; i++) *panel++ = from[i] ? from[i][j] : 0;
    }
}

/* [tiles][count][rows of a tile], times weights. At the southern node of a pair stands, but for its
 * sign, the other function; that of scalars is its own. */
static void pack_rows(const rows_task *t, int64_t function, double sign)
{
    const making *m = t->m;
    const armilla_coupling *c = m->coupling;
    const double *weight = c->weight + 2 * (m->mask * c->pairs.count + m->first);
    const double north = function == t->kind, south = c->nkinds == 1 || !north ? sign : 0;
    const int64_t rows = m->kernels->rows;
    for (int64_t i = 0; i < ROWS; i++) {
        double *a = t->a + function * ROWS * NODES + i / rows * rows * m->count + i % rows;
        const double *from = values_of(m, function, t->first + i, t->end);
        for (int64_t j = 0; j < m->count; j++)
            a[j * rows] = from ? (north * weight[2 * j] + south * weight[2 * j + 1]) * from[j] : 0;
    }
}

/* c: of the whole tile, or where it sticks out. */
static void add_tile(const rows_task *t, const double *a, const double *b, int64_t row,
                     int64_t column, int64_t end)
{
    const making *m = t->m;
    const int64_t rows = m->kernels->rows, columns = m->kernels->columns;
    double *to = m->sums + t->kind * m->nsize + row * m->length + column;
    if (row + rows <= t->end && column + columns <= end) {
        m->kernels->tile(m->count, a, b, to, m->length);
        return;
    }
    memset(t->c, 0, (size_t)(rows * columns) * sizeof *t->c);
    m->kernels->tile(m->count, a, b, t->c, columns);
    for (int64_t i = 0; i < rows && row + i < t->end; i++)
        for (int64_t j = 0; j < columns && column + j < end; j++)
            to[i * m->length + j] += t->c[i * columns + j];
}

/* Columns from .. end - 1 of one parity; tiles left of the diagonal are left out. */
static void sum_columns(const rows_task *t, int64_t from, int64_t end, double sign)
{
    const making *m = t->m;
    const int64_t rows = m->kernels->rows, columns = m->kernels->columns;
    for (int64_t k = 0; k < m->coupling->nkinds; k++) pack_rows(t, k, sign);
    for (int64_t column = from; column < end; column += columns)
        for (int64_t k = 0; k < m->coupling->nkinds; k++) {
            const double *a = t->a + k * ROWS * NODES, *b = panel_of(m, k, column);
            for (int64_t row = t->first; row < t->end; row += rows, a += rows * m->count)
                if (column + columns > row) add_tile(t, a, b, row, column, end);
        }
}

static void sum(void *context, int64_t task, int thread)
{
    making *m = context;
    const int64_t evens = count_tasks(m->even), tasks = evens + count_tasks(m->length - m->even);
    const int64_t number = task % tasks, is_odd = number >= evens;
    rows_task t = {.m = m, .kind = task / tasks};
    if (armilla_progress_advance(&m->progress, 0, thread)) return; /* stopped */
    t.first = is_odd ? m->even + (number - evens) * ROWS : number * ROWS;
    t.end = armilla_smaller(t.first + ROWS, is_odd ? m->length : m->even);
    t.a = m->scratch + thread * m->scratch_size;
    t.c = t.a + m->coupling->nkinds * ROWS * NODES;
    sum_columns(&t, t.first, is_odd ? m->length : m->even, 1);
    if (!is_odd) sum_columns(&t, m->even, m->length, -1);
    armilla_progress_advance(&m->progress, 1, thread);
}

/* --- Matrices -------------------------------------------------------------------------------- */

typedef struct {
    const making *m;
    double *matrix; /* [nkinds][length][length] */
} giving;

/* Sums are symmetric, and half of them are there: the others, by squares that stay in the cache. */
static void mirror(void *context, int64_t task, int thread)
{
    const making *m = context;
    const int64_t n = m->length, nrows = (n + SQUARE - 1) / SQUARE, first = task % nrows * SQUARE;
    double *plane = m->sums + task / nrows * m->nsize;
    (void)thread;
    for (int64_t from = first; from < n; from += SQUARE)
        for (int64_t i = first; i < first + SQUARE && i < n; i++)
            for (int64_t j = from > i ? from : i + 1; j < from + SQUARE && j < n; j++)
                plane[j * n + i] = plane[i * n + j];
}

static void give(void *context, int64_t l, int thread)
{
    const giving *g = context;
    const making *m = g->m;
    const int64_t n = m->length, nkinds = m->coupling->nkinds;
    const double *sums = m->sums + place_of(m, l) * n;
    const double scale = 1 / (2 * M_PI * m->coupling->scale[l]);
    (void)thread;
    for (int64_t k = 0; k < nkinds; k++, sums += m->nsize)
        for (int64_t place = 0; place < n; place++) {
            const int64_t other = degree_of(m, place);
            const double value = scale * m->coupling->scale_in[other] * sums[place];
            const int is_none = armilla_smaller(l, other) < m->coupling->least;
            armilla_coupling_add_kind(nkinds, (int)k, m->nsize, is_none ? 0 : value,
                                      g->matrix + l * n + other);
        }
}

/* One pair of masks. */
static armilla_status make(making *m, int nthreads, double *matrix)
{
    const armilla_coupling *c = m->coupling;
    const int64_t tasks = count_tasks(m->even) + count_tasks(m->length - m->even);
    giving g = {m, matrix};
    memset(m->sums, 0, (size_t)(c->nkinds * m->nsize) * sizeof *m->sums);
    for (m->first = 0; m->first < c->pairs.count; m->first += NODES) {
        m->count = armilla_smaller(c->pairs.count - m->first, NODES);
        armilla_team_run(nthreads, (m->count + CHUNK - 1) / CHUNK, fill, m);
        armilla_team_run(nthreads, tiles_of(m, m->even) + tiles_of(m, m->length - m->even),
                         pack_columns, m);
        armilla_team_run(nthreads, c->nkinds * tasks, sum, m);
        const armilla_status status = armilla_progress_status(&m->progress);
        if (status) return status;
    }
    armilla_team_run(nthreads, c->nkinds * (((m->length + SQUARE - 1) / SQUARE)), mirror, m);
    armilla_team_run(nthreads, m->length, give, &g);
    if (c->nlow)
        memcpy(matrix, c->low + m->mask * c->nlow * m->length,
               (size_t)(c->nlow * m->length) * sizeof *matrix);
    return ARMILLA_OK;
}

static armilla_status take_room(making *m, int nthreads)
{
    const armilla_coupling *c = m->coupling;
    const int64_t each = m->length * NODES;
    const int64_t panels =
        (tiles_of(m, m->even) + tiles_of(m, m->length - m->even)) * m->kernels->columns * NODES;
    armilla_status status = ARMILLA_OK;
    m->scratch_size = c->nkinds * ROWS * NODES + ARMILLA_TILE_ROWS * ARMILLA_TILE_COLUMNS;
    for (int64_t k = 0; k < c->nkinds && !status; k++)
        status = armilla_wigner_make(c->lmax, c->order, k ? -c->spin : c->spin, &m->wigner[k]);
    if (!status) status = armilla_allocate(&m->sums, c->nkinds * m->nsize, sizeof *m->sums);
    if (!status)
        status = armilla_allocate(&m->values[0],
                                  c->nkinds * (each + panels) + nthreads * m->scratch_size,
                                  sizeof *m->sums);
    if (status) return status;
    m->values[1] = m->values[0] + each;
    m->panels[0] = m->values[0] + c->nkinds * each, m->panels[1] = m->panels[0] + panels;
    m->scratch = m->panels[0] + c->nkinds * panels;
    return ARMILLA_OK;
}

armilla_status armilla_coupling_matrix(const armilla_coupling *coupling, double *matrix,
                                       const armilla_exec *exec)
{
    armilla_exec resolved;
    armilla_status status = armilla_coupling_check(coupling, exec, &resolved);
    if (!status) status = armilla_check_given("matrix", matrix);
    if (status) return status;
    const int nthreads = armilla_team_size(resolved.nthreads);
    const int64_t length = coupling->lmax + 1, even = coupling->lmax / 2 + 1;
    making m = {.coupling = coupling,
                .kernels = armilla_coupling_kernels_find(coupling->isa),
                .length = length,
                .even = even,
                .nsize = length * length};
    const double tasks =
        (double)(coupling->nkinds * (count_tasks(even) + count_tasks(length - even)));
    const double rounds = ceil((double)coupling->pairs.count / NODES);
    armilla_progress_start(&m.progress, resolved.progress, resolved.progress_data,
                           tasks * rounds * (double)coupling->nmasks);
    status = take_room(&m, nthreads);
    for (; m.mask < coupling->nmasks && !status; m.mask++)
        status = make(&m, nthreads, matrix + m.mask * coupling->nkinds * m.nsize);
    for (int k = 0; k < 2; k++) armilla_wigner_clear(&m.wigner[k]);
    armilla_release(m.values[0]);
    armilla_release(m.sums);
    return status;
}
