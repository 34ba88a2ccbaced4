/* The parts of the recorder among themselves: what the emulation tells it (block.cpp), places in
 * the source, races, requests. What a test asks of it is in emulation.h. */
#ifndef ARMILLA_CUDA_EMULATION_RECORDER_H
#define ARMILLA_CUDA_EMULATION_RECORDER_H

#include "machine.h"

#include <string>

namespace emulation
{
/* --- Told by the emulation ------------------------------------------------------------------- */

extern bool recording; /* a kernel runs, and what it reads and writes is to be recorded */

void recorder_begin_launch(const launch &what);
void recorder_end_launch(double blocks); /* of the grid, for each one that has run */
void recorder_begin_block(const char *shared, size_t bytes, int threads);
void recorder_meet_block(const place *where); /* every thread of the block; null: it has ended */
void recorder_meet_warp(int first, unsigned mask, bool orders_memory);
int running_thread(); /* number in its block; -1 on the host */

namespace recorder
{
/* --- Places in the source (recorder_places.cpp) ---------------------------------------------- */

/* Where the compiler says that an instruction comes from; line 0: it does not say. */
struct source_place {
    std::string file;
    int line = 0, column = 0;
};
source_place find_source(const void *instruction);

/* The functions of recorded sources whose name, without namespaces and template arguments, is this.
 */
struct function_symbol {
    const void *address;
    std::string name; /* as c++filt writes it */
};
std::string demangle(const char *name); /* as c++filt */
std::vector<function_symbol> functions_named(const std::string &name);
std::string name_of_function(const void *address); /* the whole text; empty: not known */

/* --- Instructions that read or write, each for each kernel (recorder.cpp) --------------------- */

struct site {
    const void *instruction;
    int kernel;
    source_place source;
    int same; /* number of the first site whose accesses join this one's */
    cuda_emulation_access counts;
};
extern std::vector<site> sites;
extern std::vector<std::string> kernels; /* names with precision, see kernel_name */

/* --- Races (recorder_races.cpp) -------------------------------------------------------------- */

struct memory_access {
    uintptr_t address;
    int width, thread, site;
    bool is_write, is_shared;
};

void begin_grid();
void begin_block(uintptr_t shared, size_t bytes);
void order_block();
void order_warp(int first, unsigned mask);
void check_order(const memory_access &what);
void forget_memory();
int64_t take_race_count();

/* --- Requests of warps (recorder_requests.cpp) ------------------------------------------------ */

void begin_requests(int threads);
void add_to_request(const memory_access &what);
void end_requests(int warp); /* adds up what the warp has asked for since its last meeting */
void end_all_requests();
} // namespace recorder
} // namespace emulation

#endif
