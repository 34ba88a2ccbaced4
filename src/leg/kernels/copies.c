/* Copies entries of the ring spectrum between rows and the places where they wait, most of them
 * past the caches. */
#include "leg/kernels/copies.h"
#include "legendre/simd/simd.h"

#include <string.h>

ARMILLA_LEG_COPY_LIST(ARMILLA_KERNEL_DECLARE, armilla_leg_copy)

void ARMILLA_KERNEL(armilla_leg_copy_row)(double *to, const double *from, int64_t count)
{
    const uintptr_t size = VLEN * sizeof(double);
    int64_t i = 0;
    if (((uintptr_t)to | (uintptr_t)from) % size == 0)
        for (; i + VLEN <= count; i += VLEN) v_stream(to + i, v_load(from + i));
    memcpy(to + i, from + i, sizeof *to * (size_t)(count - i));
}

#if defined(QUADS)
/* As many as there are whole vectors for; returned: how many. */
ARMILLA_ALWAYS_INLINE int64_t copy_quads(double *to, const double *from, int64_t row_length,
                                         int64_t count, const int far)
{
    int64_t i = 0;
    for (; i + QUADS <= count; i += QUADS) {
        const vec quads = v_load_quads(from + i * row_length, row_length);
        if (far)
            v_stream(to + 4 * i, quads);
        else
            v_store_any(to + 4 * i, quads);
    }
    return i;
}
#endif

void ARMILLA_KERNEL(armilla_leg_copy_entries)(double *to, const double *from, int64_t row_length,
                                              int64_t count, int far)
{
    int64_t i = 0;
#if defined(QUADS)
    if (far && (uintptr_t)to % (VLEN * sizeof(double)) == 0)
        i = copy_quads(to, from, row_length, count, 1);
    else
        i = copy_quads(to, from, row_length, count, 0);
#else
    (void)far;
#endif
    for (; i < count; i++) memcpy(to + 4 * i, from + i * row_length, 4 * sizeof *to);
}

void ARMILLA_KERNEL(armilla_leg_copy_settle)(void)
{
    v_stream_end();
}

ARMILLA_KERNEL_FAMILY(armilla_leg_copies) = {
    ARMILLA_LEG_COPY_LIST(ARMILLA_KERNEL_ENTER, armilla_leg_copy)};
