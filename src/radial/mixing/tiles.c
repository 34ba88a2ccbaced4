/* Samples the radial kernel between the rings of a tile and all rings that these see, in the
 * sequence in which the sums of cosines read the samples. Rows (p, q) that share a table of cosines
 * go by fours; each has the place (p - first p) TILE + (q - first q) in the tile of K_m, row TILE^2
 * is for what fills up a four. */
#include "radial/mixing/tiles.h"

#include <math.h>

enum {
    TILE = ARMILLA_MIXING_TILE,
    ROWS = ARMILLA_MIXING_ROWS,
    WIDTH = ARMILLA_MIXING_WIDTH,
    NONE = -1, /* rows that do not see each other, or must not */
    OPEN = 4   /* tables that rows of one p can need: smooth, even, odd, none */
};

/* A group that is being filled. */
typedef struct {
    int32_t table;
    int count;
    double base[ROWS], sines[ROWS];     /* x = base + sines sin^2(phi / 2) */
    double difference[ROWS], sum[ROWS]; /* spin 2: z of (8.18) */
    int32_t place[ROWS];
} open_group;

/* --- Groups ---------------------------------------------------------------------------------- */

static double largest_ratio(const armilla_mixing *mixing, const open_group *open)
{
    const double end = mixing->profile->end;
    double largest = -1;
    for (int r = 0; r < open->count; r++)
        if (open->base[r] <= end) {
            const double rest = end - open->base[r];
            largest = fmax(largest, rest < open->sines[r] ? rest / open->sines[r] : 1);
        }
    return largest;
}

static void fill_samples(const armilla_mixing *mixing, const open_group *open,
                         const armilla_mixing_table *table, int64_t count, double *samples)
{
    for (int64_t j = 0; j < count; j++)
        for (int r = 0; r < ROWS; r++)
            samples[j * ROWS + r] = open->base[r] + open->sines[r] * table->sine[j];
    armilla_mixing_kernel_values(mixing->kernels, mixing->profile, 1, count * ROWS, samples,
                                 samples);
    for (int64_t j = 0; j < count; j++)
        for (int r = 0; r < ROWS; r++) samples[j * ROWS + r] *= table->weight[j];
}

/* Spin 2: the kernel's samples become even parts, odd ones follow. */
static void turn_samples(const armilla_mixing *mixing, const open_group *open,
                         const armilla_mixing_table *table, int64_t count, double *samples)
{
    enum { PART = 64 };
    _Alignas(64) double p[PART * ROWS], q[PART * ROWS];
    for (int64_t done = 0; done < count; done += PART) {
        const int64_t n = count - done < PART ? count - done : PART;
        for (int64_t j = 0; j < n; j++)
            for (int r = 0; r < ROWS; r++) {
                p[j * ROWS + r] = open->difference[r] * table->half_angle[done + j];
                q[j * ROWS + r] = open->sum[r] * table->half_angle[table->count + done + j];
            }
        double *even = samples + done * ROWS;
        mixing->kernels->turn(n * ROWS, p, q, even, even + count * ROWS);
    }
}

/* Appends a group and empties it. */
static void close_group(const armilla_mixing *mixing, open_group *open, armilla_mixing_rows *rows)
{
    const int turns = mixing->profile->turns;
    if (open->count == 0) return;
    for (int r = open->count; r < ROWS; r++) {
        open->base[r] = open->base[0], open->sines[r] = open->sines[0];
        open->difference[r] = open->difference[0], open->sum[r] = open->sum[0];
        open->place[r] = TILE * TILE * WIDTH;
    }
    const armilla_mixing_table *table = open->table < 0 ? NULL : &mixing->tables[open->table];
    const int64_t count =
        table ? armilla_mixing_table_samples(table, largest_ratio(mixing, open)) : 0;
    if (rows->samples) {
        armilla_mixing_group *group = &rows->groups[rows->ngroups];
        *group = (armilla_mixing_group){
            .table = open->table, .count = (int32_t)count, .first = rows->nsamples};
        for (int r = 0; r < ROWS; r++) group->place[r] = open->place[r];
        double *samples = rows->samples + rows->nsamples;
        if (count) fill_samples(mixing, open, table, count, samples);
        if (count && turns) turn_samples(mixing, open, table, count, samples);
    }
    rows->ngroups++;
    rows->nsamples += (1 + turns) * count * ROWS;
    open->count = 0;
}

/* --- Rows ------------------------------------------------------------------------------------ */

static int32_t find_table(const armilla_mixing *mixing, int64_t tile, int64_t p, int64_t q)
{
    const armilla_mixing_frame *frame = &mixing->frame;
    if (frame->stretch[p] >= 0 && frame->stretch[p] == frame->stretch[q])
        return mixing->discrete[p][frame->half[p] != frame->half[q]];
    return mixing->tiles[tile].smooth;
}

static void add_row(const armilla_mixing *mixing, int64_t p, int64_t q, int crossed,
                    open_group *open)
{
    const double *theta = mixing->frame.pairs.theta, *sine = mixing->frame.sine;
    const double other = (theta[p] - theta[q]) / 2, both = (theta[p] + theta[q]) / 2;
    const double s = crossed ? cos(both) : sin(other);
    open->base[open->count] = s * s;
    if (mixing->profile->turns) {
        open->difference[open->count] = crossed ? sin(both) : cos(other);
        open->sum[open->count] = crossed ? -sin(other) : cos(both);
    }
    open->sines[open->count] = sine[p] * sine[q];
    open->place[open->count] = (int32_t)((p % TILE * TILE + q % TILE) * WIDTH);
    open->count++;
}

