/* Moves maps between ranges of pixels and the rings of distributions, and coefficients between
 * ranges of the triangle and their orders, there and back; and whole arrays to one rank and from
 * it. Where a number should be is told by the getters of grids and distributions, not by spans. */
#include "ranks/cases.h"
#include "ranks/moves.h"

#include <stdlib.h>
#include <string.h>

enum { LMAX = 20, MMAX = 17, NCOMP = 3 };

/* Every number its own value. */
static double number(int64_t array, int64_t i)
{
    return (double)(array * 1000000 + i) + 0.25;
}

static double *doubles(int64_t count)
{
    double *values = malloc((size_t)(count + 1) * sizeof *values);
    if (!values) abort();
    for (int64_t i = 0; i < count; i++) values[i] = -1;
    return values;
}

typedef int64_t (*span_getter)(const armilla_distribution *, int64_t, armilla_span *);

/* Their number is -1, which is refused, where neighbours are not joined: places have no gaps. */
static armilla_span *get_spans(span_getter get, const armilla_distribution *d, int64_t rank,
                               int64_t *count)
{
    *count = get(d, rank, NULL);
    armilla_span *spans = malloc((size_t)(*count + 1) * sizeof *spans);
    if (!spans) abort();
    spans[*count] = (armilla_span){-7, -7, -7};
    int wrong = get(d, rank, spans) != *count || spans[*count].begin != -7;
    for (int64_t i = 1; i < *count; i++)
        wrong |= spans[i].begin == spans[i - 1].begin + spans[i - 1].count;
    if (wrong) *count = -1;
    return spans;
}

/* --- Grids ----------------------------------------------------------------------------------- */

static armilla_grid *lay_out(armilla_grid *grid, const armilla_grid_layout *layout)
{
    armilla_grid *result = NULL;
    if (!grid || armilla_grid_new_laid_out(grid, layout, &result)) result = NULL;
    armilla_grid_free(grid);
    return result;
}

enum { NGRIDS = 8 };

/* Rings behind each other, rings in another sequence, along theta, westward, with gaps,
 * NESTED. */
static armilla_grid *grid_of(int which, const char **name)
{
    static const char *const names[NGRIDS] = {"healpix 8", "octahedral 24", "shuffled 24",
                                              "mwflip 21", "along theta",   "westward",
                                              "with gaps", "nested 8"};
    armilla_grid_layout layout;
    armilla_grid_layout_init(&layout);
    *name = names[which];
    layout.theta_contiguous = which == 4;
    layout.west_first = layout.south_first = which == 5;
    layout.ring_stride = which == 6 ? 53 : 0;
    armilla_grid *grid = which < 4 || which == 7 ? ranks_grid(*name, LMAX)
                                                 : lay_out(ranks_grid("gl 21", LMAX), &layout);
    if (!grid) abort();
    return grid;
}

/* One number for each pixel, in the sequence of memory, so that numbers without a pixel, gaps, are
 * left out. pixels: room for npix. Returned: how many. */
static int64_t list_pixels(const armilla_grid *grid, int64_t *pixels)
{
    const int64_t npix = armilla_grid_npix(grid);
    char *is_there = calloc((size_t)npix, 1);
    int64_t count = 0;
    if (!is_there) abort();
    for (int64_t r = 0; r < armilla_grid_nrings(grid); r++) {
        armilla_ring ring;
        armilla_grid_ring(grid, r, &ring);
        for (int64_t j = 0; j < ring.nphi; j++) is_there[ranks_pixel(grid, &ring, j)] = 1;
    }
    for (int64_t i = 0; i < npix; i++)
        if (is_there[i]) pixels[count++] = i;
    free(is_there);
    return count;
}

/* --- There and back -------------------------------------------------------------------------- */

typedef struct {
    const armilla_transport *transport;
    const armilla_distribution *distribution;
    const armilla_grid *grid;
    const char *name;
} scene;

