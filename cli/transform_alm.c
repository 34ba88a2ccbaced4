/* What the commands do with coefficients besides transforms: windows, spectra, random fields,
 * files. This process has all of them, or over ranks those of its orders. */
#include "transform_ranks.h"

#include "message.h"
#include "points.h"
#include "ranks.h"
#include "ranks_output.h"
#include "windows.h"

#include <stdlib.h>
#include <string.h>

enum { FIELDS = TRANSFORM_FIELDS };

double *transform_alm(const transform *self)
{
    double *alm = malloc((size_t)(self->ncomp * self->alm_size + 1) * 2 * sizeof *alm);
    if (ranks_agree(alm ? CLI_OK : memory_error()) == CLI_OK) return alm;
    free(alm);
    return NULL;
}

int transform_apply_windows(const transform *self, const double *windows, double *alm)
{
    const transform_ranks *ranks = self->ranks;
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < self->ncomp && !status; i++) {
        const double *window = windows + i * (self->lmax + 1);
        double *component = alm + 2 * i * self->alm_size;
        status = ranks ? armilla_distribution_multiply_window(ranks->distribution, ranks->rank,
                                                              self->lmax + 1, window, component)
                       : armilla_alm_multiply_window(self->lmax, self->mmax, self->lmax + 1, window,
                                                     component);
    }
    return ranks_agree(status ? data_error(status, NULL) : CLI_OK);
}

int transform_spectrum(const transform *self, const double *first, const double *second, double *cl)
{
    armilla_status status =
        self->ranks ? armilla_distributed_spectrum(ranks_transport(), self->ranks->distribution,
                                                   first, second, cl)
                    : armilla_spectrum_compute(self->lmax, self->mmax, first, second, cl);
    return status ? data_error(status, NULL) : CLI_OK;
}

armilla_status transform_random(const transform *self, int64_t ncl, const double *cl, uint64_t seed,
                                double *alm)
{
    const transform_ranks *ranks = self->ranks;
    const int64_t lmax = self->lmax, mmax = self->mmax;
    if (ranks && self->ncomp > 1)
        return armilla_distribution_random_correlated(ranks->distribution, ranks->rank, FIELDS, ncl,
                                                      cl, seed, alm);
    if (ranks)
        return armilla_distribution_random(ranks->distribution, ranks->rank, ncl, cl, seed, 0, alm);
    if (self->ncomp > 1)
        return armilla_alm_random_correlated(lmax, mmax, FIELDS, ncl, cl, seed, alm);
    return armilla_alm_random(lmax, mmax, ncl, cl, seed, 0, alm);
}

int transform_rotate(const transform *self, const armilla_rotation *rotation, double *alm)
{
    armilla_exec exec = points_exec(self->nthreads);
    exec.ntrans = self->ncomp;
    const armilla_status status =
        self->ranks
            ? armilla_distributed_rotate(ranks_transport(), self->ranks->distribution, rotation,
                                         alm, &exec)
            : armilla_alm_rotate(rotation, self->lmax, self->mmax, alm, self->mmax, alm, &exec);
    return status ? library_error(status, NULL) : CLI_OK;
}

int transform_gather(const transform *self, int64_t ncomp, const double *alm, double **whole)
{
    const size_t size = (size_t)(ncomp * armilla_alm_size(self->lmax, self->mmax)) * 2;
    *whole = self->ranks && ranks_is_first() ? malloc(size * sizeof **whole) : NULL;
    if (!self->ranks) return CLI_OK;
    const int code = ranks_agree(ranks_is_first() && !*whole ? memory_error() : CLI_OK);
    if (code != CLI_OK) return code;
    const armilla_status status = armilla_distributed_alm_gather(
        ranks_transport(), self->ranks->distribution, 0, 1, ncomp, 2 * sizeof(double), alm, *whole);
    return status ? data_error(status, NULL) : CLI_OK;
}

/* --- Files ------------------------------------------------------------------------------------ */

/* orders NULL: all up to mmax; they rise, and those behind the file's mmax are 0. */
static armilla_status read_orders(const transform *self, const armilla_alm_input *input,
                                  int64_t norders, const int64_t *orders, double *alm)
{
    const int64_t most = armilla_alm_input_alm(input)->mmax;
    armilla_status status = ARMILLA_OK;
    while (norders > 0 && (orders ? orders[norders - 1] : norders - 1) > most) norders--;
    memset(alm, 0, (size_t)(self->ncomp * self->alm_size) * 2 * sizeof *alm);
    for (int64_t i = 0; i < self->ncomp && !status; i++)
        status = armilla_alm_input_read(input, i, self->lmax, norders, orders,
                                        alm + 2 * i * self->alm_size);
    return status;
}

static int read_own(const transform *self, const char *path, const armilla_alm_input *input,
                    double *alm)
{
    const transform_ranks *ranks = self->ranks;
    int64_t norders = self->mmax + 1, *orders = NULL;
    if (ranks) {
        norders = armilla_distribution_orders(ranks->distribution, ranks->rank, NULL);
        orders = malloc((size_t)(norders + 1) * sizeof *orders);
        if (!orders) return memory_error();
        armilla_distribution_orders(ranks->distribution, ranks->rank, orders);
    }
    const armilla_status status = read_orders(self, input, norders, orders, alm);
    free(orders);
    return status ? data_error(status, path) : CLI_OK;
}

int transform_read_alm(const transform *self, const char *path, const armilla_alm_input *input,
                       double *alm)
{
    return ranks_agree(read_own(self, path, input, alm));
}

static armilla_status write_degrees(void *data, int64_t component, int64_t first, int64_t last,
                                    const double *alm)
{
    return armilla_alm_output_write(data, component, first, last, alm);
}

typedef struct writer {
    const char *path;
    const transform *sht;
    const armilla_alm_file *file;
    const double *alm;
    armilla_alm_output *output; /* on rank 0 */
} writer;

static armilla_status begin_output(writer *self, int overwrite)
{
    armilla_write_options options;
    if (!ranks_is_first()) return ARMILLA_OK;
    armilla_write_options_init(&options);
    options.overwrite = overwrite;
    return armilla_alm_output_new(self->path, self->file, &options, &self->output);
}

static int fill_output(void *data)
{
    const writer *self = data;
    return windows_write_alm(self->sht->ranks->distribution, self->file, self->alm, self->path,
                             write_degrees, self->output);
}

static armilla_status finish_output(void *data)
{
    return armilla_alm_output_finish(((writer *)data)->output);
}

static int write_over_ranks(const transform *self, const char *path, const armilla_alm_file *file,
                            const double *alm, int overwrite)
{
    writer w = {path, self, file, alm, NULL};
    ranks_output output = {.path = path, .fill = fill_output, .finish = finish_output, .data = &w};
    output.begun = begin_output(&w, overwrite);
    output.temporary = armilla_alm_output_temporary(w.output);
    const int code = ranks_output_write(&output);
    armilla_alm_output_free(w.output);
    return code;
}

int transform_write_alm(const transform *self, const char *path, char coordsys, const double *alm,
                        int overwrite)
{
    armilla_alm_file file = {.lmax = self->lmax,
                             .mmax = self->mmax,
                             .ncomp = self->ncomp,
                             .type = self->stored,
                             .coordsys = coordsys};
    if (self->ranks) return write_over_ranks(self, path, &file, alm, overwrite);
    file.alm = (double *)(uintptr_t)alm; /* which is only read */
    armilla_status status = armilla_alm_write(path, &file, overwrite);
    return status ? data_error(status, path) : CLI_OK;
}
