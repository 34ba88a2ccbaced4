/* Checks two-point functions of spectra: Legendre polynomials, functions of spins by their sums,
 * mirror images, means over bins, the adjoint, and wrong input. */
#include "unit/test_coupling_support.h"

enum { ANGLES = 7 };

static const double theta[ANGLES] = {0, 1e-9, 0.3, M_PI_2, 1.9, 3.1, M_PI};

static armilla_correlation problem_of(int64_t lmax, const int64_t spin[2])
{
    armilla_correlation p;
    armilla_correlation_init(&p);
    p.lmax = lmax, p.spin1 = spin[0], p.spin2 = spin[1];
    p.ntheta = ANGLES, p.theta = theta;
    return p;
}

static int64_t ncl_of(const armilla_correlation *p)
{
    return p->spin1 && p->spin2 ? 4 : p->spin1 || p->spin2 ? 2 : 1;
}

/* d^l_ms of the sign that is above 0 near the pole, by its sum over powers. */
static long double wigner(int l, int m, int s, double at)
{
    const long double c = cosl(0.5L * (long double)at), sine = sinl(0.5L * (long double)at);
    long double sum = 0;
    for (int k = 0; k <= 2 * l; k++) {
        const int parts[] = {l + m - k, l - s - k, k - m + s, k};
        if (parts[0] < 0 || parts[1] < 0 || parts[2] < 0) continue;
        const long double term = expl(0.5L * (lgammal(l + m + 1) + lgammal(l - m + 1) +
                                              lgammal(l + s + 1) + lgammal(l - s + 1)) -
                                      lgammal(parts[0] + 1) - lgammal(parts[1] + 1) -
                                      lgammal(parts[2] + 1) - lgammal(parts[3] + 1)) *
                                 powl(c, 2 * l + m - s - 2 * k) * powl(sine, 2 * k - m + s);
        sum += k % 2 ? -term : term;
    }
    return m > s && (m - s) % 2 ? -sum : sum;
}

static void functions_are_those_of_their_sums(void **state)
{
    (void)state;
    enum { L = 9 };
    for (int s = 0; s < SPINS; s++) {
        const armilla_correlation p = problem_of(L, spins[s]);
        const int64_t ncl = ncl_of(&p);
        double *cl = new_random(ncl * (L + 1), 3), xi[4 * ANGLES];
        check_ok(armilla_correlation_from_cl(&p, cl, xi));
        for (int i = 0; i < ANGLES; i++) {
            long double want[4] = {0};
            for (int l = (int)(p.spin1 > p.spin2 ? p.spin1 : p.spin2); l <= L; l++) {
                const double *c = cl + l;
                const double ee = c[0], eb = ncl > 1 ? c[L + 1] : 0,
                             be = ncl > 3 ? c[2 * (L + 1)] : 0;
                const double bb = ncl > 3 ? c[3 * (L + 1)] : 0;
                const long double n = (2 * l + 1) / (4 * acosl(-1));
                const long double d = n * wigner(l, (int)p.spin1, (int)p.spin2, theta[i]);
                const long double other = n * wigner(l, (int)p.spin1, -(int)p.spin2, theta[i]);
                if (ncl < 4)
                    want[0] += d * ee, want[1] += d * eb;
                else
                    want[0] += d * (ee + bb), want[1] += other * (ee - bb),
                        want[2] += d * (eb - be), want[3] += other * (eb + be);
            }
            for (int64_t c = 0; c < ncl; c++)
                if (!(fabs(xi[c * ANGLES + i] - (double)want[c]) < 1e-13))
                    fail_msg("spins %d %d, angle %d, function %d: %.15g, expected %.15Lg",
                             (int)p.spin1, (int)p.spin2, i, (int)c, xi[c * ANGLES + i], want[c]);
        }
        free(cl);
    }
}

/* The float above pi is the south pole, and an edge of bins there as well. */
static void the_float_pi_is_the_pole(void **state)
{
    (void)state;
    enum { L = 40 };
    const double pole[] = {2, (double)(float)M_PI}, exact[] = {2, M_PI};
    const double twice[] = {2, M_PI, (double)(float)M_PI};
    for (int s = 0; s < SPINS; s++)
        for (int bins = 0; bins < 2; bins++) {
            armilla_correlation p = problem_of(L, spins[s]);
            const int64_t ncl = ncl_of(&p), n = bins ? 1 : 2;
            double *cl = new_random(ncl * (L + 1), 3), made[2][8];
            p.ntheta = n, p.bins = bins;
            for (int i = 0; i < 2; i++) {
                p.theta = i ? exact : pole;
                check_ok(armilla_correlation_from_cl(&p, cl, made[i]));
            }
            assert_memory_equal(made[0], made[1], 8 * (size_t)(ncl * n));
            p.ntheta = 2, p.theta = twice, p.bins = 1;
            check_refused(armilla_correlation_from_cl(&p, cl, made[0]),
                          "theta[2] = 3.14159: edges");
            free(cl);
        }
}

/* Bins are integrals over them: of P_l by (P_(l+1) - P_(l-1)) / (2l+1) at both edges, and of other
 * functions the sum over all bins of the sphere is that over finer ones. */
