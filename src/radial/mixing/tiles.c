/* Samples the radial kernel between the rings of a tile and all rings that these see, in the
 * sequence in which the sums of cosines read the samples. Rings (p, q) that share a table of
 * cosines go by fours; each has the place (p - first p) TILE + (q - first q) in K_m, the place
 * TILE^2 is for what fills up a four. */
#include "radial/mixing/tiles.h"

#include <math.h>

enum {
    TILE = ARMILLA_MIXING_TILE,
    FOUR = ARMILLA_MIXING_FOUR,
    WIDTH = ARMILLA_MIXING_WIDTH,
    OPEN = 4 /* tables that the rings q of one p can need: smooth, even, odd, none */
};

/* A four that is being filled. */
typedef struct {
    int32_t table;
    int count;
    double base[FOUR], sines[FOUR];     /* x = base + sines sin^2(phi / 2) */
    double difference[FOUR], sum[FOUR]; /* spin 2: z of (8.18) */
    int32_t place[FOUR];
} open_four;

/* --- Fours ----------------------------------------------------------------------------------- */

static double largest_ratio(const armilla_mixing *mixing, const open_four *open)
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

static void fill_samples(const armilla_mixing *mixing, const open_four *open,
                         const armilla_mixing_table *table, int64_t count, double *samples)
{
    for (int64_t j = 0; j < count; j++)
        for (int r = 0; r < FOUR; r++)
            samples[j * FOUR + r] = open->base[r] + open->sines[r] * table->sine[j];
    armilla_mixing_kernel_values(mixing->kernels, mixing->profile, 1, count * FOUR, samples,
                                 samples);
    for (int64_t j = 0; j < count; j++)
        for (int r = 0; r < FOUR; r++) samples[j * FOUR + r] *= table->weight[j];
}

/* Spin 2: the kernel's samples become even parts, odd ones follow. */
static void turn_samples(const armilla_mixing *mixing, const open_four *open,
                         const armilla_mixing_table *table, int64_t count, double *samples)
{
    enum { PART = 64 };
    _Alignas(64) double p[PART * FOUR], q[PART * FOUR];
    for (int64_t done = 0; done < count; done += PART) {
        const int64_t n = count - done < PART ? count - done : PART;
        for (int64_t j = 0; j < n; j++)
            for (int r = 0; r < FOUR; r++) {
                p[j * FOUR + r] = open->difference[r] * table->half_angle[done + j];
                q[j * FOUR + r] = open->sum[r] * table->half_angle[table->count + done + j];
            }
        double *even = samples + done * FOUR;
        mixing->kernels->turn(n * FOUR, p, q, even, even + count * FOUR);
    }
}

/* Appends a four and empties it. */
static void close_four(const armilla_mixing *mixing, open_four *open, armilla_mixing_list *list)
{
    const int turns = mixing->profile->turns;
    if (open->count == 0) return;
    for (int r = open->count; r < FOUR; r++) {
        open->base[r] = open->base[0], open->sines[r] = open->sines[0];
        open->difference[r] = open->difference[0], open->sum[r] = open->sum[0];
        open->place[r] = TILE * TILE * WIDTH;
    }
    const armilla_mixing_table *table = open->table < 0 ? NULL : &mixing->tables[open->table];
    const int64_t count =
        table ? armilla_mixing_table_samples(table, largest_ratio(mixing, open)) : 0;
    if (list->samples) {
        armilla_mixing_four *four = &list->fours[list->nfours];
        *four = (armilla_mixing_four){
            .table = open->table, .count = (int32_t)count, .first = list->nsamples};
        for (int r = 0; r < FOUR; r++) four->place[r] = open->place[r];
        double *samples = list->samples + list->nsamples;
        if (count) fill_samples(mixing, open, table, count, samples);
        if (count && turns) turn_samples(mixing, open, table, count, samples);
    }
    list->nfours++;
    list->nsamples += (1 + turns) * count * FOUR;
    open->count = 0;
}

/* --- Rings ----------------------------------------------------------------------------------- */

static int32_t find_table(const armilla_mixing *mixing, int64_t tile, int64_t p, int64_t q)
{
    const armilla_mixing_frame *frame = &mixing->frame;
    if (frame->stretch[p] >= 0 && frame->stretch[p] == frame->stretch[q])
        return mixing->discrete[p][frame->half[p] != frame->half[q]];
    return mixing->tiles[tile].smooth;
}

