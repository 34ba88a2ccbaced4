/* Checks that transforms of maps in NESTED order have the bits of those in RING order, and take the
 * same memory, in every way of the ring stage and wherever the ring spectrum waits. */
#include "test_nested_scene.h"

#include <stdlib.h>

typedef struct {
    int64_t nside, lmax, spin;
    const char *choices; /* NULL: none is forced */
    int64_t ntrans;
    int is_float, nthreads;
    const char *isa; /* NULL: the best one */
} problem;

/* The four operators: to a map, and to coefficients. */
static armilla_status run(const problem *p, int which, const armilla_sht *sht, const void *from,
                          void *to)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = p->ntrans, exec.nthreads = p->nthreads;
    switch (2 * which + p->is_float) {
    case 0:
        return armilla_sht_synthesis(sht, from, to, &exec);
    case 1:
        return armilla_sht_synthesis_float(sht, from, to, &exec);
    case 2:
        return armilla_sht_adjoint_analysis(sht, from, to, &exec);
    case 3:
        return armilla_sht_adjoint_analysis_float(sht, from, to, &exec);
    case 4:
        return armilla_sht_analysis(sht, from, to, &exec);
    case 5:
        return armilla_sht_analysis_float(sht, from, to, &exec);
    case 6:
        return armilla_sht_adjoint_synthesis(sht, from, to, &exec);
    default:
        return armilla_sht_adjoint_synthesis_float(sht, from, to, &exec);
    }
}

static armilla_sht *plan_of(const problem *p, const armilla_grid *grid)
{
    armilla_sht_options options;
    armilla_sht *sht;
    armilla_sht_options_init(&options);
    options.spin = p->spin, options.choices = p->choices, options.isa = p->isa;
    check_ok(armilla_sht_new(grid, p->lmax, p->lmax, &options, &sht));
    return sht;
}

/* Everything that a description says. */
static void check_descriptions(armilla_sht *const plans[2], int nthreads)
{
    armilla_sht_description told[2];
    memset(told, 0, sizeof told);
    for (int i = 0; i < 2; i++) {
        told[i].size = sizeof told[i];
        check_ok(armilla_sht_describe(plans[i], nthreads, &told[i]));
    }
    assert_int_equal(told[0].plan_bytes, told[1].plan_bytes);
    assert_int_equal(told[0].workspace_bytes, told[1].workspace_bytes);
    assert_memory_equal(&told[0], &told[1], sizeof told[0]);
}

static void check_operators(const problem *p, armilla_sht *const plans[2])
{
    const int64_t ncomp = p->ntrans * (p->spin ? 2 : 1), npix = armilla_healpix_npix(p->nside);
    const int64_t size = 2 * ncomp * armilla_alm_size(p->lmax, p->lmax);
    const size_t item = p->is_float ? sizeof(float) : sizeof(double);
    void *alm = checked_malloc(size, 8), *map[2], *made[2];
    double *numbers = checked_malloc(size, 8);
    random_fill(7, size, numbers);
    if (p->is_float)
        to_float(size, numbers, alm);
    else
        memcpy(alm, numbers, (size_t)size * 8);
    for (int i = 0; i < 2; i++)
        map[i] = checked_malloc(ncomp * npix, 8), made[i] = checked_malloc(size, 8);
    for (int which = 0; which < 2; which++) {
        for (int i = 0; i < 2; i++) check_ok(run(p, which, plans[i], alm, map[i]));
        check_moved(p->nside, ncomp, item, map[0], map[1], p->choices ? p->choices : "to map");
    }
    to_nested(p->nside, ncomp, item, map[0], map[1]);
    const uint64_t before = checksum(map[1], (size_t)(ncomp * npix) * item);
    for (int which = 2; which < 4; which++) {
        for (int i = 0; i < 2; i++) check_ok(run(p, which, plans[i], map[i], made[i]));
        assert_memory_equal(made[0], made[1], (size_t)size * item);
    }
    assert_true(checksum(map[1], (size_t)(ncomp * npix) * item) == before);
    for (int i = 0; i < 2; i++) free(map[i]), free(made[i]);
    free(numbers);
    free(alm);
}

static void check(const problem *p)
{
    armilla_grid *plain = healpix_grid(p->nside), *grid = nested_of(plain);
    armilla_sht *plans[2] = {plan_of(p, plain), plan_of(p, grid)};
    check_descriptions(plans, p->nthreads);
    check_operators(p, plans);
    armilla_sht_free(plans[1]);
    armilla_sht_free(plans[0]);
    armilla_grid_free(grid);
    armilla_grid_free(plain);
}

static void small_maps(void **state)
{
    (void)state;
    for (int64_t nside = 1; nside <= 32; nside *= 2)
        for (int64_t spin = 0; spin <= 2; spin++)
            for (int is_float = 0; is_float < 2; is_float++)
                for (int64_t lmax = spin; lmax <= 4 * nside; lmax += 2 * nside - 1)
                    check(&(problem){nside, lmax, spin, NULL, 1 + spin, is_float, 2, NULL});
}