/* All rows of one p. */
static void add_rows(const armilla_mixing *mixing, int64_t tile, int64_t p,
                     const armilla_mixing_segment *segment, armilla_mixing_rows *rows)
{
    open_group open[OPEN];
    int nopen = 0;
    for (int64_t q = segment->first; q < segment->first + segment->count; q++) {
        const int32_t table = find_table(mixing, tile, p, q);
        int i = 0;
        while (i < nopen && open[i].table != table) i++;
        if (i == nopen) open[nopen++] = (open_group){.table = table};
        add_row(mixing, p, q, segment->crossed, &open[i]);
        if (open[i].count == ROWS) close_group(mixing, &open[i], rows);
    }
    for (int i = 0; i < nopen; i++) close_group(mixing, &open[i], rows);
}

static void exchange(armilla_mixing_group *a, armilla_mixing_group *b)
{
    const armilla_mixing_group kept = *a;
    *a = *b, *b = kept;
}

/* Groups of a table stand together, the longest one first: so that those who make waves know at
 * once how many samples they need. */
static void arrange(int64_t count, armilla_mixing_group *groups)
{
    for (int64_t first = 0, end; first < count; first = end) {
        end = first + 1;
        for (int64_t g = first + 1; g < count; g++) {
            if (groups[g].table != groups[first].table) continue;
            exchange(&groups[end], &groups[g]);
            if (groups[end].count > groups[first].count) exchange(&groups[end], &groups[first]);
            end++;
        }
    }
}

/* What is in sight: the further north a pair of the tile is, the less it sees of a segment further
 * south. Whole fours, which go together, as far as there are. Returned: is there anything? */
static int trim(const armilla_mixing *mixing, int64_t tile, armilla_mixing_segment *segment)
{
    const armilla_mixing_frame *frame = &mixing->frame;
    const int64_t begin = tile * TILE, end = armilla_mixing_tile_end(mixing, tile);
    const int64_t last = segment->first + segment->count - 1;
    segment->from = begin;
    if (segment->first / TILE == tile) return 1;
    while (segment->from < end && (segment->crossed ? frame->across[segment->from] > last
                                                    : frame->last[segment->from] < segment->first))
        segment->from++;
    if (segment->from == end) return 0;
    segment->from -= (segment->from - begin) % ROWS;
    if (segment->crossed) {
        const int64_t unseen = frame->across[end - 1] - segment->first;
        if (unseen > 0) segment->first += unseen / ROWS * ROWS;
        segment->count = last + 1 - segment->first;
    } else {
        const int64_t seen = frame->last[end - 1] - segment->first + 1;
        segment->count = armilla_smaller(segment->count, (seen + ROWS - 1) / ROWS * ROWS);
    }
    return 1;
}

/* Given: first  pair of the segment. */
static void add_segment(const armilla_mixing *mixing, int64_t tile, int64_t first, int crossed,
                        armilla_mixing_rows *rows)
{
    const int64_t rest = armilla_mixing_tile_end(mixing, first / TILE) - first;
    armilla_mixing_segment segment = {.first = first,
                                      .count = armilla_smaller(mixing->tiles[tile].part, rest),
                                      .crossed = crossed,
                                      .first_group = rows->ngroups};
    if (!trim(mixing, tile, &segment)) return;
    const int64_t number = rows->seen++;
    if (number < rows->from || number >= rows->to) return;
    if (rows->pieces) rows->pieces[number] = (armilla_mixing_piece){rows->ngroups, rows->nsamples};
    for (int64_t p = segment.from; p < armilla_mixing_tile_end(mixing, tile); p++)
        add_rows(mixing, tile, p, &segment, rows);
    segment.ngroups = rows->ngroups - segment.first_group;
    if (rows->samples) {
        rows->segments[rows->nsegments] = segment;
        arrange(segment.ngroups, rows->groups + segment.first_group);
    }
    rows->nsegments++;
}

static void add_tile(const armilla_mixing *mixing, int64_t tile, int64_t other, int crossed,
                     armilla_mixing_rows *rows)
{
    if (!mixing->tiles[tile].wanted && !mixing->tiles[other].wanted) return;
    const int64_t end = armilla_mixing_tile_end(mixing, other);
    for (int64_t q = other * TILE; q < end; q += mixing->tiles[tile].part)
        add_segment(mixing, tile, q, crossed, rows);
}

void armilla_mixing_fill_rows(const armilla_mixing *mixing, int64_t tile, armilla_mixing_rows *rows)
{
    const armilla_mixing_frame *frame = &mixing->frame;
    const int64_t p = armilla_mixing_tile_end(mixing, tile) - 1;
    for (int64_t other = tile; other <= frame->last[p] / TILE; other++)
        add_tile(mixing, tile, other, 0, rows);
    const int64_t across = frame->across[p];
    if (across == frame->pairs.count) return;
    for (int64_t other = across / TILE < tile ? tile : across / TILE; other < mixing->ntiles;
         other++)
        add_tile(mixing, tile, other, 1, rows);
}
