/* Runs a kernel's body on a group, with the numbers of sets and vectors and the form as constants:
 * each combination has code of its own. Included by the kernels of the scalar recurrence.
 *
 * With one set a group is VECTORS vectors or less, all at once; with two it goes by parts of
 * VECTORS_OF_TWO, which fill the same registers. */
#ifndef ARMILLA_LEGENDRE_KERNELS_GROUPS_H
#define ARMILLA_LEGENDRE_KERNELS_GROUPS_H

#include "legendre/simd/simd.h"

#define GROUP_CASE(work, nvec)                                                                     \
    case 2 * (nvec):                                                                               \
        work(0, 1, nvec, 0);                                                                       \
        break;                                                                                     \
    case 2 * (nvec) + 1:                                                                           \
        work(0, 1, nvec, 1);                                                                       \
        break;
#if VECTORS > 3
#define GROUP_CASES_LARGE(work) GROUP_CASE(work, 3) GROUP_CASE(work, 4)
#elif VECTORS > 2
#define GROUP_CASES_LARGE(work) GROUP_CASE(work, 3)
#else
#define GROUP_CASES_LARGE(work)
#endif

#define PART_OF_GROUP(work, vector, nvec, fine)                                                    \
    if (fine)                                                                                      \
        work(vector, 2, nvec, 1);                                                                  \
    else                                                                                           \
        work(vector, 2, nvec, 0);

#define FOR_GROUP(sets, group, work)                                                               \
    const int is_fine = (group)->form >= ARMILLA_FORM_FINE_EQUATOR;                                \
    if ((sets) == 2) {                                                                             \
        int vector = 0, count = (group)->nvec;                                                     \
        for (; vector + PART_VECTORS <= count; vector += PART_VECTORS)                             \
            PART_OF_GROUP(work, vector, PART_VECTORS, is_fine)                                     \
        for (; vector < count; vector++) PART_OF_GROUP(work, vector, 1, is_fine)                   \
        return;                                                                                    \
    }                                                                                              \
    switch (2 * (group)->nvec + is_fine) {                                                         \
        GROUP_CASE(work, 1) GROUP_CASE(work, 2) GROUP_CASES_LARGE(work)                            \
    }

#endif
