/* Gives each rank its part of a deflection and of fields that all ranks can make, lenses over ranks
 * and on the rank alone, and compares the rank's part of the results; and the adjoint. */
#include "ranks/cases.h"
#include "ranks/numbers.h"
#include "ranks/points.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const ranks_lensing_case ranks_lensing_cases[] = {
    {.grid = "healpix 16", .lmax = 40, .mmax = 40, .amplitude = 1e-5},
    {.grid = "healpix 16", .lmax = 40, .mmax = 40, .spin = 2, .curl = 1, .amplitude = 1e-5},
    {.grid = "nested 8", .lmax = 20, .mmax = 20, .spin = 2, .amplitude = 1e-5},
    {.grid = "gl 24", .lmax = 23, .mmax = 22, .spin = 1, .deflection_lmax = 15, .amplitude = 1e-3},
    {.grid = "cc 33", .lmax = 31, .mmax = 31, .deflection_lmax = 31, .amplitude = 1e-4},
    {.grid = "shuffled 9",
     .lmax = 8,
     .mmax = 8,
     .spin = 2,
     .kind = ARMILLA_DEFLECTION_VECTOR,
     .amplitude = 1e-2,
     .ntrans = 2},
    {.grid = "patch 8", .lmax = 16, .mmax = 16, .spin = 2, .amplitude = 1e-3},
    {.grid = "healpix 1", .lmax = 300, .mmax = 20, .amplitude = 1e-5},
    {.grid = "healpix 16", .lmax = 40, .mmax = 40, .spin = 2, .amplitude = 1e-5, .scattered = 1},
    {.grid = NULL}};

typedef struct {
    const ranks_lensing_case *c;
    const armilla_transport *transport;
    armilla_grid *grid;
    armilla_distribution *distribution, *own_deflection; /* NULL: the first one */
    armilla_lensing *alone;
    armilla_distributed_lensing *ranks;
    int64_t ntrans, nmap, npix, own_npix;
} scene;

static int complain(const scene *s, const char *what, const char *why)
{
    const ranks_lensing_case *c = s->c;
    fprintf(stderr, "rank %lld of %lld, lensing on %s, lmax %lld, spin %lld, curl %d: %s: %s\n",
            (long long)s->transport->rank, (long long)s->transport->nranks, c->grid,
            (long long)c->lmax, (long long)c->spin, c->curl, what, why);
    return 1;
}

/* One component; back: from the part to the whole. */
static void take_alm(const armilla_distribution *d, int64_t rank, int64_t lmax, int64_t mmax,
                     const double *whole, double *part)
{
    for (int64_t m = 0; m <= mmax; m++)
        for (int64_t l = m; l <= lmax; l++) {
            const int64_t to = armilla_distribution_alm_index(d, rank, l, m);
            if (to >= 0)
                memcpy(part + 2 * to, whole + 2 * armilla_alm_index(lmax, l, m), 2 * sizeof *part);
        }
}

static void take_map(const scene *s, const double *whole, double *part)
{
    for (int64_t ring = 0; ring < armilla_grid_nrings(s->grid); ring++) {
        armilla_ring r;
        const int64_t to =
            armilla_distribution_ring_offset(s->distribution, s->transport->rank, ring);
        armilla_grid_ring(s->grid, ring, &r);
        for (int64_t j = 0; j < r.nphi && to >= 0; j++)
            part[to + j] = whole[ranks_pixel(s->grid, &r, j)];
    }
}

/* --- Plans ----------------------------------------------------------------------------------- */

/* Coefficients of the deflection: gradient and curl. */
static double *make_deflection(const ranks_lensing_case *c, int64_t lmax, int64_t size)
{
    double *alm = calloc((size_t)(4 * size), sizeof *alm);
    if (!alm) abort();
    for (int64_t i = 0; i < 4 * size; i++)
        alm[i] = c->amplitude * noise((uint64_t)i) *
                 (c->kind == ARMILLA_DEFLECTION_VECTOR ? (double)lmax : 1);
    for (int64_t i = 0; i <= lmax; i++) alm[2 * i + 1] = alm[2 * (size + i) + 1] = 0;
    return alm;
}

