/* Checks that results do not depend on memory that nobody has written: random transforms, many of
 * them with little memory and few orders, give the same bits when new memory is filled with zeros
 * and when it is filled with NaN (base/memory.h), and the numbers of the method DIRECT with plenty
 * of memory. */
#include "test_api_random_sht.h"

#include "base/memory.h"

enum { TRIALS = 3000, KINDS = EXACT_KINDS + 1 };

/* One transform: its plan, an operator, its input. */
typedef struct {
    armilla_grid *grid;
    int64_t lmax, mmax, ntrans;
    int64_t which; /* number of the operator; the first two make maps */
    int iqu, is_float;
    armilla_sht_options options;
    void *in;
    int64_t in_size, out_size; /* numbers */
} transform;

/* --- Operators ------------------------------------------------------------------------------- */

#define RUN_OPERATOR(type, suffix)                                                                 \
    switch (c->which + 4 * c->iqu) {                                                               \
    case 0:                                                                                        \
        return armilla_sht_synthesis##suffix(plan, (const type *)c->in, out, exec);                \
    case 1:                                                                                        \
        return armilla_sht_adjoint_analysis##suffix(plan, (const type *)c->in, out, exec);         \
    case 2:                                                                                        \
        return armilla_sht_adjoint_synthesis##suffix(plan, (const type *)c->in, out, exec);        \
    case 3:                                                                                        \
        return armilla_sht_analysis##suffix(plan, (const type *)c->in, out, exec);                 \
    case 4:                                                                                        \
        return armilla_iqu_synthesis##suffix(plan, (const type *)c->in, out, exec);                \
    case 5:                                                                                        \
        return armilla_iqu_adjoint_analysis##suffix(plan, (const type *)c->in, out, exec);         \
    case 6:                                                                                        \
        return armilla_iqu_adjoint_synthesis##suffix(plan, (const type *)c->in, out, exec);        \
    default:                                                                                       \
        return armilla_iqu_analysis##suffix(plan, (const type *)c->in, out, exec);                 \
    }

static armilla_status run_double(const transform *c, const void *plan, double *out,
                                 const armilla_exec *exec)
{
    RUN_OPERATOR(double, )
}

static armilla_status run_float(const transform *c, const void *plan, float *out,
                                const armilla_exec *exec)
{
    RUN_OPERATOR(float, _float)
}

/* A fresh plan, and two calls: the second one has the memory of the first. */
static void run(const transform *c, const armilla_sht_options *options, void *out)
{
    armilla_sht *sht = NULL;
    armilla_iqu *iqu = NULL;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 1, exec.ntrans = c->ntrans;
    check_ok(c->iqu ? armilla_iqu_new(c->grid, c->lmax, c->mmax, options, &iqu)
                    : armilla_sht_new(c->grid, c->lmax, c->mmax, options, &sht));
    const void *plan = c->iqu ? (const void *)iqu : sht;
    for (int i = 0; i < 2; i++)
        check_ok(c->is_float ? run_float(c, plan, out, &exec) : run_double(c, plan, out, &exec));
    armilla_sht_free(sht);
    armilla_iqu_free(iqu);
}

/* --- Drawing --------------------------------------------------------------------------------- */

/* Anything from 1 to 100,000, small numbers as often as large ones. */
static int64_t draw_host_bytes(trial *t)
{
    int64_t most = 1;
    for (int64_t i = below(t, 6); i > 0; i--) most *= 10;
    return between(t, 1, most);
}

static int64_t draw_mmax(trial *t, int64_t lmax)
{
    return below(t, 3) ? below(t, (lmax < 3 ? lmax : 3) + 1) : below(t, lmax + 1);
}

static armilla_grid *draw_grid_for(trial *t, int64_t lmax, int64_t mmax)
{
    const int64_t kind = below(t, KINDS);
    armilla_grid *grid;
    if (kind < EXACT_KINDS)
        return exact_grid(exact_kinds[kind], lmax, mmax, below(t, 3), 2 * mmax + 1 + below(t, 120));
    check_ok(armilla_grid_new_healpix(between(t, 1, 12), &grid));
    return grid;
}

/* One of the instruction sets that the machine has. */
static const char *draw_isa(trial *t)
{
    int count = 1;
    while (armilla_isa_available(count)) count++;
    return armilla_isa_available((int)below(t, count));
}

static void draw_options(trial *t, transform *c)
{
    armilla_sht_options *o = &c->options;
    armilla_sht_options_init(o);
    o->method = (armilla_sht_method)below(t, 3);
    o->isa = draw_isa(t);
    if (below(t, 4)) o->host_bytes = draw_host_bytes(t);
    if (c->iqu) return;
    if (below(t, 2)) o->spin = below(t, (c->lmax < 4 ? c->lmax : 4) + 1);
    if (o->spin && below(t, 4) == 0) o->mode = ARMILLA_SHT_GRADIENT_ONLY;
    if (below(t, 4) == 0) o->spin_method = ARMILLA_SPIN_RECURRENCE;
}

