/* Completion of command lines, made from the tables of options: scripts for bash, zsh and fish. */
#ifndef ARMILLA_CLI_COMPLETION_H
#define ARMILLA_CLI_COMPLETION_H

/* Is there a script for a shell of this name? */
int completion_has(const char *shell);

/* Writes it to stdout. */
void completion_print(const char *shell);

#endif
