/* Memory pools: what is freed stays reserved, up to the pool's threshold, and is reused where the
 * order of streams allows it. Only bytes are reused, never addresses: a block of a pool lies where
 * no other one was for long, so that stale pointers fault. Pieces of what is free go together, so
 * there is no fragmentation. */
#include "machine.h"

#include <algorithm>
#include <list>

namespace emulation
{
/* Bytes that were freed on a stream; done: its work up to there has run. */
struct unused_bytes {
    int64_t bytes;
    cudaStream_t stream;
    bool done;
    int64_t number;
};
} // namespace emulation

struct CUmemPoolHandle_st {
    int device = 0;
    bool destroyed = false;
    uint64_t threshold = 0;
    int rules[4] = {0, 1, 1, 1}; /* by cudaMemPoolReuse... */
    int64_t used = 0;
    std::list<emulation::unused_bytes> unused;

    int64_t reserved() const
    {
        int64_t sum = used;
        for (const emulation::unused_bytes &u : unused) sum += u.bytes;
        return sum;
    }
};

namespace emulation
{
/* Never destroyed: a pool whose memory nobody freed is no leak of the host. */
static std::set<cudaMemPool_t> &pools = *new std::set<cudaMemPool_t>;
static CUmemPoolHandle_st default_pools[CUDA_EMULATION_DEVICES];
static int64_t numbers, dependencies;

static cudaMemPool_t default_pool()
{
    cudaMemPool_t pool = &default_pools[current_device()];
    pool->device = current_device();
    return pool;
}

static bool is_pool(cudaMemPool_t pool)
{
    return pool && (pool == default_pool() || (pools.count(pool) && !pool->destroyed));
}

int64_t reserved_bytes(int device)
{
    int64_t sum = default_pools[device].reserved();
    for (cudaMemPool_t pool : pools)
        if (pool->device == device) sum += pool->reserved();
    return sum;
}

/* Gives back what is done, until no more than so many bytes are reserved. */
static void shrink(cudaMemPool_t pool, uint64_t least)
{
    for (auto u = pool->unused.begin(); u != pool->unused.end();) {
        const int64_t more = pool->reserved() - (int64_t)std::min(least, (uint64_t)INT64_MAX);
        if (more <= 0) return;
        if (u->done) u->bytes -= std::min(more, u->bytes);
        u = u->bytes ? std::next(u) : pool->unused.erase(u);
    }
}

void settle_pools(int device)
{
    shrink(&default_pools[device], default_pools[device].threshold);
    for (cudaMemPool_t pool : pools)
        if (pool->device == device) shrink(pool, pool->threshold);
}

/* A pool that was destroyed lives until the last of its blocks is free. */
static void forget_destroyed()
{
    for (auto pool = pools.begin(); pool != pools.end();) {
        const bool gone = (*pool)->destroyed && (*pool)->used == 0;
        if (gone) delete *pool;
        pool = gone ? pools.erase(pool) : std::next(pool);
    }
}

void return_to_pool(char *address)
{
    cudaMemPool_t pool = pool_of(address);
    const int64_t size = (int64_t)size_of(address);
    release(address);
    pool->used -= size;
    if (!pool->destroyed) pool->unused.push_back({size, nullptr, true, ++numbers});
    forget_destroyed();
}

/* --- Taking ---------------------------------------------------------------------------------- */

/* Blocks whose stream has not come to their allocation yet. */
static std::set<const char *> unreached;

bool is_unreached(const void *address)
{
    size_t size;
    if (unreached.empty()) return false;
    const size_t offset = offset_in_allocation(address, &size);
    return offset < size && unreached.count(static_cast<const char *>(address) - offset);
}

void check_reached(const void *address, const char *who, const char *what)
{
    if (is_unreached(address))
        fail("%s: %s is memory that its stream has not allocated yet", who, what);
}

struct allocation {
    char *address = nullptr;
    bool reached = false;
};

/* Puts the allocation on its stream; the address comes later. */
static cudaError_t put_allocation(cudaStream_t stream, const std::shared_ptr<allocation> &made)
{
    return put(stream, [=] {
        made->reached = true;
        unreached.erase(made->address);
    });
}

enum class reuse { no, at_once, by_waiting };

static reuse reuse_of(const unused_bytes &u, cudaMemPool_t pool, cudaStream_t stream)
{
    if (u.stream == stream) return reuse::at_once;
    if (u.done) return pool->rules[cudaMemPoolReuseAllowOpportunistic] ? reuse::at_once : reuse::no;
    return pool->rules[cudaMemPoolReuseAllowInternalDependencies] ? reuse::by_waiting : reuse::no;
}

/* The stream waits for the other one: what a pool does unseen. */
static void make_dependency(cudaStream_t stream, cudaStream_t other)
{
    dependencies++;
    put(stream, [=] {
        if (all_streams().count(other)) cudaStreamSynchronize(other);
    });
}

static int64_t reusable(cudaMemPool_t pool, cudaStream_t stream)
{
    int64_t sum = 0;
    for (const unused_bytes &u : pool->unused)
        if (reuse_of(u, pool, stream) != reuse::no) sum += u.bytes;
    return sum;
}

static bool take(cudaMemPool_t pool, int64_t size, cudaStream_t stream)
{
    const int64_t there = reusable(pool, stream);
    if (size > there && size - there > room_of(pool->device)) return false;
    int64_t left = size;
    for (const reuse kind : {reuse::at_once, reuse::by_waiting})
        for (auto u = pool->unused.begin(); u != pool->unused.end() && left;) {
            const int64_t part = reuse_of(*u, pool, stream) == kind ? std::min(left, u->bytes) : 0;
            if (part && kind == reuse::by_waiting) make_dependency(stream, u->stream);
            u->bytes -= part, left -= part;
            u = u->bytes ? std::next(u) : pool->unused.erase(u);
        }
    pool->used += size;
    return true;
}

static cudaError_t allocate_from(cudaMemPool_t pool, void **pointer, size_t size,
                                 cudaStream_t stream)
{
    if (!pools_supported()) return cudaErrorNotSupported;
    if (!is_pool(pool) || !pointer || !size) return cudaErrorInvalidValue;
    *pointer = nullptr;
    const cudaStream_t where = find_stream(stream);
    if (where && where->device != pool->device) /* CUDA allows it: nobody should rely on it */
        fail("memory of a pool of device %d is asked for on a stream of device %d", pool->device,
             where->device);
    if (where && where->capture) return capture_memory(where, pool->device, size, pointer);
    const auto made = std::make_shared<allocation>();
    const cudaError_t error = put_allocation(stream, made);
    if (error) return error;
    if (allocation_fails() || !take(pool, (int64_t)size, where)) return cudaErrorMemoryAllocation;
    made->address = allocate(pool->device, size, pool);
    if (made->address && !made->reached) unreached.insert(made->address);
    *pointer = made->address;
    return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

static void mark_done(CUmemPoolHandle_st &pool, int64_t number)
{
    for (unused_bytes &u : pool.unused)
        if (u.number == number) u.done = true;
}

/* The pool may have gone in the meantime. */
static void mark_done(int64_t number)
{
    for (CUmemPoolHandle_st &pool : default_pools) mark_done(pool, number);
    for (cudaMemPool_t pool : pools) mark_done(*pool, number);
}
} // namespace emulation

using namespace emulation;

cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream)
{
    const guard lock(everything);
    return report(allocate_from(default_pool(), pointer, size, stream));
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    const guard lock(everything);
    return report(allocate_from(pool, pointer, size, stream));
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    const guard lock(everything);
    char *address = static_cast<char *>(pointer);
    if (!pointer) return cudaSuccess;
    if (!pools_supported()) return report(cudaErrorNotSupported);
    const cudaStream_t where = find_stream(stream);
    if (where && where->capture) return report(capture_free(where, pointer));
    if (!is_block(pointer)) return report(cudaErrorInvalidValue);
    if (where) check_device_of(pointer, where->device, "cudaFreeAsync", "the memory");
    cudaMemPool_t pool = pool_of(pointer);
    const int64_t size = (int64_t)size_of(pointer), number = ++numbers;
    if (pool) pool->used -= size;
    if (pool && !pool->destroyed) pool->unused.push_back({size, where, false, number});
    const cudaError_t error = put(stream, [=] {
        if (!is_block(pointer)) fail("device memory is freed twice");
        release(address);
        mark_done(number);
    });
    if (error && pool) pool->used += size;
    if (error && pool && !pool->destroyed) pool->unused.pop_back();
    forget_destroyed();
    return error;
}

