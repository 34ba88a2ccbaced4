/* A copy of device memory, as a launch found it, for the PTX interpreter. */
#include "machine.h"

#include <algorithm>

namespace ptx
{
void memory::add(uint64_t first, const void *bytes, size_t size)
{
    const uint8_t *from = static_cast<const uint8_t *>(bytes);
    region r;
    r.first = first;
    r.bytes.assign(from, from + size);
    r.marks.assign(size / 4 + 1, 0);
    const auto place =
        std::upper_bound(regions.begin(), regions.end(), first,
                         [](uint64_t address, const region &b) { return address < b.first; });
    regions.insert(place, std::move(r));
}

static bool holds(const region &r, uint64_t address, size_t bytes)
{
    return address >= r.first && address - r.first + bytes <= r.bytes.size();
}

region *memory::find(uint64_t address, size_t bytes)
{
    if (last < regions.size() && holds(regions[last], address, bytes)) return &regions[last];
    const auto behind = std::upper_bound(regions.begin(), regions.end(), address,
                                         [](uint64_t a, const region &b) { return a < b.first; });
    if (behind == regions.begin()) return nullptr;
    last = (size_t)(behind - regions.begin()) - 1;
    return holds(regions[last], address, bytes) ? &regions[last] : nullptr;
}
} // namespace ptx
