/* Operations of armilla map that go pixel by pixel: formulas, masks, and copies in another order.
 */
#include "map_work.h"
#include "message.h"
#include "sky.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Formulas --------------------------------------------------------------------------------- */

/* The pixels that a formula is worked out for. */
typedef struct place {
    map_work *work;
    int64_t column; /* of the result */
    int64_t first, count;
} place;

/* The column of a map that a step means, for a column of the result. */
static int64_t step_column(const map_work *self, const formula_step *step, int64_t k)
{
    const map_source *source = &self->sources[step->map];
    if (step->column >= 0) return step->column;
    if (self->a->field) return source_find_column(source, self->a->field);
    return source->map->nfields == 1 ? 0 : k;
}

static int read_step(void *data, const formula_step *step, double *values)
{
    const place *at = data;
    const int64_t column = step_column(at->work, step, at->column);
    return source_read(&at->work->sources[step->map], column, at->first, at->count, values);
}

static const char *unit_of(const void *data, const formula_step *step)
{
    const place *at = data;
    const int64_t column = step_column(at->work, step, at->column);
    return at->work->sources[step->map].map->fields[column].unit;
}

/* Finds the columns that a formula names. */
static int find_columns(map_work *self)
{
    formula *made = &self->a->formula;
    for (int64_t i = 0; i < made->count; i++) {
        formula_step *step = &made->steps[i];
        if (step->code != 'm') continue;
        const map_source *source = &self->sources[step->map];
        const char *name = *step->name ? step->name : self->a->field;
        if (!name) continue;
        const int64_t column = source_find_column(source, name);
        if (column < 0)
            return usage_error("%s \"%s\": \"%s\" has no such column",
                               *step->name ? "--calc" : "--field", name, source->path);
        if (*step->name) step->column = column;
    }
    return CLI_OK;
}

/* How many columns the result has: as many as the maps whose columns are not named. Returned: the
 * number of the map that gives the result their names, or -1. */
static int count_columns(const map_work *self, int64_t *ncolumns, int64_t *like)
{
    const formula *made = &self->a->formula;
    *ncolumns = 1, *like = -1;
    for (int64_t i = 0; i < made->count && !self->a->field; i++) {
        const formula_step *step = &made->steps[i];
        if (step->code != 'm' || step->column >= 0) continue;
        const int64_t count = self->sources[step->map].map->nfields;
        if (*like < 0 || (*ncolumns == 1 && count > 1)) *ncolumns = count, *like = step->map;
        if (count == 1 || count == *ncolumns) continue;
        return usage_error("--calc \"%s\": \"%s\" has %lld columns, \"%s\" has %lld; name the "
                           "columns, as in a[0], or give --field",
                           self->a->calc, self->sources[*like].path, (long long)*ncolumns,
                           self->sources[step->map].path, (long long)count);
    }
    if (*like < 0 && self->a->field) *like = 0;
    return CLI_OK;
}

/* Are doubles needed to hold what this column holds? */
static int is_wide(armilla_io_type type)
{
    return type == ARMILLA_IO_DOUBLE || type == ARMILLA_IO_INT32 || type == ARMILLA_IO_INT64;
}

static void describe_column(map_work *self, int64_t k, int64_t like, armilla_field *field)
{
    const formula *made = &self->a->formula;
    const place at = {.work = self, .column = k};
    int wide = self->a->store_double;
    snprintf(field->name, sizeof field->name, "VALUE");
    if (like >= 0) {
        const map_source *source = &self->sources[like];
        const int64_t column = self->a->field ? source_find_column(source, self->a->field) : k;
        *field = source->map->fields[column];
    }
    const char *unit = formula_unit(made, unit_of, &at);
    snprintf(field->unit, sizeof field->unit, "%s",
             self->a->unit ? self->a->unit
             : unit        ? unit
                           : "");
    for (int64_t i = 0; i < made->count; i++) {
        const formula_step *step = &made->steps[i];
        if (step->code != 'm') continue;
        wide |= is_wide(self->sources[step->map].map->fields[step_column(self, step, k)].type);
    }
    field->type = wide ? ARMILLA_IO_DOUBLE : ARMILLA_IO_FLOAT;
}

static int begin_formula(map_work *self, int64_t *ncolumns)
{
    int64_t like = -1;
    const armilla_map *first = self->sources[0].map;
    int code = find_columns(self);
    if (code == CLI_OK) code = count_columns(self, ncolumns, &like);
    if (code != CLI_OK) return code;
    armilla_field *fields = calloc((size_t)*ncolumns, sizeof *fields);
    if (!fields) return memory_error();
    for (int64_t k = 0; k < *ncolumns; k++) describe_column(self, k, like, &fields[k]);
    code = map_begin_with(self, first->nside, first->coordsys, *ncolumns, fields);
    free(fields);
    return code;
}

static int fill_formula(map_work *self, int64_t ncolumns, double *stack)
{
    const formula *made = &self->a->formula;
    const int64_t npix = self->target.map.npix;
    int code = CLI_OK;
    for (int64_t k = 0; k < ncolumns; k++)
        for (int64_t first = 0; first < npix && code == CLI_OK; first += self->piece) {
            const int64_t left = npix - first;
            place at = {self, k, first, left < self->piece ? left : self->piece};
            code = formula_run(made, at.count, read_step, &at, stack);
            if (code == CLI_OK) code = target_write(&self->target, k, first, at.count, stack);
            if (code == CLI_OK) code = map_step(self);
        }
    return code;
}

int map_calculate(map_work *self)
{
    int64_t ncolumns = 1;
    int code = begin_formula(self, &ncolumns);
    if (code != CLI_OK) return code;
    const int64_t depth = self->a->formula.depth;
    double *stack = malloc((size_t)(depth * self->piece) * sizeof *stack);
    code = stack ? fill_formula(self, ncolumns, stack) : memory_error();
    free(stack);
    return code;
}

/* --- Masks and copies ------------------------------------------------------------------------- */

static int mask_piece(map_work *self, int64_t first, int64_t count, double *weights)
{
    const int code = source_read(&self->mask, 0, first, count, weights);
    if (code != CLI_OK) return code;
    for (int64_t i = 0; i < count; i++) {
        if (weights[i] < 0) return sky_mask_is_negative("--mask", self->mask.path, first + i);
        const int is_out = isnan(weights[i]) || weights[i] == 0;
        self->values[i] = is_out ? (double)NAN : self->values[i] * weights[i];
    }
    return CLI_OK;
}

static int copy_column(map_work *self, int64_t k, double *weights)
{
    const int64_t npix = self->target.map.npix;
    int code = CLI_OK;
    for (int64_t first = 0; first < npix && code == CLI_OK; first += self->piece) {
        const int64_t left = npix - first, count = left < self->piece ? left : self->piece;
        code = source_read(&self->sources[0], map_column(self, k), first, count, self->values);
        if (code == CLI_OK && weights) code = mask_piece(self, first, count, weights);
        if (code == CLI_OK) code = target_write(&self->target, k, first, count, self->values);
        if (code == CLI_OK) code = map_step(self);
    }
    return code;
}

int map_copy(map_work *self)
{
    const armilla_map *map = self->sources[0].map;
    double *weights = NULL;
    if (self->a->mask) {
        weights = malloc((size_t)self->piece * sizeof *weights);
        if (!weights) return memory_error();
    }
    int code = map_begin(self, map->nside, map->coordsys);
    for (int64_t k = 0; k < map_ncolumns(self) && code == CLI_OK; k++)
        code = copy_column(self, k, weights);
    free(weights);
    return code;
}
