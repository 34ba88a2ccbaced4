/* Multiplies the coefficients of one degree by Wigner's matrix of a quarter turn, which is most of
 * the work of a rotation. The matrix is never stored: groups of orders j run through its
 * recurrence, from where the entries are negligible, and are scaled at its other end, where entries
 * are known in closed form. */
#include "alm/rotation_degree.h"

#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { FIELDS = ARMILLA_ROTATION_FIELDS, LANES = ARMILLA_ROTATION_LANES };

static const double negligible_nats = 45; /* e^-45 = 3e-20 */
static const double start_value =
    0x1p-160; /* far from both ends of the range after e^45 .. e^200 */
/* Groups that begin below l / 16 use the low form, those that end above 7 l / 8 the high one: more
 * groups than accuracy asks for, since these forms cost little. */
static const int64_t low_share = 16, high_share = 8, small_degree = 128;

armilla_status armilla_rotation_degree_new(int64_t lmax, const armilla_rotation_tables *tables,
                                           const armilla_rotation_kernels *kernels,
                                           armilla_rotation_degree *self)
{
    int64_t steps = armilla_round_line(lmax / 2 + 2), orders = armilla_round_line(lmax + 4);
    int64_t sums = (2 * FIELDS + 2) * LANES;
    int64_t count = (5 + 10 * FIELDS) * steps + (3 + 2 * FIELDS) * orders + LANES + sums;
    *self = (armilla_rotation_degree){.tables = tables, .kernels = kernels};
    armilla_status status = armilla_allocate_zero(&self->storage, count, sizeof *self->storage);
    if (!status) status = armilla_allocate(&self->start, lmax + 1, sizeof *self->start);
    if (status) {
        armilla_rotation_degree_free(self);
        return status;
    }
    double *next = self->storage;
    self->argument = next, next += LANES;
    self->sums = next, next += sums;
    for (int i = 0; i < ARMILLA_ROTATION_FORMS; i++) self->constant[i] = next, next += steps;
    self->slope = next, next += steps;
    self->balance = next, next += steps;
    for (int i = 0; i < 2; i++) self->terms[i] = next, next += 2 * FIELDS * steps;
    for (int i = 0; i < 2; i++) self->low_terms[i] = next, next += 3 * FIELDS * steps;
    for (int i = 0; i < FIELDS; i++) self->value[i] = next, next += 2 * orders;
    self->norm = next, next += orders;
    self->ordered = next;
    return ARMILLA_OK;
}

void armilla_rotation_degree_free(armilla_rotation_degree *self)
{
    armilla_release(self->start);
    armilla_release(self->storage);
    self->start = NULL, self->storage = NULL;
}

/* The order m above which |Delta_jm| < e^-negligible_nats, or l. WKB: -log |Delta_jm| is about
 *     F(m) = m acosh(j / sqrt(L^2 - m^2)) + j acosh(m / sqrt(L^2 - j^2))
 *            - L acosh(j m / sqrt((L^2 - m^2) (L^2 - j^2))),   F' = acosh(j / sqrt(L^2 - m^2)),
 * L = l + 1/2, beyond the turning point. F is convex: after one step of Newton's method from
 * anywhere (here: from Airy's approximation) m is on the safe side. */
static double largest_order(int64_t degree, int64_t order)
{
    double l = (double)degree + 0.5, j = (double)order;
    if (order == 0) return (double)degree;
    double b = (l - j) * (l + j), turn = sqrt(b);
    double m = turn + pow(1.5 * negligible_nats * j / sqrt(2 * turn), 2.0 / 3);
    for (int i = 0; i < 2; i++) {
        if (m >= (double)degree) return (double)degree;
        double a = (l - m) * (l + m);
        double growth = acosh(fmax(j / sqrt(a), 1 + 1e-14));
        double f =
            m * growth + j * acosh(fmax(m / turn, 1)) - l * acosh(fmax(j * m / sqrt(a * b), 1));
        m += (negligible_nats - f) / growth;
    }
    return fmin(m, (double)degree);
}

/* First step of a group whose lowest order is j, such that an even number of steps is left up to
 * and with step l / 2. */
static int64_t first_step(int64_t l, int64_t j)
{
    int64_t last = l / 2;
    int64_t k = (l - (int64_t)ceil(largest_order(l, j))) / 2 - 1;
    if (k > last - 1) k = last - 1;
    if (k < 0) k = 0;
    return (last + 1 - k) % 2 ? k - 1 : k;
}

