/* What the commands that work at arbitrary directions share. */
#ifndef ARMILLA_CLI_POINTS_H
#define ARMILLA_CLI_POINTS_H

#include "options.h"

#include <armilla/armilla.h>

#define POINTS_EPSILON 1e-7 /* where --epsilon says nothing */

/* CLI_OK, or CLI_USAGE after a message: is there a plan with this accuracy? */
int points_check_epsilon(double epsilon);

armilla_points_options points_options(int64_t spin, double epsilon, const common *base);

/* Reports to the progress bar. */
armilla_exec points_exec(int64_t threads);

#endif
