/* Opens rows and columns of the ring spectrum for the stages: in the leg's own memory where that
 * has them as they are asked for, else as copies, brought from the leg's blocks and from the array
 * where some pairs wait, or taken back there. */
#include "leg/home.h"

#include "base/integer.h"
#include "base/memory.h"
#include "leg/dispatch.h"
#include "leg/parking.h"

#include <string.h>

enum { ENTRY = 4, TOGETHER = 8 /* orders that go into maps as whole cache lines */ };

static int64_t home_pairs(const armilla_leg_home *home)
{
    return home ? home->npairs : 0;
}

/* --- Rows ------------------------------------------------------------------------------------ */

void armilla_leg_rows_make(const armilla_ring_pairs *pairs, const int64_t *orders, int64_t count,
                           int64_t nsets, double *values, armilla_leg_rows *rows)
{
    rows->first = rows->row = rows->set = 0;
    rows->count = count, rows->nsets = nsets;
    rows->block = (armilla_leg_block){
        .npairs = pairs->count, .nrows = count, .row_length = armilla_leg_row_length(pairs->count)};
    rows->layout = (armilla_leg_layout){.pairs = pairs,
                                        .kind = ARMILLA_ORDERS_LISTED,
                                        .norders = count,
                                        .orders = (int64_t *)orders,
                                        .nblocks = 1,
                                        .blocks = &rows->block,
                                        .size = armilla_leg_set_length(&rows->block)};
    rows->copy = (armilla_leg){&rows->layout, nsets, values, NULL, 0};
    rows->leg = &rows->copy;
}

/* Does the leg's memory have the rows as they are asked for? */
static int has_rows(const armilla_leg_rows *rows)
{
    const armilla_leg_layout *layout = rows->of->layout;
    if (home_pairs(rows->of->home)) return 0;
    return !rows->whole ||
           (layout->nblocks == 1 && rows->first + rows->count <= layout->blocks->nrows);
}

/* Between copies and the leg's blocks. Those without a row have no entry of its order. far: for
 * what is not read, past the caches; NULL: through them. */
static void copy_blocks(const armilla_leg_rows *rows, int64_t set, int reads,
                        const armilla_leg_copies *far)
{
    const armilla_leg *leg = rows->of;
    for (int64_t b = 0; b < leg->layout->nblocks; b++) {
        const armilla_leg_block *block = &leg->layout->blocks[b];
        const int64_t count = armilla_smaller(rows->count, block->nrows - rows->first);
        const int64_t size = ENTRY * block->npairs;
        for (int64_t i = 0; i < count; i++) {
            double *in_leg = armilla_leg_row(leg, block, rows->first_set + set, rows->first + i);
            double *copy =
                armilla_leg_row(&rows->copy, &rows->block, set, i) + ENTRY * block->first;
            if (far)
                far->row(in_leg, copy, size);
            else
                memcpy(reads ? copy : in_leg, reads ? in_leg : copy, sizeof *copy * (size_t)size);
        }
    }
}

void armilla_leg_rows_open(armilla_leg_rows *rows, int reads, double *scratch)
{
    const armilla_leg *leg = rows->of;
    const armilla_leg_home *home = leg->home;
    const int64_t first = rows->first;
    if (has_rows(rows)) {
        rows->leg = leg, rows->row = first, rows->set = rows->first_set;
        return;
    }
    armilla_leg_rows_make(leg->layout->pairs, leg->layout->orders + first, rows->count, rows->nsets,
                          scratch, rows);
    rows->first = first;
    for (int64_t set = 0; set < rows->nsets && reads; set++) {
        copy_blocks(rows, set, 1, NULL);
        for (int64_t i = 0; i < rows->count && home_pairs(home); i++)
            armilla_parking_take_order(home, rows->first_set + set, armilla_leg_rows_order(rows, i),
                                       armilla_leg_row(&rows->copy, &rows->block, set, i));
    }
}

