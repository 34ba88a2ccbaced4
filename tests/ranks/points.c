/* Gives each rank its part of coefficients and of points that all ranks can make, runs both
 * operators over the ranks and on the rank alone, and compares the rank's part of the results. */
#include "ranks/points.h"

#include "ranks/cases.h"
#include "ranks/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const ranks_points_case ranks_points_cases[] = {
    {.npoints = 500, .lmax = 64, .mmax = 64},
    {.npoints = 500, .lmax = 64, .mmax = 61, .spin = 1, .whose = BY_SOME, .chunk_bytes = 30000},
    {.npoints = 700, .lmax = 64, .mmax = 62, .spin = 2, .whose = BY_THE_LAST, .ntrans = 2},
    {.npoints = 3000, .lmax = 300, .mmax = 300, .nthreads = 2},
    {.npoints = 3000, .lmax = 300, .mmax = 40, .spin = 2, .where = MANY_TURNS, .is_float = 1},
    {.npoints = 40000, .lmax = 90, .mmax = 90, .spin = 2, .nthreads = 2},
    {.npoints = 900, .lmax = 1000, .mmax = 13, .spin = 1, .whose = BY_FEW, .chunk_bytes = 100000},
    {.npoints = 900, .lmax = 1000, .mmax = 22, .where = ON_PARALLELS, .ntrans = 2},
    {.npoints = 900, .lmax = 1000, .mmax = 22, .where = AT_POLES, .whose = BY_SOME},
    {.npoints = 300, .lmax = 1000, .mmax = 12, .where = IN_A_STRIP, .spin = 2},
    {.npoints = 300, .lmax = 600, .mmax = 600, .where = IN_A_CAP},
    {.npoints = 300, .lmax = 300, .mmax = 100, .where = IN_A_CAP, .spin = 1, .dealt = 1},
    {.npoints = 50, .lmax = 64, .mmax = 64, .spin = 1, .mode = ARMILLA_SHT_DERIVATIVES},
    {.npoints = 50, .lmax = 64, .mmax = 64, .spin = 2, .mode = ARMILLA_SHT_GRADIENT_ONLY},
    {.npoints = 1000, .lmax = 64, .mmax = 64, .is_float = 1, .dealt = 2, .epsilon = 1e-4},
    {.npoints = 1000, .lmax = 40, .mmax = 40, .spin = 3, .epsilon = 1e-12, .where = AT_POLES},
    {.npoints = 700, .lmax = 40, .mmax = 40, .epsilon = 1e-4, .upsampling = 1.6, .taps = 11},
    {.npoints = 100, .lmax = 22, .mmax = 22, .dealt = 3},
    {.npoints = 300, .lmax = 0, .mmax = 0},
    {.npoints = 7, .lmax = 5, .mmax = 5, .spin = 2, .where = AT_POLES},
    {.npoints = 1, .lmax = 64, .mmax = 64, .whose = BY_THE_LAST},
    {.npoints = 0, .lmax = 20, .mmax = 20, .spin = 1},
    {.npoints = -1}};

typedef struct {
    const ranks_points_case *c;
    const armilla_transport *transport;
    armilla_grid *grid;
    armilla_distribution *distribution;
    armilla_points *alone;
    armilla_distributed_points *ranks;
    double *points;             /* of all ranks */
    int64_t first, count;       /* own ones */
    int64_t nalm, nmap;         /* components of all transforms */
    int64_t alm_size, own_size; /* complex numbers of a component */
} scene;

static int complain(const scene *s, const char *what, const char *why)
{
    const ranks_points_case *c = s->c;
    fprintf(stderr,
            "rank %lld of %lld, %lld points (where %d, whose %d), lmax %lld, mmax %lld, spin %lld, "
            "mode %d, float %d, orders %d: %s: %s\n",
            (long long)s->transport->rank, (long long)s->transport->nranks, (long long)c->npoints,
            (int)c->where, (int)c->whose, (long long)c->lmax, (long long)c->mmax,
            (long long)c->spin, (int)c->mode, c->is_float, c->dealt, what, why);
    return 1;
}

/* --- Points ---------------------------------------------------------------------------------- */

