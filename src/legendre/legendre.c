/* The Legendre stage: one order on one block of ring pairs. See legendre.h. */
#include "legendre/legendre.h"

#include "base/memory.h"
#include "legendre/dispatch.h"
#include "legendre/spin.h"

#include <string.h>

/* The last degree of the scalar recurrence: sums for spin s reach s degrees further. */
static int64_t find_top(const armilla_legendre *legendre)
{
    if (legendre->spin == 0) return legendre->lmax;
    int32_t last = legendre->groups[legendre->ngroups - 1].form; /* nearest to the equator */
    return legendre->lmax + (last < ARMILLA_FORM_SPIN ? legendre->spin : 0);
}

armilla_status armilla_legendre_new(const armilla_legendre_problem *problem,
                                    armilla_legendre **legendre)
{
    armilla_legendre *result;
    armilla_status status = armilla_allocate_zero(&result, 1, sizeof *result);
    if (status) return status;
    result->isa = problem->isa, result->kernels = armilla_kernels_find(problem->isa);
    result->lmax = problem->lmax, result->mfirst = problem->mfirst, result->mmax = problem->mmax;
    result->spin = problem->spin < 0 ? -problem->spin : problem->spin;
    result->twist = problem->spin < 0 ? -1 : 1;
    result->bytes = (int64_t)sizeof *result;
    status = armilla_legendre_make_pairs(result, problem);
    if (!status) {
        result->top = find_top(result);
        status = armilla_legendre_make_tables(result);
    }
    if (!status && result->spin) status = armilla_legendre_make_spin(result);
    if (status)
        armilla_legendre_free(result);
    else
        *legendre = result;
    return status;
}

void armilla_legendre_free(armilla_legendre *legendre)
{
    if (!legendre) return;
    void *parts[] = {legendre->north,        legendre->south,          legendre->limit,
                     legendre->theta,        legendre->argument,       legendre->cos_theta,
                     legendre->groups,       legendre->power_mantissa, legendre->power_exponent,
                     legendre->inverse_sine, legendre->root,           legendre->scale,
                     legendre->square_scale, legendre->start,          legendre->table_start,
                     legendre->table.a,      legendre->table.pair,     legendre->table.v,
                     legendre->table.ceiling};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) armilla_release(parts[i]);
    armilla_legendre_free_spin(legendre->functions);
    armilla_release(legendre);
}

static int64_t group_end(const armilla_legendre *legendre, int64_t group)
{
    const armilla_kernel_group *g = &legendre->groups[group];
    return g->first + g->nvec * (int64_t)legendre->kernels->vector_length;
}

int armilla_legendre_get_block(const armilla_legendre *legendre, int64_t npairs, int64_t index,
                               armilla_legendre_block *block)
{
    int64_t first = 0, end = 0;
    for (int64_t i = 0; i <= index; i++) {
        if ((first = end) == legendre->ngroups) return 0;
        while (end < legendre->ngroups &&
               group_end(legendre, end) - legendre->groups[first].first < npairs)
            end++;
        end += end < legendre->ngroups;
    }
    block->first_group = first;
    block->ngroups = end - first;
    block->first = legendre->groups[first].first;
    block->npairs = group_end(legendre, end - 1) - block->first;
    return 1;
}

int64_t armilla_legendre_row_length(const armilla_legendre_block *block)
{
    return armilla_leg_row_length(block->npairs);
}

/* Where the parts of a call's scratch begin. */
typedef struct {
    int64_t recurrence;   /* equator and pole: 4 arrays of steps each */
    int64_t coefficients; /* SET_GAP, then 4 doubles per step of each set; sums have a gap each */
    int64_t table, work;  /* of the order, where the plan has no tables */
    int64_t lane_sums;
    int64_t state; /* analysis: rows over pairs */
    int64_t rows;  /* analysis, spin: two rows of scalar sums */
    int64_t ladder, functions, total;
} scratch_parts;

enum { SET_GAP = 8, LANE_SUMS = 4 * ARMILLA_VECTOR_MAX * ARMILLA_ANALYSIS_STEPS };

static int64_t group_size(const armilla_legendre *legendre)
{
    return (int64_t)legendre->kernels->vector_length * legendre->kernels->vectors;
}

static int64_t state_stride(const armilla_legendre *legendre, int64_t block_npairs)
{
    return armilla_round_line(block_npairs + group_size(legendre));
}

