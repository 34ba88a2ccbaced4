/* Samples and points on a GPU: what a call is given and takes. Points of the host and of the
 * device, strips of bands, memory that was told before, allocations that fail, launches, and what
 * is refused by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cuda/stages/point_tasks.h"
#include "cuda/points_scene.h"

static const points_case usual = {.nrings = 90, .nphi = 194, .ncomp = 2, .spin = 1, .taps = 6};

/* Half of them in one tile. */
static double *uneven_points(const points_case *of, int64_t count)
{
    double *points = scattered_points(of, count);
    for (int64_t i = 0; i < count / 2; i++)
        points[2 * i] = 1 + 0.01 * fmod(points[2 * i], 1), points[2 * i + 1] = 1;
    return points;
}

/* --- Where things are ------------------------------------------------------------------------ */

static void points_may_be_on_the_device(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    points_scene s;
    cudaStream_t stream;
    void *points;
    points_open(&s, &usual, COUNT, uneven_points(&usual, COUNT));
    double *samples = random_samples(&s, 1), *wanted = zeros(2 * COUNT), *made = zeros(2 * COUNT);
    points_run(&s, 1, samples, wanted);
    armilla_cuda_points_free(s.plan);
    check_ok(armilla_cuda_upload(s.points, 2 * COUNT, sizeof(double), "test", &points));
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    check_ok(armilla_cuda_points_new(&s.problem, COUNT, points, 1, stream, &s.plan));
    points_run(&s, 1, samples, made);
    assert_memory_equal(wanted, made, sizeof(double) * 2 * COUNT);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    armilla_cuda_release(points);
    armilla_release(samples);
    armilla_release(wanted);
    armilla_release(made);
    points_close(&s);
}

/* --- Strips ----------------------------------------------------------------------------------- */

/* A strip of bands after the other, of samples that are all there. side: its rows as well. */
static void run_strips(const points_scene *s, int to_points, armilla_array samples,
                       armilla_array values)
{
    armilla_cuda_work work = {.scratch_bytes = armilla_cuda_points_scratch(s->plan, s->core.nmap)};
    const int64_t nbands = s->strip.end_band, half = s->of.nrings / 2, reach = s->strip.first;
    check_ok(armilla_cuda_allocate(work.scratch_bytes, "test", &work.scratch));
    for (int64_t band = 0; band < nbands; band++) {
        armilla_cuda_point_samples strip = samples_of(s, samples);
        strip.band = band, strip.end_band = band + 1;
        if (!to_points) {
            const int64_t first = band ? 16 * band : reach;
            const int64_t end = band + 1 < nbands ? 16 * band + 16 : half - reach;
            strip.band = band ? band - 1 : 0;
            strip.end_band = band + 2 < nbands ? band + 2 : nbands;
            for (int south = 0; south < 2; south++) {
                armilla_cuda_point_side *side = &strip.side[south];
                side->begin = south ? s->of.nrings - end : first;
                side->end = south ? s->of.nrings - first : end;
                side->offset += (side->begin - side->first) * strip.pitch;
                side->first = side->begin, side->rows = side->end - side->begin;
            }
        }
        if (to_points)
            armilla_cuda_points_interpolate(s->plan, &strip, values, s->count, &work);
        else
            armilla_cuda_points_spread(s->plan, values, s->count, &strip, &work);
    }
    armilla_cuda_note(&work, cudaDeviceSynchronize());
    assert_int_equal(work.error, cudaSuccess);
    armilla_cuda_release(work.scratch);
}

/* Each strip has rows of its own, to which points of neighbouring bands give as well. */
static void strips_have_the_bits_of_the_whole(void **state)
{
    (void)state;
    enum { COUNT = 6000 };
    for (int taps = 5; taps <= 16; taps += 11)
        for (int to_points = 0; to_points < 2; to_points++) {
            points_case of = usual;
            points_scene s;
            of.taps = taps;
            points_open(&s, &of, COUNT, uneven_points(&of, COUNT));
            double *samples = random_samples(&s, 1), *values = random_values(&s, 2);
            double *made = random_samples(&s, 1), *given = random_values(&s, 2);
            const armilla_array there = points_to_device(s.nsamples, made, 0);
            const armilla_array at_points = points_to_device(2 * COUNT, given, 0);
            run_strips(&s, to_points, there, at_points);
            points_from_device(there, s.nsamples, made);
            points_from_device(at_points, 2 * COUNT, given);
            points_run(&s, to_points, samples, values);
            assert_memory_equal(samples, made, sizeof(double) * (size_t)s.nsamples);
            assert_memory_equal(values, given, sizeof(double) * 2 * COUNT);
            armilla_release(samples);
            armilla_release(values);
            armilla_release(made);
            armilla_release(given);
            points_close(&s);
        }
}

/* --- Memory ----------------------------------------------------------------------------------- */

