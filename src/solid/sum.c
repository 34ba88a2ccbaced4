/* Sums solid harmonics at points: a chunk of points goes through all orders, and then its fields
 * become the caller's components. */
#include "solid/sum.h"

#include "base/angle.h"
#include "base/integer.h"
#include "base/polar_limit.h"
#include "base/team.h"
#include "solid/jet.h"

#include <math.h>
#include <string.h>

enum {
    ARRAYS = 16, /* of lanes, besides sums: see lay_out */
    FRESH = 32,  /* orders between which cos m phi and sin m phi go on by rotation */
    BLOCKS = ARMILLA_SOLID_CHUNK / ARMILLA_SOLID_BLOCK
};

static const double start_of_all = 0.28209479177387814347; /* 1 / sqrt(4 pi) */
static const double near_sine = 0.4; /* below, the rounding of cos theta counts */

typedef struct {
    int64_t count; /* points */
    const armilla_solid_place *place;
    double *step, *turn, *decay, *along, *off, *start, *scale, *cosine, *sine, *cosine1, *sine1;
    double *phi, *rest, *first; /* longitude = phi + rest; q_0 */
    double *one, *zero;         /* cosine1 and sine1 on the meridian 0 */
    double *sum, *zonal;        /* [field][ARMILLA_SOLID_CHUNK] */
    int64_t near;               /* blocks */
    int64_t limit[BLOCKS];
} chunk;

int64_t armilla_solid_scratch(void)
{
    return (ARRAYS + 2 * ARMILLA_SOLID_FIELDS) * ARMILLA_SOLID_CHUNK;
}

static void lay_out(double *scratch, chunk *c)
{
    double **const arrays[ARRAYS] = {
        &c->step, &c->turn,    &c->decay, &c->along, &c->off,  &c->start, &c->scale, &c->cosine,
        &c->sine, &c->cosine1, &c->sine1, &c->phi,   &c->rest, &c->first, &c->one,   &c->zero};
    for (int i = 0; i < ARRAYS; i++) *arrays[i] = scratch + i * ARMILLA_SOLID_CHUNK;
    c->sum = scratch + ARRAYS * ARMILLA_SOLID_CHUNK;
    c->zonal = c->sum + ARMILLA_SOLID_FIELDS * ARMILLA_SOLID_CHUNK;
    for (int i = 0; i < ARMILLA_SOLID_CHUNK; i++) c->one[i] = 1, c->zero[i] = 0;
}

static void place_point(const armilla_solid_places *places, chunk *c, int64_t i)
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
static void fill_up(chunk *c, int64_t lanes)
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

/* The last point of a block is the one farthest from the poles. */
static void set_limits(const armilla_solid_places *places, chunk *c, int64_t lmax)
{
    for (int64_t b = 0; b * ARMILLA_SOLID_BLOCK < c->count; b++) {
        const int64_t last = armilla_smaller((b + 1) * ARMILLA_SOLID_BLOCK, c->count) - 1;
        c->limit[b] = armilla_polar_limit(lmax, places->points[3 * c->place[last].number]);
        if (c->place[b * ARMILLA_SOLID_BLOCK].sine < near_sine) c->near = b + 1;
    }
}

static void refresh(chunk *c, int64_t lanes, int64_t m)
{
    for (int64_t i = 0; i < lanes; i++) {
        const double order = (double)m, angle = order * c->phi[i];
        const double rest = fma(order, c->phi[i], -angle) + order * c->rest[i];
        c->cosine[i] = cos(angle) - rest * sin(angle);
        c->sine[i] = sin(angle) + rest * cos(angle);
    }
}

static void sum_table(const armilla_solid_sum *sum, const armilla_solid_table *table, int zonal,
                      chunk *c)
{
    const int64_t count = whole_blocks(c->count);
    double *fields = zonal ? c->zonal : c->sum;
    set_limits(sum->places, c, table->lmax);
    const armilla_solid_lanes lanes = {.count = count,
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
                                       .sum = fields + table->first * ARMILLA_SOLID_CHUNK,
                                       .pitch = ARMILLA_SOLID_CHUNK};
    for (int64_t i = 0; i < count; i++) c->start[i] = c->first[i], c->scale[i] = 0;
    for (int64_t m = 0; m <= table->mmax; m++) {
        const armilla_solid_row row = armilla_solid_table_row(table, m);
        if (m > c->limit[(c->count - 1) / ARMILLA_SOLID_BLOCK]) return;
        if (m % FRESH == 0) refresh(c, count, m);
        sum->kernels->add_order(&row, &lanes);
    }
}

