/* Counts the owners of each plan and grid that Python and XLA's programs share, and frees it when
 * the last one has let go. The objects are in a list behind a lock, since there are few and each
 * call asks once. */
#include "held.h"

#include <pthread.h>
#include <stdlib.h>

#include <armilla/armilla.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static armilla_python_held *first;
static int64_t last_number;

static void free_object(const armilla_python_held *held)
{
    switch (held->kind) {
    case ARMILLA_PYTHON_SHT:
        armilla_sht_free(held->object);
        break;
    case ARMILLA_PYTHON_IQU:
        armilla_iqu_free(held->object);
        break;
    case ARMILLA_PYTHON_VECTOR:
        armilla_vector_free(held->object);
        break;
    case ARMILLA_PYTHON_POINTS:
        armilla_points_free(held->object);
        break;
    case ARMILLA_PYTHON_RADIAL:
        armilla_radial_free(held->object);
        break;
    case ARMILLA_PYTHON_GRID:
        armilla_grid_free(held->object);
        break;
    case ARMILLA_PYTHON_LEG:
        armilla_leg_plan_free(held->object);
        break;
    }
}

int64_t armilla_python_hold(int kind, void *object, int64_t alm_count, int64_t map_count)
{
    armilla_python_held *held = malloc(sizeof *held);
    if (!held) return 0;
    *held = (armilla_python_held){.kind = (armilla_python_kind)kind,
                                  .object = object,
                                  .alm_count = alm_count,
                                  .map_count = map_count,
                                  .owners = 1};
    pthread_mutex_lock(&lock);
    held->number = ++last_number;
    held->next = first;
    first = held;
    pthread_mutex_unlock(&lock);
    return held->number;
}

/* The link to what has a number; to NULL: gone. The caller has the lock. */
static armilla_python_held **find(int64_t number)
{
    armilla_python_held **link = &first;
    while (*link && (*link)->number != number) link = &(*link)->next;
    return link;
}

const armilla_python_held *armilla_python_share(int64_t number)
{
    pthread_mutex_lock(&lock);
    armilla_python_held *held = *find(number);
    if (held) held->owners++;
    pthread_mutex_unlock(&lock);
    return held;
}

void armilla_python_release(int64_t number)
{
    pthread_mutex_lock(&lock);
    armilla_python_held **link = find(number);
    armilla_python_held *held = *link;
    if (held && --held->owners == 0)
        *link = held->next;
    else
        held = NULL;
    pthread_mutex_unlock(&lock);
    if (!held) return;
    free_object(held);
    free(held);
}

int64_t armilla_python_held_count(void)
{
    int64_t count = 0;
    pthread_mutex_lock(&lock);
    for (const armilla_python_held *held = first; held; held = held->next) count++;
    pthread_mutex_unlock(&lock);
    return count;
}
