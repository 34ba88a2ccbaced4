/* armilla map --nside: means of the pixels that make up a coarser one, or values repeated on finer
 * ones, as HEALPix' ud_grade makes them. Pixels are met in RING order, and their parents are found
 * by NESTED numbers, where four pixels with the same parent follow each other; so only the coarser
 * of the two maps is in memory. */
#include "map_work.h"
#include "message.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* How the pixels of the finer map belong to the coarser one. */
typedef struct ladder {
    int64_t fine, coarse;
    int bits; /* of a fine number below those of the parent */
    double factor;
    int64_t *numbers; /* of a piece */
} ladder;

static int log_of(int64_t power)
{
    int bits = 0;
    while (power > 1) power >>= 1, bits++;
    return bits;
}

static int is_power(int64_t nside)
{
    return (nside & (nside - 1)) == 0;
}

/* NESTED numbers of the parents of fine pixels. */
static int find_parents(const map_work *self, const ladder *way, int64_t first, int64_t count)
{
    for (int64_t i = 0; i < count; i++) way->numbers[i] = first + i;
    armilla_status status = armilla_healpix_renumber(way->fine, 1, count, way->numbers,
                                                     way->numbers, (int)self->a->base.threads);
    for (int64_t i = 0; i < count; i++) way->numbers[i] >>= way->bits;
    return status ? data_error(status, NULL) : CLI_OK;
}

/* --- Coarser ---------------------------------------------------------------------------------- */

static int add_piece(map_work *self, const ladder *way, int64_t k, int64_t first, int64_t count,
                     double *sums, int64_t *seen)
{
    int code = source_read(&self->sources[0], map_column(self, k), first, count, self->values);
    if (code == CLI_OK) code = find_parents(self, way, first, count);
    for (int64_t i = 0; i < count && code == CLI_OK; i++) {
        if (isnan(self->values[i])) continue;
        sums[way->numbers[i]] += self->values[i];
        seen[way->numbers[i]]++;
    }
    return code == CLI_OK ? map_step(self) : code;
}

/* Writes the means. */
static int write_means(map_work *self, const ladder *way, int64_t k, const double *sums,
                       const int64_t *seen)
{
    const int64_t npix = self->target.map.npix;
    const int64_t least = self->a->pessimistic ? INT64_C(1) << way->bits : 1;
    const ladder own = {.fine = way->coarse, .numbers = way->numbers};
    int code = CLI_OK;
    for (int64_t first = 0; first < npix && code == CLI_OK; first += self->piece) {
        const int64_t left = npix - first, count = left < self->piece ? left : self->piece;
        code = find_parents(self, &own, first, count);
        for (int64_t i = 0; i < count && code == CLI_OK; i++) {
            const int64_t n = way->numbers[i];
            const double mean = seen[n] < least ? (double)NAN : sums[n] / (double)seen[n];
            self->values[i] = mean * way->factor;
        }
        if (code == CLI_OK) code = target_write(&self->target, k, first, count, self->values);
    }
    return code;
}

static int coarsen(map_work *self, const ladder *way, int64_t k)
{
    const int64_t from = self->sources[0].map->npix;
    const size_t to = (size_t)self->target.map.npix;
    double *sums = calloc(to, sizeof *sums);
    int64_t *seen = calloc(to, sizeof *seen);
    int code = sums && seen ? CLI_OK : memory_error();
    for (int64_t first = 0; first < from && code == CLI_OK; first += self->piece) {
        const int64_t left = from - first, count = left < self->piece ? left : self->piece;
        code = add_piece(self, way, k, first, count, sums, seen);
    }
    if (code == CLI_OK) code = write_means(self, way, k, sums, seen);
    free(sums);
    free(seen);
    return code;
}

/* --- Finer ------------------------------------------------------------------------------------ */

static int refine_piece(map_work *self, const ladder *way, int64_t k, int64_t first, int64_t count,
                        const double *coarse)
{
    int code = find_parents(self, way, first, count);
    if (code != CLI_OK) return code;
    armilla_status status = armilla_healpix_renumber(way->coarse, 0, count, way->numbers,
                                                     way->numbers, (int)self->a->base.threads);
    if (status) return data_error(status, NULL);
    for (int64_t i = 0; i < count; i++) self->values[i] = coarse[way->numbers[i]] * way->factor;
    code = target_write(&self->target, k, first, count, self->values);
    return code == CLI_OK ? map_step(self) : code;
}

static int refine(map_work *self, const ladder *way, int64_t k)
{
    const int64_t npix = self->target.map.npix;
    double *coarse = map_read_all(self, &self->sources[0], map_column(self, k));
    int code = coarse ? CLI_OK : CLI_FAILED;
    for (int64_t first = 0; first < npix && code == CLI_OK; first += self->piece) {
        const int64_t left = npix - first;
        code = refine_piece(self, way, k, first, left < self->piece ? left : self->piece, coarse);
    }
    free(coarse);
    return code;
}

/* ---------------------------------------------------------------------------------------------- */

int map_change_nside(map_work *self)
{
    const armilla_map *map = self->sources[0].map;
    const int64_t from = map->nside, to = self->a->nside;
    if (!is_power(to))
        return usage_error("--nside \"%lld\": must be a power of two", (long long)to);
    if (!is_power(from))
        return usage_error("--nside: \"%s\" has nside %lld, which is not a power of two",
                           self->sources[0].path, (long long)from);
    const int is_finer = to > from;
    ladder way = {.fine = is_finer ? to : from, .coarse = is_finer ? from : to};
    way.bits = 2 * log_of(way.fine / way.coarse);
    way.factor = pow((double)to / (double)from, self->a->exponent);
    way.numbers = malloc((size_t)self->piece * sizeof *way.numbers);
    int code = way.numbers ? map_begin(self, to, map->coordsys) : memory_error();
    for (int64_t k = 0; k < map_ncolumns(self) && code == CLI_OK; k++)
        code = (is_finer ? refine : coarsen)(self, &way, k);
    free(way.numbers);
    return code;
}
