/* Grids, legs and maps for the tests of the ring stage on the emulated GPU: what the device gives,
 * and what the stage of src/ringfft gives for the same legs and maps. */
#ifndef ARMILLA_TESTS_CUDA_RINGFFT_SCENE_H
#define ARMILLA_TESTS_CUDA_RINGFFT_SCENE_H

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/stages/ringfft.h"
#include "cuda_emulation/emulation.h"
#include "leg/passes.h"
#include "oracle/checks.h"
#include "ring_lengths.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OTHER_SAMPLE = 12345, PLENTY = 1 << 28 };

typedef enum {
    HEALPIX, /* size: nside */
    GAUSS,   /* size: rings, n samples */
    CLENSHAW,
    WIAUX, /* rings without mirror images */
    REDUCED,
    UNEQUAL,   /* pairs of rings of different length and any shift; some missing; size: pairs */
    SCATTERED, /* gaps, negative strides, offsets out of sequence */
    TINY,      /* rings of few samples */
    EVERY,     /* of every_ring_length; size: how many */
    SMOOTH     /* of smooth_ring_length from number n on, some missing; size: how many */
} rings_kind;

typedef struct {
    const char *name;
    rings_kind kind;
    int64_t size, n, mmax;
    int64_t nsets;
    int is_float;
    int64_t pass_pairs; /* 0: all in one pass */
} ring_case;

static const ring_case cases[] = {
    {"HEALPix 1", HEALPIX, 1, 0, 3, 1, 0, 0},
    {"HEALPix 2", HEALPIX, 2, 0, 7, 2, 0, 0},
    {"HEALPix 3", HEALPIX, 3, 0, 20, 1, 0, 0},
    {"HEALPix 8", HEALPIX, 8, 0, 24, 1, 0, 5},
    {"HEALPix 16", HEALPIX, 16, 0, 47, 1, 0, 0},
    {"HEALPix 16, floats", HEALPIX, 16, 0, 31, 2, 1, 13},
    {"Gauss-Legendre", GAUSS, 24, 48, 23, 2, 0, 0},
    {"Gauss-Legendre, odd", GAUSS, 13, 35, 12, 1, 0, 3},
    {"Gauss-Legendre, prime", GAUSS, 13, 53, 12, 1, 0, 3},
    {"Gauss-Legendre, folded", GAUSS, 12, 20, 50, 1, 0, 0},
    {"Gauss-Legendre, few orders", GAUSS, 12, 80, 5, 1, 0, 0},
    {"Clenshaw-Curtis", CLENSHAW, 25, 50, 24, 1, 0, 0},
    {"McEwen-Wiaux", WIAUX, 20, 39, 19, 1, 0, 0},
    {"reduced Gauss-Legendre", REDUCED, 48, 0, 47, 1, 0, 0},
    {"unequal rings", UNEQUAL, 13, 41, 60, 2, 0, 0},
    {"unequal rings, floats", UNEQUAL, 13, 70, 33, 1, 1, 4},
    {"scattered rings", SCATTERED, 9, 37, 30, 2, 0, 0},
    {"tiny rings", TINY, 12, 0, 25, 1, 0, 0},
};
enum { CASES = sizeof cases / sizeof *cases };

/* All smooth lengths, some in each case: fewer orders than half of the samples, more than these,
 * and more than all samples. */
enum { SMOOTH_TOGETHER = 40, SMOOTH_CASES = (SMOOTH_RING_LENGTHS - 1) / SMOOTH_TOGETHER + 1 };

static inline ring_case smooth_case(int number)
{
    const int64_t first = SMOOTH_TOGETHER * number;
    const int64_t size = armilla_smaller(SMOOTH_TOGETHER, SMOOTH_RING_LENGTHS - first);
    const int64_t longest = smooth_ring_length(first + size - 1);
    const int64_t mmax = number % 3 == 0 ? 81 : number % 3 == 1 ? longest / 2 : longest + 40;
    const int64_t nsets = number % 2 ? 1 : 3, pass_pairs = number % 4 == 1 ? 7 : 0;
    return (ring_case){"smooth rings", SMOOTH, size, first, 81 + mmax, nsets, 0, pass_pairs};
}

