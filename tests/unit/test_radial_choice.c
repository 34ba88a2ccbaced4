/* The model of the cost chooses what is fast: between the methods, and between convolution and
 * harmonic smoothing, from the smallest maps on. */
#include "test_radial_scene.h"

#include <time.h>

/* Wrong by so much at most: prices are those of other machines, too. A choice between ways that
 * differ by less may go either way. */
static const double SLOWER = 2;
enum { CALLS = 7, ROUNDS = 8 }; /* the fastest call of a busy machine takes more of them */

static double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A way to smooth the scene's map: by a plan, or else by coefficients. */
typedef struct {
    armilla_radial *radial;
    const armilla_sht *sht;
    double *alm;
    double seconds; /* of the fastest call */
} way;

static void smooth(radial_scene *s, way *w)
{
    const armilla_exec exec = one_thread();
    const double start = seconds_now();
    if (w->radial)
        check_ok(armilla_radial_convolve(w->radial, s->map, s->out, &exec));
    else {
        check_ok(armilla_sht_adjoint_synthesis(w->sht, s->map, w->alm, &exec));
        check_ok(armilla_sht_synthesis(w->sht, w->alm, s->out, &exec));
    }
    w->seconds = fmin(w->seconds, seconds_now() - start);
}

enum { PIXELS, RINGS, FASTEST, HARMONIC, WAYS };

/* Calls each way in turns. Nobody waits for ways that are far from the fastest, but the two that
 * are to be fast are always called again: one call may have been slow by chance. */
static void run_round(radial_scene *s, way ways[WAYS], int chosen)
{
    double fastest = INFINITY; /* of all */
    for (int i = 0; i < WAYS; i++) fastest = fmin(fastest, ways[i].seconds);
    for (int call = 0; call < CALLS; call++)
        for (int i = 0; i < WAYS; i++) {
            const int judged = i == FASTEST || i == chosen;
            if (!judged && ways[i].seconds < INFINITY && ways[i].seconds > 4 * fastest) continue;
            smooth(s, &ways[i]);
            fastest = fmin(fastest, ways[i].seconds);
        }
}

/* What the chosen method takes of what it may take. */
static double method_share(const way ways[WAYS])
{
    return ways[FASTEST].seconds / (SLOWER * fmin(ways[PIXELS].seconds, ways[RINGS].seconds));
}

static double way_share(const way ways[WAYS], int chosen)
{
    return ways[chosen].seconds / (SLOWER * fmin(ways[FASTEST].seconds, ways[HARMONIC].seconds));
}

static void check_width(radial_scene *s, double pixels, const armilla_sht *sht, double *alm)
{
    radial_case c = gaussian_case(pixels * s->pixel, 0);
    static const armilla_radial_method methods[] = {ARMILLA_RADIAL_PIXELS, ARMILLA_RADIAL_RINGS,
                                                    ARMILLA_RADIAL_FASTEST};
    way ways[WAYS];
    for (int i = 0; i < WAYS; i++) {
        ways[i] = (way){.sht = sht, .alm = alm, .seconds = INFINITY};
        if (i == HARMONIC) continue;
        const armilla_radial_options options = options_of(&c, ARMILLA_RADIAL_INTEGRAL, methods[i]);
        ways[i].radial = plan_of(s, &c, &options);
    }
    double radial, harmonic;
    check_ok(armilla_radial_compare(ways[FASTEST].radial, sht, &radial, &harmonic));
    const int chosen = radial < harmonic ? FASTEST : HARMONIC;
    for (int round = 0; round < ROUNDS; round++) {
        run_round(s, ways, chosen);
        if (method_share(ways) <= 1 && way_share(ways, chosen) <= 1) break;
    }
    check_at_most(method_share(ways), 1, "%s, npix = %lld: %s is slow", c.name, (long long)s->npix,
                  described(ways[FASTEST].radial).method);
    check_at_most(way_share(ways, chosen), 1,
                  "%s, npix = %lld: %s smoothing is slow (%.3g s for %.3g by the model)", c.name,
                  (long long)s->npix, chosen == HARMONIC ? "harmonic" : "radial", radial, harmonic);
    for (int i = 0; i < HARMONIC; i++) armilla_radial_free(ways[i].radial);
    close_case(&c);
}

static void what_is_chosen_is_fast(void **state)
{
    (void)state;
    static const double widths[] = {1.5, 2, 2.7, 5, 12, 40};
    if (checks_quick()) skip(); /* times of other builds are not those of the model */
    for (int64_t nside = 32; nside <= 256; nside *= 2) {
        radial_scene s = healpix_scene(nside);
        const int64_t lmax = 2 * nside;
        armilla_sht *sht;
        check_ok(armilla_sht_new(s.grid, lmax, lmax, NULL, &sht));
        double *alm = checked_calloc((lmax + 1) * (lmax + 2), sizeof *alm);
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
            if (nside < 128 || widths[i] <= 5) check_width(&s, widths[i], sht, alm);
        free(alm);
        armilla_sht_free(sht);
        close_scene(&s);
    }
}

/* Seconds of a support by the model. */
static double model_seconds(const radial_scene *s, const armilla_kernel *kernel, double support,
                            armilla_radial_method method, const armilla_sht *sht)
{
    armilla_radial *radial;
    armilla_radial_options options;
    double seconds, harmonic;
    armilla_radial_options_init(&options);
    options.support = support, options.method = method;
    check_ok(armilla_radial_new(s->grid, kernel, &options, &radial));
    check_ok(armilla_radial_compare(radial, sht, &seconds, &harmonic));
    armilla_radial_free(radial);
    return seconds;
}

/* Also where both methods together would gain little over the better one. */
static void what_is_chosen_is_cheapest_by_the_model(void **state)
{
    (void)state;
    radial_scene s = healpix_scene(64);
    armilla_sht *sht;
    check_ok(armilla_sht_new(s.grid, 2, 2, NULL, &sht));
    for (int pixels = 16; pixels <= 64; pixels++) {
        const double support = pixels * s.pixel / 4;
        armilla_kernel *kernel;
        check_ok(armilla_kernel_new_gaussian(support / 3.67, &kernel));
        const double chosen = model_seconds(&s, kernel, support, ARMILLA_RADIAL_FASTEST, sht);
        for (int method = ARMILLA_RADIAL_PIXELS; method <= ARMILLA_RADIAL_RINGS; method++) {
            const double one =
                model_seconds(&s, kernel, support, (armilla_radial_method)method, sht);
            check_at_most(chosen / one, 1.0001, "support %g pixels, method %d", pixels / 4.0,
                          method);
        }
        armilla_kernel_free(kernel);
    }
    armilla_sht_free(sht);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_chosen_is_cheapest_by_the_model),
        cmocka_unit_test(what_is_chosen_is_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
