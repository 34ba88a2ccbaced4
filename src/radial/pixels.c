/* See pixels.h. */
#include "radial/pixels.h"

#include "base/memory.h"
#include "base/team.h"
#include "grid/grid.h"
#include "radial/links.h"
#include "radial/octets.h"

#include <math.h>
#include <string.h>

enum {
    OCTET = ARMILLA_OCTET,
    MOST_TAPS = 1 << 16, /* doubles of kernel values that are made at once: half of a cache */
    MOST_SOURCES = 1024  /* that a call of a kernel sums over */
};

static const double TWO_PI = 6.283185307179586;

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* --- Blocks and scratch ----------------------------------------------------------------------- */

typedef struct {
    const armilla_radial_job *job;
    const armilla_radial_rows *rows;
    const armilla_work *work;
    int64_t first, end; /* rows of output */
    int64_t nsets;      /* maps, and in front of them weights, if there are any */
    int64_t block;      /* rows of a task */
    int64_t slots_size; /* doubles of the sources of a block, of one set, at most */
    int64_t most_arc;
    int64_t nvalues;   /* doubles of kernel values */
    int64_t most_room; /* of them, for one source of a uniform row */
    int wants_norm;
} stage;

/* Long blocks share the packing of their sources, short ones keep all threads busy. Which it is
 * plays no part in the results. */
static int64_t choose_block(const armilla_radial_rows *rows, int64_t nrows, int nthreads)
{
    const int64_t share = nrows / (4 * (int64_t)nthreads);
    return larger(1, smaller(larger(64, rows->window), share));
}

/* Shortens a list of rows by those at both ends that are made elsewhere. Returned: is one left? */
static int find_needed(const armilla_radial_rows *rows, int64_t *first, int64_t *last)
{
    while (*first <= *last && rows->row[*first].elsewhere) ++*first;
    while (*first <= *last && rows->row[*last].elsewhere) --*last;
    return *first <= *last;
}

static stage make_stage(const armilla_radial_job *job, int nthreads)
{
    const armilla_radial_rows *rows = &job->radial->rows;
    const int64_t end = job->end ? job->end : rows->nout;
    stage s = {.job = job,
               .rows = rows,
               .first = job->first,
               .end = end,
               .nsets = job->nmaps + (job->weights != NULL),
               .block = choose_block(rows, end - job->first, nthreads),
               .wants_norm = job->weights || job->divisor};
    for (int64_t begin = s.first; begin < end; begin += s.block) {
        int64_t first = begin, last = smaller(begin + s.block, end) - 1;
        if (!find_needed(rows, &first, &last)) continue;
        s.slots_size = larger(s.slots_size, rows->row[rows->row[last].to].slot -
                                                rows->row[rows->row[first].from].slot);
    }
    for (int64_t i = 0; i < rows->count; i++) s.most_arc = larger(s.most_arc, rows->row[i].arc);
    s.most_room = armilla_round_line(rows->most_taps) + 2 * OCTET * ARMILLA_RADIAL_STEP;
    s.nvalues =
        larger(larger(MOST_TAPS, s.most_room), OCTET * (rows->most_taps + ARMILLA_RADIAL_STEP));
    return s;
}

/* One thread's memory. */
typedef struct {
    double *slots;  /* [nsets][slots_size] */
    double *out;    /* [nsets][most_arc + ARMILLA_RADIAL_BLOCK] octets */
    double *norm;   /* [most_arc + 8]: sum over sources of weight K */
    double *values; /* kernel values */
    double *sums;   /* [nsets][16] octets */
    armilla_radial_taps *taps;
    armilla_radial_link *links; /* of a row to its sources */
} space;

static int64_t out_size(const stage *s)
{
    return (s->most_arc + ARMILLA_RADIAL_BLOCK) * OCTET;
}

static int64_t taps_size(void)
{
    return armilla_round_line(MOST_SOURCES * (int64_t)sizeof(armilla_radial_taps) /
                              (int64_t)sizeof(double));
}

static int64_t links_size(const stage *s)
{
    return armilla_round_line(
        s->rows->window * (int64_t)sizeof(armilla_radial_link) / (int64_t)sizeof(double) + 1);
}

int64_t armilla_radial_pixels_scratch(const armilla_radial_job *job, int nthreads)
{
    const stage s = make_stage(job, nthreads);
    return s.nsets * (s.slots_size + out_size(&s) + 2 * OCTET * OCTET) +
           armilla_round_line(s.most_arc + OCTET) + s.nvalues + taps_size() + links_size(&s);
}

