/* Memory of the host that the device sees. Pinned and registered memory has another address there,
 * as it may on a GPU: the same pages are mapped a second time. Managed memory has one address for
 * both. */
#include "machine.h"

#include <cstring>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

namespace emulation
{
struct pinned {
    size_t size;
    char *device;
    int number; /* of the device */
};

static std::map<char *, pinned> all_pinned;
static std::map<char *, size_t> all_managed;

template <typename T>
static typename std::map<char *, T>::iterator before(std::map<char *, T> &of, const void *address)
{
    auto next = of.upper_bound(static_cast<char *>(const_cast<void *>(address)));
    return next == of.begin() ? of.end() : --next;
}

bool is_managed(const void *address, size_t bytes)
{
    const auto item = before(all_managed, address);
    return item != all_managed.end() &&
           static_cast<const char *>(address) + bytes <= item->first + item->second;
}

bool is_pinned(const void *address, size_t bytes)
{
    const auto item = before(all_pinned, address);
    return item != all_pinned.end() &&
           static_cast<const char *>(address) + bytes <= item->first + item->second.size;
}

bool pinned_attributes(const void *address, struct cudaPointerAttributes *attributes)
{
    void *mine = const_cast<void *>(address);
    if (is_managed(address, 1)) {
        *attributes = {cudaMemoryTypeManaged, current_device(), mine, mine};
        return true;
    }
    if (!is_pinned(address, 1)) return false;
    const auto item = before(all_pinned, address);
    char *device = item->second.device + (static_cast<const char *>(address) - item->first);
    *attributes = {cudaMemoryTypeHost, item->second.number, device, mine};
    return true;
}

bool free_managed(void *address)
{
    const auto item = all_managed.find(static_cast<char *>(address));
    if (item == all_managed.end()) return false;
    drain_all();
    unmap_pages(item->first, whole_pages(item->second));
    all_managed.erase(item);
    return true;
}

/* Puts a file in the place of the pages, with what they hold, and maps it for the device, too. */
static cudaError_t pin(char *host, size_t size)
{
    const int file = memfd_create("pinned", 0);
    check_call(file >= 0, "memfd_create");
    check_call(write(file, host, size) == (ssize_t)size, "write to memory that is to be pinned");
    char *device = alias(current_device(), file, size);
    if (!device) fail("no addresses for pinned memory");
    map_file(host, size, PROT_READ | PROT_WRITE, file);
    check_call(close(file) == 0, "close");
    all_pinned[host] = {size, device, current_device()};
    return cudaSuccess;
}

static void unpin(std::map<char *, pinned>::iterator item)
{
    drain_all();
    release(item->second.device);
    all_pinned.erase(item);
}

/* Memory of the process as it was before it was pinned, with what it holds now. */
static void make_private(char *host, size_t size)
{
    const std::vector<char> values(host, host + size);
    renew_pages(host, size, PROT_READ | PROT_WRITE);
    std::memcpy(host, values.data(), size);
}

static void *fresh_pages(size_t size)
{
    return new_pages(whole_pages(size), PROT_READ | PROT_WRITE);
}
} // namespace emulation

using namespace emulation;

cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned int)
{
    const guard lock(everything);
    watch_faults();
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    if (!size) return report(cudaErrorInvalidValue);
    if (allocation_fails() || !(*pointer = fresh_pages(size)))
        return report(cudaErrorMemoryAllocation);
    all_managed[static_cast<char *>(*pointer)] = size;
    std::memset(*pointer, 0xff, size);
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned int)
{
    const guard lock(everything);
    watch_faults();
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    if (!size || whole_pages(size) != size || whole_pages((size_t)pointer) != (size_t)pointer)
        return report(cudaErrorInvalidValue);
    if (is_pinned(pointer, 1)) return report(cudaErrorHostMemoryAlreadyRegistered);
    return pin(static_cast<char *>(pointer), size);
}

cudaError_t cudaHostUnregister(void *pointer)
{
    const guard lock(everything);
    const auto item = all_pinned.find(static_cast<char *>(pointer));
    if (item == all_pinned.end()) return report(cudaErrorHostMemoryNotRegistered);
    const size_t size = item->second.size;
    unpin(item);
    make_private(static_cast<char *>(pointer), size);
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **pointer, size_t size)
{
    const guard lock(everything);
    if (!(*pointer = fresh_pages(size))) return report(cudaErrorMemoryAllocation);
    const cudaError_t error = cudaHostRegister(*pointer, whole_pages(size), 0);
    if (error) unmap_pages(static_cast<char *>(*pointer), whole_pages(size));
    return error;
}

cudaError_t cudaFreeHost(void *pointer)
{
    const guard lock(everything);
    const auto item = all_pinned.find(static_cast<char *>(pointer));
    if (item == all_pinned.end()) return report(cudaErrorInvalidValue);
    const size_t size = item->second.size;
    unpin(item);
    unmap_pages(static_cast<char *>(pointer), size);
    return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int)
{
    const guard lock(everything);
    struct cudaPointerAttributes attributes;
    if (!is_pinned(host, 1)) return report(cudaErrorInvalidValue);
    pinned_attributes(host, &attributes);
    *device = attributes.devicePointer;
    return cudaSuccess;
}
