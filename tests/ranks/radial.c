/* Gives each rank its pixels of maps that all ranks can make, convolves them over the ranks and on
 * the rank alone, and compares the rank's pixels of both results. */
#include "ranks/radial.h"

#include "ranks/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE = 3, LMAX = 12 };

typedef enum { CONVOLVE, ADJOINT, WEIGHTED, OPERATORS } operator_of;

static const char *const operator_names[] = {"convolve", "adjoint", "convolve_weighted"};

static const double LEAST = 0.3, FILL = -7, UNTOUCHED = 99;

typedef struct {
    const armilla_transport *transport;
    const ranks_radial_case *c;
    armilla_grid *grid;
    armilla_kernel *kernel;
    armilla_radial *alone;
    armilla_distributed_radial *ranks;
    int64_t nspans, nmaps, npix, own; /* own: pixels of an array of this rank */
    armilla_span *spans;
} scene;

armilla_kernel *ranks_radial_kernel_new(ranks_radial_kernel kernel, double angle)
{
    armilla_kernel *made = NULL;
    const armilla_status status = kernel == RADIAL_GAUSS ? armilla_kernel_new_gaussian(angle, &made)
                                  : kernel == RADIAL_DISC
                                      ? armilla_kernel_new_tophat(angle, &made)
                                      : armilla_kernel_new_mexican_hat(angle, &made);
    return status ? NULL : made;
}

static int complain(const scene *s, const char *what, const char *why)
{
    fprintf(stderr,
            "radial, grid %s, kernel %d, angle %g, support %g, spin %d, mode %d, method %d, "
            "normalization %d, layout %d, rank %d of %d: %s: %s\n",
            s->c->grid, (int)s->c->kernel, s->c->angle, s->c->support, (int)s->c->spin,
            (int)s->c->mode, (int)s->c->method, (int)s->c->normalization, (int)s->c->layout,
            (int)s->transport->rank, (int)s->transport->nranks, what, why);
    return 1;
}

/* --- Layouts --------------------------------------------------------------------------------- */

static int take_rings(scene *s)
{
    const armilla_transport *t = s->transport;
    armilla_distribution *d;
    if (armilla_distribution_new(s->grid, LMAX, LMAX, t->nranks, NULL, &d)) return 1;
    s->nspans = armilla_distribution_map_spans(d, t->rank, NULL);
    s->own = armilla_distribution_npix(d, t->rank);
    s->spans = calloc((size_t)s->nspans + 1, sizeof *s->spans);
    if (s->spans) armilla_distribution_map_spans(d, t->rank, s->spans);
    armilla_distribution_free(d);
    return !s->spans;
}

static int take_spans(scene *s)
{
    const armilla_transport *t = s->transport;
    if (s->c->layout == RADIAL_BY_RINGS) return take_rings(s);
    const int last = t->rank == t->nranks - 1, ranges = s->c->layout == RADIAL_RANGES;
    const int64_t first = ranges ? s->npix * t->rank / t->nranks : 0;
    const int64_t end = ranges ? s->npix * (t->rank + 1) / t->nranks : last ? s->npix : 0;
    s->spans = calloc(1, sizeof *s->spans);
    if (!s->spans) return 1;
    s->nspans = end > first;
    s->spans[0] = (armilla_span){first, end - first, BEFORE};
    s->own = s->nspans ? end - first + BEFORE : 0;
    return 0;
}

/* --- Plans ----------------------------------------------------------------------------------- */

static int64_t lmax_of(const ranks_radial_case *c)
{
    long long lmax = LMAX;
    sscanf(c->grid, "%*s %*d %lld", &lmax);
    return lmax;
}

static armilla_radial_options options_of(const ranks_radial_case *c)
{
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.support = c->support, options.spin = c->spin, options.mode = c->mode;
    options.method = c->method, options.normalization = c->normalization;
    return options;
}

static armilla_status open_scene(scene *s)
{
    const ranks_radial_case *c = s->c;
    const armilla_radial_options options = options_of(c);
    s->grid = ranks_grid(c->grid, lmax_of(c));
    s->kernel = ranks_radial_kernel_new(c->kernel, c->angle);
    if (!s->grid || !s->kernel) return ARMILLA_ERROR_ARGUMENT;
    s->npix = armilla_grid_npix(s->grid), s->nmaps = c->nfields * (c->spin ? 2 : 1);
    if (take_spans(s)) return ARMILLA_ERROR_MEMORY;
    const armilla_status status = armilla_radial_new(s->grid, s->kernel, &options, &s->alone);
    return status ? status
                  : armilla_distributed_radial_new(s->transport, s->grid, s->kernel, &options,
                                                   s->nspans, s->spans, &s->ranks);
}

