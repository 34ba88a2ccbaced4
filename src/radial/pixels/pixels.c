/* Runs convolutions by the method PIXELS: each thread takes a block of rows, packs the rings within
 * the kernel's support, and adds up kernel values times pixels. Where all of these rings have as
 * many pixels as the row, one list of kernel values serves all its positions; elsewhere every eight
 * positions have values of their own. */
#include "radial/pixels/pixels.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "grid/grid.h"
#include "radial/pixels/links.h"
#include "radial/pixels/octets.h"

#include <math.h>
#include <string.h>

enum {
    OCTET = ARMILLA_OCTET,
    MOST_TAPS = 1 << 16, /* doubles of kernel values that are made at once: half of a cache */
    MOST_SOURCES = 1024, /* that a call of a kernel sums over */
    MOST_COEF = 1 << 15  /* of polynomials, before the sources behind them wait */
};

/* --- Blocks and scratch ----------------------------------------------------------------------- */

typedef struct {
    const armilla_radial_job *job;
    const armilla_radial_rows *rows;
    const armilla_maps *maps;
    const armilla_work *work;
    int64_t first, end; /* rows of output */
    int64_t from, to;   /* sources that are there */
    int64_t nsets;      /* maps, and in front of them weights, if there are any */
    int64_t ncomp;      /* 2: sets are pairs of Q and U */
    int64_t block;      /* rows of a task */
    int64_t nopen;      /* rows of a task that are made at once: 1 where its sources fit in; 0:
                           the caller holds the sums of all rows */
    int64_t slots_size; /* doubles of the sources that are packed at once, of one set, at most */
    int64_t most_arc;
    int64_t nvalues;   /* doubles of kernel values */
    int64_t most_room; /* of them, for one source of a uniform row */
    int64_t most_coef; /* doubles of one source's polynomials */
    int64_t ncoef;     /* of those that are held at once */
    int64_t nwork;     /* to make them in */
    int wants_norm;
} stage;

/* Long blocks share the packing of their sources, short ones need less memory and keep all threads
 * busy. With wide supports packing is nothing next to the products: in short blocks it takes 1 % of
 * the time. Which it is plays no part in the results. */
static int64_t choose_block(const armilla_radial_rows *rows, int64_t nrows, int nthreads)
{
    const int64_t share = nrows / (4 * (int64_t)nthreads);
    const int64_t most = rows->window > 64 ? armilla_larger(16, 64 * 64 / rows->window) : 64;
    return armilla_larger(1, armilla_smaller(most, share));
}

/* Shortens a list of rows by those at both ends that are not made. Returned: is one left? */
static int find_needed(const stage *s, int64_t *first, int64_t *last)
{
    const armilla_radial_row *row = s->rows->row;
    while (*first <= *last && !armilla_radial_row_is_made(&row[*first], s->job->adjoint)) ++*first;
    while (*first <= *last && !armilla_radial_row_is_made(&row[*last], s->job->adjoint)) --*last;
    return *first <= *last;
}

/* The sources of a block; but those of all threads are at most 15 % of input and output, unless a
 * thread has one source. The block then takes them in several parts. */
static void find_slots(stage *s, int nthreads)
{
    const armilla_radial_rows *rows = s->rows;
    const int64_t npix = s->job->npix ? s->job->npix : s->job->pixels->grid->npix;
    int64_t most = armilla_round_line(npix * 3 / 10 / nthreads), whole = 0;
    for (int64_t i = 0; i < rows->count; i++)
        most = armilla_larger(most, rows->row[i + 1].slot - rows->row[i].slot);
    for (int64_t begin = s->first; begin < s->end; begin += s->block) {
        int64_t first = begin, last = armilla_smaller(begin + s->block, s->end) - 1;
        if (!find_needed(s, &first, &last)) continue;
        const int64_t from = armilla_larger(rows->row[first].from, s->from);
        const int64_t to = armilla_smaller(rows->row[last].to, s->to);
        if (from < to) whole = armilla_larger(whole, rows->row[to].slot - rows->row[from].slot);
    }
    s->slots_size = armilla_smaller(whole, most);
    s->nopen = s->job->sums ? 0 : whole > most ? s->block : 1;
}

