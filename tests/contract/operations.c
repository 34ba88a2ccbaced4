/* The rows of the contract in their sequence, and the table of what runs where. */
#include "contract/operations.h"

#include <stdio.h>
#include <string.h>

const contract_operation *const contract_operations[] = {
    /* one operation's rows are neighbours */
    &contract_sht,
    &contract_sht_spin,
    &contract_sht_gaps,
    &contract_sht_resampled,
    &contract_sht_derivatives,
    &contract_sht_gradient,
    &contract_sht_nested,
    &contract_iqu,
    &contract_pseudo,
    &contract_pseudo_iqu,
    &contract_pseudo_values,
    &contract_vector,
    &contract_complex_fields,
    &contract_complex_spin,
    &contract_solid,
    &contract_values,
    &contract_values_spin,
    &contract_values_alone,
    &contract_values_spin_alone,
    &contract_lensing,
    &contract_lensing_spin,
    &contract_lensing_nested,
    &contract_lensing_beside,
    &contract_beams,
    &contract_beams_fit,
    &contract_pixels,
    &contract_pixels_spin,
    &contract_pixels_nested,
    &contract_rings,
    &contract_rings_fastest,
    &contract_rings_spin,
    &contract_rings_nested,
    &contract_standard,
    &contract_standard_spin,
    &contract_means,
    &contract_means_spin,
    &contract_means_rings,
    &contract_means_standard,
    &contract_missing_values,
    NULL};

/* Is this the first row of an operation? Others have further plans of it. */
static int is_new(const contract_operation *const *op)
{
    return op == contract_operations || strcmp(op[0]->name, op[-1]->name) != 0;
}

static const char *cell(const contract_operation *op, contract_place place)
{
    if (!op->refused[place]) return contract_is_delegated(op, place) ? "by the host" : "yes";
    return *op->refused[place] ? "refused" : "no call";
}

int contract_table(char *text, size_t room)
{
    int used = snprintf(text, room, "| operation |"), works = 0;
    for (int p = 0; p < CONTRACT_PLACES; p++)
        used += snprintf(text + used, room - (size_t)used, " %s |", contract_place_names[p]);
    used += snprintf(text + used, room - (size_t)used, "\n|---|---|---|---|---|---|\n");
    for (const contract_operation *const *op = contract_operations; *op; op++) {
        if (!is_new(op)) continue;
        used += snprintf(text + used, room - (size_t)used, "| %s |", (*op)->name);
        for (int p = 0; p < CONTRACT_PLACES; p++) {
            used +=
                snprintf(text + used, room - (size_t)used, " %s |", cell(*op, (contract_place)p));
            works += contract_works(*op, (contract_place)p);
        }
        used += snprintf(text + used, room - (size_t)used, "\n");
    }
    return works;
}
