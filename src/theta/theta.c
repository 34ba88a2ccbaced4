/* The theta stage for batches of rows (docs/mathematics.md 6).
 *
 * With P samples x_j of the rings `from`, at theta_j = pi (2 j + a) / P, M of a finer circle, and
 * a window phi of w samples (window.h),
 *
 *     C_k = (1 / P) sum_j x_j exp(-i k theta_j) / phihat(k),        |k| <= band <= P / 2
 *     y_j = sum_k C_k exp(2 pi i j k / M),         F(theta) = sum_j phi(theta M / 2 pi - j) y_j.
 *
 * The first sum is a Fourier transform of the samples, where lanes can do it: P even, P / 2
 * without prime factors above 7; the half shift (a = 1) turns the coefficients. For any other P the
 * samples are spread through the window onto the finer circle, as the transpose does with the rings
 * `to`, and the coefficients divided by phihat once more: no transform of length P is needed.
 * choose.c says which.
 *
 * The window is evaluated only here, once per ring and sample: no order enters.
 *
 * Scratch: circle with margins | numbers of a transform | tile. */
#include "theta/theta.h"

#include "base/integer.h"
#include "base/memory.h"
#include "fft/lane_fft_plan.h"
#include "leg/orders.h"
#include "fft/roots.h"
#include "theta/choose.h"
#include "theta/circles.h"
#include "theta/dispatch.h"
#include "theta/rings.h"

#include <math.h>
#include <string.h>

enum { FROM, TO };

/* Tables of 32 bits count samples, of two circles, in vectors. */
static const int64_t MOST_BAND = (int64_t)1 << 28;

typedef struct {
    const armilla_ring_pairs *pairs;
    const armilla_theta_circle *circle;
    armilla_theta_samples samples; /* of a circle without a window */
    armilla_theta_rings rings;     /* of one with a window: its margins are not 0 */
    int sparse;                    /* some of its samples have no ring: they count as zeros */
} theta_side;

struct armilla_theta {
    armilla_machine machine;
    armilla_theta_choices choices;
    const armilla_theta_kernels *kernels;
    int64_t spin, band;
    int near;                          /* FROM or TO */
    int turned;                        /* factors are complex */
    double *factor;                    /* of each coefficient */
    armilla_theta_circle coarse, fine; /* P samples, where lanes can transform them; M */
    theta_side side[2];
};

/* --- Plan ------------------------------------------------------------------------------------ */

/* A column of degree l has the coefficients d^l_{mk}(pi/2) d^l_{ks}(pi/2), small for
 * k^2 + m^2 > l^2. The exponent of the decay, an integral over the barrier, passes 38 before
 * k^2 + m^2 = L^2 + 15.3 L^(4/3), L = l + 1, for all L and m (evaluated for L = 65 to 16385). */
int64_t armilla_theta_band(int64_t lmax, int64_t m)
{
    const double l = (double)lmax + 1, power = l * cbrt(l), order = (double)m;
    const double band = ceil(sqrt(fmax(0, l * l - order * order) + 16 * power));
    return band < (double)lmax ? (int64_t)band : lmax;
}

/* What frequency k is divided by: the transform of what looks at the fine circle. */
static long double transform_of(const armilla_theta_problem *problem,
                                const armilla_theta_window *window, int64_t k)
{
    if (!problem->to_length) return armilla_theta_window_transform(window, k);
    return problem->to_transform ? (long double)problem->to_transform[k] : 1;
}

/* exp(i angle) by which frequency k is turned back: rings lie half a sample behind the first one of
 * their circle. */
static void find_turn(const armilla_theta_problem *problem, int64_t k, double turn[2])
{
    double root[2] = {1, 0}, other[2] = {1, 0};
    if (problem->half_shifted) armilla_root_of_unity(k, 2 * problem->circle_length, root);
    if (problem->to_length) armilla_root_of_unity(k, 2 * problem->to_length, other);
    turn[0] = root[0] * other[0] - root[1] * other[1];
    turn[1] = root[0] * other[1] + root[1] * other[0];
}

