/* Fourier transforms over gamma. A task is a ring, of which some pixels at a time are brought
 * together: their samples are cache lines of every map. */
#include "so3/gamma.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "grid/grid.h"
#include "so3/plan.h"

enum { PIXELS = 32, PAIRS = PIXELS / 2 };

/* Some pixels of a ring: number i is at first + i stride of a map. */
typedef struct {
    int64_t first, stride, count, step; /* step: doubles from a pair's row to the next */
    double *rows, *scratch;
} block;

static int64_t row_size(int64_t ngamma)
{
    return armilla_round_line(2 * ngamma);
}

int64_t armilla_so3_gamma_scratch(int64_t ngamma, const armilla_fft *fft)
{
    return PAIRS * row_size(ngamma) + armilla_round_line(2 * armilla_fft_scratch_size(fft));
}

/* Number k of pixel i of the block: an odd pixel is the imaginary part. */
static double *entry(const block *b, int64_t i, int64_t k)
{
    return b->rows + i / 2 * b->step + 2 * k + i % 2;
}

static void clear_rows(const block *b)
{
    for (int64_t i = 0; i < PAIRS * b->step; i++) b->rows[i] = 0;
}

/* --- To samples ------------------------------------------------------------------------------- */

/* F_n = Q - i U and F_-n = Q + i U of pixel i; times i if it is the imaginary part. */
static void spread(const block *b, int64_t i, int64_t n, int64_t ngamma, double q, double u)
{
    double *plus = entry(b, i - i % 2, n), *minus = entry(b, i - i % 2, ngamma - n);
    if (i % 2)
        plus[0] += u, plus[1] += q, minus[0] -= u, minus[1] += q;
    else
        plus[0] = q, plus[1] = -u, minus[0] = q, minus[1] = u;
}

static void fill_spectra(const armilla_so3_gamma *g, const block *b)
{
    for (int64_t i = 0; i < b->count; i++) *entry(b, i, 0) = g->planes[b->first + i * b->stride];
    for (int64_t n = 1; n < g->end; n++) {
        const double *q = g->planes + armilla_so3_maps_before(n) * g->plane_distance + b->first;
        const double *u = q + g->plane_distance;
        for (int64_t i = 0; i < b->count; i++)
            spread(b, i, n, g->ngamma, q[i * b->stride], u[i * b->stride]);
    }
}

static void block_to_samples(const armilla_so3_gamma *g, const block *b)
{
    clear_rows(b);
    fill_spectra(g, b);
    for (int64_t pair = 0; 2 * pair < b->count; pair++)
        armilla_fft_backward(g->fft, b->rows + pair * b->step, b->scratch);
    for (int64_t j = 0; j < g->ngamma; j++) {
        double *to = g->samples + j * g->sample_distance + b->first;
        for (int64_t i = 0; i < b->count; i++) to[i * b->stride] = *entry(b, i, j);
    }
}

/* --- To planes -------------------------------------------------------------------------------- */

static void store_plane(const armilla_so3_gamma *g, const block *b, int64_t n)
{
    const int64_t map = armilla_so3_maps_before(n) - armilla_so3_maps_before(g->first);
    double *q = g->planes + map * g->plane_distance + b->first, *u = q + g->plane_distance;
    for (int64_t i = 0; i < b->count; i++) {
        const double *x = entry(b, i - i % 2, n), *y = entry(b, i - i % 2, g->ngamma - n);
        q[i * b->stride] = (i % 2 ? x[1] + y[1] : x[0] + y[0]) / 2;
        u[i * b->stride] = (i % 2 ? x[0] - y[0] : y[1] - x[1]) / 2;
    }
}

static void block_to_planes(const armilla_so3_gamma *g, const block *b)
{
    if (b->count < PIXELS) clear_rows(b);
    for (int64_t j = 0; j < g->ngamma; j++) {
        const double *from = g->samples + j * g->sample_distance + b->first;
        for (int64_t i = 0; i < b->count; i++) *entry(b, i, j) = from[i * b->stride];
    }
    for (int64_t pair = 0; 2 * pair < b->count; pair++)
        armilla_fft_forward(g->fft, b->rows + pair * b->step, b->scratch);
    for (int64_t i = 0; i < b->count && g->first == 0; i++)
        g->planes[b->first + i * b->stride] = *entry(b, i, 0);
    for (int64_t n = armilla_larger(g->first, 1); n < g->end; n++) store_plane(g, b, n);
}

/* --- Rings ------------------------------------------------------------------------------------ */

static void run_ring(const armilla_so3_gamma *g, int64_t ring, int thread,
                     void (*run)(const armilla_so3_gamma *, const block *))
{
    const armilla_ring *r = &g->grid->rings[ring];
    const int64_t size = armilla_so3_gamma_scratch(g->ngamma, g->fft);
    block b = {.stride = r->stride, .step = row_size(g->ngamma)};
    b.rows = g->scratch + thread * size, b.scratch = b.rows + PAIRS * b.step;
    for (int64_t first = 0; first < r->nphi; first += PIXELS) {
        b.first = r->offset + first * r->stride;
        b.count = armilla_smaller(PIXELS, r->nphi - first);
        run(g, &b);
    }
}

static void ring_to_samples(void *context, int64_t ring, int thread)
{
    run_ring(context, ring, thread, block_to_samples);
}

static void ring_to_planes(void *context, int64_t ring, int thread)
{
    run_ring(context, ring, thread, block_to_planes);
}

void armilla_so3_to_samples(const armilla_so3_gamma *gamma)
{
    armilla_team_run(gamma->nthreads, gamma->grid->nrings, ring_to_samples, (void *)gamma);
}

void armilla_so3_to_planes(const armilla_so3_gamma *gamma)
{
    armilla_team_run(gamma->nthreads, gamma->grid->nrings, ring_to_planes, (void *)gamma);
}
