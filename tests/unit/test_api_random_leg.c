/* Checks that the functions of leg.h stand random arguments: right ones work, wrong ones are
 * refused by name. */
#include "test_api_random.h"

static const int64_t largest_lmax = INT64_C(1) << 30;

enum { MOST_LMAX = 9, MOST_RINGS = 6, MOST_NUMBERS = 20000 };

static double one[MOST_NUMBERS], other[MOST_NUMBERS];

/* Fills both arrays, in the precision that is asked for. */
static void fill_arrays(int is_float)
{
    for (int64_t i = 0; i < MOST_NUMBERS; i++) one[i] = other[i] = (double)(i % 17);
    for (int64_t i = 0; is_float && i < MOST_NUMBERS; i++)
        ((float *)(void *)one)[i] = ((float *)(void *)other)[i] = (float)(i % 17);
}

/* --- alm <-> leg ------------------------------------------------------------------------------ */

typedef struct legs {
    armilla_leg_problem problem;
    double theta[MOST_RINGS];
    int64_t orders[MOST_LMAX + 1], mstart[MOST_LMAX + 1];
} legs;

static void draw_places(trial *t, legs *p)
{
    armilla_leg_problem *problem = &p->problem;
    problem->norders = between(t, 1, problem->lmax + 1);
    int64_t shift = below(t, problem->lmax + 2 - problem->norders);
    for (int64_t i = 0; i < problem->norders; i++) p->orders[i] = shift + i;
    if (below(t, 2)) problem->orders = p->orders;
    if (below(t, 2)) return;
    problem->stride = below(t, 2) ? between(t, 1, 3) : -between(t, 1, 3);
    for (int64_t i = 0; i < problem->norders; i++)
        p->mstart[i] = 60 * i + (problem->stride < 0 ? -problem->lmax * problem->stride : 0);
    problem->mstart = p->mstart;
}

static void draw_problem(trial *t, legs *p)
{
    armilla_leg_problem *problem = &p->problem;
    armilla_leg_problem_init(problem);
    problem->lmax = below(t, MOST_LMAX + 1);
    problem->nrings = between(t, 1, MOST_RINGS);
    problem->theta = p->theta;
    for (int i = 0; i < MOST_RINGS; i++) p->theta[i] = M_PI * (double)below(t, 101) / 100;
    draw_places(t, p);
    problem->nthreads = (int)below(t, 3);
    problem->mode = (armilla_sht_mode)below(t, 2);
    problem->spin = between(t, -problem->lmax, problem->lmax);
    if (problem->spin == 0) problem->mode = ARMILLA_SHT_STANDARD;
    if (below(t, 2)) problem->alm_distance = armilla_leg_alm_size(problem) + below(t, 5);
}

static void spoil_places(trial *t, legs *p)
{
    armilla_leg_problem *problem = &p->problem;
    int64_t last = problem->norders - 1;
    if (problem->mstart && spoil(t, "mstart"))
        p->mstart[last] =
            below(t, 2) ? -1 - 3 * MOST_LMAX : outside(t, -(INT64_C(1) << 60), INT64_C(1) << 60);
    if (problem->orders && spoil(t, "orders")) p->orders[last] = outside(t, 0, problem->lmax);
    if (spoil(t, "stride"))
        problem->stride = below(t, 2) ? 0 : outside(t, -(INT64_C(1) << 60), INT64_C(1) << 60);
    if (spoil(t, "alm_distance"))
        problem->alm_distance = below(t, 2) ? outside(t, 0, INT64_C(1) << 60) : -1;
    if (spoil(t, "norders")) problem->norders = outside(t, 1, problem->lmax + 1);
}

static void spoil_problem(trial *t, legs *p)
{
    armilla_leg_problem *problem = &p->problem;
    if (spoil(t, "theta")) p->theta[0] = below(t, 2) ? -0.1 : not_finite(t);
    if (spoil(t, "theta")) problem->theta = NULL;
    if (spoil(t, "nrings")) problem->nrings = outside(t, 1, INT64_MAX);
    spoil_places(t, p);
    if (spoil(t, "spin")) problem->spin = outside(t, -problem->lmax, problem->lmax);
    if (spoil(t, "mode")) problem->mode = (armilla_sht_mode)outside_int(t, 0, 2);
    if (spoil(t, "nthreads")) problem->nthreads = outside_int(t, 0, INT32_MAX);
    if (spoil(t, "vax")) problem->isa = "vax";
    if (spoil(t, "size"))
        problem->size = wrong_size(t, offsetof(armilla_leg_problem, progress), sizeof *problem);
    if (spoil(t, "lmax")) problem->lmax = outside(t, 0, largest_lmax);
}

