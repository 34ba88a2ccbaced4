/* The numbers in which a GPU makes scalar Legendre functions and their sums: what a plan chose for
 * calls of doubles and for calls of floats. C and CUDA. */
#ifndef ARMILLA_CUDA_ARITHMETIC_H
#define ARMILLA_CUDA_ARITHMETIC_H

/* What they are, and why: kernels/legendre_single.h. */
typedef enum armilla_cuda_arithmetic {
    ARMILLA_CUDA_IN_DOUBLE,
    ARMILLA_CUDA_IN_SINGLE,
    ARMILLA_CUDA_IN_TWO_FLOATS,
    ARMILLA_CUDA_IN_HALVES /* kernels/halves.h; functions and sums of few sets are
                              in double */
} armilla_cuda_arithmetic;

/* Begins as doubles in both. Calls of doubles are never in single precision nor in halves, those of
 * floats are in halves only where those of doubles are in double precision. */
typedef struct armilla_cuda_precision {
    armilla_cuda_arithmetic of_doubles, of_floats;
} armilla_cuda_precision;

enum {
    ARMILLA_CUDA_SINGLE_LMAX = 65535,     /* the largest in single precision */
    ARMILLA_CUDA_TWO_FLOATS_LMAX = 16383, /* in two floats */
    ARMILLA_CUDA_HALVES_LMAX = 16383,     /* by products of halves */
    ARMILLA_CUDA_HALVES_SETS = 16,        /* that share functions */
    ARMILLA_CUDA_HALVES_LEAST = 5         /* sets of a call from which on they are predicted to be
                                             faster: sixteen take as long as one */
};

/* Most that calls in two floats err, of the largest value, at lmax 0; it rises by as much for each
 * 1000 degrees. docs/gpu_inside.md has measurements. */
#define ARMILLA_CUDA_TWO_FLOATS_ERROR 2e-12

#endif