/* A length that is worth a cuFFT of its own. */
static const ring_case shared_length = {"Gauss-Legendre, long", GAUSS, 4, 4099, 12, 2, 0, 0};

/* Every other way there is, and some that have several passes. */
static const ring_case every_way = {"every way", EVERY, RING_LENGTHS, 0, 500, 2, 0, 0};
static const ring_case few_orders = {"few orders", EVERY, RING_LENGTHS, 0, 190, 3, 0, 0};
static const ring_case fewest_orders = {"fewest orders", EVERY, RING_LENGTHS, 0, 71, 2, 0, 0};
static const ring_case every_way_in_passes = {
    "every way, floats", EVERY, RING_LENGTHS, 0, 70, 1, 1, 12};

typedef struct {
    const ring_case *c;
    int64_t nrings;
    armilla_ring *rings;
    armilla_ring_pairs pairs;
    armilla_leg_passes passes;
    armilla_ringfft *ringfft; /* the processor's */
    int64_t distance, map_size;
    int weighted;
    int float_leg; /* are legs of the device floats? */
    armilla_cuda_ringfft *cuda;
    int64_t most;
} scene;

/* --- Rings ----------------------------------------------------------------------------------- */

static inline armilla_grid *new_grid_of(const ring_case *c)
{
    armilla_grid *grid = NULL;
    if (c->kind == HEALPIX) check_ok(armilla_grid_new_healpix(c->size, &grid));
    if (c->kind == GAUSS) check_ok(armilla_grid_new_gauss_legendre(c->size, c->n, &grid));
    if (c->kind == REDUCED)
        check_ok(armilla_grid_new_reduced_gauss_legendre(c->size, c->mmax, &grid));
    if (c->kind == CLENSHAW || c->kind == WIAUX)
        check_ok(armilla_grid_new_equidistant(
            c->kind == CLENSHAW ? ARMILLA_GRID_CC : ARMILLA_GRID_MW, c->size, c->n, &grid));
    return grid;
}

static inline void make_grid_rings(scene *s)
{
    armilla_grid *grid = new_grid_of(s->c);
    s->nrings = armilla_grid_nrings(grid);
    s->rings = grid_rings(grid);
    s->distance = armilla_grid_npix(grid);
    double *theta = checked_malloc(s->nrings, sizeof *theta);
    for (int64_t i = 0; i < s->nrings; i++) theta[i] = s->rings[i].theta;
    check_ok(armilla_ring_pairs_make_any(s->nrings, theta, s->c->mmax, s->c->mmax, 0, &s->pairs));
    free(theta);
    armilla_grid_free(grid);
}

/* A ring of a custom case without its offset. */
static inline armilla_ring custom_ring(const ring_case *c, int64_t pair, int south)
{
    static const int64_t tiny[] = {1, 11, 3, 13, 22, 31};
    armilla_ring ring = {1, c->n, 0, 0, 1, 0.5 + 0.01 * (double)(2 * pair + south)};
    if (c->kind == UNEQUAL) {
        ring.nphi += 3 * pair - (south ? pair % 3 : 0);
        ring.phi0 = pair % 2 ? M_PI * (double)(2 * pair + 3 * south) / (double)ring.nphi
                             : 0.1 * (double)pair - 7.3 * (double)south;
    }
    if (c->kind == EVERY) {
        ring.nphi = every_ring_length[pair];
        ring.phi0 = pair % 2 ? 0.3 * (double)(pair + south) : M_PI / (double)ring.nphi;
    }
    if (c->kind == SMOOTH) {
        ring.nphi = smooth_ring_length(c->n + pair);
        ring.phi0 = pair % 2 ? 0.7 * (double)pair - 0.2 * (double)south : M_PI / (double)ring.nphi;
    }
    if (c->kind == SCATTERED) {
        ring.stride = pair % 3 == 0 ? 2 : pair % 3 == 1 ? -1 : -3;
        ring.phi0 = pair % 2 ? 1234.5 : -M_PI / (double)ring.nphi;
    }
    if (c->kind == TINY) {
        ring.nphi = tiny[pair % 6];
        ring.phi0 = pair < 6 ? M_PI / (double)ring.nphi : 0.3 * (double)pair;
    }
    return ring;
}