static void close_scene(scene *s)
{
    armilla_distributed_radial_free(s->ranks);
    armilla_radial_free(s->alone);
    armilla_kernel_free(s->kernel);
    armilla_grid_free(s->grid);
    free(s->spans);
}

static int check_description(const scene *s)
{
    armilla_distributed_radial_description d = {.size = sizeof d};
    armilla_radial_description whole = {.size = sizeof whole};
    if (armilla_distributed_radial_describe(s->ranks, &d) ||
        armilla_radial_describe(s->alone, 1, &whole))
        return complain(s, "describe", armilla_status_message());
    if (strcmp(d.method, whole.method) || strcmp(d.normalization, whole.normalization) ||
        d.support != whole.support || d.npix != s->own)
        return complain(s, "describe", "is not as one rank has it");
    if (s->c->made_by && strcmp(s->c->made_by, d.method)) return complain(s, "method", d.method);
    if (s->c->windows && s->transport->nranks > 2 && d.windows < s->c->windows)
        return complain(s, "windows", "there are fewer");
    /* a belt has about 2 / nranks of all, or one pair of rings, and so has a window */
    const int64_t longest = 8 * lmax_of(s->c) * 8, most = 3 * s->npix / s->transport->nranks;
    if (s->c->mode == ARMILLA_RADIAL_EXACT &&
        (d.belt_npix > most + longest || d.window_npix > most + longest))
        return complain(s, "memory", "a belt or window is too large");
    return 0;
}

/* --- Operators ------------------------------------------------------------------------------- */

/* Arrays of the whole and of this rank, of floats or doubles. */
typedef struct {
    int is_float;
    size_t item;
    void *in, *out, *own_in, *own_out;
    double *weights, *own_weights;
    int64_t distance; /* of the own ones */
} arrays;

static void put(const arrays *a, void *values, int64_t i, double value)
{
    if (a->is_float)
        ((float *)values)[i] = (float)value;
    else
        ((double *)values)[i] = value;
}