static void split_scratch(const armilla_legendre *legendre, int64_t block_npairs, int64_t nsets,
                          scratch_parts *p)
{
    const int64_t spin = legendre->functions != NULL;
    const int64_t row = armilla_legendre_alm_row(legendre, legendre->mfirst);
    int64_t steps = armilla_legendre_steps(legendre, legendre->mfirst);
    if (spin) steps += armilla_legendre_spin_steps(legendre, legendre->mfirst);
    p->recurrence = 0;
    p->coefficients = 8 * steps;
    p->table = p->coefficients + nsets * (4 * steps + SET_GAP);
    p->work = p->table;
    p->lane_sums = p->table;
    if (!legendre->table.a) {
        p->work += 4 * steps + SET_GAP + armilla_round_line(steps / ARMILLA_KERNEL_STEPS);
        p->lane_sums = p->work + armilla_round_line(armilla_legendre_table_work(legendre));
    }
    p->state = p->lane_sums + nsets * LANE_SUMS;
    p->rows = p->state + (4 * nsets + 6) * state_stride(legendre, block_npairs);
    p->ladder = p->rows + 2 * spin * row;
    p->functions = p->ladder + (spin ? armilla_legendre_ladder_size(legendre) : 0);
    p->total = p->functions + (spin ? armilla_legendre_spin_order_size(legendre) : 0);
}

int64_t armilla_legendre_scratch_size(const armilla_legendre *legendre, int64_t block_npairs,
                                      int64_t nsets)
{
    scratch_parts parts;
    split_scratch(legendre, block_npairs, nsets, &parts);
    return parts.total;
}

/* The groups of a block on which order m matters, which lie at its end: first those with a
 * recurrence of spin s, then the scalar ones. */
typedef struct {
    int64_t first, scalar, end;
} group_range;

static void find_groups(const armilla_legendre *legendre, const armilla_legendre_block *block,
                        int64_t m, group_range *r)
{
    r->first = block->first_group, r->end = block->first_group + block->ngroups;
    while (r->first < r->end && legendre->groups[r->first].mlimit < m) r->first++;
    r->scalar = r->first;
    if (legendre->functions && legendre->functions->ngroups > r->first)
        r->scalar = legendre->functions->ngroups < r->end ? legendre->functions->ngroups : r->end;
}

/* Has a group of this form fine vectors? */
static int has_fine(const armilla_legendre *legendre, const group_range *groups, int32_t form)
{
    for (int64_t g = groups->scalar; g < groups->end; g++)
        if (legendre->groups[g].form == form && legendre->groups[g].nfine) return 1;
    return 0;
}

/* A call's view of its block and scratch. */
typedef struct {
    const armilla_legendre *legendre;
    const armilla_legendre_block *block;
    const armilla_legendre_sets *sets;
    int64_t m;
    group_range groups;
    scratch_parts at;
    double *scratch;
} call;

static double *leg_of(const call *c, int64_t group)
{
    return c->sets->leg + 4 * (c->legendre->groups[group].first - c->block->first);
}

/* The table of the order, which the plan holds or this makes. */
static void find_table(const call *c, int64_t nsteps, armilla_legendre_table *table)
{
    if (c->legendre->table.a) {
        armilla_legendre_kept_table(c->legendre, c->m, table);
        return;
    }
    table->a = c->scratch + c->at.table, table->pair = table->a + nsteps;
    table->v = table->pair + 2 * nsteps + SET_GAP, table->ceiling = table->v + nsteps;
    armilla_legendre_fill_table(c->legendre, c->m, table, c->scratch + c->at.work);
}

static double *coefficients_of(const call *c, int64_t nsteps, int64_t set)
{
    return c->scratch + c->at.coefficients + SET_GAP + set * 4 * nsteps;
}

/* Steps of an order, without the padding of the step arrays: an even number. */
static int64_t count_steps(const armilla_legendre *legendre, int64_t m)
{
    return ((legendre->top - m) / 2 + 2) / 2 * 2;
}

