/* Lists where each row of each message is in legs on a GPU, so that a kernel packs all rows of a
 * chunk at once. What is listed is what src/ranks/exchange.c finds link by link on the host. */
#include "ranks/device/rows.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/share.h"

#include <string.h>

static int64_t count_rows(const armilla_messages *messages)
{
    int64_t count = 0;
    for (int64_t i = 0; i < messages->nlinks; i++) count += messages->links[i].norders;
    return count;
}

typedef struct {
    const armilla_schedule *s;
    const armilla_chunk *chunk;
    int out;      /* else in */
    int by_order; /* are the legs? */
} direction;

/* The rows of a link, from *row on. Returned: the place behind them. */
static armilla_cuda_moved_row *add_link(const direction *d, const armilla_link *link,
                                        armilla_cuda_moved_row *row, int64_t *most)
{
    const armilla_rank_legs *legs = &d->s->legs;
    const armilla_leg_layout *layout = d->out ? &d->chunk->layout : &d->s->layouts[link->target];
    const armilla_leg_block *block = layout->blocks;
    const int64_t leg = d->out ? 0 : d->s->places[link->target];
    const int64_t above = d->out ? d->chunk->first : 0; /* rows of the chunks before */
    int64_t begin = link->begin;
    for (int64_t i = 0; i < link->norders; i++, row++) {
        const int64_t m = link->orders[i];
        const int64_t first = armilla_link_first(link, legs->pairs->limit, m);
        const int64_t number = d->by_order ? above + i : armilla_orders_row(layout->kind, m);
        *row = (armilla_cuda_moved_row){
            .begin = begin,
            .count = link->npairs - first,
            .leg = leg,
            .set_length = armilla_leg_set_length(block),
            .row = number * block->row_length - 4 * block->first,
            .pair =
                first + (d->by_order ? link->pairs - legs->members_pairs.list : link->first_pair)};
        begin += 4 * row->count;
        *most = armilla_larger(*most, row->count);
    }
    return row;
}

/* all: the rows of all messages, of which those before `end` are there. */
static int64_t add_messages(const direction *d, armilla_cuda_moved_row *all, int64_t end,
                            armilla_message_rows *rows)
{
    const armilla_messages *messages = d->out ? &d->chunk->out : &d->chunk->in;
    const int64_t *own = messages->begin + d->s->legs.member;
    *rows = (armilla_message_rows){end, end, end, end, 0};
    for (int64_t i = 0; i < messages->nlinks; i++) {
        const armilla_link *link = &messages->links[i];
        rows->end = add_link(d, link, all + rows->end, &rows->most) - all;
        if (link->begin < own[0]) rows->own = rows->end;
        if (link->begin < own[1]) rows->behind = rows->end;
    }
    rows->behind = armilla_larger(rows->own, rows->behind);
    return rows->end;
}

static void list_rows(const armilla_schedule *s, armilla_device_rows *rows,
                      armilla_cuda_moved_row *all)
{
    const int by_order = s->first == ARMILLA_BY_ORDER;
    int64_t end = 0;
    for (int64_t k = 0; k < s->nchunks; k++) {
        const direction out = {s, &s->chunks[k], 1, by_order},
                        in = {s, &s->chunks[k], 0, !by_order};
        end = add_messages(&out, all, end, &rows->out[k]);
        end = add_messages(&in, all, end, &rows->in[k]);
    }
}

/* As moved_row.h has pairs. */
static void encode_pairs(const armilla_rank_legs *legs, int64_t count, int64_t *pairs)
{
    for (int64_t i = 0; i < count; i++)
        pairs[i] = 4 * legs->members_pairs.list[i] + legs->pair_part[i];
}

armilla_status armilla_device_rows_make(const armilla_schedule *schedule, armilla_device_rows *rows)
{
    const armilla_rank_legs *legs = &schedule->legs;
    const int64_t npairs = legs->members_pairs.start[schedule->nmembers];
    armilla_cuda_moved_row *all = NULL;
    int64_t count = 0, *pairs = NULL;
    armilla_status status;
    memset(rows, 0, sizeof *rows);
    for (int64_t k = 0; k < schedule->nchunks; k++)
        count += count_rows(&schedule->chunks[k].out) + count_rows(&schedule->chunks[k].in);
    if (!(status = armilla_allocate(&rows->out, schedule->nchunks, sizeof *rows->out)) &&
        !(status = armilla_allocate(&rows->in, schedule->nchunks, sizeof *rows->in)) &&
        !(status = armilla_allocate(&all, count, sizeof *all)) &&
        !(status = armilla_allocate(&pairs, npairs, sizeof *pairs))) {
        list_rows(schedule, rows, all);
        encode_pairs(legs, npairs, pairs);
        status = armilla_cuda()->share->make_moves(count, all, npairs, pairs, &rows->moves);
    }
    armilla_release(all);
    armilla_release(pairs);
    return status;
}

void armilla_device_rows_clear(armilla_device_rows *rows)
{
    armilla_cuda_free(rows->moves);
    armilla_release(rows->out);
    armilla_release(rows->in);
    memset(rows, 0, sizeof *rows);
}
