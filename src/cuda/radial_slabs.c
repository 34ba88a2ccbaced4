/* Runs radial convolutions on maps of the host by slabs: some rows of output, and the rows that
 * their kernels reach, go to the device while the kernels of the slab before run there.
 *
 *     copies    in 0 | in 1 | out 0 | in 2 | out 1 | ...
 *     kernels          0    |  1    |        2     | ...
 *
 * A map whose rows follow each other is copied in stretches; of another one the host gathers and
 * scatters pixels, ring by ring. Every pixel has the bits of a call for whole maps. */
#include "cuda/radial_plan.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/nested.h"

enum { SLOTS = 2 };

/* --- Cuts ------------------------------------------------------------------------------------- */

/* Rows from .. to - 1, and their images. */
static armilla_cuda_radial_window make_window(const armilla_cuda_radial *radial, int64_t from,
                                              int64_t to)
{
    const int64_t *packed = radial->packed, from_image = radial->nrows - to;
    const int64_t to_image = radial->nrows - from;
    armilla_cuda_radial_window w = {.row = {from, from_image}, .end = {to, to_image}, .count = 1};
    if (radial->mirrored && from_image > to)
        w.count = 2;
    else if (radial->mirrored) {
        w.row[0] = armilla_smaller(from, from_image);
        w.end[0] = armilla_larger(to, to_image);
    }
    w.first[0] = w.first[1] = packed[w.row[0]];
    w.items = packed[w.end[0]] - packed[w.row[0]];
    if (w.count == 1) return w;
    w.first[1] = packed[w.row[1]] - w.items;
    w.items += packed[w.end[1]] - packed[w.row[1]];
    return w;
}

/* The sources of rows, also those of weights. */
static armilla_cuda_radial_slab make_slab(const armilla_cuda_radial *radial, int64_t begin,
                                          int64_t end)
{
    const armilla_cuda_radial_row *a = &radial->rows[begin], *b = &radial->rows[end - 1];
    int64_t from = a->from, to = b->from + b->nlinks;
    if (radial->scalar) {
        a = &radial->scalar->rows[begin], b = &radial->scalar->rows[end - 1];
        from = armilla_smaller(from, a->from), to = armilla_larger(to, b->from + b->nlinks);
    }
    return (armilla_cuda_radial_slab){begin, end, make_window(radial, from, to),
                                      make_window(radial, begin, end)};
}

/* Where the parts of a slab are in its memory. */
typedef struct {
    int64_t out, weights, means, size;
} parts;

static parts find_parts(const armilla_cuda_radial *radial, const armilla_cuda_radial_slab *slab,
                        int64_t item, int weighted)
{
    const int64_t ncomp = radial->view.ncomp;
    parts p = {.out = armilla_cuda_round_part(ncomp * item * slab->in.items)};
    p.weights = p.out + armilla_cuda_round_part(ncomp * item * slab->out.items);
    p.means = p.weights + (weighted ? armilla_cuda_round_part(8 * slab->in.items) : 0);
    p.size = p.means + (weighted ? armilla_cuda_round_part(8 * slab->out.items) : 0);
    return p;
}

static int64_t size_of(const armilla_cuda_radial *radial, int64_t begin, int64_t end, int64_t item,
                       int weighted)
{
    const armilla_cuda_radial_slab slab = make_slab(radial, begin, end);
    return find_parts(radial, &slab, item, weighted).size;
}

/* As many rows as half of the memory has room for, one at least; all, where nothing bounds it. */
static int64_t find_end(const armilla_cuda_radial *radial, int64_t begin, int64_t end, int64_t item,
                        int weighted)
{
    const int64_t most = radial->device_bytes;
    if (!most || size_of(radial, begin, end, item, weighted) <= most / SLOTS) return end;
    int64_t at = begin + 1;
    while (at < end && size_of(radial, begin, at + 1, item, weighted) <= most / SLOTS) at++;
    return at;
}

