/* Calls on the processor refuse arrays of a GPU by name, whatever the operator, and memory that is
 * none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include <string.h>

enum { LMAX = 2, SIZE = 64 };

typedef struct {
    armilla_exec exec;
    armilla_grid *grid;
    double in[SIZE], out[SIZE];
} scene;

static void open_scene(scene *s, armilla_memory memory)
{
    memset(s, 0, sizeof *s);
    armilla_exec_init(&s->exec);
    s->exec.memory = memory;
    check_ok(armilla_grid_new_healpix(1, &s->grid));
}

static armilla_status try_radial(scene *s)
{
    armilla_kernel *kernel;
    armilla_radial *radial;
    check_ok(armilla_kernel_new_gaussian(0.5, &kernel));
    check_ok(armilla_radial_new(s->grid, kernel, NULL, &radial));
    const armilla_status status = armilla_radial_convolve(radial, s->in, s->out, &s->exec);
    armilla_radial_free(radial);
    armilla_kernel_free(kernel);
    return status;
}

static armilla_status try_points(scene *s)
{
    const double point[2] = {1, 2};
    armilla_points *points;
    check_ok(armilla_points_new(LMAX, LMAX, 1, point, NULL, &points));
    const armilla_status status = armilla_points_synthesis(points, s->in, s->out, &s->exec);
    armilla_points_free(points);
    return status;
}

static armilla_status try_lensing(scene *s)
{
    armilla_deflection deflection;
    armilla_lensing *lensing;
    armilla_deflection_init(&deflection);
    deflection.lmax = deflection.mmax = LMAX, deflection.gradient = s->in;
    check_ok(armilla_lensing_new(s->grid, &deflection, LMAX, LMAX, NULL, &lensing));
    const armilla_status status = armilla_lensing_alm2lenmap(lensing, s->in, s->out, &s->exec);
    armilla_lensing_free(lensing);
    return status;
}

static armilla_status try_rotation(scene *s)
{
    armilla_rotation rotation;
    check_ok(armilla_rotation_from_euler(0.1, 0.2, 0.3, &rotation));
    return armilla_alm_rotate(&rotation, LMAX, LMAX, s->in, LMAX, s->out, &s->exec);
}

static armilla_status try_sht(scene *s)
{
    armilla_sht *sht;
    check_ok(armilla_sht_new(s->grid, LMAX, LMAX, NULL, &sht));
    const armilla_status status = armilla_sht_synthesis(sht, s->in, s->out, &s->exec);
    armilla_sht_free(sht);
    return status;
}

static void check_all(armilla_memory memory, armilla_status wanted, const char *text)
{
    armilla_status (*const calls[])(scene *) = {try_radial, try_points, try_lensing, try_rotation,
                                                try_sht};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        scene s;
        open_scene(&s, memory);
        const armilla_status status = calls[i](&s);
        if (wanted)
            check_error(status, wanted, text);
        else
            check_ok(status);
        armilla_grid_free(s.grid);
    }
}

static void device_memory_is_refused(void **state)
{
    (void)state;
    check_all(ARMILLA_MEMORY_DEVICE, ARMILLA_ERROR_ARGUMENT, "memory = ARMILLA_MEMORY_DEVICE");
    check_all((armilla_memory)9, ARMILLA_ERROR_ARGUMENT, "memory = 9");
    check_all(ARMILLA_MEMORY_HOST, ARMILLA_OK, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(device_memory_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