/* Rings lie from the last to the first in the map, with gaps. Returned: its number, or -1. */
static inline int64_t add_ring(scene *s, int64_t pair, int south)
{
    const int some = s->c->kind == UNEQUAL || s->c->kind == SMOOTH;
    const int64_t without_north = s->c->kind == UNEQUAL ? pair % 4 == 2 : pair % 5 == 1;
    if (some && (south ? pair % 5 == 3 : without_north)) return -1;
    armilla_ring ring = custom_ring(s->c, pair, south);
    ring.offset = s->distance + (ring.stride < 0 ? (1 - ring.nphi) * ring.stride : 0);
    s->distance += ring.nphi * llabs(ring.stride) + 3;
    s->rings[s->nrings] = ring;
    return s->nrings++;
}

static inline void make_custom_rings(scene *s)
{
    const int64_t count = s->c->size;
    s->rings = checked_malloc(2 * count, sizeof *s->rings);
    check_ok(armilla_ring_pairs_allocate(count, &s->pairs));
    for (int64_t i = count - 1; i >= 0; i--) {
        s->pairs.south[i] = add_ring(s, i, 1), s->pairs.north[i] = add_ring(s, i, 0);
        s->pairs.theta[i] = s->pairs.south_theta[i] = 0;
        s->pairs.limit[i] = s->c->mmax - 2 * (count - 1 - i);
    }
}

/* --- Scenes ---------------------------------------------------------------------------------- */

static inline void make_passes(scene *s)
{
    const int64_t count = s->c->pass_pairs ? s->c->pass_pairs : s->pairs.count;
    const armilla_leg_shape shape = {.pairs = &s->pairs,
                                     .npairs = s->pairs.count,
                                     .room = 1,
                                     .kind = ARMILLA_ORDERS_ALL,
                                     .mmax = s->c->mmax};
    check_ok(armilla_leg_passes_by_pairs(&shape, count, &s->passes));
}

/* most: bytes of scratch; single: are calls of floats in single precision? In place: the passes
 * point to the pairs. */
static inline void set_up_in(scene *s, const ring_case *c, int64_t most, int single)
{
    *s = (scene){.c = c, .most = most};
    if (c->kind >= UNEQUAL)
        make_custom_rings(s);
    else
        make_grid_rings(s);
    s->distance += 5;
    s->map_size = c->nsets * s->distance - 5;
    make_passes(s);
    check_ok(armilla_ringfft_new(
        &(armilla_ringfft_problem){armilla_machine_with(ARMILLA_ISA_SCALAR), s->nrings, s->rings,
                                   c->mmax, 0, NULL, NULL, 0},
        &s->ringfft));
    check_ok(armilla_cuda_ringfft_new(s->rings, NULL, &s->passes, most, single, &s->cuda));
}

static inline void set_up(scene *s, const ring_case *c, int64_t most)
{
    set_up_in(s, c, most, 0);
}

static inline void tear_down(scene *s)
{
    armilla_cuda_ringfft_free(s->cuda);
    armilla_ringfft_free(s->ringfft);
    armilla_leg_passes_clear(&s->passes);
    armilla_ring_pairs_clear(&s->pairs);
    free(s->rings);
}

/* --- Legs ------------------------------------------------------------------------------------ */

static inline int64_t leg_size(const scene *s, int64_t pass)
{
    return s->c->nsets * s->passes.layouts[pass].size;
}

