/* Convolution of a map that is read and written piece by piece. See armilla/radial.h.
 *
 * A piece is some neighbouring rows of output and their mirror images. Its sources are in memory as
 * two windows, the rings of the rows' sources and their images; windows of neighbouring pieces
 * overlap by the support. */
#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "call/place.h"
#include "grid/grid.h"
#include "radial/execute.h"

#include <math.h>

static const double DEFAULT_BYTES = 1 << 30;

void armilla_radial_stream_init_sized(armilla_radial_stream *stream, size_t size)
{
    const armilla_radial_stream defaults = {.fill = (double)NAN};
    armilla_options_give(&defaults, sizeof defaults, stream, size);
}

/* --- Arguments -------------------------------------------------------------------------------- */

/* Rings must follow each other in the map from north to south. */
static armilla_status check_order(const armilla_radial *radial)
{
    const armilla_grid *grid = radial->grid;
    int64_t next = 0;
    armilla_status status = armilla_grid_refuse_nested(grid, "a stream");
    if (status) return status;
    for (int64_t i = 0; i < radial->pixels.rows.count; i++) {
        const int64_t number = radial->pixels.rows.row[i].ring[0];
        const armilla_ring *ring = &grid->rings[number];
        if (ring->offset != next || ring->stride != 1)
            return armilla_fail(
                ARMILLA_ERROR_ARGUMENT,
                "radial: ring %lld of its grid does not follow the one to its north "
                "in the map, so the map cannot be streamed",
                (long long)number);
        next += ring->nphi;
    }
    if (radial->options.spin)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "radial: a plan for streams must have spin = 0");
    if (radial->standard)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "radial: a plan for streams must have mode = EXACT");
    if (radial->mixing)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "radial: a plan for streams must have method = PIXELS");
    return ARMILLA_OK;
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {sizeof(armilla_radial_stream), 0};

static armilla_status take_stream(const armilla_radial *radial, const armilla_radial_stream *given,
                                  armilla_radial_stream *stream)
{
    armilla_radial_stream_init(stream);
    armilla_status status = armilla_check_given("radial", radial);
    if (!status && radial->cuda)
        status = armilla_refuse_place("radial", ARMILLA_OPERATION_STREAM, ARMILLA_PLACE_GPU);
    if (!status) status = armilla_check_given("stream", given);
    if (!status)
        status = armilla_options_copy("stream", "armilla_radial_stream", given, VERSIONS, stream);
    if (status) return status;
    if (!stream->read) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "stream->read = NULL");
    if (!stream->write) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "stream->write = NULL");
    if (stream->memory_bytes < 0)
        return armilla_fail_argument("stream->memory_bytes", stream->memory_bytes,
                                     "must be 0 (1 GiB) or more");
    if (!(stream->least >= 0 && stream->least <= 1))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "stream->least = %g: must be 0 to 1",
                            stream->least);
    return check_order(radial);
}

/* --- Pieces ----------------------------------------------------------------------------------- */

typedef struct {
    const armilla_radial *radial;
    const armilla_radial_stream *stream;
    int sides;      /* 2 with images */
    int64_t *at[2]; /* [ring]: where it begins among the sources, and in the output */
    double *map, *weights, *out;
    armilla_work work;
} stage;

/* Pixels of the rings of rows first .. end - 1. */
static int64_t count_pixels(const armilla_radial_rows *rows, int64_t first, int64_t end)
{
    int64_t pixels = 0;
    for (int64_t i = first; i < end; i++) pixels += rows->row[i].n;
    return pixels;
}

/* A piece: rows of output first .. end - 1. */
typedef struct {
    int64_t first, end, from, to; /* from .. to - 1: the sources */
    int64_t sources, pixels;      /* of one side */
    int64_t scratch;              /* doubles per thread */
} piece;

static armilla_radial_job make_job(const stage *s, const piece *p)
{
    return (armilla_radial_job){.pixels = &s->radial->pixels,
                                .nmaps = 1,
                                .weights = s->weights,
                                .least = s->stream->least,
                                .fill = s->stream->fill,
                                .first = p->first,
                                .end = p->end,
                                .map_at = s->at[0],
                                .out_at = s->at[1]};
}