static void add_rings(const armilla_mixing *mixing, int64_t p, int64_t q, int crossed,
                      open_four *open)
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

/* All q of one p. */
static void add_fours(const armilla_mixing *mixing, int64_t tile, int64_t p,
                      const armilla_mixing_segment *segment, armilla_mixing_list *list)
{
    open_four open[OPEN];
    int nopen = 0;
    for (int64_t q = segment->first; q < segment->first + segment->count; q++) {
        const int32_t table = find_table(mixing, tile, p, q);
        int i = 0;
        while (i < nopen && open[i].table != table) i++;
        if (i == nopen) open[nopen++] = (open_four){.table = table};
        add_rings(mixing, p, q, segment->crossed, &open[i]);
        if (open[i].count == FOUR) close_four(mixing, &open[i], list);
    }
    for (int i = 0; i < nopen; i++) close_four(mixing, &open[i], list);
}

static void exchange(armilla_mixing_four *a, armilla_mixing_four *b)
{
    const armilla_mixing_four kept = *a;
    *a = *b, *b = kept;
}

/* Fours of a table stand together, the longest one first: so that those who make waves know at
 * once how many samples they need. */
static void arrange(int64_t count, armilla_mixing_four *fours)
{
    for (int64_t first = 0, end; first < count; first = end) {
        end = first + 1;
        for (int64_t g = first + 1; g < count; g++) {
            if (fours[g].table != fours[first].table) continue;
            exchange(&fours[end], &fours[g]);
            if (fours[end].count > fours[first].count) exchange(&fours[end], &fours[first]);
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
    segment->from -= (segment->from - begin) % FOUR;
    if (segment->crossed) {
        const int64_t unseen = frame->across[end - 1] - segment->first;
        if (unseen > 0) segment->first += unseen / FOUR * FOUR;
        segment->count = last + 1 - segment->first;
    } else {
        const int64_t seen = frame->last[end - 1] - segment->first + 1;
        segment->count = armilla_smaller(segment->count, (seen + FOUR - 1) / FOUR * FOUR);
    }
    return 1;
}

/* Given: first  pair of the segment. */
static void add_segment(const armilla_mixing *mixing, int64_t tile, int64_t first, int crossed,
                        armilla_mixing_list *list)
{
    const int64_t rest = armilla_mixing_tile_end(mixing, first / TILE) - first;
    armilla_mixing_segment segment = {.first = first,
                                      .count =
                                          armilla_smaller(mixing->tiles[tile].most_pairs, rest),
                                      .crossed = crossed,
                                      .first_four = list->nfours};
    if (!trim(mixing, tile, &segment)) return;
    const int64_t number = list->seen++;
    if (number < list->from || number >= list->to) return;
    if (list->starts) list->starts[number] = (armilla_mixing_start){list->nfours, list->nsamples};
    for (int64_t p = segment.from; p < armilla_mixing_tile_end(mixing, tile); p++)
        add_fours(mixing, tile, p, &segment, list);
    segment.nfours = list->nfours - segment.first_four;
    if (list->samples) {
        list->segments[list->nsegments] = segment;
        arrange(segment.nfours, list->fours + segment.first_four);
    }
    list->nsegments++;
}

static void add_tile(const armilla_mixing *mixing, int64_t tile, int64_t other, int crossed,
                     armilla_mixing_list *list)
{
    if (!mixing->tiles[tile].wanted && !mixing->tiles[other].wanted) return;
    const int64_t end = armilla_mixing_tile_end(mixing, other);
    for (int64_t q = other * TILE; q < end; q += mixing->tiles[tile].most_pairs)
        add_segment(mixing, tile, q, crossed, list);
}

void armilla_mixing_list_segments(const armilla_mixing *mixing, int64_t tile,
                                  armilla_mixing_list *list)
{
    const armilla_mixing_frame *frame = &mixing->frame;
    const int64_t p = armilla_mixing_tile_end(mixing, tile) - 1;
    for (int64_t other = tile; other <= frame->last[p] / TILE; other++)
        add_tile(mixing, tile, other, 0, list);
    const int64_t across = frame->across[p];
    if (across == frame->pairs.count) return;
    for (int64_t other = across / TILE < tile ? tile : across / TILE; other < mixing->ntiles;
         other++)
        add_tile(mixing, tile, other, 1, list);
}
