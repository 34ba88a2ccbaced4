/* Formulas of maps, such as "2 * a - b": read once, then worked out for ranges of pixels.
 *
 * a, b, c, ... are the maps in the sequence of the command line: of each column of the result the
 * same column, or the only one. a[1] and a[Q] are one column, by its number from 0 or its name.
 * Operators: + - * / ^ (power), < <= > >= == != (1 or 0), parentheses. Functions: see --help.
 * A missing value is NaN, and makes NaN of all that is made of it, but for missing() and for the
 * side of where() that is not taken. */
#ifndef ARMILLA_CLI_FORMULA_H
#define ARMILLA_CLI_FORMULA_H

#include <armilla/armilla.h>

enum { FORMULA_STEPS = 256, FORMULA_DEPTH = 24, FORMULA_MAPS = 26 };

typedef struct formula_step {
    int code;                        /* of formula.c; 'n' a number, 'm' a map */
    double value;                    /* of a number */
    int64_t map;                     /* number of a map, from 0 */
    int64_t column;                  /* of it; -1: that of the result */
    char name[ARMILLA_IO_NAME_SIZE]; /* of the column, as typed; "": that of the result */
} formula_step;

/* Steps in postfix form. */
typedef struct formula {
    int64_t count, depth; /* depth: of the stack that they need */
    formula_step steps[FORMULA_STEPS];
} formula;

/* NULL, or what is wrong with the text. nmaps: how many there are. */
const char *formula_parse(const char *text, int64_t nmaps, formula *self);

/* Values of a step 'm' for the pixels that formula_run is asked for. Returns an exit code. */
typedef int (*formula_read_fn)(void *data, const formula_step *step, double *values);

/* Given:    count  pixels;  stack  room for depth * count values.
 * Returned: stack  its first count values are the result; an exit code. */
int formula_run(const formula *self, int64_t count, formula_read_fn read, void *data,
                double *stack);

/* The unit of the result: that of maps that are added, compared in size or multiplied by numbers;
 * NULL where it is not one of theirs, or not known. unit: that of a step 'm', "" if unknown. */
const char *formula_unit(const formula *self,
                         const char *(*unit)(const void *data, const formula_step *step),
                         const void *data);

#endif
