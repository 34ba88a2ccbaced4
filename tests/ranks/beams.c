/* Gives each rank its part of a sky and of pointings that all ranks can make, runs the operators
 * over the ranks and on the rank alone, and compares the rank's part of the results. */
#include "ranks/beams.h"

#include "ranks/cases.h"
#include "ranks/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const ranks_beams_case ranks_beams_cases[] = {
    {.npointings = 800, .lmax = 40, .mmax = 40, .kmax = 4, .components = 3, .nbeams = 1},
    {.npointings = 500,
     .lmax = 64,
     .mmax = 61,
     .kmax = 3,
     .components = 1,
     .nbeams = 3,
     .dealt = 1},
    {.npointings = 500,
     .lmax = 30,
     .mmax = 12,
     .kmax = 30,
     .components = 2,
     .nbeams = 1,
     .ntrans = 2},
    {.npointings = 300, .lmax = 50, .mmax = 50, .components = 1, .nbeams = 2, .by_the_last = 1},
    {.npointings = 700,
     .lmax = 50,
     .mmax = 50,
     .kmax = 2,
     .components = 3,
     .nbeams = 1,
     .is_float = 1,
     .dealt = 2,
     .ntrans = 2},
    {.npointings = 400,
     .lmax = 300,
     .mmax = 100,
     .kmax = 2,
     .components = 1,
     .nbeams = 1,
     .in_a_cap = 1},
    {.npointings = 200, .lmax = 20, .mmax = 1, .kmax = 5, .components = 3, .nbeams = 1},
    {.npointings = 200, .lmax = 20, .mmax = 0, .kmax = 2, .components = 1, .nbeams = 2, .dealt = 1},
    {.npointings = 90, .components = 1, .nbeams = 1},
    {.npointings = 3,
     .lmax = 9,
     .mmax = 9,
     .kmax = 1,
     .components = 1,
     .nbeams = 1,
     .by_the_last = 1},
    {.npointings = -1}};

enum { OPERATORS = 3 };
static const char *const operator_names[OPERATORS] = {"convolve", "adjoint", "beam_adjoint"};

/* Arrays of a call: of all ranks, or of one. */
typedef struct {
    int64_t alm_size, npointings; /* complex numbers of a component of the sky; of this call */
    numbers sky, beam, samples;
} arrays;

typedef struct {
    const ranks_beams_case *c;
    const armilla_transport *transport;
    armilla_grid *grid;
    armilla_distribution *distribution;
    armilla_beams *alone;
    armilla_distributed_beams *ranks;
    double *pointings, *modulation, *own_modulation;
    int64_t first, count; /* own pointings */
    int64_t ntrans, nbeam;
    arrays all, own, found;
} scene;

static int complain(const scene *s, const char *what, const char *why)
{
    const ranks_beams_case *c = s->c;
    fprintf(stderr,
            "rank %lld of %lld, %lld pointings, lmax %lld, mmax %lld, kmax %lld, %lld components, "
            "%lld beams, float %d, orders %d: %s: %s\n",
            (long long)s->transport->rank, (long long)s->transport->nranks,
            (long long)c->npointings, (long long)c->lmax, (long long)c->mmax, (long long)c->kmax,
            (long long)c->components, (long long)c->nbeams, c->is_float, c->dealt, what, why);
    return 1;
}

/* --- Pointings ------------------------------------------------------------------------------- */

static double *make_doubles(int64_t count)
{
    double *made = calloc((size_t)count + 1, sizeof *made);
    if (!made) abort();
    return made;
}

static void place_pointing(const ranks_beams_case *c, int64_t i, double *p)
{
    const uint64_t seed = 11 * (uint64_t)i;
    p[0] = acos(noise(seed)), p[1] = 9 * noise(seed + 1), p[2] = 20 * noise(seed + 2);
    if (c->in_a_cap) p[0] = 0.3 * fabs(noise(seed));
    if (i < 4) p[0] = i % 2 ? M_PI : 0;
}

static void make_pointings(scene *s)
{
    const ranks_beams_case *c = s->c;
    const int64_t rank = s->transport->rank, n = s->transport->nranks, all = c->npointings;
    s->pointings = make_doubles(3 * all), s->modulation = make_doubles(c->nbeams * all);
    for (int64_t i = 0; i < all; i++) place_pointing(c, i, s->pointings + 3 * i);
    for (int64_t i = 0; i < c->nbeams * all; i++) s->modulation[i] = noise(13 * (uint64_t)i + 1);
    s->first = c->by_the_last ? 0 : rank * all / n;
    s->count = c->by_the_last ? (rank + 1 == n ? all : 0) : (rank + 1) * all / n - s->first;
    s->own_modulation = make_doubles(c->nbeams * s->count);
    for (int64_t j = 0; j < c->nbeams; j++)
        memcpy(s->own_modulation + j * s->count, s->modulation + j * all + s->first,
               (size_t)s->count * sizeof(double));
}

