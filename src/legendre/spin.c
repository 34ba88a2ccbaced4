/* Tables for fields of spin s; docs/mathematics.md 3. With M = max(m, s), N = min(m, s), l = M + j:
 *
 *     B_l = sqrt((l^2 - M^2) (l^2 - N^2) / (l^2 (4 l^2 - 1)))                                (3.6)
 *     alpha_0 = 1,  alpha_1 = sqrt(B_{M+1} / B_{M+2}),  alpha_{j+1} = -alpha_{j-1} B_l / B_{l+1}
 *     a_j = alpha_j / (alpha_{j+1} B_{l+1})                                                  (3.7)
 *     d+-_M = +-K (sin theta)^(M-N) {sin, cos}^(2N) (theta/2)
 *     K^2 = (2M+1) / (4 pi) C(2M, M+N) / 4^(M-N)                                             (3.8)
 *
 * and the ladder from spin k to k - 1, (3.4), by degree l of spin k - 1:
 *
 *     up_l = sqrt((l-k) (l-k+1)) / l,  down_l = sqrt((l+k) (l+k+1)) / (l+1),
 *     across_l = sqrt((l+k) (l-k+1)) / (l (l+1)) */
#include "legendre/spin.h"

#include "legendre/choose.h"

#include "base/integer.h"
#include "base/memory.h"
#include "legendre/plan.h"

#include <math.h>

/* --- Sums of scalar functions ---------------------------------------------------------------- */

static void fill_ladder(int64_t count, int64_t spin, double *up, double *down, double *across)
{
    const long double k = (long double)spin;
    for (int64_t i = 0; i < count; i++) {
        long double l = (long double)i;
        up[i] = i > spin ? (double)(sqrtl((l - k) * (l - k + 1)) / l) : 0;
        down[i] = i + 1 >= spin ? (double)(sqrtl((l + k) * (l + k + 1)) / (l + 1)) : 0;
        across[i] = i >= spin ? (double)(sqrtl((l + k) * (l - k + 1)) / (l * (l + 1))) : 0;
    }
}

static armilla_status make_ladders(armilla_legendre *legendre, armilla_legendre_spin *spin)
{
    int64_t count = legendre->top + ARMILLA_LEGENDRE_PADDING, size = 3 * count + 1;
    spin->nladders = legendre->spin;
    armilla_status status =
        armilla_allocate(&spin->ladder_tables, spin->nladders * size, sizeof(double));
    if (status) return status;
    for (int64_t i = 0; i < spin->nladders; i++) {
        double *up = spin->ladder_tables + i * size, *down = up + count + 1, *across = down + count;
        down[-1] = 0;
        fill_ladder(count, legendre->spin - i, up, down, across);
        spin->ladder[i] = (armilla_kernel_ladder){legendre->tables.root, legendre->tables.scale, up,
                                                  down, across};
    }
    legendre->bytes += 24 * spin->nladders * count;
    return ARMILLA_OK;
}

/* Doubles of each of the links of a ladder: one degree more than `top`, and whole vectors. */
static int64_t link_size(const armilla_legendre *legendre, int64_t m)
{
    return armilla_round_line(legendre->top - m + 2);
}

int64_t armilla_legendre_ladder_size(const armilla_legendre *legendre)
{
    if (!legendre->functions || !legendre->functions->nladders) return 0;
    return 3 * link_size(legendre, legendre->mfirst) +
           4 * armilla_legendre_alm_row(legendre, legendre->mfirst);
}

void armilla_legendre_fill_links(const armilla_legendre *legendre, int64_t m, int64_t ladder,
                                 int64_t count, double *up, double *down, double *across)
{
    legendre->kernels->spin_links(&legendre->functions->ladder[ladder], m, count, legendre->twist,
                                  up, down, across);
}

/* The same one behind the other. */
static void fill_links(const armilla_legendre *legendre, int64_t m, int64_t ladder, double *links)
{
    const int64_t size = link_size(legendre, m);
    armilla_legendre_fill_links(legendre, m, ladder, legendre->top - m + 2, links, links + size,
                                links + 2 * size);
}

static const double *find_links(const armilla_legendre *legendre, int64_t m, int64_t ladder,
                                double *work)
{
    const armilla_legendre_spin *spin = legendre->functions;
    if (spin->links)
        return spin->links + spin->links_start[m - legendre->mfirst] +
               3 * ladder * link_size(legendre, m);
    fill_links(legendre, m, ladder, work);
    return work;
}

