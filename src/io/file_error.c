/* Turns a value of errno into an error message that names the file, what was being done with it,
 * and the reason of the operating system; of a long path the message shows the end. */
#include "io/file_error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const char *armilla_path_shown(const char *path)
{
    size_t length = strlen(path);
    return length <= ARMILLA_SHOWN_PATH ? path : path + (length - ARMILLA_SHOWN_PATH);
}

armilla_status armilla_fail_file(const char *path, const char *action, int error)
{
    char reason[128];
    if (strerror_r(error, reason, sizeof reason))
        snprintf(reason, sizeof reason, "system error %d", error);
    const armilla_status status =
        armilla_fail(error == ENOMEM ? ARMILLA_ERROR_MEMORY : ARMILLA_ERROR_IO,
                     "%s: could not %s: %s", armilla_path_shown(path), action, reason);
    return armilla_fail_as(error, status);
}
