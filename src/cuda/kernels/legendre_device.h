/* What the kernels of the Legendre stage share: which group a warp works on, and steps in shared
 * memory. Included by .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_LEGENDRE_DEVICE_H
#define ARMILLA_CUDA_KERNELS_LEGENDRE_DEVICE_H

#define ARMILLA_SIMD_HEADER "cuda/kernels/simd_cuda.h"

#include "cuda/kernels/legendre_shape.h"
#include "cuda/kernels/two_floats.h"
#include "legendre/kernels/start.h"
#include "legendre/kernels/steps.h"

enum { WARP = ARMILLA_CUDA_WARP, CHUNK = ARMILLA_CUDA_CHUNK, STEPS = ARMILLA_KERNEL_STEPS };

#define FOR_THREADS(i, count) for (int i = threadIdx.x; i < (count); i += blockDim.x)

/* Before a loop that must not be unrolled: the compiler would keep the steps of a whole block in
 * registers, for all vectors that use them, and spill. */
#ifdef __CUDACC__
#define ARMILLA_ROLLED   _Pragma("unroll 1")
#define ARMILLA_UNROLLED _Pragma("unroll") /* so that arrays become registers */
#else
#define ARMILLA_ROLLED
#define ARMILLA_UNROLLED
#endif

/* What a block of threads works on. */
struct block_task {
    int order, m; /* number in the part; m */
    int tile;     /* number in the block of leg */
    int group;    /* of the warp */
    int form;
    int alive; /* has the warp a group with pairs on which the order matters? */
};

/* Blocks of threads follow each other tile by tile and, slower, order by order: orders with many
 * steps come first. */
static __device__ __forceinline__ block_task find_task(const armilla_cuda_view &view,
                                                       const armilla_cuda_part &part,
                                                       const armilla_cuda_leg_block &block)
{
    block_task task;
    const int warp = threadIdx.x / WARP, ntiles = (int)block.ntiles;
    task.order = blockIdx.x / ntiles, task.tile = blockIdx.x % ntiles;
    task.m = (int)view.orders[part.first_order + task.order];
    const armilla_cuda_tile tile = view.tiles[block.tile + task.tile];
    task.group = (int)tile.group + (warp < tile.ngroups ? warp : 0);
    task.form = tile.form;
    const armilla_kernel_group *group = &view.groups[task.group];
    task.alive =
        warp < tile.ngroups && group->pair + group->npairs > view.least_pair[task.m - view.mfirst];
    return task;
}

/* Does the order matter on some pair of a tile? It does on its last one first. */
static __device__ __forceinline__ int tile_matters(const armilla_cuda_view &view, int64_t number,
                                                   int64_t m)
{
    const armilla_cuda_tile tile = view.tiles[number];
    const armilla_kernel_group *last = &view.groups[tile.group + tile.ngroups - 1];
    return last->pair + last->npairs > view.least_pair[m - view.mfirst];
}

/* Steps of an order, with padding. */
static __device__ __forceinline__ int count_scalar_steps(const armilla_cuda_view &view, int m)
{
    return (int)(((view.top - m) / 2 + STEPS) / STEPS * STEPS);
}

/* Place of this lane in the index-th vector of a group; see vector_pair in
 * legendre/kernels/groups.h. */
static __device__ __forceinline__ int64_t lane_place(const armilla_kernel_group &group, int index)
{
    const int backwards = group.nfine == 1 && group.form == ARMILLA_FORM_EQUATOR;
    const int vector = backwards ? group.nvec - 1 - index : index;
    return group.first + vector * WARP + threadIdx.x % WARP;
}

static __device__ __forceinline__ armilla_kernel_power power_of(const armilla_cuda_view &view,
                                                                int64_t exponent)
{
    enum { LOW = 64 };
    const int64_t low = exponent % LOW * view.npadded;
    const int64_t high = (LOW + exponent / LOW) * view.npadded;
    armilla_kernel_power power;
    power.high_mantissa = view.power_mantissa + high;
    power.high_exponent = view.power_exponent + high;
    power.low_mantissa = view.power_mantissa + low;
    power.low_exponent = view.power_exponent + low;
    return power;
}

/* Which number of a block's leg the entry of a pair in the row of a task begins with. */
static __device__ __forceinline__ int64_t leg_entry(const armilla_cuda_part &part,
                                                    const armilla_cuda_leg_block &block,
                                                    const block_task &task, int64_t set,
                                                    int64_t pair)
{
    return set * block.set_length + (part.first_order + task.order) * block.row_length +
           4 * (pair - block.first_pair);
}

static __device__ __forceinline__ void *entry_place(const armilla_cuda_leg_block &block, int64_t at)
{
    return static_cast<char *>(block.leg) + (block.is_float ? 4 : 8) * at;
}