/* Bytes of the largest slab, and how many are there at a time. */
static int64_t find_largest(const armilla_cuda_radial *radial, int64_t begin, int64_t end,
                            int64_t item, int weighted, int64_t *slots)
{
    int64_t most = 0, count = 0;
    for (int64_t first = begin; first < end; count++) {
        const int64_t to = find_end(radial, first, end, item, weighted);
        most = armilla_larger(most, size_of(radial, first, to, item, weighted));
        first = to;
    }
    *slots = count > 1 ? SLOTS : 1;
    return most;
}

int64_t armilla_cuda_radial_slab_bytes(const armilla_cuda_radial *radial, int64_t begin,
                                       int64_t end, int64_t item, int weighted)
{
    int64_t slots;
    const int64_t largest = find_largest(radial, begin, end, item, weighted, &slots);
    return slots * largest;
}

/* --- Copies ----------------------------------------------------------------------------------- */

typedef struct {
    armilla_cuda_radial_run_state *r;
    int64_t item, slots, slot_bytes;
    char *staged; /* room for a component of a window on the host; NULL: none is needed */
    /* the slab that waits to be copied back */
    armilla_cuda_radial_slab waiting;
    int64_t waiting_map, waiting_slot;
    int waits;
} flow;

static void copy_items(void *to, int64_t to_item, const void *from, int64_t from_item, int64_t size)
{
    if (size == 8)
        ((uint64_t *)to)[to_item] = ((const uint64_t *)from)[from_item];
    else
        ((uint32_t *)to)[to_item] = ((const uint32_t *)from)[from_item];
}

/* Between the rows of a window of a map and a packed copy on the host. */
static void move_rows(const armilla_cuda_radial *radial, const armilla_cuda_radial_window *w,
                      void *map, void *packed, int64_t size, int to_map)
{
    const armilla_scheme scheme = armilla_nested_scheme(radial->view.nside);
    int64_t at = 0;
    for (int64_t k = 0; k < w->count; k++)
        for (int64_t i = w->row[k]; i < w->end[k]; i++) {
            const armilla_cuda_radial_row *row = &radial->rows[i];
            for (int64_t j = 0; j < row->n; j++, at++) {
                int64_t place = row->offset[0] + j * row->stride[0];
                if (radial->view.nside) {
                    const armilla_face_position p =
                        armilla_ring_place(&scheme, row->ring[0] + 1, j);
                    place = armilla_face_to_nest(&scheme, &p);
                }
                if (to_map)
                    copy_items(map, place, packed, at, size);
                else
                    copy_items(packed, at, map, place, size);
            }
        }
}

/* One component of a window to the device. The host may fill `staged` again afterwards: on GPUs
 * that read the host's pages themselves a copy need not have been made when the call for it
 * returns. */
static void bring(flow *f, const armilla_cuda_array *array, int64_t component, int64_t size,
                  const armilla_cuda_radial_window *w, char *device)
{
    armilla_cuda_radial_run_state *r = f->r;
    char *map = (char *)array->values.values + component * r->call->exec.map_distance * size;
    armilla_cuda_copied copied = {.ncomp = 1, .step = 1, .pinned = array->copied.pinned};
    if (f->staged) {
        copied.size = w->items * size, copied.pinned = 0;
        move_rows(r->radial, w, map, f->staged, size, 0);
        armilla_cuda_copy_to_device(r->frame.copier, &copied, 1, device, f->staged, &r->frame.work);
        if (!r->frame.copier)
            armilla_cuda_note(&r->frame.work, cudaStreamSynchronize(r->frame.work.stream));
        return;
    }
    for (int64_t k = 0; k < w->count; k++) {
        const int64_t *packed = r->radial->packed, base = r->radial->rows[0].offset[0];
        copied.size = (packed[w->end[k]] - packed[w->row[k]]) * size;
        armilla_cuda_copy_to_device(r->frame.copier, &copied, 1, device,
                                    map + (base + packed[w->row[k]]) * size, &r->frame.work);
        device += copied.size;
    }
}

