/* What a command has done, as one JSON object (RFC 8259) on standard output: --json. The calls take
 * values in the sequence that they are to have, and do nothing where nobody asked for a report.
 *
 * Numbers have the digits that give them back bit by bit; NaN and infinities are null, since JSON
 * has none. Bytes of a text that are no UTF-8 become U+FFFD. */
#ifndef ARMILLA_CLI_REPORT_H
#define ARMILLA_CLI_REPORT_H

#include <stdint.h>

/* wanted: is there to be a report? It is an object, which is open then. */
void report_setup(int wanted);
int report_is_wanted(void);

/* Members of the open object; of an open array, items, with name NULL. */
void report_text(const char *name, const char *value); /* NULL: null */
void report_integer(const char *name, int64_t value);
void report_unsigned(const char *name, uint64_t value);
void report_real(const char *name, double value);
void report_flag(const char *name, int value);
void report_reals(const char *name, int64_t count, const double *values);

/* Opens an object '{' or an array '[', and closes the one that was opened last. */
void report_open(const char *name, char bracket);
void report_close(void);

/* Writes it. An exit code, after a message unless CLI_OK. */
int report_print(void);
void report_free(void);

#endif
