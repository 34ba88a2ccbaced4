/* What the properties of the contract share: scripts that are filled run by run, and comparisons.
 */
#ifndef ARMILLA_TESTS_CONTRACT_PROPERTIES_H
#define ARMILLA_TESTS_CONTRACT_PROPERTIES_H

#include "contract/contract.h"

contract_script contract_script_of(const contract_cell *cell);

/* Adds a run of a call with one transform of doubles on one thread. */
contract_run *contract_add(contract_script *script, int call, const double *in);

/* Performs the script. All runs that were made must leave inputs and gaps alone. */
void contract_check(contract_script *script);

/* The same; the plan is made and all runs are OK. */
void contract_check_ok(contract_script *script);

/* So many transforms, or 1 where calls take one. */
int64_t contract_at_once(const contract_cell *cell, int64_t ntrans);

/* Frees the runs' outputs. */
void contract_clear(contract_script *script);

/* Numbers of a run's input or output, of all transforms. */
int64_t contract_count(const contract_script *script, int run, int of_output);

/* Outputs of two runs of a call: the same bits where the tolerance is 0. */
void contract_check_same(const contract_script *a, int run, const contract_script *b, int other,
                         double tolerance, const char *what);

/* A run has this status, and a message with these words. */
void contract_check_status(const contract_script *script, int run, armilla_status status,
                           const char *words);

/* In failures.c. */
void contract_cancelled(const contract_cell *cell);
void contract_progress(const contract_cell *cell);
void contract_memory_fails(const contract_cell *cell);
void contract_device_memory_fails(const contract_cell *cell);
void contract_device_calls_fail(const contract_cell *cell);
void contract_messages_are_lost(const contract_cell *cell);
void contract_missing_values_are_named(const contract_cell *cell);
void contract_capture(const contract_cell *cell);

#endif
