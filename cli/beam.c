/* Makes the windows b_l of a beam, from the width of a Gaussian or from a file whose values are
 * checked first, and multiplies coefficients by them for the commands that take a beam. */
#include "beam.h"

#include "message.h"
#include "ranks.h"

#include <armilla/armilla.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_file(const armilla_cl_file *file, const char *path, int64_t lmax, int64_t ncomp)
{
    int64_t used = ncomp < file->nspectra ? ncomp : file->nspectra;
    if (file->lmax < lmax)
        return usage_error("--beam \"%s\": has b_l up to l = %lld, but lmax is %lld; give --lmax "
                           "%lld or a longer file",
                           path, (long long)file->lmax, (long long)lmax, (long long)file->lmax);
    for (int64_t column = 0; column < used; column++)
        for (int64_t l = 0; l <= lmax; l++)
            if (!isfinite(file->cl[column * (file->lmax + 1) + l]))
                return work_error("--beam \"%s\": b_l is not a finite number at l = %lld", path,
                                  (long long)l);
    if (file->cl[0] == 0) warning("--beam \"%s\": b_0 = 0 removes the mean of the map", path);
    return CLI_OK;
}

static int read_windows(const char *path, int64_t lmax, int64_t ncomp, double *windows)
{
    armilla_cl_file *file;
    armilla_status status = armilla_cl_read(path, &file);
    if (status) return data_error(status, path);
    int code = check_file(file, path, lmax, ncomp);
    for (int64_t i = 0; i < ncomp && code == CLI_OK; i++) {
        int64_t column = i < file->nspectra ? i : file->nspectra - 1;
        memcpy(windows + i * (lmax + 1), file->cl + column * (file->lmax + 1),
               (size_t)(lmax + 1) * sizeof *windows);
    }
    armilla_cl_file_free(file);
    return code;
}

static int gaussian_windows(double fwhm_rad, int64_t lmax, int64_t ncomp, double *windows)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < ncomp && !status; i++)
        status =
            armilla_spectrum_gaussian_beam(fwhm_rad, i > 0 ? 2 : 0, lmax, windows + i * (lmax + 1));
    return status ? library_error(status, "--fwhm") : CLI_OK;
}

int beam_windows(double fwhm_rad, const char *path, int64_t lmax, int64_t ncomp, double **windows)
{
    double *values = malloc((size_t)(ncomp * (lmax + 1)) * sizeof *values);
    if (!values) return memory_error();
    int code = path ? read_windows(path, lmax, ncomp, values)
                    : gaussian_windows(fwhm_rad, lmax, ncomp, values);
    if (code == CLI_OK)
        *windows = values;
    else
        free(values);
    return code;
}

int beam_apply_gaussian(double fwhm_rad, const transform *sht, double *alm)
{
    double *windows = NULL;
    if (fwhm_rad < 0) return CLI_OK;
    int code = ranks_agree(beam_windows(fwhm_rad, NULL, sht->lmax, sht->ncomp, &windows));
    if (code == CLI_OK) code = transform_apply_windows(sht, windows, alm);
    free(windows);
    return code;
}

const char *beam_text(double radians)
{
    static char text[32];
    double degrees = radians * (180 / M_PI);
    if (degrees >= 1)
        snprintf(text, sizeof text, "%.6gdeg", degrees);
    else
        snprintf(text, sizeof text, "%.6garcmin", degrees * 60);
    return text;
}