static space find_space(const stage *s, int thread)
{
    space m = {.slots = armilla_work_scratch(s->work, thread)};
    m.out = m.slots + s->nsets * s->slots_size;
    m.sums = m.out + s->nsets * out_size(s);
    m.norm = m.sums + s->nsets * 2 * OCTET * OCTET;
    m.values = m.norm + armilla_round_line(s->most_arc + OCTET);
    m.taps = (armilla_radial_taps *)(void *)(m.values + s->nvalues);
    m.links = (armilla_radial_link *)(void *)(m.values + s->nvalues + taps_size());
    return m;
}

/* --- One block -------------------------------------------------------------------------------- */

typedef struct {
    const stage *s;
    space m;
    int64_t from; /* the first source of the block */
} block;

/* A source with its margins. */
static double *find_slot(const block *b, int64_t set, int64_t source)
{
    const armilla_radial_row *rows = b->s->rows->row;
    return b->m.slots + set * b->s->slots_size + rows[source].slot - rows[b->from].slot;
}

/* Position 0 of a source. */
static const double *find_row(const block *b, int64_t set, int64_t source)
{
    return find_slot(b, set, source) + b->s->rows->row[source].margin * OCTET;
}

static void pack_sources(const block *b, int64_t to)
{
    const armilla_radial_job *job = b->s->job;
    for (int64_t set = 0; set < b->s->nsets; set++)
        for (int64_t source = b->from; source < to; source++)
            armilla_radial_pack(job, set, source, find_slot(b, set, source));
}

/* --- Rows whose sources have as many pixels --------------------------------------------------- */

/* The kernel between a row and a source of as many pixels, one value per difference of positions.
 * Returned: the doubles that were written. */
static int64_t make_taps(const block *b, const armilla_radial_row *r, const armilla_radial_row *e,
                         double *values, armilla_radial_taps *taps)
{
    const armilla_radial *radial = b->s->job->radial;
    const armilla_radial_reach reach = armilla_radial_rows_reach(b->s->rows, r, e);
    const double pixel = TWO_PI / (double)r->n, shift = r->shift - e->shift;
    const armilla_radial_curve curve =
        armilla_radial_curve_make(radial, r, e, reach.largest + pixel);
    taps->value = values;
    taps->first = -((r->n - 1) / 2), taps->count = r->n;
    if (!reach.whole) {
        taps->first = (int64_t)ceil(shift - reach.largest / pixel);
        taps->count = (int64_t)floor(shift + reach.largest / pixel) + 1 - taps->first;
    }
    double delta[OCTET];
    for (int i = 0; i < OCTET; i++) delta[i] = (shift - (double)(taps->first + i)) * pixel;
    const int64_t octets = (taps->count + OCTET - 1) / OCTET;
    radial->kernels->values(&curve, delta, OCTET * pixel, octets, values);
    return armilla_round_line(octets * OCTET) + OCTET * ARMILLA_RADIAL_STEP;
}

static double sum_of(const armilla_radial_taps *taps)
{
    double sum = 0;
    for (int64_t k = 0; k < taps->count; k++) sum += taps->value[k];
    return sum;
}

/* Sources from .. to - 1, as many as there is room for at once. */
static void add_stencil(block *b, const armilla_radial_row *r, int64_t count, int add)
{
    const stage *s = b->s;
    for (int64_t set = 0; set < s->nsets; set++) {
        for (int64_t i = 0; i < count; i++)
            b->m.taps[i].row = find_row(b, set, b->m.taps[i].source);
        s->job->radial->kernels->stencil(count, b->m.taps, 0, r->arc, add,
                                         b->m.out + set * out_size(s));
    }
}

static void run_uniform(block *b, const armilla_radial_row *r)
{
    const stage *s = b->s;
    const armilla_radial *radial = s->job->radial;
    double norm = 0;
    int add = 0;
    for (int64_t e = r->from; e < r->to;) {
        int64_t used = 0, count = 0;
        for (; e < r->to && count < MOST_SOURCES && used + s->most_room <= s->nvalues; e++) {
            armilla_radial_taps *taps = &b->m.taps[count++];
            used += make_taps(b, r, &s->rows->row[e], b->m.values + used, taps);
            taps->source = e;
            norm += radial->grid->rings[s->rows->row[e].ring[0]].weight * sum_of(taps);
        }
        add_stencil(b, r, count, add);
        add = 1;
    }
    for (int64_t p = 0; p < r->arc; p++) b->m.norm[p] = norm;
}

/* --- Other rows ------------------------------------------------------------------------------- */

