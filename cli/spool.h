/* Inputs that come through a pipe or from standard input ("-"). FITS and text are read in more than
 * one pass, so a copy on disk takes the place of the pipe before a command begins its work.
 * Messages and results have the name that the user gave. */
#ifndef ARMILLA_CLI_SPOOL_H
#define ARMILLA_CLI_SPOOL_H

struct command;
struct common;

/* Is the name "-" or /dev/stdin, or that of a pipe or socket? */
int spool_is_stream(const char *path);

/* Does the name, "-" or /dev/stdout, mean standard output? */
int spool_is_standard_output(const char *path);

/* Replaces each input of a command that is a stream, whether argument or option, by the name of a
 * copy. Returns an exit code, after a message unless CLI_OK. spool_free removes the copies. */
int spool_inputs(const struct command *self, struct common *arguments);
void spool_free(void);

#endif