void armilla_leg_rows_close(armilla_leg_rows *rows, const armilla_machine *machine)
{
    const armilla_leg *leg = rows->of;
    if (rows->leg == leg) return;
    const armilla_leg_copies *copies = armilla_leg_copies_find(machine->isa);
    const int64_t size = leg->layout->size + ENTRY * home_pairs(leg->home) * leg->layout->norders;
    const int far =
        armilla_machine_stores_far(machine, (int64_t)sizeof(double) * leg->nsets * size, 1);
    for (int64_t set = 0; set < rows->nsets; set++) {
        copy_blocks(rows, set, 0, far ? copies : NULL);
        if (home_pairs(leg->home))
            armilla_parking_put_orders(
                leg->home, copies, far, rows->first_set + set, rows->first, rows->count,
                armilla_leg_row(&rows->copy, &rows->block, set, 0), rows->block.row_length);
    }
    if (far) copies->settle();
}

int64_t armilla_leg_rows_at_once(const armilla_leg_home *home, int64_t most)
{
    if (!home_pairs(home)) return most;
    return home->places ? TOGETHER : 1;
}

int64_t armilla_leg_rows_scratch(const armilla_leg_home *home, int64_t nsets)
{
    const int64_t rows = nsets * armilla_leg_rows_at_once(home, 0);
    return rows ? rows * armilla_leg_row_length(home->pairs->count) : 0;
}

/* --- Columns --------------------------------------------------------------------------------- */

/* Pairs whose columns are copies. Where orders come in parts, order 0 brings all of them. A layout
 * may have no orders at all. */
static int64_t count_copies(const armilla_leg *leg)
{
    const int has_order_0 = leg->layout->norders > 0 && leg->layout->orders[0] == 0;
    return has_order_0 ? home_pairs(leg->home) : 0;
}

static int64_t count_batches(int64_t npairs, int64_t size)
{
    return (npairs + size - 1) / size;
}

int64_t armilla_leg_columns_count(const armilla_leg *leg, int64_t size)
{
    const armilla_leg_layout *layout = leg->layout;
    int64_t count = count_batches(count_copies(leg), size);
    if (layout->nblocks > 0)
        count += (layout->nblocks - 1) * count_batches(layout->blocks[0].npairs, size) +
                 count_batches(layout->blocks[layout->nblocks - 1].npairs, size);
    return count;
}

armilla_leg_columns armilla_leg_columns_batch(const armilla_leg *leg, int64_t size, int64_t index)
{
    const int64_t copies = count_copies(leg), before = count_batches(copies, size);
    armilla_leg_columns columns = {.of = leg, .first = index * size};
    int64_t end = copies;
    if (index >= before) {
        const int64_t batches = count_batches(leg->layout->blocks[0].npairs, size);
        columns.block = &leg->layout->blocks[(index - before) / batches];
        columns.kind = leg->layout->kind;
        columns.first = columns.block->first + (index - before) % batches * size;
        end = columns.block->first + columns.block->npairs;
    }
    columns.count = armilla_smaller(size, end - columns.first);
    return columns;
}

void armilla_leg_columns_open(const armilla_leg_columns *columns, int reads, double *scratch,
                              armilla_leg_view *view)
{
    const armilla_leg *leg = columns->of;
    const armilla_leg_block *block = columns->block;
    if (block) {
        view->nsets = leg->nsets - view->set;
        view->values =
            armilla_leg_row(leg, block, view->set, 0) + ENTRY * (view->first - block->first);
        view->row_length = block->row_length;
        view->set_length = armilla_leg_set_length(block);
        return;
    }
    view->nsets = 1, view->values = scratch;
    view->row_length = ENTRY * view->count, view->set_length = 0;
    if (reads) armilla_parking_take_pairs(leg->home, view->set, view->first, view->count, scratch);
}

void armilla_leg_columns_close(const armilla_leg_columns *columns, const armilla_leg_view *view)
{
    if (columns->block) return;
    armilla_parking_put_pairs(columns->of->home, view->set, view->first, view->count, view->values);
}

int64_t armilla_leg_columns_scratch(const armilla_leg_home *home, int64_t norders, int64_t pairs)
{
    return home_pairs(home) ? armilla_round_line(ENTRY * armilla_larger(1, pairs) * norders) : 0;
}
