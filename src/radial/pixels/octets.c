/* Packs the arcs of a ring and of its mirror image side by side into a row of octets, one arc to a
 * lane, with the weights of the grid or of the pixels; unpacks rows of sums into maps, where each
 * is normalised. */
#include "radial/pixels/octets.h"

#include "base/nested.h"
#include "grid/grid.h"

enum { OCTET = ARMILLA_OCTET, TILE = 64 /* positions whose octets stay in the cache */ };

/* --- One lane --------------------------------------------------------------------------------- */

/* A lane of a row: an arc of a ring. */
typedef struct {
    int64_t n, first; /* pixels of the ring, 0: no such lane; the one at position 0 */
    int64_t arc;      /* number of the arc's first position along the ring */
    int64_t offset, stride;
    const armilla_scheme *nested; /* of maps in NESTED order; NULL: others */
    int64_t ring;                 /* its number there */
} lane;

/* at: see armilla_radial_job. */
static lane find_lane(const armilla_radial_pixels *pixels, const armilla_radial_row *row,
                      int number, const int64_t *at)
{
    const armilla_radial_rows *rows = &pixels->rows;
    const int image = number / rows->arcs, arc = number % rows->arcs;
    if (image > rows->mirrored) return (lane){0};
    const armilla_ring *ring = &pixels->grid->rings[row->ring[image]];
    return (lane){.n = row->n,
                  .first = row->base[image] + arc * row->arc,
                  .arc = arc * row->arc,
                  .offset = at ? at[row->ring[image]] : ring->offset,
                  .stride = at ? 1 : ring->stride,
                  .nested = at || !pixels->nested.nside ? NULL : &pixels->nested,
                  .ring = row->ring[image]};
}

/* Pixel of the ring at a position, which may be negative. */
static int64_t find_pixel(const lane *l, int64_t position)
{
    const int64_t pixel = (l->first + position) % l->n;
    return pixel < 0 ? pixel + l->n : pixel;
}

/* What the numbers of each lane are multiplied by. U of a mirror image has the other sign: so one
 * weight even + i odd serves all lanes. set: of the maps alone. */
static void find_scales(const armilla_radial_pixels *pixels, int64_t set, double scale,
                        double scales[OCTET])
{
    const int turns = pixels->profile->turns && set % 2;
    for (int k = 0; k < OCTET; k++) scales[k] = turns && k >= pixels->rows.arcs ? -scale : scale;
}

/* --- Pack ------------------------------------------------------------------------------------- */

/* What a lane is read from. values: a map, or with weights too. */
typedef struct {
    armilla_array values;
    const double *weights;
} source;

ARMILLA_ALWAYS_INLINE double get(const source *from, int64_t index, const int is_float,
                                 const int weighted)
{
    if (weighted && from->weights[index] == 0) return 0;
    const double value = is_float ? (double)((const float *)from->values.values)[index]
                                  : ((const double *)from->values.values)[index];
    return weighted ? value * from->weights[index] : value;
}

/* How many pixels from this one on, at most `most`, are on one face in NESTED order. */
static armilla_nested_run find_run(const lane *l, int64_t pixel, int64_t most)
{
    const int64_t left = l->n - pixel;
    return armilla_nested_run_at(l->nested, l->ring, pixel, left < most ? left : most);
}

ARMILLA_ALWAYS_INLINE void read_nested(const lane *l, const source *from, double scale,
                                       int64_t position, int64_t count, double *octets,
                                       const int is_float, const int weighted)
{
    int64_t pixel = find_pixel(l, position);
    for (int64_t j = 0; j < count;) {
        armilla_nested_run run = find_run(l, pixel, count - j);
        for (int64_t i = 0; i < run.count; i++, j++) {
            const int64_t index = run.face + (int64_t)(run.x | run.y);
            octets[j * OCTET] = scale * get(from, index, is_float, weighted);
            armilla_nested_step(&run);
        }
        pixel = (pixel + run.count) % l->n;
    }
}

ARMILLA_ALWAYS_INLINE void read_lane(const lane *l, const source *from, double scale,
                                     int64_t position, int64_t count, double *octets,
                                     const int is_float, const int weighted)
{
    int64_t pixel = find_pixel(l, position), index = l->offset + pixel * l->stride;
    if (l->nested) {
        read_nested(l, from, scale, position, count, octets, is_float, weighted);
        return;
    }
    for (int64_t j = 0; j < count;) {
        int64_t run = l->n - pixel;
        if (run > count - j) run = count - j;
        for (int64_t i = 0; i < run; i++, index += l->stride)
            octets[(j + i) * OCTET] = scale * get(from, index, is_float, weighted);
        j += run;
        pixel = 0, index = l->offset;
    }
}

