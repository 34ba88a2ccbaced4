/* Power spectra in files: what reading FITS and reading text share. */
#ifndef ARMILLA_IO_CL_TABLE_H
#define ARMILLA_IO_CL_TABLE_H

#include "armilla/io.h"
#include "io/fits_file.h"

enum { ARMILLA_CL_MAX_SPECTRA = 998 };

/* Highest degree that a file may begin with: bounds the memory a damaged one asks for. */
enum { ARMILLA_CL_MAX_START = 1000000 };

armilla_status armilla_cl_read_fits(const char *path, int hdu, armilla_cl_file **cl);
armilla_status armilla_cl_read_text(const char *path, const armilla_file_look *look,
                                    armilla_cl_file **cl);

/* Refuses spectra that begin so high that they would need far more memory than the file has rows:
 * more than 1024 degrees for each row, where that is more than 2^24 numbers (128 MiB).
 * Errors:   FORMAT. */
armilla_status armilla_cl_check_extent(const char *path, int64_t start, int64_t rows,
                                       int64_t nspectra);

/* Does this text name D_l ("D_l", "Dl", "D_ell", "DlTT") or l(l+1)C_l/2pi in some spelling? */
int armilla_text_names_dl(const char *text, size_t length);

/* Turns one spectrum of D_l = l (l + 1) C_l / (2 pi), docs/mathematics.md (9.4), into C_l; C_0
 * becomes 0. */
void armilla_cl_from_dl(int64_t lmax, double *spectrum);

/* Is it the name of a column of degrees: l, L, ell, ...? */
int armilla_text_is_degree(const char *text);

#endif
