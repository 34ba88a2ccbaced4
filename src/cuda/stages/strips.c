/* Takes strips of samples from leg, and back, on a GPU: the spectra of the strip's rings by the
 * kernels of the ring stage, one cuFFT of a fixed number of rings, so that one plan serves all
 * strips, and the kernels of kernels/strip_kernels.h. The scratch of a call is
 * complex [set][pair][nphi], north + i south, and the work area of cuFFT. */
#include "cuda/stages/strips.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/runtime/fft_plans.h"
#include "cuda/kernels/ringfft_kernels.h"
#include "cuda/kernels/strip_kernels.h"

enum { COMPLEX = 2 * sizeof(double) };

/* Most rows and columns, so that numbers of blocks and threads are integers of 32 bits. */
static const int64_t MOST = (int64_t)1 << 28;

struct armilla_cuda_strips {
    armilla_cuda_strips_problem problem;
    armilla_cuda_ring_slot *slots; /* on the device: of most_pairs pairs, then as many empty ones,
                                      whose spectra are zeros */
    armilla_cuda_fft_plans *plans;
    armilla_cuda_fft_room room;
    int64_t bytes;
};

/* --- What is asked --------------------------------------------------------------------------- */

static armilla_status check_range(const char *name, int64_t value, int64_t least, int64_t most)
{
    return value < least || value > most
               ? armilla_fail_argument(name, value, "is not one of strips of samples")
               : ARMILLA_OK;
}

static armilla_status check_problem(const armilla_cuda_strips_problem *p)
{
    armilla_status status;
    if ((status = check_range("nphi", p->nphi, 2, MOST)) ||
        (status = check_range("left", p->left, 0, MOST / 2)) ||
        (status = check_range("pitch", p->pitch, p->left + p->nphi, 2 * MOST)) ||
        (status = check_range("half", p->half, 1, MOST)) ||
        (status = check_range("most_rows", p->most_rows, 1, 2 * MOST)) ||
        (status = check_range("most_pairs", p->most_pairs, 1, p->half)) ||
        (status = check_range("mmax", p->mmax, 0, MOST)))
        return status;
    return p->nphi % 2 ? armilla_fail_argument("nphi", p->nphi,
                                               "must be even: rows beyond a pole are half a turn "
                                               "away")
                       : ARMILLA_OK;
}

/* The pairs that the rows first .. end - 1 are made of, those beyond a pole and beyond the equator
 * included. */
static armilla_status check_sources(const armilla_cuda_strips_problem *p,
                                    const armilla_cuda_strip *strip)
{
    const int64_t end = strip->first + strip->rows, end_pair = strip->first_pair + strip->npairs;
    int64_t least = armilla_larger(strip->first, 0), most = armilla_smaller(end, p->half);
    if (strip->first < 0) least = 0, most = armilla_larger(most, -strip->first);
    if (end > p->half) most = p->half, least = armilla_smaller(least, 2 * p->half - end);
    if (strip->first_pair > least || end_pair < most)
        return armilla_fail_argument("npairs", strip->npairs,
                                     "are not all pairs that the strip's rows are made of");
    return ARMILLA_OK;
}

armilla_status armilla_cuda_strips_check(const armilla_cuda_strips *strips,
                                         const armilla_cuda_strip *strip, int to_samples)
{
    const armilla_cuda_strips_problem *p = &strips->problem;
    const int64_t end = 2 * p->half - strip->rows;
    armilla_status status;
    if ((status = check_range("rows", strip->rows, 1, p->most_rows)) ||
        (status = check_range("first", strip->first, -p->half, end)) ||
        (status = check_range("npairs", strip->npairs, 1, p->most_pairs)) ||
        (status = check_range("first_pair", strip->first_pair, 0, p->half - strip->npairs)))
        return status;
    if (to_samples) return check_sources(p, strip);
    if (strip->first_pair < strip->first ||
        strip->first_pair + strip->npairs > strip->first + strip->rows)
        return armilla_fail_argument("first_pair", strip->first_pair,
                                     "begins pairs that have no row in the strip");
    return ARMILLA_OK;
}

/* --- Calls ----------------------------------------------------------------------------------- */

/* Sets that go together. */
typedef struct {
    const armilla_cuda_strips *strips;
    armilla_cuda_strip_view view;
    armilla_cuda_ring_rows rows; /* of leg, from the first pair that comes on */
    void *area;
    armilla_cuda_work *work;
} call;

