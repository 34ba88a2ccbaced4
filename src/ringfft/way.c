/* Lists the ways to transform pairs of rings, those that are faster first. */
#include "ringfft/way.h"

#include "base/integer.h"

static const armilla_ring_way *const ways[] = {&armilla_ring_way_lanes,
                                               &armilla_ring_way_part_lanes,
                                               &armilla_ring_way_parts, &armilla_ring_way_alone};

enum { COUNT = sizeof ways / sizeof *ways };

const armilla_ring_way *armilla_ring_way_find(const armilla_ring_batch *batch,
                                              const armilla_ring_pair *pair, int to_maps)
{
    int i = 0;
    while (!ways[i]->fits(batch, pair, to_maps)) i++;
    return ways[i];
}

int64_t armilla_ringfft_scratch_size(const armilla_ringfft *ringfft)
{
    int64_t size = 0;
    for (int i = 0; i < COUNT; i++)
        if (ways[i]->scratch_size) size = armilla_larger(size, ways[i]->scratch_size(ringfft));
    return size;
}
