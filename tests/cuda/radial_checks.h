/* What each method and mode of radial convolution on a GPU is held to: the adjoint is the adjoint,
 * bits depend neither on where arrays are nor on who runs first, graphs give the bits of calls,
 * whatever fails is told and leaves nothing behind. And the pair of plans that is held to it.
 * Included after cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_RADIAL_CHECKS_H
#define ARMILLA_TESTS_CUDA_RADIAL_CHECKS_H

#include "base/memory.h"
#include "base/progress.h"
#include "cuda/test_cuda_scene.h"
#include "emulation.h"

/* A plan on the processor and one on the emulated GPU, with maps for both. */
typedef struct {
    armilla_radial *cpu, *gpu;
    union {
        int64_t npix, size; /* values of a field with all its components */
    };
    double *map, *wanted, *made;
} scene;

static inline void scene_fill(scene *s)
{
    s->map = checked_malloc(s->size, 8), s->wanted = checked_malloc(s->size, 8);
    s->made = checked_malloc(s->size, 8);
    random_fill(5, s->size, s->map);
}

static inline void scene_close(scene *s)
{
    armilla_radial_free(s->cpu), armilla_radial_free(s->gpu);
    free(s->map), free(s->wanted), free(s->made);
}

static inline armilla_status apply(int adjoint, const armilla_radial *radial, const double *map,
                                   double *out, const armilla_exec *exec)
{
    return (adjoint ? armilla_radial_adjoint : armilla_radial_convolve)(radial, map, out, exec);
}

typedef enum { GAUSSIAN, MEXICAN_HAT, TOPHAT, TABLE, NEEDLET } kernel_kind;

/* width: of a table and a needlet not looked at. */
static inline void new_kernel(kernel_kind kind, double width, armilla_kernel **kernel)
{
    static const double theta[] = {0, 0.2, 0.25, 0.5}, values[] = {3, 1, -0.5, 0.75};
    switch (kind) {
    case GAUSSIAN:
        check_ok(armilla_kernel_new_gaussian(width, kernel));
        break;
    case MEXICAN_HAT:
        check_ok(armilla_kernel_new_mexican_hat(width, kernel));
        break;
    case TOPHAT:
        check_ok(armilla_kernel_new_tophat(width, kernel));
        break;
    case TABLE:
        check_ok(armilla_kernel_new_table(4, theta, values, kernel));
        break;
    default:
        check_ok(armilla_kernel_new_needlet(2, 3, kernel));
    }
}

/* --- Numbers and bits ------------------------------------------------------------------------- */

enum { ARRAYS_GAP = 5 };

/* Two or more fields with gaps in the memory of the device have the bits `first` of the host's. */
static inline void check_device_arrays(const scene *s, int adjoint, int64_t all, const double *map,
                                       const double *first, double *out, const armilla_exec *exec,
                                       int64_t most_launches)
{
    for (int64_t i = 0; i < all; i++) out[i] = 123;
    double *there = to_device(map, 8 * all), *made = to_device(out, 8 * all);
    cuda_emulation_launches();
    check_ok(apply(adjoint, s->gpu, there, made, exec));
    const int64_t launches = cuda_emulation_launches();
    assert_true(launches > 0 && (!most_launches || launches <= most_launches));
    from_device(out, made, 8 * all);
    assert_memory_equal(first, out, (size_t)all * 8);
    from_device(out, there, 8 * all);
    assert_memory_equal(map, out, (size_t)all * 8); /* inputs are never written */
    cudaFree(there), cudaFree(made);
}

/* And on the host in any order of threads; what is between fields stays. most_launches: of a call;
 * 0: any number. */
static inline void check_arrays_of(const scene *s, int64_t ncomp, int64_t ntrans,
                                   int64_t most_launches)
{
    const int64_t npix = s->size / ncomp, distance = npix + ARRAYS_GAP;
    const int64_t all = ntrans * ncomp * distance;
    double *map = checked_malloc(all, 8), *out = checked_malloc(all, 8);
    double *first = checked_malloc(all, 8);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = ntrans, exec.map_distance = distance;
    random_fill(8, all, map);
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        for (int64_t i = 0; i < all; i++) first[i] = 123;
        check_ok(apply(adjoint, s->gpu, map, first, &exec));
        check_device_arrays(s, adjoint, all, map, first, out, &exec, most_launches);
        for (int order = 1; order < 3; order++) {
            for (int64_t i = 0; i < all; i++) out[i] = 123;
            cuda_emulation_set_order((cuda_emulation_order)order, 11);
            check_ok(apply(adjoint, s->gpu, map, out, &exec));
            cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
            assert_memory_equal(first, out, (size_t)all * 8);
        }
        for (int64_t t = 0; t < ntrans * ncomp; t++) assert_true(out[t * distance + npix] == 123);
    }
    free(map), free(out), free(first);
}

#endif