static void memory_is_told_before(void **state)
{
    (void)state;
    static const int64_t counts[] = {0, 1, 100, 20000};
    for (int i = 0; i < 4; i++) {
        points_scene s;
        points_open(&s, &usual, counts[i], uneven_points(&usual, counts[i]));
        armilla_cuda_points_free(s.plan);
        const int64_t before = cuda_emulation_live_bytes();
        const int64_t bytes = armilla_cuda_points_bytes(&s.problem, counts[i]);
        const int64_t sort = armilla_cuda_points_sort_bytes(&s.problem, counts[i], 0);
        cuda_emulation_most_bytes();
        check_ok(points_new(&s));
        assert_int_equal(cuda_emulation_live_bytes() - before, bytes);
        assert_int_equal(cuda_emulation_most_bytes() - before, bytes + sort);
        for (int64_t ncomp = 1; ncomp <= 2; ncomp++)
            assert_true(armilla_cuda_points_scratch(s.plan, ncomp) <=
                        armilla_cuda_points_most_scratch(&s.problem, counts[i], ncomp));
        points_close(&s);
        assert_int_equal(cuda_emulation_live_bytes(), before);
    }
}

/* Each allocation of host and device fails once, and each call: nothing is left behind. */
static void failures_leave_nothing(void **state)
{
    (void)state;
    int64_t (*const fails[])(int64_t) = {armilla_memory_fail_after, cuda_emulation_fail_after,
                                         cuda_emulation_fail_call_after};
    points_scene s;
    points_open(&s, &usual, 5000, uneven_points(&usual, 5000));
    armilla_cuda_points_free(s.plan);
    const int64_t live = cuda_emulation_live_bytes();
    for (int kind = 0; kind < 3; kind++) {
        fails[kind](-1);
        check_ok(points_new(&s));
        const int64_t count = fails[kind](-1);
        armilla_cuda_points_free(s.plan);
        assert_true(count >= 2);
        for (int64_t i = 0; i < count; i++) {
            fails[kind](i);
            s.plan = NULL;
            const armilla_status status = points_new(&s);
            if (kind < 2) assert_int_equal(status, ARMILLA_ERROR_MEMORY);
            if (!status) armilla_cuda_points_free(s.plan); /* what freed memory failed */
            if (kind < 2) assert_int_equal(cuda_emulation_live_bytes(), live);
        }
        fails[kind](-1);
    }
    s.plan = NULL;
    points_close(&s);
}

/* Tiles of one colour that stand next to each other are two apart, and no task is left out. */
static void tasks_have_all_points(void **state)
{
    (void)state;
    enum { COUNT = 5000, BANDS = 2, COLUMNS = 3, TILES = 2 * BANDS * COLUMNS, SUMS = 6 };
    const armilla_cuda_point_tiling tiling = {.nbands = BANDS, .ncolumns = COLUMNS, .taps = 5};
    const uint32_t start[TILES + 1] = {0,    1,    1,    1025, 2049, 2049, 4500,
                                       4501, 4502, 4502, 4600, 5000, COUNT};
    armilla_cuda_point_tasks t;
    check_ok(armilla_cuda_point_tasks_make(&tiling, start, armilla_cuda_piece_size(COUNT), &t));
    assert_true(t.count <= armilla_cuda_point_tasks_bound(TILES, COUNT));
    assert_true(t.nbuffers == 3 && t.nbuffers <= armilla_cuda_point_buffers_bound(COUNT));
    int64_t points[ARMILLA_CUDA_TASK_LISTS] = {0}, buffers = 0, all = 0, rows = 0;
    for (int list = 0; list < ARMILLA_CUDA_TASK_LISTS; list++) {
        const int64_t *begin = t.begin + list * (t.rows + 1);
        for (int64_t i = begin[0]; i < begin[t.rows]; i++) {
            const armilla_cuda_point_task *task = &t.tasks[i];
            const int colour = 2 * (task->tile / COLUMNS % BANDS % 2) + task->tile % COLUMNS % 2;
            if (list >= ARMILLA_CUDA_ADD) assert_int_equal(colour, list - ARMILLA_CUDA_ADD);
            if (list < ARMILLA_CUDA_ADD || task->buffer < 0) {
                points[list] += task->count;
                continue;
            }
            buffers += task->first ? 0 : task->count;
            assert_int_equal(task->first, rows++ % SUMS * ARMILLA_CUDA_ADD_ROWS);
        }
    }
    for (int list = ARMILLA_CUDA_PIECES; list < ARMILLA_CUDA_TASK_LISTS; list++)
        all += points[list];
    assert_int_equal(points[ARMILLA_CUDA_READ], COUNT);
    assert_int_equal(all, COUNT);
    assert_int_equal(buffers, t.nbuffers);
    assert_int_equal(rows, SUMS); /* of the tile that has pieces */
    armilla_cuda_point_tasks_clear(&t);
}

/* --- What is refused -------------------------------------------------------------------------- */

