/* Copies samples into the rows and columns around a strip, beyond poles, equator and the ends of
 * rings, so that windows of points there are no special case, and, for the transpose, adds them
 * back to the samples. */
#include "points/samples.h"

#include <string.h>

typedef struct {
    const armilla_points_core *core;
    const armilla_points_strip *strip;
    double *samples; /* of a component */
} strip_samples;

armilla_points_side armilla_points_side_of(const armilla_points_core *core,
                                           const armilla_points_strip *strip, int south,
                                           double *samples)
{
    const int64_t nrings = core->sampling.nrings, reach = armilla_points_reach(core);
    const int64_t begin = strip->first_own - (strip->band == 0 ? reach : 0);
    const int64_t stop = strip->first_own + strip->nown;
    const int64_t end = stop + (stop == core->fine.count ? reach : 0);
    if (!south) return (armilla_points_side){samples, strip->first, begin, end};
    return (armilla_points_side){samples + core->most_rows * core->pitch,
                                 nrings - strip->first - strip->rows, nrings - end, nrings - begin};
}

/* A row of a hemisphere by the distance of its ring pair from the pole, which may be negative or
 * beyond the equator. */
static double *find_row(const strip_samples *s, int south, int64_t pair)
{
    const int64_t row =
        south ? s->strip->rows - 1 - (pair - s->strip->first) : pair - s->strip->first;
    return s->samples + ((south ? s->core->most_rows : 0) + row) * s->core->pitch;
}

/* --- Columns ---------------------------------------------------------------------------------- */

/* From the ring outwards: margins may go round it more than once. */
static void repeat_columns(const armilla_points_core *core, double *row)
{
    const int64_t n = core->sampling.nphi, left = core->left, right = core->pitch - left - n;
    for (int64_t i = left - 1; i >= 0; i--) row[i] = row[n + i];
    for (int64_t i = 0; i < right; i++) row[left + n + i] = row[left + i];
}

/* What was copied last goes back first: a column that stands for another one may have been copied
 * itself. */
static void fold_columns(const armilla_points_core *core, double *row)
{
    const int64_t n = core->sampling.nphi, left = core->left, right = core->pitch - left - n;
    for (int64_t i = 0; i < left; i++) row[n + i] += row[i];
    for (int64_t i = right - 1; i >= 0; i--) row[left + i] += row[left + n + i];
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* The row on the other side of the pole, half a turn away. */
static void copy_across(const armilla_points_core *core, double *row, const double *from)
{
    const int64_t half = core->sampling.nphi / 2, left = core->left;
    const double sign = core->spin % 2 ? -1 : 1;
    for (int64_t i = 0; i < half; i++) {
        row[left + i] = sign * from[left + half + i];
        row[left + half + i] = sign * from[left + i];
    }
}

static void add_across(const armilla_points_core *core, const double *row, double *to)
{
    const int64_t half = core->sampling.nphi / 2, left = core->left;
    const double sign = core->spin % 2 ? -1 : 1;
    for (int64_t i = 0; i < half; i++) {
        to[left + half + i] += sign * row[left + i];
        to[left + i] += sign * row[left + half + i];
    }
}

static void add_row(const armilla_points_core *core, const double *row, double *to)
{
    for (int64_t i = 0; i < core->sampling.nphi; i++) to[core->left + i] += row[core->left + i];
}

static void fill_side(const strip_samples *s, int south)
{
    const armilla_points_strip *strip = s->strip;
    const int64_t half = s->core->fine.count, end = strip->first + strip->rows;
    for (int64_t pair = strip->first; pair < 0; pair++)
        copy_across(s->core, find_row(s, south, pair), find_row(s, south, -1 - pair));
    for (int64_t pair = half; pair < end; pair++)
        memcpy(find_row(s, south, pair), find_row(s, !south, 2 * half - 1 - pair),
               (size_t)s->core->pitch * sizeof(double));
    for (int64_t pair = strip->first; pair < end; pair++)
        repeat_columns(s->core, find_row(s, south, pair));
}

static void fold_side(const strip_samples *s, int south)
{
    const armilla_points_strip *strip = s->strip;
    const int64_t half = s->core->fine.count, end = strip->first + strip->rows;
    for (int64_t pair = strip->first; pair < 0; pair++)
        add_across(s->core, find_row(s, south, pair), find_row(s, south, -1 - pair));
    for (int64_t pair = half; pair < end; pair++)
        add_row(s->core, find_row(s, south, pair), find_row(s, !south, 2 * half - 1 - pair));
}

static void fold_all_columns(const strip_samples *s, int south)
{
    const armilla_points_strip *strip = s->strip;
    for (int64_t pair = strip->first; pair < strip->first + strip->rows; pair++)
        fold_columns(s->core, find_row(s, south, pair));
}

static strip_samples component(const armilla_points_core *core, const armilla_points_strip *strip,
                               double *samples, int64_t c)
{
    return (strip_samples){core, strip, samples + c * 2 * core->most_rows * core->pitch};
}

void armilla_points_fill_halo(const armilla_points_core *core, const armilla_points_strip *strip,
                              armilla_points_sides sides, double *samples)
{
    for (int64_t c = 0; c < core->nmap; c++) {
        const strip_samples s = component(core, strip, samples, c);
        for (int south = 0; south < 2; south++)
            if (sides.used[south]) fill_side(&s, south);
    }
}

void armilla_points_fold_halo(const armilla_points_core *core, const armilla_points_strip *strip,
                              armilla_points_sides sides, double *samples)
{
    for (int64_t c = 0; c < core->nmap; c++) {
        const strip_samples s = component(core, strip, samples, c);
        for (int south = 0; south < 2; south++)
            if (sides.used[south]) fold_all_columns(&s, south);
        for (int south = 0; south < 2; south++)
            if (sides.used[south]) fold_side(&s, south);
    }
}

void armilla_points_clear_samples(const armilla_points_core *core,
                                  const armilla_points_strip *strip, armilla_points_sides sides,
                                  double *samples)
{
    for (int64_t c = 0; c < core->nmap; c++)
        for (int south = 0; south < 2; south++) {
            if (!sides.used[south]) continue;
            const strip_samples s = component(core, strip, samples, c);
            memset(find_row(&s, south, south ? strip->first + strip->rows - 1 : strip->first), 0,
                   (size_t)(strip->rows * core->pitch) * sizeof(double));
        }
}
