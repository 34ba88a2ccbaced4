/* Makes lanes of points: their longitudes, and what the recurrences need; see chunk.h. */
#include "solid/chunk.h"

#include "base/angle.h"
#include "base/integer.h"
#include "base/polar_limit.h"

#include <math.h>
#include <string.h>

enum { ARRAYS = 17 }; /* of lanes, besides sums: see lay_out */

static const double start_of_all = 0.28209479177387814347; /* 1 / sqrt(4 pi) */

int64_t armilla_solid_scratch(void)
{
    return (ARRAYS + 2 * ARMILLA_SOLID_FIELDS) * ARMILLA_SOLID_CHUNK;
}

static void lay_out(double *scratch, armilla_solid_chunk *c)
{
    double **const arrays[ARRAYS] = {&c->step,  &c->turn,  &c->decay,  &c->along, &c->off,
                                     &c->start, &c->scale, &c->cosine, &c->sine,  &c->cosine1,
                                     &c->sine1, &c->phi,   &c->rest,   &c->first, &c->one,
                                     &c->zero,  &c->most};
    for (int i = 0; i < ARRAYS; i++) *arrays[i] = scratch + i * ARMILLA_SOLID_CHUNK;
    c->sum = scratch + ARRAYS * ARMILLA_SOLID_CHUNK;
    c->zonal = c->sum + ARMILLA_SOLID_FIELDS * ARMILLA_SOLID_CHUNK;
    for (int i = 0; i < ARMILLA_SOLID_CHUNK; i++) c->one[i] = 1, c->zero[i] = 0;
}

static void place_point(const armilla_solid_places *places, armilla_solid_chunk *c, int64_t i)
{
    const double *point = places->points + 3 * c->place[i].number;
    const double s = armilla_solid_ratio(places, point[2]);
    const double half = 0.5 * point[0], cosine = cos(point[0]);
    const double small = cosine < 0 ? cos(half) : sin(half);
    c->along[i] = copysign(s, cosine), c->off[i] = c->along[i] * (2 * small * small);
    c->step[i] = s * cosine, c->turn[i] = s * c->place[i].sine, c->decay[i] = -s * s;
    c->first[i] = places->interior ? start_of_all : s * start_of_all;
    c->phi[i] = armilla_angle_reduce(point[1], &c->rest[i]);
    c->cosine1[i] = cos(c->phi[i]) - c->rest[i] * sin(c->phi[i]);
    c->sine1[i] = sin(c->phi[i]) + c->rest[i] * cos(c->phi[i]);
}

/* Lanes without a point repeat the last one. */
static void fill_up(armilla_solid_chunk *c, int64_t lanes)
{
    double *const arrays[] = {c->step,  c->turn, c->decay, c->along,   c->off,
                              c->first, c->phi,  c->rest,  c->cosine1, c->sine1};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
        for (int64_t i = c->count; i < lanes; i++) arrays[a][i] = arrays[a][c->count - 1];
}

static int64_t whole_blocks(int64_t count)
{
    return (count + ARMILLA_SOLID_BLOCK - 1) / ARMILLA_SOLID_BLOCK * ARMILLA_SOLID_BLOCK;
}

static void set_most(const armilla_solid_places *places, armilla_solid_chunk *c, int64_t lmax,
                     int64_t i)
{
    c->most[i] = (double)armilla_polar_limit(lmax, places->points[3 * c->place[i].number]);
}

/* Between two points whose limits are set: limits rise with sin theta. */
static void set_between(const armilla_solid_places *places, armilla_solid_chunk *c, int64_t lmax,
                        int64_t low, int64_t high)
{
    const int64_t middle = low + (high - low) / 2;
    if (c->most[low] == c->most[high]) {
        for (int64_t i = low + 1; i < high; i++) c->most[i] = c->most[low];
    } else if (middle > low) {
        set_most(places, c, lmax, middle);
        set_between(places, c, lmax, low, middle);
        set_between(places, c, lmax, middle, high);
    }
}

static void set_limits(const armilla_solid_places *places, armilla_solid_chunk *c, int64_t lmax)
{
    const int64_t last = c->count - 1;
    set_most(places, c, lmax, 0);
    set_most(places, c, lmax, last);
    set_between(places, c, lmax, 0, last);
    for (int64_t i = c->count; i < whole_blocks(c->count); i++) c->most[i] = c->most[last];
    for (int64_t b = 0; b * ARMILLA_SOLID_BLOCK < c->count; b++)
        c->limit[b] = (int64_t)c->most[(b + 1) * ARMILLA_SOLID_BLOCK - 1];
}

void armilla_solid_chunk_refresh(armilla_solid_chunk *c, int64_t m)
{
    const int64_t lanes = whole_blocks(c->count);
    for (int64_t i = 0; i < lanes; i++) {
        const double order = (double)m, angle = order * c->phi[i];
        const double rest = fma(order, c->phi[i], -angle) + order * c->rest[i];
        c->cosine[i] = cos(angle) - rest * sin(angle);
        c->sine[i] = sin(angle) + rest * cos(angle);
    }
}

static int64_t chunks_of(int64_t count)
{
    return (count + ARMILLA_SOLID_CHUNK - 1) / ARMILLA_SOLID_CHUNK;
}

int64_t armilla_solid_chunks(const armilla_solid_places *places)
{
    return chunks_of(places->near) + chunks_of(places->count - places->near);
}

void armilla_solid_chunk_open(const armilla_solid_places *places, int64_t index, double *scratch,
                              armilla_solid_chunk *c)
{
    const int64_t chunks = chunks_of(places->near);
    const int near = index < chunks;
    const int64_t first =
        near ? index * ARMILLA_SOLID_CHUNK : places->near + (index - chunks) * ARMILLA_SOLID_CHUNK;
    const int64_t rest = (near ? places->near : places->count) - first;
    *c = (armilla_solid_chunk){.count = armilla_smaller(rest, ARMILLA_SOLID_CHUNK),
                               .place = places->place + first,
                               .near = near};
    lay_out(scratch, c);
    memset(c->sum, 0, 2 * ARMILLA_SOLID_FIELDS * ARMILLA_SOLID_CHUNK * sizeof(double));
    for (int64_t i = 0; i < c->count; i++) place_point(places, c, i);
    fill_up(c, whole_blocks(c->count));
}

void armilla_solid_chunk_begin(const armilla_solid_places *places, armilla_solid_chunk *c,
                               int64_t lmax, int64_t mmax)
{
    if (mmax > 0)
        set_limits(places, c, lmax);
    else
        for (int64_t i = 0; i < whole_blocks(c->count); i++)
            c->most[i] = 0, c->limit[i / ARMILLA_SOLID_BLOCK] = 0;
    for (int64_t i = 0; i < whole_blocks(c->count); i++) c->start[i] = c->first[i], c->scale[i] = 0;
}

armilla_solid_lanes armilla_solid_chunk_lanes(const armilla_solid_chunk *c, double *fields,
                                              int zonal)
{
    return (armilla_solid_lanes){.count = whole_blocks(c->count),
                                 .step = c->step,
                                 .turn = c->turn,
                                 .decay = c->decay,
                                 .along = c->along,
                                 .off = c->off,
                                 .near = c->near,
                                 .start = c->start,
                                 .scale = c->scale,
                                 .cosine = c->cosine,
                                 .sine = c->sine,
                                 .cosine1 = zonal ? c->one : c->cosine1,
                                 .sine1 = zonal ? c->zero : c->sine1,
                                 .limit = c->limit,
                                 .most = c->most,
                                 .sum = fields,
                                 .pitch = ARMILLA_SOLID_CHUNK};
}
