/* Allocates aligned memory of checked size, in large pages where it is large. `pointer` parameters
 * are void* that really are T**, as in posix_memalign's users; memcpy writes them so that no
 * aliasing rule is broken. */
#include "base/memory.h"

#include "base/compiler.h"
#include "base/platform.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, LARGE_PAGE = 1 << 21 };

static _Atomic int64_t fail_countdown = -1;
static _Atomic int64_t request_count;

int64_t armilla_memory_fail_after(int64_t successes)
{
    atomic_store(&fail_countdown, successes);
    return atomic_exchange(&request_count, 0);
}

static int must_fail(void)
{
    atomic_fetch_add_explicit(&request_count, 1, memory_order_relaxed);
    if (atomic_load_explicit(&fail_countdown, memory_order_relaxed) < 0) return 0;
    return atomic_fetch_sub(&fail_countdown, 1) == 0;
}

/* --- Poison ---------------------------------------------------------------------------------- */

enum { POISON_UNKNOWN = -1 };

static _Atomic int poison = POISON_UNKNOWN;

/* The pattern in force, from the environment at first. */
static armilla_poison find_poison(void)
{
    int found = atomic_load_explicit(&poison, memory_order_relaxed);
    if (found != POISON_UNKNOWN) return (armilla_poison)found;
    const char *name = getenv("ARMILLA_POISON");
    found = !name                      ? ARMILLA_POISON_NONE
            : strcmp(name, "nan") == 0 ? ARMILLA_POISON_NAN
                                       : ARMILLA_POISON_ZEROS;
    atomic_store_explicit(&poison, found, memory_order_relaxed);
    return (armilla_poison)found;
}

armilla_poison armilla_memory_poison(armilla_poison pattern)
{
    const armilla_poison before = find_poison();
    atomic_store(&poison, (int)pattern);
    return before;
}

/* A signalling NaN as a double, whose halves are NaN as floats. */
static void fill_with_nan(void *memory, size_t bytes)
{
    static const uint64_t word = UINT64_C(0x7ff400007fa00000);
    char *end = memory;
    for (; bytes >= sizeof word; bytes -= sizeof word, end += sizeof word)
        memcpy(end, &word, sizeof word);
    memcpy(end, &word, bytes);
}

void armilla_memory_spoil(void *memory, int64_t bytes)
{
    const armilla_poison pattern = find_poison();
    if (pattern == ARMILLA_POISON_ZEROS) memset(memory, 0, (size_t)bytes);
    if (pattern == ARMILLA_POISON_NAN) fill_with_nan(memory, (size_t)bytes);
}

/* --- Allocation ------------------------------------------------------------------------------ */

#if defined(ARMILLA_ADDRESS_SANITIZER)

/* Nothing is rounded up, so that AddressSanitizer sees the first byte beyond. */
static size_t round_up(size_t bytes)
{
    return bytes ? bytes : 1;
}

static void *allocate_bytes(size_t rounded)
{
    void *result;
    return posix_memalign(&result, ALIGNMENT, rounded) ? NULL : result;
}

#else

static size_t round_up(size_t bytes)
{
    if (bytes < (size_t)LARGE_PAGE) return (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    return (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
}

/* Large arrays lie on large pages where the system has them: leg is read across its rows, and with
 * small pages every access would miss the table of page addresses. */
static void *allocate_bytes(size_t rounded)
{
    if (rounded < (size_t)LARGE_PAGE) return aligned_alloc(ALIGNMENT, rounded);
    void *result = aligned_alloc(LARGE_PAGE, rounded);
    if (result) armilla_platform_wish_large_pages(result, rounded);
    return result;
}

#endif

armilla_status armilla_allocate(void *pointer, int64_t count, size_t size)
{
    void *result = NULL;
    memcpy(pointer, &result, sizeof result);
    if (count < 0 || (size > 0 && (uint64_t)count > (uint64_t)(INT64_MAX - LARGE_PAGE) / size))
        return armilla_fail_memory((double)count * (double)size);
    size_t bytes = (size_t)count * size, rounded = round_up(bytes);
    if (!must_fail()) result = allocate_bytes(rounded);
    if (!result) return armilla_fail_memory((double)bytes);
    armilla_memory_spoil(result, (int64_t)rounded); /* an empty array has bytes as well */
    memcpy(pointer, &result, sizeof result);
    return ARMILLA_OK;
}

armilla_status armilla_allocate_zero(void *pointer, int64_t count, size_t size)
{
    armilla_status status = armilla_allocate(pointer, count, size);
    if (status) return status;
    void *result;
    memcpy(&result, pointer, sizeof result);
    memset(result, 0, (size_t)count * size);
    return ARMILLA_OK;
}

void armilla_release(void *pointer)
{
    free(pointer);
}
