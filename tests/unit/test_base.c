/* Checks the foundations that all folders share: messages, checked allocation, teams of threads,
 * instruction sets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/machine.h"
#include "base/cpu.h"
#include "base/cpu_quota.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "armilla/io.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

static void messages_name_argument_and_value(void **state)
{
    (void)state;
    assert_int_equal(armilla_check_band_limit(-1, 0), ARMILLA_ERROR_ARGUMENT);
    assert_string_equal(armilla_status_message(), "lmax = -1: must be at least 0");
    assert_int_equal(armilla_check_band_limit(4, 5), ARMILLA_ERROR_ARGUMENT);
    assert_string_equal(armilla_status_message(), "mmax = 5: must not exceed lmax = 4");
    assert_int_equal(armilla_check_band_limit(0, 0), ARMILLA_OK);
}

/* The name before an argument of any length and the rule behind it are both there. */
static void long_arguments_leave_name_and_rule(void **state)
{
    (void)state;
    static char argument[100001];
    for (size_t length = 1; length < sizeof argument; length += length < 1000 ? 1 : 9973) {
        memset(argument, 'x', length);
        for (size_t i = 0; i + 1 < length; i += 2) memcpy(argument + i, "\xc3\xa9", 2);
        argument[length] = '\0';
        armilla_fail(ARMILLA_ERROR_ARGUMENT, "name = %s: must be short", argument);
        const char *message = armilla_status_message();
        assert_int_equal(strncmp(message, "name = ", 7), 0);
        assert_non_null(strstr(message, ": must be short"));
        assert_true(strlen(message) == length + 22 ||
                    (length > 489 && strlen(message) < 512 && strlen(message) > 500));
        for (const char *byte = message; *byte; byte++) /* no half of a character */
            assert_true(*byte != '\xc3' || byte[1] == '\xa9');
        assert_true(!strstr(message, "...\xa9"));
        argument[0] = argument[length - 1] = 'x';
    }
}

static void allocation_is_aligned_and_checked(void **state)
{
    (void)state;
    double *p;
    assert_int_equal(armilla_allocate(&p, 3, sizeof *p), ARMILLA_OK);
    assert_int_equal((uintptr_t)p % 64, 0);
    armilla_release(p);
    assert_int_equal(armilla_allocate(&p, INT64_MAX / 4, sizeof *p), ARMILLA_ERROR_MEMORY);
    assert_null(p);
    assert_string_equal(armilla_status_message(), "could not allocate 18.4 EB");
    armilla_memory_fail_after(1);
    assert_int_equal(armilla_allocate(&p, 1, 8), ARMILLA_OK);
    armilla_release(p);
    assert_int_equal(armilla_allocate(&p, 1, 8), ARMILLA_ERROR_MEMORY);
    assert_int_equal(armilla_allocate(&p, 1, 8), ARMILLA_OK);
    armilla_release(p);
    assert_int_equal(armilla_memory_fail_after(-1), 3);
}

static void sizes_have_three_digits_and_a_unit(void **state)
{
    (void)state;
    char text[ARMILLA_SIZE_TEXT];
    assert_string_equal(armilla_size_text(0, text), "0 bytes");
    assert_string_equal(armilla_size_text(999, text), "999 bytes");
    assert_string_equal(armilla_size_text(1000, text), "1 kB");
    assert_string_equal(armilla_size_text(412316860416.0, text), "412 GB");
    assert_string_equal(armilla_size_text(2.77e19, text), "27.7 EB");
}

/* Only file operations have a number. */
static void errors_of_files_have_their_errno(void **state)
{
    armilla_map *map;
    (void)state;
    assert_int_equal(armilla_map_read("/nowhere/map.fits", 0, 0, NULL, &map), ARMILLA_ERROR_IO);
    assert_int_equal(armilla_status_errno(), ENOENT);
    assert_int_equal(armilla_check_band_limit(-1, 0), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_status_errno(), 0);
}

/* Rounding sizes up would hide small overruns. */
static void sanitizer_sees_the_first_byte_beyond(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    const int64_t sizes[] = {0, 1, 24, 64, 1000, INT64_C(9) << 20};
    for (int i = 0; i < 6; i++) {
        char *p;
        assert_int_equal(armilla_allocate(&p, sizes[i], 1), ARMILLA_OK);
        assert_int_equal((uintptr_t)p % 64, 0);
        assert_true(sizes[i] == 0 || !__asan_address_is_poisoned(p + sizes[i] - 1));
        assert_true(__asan_address_is_poisoned(p + (sizes[i] ? sizes[i] : 1)));
        armilla_release(p);
    }
#endif
}

typedef struct grown_options {
    size_t size;
    int64_t first;
    int64_t added, together; /* by a later version */
} grown_options;

static const size_t GROWN_VERSIONS[] = {ARMILLA_END_OF(grown_options, first), sizeof(grown_options),
                                        0};

static armilla_status copy_options(const grown_options *given, grown_options *chosen)
{
    *chosen = (grown_options){sizeof *chosen, 1, 2, 3};
    return armilla_options_copy("options", "grown_options", given, GROWN_VERSIONS, chosen);
}

