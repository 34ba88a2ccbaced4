/* Brings the contract to the emulated GPUs. */
#ifndef ARMILLA_TESTS_CONTRACT_DEVICE_H
#define ARMILLA_TESTS_CONTRACT_DEVICE_H

/* Gives the contract arrays in the memory of GPUs, and as many GPUs as it wants. */
void contract_device_use(void);

#endif