/* --- Components ------------------------------------------------------------------------------- */

/* The jet of one point, from its fields. */
static armilla_solid_jet jet_of(const armilla_solid_sum *sum, const double *field, int64_t i)
{
    double f[ARMILLA_SOLID_FIELDS];
    const double per_length = 1 / sum->places->radius;
    for (int k = 0; k < ARMILLA_SOLID_FIELDS; k++)
        f[k] = field[k * ARMILLA_SOLID_CHUNK + i] * (k == 0 ? 1
                                                     : k < ARMILLA_SOLID_FIRST_FIELDS
                                                         ? per_length
                                                         : per_length * per_length);
    return (armilla_solid_jet){
        f[0],
        {f[1], f[2], f[3]},
        {{f[4], f[5], f[6]}, {f[5], -f[4] - f[8], f[7]}, {f[6], f[7], f[8]}}};
}

/* The term of l = 0 has derivatives along r alone, and those of order 0 none along e_phi: they are
 * kept apart until axes are those that they do not reach. */
static void components(const armilla_solid_sum *sum, const chunk *c, int64_t i, double out[10])
{
    const double *point = sum->places->points + 3 * c->place[i].number;
    double axes[3][3], meridian[3][3];
    armilla_solid_jet jet = jet_of(sum, c->sum, i), zonal = jet_of(sum, c->zonal, i);
    armilla_solid_axes(point[0], c->cosine1[i], c->sine1[i], axes);
    armilla_solid_axes(point[0], 1, 0, meridian);
    armilla_solid_jet_turn(meridian, 0, &zonal);
    armilla_solid_jet_add_mean(sum->mean * c->first[i], point[2], sum->places->interior, &zonal);
    armilla_solid_jet_turn(axes, !sum->local, sum->local ? &jet : &zonal);
    armilla_solid_jet_add(&zonal, &jet);
    armilla_solid_jet_components(&jet, out);
}

static void sum_chunk(void *context, int64_t index, int thread)
{
    const armilla_solid_sum *sum = context;
    const int64_t first = index * ARMILLA_SOLID_CHUNK;
    const int64_t ncomp = sum->derivatives == 2 ? 10 : sum->derivatives ? 4 : 1;
    chunk c = {.count = armilla_smaller(sum->places->count - first, ARMILLA_SOLID_CHUNK),
               .place = sum->places->place + first};
    double out[10];
    if (armilla_progress_advance(sum->progress, 0, thread)) return;
    lay_out(sum->scratch + thread * armilla_solid_scratch(), &c);
    memset(c.sum, 0, 2 * ARMILLA_SOLID_FIELDS * ARMILLA_SOLID_CHUNK * sizeof(double));
    for (int64_t i = 0; i < c.count; i++) place_point(sum->places, &c, i);
    fill_up(&c, whole_blocks(c.count));
    for (int t = 0; t < 2 && sum->table[t].nfields; t++) {
        sum_table(sum, &sum->zonal[t], 1, &c);
        sum_table(sum, &sum->table[t], 0, &c);
    }
    for (int64_t i = 0; i < c.count; i++) {
        components(sum, &c, i, out);
        for (int64_t k = 0; k < ncomp; k++)
            sum->values[k * sum->distance + c.place[i].number] = out[k];
    }
    armilla_progress_advance(sum->progress, c.count, thread);
}

void armilla_solid_sum_run(armilla_solid_sum *sum, int nthreads)
{
    const int64_t chunks = (sum->places->count + ARMILLA_SOLID_CHUNK - 1) / ARMILLA_SOLID_CHUNK;
    armilla_team_run(nthreads, chunks, sum_chunk, sum);
}
