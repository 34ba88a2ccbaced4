/* Names of kernels as the lists in tests/cuda have them. */
#ifndef EMULATION_KERNEL_NAMES_H
#define EMULATION_KERNEL_NAMES_H

#include <string>

namespace emulation
{
/* legendre_synthesis of "void (anonymous namespace)::legendre_synthesis<in_single, ..>(..)". */
std::string plain_name(const std::string &function);

/* legendre_synthesis.single of the same: as in tests/cuda/ptxas_budget.txt, without the shape. */
std::string name_with_precision(const std::string &function);
} // namespace emulation

#endif
