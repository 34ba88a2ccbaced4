/* Sums over points for each coefficient: the transpose of sum.h. */
#ifndef ARMILLA_SOLID_COLLECT_H
#define ARMILLA_SOLID_COLLECT_H

#include "base/progress.h"
#include "solid/chunk.h"
#include "solid/dispatch.h"

enum { ARMILLA_SOLID_ORDERS = 8 }; /* that a task works on */

typedef struct armilla_solid_collection {
    const armilla_solid_places *places;
    const armilla_solid_kernels *kernels;
    armilla_solid_table *table; /* factors: where the sums go */
    int ntables;
    int64_t derivatives;
    int local;
    const double *values; /* of component 0 */
    int64_t distance;     /* between components */
    int nthreads;
    armilla_progress *progress; /* points, times orders in tasks */
    struct armilla_solid_batch *batch;
} armilla_solid_collection;

/* Number of tasks of orders. */
int64_t armilla_solid_tasks(const armilla_solid_collection *collection);

/* Memory that runs share. Errors: MEMORY; clear it then, too. */
armilla_status armilla_solid_collection_open(armilla_solid_collection *collection);
void armilla_solid_collection_clear(armilla_solid_collection *collection);

/* Adds the sums over all points to the factors. */
void armilla_solid_collect(armilla_solid_collection *collection);

#endif
