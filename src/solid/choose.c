/* Chooses shells for points of many radii. With u = log r in a shell of width h and x = 2 (u -
 * middle) / h, a degree varies as exp(eta x), eta = n h / 2, n = l + 1 outside and l inside.
 * Interpolation between K Chebyshev points errs, relative to its largest value exp(eta), by at most
 *
 *     B(K, eta) = 4 exp(-eta) sum over k >= K of I_k(eta)
 *              <= 4 (eta / 2)^K / K! exp(eta^2 / (4 (K + 1)) - eta) / (1 - eta / (2 (K + 1)))
 *
 * (docs/mathematics.md 13.5). Of epsilon a quarter goes to degrees that are left out, half to the
 * interpolation, both rms over the sphere where the shell's field is largest, and a quarter to the
 * transforms on the spheres, whose errors add up to Lebesgue's constant at most. */
#include "solid/choose.h"

#include "base/memory.h"

#include <math.h>

enum { MOST_NODES = 256, LEAST_POINTS = 500, LEAST_LMAX = 2 };

static const double least_epsilon = 1e-13, epsilon_of_degree = 2e-16;
static const double least_log_r = -230; /* of r / radius = 1e-100: r^2 V_rr is a double there */

/* --- Errors ----------------------------------------------------------------------------------- */

double armilla_solid_points_epsilon(double epsilon, int64_t nodes)
{
    return epsilon / (4 * (1 + 2 / M_PI * log((double)nodes)));
}

/* The logarithm of n!, since lgamma writes a variable that all threads share. */
static double log_factorial(int64_t n)
{
    double sum = 0;
    for (int64_t k = 2; k <= n; k++) sum += log((double)k);
    return sum;
}

static double bound_of(double nodes, double log_factorial_of_nodes, double eta)
{
    const double rest = 1 - eta / (2 * (nodes + 1));
    if (eta == 0) return 0;
    if (rest < 0.05) return 4;
    const double power = nodes * log(eta / 2) - log_factorial_of_nodes;
    return fmin(4, 4 * exp(power + eta * eta / (4 * (nodes + 1)) - eta) / rest);
}

static double exponent(const armilla_solid_problem *p, int64_t l)
{
    return (double)(p->interior ? l : l + 1);
}

/* |derivative|^2 over |V|^2, rms over the sphere r = 1: derivatives are solid harmonics of the next
 * degree. */
static double growth(const armilla_solid_problem *p, int64_t l, int64_t derivatives)
{
    const double n = (double)l;
    const double first = p->interior ? n * (2 * n + 1) : (n + 1) * (2 * n + 1);
    const double second = p->interior ? (n - 1) * (2 * n - 1) : (n + 2) * (2 * n + 3);
    return derivatives == 0 ? 1 : derivatives == 1 ? first : first * second;
}

/* Adds to share[l] what degree l is of V or of its derivatives where log s = s, if it is more. */
static void add_share(const armilla_solid_problem *p, const double *log_power, int64_t derivatives,
                      double s, double *share)
{
    double most = -INFINITY, sum = 0;
    for (int turn = 0; turn < 3; turn++)
        for (int64_t l = 1; l <= p->lmax; l++) {
            const double size =
                log_power[l] + log(growth(p, l, derivatives)) + 2 * exponent(p, l) * s;
            if (size == -INFINITY) continue;
            if (turn == 0) most = fmax(most, size);
            if (turn == 1) sum += exp(size - most);
            if (turn == 2) share[l] = fmax(share[l], exp(size - most) / sum);
        }
}

static void find_shares(const armilla_solid_problem *p, double s, double *share)
{
    for (int64_t l = 0; l <= p->lmax; l++) share[l] = 0;
    for (int64_t t = 0; t < p->ntrans; t++)
        for (int64_t d = 0; d <= p->derivatives; d++)
            add_share(p, p->log_power + t * (p->lmax + 1), d, s, share);
}

static int64_t find_lmax(const armilla_solid_problem *p, const double *share)
{
    const double most = p->epsilon * p->epsilon / 16;
    double rest = 0;
    for (int64_t l = p->lmax; l > LEAST_LMAX; l--) {
        rest += share[l];
        if (rest > most) return l;
    }
    return LEAST_LMAX;
}

static int enough(const armilla_solid_problem *p, const double *share, int64_t lmax, double half,
                  int64_t nodes)
{
    const double factorial = log_factorial(nodes);
    double sum = 0;
    for (int64_t l = 1; l <= lmax && l <= p->lmax; l++) {
        const double bound = bound_of((double)nodes, factorial, exponent(p, l) * half);
        sum += share[l] * bound * bound;
    }
    return sum <= p->epsilon * p->epsilon / 4;
}

/* 0: too many. */
static int64_t find_nodes(const armilla_solid_problem *p, const double *share, int64_t lmax,
                          double half)
{
    int64_t low = 0, high = MOST_NODES;
    if (!enough(p, share, lmax, half, high)) return 0;
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2;
        if (enough(p, share, lmax, half, middle))
            high = middle;
        else
            low = middle;
    }
    const double epsilon = armilla_solid_points_epsilon(p->epsilon, high);
    return epsilon >= fmax(least_epsilon, epsilon_of_degree * (double)(lmax + 10)) ? high : 0;
}

