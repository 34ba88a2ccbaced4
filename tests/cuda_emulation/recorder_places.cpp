/* Which line of the source an instruction comes from, and which functions the program has: read
 * from the program's own file. Kernels that are recorded are compiled with -g1 -gdwarf-4; their
 * line tables are those of section 6.2 of the DWARF 4 standard. Tables of another version, which
 * other sources of a debug build have, are passed over. */
#include "kernel_names.h"
#include "recorder.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <elf.h>
#include <link.h>

namespace emulation
{
namespace recorder
{
/* --- The file -------------------------------------------------------------------------------- */

static std::vector<char> read_program()
{
    std::vector<char> bytes;
    FILE *file = fopen("/proc/self/exe", "rb");
    if (!file) fail("the program cannot read its own file");
    char part[65536];
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;)
        bytes.insert(bytes.end(), part, part + n);
    fclose(file);
    return bytes;
}

static const std::vector<char> &program()
{
    static const std::vector<char> bytes = read_program();
    return bytes;
}

/* What the addresses in the file and those in memory differ by. */
static uintptr_t program_base()
{
    uintptr_t base = 0;
    dl_iterate_phdr(
        [](struct dl_phdr_info *info, size_t, void *result) {
            *static_cast<uintptr_t *>(result) = info->dlpi_addr;
            return 1; /* the program is the first one */
        },
        &base);
    return base;
}

struct stretch {
    const char *begin = nullptr, *end = nullptr;
};

static stretch find_section(const char *wanted)
{
    const char *file = program().data();
    const ElfW(Ehdr) *header = reinterpret_cast<const ElfW(Ehdr) *>(file);
    const ElfW(Shdr) *table = reinterpret_cast<const ElfW(Shdr) *>(file + header->e_shoff);
    const char *names = file + table[header->e_shstrndx].sh_offset;
    for (int i = 0; i < header->e_shnum; i++) {
        if (strcmp(names + table[i].sh_name, wanted) || (table[i].sh_flags & SHF_COMPRESSED))
            continue;
        return {file + table[i].sh_offset, file + table[i].sh_offset + table[i].sh_size};
    }
    return {};
}

/* --- Functions ------------------------------------------------------------------------------- */

std::string demangle(const char *name)
{
    int status;
    char *text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    const std::string result = status == 0 ? text : name;
    free(text);
    return result;
}

static std::vector<function_symbol> read_functions()
{
    std::vector<function_symbol> result;
    const stretch symbols = find_section(".symtab"), names = find_section(".strtab");
    const uintptr_t base = program_base();
    for (const char *p = symbols.begin; p < symbols.end; p += sizeof(ElfW(Sym))) {
        const ElfW(Sym) *symbol = reinterpret_cast<const ElfW(Sym) *>(p);
        const char *name = names.begin + symbol->st_name;
        if ((symbol->st_info & 15) != STT_FUNC || !symbol->st_value || strchr(name, '.')) continue;
        result.push_back({reinterpret_cast<const void *>(base + symbol->st_value), demangle(name)});
    }
    return result;
}

static const std::vector<function_symbol> &all_functions()
{
    static const std::vector<function_symbol> functions = read_functions();
    return functions;
}

std::string name_of_function(const void *address)
{
    for (const function_symbol &f : all_functions())
        if (f.address == address) return f.name;
    return "";
}

/* --- Lines ----------------------------------------------------------------------------------- */

struct line_row {
    uintptr_t address;
    int file, line, column; /* file: in `files`; -1: behind the end of a stretch of code */
};
static std::vector<std::string> files;
static std::vector<line_row> rows;

struct reader {
    const char *at;

