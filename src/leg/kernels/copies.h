/* Copies of entries of leg, as src/leg/home.c sees them; compiled for each instruction set.
 *
 * row          copies `count` doubles past the caches (base/machine.h) where both sides begin where
 *              a vector may.
 * entries      copies the first four doubles of each of `count` rows, one behind the other; far:
 *              past the caches, where vectors have four doubles or more and `to` allows that.
 * settle       comes between copies past the caches and whoever reads what they wrote. */
#ifndef ARMILLA_LEG_KERNELS_COPIES_H
#define ARMILLA_LEG_KERNELS_COPIES_H

#include "base/isa_table.h"

#include <stdint.h>

#define ARMILLA_LEG_COPY_LIST(F, x)                                                                \
    F(x, row, (double *to, const double *from, int64_t count))                                     \
    F(x, entries, (double *to, const double *from, int64_t row_length, int64_t count, int far))    \
    F(x, settle, (void))

typedef struct armilla_leg_copies {
    ARMILLA_LEG_COPY_LIST(ARMILLA_KERNEL_FIELD, )
} armilla_leg_copies;

#endif
