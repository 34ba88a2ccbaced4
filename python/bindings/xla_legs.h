/* The function that XLA calls for one stage of a transform: orders on rings. See xla.h. */
#ifndef ARMILLA_PYTHON_XLA_LEGS_H
#define ARMILLA_PYTHON_XLA_LEGS_H

#include "xla_abi.h"

xla_error *armilla_xla_legs(xla_call *call);

#endif