static void option_structs_may_grow(void **state)
{
    (void)state;
    grown_options chosen, given = {sizeof given, 10, 20, 30};
    assert_int_equal(copy_options(NULL, &chosen), ARMILLA_OK);
    assert_true(chosen.first == 1 && chosen.added == 2);
    assert_int_equal(copy_options(&given, &chosen), ARMILLA_OK);
    assert_true(chosen.first == 10 && chosen.added == 20);
    given.size = offsetof(grown_options, added); /* of a program older than the field */
    assert_int_equal(copy_options(&given, &chosen), ARMILLA_OK);
    assert_true(chosen.size == sizeof chosen && chosen.first == 10 && chosen.added == 2);
    const size_t wrong[] = {0,
                            offsetof(grown_options, added) - 1,
                            offsetof(grown_options, added) + 1,
                            offsetof(grown_options, together),
                            sizeof given + 1,
                            SIZE_MAX};
    for (int i = 0; i < 6; i++) {
        given.size = wrong[i];
        assert_int_equal(copy_options(&given, &chosen), ARMILLA_ERROR_ARGUMENT);
        assert_true(chosen.first == 1 && chosen.added == 2);
        assert_non_null(strstr(armilla_status_message(), "call grown_options_init first"));
    }
}

static void count_visit(void *context, int64_t index, int thread)
{
    (void)thread;
    atomic_fetch_add((_Atomic int *)context + index, 1);
}

static void team_runs_every_task_once(void **state)
{
    (void)state;
    _Atomic int visits[1000];
    for (int nthreads = 1; nthreads <= 8; nthreads++) {
        for (int i = 0; i < 1000; i++) atomic_init(&visits[i], 0);
        armilla_team_run(nthreads, 1000, count_visit, visits);
        for (int i = 0; i < 1000; i++) assert_int_equal(atomic_load(&visits[i]), 1);
    }
    armilla_team_run(3, 0, count_visit, visits);
}

static void quota_of_a_container_counts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int processors;
    } cases[] = {{"max 100000\n", 0},
                 {"200000 100000\n", 2},
                 {"200001 100000\n", 3},
                 {"50000 100000\n", 1},
                 {"", 0},
                 {"100000", 0},
                 {"100000 0\n", 0},
                 {"-1 100000\n", 0},
                 {"999999999999999999 1\n", 0},
                 {"1 9223372036854775807", 1}};
    char path[] = "cpu_max.XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length = strlen(cases[i].text);
        assert_int_equal(ftruncate(descriptor, 0), 0);
        assert_int_equal(pwrite(descriptor, cases[i].text, length, 0), length);
        assert_int_equal(armilla_cpu_quota(path), cases[i].processors);
    }
    close(descriptor);
    unlink(path);
    assert_int_equal(armilla_cpu_quota(path), 0);
    assert_true(armilla_thread_count() >= 1);
}

static void instruction_set_can_be_forced(void **state)
{
    (void)state;
    armilla_isa isa;
    assert_int_equal(armilla_isa_choose("scalar", &isa), ARMILLA_OK);
    assert_int_equal(isa, ARMILLA_ISA_SCALAR);
    setenv("ARMILLA_ISA", "scalar", 1);
    assert_string_equal(armilla_isa_name(), "scalar");
    setenv("ARMILLA_ISA", "vax", 1);
    assert_int_equal(armilla_isa_choose(NULL, &isa), ARMILLA_ERROR_UNSUPPORTED);
    assert_non_null(strstr(armilla_status_message(), "vax"));
    assert_non_null(strstr(armilla_status_message(), "must be one of scalar"));
    unsetenv("ARMILLA_ISA");
    assert_string_equal(armilla_isa_available(0), "scalar");
}

static void lists_of_processors_are_counted(void **state)
{
    (void)state;
    assert_int_equal(armilla_cpu_list_count("0\n"), 1);
    assert_int_equal(armilla_cpu_list_count("0-7,64-71\n"), 16);
    assert_int_equal(armilla_cpu_list_count("3,5-6"), 3);
    assert_int_equal(armilla_cpu_list_count(""), 0);
    assert_int_equal(armilla_cpu_list_count("7-3"), 0);
    assert_int_equal(armilla_cpu_list_count("0-x"), 0);
    assert_int_equal(armilla_cpu_list_count("none"), 0);
}

static void large_output_goes_past_the_caches(void **state)
{
    (void)state;
    armilla_machine machine = armilla_machine_with(ARMILLA_ISA_SCALAR);
    machine.cache_bytes = ARMILLA_CACHE_NEAR; /* the least that AMD's processors have */
    for (machine.is_amd = 0; machine.is_amd < 2; machine.is_amd++) {
        for (int again = 0; again < 2; again++) {
            assert_false(armilla_machine_stores_far(&machine, 0, again));
            assert_false(armilla_machine_stores_far(&machine, ARMILLA_CACHE_LEAST, again));
        }
        for (int64_t bytes = 1; bytes < (int64_t)1 << 40; bytes *= 2)
            assert_true(armilla_machine_stores_far(&machine, bytes, 0) >=
                        armilla_machine_stores_far(&machine, bytes, 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_output_goes_past_the_caches),
        cmocka_unit_test(lists_of_processors_are_counted),
        cmocka_unit_test(messages_name_argument_and_value),
        cmocka_unit_test(long_arguments_leave_name_and_rule),
        cmocka_unit_test(allocation_is_aligned_and_checked),
        cmocka_unit_test(sizes_have_three_digits_and_a_unit),
        cmocka_unit_test(errors_of_files_have_their_errno),
        cmocka_unit_test(sanitizer_sees_the_first_byte_beyond),
        cmocka_unit_test(option_structs_may_grow),
        cmocka_unit_test(team_runs_every_task_once),
        cmocka_unit_test(quota_of_a_container_counts),
        cmocka_unit_test(instruction_set_can_be_forced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
