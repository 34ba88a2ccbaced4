/* Operations of armilla map on masks: the tapers that NaMaster calls C1 and C2, and the part of the
 * sky.
 *
 * theta is the distance from a pixel to the nearest one whose mask is 0, and
 *     x = sqrt((1 - cos theta) / (1 - cos ANGLE)),
 * the ratio of two chords. Where x < 1, the mask is multiplied by
 *     C1: x - sin(2 pi x) / (2 pi),    C2: (1 - cos(pi x)) / 2.
 * Formulas and names are those of NaMaster's mask_apodization. Tapers of this kind go back to
 * Grain, Tristram & Stompor (2009, Phys. Rev. D 79, 123515), whose own C1 and C2 need not be these:
 * here C1 has two continuous derivatives where it ends, and C2 one. On HEALPix the nearest pixel of
 * 0 has a neighbour that is not 0: only those are looked through. Pixels of other grids may be far
 * longer than wide, and all that are 0 are looked through. */
#include "map_work.h"
#include "message.h"
#include "nearest.h"
#include "progress.h"
#include "report.h"
#include "sky.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AXES = 3, NEIGHBOURS = 8, BLOCK = 1 << 14 };

/* --- Edges ------------------------------------------------------------------------------------ */

typedef struct edge {
    int64_t count, room;
    int64_t *pixels; /* of zeros with a neighbour that is none, or all */
    double *vectors;
} edge;

static int has_neighbour(const double *mask, const int64_t *neighbours)
{
    for (int i = 0; i < NEIGHBOURS; i++)
        if (neighbours[i] >= 0 && mask[neighbours[i]] > 0) return 1;
    return 0;
}

static int add_pixel(edge *self, int64_t pixel)
{
    if (self->count == self->room) {
        const int64_t more = 2 * self->room + 1024;
        int64_t *pixels = realloc(self->pixels, (size_t)more * sizeof *pixels);
        if (!pixels) return memory_error();
        self->pixels = pixels, self->room = more;
    }
    self->pixels[self->count++] = pixel;
    return CLI_OK;
}

/* The edge among some pixels, all of them 0. */
static int add_block(const map_work *work, const double *mask, int64_t count, const int64_t *pixels,
                     int64_t *neighbours, edge *self)
{
    const int64_t nside = work->on.nside;
    armilla_status status = ARMILLA_OK;
    if (nside)
        status = armilla_healpix_neighbours_with(nside, 0, count, pixels, 0, neighbours,
                                                 (int)work->a->base.threads);
    int code = status ? data_error(status, NULL) : CLI_OK;
    for (int64_t i = 0; i < count && code == CLI_OK; i++)
        if (!nside || has_neighbour(mask, neighbours + NEIGHBOURS * i))
            code = add_pixel(self, pixels[i]);
    return code;
}

static int find_pixels(const map_work *work, const double *mask, edge *self)
{
    const int64_t npix = work->sources[0].map->npix;
    int64_t *pixels = malloc(BLOCK * sizeof *pixels), count = 0;
    int64_t *neighbours = malloc(NEIGHBOURS * BLOCK * sizeof *neighbours);
    int code = pixels && neighbours ? CLI_OK : memory_error();
    for (int64_t i = 0; i < npix && code == CLI_OK; i++) {
        if (!(mask[i] > 0)) pixels[count++] = i;
        if (count < BLOCK && i < npix - 1) continue;
        code = add_block(work, mask, count, pixels, neighbours, self);
        count = 0;
    }
    free(pixels);
    free(neighbours);
    return code;
}

static int find_edge(const map_work *work, const double *mask, edge *self)
{
    int code = find_pixels(work, mask, self);
    if (code != CLI_OK) return code;
    self->vectors = malloc((size_t)(AXES * self->count + 1) * sizeof *self->vectors);
    if (!self->vectors) return memory_error();
    armilla_status status = pixel_grid_vectors(&work->on, self->count, self->pixels, self->vectors,
                                               (int)work->a->base.threads);
    if (status) return data_error(status, NULL);
    nearest_build(self->count, self->vectors);
    return CLI_OK;
}

/* --- Tapers ----------------------------------------------------------------------------------- */

static double taper(int is_second, double x)
{
    if (x >= 1) return 1;
    return is_second ? (1 - cos(M_PI * x)) / 2 : x - sin(2 * M_PI * x) / (2 * M_PI);
}

static int taper_piece(map_work *work, const double *mask, const edge *zeros, int64_t first,
                       int64_t count, int64_t *pixels, double *vectors)
{
    const double chord = 2 * sin(work->a->apodize / 2), bound = chord * chord;
    const int is_second = strcmp(work->a->taper, "c2") == 0;
    for (int64_t i = 0; i < count; i++) pixels[i] = first + i;
    armilla_status status =
        pixel_grid_vectors(&work->on, count, pixels, vectors, (int)work->a->base.threads);
    if (status) return data_error(status, NULL);
    for (int64_t i = 0; i < count; i++) {
        work->values[i] = 0;
        if (!(mask[first + i] > 0)) continue;
        const double square = nearest_find(zeros->count, zeros->vectors, vectors + AXES * i, bound);
        work->values[i] = mask[first + i] * taper(is_second, sqrt(square) / chord);
    }
    const int code = target_write(&work->target, 0, first, count, work->values);
    return code == CLI_OK ? map_step(work) : code;
}

