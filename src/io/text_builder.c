/* Appends formatted text to a string on the heap, which at least doubles its room whenever it is
 * full, and remembers the first error, so that whoever writes a report checks once, at its end. */
#include "io/text_builder.h"

#include "base/memory.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void reserve(armilla_text *text, size_t extra)
{
    if (text->capacity - text->length > extra) return;
    char *larger = NULL;
    size_t capacity = 2 * (text->length + extra) + 256;
    text->status = armilla_allocate(&larger, (int64_t)capacity, 1);
    if (text->status) return;
    if (text->length) memcpy(larger, text->data, text->length);
    larger[text->length] = '\0';
    armilla_release(text->data);
    text->data = larger;
    text->capacity = capacity;
}

void armilla_text_add(armilla_text *text, const char *format, ...)
{
    va_list arguments;
    if (text->status) return;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    reserve(text, length > 0 ? (size_t)length : 0);
    if (text->status || length < 0) return;
    va_start(arguments, format);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}
