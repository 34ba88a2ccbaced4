/* Chooses how a plan computes on a GPU: in single or double precision, by what is asked for and by
 * how slow double is there, and with kernels of the shape that is named, or that was measured to be
 * the fastest. */
#include "sht/plan_device.h"

#include "cuda/runtime/device.h"
#include "sht/plan_stages.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- Precision -------------------------------------------------------------------------------- */

/* Operations in single for one in double precision from which on the two floats of single precision
 * are faster: docs/gpu_inside.md. */
enum { SLOW_DOUBLES = 16 };

/* What keeps the plan from single precision and from two floats; NULL: nothing. */
static const char *needs_double(int64_t spin, armilla_sht_spin_method spin_method)
{
    if (spin < -3 || spin > 3) return "functions of spin above 3 are made in double precision";
    if (spin && spin_method == ARMILLA_SPIN_RECURRENCE)
        return "the recurrence of functions of spin s is in double precision";
    return NULL;
}

armilla_status armilla_sht_usual_precision(int64_t lmax, int64_t spin,
                                           armilla_sht_spin_method spin_method,
                                           armilla_cuda_precision *precision)
{
    int ratio = 0;
    const armilla_status status = armilla_cuda()->gpus->precision_ratio(&ratio);
    memset(precision, 0, sizeof *precision);
    if (needs_double(spin, spin_method) || ratio < SLOW_DOUBLES) return status;
    if (lmax <= ARMILLA_CUDA_SINGLE_LMAX) precision->of_floats = ARMILLA_CUDA_IN_SINGLE;
    if (lmax <= ARMILLA_CUDA_TWO_FLOATS_LMAX) precision->of_doubles = ARMILLA_CUDA_IN_TWO_FLOATS;
    return status;
}

/* What can be asked for besides doubles for both. */
static const struct {
    armilla_device_precision of;
    const char *name;
    armilla_cuda_precision precision;
    int64_t most;
} kinds[] = {{ARMILLA_DEVICE_PRECISION_SINGLE,
              "SINGLE",
              {ARMILLA_CUDA_IN_DOUBLE, ARMILLA_CUDA_IN_SINGLE},
              ARMILLA_CUDA_SINGLE_LMAX},
             {ARMILLA_DEVICE_PRECISION_TWO_FLOATS,
              "TWO_FLOATS",
              {ARMILLA_CUDA_IN_TWO_FLOATS, ARMILLA_CUDA_IN_SINGLE},
              ARMILLA_CUDA_TWO_FLOATS_LMAX},
             {ARMILLA_DEVICE_PRECISION_HALVES,
              "HALVES",
              {ARMILLA_CUDA_IN_DOUBLE, ARMILLA_CUDA_IN_HALVES},
              ARMILLA_CUDA_HALVES_LMAX}};

static armilla_status take_precision(armilla_sht *sht, const armilla_sht_options *options)
{
    const char *obstacle = needs_double(options->spin, options->spin_method);
    int kind = 0;
    char large[40];
    while (kinds[kind].of != options->device_precision) kind++;
    snprintf(large, sizeof large, "lmax is larger than %" PRId64, kinds[kind].most);
    if (sht->layout->lmax > kinds[kind].most) obstacle = large;
    if (sht->share && kinds[kind].of == ARMILLA_DEVICE_PRECISION_HALVES)
        obstacle = "over ranks others go together than on one, which bits depend on";
    if (obstacle)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "options->device_precision = ARMILLA_DEVICE_PRECISION_%s: %s",
                            kinds[kind].name, obstacle);
    sht->precision = kinds[kind].precision;
    return kinds[kind].of == ARMILLA_DEVICE_PRECISION_HALVES ? armilla_cuda()->shape->check_halves()
                                                             : ARMILLA_OK;
}

armilla_status armilla_sht_choose_precision(armilla_sht *sht, const armilla_sht_options *options)
{
    const armilla_device_precision precision = options->device_precision;
    memset(&sht->precision, 0, sizeof sht->precision);
    if (options->device != ARMILLA_CUDA || precision == ARMILLA_DEVICE_PRECISION_DOUBLE)
        return ARMILLA_OK;
    if (precision == ARMILLA_DEVICE_PRECISION_AUTO)
        return armilla_sht_usual_precision(sht->layout->lmax, options->spin, options->spin_method,
                                           &sht->precision);
    return take_precision(sht, options);
}

/* --- Shape ------------------------------------------------------------------------------------ */

typedef struct {
    armilla_sht *sht;
    const armilla_premises *premises;
    const armilla_sht_options *options;
} candidate;

enum { MANY = 8 }; /* transforms of a call that is timed: fours of sets, also of spin 0 */

static int asks_for_many(const armilla_sht_options *options)
{
    return options->device_tune == ARMILLA_DEVICE_TUNE_MEASURE_MANY;
}

/* An armilla_cuda_measure_fn: makes the plan's stages, times them and takes them away. */
static armilla_status measure_shape(void *data, const armilla_cuda_shape *shape,
                                    double *milliseconds)
{
    const candidate *c = data;
    armilla_status status = armilla_sht_make_stages(c->sht, c->premises, c->options, shape);
    if (!status) {
        const armilla_cuda_problem problem = armilla_sht_device_problem(c->sht, c->options);
        const int64_t ntrans = asks_for_many(c->options) ? MANY : 1;
        status = armilla_cuda()->transform->time(c->sht->cuda, &problem, ntrans, milliseconds);
    }
    armilla_sht_clear_stages(c->sht);
    return status;
}

armilla_status armilla_sht_choose_shape(armilla_sht *sht, const armilla_premises *premises,
                                        const armilla_sht_options *options,
                                        const armilla_cuda_shape **shape)
{
    candidate c = {sht, premises, options};
    *shape = NULL;
    if (options->device != ARMILLA_CUDA) return ARMILLA_OK;
    if (options->device_shape) return armilla_cuda()->shape->find(options->device_shape, shape);
    if (options->device_tune == ARMILLA_DEVICE_TUNE_TABLE) return ARMILLA_OK;
    const armilla_cuda_tuning of = {.lmax = sht->layout->lmax,
                                    .npairs = sht->pairs.count,
                                    .spin = options->spin,
                                    .recurrence_only =
                                        options->spin_method == ARMILLA_SPIN_RECURRENCE,
                                    .single = sht->precision.of_floats == ARMILLA_CUDA_IN_SINGLE,
                                    .many = asks_for_many(options)};
    return armilla_cuda()->transform->tune(&of, measure_shape, &c, shape);
}
