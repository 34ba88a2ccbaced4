/* armilla_cl_read of FITS tables, binary and ASCII. */
#include "cl_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_cl(data, size, 1 << 20);
    return 0;
}