/* Does a call need the links of the order? Matrices of spin 1 have their own. */
static int needs_links(const armilla_legendre *legendre, int64_t m)
{
    return armilla_legendre_is_listed(legendre, m) &&
           !(legendre->matrices.links && armilla_legendre_kept_matrix(legendre, m));
}

armilla_status armilla_legendre_keep_links(armilla_legendre *legendre,
                                           const armilla_legendre_problem *problem)
{
    armilla_legendre_spin *spin = legendre->functions;
    const int64_t orders = legendre->mmax - legendre->mfirst + 1;
    int64_t total = 0;
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++)
        if (needs_links(legendre, m)) total += 3 * spin->nladders * link_size(legendre, m);
    legendre->choices.links = armilla_legendre_choose_links(total, problem->forced);
    if (legendre->choices.links != ARMILLA_KEPT) return ARMILLA_OK;
    armilla_status status;
    if ((status = armilla_allocate(&spin->links_start, orders, sizeof(int64_t))) ||
        (status = armilla_allocate_zero(&spin->links, total, sizeof(double))))
        return status;
    int64_t start = 0;
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++) {
        spin->links_start[m - legendre->mfirst] = start;
        if (!needs_links(legendre, m)) continue;
        for (int64_t i = 0; i < spin->nladders; i++, start += 3 * link_size(legendre, m))
            fill_links(legendre, m, i, spin->links + start);
    }
    legendre->bytes += 8 * (total + orders);
    return ARMILLA_OK;
}

/* Which way, and what stays the same in all ladders of a call. */
typedef struct {
    const armilla_legendre *legendre;
    int64_t m;
    int raise, add; /* from spin 0 on, or to it; to what `last` has, or not */
    double *scratch;
} climb;

/* One ladder after the other, from rows of E and B to the last one's; all others are rows of
 * scratch, two and two in turns. */
static void run_ladders(const climb *c, double *const first[2], double *const last[2])
{
    const armilla_legendre *legendre = c->legendre;
    const int64_t nladders = legendre->functions->nladders, size = link_size(legendre, c->m);
    const int64_t row = armilla_legendre_alm_row(legendre, c->m);
    const int64_t own = legendre->lmax - c->m + 1, all = legendre->top - c->m + 1;
    double *in[2] = {first[0], first[1]}, *rows = c->scratch + 3 * size;
    for (int64_t i = 0; i < nladders; i++) {
        const int is_last = i + 1 == nladders;
        const double *up = find_links(legendre, c->m, c->raise ? nladders - 1 - i : i, c->scratch);
        const double *down = up + size, *across = down + size;
        const armilla_kernel_climb each = {.given = i == 0 && !c->raise ? own : all,
                                           .count = is_last && c->raise ? own : all,
                                           .before = c->raise ? down - 1 : up,
                                           .behind = c->raise ? up + 1 : down,
                                           .across = across,
                                           .add = is_last && c->add};
        double *between = rows + i % 2 * 2 * row;
        double *out[2] = {is_last ? last[0] : between, is_last ? last[1] : between + row};
        legendre->kernels->spin_ladder(&each, (const double *const *)in, out);
        in[0] = out[0], in[1] = out[1];
    }
}

void armilla_legendre_lower(const armilla_legendre *legendre, int64_t m, double *const in[2],
                            double *scratch, double *const out[2])
{
    const climb c = {.legendre = legendre, .m = m, .scratch = scratch};
    run_ladders(&c, in, out);
}

void armilla_legendre_raise(const armilla_legendre *legendre, int64_t m, double *const in[2],
                            double *scratch, int add, double *const out[2])
{
    const climb c = {.legendre = legendre, .m = m, .raise = 1, .add = add, .scratch = scratch};
    run_ladders(&c, in, out);
}

/* --- Functions by their own recurrence ------------------------------------------------------- */

int64_t armilla_legendre_spin_steps(const armilla_legendre *legendre, int64_t m)
{
    if (m > legendre->functions->mmax) return 0;
    int64_t steps = legendre->lmax - armilla_larger(m, legendre->spin) + 1;
    return (steps + ARMILLA_KERNEL_STEPS - 1) / ARMILLA_KERNEL_STEPS * ARMILLA_KERNEL_STEPS;
}

double armilla_legendre_spin_sign(const armilla_legendre *legendre)
{
    return legendre->twist > 0 && legendre->spin % 2 ? 1 : -1;
}

