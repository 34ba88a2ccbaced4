/* Makes the temporary file that a caller writes in place of the target, forces it to disk when it
 * is whole, and gives it the target's name by a rename, or by a hard link where no file may be
 * replaced. */
#include "io/atomic_file.h"

#include "base/memory.h"
#include "io/file_error.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    SHOWN_NAME = 200, /* of NAME in the temporary name: directories allow 255 bytes */
    RANDOM_LETTERS = 6,
    MAX_ATTEMPTS = 100
};

struct armilla_atomic_file {
    char *target;    /* the name to appear, symbolic links resolved */
    char *temporary; /* its neighbour */
    int overwrite;
    int created;    /* the temporary file exists */
    mode_t mode;    /* permissions of the file that is replaced; 0: there is none */
    sigset_t mask;  /* of the thread before begin */
    int was_queued; /* SIGXFSZ was pending before begin */
    int is_paused;  /* SIGXFSZ is not blocked */
};

/* --- SIGXFSZ ---------------------------------------------------------------------------------- */

static int is_queued(int number)
{
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, number) == 1;
}

static void block_size_signal(armilla_atomic_file *file)
{
    sigset_t block;
    sigemptyset(&block);
    sigaddset(&block, SIGXFSZ);
    file->was_queued = is_queued(SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &block, &file->mask);
}

/* Takes back a signal that our own writes raised before the old mask would deliver it. */
static void restore_size_signal(const armilla_atomic_file *file)
{
    sigset_t size;
    int number;
    sigemptyset(&size);
    sigaddset(&size, SIGXFSZ);
    if (!file->was_queued && is_queued(SIGXFSZ)) sigwait(&size, &number);
    pthread_sigmask(SIG_SETMASK, &file->mask, NULL);
}

void armilla_atomic_pause(armilla_atomic_file *file)
{
    restore_size_signal(file);
    file->is_paused = 1;
}

void armilla_atomic_resume(armilla_atomic_file *file)
{
    block_size_signal(file);
    file->is_paused = 0;
}

/* --- Target ----------------------------------------------------------------------------------- */

static armilla_status copy_text(const char *text, char **copy)
{
    size_t size = strlen(text) + 1;
    armilla_status status = armilla_allocate(copy, (int64_t)size, 1);
    if (!status) memcpy(*copy, text, size);
    return status;
}

static const char *kind_of(mode_t mode)
{
    if (S_ISDIR(mode)) return "a directory";
    if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "not a regular file";
}

/* The existing target may be replaced. */
static armilla_status check_existing(const char *path, const struct stat *info, int overwrite)
{
    const char *shown = armilla_path_shown(path);
    if (!S_ISREG(info->st_mode))
        return armilla_fail(ARMILLA_ERROR_IO, "%s: is %s: give the name of a regular file", shown,
                            kind_of(info->st_mode));
    if (!overwrite)
        return armilla_fail_as(
            EEXIST,
            armilla_fail(ARMILLA_ERROR_IO,
                         "%s: exists already: give another name or ask for overwriting", shown));
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS))
        return armilla_fail_file(path, "replace it", errno);
    return ARMILLA_OK;
}

/* Where the file will appear: the end of symbolic links. */
static armilla_status resolve_target(armilla_atomic_file *file, const char *path)
{
    struct stat info;
    if (lstat(path, &info)) {
        if (errno != ENOENT) return armilla_fail_file(path, "write it", errno);
        return copy_text(path, &file->target);
    }
    int is_link = S_ISLNK(info.st_mode);
    if (is_link && stat(path, &info)) return armilla_fail_file(path, "follow the link", errno);
    armilla_status status = check_existing(path, &info, file->overwrite);
    if (status) return status;
    file->mode = info.st_mode & 0777;
    if (!is_link) return copy_text(path, &file->target);
    char resolved[PATH_MAX];
    if (!realpath(path, resolved)) return armilla_fail_file(path, "follow the link", errno);
    return copy_text(resolved, &file->target);
}

/* Length of the directory part, with its slash. */
static size_t directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* --- Temporary file --------------------------------------------------------------------------- */

/* Letters that another process or thread hardly draws at the same time; O_EXCL does the rest. */
static void draw_letters(char letters[RANDOM_LETTERS])
{
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    static _Atomic uint64_t counter;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t x = (uint64_t)now.tv_nsec + ((uint64_t)now.tv_sec << 30);
    x ^= ((uint64_t)getpid() << 40) + atomic_fetch_add(&counter, 1) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9); /* the finalizer of SplitMix64 */
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    x ^= x >> 31;
    for (int i = 0; i < RANDOM_LETTERS; i++, x /= sizeof alphabet - 1)
        letters[i] = alphabet[x % (sizeof alphabet - 1)];
}

