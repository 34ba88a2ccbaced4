/* Cuts the exchange of a rank into chunks and lists the messages of each. All members cut alike:
 * each knows what the others send. */
#include "ranks/schedule.h"

#include "base/integer.h"
#include "base/memory.h"

#include <string.h>

enum {
    UNIT = 8, /* orders or pairs of which chunks have whole multiples: batches of the stages */
    TASK_ROWS = 32, /* rows of a task */
    MOST_CUTS = 64  /* of a piece: more of them hide no more, and have tables */
};

/* --- Cuts ------------------------------------------------------------------------------------ */

/* Cut number k of n of `count` numbers: whole units, cuts as equal as they can be. */
static void cut(int64_t count, int64_t n, int64_t k, int64_t *first, int64_t *size)
{
    const int64_t units = (count + UNIT - 1) / UNIT;
    const int64_t begin = armilla_smaller(units * k / n * UNIT, count);
    *first = begin;
    *size = armilla_smaller(units * (k + 1) / n * UNIT, count) - begin;
}

/* Doubles of a member's part of a piece, one set, counted as if all orders existed everywhere. */
static int64_t size_of_part(const armilla_rank_legs *legs, armilla_leg_side side,
                            const armilla_leg_piece *piece, int64_t member)
{
    const armilla_member_range range = armilla_rank_legs_range(legs, side, piece, member);
    const int64_t others = side == ARMILLA_BY_ORDER ? piece->end - piece->first
                                                    : armilla_orders_rows(piece->kind, legs->mmax);
    return 4 * range.count * others;
}

/* So many cuts of a piece, up to MOST_CUTS, that no member sends more than `bytes` at once, about.
 */
static int64_t count_cuts(const armilla_schedule *s, const armilla_leg_piece *piece, int64_t bytes)
{
    int64_t largest = 0;
    for (int64_t member = 0; member < s->nmembers; member++)
        largest = armilla_larger(largest, size_of_part(&s->legs, s->first, piece, member));
    return armilla_smaller(MOST_CUTS, armilla_larger(1, (8 * largest + bytes - 1) / bytes));
}

/* --- Messages -------------------------------------------------------------------------------- */

/* What `from` has in cut k of n of a piece, for a piece of the other side of `to`. */
static armilla_link make_link(const armilla_schedule *s, const armilla_leg_piece *piece, int64_t n,
                              int64_t k, int64_t from, int64_t target, int64_t to)
{
    const armilla_leg_side other = armilla_leg_side_other(s->first);
    const armilla_leg_piece *there = &s->legs.pieces[other].piece[target];
    armilla_leg_piece both = {armilla_larger(piece->first, there->first),
                              armilla_smaller(piece->end, there->end), ARMILLA_ORDERS_ALL};
    const int by_order = s->first == ARMILLA_BY_ORDER;
    const armilla_leg_piece *orders_of = by_order ? piece : there;
    const int64_t pairs_owner = by_order ? to : from, orders_owner = by_order ? from : to;
    armilla_member_range mine = armilla_rank_legs_range(&s->legs, s->first, piece, from);
    armilla_member_range orders =
        armilla_rank_legs_range(&s->legs, ARMILLA_BY_ORDER, orders_of, orders_owner);
    int64_t first, count;
    cut(mine.count, n, k, &first, &count);
    if (!by_order && count) { /* the cut's pairs, as far as the other piece has them */
        both.first = armilla_larger(both.first, mine.list[first]);
        both.end = armilla_smaller(both.end, mine.list[first + count - 1] + 1);
    }
    both.end = armilla_larger(both.first, both.end);
    const armilla_member_range pairs =
        armilla_rank_legs_range(&s->legs, ARMILLA_BY_PAIR, &both, pairs_owner);
    armilla_link link = {.target = target,
                         .orders = orders.list,
                         .norders = orders.count,
                         .pairs = pairs.list,
                         .npairs = count ? pairs.count : 0,
                         .first_pair = pairs.first};
    if (by_order) link.orders += first, link.norders = count;
    return link;
}

/* Have the two pieces orders in common? One of them has all orders, or both have the same. */
static int share_orders(const armilla_leg_piece *a, const armilla_leg_piece *b)
{
    return a->kind == b->kind || a->kind == ARMILLA_ORDERS_ALL || b->kind == ARMILLA_ORDERS_ALL;
}

