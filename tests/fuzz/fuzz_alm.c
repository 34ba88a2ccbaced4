/* armilla_alm_read. The last byte of the file, which is padding, chooses the HDU. */
#include "support.h"

#include <string.h>

/* Rows are sparse in some files, so that the reader believes up to 2^24 coefficients of a small
 * one (src/io/alm_read.c): 256 MiB. Above REFUSED they are not waited for. */
enum { REFUSED = 16 << 20, BELIEVED = 260 << 20, EXPANSION = 64 };

static void check_alm(const armilla_alm_file *alm)
{
    fuzz_require(alm->lmax >= alm->mmax && alm->mmax >= 0, "lmax, mmax");
    fuzz_require(alm->ncomp >= 1, "no components");
    fuzz_require(alm->type == ARMILLA_IO_DOUBLE || alm->type == ARMILLA_IO_FLOAT, "type");
    fuzz_require(!alm->coordsys || strchr("GEC", alm->coordsys) != NULL, "coordsys");
    fuzz_count_nans(2 * alm->ncomp * armilla_alm_size(alm->lmax, alm->mmax), alm->alm);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    armilla_alm_file *alm = NULL;
    const char *path = fuzz_file(data, size);
    fuzz_memory_begin(REFUSED);
    armilla_status status = armilla_alm_read(path, data[size - 1] & 3, &alm);
    fuzz_require(fuzz_memory_asked() <= BELIEVED + EXPANSION * (int64_t)size,
                 "memory out of proportion");
    fuzz_require_outcome(status, alm);
    if (alm) check_alm(alm);
    armilla_alm_file_free(alm);
    return 0;
}
