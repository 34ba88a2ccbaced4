/* Copies structs of options and descriptions between callers and the library by the size that each
 * struct names, so that programs compiled for an older version go on working. */
#include "base/options.h"

#include <string.h>

/* No compiler gives a struct with one of these a size that is no multiple of this: a size between
 * would cut a field, and half of a pointer would be followed. */
enum {
    ALIGNMENT = _Alignof(struct {
        size_t size;
        int64_t number;
        double value;
        void *pointer;
    })
};

static int cuts_a_field(size_t size)
{
    return size % ALIGNMENT != 0;
}

void armilla_options_give(const void *defaults, size_t whole, void *options, size_t size)
{
    if (!options || size < sizeof size) return;
    const size_t known = size < whole ? size : whole;
    memcpy(options, defaults, known);
    memset((char *)options + known, 0, size - known);
    memcpy(options, &size, sizeof size);
}

armilla_status armilla_options_copy(const char *name, const char *type, const void *given,
                                    size_t least, size_t most, void *options)
{
    size_t size;
    if (!given) return ARMILLA_OK;
    memcpy(&size, given, sizeof size);
    if (size < least)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s->size = %zu: call %s_init first", name,
                            size, type);
    if (size > most)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "%s->size = %zu: this version of the library knows %zu bytes of %s; "
                            "call %s_init first, or install the library that belongs to the header",
                            name, size, most, type, type);
    if (cuts_a_field(size))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "%s->size = %zu: no version's %s ends there; call %s_init first", name,
                            size, type, type);
    memcpy(options, given, size);
    memcpy(options, &most, sizeof most);
    return ARMILLA_OK;
}

armilla_status armilla_description_give(const char *name, const char *type, const void *whole,
                                        size_t most, void *description)
{
    size_t size;
    armilla_status status = armilla_check_given(name, description);
    if (status) return status;
    memcpy(&size, description, sizeof size);
    if (size <= sizeof size || size > most || cuts_a_field(size))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s->size = %zu: must be sizeof(%s), %zu", name,
                            size, type, most);
    memcpy(description, whole, size);
    memcpy(description, &size, sizeof size);
    return ARMILLA_OK;
}