static armilla_status make_plans(scene *s, int64_t lmax, const double *alm)
{
    const ranks_lensing_case *c = s->c;
    const armilla_distribution *d = s->own_deflection ? s->own_deflection : s->distribution;
    const int64_t rank = s->transport->rank, mmax = s->own_deflection ? lmax : c->mmax;
    const int64_t size = armilla_alm_size(lmax, mmax), own = armilla_distribution_alm_size(d, rank);
    armilla_deflection alone;
    armilla_distributed_deflection ranks;
    armilla_points_options options;
    armilla_deflection_init(&alone);
    armilla_distributed_deflection_init(&ranks);
    armilla_points_options_init(&options);
    options.spin = c->spin;
    alone.lmax = lmax, alone.mmax = mmax, alone.kind = ranks.kind = c->kind;
    alone.gradient = alm, alone.curl = c->curl ? alm + 2 * size : NULL;
    double *part = calloc((size_t)(4 * own) + 1, sizeof *part);
    if (!part) abort();
    take_alm(d, rank, lmax, mmax, alm, part);
    take_alm(d, rank, lmax, mmax, alm + 2 * size, part + 2 * own);
    ranks.distribution = d, ranks.gradient = own ? part : NULL, ranks.has_curl = c->curl;
    if (c->curl && own) ranks.curl = part + 2 * own;
    armilla_status status =
        armilla_lensing_new(s->grid, &alone, c->lmax, c->mmax, &options, &s->alone);
    if (!status)
        status = armilla_distributed_lensing_new(s->transport, s->distribution, &ranks, &options,
                                                 NULL, &s->ranks);
    free(part);
    return status;
}

/* Rings are those of the fields. */
static armilla_status distribute_deflection(scene *s, int64_t lmax)
{
    const int64_t nrings = armilla_grid_nrings(s->grid), nranks = s->transport->nranks;
    armilla_distribution_options options;
    int64_t *member = calloc((size_t)nrings, sizeof *member);
    if (!member) abort();
    for (int64_t i = 0; i < nrings * nranks; i++)
        if (armilla_distribution_ring_offset(s->distribution, i % nranks, i / nranks) >= 0)
            member[i / nranks] = i % nranks;
    armilla_distribution_options_init(&options);
    options.ring_member = member;
    const armilla_status status =
        armilla_distribution_new(s->grid, lmax, lmax, nranks, &options, &s->own_deflection);
    free(member);
    return status;
}

static armilla_status distribute_fields(scene *s)
{
    const ranks_lensing_case *c = s->c;
    const int64_t nrings = armilla_grid_nrings(s->grid), nranks = s->transport->nranks;
    armilla_distribution_options options;
    int64_t *member = calloc((size_t)nrings, sizeof *member);
    if (!member) abort();
    for (int64_t i = 0; i < nrings; i++) member[i] = i % nranks;
    armilla_distribution_options_init(&options);
    if (c->scattered) options.ring_member = member;
    const armilla_status status =
        armilla_distribution_new(s->grid, c->lmax, c->mmax, nranks, &options, &s->distribution);
    free(member);
    return status;
}

static armilla_status open_scene(scene *s)
{
    const ranks_lensing_case *c = s->c;
    const int64_t lmax = c->deflection_lmax ? c->deflection_lmax : c->lmax;
    armilla_status status = distribute_fields(s);
    if (!status && c->deflection_lmax) status = distribute_deflection(s, lmax);
    if (status) return status;
    double *alm =
        make_deflection(c, lmax, armilla_alm_size(lmax, c->deflection_lmax ? lmax : c->mmax));
    status = make_plans(s, lmax, alm);
    free(alm);
    s->ntrans = c->ntrans ? c->ntrans : 1, s->nmap = s->ntrans * (c->spin ? 2 : 1);
    s->npix = armilla_grid_npix(s->grid);
    s->own_npix = armilla_distribution_npix(s->distribution, s->transport->rank);
    return status;
}

/* --- Operators ------------------------------------------------------------------------------- */

