/* The way of rows by passes of our own (kernels/row_fft.c): radices, twiddles, and which vectors a
 * length can have. Plans are the same on every machine, and measure nothing. */
#include "fft/ways.h"

#include "base/integer.h"
#include "base/memory.h"
#include "fft/dispatch.h"
#include "fft/radices.h"
#include "fft/roots.h"

/* --- Shapes ----------------------------------------------------------------------------------- */

/* Can a row of its own fill vectors of so many lanes? */
static int fills(int64_t n, int64_t lanes)
{
    return lanes == 1 || (n % lanes == 0 && n >= lanes * lanes);
}

/* Vectors of eight lanes are faster with one row than vectors of four with four: 64 numbers take
 * two thirds of the time. */
static int64_t together(armilla_isa isa, int64_t n)
{
    const int lanes = armilla_row_kernels_find(isa)->vector_length;
    const int is_long = n > ARMILLA_ROWS_TOGETHER_MOST || (lanes > 4 && fills(n, lanes));
    return is_long ? 1 : ARMILLA_ROWS_TOGETHER;
}

/* Can a row, or rows together, go in vectors of so many lanes? */
static int fits(const armilla_rows *rows, int64_t lanes)
{
    return rows->rows > 1 ? lanes <= ARMILLA_ROWS_TOGETHER : fills(rows->n, lanes);
}

/* The best set up to `isa` with vectors that fit: of eight lanes, of four, ..., of one. */
static const armilla_row_kernels *find_kernels(armilla_isa isa, const armilla_rows *rows)
{
    for (int set = (int)isa; set > 0; set--) {
        if (!armilla_isa_usable((armilla_isa)set)) continue;
        const armilla_row_kernels *kernels = armilla_row_kernels_find((armilla_isa)set);
        if (fits(rows, kernels->vector_length)) return kernels;
    }
    return armilla_row_kernels_find(ARMILLA_ISA_SCALAR);
}

/* Radices of a power of two: eights, with one 16 in the place of 8 and 2, or a 4 at the end. By
 * measurement with four and eight lanes, 8 8 4 takes 5 to 9 % less time than 16 16, and 8 8 8 up to
 * a quarter less than 16 8 4, but 8 4 4 up to 8 % more than 16 8. */
static int take_power(int64_t power, int *radix)
{
    int count = 0, bits = 0;
    while ((int64_t)1 << bits < power) bits++;
    if (bits % 3 == 1 && bits > 1) radix[count++] = 16, bits -= 4;
    for (; bits >= 3; bits -= 3) radix[count++] = 8;
    if (bits > 0) radix[count++] = 1 << bits;
    return count;
}

/* Odd radices first: the last pass, which has no twiddles, had better be one of a power of two. */
static void factorise(armilla_row_fft *fft)
{
    static const int odd[] = {13, 11, 7, 5, 3};
    int radix[ARMILLA_MOST_RADICES], count = 0;
    const int64_t power = fft->m & -fft->m;
    armilla_take_radices(fft->m / power, 5, odd, &count, radix);
    count += take_power(power, radix + count);
    fft->npasses = count;
    for (int i = 0; i < count; i++) fft->radix[i] = radix[i];
}

static void shape(armilla_isa isa, armilla_rows *rows)
{
    const armilla_row_kernels *kernels = find_kernels(isa, rows);
    armilla_row_fft *fft = &rows->fft;
    rows->lanes = kernels->vector_length;
    rows->kernel = rows->rows > 1 ? kernels->together : kernels->alone;
    fft->n = rows->n;
    fft->m = rows->rows > 1 ? rows->n : rows->n / rows->lanes;
    factorise(fft);
}

/* --- Tables ----------------------------------------------------------------------------------- */

static int64_t cross_groups(const armilla_rows *rows)
{
    return (rows->fft.m + rows->lanes - 1) / rows->lanes;
}

/* Doubles of the twiddles between lanes. */
static int64_t cross_size(const armilla_rows *rows)
{
    const int64_t lanes = rows->lanes;
    return rows->rows > 1 ? 0 : cross_groups(rows) * ARMILLA_CROSS_TABLES(lanes) * 2 * lanes;
}

