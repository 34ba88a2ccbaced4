/* Chooses the instruction set that a plan uses: the one that was asked for, or the best of those
 * that are built in and that this machine can run. It also tells callers which sets there are, and
 * the library's version. */
#include "base/cpu.h"

#include "base/cpu_x86.h"
#include <stdlib.h>
#include <string.h>

#ifndef ARMILLA_VERSION
#define ARMILLA_VERSION "unknown"
#endif

#define LABEL(x, isa, ISA, usable)      #isa,
#define LIST_LABEL(x, isa, ISA, usable) " " #isa
#define CASE(x, isa, ISA, usable)                                                                  \
    case ARMILLA_ISA_##ISA:                                                                        \
        return usable;

static const char *const labels[] = {ARMILLA_ISA_LIST(LABEL, )};

const char *armilla_version(void)
{
    return ARMILLA_VERSION;
}

const char *armilla_licence(void)
{
#ifdef ARMILLA_WITH_FFTW
    return "BSD-3-Clause; uses FFTW, which is under the GPL (version 2 or later)";
#else
    return "BSD-3-Clause";
#endif
}

const char *armilla_isa_label(armilla_isa isa)
{
    return labels[isa];
}

int armilla_isa_usable(armilla_isa isa)
{
    switch (isa) {
        ARMILLA_ISA_LIST(CASE, )
    default:
        return 0;
    }
}

armilla_status armilla_isa_choose(const char *name, armilla_isa *isa)
{
    const char *origin = "isa";
    if (!name || !*name) name = getenv("ARMILLA_ISA"), origin = "environment variable ARMILLA_ISA";
    if (!name || !*name) {
        for (int i = 0; i < ARMILLA_ISA_COUNT; i++)
            if (armilla_isa_usable((armilla_isa)i)) *isa = (armilla_isa)i;
        return ARMILLA_OK;
    }
    for (int i = 0; i < ARMILLA_ISA_COUNT; i++) {
        if (strcmp(name, labels[i]) != 0) continue;
        if (!armilla_isa_usable((armilla_isa)i))
            return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                                "%s = \"%s\": not available in this build on this machine", origin,
                                name);
        *isa = (armilla_isa)i;
        return ARMILLA_OK;
    }
    return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                        "%s = \"%s\": must be one of" ARMILLA_ISA_LIST(LIST_LABEL, ), origin, name);
}

const char *armilla_isa_name(void)
{
    armilla_isa isa = ARMILLA_ISA_SCALAR;
    if (armilla_isa_choose(NULL, &isa)) armilla_isa_choose("scalar", &isa);
    return labels[isa];
}

const char *armilla_isa_available(int index)
{
    for (int i = 0, found = 0; i < ARMILLA_ISA_COUNT; i++)
        if (armilla_isa_usable((armilla_isa)i) && found++ == index) return labels[i];
    return NULL;
}