static int64_t data_bytes(const armilla_cuda_strips *strips, int64_t nsets)
{
    return armilla_cuda_round_part(nsets * strips->room.of_set);
}

static armilla_cuda_strip_view view_of(const armilla_cuda_strips_problem *p,
                                       const armilla_cuda_strip *strip, armilla_array samples)
{
    return (armilla_cuda_strip_view){.nphi = p->nphi,
                                     .left = p->left,
                                     .pitch = p->pitch,
                                     .is_float = samples.is_float,
                                     .odd_spin = p->spin % 2 != 0,
                                     .half = p->half,
                                     .first = strip->first,
                                     .rows = strip->rows,
                                     .most_rows = p->most_rows,
                                     .first_pair = strip->first_pair,
                                     .npairs = strip->npairs,
                                     .data_pairs = p->most_pairs,
                                     .samples = samples.values};
}

/* `count` slots, from number `first` on. */
static armilla_cuda_ring_slots slots_of(const call *c, int64_t first, int64_t count)
{
    const int64_t nphi = c->view.nphi;
    return (armilla_cuda_ring_slots){
        c->strips->slots + first, count, c->view.nsets, nphi, nphi, nphi, c->view.data, 0};
}

static void transform(const call *c)
{
    const armilla_cuda_fft_rows rows = {c->view.data, c->view.nphi, c->view.data_pairs,
                                        c->view.nsets};
    armilla_cuda_fft_plans_run(c->strips->plans, &rows, CUFFT_INVERSE, c->area, c->work);
}

static void run_to_samples(const call *c)
{
    const int64_t most = c->view.data_pairs, count = c->view.npairs;
    const armilla_cuda_ring_slots slots = slots_of(c, 0, count);
    const armilla_cuda_ring_slots empty = slots_of(c, most + count, most - count);
    cudaStream_t stream = c->work->stream;
    armilla_cuda_note(c->work, armilla_cuda_ring_fill(&slots, &c->rows, stream));
    if (empty.count) armilla_cuda_note(c->work, armilla_cuda_ring_fill(&empty, &c->rows, stream));
    transform(c);
    armilla_cuda_note(c->work, armilla_cuda_strip_put(&c->view, stream));
}

static void run_from_samples(const call *c)
{
    const armilla_cuda_ring_slots slots = slots_of(c, 0, c->view.npairs);
    cudaStream_t stream = c->work->stream;
    armilla_cuda_note(c->work, armilla_cuda_strip_take(&c->view, stream));
    transform(c);
    armilla_cuda_note(c->work, armilla_cuda_ring_gather(&slots, &c->rows, 0, stream));
}

/* Rows of leg of a set, as if the pairs that come were the first ones. */
static armilla_cuda_ring_rows rows_of(const armilla_leg *leg, const armilla_cuda_strip *strip,
                                      int64_t set)
{
    const armilla_leg_block *block = leg->layout->blocks;
    return (armilla_cuda_ring_rows){armilla_leg_row(leg, block, set, 0) +
                                        4 * (strip->first_pair - block->first),
                                    block->row_length, armilla_leg_set_length(block), 0};
}

static void run(const armilla_cuda_strips *strips, const armilla_cuda_strip *strip,
                const armilla_leg *leg, armilla_array samples, armilla_cuda_work *work,
                int to_samples)
{
    const int64_t of_set = 2 * strips->problem.most_rows * strips->problem.pitch;
    const int64_t together = armilla_cuda_fft_plans_fit(strips->plans, &strips->room, leg->nsets);
    call c = {.strips = strips, .view = view_of(&strips->problem, strip, samples), .work = work};
    if (armilla_cuda_strips_check(strips, strip, to_samples)) {
        armilla_cuda_note(work, cudaErrorInvalidValue);
        return;
    }
    c.view.data = work->scratch, c.area = (char *)work->scratch + data_bytes(strips, together);
    for (int64_t set = 0; set < leg->nsets; set += together) {
        c.view.nsets = armilla_smaller(together, leg->nsets - set);
        c.view.samples = armilla_array_from(samples, set * of_set).values;
        c.rows = rows_of(leg, strip, set);
        (to_samples ? run_to_samples : run_from_samples)(&c);
    }
}

void armilla_cuda_strips_to_samples(const armilla_cuda_strips *strips,
                                    const armilla_cuda_strip *strip, const armilla_leg *leg,
                                    armilla_array samples, armilla_cuda_work *work)
{
    run(strips, strip, leg, samples, work, 1);
}