/* And back. */
static void take(flow *f, int64_t component, const armilla_cuda_radial_window *w, char *device)
{
    armilla_cuda_radial_run_state *r = f->r;
    char *map = (char *)r->frame.array[ARMILLA_CUDA_RADIAL_OUT].values.values +
                component * r->call->exec.map_distance * f->item;
    armilla_cuda_copied copied = {
        .ncomp = 1, .step = 1, .pinned = r->frame.array[ARMILLA_CUDA_RADIAL_OUT].copied.pinned};
    if (f->staged) {
        copied.size = w->items * f->item, copied.pinned = 0;
        armilla_cuda_copy_to_host(r->frame.copier, &copied, 1, f->staged, device, &r->frame.work);
        if (!r->frame.copier)
            armilla_cuda_note(&r->frame.work, cudaStreamSynchronize(r->frame.work.stream));
        if (!r->frame.work.error) move_rows(r->radial, w, map, f->staged, f->item, 1);
        return;
    }
    for (int64_t k = 0; k < w->count; k++) {
        const int64_t *packed = r->radial->packed, base = r->radial->rows[0].offset[0];
        copied.size = (packed[w->end[k]] - packed[w->row[k]]) * f->item;
        armilla_cuda_copy_to_host(r->frame.copier, &copied, 1,
                                  map + (base + packed[w->row[k]]) * f->item, device,
                                  &r->frame.work);
        device += copied.size;
    }
}

static void take_back(flow *f)
{
    const armilla_cuda_radial *radial = f->r->radial;
    const int64_t ncomp = radial->view.ncomp;
    if (!f->waits || f->r->frame.array[ARMILLA_CUDA_RADIAL_OUT].on_device) return;
    const parts p = find_parts(radial, &f->waiting, f->item, f->r->call->weights != NULL);
    char *out = f->r->frame.memory + f->waiting_slot * f->slot_bytes + p.out;
    armilla_cuda_copier_wait(f->r->frame.copier, (int)f->waiting_slot, &f->r->frame.work);
    for (int64_t c = 0; c < ncomp; c++)
        take(f, f->waiting_map * ncomp + c, &f->waiting.out,
             out + c * f->waiting.out.items * f->item);
    f->waits = 0;
}

/* --- A slab ----------------------------------------------------------------------------------- */

static armilla_cuda_radial_layout layout_of(const flow *f, const armilla_cuda_array *array,
                                            const armilla_cuda_radial_window *w)
{
    const int is_float = array->values.is_float;
    if (array->on_device)
        return (armilla_cuda_radial_layout){.distance = f->r->call->exec.map_distance,
                                            .is_float = is_float};
    return (armilla_cuda_radial_layout){w->items, {w->first[0], w->first[1]}, 1, is_float};
}

static void bring_slab(flow *f, const armilla_cuda_radial_slab *slab, int64_t map, char *memory,
                       const parts *p)
{
    armilla_cuda_radial_run_state *r = f->r;
    const int64_t ncomp = r->radial->view.ncomp;
    for (int64_t c = 0; c < ncomp && !r->frame.array[ARMILLA_CUDA_RADIAL_MAP].on_device; c++)
        bring(f, &r->frame.array[ARMILLA_CUDA_RADIAL_MAP], map * ncomp + c, f->item, &slab->in,
              memory + c * slab->in.items * f->item);
    if (r->call->weights) bring(f, &r->weights, 0, 8, &slab->in, memory + p->weights);
}

