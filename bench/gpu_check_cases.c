/* Do transforms agree with the processor's? Every operator, once more for the same bits; results
 * begin as not-a-number. */
#include "gpu_problem.h"
#include "gpu_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* NaN where one of them is. */
static double relative_rms(int64_t count, const double *a, const double *b)
{
    double difference = 0, sum = 0;
    for (int64_t i = 0; i < count; i++) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        sum += a[i] * a[i];
    }
    return sqrt(difference / sum);
}

/* What differs first by more than the bound allows any value to. */
static int64_t first_wrong(int64_t count, const double *wanted, const double *got, double bound)
{
    double largest = 0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs(wanted[i]));
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(wanted[i] - got[i]) <= 30 * bound * largest)) return i;
    return -1;
}

static void report_case(const gpu_problem *p, const gpu_operation *o, double *results[3])
{
    const int64_t count = gpu_problem_made(p, o);
    const double bound = (p->what.single ? 1e-6 : 3e-13) * (1 + (double)p->what.lmax / 1000);
    const double error = relative_rms(count, results[0], results[1]);
    const int same = memcmp(results[1], results[2], (size_t)count * sizeof(double)) == 0;
    char key[GPU_KEY], members[GPU_MEMBERS], number[40] = "null";
    gpu_problem_key(p, o->name, key);
    gpu_problem_members(p, o->name, members);
    if (isfinite(error)) snprintf(number, sizeof number, "%.3e", error);
    gpu_report_row("\"key\": \"%s, error\", \"value\": %s, \"unit\": \"\", \"bound\": %.3e, "
                   "\"same_bits\": %s, %s",
                   key, number, bound, same ? "true" : "false", members);
    gpu_report_line(' ', "%s: error %.2e, bound %.2e, %s", key, error, bound,
                    same ? "the same bits twice" : "OTHER BITS");
    if (!same) gpu_report_wrong("%s: other bits the second time", key);
    if (error <= bound) return; /* not so for NaN */
    const int64_t at = first_wrong(count, results[0], results[1], bound);
    gpu_report_wrong("%s: error %.2e, bound %.1e; first wrong: number %lld of %lld, got %.17g, "
                     "wanted %.17g",
                     key, error, bound, (long long)at, (long long)count,
                     at < 0 ? 0 : results[1][at], at < 0 ? 0 : results[0][at]);
}

static void check_operation(const gpu_problem *p, const gpu_operation *o)
{
    const int64_t count = gpu_problem_made(p, o), given = gpu_problem_given(p, o);
    double *from = o->to_map ? p->alm : p->map;
    double *results[3];
    for (int i = 0; i < 3; i++) { /* processor, in double; GPU, GPU again */
        const int single = i > 0 && p->what.single;
        results[i] = gpu_host_array(count);
        memset(results[i], 0xff, (size_t)count * sizeof(double));
        if (single) gpu_narrow(given, from);
        gpu_problem_run(p, o, i > 0, single, from, results[i], NULL);
        if (single) gpu_widen(given, from), gpu_widen(count, results[i]);
    }
    report_case(p, o, results);
    for (int i = 0; i < 3; i++) free(results[i]);
}

static void check_cases(gpu_cases list)
{
    for (int i = 0; i < list.count; i++) {
        gpu_problem p;
        gpu_problem_open(&list.cases[i], 1, &p);
        for (int o = 0; o < GPU_OPERATIONS; o++) check_operation(&p, &gpu_operations[o]);
        gpu_problem_close(&p);
    }
    if (!gpu_report_outcome())
        gpu_report_line('=', "%d transforms, 4 operators each: as the processor's, the same bits",
                        list.count);
}

void gpu_step_cases(int small)
{
    check_cases(GPU_CHOOSE(small, gpu_tiny_cases, gpu_right_cases));
}

void gpu_step_cases_large(int small)
{
    check_cases(GPU_CHOOSE(small, gpu_tiny_large_cases, gpu_large_cases));
}

/* --- Where the processor would take too long -------------------------------------------------- */

/* Re sum over m >= 0 of a conj(b), twice for m > 0. */
static double dot_alm(const gpu_problem *p, const double *a, const double *b)
{
    const int64_t one = 2 * p->description.alm_size, zonal = 2 * (p->what.lmax + 1);
    double sum = 0;
    for (int64_t i = 0; i < p->alm_count; i++) sum += (i % one < zonal ? 1 : 2) * a[i] * b[i];
    return sum;
}

static double dot(int64_t count, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

/* <Y a, m> = <a, Y^T m>, relative to the lengths of Y a and m. */
void gpu_check_adjointness(const gpu_problem *p)
{
    const gpu_operation *synthesis = &gpu_operations[0], *adjoint = &gpu_operations[1];
    double *map = gpu_host_array(p->map_count), *alm = gpu_host_array(p->alm_count);
    char key[GPU_KEY];
    gpu_problem_run(p, synthesis, 1, 0, p->alm, map, NULL);
    gpu_problem_run(p, adjoint, 1, 0, p->map, alm, NULL);
    const double left = dot(p->map_count, map, p->map), right = dot_alm(p, p->alm, alm);
    const double size = sqrt(dot(p->map_count, map, map) * dot(p->map_count, p->map, p->map));
    const double error = fabs(left - right) / size, bound = 1e-13;
    gpu_problem_key(p, "adjointness", key);
    const gpu_figure figure = {key, "", error, 1, NULL};
    gpu_report_figure(&figure);
    if (!(error <= bound)) gpu_report_wrong("%s: %.2e, bound %.1e", key, error, bound);
    free(map);
    free(alm);
}

/* --- For compute-sanitizer -------------------------------------------------------------------- */

/* What is left of the device's memory is a leak for compute-sanitizer. */
static void sanitize(gpu_cases list)
{
    check_cases(list);
    cudaDeviceReset();
}

void gpu_step_sanitize_scalar(int small)
{
    (void)small;
    sanitize((gpu_cases){gpu_scalar_sanitized, GPU_COUNT(gpu_scalar_sanitized)});
}

void gpu_step_sanitize_spin(int small)
{
    (void)small;
    sanitize((gpu_cases){gpu_spin_sanitized, GPU_COUNT(gpu_spin_sanitized)});
}
