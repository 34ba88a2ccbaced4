/* The one order in which the stages of a transform run, whatever they run on:
 *
 *     for each batch of transforms and each pass of leg
 *         synthesis   alm --legendre [theta]--> leg --rings--> maps
 *         analysis    maps --rings--> leg --[theta] legendre--> alm
 *
 * A backend is a table of these stages. There are three: in src/sht/execute.c for the processor, in
 * src/cuda/transform.c for a GPU, in src/ranks/execute.c for ranks that share a transform. Memory
 * is a backend's own business: it has what a call takes before the executor begins. */
#ifndef ARMILLA_EXECUTOR_EXECUTOR_H
#define ARMILLA_EXECUTOR_EXECUTOR_H

#include "alm/rows.h"
#include "base/progress.h"
#include "ringfft/stage.h"

/* What a stage works on: a leg of these sets, between these rows and these maps. */
typedef struct armilla_pass {
    int64_t number, nsets;
    armilla_alm_rows alm;
    armilla_ring_maps maps;
} armilla_pass;

/* The stages, by name. */
typedef enum armilla_stage {
    ARMILLA_ALM_TO_LEG,
    ARMILLA_LEG_TO_MAPS,
    ARMILLA_MAPS_TO_LEG,
    ARMILLA_LEG_TO_ALM
} armilla_stage;

/* Functions of a backend; `call` is what it keeps for a call. */
typedef struct armilla_backend {
    /* Arrays of `count` transforms, which it may replace by copies; afterwards results go from
     * there to the arrays that the caller has. NULL: nothing is to be done. */
    void (*begin_batch)(void *call, int64_t count, armilla_array *alm, armilla_array *map);
    void (*end_batch)(void *call, int64_t count, armilla_array alm, armilla_array map);
    void (*alm_to_leg)(void *call, const armilla_pass *pass);
    void (*leg_to_maps)(void *call, const armilla_pass *pass);
    void (*maps_to_leg)(void *call, const armilla_pass *pass);
    void (*leg_to_alm)(void *call, const armilla_pass *pass);
    /* Whether the next stage may begin; a pass is over, or half of it is. NULL: it may unless the
     * execution's progress is cancelled. */
    armilla_status (*reached)(void *call, int pass_is_over);
} armilla_backend;

typedef struct armilla_execution {
    const armilla_backend *backend;
    void *call;
    armilla_progress *progress; /* of a backend without `reached` */
    int to_map;
    int64_t ntrans, batch;          /* transforms, and how many of them go together */
    int64_t npasses, norder_passes; /* norder_passes: in how many of them each order is */
    armilla_pass pass; /* alm and maps of the first transform; the executor goes on from there */
} armilla_execution;

/* Errors: those of `reached`; what the stages have written until then is unfinished. */
armilla_status armilla_execute(armilla_execution *execution);

#endif
