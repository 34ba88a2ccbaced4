/* Turns planes by their multiple of psi. e^{i k psi} are powers of e^{i psi}, some points at a
 * time: by squares and products, in log2 k steps, each to rounding. */
#include "beams/turn.h"

#include "base/compiler.h"
#include "base/integer.h"
#include "base/team.h"
#include "sht/mode.h"

#include <string.h>

enum { BLOCK = 256 };

typedef struct {
    double re[BLOCK], im[BLOCK];
} powers;

static void square(int64_t count, powers *z)
{
    for (int64_t i = 0; i < count; i++) {
        const double re = z->re[i], im = z->im[i];
        z->re[i] = re * re - im * im, z->im[i] = 2 * re * im;
    }
}

static void multiply(int64_t count, const double *cosine, const double *sine, powers *z)
{
    for (int64_t i = 0; i < count; i++) {
        const double re = z->re[i], im = z->im[i];
        z->re[i] = re * cosine[i] - im * sine[i], z->im[i] = re * sine[i] + im * cosine[i];
    }
}

/* z = (cosine + i sine)^k, k > 0, by its binary digits from the first one on. */
static void raise_to(int64_t k, int64_t count, const double *cosine, const double *sine, powers *z)
{
    int64_t digit = 1;
    while (2 * digit <= k) digit *= 2;
    for (int64_t i = 0; i < count; i++) z->re[i] = cosine[i], z->im[i] = sine[i];
    for (digit /= 2; digit; digit /= 2) {
        square(count, z);
        if (k & digit) multiply(count, cosine, sine, z);
    }
}

/* --- Blocks of a plane ------------------------------------------------------------------------ */

/* z *= weight; NULL: 1. */
static void weigh(int64_t count, const double *weight, powers *z)
{
    for (int64_t i = 0; weight && i < count; i++) z->re[i] *= weight[i], z->im[i] *= weight[i];
}

/* 2 z, or, for k = 0, the weights alone. */
static void fill_powers(const armilla_beams_turn *t, int64_t first, int64_t count, powers *z)
{
    for (int64_t i = 0; i < count; i++) z->re[i] = 1, z->im[i] = 0;
    if (t->k) {
        const double *cosine = t->plan->turn + first;
        raise_to(t->k, count, cosine, cosine + t->plan->order.count, z);
        for (int64_t i = 0; i < count; i++) z->re[i] *= 2, z->im[i] *= 2;
    }
    weigh(count, t->weight ? t->weight + first : NULL, z);
}

typedef void turn_block(const powers *z, int64_t count, double *samples, double *values);

static void add_block(const powers *z, int64_t count, double *samples, double *values)
{
    for (int64_t i = 0; i < count; i++) samples[i] += values[i] * z->re[i];
}

static void add_pairs(const powers *z, int64_t count, double *samples, double *values)
{
    for (int64_t i = 0; i < count; i++)
        samples[i] += values[2 * i] * z->re[i] + values[2 * i + 1] * z->im[i];
}

static void take_block(const powers *z, int64_t count, double *samples, double *values)
{
    for (int64_t i = 0; i < count; i++) values[i] = samples[i] * z->re[i];
}

static void take_pairs(const powers *z, int64_t count, double *samples, double *values)
{
    for (int64_t i = 0; i < count; i++)
        values[2 * i] = samples[i] * z->re[i], values[2 * i + 1] = samples[i] * z->im[i];
}

static int64_t end_of(const armilla_beams_turn *t, int64_t begin)
{
    return armilla_smaller(begin + ARMILLA_BEAMS_SLICE, t->plan->order.count);
}

static void turn_slice(const armilla_beams_turn *t, int64_t slice, turn_block *const block[2])
{
    const int64_t begin = slice * ARMILLA_BEAMS_SLICE, end = end_of(t, begin),
                  nmap = armilla_mode_nmap(t->k);
    powers z;
    for (int64_t i = begin; i < end; i += BLOCK) {
        const int64_t count = armilla_smaller(BLOCK, end - i);
        fill_powers(t, i, count, &z);
        block[nmap - 1](&z, count, t->samples + i, t->values + nmap * i);
    }
}

static void add_slice(void *context, int64_t slice, int thread)
{
    static turn_block *const add[2] = {add_block, add_pairs};
    (void)thread;
    turn_slice(context, slice, add);
}

static void take_slice(void *context, int64_t slice, int thread)
{
    static turn_block *const take[2] = {take_block, take_pairs};
    (void)thread;
    turn_slice(context, slice, take);
}

/* --- Samples ---------------------------------------------------------------------------------- */

static void clear_slice(void *context, int64_t slice, int thread)
{
    (void)thread;
    const armilla_beams_turn *t = context;
    const int64_t begin = slice * ARMILLA_BEAMS_SLICE;
    memset(t->samples + begin, 0, (size_t)(end_of(t, begin) - begin) * sizeof *t->samples);
}

/* The place of sample i; the memory of a later one is asked for. */
static int64_t place_of(const armilla_beams_turn *t, int64_t i, int64_t end)
{
    const int64_t later = armilla_smaller(i + ARMILLA_BEAMS_AHEAD, end - 1);
    const int64_t place = armilla_beams_place_of(t->plan, later);
    ARMILLA_PREFETCH_WRITE(armilla_array_from(t->own, place).values);
    return armilla_beams_place_of(t->plan, i);
}

static void give_slice(void *context, int64_t slice, int thread)
{
    (void)thread;
    const armilla_beams_turn *t = context;
    const int64_t begin = slice * ARMILLA_BEAMS_SLICE, end = end_of(t, begin);
    for (int64_t i = begin; i < end; i++)
        armilla_array_put(t->own, place_of(t, i, end), t->samples[i]);
}

static void sort_slice(void *context, int64_t slice, int thread)
{
    (void)thread;
    const armilla_beams_turn *t = context;
    const int64_t begin = slice * ARMILLA_BEAMS_SLICE, end = end_of(t, begin);
    for (int64_t i = begin; i < end; i++)
        t->samples[i] = armilla_array_get(t->own, place_of(t, i, end));
}

static void run(const armilla_beams_turn *turn, armilla_team_task task)
{
    armilla_team_run(turn->nthreads, armilla_beams_slices(turn->plan), task, (void *)turn);
}

void armilla_beams_clear_samples(const armilla_beams_turn *turn)
{
    run(turn, clear_slice);
}

void armilla_beams_add_plane(const armilla_beams_turn *turn)
{
    run(turn, add_slice);
}

void armilla_beams_take_plane(const armilla_beams_turn *turn)
{
    run(turn, take_slice);
}

void armilla_beams_give_samples(const armilla_beams_turn *turn)
{
    run(turn, give_slice);
}

void armilla_beams_sort_samples(const armilla_beams_turn *turn)
{
    run(turn, sort_slice);
}