/* A quarter in all: halves of the packing of real numbers, and of the sum of even and odd. */
static void fill_factors(const armilla_theta_problem *problem, const armilla_theta_window *window,
                         armilla_theta *made)
{
    const int64_t length = problem->circle_length;
    for (int64_t k = 0; k <= made->band; k++) {
        const long double transform = transform_of(problem, window, k);
        long double factor = 0.25L / ((long double)length * transform);
        if (!made->choices.direct) factor /= transform;
        if (2 * k == length && k == made->band) factor /= 2; /* k and -k have the same sum */
        if (made->turned) {
            double root[2];
            find_turn(problem, k, root);
            made->factor[2 * k] = (double)(factor * root[0]);
            made->factor[2 * k + 1] = (double)(-factor * root[1]);
        } else {
            made->factor[k] = (double)factor;
        }
    }
}

/* Place of a ring of `from` on the circle, of the image of a southern one; two for each sample. */
static int64_t find_place(const armilla_theta_problem *problem, int64_t ring, int south)
{
    const int64_t place = 2 * (ring + problem->first) + problem->half_shifted;
    return south ? problem->circle_length - place : place;
}

/* Where the rings of a side lie, exactly for `from`. A pole is its own image, but is spread twice.
 */
static void fill_positions(const armilla_theta_problem *problem, const armilla_theta_window *window,
                           int side, int south, armilla_theta_positions *positions)
{
    const armilla_ring_pairs *pairs = side == FROM ? problem->from : problem->to;
    const int64_t *rings = south ? pairs->south : pairs->north;
    const double *theta = south ? pairs->south_theta : pairs->theta;
    const long double scale =
        (long double)window->length / (2 * (long double)problem->circle_length);
    for (int64_t i = 0; i < pairs->count; i++) {
        if (rings[i] < 0) continue;
        if (side == TO) {
            positions->position[south][i] = armilla_theta_window_position(window, theta[i]);
            positions->factor[south][i] = problem->to_factor ? problem->to_factor[i] : 1;
        } else {
            const int64_t place = find_place(problem, rings[i], south);
            positions->position[south][i] = (long double)place * scale;
            positions->factor[south][i] = place == 0 ? 0.5 : 1;
        }
    }
}

static armilla_status make_rings(const armilla_theta_problem *problem,
                                 const armilla_theta_window *window, int side, armilla_theta *made)
{
    const armilla_ring_pairs *pairs = made->side[side].pairs;
    armilla_theta_positions positions = {{NULL, NULL}, {NULL, NULL}};
    armilla_theta_rings *rings = &made->side[side].rings;
    armilla_status status = ARMILLA_OK;
    for (int i = 0; i < 2 && !status; i++)
        if (!(status = armilla_allocate(&positions.position[i], pairs->count,
                                        sizeof *positions.position[i])) &&
            !(status = armilla_allocate(&positions.factor[i], pairs->count, sizeof(double))))
            fill_positions(problem, window, side, i, &positions);
    if (!status) {
        status = armilla_theta_rings_make(window, pairs, &positions, rings);
        rings->sign = side == TO ? -1 : 1; /* the transform reverses */
    }
    for (int i = 0; i < 2; i++) {
        armilla_release(positions.position[i]);
        armilla_release(positions.factor[i]);
    }
    return status;
}

/* Rings that are not missing. */
static int64_t count_rings(const armilla_ring_pairs *pairs)
{
    int64_t count = 0;
    for (int64_t i = 0; i < pairs->count; i++)
        count += (pairs->north[i] >= 0) + (pairs->south[i] >= 0);
    return count;
}

/* The fine circle's own samples. A transform leaves them reversed: a ring stands where its image
 * would, and the image where the ring would. */
static armilla_status make_fine_samples(const armilla_theta_problem *problem, armilla_theta *made)
{
    armilla_theta_samples *samples = &made->side[TO].samples;
    armilla_status status = armilla_theta_samples_make(&made->fine, problem->to, 0, 1, samples);
    made->side[TO].sparse = count_rings(problem->to) < made->choices.fine_half;
    for (int64_t i = 0; i < problem->to->count && !status; i++)
        for (int j = 0; j < 4; j += 2) {
            int32_t *input = samples->input[i] + j, *output = samples->output[i] + j;
            const int32_t in = input[0], out = output[0];
            input[0] = input[1], input[1] = in;
            output[0] = output[1], output[1] = out;
        }
    return status;
}

