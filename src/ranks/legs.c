/* Finds out which pieces of leg the stages of a rank work on, and what each member has of them. */
#include "ranks/legs.h"

#include "base/integer.h"
#include "base/memory.h"
#include "ranks/owners.h"

#include <string.h>

enum {
    ROOM = 4,   /* pairs of which rows have whole multiples, as on one rank */
    BLOCKS = 48 /* of a leg, about: those near the poles have few rows */
};

/* --- Pieces ---------------------------------------------------------------------------------- */

static void add(armilla_leg_pieces *pieces, int64_t first, int64_t end, armilla_orders kind)
{
    pieces->piece[pieces->count++] = (armilla_leg_piece){first, end, kind};
}

/* A pass: its blocks are neighbours. */
static void add_pass(armilla_leg_pieces *pieces, const armilla_leg_layout *layout)
{
    const armilla_leg_block *blocks = layout->blocks;
    const int64_t n = layout->nblocks;
    if (n) add(pieces, blocks->first, blocks[n - 1].first + blocks[n - 1].npairs, layout->kind);
}

/* Where pairs wait in arrays on one rank, the Legendre stage has all pairs of a pass's orders at
 * once, and the ring stage has all orders of the pairs that wait. */
static void list_pieces(const armilla_flow_way *way, armilla_rank_legs *legs)
{
    armilla_leg_pieces *by_order = &legs->pieces[ARMILLA_BY_ORDER];
    armilla_leg_pieces *by_pair = &legs->pieces[ARMILLA_BY_PAIR];
    const int64_t npairs = legs->pairs->count, waiting = way->home.npairs;
    const int in_parts = way->passes.count > 1 && way->norder_passes == 1;
    for (int64_t i = 0; i < way->passes.count; i++) {
        const armilla_leg_layout *layout = &way->passes.layouts[i];
        if (!waiting)
            add_pass(by_order, layout);
        else
            add(by_order, 0, npairs, layout->kind);
        if (!waiting || in_parts) add_pass(by_pair, layout);
    }
    if (waiting) add(by_pair, 0, in_parts ? waiting : npairs, ARMILLA_ORDERS_ALL);
}

static armilla_status make_pieces(const armilla_flow_way *way, armilla_rank_legs *legs)
{
    armilla_status status = ARMILLA_OK;
    for (int side = 0; side < 2 && !status; side++)
        status = armilla_allocate(&legs->pieces[side].piece, way->passes.count + 1,
                                  sizeof(armilla_leg_piece));
    if (!status) list_pieces(way, legs);
    return status;
}

/* --- Lists ----------------------------------------------------------------------------------- */

static armilla_status allocate_lists(int64_t count, int64_t nmembers, armilla_member_lists *lists)
{
    armilla_status status = armilla_allocate(&lists->list, count, sizeof *lists->list);
    return status ? status
                  : armilla_allocate_zero(&lists->start, nmembers + 1, sizeof *lists->start);
}

/* Orders of a kind, rising, or in the sequence of the theta stage's twos: those of a two are
 * neighbours, and in the same batch of eight rows. An order without its partner, which is above the
 * largest one, comes behind all twos. */
static int64_t add_orders(const int64_t *owned, int64_t count, armilla_orders kind, int twos,
                          int64_t *list)
{
    static const int64_t rising[8] = {0, 1, 2, 3, 4, 5, 6, 7},
                         in_twos[8] = {0, 1, 2, 3, 6, 5, 4, 7};
    int64_t end = 0;
    for (int64_t i = 0; i < count;) {
        const int64_t eight = owned[i] / 8;
        int there[8] = {0};
        for (; i < count && owned[i] / 8 == eight; i++) there[owned[i] % 8] = 1;
        for (int k = 0; k < 8; k++) {
            const int64_t residue = twos ? in_twos[k] : rising[k];
            if (there[residue] && armilla_orders_row(kind, residue) >= 0)
                list[end++] = 8 * eight + residue;
        }
    }
    return end;
}

