/* Splits a ring spectrum that is too large for a call's memory into layouts that the call takes one
 * after the other: some pairs of rings with all orders, or all pairs with some of the orders. */
#include "leg/passes.h"

#include "base/integer.h"
#include "base/memory.h"

static armilla_status open_passes(int64_t most, armilla_leg_passes *passes)
{
    *passes = (armilla_leg_passes){.count = 0};
    return armilla_allocate_zero(&passes->layouts, most, sizeof *passes->layouts);
}

static armilla_status add_pass(const armilla_leg_shape *shape, armilla_leg_passes *passes)
{
    armilla_leg_layout *layout = passes->layouts + passes->count;
    armilla_status status = armilla_leg_layout_make(shape, layout);
    if (status) {
        armilla_leg_passes_clear(passes);
        return status;
    }
    passes->count++;
    if (layout->size > passes->size) passes->size = layout->size;
    return ARMILLA_OK;
}

armilla_status armilla_leg_passes_by_pairs(const armilla_leg_shape *shape, int64_t size,
                                           armilla_leg_passes *passes)
{
    armilla_status status = open_passes((shape->npairs + size - 1) / size, passes);
    for (int64_t i = 0; i < shape->npairs && !status; i += size) {
        armilla_leg_shape pass = *shape;
        pass.first_pair += i, pass.npairs = armilla_smaller(size, shape->npairs - i);
        pass.block_size = size;
        status = add_pass(&pass, passes);
    }
    return status;
}

armilla_status armilla_leg_passes_by_ends(const armilla_leg_shape *shape, int64_t count,
                                          const int64_t *ends, armilla_leg_passes *passes)
{
    armilla_status status = open_passes(count, passes);
    for (int64_t i = 0, first = 0; i < count && !status; first = ends[i++]) {
        armilla_leg_shape pass = *shape;
        pass.first_pair += first, pass.npairs = pass.block_size = ends[i] - first;
        status = add_pass(&pass, passes);
    }
    return status;
}

armilla_status armilla_leg_passes_by_orders(const armilla_leg_shape *shape, int64_t size,
                                            armilla_leg_passes *passes)
{
    armilla_status status = open_passes((shape->norders + size - 1) / size, passes);
    for (int64_t i = 0; i < shape->norders && !status; i += size) {
        armilla_leg_shape pass = *shape;
        pass.orders += i, pass.norders = armilla_smaller(size, shape->norders - i);
        status = add_pass(&pass, passes);
    }
    return status;
}

armilla_status armilla_leg_passes_by_parts(const armilla_leg_shape *shape,
                                           armilla_leg_passes *passes)
{
    armilla_leg_shape first = *shape, second = *shape;
    first.kind = ARMILLA_ORDERS_FIRST, second.kind = ARMILLA_ORDERS_SECOND;
    armilla_status status = open_passes(2, passes);
    if (!status) status = add_pass(&first, passes);
    return status ? status : add_pass(&second, passes);
}

void armilla_leg_passes_clear(armilla_leg_passes *passes)
{
    for (int64_t i = 0; i < passes->count; i++) armilla_leg_layout_clear(&passes->layouts[i]);
    armilla_release(passes->layouts);
    *passes = (armilla_leg_passes){.count = 0};
}

int64_t armilla_leg_passes_bytes(const armilla_leg_passes *passes)
{
    int64_t bytes = 0;
    for (int64_t i = 0; i < passes->count; i++)
        bytes += armilla_leg_layout_bytes(&passes->layouts[i]);
    return bytes;
}