static armilla_status make_sides(const armilla_theta_problem *problem, armilla_theta *made)
{
    const int direct = made->choices.direct, equidistant = problem->to_length > 0;
    const int64_t half = problem->circle_length / 2;
    const int64_t n = made->choices.fine_half;
    const armilla_theta_window window = armilla_theta_window_choose(problem->band, 2 * n);
    armilla_status status = armilla_theta_circle_make(n, problem->band, !equidistant, &made->fine);
    made->side[FROM].circle = direct ? &made->coarse : &made->fine;
    made->side[TO].circle = &made->fine;
    if (!status && direct)
        status = armilla_theta_circle_make(half, problem->band, 0, &made->coarse);
    if (!status && direct)
        status = armilla_theta_samples_make(&made->coarse, problem->from, problem->first,
                                            problem->half_shifted, &made->side[FROM].samples);
    if (!status && !direct) status = make_rings(problem, &window, FROM, made);
    if (!status)
        status =
            equidistant ? make_fine_samples(problem, made) : make_rings(problem, &window, TO, made);
    made->turned = direct && (problem->half_shifted || equidistant);
    if (!status) fill_factors(problem, &window, made);
    return status;
}

/* Frequencies above P / 2 are made of samples only, not of the finer circle of a window. */
static int64_t most_band(int64_t circle_length, int64_t to_length)
{
    return to_length ? circle_length - 1 : circle_length / 2;
}

static armilla_status check_problem(const armilla_theta_problem *problem)
{
    armilla_status status = ARMILLA_OK;
    if (problem->band < 0 || problem->band > MOST_BAND)
        status = armilla_fail_argument("band", problem->band, "must be 0 to 2^28");
    else if (problem->circle_length < 1 ||
             problem->band > most_band(problem->circle_length, problem->to_length))
        status = armilla_fail_argument("circle_length", problem->circle_length,
                                       "must be at least 1, and twice the band, or above the band "
                                       "where the rings `to` are equidistant");
    else if (!(status = armilla_theta_check_to(problem)) && problem->to_length &&
             (!armilla_lane_fft_possible(problem->to_length / 2) ||
              !armilla_theta_fills_circle(problem)))
        status = armilla_fail_argument("to_length", problem->to_length,
                                       "must have a half without prime factors above 7, and rings "
                                       "`from` that fill such a circle");
    return status;
}

armilla_status armilla_theta_new(const armilla_theta_problem *problem, armilla_theta **theta)
{
    armilla_theta *made;
    armilla_status status = check_problem(problem);
    if (!status) status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) return status;
    made->machine = problem->machine;
    made->kernels = armilla_theta_kernels_find(problem->machine.isa);
    made->choices = armilla_theta_choose(problem);
    made->spin = problem->spin;
    made->band = problem->band;
    made->near = problem->near_is_to ? TO : FROM;
    made->side[FROM].pairs = problem->from;
    made->side[TO].pairs = problem->to;
    status = armilla_allocate(&made->factor, 2 * (made->band + 1), sizeof(double));
    if (!status) status = make_sides(problem, made);
    if (status)
        armilla_theta_free(made);
    else
        *theta = made;
    return status;
}

void armilla_theta_free(armilla_theta *theta)
{
    if (!theta) return;
    armilla_theta_circle_clear(&theta->coarse);
    armilla_theta_circle_clear(&theta->fine);
    for (int i = 0; i < 2; i++) {
        armilla_theta_samples_clear(&theta->side[i].samples);
        armilla_theta_rings_clear(&theta->side[i].rings);
    }
    armilla_release(theta->factor);
    armilla_release(theta);
}

int64_t armilla_theta_bytes(const armilla_theta *theta)
{
    int64_t bytes = (int64_t)sizeof *theta + 2 * (theta->band + 1) * (int64_t)sizeof(double) +
                    armilla_theta_circle_bytes(&theta->fine);
    if (theta->choices.direct) bytes += armilla_theta_circle_bytes(&theta->coarse);
    for (int i = 0; i < 2; i++)
        bytes += armilla_theta_samples_bytes(&theta->side[i].samples) +
                 armilla_theta_rings_bytes(&theta->side[i].rings);
    return bytes;
}