/* The arrays of an order as kernels read them, nsteps doubles each: plain | fine | ceilings, fewer.
 */
enum { PLAIN = 3, FINE = 5 };

static double *kept_recurrence(const armilla_legendre *legendre, int64_t m)
{
    const armilla_legendre_spin *spin = legendre->functions;
    return spin->recurrences + ARMILLA_SPIN_ORDER * spin->table_start[m - legendre->mfirst];
}

static int has_fine(const armilla_legendre *legendre, int64_t first, int64_t end)
{
    for (int64_t g = first; g < end; g++)
        if (legendre->grouping.groups[g].form == ARMILLA_FORM_FINE_SPIN) return 1;
    return 0;
}

/* The plain form's largest values, which ceilings need, stand where the fine form will. */
static void make_recurrence(const armilla_legendre *legendre, int64_t m, int fine, double *to)
{
    const armilla_legendre_spin *spin = legendre->functions;
    const int64_t nsteps = armilla_legendre_spin_steps(legendre, m), s = legendre->spin;
    const double *a = spin->a + spin->table_start[m - legendre->mfirst];
    double *values = to + PLAIN * nsteps, *ceiling = values + FINE * nsteps;
    legendre->kernels->spin_recurrence(m, s, nsteps, a, to, ceiling, values);
    if (fine) legendre->kernels->spin_fine(m, s, nsteps, a, values);
}

/* work: B_l for l = M + j, j = 0 .. nsteps + 1, then as many doubles again */
static void fill_recurrence(const armilla_legendre *legendre, int64_t m, double *work)
{
    const armilla_legendre_spin *spin = legendre->functions;
    const double *root = legendre->tables.root, *scale = legendre->tables.scale;
    const int64_t first = armilla_larger(m, legendre->spin), small = m + legendre->spin - first;
    const int64_t nsteps = legendre->lmax - first + 1;
    double *a = spin->a + spin->table_start[m - legendre->mfirst];
    double *alpha = spin->alpha + spin->table_start[m - legendre->mfirst];
    for (int64_t j = 0; j <= nsteps + 1; j++) {
        int64_t l = first + j;
        work[j] =
            root[j] * root[l + first] * (root[l - small] * root[l + small]) * scale[l] / (double)l;
    }
    legendre->kernels->tables(nsteps, work, a, alpha, work + nsteps + 2);
    for (int64_t j = nsteps; j < armilla_legendre_spin_steps(legendre, m); j++) a[j] = alpha[j] = 0;
}

static void set_start(const armilla_legendre *legendre, int64_t m, long double square)
{
    const armilla_legendre_spin *spin = legendre->functions;
    if (m < legendre->mfirst || m > spin->mmax) return;
    long double large = (long double)armilla_larger(m, legendre->spin);
    armilla_legendre_split(
        sqrtl((2 * large + 1) / (4 * 3.14159265358979323846264338327950288L)) * sqrtl(square), 0,
        &spin->start_mantissa[m - legendre->mfirst], &spin->start_exponent[m - legendre->mfirst]);
}

/* The products C(2M, M+N) / 4^(M-N) of (3.8). For m = s, where M = N, it is 1; from there the
 * ratios of neighbours lead down in N to m = 0 and up in M to the last order. */
static void fill_starts(const armilla_legendre *legendre)
{
    const long double s = (long double)legendre->spin;
    long double square = 1;
    for (int64_t m = legendre->spin; m >= 0; m--) {
        long double n = (long double)m;
        set_start(legendre, m, square);
        square *= (s + n) / (4 * (s - n + 1));
    }
    square = 1;
    for (int64_t m = legendre->spin; m < legendre->functions->mmax; m++) {
        long double next = (long double)m + 1;
        square *= next * (next - 0.5L) / ((next - s) * (next + s));
        set_start(legendre, m + 1, square);
    }
}

/* Powers of sin^2 and cos^2 of theta / 2, up to the s-th. */
static void fill_half_powers(const armilla_legendre *legendre, int64_t pair)
{
    const armilla_legendre_spin *spin = legendre->functions;
    const long double angle = (long double)legendre->places.theta[pair] / 2;
    const long double half[2] = {sinl(angle), cosl(angle)};
    for (int function = 0; function < 2; function++) {
        long double value = 1, square = half[function] * half[function];
        int64_t exponent = 0;
        for (int64_t row = 0; row <= legendre->spin; row++) {
            int shift;
            double *mantissa = &spin->half[function][row * legendre->grouping.npadded + pair];
            double *power = &spin->half[2 + function][row * legendre->grouping.npadded + pair];
            armilla_legendre_split(value, exponent, mantissa, power);
            value = frexpl(value * square, &shift);
            exponent += shift;
        }
    }
}

