/* See sky.h. Monopole and dipole are in multipoles.c. */
#include "sky.h"

#include "message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Files store the mark of a missing pixel in float or double: equal to 1e-5, as in HEALPix. */
static int is_missing(double value)
{
    return fabs(value - ARMILLA_UNSEEN) <= 1e-5 * fabs(ARMILLA_UNSEEN);
}

static int find_missing(sky *self)
{
    for (int64_t i = 0; i < self->npix; i++) {
        double value = self->values[i];
        self->missing[i] = isnan(value) || is_missing(value);
        self->nmissing += self->missing[i];
        if (!self->missing[i] && !isfinite(value))
            return work_error("\"%s\": pixel %lld is infinite", self->path, (long long)i);
    }
    if (self->nmissing == self->npix) return work_error("\"%s\": has no valid pixel", self->path);
    return CLI_OK;
}

int sky_read(const char *path, int64_t field, sky *self)
{
    armilla_map *map;
    armilla_status status = armilla_map_read(path, 0, 1, &field, &map);
    if (status == ARMILLA_ERROR_ARGUMENT) return library_error(status, path); /* --field */
    if (status) return data_error(status, path);
    sky result = {.map = map, .nside = map->nside, .npix = map->npix, .path = path};
    result.values = map->fields[0].values;
    result.missing = calloc((size_t)map->npix, 1);
    int code = result.missing ? find_missing(&result) : memory_error();
    if (code == CLI_OK)
        *self = result;
    else
        sky_free(&result);
    return code;
}

void sky_free(sky *self)
{
    armilla_map_free(self->map);
    free(self->missing);
    free(self->weights);
    memset(self, 0, sizeof *self);
}

static int take_mask(sky *self, const sky *mask)
{
    for (int64_t i = 0; i < self->npix; i++) {
        double weight = mask->missing[i] ? 0 : mask->values[i];
        if (weight < 0)
            return work_error("--mask \"%s\": pixel %lld is negative; a mask is 0 where pixels are "
                              "to be left out, 1 elsewhere",
                              mask->path, (long long)i);
        self->weights[i] = weight;
        if (weight > 0 || self->missing[i]) continue;
        self->missing[i] = 1;
        self->nmissing++;
    }
    if (self->nmissing < self->npix) return CLI_OK;
    return work_error("--mask \"%s\": leaves no pixel of the map", mask->path);
}

int sky_read_mask(sky *self, const char *path)
{
    sky mask = {.map = NULL};
    if (!path) return CLI_OK;
    int code = sky_read(path, 0, &mask);
    if (code != CLI_OK) return code;
    self->weights = malloc((size_t)self->npix * sizeof *self->weights);
    if (!self->weights)
        code = memory_error();
    else if (mask.nside != self->nside)
        code = usage_error("--mask \"%s\": has nside %lld, but \"%s\" has nside %lld", path,
                           (long long)mask.nside, self->path, (long long)self->nside);
    else
        code = take_mask(self, &mask);
    sky_free(&mask);
    return code;
}

void sky_weight(sky *self)
{
    for (int64_t i = 0; i < self->npix; i++) {
        if (self->missing[i])
            self->values[i] = 0;
        else if (self->weights)
            self->values[i] *= self->weights[i];
    }
}

void sky_mark_missing(sky *self)
{
    for (int64_t i = 0; i < self->npix; i++)
        if (self->missing[i]) self->values[i] = ARMILLA_UNSEEN;
}