static int taper_all(map_work *work, const double *mask, const edge *zeros)
{
    const int64_t npix = work->target.map.npix;
    int64_t *pixels = malloc((size_t)work->piece * sizeof *pixels);
    double *vectors = malloc((size_t)(AXES * work->piece) * sizeof *vectors);
    int code = pixels && vectors ? CLI_OK : memory_error();
    for (int64_t first = 0; first < npix && code == CLI_OK; first += work->piece) {
        const int64_t left = npix - first;
        code = taper_piece(work, mask, zeros, first, left < work->piece ? left : work->piece,
                           pixels, vectors);
    }
    free(pixels);
    free(vectors);
    return code;
}

static int check_values(const map_work *work, const double *mask)
{
    for (int64_t i = 0; i < work->sources[0].map->npix; i++)
        if (mask[i] < 0) return sky_mask_is_negative("", work->sources[0].path, i);
    return CLI_OK;
}

int map_apodize(map_work *self)
{
    edge zeros = {.count = 0};
    const armilla_map *map = self->sources[0].map;
    double *mask = map_read_all(self, &self->sources[0], map_column(self, 0));
    int code = mask ? check_values(self, mask) : CLI_FAILED;
    if (code == CLI_OK) code = find_edge(self, mask, &zeros);
    if (code == CLI_OK && zeros.count == 0)
        note("the mask has no edge: it is 0 nowhere, or everywhere");
    if (code == CLI_OK) code = map_begin(self, map->nside, map->coordsys);
    if (code == CLI_OK) code = taper_all(self, mask, &zeros);
    free(zeros.pixels);
    free(zeros.vectors);
    free(mask);
    return code;
}

/* --- The part of the sky ---------------------------------------------------------------------- */

enum { POWERS = 4, SUMS = POWERS + 1 };

/* Sums over pixels, each with its area: 1 on HEALPix, else its weight of quadrature. */
typedef struct sky_sums {
    int64_t ring, end; /* the ring that the next pixel lies on, and where the one behind begins */
    double area, all;
    double powers[SUMS]; /* of the areas where the mask is above 0, and of it to 1, 2, 4 */
    int64_t missing, first_bad;
} sky_sums;

/* Finds the area of a pixel; pixels are asked for one after the other. */
static void find_area(const pixel_grid *on, int64_t pixel, sky_sums *sums)
{
    armilla_ring ring = {.nphi = 0};
    while (pixel >= sums->end && !on->nside) {
        if (armilla_grid_ring(on->grid, sums->ring++, &ring)) return;
        sums->end = ring.offset + ring.nphi;
        sums->area = ring.weight;
    }
}

static void add_pixels(const map_work *self, int64_t first, int64_t count, sky_sums *sums)
{
    double *s = sums->powers;
    for (int64_t i = 0; i < count; i++) {
        const double m = self->values[i];
        find_area(&self->on, first + i, sums);
        const double w = sums->area;
        sums->all += w;
        sums->missing += isnan(m);
        if (m < 0 && sums->first_bad < 0) sums->first_bad = first + i;
        if (!(m > 0)) continue;
        s[0] += w, s[1] += w * m, s[2] += w * m * m, s[POWERS] += w * m * m * m * m;
    }
}

static int print_sums(const sky_sums *sums, int64_t npix)
{
    const double *s = sums->powers, all = sums->all;
    const double w[] = {s[0] / all, s[1] / all, s[2] / all, s[POWERS] / all};
    report_real("fsky", w[0]);
    report_real("w1", w[1]), report_real("w2", w[2]), report_real("w4", w[3]);
    report_integer("npix", npix), report_integer("missing", sums->missing);
    if (report_is_wanted()) return CLI_OK;
    progress_erase();
    printf("fsky %.17g\nw1 %.17g\nw2 %.17g\nw4 %.17g\n", w[0], w[1], w[2], w[3]);
    return finish_stdout(CLI_OK);
}

int map_fsky(map_work *self)
{
    const map_source *source = &self->sources[0];
    const int64_t npix = source->map->npix;
    sky_sums sums = {.area = 1, .first_bad = -1};
    int code = pixel_grid_needs_weights(&self->on, "--fsky");
    for (int64_t first = 0; first < npix && code == CLI_OK; first += self->piece) {
        const int64_t left = npix - first, count = left < self->piece ? left : self->piece;
        code = source_read(source, map_column(self, 0), first, count, self->values);
        if (code == CLI_OK) add_pixels(self, first, count, &sums);
        if (code == CLI_OK) code = map_step(self);
    }
    if (code != CLI_OK) return code;
    if (sums.first_bad >= 0) return sky_mask_is_negative("", source->path, sums.first_bad);
    return print_sums(&sums, npix);
}
