/* Families of kernels: functions that are compiled once per instruction set.
 *
 * A family is a struct of function pointers, and of what else the set's own compilation knows: how
 * long its vectors are, how many of them a kernel takes. It is declared once, by a list macro:
 *
 *     #define ARMILLA_TOY_KERNEL_LIST(F, x)                          toy/kernels/kernels.h
 *         F(x, grow, (int64_t count, double *values))
 *         F(x, fold, (int64_t count, const double *values, double *out))
 *     typedef struct armilla_toy_kernels {
 *         int vector_length;
 *         ARMILLA_TOY_KERNEL_LIST(ARMILLA_KERNEL_FIELD, )
 *     } armilla_toy_kernels;
 *
 *     ARMILLA_TOY_KERNEL_LIST(ARMILLA_KERNEL_DECLARE, armilla_toy)   toy/kernels/family.c, compiled
 *     ARMILLA_KERNEL_FAMILY(armilla_toy_kernels) = {                 for each set
 *         .vector_length = VLEN, ARMILLA_TOY_KERNEL_LIST(ARMILLA_KERNEL_ENTER, armilla_toy)};
 *
 *     ARMILLA_KERNEL_FIND(armilla_toy_kernels)                       toy/dispatch.c
 *
 * The last line defines armilla_toy_kernels_find(isa). Files that define kernels declare them with
 * the first line of family.c. */
#ifndef ARMILLA_BASE_ISA_TABLE_H
#define ARMILLA_BASE_ISA_TABLE_H

#include "base/compiler.h"
#include "base/cpu.h"

/* What a list is applied to. The second argument of the list is empty for FIELD, and the prefix of
 * the functions' names for DECLARE and ENTER. */
#define ARMILLA_KERNEL_FIELD(x, name, arguments) void(*name) arguments;
#define ARMILLA_KERNEL_DECLARE(prefix, name, arguments)                                            \
    void ARMILLA_KERNEL(prefix##_##name) arguments;
#define ARMILLA_KERNEL_ENTER(prefix, name, arguments) .name = ARMILLA_KERNEL(prefix##_##name),

/* The struct of one set: begins its definition, <type>_<isa>. */
#define ARMILLA_KERNEL_FAMILY(type)                                                                \
    extern const type ARMILLA_KERNEL(type);                                                        \
    const type ARMILLA_KERNEL(type)

/* Defines const <type> *<type>_find(armilla_isa isa): the struct of a set that armilla_isa_usable
 * accepts. */
#define ARMILLA_KERNEL_EXTERN(type, isa, ISA, usable) extern const type type##_##isa;
#define ARMILLA_KERNEL_PLACE(type, isa, ISA, usable)  [ARMILLA_ISA_##ISA] = &type##_##isa,
#define ARMILLA_KERNEL_FIND(type)                                                                  \
    ARMILLA_ISA_LIST(ARMILLA_KERNEL_EXTERN, type)                                                  \
    const type *type##_find(armilla_isa isa)                                                       \
    {                                                                                              \
        static const type *const families[] = {ARMILLA_ISA_LIST(ARMILLA_KERNEL_PLACE, type)};      \
        return families[isa];                                                                      \
    }

#endif
