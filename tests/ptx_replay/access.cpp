/* Loads and stores of the PTX interpreter: it finds where an address lies, and checks that so many
 * bytes are there and that the address is a multiple of them. */
#include "machine.h"

namespace ptx
{
struct place {
    uint8_t *bytes;
    space where;
    uint64_t offset; /* in shared memory */
    region *in;      /* of global memory */
};

/* The space that a generic address belongs to, and the address there. */
static space space_of(space where, uint64_t &address)
{
    static const space of_window[] = {space::global, space::shared, space::local, space::parameter,
                                      space::constant};
    const uint64_t window = address >> 60;
    if (where == space::shared || where == space::local) return where;
    if (window > 4) return space::global;
    address &= ~WINDOWS;
    return of_window[window];
}

static place find_place(warp &w, const operation &o, int lane, uint64_t address)
{
    const size_t bytes = (size_t)o.width * o.count;
    block &b = *w.home;
    place p = {nullptr, o.where, 0, nullptr};
    if (address % bytes)
        fail_at(w, o, lane, "the address 0x%llx is no multiple of %zu", (unsigned long long)address,
                bytes);
    p.where = space_of(o.where, address);
    const auto within = [&](uint64_t start, size_t size) {
        return address >= start && address - start + bytes <= size;
    };
    if (p.where == space::global) {
        p.in = b.global->find(address, bytes);
        if (p.in) p.bytes = &p.in->bytes[address - p.in->first];
    } else if (p.where == space::shared && within(SHARED_START, b.shared.bytes.size())) {
        p.offset = address - SHARED_START;
        p.bytes = &b.shared.bytes[p.offset];
    } else if (p.where == space::local && within(LOCAL_START, b.code->local_bytes)) {
        const size_t thread = (size_t)(w.first_thread + lane);
        p.bytes = &b.local[thread * b.code->local_bytes + (address - LOCAL_START)];
    } else if (p.where == space::parameter && within(0, b.arguments.size())) {
        p.bytes = &b.arguments[address];
    } else if (p.where == space::constant && within(0, b.code->tables_of_numbers.size())) {
        p.bytes = const_cast<uint8_t *>(&b.code->tables_of_numbers[address]);
    }
    if (!p.bytes)
        fail_at(w, o, lane, "there are no %zu bytes at the address 0x%llx", bytes,
                (unsigned long long)address);
    return p;
}

/* Four bytes of global memory that are read as never written and written are an error. */
static void mark_read(warp &w, const operation &o, int lane, const place &p)
{
    if (!o.is_noncoherent || p.where != space::global) return;
    const size_t first = (size_t)(p.bytes - p.in->bytes.data()) / 4;
    for (size_t i = 0; i < (size_t)(o.width * o.count + 3) / 4; i++) {
        if (p.in->marks[first + i] & ~READ_NONCOHERENT)
            fail_at(w, o, lane, "reads, as if nobody wrote it, what this kernel has written");
        p.in->marks[first + i] |= READ_NONCOHERENT;
    }
}

static void mark_written(warp &w, const operation &o, int lane, const place &p)
{
    const size_t first = (size_t)(p.bytes - p.in->bytes.data()) / 4;
    for (size_t i = 0; i < (size_t)(o.width * o.count + 3) / 4; i++) {
        if (p.in->marks[first + i] & READ_NONCOHERENT)
            fail_at(w, o, lane, "writes what this kernel has read as if nobody wrote it");
        p.in->marks[first + i] = (uint8_t)o.stored;
    }
}

static void watch_shared(warp &w, const operation &o, int lane, const place &p, bool is_write)
{
    try {
        if (is_write)
            w.home->shared.write(w, lane, p.offset, (size_t)o.width * o.count);
        else
            w.home->shared.read(w, lane, p.offset, (size_t)o.width * o.count);
    } catch (const fault &what) {
        fail_at(w, o, lane, "%s", what.what());
    }
}

/* kind 1: a signed number, whose sign goes on above. */
static void load(warp &w, const operation &o, uint32_t lanes)
{
    const slot *address = w.value(o.from[0]);
    for_lanes(lanes, [&](int l) {
        const place p = find_place(w, o, l, address[l] + (uint64_t)o.offset);
        mark_read(w, o, l, p);
        if (p.where == space::shared) watch_shared(w, o, l, p, false);
        for (int i = 0; i < o.count; i++) {
            slot value = 0;
            std::memcpy(&value, p.bytes + (size_t)i * o.width, o.width);
            const int unused = 64 - 8 * o.width;
            if (o.kind) value = (slot)((int64_t)(value << unused) >> unused);
            w.result(o.to[i])[l] = value;
        }
    });
}

static void store(warp &w, const operation &o, uint32_t lanes)
{
    const slot *address = w.value(o.from[0]);
    for_lanes(lanes, [&](int l) {
        const place p = find_place(w, o, l, address[l] + (uint64_t)o.offset);
        if (p.where == space::parameter || p.where == space::constant)
            fail_at(w, o, l, "writes what is constant");
        if (p.where == space::global) mark_written(w, o, l, p);
        if (p.where == space::shared) watch_shared(w, o, l, p, true);
        for (int i = 0; i < o.count; i++)
            std::memcpy(p.bytes + (size_t)i * o.width, &w.value(o.from[1 + i])[l], o.width);
    });
}

/* Section "ldmatrix" of the manual: lane i has the address of row i % 8 of matrix i / 8, eight
 * numbers of 16 bits. Of each matrix a lane receives two numbers: row laneid / 4, columns
 * 2 (laneid % 4) and one more; or with .trans the same of the matrix turned over. */
template <bool IS_TURNED> static void load_matrices(warp &w, const operation &o, uint32_t)
{
    const slot *address = w.value(o.from[0]);
    uint16_t number[LANES][8];
    for (int l = 0; l < LANES; l++) {
        const place p = find_place(w, o, l, address[l] + (uint64_t)o.offset);
        watch_shared(w, o, l, p, false);
        std::memcpy(number[l], p.bytes, sizeof number[l]);
    }
    for (int l = 0; l < LANES; l++)
        for (int i = 0; i < 4; i++) {
            const int q = l / 4, r = 2 * (l % 4);
            const uint32_t first = IS_TURNED ? number[8 * i + r][q] : number[8 * i + q][r],
                           second = IS_TURNED ? number[8 * i + r + 1][q] : number[8 * i + q][r + 1];
            w.result(o.to[i])[l] = first | second << 16;
        }
}

bool choose_matrices(const std::vector<std::string> &words, operation &o)
{
    std::string opcode;
    for (const std::string &word : words)
        if (word != "trans") opcode += (opcode.empty() ? "" : ".") + word;
    if (opcode != "ldmatrix.sync.aligned.m8n8.x4.shared.b16") return false;
    o.act = words[5] == "trans" ? load_matrices<true> : load_matrices<false>;
    o.what = flow::meet, o.kind = NO_MASK, o.where = space::shared;
    o.width = 2, o.count = 8;
    return true;
}

static space named_space(const std::string &word)
{
    if (word == "global") return space::global;
    if (word == "const") return space::constant;
    if (word == "shared") return space::shared;
    if (word == "local") return space::local;
    return word == "param" ? space::parameter : space::generic;
}

/* ld.global.nc.v2.f64: words after the first that are no space, count or type say how caches are
 * used. */
bool choose_access(const std::vector<std::string> &words, operation &o)
{
    const std::string &type = words.back();
    o.act = words[0] == "ld" ? load : store;
    o.count = 1;
    for (size_t i = 1; i + 1 < words.size(); i++) {
        if (named_space(words[i]) != space::generic) o.where = named_space(words[i]);
        if (words[i] == "v2") o.count = 2;
        if (words[i] == "v4") o.count = 4;
        if (words[i] == "nc") o.is_noncoherent = true;
    }
    o.width = (uint8_t)(std::stoi(type.substr(1)) / 8);
    o.kind = type[0] == 's';
    o.stored = type == "f32" ? number::real32 : type == "f64" ? number::real64 : number::bits;
    return o.width == 1 || o.width == 2 || o.width == 4 || o.width == 8;
}
} // namespace ptx
