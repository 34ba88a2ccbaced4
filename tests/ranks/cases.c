/* Gives each rank its part of coefficients and maps that all ranks can make, runs an operator over
 * the ranks and on the rank alone, and compares the rank's part of both results. */
#include "ranks/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The own part of an array of all ranks, or back. alm: complex numbers; else pixels. */
void ranks_copy_alm(const scene *s, numbers whole, numbers own)
{
    const ranks_case *c = s->c;
    const int64_t rank = s->transport->rank;
    for (int64_t i = 0; i < s->fields * s->nalm; i++)
        for (int64_t m = 0; m <= c->mmax; m++)
            for (int64_t l = m; l <= c->lmax; l++) {
                const int64_t to = armilla_distribution_alm_index(s->distribution, rank, l, m);
                const int64_t from = armilla_alm_index(c->lmax, l, m);
                for (int64_t part = 0; part < 2 && to >= 0; part++)
                    put(own, 2 * (i * s->own_alm + to) + part,
                        get(whole, 2 * (i * s->alm_size + from) + part));
            }
}

void ranks_copy_map(const scene *s, numbers whole, numbers own)
{
    for (int64_t ring = 0; ring < armilla_grid_nrings(s->grid); ring++) {
        armilla_ring r;
        const int64_t to =
            armilla_distribution_ring_offset(s->distribution, s->transport->rank, ring);
        armilla_grid_ring(s->grid, ring, &r);
        for (int64_t i = 0; i < s->fields * s->nmap && to >= 0; i++)
            for (int64_t j = 0; j < r.nphi; j++)
                put(own, i * s->own_npix + to + j,
                    get(whole, i * s->npix + ranks_pixel(s->grid, &r, j)));
    }
}

/* --- A case ---------------------------------------------------------------------------------- */

static const char *const operator_names[] = {"synthesis", "adjoint_synthesis", "analysis",
                                             "adjoint_analysis"};

armilla_status ranks_run_alone(const armilla_sht *sht, operator_of op, numbers in, numbers out,
                               const armilla_exec *exec)
{
    typedef armilla_status (*call)(const armilla_sht *, const double *, double *,
                                   const armilla_exec *);
    typedef armilla_status (*call_float)(const armilla_sht *, const float *, float *,
                                         const armilla_exec *);
    static const call calls[] = {armilla_sht_synthesis, armilla_sht_adjoint_synthesis,
                                 armilla_sht_analysis, armilla_sht_adjoint_analysis};
    static const call_float floats[] = {
        armilla_sht_synthesis_float, armilla_sht_adjoint_synthesis_float,
        armilla_sht_analysis_float, armilla_sht_adjoint_analysis_float};
    return in.is_float ? floats[op](sht, in.values, out.values, exec)
                       : calls[op](sht, in.values, out.values, exec);
}

armilla_status ranks_run_operator(const armilla_distributed_sht *sht, operator_of op, numbers in,
                                  numbers out, const armilla_exec *exec)
{
    typedef armilla_status (*call)(const armilla_distributed_sht *, const double *, double *,
                                   const armilla_exec *);
    typedef armilla_status (*call_float)(const armilla_distributed_sht *, const float *, float *,
                                         const armilla_exec *);
    static const call calls[] = {
        armilla_distributed_sht_synthesis, armilla_distributed_sht_adjoint_synthesis,
        armilla_distributed_sht_analysis, armilla_distributed_sht_adjoint_analysis};
    static const call_float floats[] = {
        armilla_distributed_sht_synthesis_float, armilla_distributed_sht_adjoint_synthesis_float,
        armilla_distributed_sht_analysis_float, armilla_distributed_sht_adjoint_analysis_float};
    return in.is_float ? floats[op](sht, in.values, out.values, exec)
                       : calls[op](sht, in.values, out.values, exec);
}