void armilla_cuda_strips_from_samples(const armilla_cuda_strips *strips,
                                      const armilla_cuda_strip *strip, armilla_array samples,
                                      const armilla_leg *leg, armilla_cuda_work *work)
{
    run(strips, strip, leg, samples, work, 0);
}

/* --- Plans ----------------------------------------------------------------------------------- */

/* Slot i: pair i of those that come, or nothing in its place. */
static void fill_slots(const armilla_cuda_strips_problem *p, armilla_cuda_ring_slot *slots)
{
    for (int64_t i = 0; i < 2 * p->most_pairs; i++) {
        const int empty = i >= p->most_pairs;
        const int64_t pair = empty ? i - p->most_pairs : i;
        armilla_cuda_ring_slot *slot = &slots[i];
        slot->n = slot->length = p->nphi, slot->parts = 1;
        slot->flags = ARMILLA_CUDA_RING_SAME_PHASE;
        slot->place = pair * p->nphi, slot->run_size = p->most_pairs * p->nphi;
        slot->limit = empty ? -1 : p->mmax, slot->column = empty ? 0 : pair;
        for (int side = 0; side < 2; side++) {
            slot->side[side].state = empty ? ARMILLA_CUDA_RING_MISSING : ARMILLA_CUDA_RING_HERE;
            slot->side[side].weight = 1;
        }
    }
}

static armilla_status make_slots(armilla_cuda_strips *strips)
{
    const int64_t count = 2 * strips->problem.most_pairs;
    armilla_cuda_ring_slot *slots;
    armilla_status status = armilla_allocate_zero(&slots, count, sizeof *slots);
    if (status) return status;
    fill_slots(&strips->problem, slots);
    status = armilla_cuda_upload(slots, count, sizeof *slots, "rings of strips",
                                 (void **)&strips->slots);
    if (!status) strips->bytes = count * (int64_t)sizeof *slots;
    armilla_release(slots);
    return status;
}

static armilla_status make_plans(armilla_cuda_strips *strips, int64_t most)
{
    const armilla_cuda_strips_problem *p = &strips->problem;
    armilla_status status = armilla_cuda_fft_plans_new(0, &strips->plans);
    strips->room =
        (armilla_cuda_fft_room){COMPLEX * p->most_pairs * p->nphi, ARMILLA_CUDA_ALIGNMENT, most};
    if (!status) status = armilla_cuda_fft_plans_add(strips->plans, p->nphi, p->most_pairs, 1);
    return status ? status : armilla_cuda_fft_plans_widen(strips->plans, &strips->room);
}

armilla_status armilla_cuda_strips_new(const armilla_cuda_strips_problem *problem, int64_t most,
                                       armilla_cuda_strips **strips)
{
    armilla_cuda_strips *made;
    armilla_status status = check_problem(problem);
    if (status || (status = armilla_allocate_zero(&made, 1, sizeof *made))) return status;
    made->problem = *problem;
    if ((status = make_slots(made)) || (status = make_plans(made, most)))
        armilla_cuda_strips_free(made);
    else
        *strips = made;
    return status;
}

void armilla_cuda_strips_free(armilla_cuda_strips *strips)
{
    if (!strips) return;
    armilla_cuda_fft_plans_free(strips->plans);
    armilla_cuda_release(strips->slots);
    armilla_release(strips);
}

int64_t armilla_cuda_strips_bytes(const armilla_cuda_strips *strips)
{
    return strips->bytes;
}

int64_t armilla_cuda_strips_scratch(const armilla_cuda_strips *strips, int64_t nsets)
{
    const int64_t together = armilla_cuda_fft_plans_fit(strips->plans, &strips->room, nsets);
    return data_bytes(strips, together) + armilla_cuda_fft_plans_work(strips->plans, together);
}

int64_t armilla_cuda_strips_launches(const armilla_cuda_strips *strips,
                                     const armilla_cuda_strip *strip, int64_t nsets, int to_samples)
{
    const int64_t together = armilla_cuda_fft_plans_fit(strips->plans, &strips->room, nsets);
    const int64_t kernels = 2 + (to_samples && strip->npairs < strips->problem.most_pairs);
    int64_t launches = 0;
    for (int64_t set = 0; set < nsets; set += together)
        launches += kernels + armilla_cuda_fft_plans_calls(strips->plans,
                                                           armilla_smaller(together, nsets - set));
    return launches;
}
