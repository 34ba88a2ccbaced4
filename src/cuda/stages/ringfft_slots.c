/* Makes the slots of pairs of rings: whether both rings go together, their shifts, and where their
 * samples are. */
#include "cuda/stages/ringfft_slots.h"

#include "ringfft/phase.h"

#include <math.h>

/* phi0 / pi in two doubles: what the first one misses, by the fused product with pi in two. */
static void set_turns(const armilla_phase *phase, armilla_cuda_ring_side *side)
{
    const double pi_rest = 1.2246467991473532e-16;
    side->turns = phase->phi0 / M_PI;
    const double missed = fma(-side->turns, M_PI, phase->phi0) - side->turns * pi_rest;
    side->turns_rest = (missed + phase->rest) / M_PI;
}

static armilla_cuda_ring_side make_side(const armilla_cuda_own_rings *rings, int64_t number)
{
    const armilla_ring *ring = &rings->rings[number];
    armilla_phase phase;
    armilla_phase_init(&phase, ring->phi0, ring->nphi);
    armilla_cuda_ring_side side = {.state = ARMILLA_CUDA_RING_HERE,
                                   .offset = rings->places ? rings->places[number] : ring->offset,
                                   .stride = rings->places ? 1 : ring->stride,
                                   .weight = ring->weight,
                                   .half = phase.exact ? phase.half_pixels : -1};
    if (!phase.exact) set_turns(&phase, &side);
    return side;
}

static int same_phase(const armilla_cuda_ring_side *a, const armilla_cuda_ring_side *b)
{
    return a->half == b->half && a->turns == b->turns && a->turns_rest == b->turns_rest;
}

static int ring_comes(const armilla_cuda_own_rings *rings, int64_t number)
{
    return number >= 0 && (!rings->places || rings->places[number] >= 0);
}

/* The slot of the rings of a pair of this length. Of a pair that comes, a ring that does not is
 * MISSING. */
static void add_slot(const armilla_cuda_own_rings *rings, const armilla_ring_pairs *pairs,
                     int64_t pair, int64_t column, int64_t n, armilla_cuda_ring_layout *layout)
{
    armilla_cuda_ring_slot *slot = &layout->slots[layout->nslots++];
    const int64_t number[2] = {pairs->north[pair], pairs->south[pair]};
    *slot =
        (armilla_cuda_ring_slot){.n = n, .limit = pairs->limit[pair], .column = (int32_t)column};
    for (int i = 0; i < 2; i++) {
        if (number[i] < 0 || (column != ARMILLA_CUDA_NO_COLUMN && !ring_comes(rings, number[i])))
            continue; /* MISSING */
        if (rings->rings[number[i]].nphi == n)
            slot->side[i] = make_side(rings, number[i]);
        else
            slot->side[i].state = ARMILLA_CUDA_RING_ELSEWHERE;
    }
    if (slot->side[0].state == ARMILLA_CUDA_RING_HERE &&
        slot->side[1].state == ARMILLA_CUDA_RING_HERE && same_phase(&slot->side[0], &slot->side[1]))
        slot->flags = ARMILLA_CUDA_RING_SAME_PHASE;
}

static void add_pair(const armilla_cuda_own_rings *rings, const armilla_ring_pairs *pairs,
                     int64_t pair, int64_t column, armilla_cuda_ring_layout *layout)
{
    const int64_t north = pairs->north[pair], south = pairs->south[pair];
    const armilla_ring *of = rings->rings;
    if (north >= 0) add_slot(rings, pairs, pair, column, of[north].nphi, layout);
    if (south >= 0 && (north < 0 || of[north].nphi != of[south].nphi))
        add_slot(rings, pairs, pair, column, of[south].nphi, layout);
}

static int comes(const armilla_cuda_own_rings *rings, const armilla_ring_pairs *pairs, int64_t pair)
{
    return ring_comes(rings, pairs->north[pair]) || ring_comes(rings, pairs->south[pair]);
}

void armilla_cuda_ring_add_slots(const armilla_cuda_own_rings *rings,
                                 const armilla_ring_pairs *pairs, int64_t first, int64_t count,
                                 armilla_cuda_ring_layout *layout)
{
    int64_t column = 0;
    for (int64_t i = first; i < first + count; i++)
        add_pair(rings, pairs, i, comes(rings, pairs, i) ? column++ : ARMILLA_CUDA_NO_COLUMN,
                 layout);
}