static stage make_stage(const armilla_radial_job *job, int nthreads)
{
    const armilla_radial_rows *rows = &job->pixels->rows;
    const int64_t end = job->end ? job->end : rows->nout;
    stage s = {.job = job,
               .rows = rows,
               .first = job->first,
               .end = end,
               .from = job->from,
               .to = job->to ? job->to : rows->count,
               .nsets = job->nmaps + (job->weights != NULL),
               .ncomp = 1 + job->pixels->profile->turns,
               .block = choose_block(rows, end - job->first, nthreads),
               .wants_norm = job->weights || job->divisor};
    for (int64_t i = s.first; i < s.end; i++)
        s.most_arc = armilla_larger(s.most_arc, rows->row[i].arc);
    find_slots(&s, nthreads);
    s.most_room = armilla_round_line(rows->most_taps);
    s.nvalues = armilla_larger(armilla_larger(MOST_TAPS, s.most_room), OCTET * rows->most_taps);
    s.most_coef = s.ncomp * armilla_radial_series_size(rows->most_taps / 2);
    s.ncoef =
        armilla_round_line(s.most_coef + armilla_smaller(MOST_COEF, rows->window * s.most_coef));
    s.nwork = armilla_round_line(armilla_radial_series_work(rows->most_taps / 2));
    return s;
}

/* One thread's memory. */
typedef struct {
    double *slots;  /* [nsets][slots_size] */
    double *out;    /* [nopen][nsets][most_arc + ARMILLA_RADIAL_BLOCK] octets */
    double *norm;   /* [nopen][most_arc + 8]: sum over sources of weight K */
    double *values; /* kernel values; of spin 2: their even parts */
    double *odd;    /* their odd parts */
    double *sums;   /* [nsets][16] octets */
    armilla_radial_taps *taps;
    double *coef; /* polynomials of links */
    double *work;
    armilla_radial_link *links; /* of a row to its sources */
} space;

static int64_t out_size(const stage *s)
{
    return (s->most_arc + ARMILLA_RADIAL_BLOCK) * OCTET;
}