/* With plain stores CUDA 13 takes one of the two apart again, into 8 bytes each. */
static __device__ __forceinline__ void store_entry(const armilla_cuda_leg_block &block, int64_t at,
                                                   const double entry[4])
{
    void *place = entry_place(block, at);
    if (block.is_float) {
        __stwb(static_cast<float4 *>(place),
               make_float4((float)entry[0], (float)entry[1], (float)entry[2], (float)entry[3]));
    } else {
        double2 *to = static_cast<double2 *>(place);
        __stwb(to, make_double2(entry[0], entry[1]));
        __stwb(to + 1, make_double2(entry[2], entry[3]));
    }
}

/* exists: or else the entry is 0 */
static __device__ __forceinline__ void load_entry(const armilla_cuda_leg_block &block, int64_t at,
                                                  int exists, double entry[4])
{
    const void *place = entry_place(block, at);
    if (block.is_float) {
        const float4 none = make_float4(0, 0, 0, 0);
        const float4 number = exists ? *static_cast<const float4 *>(place) : none;
        entry[0] = number.x, entry[1] = number.y, entry[2] = number.z, entry[3] = number.w;
        return;
    }
    const double2 *from = static_cast<const double2 *>(place);
    const double2 none = make_double2(0, 0);
    const double2 north = exists ? from[0] : none, south = exists ? from[1] : none;
    entry[0] = north.x, entry[1] = north.y, entry[2] = south.x, entry[3] = south.y;
}

/* --- Scalar recurrence ----------------------------------------------------------------------- */

/* CHUNK steps of an order in shared memory. */
struct scalar_chunk {
    double2 plain[CHUNK], fine[CHUNK]; /* a, b; c1, c2 */
    double ceiling[CHUNK / STEPS];
};

/* The unit of numbers that need none: 1. See legendre_unit.h. */
struct unit_one {
    __device__ __forceinline__ double divide(double number) const
    {
        return number;
    }
    __device__ __forceinline__ double multiply(double number) const
    {
        return number;
    }
};

/* What the kernels of the scalar recurrence are made for: in_double, and those of
 * legendre_single.h. */
struct in_double {
    typedef double number; /* n of p's range, and weights */
    typedef double2 coefficients;
    typedef vec state;           /* of the recurrence, and p */
    typedef double value, total; /* of an entry of leg; a sum of synthesis, from chunk to chunk */
    typedef unit_one unit;       /* of coefficients and values */
    typedef scalar_chunk chunk;
    template <int NFINE> using sum = double; /* of a group with so many fine vectors */
    enum {
        PRECISION = 0,
        BLOCK = STEPS,
        SETS = 4
    }; /* BLOCK: steps with one ceiling; SETS: most
          that share a recurrence */
    static __device__ __forceinline__ void start(const armilla_kernel_order *order, int64_t place,
                                                 int fine, vec *current, vec *previous, vec *scale)
    {
        start_vector(order, place, fine, current, previous, scale);
    }
    static __device__ __forceinline__ void bring_into_range(vec *current, vec *previous, vec *scale,
                                                            double ceiling)
    {
        rescale(current, previous, scale, ceiling);
    }
};

static __device__ __forceinline__ void put_coefficients(double2 from, double2 *to)
{
    *to = from;
}

static __device__ __forceinline__ void put_sum(double from, double *to)
{
    *to = from;
}

/* Adds v p to a sum. fresh: it holds nothing yet. */
static __device__ __forceinline__ void add_product(double v, vec p, vec *sum, const int fresh)
{
    *sum = fresh ? v_mul(v, p) : v_fma(v, p, *sum);
}

/* Given: the first of `count` steps, and the place of the order's steps in the tables. */
static __device__ __forceinline__ void stage_scalar(const armilla_cuda_view &view, int64_t m,
                                                    int form, int64_t start, int64_t first,
                                                    int count, scalar_chunk *chunk)
{
    FOR_THREADS(i, count)
    {
        const double a_k = view.a[start + first + i];
        const scalar_step step = find_step(m, first + i, view.square_scale);
        double a, b, c1, c2;
        if (form == ARMILLA_FORM_POLE) {
            pole_plain(step, a_k, &a, &b);
            pole_fine(step, a_k, &c1, &c2);
        } else {
            equator_plain(step, a_k, &a, &b);
            equator_fine(step, a_k, &c1, &c2);
        }
        chunk->plain[i] = make_double2(a, b), chunk->fine[i] = make_double2(c1, c2);
    }
    FOR_THREADS(i, count / STEPS)
    chunk->ceiling[i] = view.ceiling[(start + first) / STEPS + i];
}

/* c: what advance() takes, with a distance of 1 */
static __device__ __forceinline__ void load_step(const scalar_chunk *chunk, int k, double c[4],
                                                 const int fine)
{
    const double2 plain = chunk->plain[k];
    c[0] = plain.x, c[1] = plain.y, c[2] = c[3] = 0;
    if (!fine) return;
    const double2 more = chunk->fine[k];
    c[2] = more.x, c[3] = more.y;
}

