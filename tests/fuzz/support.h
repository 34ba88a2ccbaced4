/* What the fuzz targets share: a file for readers that take paths, a limit on memory, conditions
 * whose failure is a finding, and the mutator that knows how FITS files are made. */
#ifndef ARMILLA_TESTS_FUZZ_SUPPORT_H
#define ARMILLA_TESTS_FUZZ_SUPPORT_H

#include "armilla/armilla.h"

/* The name of a file in memory that holds these bytes, until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* Starts to count what a reader allocates. Beyond `refused` bytes in all, allocations fail, as on a
 * machine with little memory: the fuzzer stays fast where a file may truly ask for much. */
void fuzz_memory_begin(int64_t refused);

/* Bytes asked for since, those refused included. */
int64_t fuzz_memory_asked(void);

/* Ends the process, with the sentence, unless the condition holds: libFuzzer keeps the input. */
void fuzz_require(int condition, const char *sentence);

/* An error must come with a message, without a result, and is no defect of the library; success
 * must come with a result. */
void fuzz_require_outcome(armilla_status status, const void *result);

/* Reads every number, so that AddressSanitizer sees their arrays. Returned: number of NaNs. */
int64_t fuzz_count_nans(int64_t count, const double *values);

/* What libFuzzer calls. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t limit);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t limit, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
                                 size_t two_size, uint8_t *out, size_t limit, unsigned int seed);

#endif