/* The scalar recurrence of an order. */
static void set_order(const call *c, armilla_kernel_order *order, armilla_legendre_table *table)
{
    const armilla_legendre *legendre = c->legendre;
    const armilla_kernels *kernels = legendre->kernels;
    int64_t m = c->m, index = m - legendre->mfirst, nsteps = armilla_legendre_steps(legendre, m);
    double *equator = c->scratch + c->at.recurrence, *pole = equator + 4 * nsteps;
    find_table(c, nsteps, table);
    *order = (armilla_kernel_order){.argument = legendre->argument,
                                    .cos_theta = legendre->cos_theta,
                                    .factor = legendre->inverse_sine,
                                    .start_mantissa = legendre->start[index],
                                    .nsteps = nsteps,
                                    .ncount = count_steps(legendre, m),
                                    .recurrence = {equator, pole},
                                    .ceiling = table->ceiling,
                                    .nsets = c->sets->count,
                                    .leg_stride = c->sets->leg_stride,
                                    .coefficients = coefficients_of(c, nsteps, 0)};
    armilla_legendre_power(legendre, m, &order->power);
    const double *a = table->a, *square_scale = legendre->square_scale;
    kernels->recurrence(m, nsteps, a, square_scale, equator, pole);
    if (has_fine(legendre, &c->groups, ARMILLA_FORM_EQUATOR))
        kernels->fine_equator(m, nsteps, a, square_scale, equator + 2 * nsteps);
    if (has_fine(legendre, &c->groups, ARMILLA_FORM_POLE))
        kernels->fine_pole(m, nsteps, a, square_scale, pole + 2 * nsteps);
}

/* --- Synthesis ------------------------------------------------------------------------------- */

static void scalar_synthesis(const call *c)
{
    const armilla_legendre *legendre = c->legendre;
    armilla_kernel_order order;
    armilla_legendre_table table;
    set_order(c, &order, &table);
    const double *rows[ARMILLA_SETS_MAX];
    for (int64_t set = 0; set < c->sets->count; set++)
        rows[set] = c->sets->alm + set * c->sets->alm_stride;
    if (legendre->spin) {
        const double *const in[2] = {rows[0], rows[1]};
        armilla_legendre_lower(legendre, c->m, in, c->scratch + c->at.ladder, rows);
    }
    for (int64_t set = 0; set < c->sets->count; set++)
        legendre->kernels->coefficients(order.nsteps, table.pair, table.v, rows[set],
                                        coefficients_of(c, order.nsteps, set));
    for (int64_t g = c->groups.scalar; g < c->groups.end; g++)
        (order.nsets > 2 ? legendre->kernels->sets_synthesis : legendre->kernels->synthesis)(
            &order, &legendre->groups[g], leg_of(c, g));
}

static const double *spin_alpha(const call *c)
{
    const armilla_legendre_spin *functions = c->legendre->functions;
    return functions->alpha + functions->table_start[c->m - c->legendre->mfirst];
}

static void set_spin_order(const call *c, armilla_kernel_spin *order)
{
    armilla_legendre_spin_order(c->legendre, c->m, c->groups.first, c->groups.scalar,
                                c->scratch + c->at.functions, order);
    order->leg_stride = c->sets->leg_stride;
    order->coefficients = coefficients_of(c, order->nsteps, 0);
}

/* Doubles before the first degree of spin s in a row of alm. */
static int64_t spin_offset(const call *c)
{
    return c->m < c->legendre->spin ? 2 * (c->legendre->spin - c->m) : 0;
}

static void spin_synthesis(const call *c)
{
    const armilla_legendre *legendre = c->legendre;
    armilla_kernel_spin order;
    set_spin_order(c, &order);
    const double *alm = c->sets->alm + spin_offset(c);
    double *coefficients = coefficients_of(c, order.nsteps, 0);
    legendre->kernels->spin_coefficients(order.nsteps, 0.5 * armilla_legendre_spin_sign(legendre),
                                         legendre->twist, spin_alpha(c), alm,
                                         alm + c->sets->alm_stride, coefficients);
    for (int64_t g = c->groups.first; g < c->groups.scalar; g++)
        legendre->kernels->spin_synthesis(&order, &legendre->groups[g], leg_of(c, g));
}

/* Filled in place: these structs, copied, cost a small transform several per cent. */
static void make_call(const armilla_legendre *legendre, const armilla_legendre_block *block,
                      int64_t m, const armilla_legendre_sets *sets, double *scratch, call *c)
{
    c->legendre = legendre, c->block = block, c->sets = sets, c->m = m, c->scratch = scratch;
    find_groups(legendre, block, m, &c->groups);
    split_scratch(legendre, block->npairs, sets->count, &c->at);
}