int ranks_report(const scene *s, const char *what, const char *why)
{
    const ranks_case *c = s->c;
    fprintf(stderr,
            "rank %lld of %lld, %s, lmax %lld, mmax %lld, spin %lld, mode %d, float %d, GPU %d, "
            "threads %d, "
            "fields %lld in %lld groups, chunks %lld, %s: %s: %s\n",
            (long long)s->transport->rank, (long long)s->transport->nranks, c->grid,
            (long long)c->lmax, (long long)c->mmax, (long long)c->spin, (int)c->mode, c->is_float,
            (int)c->device, c->nthreads, (long long)c->nfields, (long long)c->groups,
            (long long)c->chunk_bytes,
            c->scattered ? "scattered"
            : c->listed  ? "listed"
                         : "dealt",
            what, why);
    return 1;
}

/* How much two numbers may differ. */
static double tolerance(const scene *s, int64_t count, numbers a)
{
    double largest = 0;
    if (!s->c->scattered) return 0;
    for (int64_t i = 0; i < count; i++) {
        const double size = fabs(get(a, i)); /* fmax here: GCC 12 for Arm crashes */
        if (size > largest) largest = size;
    }
    return (a.is_float ? 1e-6 : 1e-13) * largest;
}

int ranks_compare(const scene *s, const char *what, int64_t count, numbers a, numbers b)
{
    char text[120];
    const double most = tolerance(s, count, a);
    for (int64_t i = 0; i < count; i++) {
        const double x = get(a, i), y = get(b, i);
        if (most > 0 ? fabs(x - y) <= most : !memcmp(&x, &y, sizeof x)) continue;
        snprintf(text, sizeof text, "number %lld of %lld is %.17g, on one rank %.17g", (long long)i,
                 (long long)count, y, x);
        return ranks_report(s, what, text);
    }
    return 0;
}

static int run_operator(const scene *s, operator_of op)
{
    const int to_map = op == SYNTHESIS || op == ADJOINT_ANALYSIS;
    const int64_t n_alm = 2 * s->fields * s->nalm, n_map = s->fields * s->nmap;
    const int is_float = s->c->is_float;
    numbers alm = make_numbers(n_alm * s->alm_size, is_float);
    numbers map = make_numbers(n_map * s->npix, is_float);
    numbers own_alm = make_numbers(n_alm * s->own_alm, is_float),
            own_map = make_numbers(n_map * s->own_npix, is_float);
    numbers found = make_numbers(to_map ? n_map * s->own_npix : n_alm * s->own_alm, is_float);
    const int64_t count = to_map ? n_alm * s->alm_size : n_map * s->npix;
    armilla_exec alone, exec;
    int failed = 0;
    armilla_exec_init(&alone);
    armilla_exec_init(&exec);
    alone.nthreads = exec.nthreads = s->c->nthreads;
    alone.ntrans = s->fields, exec.ntrans = s->c->nfields;
    for (int64_t i = 0; i < count; i++)
        put(to_map ? alm : map, i, noise((uint64_t)(i + s->first * count / (s->fields + 1))));
    if (s->fields && ranks_run_alone(s->sht, op, to_map ? alm : map, to_map ? map : alm, &alone))
        failed = ranks_report(s, "on one rank", armilla_status_message());
    ranks_copy_alm(s, alm, own_alm);
    ranks_copy_map(s, map, own_map);
    if (ranks_run_operator(s->ranks, op, to_map ? own_alm : own_map, found, &exec))
        failed = ranks_report(s, operator_names[op], armilla_status_message());
    else
        failed |= to_map ? ranks_compare(s, operator_names[op], n_map * s->own_npix, own_map, found)
                         : ranks_compare(s, operator_names[op], n_alm * s->own_alm, own_alm, found);
    free(alm.values);
    free(map.values);
    free(own_alm.values);
    free(own_map.values);
    free(found.values);
    return failed;
}

