/* Checks that files appear whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "io/atomic_file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[64];

static int enter_directory(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/armilla_atomic_XXXXXX");
    return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int count_entries(void)
{
    DIR *stream = opendir(".");
    int count = 0;
    while (readdir(stream)) count++;
    closedir(stream);
    return count - 2;
}

static int leave_directory(void **state)
{
    (void)state;
    DIR *stream = opendir(".");
    for (struct dirent *entry; (entry = readdir(stream));)
        if (entry->d_name[0] != '.' || strlen(entry->d_name) > 2) remove(entry->d_name);
    closedir(stream);
    return chdir("/") || rmdir(directory);
}

static void put(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

static void assert_holds(const char *path, const char *text)
{
    char found[64] = "";
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    size_t length = fread(found, 1, sizeof found - 1, stream);
    fclose(stream);
    found[length] = '\0';
    assert_string_equal(found, text);
}

static armilla_status write_text(const char *path, int overwrite, const char *text)
{
    armilla_atomic_file *file;
    armilla_status status = armilla_atomic_begin(path, overwrite, &file);
    if (status) return status;
    put(armilla_atomic_name(file), text);
    return armilla_atomic_commit(file);
}

static void assert_message_has(const char *part)
{
    if (!strstr(armilla_status_message(), part))
        fail_msg("\"%s\" lacks \"%s\"", armilla_status_message(), part);
}

static void file_appears_at_commit_only(void **state)
{
    (void)state;
    armilla_atomic_file *file;
    assert_int_equal(armilla_atomic_begin("a.txt", 0, &file), ARMILLA_OK);
    const char *name = armilla_atomic_name(file);
    assert_memory_equal(name, ".a.txt.", 7);
    assert_string_equal(name + strlen(name) - 4, ".tmp");
    put(name, "whole");
    assert_int_equal(access("a.txt", F_OK), -1);
    assert_int_equal(armilla_atomic_commit(file), ARMILLA_OK);
    assert_holds("a.txt", "whole");
    assert_int_equal(count_entries(), 1);
}

static void existing_file_needs_overwrite(void **state)
{
    (void)state;
    put("a.txt", "old");
    assert_int_equal(write_text("a.txt", 0, "new"), ARMILLA_ERROR_IO);
    assert_message_has("a.txt: exists already");
    assert_holds("a.txt", "old");
    assert_int_equal(chmod("a.txt", 0640), 0);
    assert_int_equal(write_text("a.txt", 1, "new"), ARMILLA_OK);
    assert_holds("a.txt", "new");
    struct stat info;
    assert_int_equal(stat("a.txt", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(count_entries(), 1);
}

static void file_that_appears_before_commit_is_kept(void **state)
{
    (void)state;
    armilla_atomic_file *file;
    assert_int_equal(armilla_atomic_begin("a.txt", 0, &file), ARMILLA_OK);
    put("a.txt", "somebody else's");
    assert_int_equal(armilla_atomic_commit(file), ARMILLA_ERROR_IO);
    assert_holds("a.txt", "somebody else's");
    assert_int_equal(count_entries(), 1);
}

static void abort_leaves_nothing(void **state)
{
    (void)state;
    armilla_atomic_file *file;
    armilla_atomic_abort(NULL);
    assert_int_equal(armilla_atomic_begin("a.txt", 0, &file), ARMILLA_OK);
    armilla_atomic_abort(file);
    assert_int_equal(armilla_atomic_begin("a.txt", 0, &file), ARMILLA_OK);
    assert_int_equal(unlink(armilla_atomic_name(file)), 0); /* the caller may remove it */
    armilla_atomic_abort(file);
    assert_int_equal(count_entries(), 0);
}