/* --- Plans ----------------------------------------------------------------------------------- */

static armilla_status make_distribution(scene *s)
{
    const ranks_beams_case *c = s->c;
    const int64_t n = s->transport->nranks;
    armilla_distribution_options options;
    int64_t *member = calloc((size_t)c->mmax + 1, sizeof *member);
    if (!member) abort();
    for (int64_t m = 0; m <= c->mmax; m++) member[m] = c->dealt == 1 ? m % n : n - 1;
    armilla_distribution_options_init(&options);
    if (c->dealt) options.order_member = member;
    const armilla_status status =
        armilla_distribution_new(s->grid, c->lmax, c->mmax, n, &options, &s->distribution);
    free(member);
    return status;
}

static armilla_status open_plans(scene *s)
{
    const ranks_beams_case *c = s->c;
    armilla_beams_options options;
    armilla_status status;
    armilla_beams_options_init(&options);
    options.components = c->components, options.nbeams = c->nbeams;
    options.nthreads = 1;
    if (c->nbeams > 1) options.modulation = s->modulation;
    if ((status = make_distribution(s)) ||
        (status = armilla_beams_new(c->lmax, c->mmax, c->kmax, c->npointings, s->pointings,
                                    &options, &s->alone)))
        return status;
    if (c->nbeams > 1) options.modulation = s->count ? s->own_modulation : NULL;
    return armilla_distributed_beams_new(s->transport, s->distribution, c->kmax, s->count,
                                         s->count ? s->pointings + 3 * s->first : NULL, &options,
                                         NULL, &s->ranks);
}

/* --- Arrays ---------------------------------------------------------------------------------- */

static int64_t sky_count(const scene *s, const arrays *a)
{
    return 2 * s->ntrans * s->c->components * a->alm_size;
}

static arrays make_arrays(const scene *s, int64_t alm_size, int64_t npointings)
{
    arrays a = {.alm_size = alm_size, .npointings = npointings};
    a.sky = make_numbers(sky_count(s, &a), s->c->is_float);
    a.beam = make_numbers(s->nbeam, s->c->is_float);
    a.samples = make_numbers(s->ntrans * npointings, s->c->is_float);
    return a;
}

static void free_arrays(arrays *a)
{
    free(a->sky.values), free(a->beam.values), free(a->samples.values);
}

/* The rank's part of what all have. */
static void take_own(const scene *s)
{
    const int64_t rank = s->transport->rank;
    for (int64_t m = 0; m <= s->c->mmax; m++)
        for (int64_t l = m; l <= s->c->lmax; l++) {
            const int64_t to = armilla_distribution_alm_index(s->distribution, rank, l, m);
            const int64_t from = armilla_alm_index(s->c->lmax, l, m);
            for (int64_t i = 0; i < 2 * s->ntrans * s->c->components && to >= 0; i++)
                put(s->own.sky, 2 * (i / 2 * s->own.alm_size + to) + i % 2,
                    get(s->all.sky, 2 * (i / 2 * s->all.alm_size + from) + i % 2));
        }
    for (int64_t t = 0; t < s->ntrans; t++)
        for (int64_t i = 0; i < s->count; i++)
            put(s->own.samples, t * s->count + i,
                get(s->all.samples, t * s->c->npointings + s->first + i));
    for (int64_t i = 0; i < s->nbeam; i++) put(s->own.beam, i, get(s->all.beam, i));
}

static void fill(numbers values, int64_t count, uint64_t seed)
{
    for (int64_t i = 0; i < count; i++) put(values, i, seed ? noise(seed + 3 * (uint64_t)i) : 99);
}

static void fill_arrays(const scene *s)
{
    fill(s->all.sky, sky_count(s, &s->all), 5), fill(s->all.beam, s->nbeam, 6);
    fill(s->all.samples, s->ntrans * s->c->npointings, 7);
    fill(s->found.sky, sky_count(s, &s->found), 0), fill(s->found.beam, s->nbeam, 0);
    fill(s->found.samples, s->ntrans * s->count, 0);
}

/* --- Operators ------------------------------------------------------------------------------- */

static armilla_status run_alone(const scene *s, int op, const arrays *a, const armilla_exec *exec)
{
    void *sky = a->sky.values, *beam = a->beam.values, *samples = a->samples.values;
    if (s->c->is_float)
        return op == 0   ? armilla_beams_convolve_float(s->alone, sky, beam, samples, exec)
               : op == 1 ? armilla_beams_adjoint_float(s->alone, samples, beam, sky, exec)
                         : armilla_beams_beam_adjoint_float(s->alone, samples, sky, beam, exec);
    return op == 0   ? armilla_beams_convolve(s->alone, sky, beam, samples, exec)
           : op == 1 ? armilla_beams_adjoint(s->alone, samples, beam, sky, exec)
                     : armilla_beams_beam_adjoint(s->alone, samples, sky, beam, exec);
}