static void try_problem(trial *t)
{
    legs p;
    int is_float = (int)below(t, 2), to_alm = (int)below(t, 2);
    draw_problem(t, &p);
    spoil_problem(t, &p);
    fill_arrays(is_float);
    uint64_t before = checksum(one, sizeof one);
    const armilla_leg_problem *given = spoil(t, "problem") ? NULL : &p.problem;
    double *in = spoil(t, to_alm ? "leg" : "alm") ? NULL : one;
    double *out = spoil(t, to_alm ? "alm" : "leg") ? NULL : other;
    const float *in_float = (const float *)(const void *)in;
    float *out_float = (float *)(void *)out;
    armilla_status status =
        is_float
            ? (to_alm ? armilla_leg_to_alm_float(given, in_float, out_float)
                      : armilla_leg_from_alm_float(given, in_float, out_float))
            : (to_alm ? armilla_leg_to_alm(given, in, out) : armilla_leg_from_alm(given, in, out));
    if (!judge(t, status)) assert_unchanged(t, before, other, sizeof other);
    assert_unchanged(t, before, one, sizeof one);
    assert_true(armilla_leg_alm_size(given) >= -1);
}

/* --- leg <-> map ------------------------------------------------------------------------------ */

typedef struct maps {
    armilla_leg_rings rings;
    armilla_ring list[MOST_RINGS];
} maps;

static void draw_maps(trial *t, maps *p)
{
    armilla_leg_rings_init(&p->rings);
    int64_t offset = 0;
    for (int i = 0; i < MOST_RINGS; i++) {
        int64_t nphi = between(t, 1, 30), stride = between(t, 1, 3);
        p->list[i] = (armilla_ring){.theta = 1,
                                    .nphi = nphi,
                                    .phi0 = any_finite(t),
                                    .offset = offset,
                                    .stride = stride,
                                    .weight = any_finite(t)};
        offset += nphi * stride;
    }
    p->rings.ncomp = between(t, 1, 3);
    p->rings.nrings = between(t, 1, MOST_RINGS);
    p->rings.rings = p->list;
    p->rings.mmax = below(t, 40);
    p->rings.nthreads = (int)below(t, 3);
    if (below(t, 2)) p->rings.map_distance = offset + below(t, 5);
}

static void spoil_maps(trial *t, maps *p)
{
    armilla_leg_rings *rings = &p->rings;
    if (spoil(t, "nphi")) p->list[0].nphi = outside(t, 1, INT64_C(1) << 30);
    if (spoil(t, "phi0")) p->list[0].phi0 = not_finite(t);
    if (spoil(t, "weight")) p->list[0].weight = not_finite(t);
    if (spoil(t, "ncomp")) rings->ncomp = outside(t, 1, INT64_C(1) << 30);
    if (spoil(t, "nrings")) rings->nrings = outside(t, 1, INT64_C(1) << 30);
    if (spoil(t, "rings")) rings->rings = NULL;
    if (spoil(t, "mmax")) rings->mmax = outside(t, 0, largest_lmax);
    if (spoil(t, "nthreads")) rings->nthreads = outside_int(t, 0, INT32_MAX);
    if (spoil(t, "map_distance")) rings->map_distance = outside(t, 0, INT64_C(1) << 60);
    if (spoil(t, "vax")) rings->isa = "vax";
    if (spoil(t, "size"))
        rings->size = wrong_size(t, offsetof(armilla_leg_rings, progress), sizeof *rings);
}

static void try_rings(trial *t)
{
    maps p;
    int is_float = (int)below(t, 2), to_map = (int)below(t, 2);
    draw_maps(t, &p);
    spoil_maps(t, &p);
    fill_arrays(is_float);
    uint64_t before = checksum(one, sizeof one);
    const armilla_leg_rings *given = spoil(t, "rings") ? NULL : &p.rings;
    double *in = spoil(t, to_map ? "leg" : "map") ? NULL : one;
    double *out = spoil(t, to_map ? "map" : "leg") ? NULL : other;
    const float *in_float = (const float *)(const void *)in;
    float *out_float = (float *)(void *)out;
    armilla_status status =
        is_float
            ? (to_map ? armilla_leg_to_map_float(given, in_float, out_float)
                      : armilla_leg_from_map_float(given, in_float, out_float))
            : (to_map ? armilla_leg_to_map(given, in, out) : armilla_leg_from_map(given, in, out));
    if (!judge(t, status)) assert_unchanged(t, before, other, sizeof other);
    assert_unchanged(t, before, one, sizeof one);
}

static void initialisers_take_null(void **state)
{
    (void)state;
    armilla_leg_problem_init(NULL);
    armilla_leg_rings_init(NULL);
    assert_int_equal(armilla_leg_alm_size(NULL), -1);
}

static void stages_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_problem, 2000);
    try_often(try_rings, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(initialisers_take_null),
        cmocka_unit_test(stages_name_a_wrong_argument),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (failed) print_message("last trial %lld\n", (long long)last_trial);
    return failed;
}
