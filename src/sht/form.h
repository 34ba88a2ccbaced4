/* The coefficients that callers of a plan have: complex or real, of any norm. */
#ifndef ARMILLA_SHT_FORM_H
#define ARMILLA_SHT_FORM_H

#include "sht/plan.h"

/* ARMILLA_ERROR_ARGUMENT unless options->form and the scales can be. */
armilla_status armilla_sht_check_form(const armilla_sht_options *options, int64_t lmax,
                                      int64_t mmax);

/* sht->form, after layout, orders and mode. Errors: MEMORY. */
armilla_status armilla_sht_make_form(armilla_sht *sht, const armilla_sht_options *options);

/* Memory of the factors of degrees and orders. */
int64_t armilla_sht_form_bytes(const armilla_sht *sht);

/* Frees what the struct holds and empties it. */
void armilla_sht_clear_form(armilla_sht_form *form);

#endif
