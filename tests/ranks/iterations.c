/* Iterative analysis over ranks against that on one rank: of one field, and of I, Q and U. */
#include "ranks/scene.h"

#include <string.h>

/* --- Both kinds of plans ---------------------------------------------------------------------- */

armilla_status ranks_iterate_alone(const scene *s, iteration *i, const armilla_exec *exec)
{
    const int is_float = i->map.is_float;
    const void *map = i->map.values;
    void *alm = i->alm.values;
    armilla_iqu *iqu = NULL;
    if (s->nmap < 3)
        return is_float
                   ? armilla_sht_pseudo_analysis_float(s->sht, map, alm, &i->options, i->reports,
                                                       exec)
                   : armilla_sht_pseudo_analysis(s->sht, map, alm, &i->options, i->reports, exec);
    armilla_status status = armilla_iqu_new(s->grid, s->c->lmax, s->c->mmax, NULL, &iqu);
    if (!status)
        status =
            is_float
                ? armilla_iqu_pseudo_analysis_float(iqu, map, alm, &i->options, i->reports, exec)
                : armilla_iqu_pseudo_analysis(iqu, map, alm, &i->options, i->reports, exec);
    armilla_iqu_free(iqu);
    return status;
}

armilla_status ranks_iterate(const scene *s, iteration *i, const armilla_exec *exec)
{
    const int is_float = i->map.is_float;
    const void *map = i->map.values;
    void *alm = i->alm.values;
    armilla_distributed_iqu *iqu = NULL;
    if (s->nmap < 3)
        return is_float ? armilla_distributed_sht_pseudo_analysis_float(
                              s->ranks, map, alm, &i->options, i->reports, exec)
                        : armilla_distributed_sht_pseudo_analysis(s->ranks, map, alm, &i->options,
                                                                  i->reports, exec);
    armilla_status status =
        armilla_distributed_iqu_new(s->transport, s->distribution, NULL, NULL, &iqu);
    if (!status)
        status = is_float ? armilla_distributed_iqu_pseudo_analysis_float(
                                iqu, map, alm, &i->options, i->reports, exec)
                          : armilla_distributed_iqu_pseudo_analysis(iqu, map, alm, &i->options,
                                                                    i->reports, exec);
    armilla_distributed_iqu_free(iqu);
    return status;
}

/* --- A case ----------------------------------------------------------------------------------- */

static int reports_differ(const iteration *a, const iteration *b)
{
    for (int i = 0; i < RANKS_REPORTS; i++) {
        const armilla_pseudo_report *x = &a->reports[i], *y = &b->reports[i];
        if (x->stop != y->stop || x->iterations != y->iterations ||
            memcmp(&x->residual, &y->residual, sizeof(double)))
            return 1;
    }
    return 0;
}

/* Iterative analysis of noise, which no coefficients make: many iterations. Weights: 0 and others.
 */
static int run_one(const scene *s, armilla_pseudo_method method)
{
    const ranks_case *c = s->c;
    const int64_t n_map = s->fields * s->nmap, n_alm = 2 * s->fields * s->nalm;
    iteration alone = {.map = make_numbers(n_map * s->npix, c->is_float),
                       .alm = make_numbers(n_alm * s->alm_size, c->is_float)};
    iteration ranks = {.map = make_numbers(n_map * s->own_npix, c->is_float),
                       .alm = make_numbers(n_alm * s->own_alm, c->is_float)};
    numbers judge = make_numbers(n_alm * s->own_alm, c->is_float);
    numbers weights = make_numbers(n_map * s->npix, 0),
            own_weights = make_numbers(n_map * s->own_npix + 1, 0); /* NULL: none are given */
    armilla_exec exec;
    int failed = 0;
    armilla_pseudo_options_init(&alone.options);
    armilla_exec_init(&exec);
    exec.nthreads = c->nthreads, exec.ntrans = c->nfields;
    alone.options.method = method;
    alone.options.max_iterations = 5;
    for (int64_t i = 0; i < n_map * s->npix; i++) {
        put(alone.map, i, noise((uint64_t)i));
        put(weights, i, i % 7 ? 0.5 + 0.4 * noise((uint64_t)i + 5) : 0);
    }
    ranks_copy_map(s, alone.map, ranks.map);
    ranks_copy_map(s, weights, own_weights);
    ranks.options = alone.options;
    if (c->pseudo > 2)
        alone.options.weights = weights.values, ranks.options.weights = own_weights.values;
    if (ranks_iterate_alone(s, &alone, &exec) || ranks_iterate(s, &ranks, &exec))
        failed = ranks_report(s, "pseudo_analysis", armilla_status_message());
    ranks_copy_alm(s, alone.alm, judge);
    if (!failed) failed = ranks_compare(s, "pseudo_analysis", n_alm * s->own_alm, judge, ranks.alm);
    if (!failed && reports_differ(&alone, &ranks))
        failed = ranks_report(s, "pseudo_analysis", "other reports than on one rank");
    free(alone.map.values), free(alone.alm.values), free(ranks.map.values), free(ranks.alm.values);
    free(judge.values), free(weights.values), free(own_weights.values);
    return failed;
}

int ranks_run_pseudo(const scene *s)
{
    scene three = *s;
    three.nalm = three.nmap = 3;
    const int lsmr = s->c->pseudo % 2;
    const armilla_pseudo_method first = lsmr ? ARMILLA_PSEUDO_LSMR : ARMILLA_PSEUDO_JACOBI;
    int failed = run_one(s, first) | (s->c->iqu ? run_one(&three, first) : 0);
    if (lsmr) return failed;
    failed |= run_one(s, ARMILLA_PSEUDO_AUTO);
    return failed | (s->c->iqu ? run_one(&three, ARMILLA_PSEUDO_AUTO) : 0);
}
