/* What is asked of armilla_cl_read, whatever the format. */
#ifndef ARMILLA_TESTS_FUZZ_CL_CHECKS_H
#define ARMILLA_TESTS_FUZZ_CL_CHECKS_H

#include "support.h"

#include <string.h>

/* Spectra may begin at a high degree, so that the reader believes up to 2^24 numbers of a small
 * file, or 1024 for each of its own (src/io/cl_table.h). */
enum { CL_BELIEVED = 132 << 20, CL_EXPANSION = 4096 };

static inline void check_cl(const armilla_cl_file *cl)
{
    fuzz_require(cl->lmax >= 0 && cl->nspectra >= 1, "lmax, nspectra");
    fuzz_require(cl->type == ARMILLA_IO_DOUBLE || cl->type == ARMILLA_IO_FLOAT, "type");
    fuzz_require(memchr(cl->unit, 0, sizeof cl->unit) != NULL, "unit without an end");
    for (int64_t i = 0; i < cl->nspectra; i++)
        fuzz_require(memchr(cl->names[i], 0, sizeof cl->names[i]) != NULL, "name without an end");
    fuzz_require(fuzz_count_nans(cl->nspectra * (cl->lmax + 1), cl->cl) == 0, "NaN in a spectrum");
}

/* Memory beyond `refused` bytes is not given: clearing it would take most of the time. */
static inline void read_cl(const uint8_t *data, size_t size, int64_t refused)
{
    armilla_cl_file *cl = NULL;
    const char *path = fuzz_file(data, size);
    fuzz_memory_begin(refused);
    armilla_status status = armilla_cl_read(path, &cl);
    fuzz_require(fuzz_memory_asked() <= CL_BELIEVED + CL_EXPANSION * (int64_t)size,
                 "memory out of proportion");
    fuzz_require_outcome(status, cl);
    if (cl) check_cl(cl);
    armilla_cl_file_free(cl);
}

#endif
