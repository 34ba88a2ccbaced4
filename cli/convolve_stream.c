/* Carries out armilla convolve --stream, which reads, convolves and writes a map piece by piece
 * within the memory that --memory allows. The library asks for ranges of pixels and hands out
 * others. Whether there are holes decides how it sums, so a pass over the file comes first. */
#include "convolve_stream.h"

#include "hdu.h"
#include "message.h"
#include "number.h"
#include "progress.h"
#include "sky.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 17 }; /* pixels looked at together */

/* What the process takes besides the plan and the pieces: its code and libraries, stacks of
 * threads, buffers of files, and the two chunks. The process as a whole took 20 MB. */
static const double process_bytes = 40e6, thread_bytes = 1e6;

/* --- Arguments -------------------------------------------------------------------------------- */

int stream_check_memory(const char *memory)
{
    double gigabytes = 0;
    const char *wrong = number_real(memory, &gigabytes);
    if (wrong) return usage_error("--memory \"%s\": %s, in GB, such as 4", memory, wrong);
    if (gigabytes > 0 && gigabytes < 1e9) return CLI_OK;
    return usage_error("--memory \"%s\": must be above 0 and below 1e9 GB", memory);
}

static int find_column(stream *self)
{
    const armilla_map *map = armilla_map_input_map(self->input);
    const char *field = self->request.field;
    int64_t column = 0;
    if (field && number_integer(field, &column) != NULL)
        for (column = 0; column < map->nfields; column++)
            if (sky_name_means(field, map->fields[column].name)) break;
    if (column < 0 || column >= map->nfields)
        return usage_error(
            "--field \"%s\": \"%s\" has %lld columns; give a number from 0, or a name", field,
            self->request.path, (long long)map->nfields);
    self->column = column;
    self->field = map->fields[column];
    return CLI_OK;
}

static int open_mask(stream *self)
{
    const char *path = self->request.mask;
    armilla_status status = armilla_map_input_open(path, 0, &self->mask);
    if (status) return data_error(status, path);
    return sky_check_same("--mask", path, armilla_map_input_map(self->mask), self->request.path,
                          armilla_map_input_map(self->input));
}

static int open_pixels(stream *self)
{
    const char *path = self->request.path;
    pixel_grid grid = {.grid = NULL};
    int code = pixel_grid_of_map(armilla_map_input_map(self->input), path, &grid);
    if (code == CLI_OK) code = share_new(&grid, &self->pixels);
    self->npix = self->pixels.npix;
    return code;
}

int convolve_stream_open(const stream_request *request, stream *self)
{
    memset(self, 0, sizeof *self);
    self->request = *request;
    int hdu = 0, code = hdu_find(request->path, request->hdu, &hdu);
    if (code != CLI_OK) return code;
    armilla_status status = armilla_map_input_open(request->path, hdu, &self->input);
    if (status) return data_error(status, request->path);
    code = open_pixels(self);
    if (code != CLI_OK) return code;
    self->values = malloc(CHUNK * sizeof *self->values);
    self->cuts = malloc(CHUNK * sizeof *self->cuts);
    if (!self->values || !self->cuts) return memory_error();
    code = find_column(self);
    return code == CLI_OK && request->mask ? open_mask(self) : code;
}

void stream_free(stream *self)
{
    armilla_map_output_free(self->output);
    armilla_map_input_free(self->input);
    armilla_map_input_free(self->mask);
    share_free(&self->pixels);
    free(self->values);
    free(self->cuts);
    memset(self, 0, sizeof *self);
}

/* --- Holes ------------------------------------------------------------------------------------ */

/* The weights of the mask in a chunk, 0 where they are missing; 1 without a mask. */
static armilla_status read_cuts(stream *self, int64_t first, int64_t count)
{
    armilla_status status = ARMILLA_OK;
    if (self->mask) status = armilla_map_input_read(self->mask, 0, first, count, self->cuts);
    for (int64_t i = 0; i < count && !status; i++)
        self->cuts[i] = !self->mask ? 1 : self->cuts[i] == ARMILLA_UNSEEN ? 0 : self->cuts[i];
    return status;
}

