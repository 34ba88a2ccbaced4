/* A library without CUDA has none of the tables (cuda/cuda.h), and says so. */
#include "base/status.h"
#include "cuda/cuda.h"

const armilla_cuda_tables *armilla_cuda(void)
{
    return NULL;
}

armilla_status armilla_cuda_check_devices(const int *devices, int64_t ndevices)
{
    (void)devices, (void)ndevices;
    return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                        "no GPU can be used: this library was built without CUDA (make CUDA=1, "
                        "where CUDA's compiler is, builds it with)");
}
