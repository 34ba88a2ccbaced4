/* What sorted points on a GPU are made of: rings, samples of a ring, and the window through which
 * points see them. Nothing of CUDA's, so that whoever makes points need not know its headers. */
#ifndef ARMILLA_CUDA_STAGES_POINTS_PROBLEM_H
#define ARMILLA_CUDA_STAGES_POINTS_PROBLEM_H

#include <stdint.h>

typedef struct armilla_cuda_points armilla_cuda_points;

typedef struct armilla_cuda_points_problem {
    int64_t whole;         /* rings from pole to pole: ring i lies at pi (2 i + 1) / (2 whole) */
    int64_t first, nrings; /* those of the zone, which are counted from 0 on; nrings even */
    int64_t nphi;          /* sample j at 2 pi j / nphi */
    int64_t taps, degree;  /* of the window: 2 to 16, and of its polynomials, at most 24 */
    const double *coefficient; /* of tap i in row n: coefficient[n row_length + i], the highest
                                  degree first; only read when points are made */
    int64_t row_length;
    double epsilon; /* of the plan */
    int64_t total; /* points of all GPUs, which say how many make a piece; 0: there are no others */
    int single;    /* all samples and sums are floats: epsilon >= ARMILLA_CUDA_POINTS_SINGLE */
} armilla_cuda_points_problem;

#define ARMILLA_CUDA_POINTS_SINGLE 1e-5

/* Where points lie: their least and largest colatitude, the least distance from the equator, and
 * how many are none. */
typedef struct armilla_cuda_point_bounds {
    double north, south, from_equator;
    int64_t wrong;
} armilla_cuda_point_bounds;

#define ARMILLA_CUDA_NO_BOUNDS                                                                     \
    {                                                                                              \
        4, 0, 2, 0                                                                                 \
    } /* of no points */

#endif
