/* armilla_io_describe and armilla_io_verify of anything. */
#include "support.h"

#include <string.h>

enum { SMALL = 4 << 20, EXPANSION = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = NULL;
    const char *path = fuzz_file(data, size);
    fuzz_memory_begin(INT64_MAX);
    armilla_status status = armilla_io_describe(path, &text);
    fuzz_require(fuzz_memory_asked() <= SMALL + EXPANSION * (int64_t)size,
                 "memory out of proportion");
    fuzz_require_outcome(status, text);
    if (text) fuzz_require(*text && text[strlen(text) - 1] == '\n', "no text");
    armilla_io_text_free(text);
    status = armilla_io_verify(path); /* it may find whole what has numbers that cannot be read */
    fuzz_require(status != ARMILLA_ERROR_INTERNAL && status != ARMILLA_ERROR_ARGUMENT,
                 "an error of the file was expected");
    return 0;
}
