/* One order of a transform on a block of ring pairs, or on all of them: alm row <-> leg rows. See
 * legendre.h. */
#include "legendre/plan.h"
#include "base/compiler.h"
#include "base/integer.h"
#include "legendre/spin.h"

#include <string.h>

/* Groups of a block on which an order matters. */
typedef struct {
    int64_t first, end;
} group_range;

/* A call's view of its block and scratch. */
typedef struct {
    const armilla_legendre *legendre;
    const armilla_legendre_sets *sets;
    int64_t m;
    int64_t first_pair, end_pair;        /* the first entry of sets->leg is that of this pair */
    const armilla_kernel_matrix *matrix; /* NULL: by the recurrence on `scalar` */
    group_range own, scalar; /* functions of spin s by their own recurrence; scalar ones */
    const armilla_legendre_parts *at;
    double *scratch;
} call;

static double *leg_of(const call *c, int64_t group)
{
    return c->sets->leg + 4 * (c->legendre->grouping.groups[group].pair - c->first_pair);
}

static double *coefficients_of(const call *c, int64_t nsteps, int64_t set)
{
    return c->scratch + c->at->coefficients + ARMILLA_LEGENDRE_GAP + set * 4 * nsteps;
}

/* The scalar recurrence of an order. */
static void set_order(const call *c, armilla_kernel_order *order, armilla_legendre_table *table)
{
    armilla_legendre_find_order(c->legendre, c->m, c->scratch + c->at->recurrence,
                                c->scratch + c->at->table, table, order);
    order->nsets = c->sets->count, order->leg_stride = c->sets->leg_stride;
    order->coefficients = coefficients_of(c, order->nsteps, 0);
}

/* --- Synthesis ------------------------------------------------------------------------------- */

/* The groups from g on, before end, that synthesis can take as one; returned: the one behind them.
 * Where a group holds three vectors and registers two, every third vector would be alone. */
static int64_t join_groups(const armilla_legendre *legendre, const armilla_kernel_order *order,
                           int64_t g, int64_t end, armilla_kernel_group *joined)
{
    *joined = legendre->grouping.groups[g++];
    while (g < end && joined->npairs == joined->nvec * legendre->grouping.lanes && !joined->nfine &&
           !legendre->grouping.groups[g].nfine &&
           legendre->grouping.groups[g].form == joined->form &&
           legendre->grouping.groups[g].first != order->starts.end) {
        joined->npairs += legendre->grouping.groups[g].npairs;
        joined->nvec += legendre->grouping.groups[g++].nvec;
    }
    return g;
}

/* Does a kernel of several sets make the synthesis? */
static int takes_sets(const call *c, const armilla_kernel_order *order)
{
    return order->nsets >= c->legendre->kernels->synthesis_sets_least;
}

static void run_synthesis(const call *c, const armilla_kernel_order *order)
{
    const armilla_legendre *legendre = c->legendre;
    const armilla_kernels *kernels = legendre->kernels;
    const int several = takes_sets(c, order);
    armilla_kernel_group joined;
    for (int64_t g = c->scalar.first, next; g < c->scalar.end; g = next) {
        const armilla_kernel_group *group = &legendre->grouping.groups[g];
        next = g + 1;
        if (!several && kernels->synthesis_joins)
            next = join_groups(legendre, order, g, c->scalar.end, &joined), group = &joined;
        (several ? kernels->sets_synthesis : kernels->synthesis)(order, group, leg_of(c, g));
    }
}

/* Degrees of the scalar recurrence. */
static int64_t degrees_of(const call *c)
{
    return c->legendre->top - c->m + 1;
}

/* Alm of scalar functions: for fields of spin s rows of their own, at the other end of the ladder.
 */
static double *scalar_row(const call *c, int64_t set)
{
    const int64_t row_size = armilla_legendre_alm_row(c->legendre, c->m);
    return c->legendre->spin ? c->scratch + c->at->rows + set * row_size
                             : c->sets->alm + set * c->sets->alm_stride;
}

