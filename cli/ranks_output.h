/* A file that ranks write together: what they have comes to rank 0, which writes it under a
 * temporary name, and gives it its own when all of it is there. */
#ifndef ARMILLA_CLI_RANKS_OUTPUT_H
#define ARMILLA_CLI_RANKS_OUTPUT_H

#include <armilla/armilla.h>

typedef struct ranks_output {
    const char *path;
    const char *temporary;                /* NULL on the other ranks */
    armilla_status begun;                 /* of what rank 0 has done to begin the file */
    int (*fill)(void *data);              /* collective; an exit code, after a message */
    armilla_status (*finish)(void *data); /* on rank 0 alone */
    void *data;                           /* handed to both */
} ranks_output;

/* Collective. An exit code, after a message unless CLI_OK: the file is then not there. */
int ranks_output_write(const ranks_output *self);

#endif
