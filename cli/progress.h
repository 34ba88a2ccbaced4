/* The progress bar, and the signals that ask for an end.
 *
 * The bar appears on stderr only if that is a terminal, after one second of work, and is erased at
 * the end. SIGINT, SIGTERM and SIGHUP set a flag which the progress callback hands to the library:
 * the work stops, nothing half-done is left, and the process then ends by that signal. Over ranks
 * the bar is drawn by rank 0, on the job's terminal where stderr goes through the launcher. */
#ifndef ARMILLA_CLI_PROGRESS_H
#define ARMILLA_CLI_PROGRESS_H

/* Installs the signal handlers; quiet: no bar. */
void progress_setup(int quiet);

/* Names the work that comes next and its share of the whole, from .. to within 0 .. 1. */
void progress_stage(const char *name, double from, double to);

/* What comes next is the part from .. to of that work, within 0 .. 1. */
void progress_part(double from, double to);

/* Over ranks, on each of them: position, within 0 .. 1 of the whole command, is handed to this
 * function, and on rank 0 the bar stands where it says, at the slowest rank's. */
void progress_share(double (*slowest)(double position));

/* The callback for armilla_exec. */
int progress_report(void *data, double fraction);

/* Removes the bar from the screen, if there is one. */
void progress_erase(void);

/* Nonzero, with a message, if a signal asked for an end, on any rank: call before an output is
 * written. Collective. */
int progress_stopped(void);

/* A rank that waits for one that died is ended by its launcher, first by SIGTERM: that signal
 * removes this file at once. NULL: there is none. Call progress_stopped before it gets its name. */
void progress_guard(const char *temporary);

/* Removes that file. */
void progress_drop(void);

/* If a signal asked for an end, ends the process by it; otherwise does nothing. */
void progress_obey_signal(void);

#endif