armilla_status armilla_member_orders_make(const armilla_owned *owned, int64_t nmembers,
                                          armilla_orders kind, int twos,
                                          armilla_member_lists *lists)
{
    armilla_status status = allocate_lists(owned->count, nmembers, lists);
    for (int64_t member = 0; member < nmembers && !status; member++) {
        const int64_t first = owned->start[member], count = owned->start[member + 1] - first;
        const int64_t end = lists->start[member];
        lists->start[member + 1] =
            end + add_orders(owned->list + first, count, kind, twos, lists->list + end);
    }
    return status;
}

/* The member of entry 2 i, the northern ring of pair i or both, and of entry 2 i + 1, a southern
 * ring of another member; of entries that do not exist the number of members. */
static void find_members(const armilla_owned *rings, int64_t nmembers,
                         const armilla_ring_pairs *pairs, int64_t *member)
{
    for (int64_t i = 0; i < pairs->count; i++) {
        const int64_t north = pairs->north[i], south = pairs->south[i];
        member[2 * i] = north < 0 ? nmembers : rings->member[north];
        member[2 * i + 1] = south < 0 ? nmembers : rings->member[south];
        if (member[2 * i] == member[2 * i + 1]) member[2 * i + 1] = nmembers;
    }
}

/* Entries become pairs. */
static void take_pairs(const int64_t *member, int64_t nmembers, armilla_rank_legs *legs)
{
    int64_t *list = legs->members_pairs.list;
    const int64_t count = legs->members_pairs.start[nmembers];
    for (int64_t k = 0; k < count; k++) {
        const int south = (int)(list[k] % 2);
        list[k] /= 2;
        legs->pair_part[k] = ARMILLA_PAIR_ALL;
        if (member[2 * list[k] + !south] < nmembers)
            legs->pair_part[k] = south ? ARMILLA_PAIR_SOUTH : ARMILLA_PAIR_NORTH;
    }
}

static armilla_status list_pairs(const armilla_owned *rings, int64_t nmembers,
                                 armilla_rank_legs *legs)
{
    const int64_t entries = 2 * legs->pairs->count;
    armilla_member_lists *lists = &legs->members_pairs;
    int64_t *member;
    armilla_status status = allocate_lists(entries, nmembers + 1, lists);
    if (!status) status = armilla_allocate(&legs->pair_part, entries, sizeof *legs->pair_part);
    if (status || (status = armilla_allocate(&member, entries, sizeof *member))) return status;
    find_members(rings, nmembers, legs->pairs, member);
    armilla_owners_list(entries, member, 1, nmembers + 1, lists->list, lists->start);
    take_pairs(member, nmembers, legs);
    armilla_release(member);
    return ARMILLA_OK;
}

/* A ring that another member has is missing to the ring stage, which leaves zeros for it. */
static armilla_status take_own_pairs(armilla_rank_legs *legs)
{
    const int64_t *start = legs->members_pairs.start + legs->member;
    const armilla_status status = armilla_ring_pairs_take_listed(
        legs->pairs, start[1] - start[0], legs->members_pairs.list + start[0], &legs->own);
    for (int64_t i = 0; i < start[1] - start[0] && !status; i++) {
        if (legs->pair_part[start[0] + i] == ARMILLA_PAIR_NORTH) legs->own.south[i] = -1;
        if (legs->pair_part[start[0] + i] == ARMILLA_PAIR_SOUTH) legs->own.north[i] = -1;
    }
    return status;
}

/* --- All ------------------------------------------------------------------------------------- */

