/* Between spectra of masks and the nodes: what masks are there, and the adjoint of that. See
 * masks.h. */
#include "coupling/masks.h"

#include "base/memory.h"

#include <string.h>

/* A row of degrees, entries of leg, and the stage's own. */
typedef struct {
    double *memory, *row, *leg, *scratch;
} room;

static armilla_status take_room(const armilla_coupling *c, room *r)
{
    const int64_t row = armilla_round_line(2 * (c->lused + 1));
    const int64_t leg = armilla_round_line(4 * ARMILLA_COUPLING_BLOCK);
    const armilla_status status = armilla_allocate(
        &r->memory, row + leg + armilla_legendre_scratch_size(c->masks, 1), sizeof *r->memory);
    r->row = r->memory;
    if (!status) r->leg = r->row + row, r->scratch = r->leg + leg;
    return status;
}

static void weigh(const armilla_coupling *c, const double *mask, const room *r, double *weight)
{
    const armilla_legendre_sets sets = {.count = 1, .alm = r->row, .leg = r->leg};
    for (int64_t l = 0; l <= c->lused; l++)
        r->row[2 * l] = c->up[l] * mask[l], r->row[2 * l + 1] = 0;
    for (int64_t first = 0; first < c->pairs.count; first += ARMILLA_COUPLING_BLOCK) {
        const int64_t npairs = armilla_coupling_block_pairs(c, first);
        armilla_legendre_synthesis(c->masks, first, npairs, 0, &sets, r->scratch);
        for (int64_t i = 0; i < 2 * npairs; i++)
            weight[2 * first + i] = c->node[2 * first + i] * r->leg[2 * i];
    }
}

static void collect(const armilla_coupling *c, const double *values, const room *r, double *mask)
{
    armilla_legendre_sets sets = {.count = 1, .alm = r->row, .leg = r->leg};
    for (int64_t first = 0; first < c->pairs.count; first += ARMILLA_COUPLING_BLOCK) {
        const int64_t npairs = armilla_coupling_block_pairs(c, first);
        for (int64_t i = 0; i < 2 * npairs; i++)
            r->leg[2 * i] = values[2 * first + i], r->leg[2 * i + 1] = 0;
        armilla_legendre_analysis(c->masks, first, npairs, 0, &sets, r->scratch);
        sets.add = 1;
    }
    memset(mask, 0, (size_t)(c->lmask + 1) * sizeof *mask);
    for (int64_t l = 0; l <= c->lused; l++) mask[l] = c->up[l] * r->row[2 * l];
}

armilla_status armilla_coupling_weigh(const armilla_coupling *coupling, const double *masks,
                                      double *weight)
{
    room r;
    const armilla_status status = take_room(coupling, &r);
    for (int64_t i = 0; i < coupling->nmasks && !status; i++)
        weigh(coupling, masks + i * (coupling->lmask + 1), &r,
              weight + i * 2 * coupling->pairs.count);
    armilla_release(r.memory);
    return status;
}

armilla_status armilla_coupling_collect(const armilla_coupling *coupling, const double *values,
                                        double *masks)
{
    room r;
    const armilla_status status = take_room(coupling, &r);
    for (int64_t i = 0; i < coupling->nmasks && !status; i++)
        collect(coupling, values + i * 2 * coupling->pairs.count, &r,
                masks + i * (coupling->lmask + 1));
    armilla_release(r.memory);
    return status;
}
