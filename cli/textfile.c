/* Writes the text output of a command to standard output, or into a temporary file beside the
 * target. When all of it is on disk the file gets the target's name; after a failure it is removed.
 */
#include "textfile.h"

#include "message.h"
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int textfile_open(const char *path, int overwrite, textfile *self)
{
    self->path = path;
    self->overwrite = overwrite;
    self->is_standard = spool_is_standard_output(path);
    if (self->is_standard) {
        self->stream = stdout;
        return CLI_OK;
    }
    size_t length = (size_t)snprintf(self->temporary, sizeof self->temporary, "%s.XXXXXX", path);
    if (length >= sizeof self->temporary) return usage_error("-o: this name is too long");
    int descriptor = mkstemp(self->temporary);
    if (descriptor < 0) return work_error("-o \"%s\": %s", path, strerror(errno));
    mode_t mask = umask(0); /* the only way to ask for it */
    umask(mask);
    fchmod(descriptor, 0666 & ~mask); /* mkstemp makes files that only the owner can read */
    self->stream = fdopen(descriptor, "w");
    if (self->stream) return CLI_OK;
    close(descriptor);
    unlink(self->temporary);
    return memory_error();
}

/* Gives the file its name; without overwrite link() refuses a file that appeared in the meantime.
 */
static int publish(const textfile *self)
{
    if (self->overwrite) return rename(self->temporary, self->path);
    if (link(self->temporary, self->path) == 0) return unlink(self->temporary);
    if (errno == EEXIST) return -1;
    return rename(self->temporary, self->path); /* a file system without hard links */
}

int textfile_close(textfile *self)
{
    if (self->is_standard) return finish_stdout(CLI_OK);
    int written = fflush(self->stream) == 0 && !ferror(self->stream);
    if (written) written = fsync(fileno(self->stream)) == 0;
    int problem = written ? 0 : errno;
    if (fclose(self->stream) != 0 && !problem) problem = errno;
    self->stream = NULL;
    if (!problem && publish(self) == 0) return CLI_OK;
    if (!problem) problem = errno;
    unlink(self->temporary);
    return work_error("-o \"%s\": %s", self->path, strerror(problem));
}
