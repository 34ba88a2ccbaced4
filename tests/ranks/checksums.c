/* Adds up what transforms over ranks give: scalars, vectors and derivatives at lmax 47 on an
 * octahedral grid, HEALPix and Clenshaw-Curtis. */
#include "ranks/checksums.h"

#include "ranks/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LMAX = 47, GRIDS = 3, KINDS = 3, COUNTS = 3, EACH = 2 * COUNTS };

static const char *const grids[GRIDS] = {"octahedral 48", "healpix 16", "cc 49"};
static const struct {
    int64_t spin;
    armilla_sht_mode mode;
} kinds[KINDS] = {
    {0, ARMILLA_SHT_STANDARD}, {1, ARMILLA_SHT_STANDARD}, {1, ARMILLA_SHT_DERIVATIVES}};
static const struct {
    int64_t nfields, groups;
} counts[COUNTS] = {{1, 1}, {7, 1}, {1, 2}};

/* Numbers of a component that a rank has: which of the whole array they are. */
typedef struct {
    int64_t count, *number;
} own_numbers;

static own_numbers make_own(int64_t count)
{
    own_numbers own = {count, malloc((size_t)(count + 1) * sizeof(int64_t))};
    if (!own.number) abort();
    return own;
}

static own_numbers own_alm(const armilla_distribution *d, int64_t rank)
{
    const own_numbers own = make_own(2 * armilla_distribution_alm_size(d, rank));
    for (int64_t m = 0; m <= LMAX; m++)
        for (int64_t l = m; l <= LMAX; l++) {
            const int64_t place = armilla_distribution_alm_index(d, rank, l, m);
            for (int64_t part = 0; part < 2 && place >= 0; part++)
                own.number[2 * place + part] = 2 * armilla_alm_index(LMAX, l, m) + part;
        }
    return own;
}

static own_numbers own_map(const armilla_distribution *d, const armilla_grid *grid, int64_t rank)
{
    const own_numbers own = make_own(armilla_distribution_npix(d, rank));
    for (int64_t i = 0; i < armilla_grid_nrings(grid); i++) {
        const int64_t place = armilla_distribution_ring_offset(d, rank, i);
        armilla_ring ring;
        armilla_grid_ring(grid, i, &ring);
        for (int64_t j = 0; j < ring.nphi && place >= 0; j++)
            own.number[place + j] = ring.offset + j * ring.stride;
    }
    return own;
}

/* --- A case ---------------------------------------------------------------------------------- */

enum { MOST_NUMBERS = 1 << 20 }; /* of a component */

typedef struct {
    armilla_distributed_sht *sht;
    own_numbers alm, map;
    int64_t nalm, nmap;             /* components of a field */
    int64_t nfields, fields, first; /* of all groups; of the own one; its first field */
    int nthreads;
} plan;

static uint64_t hash(uint64_t number, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits ^ number * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 29)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 32);
}

/* Number i of an array of the own fields among the numbers of all fields. */
static uint64_t number_of(const plan *p, const own_numbers *own, int64_t ncomp, int64_t i)
{
    const int64_t component = p->first * ncomp + i / own->count;
    return (uint64_t)(component * MOST_NUMBERS + own->number[i % own->count]);
}

static uint64_t run_operator(const plan *p, operator_of op, int is_float, int *failed)
{
    const int to_map = op == SYNTHESIS || op == ADJOINT_ANALYSIS;
    const own_numbers *from = to_map ? &p->alm : &p->map, *to = to_map ? &p->map : &p->alm;
    const int64_t from_comp = to_map ? p->nalm : p->nmap, to_comp = to_map ? p->nmap : p->nalm;
    const int64_t nin = p->fields * from_comp * from->count;
    const int64_t nout = p->fields * to_comp * to->count;
    numbers in = make_numbers(nin, is_float), out = make_numbers(nout, is_float);
    armilla_exec exec;
    uint64_t sum = 0;
    armilla_exec_init(&exec);
    exec.nthreads = p->nthreads, exec.ntrans = p->nfields;
    for (int64_t i = 0; i < nin; i++) put(in, i, noise(number_of(p, from, from_comp, i)));
    if (ranks_run_operator(p->sht, op, in, out, &exec)) *failed = 1;
    for (int64_t i = 0; i < nout; i++)
        sum += hash(OPERATORS * number_of(p, to, to_comp, i) + (uint64_t)op, get(out, i));
    free(in.values);
    free(out.values);
    return sum;
}

/* A kind of fields: all operators, in double and float. */
static int add_kind(const armilla_transport *transport, const armilla_distribution *d, int kind,
                    int few, plan *p, uint64_t *sums)
{
    armilla_sht_options options;
    armilla_distributed_description description = {.size = sizeof description};
    armilla_sht_options_init(&options);
    options.spin = kinds[kind].spin, options.mode = kinds[kind].mode;
    int failed = armilla_distributed_sht_new(transport, d, &options, NULL, &p->sht) ||
                 armilla_distributed_sht_describe(p->sht, 1, &description);
    p->nalm = description.alm_ncomp, p->nmap = description.ncomp;
    for (int is_float = 0; is_float < (few ? 1 : 2) && !failed; is_float++)
        for (operator_of op = SYNTHESIS; op < OPERATORS; op++)
            sums[is_float] += run_operator(p, op, is_float, &failed);
    armilla_distributed_sht_free(p->sht);
    p->sht = NULL;
    return failed;
}

/* A grid and a number of fields: all kinds of them. */
static int add_count(const armilla_transport *transport, const armilla_grid *grid, int count,
                     int nthreads, int few, uint64_t *sums)
{
    const int64_t rank = transport->rank, nfields = counts[count].nfields;
    armilla_distribution_options options;
    armilla_distribution *d;
    armilla_distribution_options_init(&options);
    options.groups = transport->nranks % counts[count].groups ? 1 : counts[count].groups;
    if (armilla_distribution_new(grid, LMAX, LMAX, transport->nranks, &options, &d)) return 1;
    plan p = {.alm = own_alm(d, rank),
              .map = own_map(d, grid, rank),
              .nfields = nfields,
              .nthreads = nthreads};
    int failed = 0;
    p.fields = armilla_distribution_fields(d, rank, nfields, &p.first);
    for (int kind = 0; kind < KINDS && !failed; kind++)
        failed = add_kind(transport, d, kind, few, &p, sums + kind * EACH + 2 * count);
    free(p.alm.number);
    free(p.map.number);
    armilla_distribution_free(d);
    return failed;
}

int ranks_add_checksums(const armilla_transport *transport, int nthreads, int few,
                        uint64_t sums[RANKS_CHECKSUMS])
{
    int failed = 0;
    for (int i = 0; i < GRIDS && !failed; i++) {
        armilla_grid *grid = ranks_grid(grids[i], LMAX);
        failed = !grid;
        for (int count = 0; count < (few ? 1 : COUNTS) && !failed; count++)
            failed = add_count(transport, grid, count, nthreads, few, sums + i * KINDS * EACH);
        if (failed)
            fprintf(stderr, "rank %lld, %s: %s\n", (long long)transport->rank, grids[i],
                    armilla_status_message());
        armilla_grid_free(grid);
    }
    return failed;
}
