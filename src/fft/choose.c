/* Chooses how a length is transformed: as one row or by the prime factor algorithm, which of its
 * factors go in lanes, and whether by direct sums or convolutions. */
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

/* Both ways of rows have code for a single 11 and 13, too: Gauss-Legendre transforms on rings of
 * 1040 samples take 20 % less time with FFTW than by the prime factor algorithm, of 4224 samples
 * 36 % less. But planning takes FFTW as long as many executions: lengths of a few rings, as HEALPix
 * has hundreds, do without. */
static int is_for_rows(const armilla_fft_question *question, int64_t rough)
{
    if (rough == 1) return 1;
    return (rough == 11 || rough == 13 || rough == 143) &&
           (!question->lanes || !question->plans_slowly || question->uses >= FEW);
}

/* The largest power of 3, 5 or 7 in n whose direct sums are short; 1: there is none, or nothing
 * else is in n. */
static int64_t short_factor(int64_t n)
{
    int64_t best = 1;
    for (int64_t prime = 3; prime <= 7; prime += 2) {
        const int64_t power = n / without_factor(n, prime);
        if (armilla_fft_choose_convolution(power) == 0 && power > best && power < n) best = power;
    }
    return best;
}

/* A smooth length of few rings leaves lanes its powers of three if planning is slow: they cost
 * FFTW's planner most, three to ten times as much as powers of two and five. */
static int64_t dear_factor(const armilla_fft_question *question)
{
    const int64_t threes = question->n / without_factor(question->n, 3);
    const int is_short = armilla_fft_choose_convolution(threes) == 0;
    return question->uses < FEW && is_short && threes < question->n ? threes : 1;
}

/* What is left to lanes of a length: its rough factor. Our own rows of lengths that are no multiple
 * of four do not fill vectors: one row as the rows of a smaller length does. */
int64_t armilla_fft_choose_factor(const armilla_fft_question *question)
{
    const int64_t n = question->n, rough = armilla_fft_rough_factor(n);
    if (question->lanes && rough == 1 && question->plans_slowly) return dear_factor(question);
    if (question->lanes && !question->plans_slowly && n % 4 != 0)
        return rough > 1 ? rough : short_factor(n);
    return is_for_rows(question, rough) ? 1 : rough;
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

/* A single row (smooth = 1) takes longer in lanes than Bluestein's convolutions by FFTW, by a
 * quarter with AVX-512: it goes in lanes only if another length has made the tables already. */
int armilla_fft_choose_lanes(int64_t smooth, int64_t rough, int has_tables)
{
    if (rough > LONGEST) return 0;
    return smooth > 1 || armilla_fft_choose_convolution(rough) == 0 || has_tables;
}
