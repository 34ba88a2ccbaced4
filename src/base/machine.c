/* Asks the system once how large the processor's caches are and who made it, and says whether
 * output of some size is to be written past them. */
#include "base/machine.h"

#include "base/cpu_x86.h"
#include "base/integer.h"
#include "base/platform.h"

#include <stdatomic.h>
#include <stdlib.h>

int64_t armilla_cpu_list_count(const char *list)
{
    int64_t count = 0;
    while (*list >= '0' && *list <= '9') {
        char *end;
        const int64_t first = strtoll(list, &end, 10);
        const int64_t last = *end == '-' ? strtoll(end + 1, &end, 10) : first;
        if (last < first) return 0;
        count += last - first + 1;
        list = *end == ',' ? end + 1 : end;
    }
    return *list == '\0' || *list == '\n' ? count : 0;
}

static int64_t find_cache(void)
{
    int64_t bytes;
    if (armilla_x86_is_amd()) {
        bytes = armilla_larger(armilla_platform_third_level_share(), ARMILLA_CACHE_NEAR);
        return armilla_smaller(bytes, ARMILLA_CACHE_LARGEST);
    }
    bytes = armilla_platform_second_level();
    return armilla_smaller(armilla_larger(bytes, ARMILLA_CACHE_LEAST), ARMILLA_CACHE_NEAR);
}

static int64_t third_level_bytes(void)
{
    const int64_t bytes = armilla_platform_third_level();
    return bytes > 0 ? bytes : INT64_MAX;
}

/* Found once: asking the system takes as long as a tenth of a small plan. */
static int64_t find_once(_Atomic int64_t *found, int64_t (*find)(void))
{
    int64_t bytes = atomic_load_explicit(found, memory_order_relaxed);
    if (bytes > 0) return bytes;
    bytes = find();
    atomic_store_explicit(found, bytes, memory_order_relaxed);
    return bytes;
}

static const armilla_machine *pretended;

void armilla_machine_pretend(const armilla_machine *machine)
{
    pretended = machine;
}

armilla_machine armilla_machine_with(armilla_isa isa)
{
    static _Atomic int64_t cache, third_level;
    if (pretended)
        return (armilla_machine){isa, pretended->is_amd, pretended->cache_bytes,
                                 pretended->third_level_bytes};
    return (armilla_machine){.isa = isa,
                             .is_amd = armilla_x86_is_amd(),
                             .cache_bytes = find_once(&cache, find_cache),
                             .third_level_bytes = find_once(&third_level, third_level_bytes)};
}

armilla_status armilla_machine_choose(const char *isa, armilla_machine *machine)
{
    armilla_isa chosen;
    armilla_status status = armilla_isa_choose(isa, &chosen);
    if (!status) *machine = armilla_machine_with(chosen);
    return status;
}

int armilla_machine_stores_far(const armilla_machine *machine, int64_t bytes, int read_again)
{
    enum { FAR_MAP = 4 * 1024 * 1024 }; /* bytes, AMD */
    if (!machine->is_amd) return bytes > machine->third_level_bytes;
    return bytes > (read_again ? machine->cache_bytes : FAR_MAP);
}
