/* The progress bar, and the signals that ask for an end.
 *
 * The bar appears on stderr only if that is a terminal, after one second of work, and is erased at
 * the end. SIGINT, SIGTERM and SIGHUP set a flag which the progress callback hands to the library:
 * the work stops, nothing half-done is left, and the process then ends by that signal. */
#ifndef ARMILLA_CLI_PROGRESS_H
#define ARMILLA_CLI_PROGRESS_H

/* Installs the signal handlers; quiet: no bar. */
void progress_setup(int quiet);

/* Names the work that comes next and its share of the whole, from .. to within 0 .. 1. */
void progress_stage(const char *name, double from, double to);

/* The callback for armilla_exec. */
int progress_report(void *data, double fraction);

/* Removes the bar from the screen, if there is one. */
void progress_erase(void);

/* Nonzero, with a message, if a signal asked for an end: call before an output is written. */
int progress_stopped(void);

/* If a signal asked for an end, ends the process by it; otherwise does nothing. */
void progress_obey_signal(void);

#endif
