/* The processes that work on one command together. `armilla` is alone. The processes of
 * `armilla-mpi` are ranks: each has some rings of every map and some orders of all coefficients
 * (share.h, transform.h), and all go through the same code in step. Two rules keep them there:
 *
 * - Where a rank may fail by itself, such as in reading a file, `code = ranks_agree(code)` comes
 *   before anything else that ranks do together. Where all fail alike, there is no need.
 * - Functions whose comment says "collective" are called by all ranks, or by none.
 *
 * A process that is alone may call all of them: they then do nothing. */
#ifndef ARMILLA_CLI_RANKS_H
#define ARMILLA_CLI_RANKS_H

#include <armilla/armilla.h>

/* Makes this process a rank, before anything else. abandon: ends all ranks at once, with this exit
 * code, where messages between them do not arrive any more. */
void ranks_setup(const armilla_transport *transport, void (*abandon)(int code));

/* How bytes go from rank to rank; NULL: this process is alone. */
const armilla_transport *ranks_transport(void);

/* Is this rank 0, or alone? It writes files, notes and standard output. */
int ranks_is_first(void);

/* Collective. Given: the exit code of what this rank has done, after a message if it is not CLI_OK.
 * Returned: that of the lowest rank that has failed, whose message is then shown, and no other; or
 * CLI_OK. */
int ranks_agree(int code);

/* Collective, as are those below. Is it true on some rank? */
int ranks_any(int is_true);

/* What rank 0 has. */
int64_t ranks_from_first(int64_t value);

/* Replaces each value by its sum over all ranks. */
void ranks_add(int64_t count, int64_t *values);

/* Numbers of which each is known by one rank: the others give is_mine = 0, and get them. */
void ranks_exchange(int64_t count, const unsigned char *is_mine, double *values);

/* An exit code, after a message: CLI_FAILED where ranks do not have the same value. what: the name
 * of what a file holds. */
int ranks_check_alike(int64_t value, const char *path, const char *what);

/* Ends all ranks. */
void ranks_abandon(void);

#endif
