/* The model of the cost chooses what is fast: between the methods, and between convolution and
 * harmonic smoothing, from the smallest maps on. */
#include "test_radial_scene.h"

#include <time.h>

/* Wrong by so much at most: the clock of a busy machine is. A choice between ways that differ by
 * less may go either way. */
static const double SLOWER = 1.8;
enum { CALLS = 7 };

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

static void check_width(radial_scene *s, double pixels, const armilla_sht *sht, double *alm)
{
    radial_case c = gaussian_case(pixels * s->pixel, 0);
    enum { PIXELS, RINGS, FASTEST, HARMONIC, WAYS };
    static const armilla_radial_method methods[] = {ARMILLA_RADIAL_PIXELS, ARMILLA_RADIAL_RINGS,
                                                    ARMILLA_RADIAL_FASTEST};
    way ways[WAYS];
    for (int i = 0; i < WAYS; i++) {
        ways[i] = (way){.sht = sht, .alm = alm, .seconds = INFINITY};
        if (i == HARMONIC) continue;
        const armilla_radial_options options = options_of(&c, ARMILLA_RADIAL_INTEGRAL, methods[i]);
        ways[i].radial = plan_of(s, &c, &options);
    }
    double fastest = INFINITY; /* of all; nobody waits for ways that are far from it */
    for (int call = 0; call < CALLS; call++)
        for (int i = 0; i < WAYS; i++) {
            if (ways[i].seconds < INFINITY && ways[i].seconds > 4 * fastest) continue;
            smooth(s, &ways[i]);
            fastest = fmin(fastest, ways[i].seconds);
        }
    const double best = fmin(ways[PIXELS].seconds, ways[RINGS].seconds);
    check_at_most(ways[FASTEST].seconds, SLOWER * best, "%s, npix = %lld: %s is slow", c.name,
                  (long long)s->npix, described(ways[FASTEST].radial).method);
    double radial, harmonic;
    check_ok(armilla_radial_compare(ways[FASTEST].radial, sht, &radial, &harmonic));
    const int chosen = radial < harmonic ? FASTEST : HARMONIC;
    check_at_most(ways[chosen].seconds,
                  SLOWER * fmin(ways[FASTEST].seconds, ways[HARMONIC].seconds),
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_chosen_is_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