static piece make_piece(const stage *s, int64_t first, int64_t end)
{
    const armilla_radial_rows *rows = &s->radial->pixels.rows;
    piece p = {.first = first,
               .end = end,
               .from = rows->row[first].from,
               .to = rows->row[end - 1].to,
               .pixels = count_pixels(rows, first, end)};
    p.sources = count_pixels(rows, p.from, p.to);
    armilla_radial_job job = make_job(s, &p);
    if (s->stream->weighted) job.weights = &DEFAULT_BYTES; /* any: they are only counted */
    p.scratch = armilla_radial_pixels_scratch(&job, s->work.nthreads);
    return p;
}

static double piece_bytes(const stage *s, const piece *p)
{
    const int64_t maps = 1 + (s->stream->weighted != 0);
    return 8 * ((double)s->sides * (double)(maps * p->sources + p->pixels) +
                (double)s->work.nthreads * (double)p->scratch);
}

/* From row `first` on, as many rows as the memory holds, and at least one. */
static piece choose_piece(const stage *s, int64_t first)
{
    const double most = s->stream->memory_bytes ? (double)s->stream->memory_bytes : DEFAULT_BYTES;
    int64_t low = first + 1, high = s->radial->pixels.rows.nout;
    while (low < high) {
        const int64_t middle = low + (high - low + 1) / 2;
        const piece p = make_piece(s, first, middle);
        if (piece_bytes(s, &p) <= most)
            low = middle;
        else
            high = middle - 1;
    }
    return make_piece(s, first, low);
}

/* Notes where the rings of rows first .. end - 1 are, the first one at number `start`. */
static void place_rings(const armilla_radial_rows *rows, int64_t first, int64_t end, int64_t start,
                        int64_t *at)
{
    for (int64_t i = first; i < end; i++) {
        at[rows->row[i].ring[0]] = start;
        start += rows->row[i].n;
    }
}

static int64_t first_pixel(const stage *s, int64_t row)
{
    return s->radial->grid->rings[s->radial->pixels.rows.row[row].ring[0]].offset;
}

/* Sources and their images. */
static armilla_status read_sources(const stage *s, const piece *p)
{
    const armilla_radial_rows *rows = &s->radial->pixels.rows;
    const armilla_radial_stream *stream = s->stream;
    for (int image = 0; image < s->sides; image++) {
        const int64_t from = image ? rows->count - p->to : p->from;
        const int64_t to = image ? rows->count - p->from : p->to;
        place_rings(rows, from, to, image * p->sources, s->at[0]);
        armilla_status status = stream->read(stream->data, first_pixel(s, from), p->sources,
                                             s->map + image * p->sources);
        if (status) return status;
    }
    for (int64_t i = 0; i < s->sides * p->sources && stream->weighted; i++)
        s->weights[i] = !isnan(s->map[i]);
    return ARMILLA_OK;
}

static void place_output(const stage *s, const piece *p)
{
    const armilla_radial_rows *rows = &s->radial->pixels.rows;
    if (s->sides == 2)
        place_rings(rows, rows->count - p->end, rows->count - p->first, p->pixels, s->at[1]);
    place_rings(rows, p->first, p->end, 0, s->at[1]);
}

static armilla_status write_output(const stage *s, const piece *p)
{
    const armilla_radial_rows *rows = &s->radial->pixels.rows;
    const armilla_radial_stream *stream = s->stream;
    armilla_status status =
        stream->write(stream->data, first_pixel(s, p->first), p->pixels, s->out);
    if (status || s->sides == 1) return status;
    /* The equator, its own image, is written already. */
    int64_t north = rows->count - p->end, skip = 0;
    if (north < rows->nout) skip = rows->row[north++].n;
    if (north >= rows->count - p->first) return ARMILLA_OK;
    return stream->write(stream->data, first_pixel(s, north), p->pixels - skip,
                         s->out + p->pixels + skip);
}

/* --- A call ----------------------------------------------------------------------------------- */

