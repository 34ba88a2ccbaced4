/* armilla_io_header and armilla_raw_table_read of anything: the HDU is chosen by the file's size.
 */
#include "support.h"

#include <string.h>

enum { SMALL = 4 << 20, EXPANSION = 64 };

/* Looks at all bytes, so that AddressSanitizer sees their array. Returned: how many are not 0. */
static int64_t count_bytes(const armilla_raw_table *table)
{
    int64_t count = 0;
    for (int64_t i = 0; i < table->rows * table->row_bytes; i++) count += table->bytes[i] != 0;
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = NULL;
    armilla_raw_table *table = NULL;
    const char *path = fuzz_file(data, size);
    const int hdu = (int)(size % 4);
    fuzz_memory_begin(INT64_MAX);
    armilla_status status = armilla_io_header(path, hdu, &text);
    fuzz_require_outcome(status, text);
    if (text) fuzz_require(strlen(text) == 0 || text[strlen(text) - 1] == '\n', "no lines");
    armilla_io_text_free(text);
    status = armilla_raw_table_read(path, hdu, &table);
    fuzz_require(fuzz_memory_asked() <= SMALL + EXPANSION * (int64_t)size,
                 "memory out of proportion");
    fuzz_require_outcome(status, table);
    if (table)
        fuzz_require(count_bytes(table) <= table->rows * table->row_bytes && *table->header,
                     "no table");
    armilla_raw_table_free(table);
    return 0;
}