static int64_t norm_size(const stage *s)
{
    return armilla_round_line(s->most_arc + OCTET);
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

/* Doubles of the sums of a row. */
static int64_t open_size(const stage *s)
{
    return s->nsets * out_size(s) + norm_size(s);
}

int64_t armilla_radial_pixels_sums(const armilla_radial_job *job)
{
    const stage s = make_stage(job, 1);
    return (s.end - s.first) * open_size(&s);
}

int64_t armilla_radial_pixels_scratch(const armilla_radial_job *job, int nthreads)
{
    const stage s = make_stage(job, nthreads);
    return s.nsets * (s.slots_size + 2 * OCTET * OCTET) + s.nopen * open_size(&s) +
           s.ncomp * s.nvalues + s.ncoef + s.nwork + taps_size() + links_size(&s);
}

static space find_space(const stage *s, int thread)
{
    space m = {.slots = armilla_work_scratch(s->work, thread)};
    m.out = m.slots + s->nsets * s->slots_size;
    m.sums = m.out + s->nopen * s->nsets * out_size(s);
    m.norm = m.sums + s->nsets * 2 * OCTET * OCTET;
    m.values = m.norm + s->nopen * norm_size(s);
    m.odd = m.values + (s->ncomp - 1) * s->nvalues;
    m.coef = m.odd + s->nvalues;
    m.work = m.coef + s->ncoef;
    m.taps = (armilla_radial_taps *)(void *)(m.work + s->nwork);
    m.links = (armilla_radial_link *)(void *)(m.work + s->nwork + taps_size());
    if (!s->job->sums) return m;
    m.out = s->job->sums, m.norm = m.out + (s->end - s->first) * s->nsets * out_size(s);
    return m;
}

/* --- One block -------------------------------------------------------------------------------- */

typedef struct {
    const stage *s;
    space m;
    int64_t from, to; /* the sources that are packed */
    double *out;      /* [nsets][out_size] of the row that is made */
    double *norm;     /* of it */
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

static void pack_sources(const block *b)
{
    const armilla_radial_job *job = b->s->job;
    const armilla_radial_role made = job->adjoint ? ARMILLA_RADIAL_SOURCE : ARMILLA_RADIAL_TARGET;
    for (int64_t set = 0; set < b->s->nsets; set++)
        for (int64_t source = b->from; source < b->to; source++)
            if (b->s->rows->row[source].role != made)
                armilla_radial_pack(job, b->s->maps, set, source, find_slot(b, set, source));
}

/* --- Rows whose sources have as many pixels --------------------------------------------------- */

/* The kernel between a row and a source of as many pixels, `used` doubles of values behind those of
 * other sources. Returned: the doubles that were written. */
static int64_t make_taps(const block *b, const armilla_radial_row *r, const armilla_radial_row *e,
                         int64_t used, armilla_radial_taps *taps)
{
    const armilla_radial_pixels *pixels = b->s->job->pixels;
    const armilla_radial_span span = armilla_radial_span_find(pixels, r, e);
    taps->value = b->m.values + used, taps->odd = b->m.odd + used;
    taps->first = span.first, taps->count = span.count;
    return armilla_radial_span_values(pixels, r, e, &span, b->m.values + used, b->m.odd + used);
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
    const armilla_radial_kernels *kernels = s->job->pixels->kernels;
    for (int64_t set = 0; set < s->nsets; set += s->ncomp) {
        double *out = b->out + set * out_size(s);
        for (int64_t i = 0; i < count; i++) {
            b->m.taps[i].row = find_row(b, set, b->m.taps[i].source);
            b->m.taps[i].other = s->slots_size;
        }
        if (s->ncomp == 2)
            kernels->pair_stencil(count, b->m.taps, r->arc, add,
                                  (double *[2]){out, out + out_size(s)});
        else
            kernels->stencil(count, b->m.taps, 0, r->arc, add, out);
    }
}

static void run_uniform(block *b, const armilla_radial_row *r)
{
    const stage *s = b->s;
    const armilla_radial_pixels *pixels = s->job->pixels;
    const int64_t to = armilla_smaller(r->to, b->to);
    int add = b->from > r->from;
    double norm = add ? b->norm[0] : 0;
    for (int64_t e = armilla_larger(r->from, b->from); e < to;) {
        int64_t used = 0, count = 0;
        for (; e < to && count < MOST_SOURCES && used + s->most_room <= s->nvalues; e++) {
            if (!armilla_radial_row_reads(r, &s->rows->row[e])) continue;
            armilla_radial_taps *taps = &b->m.taps[count++];
            used += make_taps(b, r, &s->rows->row[e], used, taps);
            taps->source = e;
            norm += pixels->grid->rings[s->rows->row[e].ring[0]].weight * sum_of(taps);
        }
        add_stencil(b, r, count, add);
        add = 1;
    }
    for (int64_t p = 0; p < r->arc; p++) b->norm[p] = norm;
}

/* --- Other rows ------------------------------------------------------------------------------- */

/* The kernel at the places of a link. */
static void make_values(const block *b, const armilla_radial_link *l)
{
    const armilla_radial_kernels *kernels = b->s->job->pixels->kernels;
    const double *places = l->places.delta;
    const int turns = b->s->ncomp == 2;
    if (l->series.nterms) {
        kernels->series(&l->series, places, b->m.values);
        if (turns) kernels->series(&l->odd, places, b->m.odd);
        return;
    }
    double delta[OCTET];
    for (int i = 0; i < OCTET; i++) delta[i] = places[i] + (double)l->before * l->pixel;
    kernels->values(&l->curve, delta, l->pixel, l->count, b->m.values);
    if (turns) kernels->turn(&l->curve, delta, l->pixel, l->count, b->m.values, b->m.odd);
}

/* Adds what one source gives to eight positions of a row and to their reflections. */
static void add_source(block *b, const armilla_radial_row *r, armilla_radial_link *l, int64_t first,
                       double norm[OCTET])
{
    const stage *s = b->s;
    const armilla_radial_kernels *kernels = s->job->pixels->kernels;
    const armilla_radial_row *e = &s->rows->row[l->source];
    armilla_radial_octet octet = {.values = b->m.values,
                                  .count = l->count,
                                  .turning = -1,
                                  .odd = b->m.odd,
                                  .other = s->slots_size};
    kernels->places(&l->places, first, r->arc - 1);
    for (int i = 0; i < OCTET; i++) octet.first[i] = (int64_t)l->places.nearest[i] - l->before;
    make_values(b, l);
    if (s->rows->reflects) octet.turning = e->arc - (e->shift > 0);
    for (int64_t set = 0; set < s->nsets; set += s->ncomp) {
        octet.row = find_row(b, set, l->source);
        (s->ncomp == 2 ? kernels->pair_products
                       : kernels->products)(&octet, b->m.sums + set * 2 * OCTET * OCTET);
    }
    for (int64_t k = 0; k < octet.count && s->wants_norm; k++)
        for (int i = 0; i < OCTET; i++) norm[i] += l->weight * octet.values[k * OCTET + i];
}

/* The position that the reflection makes of one; -1: none that is on the arc. */
static int64_t find_image(const stage *s, const armilla_radial_row *r, int64_t p)
{
    const int64_t image = r->arc - (r->shift > 0) - p;
    return s->rows->reflects && image < r->arc ? image : -1;
}

/* The sums of eight positions and of their reflections so far. */
static void take_sums(block *b, const armilla_radial_row *r, int64_t first, int64_t end,
                      double norm[OCTET])
{
    const stage *s = b->s;
    for (int64_t p = first; p < end && p < first + OCTET; p++) {
        const int64_t image = find_image(s, r, p);
        norm[p - first] = b->norm[p];
        for (int64_t set = 0; set < s->nsets; set++) {
            const double *out = b->out + set * out_size(s);
            double *sums = b->m.sums + (set * 2 * OCTET + p - first) * OCTET;
            memcpy(sums, out + p * OCTET, OCTET * sizeof *out);
            if (image >= 0) memcpy(sums + OCTET * OCTET, out + image * OCTET, OCTET * sizeof *out);
        }
    }
}

/* Where they go. */
static void place_sums(block *b, const armilla_radial_row *r, int64_t first, int64_t end,
                       const double norm[OCTET])
{
    const stage *s = b->s;
    for (int64_t p = first; p < end && p < first + OCTET; p++) {
        const int64_t image = find_image(s, r, p);
        b->norm[p] = norm[p - first];
        if (image >= 0) b->norm[image] = norm[p - first];
        for (int64_t set = 0; set < s->nsets; set++) {
            double *out = b->out + set * out_size(s);
            const double *sums = b->m.sums + (set * 2 * OCTET + p - first) * OCTET;
            memcpy(out + p * OCTET, sums, OCTET * sizeof *out);
            if (image >= 0) memcpy(out + image * OCTET, sums + OCTET * OCTET, OCTET * sizeof *out);
        }
    }
}

/* Links to the sources from number *from on, as many as there is room for; *from: the next one.
 * Returned: how many. */
static int64_t make_links(block *b, const armilla_radial_row *r, int64_t *from, int64_t to)
{
    const stage *s = b->s;
    armilla_radial_room room = {.coef = b->m.coef, .work = b->m.work};
    int64_t count = 0;
    for (; *from < to && room.used + s->most_coef <= s->ncoef; ++*from)
        if (armilla_radial_row_reads(r, &s->rows->row[*from]))
            b->m.links[count++] = armilla_radial_link_make(s->job->pixels, r, *from, &room);
    return count;
}

/* What `count` sources give to all positions. add: to what others gave. */
static void run_links(block *b, const armilla_radial_row *r, int64_t count, int add)
{
    const stage *s = b->s;
    const int64_t end = !s->rows->reflects ? r->arc
                        : r->shift > 0     ? (r->arc + 1) / 2
                                           : r->arc / 2 + 1;
    for (int64_t p = 0; p < end; p += OCTET) {
        double norm[OCTET] = {0};
        memset(b->m.sums, 0, (size_t)(s->nsets * 2 * OCTET * OCTET) * sizeof(double));
        if (add) take_sums(b, r, p, end, norm);
        for (int64_t i = 0; i < count; i++) add_source(b, r, &b->m.links[i], p, norm);
        place_sums(b, r, p, end, norm);
    }
}

static void run_general(block *b, const armilla_radial_row *r)
{
    const int64_t to = armilla_smaller(r->to, b->to);
    for (int64_t e = armilla_larger(r->from, b->from); e < to;) {
        const int add = e > r->from;
        const int64_t count = make_links(b, r, &e, to);
        run_links(b, r, count, add);
    }
}

/* --- Tasks ------------------------------------------------------------------------------------ */

/* The divisors of a row of SUM. */
static void keep_divisors(const armilla_radial_job *job, int64_t row, const double *norm)
{
    const armilla_radial_row *r = &job->pixels->rows.row[row];
    memcpy(job->divisor + job->pixels->divisor_first[row], norm,
           (size_t)(r->uniform ? 1 : r->arc) * sizeof *norm);
}

/* What the packed sources give to a row; it is finished when they are its last ones. */
static void run_row(block *b, int64_t row, int64_t number)
{
    const stage *s = b->s;
    const armilla_radial_row *r = &s->rows->row[row];
    const int64_t place = s->nopen ? number % s->nopen : row - s->first;
    b->out = b->m.out + place * s->nsets * out_size(s);
    b->norm = b->m.norm + place * norm_size(s);
    if (r->uniform)
        run_uniform(b, r);
    else
        run_general(b, r);
    if (r->to > b->to) return;
    if (s->job->divisor)
        keep_divisors(s->job, row, b->norm);
    else
        armilla_radial_unpack(s->job, s->maps, row, b->out, out_size(s), b->norm);
}

static void run_rows(block *b, int64_t first, int64_t last, int thread)
{
    const armilla_radial_rows *rows = b->s->rows;
    armilla_progress *progress = b->s->work->progress;
    for (int64_t row = first; row <= last; row++) {
        const armilla_radial_row *r = &rows->row[row];
        if (!armilla_radial_row_is_made(r, b->s->job->adjoint) || r->from >= b->to ||
            r->to <= b->from)
            continue;
        run_row(b, row, row - first);
        const int64_t pixels = r->to > b->to ? 0 : r->n * (1 + rows->mirrored);
        if (armilla_progress_advance(progress, pixels, thread)) return;
    }
}

/* As many sources as there is room for, from number `from` on. */
static int64_t choose_end(const stage *s, int64_t from, int64_t end)
{
    const armilla_radial_row *row = s->rows->row;
    int64_t to = from + 1;
    while (to < end && row[to + 1].slot - row[from].slot <= s->slots_size) to++;
    return to;
}

static void run_block(void *context, int64_t index, int thread)
{
    const stage *s = context;
    const armilla_radial_rows *rows = s->rows;
    int64_t first = s->first + index * s->block,
            last = armilla_smaller(first + s->block, s->end) - 1;
    if (!find_needed(s, &first, &last)) return;
    block b = {.s = s, .m = find_space(s, thread)};
    const int64_t end = armilla_smaller(rows->row[last].to, s->to);
    for (b.from = armilla_larger(rows->row[first].from, s->from); b.from < end; b.from = b.to) {
        if (armilla_progress_advance(s->work->progress, 0, thread)) return;
        b.to = choose_end(s, b.from, end);
        pack_sources(&b);
        run_rows(&b, first, last, thread);
    }
}

void armilla_radial_pixels_run(const armilla_radial_job *job, const armilla_maps *maps,
                               const armilla_work *work)
{
    stage s = make_stage(job, work->nthreads);
    const int64_t nblocks = (s.end - s.first + s.block - 1) / s.block;
    s.maps = maps, s.work = work;
    armilla_team_run(work->nthreads, nblocks, run_block, &s);
}
