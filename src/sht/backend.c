/* Lists the functions that are the stages of a transform on the CPU. */
#include "sht/backend.h"

const armilla_backend armilla_backend_cpu = {.name = "cpu",
                                             .legendre_to_leg = armilla_legendre_to_leg,
                                             .legendre_from_leg = armilla_legendre_from_leg,
                                             .theta_to_leg = armilla_theta_to_leg,
                                             .theta_from_leg = armilla_theta_from_leg,
                                             .ringfft_to_maps = armilla_ringfft_to_maps,
                                             .ringfft_from_maps = armilla_ringfft_from_maps};
