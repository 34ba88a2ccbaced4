/* Random arguments that the plans of sht.h, iqu.h and points.h share. */
#ifndef TEST_API_RANDOM_SHT_H
#define TEST_API_RANDOM_SHT_H

#include "test_api_random.h"

#include "oracle/spin_checks.h"

static const int64_t largest_lmax = INT64_C(1) << 30;

enum { MOST_LMAX = 9, MOST_NUMBERS = 20000 };

/* --- Plans ------------------------------------------------------------------------------------ */

static inline armilla_grid *draw_grid(trial *t)
{
    armilla_grid *grid = NULL;
    int64_t kind = below(t, EXACT_KINDS + 2), lmax = below(t, MOST_LMAX + 1);
    if (kind < EXACT_KINDS)
        return exact_grid(exact_kinds[kind], lmax, below(t, lmax + 1), below(t, 3), below(t, 20));
    check_ok(armilla_grid_new_healpix(between(t, 1, 5), &grid));
    if (kind == EXACT_KINDS) return grid;
    armilla_grid *part = NULL;
    int64_t nrings = armilla_grid_nrings(grid), first = below(t, nrings);
    check_ok(armilla_grid_new_subset(grid, first, between(t, 1, nrings - first), (int)below(t, 2),
                                     &part));
    armilla_grid_free(grid);
    return part;
}

typedef struct wish {
    int64_t lmax, mmax;
    armilla_sht_options options;
    armilla_alm_layout *layout; /* owned */
} wish;

static inline void draw_spin(trial *t, wish *w)
{
    armilla_sht_options *o = &w->options;
    o->mode = (armilla_sht_mode)below(t, 3);
    o->spin = between(t, -w->lmax, w->lmax);
    if (o->mode == ARMILLA_SHT_GRADIENT_ONLY && o->spin == 0) o->mode = ARMILLA_SHT_STANDARD;
    if (o->mode == ARMILLA_SHT_DERIVATIVES && w->lmax < 2) o->mode = ARMILLA_SHT_STANDARD;
    if (o->mode == ARMILLA_SHT_DERIVATIVES) o->spin = between(t, 1, 2);
}

static inline void draw_layout(trial *t, wish *w)
{
    int64_t mstart[MOST_LMAX + 1], stride = between(t, 1, 3);
    if (below(t, 2)) return;
    for (int64_t m = 0; m <= w->mmax; m++)
        mstart[m] = m * (w->lmax + 1) * stride + below(t, stride);
    check_ok(armilla_alm_layout_new_custom(w->lmax, w->mmax, mstart, stride, &w->layout));
    w->options.layout = w->layout;
}

/* lmax from `least` on. */
static inline wish draw_wish(trial *t, int64_t least)
{
    wish w = {.lmax = between(t, least, MOST_LMAX)};
    w.mmax = below(t, below(t, 2) && w.lmax > 3 ? 4 : w.lmax + 1);
    armilla_sht_options_init(&w.options);
    draw_spin(t, &w);
    draw_layout(t, &w);
    w.options.method = (armilla_sht_method)below(t, 3);
    w.options.spin_method = (armilla_sht_spin_method)below(t, 2);
    if (below(t, 4) == 0) w.options.isa = armilla_isa_available(0);
    if (below(t, 2)) w.options.host_bytes = 1 + below(t, below(t, 2) ? 100 : 100000);
    return w;
}

