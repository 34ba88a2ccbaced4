/* What the tests of values at points on several GPUs share: plans on lists of them, for points of
 * many kinds, and both operators. Included behind cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_POINTS_SEVERAL_SCENE_H
#define ARMILLA_TESTS_CUDA_POINTS_SEVERAL_SCENE_H

#include "cuda/points_plan_scene.h"
#include "cuda/several_scene.h"

/* On the first `count` of a list; 0: without one. */
static inline armilla_points_options options_on(const plan_case *of, int count)
{
    armilla_points_options options = plan_options(of);
    if (count) options.devices = lists[count - 1], options.ndevices = count;
    return options;
}

/* Points, coefficients, and a plan without a list. */
typedef struct {
    plan_case of;
    points_scene s;
    int64_t ntrans, nalm, nvalues; /* numbers of all transforms */
    double *alm, *values;          /* that go in */
} several_scene;

static inline void several_open(several_scene *t, const plan_case *of, int64_t ntrans)
{
    *t = (several_scene){.of = *of, .ntrans = ntrans};
    plan_open(&t->s, of);
    t->nalm = ntrans * t->s.size, t->nvalues = ntrans * points_values(&t->s);
    t->alm = checked_malloc(t->nalm, 8), t->values = checked_malloc(t->nvalues + 1, 8);
    for (int64_t i = 0; i < ntrans; i++)
        spin_random_alm(5 + (uint64_t)i, &of->c, 0, t->alm + i * t->s.size);
    random_fill(11, t->nvalues, t->values);
}

static inline void several_close(several_scene *t)
{
    free(t->alm), free(t->values);
    points_scene_close(&t->s);
}

static inline armilla_points *plan_on(const several_scene *t, int count)
{
    const armilla_points_options options = options_on(&t->of, count);
    armilla_points *plan;
    check_ok(armilla_points_new(t->of.c.lmax, t->of.c.mmax, t->of.npoints, t->s.points, &options,
                                &plan));
    return plan;
}

static inline armilla_exec exec_for(const several_scene *t)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = t->ntrans;
    return exec;
}

static inline int64_t numbers_out(const several_scene *t, int to_points)
{
    return to_points ? t->nvalues : t->nalm;
}

static inline armilla_status run_one(const several_scene *t, const armilla_points *plan,
                                     int to_points, double *out, const armilla_exec *exec)
{
    return to_points ? armilla_points_synthesis(plan, t->alm, out, exec)
                     : armilla_points_adjoint_synthesis(plan, t->values, out, exec);
}

/* Both operators: the bits of the plan without a list. */
static inline void check_same_bits(const several_scene *t, const armilla_points *plan,
                                   const char *what)
{
    const armilla_exec exec = exec_for(t);
    for (int to_points = 0; to_points < 2; to_points++) {
        const int64_t count = numbers_out(t, to_points);
        double *wanted = checked_malloc(count + 1, 8), *made = checked_malloc(count + 1, 8);
        random_fill(3, count, made);
        check_ok(run_one(t, t->s.plan, to_points, wanted, &exec));
        check_ok(run_one(t, plan, to_points, made, &exec));
        if (memcmp(wanted, made, (size_t)count * 8))
            fail_msg("%s, spin %d: other bits %s points", what, (int)t->of.c.spin,
                     to_points ? "to" : "from");
        free(wanted), free(made);
    }
}

#endif
