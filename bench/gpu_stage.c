/* Runs one stage of the GPU in poisoned memory and counts where its results are wrong. */
#include "gpu_stage.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 256 };

void *gpu_stage_put(const void *host, int64_t bytes)
{
    void *device;
    gpu_stop_at_cuda(cudaMalloc(&device, (size_t)bytes + MARGIN), "device memory");
    gpu_stop_at_cuda(cudaMemset(device, 0xff, (size_t)bytes + MARGIN), "filling it");
    gpu_stop_at_cuda(cudaMemcpy(device, host, (size_t)bytes, cudaMemcpyHostToDevice), "a copy");
    return device;
}

void gpu_stage_get(void *host, const void *device, int64_t bytes)
{
    gpu_stop_at_cuda(cudaMemcpy(host, device, (size_t)bytes, cudaMemcpyDeviceToHost), "a copy");
}

/* The default stream has filled the memory; the new one does not wait for it by itself. */
void gpu_stage_begin(armilla_cuda_work *work, int64_t scratch_bytes)
{
    memset(work, 0, sizeof *work);
    work->scratch_bytes = scratch_bytes;
    gpu_stop_at_cuda(cudaMalloc(&work->scratch, (size_t)scratch_bytes + MARGIN), "scratch");
    gpu_stop_at_cuda(cudaMemset(work->scratch, 0xff, (size_t)scratch_bytes + MARGIN), "scratch");
    gpu_stop_at_cuda(cudaDeviceSynchronize(), "filling memory");
    gpu_stop_at_cuda(cudaStreamCreateWithFlags(&work->stream, cudaStreamNonBlocking), "a stream");
}

void gpu_stage_end(armilla_cuda_work *work, const char *what)
{
    armilla_cuda_note(work, cudaStreamSynchronize(work->stream));
    gpu_stop_at_cuda(work->error, what);
    cudaFree(work->scratch);
    cudaStreamDestroy(work->stream);
}

void gpu_stage_host_work(int64_t scratch_size, armilla_progress *progress, armilla_work *work)
{
    armilla_progress_start(progress, NULL, NULL, 1);
    *work = (armilla_work){.nthreads = 1, .scratch_size = scratch_size, .progress = progress};
    gpu_stop_at(armilla_allocate(&work->scratch, scratch_size, sizeof(double)), "scratch");
}

static void note_first(gpu_comparison *c, const gpu_place *p, double wanted, double got)
{
    snprintf(c->first, sizeof c->first, "%s %lld, %s %lld, %s %lld, %s: got %.17g, wanted %.17g",
             p->names[0], (long long)p->numbers[0], p->names[1], (long long)p->numbers[1],
             p->names[2], (long long)p->numbers[2], p->part, got, wanted);
}

void gpu_compare(gpu_comparison *c, const gpu_place *place, double wanted, double got)
{
    const double difference = fabs(wanted - got);
    const int odd = isnan(wanted) != isnan(got);
    if (c->limit == 0) {
        if (fabs(wanted) > c->largest) c->largest = fabs(wanted);
        return;
    }
    if (isnan(wanted) && isnan(got)) return;
    c->entries++;
    c->missing += odd;
    if (difference > c->difference || isnan(difference)) c->difference = difference;
    if (!(difference <= c->limit) && !c->first[0]) note_first(c, place, wanted, got);
}

void gpu_compare_entry(void *data, const gpu_place *place, int64_t at)
{
    const gpu_two_arrays *t = data;
    gpu_compare(t->c, place, t->wanted[at], t->got[at]);
}

void gpu_compare_again(gpu_comparison *c)
{
    c->limit = c->bound * (c->largest > 0 ? c->largest : 1);
}

void gpu_compare_report(const gpu_comparison *c)
{
    const double error = c->largest > 0 ? c->difference / c->largest : c->difference;
    char number[40] = "null";
    if (isfinite(error)) snprintf(number, sizeof number, "%.3e", error);
    gpu_report_row("\"key\": \"%s\", \"value\": %s, \"unit\": \"\", \"bound\": %.2e, \"entries\": "
                   "%lld, \"not_written\": %lld",
                   c->what, number, c->bound, (long long)c->entries, (long long)c->missing);
    if (c->first[0])
        gpu_report_wrong("%s: error %s, bound %.1e, %lld of %lld entries not numbers; first wrong: "
                         "%s",
                         c->what, number, c->bound, (long long)c->missing, (long long)c->entries,
                         c->first);
    else
        gpu_report_line(' ', "%s: error %s, bound %.1e, %lld entries", c->what, number, c->bound,
                        (long long)c->entries);
}
