/* The kernels of whole coupling matrices. */
#ifndef ARMILLA_COUPLING_DISPATCH_H
#define ARMILLA_COUPLING_DISPATCH_H

#include "coupling/kernels/kernels.h"

/* The kernels of an instruction set that armilla_isa_usable accepts. */
const armilla_coupling_kernels *armilla_coupling_kernels_find(armilla_isa isa);

#endif
