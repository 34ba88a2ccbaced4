/* Instruction sets: which are built in, which this machine can run, which is asked for. */
#ifndef ARMILLA_BASE_CPU_H
#define ARMILLA_BASE_CPU_H

#include "base/isa_list.h"
#include "base/status.h"

/* The sets of this build, ARMILLA_ISA_SCALAR = 0 and so on, the slowest first. */
#define ARMILLA_ISA_NUMBER(x, isa, ISA, usable) ARMILLA_ISA_##ISA,
typedef enum armilla_isa { ARMILLA_ISA_LIST(ARMILLA_ISA_NUMBER, ) ARMILLA_ISA_COUNT } armilla_isa;

const char *armilla_isa_label(armilla_isa isa);

/* Is it built in, and can this machine run it? */
int armilla_isa_usable(armilla_isa isa);

/* The set to use: name if not NULL, else the environment variable ARMILLA_ISA, else the best usable
 * one. Errors: UNSUPPORTED (unknown name, not built in, or not of this machine). */
armilla_status armilla_isa_choose(const char *name, armilla_isa *isa);

#endif
