/* Transforms floats. The coefficients of a command are doubles, and become floats and doubles again
 * within their own memory, so that there is no copy of them. */
#include "transform_float.h"

#include "message.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Numbers of all components, two to a coefficient. */
static int64_t numbers(const transform *self)
{
    return 2 * self->ncomp * self->alm_size;
}

static int check_size(const double *alm, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (fabs(alm[i]) > FLT_MAX && isfinite(alm[i]))
            return work_error("the coefficients hold %g, too large for --float", alm[i]);
    return CLI_OK;
}

/* The first half of the memory becomes `count` floats. */
static float *narrow(double *alm, int64_t count)
{
    unsigned char *bytes = (unsigned char *)alm;
    for (int64_t i = 0; i < count; i++) {
        const float value = (float)alm[i];
        memcpy(bytes + i * (int64_t)sizeof value, &value, sizeof value);
    }
    return (float *)alm;
}

/* From the last to the first, since each takes the place of two. */
static void widen(double *alm, int64_t count)
{
    const unsigned char *bytes = (const unsigned char *)alm;
    for (int64_t i = count - 1; i >= 0; i--) {
        float value;
        memcpy(&value, bytes + i * (int64_t)sizeof value, sizeof value);
        alm[i] = value;
    }
}

static armilla_status analyze(const transform *self, const armilla_pseudo_options *options,
                              const float *map, float *alm, armilla_pseudo_report *reports,
                              const armilla_exec *exec)
{
    if (transform_is_plain(options))
        return self->polar ? armilla_iqu_analysis_float(self->polar, map, alm, exec)
                           : armilla_sht_analysis_float(self->scalar, map, alm, exec);
    return self->polar
               ? armilla_iqu_pseudo_analysis_float(self->polar, map, alm, options, reports, exec)
               : armilla_sht_pseudo_analysis_float(self->scalar, map, alm, options, reports, exec);
}

int transform_float_analysis(const transform *self, const armilla_pseudo_options *options,
                             const reals *maps, double *alm, armilla_pseudo_report *reports,
                             const armilla_exec *exec)
{
    const armilla_status status = analyze(self, options, maps->floats, (float *)alm, reports, exec);
    if (status) return data_error(status, NULL);
    widen(alm, numbers(self));
    return CLI_OK;
}

int transform_float_synthesis(const transform *self, double *alm, const reals *maps,
                              const armilla_exec *exec)
{
    const int code = check_size(alm, numbers(self));
    if (code != CLI_OK) return code;
    const float *floats = narrow(alm, numbers(self));
    float *map = maps[0].floats;
    armilla_status status = self->polar
                                ? armilla_iqu_synthesis_float(self->polar, floats, map, exec)
                                : armilla_sht_synthesis_float(self->scalar, floats, map, exec);
    widen(alm, numbers(self));
    return status ? data_error(status, NULL) : CLI_OK;
}