static inline double *new_leg(const scene *s, int64_t pass)
{
    double *values;
    check_ok(armilla_allocate(&values, leg_size(s, pass), sizeof *values));
    for (int64_t i = 0; i < leg_size(s, pass); i++) values[i] = NAN;
    return values;
}

static inline armilla_leg leg_of(const scene *s, int64_t pass, double *values)
{
    return (armilla_leg){&s->passes.layouts[pass], s->c->nsets, values, NULL, 0};
}

typedef void (*entry_function)(int64_t set, int64_t m, int64_t pair, int64_t place, void *data);

/* Calls it for all entries that exist; place: of the entry in the leg's values. */
static inline void each_entry(const scene *s, int64_t pass, entry_function function, void *data)
{
    const armilla_leg_block *block = s->passes.layouts[pass].blocks;
    for (int64_t set = 0; set < s->c->nsets; set++)
        for (int64_t i = 0; i < block->npairs; i++)
            for (int64_t m = 0; m <= s->pairs.limit[block->first + i]; m++)
                function(set, m, block->first + i,
                         (set * block->nrows + m) * block->row_length + 4 * i, data);
}

/* Any four numbers of the place, which are floats; random, so that samples are of one size.
 * Imaginary parts of order 0 do not count, those of missing rings neither. */
static inline double entry_value(int64_t set, int64_t m, int64_t pair, int i)
{
    uint64_t seed = (uint64_t)(1 + m * 7919 + pair * 104729 + set * 1299709 + i * 31);
    seed *= 0x9e3779b97f4a7c15u; /* neighbours far from each other */
    random_next(&seed);
    return (float)random_next(&seed);
}

static inline void set_entry(int64_t set, int64_t m, int64_t pair, int64_t place, void *values)
{
    for (int i = 0; i < 4; i++) ((double *)values)[place + i] = entry_value(set, m, pair, i);
}

/* --- Maps ------------------------------------------------------------------------------------ */

static inline size_t map_bytes(const scene *s)
{
    return (size_t)s->map_size * (s->c->is_float ? sizeof(float) : sizeof(double));
}

/* Numbers that are floats; seed 0: OTHER_SAMPLE. */
static inline void *new_map(const scene *s, uint64_t seed)
{
    armilla_array map = {checked_malloc(s->map_size, sizeof(double)), s->c->is_float};
    for (int64_t i = 0; i < s->map_size; i++)
        armilla_array_put(map, i, seed ? (float)random_next(&seed) : OTHER_SAMPLE);
    return map.values;
}

static inline armilla_ring_maps maps_of(const scene *s, void *values)
{
    return (armilla_ring_maps){
        .values = {values, s->c->is_float}, .distance = s->distance, .weighted = s->weighted};
}

/* --- The processor --------------------------------------------------------------------------- */

typedef void (*cpu_function)(const armilla_ringfft *ringfft, const armilla_leg *leg,
                             const armilla_ring_maps *maps, const armilla_work *work);

static inline void run_cpu(const scene *s, cpu_function function, int64_t pass, double *values,
                           void *map)
{
    armilla_progress progress;
    armilla_work work = {.nthreads = 1, .progress = &progress};
    const armilla_leg leg = leg_of(s, pass, values);
    const armilla_ring_maps maps = maps_of(s, map);
    work.scratch_size = armilla_round_line(armilla_ringfft_scratch_size(s->ringfft));
    check_ok(armilla_allocate(&work.scratch, work.scratch_size, sizeof(double)));
    armilla_progress_start(&progress, NULL, NULL, 1);
    function(s->ringfft, &leg, &maps, &work);
    armilla_release(work.scratch);
}

/* --- The device ------------------------------------------------------------------------------ */

typedef void (*cuda_function)(const armilla_cuda_ringfft *cuda, int64_t pass,
                              const armilla_leg *leg, const armilla_ring_maps *maps,
                              armilla_cuda_work *work);

static inline void *to_device(const void *host, size_t bytes)
{
    void *device;
    check_ok(armilla_cuda_upload(host, (int64_t)bytes, 1, "test", &device));
    return device;
}