/* --- Pools ----------------------------------------------------------------------------------- */

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    if (!pools_supported()) return report(cudaErrorNotSupported);
    if (props->allocType != cudaMemAllocationTypePinned || !is_device(props->location.id) ||
        props->location.type != cudaMemLocationTypeDevice)
        return report(cudaErrorInvalidValue);
    *pool = new CUmemPoolHandle_st;
    (*pool)->device = props->location.id;
    pools.insert(*pool);
    return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    const guard lock(everything);
    if (!pools.count(pool) || pool->destroyed) return report(cudaErrorInvalidValue);
    pool->destroyed = true;
    pool->unused.clear();
    forget_destroyed();
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (!is_pool(pool) || !value) return report(cudaErrorInvalidValue);
    if (attribute == cudaMemPoolAttrReleaseThreshold)
        pool->threshold = *static_cast<uint64_t *>(value);
    else if (attribute >= 1 && attribute <= 3)
        pool->rules[attribute] = *static_cast<int *>(value);
    else
        return report(cudaErrorInvalidValue);
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (!is_pool(pool) || !value) return report(cudaErrorInvalidValue);
    if (attribute == cudaMemPoolAttrReservedMemCurrent)
        *static_cast<uint64_t *>(value) = (uint64_t)pool->reserved();
    else if (attribute == cudaMemPoolAttrUsedMemCurrent)
        *static_cast<uint64_t *>(value) = (uint64_t)pool->used;
    else if (attribute == cudaMemPoolAttrReleaseThreshold)
        *static_cast<uint64_t *>(value) = pool->threshold;
    else if (attribute >= 1 && attribute <= 3)
        *static_cast<int *>(value) = pool->rules[attribute];
    else
        return report(cudaErrorInvalidValue);
    return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t least)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (check_unsafe()) return report(cudaErrorStreamCaptureUnsupported);
    if (!is_pool(pool)) return report(cudaErrorInvalidValue);
    shrink(pool, least);
    return cudaSuccess;
}

int64_t cuda_emulation_pool_bytes(void)
{
    const guard lock(everything);
    int64_t sum = 0;
    for (int device = 0; device < CUDA_EMULATION_DEVICES; device++) sum += reserved_bytes(device);
    return sum;
}

int64_t cuda_emulation_pools(void)
{
    const guard lock(everything);
    return (int64_t)pools.size();
}

int64_t cuda_emulation_dependencies(void)
{
    const guard lock(everything);
    const int64_t result = dependencies;
    dependencies = 0;
    return result;
}