static void fill_recurrence(armilla_rotation_degree *self)
{
    const armilla_rotation_tables *t = self->tables;
    const int64_t last = self->l / 2;
    for (int64_t k = 0; k <= last; k++) {
        int64_t i = self->l - 1 - k;
        double x = (double)k + 0.75, y = (double)i + 0.75;
        double s = t->deviation[k], r = t->deviation[i], a = t->f[k] * t->f[i];
        double rest = y * s + x * r + s * r;
        double g = -a * (0.125 + 2 * rest), h = a * (0.125 + 2 * rest - (x - y) * (x - y));
        self->constant[ARMILLA_ROTATION_PLAIN][k + 1] = 2 + g;
        self->constant[ARMILLA_ROTATION_LOW][k + 1] = g;
        self->constant[ARMILLA_ROTATION_HIGH][k + 1] = h;
        self->slope[k + 1] = -a;
        self->balance[k + 1] = a * (0.25 * (x - y) - 0.0625 - rest) / (t->lower[k] * t->upper[i]);
    }
    self->slope[last + 1] = 0;
    for (int form = 0; form < ARMILLA_ROTATION_FORMS; form++) self->constant[form][last + 1] = 0;
}

/* Most lanes of the group that begins with order first. At small degrees a whole group would reach
 * from low to high orders. */
static int64_t group_lanes(const armilla_rotation_degree *self, int64_t first)
{
    int64_t length = self->kernels->vector_length;
    if (first < 2 && self->l < small_degree) return length;
    return length * self->kernels->vectors;
}

void armilla_rotation_degree_start(armilla_rotation_degree *self, int64_t l, int fields)
{
    self->l = l, self->fields = fields;
    if (l == 0) return;
    fill_recurrence(self);
    for (int64_t parity = 0; parity < 2; parity++)
        for (int64_t j = parity; j <= l; j += 2 * group_lanes(self, j))
            self->start[j] = first_step(l, j);
}

/* re[n] = 2 Re b_{l-n}, im[n] = 2 Im b_{l-n} (m = 0: Re b_0 and 0), two zeros behind. */
static void order_values(int64_t l, const double *value, double *re, double *im)
{
    for (int64_t n = 0; n < l; n++) {
        re[n] = 2 * value[2 * (l - n)];
        im[n] = 2 * value[2 * (l - n) + 1];
    }
    re[l] = value[0], im[l] = 0;
    re[l + 1] = re[l + 2] = im[l + 1] = im[l + 2] = 0;
}

/* The terms of one field. For even j the sums over even n take re and those over odd n im; for odd
 * j it is the other way round. */
static void fill_terms(armilla_rotation_degree *self, int field)
{
    const armilla_rotation_tables *t = self->tables;
    const int64_t l = self->l, stride = 2 * self->fields;
    double *re = self->ordered, *im = self->ordered + l + 3;
    double *even = self->terms[0] + 2 * field + stride, *odd = self->terms[1] + 2 * field + stride;
    order_values(l, self->value[field], re, im);
    double sign = 1;
    for (int64_t k = 0; k <= l / 2; k++, even += stride, odd += stride, sign = -sign) {
        int64_t i = l - 1 - k;
        double here = sign * (t->lower[k] * t->upper[i]), next = sign * (t->upper[k] * t->lower[i]);
        double between = -sign * (t->root[k] * t->root[i]);
        even[0] = here * re[2 * k] + next * re[2 * k + 2];
        even[1] = between * im[2 * k + 1];
        odd[0] = here * im[2 * k] + next * im[2 * k + 2];
        odd[1] = between * re[2 * k + 1];
    }
}

/* After fill_terms: the same for low orders. */
static void fill_low_terms(armilla_rotation_degree *self, int field)
{
    const armilla_rotation_tables *t = self->tables;
    const int64_t l = self->l, stride = 3 * self->fields;
    const double *re = self->ordered, *im = self->ordered + l + 3;
    double sign = 1;
    for (int64_t k = 0; k <= l / 2; k++, sign = -sign) {
        double *even = self->low_terms[0] + (k + 1) * stride + 3 * field;
        double *odd = self->low_terms[1] + (k + 1) * stride + 3 * field;
        double p = sign * self->balance[k + 1];
        double d = sign / (t->lower[k] * t->upper[l - 1 - k]);
        double between = -sign * (t->root[k] * t->root[l - 1 - k]);
        even[0] = p * re[2 * k], even[1] = between * im[2 * k + 1], even[2] = d * re[2 * k];
        odd[0] = p * im[2 * k], odd[1] = between * re[2 * k + 1], odd[2] = d * im[2 * k];
    }
}

/* |Delta_j0| or |Delta_j1|, whichever is not 0 by parity. */
static double known_value(const armilla_rotation_degree *self, int64_t j)
{
    const armilla_rotation_tables *t = self->tables;
    const int64_t l = self->l;
    if ((l + j) % 2 == 0) return t->w[(l - j) / 2] * t->w[(l + j) / 2];
    double scale = 1 / sqrt((double)l * (double)(l + 1));
    return t->w_lower[(l - j + 1) / 2] * t->w_upper[(l + j - 1) / 2] * scale;
}