static void pack_lane(const lane *l, const source *from, double scale, int64_t position,
                      int64_t count, double *octets)
{
    const int is_float = from->values.is_float;
    if (!l->n)
        for (int64_t j = 0; j < count; j++) octets[j * OCTET] = 0;
    else if (from->weights && is_float)
        read_lane(l, from, scale, position, count, octets, 1, 1);
    else if (from->weights)
        read_lane(l, from, scale, position, count, octets, 0, 1);
    else if (is_float)
        read_lane(l, from, scale, position, count, octets, 1, 0);
    else
        read_lane(l, from, scale, position, count, octets, 0, 0);
}

static source find_source(const armilla_radial_job *job, const armilla_maps *maps, int64_t set)
{
    if (!job->weights) return (source){armilla_maps_from(maps, set).in, NULL};
    if (set == 0) return (source){{(void *)job->weights, 0}, NULL};
    return (source){armilla_maps_from(maps, set - 1).in, job->weights};
}

/* The positions of the arcs themselves, all at once: full lanes of doubles that lie side by side.
 * Returned: 0 where that is not possible. */
static int pack_arcs(const armilla_radial_pixels *pixels, const lane lanes[OCTET],
                     const source *from, const double scales[OCTET], int64_t count, double *octets)
{
    const double *start[OCTET];
    if (from->values.is_float || from->weights) return 0;
    for (int k = 0; k < OCTET; k++) {
        const lane *l = &lanes[k];
        if (!l->n || l->stride != 1) return 0;
        const int64_t pixel = find_pixel(l, 0);
        if (pixel + count > l->n) return 0;
        start[k] = (const double *)from->values.values + l->offset + pixel;
    }
    pixels->kernels->interleave(start, scales, count, octets);
    return 1;
}

/* Adjoint of SUM: over the divisors, which repeat with the arcs. */
static void divide(const armilla_radial_pixels *pixels, int64_t number, double *slot, int64_t count)
{
    const armilla_radial_row *row = &pixels->rows.row[number];
    const double *divisor = pixels->divisor + pixels->divisor_first[number];
    for (int64_t j = 0; j < count; j++) {
        const int64_t at = (j - row->margin) % row->arc;
        const double scale = 1 / divisor[row->uniform ? 0 : at < 0 ? at + row->arc : at];
        for (int k = 0; k < OCTET; k++) slot[j * OCTET + k] *= scale;
    }
}

static void pack_lanes(const lane lanes[OCTET], const source *from, const double scales[OCTET],
                       int64_t begin, int64_t end, double *octets)
{
    for (int64_t j = begin; j < end; j += TILE)
        for (int k = 0; k < OCTET; k++)
            pack_lane(&lanes[k], from, scales[k], j, end - j < TILE ? end - j : TILE,
                      octets + j * OCTET + k);
}

void armilla_radial_pack(const armilla_radial_job *job, const armilla_maps *maps, int64_t set,
                         int64_t number, double *slot)
{
    const armilla_radial_pixels *pixels = job->pixels;
    const armilla_radial_row *row = &pixels->rows.row[number];
    const int64_t end = row->arc + row->margin + ARMILLA_RADIAL_BLOCK;
    const source from = find_source(job, maps, set);
    double *octets = slot + row->margin * OCTET, scales[OCTET];
    find_scales(pixels, set, job->adjoint ? 1 : pixels->grid->rings[row->ring[0]].weight, scales);
    lane lanes[OCTET];
    for (int k = 0; k < OCTET; k++) lanes[k] = find_lane(pixels, row, k, job->map_at);
    if (pack_arcs(pixels, lanes, &from, scales, row->arc, octets)) {
        pack_lanes(lanes, &from, scales, -row->margin, 0, octets);
        pack_lanes(lanes, &from, scales, row->arc, end, octets);
    } else
        pack_lanes(lanes, &from, scales, -row->margin, end, octets);
    if (job->adjoint && pixels->divisor && !job->plain)
        divide(pixels, number, slot, end + row->margin);
}

/* --- Unpack ----------------------------------------------------------------------------------- */

/* How a sum becomes a pixel. */
typedef struct {
    double scale[OCTET];
    const double *divisor; /* per position, step apart; NULL: none */
    int64_t step;
    const double *weights; /* sums of weights, octets; NULL: none */
    const double *norm;    /* of weights of 1, per position */
    double least, fill;
} finish;

ARMILLA_ALWAYS_INLINE double make_pixel(const finish *f, double sum, int64_t position, int k)
{
    if (f->weights) {
        const double weight = f->weights[position * OCTET + k];
        return weight > 0 && weight >= f->least * f->norm[position] ? sum / weight : f->fill;
    }
    return f->scale[k] * (f->divisor ? sum / f->divisor[position * f->step] : sum);
}

