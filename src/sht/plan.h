/* Inside of a plan: what the iterative analysis needs to see. */
#ifndef ARMILLA_SHT_PLAN_H
#define ARMILLA_SHT_PLAN_H

#include "armilla/sht.h"

const armilla_alm_layout *armilla_sht_get_layout(const armilla_sht *sht);
const armilla_grid *armilla_sht_get_grid(const armilla_sht *sht);

#endif