static void bins_are_integrals(void **state)
{
    (void)state;
    enum { L = 700, BINS = 5, FINE = 400 };
    const double edges[BINS + 1] = {0, 1e-3, 0.02, 0.5, 3, M_PI};
    double fine[FINE + 1], xi[BINS], parts[4 * FINE], whole[4];
    armilla_correlation p = problem_of(L, spins[0]);
    p.ntheta = BINS, p.theta = edges, p.bins = 1;
    double *cl = checked_calloc(4 * (L + 1), 8), *other = checked_calloc(L + 2, 8), at[2];
    for (int64_t l = 1; l < L; l += 37) {
        cl[l] = 1;
        check_ok(armilla_correlation_from_cl(&p, cl, xi));
        cl[l] = 0;
        for (int b = 0; b < BINS; b++) {
            armilla_correlation q = problem_of(L + 1, spins[0]);
            q.ntheta = 2, q.theta = edges + b;
            other[l - 1] = -1 / (2 * (double)l - 1), other[l + 1] = 1 / (2 * (double)l + 3);
            check_ok(armilla_correlation_from_cl(&q, other, at));
            other[l - 1] = other[l + 1] = 0;
            const double want = (at[0] - at[1]) / (cos(edges[b]) - cos(edges[b + 1]));
            const double lost = b == 0 ? 5e-9 : 1e-11; /* digits of the expected number */
            assert_true(fabs(xi[b] - want) < 1e-12 * (double)l + lost * fabs(want));
        }
    }
    for (int i = 0; i <= FINE; i++) fine[i] = M_PI * i / FINE;
    for (int64_t l = 0; l < 4 * (L + 1); l++) cl[l] = sin((double)l) / (1 + (double)(l % (L + 1)));
    armilla_correlation q = problem_of(L, spins[4]);
    q.bins = 1, q.ntheta = FINE, q.theta = fine;
    check_ok(armilla_correlation_from_cl(&q, cl, parts));
    const double all[2] = {0, M_PI};
    q.ntheta = 1, q.theta = all;
    check_ok(armilla_correlation_from_cl(&q, cl, whole));
    for (int c = 0; c < 4; c++) {
        double sum = 0;
        for (int i = 0; i < FINE; i++)
            sum += 0.5 * (cos(fine[i]) - cos(fine[i + 1])) * parts[c * FINE + i];
        assert_true(fabs(sum - whole[c]) < 1e-12);
    }
    free(cl), free(other);
}

static void adjoints_of_correlations_are_transposes(void **state)
{
    (void)state;
    enum { L = 200, N = 300 };
    double *at = checked_malloc(N + 1, 8);
    for (int i = 0; i <= N; i++) at[i] = M_PI * i / N;
    for (int s = 0; s < SPINS; s++)
        for (int bins = 0; bins < 2; bins++) {
            armilla_correlation p = problem_of(L, spins[s]);
            p.ntheta = N, p.theta = at, p.bins = bins;
            const int64_t ncl = ncl_of(&p), size = ncl * (L + 1);
            double *cl = new_random(size, 1), *back[2] = {new_random(size, 2), new_random(size, 3)};
            double *xi = new_random(ncl * N, 4),
                   *made[2] = {new_random(ncl * N, 5), new_random(ncl * N, 6)};
            for (int i = 0; i < 2; i++) {
                p.nthreads = i ? 3 : 1;
                check_ok(armilla_correlation_from_cl(&p, cl, made[i]));
                check_ok(armilla_correlation_adjoint(&p, xi, back[i]));
            }
            assert_memory_equal(made[0], made[1], 8 * (size_t)(ncl * N));
            assert_memory_equal(back[0], back[1], 8 * (size_t)size);
            assert_true(fabs(dot(made[0], xi, ncl * N) - dot(back[0], cl, size)) <
                        1e-13 * sqrt(dot(made[0], made[0], ncl * N) * dot(xi, xi, ncl * N)));
            free(cl), free(xi), free(back[0]), free(back[1]), free(made[0]), free(made[1]);
        }
    free(at);
}

static void wrong_correlations_are_named(void **state)
{
    (void)state;
    const double turned[] = {0.1, 0.3, 0.2}, far[] = {0.1, 4, 5};
    double cl[4] = {1, 2, 3, (double)NAN}, xi[ANGLES];
    armilla_correlation p = problem_of(3, spins[0]);
    check_refused(armilla_correlation_from_cl(&p, cl, xi), "cl: spectrum 0 at l = 3 is nan");
    check_refused(armilla_correlation_from_cl(NULL, cl, xi), "problem");
    p.spin2 = 4;
    check_refused(armilla_correlation_from_cl(&p, cl, xi), "problem->spin2 = 4");
    p.spin2 = 0, p.theta = turned, p.ntheta = 2, p.bins = 1;
    check_refused(armilla_correlation_from_cl(&p, cl, xi), "problem->theta[2] = 0.2: edges");
    p.theta = far;
    check_refused(armilla_correlation_from_cl(&p, cl, xi),
                  "problem->theta[1] = 4: must be in 0 .. pi");
    p.ntheta = 0;
    check_refused(armilla_correlation_adjoint(&p, xi, cl), "problem->ntheta = 0");
    p.ntheta = 1, p.bins = 0, xi[0] = (double)INFINITY;
    check_refused(armilla_correlation_adjoint(&p, xi, cl), "xi[0] = inf");
    armilla_status status = ARMILLA_ERROR_MEMORY;
    int failed = 0;
    for (cl[3] = 0; status == ARMILLA_ERROR_MEMORY; failed++) {
        armilla_memory_fail_after(failed);
        status = armilla_correlation_from_cl(&p, cl, xi);
        if (!status) status = armilla_correlation_adjoint(&p, xi, cl);
        armilla_memory_fail_after(-1);
    }
    check_ok(status);
    assert_true(failed > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_those_of_their_sums),
        cmocka_unit_test(the_float_pi_is_the_pole),
        cmocka_unit_test(bins_are_integrals),
        cmocka_unit_test(adjoints_of_correlations_are_transposes),
        cmocka_unit_test(wrong_correlations_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
