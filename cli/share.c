/* Deals the rings of a map to the ranks of a command, and finds pixels in what a rank has.
 */
#include "share.h"

#include "message.h"
#include "ranks.h"

#include <stdlib.h>
#include <string.h>

/* This process is alone: one span. */
static int take_all(pixel_share *self)
{
    self->npix = self->all;
    self->nspans = 1;
    self->spans = malloc(sizeof *self->spans);
    if (!self->spans) return memory_error();
    *self->spans = (armilla_span){0, self->all, 0};
    return CLI_OK;
}

static int list_spans(pixel_share *self)
{
    self->nspans = armilla_distribution_map_spans(self->distribution, self->rank, NULL);
    self->spans = malloc((size_t)(self->nspans + 1) * sizeof *self->spans);
    if (!self->spans) return memory_error();
    armilla_distribution_map_spans(self->distribution, self->rank, self->spans);
    self->npix = armilla_distribution_npix(self->distribution, self->rank);
    return CLI_OK;
}

static int deal(pixel_share *self)
{
    const armilla_transport *ranks = ranks_transport();
    const int64_t lmax = pixel_grid_lmax(&self->on);
    self->rank = ranks->rank;
    armilla_status status = armilla_distribution_new(self->on.grid, lmax, lmax, ranks->nranks, NULL,
                                                     &self->distribution);
    return status ? library_error(status, NULL) : list_spans(self);
}

int share_new(pixel_grid *grid, pixel_share *self)
{
    *self = (pixel_share){.on = *grid, .all = grid->npix};
    memset(grid, 0, sizeof *grid);
    return ranks_transport() ? ranks_agree(deal(self)) : take_all(self);
}

int share_choose(const grid_choice *choice, pixel_share *self)
{
    pixel_grid grid = {.grid = NULL};
    const int code = ranks_agree(pixel_grid_new(choice, &grid));
    return code == CLI_OK ? share_new(&grid, self) : code;
}

void share_free(pixel_share *self)
{
    armilla_distribution_free(self->distribution);
    pixel_grid_free(&self->on);
    free(self->spans);
    memset(self, 0, sizeof *self);
}

int64_t share_pixel(const pixel_share *self, int64_t index)
{
    int64_t low = 0, high = self->nspans;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (self->spans[middle].place <= index)
            low = middle;
        else
            high = middle;
    }
    return self->spans[low].begin + index - self->spans[low].place;
}

int64_t share_ring(const pixel_share *self, int64_t number, const armilla_ring *ring)
{
    if (!self->distribution) return ring->offset;
    return armilla_distribution_ring_offset(self->distribution, self->rank, number);
}

int64_t *share_ring_members(const pixel_share *self)
{
    if (!self->distribution) return NULL;
    const int64_t nrings = armilla_grid_nrings(self->on.grid);
    const int64_t nranks = armilla_distribution_nranks(self->distribution);
    int64_t *members = malloc((size_t)(2 * nrings) * sizeof *members);
    if (!members) {
        memory_error();
        return NULL;
    }
    for (int64_t rank = 0; rank < nranks; rank++) {
        int64_t *rings = members + nrings;
        const int64_t count = armilla_distribution_rings(self->distribution, rank, rings);
        for (int64_t i = 0; i < count; i++) members[rings[i]] = rank;
    }
    return members;
}
