/* Fourier transforms of several short rows at once: each lane is a row. The passes decimate in
 * frequency (kernels/convolve.c has the formula). The first one takes its numbers from the rows,
 * the last one puts them into the rows of the result, sorted; between them they are in work, in the
 * first-level cache. Lengths that are one radix have one pass, which needs no work.
 * Reference: Van Loan 1992, Computational Frameworks for the FFT; docs/mathematics.md section 4. */
#include "fft/kernels/row_butterfly.h"
#include "fft/kernels/row_fft_tables.h"

#include <stddef.h>
#include <string.h>

typedef struct {
    const armilla_row_fft *fft;
    double *from[VLEN], *to[VLEN]; /* rows */
    double *work;
} row_group;

/* Blocks of radix times m points of a pass that is not the last. layout: of what it reads. */
ARMILLA_ALWAYS_INLINE void run_pass(const int radix, const int layout, int64_t m, int64_t count,
                                    const double *twiddle, const row_group *group)
{
    double *data = group->work;
    for (int64_t i = 0; i < count; i++, data += radix * m * COMPLEX) {
        const double *w = twiddle;
        for (int64_t p = 0; p < m; p++, w += 2 * (radix - 1)) {
            const side from = {layout, data, group->from, p, m}, to = {VECTORS, data, NULL, p, m};
            run_butterfly(radix, &from, w, &to);
        }
    }
}

/* place[i]: the frequency of the first output of block i. */
ARMILLA_ALWAYS_INLINE void run_last(const int radix, const int layout, const row_group *group)
{
    const int64_t count = group->fft->n / radix;
    const int32_t *place = group->fft->place;
    for (int64_t i = 0; i < count; i++) {
        const side from = {layout, group->work, group->from, radix * i, 1};
        const side to = {ROWS, NULL, group->to, place[i], count};
        run_butterfly(radix, &from, NULL, &to);
    }
}

#define DEFINE_PASSES(radix)                                                                       \
    static ARMILLA_NOINLINE void first_##radix(int64_t m, int64_t count, const double *twiddle,    \
                                               const row_group *group)                             \
    {                                                                                              \
        run_pass(radix, ROWS, m, count, twiddle, group);                                           \
    }                                                                                              \
    static ARMILLA_NOINLINE void middle_##radix(int64_t m, int64_t count, const double *twiddle,   \
                                                const row_group *group)                            \
    {                                                                                              \
        run_pass(radix, VECTORS, m, count, twiddle, group);                                        \
    }                                                                                              \
    static ARMILLA_NOINLINE void last_##radix(const row_group *group)                              \
    {                                                                                              \
        if (group->fft->npasses == 1)                                                              \
            run_last(radix, ROWS, group);                                                          \
        else                                                                                       \
            run_last(radix, VECTORS, group);                                                       \
    }

FOR_EACH_RADIX(DEFINE_PASSES)

typedef void (*pass_function)(int64_t m, int64_t count, const double *twiddle,
                              const row_group *group);

#define FIRST(radix)  [radix] = first_##radix,
#define MIDDLE(radix) [radix] = middle_##radix,
#define LAST(radix)   [radix] = last_##radix,

static const pass_function first_passes[LARGEST_RADIX + 1] = {FOR_EACH_RADIX(FIRST)};
static const pass_function middle_passes[LARGEST_RADIX + 1] = {FOR_EACH_RADIX(MIDDLE)};
static void (*const last_passes[LARGEST_RADIX + 1])(const row_group *) = {FOR_EACH_RADIX(LAST)};

static void run_passes(const row_group *group)
{
    const armilla_row_fft *fft = group->fft;
    const int last = fft->npasses - 1;
    int64_t m = fft->n, count = 1;
    for (int i = 0; i < last; i++) {
        const int radix = fft->radix[i];
        m /= radix;
        (i == 0 ? first_passes : middle_passes)[radix](m, count, fft->twiddle[i], group);
        count *= radix;
    }
    last_passes[fft->radix[last]](group);
}

void ARMILLA_KERNEL(armilla_row_together)(const armilla_row_fft *fft, int64_t count, double *input,
                                          double *output)
{
    _Alignas(64) double work[ARMILLA_ROWS_TOGETHER_MOST * COMPLEX];
    const int64_t n = fft->n;
    row_group group = {.fft = fft, .work = work};
    if (fft->npasses == 0) memcpy(output, input, (size_t)(2 * n * count) * sizeof *input);
    if (fft->npasses == 0 || (int)VLEN > (int)ARMILLA_ROWS_TOGETHER) return;
    for (int64_t row = 0; row < count; row += VLEN) {
        for (int i = 0; i < VLEN; i++) {
            group.from[i] = input + 2 * n * (row + i);
            group.to[i] = output + 2 * n * (row + i);
        }
        run_passes(&group);
    }
}
