/* The stages of a rank on one leg, of the processor, with legs in host memory, or of the rank's
 * GPU, with legs there. */
#ifndef ARMILLA_RANKS_STAGES_H
#define ARMILLA_RANKS_STAGES_H

#include "cuda/share.h"
#include "executor/executor.h"
#include "sht/flow.h"

typedef struct armilla_rank_stages {
    const armilla_flow *flow;
    const armilla_ringfft *ringfft; /* NULL on a GPU */
    armilla_work work;              /* of the processor */
    armilla_cuda_share *device;     /* NULL: the processor runs them */
} armilla_rank_stages;

/* Given: pass  its number is that of the leg's piece, which on a GPU is the number of a pass. */
void armilla_rank_run_stage(const armilla_rank_stages *stages, armilla_stage stage,
                            const armilla_pass *pass, const armilla_leg *leg);

#endif
