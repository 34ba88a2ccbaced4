/* What a command line says, whichever program it is given to. */
#ifndef ARMILLA_CLI_RUN_H
#define ARMILLA_CLI_RUN_H

/* Collective (ranks.h). Given: argc, argv  of main. Returned: the exit code, after a message unless
 * it is CLI_OK. A signal that asked for an end is obeyed after that: progress_obey_signal. */
int run_command_line(int argc, char **argv);

#endif
