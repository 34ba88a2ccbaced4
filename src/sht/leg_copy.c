/* Copies leg between the layout of a pass, pairs of rings in blocks, and the caller's array, where
 * each ring has its orders side by side. A task is a pair of rings: what it touches in the caller's
 * array are neighbours. */
#include "sht/leg_copy.h"

#include "base/team.h"

typedef struct {
    const armilla_leg_copy *copy;
    const armilla_leg *leg;
    const armilla_leg_block *block;
    int out;
} task;

/* Item of the caller's array that holds the first order of a pass on a ring. */
static int64_t place_of(const armilla_leg_copy *copy, int64_t set, int64_t ring)
{
    return 2 *
           (((copy->first_set + set) * copy->nrings + ring) * copy->norders + copy->first_order);
}

/* One ring of a pair; side: 0 north, 1 south. */
static void copy_ring(const task *t, int64_t set, int64_t pair, int64_t ring, int side)
{
    const armilla_leg_layout *layout = t->leg->layout;
    const armilla_leg_copy *copy = t->copy;
    const int64_t limit = layout->pairs->limit[pair], place = place_of(copy, set, ring);
    double *column = armilla_leg_row(t->leg, t->block, set, 0);
    column += 4 * (pair - t->block->first) + 2 * side;
    for (int64_t row = 0; row < layout->norders; row++, column += t->block->row_length) {
        const int exists = layout->orders[row] <= limit;
        const int real = copy->real && layout->orders[row] == 0;
        if (t->out)
            for (int i = 0; i < 2; i++)
                armilla_array_put(copy->values, place + 2 * row + i, exists ? column[i] : 0);
        else if (exists) {
            column[0] = armilla_array_get(copy->values, place + 2 * row);
            column[1] = real ? 0 : armilla_array_get(copy->values, place + 2 * row + 1);
        }
    }
}

/* A ring that the pair lacks. */
static void clear_ring(const task *t, int64_t set, int64_t pair, int side)
{
    const armilla_leg_layout *layout = t->leg->layout;
    double *column = armilla_leg_row(t->leg, t->block, set, 0);
    column += 4 * (pair - t->block->first) + 2 * side;
    for (int64_t row = 0; row < t->block->nrows; row++, column += t->block->row_length)
        if (layout->orders[row] <= layout->pairs->limit[pair]) column[0] = column[1] = 0;
}

static void copy_pair(void *context, int64_t index, int thread)
{
    const task *t = context;
    const armilla_ring_pairs *pairs = t->leg->layout->pairs;
    const int64_t pair = t->block->first + index;
    const int64_t ring[2] = {pairs->north[pair], pairs->south[pair]};
    (void)thread;
    for (int64_t set = 0; set < t->leg->nsets; set++)
        for (int side = 0; side < 2; side++)
            if (ring[side] >= 0)
                copy_ring(t, set, pair, ring[side], side);
            else if (!t->out)
                clear_ring(t, set, pair, side);
}

static void run(const armilla_leg_copy *copy, const armilla_leg *leg, int out,
                const armilla_work *work)
{
    for (int64_t b = 0; b < leg->layout->nblocks; b++) {
        task t = {copy, leg, &leg->layout->blocks[b], out};
        armilla_team_run(work->nthreads, t.block->npairs, copy_pair, &t);
    }
}

void armilla_leg_copy_out(const armilla_leg_copy *copy, const armilla_leg *leg,
                          const armilla_work *work)
{
    run(copy, leg, 1, work);
}

void armilla_leg_copy_in(const armilla_leg_copy *copy, const armilla_leg *leg,
                         const armilla_work *work)
{
    run(copy, leg, 0, work);
}
