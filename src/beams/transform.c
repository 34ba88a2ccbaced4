/* The steps of one transform, whichever place runs it. */
#include "beams/execute.h"
#include "beams/mix.h"
#include "beams/turn.h"

#include "base/integer.h"
#include "sht/mode.h"

typedef struct {
    const armilla_beams *plan;
    const armilla_beams_place *place;
    double *beams; /* of all modulations */
    armilla_beams_mix mix;
    armilla_beams_turn turn;
    double *sky_by_degree, *plane_by_degree; /* of a place that has degrees */
} run;

/* --- Steps of a plane ------------------------------------------------------------------------- */

typedef armilla_status step(run *r);

static armilla_status mix_rows(run *r)
{
    armilla_beams_mix_rows(&r->mix);
    return ARMILLA_OK;
}

static armilla_status mix_sky(run *r)
{
    armilla_beams_mix_sky(&r->mix);
    return ARMILLA_OK;
}

static armilla_status to_values(run *r)
{
    return r->place->to_values(r->place->context, r->mix.k, r->mix.rows, r->turn.values);
}

static armilla_status from_values(run *r)
{
    return r->place->from_values(r->place->context, r->mix.k, r->mix.rows, r->turn.values);
}

static armilla_status to_degrees(run *r)
{
    const armilla_beams_place *place = r->place;
    if (!place->degrees) return ARMILLA_OK;
    return place->to_degrees(place->context, armilla_mode_nmap(r->mix.k), r->mix.rows,
                             r->plan->alm_size, r->plane_by_degree);
}

static armilla_status mix_beam(run *r)
{
    armilla_beams_mix_beam(&r->mix);
    return ARMILLA_OK;
}

static armilla_status add_plane(run *r)
{
    armilla_beams_add_plane(&r->turn);
    return ARMILLA_OK;
}

static armilla_status take_plane(run *r)
{
    armilla_beams_take_plane(&r->turn);
    return ARMILLA_OK;
}

enum { STEPS = 4 };

static step *const steps_of[][STEPS] = {
    [ARMILLA_BEAMS_CONVOLVE] = {mix_rows, to_values, add_plane},
    [ARMILLA_BEAMS_ADJOINT] = {take_plane, from_values, mix_sky},
    [ARMILLA_BEAMS_BEAM_ADJOINT] = {take_plane, from_values, to_degrees, mix_beam},
};

/* --- All planes ------------------------------------------------------------------------------- */

static void begin_plane(run *r, int64_t beam, int64_t k)
{
    const armilla_beams *plan = r->plan;
    r->mix.k = r->turn.k = k;
    r->mix.adds = beam > 0 || k > 0;
    r->mix.beam = r->beams + 2 * beam * plan->components * plan->blm_size;
    r->turn.weight = plan->weight ? plan->weight + beam * plan->order.count : NULL;
}

static armilla_status run_planes(run *r, armilla_beams_operator op)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t beam = 0; beam < r->plan->nbeams; beam++)
        for (int64_t k = 0; k <= r->plan->kmax && !status; k++) {
            begin_plane(r, beam, k);
            for (int i = 0; i < STEPS && steps_of[op][i] && !status; i++)
                status = steps_of[op][i](r);
        }
    return status;
}

/* --- Memory ----------------------------------------------------------------------------------- */

static int64_t beams_size(const armilla_beams *plan)
{
    return 2 * plan->nbeams * plan->components * plan->blm_size;
}

/* Doubles of each part, whole lines. */
typedef struct {
    int64_t rows, factors, samples, values, sky, beams, sky_by_degree, plane_by_degree;
} sizes;

static sizes sizes_of(const armilla_beams *plan, armilla_beams_operator op, int is_float,
                      const armilla_degree_rows *degrees)
{
    const int64_t count = plan->order.count, nmap = armilla_mode_nmap(plan->kmax);
    sizes s = {.rows = armilla_round_line(2 * nmap * plan->alm_size),
               .factors = armilla_round_line(armilla_beams_factors(plan)),
               .samples = armilla_round_line(count),
               .values = armilla_round_line(nmap * count)};
    if (is_float) {
        s.sky = armilla_round_line(2 * plan->components * plan->alm_size);
        s.beams = armilla_round_line(beams_size(plan));
    }
    if (degrees && op == ARMILLA_BEAMS_BEAM_ADJOINT) {
        s.sky_by_degree = armilla_round_line(2 * plan->components * degrees->size);
        s.plane_by_degree = armilla_round_line(2 * nmap * degrees->size);
    }
    return s;
}

int64_t armilla_beams_transform_size(const armilla_beams *plan, armilla_beams_operator op,
                                     int is_float, const armilla_degree_rows *degrees)
{
    const sizes s = sizes_of(plan, op, is_float, degrees);
    return s.rows + s.factors + s.samples + s.values + s.sky + s.beams + s.sky_by_degree +
           s.plane_by_degree;
}

static void deal_memory(const sizes *s, double *memory, run *r)
{
    r->mix.rows = memory, memory += s->rows;
    r->mix.factor = memory, memory += s->factors;
    r->turn.samples = memory, memory += s->samples;
    r->turn.values = memory, memory += s->values;
    r->mix.sky = memory, memory += s->sky;
    r->beams = memory, memory += s->beams;
    r->sky_by_degree = memory, memory += s->sky_by_degree;
    r->plane_by_degree = memory;
}

/* --- Arrays of floats ------------------------------------------------------------------------- */

/* Work is done in doubles: on the caller's arrays, or on copies of them. */
static void widen(armilla_array from, int64_t count, double *to)
{
    for (int64_t i = 0; i < count; i++) to[i] = armilla_array_get(from, i);
}

