/* The system's calls for memory by whole pages, and for protection keys. A call that fails ends the
 * process with its name, the system's reason, and the number of mappings that the process has, of
 * which the kernel allows only so many: each stretch of pages that differs from its neighbours in
 * access, key, file or history is one. */
#include "machine.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace emulation
{
/* -1: unknown. */
static long long largest_number_of_mappings()
{
    long long most = -1;
    FILE *file = fopen("/proc/sys/vm/max_map_count", "r");
    if (file && fscanf(file, "%lld", &most) != 1) most = -1;
    if (file) fclose(file);
    return most;
}

static void check_pages(bool done, const char *call, const char *pages, size_t bytes)
{
    if (done) return;
    const char *reason = strerror(errno);
    fail("%s of %zu bytes at %p: %s; the process has %lld mappings, vm.max_map_count is %lld", call,
         bytes, static_cast<const void *>(pages), reason, (long long)cuda_emulation_mappings(),
         largest_number_of_mappings());
}

size_t page_size()
{
    static const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    return bytes;
}

size_t whole_pages(size_t bytes)
{
    return (bytes + page_size() - 1) / page_size() * page_size();
}

char *new_pages(size_t bytes, int access, int flags)
{
    void *pages = mmap(nullptr, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return pages == MAP_FAILED ? nullptr : static_cast<char *>(pages);
}

void renew_pages(char *pages, size_t bytes, int access, int flags)
{
    flags |= MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    check_pages(mmap(pages, bytes, access, flags, -1, 0) == pages, "mmap", pages, bytes);
}

void map_file(char *pages, size_t bytes, int access, int file)
{
    void *mapped = mmap(pages, bytes, access, MAP_SHARED | MAP_FIXED, file, 0);
    check_pages(mapped == pages, "mmap of a file", pages, bytes);
}

void protect_pages(char *pages, size_t bytes, int access)
{
    check_pages(mprotect(pages, bytes, access) == 0, "mprotect", pages, bytes);
}

void protect_pages_by_key(char *pages, size_t bytes, int access, int key)
{
    check_pages(pkey_mprotect(pages, bytes, access, key) == 0, "pkey_mprotect", pages, bytes);
}

void unmap_pages(char *pages, size_t bytes)
{
    check_pages(munmap(pages, bytes) == 0, "munmap", pages, bytes);
}

int new_key()
{
    const int key = pkey_alloc(0, PKEY_DISABLE_ACCESS);
    /* EINVAL: of Linux on a processor without keys, since both arguments are valid */
    check_call(key >= 0 || errno == ENOSPC || errno == ENOSYS || errno == EINVAL, "pkey_alloc");
    return key;
}

void free_key(int key)
{
    check_call(pkey_free(key) == 0, "pkey_free");
}

void set_key(int key, bool open)
{
    check_call(pkey_set(key, open ? 0 : PKEY_DISABLE_ACCESS) == 0, "pkey_set");
}
} // namespace emulation

int64_t cuda_emulation_mappings(void)
{
    int64_t lines = 0;
    FILE *file = fopen("/proc/self/maps", "r");
    if (!file) return -1;
    for (int c; (c = getc(file)) != EOF;) lines += c == '\n';
    fclose(file);
    return lines;
}
