/* Sums solid harmonics at points: a chunk of points goes through all orders, and then its fields
 * become the caller's components. */
#include "solid/sum.h"

#include "base/team.h"
#include "solid/jet.h"

/* Far from the poles V_x, V_y and V_z need not be summed all three: kernels.h. */
static int is_turning(const armilla_solid_sum *sum, const armilla_solid_chunk *c)
{
    return sum->derivatives && !c->near;
}

static void sum_table(const armilla_solid_sum *sum, const armilla_solid_table *table, int zonal,
                      armilla_solid_chunk *c)
{
    double *fields = (zonal ? c->zonal : c->sum) + table->first * ARMILLA_SOLID_CHUNK;
    armilla_solid_chunk_begin(sum->places, c, table->lmax, table->mmax);
    armilla_solid_lanes lanes = armilla_solid_chunk_lanes(c, fields, zonal);
    lanes.turning = !zonal && table->first == 0 && is_turning(sum, c);
    for (int64_t m = 0; m <= table->mmax; m++) {
        const armilla_solid_row row = armilla_solid_table_row(table, m);
        if (m > c->limit[(c->count - 1) / ARMILLA_SOLID_BLOCK]) return;
        if (m % ARMILLA_SOLID_FRESH == 0) armilla_solid_chunk_refresh(c, m);
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

/* The gradient from sums of degree times V, V_phi and V_z, which stand in place of V_x, V_y and
 * V_z: V_z = cos theta V_r - sin theta V_t. */
static void set_gradient(const armilla_solid_sum *sum, const armilla_solid_chunk *c, int64_t i,
                         double axes[3][3], armilla_solid_jet *jet)
{
    const double *field = c->sum + i;
    const double r = sum->places->points[3 * c->place[i].number + 2], sine = c->place[i].sine;
    const double slope = field[ARMILLA_SOLID_CHUNK] / r;
    const double up = sum->places->interior ? slope : -slope;
    const double along_z = field[3 * ARMILLA_SOLID_CHUNK] / sum->places->radius;
    const double south = (axes[0][2] * up - along_z) / sine;
    const double east = field[2 * ARMILLA_SOLID_CHUNK] / (r * sine);
    for (int k = 0; k < 3; k++)
        jet->v[k] = axes[0][k] * up + axes[1][k] * south + axes[2][k] * east;
}

/* The term of l = 0 has derivatives along r alone, and those of order 0 none along e_phi: they are
 * kept apart until axes are those that they do not reach. */
static void components(const armilla_solid_sum *sum, const armilla_solid_chunk *c, int64_t i,
                       double out[10])
{
    const double *point = sum->places->points + 3 * c->place[i].number;
    double axes[3][3], meridian[3][3];
    armilla_solid_jet jet = jet_of(sum, c->sum, i), zonal = jet_of(sum, c->zonal, i);
    armilla_solid_axes(point[0], c->cosine1[i], c->sine1[i], axes);
    armilla_solid_axes(point[0], 1, 0, meridian);
    if (is_turning(sum, c)) set_gradient(sum, c, i, axes, &jet);
    armilla_solid_jet_turn(meridian, 0, &zonal);
    armilla_solid_jet_add_mean(sum->mean * c->first[i], point[2], sum->places->interior, &zonal);
    armilla_solid_jet_turn(axes, !sum->local, sum->local ? &jet : &zonal);
    armilla_solid_jet_add(&zonal, &jet);
    armilla_solid_jet_components(&jet, out);
}

static void sum_chunk(void *context, int64_t index, int thread)
{
    const armilla_solid_sum *sum = context;
    const int64_t ncomp = sum->derivatives == 2 ? 10 : sum->derivatives ? 4 : 1;
    armilla_solid_chunk c;
    double out[10];
    if (armilla_progress_advance(sum->progress, 0, thread)) return;
    armilla_solid_chunk_open(sum->places, index, sum->scratch + thread * armilla_solid_scratch(),
                             &c);
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
    armilla_team_run(nthreads, armilla_solid_chunks(sum->places), sum_chunk, sum);
}