static void compute_slab(flow *f, const armilla_cuda_radial_slab *slab, int64_t map, char *memory,
                         const parts *p)
{
    armilla_cuda_radial_run_state *r = f->r;
    const int64_t place = map * r->radial->view.ncomp * r->call->exec.map_distance;
    armilla_cuda_radial_maps maps = {
        .in = memory,
        .out = memory + p->out,
        .in_layout = layout_of(f, &r->frame.array[ARMILLA_CUDA_RADIAL_MAP], &slab->in),
        .out_layout = layout_of(f, &r->frame.array[ARMILLA_CUDA_RADIAL_OUT], &slab->out),
        .count = 1,
        .adjoint = r->call->adjoint};
    if (r->frame.array[ARMILLA_CUDA_RADIAL_MAP].on_device)
        maps.in = armilla_array_from(r->frame.array[ARMILLA_CUDA_RADIAL_MAP].values, place).values;
    if (r->frame.array[ARMILLA_CUDA_RADIAL_OUT].on_device)
        maps.out = armilla_array_from(r->frame.array[ARMILLA_CUDA_RADIAL_OUT].values, place).values;
    if (r->call->weights) {
        maps.weights = (const double *)(const void *)(memory + p->weights);
        maps.means = (const double *)(const void *)(memory + p->means);
        armilla_cuda_radial_sum_weights(r, slab->begin, slab->end, &maps,
                                        (double *)(void *)(memory + p->means));
    }
    armilla_cuda_radial_launch(r, slab->begin, slab->end, maps);
}

static armilla_status run_slab(flow *f, const armilla_cuda_radial_slab *slab, int64_t map,
                               int64_t slot)
{
    armilla_cuda_radial_run_state *r = f->r;
    const parts p = find_parts(r->radial, slab, f->item, r->call->weights != NULL);
    char *memory = r->frame.memory + slot * f->slot_bytes;
    armilla_cuda_copier_wait(r->frame.copier, (int)slot, &r->frame.work);
    bring_slab(f, slab, map, memory, &p);
    armilla_cuda_copier_arrive(r->frame.copier, &r->frame.work);
    compute_slab(f, slab, map, memory, &p);
    armilla_cuda_copier_computed(r->frame.copier, (int)slot, &r->frame.work);
    if (f->slots > 1) take_back(f);
    f->waiting = *slab, f->waiting_map = map, f->waiting_slot = slot, f->waits = 1;
    if (f->slots == 1) take_back(f);
    return armilla_cuda_frame_reached(&r->frame, slab->end - slab->begin);
}

static armilla_status run_maps(flow *f)
{
    const armilla_cuda_radial_run_state *r = f->r;
    const int weighted = r->call->weights != NULL;
    armilla_status status = ARMILLA_OK;
    int64_t done = 0;
    for (int64_t map = 0; map < r->call->exec.ntrans; map++)
        for (int64_t first = r->begin; first < r->end && !status; done++) {
            const int64_t end = find_end(r->radial, first, r->end, f->item, weighted);
            const armilla_cuda_radial_slab slab = make_slab(r->radial, first, end);
            status = run_slab(f, &slab, map, done % f->slots);
            first = end;
        }
    if (!status) take_back(f);
    return status;
}

/* Room for one component of the largest window, where the host has to gather pixels. */
static armilla_status stage(flow *f)
{
    if (f->r->radial->in_sequence) return ARMILLA_OK;
    return armilla_allocate(&f->staged, armilla_larger(f->slot_bytes, 1), 1);
}

armilla_status armilla_cuda_radial_run_slabs(armilla_cuda_radial_run_state *r)
{
    const armilla_cuda_radial *radial = r->radial;
    flow f = {.r = r, .item = armilla_array_item_size(r->call->map)};
    if (r->begin >= r->end) return ARMILLA_OK;
    f.slot_bytes =
        find_largest(radial, r->begin, r->end, f.item, r->call->weights != NULL, &f.slots);
    armilla_cuda_frame_lock(&r->frame, radial->enqueuing);
    if (f.slots > 1) r->frame.copier = armilla_cuda_copier_take(radial->device, f.slot_bytes);
    armilla_status status = armilla_cuda_frame_take(&r->frame, f.slots * f.slot_bytes, 0);
    if (!status) status = stage(&f);
    if (!status) status = run_maps(&f);
    armilla_release(f.staged); /* each of its copies has been waited for */
    return status;
}