void armilla_legendre_synthesis(const armilla_legendre *legendre,
                                const armilla_legendre_block *block, int64_t m,
                                const armilla_legendre_sets *sets, double *scratch)
{
    call c;
    make_call(legendre, block, m, sets, scratch, &c);
    if (c.groups.first < c.groups.scalar) spin_synthesis(&c);
    if (c.groups.scalar < c.groups.end) scalar_synthesis(&c);
}

/* Sums of a set over the steps, after SET_GAP doubles of its own. */
static double *sums_of(const call *c, int64_t nsteps, int64_t set)
{
    return c->scratch + c->at.coefficients + SET_GAP + set * (4 * nsteps + SET_GAP);
}

/* --- Analysis -------------------------------------------------------------------------------- */

static armilla_kernel_state make_state(const call *c)
{
    return (armilla_kernel_state){c->scratch + c->at.state,
                                  state_stride(c->legendre, c->block->npairs)};
}

/* The lane sums of a block of steps, groups next to the equator first: they matter at once.
 * first_set: of the call, that the order's sets begin with. */
static void add_groups(const call *c, const armilla_kernel_order *order, int64_t first_set,
                       int64_t first, int64_t nsteps, const armilla_kernel_state *state,
                       double *sums)
{
    const armilla_kernels *kernels = c->legendre->kernels;
    const armilla_kernel_group *groups = c->legendre->groups;
    const int64_t most = order->nsets > 2 ? ARMILLA_GROUPS_TOGETHER : 1;
    for (int64_t end = c->groups.end; end > c->groups.scalar;) {
        int64_t g = end - c->groups.scalar > most ? end - most : c->groups.scalar;
        int fresh = end == c->groups.end;
        if (order->nsets > 2)
            kernels->sets_analysis(order, &groups[g], end - g, c->block->first, first, nsteps,
                                   state, sums, fresh);
        else
            kernels->analysis_steps(order, &groups[g], c->block->first, first, nsteps,
                                    leg_of(c, g) + first_set * order->leg_stride, state, sums,
                                    fresh);
        end = g;
    }
}

/* Sums E re, im, O re, im per step, for each set of the order. */
static void scalar_sums(const call *c, const armilla_kernel_order *order, int64_t first_set)
{
    const armilla_kernels *kernels = c->legendre->kernels;
    const armilla_kernel_group *groups = c->legendre->groups;
    const int64_t nsteps = order->nsteps;
    const int64_t last = order->nsets > 2 ? nsteps : order->ncount;
    const int64_t most = order->nsets == 2 ? ARMILLA_ANALYSIS_STEPS / 2 : ARMILLA_ANALYSIS_STEPS;
    double *sums = c->scratch + c->at.lane_sums;
    armilla_kernel_state state = make_state(c);
    for (int64_t g = c->groups.scalar; g < c->groups.end && order->nsets > 2; g++)
        kernels->analysis_start(order, &groups[g], c->block->first, leg_of(c, g), &state);
    for (int64_t k = 0; k < last; k += most) {
        int64_t count = last - k < most ? last - k : most;
        add_groups(c, order, first_set, k, count, &state, sums);
        for (int64_t set = 0; set < order->nsets; set++)
            kernels->analysis_reduce(count, sums + set * 4 * kernels->vector_length * most,
                                     sums_of(c, nsteps, first_set + set) + 4 * k);
    }
}

/* With vectors of eight lanes and few steps two sets go one after the other: their values are too
 * many for the registers, which costs more than the recurrence once again. */
static void add_scalar_sums(const call *c, const armilla_kernel_order *order)
{
    const int apart = order->nsets == 2 && c->legendre->kernels->vector_length > 4 &&
                      order->ncount <= 2 * ARMILLA_ANALYSIS_STEPS;
    armilla_kernel_order part = *order;
    if (apart) part.nsets = 1;
    for (int64_t set = 0; set < order->nsets; set += part.nsets) scalar_sums(c, &part, set);
}

