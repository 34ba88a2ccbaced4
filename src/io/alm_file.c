/* Makes and frees the coefficients that a file of spherical harmonic coefficients holds. */
#include "armilla/alm.h"
#include "armilla/io.h"
#include "base/memory.h"
#include "base/status.h"
#include "io/alm_table.h"

armilla_status armilla_alm_file_new(int64_t lmax, int64_t mmax, int64_t ncomp,
                                    armilla_alm_file **alm)
{
    armilla_status status = armilla_check_band_limit(lmax, mmax);
    if (status) return status;
    if (ncomp < 1 || ncomp > ARMILLA_ALM_MAX_TABLES)
        return armilla_fail_argument("ncomp", ncomp, "must be from 1 to 998");
    int64_t size = armilla_alm_size(lmax, mmax);
    if (size > INT64_MAX / ncomp)
        return armilla_fail_argument("lmax", lmax, "ncomp times its coefficients pass 64 bits");
    armilla_alm_file *new = NULL;
    status = armilla_check_given("alm", alm);
    if (!status) status = armilla_allocate_zero(&new, 1, sizeof *new);
    if (status) return status;
    new->lmax = lmax;
    new->mmax = mmax;
    new->ncomp = ncomp;
    status = armilla_allocate_zero(&new->alm, ncomp * size, 2 * sizeof *new->alm);
    if (status)
        armilla_alm_file_free(new);
    else
        *alm = new;
    return status;
}

void armilla_alm_file_free(armilla_alm_file *alm)
{
    if (!alm) return;
    armilla_release(alm->alm);
    armilla_release(alm);
}
