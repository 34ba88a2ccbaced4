/* Missing values of maps that may be in the memory of a GPU. See missing.h. */
#include "call/missing.h"

#include "base/memory.h"
#include "cuda/missing.h"
#include "grid/grid.h"

typedef struct {
    const armilla_grid *grid;
    const armilla_missing_maps *maps;
    const armilla_missing_part *part;
    int nthreads;
    armilla_cuda_looked there;
} looking;

static void add(const armilla_missing_values *some, armilla_missing_values *all)
{
    if (some->count && (!all->count || some->first < all->first))
        all->first = some->first, all->value = some->value;
    all->count += some->count;
}

/* copy: of the host, for a component. Indices are those of all of them. */
static armilla_status look_at(const looking *l, int64_t component, void *copy,
                              armilla_missing_values *all)
{
    const armilla_missing_maps here = {
        {copy, l->maps->map.is_float}, l->there.size, l->maps->weights};
    armilla_missing_part part = {.first = 0};
    armilla_missing_values some;
    if (l->part) part = *l->part, part.first += component;
    armilla_status status = armilla_cuda()->missing->fetch(&l->there, component, copy);
    if (!status)
        status =
            armilla_missing_find(l->grid, 1, &here, l->part ? &part : NULL, l->nthreads, &some);
    if (status) return status;
    if (!l->part) some.first += component * l->maps->distance;
    add(&some, all);
    return ARMILLA_OK;
}

static armilla_status look_at_all(const looking *l, armilla_missing_values *all)
{
    double *copy;
    armilla_status status = armilla_allocate(&copy, l->there.size, sizeof *copy);
    for (int64_t c = 0; c < l->there.ncomp && !status; c++) status = look_at(l, c, copy, all);
    armilla_release(copy);
    return status;
}

armilla_status armilla_missing_find_there(int device, const armilla_grid *grid, int64_t ncomponents,
                                          int64_t size, const armilla_missing_maps *maps,
                                          const armilla_missing_part *part,
                                          const armilla_exec *exec, armilla_missing_values *found)
{
    looking l = {grid,
                 maps,
                 part,
                 exec->nthreads,
                 {maps->map, ncomponents, maps->distance, size, device, exec->stream}};
    int there, suspects;
    *found = (armilla_missing_values){.count = 0};
    if (ncomponents == 0 || size == 0) return ARMILLA_OK;
    const armilla_status status =
        armilla_cuda()->missing->look(exec->memory, &l.there, &there, &suspects);
    if (status) return status;
    if (!there) return armilla_missing_find(grid, ncomponents, maps, part, exec->nthreads, found);
    return suspects ? look_at_all(&l, found) : ARMILLA_OK;
}

armilla_status armilla_missing_check_there(int device, const armilla_grid *grid,
                                           int64_t ncomponents, const armilla_missing_maps *maps,
                                           const armilla_exec *exec)
{
    armilla_missing_values found;
    if (exec->missing != ARMILLA_MISSING_ERROR || ncomponents == 0) return ARMILLA_OK;
    const armilla_status status =
        armilla_missing_find_there(device, grid, ncomponents, grid->npix, maps, NULL, exec, &found);
    if (status || !found.count) return status;
    return armilla_missing_fail(&found, ncomponents, maps->distance);
}
