/* Inside of a plan: what the iterative analysis needs to see. */
#ifndef ARMILLA_SHT_PLAN_H
#define ARMILLA_SHT_PLAN_H

#include "armilla/sht.h"

const armilla_alm_layout *armilla_sht_get_layout(const armilla_sht *sht);
const armilla_grid *armilla_sht_get_grid(const armilla_sht *sht);

/* ARMILLA_ERROR_ARGUMENT unless *exec can run; fills *resolved with exec or the defaults. */
armilla_status armilla_sht_check_exec(const armilla_sht *sht, const armilla_exec *exec,
                                      armilla_exec *resolved);

#endif
