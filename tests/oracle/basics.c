/* Allocates memory for oracles and tests, which then need not ask whether there was any: without
 * memory the test fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/basics.h"

#include <stdlib.h>
#include <string.h>

void *checked_malloc(int64_t count, size_t size)
{
    void *pointer = malloc((size_t)count * size + 1);
    if (!pointer) fail_msg("the test itself is out of memory");
    return pointer;
}

void *checked_calloc(int64_t count, size_t size)
{
    void *pointer = checked_malloc(count, size);
    memset(pointer, 0, (size_t)count * size);
    return pointer;
}