/* Adds what one source gives to eight positions of a row and to their reflections. */
static void add_source(block *b, const armilla_radial_row *r, armilla_radial_link *l, int64_t first,
                       double norm[OCTET])
{
    const stage *s = b->s;
    const armilla_radial_kernels *kernels = s->job->radial->kernels;
    const armilla_radial_row *e = &s->rows->row[l->source];
    armilla_radial_octet octet = {.values = b->m.values, .count = l->count, .turning = -1};
    kernels->places(&l->places, first, r->arc - 1);
    for (int i = 0; i < OCTET; i++) {
        octet.first[i] = (int64_t)l->places.nearest[i] - l->before;
        l->places.delta[i] += (double)l->before * l->pixel;
    }
    if (l->series.degree >= 0)
        kernels->series(&l->series, l->places.delta, l->pixel, l->count, b->m.values);
    else
        kernels->values(&l->curve, l->places.delta, l->pixel, l->count, b->m.values);
    if (s->rows->reflects) octet.turning = e->arc - (e->shift > 0);
    for (int64_t set = 0; set < s->nsets; set++) {
        octet.row = find_row(b, set, l->source);
        kernels->products(&octet, b->m.sums + set * 2 * OCTET * OCTET);
    }
    for (int64_t k = 0; k < octet.count && s->wants_norm; k++)
        for (int i = 0; i < OCTET; i++) norm[i] += l->weight * octet.values[k * OCTET + i];
}

/* Where the sums of eight positions and of their reflections go. */
static void place_sums(block *b, const armilla_radial_row *r, int64_t first, int64_t end,
                       const double norm[OCTET])
{
    const stage *s = b->s;
    for (int64_t p = first; p < end && p < first + OCTET; p++) {
        const int64_t image = s->rows->reflects ? r->arc - (r->shift > 0) - p : -1;
        const int has_image = image >= 0 && image < r->arc;
        b->m.norm[p] = norm[p - first];
        if (has_image) b->m.norm[image] = norm[p - first];
        for (int64_t set = 0; set < s->nsets; set++) {
            double *out = b->m.out + set * out_size(s);
            const double *sums = b->m.sums + (set * 2 * OCTET + p - first) * OCTET;
            memcpy(out + p * OCTET, sums, OCTET * sizeof *out);
            if (has_image) memcpy(out + image * OCTET, sums + OCTET * OCTET, OCTET * sizeof *out);
        }
    }
}

static void run_general(block *b, const armilla_radial_row *r)
{
    const stage *s = b->s;
    const int64_t end = !s->rows->reflects ? r->arc
                        : r->shift > 0     ? (r->arc + 1) / 2
                                           : r->arc / 2 + 1;
    for (int64_t e = r->from; e < r->to; e++)
        b->m.links[e - r->from] = armilla_radial_link_make(s->job->radial, r, e);
    for (int64_t p = 0; p < end; p += OCTET) {
        double norm[OCTET] = {0};
        memset(b->m.sums, 0, (size_t)(s->nsets * 2 * OCTET * OCTET) * sizeof(double));
        for (int64_t e = r->from; e < r->to; e++)
            add_source(b, r, &b->m.links[e - r->from], p, norm);
        place_sums(b, r, p, end, norm);
    }
}

/* --- Tasks ------------------------------------------------------------------------------------ */

/* The divisors of a row of SUM. */
static void keep_divisors(const armilla_radial_job *job, int64_t row, const double *norm)
{
    const armilla_radial_row *r = &job->radial->rows.row[row];
    memcpy(job->divisor + job->radial->divisor_first[row], norm,
           (size_t)(r->uniform ? 1 : r->arc) * sizeof *norm);
}

static void run_row(block *b, int64_t row)
{
    const stage *s = b->s;
    const armilla_radial_row *r = &s->rows->row[row];
    if (r->uniform)
        run_uniform(b, r);
    else
        run_general(b, r);
    if (s->job->divisor)
        keep_divisors(s->job, row, b->m.norm);
    else
        armilla_radial_unpack(s->job, row, b->m.out, out_size(s), b->m.norm);
}

static void run_block(void *context, int64_t index, int thread)
{
    const stage *s = context;
    const armilla_radial_rows *rows = s->rows;
    int64_t first = s->first + index * s->block, last = smaller(first + s->block, s->end) - 1;
    if (!find_needed(rows, &first, &last)) return;
    block b = {.s = s, .m = find_space(s, thread), .from = rows->row[first].from};
    if (armilla_progress_advance(s->work->progress, 0, thread)) return;
    pack_sources(&b, rows->row[last].to);
    for (int64_t row = first; row <= last; row++) {
        if (rows->row[row].elsewhere) continue;
        run_row(&b, row);
        if (armilla_progress_advance(s->work->progress, rows->row[row].n * (1 + rows->mirrored),
                                     thread))
            return;
    }
}

void armilla_radial_pixels_run(const armilla_radial_job *job, const armilla_work *work)
{
    stage s = make_stage(job, work->nthreads);
    s.work = work;
    armilla_team_run(work->nthreads, (s.end - s.first + s.block - 1) / s.block, run_block, &s);
}
