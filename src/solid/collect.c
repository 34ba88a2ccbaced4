/* Sums over points for each coefficient. Points go in batches, whose lanes and first functions of
 * every eighth order are found first; then tasks of eight orders each go through the batch, in the
 * same sequence whatever the number of threads. */
#include "solid/collect.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "solid/jet.h"

#include <string.h>

enum { CHUNKS = 64, STATES = 4, MOST_FIELDS = 5 };

typedef struct armilla_solid_batch {
    armilla_solid_collection *of;
    int64_t first, nchunks, tasks;
    armilla_solid_chunk chunk[CHUNKS];
    double *lanes;  /* [chunk], armilla_solid_scratch() */
    double *starts; /* [chunk][task][start, scale][ARMILLA_SOLID_CHUNK] */
    double *states; /* [thread][chunk][start, scale, cosine, sine][ARMILLA_SOLID_CHUNK] */
    double *gather; /* [thread][degree][field][2][vector] */
} armilla_solid_batch;

static const armilla_solid_table *widest(const armilla_solid_collection *c)
{
    return &c->table[c->ntables - 1];
}

int64_t armilla_solid_tasks(const armilla_solid_collection *c)
{
    return widest(c)->mmax / ARMILLA_SOLID_ORDERS + 1;
}

static int64_t gather_size(const armilla_solid_collection *c)
{
    return (widest(c)->lmax + 1) * 2 * MOST_FIELDS * c->kernels->vector_length;
}

armilla_status armilla_solid_collection_open(armilla_solid_collection *c)
{
    const int64_t tasks = armilla_solid_tasks(c), chunk = ARMILLA_SOLID_CHUNK;
    const int64_t chunks = armilla_smaller(CHUNKS, armilla_solid_chunks(c->places));
    armilla_status status = armilla_allocate_zero(&c->batch, 1, sizeof *c->batch);
    if (status) return status;
    armilla_solid_batch *b = c->batch;
    b->of = c, b->tasks = tasks;
    status = armilla_allocate(&b->lanes, chunks * armilla_solid_scratch(), sizeof(double));
    if (!status) status = armilla_allocate(&b->starts, chunks * tasks * 2 * chunk, sizeof(double));
    if (!status)
        status =
            armilla_allocate(&b->states, c->nthreads * chunks * STATES * chunk, sizeof(double));
    if (!status)
        status = armilla_allocate(&b->gather, c->nthreads * gather_size(c), sizeof(double));
    return status;
}

void armilla_solid_collection_clear(armilla_solid_collection *c)
{
    armilla_solid_batch *b = c->batch;
    if (!b) return;
    armilla_release(b->lanes);
    armilla_release(b->starts);
    armilla_release(b->states);
    armilla_release(b->gather);
    armilla_release(b);
    c->batch = NULL;
}

/* --- Points ----------------------------------------------------------------------------------- */