/* --- Times ------------------------------------------------------------------------------------
 * Measured on one core of an EPYC: direct sums of gradients at degree 360 take 10.7 us with
 * AVX-512, 23 with AVX2; a transform 17 ns (degree)^2 and some 20 ns a point, degrees 120 to 1000.
 */

static double terms(int64_t lmax, int64_t mmax)
{
    return ((double)lmax + 1) * ((double)mmax + 1) - 0.5 * (double)mmax * ((double)mmax + 1);
}

static double direct_time(const armilla_solid_problem *p, double count)
{
    static const double fields[] = {1, 4, 9}, operations[] = {5, 9.5, 21};
    const double all = terms(p->lmax, p->mmax), order = 1.3 * fields[p->derivatives];
    const double lanes = pow(8.0 / p->vector_length, p->derivatives ? 1.1 : 1.3);
    const double point = 0.0155 * operations[p->derivatives] * all + order * ((double)p->mmax + 1);
    return lanes * point * count + 30 * fields[p->derivatives] * all;
}

/* A plan of points for each spin; each node a transform of each component, and its sum. */
static double shell_time(const armilla_solid_problem *p, const armilla_solid_shell *shell)
{
    static const double components[] = {1, 4, 9};
    const double degrees = (double)shell->lmax, count = (double)shell->count;
    const double plan = 1e6 + 5 * degrees * degrees + 15 * count;
    const double node = 17 * degrees * degrees + 22 * count + 5e4;
    return (double)(p->derivatives + 1) * plan +
           (double)shell->nodes * components[p->derivatives] * node;
}

/* --- Shells ----------------------------------------------------------------------------------- */

/* The cheaper way of a shell. Returned: its time; infinity where it cannot be. */
static double settle(const armilla_solid_problem *p, double *share, armilla_solid_shell *shell)
{
    const double direct =
        p->way == ARMILLA_SOLID_SHELLS ? INFINITY : direct_time(p, (double)shell->count);
    shell->nodes = 0, shell->lmax = p->lmax;
    if (p->way == ARMILLA_SOLID_DIRECT || shell->low < least_log_r) return direct;
    find_shares(p, p->interior ? shell->high : -shell->low, share);
    armilla_solid_shell other = *shell;
    other.lmax = find_lmax(p, share);
    other.nodes = find_nodes(p, share, other.lmax, 0.5 * (shell->high - shell->low));
    const double time = other.nodes ? shell_time(p, &other) : INFINITY;
    if (!(time < direct)) return direct;
    *shell = other;
    return time;
}

static int64_t first_above(const double *log_r, int64_t first, int64_t count, double bound)
{
    while (first < count) {
        const int64_t middle = first + (count - first) / 2;
        if (log_r[middle] < bound)
            first = middle + 1;
        else
            count = middle;
    }
    return first;
}

/* Points so near the centre that they are summed, and the others in `parts` shells of equal width
 * in log r. */
static void divide(const armilla_solid_problem *p, int64_t parts, double *share,
                   armilla_solid_choice *choice)
{
    const int64_t centre = first_above(p->log_r, 0, p->npoints, least_log_r);
    const double low = centre < p->npoints ? p->log_r[centre] : 0;
    const double high = p->log_r[p->npoints - 1];
    choice->count = 0, choice->time = 0;
    for (int64_t i = -1, first = 0; i < parts; i++) {
        const double to = low + (high - low) * (double)(i + 1) / (double)parts;
        const int64_t next = i < 0            ? centre
                             : i + 1 == parts ? p->npoints
                                              : first_above(p->log_r, first, p->npoints, to);
        if (next == first) continue;
        armilla_solid_shell *shell = &choice->shell[choice->count++];
        *shell = (armilla_solid_shell){.first = first,
                                       .count = next - first,
                                       .low = p->log_r[first],
                                       .high = p->log_r[next - 1]};
        choice->time += settle(p, share, shell);
        first = next;
    }
}

static armilla_status refuse(const armilla_solid_problem *p)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "options->epsilon = %g: cannot be reached by shells at these points; use "
                        "way AUTO or DIRECT",
                        p->epsilon);
}

armilla_status armilla_solid_choose(const armilla_solid_problem *p, armilla_solid_choice *choice)
{
    armilla_solid_choice other;
    double *share;
    const armilla_status status = armilla_allocate(&share, p->lmax + 1, sizeof *share);
    if (status) return status;
    divide(p, 1, share, choice);
    for (int64_t parts = 2; parts < ARMILLA_SOLID_MOST_SHELLS; parts *= 2) {
        if (p->way == ARMILLA_SOLID_DIRECT || parts * LEAST_POINTS > p->npoints) break;
        divide(p, parts, share, &other);
        if (other.time < choice->time) *choice = other;
    }
    armilla_release(share);
    choice->direct_time = direct_time(p, (double)p->npoints);
    return choice->time < INFINITY ? ARMILLA_OK : refuse(p);
}
