/* What tests of plans for points on a GPU share: a plan there for points of many kinds, exact
 * values from rings of one pixel each, calls with arrays on either side. Included behind cmocka.h.
 */
#ifndef ARMILLA_TESTS_CUDA_POINTS_PLAN_SCENE_H
#define ARMILLA_TESTS_CUDA_POINTS_PLAN_SCENE_H

#include "cuda/runtime/runtime.h"
#include "emulation.h"
#include "unit/test_points_scene.h"

/* What is 0 may be left out, but for epsilon. */
typedef struct {
    spin_case c;
    double epsilon;
    point_kind kind;
    int64_t npoints, device_bytes;
    int there; /* points in device memory */
} plan_case;

static inline armilla_points_options plan_options(const plan_case *of)
{
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.spin = of->c.spin, options.mode = of->c.mode, options.spin_method = of->c.method;
    options.epsilon = of->epsilon, options.device = ARMILLA_CUDA;
    options.device_bytes = of->device_bytes;
    return options;
}

/* A copy in device memory; free with cudaFree. */
static inline void *put_there(const void *host, int64_t bytes)
{
    void *device = NULL;
    assert_int_equal(cudaMalloc(&device, (size_t)bytes + 1), cudaSuccess);
    assert_int_equal(cudaMemcpy(device, host, (size_t)bytes, cudaMemcpyHostToDevice), cudaSuccess);
    return device;
}

/* Takes the array. */
static inline void take_back(void *host, void *device, int64_t bytes)
{
    assert_int_equal(cudaMemcpy(host, device, (size_t)bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(cudaFree(device), cudaSuccess);
}

static inline void plan_open(points_scene *s, const plan_case *of)
{
    const armilla_points_options options = plan_options(of);
    const int64_t bytes = 16 * of->npoints;
    *s = (points_scene){.c = of->c, .npoints = of->npoints, .size = spin_size(&of->c)};
    s->points = checked_malloc(2 * of->npoints + 1, sizeof(double));
    fill_points(of->kind, of->npoints, s->points);
    s->alm = checked_malloc(s->size, sizeof(double));
    spin_random_alm(5, &of->c, 0, s->alm);
    double *points = of->there ? put_there(s->points, bytes) : s->points;
    check_ok(armilla_points_new(of->c.lmax, of->c.mmax, of->npoints, points, &options, &s->plan));
    if (of->there) assert_int_equal(cudaFree(points), cudaSuccess);
}

/* The difference of the dot products on both sides, over the norms of values. */
static inline double plan_adjoint_error(const points_scene *s)
{
    const int64_t count = points_values(s);
    double *values = checked_malloc(count + 1, 8), *other = checked_malloc(count + 1, 8);
    double *alm = checked_malloc(s->size, 8);
    random_fill(3, count, other);
    check_ok(armilla_points_synthesis(s->plan, s->alm, values, NULL));
    check_ok(armilla_points_adjoint_synthesis(s->plan, other, alm, NULL));
    const double a = dot_maps(count, values, other), b = spin_dot_alm(&s->c, s->alm, alm);
    const double scale = sqrt(dot_maps(count, values, values) * dot_maps(count, other, other));
    free(alm), free(other), free(values);
    return fabs(a - b) / scale;
}

#endif
