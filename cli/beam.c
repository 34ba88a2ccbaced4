/* See beam.h. */
#include "beam.h"

#include "message.h"

#include <armilla/armilla.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int copy_window(const armilla_cl_file *file, const char *path, int64_t lmax, double *window)
{
    if (file->lmax < lmax)
        return usage_error("--beam \"%s\": has b_l up to l = %lld, but lmax is %lld; give --lmax "
                           "%lld or a longer file",
                           path, (long long)file->lmax, (long long)lmax, (long long)file->lmax);
    for (int64_t l = 0; l <= lmax; l++)
        if (!isfinite(file->cl[l]))
            return work_error("--beam \"%s\": b_l is not a finite number at l = %lld", path,
                              (long long)l);
    memcpy(window, file->cl, (size_t)(lmax + 1) * sizeof *window);
    if (window[0] == 0) warning("--beam \"%s\": b_0 = 0 removes the mean of the map", path);
    return CLI_OK;
}

static int read_window(const char *path, int64_t lmax, double *window)
{
    armilla_cl_file *file;
    armilla_status status = armilla_cl_read(path, &file);
    if (status) return data_error(status, path);
    int code = copy_window(file, path, lmax, window);
    armilla_cl_file_free(file);
    return code;
}

static int gaussian_window(double fwhm_rad, int64_t lmax, double *window)
{
    armilla_status status = armilla_spectrum_gaussian_beam(fwhm_rad, 0, lmax, window);
    return status ? library_error(status, "--fwhm") : CLI_OK;
}

int beam_window(double fwhm_rad, const char *path, int64_t lmax, double **window)
{
    double *values = malloc((size_t)(lmax + 1) * sizeof *values);
    if (!values) return memory_error();
    int code = path ? read_window(path, lmax, values) : gaussian_window(fwhm_rad, lmax, values);
    if (code == CLI_OK)
        *window = values;
    else
        free(values);
    return code;
}

int beam_apply_gaussian(double fwhm_rad, int64_t lmax, int64_t mmax, double *alm)
{
    double *window = NULL;
    if (fwhm_rad < 0) return CLI_OK;
    int code = beam_window(fwhm_rad, NULL, lmax, &window);
    if (code != CLI_OK) return code;
    armilla_status status = armilla_alm_multiply_window(lmax, mmax, lmax + 1, window, alm);
    free(window);
    return status ? data_error(status, NULL) : CLI_OK;
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
