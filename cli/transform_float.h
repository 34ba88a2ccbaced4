/* Transforms in single precision: --float. */
#ifndef ARMILLA_CLI_TRANSFORM_FLOAT_H
#define ARMILLA_CLI_TRANSFORM_FLOAT_H

#include "transform.h"

/* As transform_analysis and transform_synthesis of a process that is alone: arrays are of doubles,
 * which are copied into floats and back. */
int transform_float_analysis(const transform *self, const armilla_pseudo_options *options,
                             double *const *maps, double *alm, armilla_pseudo_report *reports,
                             const armilla_exec *exec);
int transform_float_synthesis(const transform *self, const double *alm, double *const *maps,
                              const armilla_exec *exec);

#endif
