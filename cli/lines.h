/* Text files that are read line by line. Strict: a line with a zero byte is an error. */
#ifndef ARMILLA_CLI_LINES_H
#define ARMILLA_CLI_LINES_H

#include <stdint.h>

/* Takes a line, which it may change; number: from 1. Returned: an exit code, after a message unless
 * CLI_OK. */
typedef int lines_take(void *data, int64_t number, char *line);

/* Gives all lines of a file ("-": standard input) to take, until one is not CLI_OK. Returned: an
 * exit code, after a message unless CLI_OK. */
int lines_read(const char *path, lines_take *take, void *data);

/* Says what is wrong with a line. Returned: the exit code. */
int lines_wrong(const char *path, int64_t number, const char *what);

#endif