static int check_pixel(const stream *self, int64_t pixel, double value, double cut)
{
    if (isinf(value))
        return work_error("\"%s\": pixel %lld is infinite", self->request.path, (long long)pixel);
    if (!(cut >= 0 && cut < INFINITY))
        return work_error("--mask \"%s\": pixel %lld is %g; a mask is 0 where pixels are to be "
                          "left out, 1 elsewhere",
                          self->request.mask, (long long)pixel, cut);
    if (self->is_mean && cut != 0 && cut != 1)
        return usage_error(
            "--mask \"%s\": pixel %lld has weight %g: only 0 and 1 are possible with --stream",
            self->request.mask, (long long)pixel, cut);
    return CLI_OK;
}

/* Is there nothing to look at more closely? One pass that compilers make short work of: it is half
 * of the time of a map without a mask. */
static int is_plain(const double *values, int64_t count)
{
    int is_odd = 0;
    for (int64_t i = 0; i < count; i++)
        is_odd |= (values[i] == ARMILLA_UNSEEN) | !(fabs(values[i]) < INFINITY);
    return !is_odd;
}

static int count_chunk(stream *self, int64_t first, int64_t count)
{
    armilla_status status =
        armilla_map_input_read(self->input, self->column, first, count, self->values);
    if (status) return data_error(status, self->request.path);
    if (!self->mask && is_plain(self->values, count)) return CLI_OK;
    if ((status = read_cuts(self, first, count))) return data_error(status, self->request.mask);
    int code = CLI_OK;
    for (int64_t i = 0; i < count && code == CLI_OK; i++) {
        code = check_pixel(self, first + i, self->values[i], self->cuts[i]);
        self->nmissing += self->values[i] == ARMILLA_UNSEEN || self->cuts[i] == 0;
    }
    return code;
}

static int64_t chunk_at(int64_t at, int64_t end)
{
    return end - at < CHUNK ? end - at : CHUNK;
}

/* One pass over the files. */
static int count_missing(stream *self)
{
    int code = CLI_OK;
    for (int64_t at = 0; at < self->npix && code == CLI_OK; at += CHUNK) {
        code = count_chunk(self, at, chunk_at(at, self->npix));
        if (code == CLI_OK && progress_report(NULL, (double)at / (double)self->npix))
            code = progress_stopped();
    }
    self->has_holes = self->nmissing > 0 || self->mask;
    if (code != CLI_OK || self->nmissing < self->npix) return code;
    if (!self->mask) return work_error("\"%s\": has no valid pixel", self->request.path);
    return work_error("--mask \"%s\": leaves no pixel of the map", self->request.mask);
}

/* --- What the library calls ------------------------------------------------------------------- */

static armilla_status read_pixels(void *data, int64_t first, int64_t count, double *values)
{
    stream *self = data;
    armilla_status status = armilla_map_input_read(self->input, self->column, first, count, values);
    if (!self->has_holes) return status;
    for (int64_t at = 0; at < count && !status; at += CHUNK) {
        const int64_t n = chunk_at(at, count);
        if ((status = read_cuts(self, first + at, n))) break;
        for (int64_t i = 0; i < n; i++) {
            double *value = &values[at + i];
            if (*value == ARMILLA_UNSEEN || self->cuts[i] == 0)
                *value = self->is_mean ? (double)NAN : 0;
            else if (!self->is_mean)
                *value *= self->cuts[i];
        }
    }
    return status;
}

/* A chunk of the result, in which holes are marked: where too little was there, and without --fill
 * where the map had none. */
static armilla_status write_chunk(stream *self, int64_t first, int64_t count, const double *values)
{
    armilla_status status =
        armilla_map_input_read(self->input, self->column, first, count, self->values);
    if (!status) status = read_cuts(self, first, count);
    if (status) return status;
    for (int64_t i = 0; i < count; i++) {
        const int was = self->values[i] == ARMILLA_UNSEEN || self->cuts[i] == 0;
        const int is = self->is_mean && values[i] == ARMILLA_UNSEEN;
        const int is_lost = is || (was && !self->request.fill);
        self->values[i] = is_lost ? ARMILLA_UNSEEN : values[i];
        self->nlost += is_lost;
    }
    return armilla_map_output_write(self->output, 0, first, count, self->values);
}