/* The first bad point is named, whatever the sequence of threads. */
static void bad_points_are_named(void **state)
{
    (void)state;
    static const struct {
        double theta, phi;
        const char *words;
    } bad[] = {{NAN, 0, "theta of point 3000 = nan"},
               {-1e-300, 0, "theta of point 3000 = -"},
               {3.1415928, 0, "theta of point 3000 = 3.1415928"},
               {1, INFINITY, "phi of point 3000 = inf"},
               {1, NAN, "phi of point 3000 = nan"}};
    for (int i = 0; i < 5; i++) {
        points_scene s;
        points_open(&s, &usual, 9000, scattered_points(&usual, 9000));
        armilla_cuda_points_free(s.plan);
        const int64_t live = cuda_emulation_live_bytes();
        for (int64_t n = 3000; n < 9000; n += 700)
            s.points[2 * n] = bad[i].theta, s.points[2 * n + 1] = bad[i].phi;
        cuda_emulation_set_order(i % 2 ? CUDA_EMULATION_REVERSED : CUDA_EMULATION_RANDOM, 3);
        check_error(points_new(&s), ARMILLA_ERROR_ARGUMENT, bad[i].words);
        cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
        assert_int_equal(cuda_emulation_live_bytes(), live);
        s.plan = NULL;
        points_close(&s);
    }
}

static void points_outside_of_a_zone_are_named(void **state)
{
    (void)state;
    const points_case of = {.nrings = 40, .nphi = 60, .first = 7, .beyond = 12, .taps = 4};
    points_scene s;
    points_open(&s, &of, 10, scattered_points(&of, 10));
    armilla_cuda_points_free(s.plan);
    for (int north = 0; north < 2; north++) {
        s.points[14] = north ? 0.1 : 3;
        check_error(points_new(&s), ARMILLA_ERROR_ARGUMENT, "point 7");
    }
    s.plan = NULL;
    points_close(&s);
}

static void problems_are_refused_by_name(void **state)
{
    (void)state;
    points_scene s;
    points_open(&s, &usual, 0, scattered_points(&usual, 0));
    armilla_cuda_points_free(s.plan);
    const armilla_cuda_points_problem good = s.problem;
#define REFUSED(change, word)                                                                      \
    s.problem = good, s.problem.change;                                                            \
    check_error(points_new(&s), ARMILLA_ERROR_ARGUMENT, word)
    REFUSED(whole = 0, "whole");
    REFUSED(nrings = 91, "nrings");
    REFUSED(nrings = 89, "nrings");
    REFUSED(first = 1, "first");
    REFUSED(nphi = 1, "nphi");
    REFUSED(taps = 17, "taps");
    REFUSED(taps = 1, "taps");
    REFUSED(degree = 25, "degree");
    REFUSED(row_length = 5, "row_length");
    REFUSED(single = 1, "epsilon");
#undef REFUSED
    s.plan = NULL;
    points_close(&s);
}

static void samples_are_refused_by_name(void **state)
{
    (void)state;
    points_scene s;
    points_open(&s, &usual, 10, scattered_points(&usual, 10));
    const armilla_cuda_point_samples good = samples_of(&s, (armilla_array){NULL, 0});
    armilla_cuda_point_samples samples;
    armilla_cuda_work work = {.scratch = NULL};
#define REFUSED(to_points, change, word)                                                           \
    samples = good, samples.change;                                                                \
    check_error(armilla_cuda_points_check(s.plan, &samples, to_points), ARMILLA_ERROR_ARGUMENT,    \
                word)
    for (int to_points = 0; to_points < 2; to_points++) {
        check_ok(armilla_cuda_points_check(s.plan, &good, to_points));
        REFUSED(to_points, ncomp = 3, "ncomp");
        REFUSED(to_points, values.is_float = 1, "is_float");
        REFUSED(to_points, end_band++, "end_band");
        REFUSED(to_points, left = 2, "left");
        REFUSED(to_points, pitch = 200, "pitch");
    }
    REFUSED(1, side[0].first += 3, "rows");
    REFUSED(1, side[1].rows -= 3, "rows");
    REFUSED(0, side[0].begin--, "begin");
    REFUSED(0, side[1].end++, "begin");
#undef REFUSED
    armilla_cuda_points_spread(s.plan, good.values, 10, &samples, &work);
    assert_int_equal(work.error, cudaErrorInvalidValue);
    points_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_may_be_on_the_device),
        cmocka_unit_test(strips_have_the_bits_of_the_whole),
        cmocka_unit_test(memory_is_told_before),
        cmocka_unit_test(failures_leave_nothing),
        cmocka_unit_test(tasks_have_all_points),
        cmocka_unit_test(bad_points_are_named),
        cmocka_unit_test(points_outside_of_a_zone_are_named),
        cmocka_unit_test(problems_are_refused_by_name),
        cmocka_unit_test(samples_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