void armilla_theta_tell(const armilla_theta *theta, const armilla_teller *teller)
{
    armilla_theta_choices_tell(&theta->choices, teller);
}

const armilla_machine *armilla_theta_machine(const armilla_theta *theta)
{
    return &theta->machine;
}

const armilla_ring_pairs *armilla_theta_near(const armilla_theta *theta)
{
    return theta->side[theta->near].pairs;
}

const armilla_ring_pairs *armilla_theta_far(const armilla_theta *theta)
{
    return theta->side[1 - theta->near].pairs;
}

/* --- Scratch --------------------------------------------------------------------------------- */

/* Where the parts of the scratch begin, doubles. */
typedef struct {
    int64_t circle, numbers, tile, end;
} scratch_parts;

static scratch_parts cut_scratch(const armilla_theta *theta)
{
    const int64_t vector = theta->kernels->vector_length;
    const int64_t margin = armilla_round_line(theta->side[TO].rings.margin * vector);
    int64_t size = armilla_theta_circle_size(&theta->fine);
    if (theta->choices.direct)
        size = armilla_larger(size, armilla_theta_circle_size(&theta->coarse));
    const int64_t numbers = armilla_round_line(2 * vector * size);
    scratch_parts parts = {.circle = margin};
    parts.numbers = parts.circle + numbers + margin;
    parts.tile = parts.numbers + numbers;
    parts.end = parts.tile + armilla_round_line(4 * vector * ARMILLA_THETA_TILE);
    return parts;
}

int64_t armilla_theta_scratch_size(const armilla_theta *theta)
{
    return cut_scratch(theta).end;
}

/* A call's view of its scratch. */
typedef struct {
    double *circle, *numbers, *tile;
} workspace;

/* --- Running --------------------------------------------------------------------------------- */

/* Rows of a batch in slots: the even and the odd row of a two (leg/orders.h) have one together, a
 * row without the other one has its own. So what a row meets does not depend on the rest of a
 * batch. */
typedef struct {
    int64_t count;
    int64_t two[ARMILLA_THETA_BATCH];
    int64_t row[2][ARMILLA_THETA_BATCH]; /* -1: none */
} slots;

static void open_slot(slots *sorted, int64_t place, int64_t two)
{
    for (int64_t i = sorted->count++; i > place; i--) {
        sorted->two[i] = sorted->two[i - 1];
        for (int odd = 0; odd < 2; odd++) sorted->row[odd][i] = sorted->row[odd][i - 1];
    }
    sorted->two[place] = two;
    for (int odd = 0; odd < 2; odd++) sorted->row[odd][place] = -1;
}

static slots sort_rows(const armilla_theta *theta, const armilla_theta_batch *batch, int64_t begin)
{
    slots sorted = {.count = 0};
    for (int64_t row = begin; row < batch->count && row < begin + ARMILLA_THETA_BATCH; row++) {
        const int odd = (batch->orders[row] + theta->spin) % 2 != 0;
        const int64_t two = armilla_orders_two(batch->orders[row]);
        int64_t behind = sorted.count;
        while (behind > 0 && sorted.two[behind - 1] > two) behind--;
        if (behind == 0 || sorted.two[behind - 1] != two) open_slot(&sorted, behind++, two);
        sorted.row[odd][behind - 1] = row;
    }
    return sorted;
}

/* What of a side is behind the lanes first_lane, first_lane + 1, ...: lanes 2 i and 2 i + 1 are the
 * real and the imaginary part of slot i, its even and its odd row together. */
static armilla_theta_rows choose_rows(const armilla_theta *theta, const armilla_theta_batch *batch,
                                      const slots *sorted, int64_t first_lane, int side)
{
    const int length = theta->kernels->vector_length, chunk = length > 1 ? 2 : 1;
    const armilla_ring_pairs *pairs = theta->side[side].pairs;
    const int near = side == theta->near;
    armilla_theta_rows rows = {.least = pairs->count};
    for (int i = 0; i < length / chunk; i++)
        for (int odd = 0; odd < 2; odd++) {
            const int64_t lane = first_lane + i * chunk;
            const int64_t row = lane / 2 < sorted->count ? sorted->row[odd][lane / 2] : -1;
            if (row < 0) continue;
            double *values = near ? batch->near + row * batch->near_length
                                  : batch->far + row * batch->far_length;
            const int64_t first = armilla_ring_pairs_first(pairs, batch->orders[row]);
            rows.row[odd][i] = values + lane % 2;
            rows.first[odd][i] = first;
            if (first < rows.least) rows.least = first;
        }
    return rows;
}

