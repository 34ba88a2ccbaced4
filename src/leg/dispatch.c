/* Finds the copies of entries of leg that were compiled for a given instruction set. */
#include "leg/dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_leg_copies)
