/* What the processor is like, as far as choices depend on it. The system is asked once; plans hand
 * the answer down, and nothing else asks. */
#ifndef ARMILLA_BASE_MACHINE_H
#define ARMILLA_BASE_MACHINE_H

#include "base/cpu.h"

/* Bounds of armilla_machine.cache_bytes. */
enum {
    ARMILLA_CACHE_LEAST = 1024 * 1024,
    ARMILLA_CACHE_NEAR = 8 * 1024 * 1024,
    ARMILLA_CACHE_LARGEST = 16 * 1024 * 1024
};

typedef struct armilla_machine {
    armilla_isa isa; /* the instruction set to use: one that this machine can run */
    int is_amd;
    int64_t cache_bytes; /* that a kernel may read again and again at several doubles a cycle: the
                            second-level cache or, where the third level is shared by few cores and
                            as close (AMD), what that has for each core, NEAR or more. Other
                            processors read their third level at one double a cycle (a Xeon of
                            480 MB, 2026). LEAST to LARGEST, also where the system does not say */
    int64_t third_level_bytes; /* of the whole third-level cache; INT64_MAX: unknown */
} armilla_machine;

/* This machine with a set that it can run. */
armilla_machine armilla_machine_with(armilla_isa isa);

/* This machine with the set that armilla_isa_choose finds by its name. Errors: UNSUPPORTED. */
armilla_status armilla_machine_choose(const char *isa, armilla_machine *machine);

/* For tests: all machines are this one from now on, but for the instruction set; NULL: as they are.
 * Not while other threads make plans. */
void armilla_machine_pretend(const armilla_machine *machine);

/* Should output of so many bytes be written past the caches, with non-temporal stores? An ordinary
 * store reads its cache line from memory first, and so much output pushes out its own first lines
 * before anybody reads them. read_again: it is input of the next stage. On AMD from 4 MB on (maps,
 * Zen 4: 3 to 7 % of a synthesis, more than it costs whoever reads the map next), or, if it is read
 * again, from what a core has of the third-level cache. Elsewhere, where nothing is measured, what
 * the whole third level does not hold. The bits of results do not depend on it. */
int armilla_machine_stores_far(const armilla_machine *machine, int64_t bytes, int read_again);

/* How many numbers a list such as "0-7,64-71" has; 0: it is none. */
int64_t armilla_cpu_list_count(const char *list);

#endif
