/* Gives the fuzz targets a file that is in memory, a limit on what readers allocate, and conditions
 * that end the process where they do not hold. The linker sends the readers' allocations through
 * __wrap_armilla_allocate and __wrap_armilla_allocate_zero (CMakeLists.txt). */
#include "support.h"

#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* --- File ------------------------------------------------------------------------------------- */

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char path[64];
    static int descriptor = -1;
    if (descriptor < 0) {
        descriptor = memfd_create("armilla", MFD_CLOEXEC);
        fuzz_require(descriptor >= 0, "no file in memory");
        snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    }
    fuzz_require(ftruncate(descriptor, (off_t)size) == 0, "the file cannot change its size");
    size_t written = 0;
    while (written < size) {
        ssize_t count = pwrite(descriptor, data + written, size - written, (off_t)written);
        fuzz_require(count > 0, "the file cannot be written");
        written += (size_t)count;
    }
    return path;
}

/* --- Memory ----------------------------------------------------------------------------------- */

static int64_t asked, limit = INT64_MAX;

armilla_status __real_armilla_allocate(void *pointer, int64_t count, size_t size);
armilla_status __real_armilla_allocate_zero(void *pointer, int64_t count, size_t size);
armilla_status __wrap_armilla_allocate(void *pointer, int64_t count, size_t size);
armilla_status __wrap_armilla_allocate_zero(void *pointer, int64_t count, size_t size);

void fuzz_memory_begin(int64_t refused)
{
    asked = 0;
    limit = refused;
}

int64_t fuzz_memory_asked(void)
{
    return asked;
}

/* Requests that overflow 64 bits are left to the library to refuse. */
static int must_refuse(int64_t count, size_t size)
{
    int64_t bytes, sum;
    if (count < 0 || __builtin_mul_overflow(count, (int64_t)size, &bytes)) return 0;
    asked = __builtin_add_overflow(asked, bytes, &sum) ? INT64_MAX : sum;
    return asked > limit;
}

static armilla_status refuse(void *pointer)
{
    memset(pointer, 0, sizeof(void *));
    return armilla_fail_memory(asked);
}

armilla_status __wrap_armilla_allocate(void *pointer, int64_t count, size_t size)
{
    if (must_refuse(count, size)) return refuse(pointer);
    return __real_armilla_allocate(pointer, count, size);
}

armilla_status __wrap_armilla_allocate_zero(void *pointer, int64_t count, size_t size)
{
    if (must_refuse(count, size)) return refuse(pointer);
    return __real_armilla_allocate_zero(pointer, count, size);
}

/* --- Conditions ------------------------------------------------------------------------------- */

void fuzz_require(int condition, const char *sentence)
{
    if (condition) return;
    fprintf(stderr, "finding: %s; last message: %s\n", sentence, armilla_status_message());
    abort();
}

void fuzz_require_outcome(armilla_status status, const void *result)
{
    fuzz_require(status != ARMILLA_ERROR_INTERNAL, "an internal error");
    fuzz_require((status == ARMILLA_OK) == (result != NULL), "status and result disagree");
    fuzz_require(!status || *armilla_status_message(), "an error without a message");
}

int64_t fuzz_count_nans(int64_t count, const double *values)
{
    int64_t nans = 0;
    for (int64_t i = 0; i < count; i++) nans += isnan(values[i]) != 0;
    return nans;
}