static void draw_input(trial *t, transform *c)
{
    const int alm_ncomp = c->iqu ? 3 : c->options.spin && !c->options.mode ? 2 : 1;
    const int ncomp = c->iqu ? 3 : c->options.spin ? 2 : 1;
    const int64_t alm = 2 * c->ntrans * alm_ncomp * armilla_alm_size(c->lmax, c->mmax);
    const int64_t map = c->ntrans * ncomp * armilla_grid_npix(c->grid);
    c->in_size = c->which < 2 ? alm : map, c->out_size = c->which < 2 ? map : alm;
    double *numbers = checked_malloc(c->in_size, sizeof *numbers);
    random_fill(t->state, c->in_size, numbers);
    c->in = numbers;
    if (!c->is_float) return;
    c->in = checked_malloc(c->in_size, sizeof(float));
    to_float(c->in_size, numbers, c->in);
    free(numbers);
}

static transform draw_transform(trial *t)
{
    transform c = {.which = below(t, 4), .is_float = below(t, 4) == 0, .iqu = below(t, 5) == 0};
    c.lmax = between(t, c.iqu ? 2 : 0, below(t, 8) ? 30 : 90);
    c.mmax = draw_mmax(t, c.lmax);
    c.ntrans = below(t, 3) ? 1 : between(t, 2, 11);
    c.grid = draw_grid_for(t, c.lmax, c.mmax);
    draw_options(t, &c);
    draw_input(t, &c);
    return c;
}

/* --- Checks ---------------------------------------------------------------------------------- */

static double number(const transform *c, const void *values, int64_t i)
{
    return c->is_float ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

static void fail_case(const trial *t, const transform *c, const char *what, int64_t i)
{
    const armilla_sht_options *o = &c->options;
    fail_msg("trial %lld: %s at number %lld of the result of operator %d; %s, %d rings, lmax %d, "
             "mmax %d, spin %d, mode %d, IQU %d, method %d, %s, host_bytes %lld, ntrans %d, float "
             "%d",
             (long long)t->number, what, (long long)i, (int)c->which,
             armilla_grid_kind_name(armilla_grid_get_kind(c->grid)),
             (int)armilla_grid_nrings(c->grid), (int)c->lmax, (int)c->mmax, (int)o->spin,
             (int)o->mode, c->iqu, (int)o->method, o->isa, (long long)o->host_bytes, (int)c->ntrans,
             c->is_float);
}

static void check_numbers(const trial *t, const transform *c, const void *values,
                          const void *expected)
{
    double error = 0, largest = 0;
    int64_t worst = 0;
    for (int64_t i = 0; i < c->out_size; i++) {
        const double e = fabs(number(c, values, i) - number(c, expected, i));
        largest = larger_or_nan(largest, fabs(number(c, expected, i)));
        if (!(e <= error)) error = e, worst = i;
    }
    if (!(error <= (c->is_float ? 2e-6 : 1e-12) * largest))
        fail_case(t, c, "not the number of DIRECT", worst);
}

static void check_transform(trial *t)
{
    armilla_memory_poison(ARMILLA_POISON_NAN); /* of the grid */
    transform c = draw_transform(t);
    const size_t bytes = (size_t)c.out_size * (c.is_float ? sizeof(float) : sizeof(double));
    unsigned char *result[3];
    armilla_sht_options plenty = c.options;
    plenty.method = ARMILLA_SHT_DIRECT, plenty.host_bytes = 0;
    for (int i = 0; i < 3; i++) {
        result[i] = checked_calloc((int64_t)bytes, 1);
        armilla_memory_poison(i == 1 ? ARMILLA_POISON_NAN : ARMILLA_POISON_ZEROS);
        run(&c, i == 2 ? &plenty : &c.options, result[i]);
    }
    for (size_t i = 0; i < bytes; i++)
        if (result[0][i] != result[1][i])
            fail_case(t, &c, "memory that nobody wrote",
                      (int64_t)i / (c.is_float ? (int64_t)sizeof(float) : (int64_t)sizeof(double)));
    check_numbers(t, &c, result[0], result[2]);
    for (int i = 0; i < 3; i++) free(result[i]);
    free(c.in);
    armilla_grid_free(c.grid);
}

static void transforms_do_not_read_what_nobody_wrote(void **state)
{
    (void)state;
    const armilla_poison before = armilla_memory_poison(ARMILLA_POISON_ZEROS);
    try_often(check_transform, TRIALS);
    armilla_memory_poison(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transforms_do_not_read_what_nobody_wrote),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (failed) print_message("last trial %lld\n", (long long)last_trial);
    return failed;
}
