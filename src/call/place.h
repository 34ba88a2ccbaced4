/* What a place lacks: operations that it does not offer are refused in one sentence, which names
 * the operation, the place and the nearest thing that works. */
#ifndef ARMILLA_CALL_PLACE_H
#define ARMILLA_CALL_PLACE_H

#include "armilla/device.h"

typedef enum armilla_operation {
    ARMILLA_OPERATION_VECTOR,
    ARMILLA_OPERATION_COMPLEX,
    ARMILLA_OPERATION_POINTS,
    ARMILLA_OPERATION_VALUES, /* at points, without a plan */
    ARMILLA_OPERATION_LENSING,
    ARMILLA_OPERATION_RADIAL,
    ARMILLA_OPERATION_STREAM, /* convolution of maps in pieces */
    ARMILLA_OPERATION_PSEUDO,
    ARMILLA_OPERATION_DEGREES, /* spectra and rotations */
    ARMILLA_OPERATIONS
} armilla_operation;

typedef enum armilla_place {
    ARMILLA_PLACE_GPU,
    ARMILLA_PLACE_RANKS_GPUS,
    ARMILLA_PLACE_GROUPS, /* of ranks, which have fields of their own */
    ARMILLA_PLACES
} armilla_place;

/* UNSUPPORTED. argument: that asks for the place, "options->device". */
armilla_status armilla_refuse_place(const char *argument, armilla_operation operation,
                                    armilla_place place);

/* The same where options->device is a GPU, else OK. */
armilla_status armilla_refuse_device(armilla_device device, armilla_operation operation,
                                     armilla_place place);

#endif