static inline void from_device(void *host, void *device, size_t bytes)
{
    check_ok(armilla_cuda_status(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), "test"));
    armilla_cuda_release(device);
}

static inline cudaStream_t new_stream(void)
{
    cudaStream_t stream;
    check_ok(
        armilla_cuda_status(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "test"));
    return stream;
}

/* A leg of the host, which has doubles, to the device and back. */
static inline void *leg_to_device(const scene *s, int64_t pass, const double *values)
{
    const int64_t size = leg_size(s, pass);
    if (!s->float_leg) return to_device(values, sizeof *values * (size_t)size);
    float *floats = checked_malloc(size, sizeof *floats);
    to_float(size, values, floats);
    void *device = to_device(floats, sizeof *floats * (size_t)size);
    free(floats);
    return device;
}

static inline void leg_from_device(const scene *s, int64_t pass, double *values, void *device)
{
    const int64_t size = leg_size(s, pass);
    if (!s->float_leg) {
        from_device(values, device, sizeof *values * (size_t)size);
        return;
    }
    float *floats = checked_malloc(size, sizeof *floats);
    from_device(floats, device, sizeof *floats * (size_t)size);
    to_double(size, floats, values);
    free(floats);
}

/* One pass, on a stream of its own; leg and map of the host go to the device and back. */
static inline void run_cuda(const scene *s, cuda_function function, int64_t pass, double *values,
                            void *map)
{
    armilla_cuda_work work = {.stream = new_stream(),
                              .scratch_bytes = armilla_cuda_ringfft_scratch(s->cuda, s->c->nsets)};
    void *device_map = to_device(map, map_bytes(s));
    armilla_leg leg = leg_of(s, pass, leg_to_device(s, pass, values));
    leg.is_float = s->float_leg;
    const armilla_ring_maps maps = maps_of(s, device_map);
    check_ok(armilla_cuda_allocate(work.scratch_bytes, "scratch", &work.scratch));
    function(s->cuda, pass, &leg, &maps, &work);
    armilla_cuda_note(&work, cudaStreamSynchronize(work.stream));
    check_ok(armilla_cuda_status(work.error, "ring stage"));
    leg_from_device(s, pass, values, leg.values);
    from_device(map, device_map, map_bytes(s));
    armilla_cuda_release(work.scratch);
    cudaStreamDestroy(work.stream);
}

typedef void (*pass_function)(const scene *s, int64_t pass, double *leg, void *map);

static inline void cuda_to_map(const scene *s, int64_t pass, double *leg, void *map)
{
    run_cuda(s, armilla_cuda_ringfft_to_maps, pass, leg, map);
}

/* The product of a leg with that of entry_value, pass by pass. */
typedef struct {
    const double *leg;
    double sum;
} product;

/* Imaginary parts of order 0 do not count. */
static inline void add_product(int64_t set, int64_t m, int64_t pair, int64_t place, void *data)
{
    product *p = data;
    for (int i = 0; i < 4; i++)
        if (m > 0 || i % 2 == 0)
            p->sum += (m ? 2 : 1) * p->leg[place + i] * entry_value(set, m, pair, i);
}

/* The map of all passes of entry_value. */
static inline void *make_map(const scene *s, pass_function to_map)
{
    void *map = new_map(s, 0);
    for (int64_t pass = 0; pass < s->passes.count; pass++) {
        double *leg = new_leg(s, pass);
        each_entry(s, pass, set_entry, leg);
        to_map(s, pass, leg, map);
        armilla_release(leg);
    }
    return map;
}

static inline void *synthesise(const scene *s)
{
    return make_map(s, cuda_to_map);
}

/* The leg of one pass of the map of a seed. */
static inline double *analyse(const scene *s, int64_t pass, uint64_t seed)
{
    void *map = new_map(s, seed);
    double *leg = new_leg(s, pass);
    run_cuda(s, armilla_cuda_ringfft_from_maps, pass, leg, map);
    free(map);
    return leg;
}

#endif