static armilla_status create_temporary(armilla_atomic_file *file, const char *path)
{
    size_t directory = directory_length(file->target);
    const char *name = file->target + directory;
    size_t size = directory + SHOWN_NAME + RANDOM_LETTERS + sizeof "...tmp";
    armilla_status status = armilla_allocate(&file->temporary, (int64_t)size, 1);
    for (int attempt = 0; !status && !file->created; attempt++) {
        char letters[RANDOM_LETTERS];
        draw_letters(letters);
        snprintf(file->temporary, size, "%.*s.%.*s.%.*s.tmp", (int)directory, file->target,
                 SHOWN_NAME, name, RANDOM_LETTERS, letters);
        int descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            file->created = 1;
            close(descriptor);
        } else if (errno != EEXIST || attempt == MAX_ATTEMPTS) {
            status = armilla_fail_file(path, "create a file in its directory", errno);
        }
    }
    return status;
}

static void free_file(armilla_atomic_file *file)
{
    armilla_release(file->target);
    armilla_release(file->temporary);
    armilla_release(file);
}

/* Names that ask for compression of a kind that nothing here writes. */
static armilla_status check_ending(const char *path)
{
    static const char *const endings[] = {".bz2", ".xz", ".zst", ".Z", ".zip"};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t tail = strlen(endings[i]);
        if (length >= tail && !strcmp(path + length - tail, endings[i]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "path = \"%s\": no file of the kind %s can be written; a name that "
                                "ends in .gz makes one that gzip packs",
                                armilla_path_shown(path), endings[i]);
    }
    return ARMILLA_OK;
}

armilla_status armilla_atomic_begin(const char *path, int overwrite, armilla_atomic_file **file)
{
    if (!path || !*path || path[strlen(path) - 1] == '/')
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "path = \"%s\": must name a file",
                            path ? armilla_path_shown(path) : "(null)");
    armilla_atomic_file *new = NULL;
    armilla_status status = check_ending(path);
    if (!status) status = armilla_allocate_zero(&new, 1, sizeof *new);
    if (status) return status;
    new->overwrite = overwrite != 0;
    status = resolve_target(new, path);
    if (!status) status = create_temporary(new, path);
    if (status) {
        free_file(new);
        return status;
    }
    block_size_signal(new);
    *file = new;
    return ARMILLA_OK;
}

const char *armilla_atomic_name(const armilla_atomic_file *file)
{
    return file->temporary;
}

/* --- Commit ----------------------------------------------------------------------------------- */

/* Forces the contents to disk; also where a delayed write error shows up. */
static armilla_status sync_contents(const armilla_atomic_file *file)
{
    int descriptor = open(file->temporary, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return armilla_fail_file(file->target, "reopen what was written", errno);
    int failed = file->mode && fchmod(descriptor, file->mode);
    failed = failed || fsync(descriptor);
    int error = errno;
    if (close(descriptor) && !failed) {
        failed = 1;
        error = errno;
    }
    return failed ? armilla_fail_file(file->target, "write it to disk", error) : ARMILLA_OK;
}

static int rename_over(armilla_atomic_file *file)
{
    if (rename(file->temporary, file->target)) return -1;
    file->created = 0;
    return 0;
}

/* Filesystems without hard links (FAT): claims the name with an empty file, then replaces it. */
static int claim_and_rename(armilla_atomic_file *file)
{
    int descriptor = open(file->target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) return -1;
    close(descriptor);
    if (rename_over(file) == 0) return 0;
    int error = errno;
    unlink(file->target);
    errno = error;
    return -1;
}

/* Gives the file its name. link() fails where rename() would replace a file that has appeared
 * since begin; the second name, the temporary one, goes in finish. */
static int publish(armilla_atomic_file *file)
{
    if (file->overwrite) return rename_over(file);
    if (link(file->temporary, file->target) == 0) return 0;
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK) return -1;
    return claim_and_rename(file);
}

/* Makes the new name itself durable. Some filesystems cannot sync a directory: no error. */
static armilla_status sync_directory(const armilla_atomic_file *file)
{
    char directory[PATH_MAX] = ".";
    size_t length = directory_length(file->target);
    if (length >= sizeof directory) return ARMILLA_OK;
    if (length) snprintf(directory, sizeof directory, "%.*s", (int)length, file->target);
    int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return ARMILLA_OK; /* no permission to list it */
    int failed = fsync(descriptor) && errno == EIO;
    close(descriptor);
    return failed ? armilla_fail_file(directory, "write the directory to disk", EIO) : ARMILLA_OK;
}

static void finish(armilla_atomic_file *file)
{
    if (file->created) unlink(file->temporary);
    if (!file->is_paused) restore_size_signal(file);
    free_file(file);
}

armilla_status armilla_atomic_commit(armilla_atomic_file *file)
{
    armilla_status status = sync_contents(file);
    if (!status && publish(file))
        status = armilla_fail_file(file->target, "give the finished file its name", errno);
    if (!status) status = sync_directory(file);
    finish(file);
    return status;
}

void armilla_atomic_abort(armilla_atomic_file *file)
{
    if (file) finish(file);
}
