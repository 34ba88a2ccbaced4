/* Runs the stages of a rank's share on its GPU, one at a time, and moves what they leave there into
 * messages and back. */
#include "cuda/share.h"

#include "base/memory.h"
#include "cuda/call.h"
#include "cuda/runtime/device_memory.h"

typedef struct {
    armilla_cuda_share known;
    armilla_cuda_call call;
    armilla_cuda_run run;
} shared_call;

static armilla_cuda_run *run_of(armilla_cuda_share *share)
{
    return &((shared_call *)share)->run;
}

/* --- Beginning -------------------------------------------------------------------------------- */

/* Doubles, so that what lies behind them begins where parts of the memory do. */
static int64_t round_part(int64_t doubles)
{
    return armilla_cuda_round_part(8 * doubles) / 8;
}

static int64_t count_doubles(const armilla_cuda_share_sizes *sizes)
{
    return round_part(sizes->leg) + round_part(sizes->whole) +
           ARMILLA_CUDA_SHARE_SLOTS * (round_part(sizes->out) + round_part(sizes->in));
}

static armilla_cuda_share known_of(const armilla_cuda_run *r, const armilla_cuda_share_sizes *sizes)
{
    armilla_cuda_share known = {
        .rows = armilla_cuda_run_rows(r), .maps = armilla_cuda_run_maps(r), .leg = r->leg};
    double *end = known.leg + round_part(sizes->leg);
    known.whole = end, end += round_part(sizes->whole);
    for (int slot = 0; slot < ARMILLA_CUDA_SHARE_SLOTS; slot++) {
        known.out[slot] = end, end += round_part(sizes->out);
        known.in[slot] = end, end += round_part(sizes->in);
    }
    return known;
}

static armilla_status begin(const armilla_cuda_transform *transform, const armilla_cuda_call *call,
                            const armilla_cuda_share_sizes *sizes, armilla_cuda_share **share)
{
    shared_call *s;
    armilla_status status = armilla_allocate_zero(&s, 1, sizeof *s);
    if (status) return status;
    s->call = *call;
    s->run = (armilla_cuda_run){.t = transform,
                                .flow = armilla_cuda_choose_flow(transform, call->weighted),
                                .call = &s->call,
                                .over_ranks = 1,
                                .batches = {call->exec.ntrans, 1},
                                .leg_bytes = 8 * count_doubles(sizes)};
    if ((status = armilla_cuda_run_open(&s->run))) {
        armilla_release(s);
        return status;
    }
    s->known = known_of(&s->run, sizes);
    *share = &s->known;
    return ARMILLA_OK;
}

static armilla_status end(armilla_cuda_share *share)
{
    shared_call *s = (shared_call *)share;
    const armilla_status status = armilla_cuda_run_close(&s->run, ARMILLA_OK);
    armilla_release(s);
    return status;
}

/* --- Stages ----------------------------------------------------------------------------------- */

static void begin_batch(armilla_cuda_share *share, int64_t count, armilla_array *alm,
                        armilla_array *map)
{
    armilla_cuda_run_begin_batch(run_of(share), count, alm, map);
}

static void end_batch(armilla_cuda_share *share, int64_t count, armilla_array alm,
                      armilla_array map)
{
    armilla_cuda_run_end_batch(run_of(share), count, alm, map);
}

static void run(armilla_cuda_share *share, armilla_stage stage, const armilla_pass *pass,
                const armilla_leg *leg)
{
    armilla_cuda_run_stage(run_of(share), stage, pass, leg);
}

/* --- Messages --------------------------------------------------------------------------------- */

static void move(armilla_cuda_share *share, const armilla_cuda_moved *moved)
{
    armilla_cuda_moves_run(moved, &run_of(share)->frame.work);
}

static void copy(armilla_cuda_share *share, double *to, const double *from, int64_t count,
                 int to_host)
{
    armilla_cuda_work *work = &run_of(share)->frame.work;
    const enum cudaMemcpyKind kind = to_host ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
    if (count)
        armilla_cuda_note(work, cudaMemcpyAsync(to, from, 8 * (size_t)count, kind, work->stream));
}

static armilla_status wait(armilla_cuda_share *share)
{
    armilla_cuda_work *work = &run_of(share)->frame.work;
    armilla_cuda_note(work, cudaStreamSynchronize(work->stream));
    return armilla_cuda_work_status(work, "a transform");
}

const armilla_cuda_share_table armilla_cuda_share_functions = {.begin = begin,
                                                               .begin_batch = begin_batch,
                                                               .end_batch = end_batch,
                                                               .run = run,
                                                               .move = move,
                                                               .copy = copy,
                                                               .wait = wait,
                                                               .end = end,
                                                               .make_moves =
                                                                   armilla_cuda_moves_new};