static armilla_status allocate_orders(armilla_legendre *legendre, armilla_legendre_spin *spin)
{
    const int64_t orders = armilla_larger(spin->mmax - legendre->mfirst + 1, 1);
    armilla_status status;
    if ((status = armilla_allocate(&spin->start_mantissa, orders, sizeof(double))) ||
        (status = armilla_allocate(&spin->start_exponent, orders, sizeof(double))) ||
        (status = armilla_allocate(&spin->table_start, orders, sizeof(int64_t))))
        return status;
    int64_t total = 0;
    for (int64_t m = legendre->mfirst; m <= spin->mmax; m++) {
        spin->table_start[m - legendre->mfirst] = total;
        if (armilla_legendre_is_listed(legendre, m))
            total += armilla_legendre_spin_steps(legendre, m);
    }
    if ((status = armilla_allocate(&spin->a, total + 1, sizeof(double))) ||
        (status = armilla_allocate(&spin->alpha, total + 2, sizeof(double))))
        return status;
    legendre->bytes += 8 * (3 * orders + 2 * total);
    return ARMILLA_OK;
}

static armilla_status make_orders(armilla_legendre *legendre, armilla_legendre_spin *spin)
{
    double *work;
    armilla_status status = allocate_orders(legendre, spin);
    if (status) return status;
    int64_t longest = legendre->lmax + ARMILLA_LEGENDRE_PADDING;
    if ((status = armilla_allocate(&work, 2 * longest, sizeof(double)))) return status;
    for (int64_t m = legendre->mfirst; m <= spin->mmax; m++)
        if (armilla_legendre_is_listed(legendre, m)) fill_recurrence(legendre, m, work);
    armilla_release(work);
    fill_starts(legendre);
    return ARMILLA_OK;
}

/* Returned: whether the lender has all orders that are needed. */
static int borrow_orders(const armilla_legendre *lender, armilla_legendre_spin *spin)
{
    const armilla_legendre_spin *from = lender ? lender->functions : NULL;
    if (!from || from->mmax < spin->mmax) return 0;
    spin->lent = 1;
    spin->start_mantissa = from->start_mantissa, spin->start_exponent = from->start_exponent;
    spin->table_start = from->table_start, spin->a = from->a, spin->alpha = from->alpha;
    return 1;
}

static armilla_status make_places(armilla_legendre *legendre, armilla_legendre_spin *spin)
{
    const int64_t half = (legendre->spin + 1) * legendre->grouping.npadded;
    armilla_status status = ARMILLA_OK;
    for (int i = 0; i < 4 && !status; i++)
        status = armilla_allocate_zero(&spin->half[i], half, sizeof(double));
    if (status) return status;
    const int64_t nown = legendre->grouping.part[ARMILLA_PART_SCALAR].first_group;
    const int64_t end = armilla_legendre_end_of_group(legendre, nown - 1);
    for (int64_t place = 0; place < end; place++) fill_half_powers(legendre, place);
    legendre->bytes += 8 * 4 * half;
    return ARMILLA_OK;
}

/* The largest order of the pairs that need the recurrence, and some more: so that stages on other
 * pairs of the same kind, of which a few more need it, can borrow the tables. */
static int64_t find_mmax(const armilla_legendre *legendre)
{
    enum { UNIT = 64 };
    const int64_t last = legendre->grouping.part[ARMILLA_PART_OWN].end_pair - 1;
    int64_t mmax = -1;
    if (legendre->grouping.part[ARMILLA_PART_OWN_SMALL].end_pair > 0) mmax = legendre->spin - 1;
    if (last >= 0) mmax = (legendre->pairs->limit[last] / UNIT + 1) * UNIT;
    return mmax < legendre->mmax ? mmax : legendre->mmax;
}

