/* Choices by name: those that a caller forces, and telling what was chosen and why. The stages'
 * files choose.c have the choices themselves, as functions of problem and machine. */
#ifndef ARMILLA_BASE_CHOICE_H
#define ARMILLA_BASE_CHOICE_H

#include "armilla/choice.h"
#include "base/compiler.h"
#include "base/machine.h"
#include "base/status.h"

/* --- Forcing ---------------------------------------------------------------------------------- */

enum { ARMILLA_FORCED_MOST = 16, ARMILLA_FORCED_NAME = 64 }; /* bytes of a name, with its group */

/* What a text such as "ring.lanes=0,legendre.matrices=0" forces, for tests and for measuring. */
typedef struct armilla_forced {
    int count;
    char name[ARMILLA_FORCED_MOST][ARMILLA_FORCED_NAME];
    int64_t value[ARMILLA_FORCED_MOST];
    int64_t least[ARMILLA_FORCED_MOST], most[ARMILLA_FORCED_MOST]; /* possible in some stage */
    unsigned char asked[ARMILLA_FORCED_MOST]; /* a stage has asked for this name */
    const char *group; /* in front of the names that stages ask for now, such as "weighted."; NULL:
                          nothing is */
} armilla_forced;

/* Given: text, or NULL: nothing is forced; argument: its name for messages.
 * Errors: ARGUMENT (not a list of name=number). */
armilla_status armilla_forced_read(const char *argument, const char *text, armilla_forced *forced);

/* What is forced for a name with the group in front or, where that is not, for the name if it lies
 * between least and most, which are possible; else what was chosen. forced: NULL: nothing is. */
int64_t armilla_forced_choose(armilla_forced *forced, const char *name, int64_t least, int64_t most,
                              int64_t chosen);

/* all: every name should have been asked for. Errors: ARGUMENT where no stage of the plan has such
 * a choice, or where its value was possible in none. */
armilla_status armilla_forced_check(const char *argument, const armilla_forced *forced, int all);

/* What choices are made from besides the problem. */
typedef struct armilla_premises {
    armilla_machine machine;
    armilla_forced *forced; /* NULL: nothing is forced */
} armilla_premises;

/* --- Telling ---------------------------------------------------------------------------------- */

typedef struct armilla_teller {
    armilla_choice_fn take;
    void *data;
    const armilla_forced *forced;    /* in the plan; NULL: nothing is */
    char group[ARMILLA_FORCED_NAME]; /* in front of all names, such as "weighted."; or empty */
} armilla_teller;

/* ARMILLA_ERROR_ARGUMENT unless the plan, an argument of this name, and `take` are given. */
armilla_status armilla_teller_check(const char *name, const void *plan, armilla_choice_fn take);

/* One that tells the same with another group behind its own. */
armilla_teller armilla_teller_of_group(const armilla_teller *teller, const char *group);

/* Hands on a choice; its value is printed from the format. If it begins with the number that is
 * forced for the name, the reason begins with "forced; ". */
void armilla_choice_tell(const armilla_teller *teller, const char *name, const char *why,
                         const char *format, ...) ARMILLA_PRINTF(4, 5);

#endif
