/* The two sides of an exchange: legs by order, where a member has all pairs of its own orders, and
 * legs by pair, where it has all orders of its own pairs. They hold what the passes of one rank
 * hold, cut in the same places, so that every sum has the terms and the sequence of one rank.
 *
 * Piece: what one call of a stage works on, a range of the pairs and a kind of the orders. On one
 * rank stages run pass by pass, here piece by piece, all of which are there at once. */
#ifndef ARMILLA_RANKS_LEGS_H
#define ARMILLA_RANKS_LEGS_H

#include "ranks/distribution.h"
#include "sht/flow.h"

typedef enum armilla_leg_side { ARMILLA_BY_ORDER, ARMILLA_BY_PAIR } armilla_leg_side;

static inline armilla_leg_side armilla_leg_side_other(armilla_leg_side side)
{
    return side == ARMILLA_BY_ORDER ? ARMILLA_BY_PAIR : ARMILLA_BY_ORDER;
}

typedef struct armilla_leg_piece {
    int64_t first, end; /* of the pairs of all ranks */
    armilla_orders kind;
} armilla_leg_piece;

typedef struct armilla_leg_pieces {
    int64_t count;
    armilla_leg_piece *piece;
} armilla_leg_pieces;

/* Lists of all members, one behind the other: those of a member from start[member] on. Pairs rise;
 * orders rise, too, or go in the theta stage's twos (leg/orders.h). A pair whose rings have two
 * members is in the lists of both. */
typedef struct armilla_member_lists {
    int64_t *list, *start;
} armilla_member_lists;

/* The orders of each member, of a kind. twos: in the sequence of the theta stage's twos, else
 * rising. Errors: MEMORY; *lists must be cleared all the same. */
armilla_status armilla_member_orders_make(const armilla_owned *owned, int64_t nmembers,
                                          armilla_orders kind, int twos,
                                          armilla_member_lists *lists);
void armilla_member_lists_clear(armilla_member_lists *lists);

enum { ARMILLA_ORDER_LISTS = ARMILLA_ORDERS_SECOND + 1 };

/* What a member has of a pair in its list; numbers as in cuda/kernels/moved_row.h. */
enum { ARMILLA_PAIR_ALL, ARMILLA_PAIR_NORTH, ARMILLA_PAIR_SOUTH };

typedef struct armilla_rank_legs {
    const armilla_ring_pairs *pairs; /* of all ranks; borrowed */
    int64_t mmax, member;            /* the own one */
    int theta;                       /* has the flow a theta stage of the processor? */
    int on_device;                   /* legs have one block, as the stages of a GPU want it */
    int64_t row_length; /* of legs by order, on a GPU with a theta stage; 0: as they come */
    armilla_leg_pieces pieces[2];                     /* of both sides */
    armilla_member_lists orders[ARMILLA_ORDER_LISTS]; /* by kind, where pieces have it */
    armilla_member_lists members_pairs;
    unsigned char *pair_part; /* of each pair in these lists */
    armilla_ring_pairs own;   /* pairs of the member, with the grid's numbers of its rings */
} armilla_rank_legs;

/* The legs of one way of a flow. Errors: MEMORY; *legs must be cleared all the same. */
armilla_status armilla_rank_legs_make(const armilla_distribution *distribution, int64_t member,
                                      const armilla_flow *flow, armilla_flow_place place,
                                      armilla_rank_legs *legs);
void armilla_rank_legs_clear(armilla_rank_legs *legs);

/* The bytes of its lists of pairs. */
int64_t armilla_rank_legs_bytes(const armilla_rank_legs *legs);

/* What a member has of a piece: its orders of the piece's kind, or its pairs in the piece's range,
 * as numbers in the member's own sequence. */
typedef struct armilla_member_range {
    const int64_t *list; /* orders, or pairs of all ranks */
    int64_t first;       /* the first one's number among all of the member: 0 for orders */
    int64_t count;
} armilla_member_range;

armilla_member_range armilla_rank_legs_range(const armilla_rank_legs *legs, armilla_leg_side side,
                                             const armilla_leg_piece *piece, int64_t member);

/* The layout of the own leg of a piece, from number `first` of its range on, `count` of them.
 * Errors: MEMORY. */
armilla_status armilla_rank_legs_layout(const armilla_rank_legs *legs, armilla_leg_side side,
                                        const armilla_leg_piece *piece, int64_t first,
                                        int64_t count, armilla_leg_layout *layout);

#endif
