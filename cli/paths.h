/* Checks of file names before any work begins: a mistake must not cost an hour. */
#ifndef ARMILLA_CLI_PATHS_H
#define ARMILLA_CLI_PATHS_H

enum { MAX_PATHS = 4 };

/* What an output is: a name that belongs to another format is refused. */
typedef enum path_format {
    PATH_FITS = 0,
    PATH_SPECTRA, /* FITS, or text where path_is_text */
    PATH_TEXT,
    PATH_PICTURE /* PNG or SVG */
} path_format;

/* A file and the option that named it ("" for an argument); path NULL: not given. */
typedef struct named_path {
    const char *option, *path;
} named_path;

typedef struct path_list {
    named_path inputs[MAX_PATHS], outputs[MAX_PATHS];
    path_format format; /* of the outputs */
    int overwrite;
    int is_optional; /* may outputs[0] be missing? */
} path_list;

/* Inputs must be readable files that are not empty, or streams (spool.h), which ranks refuse;
 * outputs[0] must be given unless it is optional, and may be standard output where it is text;
 * outputs must have no name that ends as those of another format do, lie in a directory that can be
 * written to, be new or (with overwrite) regular files, and differ from the inputs and from each
 * other. Returns CLI_OK, or CLI_USAGE after a message. */
int paths_check(const path_list *list);

/* The check of one input. */
int paths_check_input(const named_path *file);

/* Does the name mean text: does it end in .txt or .dat, or is it standard output? */
int path_is_text(const char *path);

/* Does path end in ending, whatever the case of the letters? */
int path_ends_in(const char *path, const char *ending);

#endif
