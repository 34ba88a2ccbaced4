/* Sets of pixels as runs of consecutive numbers, in rising order, while they are made. */
#ifndef ARMILLA_GRID_HEALPIX_RANGES_H
#define ARMILLA_GRID_HEALPIX_RANGES_H

#include "grid/healpix_scheme.h"

struct armilla_healpix_ranges {
    int64_t count, capacity; /* runs: those that are there, and for which there is room */
    int64_t (*runs)[2];      /* first, and the one after the last */
    int64_t few[192][2];     /* where the first ones are; runs points here */
    armilla_status status;   /* of the first allocation that failed; nothing is added after it */
};

/* A set without pixels in memory of the caller; armilla_ranges_end releases what it has taken. */
void armilla_ranges_start(armilla_healpix_ranges *ranges);
void armilla_ranges_end(armilla_healpix_ranges *ranges);

/* Errors: MEMORY. */
armilla_status armilla_ranges_new(armilla_healpix_ranges **ranges);

/* Adds first .. end - 1; first must not be below the last end. Does nothing for first >= end. */
void armilla_ranges_add(armilla_healpix_ranges *ranges, int64_t first, int64_t end);

#endif
