/* The covariance matrix of T, E and B, degree by degree: see spectra.h. */
#include "message.h"
#include "spectra.h"

#include <math.h>
#include <stdlib.h>

enum { NFIELDS = 3, FIRST_POLARISED = 2 };

/* Files have about seven digits: fields that are one up to a factor may seem to be more than that.
 */
static const double tolerance = 1e-5;

/* No spectrum may be larger than its fields allow: |C^XY| <= sqrt(C^XX C^YY). */
static int check_value(const spectra *self, int spectrum, int64_t l)
{
    const int *fields = spectra_fields[spectrum];
    const char *name = spectra_names[spectrum];
    double value = self->values[spectrum][l];
    if (!isfinite(value) || (fields[0] == fields[1] && value < 0))
        return work_error("\"%s\": %s[%lld] = %g: must be %s", self->path, name, (long long)l,
                          value, fields[0] == fields[1] ? "finite and at least 0" : "finite");
    double bound = sqrt(self->values[fields[0]][l] * self->values[fields[1]][l]);
    if (fabs(value) <= (1 + tolerance) * bound) return CLI_OK;
    return work_error("\"%s\": %s[%lld] = %g: no sky has that, for sqrt(%s %s) = %g is smaller; "
                      "are the columns in the order TT, EE, BB, TE?",
                      self->path, name, (long long)l, value, spectra_names[fields[0]],
                      spectra_names[fields[1]], bound);
}

static int fill(const spectra *self, int spectrum, int64_t lmax, double *matrix)
{
    const int *fields = spectra_fields[spectrum];
    double *upper = matrix + (fields[0] * NFIELDS + fields[1]) * (lmax + 1);
    double *lower = matrix + (fields[1] * NFIELDS + fields[0]) * (lmax + 1);
    for (int64_t l = fields[1] > 0 ? FIRST_POLARISED : 0; l <= lmax; l++) {
        int code = check_value(self, spectrum, l);
        if (code != CLI_OK) return code;
        upper[l] = lower[l] = self->values[spectrum][l];
    }
    return CLI_OK;
}

int spectra_covariance(const spectra *self, int64_t lmax, double **matrix)
{
    double *values = calloc((size_t)(NFIELDS * NFIELDS * (lmax + 1)), sizeof *values);
    if (!values) return memory_error();
    int code = CLI_OK;
    for (int i = 0; i < SPECTRA_MAX && code == CLI_OK; i++)
        if (self->values[i]) code = fill(self, i, lmax, values);
    if (code == CLI_OK)
        *matrix = values;
    else
        free(values);
    return code;
}
