/* armilla_cl_read of text tables. */
#include "cl_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_cl(data, size, 9 << 20);
    return 0;
}