/* Rings go alone or in lanes, whole or by residues; all orders or parts of them; the ring spectrum
 * waits in memory, or in maps and in alm. */
static void all_ways(void **state)
{
    (void)state;
    static const char *const choices[] = {
        "ring.lanes=0",
        "ring.lanes=0,ring.fours=1",
        "ring.lanes=1",
        "sht.flow=1,sht.passes=1",
        "sht.flow=1,sht.passes=2",
        "sht.flow=1,sht.passes=2,ring.lanes=0",
        "sht.flow=1,sht.passes=2,sht.parking=0",
        "sht.flow=1,sht.passes=2,sht.parking=0,ring.part_kind=1",
        "sht.flow=1,sht.passes=2,sht.parking=0,ring.part_kind=2",
        "sht.flow=1,sht.passes=2,sht.parking=0,ring.lanes=0,ring.fours=1,ring.part_kind=0",
    };
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        for (int is_float = 0; is_float < 2; is_float++)
            for (int64_t spin = 0; spin <= 2; spin += 2) {
                check(&(problem){64, 100, spin, choices[i], 2, is_float, 3, NULL});
                check(&(problem){32, 140, spin, choices[i], 1, is_float, 1, NULL});
            }
}

/* Each with its own number of lanes; the scalar set has kernels of its own for what goes alone. */
static void other_instruction_sets(void **state)
{
    (void)state;
    for (int i = 0; armilla_isa_available(i); i++)
        for (int is_float = 0; is_float < 2; is_float++)
            for (int64_t spin = 0; spin <= 2; spin += 2) {
                problem p = {16, 40, spin, NULL, 2, is_float, 2, armilla_isa_available(i)};
                check(&p);
                p.nside = 32, p.choices = "sht.flow=1,sht.passes=2";
                check(&p);
            }
}

/* The sizes from which on the usual choices are others: more pairs than one pass takes, and parts.
 */
static void large_maps(void **state)
{
    (void)state;
    if (checks_quick()) skip();
    check(&(problem){512, 300, 0, NULL, 1, 0, 2, NULL});
    check(&(problem){512, 2047, 0, NULL, 1, 0, 2, NULL});
    check(&(problem){512, 300, 0, NULL, 1, 1, 2, NULL});
}

/* Gaps between maps, and a map that begins anywhere. */
static void distances_between_maps(void **state)
{
    (void)state;
    const int64_t nside = 16, lmax = 40, gap = 5, npix = armilla_healpix_npix(nside);
    const problem p = {nside, lmax, 2, "sht.flow=1,sht.passes=2", 1, 0, 2, NULL};
    armilla_grid *plain = healpix_grid(nside), *grid = nested_of(plain);
    armilla_sht *plans[2] = {plan_of(&p, plain), plan_of(&p, grid)};
    const int64_t size = 4 * armilla_alm_size(lmax, lmax), room = 2 * npix + gap + 3;
    double *alm = checked_malloc(size, 8), *map[2];
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.map_distance = npix + gap;
    random_fill(2, size, alm);
    for (int i = 0; i < 2; i++) {
        map[i] = checked_malloc(room, 8);
        for (int64_t k = 0; k < room; k++) map[i][k] = 7;
        check_ok(armilla_sht_synthesis(plans[i], alm, map[i] + 3, &exec));
    }
    for (int64_t c = 0; c < 2; c++)
        check_moved(nside, 1, 8, map[0] + 3 + c * (npix + gap), map[1] + 3 + c * (npix + gap),
                    "with gaps");
    for (int64_t k = 0; k < 3 + gap; k++)
        assert_true(map[1][k < 3 ? k : npix + k] == 7); /* gaps are left alone */
    for (int i = 0; i < 2; i++) free(map[i]), armilla_sht_free(plans[i]);
    free(alm);
    armilla_grid_free(grid);
    armilla_grid_free(plain);
}

static void stages_of_a_gpu_refuse(void **state)
{
    (void)state;
    armilla_grid *grid = nested_grid(8);
    armilla_sht_options options;
    armilla_sht *sht = NULL;
    armilla_iqu *iqu = NULL;
    armilla_sht_options_init(&options);
    options.device = ARMILLA_CUDA;
    check_error(armilla_sht_new(grid, 8, 8, &options, &sht), ARMILLA_ERROR_UNSUPPORTED,
                "grid: is in NESTED order, which a plan with device = CUDA does not take");
    check_error(armilla_iqu_new(grid, 8, 8, &options, &iqu), ARMILLA_ERROR_UNSUPPORTED,
                "grid: is in NESTED order");
    assert_true(!sht && !iqu);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_maps),
        cmocka_unit_test(all_ways),
        cmocka_unit_test(other_instruction_sets),
        cmocka_unit_test(large_maps),
        cmocka_unit_test(distances_between_maps),
        cmocka_unit_test(stages_of_a_gpu_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
