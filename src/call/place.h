/* What a place lacks: operations that it does not offer are refused in one sentence, which names
 * the operation, the place and the nearest thing that works; or a GPU delegates them to the host,
 * where the caller allows that. */
#ifndef ARMILLA_CALL_PLACE_H
#define ARMILLA_CALL_PLACE_H

#include "armilla/choice.h"
#include "armilla/device.h"

#include <stdint.h>

typedef enum armilla_operation {
    ARMILLA_OPERATION_VECTOR,
    ARMILLA_OPERATION_COMPLEX,
    ARMILLA_OPERATION_SOLID,
    ARMILLA_OPERATION_POINTS,
    ARMILLA_OPERATION_VALUES, /* at points, without a plan */
    ARMILLA_OPERATION_LENSING,
    ARMILLA_OPERATION_BEAMS,
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

/* GPUs that leave an operation to the host. */
typedef struct armilla_delegation {
    int64_t ndevices; /* 0: none, the host was asked for */
    int device;       /* the first of them */
} armilla_delegation;

/* Which GPUs leave an operation, which they do not offer, to the host.
 * Given:  argument  "options->device";  device, devices, ndevices, delegate  of the options.
 * Errors: ARGUMENT (device, or the list of GPUs), UNSUPPORTED (delegate is 0; no GPU can be used).
 */
armilla_status armilla_delegate(const char *argument, armilla_operation operation,
                                armilla_device device, const int *devices, int64_t ndevices,
                                int delegate, armilla_delegation *delegation);

/* Is an array that such a call takes as it is, which may be NULL, one of the host? Errors:
 * ARGUMENT, UNSUPPORTED (an error of CUDA). */
armilla_status armilla_delegation_check_host(const armilla_delegation *delegation, const char *name,
                                             const void *array);

/* What describe calls the backend of such a plan; `own`: of one that is not delegated. */
const char *armilla_delegation_backend(const armilla_delegation *delegation, const char *own);

/* Tells the choice, if there is a delegation. */
void armilla_delegation_tell(const armilla_delegation *delegation, armilla_choice_fn take,
                             void *data);

#endif