/* The same from the recurrence: last = p of step l / 2, difference from p of the step before. */
static double computed_value(const armilla_rotation_degree *self, int64_t j, double last,
                             double difference)
{
    const armilla_rotation_tables *t = self->tables;
    const int64_t l = self->l, k = l / 2, i = (l - 1) / 2;
    if (j % 2)
        return (double)j * t->root[i] * t->root[l - 1 - i] * (last - (l % 2 ? 0 : difference));
    return self->balance[k + 1] * last + difference / (t->lower[k] * t->upper[l - 1 - k]);
}

/* v_n is positive where it is tiny, and there q_k has the sign (-1)^k of p_k: the factor gives the
 * start value, which was positive, that sign. */
static void find_norms(armilla_rotation_degree *self, int64_t first, int64_t count,
                       const double *last, const double *difference)
{
    double sign = self->start[first] > 0 && self->start[first] % 2 ? -1 : 1;
    for (int64_t i = 0; i < count; i++) {
        int64_t j = first + 2 * i;
        double computed = computed_value(self, j, last[i], difference[i]);
        self->norm[j] = sign * known_value(self, j) / fabs(computed);
    }
}

static void store_group(armilla_rotation_degree *self, int64_t first, int64_t count, int64_t lanes)
{
    const int odd = (int)(first % 2);
    for (int f = 0; f < self->fields; f++) {
        const double *e = self->sums + 2 * f * lanes, *o = e + lanes;
        double *c = self->value[f] + 2 * first;
        for (int64_t i = 0; i < count; i++) {
            int64_t j = first + 2 * i;
            c[4 * i + odd] = self->norm[j] * e[i];
            c[4 * i + 1 - odd] = self->norm[j] * ((double)j * o[i]);
        }
    }
}

static int choose_form(const armilla_rotation_degree *self, int64_t first)
{
    int64_t l = self->l, end = first + 2 * group_lanes(self, first);
    if (first * low_share < l) return ARMILLA_ROTATION_LOW;
    return (l - end) * high_share < l ? ARMILLA_ROTATION_HIGH : ARMILLA_ROTATION_PLAIN;
}

/* A start at step -1 is one at step 0 with a step before it that does nothing: p = 0, and p one
 * step before, or d, such that p_0 and d_0 come out as the start value. */
static void set_start(armilla_rotation_sums *work, int64_t k)
{
    work->current = k < 0 ? 0 : start_value;
    work->previous = k < 0 ? -start_value : 0;
    if (work->form == ARMILLA_ROTATION_LOW) work->previous = start_value;
    if (work->form == ARMILLA_ROTATION_HIGH) work->previous = k < 0 ? -start_value : start_value;
}

static void fill_argument(armilla_rotation_degree *self, int form, int64_t first, int64_t count,
                          int64_t lanes)
{
    double l = (double)self->l, origin = form == ARMILLA_ROTATION_HIGH ? l * (l + 1) : 0;
    for (int64_t i = 0; i < lanes; i++) {
        double j = (double)(first + 2 * (i < count ? i : count - 1));
        self->argument[i] = j * j - origin;
    }
}

/* count orders j = first, first + 2, .. */
static void run_group(armilla_rotation_degree *self, int64_t first, int64_t count, int find)
{
    const int64_t length = self->kernels->vector_length, k = self->start[first];
    const int64_t nvec = (count + length - 1) / length, lanes = nvec * length;
    const int form = choose_form(self, first), low = form == ARMILLA_ROTATION_LOW;
    const double *terms = low ? self->low_terms[first % 2] : self->terms[first % 2];
    fill_argument(self, form, first, count, lanes);
    armilla_rotation_sums work = {
        .nvec = (int32_t)nvec,
        .fields = self->fields,
        .form = form,
        .nsteps = self->l / 2 + 1 - k,
        .argument = self->argument,
        .constant = self->constant[form] + k + 1,
        .slope = self->slope + k + 1,
        .terms = terms + (low ? 3 : 2) * self->fields * (k + 1),
    };
    set_start(&work, k);
    self->kernels->sums(&work, self->sums);
    const double *ends = self->sums + 2 * self->fields * lanes;
    if (find) find_norms(self, first, count, ends, ends + lanes);
    store_group(self, first, count, lanes);
}

void armilla_rotation_degree_exchange(armilla_rotation_degree *self, int64_t jmax, int first)
{
    if (self->l == 0) return;
    for (int parity = 0; parity < 2; parity++) {
        memset(self->terms[parity], 0, 2 * (size_t)self->fields * sizeof(double));
        memset(self->low_terms[parity], 0, 3 * (size_t)self->fields * sizeof(double));
    }
    for (int f = 0; f < self->fields; f++) {
        fill_terms(self, f);
        fill_low_terms(self, f);
    }
    for (int64_t parity = 0; parity < 2; parity++)
        for (int64_t j = parity, lanes; j <= jmax; j += 2 * lanes) {
            int64_t count = (jmax - j) / 2 + 1;
            lanes = group_lanes(self, j);
            run_group(self, j, count < lanes ? count : lanes, first);
        }
}
