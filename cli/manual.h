/* The manual page, made from the tables of options and the texts of --help. */
#ifndef ARMILLA_CLI_MANUAL_H
#define ARMILLA_CLI_MANUAL_H

/* Writes it to stdout, as roff with the macros of man. */
void manual_print(void);

#endif