/* Rows of alm of a set, which are the caller's. */
static double *alm_row(const call *c, int64_t set)
{
    return c->sets->alm + set * c->sets->alm_stride;
}

/* Fills rows of alm of scalar functions, where a spin has rows of its own. */
static void lower_rows(const call *c)
{
    for (int64_t set = 0; set < c->sets->count && c->legendre->spin; set += 2) {
        double *const in[2] = {alm_row(c, set), alm_row(c, set + 1)};
        double *const out[2] = {scalar_row(c, set), scalar_row(c, set + 1)};
        armilla_legendre_lower(c->legendre, c->m, in, c->scratch + c->at->ladder, out);
    }
}

static int is_zero(const double *f)
{
    return f[0] == 0 && f[1] == 0 && f[2] == 0 && f[3] == 0;
}

/* Looks from both ends: two looks, in general. */
static armilla_kernel_steps_used find_used(const double *coefficients, int64_t nsteps)
{
    armilla_kernel_steps_used used = {0, nsteps};
    while (used.end > 0 && is_zero(coefficients + 4 * (used.end - 1))) used.end--;
    while (used.begin < used.end && is_zero(coefficients + 4 * used.begin)) used.begin++;
    return used;
}

static void scalar_synthesis(const call *c)
{
    armilla_kernel_order order;
    armilla_legendre_table table;
    armilla_kernel_steps_used used[ARMILLA_SETS_MAX];
    set_order(c, &order, &table);
    lower_rows(c);
    for (int64_t set = 0; set < c->sets->count; set++) {
        double *coefficients = coefficients_of(c, order.nsteps, set);
        c->legendre->kernels->coefficients(degrees_of(c), order.nsteps, table.pair, table.v,
                                           scalar_row(c, set), coefficients);
        if (takes_sets(c, &order)) used[set] = find_used(coefficients, order.nsteps);
    }
    order.used = used;
    run_synthesis(c, &order);
}

static const double *spin_alpha(const call *c)
{
    const armilla_legendre_spin *functions = c->legendre->functions;
    return functions->alpha + functions->table_start[c->m - c->legendre->mfirst];
}

static void set_spin_order(const call *c, armilla_kernel_spin *order)
{
    armilla_legendre_spin_order(c->legendre, c->m, c->own.first, c->own.end,
                                c->scratch + c->at->functions, order);
    order->leg_stride = c->sets->leg_stride;
    order->least_pair = c->legendre->least_pair[c->m - c->legendre->mfirst];
    order->coefficients = coefficients_of(c, order->nsteps, 0);
}

/* Doubles before the first degree of spin s in a row of alm. */
static int64_t spin_offset(const call *c)
{
    return c->m < c->legendre->spin ? 2 * (c->legendre->spin - c->m) : 0;
}

/* Degrees of spin s. */
static int64_t spin_degrees(const call *c)
{
    return c->legendre->lmax - armilla_larger(c->m, c->legendre->spin) + 1;
}

/* Fields go one by one. */
static void spin_synthesis(const call *c)
{
    const armilla_legendre *legendre = c->legendre;
    armilla_kernel_spin order;
    set_spin_order(c, &order);
    const int64_t count = spin_degrees(c), offset = spin_offset(c);
    double *coefficients = coefficients_of(c, order.nsteps, 0);
    for (int64_t set = 0; set < c->sets->count; set += 2) {
        memset(coefficients + 4 * count, 0, 4 * sizeof(double) * (size_t)(order.nsteps - count));
        legendre->kernels->spin_coefficients(
            count, 0.5 * armilla_legendre_spin_sign(legendre), legendre->twist, spin_alpha(c),
            alm_row(c, set) + offset, alm_row(c, set + 1) + offset, coefficients);
        order.used = find_used(coefficients, order.nsteps);
        for (int64_t g = c->own.first; g < c->own.end; g++)
            legendre->kernels->spin_synthesis(&order, &legendre->grouping.groups[g],
                                              leg_of(c, g) + set * c->sets->leg_stride);
    }
}