static int64_t count_entries(const armilla_schedule *s, const armilla_link *link, int64_t row)
{
    return link->npairs - armilla_link_first(link, s->legs.pairs->limit, link->orders[row]);
}

/* Adds a link with its tasks at place `end`. Returned: the place behind it. */
static int64_t add_link(const armilla_schedule *s, const armilla_link *link, int64_t end,
                        armilla_messages *messages)
{
    armilla_link_rows *rows = messages->rows + messages->nrows;
    const int64_t number = messages->nlinks;
    messages->links[messages->nlinks] = *link;
    messages->links[messages->nlinks++].begin = end;
    for (int64_t row = 0; row < link->norders; row++) {
        if (row % TASK_ROWS == 0)
            rows[row / TASK_ROWS] = (armilla_link_rows){
                number, row, armilla_smaller(TASK_ROWS, link->norders - row), end};
        end += 4 * count_entries(s, link, row);
    }
    messages->nrows += (link->norders + TASK_ROWS - 1) / TASK_ROWS;
    return end;
}

typedef struct {
    const armilla_schedule *s;
    const armilla_leg_piece *piece;
    int64_t ncuts, cut;
    int out; /* from the own member to all others; else from all others to the own one */
} message_problem;

/* Calls add_link for each link of the messages, or counts them: links, tasks. */
static void list_links(const message_problem *p, int only_count, armilla_messages *messages)
{
    const armilla_schedule *s = p->s;
    const armilla_leg_pieces *there = &s->legs.pieces[armilla_leg_side_other(s->first)];
    int64_t end = 0;
    messages->nlinks = messages->nrows = 0;
    for (int64_t member = 0; member < s->nmembers; member++) {
        if (!only_count) messages->begin[member] = end;
        for (int64_t target = 0; target < there->count; target++) {
            if (!share_orders(p->piece, &there->piece[target])) continue;
            const int64_t own = s->legs.member;
            const armilla_link link =
                make_link(s, p->piece, p->ncuts, p->cut, p->out ? own : member, target,
                          p->out ? member : own);
            if (link.npairs == 0 || link.norders == 0) continue;
            if (only_count)
                messages->nlinks++, messages->nrows += (link.norders + TASK_ROWS - 1) / TASK_ROWS;
            else
                end = add_link(s, &link, end, messages);
        }
    }
    if (!only_count) messages->begin[s->nmembers] = end;
}

static armilla_status make_messages(const message_problem *p, armilla_messages *messages)
{
    armilla_status status;
    list_links(p, 1, messages);
    if ((status = armilla_allocate(&messages->links, messages->nlinks, sizeof *messages->links)) ||
        (status = armilla_allocate(&messages->rows, messages->nrows, sizeof *messages->rows)) ||
        (status = armilla_allocate(&messages->begin, p->s->nmembers + 1, sizeof(int64_t))))
        return status;
    list_links(p, 0, messages);
    return ARMILLA_OK;
}

/* --- Chunks ---------------------------------------------------------------------------------- */

/* Cut k of ncuts of a piece. */
static armilla_status make_chunk(const armilla_schedule *s, const armilla_leg_piece *of,
                                 int64_t ncuts, int64_t k, armilla_chunk *chunk)
{
    const armilla_rank_legs *legs = &s->legs;
    message_problem problem = {s, of, ncuts, k, 1};
    const armilla_member_range range = armilla_rank_legs_range(legs, s->first, of, legs->member);
    const int whole = legs->on_device; /* stages have the whole piece at once */
    int64_t count;
    cut(range.count, ncuts, k, &chunk->first, &count);
    armilla_status status = armilla_rank_legs_layout(legs, s->first, of, whole ? 0 : chunk->first,
                                                     whole ? range.count : count, &chunk->layout);
    if (status || (status = make_messages(&problem, &chunk->out))) return status;
    if ((whole || s->first == ARMILLA_BY_PAIR) &&
        k > 0) { /* cuts of a piece have the same orders */
        armilla_release(chunk->layout.orders);
        chunk->layout.orders = (chunk - k)->layout.orders;
        chunk->borrows_orders = 1;
    }
    problem.out = 0;
    return make_messages(&problem, &chunk->in);
}

