/* Allocation: checked sizes, 64-byte alignment, and for tests a switch that makes the n-th one fail
 * and patterns that fill new memory. */
#ifndef ARMILLA_BASE_MEMORY_H
#define ARMILLA_BASE_MEMORY_H

#include "base/status.h"

/* Allocates count * size bytes, 64-byte aligned, not cleared; on success *pointer owns them.
 * count = 0 gives a valid pointer. Errors: MEMORY (also when the product overflows); *pointer =
 * NULL. */
ARMILLA_FOR_FILES armilla_status armilla_allocate(void *pointer, int64_t count, size_t size);

/* The same, cleared to zero. */
ARMILLA_FOR_FILES armilla_status armilla_allocate_zero(void *pointer, int64_t count, size_t size);

/* Frees what armilla_allocate returned; NULL is allowed. */
ARMILLA_FOR_FILES void armilla_release(void *pointer);

/* For tests: lets `successes` further allocations pass and makes the next one fail, once; a
 * negative number switches this off. Returns the number of allocations asked for since the last
 * call. */
int64_t armilla_memory_fail_after(int64_t successes);

/* For tests: patterns that fill memory which nobody has written yet. A result must not depend on
 * them, so that its bits are the same under both; the environment variable ARMILLA_POISON, "zeros"
 * or "nan", names the one that a process begins with. */
typedef enum {
    ARMILLA_POISON_NONE, /* memory as the system gives it */
    ARMILLA_POISON_ZEROS,
    ARMILLA_POISON_NAN /* signalling NaN as double or float, huge as an integer, no address */
} armilla_poison;

/* Sets the pattern of all memory that is taken from now on, and returns the last one. */
armilla_poison armilla_memory_poison(armilla_poison pattern);

/* Fills memory that is used again with the pattern, if there is one. */
void armilla_memory_spoil(void *memory, int64_t bytes);

/* Whole cache lines: the smallest multiple of eight that holds so many doubles. */
static inline int64_t armilla_round_line(int64_t doubles)
{
    return (doubles + 7) / 8 * 8;
}

#endif