/* Keeps those of the groups low .. high - 1 that have pairs from first_pair on and before end_pair.
 */
static void cut_groups(const armilla_legendre *legendre, int64_t low, int64_t high,
                       int64_t first_pair, int64_t end_pair, group_range *r)
{
    r->first = low, r->end = high;
    if (end_pair < legendre->pairs->count)
        r->end = armilla_legendre_first_group(legendre, low, high, end_pair);
    if (first_pair > 0) r->first = armilla_legendre_first_group(legendre, low, r->end, first_pair);
}

/* Which groups the order matters on: below the spin, pairs next to the poles are only in the parts
 * with functions of spin s. */
static void find_groups(call *c)
{
    const armilla_legendre *legendre = c->legendre;
    const int64_t first = c->first_pair, end = c->end_pair;
    const int64_t least = legendre->grouping.least_group[c->m - legendre->mfirst];
    const int64_t own = armilla_legendre_own_groups(legendre, c->m);
    cut_groups(legendre, least, legendre->grouping.count, first, end, &c->scalar);
    if (own > 0)
        cut_groups(legendre, 0, own,
                   armilla_larger(first, legendre->least_pair[c->m - legendre->mfirst]), end,
                   &c->own);
}

/* Filled in place: these structs, copied, cost a small transform several per cent. */
static void make_call(const armilla_legendre *legendre, int64_t first_pair, int64_t npairs,
                      int64_t m, const armilla_legendre_sets *sets, double *scratch, call *c)
{
    c->legendre = legendre, c->sets = sets, c->m = m, c->scratch = scratch;
    c->first_pair = first_pair, c->end_pair = first_pair + npairs;
    c->at = &legendre->parts[sets->count];
    c->matrix = armilla_legendre_kept_matrix(legendre, m);
    c->own.first = c->own.end = 0;
    if (!c->matrix || armilla_legendre_own_groups(legendre, m) > 0) find_groups(c);
}

/* Does the matrix have pairs of the call? */
static int matrix_matters(const call *c)
{
    return c->matrix && c->matrix->first < c->end_pair;
}

void armilla_legendre_synthesis(const armilla_legendre *legendre, int64_t first_pair,
                                int64_t npairs, int64_t m, const armilla_legendre_sets *sets,
                                double *scratch)
{
    call c;
    make_call(legendre, first_pair, npairs, m, sets, scratch, &c);
    const armilla_kernel_rows row = {sets->alm, sets->alm_stride, sets->leg};
    if (matrix_matters(&c))
        armilla_legendre_synthesis_together(legendre, first_pair, npairs, m, 1, sets, &row,
                                            scratch);
    else if (!c.matrix && c.scalar.first < c.scalar.end)
        scalar_synthesis(&c);
    if (c.own.first < c.own.end) spin_synthesis(&c); /* over what scalar groups may have left */
}

/* Where a set's sums over the ring pairs go, four for each step. ARMILLA_LEGENDRE_GAP doubles in
 * front of them belong to the set, too: the kernel that makes degrees of sums reads zeros there. */
static double *sums_of(const call *c, int64_t nsteps, int64_t set)
{
    return c->scratch + c->at->coefficients + ARMILLA_LEGENDRE_GAP +
           set * (4 * nsteps + ARMILLA_LEGENDRE_GAP);
}

/* The same of all sets, `width` doubles for each step, and as many in front of them. */
static double *sums_side_by_side(const call *c, int64_t width)
{
    return c->scratch + c->at->coefficients + armilla_round_line(width);
}

/* --- Analysis -------------------------------------------------------------------------------- */

static armilla_kernel_state make_state(const call *c, const group_range *groups)
{
    return (armilla_kernel_state){c->scratch + c->at->state,
                                  armilla_legendre_state_stride(c->legendre),
                                  c->legendre->grouping.groups[groups->first].first};
}

/* Brings what a group begins with nearer while another one is worked on: its entries of leg, and
 * its starts. Inline: GCC leaves out calls of functions that do nothing else. */
