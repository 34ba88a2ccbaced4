/* Files that appear whole or not at all.
 *
 * begin makes an empty file .NAME.XXXXXX.tmp in the target's directory; the caller writes it (or
 * removes and creates it again under the same name) and closes it; commit forces it to disk and
 * gives it the target's name in one step. A failure or a kill at any moment leaves the old file,
 * or none, under the target's name; after a kill a temporary file may stay, which nothing reads
 * and which disturbs no later write.
 *
 * Thread rule: begin and commit or abort of one file in the same thread, or pause between them.
 * From one to the other SIGXFSZ is blocked in this thread, so that a file size limit is reported as
 * a write error (EFBIG) and does not kill the process. */
#ifndef ARMILLA_IO_ATOMIC_FILE_H
#define ARMILLA_IO_ATOMIC_FILE_H

#include "base/status.h"

typedef struct armilla_atomic_file armilla_atomic_file;

/* Given:    path  of the target; a symbolic link to a file is followed, the link stays;
 *           overwrite  0: refuse an existing file (also one that appears before commit).
 * Returned: *file  new; end it with armilla_atomic_commit or armilla_atomic_abort.
 * Errors:   ARGUMENT (empty path);  IO (exists, write-protected, a directory or a device, no
 *           permission, ...);  MEMORY. */
armilla_status armilla_atomic_begin(const char *path, int overwrite, armilla_atomic_file **file);

/* Returned: path of the temporary file, for the caller to write. */
const char *armilla_atomic_name(const armilla_atomic_file *file);

/* Gives the thread its signals back until the next resume, which may be in another thread, and must
 * come before more is written or the file is committed: for files that stay open while the caller
 * does other things, and more than one of them at once. */
void armilla_atomic_pause(armilla_atomic_file *file);
void armilla_atomic_resume(armilla_atomic_file *file);

/* Publishes the file and frees the handle, whatever happens.
 * Errors:   IO  (write error, no space, target appeared); the temporary file is removed then. */
armilla_status armilla_atomic_commit(armilla_atomic_file *file);

/* Removes the temporary file and frees the handle, paused or not. NULL is allowed. */
void armilla_atomic_abort(armilla_atomic_file *file);

#endif