armilla_status armilla_rank_legs_make(const armilla_distribution *distribution, int64_t member,
                                      const armilla_flow *flow, armilla_flow_place place,
                                      armilla_rank_legs *legs)
{
    const armilla_flow_way *way = &flow->ways[place];
    const int64_t nmembers = distribution->nmembers;
    armilla_status status;
    memset(legs, 0, sizeof *legs);
    legs->pairs = way->passes.layouts[0].pairs;
    legs->mmax = distribution->mmax, legs->member = member;
    legs->theta = flow->theta != NULL;
    legs->on_device = flow->shape != NULL;
    if (flow->near_rows.nblocks) legs->row_length = flow->near_rows.blocks->row_length;
    if ((status = make_pieces(way, legs)) ||
        (status = list_pairs(&distribution->rings, nmembers, legs)) ||
        (status = take_own_pairs(legs)))
        return status;
    for (int64_t i = 0; i < legs->pieces[ARMILLA_BY_ORDER].count && !status; i++) {
        const armilla_orders kind = legs->pieces[ARMILLA_BY_ORDER].piece[i].kind;
        if (!legs->orders[kind].start)
            status = armilla_member_orders_make(&distribution->orders, nmembers, kind, legs->theta,
                                                &legs->orders[kind]);
    }
    return status;
}

void armilla_member_lists_clear(armilla_member_lists *lists)
{
    armilla_release(lists->list);
    armilla_release(lists->start);
    *lists = (armilla_member_lists){NULL, NULL};
}

void armilla_rank_legs_clear(armilla_rank_legs *legs)
{
    for (int side = 0; side < 2; side++) armilla_release(legs->pieces[side].piece);
    for (int kind = 0; kind < ARMILLA_ORDER_LISTS; kind++)
        armilla_member_lists_clear(&legs->orders[kind]);
    armilla_member_lists_clear(&legs->members_pairs);
    armilla_release(legs->pair_part);
    armilla_ring_pairs_clear(&legs->own);
    memset(legs, 0, sizeof *legs);
}

int64_t armilla_rank_legs_bytes(const armilla_rank_legs *legs)
{
    const int64_t entries = 2 * legs->pairs->count;
    return entries * (int64_t)(sizeof *legs->members_pairs.list + sizeof *legs->pair_part) +
           armilla_ring_pairs_bytes(&legs->own);
}

armilla_member_range armilla_rank_legs_range(const armilla_rank_legs *legs, armilla_leg_side side,
                                             const armilla_leg_piece *piece, int64_t member)
{
    const armilla_member_lists *lists =
        side == ARMILLA_BY_ORDER ? &legs->orders[piece->kind] : &legs->members_pairs;
    const int64_t *list = lists->list + lists->start[member];
    const int64_t count = lists->start[member + 1] - lists->start[member];
    if (side == ARMILLA_BY_ORDER) return (armilla_member_range){list, 0, count};
    const int64_t first = armilla_count_below(list, count, piece->first);
    return (armilla_member_range){list + first, first,
                                  armilla_count_below(list, count, piece->end) - first};
}

armilla_status armilla_rank_legs_layout(const armilla_rank_legs *legs, armilla_leg_side side,
                                        const armilla_leg_piece *piece, int64_t first,
                                        int64_t count, armilla_leg_layout *layout)
{
    const armilla_member_range range = armilla_rank_legs_range(legs, side, piece, legs->member);
    armilla_leg_shape shape = {.pairs = legs->pairs,
                               .first_pair = piece->first,
                               .npairs = piece->end - piece->first,
                               .room = ROOM,
                               .kind = ARMILLA_ORDERS_LISTED,
                               .norders = count,
                               .orders = range.list + first};
    if (side == ARMILLA_BY_PAIR) {
        shape.pairs = &legs->own, shape.kind = piece->kind, shape.mmax = legs->mmax;
        shape.first_pair = range.first + first, shape.npairs = count;
    }
    /* the Legendre stage takes a block at a time: one block is what it has on one rank, too */
    const int one = legs->on_device || (side == ARMILLA_BY_ORDER && !legs->theta);
    shape.block_size = armilla_larger(one ? shape.npairs : (shape.npairs / BLOCKS + 8) / 8 * 8, 1);
    const armilla_status status = armilla_leg_layout_make(&shape, layout);
    if (!status && legs->row_length && side == ARMILLA_BY_ORDER)
        armilla_leg_layout_even(layout, legs->row_length);
    return status;
}
