/* Coefficients of steps from alm, docs/mathematics.md (2.11), (3.4), (3.10): for all orders of a
 * part, before synthesis. A block of threads makes those of a stretch of degrees, of one set of
 * scalars or of the two sets of a field of spin s. */
#include "cuda/kernels/legendre_degrees.h"
#include "cuda/kernels/launch_rows.h"

namespace
{

/* The degrees of `together` sets and of what is around them. */
__device__ void read_stretch(const armilla_alm_rows &rows, int64_t set, int together, int m,
                             int first, degree_stretch *s)
{
    FOR_THREADS(i, STRETCH)
    for (int j = 0; j < together; j++) {
        const double2 a = read_degree(rows, set + j, m, first - HALO + i);
        s->part[0][2 * j][i] = a.x, s->part[0][2 * j + 1][i] = a.y;
    }
}

/* Coefficients of the steps that begin with even degrees of the stretch: of a step the first thread
 * of two has the even degree's, so that a warp writes 512 bytes without gaps. */
__device__ void write_steps(const armilla_cuda_view &view, const armilla_cuda_part &part, int m,
                            int first, int64_t set, int together, const degree_part *row)
{
    const int64_t start = view.table_start[m - view.mfirst];
    const int nsteps = count_scalar_steps(view, m);
    const int before = (first - m) / 2;
    FOR_THREADS(i, DEGREES)
    {
        if (before + i / 2 >= nsteps) continue;
        const int64_t step = start + before + i / 2, odd = i % 2;
        const double scale = view.pair[2 * step + odd], v = odd ? 0 : view.v[step];
        for (int j = 0; j < together; j++) {
            const double *re = row[2 * j] + HALO + i, *im = row[2 * j + 1] + HALO + i;
            const double2 e =
                odd ? make_double2(scale * re[0], scale * im[0])
                    : make_double2(scale * re[0] + v * re[2], scale * im[0] + v * im[2]);
            double2 *to = reinterpret_cast<double2 *>(part.values) +
                          2 * ((set + j) * part.nsteps + step - part.step);
            to[odd] = e;
        }
    }
}

/* The degrees themselves, for sums by products of halves. */
__device__ void write_degrees(const armilla_cuda_view &view, const armilla_cuda_part &part, int m,
                              int first, int64_t set, int together, const degree_part *row)
{
    const int64_t start = view.table_start[m - view.mfirst] - part.step;
    const int nsteps = count_scalar_steps(view, m);
    FOR_THREADS(i, DEGREES)
    {
        const int place = first - m + i;
        if (place / 2 >= nsteps) continue;
        for (int j = 0; j < together; j++)
            reinterpret_cast<float2 *>(
                part.degrees)[2 * ((set + j) * part.nsteps + start) + place] =
                make_float2((float)row[2 * j][HALO + i], (float)row[2 * j + 1][HALO + i]);
    }
}

__global__ void legendre_coefficients(const armilla_cuda_view view, const armilla_cuda_part part,
                                      const armilla_alm_rows rows, int64_t first_lot)
{
    ARMILLA_SHARED(degree_stretch, s);
    const int m = (int)view.orders[part.first_order + blockIdx.y];
    const int first = m + (int)blockIdx.x * DEGREES, together = sets_together(view);
    const int64_t set = (first_lot + blockIdx.z) * together;
    if (first > view.top + 2 * STEPS) return; /* steps are padded */
    read_stretch(rows, set, together, m, first, s);
    __syncthreads();
    const int last = run_ladders(view, m, first, 0, s);
    if (part.end_tile > part.scalar_tile)
        write_steps(view, part, m, first, set, together, s->part[last]);
    if (part.halves_end > part.halves_tile)
        write_degrees(view, part, m, first, set, together, s->part[last]);
}

/* Functions of spin s: one step for each degree from max(m, s) on. Two threads have a step, one the
 * coefficient of d+, one that of d-. */
__global__ void spin_coefficients(const armilla_cuda_view view, const armilla_cuda_part part,
                                  const armilla_alm_rows rows, int64_t first_lot)
{
    const int64_t field = first_lot + blockIdx.z;
    const int m = (int)view.orders[part.first_order + blockIdx.y];
    if (m > view.function_mmax) return;
    const int64_t least = m > view.spin ? m : view.spin, count = view.lmax - least + 1;
    FOR_THREADS(i, 2 * DEGREES)
    {
        const int64_t j = (int64_t)blockIdx.x * DEGREES + i / 2;
        if (j >= (count + STEPS - 1) / STEPS * STEPS) continue;
        const int64_t step = view.function_start[m - view.mfirst] + j;
        const double f = 0.5 * view.sign * (j < count ? view.function_alpha[step] : 0);
        const double2 e = read_degree(rows, 2 * field, m, (int)(least + j));
        const double2 b = read_degree(rows, 2 * field + 1, m, (int)(least + j));
        const double g = i % 2 ? -view.twist * f : view.twist * f;
        const int64_t row = field * part.function_steps;
        double2 *to = reinterpret_cast<double2 *>(part.functions);
        to[2 * (row + step - part.function_step) + i % 2] =
            make_double2(f * e.x - g * b.y, f * e.y + g * b.x);
    }
}

unsigned count_blocks(int64_t degrees)
{
    return (unsigned)((degrees + DEGREES - 1) / DEGREES);
}

} // namespace

void armilla_cuda_coefficients(const armilla_cuda_view *view, const armilla_cuda_part *part,
                               const armilla_alm_rows *alm, armilla_cuda_work *work)
{
    const int64_t degrees = view->top + 2 * STEPS + 1 - part->first_degree;
    const int64_t lots = part->nsets / sets_together(*view);
    armilla_cuda_launch_rows(lots, [&](int64_t first, unsigned rows) {
        const dim3 blocks(count_blocks(degrees), (unsigned)part->norders, rows);
        if (part->end_tile > part->scalar_tile || part->halves_end > part->halves_tile)
            armilla_cuda_note(work, ARMILLA_LAUNCH(legendre_coefficients, blocks, DEGREES,
                                                   sizeof(degree_stretch), work->stream, *view,
                                                   *part, *alm, first));
        if (part->scalar_tile > part->tile)
            armilla_cuda_note(work, ARMILLA_LAUNCH(spin_coefficients, blocks, DEGREES, 0,
                                                   work->stream, *view, *part, *alm, first));
    });
}
