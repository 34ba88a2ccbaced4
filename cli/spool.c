/* Copies what comes through pipes into files in $TMPDIR or /tmp. Where the system lists the open
 * files of a process, the copy loses its own name at once, so that nothing can be left of it. */
#include "spool.h"

#include "message.h"
#include "options.h"
#include "progress.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 16, NAME = 4096, BLOCK = 1 << 16, PATIENCE_MS = 500 };

typedef struct copy {
    char name[NAME];          /* what is read */
    int descriptor, is_named; /* named: to be removed at the end */
    struct stat stream;       /* where it came from */
} copy;

static copy *copies[MOST];
static int ncopies;

static int is_standard_input(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0;
}

int spool_is_standard_output(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

int spool_is_stream(const char *path)
{
    struct stat info;
    if (is_standard_input(path)) return 1;
    return stat(path, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode));
}

/* --- One copy --------------------------------------------------------------------------------- */

static int wrong(const char *by, const char *path, const char *what)
{
    return work_error("%s%s\"%s\": %s", by, *by ? " " : "", path, what);
}

static int no_room(const char *by, const char *path)
{
    return work_error("%s%s\"%s\": cannot be copied into TMPDIR: %s", by, *by ? " " : "", path,
                      strerror(errno));
}

/* Opens a file in $TMPDIR and chooses the name that it is read by. */
static int make_room(copy *self)
{
    const char *folder = getenv("TMPDIR");
    char listed[64];
    if (!folder || !*folder) folder = "/tmp";
    const int length = snprintf(self->name, sizeof self->name, "%s/armilla-XXXXXX", folder);
    self->descriptor = length < NAME ? mkstemp(self->name) : -1;
    if (self->descriptor < 0) return -1;
    snprintf(listed, sizeof listed, "/proc/self/fd/%d", self->descriptor);
    self->is_named = access(listed, R_OK | W_OK) != 0;
    if (self->is_named) return 0;
    unlink(self->name);
    snprintf(self->name, sizeof self->name, "%s", listed);
    return 0;
}

static int write_all(int descriptor, const char *bytes, ssize_t count)
{
    while (count > 0) {
        const ssize_t written = write(descriptor, bytes, (size_t)count);
        if (written < 0 && errno != EINTR) return -1;
        if (written > 0) bytes += written, count -= written;
    }
    return 0;
}

/* Waits for bytes; a signal that asks for an end ends the wait. */
static int wait_for_bytes(int descriptor)
{
    struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
    while (poll(&wanted, 1, PATIENCE_MS) <= 0)
        if (progress_report(NULL, 0)) return progress_stopped() ? CLI_FAILED : CLI_OK;
    return CLI_OK;
}

static int fill(const char *by, const char *path, int from, int to)
{
    char *block = malloc(BLOCK);
    int64_t total = 0;
    ssize_t count = 1;
    int code = block ? CLI_OK : memory_error();
    while (code == CLI_OK && count > 0) {
        code = wait_for_bytes(from);
        if (code != CLI_OK) break;
        count = read(from, block, BLOCK);
        if (count < 0) code = wrong(by, path, strerror(errno));
        total += count;
        if (count > 0 && write_all(to, block, count) != 0) code = no_room(by, path);
    }
    if (code == CLI_OK && total == 0) code = wrong(by, path, "is empty");
    free(block);
    return code;
}

/* A stream gives its bytes once. */
static int check_once(const char *by, const char *path, const struct stat *stream)
{
    for (int i = 0; i < ncopies; i++)
        if (copies[i]->stream.st_dev == stream->st_dev &&
            copies[i]->stream.st_ino == stream->st_ino)
            return usage_error(
                "%s%s\"%s\": a stream can be read once only, and an earlier input has read it", by,
                *by ? " " : "", path);
    return ncopies < MOST ? CLI_OK : usage_error("more than %d inputs are streams", MOST);
}

static int copy_from(const char *by, const char **path, int from)
{
    copy *self = calloc(1, sizeof *self);
    if (!self) return memory_error();
    int code = fstat(from, &self->stream) ? wrong(by, *path, strerror(errno))
                                          : check_once(by, *path, &self->stream);
    if (code == CLI_OK && make_room(self) != 0) code = no_room(by, *path);
    if (code != CLI_OK) {
        free(self);
        return code;
    }
    copies[ncopies++] = self;
    code = fill(by, *path, from, self->descriptor);
    message_alias(self->name, *path);
    *path = self->name;
    return code;
}

static int take(const char *by, const char **path)
{
    if (!*path || !spool_is_stream(*path)) return CLI_OK;
    if (is_standard_input(*path)) return copy_from(by, path, STDIN_FILENO);
    const int from = open(*path, O_RDONLY | O_CLOEXEC);
    if (from < 0) return wrong(by, *path, strerror(errno));
    const int code = copy_from(by, path, from);
    close(from);
    return code;
}

/* --- All of a command ------------------------------------------------------------------------- */

/* The first row of the table that has the value: another name of an option has the same place. */
static int is_first_name(const option *table, const option *row)
{
    while (table->offset != row->offset) table++;
    return table == row;
}

static int take_options(const option *table, common *arguments)
{
    char name[64];
    int code = CLI_OK;
    for (const option *row = table; row->name && code == CLI_OK; row++) {
        if (row->kind != OPTION_INPUT || !is_first_name(table, row)) continue;
        snprintf(name, sizeof name, "--%s", row->name);
        code = take(name, (const char **)(void *)((char *)arguments + row->offset));
    }
    return code;
}

int spool_inputs(const command *self, common *arguments)
{
    int code = CLI_OK;
    for (int64_t i = 0; i < arguments->nfiles && code == CLI_OK; i++)
        code = take("", &arguments->files[i]);
    for (int t = 0; t < MAX_TABLES && self->tables[t] && code == CLI_OK; t++)
        code = take_options(self->tables[t], arguments);
    return code;
}

void spool_free(void)
{
    message_alias(NULL, NULL);
    while (ncopies > 0) {
        copy *last = copies[--ncopies];
        close(last->descriptor);
        if (last->is_named) unlink(last->name);
        free(last);
    }
}
