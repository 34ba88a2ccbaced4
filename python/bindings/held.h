/* Plans and grids that Python and XLA's executables own together. Each has a number, which XLA's
 * programs hold in the place of an address: numbers are never used again, so a program that
 * outlives what it needs is told so. */
#ifndef ARMILLA_PYTHON_HELD_H
#define ARMILLA_PYTHON_HELD_H

#include <stdint.h>

typedef enum armilla_python_kind {
    ARMILLA_PYTHON_SHT,
    ARMILLA_PYTHON_IQU,
    ARMILLA_PYTHON_VECTOR,
    ARMILLA_PYTHON_POINTS,
    ARMILLA_PYTHON_RADIAL,
    ARMILLA_PYTHON_GRID,
    ARMILLA_PYTHON_LEG
} armilla_python_kind;

typedef struct armilla_python_held {
    armilla_python_kind kind;
    void *object; /* armilla_sht *, armilla_grid *, armilla_leg_plan *, ... */
    /* of one transform: complex numbers of alm (of a Radial: 0), values of a map; of a grid
     * and a leg plan: 0 */
    int64_t alm_count;
    int64_t map_count;
    int64_t number;
    int64_t owners;
    struct armilla_python_held *next;
} armilla_python_held;

/* Takes over the object, for one owner, who lets go of it by armilla_python_release.
 * Returned: its number, > 0; 0: no memory, and nothing was taken. Any thread. */
int64_t armilla_python_hold(int kind, void *object, int64_t alm_count, int64_t map_count);

/* Another owner of what has this number. Returned: it; NULL: gone. Any thread. */
const armilla_python_held *armilla_python_share(int64_t number);

/* One owner less; after the last the object is freed. Any thread. */
void armilla_python_release(int64_t number);

/* How many objects there are now. */
int64_t armilla_python_held_count(void);

#endif
