/* Copies structs of options and descriptions between callers and the library by the size that each
 * struct names, so that programs compiled for an older version go on working. */
#include "base/options.h"

#include <string.h>

/* No compiler gives a struct such a size: half of a pointer would be read. */
static int cuts_a_field(size_t size)
{
    return size % ARMILLA_OPTIONS_ALIGNMENT != 0;
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
                                    const size_t *versions, void *options)
{
    size_t size, most = 0;
    int known = 0;
    if (!given) return ARMILLA_OK;
    memcpy(&size, given, sizeof size);
    for (const size_t *version = versions; *version; version++)
        known = known || size == *version, most = *version;
    if (size < versions[0])
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s->size = %zu: call %s_init first", name,
                            size, type);
    if (size > most)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "%s->size = %zu: this version of the library knows %zu bytes of %s; "
                            "call %s_init first, or install the library that belongs to the header",
                            name, size, most, type, type);
    if (!known)
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
