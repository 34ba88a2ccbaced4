/* Lays out the ring spectrum in memory: cuts the pairs of rings into blocks, and gives each block
 * as many rows as there are orders that matter in it, and a place behind the blocks before it. */
#include "leg/leg.h"

#include "base/memory.h"

#include <string.h>

int64_t armilla_leg_row_length(int64_t npairs)
{
    const int64_t lines = (4 * npairs + 7) / 8;
    return 8 * (lines | 1);
}

static armilla_status list_orders(const armilla_leg_shape *shape, armilla_leg_layout *layout)
{
    const int listed = shape->kind == ARMILLA_ORDERS_LISTED;
    layout->kind = shape->kind;
    layout->norders = listed ? shape->norders : armilla_orders_rows(shape->kind, shape->mmax);
    armilla_status status = armilla_allocate(&layout->orders, layout->norders, sizeof(int64_t));
    for (int64_t row = 0; row < layout->norders && !status; row++)
        layout->orders[row] =
            listed ? shape->orders[row] : shape->pairs->step * armilla_orders_at(shape->kind, row);
    return status;
}

/* How many rows a block needs: up to the last one whose order is not above the limit. */
static int64_t count_rows(const armilla_leg_layout *layout, int64_t limit)
{
    int64_t count = layout->norders;
    while (count > 0 && layout->orders[count - 1] > limit) count--;
    return count;
}

static void cut_blocks(const armilla_leg_shape *shape, armilla_leg_layout *layout)
{
    const int64_t room = shape->room > 0 ? shape->room : 1;
    for (int64_t b = 0; b < layout->nblocks; b++) {
        armilla_leg_block *block = &layout->blocks[b];
        const int64_t rest = shape->npairs - b * shape->block_size;
        block->first = shape->first_pair + b * shape->block_size;
        block->npairs = rest < shape->block_size ? rest : shape->block_size;
        block->row_length = armilla_leg_row_length((block->npairs + room - 1) / room * room);
        block->nrows = count_rows(layout, shape->pairs->limit[block->first + block->npairs - 1]);
        block->begin = layout->size;
        layout->size += armilla_leg_set_length(block);
    }
}

armilla_status armilla_leg_layout_make(const armilla_leg_shape *shape, armilla_leg_layout *layout)
{
    armilla_status status;
    memset(layout, 0, sizeof *layout);
    layout->pairs = shape->pairs;
    if (shape->npairs > 0)
        layout->nblocks = (shape->npairs + shape->block_size - 1) / shape->block_size;
    if ((status = list_orders(shape, layout)) ||
        (status = armilla_allocate(&layout->blocks, layout->nblocks, sizeof *layout->blocks)))
        armilla_leg_layout_clear(layout);
    else
        cut_blocks(shape, layout);
    return status;
}

void armilla_leg_layout_even(armilla_leg_layout *layout, int64_t row_length)
{
    layout->blocks->nrows = layout->norders;
    layout->blocks->row_length = row_length;
    layout->size = layout->norders * row_length;
}

void armilla_leg_layout_clear(armilla_leg_layout *layout)
{
    armilla_release(layout->orders);
    armilla_release(layout->blocks);
    memset(layout, 0, sizeof *layout);
}

int64_t armilla_leg_layout_bytes(const armilla_leg_layout *layout)
{
    return layout->norders * (int64_t)sizeof(int64_t) +
           layout->nblocks * (int64_t)sizeof *layout->blocks;
}