/* Only small plans keep them. */
static armilla_status keep_recurrences(armilla_legendre *legendre, armilla_legendre_spin *spin,
                                       armilla_forced *forced)
{
    int64_t steps = 0;
    for (int64_t m = legendre->mfirst; m <= spin->mmax; m++)
        if (armilla_legendre_is_listed(legendre, m))
            steps += armilla_legendre_spin_steps(legendre, m);
    const int64_t size = ARMILLA_SPIN_ORDER * steps;
    legendre->choices.spin_recurrences = armilla_legendre_choose_spin_recurrences(size, forced);
    if (legendre->choices.spin_recurrences != ARMILLA_KEPT) return ARMILLA_OK;
    armilla_status status = armilla_allocate_zero(&spin->recurrences, size, sizeof(double));
    for (int64_t m = legendre->mfirst; m <= spin->mmax && !status; m++)
        if (armilla_legendre_is_listed(legendre, m))
            make_recurrence(legendre, m, has_fine(legendre, 0, legendre->grouping.count),
                            kept_recurrence(legendre, m));
    legendre->bytes += 8 * size;
    return status;
}

armilla_status armilla_legendre_make_spin(armilla_legendre *legendre,
                                          const armilla_legendre_problem *problem)
{
    armilla_legendre_spin *spin;
    armilla_status status = armilla_allocate_zero(&spin, 1, sizeof *spin);
    if (status) return status;
    legendre->functions = spin;
    spin->mmax = find_mmax(legendre);
    if (legendre->top > legendre->lmax && (status = make_ladders(legendre, spin))) return status;
    legendre->choices.spin_recurrences = ARMILLA_KEPT_NEEDLESS;
    if (spin->mmax < legendre->mfirst) {
        armilla_legendre_choose_spin_recurrences(0, problem->forced); /* 0 bytes: none needed */
        return ARMILLA_OK;
    }
    if ((!borrow_orders(legendre->tables.lent ? problem->lender : NULL, spin) &&
         (status = make_orders(legendre, spin))) ||
        (status = keep_recurrences(legendre, spin, problem->forced)))
        return status;
    return make_places(legendre, spin);
}

static void free_orders(armilla_legendre_spin *spin)
{
    armilla_release(spin->start_mantissa);
    armilla_release(spin->start_exponent);
    armilla_release(spin->table_start);
    armilla_release(spin->a);
    armilla_release(spin->alpha);
}

void armilla_legendre_free_spin(armilla_legendre_spin *spin)
{
    if (!spin) return;
    for (int i = 0; i < 4; i++) armilla_release(spin->half[i]);
    armilla_release(spin->ladder_tables);
    armilla_release(spin->links);
    armilla_release(spin->links_start);
    armilla_release(spin->recurrences);
    if (!spin->lent) free_orders(spin);
    armilla_release(spin);
}

int64_t armilla_legendre_spin_order_size(const armilla_legendre *legendre)
{
    int64_t steps = armilla_legendre_spin_steps(legendre, legendre->mfirst);
    return ARMILLA_SPIN_ORDER * steps;
}

static void set_powers(const armilla_legendre *legendre, int64_t m, armilla_kernel_spin *order)
{
    const armilla_legendre_spin *spin = legendre->functions;
    const int64_t s = legendre->spin, small = m < s ? m : s;
    armilla_legendre_power(legendre, m < s ? s - m : m - s, &order->power);
    for (int function = 0; function < 2; function++) {
        order->half_mantissa[function] = spin->half[function] + small * legendre->grouping.npadded;
        order->half_exponent[function] =
            spin->half[2 + function] + small * legendre->grouping.npadded;
    }
    double start = spin->start_mantissa[m - legendre->mfirst];
    order->start_mantissa[0] = (m + s) % 2 ? -start : start;
    order->start_mantissa[1] = (m < s ? s : m) % 2 ? -start : start;
    order->start_exponent = spin->start_exponent[m - legendre->mfirst];
}

void armilla_legendre_spin_order(const armilla_legendre *legendre, int64_t m, int64_t first,
                                 int64_t end, double *scratch, armilla_kernel_spin *order)
{
    const armilla_legendre_spin *spin = legendre->functions;
    const int64_t nsteps = armilla_legendre_spin_steps(legendre, m), s = legendre->spin;
    const int kept = spin->recurrences != NULL;
    const double *plain = kept ? kept_recurrence(legendre, m) : scratch;
    int64_t parity = armilla_larger(m, s) + m + s;
    *order = (armilla_kernel_spin){.argument = legendre->places.argument,
                                   .nsteps = nsteps,
                                   .recurrence = {plain, plain + PLAIN * nsteps},
                                   .ceiling = plain + (PLAIN + FINE) * nsteps,
                                   .mirror = parity % 2 ? -1 : 1,
                                   .twist = legendre->twist};
    set_powers(legendre, m, order);
    if (!kept) make_recurrence(legendre, m, has_fine(legendre, first, end), scratch);
}
