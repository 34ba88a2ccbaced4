/* How a transform would run: armilla info --plan. */
#ifndef ARMILLA_CLI_INFO_PLAN_H
#define ARMILLA_CLI_INFO_PLAN_H

#include <stdint.h>

typedef struct info_plan {
    const char *grid;            /* its name; NULL: none is asked for */
    int64_t lmax, spin, threads; /* lmax -1: 2 nside, or the largest that is exact */
    const char *choices;         /* that are forced; NULL: none */
} info_plan;

/* Returned: an exit code, after a message where it is not CLI_OK. */
int info_plan_print(const info_plan *asked);

#endif
