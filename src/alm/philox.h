/* Philox4x32-10, a counter-based random generator: the counter is a plaintext, the key a password,
 * and the output is their ten-round hash. No state, so any number of any stream costs the same.
 * Reference: Salmon, Moraes, Dror & Shaw 2011, SC'11, doi 10.1145/2063384.2063405. */
#ifndef ARMILLA_ALM_PHILOX_H
#define ARMILLA_ALM_PHILOX_H

#include <stdint.h>

/* block: four counter words in, four random words out. */
void armilla_philox(uint32_t block[4], uint32_t key0, uint32_t key1);

#endif
