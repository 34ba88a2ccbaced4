/* The progress of the slowest rank. */
#ifndef ARMILLA_CLI_MPI_BAR_H
#define ARMILLA_CLI_MPI_BAR_H

/* Collective: ranks begin to tell rank 0 how far they are, and end it. */
void bar_begin(void);
void bar_end(void);

#endif
