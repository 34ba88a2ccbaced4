/* Copies maps and coefficients into floats, transforms these, and copies the results back. */
#include "transform_float.h"

#include "message.h"

#include <stdlib.h>

typedef struct floats {
    int64_t npix, nalm; /* of all components; nalm: numbers, two to a coefficient */
    float *map, *alm;
} floats;

static int begin(const transform *self, floats *room)
{
    *room = (floats){.npix = self->ncomp * self->npix, .nalm = 2 * self->ncomp * self->alm_size};
    room->map = malloc((size_t)(room->npix + 1) * sizeof *room->map);
    room->alm = malloc((size_t)(room->nalm + 1) * sizeof *room->alm);
    return room->map && room->alm ? CLI_OK : memory_error();
}

static void end(floats *room)
{
    free(room->map);
    free(room->alm);
}

int transform_float_analysis(const transform *self, const armilla_pseudo_options *options,
                             double *const *maps, double *alm, armilla_pseudo_report *reports,
                             const armilla_exec *exec)
{
    floats room;
    armilla_status status = ARMILLA_OK;
    const int code = begin(self, &room);
    for (int64_t i = 0; i < room.npix && code == CLI_OK; i++)
        room.map[i] = (float)maps[i / self->npix][i % self->npix];
    if (code == CLI_OK)
        status = self->polar ? armilla_iqu_pseudo_analysis_float(self->polar, room.map, room.alm,
                                                                 options, reports, exec)
                             : armilla_sht_pseudo_analysis_float(self->scalar, room.map, room.alm,
                                                                 options, reports, exec);
    for (int64_t i = 0; i < room.nalm && code == CLI_OK && !status; i++) alm[i] = room.alm[i];
    end(&room);
    return status ? data_error(status, NULL) : code;
}

int transform_float_synthesis(const transform *self, const double *alm, double *const *maps,
                              const armilla_exec *exec)
{
    floats room;
    armilla_status status = ARMILLA_OK;
    const int code = begin(self, &room);
    for (int64_t i = 0; i < room.nalm && code == CLI_OK; i++) room.alm[i] = (float)alm[i];
    if (code == CLI_OK)
        status = self->polar ? armilla_iqu_synthesis_float(self->polar, room.alm, room.map, exec)
                             : armilla_sht_synthesis_float(self->scalar, room.alm, room.map, exec);
    for (int64_t i = 0; i < room.npix && code == CLI_OK && !status; i++)
        maps[i / self->npix][i % self->npix] = room.map[i];
    end(&room);
    return status ? data_error(status, NULL) : code;
}
