/* Checks that requests in range, but larger than the machine, give an error within a moment, not
 * minutes of work, nor memory that is not there. The process may have 512 MiB here, so that
 * whatever is asked for in proportion to a huge number must fail. */
#include "test_api_random.h"

#include <sys/resource.h>
#include <time.h>

enum { MEMORY_MB = 512, SECONDS = 2 };

static const int64_t two30 = INT64_C(1) << 30, two28 = INT64_C(1) << 28;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/* Sanitizers need address space without end, and limit single allocations instead. */
static const char options[] = "allocator_may_return_null=1:max_allocation_size_mb=512";
ARMILLA_API const char *__asan_default_options(void);
ARMILLA_API const char *__tsan_default_options(void);
ARMILLA_API const char *__asan_default_options(void)
{
    return options;
}
ARMILLA_API const char *__tsan_default_options(void)
{
    return options;
}
static void limit_memory(void)
{
}
#else
static void limit_memory(void)
{
    const rlim_t bytes = (rlim_t)MEMORY_MB << 20;
    assert_int_equal(setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes}), 0);
}
#endif

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void judge_huge(const char *call, armilla_status status, const void *made, double seconds)
{
    if (status != ARMILLA_ERROR_MEMORY && status != ARMILLA_ERROR_ARGUMENT &&
        status != ARMILLA_ERROR_UNSUPPORTED)
        fail_msg("%s: status \"%s\"", call, armilla_status_name(status));
    if (made != MARK) fail_msg("%s: a result in spite of an error", call);
    check_at_most(seconds, checks_quick() ? 10 * SECONDS : SECONDS, "seconds of %s", call);
}

/* Inside the call, MADE is the place for a result. */
#define MADE ((void *)&made)
#define TOO_LARGE(call)                                                                            \
    do {                                                                                           \
        void *made = MARK;                                                                         \
        double begin = now();                                                                      \
        armilla_status status = (call);                                                            \
        judge_huge(#call, status, made, now() - begin);                                            \
    } while (0)

static void grids_are_refused(void **state)
{
    (void)state;
    TOO_LARGE(armilla_grid_new_healpix(two28, MADE));
    TOO_LARGE(armilla_grid_new_healpix_weighted(two28, two28, MADE));
    TOO_LARGE(armilla_grid_new_gauss_legendre(two30, 1, MADE));
    TOO_LARGE(armilla_grid_new_gauss_legendre(two30, two30, MADE));
    TOO_LARGE(armilla_grid_new_reduced_gauss_legendre(two30, two28, MADE));
    for (int kind = ARMILLA_GRID_CC; kind <= ARMILLA_GRID_MWFLIP; kind++) {
        armilla_grid_kind known = (armilla_grid_kind)kind;
        TOO_LARGE(armilla_grid_new_equidistant(known, two28, two30, MADE));
        TOO_LARGE(armilla_grid_new_equidistant(known, two30 / 64, 1, MADE));
    }
    const armilla_ring sparse[] = {{.theta = 1, .nphi = two30, .stride = INT64_C(1) << 32},
                                   {1, two30, 0, 1, INT64_C(1) << 32, 0}};
    TOO_LARGE(armilla_grid_new_custom(2, sparse, MADE));
}

/* 40 times this triangle is 2^64 + 41224. */
static void structs_are_refused(void **state)
{
    (void)state;
    TOO_LARGE(armilla_alm_layout_new(two30, two30, MADE));
    TOO_LARGE(armilla_alm_file_new(two30, two30, 1, MADE));
    TOO_LARGE(armilla_alm_file_new(two30, two30, 998, MADE));
    TOO_LARGE(armilla_alm_file_new(960383882, 960382852, 40, MADE));
    TOO_LARGE(armilla_cl_file_new(two30, 998, MADE));
    TOO_LARGE(armilla_map_new(1 << 20, 998, MADE));
    TOO_LARGE(armilla_map_new(876706528, 998, MADE));
}

/* The arrays are shorter than these band limits need: to be refused before they are looked at. */
static void coefficients_are_refused(void **state)
{
    (void)state;
    double one[4] = {0}, other[4] = {0};
    armilla_rotation rotation = {1, 2, 3};
    TOO_LARGE(armilla_spectrum_compute(two30, two30, one, one, other));
    TOO_LARGE(armilla_alm_to_real(two30, two30, one, other));
    TOO_LARGE(armilla_alm_from_real(two30, two30, one, other));
    TOO_LARGE(armilla_alm_rotate(&rotation, two30, 0, one, 0, other, NULL));
}

static void plans_are_refused(void **state)
{
    (void)state;
    armilla_grid *grid = NULL, *ring = NULL, *far = NULL;
    armilla_sht_options spin, resample, derivatives;
    armilla_sht_options_init(&spin);
    armilla_sht_options_init(&resample);
    armilla_sht_options_init(&derivatives);
    spin.spin = two30;
    resample.method = ARMILLA_SHT_RESAMPLE;
    derivatives.spin = 1, derivatives.mode = ARMILLA_SHT_DERIVATIVES;
    check_ok(armilla_grid_new_healpix(2, &grid));
    TOO_LARGE(armilla_sht_new(grid, two30, two30, NULL, MADE));
    TOO_LARGE(armilla_sht_new(grid, two30, 0, NULL, MADE));
    TOO_LARGE(armilla_sht_new(grid, two30, 0, &spin, MADE));
    TOO_LARGE(armilla_sht_new(grid, two30, 0, &resample, MADE));
    TOO_LARGE(armilla_sht_new(grid, two30, 0, &derivatives, MADE));
    check_ok(armilla_grid_new_gauss_legendre(1, two30, &ring));
    TOO_LARGE(armilla_sht_new(ring, 0, 0, NULL, MADE));
    check_ok(armilla_grid_new_custom(1, &(armilla_ring){1, two30 - 35, 0, 0, 1, 1}, &far));
    TOO_LARGE(armilla_sht_new(far, 0, 0, NULL, MADE));
    armilla_grid_free(grid);
    armilla_grid_free(ring);
    armilla_grid_free(far);
}

static void stages_are_refused(void **state)
{
    (void)state;
    double one[4] = {0}, other[4] = {0}, theta = 1;
    armilla_leg_problem problem;
    armilla_leg_rings rings;
    armilla_ring ring = {1, two30, 0, 0, 1, 1}, small = {1, 3, 0, 0, 1, 1};
    armilla_leg_problem_init(&problem);
    problem.lmax = two30, problem.nrings = problem.norders = 1, problem.theta = &theta;
    TOO_LARGE(armilla_leg_from_alm(&problem, one, other));
    TOO_LARGE(armilla_leg_to_alm(&problem, one, other));
    armilla_leg_rings_init(&rings);
    rings.nrings = 1, rings.rings = &ring, rings.mmax = 0;
    TOO_LARGE(armilla_leg_to_map(&rings, one, other));
    rings.rings = &small, rings.mmax = two30;
    TOO_LARGE(armilla_leg_from_map(&rings, one, other));
}

int main(void)
{
    limit_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_are_refused),        cmocka_unit_test(structs_are_refused),
        cmocka_unit_test(coefficients_are_refused), cmocka_unit_test(plans_are_refused),
        cmocka_unit_test(stages_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
