/* What the oracles share: memory. Nothing here uses the library, as nothing in an oracle may. */
#ifndef ARMILLA_TESTS_BASICS_H
#define ARMILLA_TESTS_BASICS_H

#include <stddef.h>
#include <stdint.h>

/* malloc and calloc that end the test instead of returning NULL. */
void *checked_malloc(int64_t count, size_t size);
void *checked_calloc(int64_t count, size_t size);

#endif
