/* Maps in the memory of a GPU, in a library without CUDA: there are none. */
#include "cuda/missing.h"

#include "cuda/transform.h"

armilla_status armilla_cuda_find_maps(armilla_memory memory, armilla_cuda_looked *maps, int *there)
{
    (void)memory, (void)maps, (void)there;
    return armilla_cuda_check_device();
}

armilla_status armilla_cuda_find_suspects(const armilla_cuda_looked *maps, int *found)
{
    (void)maps, (void)found;
    return armilla_cuda_check_device();
}

armilla_status armilla_cuda_fetch_component(const armilla_cuda_looked *maps, int64_t component,
                                            void *host)
{
    (void)maps, (void)component, (void)host;
    return armilla_cuda_check_device();
}