static void only_regular_files_are_replaced(void **state)
{
    (void)state;
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(mkfifo("pipe", 0666), 0);
    assert_int_equal(symlink("/dev/null", "link"), 0);
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    const char *names[] = {"folder", "pipe", "/dev/null", "link", "dangling", "no/a/b", "."};
    const char *words[] = {"a directory", "a pipe",  "a device",   "a device",
                           "No such",     "No such", "a directory"};
    for (int i = 0; i < 7; i++) {
        assert_int_equal(write_text(names[i], 1, "x"), ARMILLA_ERROR_IO);
        assert_message_has(words[i]);
        assert_message_has(names[i]);
    }
    assert_int_equal(write_text("", 1, "x"), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(write_text(NULL, 1, "x"), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(write_text("folder/", 1, "x"), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(count_entries(), 4);
}

static void link_to_a_file_stays_a_link(void **state)
{
    (void)state;
    assert_int_equal(mkdir("sub", 0777), 0);
    put("sub/real", "old");
    assert_int_equal(symlink("sub/real", "link"), 0);
    assert_int_equal(write_text("link", 1, "new"), ARMILLA_OK);
    assert_holds("sub/real", "new");
    struct stat info;
    assert_int_equal(lstat("link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(unlink("sub/real"), 0);
}

static void long_and_odd_names_work(void **state)
{
    (void)state;
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    assert_int_equal(write_text(name, 0, "long"), ARMILLA_OK);
    assert_holds(name, "long");
    assert_int_equal(write_text(" ~[0]!*.fits", 0, "odd"), ARMILLA_OK);
    assert_holds(" ~[0]!*.fits", "odd");
    assert_int_equal(count_entries(), 2);
}

static void missing_permission_is_reported(void **state)
{
    (void)state;
    put("a.txt", "old");
    assert_int_equal(chmod("a.txt", 0444), 0);
    uid_t user = geteuid(); /* root may do everything: become nobody meanwhile */
    if (user == 0) assert_int_equal(chmod(".", 0777), 0);
    if (user == 0) assert_int_equal(seteuid(65534), 0);
    armilla_status protected_file = write_text("a.txt", 1, "new");
    assert_message_has("a.txt: could not replace it: Permission denied");
    if (user == 0) assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(".", 0555), 0);
    if (user == 0) assert_int_equal(seteuid(65534), 0);
    armilla_status protected_directory = write_text("b.txt", 1, "new");
    assert_message_has("b.txt: could not create a file in its directory: Permission denied");
    if (user == 0) assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(".", 0777), 0);
    assert_int_equal(protected_file, ARMILLA_ERROR_IO);
    assert_int_equal(protected_directory, ARMILLA_ERROR_IO);
    assert_holds("a.txt", "old");
    assert_int_equal(count_entries(), 1);
}

/* The default action of SIGXFSZ would end this process. */
static void size_limit_does_not_kill(void **state)
{
    (void)state;
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 100;
    armilla_atomic_file *file;
    assert_int_equal(armilla_atomic_begin("a.txt", 0, &file), ARMILLA_OK);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int descriptor = open(armilla_atomic_name(file), O_WRONLY);
    char bytes[200] = "";
    assert_int_equal(write(descriptor, bytes, 200), 100);
    assert_int_equal(write(descriptor, bytes, 200), -1);
    assert_int_equal(errno, EFBIG);
    close(descriptor);
    armilla_atomic_abort(file);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    sigset_t mask;
    assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &mask), 0);
    assert_int_equal(sigismember(&mask, SIGXFSZ), 0);
    assert_int_equal(count_entries(), 0);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    int failures = 0;
    armilla_status status = ARMILLA_ERROR_MEMORY;
    for (int n = 0; status; n++) {
        armilla_memory_fail_after(n);
        status = write_text("a.txt", 0, "text");
        armilla_memory_fail_after(-1);
        if (status) assert_int_equal(status, ARMILLA_ERROR_MEMORY);
        if (status) assert_int_equal(count_entries(), 0);
        failures += status != 0;
    }
    assert_int_equal(failures, 3);
    assert_holds("a.txt", "text");
}

#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, enter_directory, leave_directory)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(file_appears_at_commit_only),
        IN_DIRECTORY(existing_file_needs_overwrite),
        IN_DIRECTORY(file_that_appears_before_commit_is_kept),
        IN_DIRECTORY(abort_leaves_nothing),
        IN_DIRECTORY(only_regular_files_are_replaced),
        IN_DIRECTORY(link_to_a_file_stays_a_link),
        IN_DIRECTORY(long_and_odd_names_work),
        IN_DIRECTORY(missing_permission_is_reported),
        IN_DIRECTORY(size_limit_does_not_kill),
        IN_DIRECTORY(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
