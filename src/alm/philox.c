/* Computes one block of the random generator Philox4x32-10 by ten rounds of mixing. One round
 * multiplies words 0 and 2 by odd constants; the high halves, mixed with the key and with words 1
 * and 3, change places with the low halves. The key walks by a Weyl sequence. */
#include "alm/philox.h"

enum { ROUNDS = 10 };

/* Multipliers: chosen by the authors for avalanche. Increments: the golden ratio
 * and sqrt(3) - 1 in units of 2^-32. */
static const uint32_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
static const uint32_t increment0 = 0x9E3779B9, increment1 = 0xBB67AE85;

void armilla_philox(uint32_t block[4], uint32_t key0, uint32_t key1)
{
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t product0 = (uint64_t)multiplier0 * block[0];
        uint64_t product1 = (uint64_t)multiplier1 * block[2];
        block[0] = (uint32_t)(product1 >> 32) ^ block[1] ^ key0;
        block[2] = (uint32_t)(product0 >> 32) ^ block[3] ^ key1;
        block[1] = (uint32_t)product1;
        block[3] = (uint32_t)product0;
        key0 += increment0;
        key1 += increment1;
    }
}
