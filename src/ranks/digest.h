/* Numbers that tell lists of numbers apart, so that ranks can compare what is too long to send. */
#ifndef ARMILLA_RANKS_DIGEST_H
#define ARMILLA_RANKS_DIGEST_H

#include <stdint.h>
#include <string.h>

/* FNV-1a, a whole number at a time. */
static const uint64_t armilla_digest_start = 0xcbf29ce484222325u;

static inline uint64_t armilla_digest_add(uint64_t digest, int64_t number)
{
    return (digest ^ (uint64_t)number) * 0x100000001b3u;
}

/* What ranks agree on has a negative. */
static inline int64_t armilla_digest_end(uint64_t digest)
{
    return (int64_t)(digest >> 2);
}

static inline int64_t armilla_digest_list(int64_t count, const int64_t *list)
{
    uint64_t digest = armilla_digest_start;
    for (int64_t i = 0; i < count; i++) digest = armilla_digest_add(digest, list[i]);
    return armilla_digest_end(digest);
}

/* All bits of a double but the last one: likewise. */
static inline int64_t armilla_digest_double(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 1;
}

#endif
