/* Makes functions of one shape out of the library's calls. */
#ifndef ARMILLA_TESTS_CONTRACT_CALLS_H
#define ARMILLA_TESTS_CONTRACT_CALLS_H

#include "contract/contract.h"

/* NAME is armilla_NAME, in doubles and in floats. */
#define CONTRACT_WRAP(name)                                                                        \
    static armilla_status name(const void *plan, int is_float, const void *in, void *out,          \
                               const armilla_exec *exec)                                           \
    {                                                                                              \
        return is_float ? armilla_##name##_float(plan, in, out, exec)                              \
                        : armilla_##name(plan, in, out, exec);                                     \
    }

#define CONTRACT_WRAP_DOUBLE(name)                                                                 \
    static armilla_status name(const void *plan, int is_float, const void *in, void *out,          \
                               const armilla_exec *exec)                                           \
    {                                                                                              \
        (void)is_float;                                                                            \
        return armilla_##name(plan, in, out, exec);                                                \
    }

/* Iterations, of which three are made. */
#define CONTRACT_WRAP_PSEUDO(name)                                                                 \
    static armilla_status name(const void *plan, int is_float, const void *map, void *alm,         \
                               const armilla_exec *exec)                                           \
    {                                                                                              \
        armilla_pseudo_options few;                                                                \
        armilla_pseudo_options_init(&few);                                                         \
        few.max_iterations = 3;                                                                    \
        return is_float ? armilla_##name##_float(plan, map, alm, &few, NULL, exec)                 \
                        : armilla_##name(plan, map, alm, &few, NULL, exec);                        \
    }

#define CONTRACT_WRAP_FOUR(noun)                                                                   \
    CONTRACT_WRAP(noun##_synthesis)                                                                \
    CONTRACT_WRAP(noun##_adjoint_synthesis)                                                        \
    CONTRACT_WRAP(noun##_analysis)                                                                 \
    CONTRACT_WRAP(noun##_adjoint_analysis)

/* The four operators between coefficients, side 0, and maps, side 1. RANKS(verb) is the call over
 * ranks. */
#define CONTRACT_FOUR(noun, RANKS)                                                                 \
    {                                                                                              \
        {"synthesis", 0, 1, 1, CONTRACT_UNREAD, noun##_synthesis, RANKS(synthesis)},               \
            {"adjoint_synthesis",     1, 0, 0, CONTRACT_LOOKED, noun##_adjoint_synthesis,          \
             RANKS(adjoint_synthesis)},                                                            \
            {"analysis", 1, 0, 3, CONTRACT_LOOKED, noun##_analysis, RANKS(analysis)},              \
        {                                                                                          \
            "adjoint_analysis", 0, 1, 2, CONTRACT_UNREAD, noun##_adjoint_analysis,                 \
                RANKS(adjoint_analysis)                                                            \
        }                                                                                          \
    }

#define CONTRACT_NO_RANKS(verb) NULL

#endif
