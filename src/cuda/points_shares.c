/* Deals the points of a plan out to the GPUs whose strips of samples they see. The first GPU says
 * which tiles they are in, by the kernel that sorts them, so that no other rounding decides. */
#include "base/device_list.h"
#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/points_group_plan.h"

/* --- Tiles of points -------------------------------------------------------------------------- */

enum { CHUNK = 1 << 20 }; /* points that are looked at together */

/* tile[i] of point i, both on the host. memory: of the device, for a chunk. */
static armilla_status run_chunks(const armilla_cuda_point_tiling *tiling, int64_t count,
                                 const double *points, char *memory, uint32_t *tile)
{
    armilla_cuda_work work = {.stream = NULL};
    for (int64_t i = 0; i < count; i += CHUNK) {
        const int64_t some = armilla_smaller(CHUNK, count - i);
        double *there = (double *)(void *)memory;
        uint32_t *key = (uint32_t *)(void *)(there + 2 * some);
        armilla_cuda_note(&work, cudaMemcpy(there, points + 2 * i, (size_t)some * 2 * sizeof *there,
                                            cudaMemcpyHostToDevice));
        armilla_cuda_note(&work, armilla_cuda_points_number(tiling, some, there, key, work.stream));
        armilla_cuda_note(
            &work, cudaMemcpy(tile + i, key, (size_t)some * sizeof *key, cudaMemcpyDeviceToHost));
    }
    return armilla_cuda_work_status(&work, "dealing points out");
}

static armilla_status find_there(const armilla_cuda_point_tiling *tiling, int64_t count,
                                 const double *points, uint32_t *tile)
{
    const int64_t bytes = armilla_smaller(CHUNK, count) * (2 * (int64_t)sizeof(double) + 4);
    void *memory;
    armilla_status status = armilla_cuda_allocate(bytes, "points", &memory);
    if (status) return status;
    status = run_chunks(tiling, count, points, memory, tile);
    armilla_cuda_release(memory);
    return status;
}

static armilla_status find_tiles(int device, const armilla_cuda_point_tiling *tiling, int64_t count,
                                 const double *points, uint32_t *tile)
{
    int before;
    armilla_status status = armilla_cuda_enter_device(device, &before);
    if (status) return status;
    status = find_there(tiling, count, points, tile);
    armilla_cuda_leave_device(device, before);
    return armilla_device_name(device, status);
}

/* --- Parts ------------------------------------------------------------------------------------ */

typedef struct {
    const armilla_cuda_points_problem *problem;
    armilla_cuda_point_tiling tiling;
    int64_t count;
    const double *points;
    uint32_t *tile;
} dealt;

/* Some bands of both hemispheres. */
typedef struct {
    int64_t first, end;
} bands;

static int has(const dealt *d, int64_t i, bands b)
{
    const int64_t band = d->tile[i] / d->tiling.ncolumns % d->tiling.nbands;
    return b.first <= band && band < b.end;
}

/* These, and the bands whose points see rings of the member's strips, as its calls have it. */
static bands bands_beside(const armilla_cuda_points_member *m, bands own)
{
    const armilla_cuda_points_stages_problem *p = &m->stages->problem;
    return (bands){own.first - (own.first > 0), own.end + (m->end_strip < p->nstrips)};
}

/* Numbers of the points; counts them, where there is no room yet. */
static void list_points(const dealt *d, const armilla_cuda_points_member *m,
                        armilla_cuda_points_part *part)
{
    const armilla_cuda_points_strip *strips = m->stages->problem.strips;
    const bands own = {strips[m->first_strip].band, strips[m->end_strip - 1].end_band};
    const bands all = bands_beside(m, own);
    int64_t n[2] = {0, part->nown};
    for (int64_t i = 0; i < d->count; i++) {
        const int beside = !has(d, i, own);
        if (beside && !has(d, i, all)) continue;
        if (part->number) part->number[n[beside]] = (uint32_t)i;
        n[beside]++;
    }
    part->nown = n[0], part->count = n[1] + (part->number ? 0 : n[0]);
}

static armilla_status sort_part(const dealt *d, const armilla_cuda_points_member *m,
                                armilla_cuda_points_part *part)
{
    double *points;
    armilla_status status = armilla_allocate(&points, 2 * part->count, sizeof *points);
    if (status) return status;
    for (int64_t i = 0; i < part->count; i++)
        for (int k = 0; k < 2; k++) points[2 * i + k] = d->points[2 * (int64_t)part->number[i] + k];
    status =
        armilla_cuda_points_sorted(m->stages, d->problem, part->count, points, 0, &part->points);
    armilla_release(points);
    return armilla_device_name(m->device, status);
}

static armilla_status make_part(const dealt *d, const armilla_cuda_points_member *m,
                                armilla_cuda_points_part *part)
{
    list_points(d, m, part);
    armilla_status status = armilla_allocate(&part->number, part->count, sizeof *part->number);
    if (status) return status;
    list_points(d, m, part);
    return sort_part(d, m, part);
}

