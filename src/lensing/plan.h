/* Inside of a plan for lensed maps: fields at the deflected directions, and what turns them. */
#ifndef ARMILLA_LENSING_PLAN_H
#define ARMILLA_LENSING_PLAN_H

#include "lensing/pointing.h"
#include "points/plan.h"

struct armilla_lensing {
    armilla_pointing *pointing;
    armilla_points *points;
};

#endif
