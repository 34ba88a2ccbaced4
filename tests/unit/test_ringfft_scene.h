/* Legs and maps for the tests of the ring FFT stage: problems, rings, entries that are functions of
 * their place, and what runs the stage on them. */
#ifndef ARMILLA_TESTS_RINGFFT_SCENE_H
#define ARMILLA_TESTS_RINGFFT_SCENE_H

#include "forced_lanes.h"
#include "base/memory.h"
#include "oracle/checks.h"
#include "oracle/ring_waves.h"
#include "ringfft/stage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 3, OTHER_SAMPLE = 12345 };

/* The rings of a problem. */
typedef enum {
    EQUAL,   /* of n samples */
    TURNS,   /* every second pair shifted by half a pixel */
    SOUTHS,  /* every south ring shifted by half a pixel: pairs cannot share an FFT */
    REDUCED, /* shorter near the poles, with any shift; every fourth pair cannot share an FFT */
    LONE,    /* some norths, some souths are missing */
    GAPS     /* two doubles for a sample, or the ring backwards */
} rings_kind;

typedef struct {
    rings_kind kind;
    int64_t n, mmax, npairs;
    int64_t shrink; /* pair i has orders up to mmax - shrink (npairs - 1 - i) */
    int64_t block_size, room;
    int64_t nsets;
    int is_float;
} problem;