static void place_point(points_where where, int64_t i, double *point)
{
    const double x = noise(3 * (uint64_t)i + 1), y = noise(3 * (uint64_t)i + 2);
    point[0] = acos(x), point[1] = M_PI * (1 + y);
    if (where == AT_POLES && i % 3 == 0) point[0] = i % 2 ? M_PI : 0;
    if (where == AT_POLES && i % 3 == 1) point[0] = i % 2 ? M_PI - 1e-9 : 1e-9;
    if (where == IN_A_STRIP) point[0] = 1.2 + 0.01 * x;
    if (where == IN_A_CAP) point[0] = 0.3 * fabs(x);
    if (where == MANY_TURNS) point[1] = y * (i % 5 ? 1e3 : 1e14);
    if (where == ON_PARALLELS) point[0] = M_PI * (double)(i % 32) / 31;
}

/* The first point of a rank. */
static int64_t first_of(const scene *s, int64_t rank)
{
    const int64_t n = s->transport->nranks, all = s->c->npoints;
    switch (s->c->whose) {
    case BY_THE_LAST:
        return rank < n ? 0 : all;
    case BY_SOME:
        return (rank + 1) / 2 * all / ((n + 1) / 2);
    case BY_FEW:
        return rank == 0 ? 0 : rank == n ? all : 5 + (rank - 1) * (all - 5) / n;
    default:
        return rank * all / n;
    }
}

static void make_points(scene *s)
{
    const int64_t rank = s->transport->rank, n = s->transport->nranks;
    s->points = calloc((size_t)(2 * s->c->npoints + 1), sizeof *s->points);
    if (!s->points) abort();
    for (int64_t i = 0; i < s->c->npoints; i++) place_point(s->c->where, i, s->points + 2 * i);
    s->first = s->c->whose == BY_THE_LAST && rank + 1 == n ? 0 : first_of(s, rank);
    s->count = first_of(s, rank + 1) - s->first;
}

/* --- Plans ----------------------------------------------------------------------------------- */

/* 3: rank 0 has 0 1, 2 3, 4 7 and, where mmax is 6 modulo 8, three orders behind these: one whose
 * partner does not exist, and two that must stay in the same eight rows. */
static int64_t member_of(const ranks_points_case *c, int64_t m, int64_t nranks)
{
    const int first = m < 8 ? m != 5 && m != 6 : m >= c->mmax / 8 * 8 + 4;
    if (c->dealt == 3) return first ? 0 : nranks - 1;
    return c->dealt == 2 ? nranks - 1 : m % nranks;
}

static armilla_status make_distribution(scene *s)
{
    const ranks_points_case *c = s->c;
    armilla_distribution_options options;
    int64_t *member = calloc((size_t)c->mmax + 1, sizeof *member);
    if (!member) abort();
    for (int64_t m = 0; m <= c->mmax; m++) member[m] = member_of(c, m, s->transport->nranks);
    armilla_distribution_options_init(&options);
    if (c->dealt) options.order_member = member;
    const armilla_status status = armilla_distribution_new(
        s->grid, c->lmax, c->mmax, s->transport->nranks, &options, &s->distribution);
    free(member);
    return status;
}

static armilla_status open_scene(scene *s)
{
    const ranks_points_case *c = s->c;
    armilla_points_options options;
    armilla_distributed_options distributed;
    armilla_status status;
    armilla_points_options_init(&options);
    armilla_distributed_options_init(&distributed);
    options.spin = c->spin, options.mode = c->mode, options.nthreads = c->nthreads;
    if (c->epsilon > 0) options.epsilon = c->epsilon;
    options.upsampling = c->upsampling, options.taps = c->taps;
    distributed.chunk_bytes = c->chunk_bytes;
    if ((status = make_distribution(s)) ||
        (status =
             armilla_points_new(c->lmax, c->mmax, c->npoints, s->points, &options, &s->alone)) ||
        (status = armilla_distributed_points_new(s->transport, s->distribution, s->count,
                                                 s->count ? s->points + 2 * s->first : NULL,
                                                 &options, &distributed, &s->ranks)))
        return status;
    armilla_points_description d = {.size = sizeof d};
    armilla_points_describe(s->alone, 1, &d);
    const int64_t ntrans = c->ntrans ? c->ntrans : 1;
    s->nalm = ntrans * d.alm_ncomp, s->nmap = ntrans * d.ncomp, s->alm_size = d.alm_size;
    s->own_size = armilla_distribution_alm_size(s->distribution, s->transport->rank);
    return ARMILLA_OK;
}

static void close_scene(scene *s)
{
    armilla_distributed_points_free(s->ranks);
    armilla_points_free(s->alone);
    armilla_distribution_free(s->distribution);
    armilla_grid_free(s->grid);
    free(s->points);
}