/* The transpose of what makes components from fields: sum.c. */
static void weigh_point(const armilla_solid_collection *c, armilla_solid_chunk *chunk, int64_t i)
{
    static const int entry[10][2] = {{0, 0}, {0, 0}, {1, 0}, {2, 0}, {0, 0},
                                     {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    const int64_t number = chunk->place[i].number;
    const int ncomp = c->derivatives == 2 ? 10 : c->derivatives ? 4 : 1;
    const double per_length = 1 / c->places->radius, per_area = per_length * per_length;
    armilla_solid_jet jet = {.value = c->values[number]};
    double axes[3][3];
    for (int k = 1; k < ncomp; k++) {
        const int row = entry[k][0], column = entry[k][1];
        const double value = c->values[k * c->distance + number];
        if (k < 4) jet.v[row] = value;
        if (k >= 4) jet.t[row][column] += 0.5 * value, jet.t[column][row] += 0.5 * value;
    }
    armilla_solid_axes(c->places->points[3 * number], chunk->cosine1[i], chunk->sine1[i], axes);
    if (c->local) armilla_solid_jet_turn(axes, 1, &jet);
    const double(*t)[3] = (const double(*)[3])jet.t;
    const double field[ARMILLA_SOLID_FIELDS] = {jet.value,
                                                per_length * jet.v[0],
                                                per_length * jet.v[1],
                                                per_length * jet.v[2],
                                                per_area * (t[0][0] - t[1][1]),
                                                per_area * (t[0][1] + t[1][0]),
                                                per_area * (t[0][2] + t[2][0]),
                                                per_area * (t[1][2] + t[2][1]),
                                                per_area * (t[2][2] - t[1][1])};
    for (int k = 0; k < ARMILLA_SOLID_FIELDS; k++)
        chunk->sum[k * ARMILLA_SOLID_CHUNK + i] = field[k];
}

static double *starts_of(const armilla_solid_batch *b, int64_t index, int64_t task)
{
    return b->starts + (index * b->tasks + task) * 2 * ARMILLA_SOLID_CHUNK;
}

static void prepare_chunk(void *context, int64_t index, int thread)
{
    armilla_solid_batch *b = context;
    const armilla_solid_table *table = widest(b->of);
    const size_t bytes = ARMILLA_SOLID_CHUNK * sizeof(double);
    armilla_solid_chunk *c = &b->chunk[index];
    (void)thread;
    armilla_solid_chunk_open(b->of->places, b->first + index,
                             b->lanes + index * armilla_solid_scratch(), c);
    for (int64_t i = 0; i < c->count; i++) weigh_point(b->of, c, i);
    armilla_solid_chunk_begin(b->of->places, c, table->lmax, table->mmax);
    armilla_solid_chunk_refresh(c, 0);
    const armilla_solid_lanes lanes = armilla_solid_chunk_lanes(c, c->sum, 0);
    for (int64_t m = 0; m <= table->mmax; m++) {
        const armilla_solid_row row = armilla_solid_table_row(table, m);
        double *starts = starts_of(b, index, m / ARMILLA_SOLID_ORDERS);
        if (m % ARMILLA_SOLID_ORDERS == 0) {
            memcpy(starts, c->start, bytes);
            memcpy(starts + ARMILLA_SOLID_CHUNK, c->scale, bytes);
        }
        b->of->kernels->skip_order(&row, &lanes);
    }
}

/* --- Orders ----------------------------------------------------------------------------------- */

/* A chunk whose state is the thread's own. */
static armilla_solid_chunk own_state(const armilla_solid_batch *b, int64_t index, int thread)
{
    armilla_solid_chunk c = b->chunk[index];
    double *state = b->states + (thread * b->nchunks + index) * STATES * ARMILLA_SOLID_CHUNK;
    c.start = state, c.scale = state + ARMILLA_SOLID_CHUNK;
    c.cosine = state + 2 * ARMILLA_SOLID_CHUNK, c.sine = state + 3 * ARMILLA_SOLID_CHUNK;
    return c;
}

static void begin_task(const armilla_solid_batch *b, int64_t task, int thread)
{
    for (int64_t i = 0; i < b->nchunks; i++) {
        armilla_solid_chunk c = own_state(b, i, thread);
        memcpy(c.start, starts_of(b, i, task), 2 * ARMILLA_SOLID_CHUNK * sizeof(double));
        armilla_solid_chunk_refresh(&c, task * ARMILLA_SOLID_ORDERS);
    }
}

static void collect_order(const armilla_solid_batch *b, const armilla_solid_table *table, int64_t m,
                          int thread)
{
    const armilla_solid_row row = armilla_solid_table_row(table, m);
    const int64_t numbers = 2 * table->nfields * (table->lmax - m + 1);
    const int lanes_of = b->of->kernels->vector_length;
    double *gather = b->gather + thread * gather_size(b->of);
    double *sum = table->factor + (row.factor - table->factor);
    for (int64_t i = 0; i < numbers * lanes_of; i++) gather[i] = 0;
    for (int64_t i = 0; i < b->nchunks; i++) {
        const armilla_solid_chunk c = own_state(b, i, thread);
        const armilla_solid_lanes lanes =
            armilla_solid_chunk_lanes(&c, c.sum + table->first * ARMILLA_SOLID_CHUNK, 0);
        b->of->kernels->collect_order(&row, &lanes, gather);
    }
    for (int64_t i = 0; i < numbers; i++)
        for (int lane = 0; lane < lanes_of; lane++) sum[i] += gather[i * lanes_of + lane];
}

static void collect_orders(void *context, int64_t task, int thread)
{
    const armilla_solid_batch *b = context;
    const int64_t first = task * ARMILLA_SOLID_ORDERS;
    int64_t units = 0;
    for (int64_t i = 0; i < b->nchunks; i++) units += b->chunk[i].count;
    if (armilla_progress_advance(b->of->progress, 0, thread)) return;
    for (int i = 0; i < b->of->ntables; i++) {
        const armilla_solid_table *table = &b->of->table[i];
        begin_task(b, task, thread);
        for (int64_t m = first; m < first + ARMILLA_SOLID_ORDERS && m <= table->mmax; m++)
            collect_order(b, table, m, thread);
    }
    armilla_progress_advance(b->of->progress, units, thread);
}

void armilla_solid_collect(armilla_solid_collection *c)
{
    armilla_solid_batch *b = c->batch;
    const int64_t all = armilla_solid_chunks(c->places);
    for (int64_t done = 0; done < all && !armilla_progress_status(c->progress); done += CHUNKS) {
        b->first = done, b->nchunks = armilla_smaller(CHUNKS, all - done);
        armilla_team_run(c->nthreads, b->nchunks, prepare_chunk, b);
        armilla_team_run(c->nthreads, b->tasks, collect_orders, b);
    }
}