static const problem problems[] = {
    {EQUAL, 64, 31, 1, 0, 8, 1, 1, 0},    {EQUAL, 64, 31, 3, 4, 8, 1, 2, 0},
    {EQUAL, 64, 31, 6, 2, 8, 1, 1, 0},    {EQUAL, 128, 63, 17, 3, 8, 4, 3, 0},
    {EQUAL, 64, 40, 9, 4, 3, 1, 2, 0},  /* pairs near the equator fold orders */
    {EQUAL, 81, 60, 17, 4, 3, 1, 2, 0}, /* and go alone, others in lanes */
    {EQUAL, 32, 40, 5, 0, 2, 1, 1, 0},    {EQUAL, 64, 31, 13, 2, 4, 1, 2, 1},
    {EQUAL, 36, 17, 7, 0, 16, 1, 1, 0},   {EQUAL, 45, 20, 7, 2, 5, 1, 2, 0},
    {TURNS, 64, 31, 12, 2, 12, 1, 2, 0},  {REDUCED, 64, 31, 11, 3, 4, 1, 2, 0},
    {REDUCED, 48, 50, 14, 2, 5, 1, 1, 1}, {LONE, 64, 31, 10, 3, 6, 1, 3, 0},
    {LONE, 64, 20, 10, 2, 6, 1, 1, 1},    {GAPS, 64, 31, 9, 3, 4, 1, 2, 0},
    {GAPS, 40, 26, 9, 3, 4, 1, 2, 1},     {EQUAL, 64, 0, 5, 0, 2, 1, 1, 0},
    {EQUAL, 66, 31, 19, 2, 7, 1, 2, 0}, /* parts in lanes, too, where n is no multiple of 4 */
    {TURNS, 54, 26, 12, 3, 12, 1, 2, 0},  {LONE, 70, 31, 10, 3, 6, 1, 3, 0},
    {EQUAL, 50, 40, 13, 3, 8, 1, 1, 0}, /* rows of pairs near the equator cannot wait in the map */
    {GAPS, 42, 20, 9, 3, 4, 1, 2, 0},     {EQUAL, 58, 28, 9, 1, 5, 1, 1, 1},
    {EQUAL, 63, 31, 21, 1, 21, 1, 2, 0},  {SOUTHS, 66, 31, 9, 1, 9, 1, 2, 0},
    {SOUTHS, 64, 31, 9, 1, 9, 1, 1, 0},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

typedef struct {
    const problem *p;
    armilla_isa isa;
    armilla_ringfft *ringfft;
    armilla_ring *rings;
    ring_waves *waves;
    int64_t nrings;
    armilla_ring_pairs pairs;
    armilla_ring_maps maps;
    int64_t map_size; /* of all sets */
    armilla_work work;
    armilla_progress progress;
} bench;

/* --- Scenes ---------------------------------------------------------------------------------- */

static inline armilla_ring ring_of(const problem *p, int64_t pair, int south)
{
    armilla_ring ring = {1, p->n, 0, 0, 1, 0.5 + 0.01 * (double)(2 * pair + south)};
    if (p->kind == TURNS && pair % 2) ring.phi0 = M_PI / (double)p->n;
    if (p->kind == SOUTHS && south) ring.phi0 = M_PI / (double)p->n;
    if (p->kind == REDUCED && pair < p->npairs / 2) {
        ring.nphi = p->n - 3 * (p->npairs - pair) + (pair % 2);
        ring.phi0 = 0.1 * (double)pair;
        if (pair % 4 == 3 && south) ring.phi0 = 0.7, ring.nphi -= 3;
    }
    if (p->kind == GAPS) ring.stride = pair % 2 ? 2 : -1;
    return ring;
}

static inline int is_missing(const problem *p, int64_t pair, int south)
{
    return p->kind == LONE && (south ? pair % 3 == 1 : pair % 4 == 2);
}

/* Adds a ring of a pair, behind the others in the map. Returns its number, or -1. */
static inline int64_t add_ring(bench *b, int64_t pair, int south)
{
    if (is_missing(b->p, pair, south)) return -1;
    armilla_ring *ring = &b->rings[b->nrings];
    *ring = ring_of(b->p, pair, south);
    ring->offset = b->maps.distance + (ring->stride < 0 ? ring->nphi - 1 : 0);
    b->maps.distance += ring->nphi * llabs(ring->stride) + (b->p->kind == GAPS ? 3 : 0);
    b->waves[b->nrings] = new_ring_waves(ring, b->p->mmax);
    return b->nrings++;
}

static inline int64_t limit_of(const problem *p, int64_t pair)
{
    const int64_t limit = p->mmax - p->shrink * (p->npairs - 1 - pair);
    return limit < 0 ? 0 : limit;
}

static inline void make_rings(bench *b)
{
    const int64_t count = b->p->npairs;
    b->rings = checked_malloc(2 * count, sizeof *b->rings);
    b->waves = checked_malloc(2 * count, sizeof *b->waves);
    check_ok(armilla_ring_pairs_allocate(count, &b->pairs));
    for (int64_t i = 0; i < count; i++) {
        b->pairs.north[i] = add_ring(b, i, 0), b->pairs.south[i] = add_ring(b, i, 1);
        b->pairs.theta[i] = b->pairs.south_theta[i] = 0;
        b->pairs.limit[i] = limit_of(b->p, i);
    }
}

static inline bench set_up(const problem *p, armilla_isa isa)
{
    bench b = {.p = p, .isa = isa};
    make_rings(&b);
    b.map_size = (p->nsets - 1) * (b.maps.distance + 5) + b.maps.distance;
    b.maps.distance += 5;
    b.maps.values = (armilla_array){checked_malloc(b.map_size, p->is_float ? 4 : 8), p->is_float};
    b.maps.weighted = 1;
    check_ok(armilla_ringfft_new(
        &(armilla_ringfft_problem){armilla_machine_with(isa), b.nrings, b.rings, p->mmax, 1,
                                   forced_lanes(&(armilla_forced){.count = 0}), NULL, 0},
        &b.ringfft));
    b.work = (armilla_work){.nthreads = 1};
    b.work.scratch_size = armilla_round_line(armilla_ringfft_scratch_size(b.ringfft));
    check_ok(armilla_allocate(&b.work.scratch, MOST_THREADS * b.work.scratch_size, 8));
    armilla_progress_start(&b.progress, NULL, NULL, 1);
    return b;
}

static inline void tear_down(bench *b)
{
    for (int64_t i = 0; i < b->nrings; i++) free_ring_waves(&b->waves[i]);
    armilla_ringfft_free(b->ringfft);
    armilla_release(b->work.scratch);
    armilla_ring_pairs_clear(&b->pairs);
    free(b->rings), free(b->waves), free(b->maps.values.values);
}

/* --- Legs ------------------------------------------------------------------------------------ */

/* Doubles behind a leg that nobody may write. None under a sanitizer, which sees reads as well. */
static inline int64_t guard_size(void)
{
    return checks_quick() ? 0 : 64;
}

/* A leg with its layout, and a guard behind it. */
typedef struct {
    armilla_leg_layout layout;
    armilla_leg leg;
    int64_t size; /* doubles, with the guard */
} owned_leg;

static inline owned_leg new_leg(const bench *b, const armilla_ring_pairs *pairs,
                                armilla_orders kind)
{
    owned_leg o;
    const armilla_leg_shape shape = {.pairs = pairs,
                                     .npairs = pairs->count,
                                     .block_size = b->p->block_size,
                                     .room = b->p->room,
                                     .kind = kind,
                                     .mmax = b->p->mmax};
    check_ok(armilla_leg_layout_make(&shape, &o.layout));
    o.size = b->p->nsets * o.layout.size + guard_size();
    o.leg = (armilla_leg){NULL, b->p->nsets, NULL, NULL, 0};
    check_ok(armilla_allocate(&o.leg.values, o.size, sizeof(double)));
    for (int64_t i = 0; i < o.size; i++) o.leg.values[i] = NAN;
    return o;
}

static inline void free_leg(owned_leg *o)
{
    armilla_leg_layout_clear(&o->layout);
    armilla_release(o->leg.values);
}

static inline armilla_leg view(const owned_leg *o)
{
    return (armilla_leg){&o->layout, o->leg.nsets, o->leg.values, NULL, 0};
}

/* The entry of order m; NULL: its row is in the other part. */
static inline double *entry_of(const owned_leg *o, int64_t set, int64_t m, int64_t pair)
{
    const armilla_leg_layout *layout = &o->layout;
    const armilla_leg leg = view(o);
    const armilla_leg_block *block = layout->blocks;
    const int64_t row = armilla_orders_row(layout->kind, m);
    while (pair >= block->first + block->npairs) block++;
    assert_true(m <= layout->pairs->limit[pair] && row < block->nrows);
    return row < 0 ? NULL : armilla_leg_row(&leg, block, set, row) + 4 * (pair - block->first);
}

/* One number for each entry that exists: f(m, pair, set, north re .. south im). Order 0 is real; of
 * rings that are missing, zeros. */
static inline double value_of(const bench *b, int64_t set, int64_t m, int64_t pair, int i)
{
    const double mixed = sin(1.0 + (double)(m * 7919 + pair * 104729 + set * 1299709 + i * 31));
    if ((i < 2 ? b->pairs.north : b->pairs.south)[pair] < 0) return 0;
    return m == 0 && i % 2 ? 0 : mixed;
}

typedef void (*entry_function)(const bench *b, int64_t set, int64_t m, int64_t pair, double *entry,
                               void *data);

static inline void each_entry(const bench *b, const owned_leg *o, entry_function function,
                              void *data)
{
    for (int64_t set = 0; set < o->leg.nsets; set++)
        for (int64_t pair = 0; pair < o->layout.pairs->count; pair++)
            for (int64_t m = 0; m <= o->layout.pairs->limit[pair]; m++) {
                double *entry = entry_of(o, set, m, pair);
                if (entry) function(b, set, m, pair, entry, data);
            }
}

static inline void set_entry(const bench *b, int64_t set, int64_t m, int64_t pair, double *entry,
                             void *data)
{
    (void)data;
    for (int i = 0; i < 4; i++) entry[i] = value_of(b, set, m, pair, i);
}

/* --- Running the stage ----------------------------------------------------------------------- */

static inline void fill_map(bench *b, uint64_t seed)
{
    for (int64_t i = 0; i < b->map_size; i++)
        armilla_array_put(b->maps.values, i, seed ? random_next(&seed) : OTHER_SAMPLE);
}

static inline double *copy_map(const bench *b)
{
    double *copy = checked_malloc(b->map_size, sizeof *copy);
    for (int64_t i = 0; i < b->map_size; i++) copy[i] = armilla_array_get(b->maps.values, i);
    return copy;
}

static inline armilla_work work_of(bench *b)
{
    armilla_work work = b->work;
    for (int64_t i = 0; i < MOST_THREADS * work.scratch_size; i++) work.scratch[i] = NAN;
    work.progress = &b->progress;
    return work;
}

static inline void run(bench *b, const owned_leg *o, int to_maps)
{
    const armilla_work work = work_of(b);
    const armilla_leg leg = view(o);
    (to_maps ? armilla_ringfft_to_maps : armilla_ringfft_from_maps)(b->ringfft, &leg, &b->maps,
                                                                    &work);
}

static inline armilla_orders first_kind(int parts)
{
    return parts ? ARMILLA_ORDERS_FIRST : ARMILLA_ORDERS_ALL;
}

static inline armilla_orders last_kind(int parts)
{
    return parts ? ARMILLA_ORDERS_SECOND : ARMILLA_ORDERS_ALL;
}

/* Map of the entries of value_of. The leg keeps its bits. */
static inline void synthesise(bench *b, const armilla_ring_pairs *pairs, int parts)
{
    for (armilla_orders kind = first_kind(parts); kind <= last_kind(parts); kind++) {
        owned_leg o = new_leg(b, pairs, kind);
        each_entry(b, &o, set_entry, NULL);
        const uint64_t before = checksum(o.leg.values, sizeof(double) * (size_t)o.size);
        run(b, &o, 1);
        assert_true(before == checksum(o.leg.values, sizeof(double) * (size_t)o.size));
        free_leg(&o);
    }
}

static inline void each_problem(void (*check)(bench *b))
{
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        for (int i = 0; i < PROBLEMS; i++) {
            if (!armilla_isa_usable((armilla_isa)isa)) continue;
            bench b = set_up(&problems[i], (armilla_isa)isa);
            check(&b);
            tear_down(&b);
        }
}

#endif