/* I, Q and U of all fields: synthesis, and analysis of the map. */
static int run_iqu(const scene *s)
{
    const ranks_case *c = s->c;
    scene three = *s;
    three.nalm = three.nmap = 3;
    const int64_t n_map = 3 * s->fields, n_alm = 6 * s->fields;
    numbers alm = make_numbers(n_alm * s->alm_size, 0),
            own_alm = make_numbers(n_alm * s->own_alm, 0);
    numbers map = make_numbers(n_map * s->npix, 0), own_map = make_numbers(n_map * s->own_npix, 0);
    numbers found_map = make_numbers(n_map * s->own_npix, 0),
            found = make_numbers(n_alm * s->own_alm, 0);
    armilla_iqu *alone = NULL;
    armilla_distributed_iqu *ranks = NULL;
    armilla_exec exec, own;
    int failed = 0;
    armilla_exec_init(&exec);
    armilla_exec_init(&own);
    exec.nthreads = own.nthreads = c->nthreads, exec.ntrans = s->fields, own.ntrans = c->nfields;
    for (int64_t i = 0; i < n_alm * s->alm_size; i++)
        put(alm, i, noise((uint64_t)(i + 1000 * s->first)));
    ranks_copy_alm(&three, alm, own_alm);
    if (armilla_iqu_new(s->grid, c->lmax, c->mmax, NULL, &alone) ||
        armilla_distributed_iqu_new(s->transport, s->distribution, NULL, NULL, &ranks) ||
        armilla_distributed_iqu_synthesis(ranks, own_alm.values, found_map.values, &own) ||
        armilla_distributed_iqu_analysis(ranks, found_map.values, found.values, &own))
        failed = ranks_report(s, "iqu", armilla_status_message());
    if (!failed && s->fields &&
        (armilla_iqu_synthesis(alone, alm.values, map.values, &exec) ||
         armilla_iqu_analysis(alone, map.values, alm.values, &exec)))
        failed = ranks_report(s, "iqu", armilla_status_message());
    ranks_copy_map(&three, map, own_map);
    ranks_copy_alm(&three, alm, own_alm);
    if (!failed)
        failed = ranks_compare(s, "iqu synthesis", n_map * s->own_npix, own_map, found_map);
    if (!failed) failed = ranks_compare(s, "iqu analysis", n_alm * s->own_alm, own_alm, found);
    armilla_iqu_free(alone);
    armilla_distributed_iqu_free(ranks);
    free(alm.values), free(own_alm.values), free(map.values), free(own_map.values);
    free(found_map.values), free(found.values);
    return failed;
}

/* Spectrum, and rotated coefficients, of a random field. */
static int run_degrees(const scene *s)
{
    const ranks_case *c = s->c;
    numbers alm = make_numbers(2 * s->alm_size, 0), own = make_numbers(2 * s->own_alm, 0);
    numbers turned = make_numbers(2 * s->own_alm, 0);
    numbers cl = make_numbers(c->lmax + 1, 0), found = make_numbers(c->lmax + 1, 0);
    armilla_rotation rotation;
    int failed = 0;
    armilla_rotation_from_euler(0.3, 1.1, -2, &rotation);
    for (int64_t i = 0; i < 2 * s->alm_size; i++) put(alm, i, noise((uint64_t)i + 77));
    ranks_copy_alm(s, alm, own);
    if (armilla_spectrum_compute(c->lmax, c->mmax, alm.values, alm.values, cl.values) ||
        armilla_distributed_spectrum(s->transport, s->distribution, own.values, own.values,
                                     found.values) ||
        armilla_alm_rotate(&rotation, c->lmax, c->mmax, alm.values, c->mmax, alm.values, NULL) ||
        armilla_distributed_rotate(s->transport, s->distribution, &rotation, own.values, NULL))
        failed = ranks_report(s, "spectrum, rotation", armilla_status_message());
    ranks_copy_alm(s, alm, turned);
    if (!failed && memcmp(cl.values, found.values, (size_t)(c->lmax + 1) * sizeof(double)))
        failed = ranks_report(s, "spectrum", "other numbers than on one rank");
    if (!failed) failed = ranks_compare(s, "rotation", 2 * s->own_alm, turned, own);
    free(alm.values), free(own.values), free(turned.values), free(cl.values), free(found.values);
    return failed;
}

static void scatter(uint64_t seed, int64_t count, int64_t members, int64_t *member)
{
    for (int64_t i = 0; i < count; i++)
        member[i] = (int64_t)(0.5 * (1 + noise(1000 * seed + (uint64_t)i)) * (double)members);
}

