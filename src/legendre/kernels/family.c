/* The kernels of one instruction set. */
#include "legendre/kernels/kernels.h"
#include "legendre/simd/simd.h"

ARMILLA_KERNEL_LIST(ARMILLA_KERNEL_DECLARE, armilla_kernel)

ARMILLA_KERNEL_FAMILY(armilla_kernels) = {
    .vector_length = VLEN,
    .vectors = GROUP_VECTORS,
    .synthesis_joins = GROUP_VECTORS % SYNTHESIS_VECTORS != 0,
#ifdef QUADS
    .links_steps = 1,
#endif
    .synthesis_sets_least = SYNTHESIS_VECTORS_OF_TWO > 0 ? 3 : 2,
    .analysis_sets_least = ANALYSIS_VECTORS_OF_TWO > 0 ? 3 : 2,
    ARMILLA_KERNEL_LIST(ARMILLA_KERNEL_ENTER, armilla_kernel)};
