/* Keeps the memory of a plan's last call for the next one, without a lock. The store holds at most
 * one block; taking and giving swap a pointer atomically. The size of a block stands in the 64
 * bytes before it. */
#include "base/workspace.h"

#include "base/memory.h"

#include <stdatomic.h>

enum { HEADER = 8 }; /* doubles: keeps the alignment */

struct armilla_workspace_store {
    _Atomic(double *) kept;
};

armilla_status armilla_workspace_store_new(armilla_workspace_store **store)
{
    armilla_status status = armilla_allocate(store, 1, sizeof **store);
    if (!status) atomic_init(&(*store)->kept, NULL);
    return status;
}

void armilla_workspace_store_free(armilla_workspace_store *store)
{
    if (store) armilla_release(atomic_load(&store->kept));
    armilla_release(store);
}

armilla_status armilla_workspace_take(armilla_workspace_store *store, int64_t size, double **memory)
{
    double *block = atomic_exchange(&store->kept, NULL);
    if (!block || block[0] < (double)size) {
        armilla_release(block);
        armilla_status status = armilla_allocate(&block, size + HEADER, sizeof *block);
        if (status) return status;
        block[0] = (double)size;
    }
    armilla_memory_spoil(block + HEADER, size * (int64_t)sizeof *block);
    *memory = block + HEADER;
    return ARMILLA_OK;
}

void armilla_workspace_give(armilla_workspace_store *store, double *memory)
{
    if (memory) armilla_release(atomic_exchange(&store->kept, memory - HEADER));
}

void armilla_workspace_move(armilla_workspace_store *from, armilla_workspace_store *to)
{
    armilla_release(atomic_exchange(&to->kept, atomic_exchange(&from->kept, NULL)));
}