/* --- Operators ------------------------------------------------------------------------------- */

static void take_own_alm(const scene *s, numbers all, numbers own)
{
    const int64_t rank = s->transport->rank;
    for (int64_t m = 0; m <= s->c->mmax; m++)
        for (int64_t l = m; l <= s->c->lmax; l++) {
            const int64_t to = armilla_distribution_alm_index(s->distribution, rank, l, m);
            const int64_t from = armilla_alm_index(s->c->lmax, l, m);
            for (int64_t i = 0; i < 2 * s->nalm && to >= 0; i++)
                put(own, 2 * (i / 2 * s->own_size + to) + i % 2,
                    get(all, 2 * (i / 2 * s->alm_size + from) + i % 2));
        }
}

static void take_own_values(const scene *s, numbers all, numbers own)
{
    for (int64_t c = 0; c < s->nmap; c++)
        for (int64_t i = 0; i < s->count; i++)
            put(own, c * s->count + i, get(all, c * s->c->npoints + s->first + i));
}

static armilla_status run_alone(const scene *s, int to_points, numbers alm, numbers values,
                                const armilla_exec *exec)
{
    if (alm.is_float && to_points)
        return armilla_points_synthesis_float(s->alone, alm.values, values.values, exec);
    if (alm.is_float)
        return armilla_points_adjoint_synthesis_float(s->alone, values.values, alm.values, exec);
    return to_points ? armilla_points_synthesis(s->alone, alm.values, values.values, exec)
                     : armilla_points_adjoint_synthesis(s->alone, values.values, alm.values, exec);
}

static armilla_status run_ranks(const scene *s, int to_points, numbers alm, numbers values,
                                const armilla_exec *exec)
{
    void *a = alm.values, *v = values.values;
    if (alm.is_float && to_points)
        return armilla_distributed_points_synthesis_float(s->ranks, a, v, exec);
    if (alm.is_float)
        return armilla_distributed_points_adjoint_synthesis_float(s->ranks, v, a, exec);
    return to_points ? armilla_distributed_points_synthesis(s->ranks, a, v, exec)
                     : armilla_distributed_points_adjoint_synthesis(s->ranks, v, a, exec);
}

static int compare(const scene *s, const char *what, int64_t count, numbers expected, numbers found)
{
    char text[120];
    for (int64_t i = 0; i < count; i++) {
        const double x = get(expected, i), y = get(found, i);
        if (!memcmp(&x, &y, sizeof x)) continue;
        snprintf(text, sizeof text, "number %lld of %lld is %.17g, on one rank %.17g", (long long)i,
                 (long long)count, y, x);
        return complain(s, what, text);
    }
    return 0;
}

/* Every number of the input and of the output is other than 0 before. */
static int run_operator(const scene *s, int to_points)
{
    const ranks_points_case *c = s->c;
    const int64_t nalm = 2 * s->nalm * s->alm_size, nvalues = s->nmap * c->npoints;
    const int64_t own_alm = 2 * s->nalm * s->own_size, own_values = s->nmap * s->count;
    numbers alm = make_numbers(nalm, c->is_float), alm_part = make_numbers(own_alm, c->is_float);
    numbers values = make_numbers(nvalues, c->is_float);
    numbers values_part = make_numbers(own_values, c->is_float);
    numbers found = make_numbers(to_points ? own_values : own_alm, c->is_float);
    armilla_exec exec;
    int failed = 0;
    armilla_exec_init(&exec);
    exec.nthreads = c->nthreads ? c->nthreads : 1, exec.ntrans = c->ntrans ? c->ntrans : 1;
    for (int64_t i = 0; i < nalm; i++) put(alm, i, noise(5 * (uint64_t)i));
    for (int64_t i = 0; i < nvalues; i++) put(values, i, noise(7 * (uint64_t)i));
    for (int64_t i = 0; i < (to_points ? own_values : own_alm); i++) put(found, i, 99);
    if (run_alone(s, to_points, alm, values, &exec))
        failed = complain(s, "on one rank", armilla_status_message());
    take_own_alm(s, alm, alm_part);
    take_own_values(s, values, values_part);
    if (run_ranks(s, to_points, to_points ? alm_part : found, to_points ? found : values_part,
                  &exec))
        failed = complain(s, "over ranks", armilla_status_message());
    else if (!failed)
        failed = to_points ? compare(s, "synthesis", own_values, values_part, found)
                           : compare(s, "adjoint", own_alm, alm_part, found);
    free(alm.values), free(alm_part.values), free(values.values), free(values_part.values);
    free(found.values);
    return failed;
}

