/* A kernel's PTX made ready to run: operations, each of which does its work for all lanes of a warp
 * that are there. A register is a row of 32 slots of 64 bits, one a lane; narrower values have
 * zeros above. Calls of functions are replaced by their bodies. */
#ifndef ARMILLA_TESTS_PTX_REPLAY_PROGRAM_H
#define ARMILLA_TESTS_PTX_REPLAY_PROGRAM_H

#include "ptx.h"

namespace ptx
{
typedef uint64_t slot;
enum { LANES = 32, MOST_SOURCES = 10 };
const uint32_t ALL_LANES = 0xffffffffu;
const uint8_t NO_MASK = 255; /* kind of an operation of all lanes that has no mask */

struct operation;
struct warp;
typedef void (*action)(warp &, const operation &, uint32_t lanes);

/* What an operation does to the sequence of operations. */
enum class flow : uint8_t {
    next,    /* nothing: the next one follows */
    jump,    /* to `target` */
    table,   /* to one of the places of table `target` */
    end,     /* the lane has ended */
    meet,    /* waits for the lanes of a mask, which the last source is; ALL_LANES without one */
    barrier, /* waits for threads of the block */
    trap
};

enum class space : uint8_t { generic, global, constant, shared, local, parameter };

/* How numbers that are stored are compared afterwards. */
enum class number : uint8_t { none, real32, real64, bits };

struct operation {
    action act = nullptr;
    flow what = flow::next;
    bool is_negated = false; /* the guard */
    bool is_watched = false; /* a source may lack a value: see flow.cpp */
    bool is_move = false;    /* what has no value may be moved, but is none there either */
    bool is_noted = false;   /* it gives a value to a register that may lack one */
    bool is_noncoherent = false;
    uint8_t kind = 0; /* of a comparison, shuffle, ...: see who sets it */
    space where = space::generic;
    number stored = number::none;
    uint8_t width = 0, count = 0; /* bytes of a number, numbers, of a load or store */
    int guard = -1;
    int to[4] = {-1, -1, -1, -1};
    int from[MOST_SOURCES] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    int target = -1;
    int64_t offset = 0; /* of an address */
    int line = 0;       /* of the text */
    int name = 0;       /* in program::names */
};

struct argument_place {
    size_t offset, size;
};

/* Where things lie. Shared and local addresses are offsets from a start that is not zero; generic
 * ones have their space's window added. The addresses of global memory are the recorder's own. */
const uint64_t SHARED_START = 1024, LOCAL_START = 1024;
const uint64_t SHARED_WINDOW = (uint64_t)1 << 60, LOCAL_WINDOW = (uint64_t)2 << 60,
               PARAMETER_WINDOW = (uint64_t)3 << 60, CONSTANT_WINDOW = (uint64_t)4 << 60,
               WINDOWS = (uint64_t)15 << 60;

/* Registers whose value the machine gives. */
enum special {
    TID_X,
    TID_Y,
    TID_Z,
    NTID_X,
    NTID_Y,
    NTID_Z,
    CTAID_X,
    CTAID_Y,
    CTAID_Z,
    NCTAID_X,
    NCTAID_Y,
    NCTAID_Z,
    LANEID,
    WARPID,
    LANEMASK_LT,
    CLOCK,
    SPECIALS
};

struct program {
    std::string name;
    int most_threads = 0;
    std::vector<operation> code;
    std::vector<std::string> names;       /* opcodes, for messages */
    std::vector<std::vector<int>> tables; /* of brx.idx: operations */
    std::vector<int> unsure;              /* registers that may lack a value where they are read */
    int registers = SPECIALS;             /* those of the machine come first */
    std::vector<std::pair<int, slot>> constants; /* registers that hold one number in all lanes */
    std::vector<argument_place> arguments;
    size_t argument_bytes = 0;
    size_t shared_bytes = 0; /* by its own variables; the launch's follow */
    size_t local_bytes = 0;
    std::vector<uint8_t>
        tables_of_numbers; /* .const, and .global with a start, from CONSTANT_WINDOW */
};

program prepare(const module &from, const std::string &kernel);

/* Marks the operations whose sources may lack a value when they run (flow.cpp). */
void watch_registers(program &p);

/* What an opcode does; null: unknown. Fills what the opcode says: kind, width, ... */
bool choose_action(const std::string &opcode, operation &o);
} // namespace ptx

#endif