static armilla_status make_chunks(int64_t bytes, armilla_schedule *s)
{
    const armilla_leg_pieces *pieces = &s->legs.pieces[s->first];
    int64_t most = 0;
    for (int64_t i = 0; i < pieces->count; i++) most += count_cuts(s, &pieces->piece[i], bytes);
    armilla_status status = armilla_allocate_zero(&s->chunks, most, sizeof *s->chunks);
    for (int64_t i = 0; i < pieces->count && !status; i++) {
        const int64_t ncuts = count_cuts(s, &pieces->piece[i], bytes);
        for (int64_t k = 0; k < ncuts && !status; k++) {
            armilla_chunk *chunk = &s->chunks[s->nchunks++];
            chunk->piece = i;
            if ((status = make_chunk(s, &pieces->piece[i], ncuts, k, chunk))) break;
            s->chunk_size = armilla_larger(s->chunk_size, chunk->layout.size);
            s->out_size = armilla_larger(s->out_size, chunk->out.begin[s->nmembers]);
            s->in_size = armilla_larger(s->in_size, chunk->in.begin[s->nmembers]);
        }
    }
    return status;
}

/* The own legs of the other side. */
static armilla_status make_layouts(armilla_schedule *s)
{
    const armilla_leg_side side = armilla_leg_side_other(s->first);
    const armilla_leg_pieces *pieces = &s->legs.pieces[side];
    armilla_status status = armilla_allocate_zero(&s->layouts, pieces->count, sizeof *s->layouts);
    if (!status) status = armilla_allocate_zero(&s->places, pieces->count + 1, sizeof *s->places);
    for (int64_t i = 0; i < pieces->count && !status; i++) {
        const armilla_leg_piece *piece = &pieces->piece[i];
        const armilla_member_range range =
            armilla_rank_legs_range(&s->legs, side, piece, s->legs.member);
        status = armilla_rank_legs_layout(&s->legs, side, piece, 0, range.count, &s->layouts[i]);
        s->places[i + 1] = s->places[i] + s->layouts[i].size;
    }
    return status;
}

armilla_status armilla_schedule_make(const armilla_distribution *distribution, int64_t member,
                                     const armilla_flow *flow, armilla_flow_place place,
                                     armilla_leg_side first, int64_t bytes,
                                     armilla_schedule *schedule)
{
    memset(schedule, 0, sizeof *schedule);
    schedule->first = first, schedule->nmembers = distribution->nmembers;
    armilla_status status =
        armilla_rank_legs_make(distribution, member, flow, place, &schedule->legs);
    if (status || (status = make_layouts(schedule))) return status;
    return make_chunks(bytes, schedule);
}

static void clear_messages(armilla_messages *messages)
{
    armilla_release(messages->links);
    armilla_release(messages->rows);
    armilla_release(messages->begin);
}

void armilla_schedule_clear(armilla_schedule *schedule)
{
    for (int64_t k = 0; k < schedule->nchunks; k++) {
        if (schedule->chunks[k].borrows_orders) schedule->chunks[k].layout.orders = NULL;
        armilla_leg_layout_clear(&schedule->chunks[k].layout);
        clear_messages(&schedule->chunks[k].out);
        clear_messages(&schedule->chunks[k].in);
    }
    for (int64_t i = 0; i < schedule->legs.pieces[armilla_leg_side_other(schedule->first)].count;
         i++)
        if (schedule->layouts) armilla_leg_layout_clear(&schedule->layouts[i]);
    armilla_release(schedule->chunks);
    armilla_release(schedule->layouts);
    armilla_release(schedule->places);
    armilla_rank_legs_clear(&schedule->legs);
    memset(schedule, 0, sizeof *schedule);
}

static int64_t messages_bytes(const armilla_messages *messages, int64_t nmembers)
{
    return messages->nlinks * (int64_t)sizeof *messages->links +
           messages->nrows * (int64_t)sizeof *messages->rows +
           (nmembers + 1) * (int64_t)sizeof *messages->begin;
}

int64_t armilla_schedule_bytes(const armilla_schedule *schedule)
{
    const armilla_rank_legs *legs = &schedule->legs;
    if (!legs->pairs) return 0;
    int64_t bytes = 8 * (legs->mmax + 1 + 2 * schedule->nmembers) + armilla_rank_legs_bytes(legs);
    for (int64_t k = 0; k < schedule->nchunks; k++) {
        const armilla_chunk *chunk = &schedule->chunks[k];
        bytes += (int64_t)sizeof *chunk + armilla_leg_layout_bytes(&chunk->layout) +
                 messages_bytes(&chunk->out, schedule->nmembers) +
                 messages_bytes(&chunk->in, schedule->nmembers);
    }
    return bytes;
}
