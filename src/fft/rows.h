/* Fourier transforms of rows: one after the other, of a length that one of the ways of this build
 * takes as a whole. Forward only, and out of place: a backward transform is a forward one whose
 * input has its places k and n - k exchanged. */
#ifndef ARMILLA_FFT_ROWS_H
#define ARMILLA_FFT_ROWS_H

#include "base/cpu.h"
#include "base/status.h"
#include "fft/kernels/row_fft_tables.h"

typedef struct armilla_rows_way armilla_rows_way;

/* Transforms of length n each, `rows` of them or a multiple, one behind the other. */
typedef struct armilla_rows {
    int64_t n, rows;
    const armilla_rows_way *way;
    /* of the way `own`: */
    armilla_row_fft fft;
    void (*kernel)(const armilla_row_fft *, int64_t count, double *input, double *output);
    int lanes; /* of the kernel's vectors */
    /* of the way `fftw`: */
    void *plan;
} armilla_rows;

/* A way to transform rows: rows_own.c, rows_fftw.c. */
struct armilla_rows_way {
    const char *name;
    int plans_slowly; /* as long as many transforms take */
    /* How many rows of length n should go together. */
    int64_t (*together)(armilla_isa isa, int64_t n);
    /* Fills rows, whose n and rows are given, as far as it needs no memory. */
    void (*shape)(armilla_isa isa, armilla_rows *rows);
    /* Makes the tables of shaped rows. Errors: MEMORY, UNSUPPORTED. */
    armilla_status (*make)(armilla_rows *rows);
    void (*clear)(armilla_rows *rows);
    /* Memory of the tables of shaped rows, as far as it is known. */
    int64_t (*bytes)(const armilla_rows *rows);
    void (*execute)(const armilla_rows *rows, int64_t count, double *input, double *output);
};

/* The way of this build: the first of the list in rows.c. */
const armilla_rows_way *armilla_rows_way_find(void);

/* Shapes rows without tables: they tell sizes, and transform nothing. Given: n with prime factors
 * up to 7, one 11 and one 13; a usable instruction set. */
void armilla_rows_shape(armilla_isa isa, int64_t n, int64_t rows, armilla_rows *made);

/* The same with tables. Errors: MEMORY, UNSUPPORTED (FFTW: n or rows above INT_MAX). */
armilla_status armilla_rows_make(armilla_isa isa, int64_t n, int64_t rows, armilla_rows *made);

/* A cleared one is allowed. */
void armilla_rows_clear(armilla_rows *rows);

int64_t armilla_rows_bytes(const armilla_rows *rows);

/* Transforms `count` rows, a multiple of rows->rows, one behind the other. input, destroyed;
 * output, apart from it: 64-byte aligned where rows is 1, else 16-byte. */
static inline void armilla_rows_execute(const armilla_rows *rows, int64_t count, double *input,
                                        double *output)
{
    rows->way->execute(rows, count, input, output);
}

#endif