/* Both ends of the circle go on beyond its margins. */
static void copy_margins(double *circle, int64_t length, int64_t margin)
{
    memcpy(circle - margin, circle + length - margin, (size_t)margin * sizeof *circle);
    memcpy(circle + length, circle, (size_t)margin * sizeof *circle);
}

static void add_margins(double *circle, int64_t length, int64_t margin)
{
    double *end = circle + length;
    for (int64_t i = 0; i < margin; i++) {
        circle[i] += end[i];
        end[i - margin] += circle[i - margin];
    }
}

/* Rows to the samples of their circle. Returned: the samples if they stand in sequence. */
static const double *read_side(const armilla_theta *theta, const theta_side *side,
                               const armilla_theta_rows *rows, const workspace *space)
{
    const int64_t vector = theta->kernels->vector_length;
    const int64_t length = side->rings.length * vector, margin = side->rings.margin * vector;
    if (side->sparse)
        memset(space->numbers, 0,
               (size_t)(2 * vector * armilla_theta_circle_size(side->circle)) * sizeof(double));
    if (!margin) {
        theta->kernels->put(&side->samples, rows, space->numbers, space->tile);
        return NULL;
    }
    memset(space->circle - margin, 0, (size_t)(length + 2 * margin) * sizeof(double));
    theta->kernels->spread(&side->rings, rows, space->circle, space->tile);
    add_margins(space->circle, length, margin);
    return space->circle;
}

static void write_side(const armilla_theta *theta, const theta_side *side,
                       const armilla_theta_rows *rows, const workspace *space)
{
    const int64_t vector = theta->kernels->vector_length;
    const int64_t length = side->rings.length * vector, margin = side->rings.margin * vector;
    if (!margin) {
        theta->kernels->take(&side->samples, rows, space->circle, space->tile);
        return;
    }
    copy_margins(space->circle, length, margin);
    theta->kernels->interpolate(&side->rings, rows, space->circle, space->tile);
}

/* One vector of lanes from one side to the other. */
static void run_lanes(const armilla_theta *theta, int from, const armilla_theta_rows *rows,
                      const workspace *space)
{
    const theta_side *source = &theta->side[from], *sink = &theta->side[1 - from];
    armilla_theta_transform transform = {.from = source->circle,
                                         .to = sink->circle,
                                         .spectrum = space->numbers,
                                         .result = space->circle,
                                         .factor = theta->factor,
                                         .turned = theta->turned,
                                         .band = theta->band};
    transform.samples = read_side(theta, source, &rows[from], space);
    theta->kernels->transform(&transform);
    write_side(theta, sink, &rows[1 - from], space);
}

static void run_batch(const armilla_theta *theta, int from, const armilla_theta_batch *batch,
                      double *scratch)
{
    const scratch_parts parts = cut_scratch(theta);
    const workspace space = {scratch + parts.circle, scratch + parts.numbers, scratch + parts.tile};
    for (int64_t begin = 0; begin < batch->count; begin += ARMILLA_THETA_BATCH) {
        const slots sorted = sort_rows(theta, batch, begin);
        const int64_t lanes = 2 * sorted.count;
        for (int64_t lane = 0; lane < lanes; lane += theta->kernels->vector_length) {
            const armilla_theta_rows rows[2] = {choose_rows(theta, batch, &sorted, lane, FROM),
                                                choose_rows(theta, batch, &sorted, lane, TO)};
            run_lanes(theta, from, rows, &space);
        }
    }
}

void armilla_theta_to_far(const armilla_theta *theta, const armilla_theta_batch *batch,
                          double *scratch)
{
    run_batch(theta, theta->near, batch, scratch);
}

void armilla_theta_to_near(const armilla_theta *theta, const armilla_theta_batch *batch,
                           double *scratch)
{
    run_batch(theta, 1 - theta->near, batch, scratch);
}
