/* Which instruction set runs: the best of the machine, unless one is forced. What is expected comes
 * from the compiler and the processor, not from what the build was told to contain: a build that
 * lost its vector kernels gives right results slowly, and no other test would notice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "alm/rotation_dispatch.h"
#include "legendre/dispatch.h"
#include "oracle/checks.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    int lanes;
} set;

static const set *find_set(const char *name)
{
    static const set sets[] = {{"scalar", 1}, {"sse2", 2}, {"avx2", 4}, {"avx512", 8}, {"neon", 2}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (!strcmp(name, sets[i].name)) return &sets[i];
    return NULL;
}

static const char *best_of_this_machine(void)
{
#if defined(__aarch64__)
    return "neon"; /* part of every 64-bit Arm processor */
#elif defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return "avx512";
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "avx2" : "sse2";
#else
    return "scalar";
#endif
}

/* A plan made now runs on the set, with kernels of its width. */
static void check_plan(const char *isa)
{
    armilla_grid *grid;
    armilla_sht *sht;
    armilla_sht_description description = {.size = sizeof description};
    armilla_isa chosen;
    check_ok(armilla_grid_new_gauss_legendre(5, 9, &grid));
    check_ok(armilla_sht_new(grid, 4, 4, NULL, &sht));
    check_ok(armilla_sht_describe(sht, 1, &description));
    assert_string_equal(description.isa, isa);
    check_ok(armilla_isa_choose(NULL, &chosen));
    assert_string_equal(armilla_isa_label(chosen), isa);
    assert_int_equal(armilla_kernels_find(chosen)->vector_length, find_set(isa)->lanes);
    assert_int_equal(armilla_rotation_kernels_find(chosen)->vector_length, find_set(isa)->lanes);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

static void best_set_of_the_machine_is_chosen(void **state)
{
    (void)state;
    unsetenv("ARMILLA_ISA");
    assert_string_equal(armilla_isa_name(), best_of_this_machine());
    check_plan(best_of_this_machine());
}

static void every_set_of_the_machine_can_be_forced(void **state)
{
    (void)state;
    const char *isa, *last = NULL;
    for (int i = 0; (isa = armilla_isa_available(i)); i++, last = isa) {
        assert_non_null(find_set(isa));
        setenv("ARMILLA_ISA", isa, 1);
        check_plan(isa);
    }
    unsetenv("ARMILLA_ISA");
    assert_non_null(last);
    assert_string_equal(last, best_of_this_machine());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_set_of_the_machine_is_chosen),
        cmocka_unit_test(every_set_of_the_machine_can_be_forced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
