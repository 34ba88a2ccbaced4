/* Rotations as they are typed: --coord FROM,TO and --euler A,B,C. */
#ifndef ARMILLA_CLI_ROTATION_H
#define ARMILLA_CLI_ROTATION_H

#include <armilla/armilla.h>

/* Given:    coord, euler  texts of the options; NULL: not given; one of them must be.
 * Returned: *rotation; an exit code, after a message unless CLI_OK. */
int rotation_parse(const char *coord, const char *euler, armilla_rotation *rotation);

/* Is --coord that of a file whose COORDSYS is this (0: unknown)? CLI_OK, or CLI_USAGE after a
 * message. */
int rotation_check_file(const char *coord, const char *path, char coordsys);

/* Are two files that are combined in one system, where both say theirs? label: what names the
 * second, such as "--mask"; "" for an argument. CLI_OK, or CLI_USAGE after a message. */
int rotation_check_same(const char *label, const char *path, char coordsys, const char *first,
                        char first_coordsys);

#endif
