/* The sights of the last calls, the one used last first, behind a lock that is not held while one
 * is made: two threads that miss the same one both make it, and one of the two is kept. */
#include "sights.h"

#include <pthread.h>
#include <string.h>

#include "sight.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static armilla_python_sight *first;
static int64_t most_plans = 16, most_bytes = (int64_t)2 << 30;

static int is_for(const armilla_python_sight *sight, const armilla_python_field *field,
                  int64_t count, const double *positions)
{
    const armilla_python_field *own = &sight->field;
    return own->lmax == field->lmax && own->mmax == field->mmax && own->spin == field->spin &&
           own->pure == field->pure && own->grid == field->grid && own->epsilon == field->epsilon &&
           sight->count == count &&
           memcmp(sight->positions, positions, 2 * (size_t)count * sizeof *positions) == 0;
}

/* The link to a kept sight; to NULL: there is none. The caller has the lock. */
static armilla_python_sight **find(const armilla_python_field *field, int64_t count,
                                   const double *positions)
{
    armilla_python_sight **link = &first;
    while (*link && !is_for(*link, field, count, positions)) link = &(*link)->next;
    return link;
}

static void put_first(armilla_python_sight *sight)
{
    sight->next = first;
    first = sight;
}

/* Takes what is too much out of the list. The caller has the lock.
 * Returned: a list of sights of which the caller is an owner. */
static armilla_python_sight *cut(void)
{
    int64_t plans = 0, bytes = 0;
    armilla_python_sight **link = &first;
    while (*link) {
        bytes += (*link)->bytes;
        if (++plans > most_plans || bytes > most_bytes) break;
        link = &(*link)->next;
    }
    armilla_python_sight *rest = *link;
    *link = NULL;
    return rest;
}

void armilla_python_sight_give_back(armilla_python_sight *sight)
{
    pthread_mutex_lock(&lock);
    const int64_t owners = --sight->owners;
    pthread_mutex_unlock(&lock);
    if (!owners) armilla_python_sight_free(sight);
}

static void give_back_all(armilla_python_sight *sight)
{
    while (sight) {
        armilla_python_sight *next = sight->next;
        armilla_python_sight_give_back(sight);
        sight = next;
    }
}

/* Keeps a new sight, unless another thread has kept its like meanwhile, or it alone is too much. */
static void keep(armilla_python_sight *sight)
{
    armilla_python_sight *rest = NULL;
    pthread_mutex_lock(&lock);
    if (sight->bytes <= most_bytes && !*find(&sight->field, sight->count, sight->positions)) {
        sight->owners++;
        put_first(sight);
        rest = cut();
    }
    pthread_mutex_unlock(&lock);
    give_back_all(rest);
}

armilla_status armilla_python_sight_get(const armilla_python_field *field, int64_t count,
                                        const double *positions, armilla_python_sight **result,
                                        const char **message)
{
    pthread_mutex_lock(&lock);
    armilla_python_sight **link = find(field, count, positions), *sight = *link;
    if (sight) {
        *link = sight->next;
        put_first(sight);
        sight->owners++;
    }
    pthread_mutex_unlock(&lock);
    if (!sight) {
        armilla_status status = armilla_python_sight_new(field, count, positions, &sight, message);
        if (status) return status;
        keep(sight);
    }
    *result = sight;
    return ARMILLA_OK;
}

void armilla_python_sights_limit(int64_t plans, int64_t bytes)
{
    pthread_mutex_lock(&lock);
    most_plans = plans;
    most_bytes = bytes;
    armilla_python_sight *rest = cut();
    pthread_mutex_unlock(&lock);
    give_back_all(rest);
}

void armilla_python_sights_clear(void)
{
    pthread_mutex_lock(&lock);
    armilla_python_sight *rest = first;
    first = NULL;
    pthread_mutex_unlock(&lock);
    give_back_all(rest);
}

void armilla_python_sights_kept(int64_t *plans, int64_t *bytes)
{
    *plans = *bytes = 0;
    pthread_mutex_lock(&lock);
    for (const armilla_python_sight *sight = first; sight; sight = sight->next) {
        ++*plans;
        *bytes += sight->bytes;
    }
    pthread_mutex_unlock(&lock);
}
