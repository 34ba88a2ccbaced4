/* Ranks that lack memory, and messages that are lost: each once, at every place. */
#ifndef ARMILLA_TESTS_RANKS_FAILURES_H
#define ARMILLA_TESTS_RANKS_FAILURES_H

#include "armilla/transport.h"

/* Plans and calls of a rank. Returned: their status. */
typedef armilla_status (*ranks_life)(const armilla_transport *transport, void *context);

/* Each allocation fails once, on whichever rank makes it: all ranks have the same status, MEMORY,
 * until none fails. Returned: how many could. Under a sanitizer, and where tests are quick, every
 * fifth does. Asserts, as does the function below. */
int64_t ranks_check_memory(int64_t nranks, ranks_life life, void *context);

/* Each call of the last rank's transport (or every fifth) fails once: ranks end with OK or
 * TRANSPORT. Returned: the number of the first call that is not made. */
int64_t ranks_check_messages(int64_t nranks, ranks_life life, void *context);

/* Is "scalar" the instruction set that plans have here in any case? */
int ranks_have_scalar_set(void);

#endif