/* Step k of NVEC vectors, the first NFINE of them in the fine form. odd: k is odd. */
template <int NVEC, int NFINE>
static __device__ __forceinline__ void take_step(const scalar_chunk *chunk, int k, const vec *y,
                                                 vec *current, vec *previous, const int odd)
{
    double c[4];
    load_step(chunk, k, c, NFINE > 0);
    advance(c, 1, y, current, previous, odd, NVEC, NFINE);
}

/* Steps without sums, an even number of them. One vector: NVEC = 1. */
template <int NVEC, int NFINE, typename CHUNK_OF, typename STATE>
static __device__ __forceinline__ void run_steps(const CHUNK_OF *chunk, int k, int nsteps,
                                                 const STATE *y, STATE *current, STATE *previous)
{
    ARMILLA_ROLLED
    for (const int end = k + nsteps; k < end; k += 2) {
        ARMILLA_UNROLLED
        for (int j = 0; j < 2; j++) take_step<NVEC, NFINE>(chunk, k + j, y, current, previous, j);
    }
}

/* The recurrence on a group; in its registers, as all of the following. phase: 0 where no pair has
 * mattered yet, 1 where some have, 2 where all do. */
template <typename IN, int MOST> struct scalar_state {
    typedef IN input;
    enum { VECTORS = MOST };
    typename IN::state y[MOST], current[MOST], previous[MOST];
    typename IN::number scale[MOST];
    int phase;
};

static __device__ __forceinline__ void set_argument(double y, vec *argument)
{
    *argument = y;
}

/* The state before the first step. Vectors behind the group's last one are 0. */
template <typename IN, int MOST>
static __device__ __forceinline__ void start_state(const armilla_cuda_view &view, int64_t m,
                                                   const armilla_kernel_group &group,
                                                   scalar_state<IN, MOST> *s)
{
    armilla_kernel_order order;
    order.power = power_of(view, m);
    order.start_mantissa = view.start[m - view.mfirst];
    s->phase = 0;
    ARMILLA_UNROLLED
    for (int i = 0; i < MOST; i++) {
        s->y[i] = s->current[i] = s->previous[i] = typename IN::state();
        s->scale[i] = 0;
        if (i >= group.nvec) continue;
        const int64_t place = lane_place(group, i);
        set_argument(view.argument[place], &s->y[i]);
        IN::start(&order, place, i < group.nfine, &s->current[i], &s->previous[i], &s->scale[i]);
    }
}

/* Brings a group into range before a block of steps and finds its phase. Returned: whether any pair
 * matters. */
template <int NVEC, typename IN, int MOST>
static __device__ __forceinline__ int find_phase(typename IN::number ceiling,
                                                 scalar_state<IN, MOST> *s)
{
    if (s->phase == 2) return 1;
    int any = 0, all = LANES_ALL;
    ARMILLA_UNROLLED
    for (int i = 0; i < NVEC; i++) {
        IN::bring_into_range(&s->current[i], &s->previous[i], &s->scale[i], ceiling);
        const int small = v_lanes(v_negative(s->scale[i]));
        any |= small, all &= small;
    }
    s->phase = !any ? 2 : all == LANES_ALL ? 0 : 1;
    return s->phase > 0;
}

/* 0 for a lane that waits, else 1 */
template <typename T> static __device__ __forceinline__ T weight_of(T scale)
{
    return v_select(v_negative(scale), (T)0, (T)1);
}

/* A number that all lanes of a warp have: the compiler sees that they have the same and branch
 * together. Where it does not, each shuffle behind such a branch gets a second form for lanes that
 * have parted, and two moves for the result of either. */
static __device__ __forceinline__ int of_first_lane(int number)
{
    return __shfl_sync(0xffffffffu, number, 0);
}

/* Which case of the following suits a group: a number, which costs fewer registers than the group.
 * 0: none, the warp has no work. */
static __device__ __forceinline__ int find_case(const armilla_kernel_group &group, int alive)
{
    return of_first_lane(alive ? 4 * group.nvec + (group.nfine > 2 ? 2 : group.nfine) : 0);
}

/* Runs work<vectors, fine vectors>(arguments) with constants: `count` vectors, none of them fine,
 * the first one, or all. which: what find_case returned. */
#define ARMILLA_GROUP_CASE(work, count, ...)                                                       \
    if (MOST >= (count) && which / 4 == (count)) {                                                 \
        constexpr int vectors = MOST >= (count) ? (count) : 1;                                     \
        if (which % 4 == 0)                                                                        \
            work<vectors, 0>(__VA_ARGS__);                                                         \
        else if (which % 4 == 1)                                                                   \
            work<vectors, 1>(__VA_ARGS__);                                                         \
        else                                                                                       \
            work<vectors, vectors>(__VA_ARGS__);                                                   \
    }

#endif
