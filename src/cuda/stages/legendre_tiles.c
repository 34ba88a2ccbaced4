/* Cuts the groups of ring pairs into tiles for blocks of threads, and tells which tiles calls in
 * two floats must make in doubles. See legendre_tiles.h. */
#include "cuda/stages/legendre_tiles.h"

#include "base/memory.h"

/* Must calls in two floats make a group in doubles? The plain form of the recurrence loses what the
 * fine one keeps next to the equator, and next to the poles for scalars, where functions of order 0
 * are largest; fields of spin s have functions of their own there. */
static int needs_doubles(const armilla_cuda_tiles *t, int64_t group)
{
    const armilla_kernel_group *of = &t->legendre->grouping.groups[group];
    return (t->precision.of_doubles == ARMILLA_CUDA_IN_TWO_FLOATS ||
            t->precision.of_floats == ARMILLA_CUDA_IN_TWO_FLOATS) &&
           of->nfine > 0 &&
           (of->form == ARMILLA_FORM_EQUATOR ||
            (of->form == ARMILLA_FORM_POLE && t->legendre->spin == 0));
}

static int joins_last(const armilla_cuda_tiles *t, int most_warps, int64_t number)
{
    const armilla_kernel_group *group = &t->legendre->grouping.groups[number];
    if (t->count == 0 || group->pair % t->legendre->block_size == 0) return 0;
    const armilla_cuda_tile *last = &t->tiles[t->count - 1];
    return last->ngroups < most_warps && last->form == group->form &&
           needs_doubles(t, last->group) == needs_doubles(t, number);
}

static void fill(armilla_cuda_tiles *t, int most_warps)
{
    for (int64_t g = 0; g < t->legendre->grouping.count; g++) {
        const armilla_kernel_group *group = &t->legendre->grouping.groups[g];
        if (joins_last(t, most_warps, g))
            t->tiles[t->count - 1].ngroups++;
        else
            t->tiles[t->count++] = (armilla_cuda_tile){g, 1, group->form};
        const int32_t warps = t->tiles[t->count - 1].ngroups;
        if (warps > t->warps) t->warps = warps;
        if (group->nvec > t->vectors) t->vectors = group->nvec;
        if (group->form >= ARMILLA_FORM_SPIN) t->functions = t->count;
    }
    if (t->vectors == 3) t->vectors = 4; /* there are kernels for 1, 2 and 4 */
}

armilla_status armilla_cuda_tiles_make(const armilla_legendre *legendre,
                                       const armilla_cuda_shape *shape,
                                       armilla_cuda_precision precision, armilla_cuda_tiles *tiles)
{
    int in_double;
    *tiles = (armilla_cuda_tiles){.legendre = legendre, .precision = precision};
    const armilla_status status =
        armilla_allocate(&tiles->tiles, legendre->grouping.count, sizeof *tiles->tiles);
    if (status) return status;
    fill(tiles, shape->warps);
    for (int64_t tile = tiles->functions; tile < tiles->count; tiles->runs++)
        tile += armilla_cuda_tiles_run(tiles, tile, tiles->count, &in_double);
    return ARMILLA_OK;
}

void armilla_cuda_tiles_clear(armilla_cuda_tiles *tiles)
{
    armilla_release(tiles->tiles);
}

int64_t armilla_cuda_tiles_find(const armilla_cuda_tiles *tiles, int64_t pair)
{
    const armilla_kernel_group *groups = tiles->legendre->grouping.groups;
    int64_t low = 0, high = tiles->count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (groups[tiles->tiles[middle].group].pair < pair)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t armilla_cuda_tiles_run(const armilla_cuda_tiles *tiles, int64_t tile, int64_t end,
                               int *in_double)
{
    int64_t count = 1;
    *in_double = needs_doubles(tiles, tiles->tiles[tile].group);
    while (tile + count < end &&
           needs_doubles(tiles, tiles->tiles[tile + count].group) == *in_double)
        count++;
    return count;
}
