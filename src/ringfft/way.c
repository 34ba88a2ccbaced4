/* Lists the ways to transform pairs of rings, those that are faster first, the last one for every
 * pair. */
#include "ringfft/way.h"

#include "base/integer.h"

static const armilla_ring_way *const ways[2][2] = {
    {&armilla_ring_way_lanes, &armilla_ring_way_alone},       /* all orders */
    {&armilla_ring_way_part_lanes, &armilla_ring_way_parts}}; /* a part of them */

const armilla_ring_way *armilla_ring_way_find(const armilla_ring_batch *batch,
                                              const armilla_ring_pair *pair, int to_maps)
{
    const armilla_ring_way *const *way = ways[batch->mode.part != ARMILLA_ORDERS_ALL];
    while ((*way)->fits && !(*way)->fits(batch, pair, to_maps)) way++;
    return *way;
}

int64_t armilla_ringfft_scratch_size(const armilla_ringfft *ringfft)
{
    int64_t size = 0;
    for (int i = 0; i < 4; i++) {
        const armilla_ring_way *way = ways[i / 2][i % 2];
        if (way->scratch_size) size = armilla_larger(size, way->scratch_size(ringfft));
    }
    return size;
}
