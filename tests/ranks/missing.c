/* Maps with missing values, of which calls over ranks must say what a call on one rank says. */
#include "ranks/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Values of a map that are missing: in maps of all fields, and in the rank's own. */
typedef struct {
    const scene *s;
    numbers map, own_map, alm, own_alm, weights, own_weights;
    armilla_exec exec;
} spoiled;

static spoiled make_spoiled(const scene *s)
{
    const ranks_case *c = s->c;
    const int64_t nmap = c->nfields * s->nmap, nalm = 2 * c->nfields * s->nalm;
    const int64_t own_nmap = s->fields * s->nmap, own_nalm = 2 * s->fields * s->nalm;
    spoiled p = {.s = s,
                 .map = make_numbers(nmap * s->npix, c->is_float),
                 .own_map = make_numbers(own_nmap * s->own_npix, c->is_float),
                 .alm = make_numbers(nalm * s->alm_size, c->is_float),
                 .own_alm = make_numbers(own_nalm * s->own_alm, c->is_float),
                 .weights = make_numbers(s->npix, 0),
                 .own_weights = make_numbers(s->own_npix + 1, 0)};
    scene one = *s;
    one.fields = one.nmap = 1;
    for (int64_t i = 0; i < s->npix; i++) put(p.weights, i, i % 3 ? 1 : 0);
    ranks_copy_map(&one, p.weights, p.own_weights);
    armilla_exec_init(&p.exec);
    p.exec.nthreads = c->nthreads, p.exec.ntrans = c->nfields;
    p.exec.missing = ARMILLA_MISSING_ERROR;
    return p;
}

static void free_spoiled(spoiled *p)
{
    free(p->map.values), free(p->own_map.values), free(p->alm.values), free(p->own_alm.values);
    free(p->weights.values), free(p->own_weights.values);
}

/* So many missing values in noise, spread over all fields. */
static void spoil(spoiled *p, int64_t count)
{
    static const double values[] = {NAN, INFINITY, ARMILLA_UNSEEN};
    const scene *s = p->s;
    const int64_t each = s->nmap * s->npix, size = s->c->nfields * each;
    for (int64_t i = 0; i < size; i++) put(p->map, i, noise((uint64_t)i));
    for (int64_t i = 0; i < count; i++)
        put(p->map, (7919 * i + size - size / 3) % size, values[i % 3]);
    const int64_t first = s->first * each;
    const numbers own_fields = {(char *)p->map.values +
                                    first * (p->map.is_float ? sizeof(float) : sizeof(double)),
                                p->map.is_float};
    ranks_copy_map(s, own_fields, p->own_map);
}

/* Is it the same error as on one rank, with the same words? */
static int compare_errors(const scene *s, armilla_status alone, const char *words,
                          armilla_status status)
{
    if (status == alone && (!status || !strcmp(words, armilla_status_message()))) return 0;
    fprintf(stderr, "on one rank: %s\n", alone ? words : "no error");
    return ranks_report(s, "missing values", status ? armilla_status_message() : "no error");
}

static int try_pseudo(const spoiled *p, armilla_missing missing)
{
    iteration alone = {.map = p->map, .alm = p->alm},
              ranks = {.map = p->own_map, .alm = p->own_alm};
    armilla_exec exec = p->exec;
    char words[512];
    exec.missing = missing;
    armilla_pseudo_options_init(&alone.options);
    alone.options.max_iterations = 1;
    ranks.options = alone.options;
    alone.options.weights = p->weights.values, ranks.options.weights = p->own_weights.values;
    const armilla_status status = ranks_iterate_alone(p->s, &alone, &exec);
    snprintf(words, sizeof words, "%s", armilla_status_message());
    return compare_errors(p->s, status, words, ranks_iterate(p->s, &ranks, &exec));
}

/* Where missing values propagate, those that are not finite are errors still. */
static int spoil_pseudo(const spoiled *p)
{
    return try_pseudo(p, ARMILLA_MISSING_ERROR) || try_pseudo(p, ARMILLA_MISSING_PROPAGATE);
}

static int spoil_iqu(const spoiled *p)
{
    const scene *s = p->s;
    armilla_iqu *alone = NULL;
    armilla_distributed_iqu *ranks = NULL;
    char words[512] = "";
    int failed = 0;
    if (armilla_iqu_new(s->grid, s->c->lmax, s->c->mmax, NULL, &alone) ||
        armilla_distributed_iqu_new(s->transport, s->distribution, NULL, NULL, &ranks))
        failed = ranks_report(s, "iqu", armilla_status_message());
    if (!failed) {
        const armilla_status status =
            armilla_iqu_analysis(alone, p->map.values, p->alm.values, &p->exec);
        snprintf(words, sizeof words, "%s", armilla_status_message());
        failed = compare_errors(s, status, words,
                                armilla_distributed_iqu_analysis(ranks, p->own_map.values,
                                                                 p->own_alm.values, &p->exec));
    }
    armilla_iqu_free(alone);
    armilla_distributed_iqu_free(ranks);
    return failed;
}

/* No missing value, one, three, and seven. */
int ranks_run_missing(const scene *s)
{
    scene three = *s;
    char words[512];
    int failed = 0;
    three.nmap = three.nalm = 3;
    spoiled p = make_spoiled(s), q = make_spoiled(&three);
    for (int64_t count = 0; count < 8 && !failed; count += count + 1) {
        spoil(&p, count);
        for (operator_of op = ADJOINT_SYNTHESIS; op <= ANALYSIS; op++) {
            const armilla_status alone = ranks_run_alone(s->sht, op, p.map, p.alm, &p.exec);
            snprintf(words, sizeof words, "%s", armilla_status_message());
            failed |= compare_errors(
                s, alone, words, ranks_run_operator(s->ranks, op, p.own_map, p.own_alm, &p.exec));
        }
        if (s->c->pseudo) failed |= spoil_pseudo(&p);
        spoil(&q, count);
        if (s->c->iqu) failed |= spoil_iqu(&q);
        if (s->c->iqu && s->c->pseudo) failed |= spoil_pseudo(&q);
    }
    free_spoiled(&p);
    free_spoiled(&q);
    return failed;
}
