/* A ring stage that has lanes wherever they are possible: what tests of lanes ask a plan for. */
#ifndef ARMILLA_TESTS_FORCED_LANES_H
#define ARMILLA_TESTS_FORCED_LANES_H

#include "base/choice.h"

/* Fills *forced and returns it. */
static inline armilla_forced *forced_lanes(armilla_forced *forced)
{
    return armilla_forced_read("forced", "ring.lanes=1", forced) ? NULL : forced;
}

#endif