    template <typename T> T take()
    {
        T value;
        std::memcpy(&value, at, sizeof value);
        at += sizeof value;
        return value;
    }
    uint64_t take_number(bool is_signed = false) /* LEB128 */
    {
        uint64_t value = 0;
        unsigned shift = 0, byte;
        do {
            byte = take<uint8_t>();
            value |= (uint64_t)(byte & 127) << shift;
            shift += 7;
        } while (byte & 128);
        if (is_signed && shift < 64 && (byte & 64)) value |= ~(uint64_t)0 << shift;
        return value;
    }
    const char *take_text()
    {
        const char *text = at;
        at += strlen(at) + 1;
        return text;
    }
};

/* The table of one compiled file. */
struct line_table {
    reader in;
    const char *end;
    uint8_t least_length, opcode_base, line_range;
    int8_t line_base;
    std::vector<uint8_t> operands;
    int first_file; /* of this table in `files`, which number 1 is */
    line_row now;
};

static void read_header(line_table &t, const char *program_start)
{
    t.least_length = t.in.take<uint8_t>();
    t.in.take<uint8_t>(); /* operations in an instruction: 1 */
    t.in.take<uint8_t>(); /* whether lines begin statements */
    t.line_base = t.in.take<int8_t>();
    t.line_range = t.in.take<uint8_t>();
    t.opcode_base = t.in.take<uint8_t>();
    t.operands.assign(t.opcode_base, 0);
    for (int i = 1; i < t.opcode_base; i++) t.operands[(size_t)i] = t.in.take<uint8_t>();
    while (*t.in.at) t.in.take_text(); /* folders */
    t.in.at++;
    t.first_file = (int)files.size();
    while (*t.in.at) {
        files.push_back(t.in.take_text());
        for (int i = 0; i < 3; i++) t.in.take_number(); /* folder, time, size */
    }
    t.in.at = program_start;
}

static void restart(line_table &t)
{
    t.now = line_row{0, t.first_file, 1, 0};
}

static void add_row(const line_table &t, bool is_end)
{
    rows.push_back(t.now);
    if (is_end) rows.back().file = -1;
}

static void run_extended(line_table &t)
{
    const uint64_t length = t.in.take_number();
    const char *behind = t.in.at + length;
    const int operation = t.in.take<uint8_t>();
    if (operation == 1) { /* end of a stretch of code */
        add_row(t, true);
        restart(t);
    } else if (operation == 2) {
        t.now.address = t.in.take<uintptr_t>();
    }
    t.in.at = behind;
}

static void run_standard(line_table &t, int operation)
{
    switch (operation) {
    case 1:
        add_row(t, false);
        break;
    case 2:
        t.now.address += t.in.take_number() * t.least_length;
        break;
    case 3:
        t.now.line += (int)(int64_t)t.in.take_number(true);
        break;
    case 4:
        t.now.file = t.first_file + (int)t.in.take_number() - 1;
        break;
    case 5:
        t.now.column = (int)t.in.take_number();
        break;
    case 8:
        t.now.address += (uintptr_t)((255 - t.opcode_base) / t.line_range) * t.least_length;
        break;
    case 9:
        t.now.address += t.in.take<uint16_t>();
        break;
    default:
        for (int i = 0; i < t.operands[(size_t)operation]; i++) t.in.take_number();
    }
}

static void run_table(line_table &t)
{
    restart(t);
    while (t.in.at < t.end) {
        const int operation = t.in.take<uint8_t>();
        if (operation == 0) {
            run_extended(t);
        } else if (operation < t.opcode_base) {
            run_standard(t, operation);
        } else {
            const int number = operation - t.opcode_base;
            t.now.address += (uintptr_t)(number / t.line_range) * t.least_length;
            t.now.line += t.line_base + number % t.line_range;
            add_row(t, false);
        }
    }
}

/* The end of a stretch lies before what begins at the same address. */
static bool is_before(const line_row &a, const line_row &b)
{
    return a.address != b.address ? a.address < b.address : a.file < 0 && b.file >= 0;
}

static void read_lines()
{
    const stretch section = find_section(".debug_line");
    for (reader in = {section.begin}; in.at < section.end;) {
        line_table t;
        const uint32_t length = in.take<uint32_t>();
        t.end = in.at + length;
        t.in = in;
        in.at = t.end;
        if (length >= 0xfffffff0u) fail("line tables of 64-bit DWARF are not known");
        if (t.in.take<uint16_t>() != 4) continue;
        const uint32_t header_length = t.in.take<uint32_t>();
        read_header(t, t.in.at + header_length);
        run_table(t);
    }
    std::stable_sort(rows.begin(), rows.end(), is_before);
}

source_place find_source(const void *instruction)
{
    static const bool is_read = (read_lines(), true);
    (void)is_read;
    const line_row wanted = {reinterpret_cast<uintptr_t>(instruction) - program_base(), 0, 0, 0};
    auto next = std::upper_bound(
        rows.begin(), rows.end(), wanted,
        [](const line_row &a, const line_row &b) { return a.address < b.address; });
    source_place result;
    if (next == rows.begin() || (--next)->file < 0) return result;
    result.file = files[(size_t)next->file];
    result.line = next->line;
    result.column = next->column;
    return result;
}

/* Functions of other sources have no line. */
std::vector<function_symbol> functions_named(const std::string &name)
{
    std::vector<function_symbol> result;
    for (const function_symbol &f : all_functions())
        if (plain_name(f.name) == name && find_source(f.address).line) result.push_back(f);
    return result;
}
} // namespace recorder
} // namespace emulation