/* Reads the own arrays, writes what was found. */
static armilla_status run_ranks(const scene *s, int op, const armilla_exec *exec)
{
    const armilla_distributed_beams *plan = s->ranks;
    void *sky = (op == 1 ? s->found : s->own).sky.values;
    void *beam = (op == 2 ? s->found : s->own).beam.values;
    void *samples = (op == 0 ? s->found : s->own).samples.values;
    if (s->c->is_float)
        return op == 0 ? armilla_distributed_beams_convolve_float(plan, sky, beam, samples, exec)
               : op == 1
                   ? armilla_distributed_beams_adjoint_float(plan, samples, beam, sky, exec)
                   : armilla_distributed_beams_beam_adjoint_float(plan, samples, sky, beam, exec);
    return op == 0   ? armilla_distributed_beams_convolve(plan, sky, beam, samples, exec)
           : op == 1 ? armilla_distributed_beams_adjoint(plan, samples, beam, sky, exec)
                     : armilla_distributed_beams_beam_adjoint(plan, samples, sky, beam, exec);
}

static int compare(const scene *s, const char *what, int64_t count, numbers expected, numbers found)
{
    char text[120];
    for (int64_t i = 0; i < count; i++) {
        if (get(expected, i) == get(found, i)) continue;
        snprintf(text, sizeof text, "number %lld is %.17g, not %.17g", (long long)i, get(found, i),
                 get(expected, i));
        return complain(s, what, text);
    }
    return 0;
}

static int run_operator(scene *s, int op)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 1, exec.ntrans = s->ntrans;
    fill_arrays(s);
    take_own(s); /* what is read */
    if (run_alone(s, op, &s->all, &exec))
        return complain(s, "on one rank", armilla_status_message());
    if (run_ranks(s, op, &exec)) return complain(s, "over ranks", armilla_status_message());
    take_own(s); /* what is written */
    if (op == 0)
        return compare(s, operator_names[op], s->ntrans * s->count, s->own.samples,
                       s->found.samples);
    return op == 1 ? compare(s, operator_names[op], sky_count(s, &s->own), s->own.sky, s->found.sky)
                   : compare(s, operator_names[op], s->nbeam, s->own.beam, s->found.beam);
}

/* --- Least squares --------------------------------------------------------------------------- */

static int run_fit(scene *s)
{
    armilla_exec exec;
    armilla_pseudo_options options;
    armilla_pseudo_report alone = {.iterations = 0}, ranks = {.iterations = 0};
    armilla_exec_init(&exec);
    exec.nthreads = 1;
    armilla_pseudo_options_init(&options);
    options.max_iterations = 2;
    if (s->c->is_float || s->ntrans > 1) return 0; /* of one sky, in doubles */
    fill_arrays(s);
    take_own(s);
    if (armilla_beams_deconvolve(s->alone, s->all.samples.values, s->all.beam.values,
                                 s->all.sky.values, &options, &alone, &exec))
        return complain(s, "fit on one rank", armilla_status_message());
    if (armilla_distributed_beams_deconvolve(s->ranks, s->own.samples.values, s->own.beam.values,
                                             s->found.sky.values, &options, &ranks, &exec))
        return complain(s, "fit over ranks", armilla_status_message());
    if (memcmp(&alone, &ranks, sizeof alone)) return complain(s, "fit", "another report");
    take_own(s);
    return compare(s, "fit", sky_count(s, &s->own), s->own.sky, s->found.sky);
}

int ranks_run_beams(const armilla_transport *transport, const ranks_beams_case *c)
{
    scene s = {.c = c, .transport = transport, .grid = ranks_grid("gl 2", c->lmax)};
    int failed = 0;
    s.ntrans = c->ntrans ? c->ntrans : 1;
    s.nbeam = 2 * s.ntrans * c->nbeams * c->components * armilla_alm_size(c->lmax, c->kmax);
    make_pointings(&s);
    if (!s.grid || open_plans(&s)) {
        failed = complain(&s, "plan", armilla_status_message());
    } else {
        const int64_t own = armilla_distribution_alm_size(s.distribution, transport->rank);
        s.all = make_arrays(&s, armilla_alm_size(c->lmax, c->mmax), c->npointings);
        s.own = make_arrays(&s, own, s.count), s.found = make_arrays(&s, own, s.count);
    }
    for (int op = 0; op < OPERATORS && !failed; op++) failed = run_operator(&s, op);
    if (!failed) failed = run_fit(&s);
    free_arrays(&s.all), free_arrays(&s.own), free_arrays(&s.found);
    armilla_distributed_beams_free(s.ranks);
    armilla_beams_free(s.alone);
    armilla_distribution_free(s.distribution);
    armilla_grid_free(s.grid);
    free(s.pointings), free(s.modulation), free(s.own_modulation);
    return failed;
}
