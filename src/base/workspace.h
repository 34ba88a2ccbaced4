/* Memory of one call. A plan keeps that of the last call for the next one: fresh pages cost as much
 * as a tenth of a transform. Calls that run at the same time each have their own. */
#ifndef ARMILLA_BASE_WORKSPACE_H
#define ARMILLA_BASE_WORKSPACE_H

#include "base/status.h"

typedef struct armilla_workspace_store armilla_workspace_store;

/* Errors: MEMORY. */
armilla_status armilla_workspace_store_new(armilla_workspace_store **store);

/* Frees what is kept; NULL is allowed. */
void armilla_workspace_store_free(armilla_workspace_store *store);

/* At least `size` doubles, 64-byte aligned, contents undefined. Errors: MEMORY. */
armilla_status armilla_workspace_take(armilla_workspace_store *store, int64_t size,
                                      double **memory);

/* Gives back what armilla_workspace_take gave. */
void armilla_workspace_give(armilla_workspace_store *store, double *memory);

/* Hands over what `from` keeps for the next call: `to` keeps it then. */
void armilla_workspace_move(armilla_workspace_store *from, armilla_workspace_store *to);

#endif
