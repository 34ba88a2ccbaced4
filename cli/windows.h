/* Moves pixels and coefficients between the files of a command and its ranks, window by window: a
 * window is a range of the file, small beside what a rank has, so that no rank ever holds more of a
 * file than that. Ranks read a map side by side, each a part of every window; rank 0 writes.
 *
 * All calls are collective, for ranks only, and return exit codes, after a message unless CLI_OK.
 */
#ifndef ARMILLA_CLI_WINDOWS_H
#define ARMILLA_CLI_WINDOWS_H

#include "share.h"

#include <armilla/armilla.h>

/* What reads pixels first .. first + count - 1 of a field of the file, and what writes them. The
 * latter is called on rank 0 alone. */
typedef armilla_status (*windows_read_fn)(void *data, int64_t field, int64_t first, int64_t count,
                                          double *values);
typedef armilla_status (*windows_write_fn)(void *data, int64_t field, int64_t first, int64_t count,
                                           const double *values);

/* Fills the pixels that this rank has, of nfields fields. path: for messages. */
int windows_read(const pixel_share *share, int64_t nfields, double *const *values, const char *path,
                 windows_read_fn read, void *data);

/* Writes them. */
int windows_write(const pixel_share *share, int64_t nfields, double *const *values,
                  const char *path, windows_write_fn write, void *data);

/* Writes degrees first .. last of a component, as armilla_alm_output_write; on rank 0 alone. */
typedef armilla_status (*windows_write_alm_fn)(void *data, int64_t component, int64_t first,
                                               int64_t last, const double *alm);

/* alm: of this rank, ncomp components one behind the other. */
int windows_write_alm(const armilla_distribution *distribution, const armilla_alm_file *file,
                      const double *alm, const char *path, windows_write_alm_fn write, void *data);

#endif
