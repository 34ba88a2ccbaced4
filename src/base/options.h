/* Structs of options and descriptions that may grow: each begins with size_t size, its size as the
 * caller knows it. */
#ifndef ARMILLA_BASE_OPTIONS_H
#define ARMILLA_BASE_OPTIONS_H

#include "base/status.h"
#include <stddef.h>

/* What the size of each struct with a pointer or an 8-byte number is a multiple of. */
enum {
    ARMILLA_OPTIONS_ALIGNMENT = _Alignof(struct {
        size_t size;
        int64_t number;
        double value;
        void *pointer;
    })
};

/* The size that a struct had when this was its last field. */
#define ARMILLA_END_OF(type, field)                                                                \
    ((offsetof(type, field) + sizeof(((type *)NULL)->field) + ARMILLA_OPTIONS_ALIGNMENT - 1) /     \
     ARMILLA_OPTIONS_ALIGNMENT * ARMILLA_OPTIONS_ALIGNMENT)

/* Fills a caller's struct with defaults. It never writes more than size bytes, so that a program
 * compiled before the last fields were added keeps what lies behind its struct.
 * Given:    defaults, whole  today's struct and its size;  options  size bytes, or NULL.
 * Returned: the defaults of the fields that the caller's struct has; zeros in fields that this
 *           version does not know (armilla_options_copy will refuse them by their size); the size
 *           itself in the first field. Nothing where size has no room for that field. */
ARMILLA_FOR_FILES void armilla_options_give(const void *defaults, size_t whole, void *options,
                                            size_t size);

/* Copies as much as the caller's struct has over the defaults in *options; options->size becomes
 * that of the whole struct.
 * Given:    name, type  of the argument, for messages;  given  the caller's struct, or NULL: the
 *           defaults stay;  versions  the sizes that versions of the struct had, rising, today's
 *           last, and 0 behind it;  options  today's struct with its defaults.
 * Errors:   ARGUMENT unless given->size is one of versions; *options is then untouched. */
ARMILLA_FOR_FILES armilla_status armilla_options_copy(const char *name, const char *type,
                                                      const void *given, const size_t *versions,
                                                      void *options);

/* Gives as much of a description as the caller's struct has room for; its size stays.
 * Given:    name, type  for messages;  whole  most bytes, today's size;  description  the caller's,
 * or NULL. Errors:   ARGUMENT for NULL, and unless sizeof(size_t) < its size <= most, between
 * fields. */
armilla_status armilla_description_give(const char *name, const char *type, const void *whole,
                                        size_t most, void *description);

#endif
