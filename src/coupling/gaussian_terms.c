/* Lists the terms of covariances between spectra of masked fields, component by component. See
 * gaussian.h, docs/mathematics.md 14. */
#include "coupling/gaussian.h"

#include "base/integer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- Spectra --------------------------------------------------------------------------------- */

static int64_t number_of(const armilla_gaussian *g, int64_t i, int64_t j)
{
    return i < j ? i * g->ncomp + j : j * g->ncomp + i;
}

static int64_t mixing_number(const armilla_gaussian *g, int64_t a, int64_t c)
{
    return g->ncomp * g->ncomp + 2 * (a * g->problem.nfields + c);
}

void armilla_gaussian_spectrum(const armilla_gaussian *g, int64_t number, double *row)
{
    const int64_t n = g->problem.lmax + 1, behind = number - g->ncomp * g->ncomp;
    const double *cl = g->problem.cl;
    if (behind < 0) {
        memcpy(row, cl + number * n, (size_t)n * sizeof *row);
        return;
    }
    const int64_t e = g->first[behind / 2 / g->problem.nfields];
    const int64_t other = g->first[behind / 2 % g->problem.nfields];
    const double *one = cl + number_of(g, e, behind % 2 ? other + 1 : other) * n;
    const double *two = cl + number_of(g, e + 1, behind % 2 ? other : other + 1) * n;
    for (int64_t l = 0; l < n; l++) row[l] = 0.5 * (behind % 2 ? one[l] - two[l] : one[l] + two[l]);
}

/* --- Masked coefficients -------------------------------------------------------------------------
 */

/* A component of a field. */
typedef struct {
    int64_t field, part; /* part: 1 of B */
} component;

/* <a~ c~>: a spectrum that the product of both masks passes on, and one that it mixes in from E to
 * B or back, each with its sign. spin: of the functions that go with the product; mixed -1: none.
 */
typedef struct {
    int64_t spin, own, mixed;
    double sign;
} mean_product;

static int64_t component_number(const armilla_gaussian *g, component a)
{
    return g->first[a.field] + a.part;
}

/* The spin of the functions that a component meets its mask with. */
static int64_t spin_of(const armilla_gaussian *g, component a)
{
    const int *pure = g->problem.pure;
    return pure && pure[component_number(g, a)] ? 0 : g->problem.spins[a.field];
}

static mean_product multiply(const armilla_gaussian *g, component a, component c)
{
    const int64_t s1 = spin_of(g, a), s2 = spin_of(g, c);
    mean_product p = {.spin = armilla_smaller(s1, s2),
                      .own = number_of(g, component_number(g, a), component_number(g, c)),
                      .mixed = -1};
    if (s1 == 0 || s1 != s2) return p;
    const int is_turned = c.field < a.field, is_cross = a.part != c.part;
    p.mixed = is_turned ? mixing_number(g, c.field, a.field) : mixing_number(g, a.field, c.field);
    p.mixed += !is_cross;
    /* EB: -(EE + BB) / 2; BE: the opposite; EE and BB: (EB - BE) / 2, of exchanged fields the
     * opposite */
    p.sign = is_cross ? (a.part ? 1 : -1) : is_turned ? -1 : 1;
    return p;
}

/* --- Terms ----------------------------------------------------------------------------------- */

/* Where a product goes: masks, and the element of the result. */
typedef struct {
    int64_t mask, place, stride;
} destination;

static armilla_status make_room(armilla_gaussian *g)
{
    if (g->nterms < g->room) return ARMILLA_OK;
    armilla_gaussian_term *more;
    const int64_t room = armilla_larger(1024, 2 * g->room);
    const armilla_status status = armilla_allocate(&more, room, sizeof *more);
    if (status) return status;
    if (g->nterms) memcpy(more, g->terms, (size_t)g->nterms * sizeof *more);
    armilla_release(g->terms);
    g->terms = more, g->room = room;
    return ARMILLA_OK;
}

