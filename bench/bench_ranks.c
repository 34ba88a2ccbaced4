/* Times distributed transforms and tells what each rank takes: one line of JSON.
 *     mpirun -n N bench_ranks GRID LMAX SPIN REPEATS [threads]     GRID: gl 2048, healpix 1024 */
#include "armilla/mpi.h"
#include "ranks/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t lmax, spin, repeats;
    int nthreads;
} setting;

typedef struct {
    double plan_s, synthesis_s, analysis_s; /* the slowest rank; calls: the best of all repeats */
    int64_t largest_bytes;                  /* of memory that a rank has had at most */
} result;

/* Resident memory at its highest, bytes. */
static int64_t peak_bytes(void)
{
    char line[256];
    long long kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file)) sscanf(line, "VmHWM: %lld", &kilobytes);
    if (file) fclose(file);
    return kilobytes * 1024;
}

static double slowest(double seconds)
{
    double all;
    MPI_Allreduce(&seconds, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static void stop_at(armilla_status status)
{
    if (!status) return;
    fprintf(stderr, "bench_ranks: %s\n", armilla_status_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void time_calls(const armilla_distributed_sht *sht, const setting *s, double *alm,
                       double *map, result *r)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = s->nthreads;
    r->synthesis_s = r->analysis_s = 1e30;
    for (int64_t i = 0; i < s->repeats; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        stop_at(armilla_distributed_sht_synthesis(sht, alm, map, &exec));
        const double middle = MPI_Wtime();
        stop_at(armilla_distributed_sht_analysis(sht, map, alm, &exec));
        const double synthesis = slowest(middle - begin), analysis = slowest(MPI_Wtime() - middle);
        if (synthesis < r->synthesis_s) r->synthesis_s = synthesis;
        if (analysis < r->analysis_s) r->analysis_s = analysis;
    }
}

static void report(const char *grid, const setting *s, const armilla_transport *transport,
                   const armilla_distributed_sht *sht, result *r)
{
    armilla_distributed_description d = {.size = sizeof d};
    int64_t memory = peak_bytes(), most[4];
    armilla_distributed_sht_describe(sht, s->nthreads, &d);
    const int64_t mine[4] = {memory, d.plan_bytes, d.workspace_bytes, d.bytes};
    memcpy(most, mine, sizeof most);
    transport->largest(transport->context, 4, most);
    if (transport->rank) return;
    printf("{\"grid\": \"%s\", \"lmax\": %lld, \"spin\": %lld, \"ranks\": %lld, \"threads\": %d, "
           "\"plan_s\": %.4f, \"synthesis_s\": %.6f, \"analysis_s\": %.6f, \"peak_MB\": %.1f, "
           "\"plan_MB\": %.1f, \"workspace_MB\": %.1f, \"sent_MB\": %.3f, \"chunks\": %lld, "
           "\"messages\": %lld}\n",
           grid, (long long)s->lmax, (long long)s->spin, (long long)transport->nranks, s->nthreads,
           r->plan_s, r->synthesis_s, r->analysis_s, (double)most[0] * 1e-6, (double)most[1] * 1e-6,
           (double)most[2] * 1e-6, (double)most[3] * 1e-6, (long long)d.chunks,
           (long long)d.messages);
}

static void run(const char *name, const setting *s, const armilla_transport *transport)
{
    armilla_grid *grid = ranks_grid(name, s->lmax);
    armilla_distribution *distribution;
    armilla_distributed_sht *sht;
    armilla_sht_options options;
    result r;
    if (!grid) stop_at(armilla_status_record(ARMILLA_ERROR_ARGUMENT, "no such grid"));
    armilla_sht_options_init(&options);
    options.spin = s->spin;
    const double begin = MPI_Wtime();
    stop_at(
        armilla_distribution_new(grid, s->lmax, s->lmax, transport->nranks, NULL, &distribution));
    stop_at(armilla_distributed_sht_new(transport, distribution, &options, NULL, &sht));
    r.plan_s = slowest(MPI_Wtime() - begin);
    const int64_t ncomp = s->spin ? 2 : 1;
    const int64_t size = armilla_distribution_alm_size(distribution, transport->rank);
    const int64_t npix = armilla_distribution_npix(distribution, transport->rank);
    double *alm = calloc((size_t)(2 * ncomp * size + 1), sizeof *alm);
    double *map = calloc((size_t)(ncomp * npix + 1), sizeof *map);
    if (!alm || !map) stop_at(armilla_status_record(ARMILLA_ERROR_MEMORY, "no memory for arrays"));
    for (int64_t i = 0; i < 2 * ncomp * size; i++) alm[i] = 1e-3 * (double)(i % 1001) - 0.5;
    time_calls(sht, s, alm, map, &r);
    report(name, s, transport, sht, &r);
    free(alm);
    free(map);
    armilla_distributed_sht_free(sht);
    armilla_distribution_free(distribution);
    armilla_grid_free(grid);
}

int main(int argc, char **argv)
{
    armilla_transport *transport;
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    if (argc < 5) {
        fprintf(stderr, "usage: bench_ranks \"GRID\" LMAX SPIN REPEATS [THREADS]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const setting s = {atoll(argv[2]), atoll(argv[3]), atoll(argv[4]),
                       argc > 5 ? atoi(argv[5]) : 1};
    stop_at(armilla_mpi_transport_new(MPI_COMM_WORLD, NULL, &transport));
    run(argv[1], &s, transport);
    armilla_mpi_transport_free(transport);
    MPI_Finalize();
    return 0;
}
