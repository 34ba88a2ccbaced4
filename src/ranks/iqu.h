/* Inside of a plan for polarised maps over ranks. */
#ifndef ARMILLA_RANKS_IQU_H
#define ARMILLA_RANKS_IQU_H

#include "ranks/plan.h"

struct armilla_distributed_iqu {
    armilla_distributed_sht *scalar, *polar; /* of I and T; of Q, U and E, B */
    double scalar_share;                     /* of the work of a transform */
};

#endif
