/* Checks of file names before any work begins: a mistake must not cost an hour. */
#ifndef ARMILLA_CLI_PATHS_H
#define ARMILLA_CLI_PATHS_H

enum { MAX_PATHS = 3 };

/* A file and the option that named it ("" for an argument); path NULL: not given. */
typedef struct named_path {
    const char *option, *path;
} named_path;

typedef struct path_list {
    named_path inputs[MAX_PATHS], outputs[MAX_PATHS];
    int overwrite;
} path_list;

/* Inputs must be readable files that are not empty; outputs[0] must be given; outputs must lie in a
 * directory that can be written to, be new or (with overwrite) regular files, and differ from the
 * inputs and from each other. Returns CLI_OK, or CLI_USAGE after a message. */
int paths_check(const path_list *list);

/* The check of one input. */
int paths_check_input(const named_path *file);

/* Does path end in ending, whatever the case of the letters? */
int path_ends_in(const char *path, const char *ending);

#endif
