/* Hands each stage of a rank to the processor's own functions or to those of the rank's GPU. */
#include "ranks/stages.h"

static void run_here(const armilla_rank_stages *stages, armilla_stage stage,
                     const armilla_pass *pass, const armilla_leg *leg)
{
    switch (stage) {
    case ARMILLA_ALM_TO_LEG:
        armilla_flow_to_leg(stages->flow, &pass->alm, leg, &stages->work);
        break;
    case ARMILLA_LEG_TO_MAPS:
        armilla_ringfft_to_maps(stages->ringfft, leg, &pass->maps, &stages->work);
        break;
    case ARMILLA_MAPS_TO_LEG:
        armilla_ringfft_from_maps(stages->ringfft, leg, &pass->maps, &stages->work);
        break;
    case ARMILLA_LEG_TO_ALM:
        armilla_flow_from_leg(stages->flow, leg, &pass->alm, &stages->work);
        break;
    }
}

void armilla_rank_run_stage(const armilla_rank_stages *stages, armilla_stage stage,
                            const armilla_pass *pass, const armilla_leg *leg)
{
    if (stages->device)
        armilla_cuda()->share->run(stages->device, stage, pass, leg);
    else
        run_here(stages, stage, pass, leg);
}
