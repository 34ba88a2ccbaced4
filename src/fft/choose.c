/* Chooses how a length is transformed: by FFTW alone or by the prime factor algorithm, which of its
 * factors go in lanes, by direct sums or convolutions, and how many rows a call of FFTW takes. */
#include "fft/choose.h"

#include "fft/convolution.h"
#include "fft/fft.h"

/* --- Factors ---------------------------------------------------------------------------------- */

/* A length of as many rings is worth a plan that takes as long as many executions. */
enum { FEW = 16 };

static int64_t without_factor(int64_t n, int64_t factor)
{
    while (n % factor == 0) n /= factor;
    return n;
}

int64_t armilla_fft_rough_factor(int64_t n)
{
    for (int64_t factor = 2; factor <= 7; factor++) n = without_factor(n, factor);
    return n;
}

int64_t armilla_fft_smooth_length(int64_t minimum)
{
    int64_t n = minimum < 1 ? 1 : minimum;
    while (without_factor(without_factor(without_factor(n, 2), 3), 5) != 1) n++;
    return n;
}

/* FFTW has code for a single 11 and 13, too: Gauss-Legendre transforms on rings of 1040 samples
 * take 20 % less time than by the prime factor algorithm, of 4224 samples 36 % less. But planning
 * takes FFTW as long as many executions: lengths of a few rings, as HEALPix has hundreds, do
 * without. */
static int is_for_fftw(const armilla_fft_question *question, int64_t rough)
{
    if (rough == 1) return 1;
    return (rough == 11 || rough == 13 || rough == 143) &&
           (!question->lanes || question->uses >= FEW);
}

/* What is left to lanes of a length: its rough factor. Of smooth lengths of few rings the powers of
 * three, which cost FFTW's planner most, three to ten times as much as powers of two and five. */
int64_t armilla_fft_choose_factor(const armilla_fft_question *question)
{
    const int64_t rough = armilla_fft_rough_factor(question->n),
                  threes = question->n / without_factor(question->n, 3);
    const int is_short = armilla_fft_choose_convolution(threes) == 0;
    if (rough == 1 && question->lanes && question->uses < FEW && is_short && threes < question->n)
        return threes;
    return is_for_fftw(question, rough) ? 1 : rough;
}

/* --- How factors are transformed -------------------------------------------------------------- */

enum {
    LONGEST_DIRECT = 84, /* up to here direct sums take less time than a convolution, measured */
    LONGEST = 16384      /* the eight lanes of longer ones do not fit into a second-level cache */
};

int64_t armilla_fft_choose_convolution(int64_t q)
{
    return q <= LONGEST_DIRECT ? 0 : armilla_convolution_length(q);
}

/* A single row (smooth = 1) takes longer in lanes than with FFTW, by a quarter with AVX-512: it
 * goes in lanes only if another length has made the tables already. */
int armilla_fft_choose_lanes(int64_t smooth, int64_t rough, int has_tables)
{
    if (rough > LONGEST) return 0;
    return smooth > 1 || armilla_fft_choose_convolution(rough) == 0 || has_tables;
}

/* Rows of one call of FFTW. Short ones go together, since a call costs as much as 32 points. */
int64_t armilla_fft_choose_rows(int64_t n)
{
    return n <= 16 ? 16 : n <= 32 ? 8 : n <= 128 ? 4 : 1;
}