static armilla_status make_twiddles(armilla_row_fft *fft)
{
    int64_t block = fft->m;
    for (int i = 0; i + 1 < fft->npasses; block /= fft->radix[i], i++) {
        const int64_t radix = fft->radix[i];
        armilla_status status =
            armilla_allocate(&fft->twiddle[i], block / radix * (radix - 1), 2 * sizeof(double));
        if (status) return status;
        double *w = fft->twiddle[i];
        for (int64_t p = 0; p < block / radix; p++)
            for (int64_t c = 1; c < radix; c++, w += 2) {
                armilla_root_of_unity(p * c, block, w);
                w[1] = -w[1];
            }
    }
    return ARMILLA_OK;
}

/* The vector of frequency k after the passes. */
static int64_t position(const armilla_row_fft *fft, int64_t k)
{
    int64_t position = 0, block = fft->m;
    for (int i = 0; i < fft->npasses; i++) {
        const int radix = fft->radix[i];
        block /= radix;
        position += k % radix * block;
        k /= radix;
    }
    return position;
}

static void fill_cross(armilla_rows *rows)
{
    const int64_t lanes = rows->lanes, m = rows->fft.m;
    double *w = rows->fft.cross, root[2];
    for (int64_t group = 0; group < cross_groups(rows); group++) {
        const int64_t first = armilla_smaller(group * lanes, m - lanes);
        for (int64_t lane = 1; lane < lanes; lane *= 2, w += 2 * lanes)
            for (int64_t i = 0; i < lanes; i++) {
                armilla_root_of_unity(lane * (first + i), rows->n, root);
                w[i] = root[0], w[lanes + i] = -root[1];
            }
    }
}

static int64_t place_size(const armilla_rows *rows)
{
    const armilla_row_fft *fft = &rows->fft;
    return rows->rows > 1 && fft->npasses > 0 ? fft->m / fft->radix[fft->npasses - 1] : fft->m;
}

static void fill_place(const armilla_rows *rows)
{
    const armilla_row_fft *fft = &rows->fft;
    const int64_t m = fft->m, blocks = place_size(rows);
    for (int64_t k = 0; k < m; k++) {
        const int64_t place = position(fft, k);
        if (blocks == m)
            fft->place[k] = (int32_t)place;
        else if (place % (m / blocks) == 0)
            fft->place[place / (m / blocks)] = (int32_t)k;
    }
}

static armilla_status make(armilla_rows *rows)
{
    armilla_row_fft *fft = &rows->fft;
    armilla_status status = armilla_allocate(&fft->place, place_size(rows), sizeof *fft->place);
    if (!status) status = make_twiddles(fft);
    if (!status && cross_size(rows) > 0)
        status = armilla_allocate(&fft->cross, cross_size(rows), sizeof *fft->cross);
    if (status) return status;
    fill_place(rows);
    if (cross_size(rows) > 0) fill_cross(rows);
    return ARMILLA_OK;
}

static void clear(armilla_rows *rows)
{
    for (int i = 0; i < ARMILLA_ROW_PASSES; i++) armilla_release(rows->fft.twiddle[i]);
    armilla_release(rows->fft.place);
    armilla_release(rows->fft.cross);
}

static int64_t bytes(const armilla_rows *rows)
{
    const armilla_row_fft *fft = &rows->fft;
    int64_t block = fft->m, sum = 4 * place_size(rows) + 8 * cross_size(rows);
    for (int i = 0; i + 1 < fft->npasses; block /= fft->radix[i], i++)
        sum += 16 * (block / fft->radix[i]) * (fft->radix[i] - 1);
    return sum;
}

static void execute(const armilla_rows *rows, int64_t count, double *input, double *output)
{
    rows->kernel(&rows->fft, count, input, output);
}

const armilla_rows_way armilla_rows_by_own = {.name = "passes of our own",
                                              .plans_slowly = 0,
                                              .together = together,
                                              .shape = shape,
                                              .make = make,
                                              .clear = clear,
                                              .bytes = bytes,
                                              .execute = execute};
