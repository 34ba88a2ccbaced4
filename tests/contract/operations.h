/* The rows of the contract, file by file. */
#ifndef ARMILLA_TESTS_CONTRACT_OPERATIONS_H
#define ARMILLA_TESTS_CONTRACT_OPERATIONS_H

#include "contract/contract.h"

armilla_grid *contract_healpix(void);
armilla_grid *contract_nested(void);

/* Three rings of different lengths whose pixels are not neighbours. */
armilla_grid *contract_grid_with_gaps(void);

/* transforms.c */
extern const contract_operation contract_sht, contract_sht_spin, contract_sht_gaps,
    contract_sht_derivatives, contract_sht_gradient, contract_sht_nested, contract_sht_resampled,
    contract_iqu, contract_pseudo, contract_pseudo_iqu, contract_missing_values;
/* fields.c */
extern const contract_operation contract_vector, contract_complex_fields, contract_complex_spin,
    contract_solid;
/* points.c */
extern const contract_operation contract_values, contract_values_spin, contract_values_alone,
    contract_pseudo_values, contract_values_spin_alone, contract_lensing, contract_lensing_spin,
    contract_lensing_nested, contract_lensing_beside;
/* beams.c */
extern const contract_operation contract_beams, contract_beams_fit;
/* radial.c */
extern const contract_operation contract_pixels, contract_pixels_spin, contract_pixels_nested,
    contract_rings, contract_rings_fastest, contract_rings_spin, contract_rings_nested,
    contract_standard, contract_standard_spin, contract_means, contract_means_spin,
    contract_means_rings, contract_means_standard;

#endif
