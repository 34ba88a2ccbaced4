/* The functions that XLA calls in the place of armilla.jax's operators (jax.ffi): no Python runs in
 * them, and no thread of XLA waits for another, which one processor has only one of.
 *
 *   number  target              constants                                  argument -> result
 *   0       armilla_operator    plan (held.h), operator, is_dense,         alm or map -> map or alm
 *                               nthreads
 *   1       armilla_operator    the same; arrays are in a GPU's memory, the work on XLA's stream;
 *                               unless is_dense, the result's memory holds zeros
 *   2       armilla_positions   grid (0: points), lmax, mmax, spin, pure,  alm or values, and
 *                               epsilon, to_map, nthreads                  positions -> the other
 *   3       armilla_legs        plan, operator, given_count, made_count    alm, leg or map ->
 * another
 *   4       armilla_positions   as 2, in a GPU's memory, the work on XLA's stream; positions, and
 *                               what a grid sees, are doubles
 *
 * operator: 0 synthesis, 1 adjoint_synthesis, 2 analysis, 3 adjoint_analysis; of a Radial 0
 * convolve, 1 adjoint; of legs 0 alm to leg, 1 leg to alm, 2 leg to map, 3 map to leg, where the
 * counts are those of one field. is_dense: the plan writes all of its output. Leading axes are
 * transforms that are done together. Types: float with complex float, double with complex double;
 * positions of either. */
#ifndef ARMILLA_PYTHON_XLA_H
#define ARMILLA_PYTHON_XLA_H

/* Returned: the address of function `number`, for a PyCapsule; NULL: there is none. */
void *armilla_python_xla_function(int number);

/* XLA asks each function for the minor version of the interface that it was written for, and takes
 * none that it does not know.
 * Given:    the answer from now on, 3 at first. Returned: 0, or 1: not known here. */
int armilla_python_xla_answer(int minor);

#endif
