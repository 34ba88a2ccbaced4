/* Counts the blocks of the library's memory that are in use: the linker gives the programs of the
 * contract these functions in the place of the library's own (--wrap). */
#include "contract/contract.h"

#include "base/memory.h"
#include <stdatomic.h>

/* NOLINTBEGIN: names that the linker asks for */
armilla_status __real_armilla_allocate(void *pointer, int64_t count, size_t size);
armilla_status __real_armilla_allocate_zero(void *pointer, int64_t count, size_t size);
void __real_armilla_release(void *pointer);
armilla_status __wrap_armilla_allocate(void *pointer, int64_t count, size_t size);
armilla_status __wrap_armilla_allocate_zero(void *pointer, int64_t count, size_t size);
void __wrap_armilla_release(void *pointer);
/* NOLINTEND */

static _Atomic int64_t blocks;

int64_t contract_blocks(void)
{
    return blocks;
}

armilla_status __wrap_armilla_allocate(void *pointer, int64_t count, size_t size)
{
    const armilla_status status = __real_armilla_allocate(pointer, count, size);
    if (!status) blocks++;
    return status;
}

armilla_status __wrap_armilla_allocate_zero(void *pointer, int64_t count, size_t size)
{
    const armilla_status status = __real_armilla_allocate_zero(pointer, count, size);
    if (!status) blocks++;
    return status;
}

void __wrap_armilla_release(void *pointer)
{
    if (pointer) blocks--;
    __real_armilla_release(pointer);
}