/* --- Least squares --------------------------------------------------------------------------- */

/* Arrays of one rank that has all, or of a part. */
typedef struct {
    numbers values, alm, guess, weights;
} arrays;

static arrays make_arrays(const scene *s, int64_t alm_size, int64_t npoints)
{
    const int is_float = s->c->is_float;
    return (arrays){.values = make_numbers(s->nmap * npoints, is_float),
                    .alm = make_numbers(2 * s->nalm * alm_size, is_float),
                    .guess = make_numbers(2 * s->nalm * alm_size + 1, is_float),
                    .weights = make_numbers(npoints + 1, 0)};
}

static void free_arrays(arrays *a)
{
    free(a->values.values), free(a->alm.values), free(a->guess.values), free(a->weights.values);
}

static armilla_status fit(const scene *s, int over_ranks, const arrays *a,
                          armilla_pseudo_report *reports, const armilla_exec *exec)
{
    const void *values = a->values.values;
    void *alm = a->alm.values;
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.max_iterations = 2;
    if (s->c->npoints % 3 && s->c->npoints > 1) options.weights = a->weights.values;
    if (s->c->spin) options.guess = a->guess.values;
    if (a->alm.is_float)
        return over_ranks ? armilla_distributed_points_pseudo_analysis_float(
                                s->ranks, values, alm, &options, reports, exec)
                          : armilla_points_pseudo_analysis_float(s->alone, values, alm, &options,
                                                                 reports, exec);
    return over_ranks
               ? armilla_distributed_points_pseudo_analysis(s->ranks, values, alm, &options,
                                                            reports, exec)
               : armilla_points_pseudo_analysis(s->alone, values, alm, &options, reports, exec);
}

/* Numbers of values and guesses are other than 0, some weights are 0. */
static void fill(const scene *s, arrays *all, arrays *part)
{
    for (int64_t i = 0; i < s->nmap * s->c->npoints; i++)
        put(all->values, i, noise(7 * (uint64_t)i));
    for (int64_t i = 0; i < 2 * s->nalm * s->alm_size; i++)
        put(all->guess, i, noise(5 * (uint64_t)i));
    for (int64_t i = 0; i < s->c->npoints; i++) put(all->weights, i, (double)(i % 4));
    for (int64_t i = 0; i < s->count; i++) put(part->weights, i, get(all->weights, s->first + i));
    take_own_values(s, all->values, part->values);
    take_own_alm(s, all->guess, part->guess);
}

static int run_least_squares(const scene *s)
{
    enum { MOST = 2 };
    const ranks_points_case *c = s->c;
    const int64_t own = 2 * s->nalm * s->own_size;
    arrays all = make_arrays(s, s->alm_size, c->npoints);
    arrays part = make_arrays(s, s->own_size, s->count);
    numbers expected = make_numbers(own, c->is_float);
    armilla_pseudo_report alone[MOST] = {{.iterations = 0}}, ranks[MOST] = {{.iterations = 0}};
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = c->nthreads ? c->nthreads : 1, exec.ntrans = c->ntrans ? c->ntrans : 1;
    fill(s, &all, &part);
    int failed = 0;
    if (fit(s, 0, &all, alone, &exec) || fit(s, 1, &part, ranks, &exec))
        failed = complain(s, "least squares", armilla_status_message());
    take_own_alm(s, all.alm, expected);
    if (!failed) failed = compare(s, "least squares", own, expected, part.alm);
    if (!failed && memcmp(alone, ranks, sizeof alone))
        failed = complain(s, "least squares", "another report than on one rank");
    free_arrays(&all), free_arrays(&part), free(expected.values);
    return failed;
}

int ranks_run_points(const armilla_transport *transport, const ranks_points_case *c)
{
    scene s = {.c = c, .transport = transport, .grid = ranks_grid("gl 2", c->lmax)};
    int failed = 0;
    make_points(&s);
    if (!s.grid || open_scene(&s)) failed = complain(&s, "plan", armilla_status_message());
    for (int to_points = 0; to_points < 2 && !failed; to_points++)
        failed = run_operator(&s, to_points);
    if (!failed) failed = run_least_squares(&s);
    close_scene(&s);
    return failed;
}
