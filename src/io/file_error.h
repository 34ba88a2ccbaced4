/* Messages about files: "PATH: could not ACTION: reason of the operating system". */
#ifndef ARMILLA_IO_FILE_ERROR_H
#define ARMILLA_IO_FILE_ERROR_H

#include "base/status.h"

/* Longest piece of a path that a message shows. */
enum { ARMILLA_SHOWN_PATH = 160 };

/* Returned: path, or its end when it is too long for a message. */
const char *armilla_path_shown(const char *path);

/* Records "PATH: could not ACTION: REASON" and returns ARMILLA_ERROR_IO (MEMORY for ENOMEM).
 * Given:    path;  action, such as "open it";  error  value of errno. */
armilla_status armilla_fail_file(const char *path, const char *action, int error);

#endif
