/* Decimal numbers in text, whatever the locale of the process. */
#ifndef ARMILLA_IO_NUMBER_H
#define ARMILLA_IO_NUMBER_H

#include "base/status.h"

/* Reads a field that holds one number and nothing else but blanks around it. Exponents may be
 * written with E, e, D, d, or, as Fortran does for three digits, with their sign only (1.5-105).
 * Given:    text  length characters, not necessarily terminated.
 * Returned: 1 and *value;  0, *value untouched: no finite number. */
int armilla_parse_number(const char *text, size_t length, double *value);

/* The same for a whole number; "32." and "3.2E1" count as 32.
 * Returned: 0 also where it does not fit: exact in all of int64_t for plain digits. */
int armilla_parse_integer(const char *text, size_t length, int64_t *value);

#endif
