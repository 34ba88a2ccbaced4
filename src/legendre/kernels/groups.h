/* Runs a kernel's body on a group, with the numbers of sets, vectors and fine vectors as constants:
 * each combination has code of its own. Included by the kernels of the scalar recurrence.
 *
 * With one set a group is VECTORS vectors or less, all at once; with two it goes by parts of
 * PART_VECTORS (the including kernel's choice), which fill the same registers.
 *
 * A group has no vector in fine form, one, or nothing else. If it has one, that is the first one a
 * kernel sees (index 0): the pole's, or the equator's, where vectors count backwards. */
#ifndef ARMILLA_LEGENDRE_KERNELS_GROUPS_H
#define ARMILLA_LEGENDRE_KERNELS_GROUPS_H

#include "base/isa_table.h"
#include "legendre/kernels/kernels.h"
#include "legendre/simd/simd.h"

_Static_assert((int)VLEN == (int)ARMILLA_JOIN(ARMILLA_LANES, ARMILLA_ISA_NAME),
               "see base/isa_table.h");
_Static_assert(VECTORS == (int)ARMILLA_JOIN(ARMILLA_VECTORS, ARMILLA_ISA_NAME),
               "see base/isa_table.h");
_Static_assert(VECTORS >= 2 && VECTORS <= 4, "FOR_GROUP has cases for 1 to VECTORS vectors");

/* Pairs between one vector of a group and the next. */
ARMILLA_ALWAYS_INLINE int64_t vector_distance(const armilla_kernel_group *group)
{
    return group->nfine == 1 && group->form == ARMILLA_FORM_EQUATOR ? -VLEN : VLEN;
}

/* First pair of the index-th vector. */
ARMILLA_ALWAYS_INLINE int64_t vector_pair(const armilla_kernel_group *group, int64_t index)
{
    const int64_t distance = vector_distance(group);
    return group->first + (distance < 0 ? group->nvec - 1 : 0) * (int64_t)VLEN + index * distance;
}

ARMILLA_ALWAYS_INLINE int vector_is_fine(const armilla_kernel_group *group, int64_t pair)
{
    return group->nfine == 1 ? pair == vector_pair(group, 0) : group->nfine > 0;
}

#define GROUP_CASE(work, nvec)                                                                     \
    case 3 * (nvec):                                                                               \
        work(nvec, 0);                                                                             \
        break;                                                                                     \
    case 3 * (nvec) + 1:                                                                           \
        work(nvec, 1);                                                                             \
        break;                                                                                     \
    case 3 * (nvec) + 2:                                                                           \
        work(nvec, nvec);                                                                          \
        break;
#if VECTORS > 3
#define GROUP_CASES_LARGE(work) GROUP_CASE(work, 3) GROUP_CASE(work, 4)
#elif VECTORS > 2
#define GROUP_CASES_LARGE(work) GROUP_CASE(work, 3)
#else
#define GROUP_CASES_LARGE(work)
#endif

/* work(nvec, nfine) on the whole group. A group of more vectors would be a defect of who made it;
 * left out in silence it would be a wrong result. */
#define FOR_GROUP(group, work)                                                                     \
    switch (3 * (group)->nvec + ((group)->nfine < 2 ? (group)->nfine : 2)) {                       \
        GROUP_CASE(work, 1) GROUP_CASE(work, 2) GROUP_CASES_LARGE(work) default : ARMILLA_TRAP();  \
    }

#define PART_OF_GROUP(work, index, nvec, nfine)                                                    \
    if ((nfine) > 1 || ((nfine) && (nvec) == 1))                                                   \
        work(index, 2, nvec, nvec);                                                                \
    else if (nfine)                                                                                \
        work(index, 2, nvec, 1);                                                                   \
    else                                                                                           \
        work(index, 2, nvec, 0);

/* work(index of the first vector, 2, nvec, nfine) on parts of the group */
#define FOR_PARTS(group, work)                                                                     \
    {                                                                                              \
        const int count = (group)->nvec;                                                           \
        int index = 0, nfine = (group)->nfine;                                                     \
        for (; index + PART_VECTORS <= count; index += PART_VECTORS) {                             \
            PART_OF_GROUP(work, index, PART_VECTORS, nfine)                                        \
            if (nfine == 1) nfine = 0;                                                             \
        }                                                                                          \
        for (; index < count; index++) {                                                           \
            PART_OF_GROUP(work, index, 1, nfine)                                                   \
            if (nfine == 1) nfine = 0;                                                             \
        }                                                                                          \
    }

#endif