/* Does the part of the rank have the arrays from number `first` on? */
static int check_map(const scene *s, int64_t first, int64_t count, const double *part)
{
    const int64_t rank = s->transport->rank;
    int wrong = 0;
    for (int64_t a = 0; a < count; a++)
        for (int64_t r = 0; r < armilla_grid_nrings(s->grid); r++) {
            const int64_t at = armilla_distribution_ring_offset(s->distribution, rank, r);
            armilla_ring ring;
            armilla_grid_ring(s->grid, r, &ring);
            const double *row = part + a * armilla_distribution_npix(s->distribution, rank) + at;
            for (int64_t j = 0; j < ring.nphi && at >= 0; j++)
                wrong |= row[j] != number(first + a, ranks_pixel(s->grid, &ring, j));
        }
    return wrong ? ranks_complain(s->transport, s->name, "a ring has other numbers") : 0;
}

static int check_alm(const scene *s, int64_t first, int64_t count, const double *part)
{
    const armilla_distribution *d = s->distribution;
    const int64_t rank = s->transport->rank, size = armilla_distribution_alm_size(d, rank);
    int wrong = 0;
    for (int64_t a = 0; a < count; a++)
        for (int64_t m = 0; m <= MMAX; m++)
            for (int64_t l = m; l <= LMAX; l++) {
                const int64_t at = armilla_distribution_alm_index(d, rank, l, m);
                const double *x = part + 2 * (a * size + at);
                const int64_t i = 2 * armilla_alm_index(LMAX, l, m);
                wrong |=
                    at >= 0 && (x[0] != number(first + a, i) || x[1] != number(first + a, i + 1));
            }
    return wrong ? ranks_complain(s->transport, s->name, "a row has other numbers") : 0;
}

static int check_part(const scene *s, int is_alm, int64_t first, int64_t count, const double *part)
{
    return (is_alm ? check_alm : check_map)(s, first, count, part);
}

static int64_t part_size(const scene *s, int is_alm)
{
    const int64_t rank = s->transport->rank;
    return is_alm ? armilla_distribution_alm_size(s->distribution, rank)
                  : armilla_distribution_npix(s->distribution, rank);
}

/* NCOMP arrays from a layout to that of the distribution, and back. */
static int move_both_ways(const scene *s, int is_alm, const double *given, double *found,
                          const armilla_redistribution *there, const armilla_redistribution *back)
{
    const int64_t bytes = is_alm ? 16 : 8, size = part_size(s, is_alm);
    double *part = doubles(NCOMP * size * bytes / 8);
    int failed = 0;
    if (armilla_redistribution_run(there, bytes, NCOMP, given, 0, part, size))
        failed = ranks_complain(s->transport, s->name, armilla_status_message());
    failed |= check_part(s, is_alm, 0, NCOMP, part);
    if (armilla_redistribution_run(back, bytes, NCOMP, part, size, found, 0))
        failed = ranks_complain(s->transport, s->name, armilla_status_message());
    free(part);
    return failed;
}

/* The spans of the layout have places without gaps. */
static int there_and_back(const scene *s, int is_alm, int64_t nlayout, const armilla_span *layout)
{
    const int64_t each = is_alm ? 2 : 1; /* doubles of a number */
    int64_t nspans, size = 0;
    armilla_span *spans =
        get_spans(is_alm ? armilla_distribution_alm_spans : armilla_distribution_map_spans,
                  s->distribution, s->transport->rank, &nspans);
    armilla_redistribution *there = NULL, *back = NULL;
    for (int64_t k = 0; k < nlayout; k++) size += each * layout[k].count;
    double *given = doubles(NCOMP * size), *found = doubles(NCOMP * size);
    int failed = 0;
    for (int64_t c = 0; c < NCOMP; c++)
        for (int64_t k = 0; k < nlayout; k++)
            for (int64_t i = 0; i < each * layout[k].count; i++)
                given[c * size + each * layout[k].place + i] =
                    number(c, each * layout[k].begin + i);
    if (armilla_redistribution_new(s->transport, nlayout, layout, nspans, spans, NULL, &there) ||
        armilla_redistribution_new(s->transport, nspans, spans, nlayout, layout, NULL, &back))
        failed = ranks_complain(s->transport, s->name, armilla_status_message());
    else
        failed = move_both_ways(s, is_alm, given, found, there, back);
    if (memcmp(given, found, (size_t)(NCOMP * size) * sizeof *given))
        failed |= ranks_complain(s->transport, s->name, "other numbers came back");
    armilla_redistribution_free(there);
    armilla_redistribution_free(back);
    free(spans);
    free(given);
    free(found);
    return failed;
}