static armilla_status add(armilla_gaussian *g, const destination *to, const mean_product pair[2],
                          int kind)
{
    const int64_t x = kind ? pair[0].mixed : pair[0].own, y = kind ? pair[1].mixed : pair[1].own;
    if (g->is_zero[x] || g->is_zero[y]) return ARMILLA_OK;
    const armilla_status status = make_room(g);
    if (status) return status;
    g->terms[g->nterms++] =
        (armilla_gaussian_term){.spin1 = armilla_smaller(pair[0].spin, pair[1].spin),
                                .spin2 = armilla_larger(pair[0].spin, pair[1].spin),
                                .mask = to->mask,
                                .x = armilla_smaller(x, y),
                                .y = armilla_larger(x, y),
                                .kind = kind,
                                .factor = kind ? pair[0].sign * pair[1].sign : 1,
                                .place = to->place,
                                .stride = to->stride};
    return ARMILLA_OK;
}

/* <a~ c~> <b~ d~>. What passes with what is mixed has the mean 0. */
static armilla_status add_product(armilla_gaussian *g, const destination *to, component a,
                                  component c, component b, component d)
{
    const mean_product pair[2] = {multiply(g, a, c), multiply(g, b, d)};
    const armilla_status status = add(g, to, pair, 0);
    if (status || pair[0].mixed < 0 || pair[1].mixed < 0) return status;
    return add(g, to, pair, 1);
}

/* Component i of the spectra of two fields: each part of the first with each of the second. */
static void find_parts(const armilla_gaussian *g, const armilla_gaussian_pair *pair, int64_t i,
                       component parts[2])
{
    const int64_t n = g->problem.spins[pair->field2] ? 2 : 1;
    parts[0] = (component){pair->field1, i / n};
    parts[1] = (component){pair->field2, i % n};
}

static armilla_status list_block(armilla_gaussian *g, int64_t block)
{
    const armilla_gaussian_block *of = &g->problem.blocks[block];
    const int64_t n = g->bands.nbands;
    const int64_t ncl1 = armilla_gaussian_ncl(g, of->pair1);
    const int64_t ncl2 = armilla_gaussian_ncl(g, of->pair2);
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < ncl1 * ncl2 && !status; i++) {
        component one[2], two[2];
        find_parts(g, &g->problem.pairs[of->pair1], i / ncl2, one);
        find_parts(g, &g->problem.pairs[of->pair2], i % ncl2, two);
        const int64_t place = g->block_at[block] + (i / ncl2 * n * ncl2 + i % ncl2) * n;
        const destination first = {of->mask1, place, ncl2 * n},
                          second = {of->mask2, place, ncl2 * n};
        status = add_product(g, &first, one[0], two[0], one[1], two[1]);
        if (!status) status = add_product(g, &second, one[0], two[1], one[1], two[0]);
    }
    return status;
}

static int compare(const void *one, const void *two)
{
    const armilla_gaussian_term *a = one, *b = two;
    const int64_t keys[][2] = {{a->spin1, b->spin1}, {a->spin2, b->spin2}, {a->mask, b->mask},
                               {a->x, b->x},         {a->y, b->y},         {a->place, b->place},
                               {a->kind, b->kind}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1]) return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static armilla_status find_zeros(armilla_gaussian *g)
{
    const int64_t n = g->problem.lmax + 1, nspectra = armilla_gaussian_nspectra(g);
    double *row;
    armilla_status status = armilla_allocate(&row, n, sizeof *row);
    if (!status) status = armilla_allocate_zero(&g->is_zero, nspectra, 1);
    for (int64_t i = 0; i < nspectra && !status; i++) {
        int64_t l = 0;
        const int64_t behind = i - g->ncomp * g->ncomp;
        const int64_t a = behind / 2 / g->problem.nfields, c = behind / 2 % g->problem.nfields;
        const int is_none = behind < 0 ? i / g->ncomp > i % g->ncomp
                                       : a > c || g->problem.spins[a] != g->problem.spins[c] ||
                                             g->problem.spins[a] == 0;
        if (!is_none) armilla_gaussian_spectrum(g, i, row);
        while (!is_none && l < n && row[l] == 0) l++;
        g->is_zero[i] = is_none || l == n;
    }
    armilla_release(row);
    return status;
}

armilla_status armilla_gaussian_list(armilla_gaussian *g)
{
    armilla_status status = find_zeros(g);
    for (int64_t i = 0; i < g->problem.nblocks && !status; i++) status = list_block(g, i);
    if (!status && g->nterms) qsort(g->terms, (size_t)g->nterms, sizeof *g->terms, compare);
    return status;
}