static armilla_status make_distribution(scene *s)
{
    const ranks_case *c = s->c;
    armilla_distribution_options options;
    const int64_t nranks = s->transport->nranks, nrings = armilla_grid_nrings(s->grid);
    int64_t *orders = malloc((size_t)(c->mmax + 1) * sizeof *orders);
    int64_t *rings = malloc((size_t)nrings * sizeof *rings);
    armilla_distribution_options_init(&options);
    options.groups = c->groups && nranks % c->groups == 0 ? c->groups : 1;
    const int64_t members = nranks / options.groups;
    for (int64_t m = 0; m <= c->mmax; m++) orders[m] = m % members;
    for (int64_t r = 0; r < nrings; r++) {
        const int64_t mirror = r < nrings - 1 - r ? r : nrings - 1 - r;
        rings[r] = (mirror / 2) % members;
    }
    if (c->scattered) scatter(c->scattered, c->mmax + 1, members, orders);
    if (c->scattered) scatter(c->scattered + 1, nrings, members, rings);
    if (c->listed || c->scattered) options.order_member = orders, options.ring_member = rings;
    const armilla_status status =
        armilla_distribution_new(s->grid, c->lmax, c->mmax, nranks, &options, &s->distribution);
    free(orders);
    free(rings);
    return status;
}

static armilla_status open_scene(scene *s)
{
    const ranks_case *c = s->c;
    armilla_sht_options options;
    armilla_distributed_options distributed;
    armilla_status status;
    armilla_sht_options_init(&options);
    armilla_distributed_options_init(&distributed);
    options.spin = c->spin, options.mode = c->mode, options.method = c->method;
    options.host_bytes = c->host_bytes, options.choices = c->choices;
    options.device = c->device, options.device_bytes = c->device_bytes;
    options.device_precision = c->device_precision;
    distributed.chunk_bytes = c->chunk_bytes;
    if ((status = make_distribution(s)) ||
        (status = armilla_sht_new(s->grid, c->lmax, c->mmax, &options, &s->sht)) ||
        (status = armilla_distributed_sht_new(s->transport, s->distribution, &options, &distributed,
                                              &s->ranks)))
        return status;
    armilla_sht_description d = {.size = sizeof d};
    armilla_sht_describe(s->sht, 1, &d);
    s->nalm = d.alm_ncomp, s->nmap = d.ncomp, s->alm_size = d.alm_size, s->npix = d.npix;
    s->own_alm = armilla_distribution_alm_size(s->distribution, s->transport->rank);
    s->own_npix = armilla_distribution_npix(s->distribution, s->transport->rank);
    s->fields =
        armilla_distribution_fields(s->distribution, s->transport->rank, c->nfields, &s->first);
    return ARMILLA_OK;
}

int ranks_run_case(const armilla_transport *transport, const ranks_case *c)
{
    scene s = {.c = c, .transport = transport, .grid = ranks_grid(c->grid, c->lmax)};
    int failed = 0;
    if (!s.grid) return ranks_report(&s, "grid", armilla_status_message());
    if (open_scene(&s)) failed = ranks_report(&s, "plan", armilla_status_message());
    for (int op = 0; op < OPERATORS && s.ranks; op++) failed |= run_operator(&s, (operator_of)op);
    /* sums over maps that are no sequence of rings have other bits on one rank */
    const int in_sequence = strncmp(c->grid, "columns", 7) != 0;
    if (c->pseudo && s.ranks && in_sequence) failed |= ranks_run_pseudo(&s);
    if (c->iqu && s.ranks) failed |= run_iqu(&s);
    if (c->missing && s.ranks) failed |= ranks_run_missing(&s);
    if (c->pseudo && s.ranks && s.nalm == 1 && c->nfields == 1) failed |= run_degrees(&s);
    armilla_distributed_sht_free(s.ranks);
    armilla_sht_free(s.sht);
    armilla_distribution_free(s.distribution);
    armilla_grid_free(s.grid);
    return failed;
}