static armilla_status write_pixels(void *data, int64_t first, int64_t count, const double *values)
{
    stream *self = data;
    if (!self->has_holes) return armilla_map_output_write(self->output, 0, first, count, values);
    armilla_status status = ARMILLA_OK;
    for (int64_t at = 0; at < count && !status; at += CHUNK)
        status = write_chunk(self, first + at, chunk_at(at, count), values + at);
    return status;
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Beyond the pieces. */
static double fixed_bytes(const radial *plan)
{
    const double rings = (double)plan->told.nrings * (double)sizeof(armilla_ring);
    const int nthreads = plan->nthreads > 0 ? plan->nthreads : armilla_thread_count();
    return (double)plan->told.plan_bytes + rings + process_bytes + nthreads * thread_bytes;
}

/* Shares out what --memory allows. *most: what it will be, GB. */
static int share_memory(const stream *self, const radial *plan, const armilla_exec *exec,
                        armilla_radial_stream *options, double *most)
{
    double gigabytes = 0;
    int64_t bytes = 0;
    const double fixed = fixed_bytes(plan);
    if (self->request.memory) {
        number_real(self->request.memory, &gigabytes);
        const double lists = 16 * (double)plan->told.nrings + 1000; /* where rings are */
        const double left = 1e9 * gigabytes - fixed - lists;
        options->memory_bytes = left > 1 ? (int64_t)left : 1;
    }
    armilla_status status = armilla_radial_stream_bytes(plan->plan, options, exec, &bytes);
    if (status) return library_error(status, NULL);
    *most = (fixed + (double)bytes) / 1e9;
    if (self->request.memory && *most > gigabytes + 1e-9)
        return usage_error("--memory \"%s\": this kernel needs at least %.3g GB",
                           self->request.memory, *most + 5e-3);
    return CLI_OK;
}

/* --- The convolution -------------------------------------------------------------------------- */

static void note_work(const stream *self, double most)
{
    if (self->has_holes)
        note("%lld of %lld pixels are missing%s: %s", (long long)self->nmissing,
             (long long)self->npix, self->mask ? " or masked" : "",
             self->is_mean ? "the kernel's weighted mean of the others is taken"
                           : "they count as 0, as the kernel is not normalized");
    note("takes at most %.3g GB of memory, while the whole map would take %.3g GB", most,
         16e-9 * (double)self->npix);
}

static int create_output(stream *self)
{
    const armilla_map *map = armilla_map_input_map(self->input);
    armilla_field *field = &self->field;
    if (field->type != ARMILLA_IO_DOUBLE) field->type = ARMILLA_IO_FLOAT;
    const armilla_map written = {.nside = map->nside,
                                 .npix = map->npix,
                                 .grid = map->grid,
                                 .nfields = 1,
                                 .fields = field,
                                 .coordsys = map->coordsys};
    armilla_write_options options;
    armilla_write_options_init(&options);
    options.overwrite = self->request.overwrite;
    armilla_status status =
        armilla_map_output_new(self->request.output, &written, &options, &self->output);
    return status ? data_error(status, self->request.output) : CLI_OK;
}

static int run(stream *self, const radial *plan, const armilla_radial_stream *options,
               const armilla_exec *exec)
{
    progress_stage("convolution", 0.05, 1);
    armilla_status status = armilla_radial_convolve_stream(plan->plan, options, exec);
    if (status) return data_error(status, NULL);
    if (progress_stopped()) return CLI_FAILED;
    status = armilla_map_output_finish(self->output);
    return status ? data_error(status, self->request.output) : CLI_OK;
}

int stream_convolve(stream *self, const radial *plan, int is_mean)
{
    armilla_radial_stream options;
    armilla_exec exec;
    double most = 0;
    armilla_radial_stream_init(&options);
    armilla_exec_init(&exec);
    exec.nthreads = plan->nthreads;
    exec.progress = progress_report;
    self->is_mean = is_mean;
    options.read = read_pixels;
    options.write = write_pixels;
    options.data = self;
    options.least = self->request.least;
    options.fill = ARMILLA_UNSEEN;
    /* Too little memory is found before the pass over the files; holes take more. */
    int code = share_memory(self, plan, &exec, &options, &most);
    progress_stage("missing pixels", 0, 0.05);
    if (code == CLI_OK) code = count_missing(self);
    options.weighted = is_mean && self->has_holes;
    if (code == CLI_OK) code = share_memory(self, plan, &exec, &options, &most);
    if (code == CLI_OK) note_work(self, most);
    if (code == CLI_OK) code = create_output(self);
    return code == CLI_OK ? run(self, plan, &options, &exec) : code;
}
