/* For which GPUs the kernels of tensor cores have bodies: for the compiler, which leaves them out
 * elsewhere, and for the host, which must not launch what was left out. C and CUDA. */
#ifndef ARMILLA_CUDA_STAGES_TENSOR_TARGET_H
#define ARMILLA_CUDA_STAGES_TENSOR_TARGET_H

/* target: the compute capability that a kernel was compiled for, 10 major + minor. Those of 8.0 and
 * 9.0 do twice as many multiply-adds of doubles by tensor cores as by their other units; others
 * have none for doubles, or none that are faster. */
#define ARMILLA_CUDA_TENSOR_TARGET(target) ((target) == 80 || (target) == 90)

#endif
