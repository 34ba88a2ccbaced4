/* Chooses the cheapest sampling of the sphere that is accurate enough for given points: how many
 * rings, over the whole sphere or a zone of it, how many samples of a ring, and how wide a window.
 * Costs are in nanoseconds of one core with AVX-512, or of a GPU, of each component: Legendre
 * functions, the transforms of columns and rings, and points. */
#include "points/sampling.h"

#include "base/polar_limit.h"
#include "fft/fft.h"
#include "fft/lane_fft_plan.h"
#include "legendre/legendre.h"
#include "theta/choose.h"

#include <math.h>

static const long double PI = 3.14159265358979323846264338327950288L;

static const double LEAST_EPSILON = 1e-13;

enum { LEAST_RINGS = 32 }; /* so that a window sees no more than one pole, and no ring twice */

/* --- Lengths ---------------------------------------------------------------------------------- */

/* What windows may err, for a degree that has all power, at the place where they err most, rms over
 * fields. Points all at one place see one field: of fields with power at all degrees one in some
 * 10000 has there four times the rms error, which is less than this one. Points all over the sky
 * have errors of all places, of which the rms is no more than half of the largest. Where degrees
 * are few, all points see the same ones. */
static double share_of_windows(const armilla_sampling_problem *p)
{
    return p->extent.spread && p->lmax >= 20 ? 1.5 : 0.4;
}

static double error_of_windows(const armilla_sampling_problem *p)
{
    return share_of_windows(p) * p->epsilon;
}

double armilla_sampling_epsilon(const armilla_sampling_problem *p, int taps, double upsampling)
{
    return fmax(LEAST_EPSILON, armilla_window_error(taps, upsampling) / share_of_windows(p));
}

/* The least oversampling at which windows of so many taps are good enough, or the one that was
 * asked for; 0: none is, or other taps were asked for. */
