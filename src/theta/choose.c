/* Chooses how the theta stage comes from one set of rings to the other: whether it transforms their
 * circle itself or looks at a finer one through a window, how fine that is, and where fewer rings
 * pay; and tells it. */
#include "theta/choose.h"

#include "fft/lane_fft_plan.h"
#include "theta/window.h"

#include <inttypes.h>
#include <math.h>

/* --- Fewer rings ------------------------------------------------------------------------------ */

int64_t armilla_theta_coarse_rings(int64_t lmax)
{
    int64_t n = lmax + 1;
    while (!armilla_lane_fft_possible(n)) n++;
    return n;
}

int armilla_theta_fewer_pay(int64_t lmax, int64_t npairs)
{
    enum { LEAST_GAIN = 300 }; /* lmax times the part of the pairs saved: measured break-even */
    const double near = (double)(armilla_theta_coarse_rings(lmax) + 1) / 2;
    const double far = (double)npairs;
    return near < far && (double)lmax * (1 - near / far) > LEAST_GAIN;
}

/* --- Circles ---------------------------------------------------------------------------------- */

int armilla_theta_takes_places(const armilla_theta_problem *problem)
{
    const int64_t length = problem->circle_length;
    int64_t places = 0;
    for (int64_t i = 0; i < problem->from->count; i++)
        for (int south = 0; south < 2; south++) {
            const int64_t ring = south ? problem->from->south[i] : problem->from->north[i];
            const int64_t place = 2 * (ring + problem->first) + problem->half_shifted;
            if (ring >= 0) places += place == 0 || place == length ? 1 : 2;
        }
    return places == length;
}

int armilla_theta_fills_circle(const armilla_theta_problem *problem)
{
    const int64_t length = problem->circle_length;
    return length % 2 == 0 && armilla_lane_fft_possible(length / 2) &&
           armilla_theta_takes_places(problem);
}

/* Are all rings `to` on the half circle of samples? */
static int are_samples(const armilla_theta_problem *problem)
{
    const int64_t half = problem->to_length / 2;
    for (int64_t i = 0; i < problem->to->count; i++)
        if (problem->to->north[i] >= half || problem->to->south[i] >= half) return 0;
    return 1;
}

armilla_status armilla_theta_check_to(const armilla_theta_problem *problem)
{
    const int64_t length = problem->to_length;
    if (!length && problem->to_transform)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "to_transform: is not without to_length");
    if (length && problem->to_factor)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "to_factor: is not for rings that to_length makes samples of a circle");
    if (length && (length % 2 || length <= 2 * problem->band || !are_samples(problem)))
        return armilla_fail_argument("to_length", length,
                                     "must be even, above twice the band, and twice the rings `to` "
                                     "or more");
    return ARMILLA_OK;
}

/* Half the length of the fine circle: the cheapest with 1.5 <= sigma <= 2. Costs are in vector
 * operations, of which a ring pair takes about 5 for each sample that it sees. */
static int64_t choose_fine(const armilla_theta_problem *problem, int spread)
{
    const int64_t band = problem->band, npairs = problem->to->count;
    const int64_t least = (3 * band + 1) / 2 < 32 ? 32 : (3 * band + 1) / 2;
    const double pairs = (double)(npairs + (spread ? problem->from->count : 0));
    double best_cost = INFINITY;
    int64_t best = 0;
    for (int64_t n = least; n <= least + least / 3 || !best; n++) {
        if (!armilla_lane_fft_possible(n)) continue;
        const double taps = (double)armilla_theta_window_taps(band, 2 * n) + 1;
        const double transforms =
            (spread ? 2 : 1) * (armilla_lane_fft_collides(n) ? 2 : 1) * armilla_lane_fft_cost(n);
        const double cost = transforms + 20 * (double)n + 5 * pairs * taps;
        if (cost >= best_cost) continue;
        best = n;
        best_cost = cost;
    }
    return best;
}

/* The circle of the rings itself wherever it can be: it takes a shorter transform and no spreading.
 * Equidistant rings `to` leave no window to look through. */
static int choose_direct(const armilla_theta_problem *problem)
{
    const int possible = armilla_theta_fills_circle(problem);
    const int64_t least = problem->to_length ? possible : 0;
    return (int)armilla_forced_choose(problem->forced, "theta.circle", least, possible, possible);
}

armilla_theta_choices armilla_theta_choose(const armilla_theta_problem *problem)
{
    const int direct = choose_direct(problem);
    const int64_t half =
        problem->to_length ? problem->to_length / 2 : choose_fine(problem, !direct);
    return (armilla_theta_choices){
        .direct = direct,
        .fine_half = half,
        .taps = problem->to_length ? 0 : armilla_theta_window_taps(problem->band, 2 * half)};
}

/* --- Telling ---------------------------------------------------------------------------------- */

void armilla_theta_choices_tell(const armilla_theta_choices *choices, const armilla_teller *teller)
{
    armilla_choice_tell(teller, "theta.circle",
                        "rings that fill an even circle with prime factors up to 7 need no window",
                        choices->direct ? "1: samples of the rings are transformed"
                                        : "0: samples of the rings are spread through the window");
    if (choices->taps)
        armilla_choice_tell(
            teller, "theta.window",
            "the circle costs least between 1.5 and 2 times the band; aliases are near 1e-15",
            "a ring sees %" PRId64 " samples of a circle of %" PRId64, choices->taps,
            2 * choices->fine_half);
}
