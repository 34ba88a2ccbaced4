/* Values at positions as a function that XLA calls; see xla.h. */
#ifndef ARMILLA_PYTHON_XLA_POSITIONS_H
#define ARMILLA_PYTHON_XLA_POSITIONS_H

#include "xla_abi.h"

xla_error *armilla_xla_positions(xla_call *call);
xla_error *armilla_xla_positions_on_gpu(xla_call *call);

#endif