static armilla_distribution *deal(const armilla_grid *grid, int64_t nranks, int64_t groups)
{
    armilla_distribution_options options;
    armilla_distribution *d = NULL;
    armilla_distribution_options_init(&options);
    options.groups = groups;
    if (armilla_distribution_new(grid, LMAX, MMAX, nranks, &options, &d)) return NULL;
    return d;
}

/* Equal ranges of all pixels, as programs cut maps that know no rings: in one span, or, where the
 * grid has gaps, pixel by pixel. */
static int move_ranges(const scene *s)
{
    const int64_t npix = armilla_grid_npix(s->grid), rank = s->transport->rank;
    const int64_t nranks = s->transport->nranks;
    int64_t *pixels = malloc((size_t)npix * sizeof *pixels);
    armilla_span *layout = malloc((size_t)npix * sizeof *layout);
    if (!pixels || !layout) abort();
    const int64_t count = list_pixels(s->grid, pixels);
    const int64_t first = count * rank / nranks, end = count * (rank + 1) / nranks;
    for (int64_t i = first; i < end; i++)
        layout[i - first] = (armilla_span){pixels[i], 1, i - first};
    if (count == npix) layout[0] = (armilla_span){first, end - first, 0};
    const int failed = there_and_back(s, 0, count == npix ? 1 : end - first, layout);
    free(pixels);
    free(layout);
    return failed;
}

int ranks_move_maps(const armilla_transport *transport)
{
    int failed = 0;
    for (int which = 0; which < NGRIDS; which++) {
        scene s = {.transport = transport};
        armilla_grid *grid = grid_of(which, &s.name);
        armilla_distribution *d = deal(grid, transport->nranks, 1);
        s.grid = grid, s.distribution = d;
        failed |= move_ranges(&s);
        armilla_distribution_free(d);
        armilla_grid_free(grid);
    }
    return failed;
}

/* Ranges of the triangle, which cut rows anywhere. */
int ranks_move_alm(const armilla_transport *transport)
{
    scene s = {.transport = transport};
    armilla_grid *grid = grid_of(0, &s.name);
    armilla_distribution *d = deal(grid, transport->nranks, 1);
    const int64_t size = armilla_alm_size(LMAX, MMAX);
    const int64_t first = size * transport->rank / transport->nranks;
    const int64_t end = size * (transport->rank + 1) / transport->nranks;
    const armilla_span layout = {first, end - first, 0};
    s.name = "alm", s.grid = grid, s.distribution = d;
    const int failed = there_and_back(&s, 1, 1, &layout);
    armilla_distribution_free(d);
    armilla_grid_free(grid);
    return failed;
}

/* --- From and to one rank -------------------------------------------------------------------- */

enum { NFIELDS = 5 };

/* Whole arrays on the root: numbers that no grid has, gaps, are -1. */
static double *make_whole(const scene *s, int is_alm, int64_t *size)
{
    const int64_t npix = armilla_grid_npix(s->grid);
    int64_t *pixels = malloc((size_t)npix * sizeof *pixels);
    if (!pixels) abort();
    const int64_t count = list_pixels(s->grid, pixels);
    *size = is_alm ? 2 * armilla_alm_size(LMAX, MMAX) : npix;
    double *whole = doubles(NFIELDS * NCOMP * *size);
    for (int64_t a = 0; a < NFIELDS * NCOMP; a++)
        for (int64_t i = 0; i < (is_alm ? *size : count); i++) {
            const int64_t n = is_alm ? i : pixels[i];
            whole[a * *size + n] = number(a, n);
        }
    free(pixels);
    return whole;
}