static int compare(const scene *s, const char *what, int64_t count, const double *expected,
                   const double *found)
{
    char text[120];
    double largest = 0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs(expected[i]));
    const double most = s->c->scattered ? 1e-12 * largest : 0;
    for (int64_t i = 0; i < count; i++) {
        if (most > 0 ? fabs(expected[i] - found[i]) <= most
                     : !memcmp(&expected[i], &found[i], sizeof *found))
            continue;
        snprintf(text, sizeof text, "number %lld of %lld is %.17g, on one rank %.17g", (long long)i,
                 (long long)count, found[i], expected[i]);
        return complain(s, what, text);
    }
    return 0;
}

static double *make_array(int64_t count, double factor)
{
    double *array = calloc((size_t)count + 1, sizeof *array);
    if (!array) abort();
    for (int64_t i = 0; i < count; i++) array[i] = factor * noise(3 * (uint64_t)i);
    return array;
}

static int run_operator(const scene *s, int to_map)
{
    const ranks_lensing_case *c = s->c;
    const int64_t rank = s->transport->rank, size = armilla_alm_size(c->lmax, c->mmax);
    const int64_t own = armilla_distribution_alm_size(s->distribution, rank);
    double *alm = make_array(2 * s->nmap * size, to_map), *map = make_array(s->nmap * s->npix, 1);
    double *alm_part = make_array(2 * s->nmap * own, 1);
    double *map_part = make_array(s->nmap * s->own_npix, 1);
    double *found = make_array(to_map ? s->nmap * s->own_npix : 2 * s->nmap * own, 1);
    armilla_exec exec;
    int failed = 0;
    armilla_exec_init(&exec);
    exec.nthreads = 1, exec.ntrans = s->ntrans;
    if (to_map ? armilla_lensing_alm2lenmap(s->alone, alm, map, &exec)
               : armilla_lensing_adjoint(s->alone, map, alm, &exec))
        failed = complain(s, "on one rank", armilla_status_message());
    for (int64_t i = 0; i < s->nmap; i++) {
        take_alm(s->distribution, rank, c->lmax, c->mmax, alm + 2 * i * size,
                 alm_part + 2 * i * own);
        take_map(s, map + i * s->npix, map_part + i * s->own_npix);
    }
    if (to_map ? armilla_distributed_lensing_alm2lenmap(s->ranks, alm_part, found, &exec)
               : armilla_distributed_lensing_adjoint(s->ranks, map_part, found, &exec))
        failed = complain(s, "over ranks", armilla_status_message());
    else if (!failed)
        failed = to_map ? compare(s, "alm2lenmap", s->nmap * s->own_npix, map_part, found)
                        : compare(s, "adjoint", 2 * s->nmap * own, alm_part, found);
    free(alm), free(map), free(alm_part), free(map_part), free(found);
    return failed;
}

/* The same deflection of fields of another spin; the first plans are gone before they are used. */
static int run_beside(scene *s)
{
    ranks_lensing_case other = *s->c;
    armilla_lensing *alone = NULL;
    armilla_distributed_lensing *ranks = NULL;
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.spin = other.spin = s->c->spin ? 0 : 2;
    armilla_status status =
        armilla_lensing_new_beside(s->alone, other.lmax, other.mmax, &options, &alone);
    if (!status)
        status = armilla_distributed_lensing_new_beside(s->ranks, s->transport, s->distribution,
                                                        &options, NULL, &ranks);
    armilla_distributed_lensing_free(s->ranks);
    armilla_lensing_free(s->alone);
    s->alone = alone, s->ranks = ranks, s->nmap = s->ntrans * (other.spin ? 2 : 1), s->c = &other;
    const int failed = status ? complain(s, "plan beside", armilla_status_message())
                              : run_operator(s, 0) || run_operator(s, 1);
    return failed;
}

int ranks_run_lensing(const armilla_transport *transport, const ranks_lensing_case *c)
{
    scene s = {.c = c, .transport = transport, .grid = ranks_grid(c->grid, c->lmax)};
    int failed = 0;
    if (!s.grid || open_scene(&s)) failed = complain(&s, "plan", armilla_status_message());
    for (int to_map = 0; to_map < 2 && !failed; to_map++) failed = run_operator(&s, to_map);
    if (!failed) failed = run_beside(&s);
    armilla_distributed_lensing_free(s.ranks);
    armilla_lensing_free(s.alone);
    armilla_distribution_free(s.own_deflection);
    armilla_distribution_free(s.distribution);
    armilla_grid_free(s.grid);
    return failed;
}
