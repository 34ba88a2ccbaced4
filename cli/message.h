/* What the command says: every line starts with "armilla COMMAND: " and goes to stderr.
 *
 * Over ranks (ranks.h) each of them may find an error, or all the same one: errors are then held
 * until the ranks have agreed which is shown. Warnings and notes are rank 0's. */
#ifndef ARMILLA_CLI_MESSAGE_H
#define ARMILLA_CLI_MESSAGE_H

#include <armilla/armilla.h>
#include <stdio.h>

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 }; /* exit codes */

/* The name of the program, "armilla" unless set. */
void message_set_program(const char *name);
const char *message_program(void);

/* The subcommand named in front of every message ("" for none), and whether notes are shown. */
void message_setup(const char *command, int quiet);

/* Messages show the second name where they have the first, which a command made up. Both must
 * last until NULL as real takes all back. */
void message_alias(const char *real, const char *shown);

/* The name to show; the name itself unless it has an alias. */
const char *message_shown(const char *name);

/* Writes a text in which real names are replaced. */
void message_write(FILE *stream, const char *text);

/* printf-style. The first two return the exit code, so that `return usage_error(...)` reads well.
 */
int usage_error(const char *format, ...);
int work_error(const char *format, ...);
void warning(const char *format, ...);
void note(const char *format, ...); /* not with --quiet */

/* The library's own words about its last error. subject: the file or thing it was about, put in
 * front unless the words name it already; may be NULL. Returns the exit code: where the arguments
 * of the call came from the command line, a wrong one is bad usage. */
int library_error(armilla_status status, const char *subject);

/* The same where they came out of files, which the command line cannot make better: CLI_FAILED. */
int data_error(armilla_status status, const char *subject);

/* Memory that is not there. Returns the exit code. */
int memory_error(void);

/* Over ranks: shows the error that is held, or forgets it. */
void message_settle(int is_shown);

/* Last words: flushes stdout. Returns code, or CLI_FAILED if stdout did not take everything. */
int finish_stdout(int code);

#endif