static int gather_and_scatter(const scene *s, int is_alm, int64_t root)
{
    const armilla_transport *t = s->transport;
    const int64_t bytes = is_alm ? 16 : 8;
    int64_t size, first;
    double *whole = make_whole(s, is_alm, &size), *found = doubles(NFIELDS * NCOMP * size);
    const int64_t fields = armilla_distribution_fields(s->distribution, t->rank, NFIELDS, &first);
    double *part = doubles(fields * NCOMP * part_size(s, is_alm) * bytes / 8);
    const int is_root = t->rank == root;
    int failed = 0;
    if ((is_alm ? armilla_distributed_alm_scatter : armilla_distributed_map_scatter)(
            t, s->distribution, root, NFIELDS, NCOMP, bytes, is_root ? whole : NULL, part))
        failed = ranks_complain(t, s->name, armilla_status_message());
    failed |= check_part(s, is_alm, first * NCOMP, fields * NCOMP, part);
    if ((is_alm ? armilla_distributed_alm_gather : armilla_distributed_map_gather)(
            t, s->distribution, root, NFIELDS, NCOMP, bytes, part, is_root ? found : NULL))
        failed = ranks_complain(t, s->name, armilla_status_message());
    if (is_root && memcmp(whole, found, (size_t)(NFIELDS * NCOMP * size) * sizeof *whole))
        failed = ranks_complain(t, s->name, "the root has other numbers");
    free(whole);
    free(found);
    free(part);
    return failed;
}

/* The last rank's arguments are wrong: {root, nfields, ncomp}. */
static int refuse_gather(const scene *s, const int64_t wrong[3], const char *message)
{
    const armilla_transport *t = s->transport;
    const int is_last = t->rank == t->nranks - 1;
    double *part = doubles(part_size(s, 0));
    const armilla_status status = armilla_distributed_map_gather(
        t, s->distribution, is_last ? wrong[0] : 0, is_last ? wrong[1] : 1, is_last ? wrong[2] : 1,
        8, part, NULL);
    free(part);
    if (status == ARMILLA_ERROR_ARGUMENT && !strcmp(armilla_status_message(), message)) return 0;
    return ranks_complain(t, message, status ? armilla_status_message() : "no error");
}

static int refuse_gathers(const scene *s)
{
    static const int64_t roots[] = {-1, 1, 1}, fields[] = {0, -1, 1}, components[] = {0, 1, -1};
    const armilla_distribution *d = s->distribution;
    const int64_t nranks = s->transport->nranks;
    int failed = refuse_gather(s, roots, "root = -1: must be a rank");
    failed |= refuse_gather(s, fields, "nfields = -1: must be 0 or more");
    failed |= refuse_gather(s, components, "ncomp = -1: must be 0 or more");
    if (armilla_distribution_map_spans(NULL, 0, NULL) != -1 ||
        armilla_distribution_map_spans(d, nranks, NULL) != -1 ||
        armilla_distribution_alm_spans(NULL, 0, NULL) != -1 ||
        armilla_distribution_alm_spans(d, -1, NULL) != -1)
        failed |= ranks_complain(s->transport, "spans", "of a rank that does not exist");
    return failed;
}

int ranks_gather_and_scatter(const armilla_transport *transport)
{
    static const int grids[] = {0, NGRIDS - 1}; /* without gaps, and with */
    const int64_t nranks = transport->nranks;
    int failed = 0;
    for (int i = 0; i < 2; i++) {
        scene s = {.transport = transport};
        armilla_grid *grid = grid_of(grids[i], &s.name);
        armilla_distribution *d = deal(grid, nranks, i == 0 && nranks % 2 == 0 ? 2 : 1);
        s.grid = grid, s.distribution = d;
        failed |= gather_and_scatter(&s, 0, nranks - 1);
        if (i == 0) failed |= gather_and_scatter(&s, 1, nranks / 2) | refuse_gathers(&s);
        armilla_distribution_free(d);
        armilla_grid_free(grid);
    }
    return failed;
}
