/* Faults that somebody plants from outside the process: see machine.h. They are for tests of what
 * looks after programs that use a GPU, such as tools/gpu_check_run.sh. */
#include "machine.h"

#include <csignal>
#include <cstdlib>
#include <cstring>

namespace emulation
{
static const char *words = getenv("ARMILLA_EMULATION_PLANT");

/* The kernel's name that follows `kind`, or nothing. */
static const char *planted(const char *kind)
{
    const size_t length = strlen(kind);
    return words && strncmp(words, kind, length) == 0 ? words + length : nullptr;
}

static bool concerns(const char *kind, const char *name)
{
    const char *which = planted(kind);
    return which && strstr(name, which);
}

bool plant_skips(const char *name)
{
    return concerns("skip:", name);
}

bool plant_fails(const char *name)
{
    if (concerns("stop:", name)) check_call(raise(SIGSTOP) == 0, "raise");
    if (concerns("kill:", name)) check_call(raise(SIGKILL) == 0, "raise");
    return concerns("fail:", name);
}
} // namespace emulation

void cuda_emulation_plant(const char *what)
{
    const emulation::guard lock(emulation::everything);
    emulation::words = what;
}