static double least_sigma(const armilla_sampling_problem *p, int taps)
{
    const double error = error_of_windows(p);
    if (p->taps && taps != p->taps) return 0;
    if (p->upsampling) return p->upsampling;
    if (armilla_window_error(taps, ARMILLA_WINDOW_SIGMA) > error) return 0;
    double low = ARMILLA_WINDOW_LEAST_SIGMA, high = ARMILLA_WINDOW_SIGMA;
    for (int i = 0; i < 40; i++) {
        const double middle = (low + high) / 2;
        if (armilla_window_error(taps, middle) > error)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Half of a circle of columns: the cheapest of the next possible lengths. cuFFT likes those without
 * large prime factors. */
static int64_t choose_rings(const armilla_sampling_problem *p, int64_t least)
{
    if (p->on_device)
        return 2 * armilla_fft_smooth_length((least < LEAST_RINGS ? LEAST_RINGS : least + 1) / 2);
    double best_cost = INFINITY;
    int64_t best = 0;
    for (int64_t n = least; n <= least + least / 16 || !best; n++) {
        if (n % 2 || n < LEAST_RINGS || !armilla_lane_fft_possible(n)) continue;
        const double cost =
            (armilla_lane_fft_collides(n) ? 2 : 1) * armilla_lane_fft_cost(n) + 40 * (double)n;
        if (cost < best_cost) best = n, best_cost = cost;
    }
    return best;
}

static int64_t choose_nphi(int64_t mmax, double sigma)
{
    const int64_t half = (int64_t)ceil(sigma * (double)(mmax + 1));
    return 2 * armilla_fft_smooth_length(half < 16 ? 16 : half);
}

static int64_t even_above(double x)
{
    return 2 * (int64_t)ceil(0.5 * x);
}

/* --- Orders ----------------------------------------------------------------------------------- */

/* What orders are left out may be of the values: 1e-3 epsilon, but no less than where the Legendre
 * stage itself begins. */
static int64_t choose_mmax(const armilla_sampling_problem *p)
{
    const double decay = fmin(log(1 / p->epsilon) + 7, ARMILLA_POLAR_DECAY);
    const int64_t spin = p->spin < 0 ? -p->spin : p->spin;
    const int64_t limit =
        armilla_polar_limit_of_decay(p->lmax, M_PI_2 - p->extent.from_equator, decay) + spin;
    return limit < p->mmax ? limit : p->mmax;
}

/* --- Costs ------------------------------------------------------------------------------------ */

/* A near ring's sums over degrees, on average over the zone. */
static double degrees_of_ring(const armilla_sampling_problem *p, const armilla_sampling *s)
{
    enum { STEPS = 24 };
    const double lmax = (double)p->lmax;
    double sum = 0;
    for (int i = 0; i < STEPS; i++) {
        const double ring = (double)s->first + (double)s->nrings * (i + 0.5) / STEPS;
        const double sine = sin(M_PI * ring / (double)s->whole);
        const double top = fmin((double)s->mmax, lmax * sine);
        sum += lmax * (top + 1) - 0.5 * top * top / sine;
    }
    return sum / STEPS;
}

/* Do near rings mirror each other at the equator? Then two share their Legendre functions. */
static int is_mirrored(const armilla_sampling *s)
{
    return 2 * s->first + s->nrings == s->whole;
}

/* Rings in whose band of the sky points are, with those that their windows see. */
static double used_rings(const armilla_sampling_problem *p, const armilla_sampling *s)
{
    const double height = (p->extent.south - p->extent.north) / M_PI;
    return fmin((double)s->nrings, height * (double)s->whole + s->taps + 20);
}

double armilla_sampling_cost_of_rings(const armilla_sampling *s, int vector_length, double nrings)
{
    const double wider = 8.0 / vector_length, nphi = (double)s->nphi;
    return 0.25 * nrings * nphi * log2(nphi) * (wider < 2 ? 1 : wider / 2);
}

double armilla_sampling_cost_of_points(const armilla_sampling *s, int vector_length, double npoints)
{
    const double vectors = (s->taps + vector_length - 1) / vector_length;
    return npoints * (6 + vectors * (6 + 0.5 * s->taps));
}

/* Functions of spin s as times scalar ones: by their own recurrence, or by sums through s ladders.
 */
static double price_of_spin(const armilla_sampling_problem *p)
{
    const double spin = fabs((double)p->spin);
    if (!armilla_legendre_sums_scalars(p->spin, p->lmax, p->on_device)) return 2.5;
    return spin <= 3 ? 1 : 1 + 0.04 * (spin - 3);
}

/* An H100, with the ceilings of tools/gpu_model.py, which reads these numbers; none of the times
 * has been measured. Legendre functions are bound by arithmetic; a number of a circle is read and
 * written by cuFFT and by a kernel on either side of it, and so is one of a ring, whose samples are
 * read and written once more; half a warp has a point, whose taps and sums take a cycle of shared
 * memory each. */
static const struct {
    double degree, circle, sample, point, tap;
} device_price = {.degree = 1.9e-4, .circle = 0.043, .sample = 0.016, .point = 0.06, .tap = 0.0086};

static double fixed_cost_of_device(const armilla_sampling_problem *p, const armilla_sampling *s)
{
    const double orders = (double)(s->mmax + 1);
    const double rings = (double)s->nrings, near = (double)s->near_rings;
    return device_price.degree * price_of_spin(p) * near * (is_mirrored(s) ? 0.5 : 1) *
               degrees_of_ring(p, s) +
           device_price.circle * orders * (rings + near) +
           device_price.sample * rings * (double)s->nphi;
}

static double cost_of_all_points(const armilla_sampling_problem *p, const armilla_sampling *s)
{
    const double npoints = (double)p->npoints;
    return p->on_device ? npoints * (device_price.point + device_price.tap * s->taps)
                        : armilla_sampling_cost_of_points(s, p->vector_length, npoints);
}

static double fixed_cost(const armilla_sampling_problem *p, const armilla_sampling *s)
{
    if (p->on_device) return fixed_cost_of_device(p, s);
    const double wider = 8.0 / p->vector_length, orders = (double)(s->mmax + 1);
    const double rings = (double)s->nrings, near = (double)s->near_rings;
    const double legendre =
        0.1 * price_of_spin(p) * wider * near * (is_mirrored(s) ? 0.5 : 1) * degrees_of_ring(p, s);
    const double columns =
        0.35 * wider * orders * (rings * log2(2 * rings) + 0.4 * near * log2(2 * near));
    return legendre + columns +
           armilla_sampling_cost_of_rings(s, p->vector_length, used_rings(p, s));
}

/* --- Zones ------------------------------------------------------------------------------------ */

/* What a sampling is made of. */
typedef struct {
    int mirrored; /* whole: the zone and its mirror image are one */
    int taps;
    double sigma;
    double margin; /* between points and the zone's end, radians */
    double band;   /* highest frequency, faded, periods of 2 pi */
} zone;

static double exponent_of_rise(double epsilon)
{
    return log(1 / epsilon) + 2;
}

/* Frequencies that fade between lmax and lmax + 2 c / margin mix no rings further apart than the
 * margin, but for exp(-c). */
static zone make_zone(const armilla_sampling_problem *p, int mirrored, int taps, double sigma,
                      double extra)
{
    const double margin = 2 * exponent_of_rise(p->epsilon) / extra;
    return (zone){mirrored, taps, sigma, margin, (double)p->lmax + extra};
}

/* Between points from north to south and the zone's ends that are not poles. */
static double least_margin(const armilla_sampling *s, double north, double south)
{
    const double step = M_PI / (double)s->whole;
    double margin = INFINITY;
    if (s->first > 0) margin = north - (double)s->first * step;
    if (s->first + s->nrings < s->whole)
        margin = fmin(margin, (double)(s->first + s->nrings) * step - south);
    return margin;
}

/* The zone's rings, cheap lengths or, in a quick look, any. Returned: whether it is smaller than
 * the sphere, and its margins are as wide as windows reach. */
static int place_zone(const armilla_sampling_problem *p, const zone *z, int quick,
                      armilla_sampling *s)
{
    double north = p->extent.north, south = p->extent.south;
    if (z->mirrored) north = fmin(north, M_PI - south), south = M_PI - north;
    s->whole = even_above(z->sigma * (z->band + 1));
    const double step = M_PI / (double)s->whole;
    if (z->margin < (z->taps / 2 + 4) * step) return 0;
    const double begin = fmax(0, floor((north - z->margin) / step));
    const double end = z->mirrored ? (double)s->whole - begin
                                   : fmin((double)s->whole, ceil((south + z->margin) / step));
    const int64_t least = even_above(end - begin);
    s->nrings = quick ? (least < LEAST_RINGS ? LEAST_RINGS : least) : choose_rings(p, least);
    if (s->nrings >= s->whole) return 0;
    s->first = (int64_t)begin - (s->nrings - (int64_t)(end - begin)) / 2;
    if (s->first < 0 || begin == 0) s->first = 0;
    if (s->first + s->nrings > s->whole || end == (double)s->whole) s->first = s->whole - s->nrings;
    s->fade = exponent_of_rise(p->epsilon) / least_margin(s, north, south) * (double)s->nrings /
              (double)s->whole;
    return 1;
}

/* Returned: are the windows good enough? There may be more near rings than frequencies need, and
 * less oversampling than was asked for. */
static int finish(const armilla_sampling_problem *p, const zone *z, int quick, armilla_sampling *s)
{
    const int64_t half =
        (int64_t)((double)p->lmax * (double)s->nrings / (double)s->whole + s->fade);
    s->near_rings = armilla_theta_coarse_rings(half);
    s->near_band = s->fade > 0 ? s->near_rings + (int64_t)s->fade : half;
    s->mmax = choose_mmax(p), s->taps = z->taps;
    s->nphi =
        quick ? even_above(2 * z->sigma * (double)(s->mmax + 1)) : choose_nphi(s->mmax, z->sigma);
    s->cost = fixed_cost(p, s);
    s->extent = p->extent;
    if (s->first == 0) s->extent.north = 0;
    if (s->first + s->nrings == s->whole) s->extent.south = M_PI;
    if (s->mmax == p->mmax) s->extent.from_equator = 0;
    const double sigma = armilla_sampling_sigma(s);
    return sigma > 1.09 && armilla_window_error(s->taps, sigma) < 1.001 * error_of_windows(p);
}

double armilla_sampling_total_cost(const armilla_sampling_problem *p, const armilla_sampling *s)
{
    return s->whole ? s->cost + cost_of_all_points(p, s) : INFINITY;
}

static void keep_cheaper(const armilla_sampling_problem *p, const armilla_sampling *s,
                         armilla_sampling *best)
{
    if (armilla_sampling_total_cost(p, s) < armilla_sampling_total_cost(p, best)) *best = *s;
}

/* From pole to pole. */
static armilla_sampling choose_whole(const armilla_sampling_problem *p)
{
    armilla_sampling best = {0};
    for (int taps = 2; taps <= ARMILLA_WINDOW_TAPS; taps++) {
        const zone z = {.taps = taps, .sigma = least_sigma(p, taps), .band = (double)p->lmax};
        if (z.sigma == 0) continue;
        armilla_sampling s = {.first = 0};
        s.whole = s.nrings = choose_rings(p, (int64_t)ceil(z.sigma * (z.band + 1)));
        if (finish(p, &z, 0, &s)) keep_cheaper(p, &s, &best);
    }
    return best;
}

/* Wide margins have many rings, narrow ones need them denser: the cheapest of some. */
static armilla_sampling choose_zone(const armilla_sampling_problem *p, int mirrored)
{
    armilla_sampling best = {0}, made = {0};
    zone best_zone = {.taps = 0};
    for (int taps = 2; taps <= ARMILLA_WINDOW_TAPS; taps++) {
        const double sigma = least_sigma(p, taps);
        for (double share = 1.0 / 64; share < 3 && sigma > 0; share *= M_SQRT2) {
            const zone z = make_zone(p, mirrored, taps, sigma, share * (double)(p->lmax + 1));
            armilla_sampling s = {0};
            if (!place_zone(p, &z, 1, &s) || !finish(p, &z, 1, &s)) continue;
            if (armilla_sampling_total_cost(p, &s) < armilla_sampling_total_cost(p, &best))
                best = s, best_zone = z;
        }
    }
    for (int i = 0; i < 16 && best.whole; i++, best_zone.sigma *= 1.02)
        if (place_zone(p, &best_zone, 0, &made) && finish(p, &best_zone, 0, &made)) return made;
    return (armilla_sampling){0};
}

/* An upsampling that was asked for makes two changes: the taps, unless asked for, are the fewest
 * that reach epsilon, and epsilon is what both reach, so that all other errors are as small.
 * Returned: whether epsilon can be reached. */
static int settle(const armilla_sampling_problem *given, armilla_sampling_problem *settled)
{
    *settled = *given;
    if (!given->upsampling) return 1;
    const int most = given->taps ? given->taps : ARMILLA_WINDOW_TAPS;
    for (int taps = given->taps ? given->taps : 2; taps <= most; taps++) {
        const double epsilon = armilla_sampling_epsilon(given, taps, given->upsampling);
        if (epsilon > given->epsilon) continue;
        settled->taps = taps, settled->epsilon = epsilon;
        return 1;
    }
    return 0;
}

armilla_sampling armilla_sampling_choose(const armilla_sampling_problem *problem)
{
    armilla_sampling_problem settled;
    if (!settle(problem, &settled)) return (armilla_sampling){0};
    armilla_sampling best = choose_whole(&settled);
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        const armilla_sampling s = choose_zone(&settled, mirrored);
        keep_cheaper(&settled, &s, &best);
    }
    best.epsilon = settled.epsilon;
    return best;
}

int armilla_sampling_serves(const armilla_sampling *sampling, const armilla_points_extent *extent)
{
    return extent->north >= sampling->extent.north && extent->south <= sampling->extent.south &&
           extent->from_equator >= sampling->extent.from_equator &&
           extent->spread >= sampling->extent.spread;
}

int armilla_sampling_is_shared(const armilla_sampling *sampling,
                               const armilla_points_extent *extent, const armilla_sampling *own)
{
    return armilla_sampling_serves(sampling, extent) && sampling->cost <= 2 * own->cost;
}

/* --- What it means ---------------------------------------------------------------------------- */

double armilla_sampling_sigma(const armilla_sampling *s)
{
    const double rings = (double)s->nrings / fmax(1, (double)s->near_band);
    const double samples = (double)s->nphi / fmax(1, 2 * (double)s->mmax);
    return fmin(rings, samples);
}

/* From the zone's north end, as a part of it. */
static long double near_place(const armilla_sampling *s, int64_t ring)
{
    return (long double)(2 * ring + 1) / (long double)(2 * s->near_rings);
}

double armilla_sampling_near_theta(const armilla_sampling *s, int64_t ring)
{
    const long double rings = (long double)s->first + (long double)s->nrings * near_place(s, ring);
    return (double)(PI * rings / (long double)s->whole);
}

void armilla_sampling_make_rise(double epsilon, armilla_window *rise)
{
    armilla_window_make_narrow(exponent_of_rise(epsilon), rise);
}

double armilla_sampling_response(const armilla_sampling *s, const armilla_window *rise,
                                 int64_t frequency)
{
    const double behind = (double)(frequency - s->near_rings);
    if (s->fade == 0 || behind <= -s->fade) return 1;
    return behind < s->fade ? (double)armilla_window_rise(rise, -behind / s->fade) : 0;
}
