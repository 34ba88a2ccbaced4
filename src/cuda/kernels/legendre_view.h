/* The Legendre stage as its kernels see it: pointers into device memory, and what to launch. C and
 * CUDA. */
#ifndef ARMILLA_CUDA_KERNELS_LEGENDRE_VIEW_H
#define ARMILLA_CUDA_KERNELS_LEGENDRE_VIEW_H

#include "alm/rows.h"
#include "cuda/arithmetic.h"
#include "cuda/runtime/work.h"
#include "legendre/kernels/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ARMILLA_CUDA_WARP = 32,
    ARMILLA_CUDA_TILE_WARPS = 8, /* most warps of a block */
    ARMILLA_CUDA_CHUNK = 64,     /* steps in shared memory at once */
    ARMILLA_CUDA_LADDERS = 3,
    ARMILLA_CUDA_SINGLE_STEPS = 4, /* with one ceiling in single precision; a divisor of
                                      ARMILLA_KERNEL_STEPS */
    ARMILLA_CUDA_HALVES_WARPS = 8  /* of a block that makes sums by products of halves */
};

/* Neighbouring groups, of one block of leg, with one form of the recurrence. Each is worked on by a
 * warp; together they are a block of threads, which shares the steps of an order. */
typedef struct armilla_cuda_tile {
    int64_t group; /* the first one */
    int32_t ngroups, form;
} armilla_cuda_tile;

/* Names as in legendre/legendre.h and legendre/spin.h; tables over orders begin at mfirst. */
typedef struct armilla_cuda_view {
    int64_t lmax, top, mfirst, spin;
    double twist, sign; /* of the functions of spin s, (3.10) */
    int64_t npadded;
    const int64_t *orders; /* those of the list, rising */
    const armilla_kernel_group *groups;
    const armilla_cuda_tile *tiles; /* with functions of spin s first, then scalar ones */
    const double *argument, *cos_theta, *inverse_sine, *power_mantissa, *power_exponent;
    const double *root, *scale, *square_scale, *start;
    const double *a, *pair, *v, *ceiling;
    const float *single_steps, *single_ceiling; /* single.h; NULL: no call needs them */
    const int64_t *table_start, *least_pair;
    int32_t nladders;
    const double *up[ARMILLA_CUDA_LADDERS], *down[ARMILLA_CUDA_LADDERS];
    const double *across[ARMILLA_CUDA_LADDERS];
    int64_t function_mmax; /* -1: no pair needs functions of spin s */
    const double *half[4], *function_mantissa, *function_exponent, *function_a, *function_alpha;
    const int64_t *function_start;
    /* Groups of one vector each, none of them fine, and tiles of them: what kernels of halves have
     * as groups and tiles; NULL: no call needs them. */
    const armilla_kernel_group *halves_groups;
    const armilla_cuda_tile *halves_tiles;
} armilla_cuda_view;

/* Some orders of a call. Scratch: four doubles per step.
 *     synthesis  values[set][step], functions[transform][step]: coefficients
 *     analysis   values[tile][set][step], functions[tile][transform][step]: sums over a tile's
 * pairs, from step first[tile][order] on
 * In halves, four floats per step beside them, of the step's two degrees:
 *     synthesis  degrees[set][step]: coefficients
 *     analysis   degrees[halves tile][set][step]: sums, from step halves_first[tile][order] on */
typedef struct armilla_cuda_part {
    int64_t first_order, norders;          /* of the list */
    int64_t first_degree;                  /* the first order itself */
    int64_t step, nsteps;                  /* table_start of the first one; steps of all */
    int64_t function_step, function_steps; /* the same for functions of spin s */
    int64_t nsets;
    armilla_cuda_arithmetic arithmetic;  /* of the scalar recurrence and its sums */
    int64_t tile, scalar_tile, end_tile; /* functions of spin s, then scalar tiles, of all blocks */
    double *values, *functions;
    int64_t *first;
    int64_t halves_tile, halves_end; /* of all blocks; none: no sums are products of halves */
    float *degrees;
    int64_t *halves_first;
} armilla_cuda_part;

/* A block of leg and its tiles, all with functions of spin s or all scalar. */
typedef struct armilla_cuda_leg_block {
    void *leg; /* row of the list's first order, of the first set: doubles, or floats */
    int64_t first_pair, row_length, set_length;
    int64_t norders; /* of the part: those with a row */
    int64_t tile, ntiles;
    int32_t warps;    /* of a block of threads */
    int32_t vectors;  /* most vectors of a group: 1, 2 or 4 */
    int32_t tensor;   /* sums by tensor cores where sets fill a matrix; four warps then */
    int32_t is_float; /* the leg has floats */
} armilla_cuda_leg_block;

/* Launches; each is one or two kernels. Sets of functions of spin s are pairs, those of a
 * transform. */
void armilla_cuda_coefficients(const armilla_cuda_view *view, const armilla_cuda_part *part,
                               const armilla_alm_rows *alm, armilla_cuda_work *work);
void armilla_cuda_synthesis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                            const armilla_cuda_leg_block *block, armilla_cuda_work *work);
/* The sets whose sums are by tensor cores, in double precision. Returned: how many that are, the
 * first ones; 0 where the block does not ask for it. */
int64_t armilla_cuda_tensor_synthesis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                                      const armilla_cuda_leg_block *block, armilla_cuda_work *work);
int64_t armilla_cuda_tensor_analysis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                                     const armilla_cuda_leg_block *block, armilla_cuda_work *work);
/* What these kernels were compiled for that the current GPU would run: a compute capability, 10
 * major + minor, whose code or PTX was the best that there was. Whether they have bodies depends on
 * it, not on the GPU (cuda/stages/tensor_target.h). Returned: CUDA's error. */
cudaError_t armilla_cuda_tensor_synthesis_target(int *target);
cudaError_t armilla_cuda_tensor_analysis_target(int *target);
/* Tiles of the view's halves_tiles, as tiles and groups of a view of their own. They have bodies
 * where those of tensor cores have. */
void armilla_cuda_halves_synthesis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                                   const armilla_cuda_leg_block *block, armilla_cuda_work *work);
void armilla_cuda_halves_analysis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                                  const armilla_cuda_leg_block *block, armilla_cuda_work *work);
cudaError_t armilla_cuda_halves_synthesis_target(int *target);
cudaError_t armilla_cuda_halves_analysis_target(int *target);
void armilla_cuda_spin_synthesis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                                 const armilla_cuda_leg_block *block, armilla_cuda_work *work);
void armilla_cuda_analysis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                           const armilla_cuda_leg_block *block, armilla_cuda_work *work);
void armilla_cuda_spin_analysis(const armilla_cuda_view *view, const armilla_cuda_part *part,
                                const armilla_cuda_leg_block *block, armilla_cuda_work *work);
void armilla_cuda_degrees(const armilla_cuda_view *view, const armilla_cuda_part *part,
                          const armilla_alm_rows *alm, armilla_cuda_work *work);
/* One kernel: zeros in some orders, at least one, of so many sets. */
void armilla_cuda_clear_orders(const armilla_alm_rows *alm, int64_t nsets, int64_t first,
                               int64_t norders, armilla_cuda_work *work);

#ifdef __cplusplus
}
#endif
#endif