static armilla_status deal(const armilla_cuda_points_group *g, dealt *d,
                           armilla_cuda_points_shares *s)
{
    armilla_status status = armilla_allocate(&d->tile, d->count, sizeof *d->tile);
    if (!status && d->count)
        status = find_tiles(g->members[0].device, &d->tiling, d->count, d->points, d->tile);
    for (int64_t i = 0; i < g->count && !status; i++)
        status = make_part(d, &g->members[i], &s->parts[i]);
    armilla_release(d->tile);
    return status;
}

/* --- Plans ------------------------------------------------------------------------------------ */

static armilla_status make(const armilla_cuda_points_group *g,
                           const armilla_cuda_points_problem *problem, const double *points,
                           int on_device, armilla_cuda_points_shares *s)
{
    armilla_cuda_points_problem all = *problem;
    all.total = s->count;
    if (g->is_one) {
        s->parts[0].nown = s->parts[0].count = s->count;
        return armilla_cuda_points_sorted(g->members[0].stages, &all, s->count, points, on_device,
                                          &s->parts[0].points);
    }
    dealt d = {.problem = &all,
               .tiling = armilla_cuda_points_tiling(&all),
               .count = s->count,
               .points = points};
    return deal(g, &d, s);
}

static void release_angles(const armilla_cuda_points_member *m, double *gamma)
{
    int before;
    if (!gamma) return;
    armilla_cuda_enter_to_free(m->device, &before);
    armilla_cuda_release(gamma);
    armilla_cuda_leave_device(m->device, before);
}

static void free_shares(void *object)
{
    armilla_cuda_points_shares *s = object;
    for (int64_t i = 0; i < s->group->count && s->parts; i++) {
        const armilla_cuda_points_member *m = &s->group->members[i];
        armilla_cuda_points_sorted_free(m->stages, s->parts[i].points);
        release_angles(m, s->parts[i].gamma);
        armilla_release(s->parts[i].number);
    }
    armilla_release(s->parts);
    armilla_release(s);
}

/* Device bytes of the GPU that has to hold most. */
static int64_t count_bytes(const armilla_cuda_points_shares *s)
{
    int64_t most = 0;
    for (int64_t i = 0; i < s->group->count; i++) {
        const armilla_cuda_points_part *part = &s->parts[i];
        const int64_t angles = part->gamma ? part->count * (int64_t)sizeof *part->gamma : 0;
        most = armilla_larger(most, armilla_cuda_points_stages_bytes(s->group->members[i].stages) +
                                        armilla_cuda_points_held_bytes(part->points) + angles);
    }
    return most;
}

armilla_status armilla_cuda_points_shares_new(const armilla_cuda_points_group *group,
                                              const armilla_cuda_points_problem *problem,
                                              int64_t count, const double *points, int on_device,
                                              armilla_cuda_points_shares **shares)
{
    armilla_cuda_points_shares *s;
    armilla_status status = armilla_allocate_zero(&s, 1, sizeof *s);
    if (status) return status;
    s->object.free = free_shares, s->object.device = group->object.device;
    s->group = group, s->count = count;
    status = armilla_allocate_zero(&s->parts, group->count, sizeof *s->parts);
    if (!status) status = make(group, problem, points, on_device, s);
    if (status) {
        free_shares(s);
        return status;
    }
    s->object.bytes = count_bytes(s);
    *shares = s;
    return ARMILLA_OK;
}

/* --- Values that turn ------------------------------------------------------------------------- */

/* Streams that do not meet the default one would not wait for the copy. */
static armilla_status upload_there(int device, int64_t count, const double *gamma, double **there)
{
    int before;
    armilla_status status = armilla_cuda_enter_device(device, &before);
    if (status) return status;
    status = armilla_cuda_upload(gamma, count, sizeof *gamma, "angles", (void **)there);
    if (!status) status = armilla_cuda_status(cudaDeviceSynchronize(), "waiting for angles");
    armilla_cuda_leave_device(device, before);
    return status;
}

static armilla_status upload_angles(const armilla_cuda_points_member *m, const double *gamma,
                                    armilla_cuda_points_part *part)
{
    double *own;
    armilla_status status = armilla_allocate(&own, part->count, sizeof *own);
    if (status) return status;
    for (int64_t i = 0; i < part->count; i++) own[i] = gamma[part->number[i]];
    status = upload_there(m->device, part->count, own, &part->gamma);
    armilla_release(own);
    return armilla_device_name(m->device, status);
}

armilla_status armilla_cuda_points_shares_turn(armilla_cuda_points_shares *shares,
                                               const armilla_cuda_points_turn *turn)
{
    const armilla_cuda_points_group *group = shares->group;
    armilla_status status = ARMILLA_OK;
    shares->turn = *turn;
    for (int64_t i = 0; turn->gamma && i < group->count && !status; i++)
        status = upload_angles(&group->members[i], turn->gamma, &shares->parts[i]);
    shares->object.bytes = count_bytes(shares);
    return status;
}
