/* A stretch of an order's degrees in shared memory: the coefficients of one set, or of the two sets
 * of a field of spin s, which the ladders of (3.4) take from one spin to the next. Included by the
 * kernels between alm and steps. */
#ifndef ARMILLA_CUDA_KERNELS_LEGENDRE_DEGREES_H
#define ARMILLA_CUDA_KERNELS_LEGENDRE_DEGREES_H

#include "cuda/kernels/legendre_device.h"

enum {
    DEGREES = 128, /* of a block of threads */
    HALO = 4,      /* more of them on both sides: each ladder looks one degree further; even */
    STRETCH = DEGREES + 2 * HALO
};

typedef double degree_part[STRETCH]; /* number i is degree first - HALO + i */

/* Re, im of each set, before a ladder and after it. */
struct degree_stretch {
    degree_part part[2][4];
};

/* Sets of a transform that ladders mix. */
static __device__ __host__ __forceinline__ int sets_together(const armilla_cuda_view &view)
{
    return view.spin ? 2 : 1;
}

/* One ladder from generation `from` to the other one. first: degree of the stretch, m + a multiple
 * of DEGREES. Degrees that do not exist become 0; `reach` at each end are not made. */
static __device__ __forceinline__ void run_ladder(const armilla_cuda_view &view, int m, int first,
                                                  int number, const int raise, int from, int reach,
                                                  degree_stretch *s)
{
    ladder_order o;
    o.root = view.root, o.sum_root = view.root + 2 * m, o.scale = view.scale + m;
    o.up = view.up[number] + m, o.down = view.down[number] + m;
    o.across = view.across[number] + m, o.order = view.twist * m;
    const int upper = raise ? 1 : -1;
    degree_part *in = s->part[from], *out = s->part[1 - from];
    for (int i = threadIdx.x + reach; i < STRETCH - reach; i += blockDim.x) {
        const int l = first - HALO + i;
        const int exists = l >= m && l <= view.top;
        ladder_links links = {0, 0, 0};
        if (exists) links = find_links(&o, l - m, raise);
        ARMILLA_UNROLLED
        for (int j = 0; j < 4; j++) {
            const double across = (j == 0 || j == 3 ? 1 : -1) * links.across;
            const double *p = in[j];
            out[j][i] = !exists ? 0
                                : links.up * p[i + upper] + links.down * p[i - upper] +
                                      across * in[3 - j][i];
        }
    }
}

/* All of them, with a barrier behind each. Returned: the generation with the result. */
static __device__ __forceinline__ int run_ladders(const armilla_cuda_view &view, int m, int first,
                                                  const int raise, degree_stretch *s)
{
    int from = 0;
    for (int i = 0; i < view.nladders; i++, from = 1 - from) {
        run_ladder(view, m, first, raise ? view.nladders - 1 - i : i, raise, from, i + 1, s);
        __syncthreads();
    }
    return from;
}

/* --- Rows of alm: see alm/rows.c ------------------------------------------------------------- */

/* Which component of its transform a set is; -1: none. */
static __device__ __forceinline__ int64_t component_of(const armilla_alm_rows &rows, int64_t set)
{
    const int64_t component = set % rows.nsets;
    return component < rows.ncomp ? component : -1;
}

/* Given: a set with a component. */
static __device__ __forceinline__ int64_t place_in_array(const armilla_alm_rows &rows, int64_t set,
                                                         int m, int l)
{
    const int64_t step = rows.step ? rows.step : rows.ncomp;
    const int64_t component = set / rows.nsets * step + set % rows.nsets;
    return 2 * (component * rows.distance + rows.mstart[m] + l * rows.stride);
}

/* What a coefficient is multiplied by on either way: by its degree and by its order. */
static __device__ __forceinline__ double factor_of(const armilla_alm_rows &rows, int m, int l)
{
    const double degree = rows.factor ? rows.factor[l] : 1;
    return rows.order_factor ? degree * rows.order_factor[m] : degree;
}

static __device__ __forceinline__ double2 read_degree(const armilla_alm_rows &rows, int64_t set,
                                                      int m, int l)
{
    double2 a = make_double2(0, 0);
    if (component_of(rows, set) < 0 || l < m || l > rows.lmax || l < rows.spin) return a;
    const int64_t place = place_in_array(rows, set, m, l);
    if (rows.values.is_float) {
        const float *values = (const float *)rows.values.values + place;
        a = make_double2((double)values[0], (double)values[1]);
    } else {
        const double *values = (const double *)rows.values.values + place;
        a = make_double2(values[0], values[1]);
    }
    const double factor = factor_of(rows, m, l);
    return make_double2(factor * a.x, m == 0 && rows.real ? 0 : factor * a.y);
}

/* Adds what earlier passes have left. Returned: whether the sum is complete; if not, it is left for
 * the next pass. */
static __device__ __forceinline__ int sum_passes(const armilla_alm_rows &rows, int64_t set, int m,
                                                 int l, double2 *a)
{
    const int64_t component = set / rows.nsets * rows.ncomp + set % rows.nsets;
    const int64_t column =
        rows.sums_as_array ? rows.mstart[m] : m * (2 * rows.lmax + 1 - m) / 2; /* as an index */
    double *sums = rows.sums + component * rows.sums_size + 2 * (column + l);
    if (rows.later) a->x += sums[0], a->y += sums[1];
    if (!rows.last) sums[0] = a->x, sums[1] = a->y;
    return rows.last;
}

/* Both numbers at once, where they lie so that a GPU can. */
static __device__ __forceinline__ void write_complex(double *to, double2 a)
{
    if ((uintptr_t)to % sizeof(double2) == 0)
        __stwb(reinterpret_cast<double2 *>(to), a);
    else
        to[0] = a.x, to[1] = a.y;
}

static __device__ __forceinline__ void write_complex(float *to, double2 a)
{
    if ((uintptr_t)to % sizeof(float2) == 0)
        __stwb(reinterpret_cast<float2 *>(to), make_float2((float)a.x, (float)a.y));
    else
        to[0] = (float)a.x, to[1] = (float)a.y;
}

/* Given: m <= l <= lmax */
static __device__ __forceinline__ void write_degree(const armilla_alm_rows &rows, int64_t set,
                                                    int m, int l, double2 a)
{
    if (component_of(rows, set) < 0 || (rows.sums && !sum_passes(rows, set, m, l, &a))) return;
    if (l < rows.spin) a = make_double2(0, 0);
    if (m == 0 && rows.real) a.y = 0;
    const double factor = factor_of(rows, m, l);
    a = make_double2(factor * a.x, factor * a.y);
    const int64_t place = place_in_array(rows, set, m, l);
    if (rows.values.is_float) {
        write_complex((float *)rows.values.values + place, a);
    } else {
        double *values = (double *)rows.values.values + place;
        if (rows.later && !rows.sums) a.x += values[0], a.y += values[1];
        write_complex(values, a);
    }
}

#endif
