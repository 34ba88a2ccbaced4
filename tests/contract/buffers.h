/* An array of one process in a run of a call: its own numbers, with gaps between components that
 * must not be read or written, in the memory that the place wants. */
#ifndef ARMILLA_TESTS_CONTRACT_BUFFERS_H
#define ARMILLA_TESTS_CONTRACT_BUFFERS_H

#include "contract/contract.h"

typedef struct contract_buffer {
    const contract_side *side;
    contract_numbers numbers;
    int64_t whole;    /* real numbers of a component of the whole */
    int64_t rows;     /* components of all transforms */
    int64_t distance; /* from one to the next, real numbers */
    int is_float, on_device;
    int64_t bytes;
    void *before; /* what the array held before the call */
    void *array;
} contract_buffer;

/* whole: the numbers of an input; NULL: this is an output. */
contract_buffer contract_buffer_open(const contract_site *site, const contract_script *script,
                                     const contract_run *run, int side, const double *whole);
void contract_buffer_close(contract_buffer *buffer);

/* Is every byte as it was before the call? */
int contract_buffer_untouched(const contract_buffer *buffer);

/* Copies an output's numbers to the whole. Returned: are all other bytes as they were? */
int contract_buffer_collect(const contract_buffer *buffer, double *whole);

#endif
