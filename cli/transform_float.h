/* Transforms in single precision: --float. */
#ifndef ARMILLA_CLI_TRANSFORM_FLOAT_H
#define ARMILLA_CLI_TRANSFORM_FLOAT_H

#include "transform.h"

/* In transform.c: is it one sum, without steps? It then needs no copies of maps, as steps do. */
int transform_is_plain(const armilla_pseudo_options *options);

/* As transform_analysis and transform_synthesis of a process that is alone: maps are floats, whose
 * fields are neighbours. */
int transform_float_analysis(const transform *self, const armilla_pseudo_options *options,
                             const reals *maps, double *alm, armilla_pseudo_report *reports,
                             const armilla_exec *exec);
int transform_float_synthesis(const transform *self, double *alm, const reals *maps,
                              const armilla_exec *exec);

#endif
