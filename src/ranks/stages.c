/* Hands each stage of a rank to the processor's own functions or to those of the rank's GPU. */
#include "ranks/stages.h"

void armilla_rank_alm_to_leg(const armilla_rank_stages *stages, const armilla_pass *pass,
                             const armilla_leg *leg)
{
    if (stages->device)
        armilla_cuda_share_alm_to_leg(stages->device, pass, leg);
    else
        armilla_flow_to_leg(stages->flow, &pass->alm, leg, &stages->work);
}

void armilla_rank_leg_to_alm(const armilla_rank_stages *stages, const armilla_leg *leg,
                             const armilla_pass *pass)
{
    if (stages->device)
        armilla_cuda_share_leg_to_alm(stages->device, leg, pass);
    else
        armilla_flow_from_leg(stages->flow, leg, &pass->alm, &stages->work);
}

void armilla_rank_maps_to_leg(const armilla_rank_stages *stages, const armilla_pass *pass,
                              const armilla_leg *leg)
{
    if (stages->device)
        armilla_cuda_share_maps_to_leg(stages->device, pass, leg);
    else
        armilla_ringfft_from_maps(stages->ringfft, leg, &pass->maps, &stages->work);
}

void armilla_rank_leg_to_maps(const armilla_rank_stages *stages, const armilla_leg *leg,
                              const armilla_pass *pass)
{
    if (stages->device)
        armilla_cuda_share_leg_to_maps(stages->device, leg, pass);
    else
        armilla_ringfft_to_maps(stages->ringfft, leg, &pass->maps, &stages->work);
}
