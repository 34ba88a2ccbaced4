/* Runs a kernel's body on a group, with the numbers of sets, vectors and fine vectors as constants:
 * each combination has code of its own. Included by the kernels of the scalar recurrence.
 *
 * A kernel takes the GROUP_VECTORS vectors of a group or less all at once, or goes by parts of as
 * many vectors as its registers hold (simd/<isa>.h), and at the end of the group one by one. The
 * loop over parts has a price: 7 to 12 % more instructions where all vectors fit one part.
 *
 * A group has no vector in fine form, one, or nothing else. If it has one, that is the first one a
 * kernel sees (index 0): the pole's, or the equator's, where vectors count backwards. */
#ifndef ARMILLA_LEGENDRE_KERNELS_GROUPS_H
#define ARMILLA_LEGENDRE_KERNELS_GROUPS_H

#include "legendre/kernels/kernels.h"
#include "legendre/simd/simd.h"

_Static_assert((int)VLEN <= (int)ARMILLA_VECTOR_MAX, "scratch and padding are made for these");
_Static_assert(SYNTHESIS_VECTORS <= GROUP_VECTORS && ANALYSIS_VECTORS <= GROUP_VECTORS,
               "a part is not larger than the group");
_Static_assert(SYNTHESIS_VECTORS_OF_TWO <= SYNTHESIS_VECTORS &&
                   ANALYSIS_VECTORS_OF_TWO <= ANALYSIS_VECTORS,
               "a kernel's arrays are for one set");
_Static_assert(GROUP_VECTORS >= 2 && GROUP_VECTORS <= 4,
               "FOR_GROUP has cases for 1 to GROUP_VECTORS vectors");

/* What a part of a group is to a kernel: the sets that its steps serve, its vectors, and how many
 * of these, the first ones, are in fine form. Constants for the compiler. */
typedef struct {
    int nsets, nvec, nfine;
} part_shape;

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
#if GROUP_VECTORS > 3
#define GROUP_CASES_LARGE(work) GROUP_CASE(work, 3) GROUP_CASE(work, 4)
#elif GROUP_VECTORS > 2
#define GROUP_CASES_LARGE(work) GROUP_CASE(work, 3)
#else
#define GROUP_CASES_LARGE(work)
#endif

/* Runs work(nvec, nfine) on the whole group. Groups never have more vectors than there are cases;
 * should one have them, the process ends: to leave them out would give a wrong result. */
#define FOR_GROUP(group, work)                                                                     \
    switch (3 * (group)->nvec + ((group)->nfine < 2 ? (group)->nfine : 2)) {                       \
        GROUP_CASE(work, 1) GROUP_CASE(work, 2) GROUP_CASES_LARGE(work) default : ARMILLA_TRAP();  \
    }

#define PART_OF_GROUP(work, index, nsets, nvec, nfine)                                             \
    if ((nfine) > 1 || ((nfine) && (nvec) == 1))                                                   \
        work(index, nsets, nvec, nvec);                                                            \
    else if (nfine)                                                                                \
        work(index, nsets, nvec, 1);                                                               \
    else                                                                                           \
        work(index, nsets, nvec, 0);

/* Runs work(index of the first vector, nsets, nvec, nfine) on `most` vectors after the other, and
 * on those that are left at the end one by one. With most = 0 it never runs (two sets then do not
 * come to these kernels). */
#define FOR_PARTS(group, nsets, most, work)                                                        \
    {                                                                                              \
        const int count = (group)->nvec;                                                           \
        int index = 0, nfine = (group)->nfine;                                                     \
        for (; (most) > 0 && index + (most) <= count; index += (most)) {                           \
            PART_OF_GROUP(work, index, nsets, most, nfine)                                         \
            if (nfine == 1) nfine = 0;                                                             \
        }                                                                                          \
        for (; index < count; index++) {                                                           \
            PART_OF_GROUP(work, index, nsets, 1, nfine)                                            \
            if (nfine == 1) nfine = 0;                                                             \
        }                                                                                          \
    }

#endif
