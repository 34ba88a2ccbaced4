/* Text that grows, for reports. */
#ifndef ARMILLA_IO_TEXT_BUILDER_H
#define ARMILLA_IO_TEXT_BUILDER_H

#include "base/compiler.h"
#include "base/status.h"

typedef struct armilla_text {
    char *data; /* terminated; NULL while empty */
    size_t length, capacity;
    armilla_status status; /* of all additions so far */
} armilla_text;

/* Begin with {0}. Appends; after an error does nothing. */
void armilla_text_add(armilla_text *text, const char *format, ...) ARMILLA_PRINTF(2, 3);

#endif
