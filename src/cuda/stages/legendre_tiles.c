/* Cuts the groups of ring pairs into tiles for blocks of threads, and tells which tiles calls in
 * two floats must make in doubles. See legendre_tiles.h. */
#include "cuda/stages/legendre_tiles.h"

#include "base/integer.h"
#include "base/memory.h"

/* Must calls in two floats, or in halves, make a group in doubles? In two floats the plain form of
 * the recurrence loses what the fine one keeps next to the equator, and next to the poles for
 * scalars, where functions of order 0 are largest; fields of spin s have functions of their own
 * there. In halves, sums of scalar functions for fields of spin s lose too much where they are
 * divided by the smallest sines. */
static int needs_doubles(const armilla_cuda_tiles *t, int64_t group)
{
    const armilla_kernel_group *of = &t->legendre->grouping.groups[group];
    const int pole = of->form == ARMILLA_FORM_POLE, scalar = t->legendre->spin == 0;
    if (of->nfine == 0) return 0;
    if (t->precision.of_floats == ARMILLA_CUDA_IN_HALVES) return pole && !scalar;
    return (t->precision.of_doubles == ARMILLA_CUDA_IN_TWO_FLOATS ||
            t->precision.of_floats == ARMILLA_CUDA_IN_TWO_FLOATS) &&
           (of->form == ARMILLA_FORM_EQUATOR || (pole && scalar));
}

/* May the group that comes next be in this tile? */
static int has_room(const armilla_cuda_tiles *t, const armilla_cuda_tile *tile, int most_warps,
                    const armilla_kernel_group *group)
{
    return group->pair % t->legendre->block_size != 0 && tile->ngroups < most_warps &&
           tile->form == group->form;
}

static int joins_last(const armilla_cuda_tiles *t, int most_warps, int64_t number)
{
    const armilla_kernel_group *group = &t->legendre->grouping.groups[number];
    if (t->count == 0) return 0;
    const armilla_cuda_tile *last = &t->tiles[t->count - 1];
    return has_room(t, last, most_warps, group) &&
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

/* Each vector of a group becomes a group; vectors follow each other as their pairs do. */
static void add_vectors(armilla_cuda_tiles *t, const armilla_kernel_group *group)
{
    for (int64_t offset = 0; offset < group->npairs; offset += ARMILLA_CUDA_WARP) {
        const int64_t number = t->nhalves_groups++;
        armilla_kernel_group *of = &t->halves_groups[number];
        *of = *group;
        of->first += offset, of->pair += offset;
        of->npairs = armilla_smaller(ARMILLA_CUDA_WARP, group->npairs - offset);
        of->nvec = 1, of->nfine = 0;
        armilla_cuda_tile *last = t->halves_count ? &t->halves_tiles[t->halves_count - 1] : NULL;
        if (last && last->group + last->ngroups == number &&
            has_room(t, last, ARMILLA_CUDA_HALVES_WARPS, of))
            last->ngroups++;
        else
            t->halves_tiles[t->halves_count++] = (armilla_cuda_tile){number, 1, of->form};
    }
}

static armilla_status make_halves(armilla_cuda_tiles *t)
{
    const armilla_legendre *l = t->legendre;
    int64_t vectors = 0;
    armilla_status status;
    for (int64_t g = 0; g < l->grouping.count; g++) vectors += l->grouping.groups[g].nvec;
    if ((status = armilla_allocate(&t->halves_groups, vectors, sizeof *t->halves_groups)) ||
        (status = armilla_allocate(&t->halves_tiles, vectors, sizeof *t->halves_tiles)))
        return status;
    for (int64_t g = 0; g < l->grouping.count; g++)
        if (l->grouping.groups[g].form < ARMILLA_FORM_SPIN && !needs_doubles(t, g))
            add_vectors(t, &l->grouping.groups[g]);
    for (int64_t tile = t->functions; tile < t->count; tile++)
        if (needs_doubles(t, t->tiles[tile].group)) t->in_double = tile + 1 - t->functions;
    return ARMILLA_OK;
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
    return precision.of_floats == ARMILLA_CUDA_IN_HALVES ? make_halves(tiles) : ARMILLA_OK;
}

void armilla_cuda_tiles_clear(armilla_cuda_tiles *tiles)
{
    armilla_release(tiles->tiles);
    armilla_release(tiles->halves_groups);
    armilla_release(tiles->halves_tiles);
}

/* The first of some tiles of such groups from a pair on. */
static int64_t find(const armilla_cuda_tile *tiles, int64_t count,
                    const armilla_kernel_group *groups, int64_t pair)
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (groups[tiles[middle].group].pair < pair)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t armilla_cuda_tiles_find(const armilla_cuda_tiles *tiles, int64_t pair)
{
    return find(tiles->tiles, tiles->count, tiles->legendre->grouping.groups, pair);
}

int64_t armilla_cuda_tiles_find_halves(const armilla_cuda_tiles *tiles, int64_t pair)
{
    return find(tiles->halves_tiles, tiles->halves_count, tiles->halves_groups, pair);
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