ARMILLA_ALWAYS_INLINE void fetch_entries(const call *c, const armilla_kernel_order *order,
                                         int64_t g)
{
    const double *leg = leg_of(c, g);
    for (int64_t set = 0; set < order->nsets; set++, leg += order->leg_stride)
        for (int64_t i = 0; i < 4 * c->legendre->grouping.groups[g].npairs; i += 8)
            ARMILLA_PREFETCH(leg + i);
}

ARMILLA_ALWAYS_INLINE void fetch_starts(const call *c, const armilla_kernel_order *order, int64_t g)
{
    const armilla_kernel_group *group = &c->legendre->grouping.groups[g];
    if (!order->starts.step || group->first >= order->starts.end) return;
    ARMILLA_PREFETCH(order->starts.step + group->first / c->legendre->grouping.lanes);
    for (int64_t i = 0; i < group->npairs; i += 8)
        ARMILLA_PREFETCH(order->starts.value + group->first + i);
}

/* Makes E re, E im, O re, O im of each step, for each set. Groups next to the equator come first:
 * their values matter from the first steps on. */
static void sums_by_lanes(const call *c, const armilla_kernel_order *order)
{
    const armilla_kernels *kernels = c->legendre->kernels;
    const int64_t most = ARMILLA_ANALYSIS_STEPS / (order->nsets > 1 ? 2 : 1);
    const armilla_kernel_state state = make_state(c, &c->scalar);
    double *sums = c->scratch + c->at->lane_sums;
    for (int64_t k = 0; k < order->ncount; k += most) {
        const int64_t count = order->ncount - k < most ? order->ncount - k : most;
        for (int64_t g = c->scalar.end - 1; g >= c->scalar.first; g--) {
            if (k == 0 && g > c->scalar.first)
                fetch_entries(c, order, g - 1), fetch_starts(c, order, g - 1);
            kernels->analysis_steps(
                order, &c->legendre->grouping.groups[g], leg_of(c, g), &state,
                &(armilla_kernel_block){k, count, sums, g == c->scalar.end - 1});
        }
        for (int64_t set = 0; set < order->nsets; set++)
            kernels->analysis_reduce(count, sums + set * 4 * kernels->vector_length * most,
                                     sums_of(c, order->nsteps, set) + 4 * k);
    }
}

/* The same where several sets read p from memory: those of a step stand side by side. Fields of
 * spin s next to the poles are divided by sin^s theta: such large values are added last, so that
 * the sums round only a few times at their size. */
static void sums_by_products(const call *c, const armilla_kernel_order *order, int64_t width,
                             double *sums)
{
    const armilla_kernels *kernels = c->legendre->kernels;
    const armilla_kernel_group *groups = c->legendre->grouping.groups;
    const armilla_kernel_state state = make_state(c, &c->scalar);
    for (int64_t g = c->scalar.first; g < c->scalar.end; g++) {
        if (g + 1 < c->scalar.end) fetch_entries(c, order, g + 1);
        kernels->sets_start(order, &groups[g], leg_of(c, g), &state);
    }
    memset(sums, 0, sizeof *sums * (size_t)(order->nsteps * width));
    for (int64_t k = 0; k < order->nsteps; k += ARMILLA_SETS_STEPS) {
        const int64_t count = armilla_smaller(order->nsteps - k, ARMILLA_SETS_STEPS);
        const armilla_kernel_block block = {k, count, sums + k * width, 0};
        for (int64_t g = c->scalar.end - 1; g >= c->scalar.first; g--) {
            if (k == 0 && g > c->scalar.first) fetch_starts(c, order, g - 1);
            kernels->sets_analysis(order, &groups[g], &state, &block);
        }
    }
}

static void raise_rows(const call *c)
{
    for (int64_t set = 0; set < c->sets->count && c->legendre->spin; set += 2) {
        double *const in[2] = {scalar_row(c, set), scalar_row(c, set + 1)};
        double *const out[2] = {alm_row(c, set), alm_row(c, set + 1)};
        armilla_legendre_raise(c->legendre, c->m, in, c->scratch + c->at->ladder, c->sets->add,
                               out);
    }
}

