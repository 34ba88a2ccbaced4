/* Numbers that distinguish lists of numbers, doubles, texts and grids, so that ranks can compare
 * what is too long to send, or has no order. */
#ifndef ARMILLA_RANKS_DIGEST_H
#define ARMILLA_RANKS_DIGEST_H

#include "armilla/grid.h"
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

/* The digest of all bits of a double. */
static inline int64_t armilla_digest_double(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return armilla_digest_list(1, &bits);
}

/* The digest of a text; NULL is as an empty one. */
static inline int64_t armilla_digest_text(const char *text)
{
    uint64_t digest = armilla_digest_start;
    for (; text && *text; text++) digest = armilla_digest_add(digest, *text);
    return armilla_digest_end(digest);
}

/* The digest of all that the rings of a grid have. */
int64_t armilla_digest_grid(const armilla_grid *grid);

#endif