ARMILLA_ALWAYS_INLINE void put_pixel(void *values, int64_t index, double value, const int is_float)
{
    if (is_float)
        ((float *)values)[index] = (float)value;
    else
        ((double *)values)[index] = value;
}

ARMILLA_ALWAYS_INLINE void write_nested(const lane *l, const finish *f, const double *sums,
                                        int64_t begin, int64_t end, int k, void *values,
                                        const int is_float)
{
    int64_t pixel = find_pixel(l, begin);
    for (int64_t j = begin; j < end;) {
        armilla_nested_run run = find_run(l, pixel, end - j);
        for (int64_t i = 0; i < run.count; i++, j++) {
            const double value = make_pixel(f, sums[j * OCTET + k], j, k);
            put_pixel(values, run.face + (int64_t)(run.x | run.y), value, is_float);
            armilla_nested_step(&run);
        }
        pixel = (pixel + run.count) % l->n;
    }
}

ARMILLA_ALWAYS_INLINE void write_lane(const lane *l, const finish *f, const double *sums,
                                      int64_t begin, int64_t end, int k, void *values,
                                      const int is_float)
{
    int64_t pixel = find_pixel(l, begin);
    if (l->nested) {
        write_nested(l, f, sums, begin, end, k, values, is_float);
        return;
    }
    for (int64_t j = begin; j < end; j++) {
        const double value = make_pixel(f, sums[j * OCTET + k], j, k);
        put_pixel(values, l->offset + pixel * l->stride, value, is_float);
        if (++pixel == l->n) pixel = 0;
    }
}

static finish find_finish(const armilla_radial_job *job, int64_t map, int64_t number,
                          const double *sums, const double *norm)
{
    const armilla_radial_pixels *pixels = job->pixels;
    const armilla_radial_row *row = &pixels->rows.row[number];
    finish f = {.least = job->least, .fill = job->fill, .norm = norm};
    find_scales(pixels, map, job->adjoint ? pixels->grid->rings[row->ring[0]].weight : 1, f.scale);
    if (job->weights)
        f.weights = sums;
    else if (pixels->divisor && !job->adjoint && !job->plain) {
        f.divisor = pixels->divisor + pixels->divisor_first[number];
        f.step = !row->uniform;
    }
    return f;
}

/* All lanes of a row at once, where all of them are doubles that lie side by side. */
static int unpack_arcs(const armilla_radial_job *job, const armilla_radial_row *row,
                       const finish *f, const double *sums, armilla_array out)
{
    double *start[OCTET];
    if (out.is_float || f->weights || f->divisor) return 0;
    for (int k = 0; k < OCTET; k++) {
        const lane l = find_lane(job->pixels, row, k, job->out_at);
        if (!l.n || l.stride != 1) return 0;
        const int64_t pixel = find_pixel(&l, 0);
        if (pixel + row->arc > l.n || l.arc + row->arc > l.n) return 0;
        start[k] = (double *)out.values + l.offset + pixel;
    }
    job->pixels->kernels->separate(sums, f->scale, row->arc, start);
    return 1;
}

void armilla_radial_unpack(const armilla_radial_job *job, const armilla_maps *maps, int64_t number,
                           const double *sums, int64_t distance, const double *norm)
{
    const armilla_radial_pixels *pixels = job->pixels;
    const armilla_radial_row *row = &pixels->rows.row[number];
    /* The equator is its own image. */
    const int itself = row->ring[1] == row->ring[0];
    const int nlanes = pixels->rows.arcs * (1 + (pixels->rows.mirrored && !itself));
    for (int64_t map = 0; map < job->nmaps; map++) {
        const finish f = find_finish(job, map, number, sums, norm);
        const double *from = sums + (map + (job->weights != NULL)) * distance;
        const armilla_array out = armilla_maps_from(maps, map).out;
        if (nlanes == OCTET && unpack_arcs(job, row, &f, from, out)) continue;
        for (int64_t begin = 0; begin < row->arc; begin += TILE)
            for (int k = 0; k < nlanes; k++) {
                const lane l = find_lane(pixels, row, k, job->out_at);
                int64_t end = row->arc - begin < TILE ? row->arc : begin + TILE;
                if (end > l.n - l.arc) end = l.n - l.arc; /* the last arc may run over */
                if (out.is_float)
                    write_lane(&l, &f, from, begin, end, k, out.values, 1);
                else
                    write_lane(&l, &f, from, begin, end, k, out.values, 0);
            }
    }
}
