/* Asks the system once how large the processor's caches are and who made it, and says whether
 * output of some size is to be written past them. */
#include "base/machine.h"

#include "base/compiler.h"
#include "base/integer.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

/* The first line of a file of the system's; empty where there is none. */
static void read_line(const char *path, char line[static 256])
{
    FILE *file = fopen(path, "re"); /* see cpu_quota.c */
    line[0] = '\0';
    if (!file) return;
    if (!fgets(line, 256, file)) line[0] = '\0';
    fclose(file);
}

/* Bytes of the third-level cache for each core that shares it; 0: unknown. */
static int64_t third_level_share(void)
{
    char size[256], sharing[256], siblings[256], *unit;
    read_line("/sys/devices/system/cpu/cpu0/cache/index3/size", size);
    read_line("/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list", sharing);
    read_line("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", siblings);
    const int64_t number = strtoll(size, &unit, 10), threads = armilla_cpu_list_count(sharing),
                  per_core = armilla_cpu_list_count(siblings);
    if (number <= 0 || *unit != 'K' || per_core < 1 || threads < per_core) return 0;
    return number * 1024 / (threads / per_core);
}

static int64_t find_cache(void)
{
    int64_t bytes = 0;
    if (ARMILLA_CPU_IS_AMD()) {
        bytes = armilla_larger(third_level_share(), ARMILLA_CACHE_NEAR);
        return armilla_smaller(bytes, ARMILLA_CACHE_LARGEST);
    }
#ifdef _SC_LEVEL2_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); /* -1 or 0: unknown */
#endif
    return armilla_smaller(armilla_larger(bytes, ARMILLA_CACHE_LEAST), ARMILLA_CACHE_NEAR);
}

static int64_t third_level_bytes(void)
{
#ifdef _SC_LEVEL3_CACHE_SIZE
    const int64_t bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 ? bytes : INT64_MAX;
#else
    return INT64_MAX;
#endif
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
                             .is_amd = ARMILLA_CPU_IS_AMD(),
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
