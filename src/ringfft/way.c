/* Lists the ways to transform pairs of rings: a pair takes the first one that fits. The last way of
 * a list has no `fits`, as it is for every pair. */
#include "ringfft/way.h"

#include "base/integer.h"

static const armilla_ring_way *const all_orders[] = {&armilla_ring_way_lanes,
                                                     &armilla_ring_way_alone};
static const armilla_ring_way *const part_of_orders[] = {&armilla_ring_way_part_lanes,
                                                         &armilla_ring_way_parts};

const armilla_ring_way *armilla_ring_way_find(const armilla_ring_batch *batch,
                                              const armilla_ring_pair *pair, int to_maps)
{
    const armilla_ring_way *const *way =
        batch->mode.part == ARMILLA_ORDERS_ALL ? all_orders : part_of_orders;
    while ((*way)->fits && !(*way)->fits(batch, pair, to_maps)) way++;
    return *way;
}

static int64_t most_scratch(const armilla_ringfft *ringfft, const armilla_ring_way *const *way)
{
    int64_t size = 0;
    for (;; way++) {
        if ((*way)->scratch_size) size = armilla_larger(size, (*way)->scratch_size(ringfft));
        if (!(*way)->fits) return size;
    }
}

int64_t armilla_ring_ways_scratch_size(const armilla_ringfft *ringfft)
{
    return armilla_larger(most_scratch(ringfft, all_orders), most_scratch(ringfft, part_of_orders));
}