static void scalar_analysis(const call *c)
{
    const armilla_legendre *legendre = c->legendre;
    armilla_kernel_order order;
    armilla_legendre_table table;
    set_order(c, &order, &table);
    add_scalar_sums(c, &order);
    const int64_t row_size = armilla_legendre_alm_row(legendre, c->m);
    double *rows[ARMILLA_SETS_MAX], *own = c->scratch + c->at.rows;
    for (int64_t set = 0; set < c->sets->count; set++) {
        rows[set] =
            legendre->spin ? own + set * row_size : c->sets->alm + set * c->sets->alm_stride;
        if (legendre->spin) memset(rows[set], 0, sizeof(double) * (size_t)row_size);
        double *sums = sums_of(c, order.nsteps, set);
        memset(sums - 4, 0, 4 * sizeof *sums);
        legendre->kernels->degrees(order.ncount, table.pair, table.v, sums, rows[set]);
    }
    if (!legendre->spin) return;
    const double *const in[2] = {rows[0], rows[1]};
    double *const out[2] = {c->sets->alm, c->sets->alm + c->sets->alm_stride};
    armilla_legendre_raise(legendre, c->m, in, c->scratch + c->at.ladder, out);
}

static void spin_analysis(const call *c)
{
    const armilla_legendre *legendre = c->legendre;
    const armilla_kernels *kernels = legendre->kernels;
    const armilla_kernel_group *groups = legendre->groups;
    armilla_kernel_spin order;
    set_spin_order(c, &order);
    armilla_kernel_state state = make_state(c);
    double *lane_sums = c->scratch + c->at.lane_sums, *sums = sums_of(c, order.nsteps, 0);
    for (int64_t g = c->groups.first; g < c->groups.scalar; g++)
        kernels->spin_start(&order, &groups[g], c->block->first, leg_of(c, g), &state);
    for (int64_t k = 0; k < order.nsteps; k += ARMILLA_ANALYSIS_STEPS) {
        int64_t count =
            order.nsteps - k < ARMILLA_ANALYSIS_STEPS ? order.nsteps - k : ARMILLA_ANALYSIS_STEPS;
        for (int64_t g = c->groups.scalar - 1; g >= c->groups.first; g--)
            kernels->spin_steps(&order, &groups[g], c->block->first, k, count, &state, lane_sums,
                                g == c->groups.scalar - 1);
        kernels->analysis_reduce(count, lane_sums, sums + 4 * k);
    }
    double *alm = c->sets->alm + spin_offset(c);
    kernels->spin_degrees(legendre->lmax - (c->m < legendre->spin ? legendre->spin : c->m) + 1,
                          0.5 * armilla_legendre_spin_sign(legendre), legendre->twist,
                          spin_alpha(c), sums, alm, alm + c->sets->alm_stride);
}

void armilla_legendre_analysis(const armilla_legendre *legendre,
                               const armilla_legendre_block *block, int64_t m,
                               const armilla_legendre_sets *sets, double *scratch)
{
    call c;
    make_call(legendre, block, m, sets, scratch, &c);
    if (c.groups.scalar < c.groups.end) scalar_analysis(&c);
    if (c.groups.first < c.groups.scalar) spin_analysis(&c);
}

armilla_status armilla_legendre_row(armilla_isa isa, int64_t lmax, int64_t m, double theta,
                                    double *lambda)
{
    armilla_legendre *legendre = NULL;
    double *alm = NULL, *leg = NULL, *scratch = NULL;
    armilla_legendre_block block;
    const armilla_legendre_problem problem = {
        .isa = isa, .lmax = lmax, .mfirst = m, .mmax = m, .nrings = 1, .theta = &theta};
    armilla_status status = armilla_legendre_new(&problem, &legendre);
    if (status) return status;
    armilla_legendre_get_block(legendre, 1, 0, &block);
    int64_t size = armilla_legendre_alm_row(legendre, m);
    if ((status = armilla_allocate_zero(&alm, size, sizeof(double))) ||
        (status =
             armilla_allocate_zero(&leg, armilla_legendre_row_length(&block), sizeof(double))) ||
        (status = armilla_allocate(
             &scratch, armilla_legendre_scratch_size(legendre, block.npairs, 1), sizeof(double))))
        goto done;
    leg[legendre->north[0] >= 0 ? 0 : 2] = 1;
    const armilla_legendre_sets sets = {.count = 1, .alm = alm, .leg = leg};
    armilla_legendre_analysis(legendre, &block, m, &sets, scratch);
    for (int64_t l = m; l <= lmax; l++) lambda[l - m] = alm[2 * (l - m)];

done:
    armilla_release(alm);
    armilla_release(leg);
    armilla_release(scratch);
    armilla_legendre_free(legendre);
    return status;
}