static void scalar_analysis(const call *c)
{
    const armilla_legendre *legendre = c->legendre;
    const int add = c->sets->add && !legendre->spin;
    armilla_kernel_order order;
    armilla_legendre_table table;
    set_order(c, &order, &table);
    const int64_t nsets = order.nsets, nsteps = order.nsteps;
    int64_t width = 4, far = 4 * nsteps + ARMILLA_LEGENDRE_GAP; /* to the next step, the next set */
    double *sums = sums_of(c, nsteps, 0);
    if (nsets >= legendre->kernels->analysis_sets_least) {
        width = armilla_kernel_sets_width(nsets, legendre->kernels->vector_length), far = 4;
        sums = sums_side_by_side(c, width);
        sums_by_products(c, &order, width, sums);
    } else {
        sums_by_lanes(c, &order);
    }
    for (int64_t set = 0; set < nsets; set++, sums += far) {
        memset(sums - width, 0, 4 * sizeof *sums);
        legendre->kernels->degrees(degrees_of(c), table.pair, table.v, sums, width, add,
                                   scalar_row(c, set));
    }
    raise_rows(c);
}

/* Sums of one field: leg of its set. */
static void sum_spin(const call *c, const armilla_kernel_spin *order, int64_t set, double *sums)
{
    const armilla_kernels *kernels = c->legendre->kernels;
    const armilla_kernel_group *groups = c->legendre->grouping.groups;
    const armilla_kernel_state state = make_state(c, &c->own);
    double *lane_sums = c->scratch + c->at->lane_sums;
    for (int64_t g = c->own.first; g < c->own.end; g++)
        kernels->spin_start(order, &groups[g], leg_of(c, g) + set * c->sets->leg_stride, &state);
    for (int64_t k = 0; k < order->nsteps; k += ARMILLA_ANALYSIS_STEPS) {
        const int64_t count = armilla_smaller(order->nsteps - k, ARMILLA_ANALYSIS_STEPS);
        for (int64_t g = c->own.end - 1; g >= c->own.first; g--)
            kernels->spin_steps(order, &groups[g], &state,
                                &(armilla_kernel_block){k, count, lane_sums, g == c->own.end - 1});
        kernels->analysis_reduce(count, lane_sums, sums + 4 * k);
    }
}

static void spin_analysis(const call *c)
{
    armilla_kernel_spin order;
    set_spin_order(c, &order);
    double *sums = sums_of(c, order.nsteps, 0);
    const int64_t offset = spin_offset(c);
    for (int64_t set = 0; set < c->sets->count; set += 2) {
        sum_spin(c, &order, set, sums);
        c->legendre->kernels->spin_degrees(
            spin_degrees(c), 0.5 * armilla_legendre_spin_sign(c->legendre), c->legendre->twist,
            spin_alpha(c), sums, alm_row(c, set) + offset, alm_row(c, set + 1) + offset);
    }
}

static void clear_alm(const call *c)
{
    const int64_t size = 2 * (c->legendre->lmax - c->m + 1);
    for (int64_t set = 0; set < c->sets->count; set++)
        memset(c->sets->alm + set * c->sets->alm_stride, 0, sizeof(double) * (size_t)size);
}

void armilla_legendre_analysis(const armilla_legendre *legendre, int64_t first_pair, int64_t npairs,
                               int64_t m, const armilla_legendre_sets *sets, double *scratch)
{
    call c;
    make_call(legendre, first_pair, npairs, m, sets, scratch, &c);
    const armilla_kernel_rows row = {sets->alm, sets->alm_stride, sets->leg};
    if (matrix_matters(&c))
        armilla_legendre_analysis_together(legendre, first_pair, npairs, m, 1, sets, &row, scratch);
    else if (!c.matrix && c.scalar.first < c.scalar.end)
        scalar_analysis(&c);
    else if (!sets->add)
        clear_alm(&c);
    if (c.own.first < c.own.end) spin_analysis(&c); /* adds */
}