/* All but spin and mode, which differ. */
static inline void spoil_wish(trial *t, int64_t least, wish *w)
{
    armilla_sht_options *o = &w->options;
    if (spoil(t, "method")) o->method = (armilla_sht_method)outside_int(t, 0, 2);
    if (spoil(t, "spin_method")) o->spin_method = (armilla_sht_spin_method)outside_int(t, 0, 1);
    if (spoil(t, "device")) o->device = (armilla_device)outside_int(t, 0, 1);
    if (spoil(t, "ring_orders")) o->ring_orders = (armilla_ring_orders)outside_int(t, 0, 2);
    if (spoil(t, "device_bytes")) o->device_bytes = -1 - below(t, 9);
    if (spoil(t, "host_bytes")) o->host_bytes = -1 - below(t, 9);
    if (spoil(t, "vax")) o->isa = "vax";
    if (spoil(t, "size"))
        o->size = wrong_size(t, offsetof(armilla_sht_options, isa) + sizeof o->isa, sizeof *o);
    if (spoil(t, "mmax")) w->mmax = outside(t, 0, w->lmax);
    if (spoil(t, "lmax")) w->lmax = outside(t, least, largest_lmax);
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* plan: which of sht, iqu and points there is. Values at points are a map here, on a grid with a
 * ring for each point. The arrays have MOST_NUMBERS doubles, or room for as many floats. */
typedef struct scene {
    armilla_grid *grid;
    armilla_alm_layout *layout;
    const void *plan;
    armilla_sht *sht;
    armilla_iqu *iqu;
    armilla_points *points;
    int64_t lmax, mmax;
    armilla_sht_description about;
    armilla_exec exec;
    int is_float, derives; /* the mode is DERIVATIVES */
    double *alm, *map, *weights, *guess;
} scene;

/* The map's name in messages. */
static inline const char *map_name(const scene *s)
{
    return s->points ? "values" : "map";
}

static inline void store(const scene *s, double *values, int64_t index, double value)
{
    if (s->is_float)
        ((float *)(void *)values)[index] = (float)value;
    else
        values[index] = value;
}

static inline double *draw_array(trial *t, const scene *s)
{
    double *values = checked_malloc(MOST_NUMBERS, sizeof *values);
    random_fill(t->state, MOST_NUMBERS, values);
    for (int64_t i = 0; i < MOST_NUMBERS && s->is_float; i++) store(s, values, i, (double)(i % 7));
    return values;
}

static inline void draw_exec(trial *t, scene *s)
{
    armilla_exec_init(&s->exec);
    s->exec.ntrans = between(t, 1, 3);
    s->exec.nthreads = (int)below(t, 4);
    if (below(t, 2)) s->exec.alm_distance = s->about.alm_size + below(t, 9);
    if (below(t, 2)) s->exec.map_distance = s->about.npix + below(t, 9);
}

static inline scene draw_scene(trial *t, int iqu)
{
    scene s = {.about = {.size = sizeof s.about}, .is_float = (int)below(t, 2)};
    s.grid = draw_grid(t);
    wish w = draw_wish(t, iqu ? 2 : 0);
    s.lmax = w.lmax, s.mmax = w.mmax, s.layout = w.layout;
    if (iqu) {
        w.options.spin = 0, w.options.mode = ARMILLA_SHT_STANDARD;
        check_ok(armilla_iqu_new(s.grid, w.lmax, w.mmax, &w.options, &s.iqu));
        check_ok(armilla_iqu_describe(s.iqu, 1, &s.about));
        s.plan = s.iqu;
    } else {
        check_ok(armilla_sht_new(s.grid, w.lmax, w.mmax, &w.options, &s.sht));
        check_ok(armilla_sht_describe(s.sht, 1, &s.about));
        s.plan = s.sht, s.derives = w.options.mode == ARMILLA_SHT_DERIVATIVES;
    }
    draw_exec(t, &s);
    s.alm = draw_array(t, &s);
    s.map = draw_array(t, &s);
    return s;
}

static inline void free_scene(scene *s)
{
    armilla_sht_free(s->sht);
    armilla_iqu_free(s->iqu);
    armilla_points_free(s->points);
    armilla_alm_layout_free(s->layout);
    armilla_grid_free(s->grid);
    free(s->alm);
    free(s->map);
    free(s->weights);
    free(s->guess);
}

static inline void spoil_distance(trial *t, const char *name, int64_t least, int64_t *distance)
{
    if (spoil(t, name))
        *distance = below(t, 2) && least > 1 ? least - 1 : outside(t, 0, INT64_C(1) << 58);
}

static inline void spoil_exec(trial *t, scene *s)
{
    armilla_exec *exec = &s->exec;
    if (spoil(t, "nthreads")) exec->nthreads = outside_int(t, 0, INT32_MAX);
    if (exec->ntrans * s->about.alm_ncomp > 1)
        spoil_distance(t, "alm_distance", s->about.alm_size, &exec->alm_distance);
    if (exec->ntrans * s->about.ncomp > 1)
        spoil_distance(t, "map_distance", s->about.npix, &exec->map_distance);
    if (spoil(t, "ntrans")) exec->ntrans = outside(t, 1, INT64_C(1) << 59);
    if (spoil(t, "size")) exec->size = wrong_size(t, offsetof(armilla_exec, memory), sizeof *exec);
}

/* --- Iterative analysis ----------------------------------------------------------------------- */

/* A pixel of the grid's rings. */
static inline int64_t any_pixel(trial *t, const scene *s)
{
    armilla_ring ring;
    check_ok(armilla_grid_ring(s->grid, below(t, armilla_grid_nrings(s->grid)), &ring));
    return ring.offset + ring.stride * below(t, ring.nphi);
}

/* A number of some component and transform of a map: it must not be read while its weight is 0. */
static inline void store_in_map(trial *t, const scene *s, int64_t pixel, double value)
{
    int64_t distance = s->exec.map_distance ? s->exec.map_distance : s->about.npix;
    store(s, s->map, distance * below(t, s->exec.ntrans * s->about.ncomp) + pixel, value);
}

static inline void store_in_guess(trial *t, const scene *s, double *guess, double value)
{
    int64_t distance = s->exec.alm_distance ? s->exec.alm_distance : s->about.alm_size;
    int64_t m = below(t, s->mmax + 1), component = below(t, s->exec.ntrans * s->about.alm_ncomp);
    int64_t index = s->layout ? armilla_alm_layout_index(s->layout, s->lmax, m)
                              : armilla_alm_index(s->lmax, s->lmax, m);
    store(s, guess, 2 * (component * distance + index) + (m ? below(t, 2) : 0), value);
}

/* Weights of any scale (Jacobi: at most 1), with a pixel left out whose value is NaN. */
static inline void draw_weights(trial *t, scene *s, armilla_pseudo_options *options)
{
    static const double scales[] = {1, 1e-9, 1e-300, 1e300};
    double scale = options->method == ARMILLA_PSEUDO_LSMR ? scales[below(t, 4)] : 1;
    int64_t kept = any_pixel(t, s), left_out = any_pixel(t, s);
    s->weights = checked_malloc(s->about.npix, sizeof *s->weights);
    for (int64_t i = 0; i < s->about.npix; i++) s->weights[i] = (double)NAN; /* not of a ring */
    for (int64_t r = 0; r < armilla_grid_nrings(s->grid); r++) {
        armilla_ring ring;
        check_ok(armilla_grid_ring(s->grid, r, &ring));
        for (int64_t k = 0; k < ring.nphi; k++)
            s->weights[ring.offset + k * ring.stride] =
                below(t, 4) ? scale * (double)between(t, 1, 8) / 8 : 0;
    }
    s->weights[kept] = scale;
    if (kept != left_out) {
        s->weights[left_out] = 0;
        store_in_map(t, s, left_out, not_finite(t));
    }
    options->weights = s->weights;
}

static inline armilla_pseudo_options draw_pseudo(trial *t, scene *s)
{
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.method = (armilla_pseudo_method)below(t, 3);
    if (s->points || (s->derives && options.method == ARMILLA_PSEUDO_JACOBI))
        options.method = ARMILLA_PSEUDO_LSMR;
    options.max_iterations = below(t, 4);
    options.tolerance = fabs(any_finite(t));
    if (below(t, 2)) draw_weights(t, s, &options);
    if (below(t, 2)) s->guess = draw_array(t, s);
    options.guess = s->guess ? s->guess : below(t, 2) ? s->alm : NULL;
    return options;
}

static inline void spoil_weights(trial *t, scene *s)
{
    const double wrong[] = {-5e-324, -1, -1e300, not_finite(t)};
    if (spoil(t, "options->weights: all"))
        for (int64_t i = 0; i < s->about.npix; i++) s->weights[i] = below(t, 2) ? 0.0 : -0.0;
    if (spoil(t, "options->weights[")) s->weights[any_pixel(t, s)] = wrong[below(t, 4)];
}

/* Before the distances are spoilt: they say where the numbers are. */
static inline void spoil_pseudo(trial *t, scene *s, armilla_pseudo_options *options)
{
    if (spoil(t, s->points ? "values[" : "map[")) {
        int64_t pixel = any_pixel(t, s);
        store_in_map(t, s, pixel, not_finite(t));
        if (s->weights) s->weights[pixel] = 1;
    }
    if (s->weights) spoil_weights(t, s);
    if (options->guess && spoil(t, "options->guess["))
        store_in_guess(t, s, s->guess ? s->guess : s->alm, not_finite(t));
    if (spoil(t, "method"))
        options->method = (armilla_pseudo_method)outside_int(t, 0, s->points ? 0 : 2);
    if (options->method == ARMILLA_PSEUDO_LSMR && spoil(t, "tolerance"))
        options->tolerance = below(t, 2) ? -1e-300 : not_finite(t);
    if (spoil(t, "max_iterations")) options->max_iterations = outside(t, 0, INT64_MAX);
    if (spoil(t, "size"))
        options->size = wrong_size(t, offsetof(armilla_pseudo_options, weights), sizeof *options);
}

/* No pixel that is left out has been read: alm holds no NaN, in its gaps neither. */
static inline void assert_finite(const trial *t, const scene *s)
{
    for (int64_t i = 0; i < MOST_NUMBERS; i++)
        if (!isfinite(s->is_float ? (double)((float *)(void *)s->alm)[i] : s->alm[i]))
            fail_msg("trial %lld: number %lld of alm is not finite", (long long)t->number,
                     (long long)i);
}

typedef struct pseudo_call {
    const void *plan;
    const void *map;
    void *alm;
    const armilla_pseudo_options *options;
    armilla_pseudo_report *reports;
    const armilla_exec *exec;
} pseudo_call;

/* One trial of a plan's iterative analysis; `plan` is its name in messages. */
static inline void try_pseudo_of(trial *t, scene *s, const char *plan,
                                 armilla_status (*run)(const scene *, const pseudo_call *))
{
    armilla_pseudo_report reports[6];
    memset(reports, 0x5a, sizeof reports);
    armilla_pseudo_options options = draw_pseudo(t, s);
    spoil_pseudo(t, s, &options);
    spoil_exec(t, s);
    size_t bytes = MOST_NUMBERS * sizeof(double);
    uint64_t read = checksum(s->map, bytes), before = checksum(s->alm, bytes);
    size_t weight_bytes = (size_t)s->about.npix * sizeof(double);
    uint64_t weights = s->weights ? checksum(s->weights, weight_bytes) : 0;
    uint64_t guess = s->guess ? checksum(s->guess, bytes) : 0;
    uint64_t unreported = checksum(reports, sizeof reports);
    pseudo_call call = {.plan = spoil(t, plan) ? NULL : s->plan,
                        .map = spoil(t, map_name(s)) ? NULL : s->map,
                        .alm = spoil(t, "alm") ? NULL : s->alm,
                        .options = &options,
                        .reports = below(t, 2) ? reports : NULL,
                        .exec = &s->exec};
    if (judge(t, run(s, &call))) {
        assert_finite(t, s);
    } else {
        assert_unchanged(t, before, s->alm, bytes);
        assert_unchanged(t, unreported, reports, sizeof reports);
    }
    assert_unchanged(t, read, s->map, bytes);
    if (s->weights) assert_unchanged(t, weights, s->weights, weight_bytes);
    if (s->guess) assert_unchanged(t, guess, s->guess, bytes);
    free_scene(s);
}

/* --- Operators -------------------------------------------------------------------------------- */

/* One trial of an operator. run: operator number `which`, the first two of which make maps. */
static inline void try_operator_of(trial *t, scene *s, const char *plan,
                                   armilla_status (*run)(int64_t which, int is_float,
                                                         const void *plan, const void *from,
                                                         void *to, const armilla_exec *exec))
{
    int64_t which = below(t, 4);
    spoil_exec(t, s);
    size_t bytes = MOST_NUMBERS * sizeof(double);
    double *input = which < 2 ? s->alm : s->map, *output = which < 2 ? s->map : s->alm;
    uint64_t read = checksum(input, bytes), before = checksum(output, bytes);
    const void *given = spoil(t, plan) ? NULL : s->plan;
    double *from = spoil(t, which < 2 ? "alm" : map_name(s)) ? NULL : input;
    double *to = spoil(t, which < 2 ? map_name(s) : "alm") ? NULL : output;
    const armilla_exec *exec = !t->spoilt && below(t, 4) == 0 ? NULL : &s->exec;
    if (!judge(t, run(which, s->is_float, given, from, to, exec)))
        assert_unchanged(t, before, output, bytes);
    assert_unchanged(t, read, input, bytes);
    free_scene(s);
}

#endif