static armilla_status run_piece(stage *s, const piece *p)
{
    const int64_t sources = armilla_round_line(s->sides * p->sources);
    const int64_t pixels = armilla_round_line(s->sides * p->pixels);
    const int64_t maps = 1 + (s->stream->weighted != 0);
    double *memory;
    armilla_status status = armilla_allocate(
        &memory, maps * sources + pixels + s->work.nthreads * p->scratch, sizeof *memory);
    if (status) return status;
    s->map = memory;
    s->weights = s->stream->weighted ? memory + sources : NULL;
    s->out = memory + maps * sources;
    s->work.scratch = s->out + pixels;
    s->work.scratch_size = p->scratch;
    if (!(status = read_sources(s, p))) {
        const armilla_radial_job job = make_job(s, p);
        const armilla_maps piece_maps = {{s->map, 0}, {s->out, 0}, 0, 0}; /* one of each */
        place_output(s, p);
        armilla_radial_pixels_run(&job, &piece_maps, &s->work);
        status = armilla_progress_status(s->work.progress);
    }
    if (!status) status = write_output(s, p);
    s->map = s->weights = s->out = NULL;
    armilla_release(memory);
    return status;
}

static armilla_status run_pieces(stage *s)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t first = 0; first < s->radial->pixels.rows.nout && !status;) {
        const piece p = choose_piece(s, first);
        status = run_piece(s, &p);
        first = p.end;
    }
    return status;
}

/* Checks and copies the arguments of a call. */
static armilla_status take_call(const armilla_radial *radial, const armilla_radial_stream *stream,
                                const armilla_exec *exec, armilla_radial_stream *resolved,
                                armilla_exec *call)
{
    armilla_status status = take_stream(radial, stream, resolved);
    if (status || (status = armilla_radial_check_exec(radial, exec, call))) return status;
    if (call->ntrans == 1) return ARMILLA_OK;
    return armilla_fail_argument("ntrans", call->ntrans, "must be 1: one map is streamed");
}

armilla_status armilla_radial_stream_bytes(const armilla_radial *radial,
                                           const armilla_radial_stream *stream,
                                           const armilla_exec *exec, int64_t *bytes)
{
    armilla_radial_stream resolved;
    armilla_exec call;
    armilla_status status = armilla_check_given("bytes", bytes);
    if (status || (status = take_call(radial, stream, exec, &resolved, &call))) return status;
    stage s = {.radial = radial, .stream = &resolved, .sides = 1 + radial->pixels.rows.mirrored};
    s.work.nthreads = armilla_team_size(call.nthreads);
    double most = 0;
    for (int64_t first = 0; first < radial->pixels.rows.nout;) {
        const piece p = choose_piece(&s, first);
        if (piece_bytes(&s, &p) > most) most = piece_bytes(&s, &p);
        first = p.end;
    }
    const int64_t places = 2 * radial->pixels.rows.count * (int64_t)sizeof *s.at[0];
    *bytes = (int64_t)most + places + 3 * 64; /* the three arrays begin on lines of 64 bytes */
    return ARMILLA_OK;
}

armilla_status armilla_radial_convolve_stream(const armilla_radial *radial,
                                              const armilla_radial_stream *stream,
                                              const armilla_exec *exec)
{
    armilla_radial_stream resolved;
    armilla_exec call;
    armilla_progress progress;
    armilla_status status = take_call(radial, stream, exec, &resolved, &call);
    if (status) return status;
    const int64_t nrings = radial->pixels.rows.count;
    stage s = {.radial = radial, .stream = &resolved, .sides = 1 + radial->pixels.rows.mirrored};
    s.work.nthreads = armilla_team_size(call.nthreads);
    s.work.progress = &progress;
    armilla_progress_start(&progress, call.progress, call.progress_data,
                           (double)count_pixels(&radial->pixels.rows, 0, nrings));
    if ((status = armilla_allocate(&s.at[0], 2 * nrings, sizeof *s.at[0]))) return status;
    s.at[1] = s.at[0] + nrings;
    status = run_pieces(&s);
    armilla_release(s.at[0]);
    return status;
}