/* Numbers that look like a map, with zeros on some stretches: rings of zeros stay zeros. */
static double number_of(int64_t i)
{
    uint64_t x = ((uint64_t)i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    return i / 40 % 5 == 3 ? 0 : (double)(x >> 11) * 0x1p-52 - 1;
}

static double weight_of(int64_t i)
{
    return i / 17 % 4 == 1 ? 0 : 0.5 + 0.25 * (double)(i % 7);
}

static int make_arrays(const scene *s, int is_float, arrays *a)
{
    const size_t whole = (size_t)(s->nmaps * s->npix);
    a->is_float = is_float, a->item = is_float ? sizeof(float) : sizeof(double);
    a->distance = s->own + 5;
    const size_t own = (size_t)(s->nmaps * a->distance);
    a->in = calloc(whole, a->item), a->out = calloc(whole, a->item);
    a->own_in = calloc(own, a->item), a->own_out = calloc(own, a->item);
    a->weights = calloc((size_t)s->npix, 8), a->own_weights = calloc((size_t)s->own + 1, 8);
    if (!a->in || !a->out || !a->own_in || !a->own_out || !a->weights || !a->own_weights) return 1;
    for (size_t i = 0; i < whole; i++) put(a, a->in, (int64_t)i, number_of((int64_t)i));
    for (size_t i = 0; i < own; i++) put(a, a->own_out, (int64_t)i, UNTOUCHED);
    for (int64_t i = 0; i < s->npix; i++) a->weights[i] = weight_of(i);
    return 0;
}

static void free_arrays(arrays *a)
{
    free(a->in), free(a->out), free(a->own_in), free(a->own_out);
    free(a->weights), free(a->own_weights);
}

static void take_own(const scene *s, const arrays *a)
{
    for (int64_t i = 0; i < s->nspans; i++) {
        const armilla_span *span = &s->spans[i];
        for (int64_t map = 0; map < s->nmaps; map++)
            memcpy((char *)a->own_in + a->item * (size_t)(map * a->distance + span->place),
                   (char *)a->in + a->item * (size_t)(map * s->npix + span->begin),
                   a->item * (size_t)span->count);
        memcpy(a->own_weights + span->place, a->weights + span->begin, 8 * (size_t)span->count);
    }
}

static armilla_status run_alone(const scene *s, operator_of op, const arrays *a,
                                const armilla_exec *exec)
{
    if (op == WEIGHTED)
        return a->is_float ? armilla_radial_convolve_weighted_float(s->alone, a->in, a->weights,
                                                                    LEAST, FILL, a->out, exec)
                           : armilla_radial_convolve_weighted(s->alone, a->in, a->weights, LEAST,
                                                              FILL, a->out, exec);
    if (a->is_float)
        return (op == ADJOINT ? armilla_radial_adjoint_float
                              : armilla_radial_convolve_float)(s->alone, a->in, a->out, exec);
    return (op == ADJOINT ? armilla_radial_adjoint : armilla_radial_convolve)(s->alone, a->in,
                                                                              a->out, exec);
}

static armilla_status run_ranks(const scene *s, operator_of op, const arrays *a,
                                const armilla_exec *exec)
{
    const armilla_distributed_radial *r = s->ranks;
    if (op == WEIGHTED)
        return a->is_float ? armilla_distributed_radial_convolve_weighted_float(
                                 r, a->own_in, a->own_weights, LEAST, FILL, a->own_out, exec)
                           : armilla_distributed_radial_convolve_weighted(
                                 r, a->own_in, a->own_weights, LEAST, FILL, a->own_out, exec);
    if (a->is_float)
        return (op == ADJOINT
                    ? armilla_distributed_radial_adjoint_float
                    : armilla_distributed_radial_convolve_float)(r, a->own_in, a->own_out, exec);
    return (op == ADJOINT ? armilla_distributed_radial_adjoint
                          : armilla_distributed_radial_convolve)(r, a->own_in, a->own_out, exec);
}

/* Own pixels have the bits of one rank, and nothing else is touched. */
static int compare(const scene *s, operator_of op, const arrays *a)
{
    for (int64_t i = 0; i < s->nspans; i++)
        for (int64_t k = 0; k < s->nmaps * s->spans[i].count; k++) {
            const armilla_span *span = &s->spans[i];
            const int64_t map = k / span->count, j = k % span->count;
            char *own =
                (char *)a->own_out + a->item * (size_t)(map * a->distance + span->place + j);
            const char *one =
                (const char *)a->out + a->item * (size_t)(map * s->npix + span->begin + j);
            if (memcmp(own, one, a->item)) return complain(s, operator_names[op], "other bits");
            put(a, own, 0, UNTOUCHED);
        }
    for (int64_t i = 0; i < s->nmaps * a->distance; i++)
        if (a->is_float ? ((float *)a->own_out)[i] != (float)UNTOUCHED
                        : ((double *)a->own_out)[i] != UNTOUCHED)
            return complain(s, operator_names[op], "an element that no span has is touched");
    return 0;
}

static int run_operator(const scene *s, operator_of op, const arrays *a)
{
    armilla_exec exec, own;
    armilla_exec_init(&exec);
    exec.ntrans = s->c->nfields, exec.nthreads = 1;
    own = exec, own.nthreads = s->c->nthreads, own.map_distance = a->distance;
    if (run_alone(s, op, a, &exec)) return complain(s, "one rank", armilla_status_message());
    if (run_ranks(s, op, a, &own)) return complain(s, operator_names[op], armilla_status_message());
    return compare(s, op, a);
}

/* Means over weights are of no use with kernels that are negative somewhere. A rank that has seen
 * other bits goes on, since the others do. */
static int run_operators(const scene *s, int is_float)
{
    arrays a = {.in = NULL};
    int failed = make_arrays(s, is_float, &a);
    if (!failed) take_own(s, &a);
    for (int op = 0; op < OPERATORS && a.own_weights; op++)
        if (op != WEIGHTED || s->c->kernel != RADIAL_HAT)
            failed |= run_operator(s, (operator_of)op, &a);
    free_arrays(&a);
    return failed;
}

int ranks_run_radial(const armilla_transport *transport, const ranks_radial_case *c)
{
    scene s = {.transport = transport, .c = c};
    const armilla_status status = open_scene(&s);
    int failed = status ? complain(&s, "plan", armilla_status_message()) : check_description(&s);
    if (!status) failed |= run_operators(&s, 0);
    if (!status) failed |= run_operators(&s, 1);
    close_scene(&s);
    return failed;
}