static void narrow(const double *from, int64_t count, armilla_array to)
{
    for (int64_t i = 0; i < count; i++) armilla_array_put(to, i, from[i]);
}

static armilla_array sky_of(const armilla_beams_transform *t, int64_t component)
{
    return armilla_array_from(t->arrays.sky, 2 * component * t->sky_distance);
}

static void take_arrays(run *r, const armilla_beams_transform *t)
{
    const armilla_beams *plan = r->plan;
    r->turn.own = t->arrays.samples;
    r->mix.distance = plan->alm_size;
    if (!t->arrays.beam.is_float) {
        r->mix.sky = t->arrays.sky.values, r->mix.distance = t->sky_distance;
        r->beams = t->arrays.beam.values;
        return;
    }
    for (int64_t c = 0; c < plan->components && t->op != ARMILLA_BEAMS_ADJOINT; c++)
        widen(sky_of(t, c), 2 * plan->alm_size, r->mix.sky + 2 * c * plan->alm_size);
    if (t->op != ARMILLA_BEAMS_BEAM_ADJOINT) widen(t->arrays.beam, beams_size(plan), r->beams);
}

static void give_arrays(const run *r, const armilla_beams_transform *t)
{
    const armilla_beams *plan = r->plan;
    if (t->op == ARMILLA_BEAMS_CONVOLVE) armilla_beams_give_samples(&r->turn);
    if (!t->arrays.beam.is_float) return;
    for (int64_t c = 0; c < plan->components && t->op == ARMILLA_BEAMS_ADJOINT; c++)
        narrow(r->mix.sky + 2 * c * plan->alm_size, 2 * plan->alm_size, sky_of(t, c));
    if (t->op == ARMILLA_BEAMS_BEAM_ADJOINT) narrow(r->beams, beams_size(plan), t->arrays.beam);
}

/* Where sums over orders find sky and planes. */
static armilla_status take_degrees(run *r)
{
    const armilla_beams *plan = r->plan;
    const armilla_beams_place *place = r->place;
    const armilla_alm_layout *layout = plan->layout;
    armilla_beams_by_degree *by = &r->mix.by_degree;
    if (!place->degrees) {
        by->rows = (armilla_degree_rows){.lmax = layout->lmax,
                                         .mmax = layout->mmax,
                                         .end = layout->lmax + 1,
                                         .start = layout->mstart};
        by->sky = (armilla_beams_field){r->mix.sky, r->mix.distance};
        by->plane = (armilla_beams_field){r->mix.rows, plan->alm_size};
        return ARMILLA_OK;
    }
    by->rows = *place->degrees;
    by->sky = (armilla_beams_field){r->sky_by_degree, by->rows.size};
    by->plane = (armilla_beams_field){r->plane_by_degree, by->rows.size};
    return place->to_degrees(place->context, plan->components, r->mix.sky, r->mix.distance,
                             r->sky_by_degree);
}

/* --- A transform ------------------------------------------------------------------------------ */

armilla_status armilla_beams_transform_run(const armilla_beams *plan,
                                           const armilla_beams_place *place,
                                           const armilla_beams_transform *transform, double *memory)
{
    const armilla_beams_operator op = transform->op;
    const int nthreads = place->nthreads;
    const sizes s = sizes_of(plan, op, transform->arrays.beam.is_float, place->degrees);
    run r = {.plan = plan,
             .place = place,
             .mix = {.plan = plan, .nthreads = nthreads},
             .turn = {.plan = plan, .nthreads = nthreads}};
    armilla_status status = ARMILLA_OK;
    deal_memory(&s, memory, &r);
    take_arrays(&r, transform);
    if (op == ARMILLA_BEAMS_BEAM_ADJOINT) status = take_degrees(&r);
    if (op == ARMILLA_BEAMS_CONVOLVE)
        armilla_beams_clear_samples(&r.turn);
    else
        armilla_beams_sort_samples(&r.turn);
    if (!status) status = run_planes(&r, op);
    if (!status && op == ARMILLA_BEAMS_BEAM_ADJOINT && place->degrees)
        status = place->share_beams(place->context, r.beams);
    if (!status) give_arrays(&r, transform);
    return status;
}

armilla_beams_transform armilla_beams_transform_of(const armilla_beams *plan,
                                                   armilla_beams_operator op,
                                                   const armilla_beams_arrays *arrays,
                                                   const armilla_exec *exec, int64_t number)
{
    const int64_t sky = 2 * number * plan->components * exec->alm_distance;
    return (armilla_beams_transform){
        .op = op,
        .arrays = {.sky = armilla_array_from(arrays->sky, sky),
                   .beam = armilla_array_from(arrays->beam, number * beams_size(plan)),
                   .samples = armilla_array_from(arrays->samples, number * exec->map_distance)},
        .sky_distance = exec->alm_distance};
}

armilla_status armilla_beams_transforms(const armilla_beams *plan, armilla_beams_operator op,
                                        const armilla_beams_arrays *arrays,
                                        const armilla_exec *exec, const armilla_beams_place *place,
                                        double *memory)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t t = 0; t < exec->ntrans && !status; t++) {
        const armilla_beams_transform transform =
            armilla_beams_transform_of(plan, op, arrays, exec, t);
        status = armilla_beams_transform_run(plan, place, &transform, memory);
    }
    return status;
}

double armilla_beams_units(const armilla_beams *plan, double degrees)
{
    return degrees * (double)(plan->kmax + 1) * (double)plan->nbeams;
}
