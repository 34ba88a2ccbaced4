/* The Legendre stage against the peak of one core, for every instruction set of this machine.
 *
 *   bench_kernels ROUNDS SPIN ISA LMAX...       ISA: one instruction set, or "all"
 *
 * One line of JSON per result; without LMAX only the peaks.
 *
 * The public API runs whole transforms only, so the Legendre stage is
 * made to outweigh the ring stage: the rings are those of a Gauss-Legendre grid of lmax + 1 rings
 * but with PIXELS pixels each, and mmax = lmax / 4, where an order has more degrees than on
 * average. What is left of the ring stage (folding the modes) is of order lmax^2, next to lmax^3 of
 * the Legendre stage (docs/mathematics.md 2), and counts against us: the share of peak is a lower
 * bound of the stage's, close to it from lmax 2047 on. Useful operations: as armilla_sht_describe
 * counts. */
#include "armilla/armilla.h"
#include "peak.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PIXELS = 8 };

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int report(armilla_status status, const char *what)
{
    if (status)
        fprintf(stderr, "bench_kernels: %s: %s: %s\n", what, armilla_status_name(status),
                armilla_status_message());
    return status != ARMILLA_OK;
}

/* --- Peak ---------------------------------------------------------------------------------------
 */

typedef double (*peak_function)(long rounds, double *sink);

static const struct {
    const char *isa;
    peak_function run;
} PEAKS[] = {
    {"scalar", peak_scalar},
#if defined(BENCH_X86)
    {"sse2", peak_sse2},
    {"avx2", peak_avx2},
    {"avx512", peak_avx512},
#elif defined(BENCH_ARM)
    {"neon", peak_neon},
#endif
};

static double measure_peak(const char *isa)
{
    double best = 0.0, sink;
    for (size_t i = 0; i < sizeof PEAKS / sizeof PEAKS[0]; i++) {
        if (strcmp(PEAKS[i].isa, isa)) continue;
        for (int repeat = 0; repeat < 9; repeat++) {
            double start = now(), flops = PEAKS[i].run(2000000, &sink);
            double speed = 1e-9 * flops / (now() - start);
            if (speed > best) best = speed;
        }
    }
    return best;
}

/* --- The stage ----------------------------------------------------------------------------------
 */

/* The rings of a Gauss-Legendre grid, PIXELS pixels each. */
static armilla_status sparse_grid(int64_t nrings, armilla_grid **grid)
{
    armilla_grid *full = NULL;
    armilla_ring *rings = malloc((size_t)nrings * sizeof *rings);
    armilla_status status =
        rings ? armilla_grid_new_gauss_legendre(nrings, PIXELS, &full) : ARMILLA_ERROR_MEMORY;
    for (int64_t i = 0; i < nrings && !status; i++) {
        status = armilla_grid_ring(full, i, &rings[i]);
        rings[i].nphi = PIXELS, rings[i].offset = PIXELS * i, rings[i].stride = 1;
    }
    if (!status) status = armilla_grid_new_custom(nrings, rings, grid);
    armilla_grid_free(full);
    free(rings);
    return status;
}

typedef struct {
    int spin;
    armilla_sht *sht;
    double *alm, *map;
    armilla_exec exec;
} stage;

static armilla_status run_stage(const stage *s, int adjoint)
{
    return adjoint ? armilla_sht_adjoint_synthesis(s->sht, s->map, s->alm, &s->exec)
                   : armilla_sht_synthesis(s->sht, s->alm, s->map, &s->exec);
}

static int time_stage(const stage *s, const armilla_sht_description *d, int adjoint, int rounds)
{
    double best = 1e300;
    for (int i = 0; i < rounds; i++) {
        double start = now();
        if (report(run_stage(s, adjoint), "transform")) return 1;
        double seconds = now() - start;
        if (seconds < best) best = seconds;
    }
    printf("{\"lmax\": %lld, \"spin\": %d, \"isa\": \"%s\", \"operator\": \"%s\", "
           "\"seconds\": %.6e, \"gflops\": %.3f}\n",
           (long long)d->lmax, s->spin, d->isa, adjoint ? "adjoint_synthesis" : "synthesis", best,
           1e-9 * d->useful_flops / best);
    fflush(stdout);
    return 0;
}

static int fill_and_time(stage *s, int rounds)
{
    armilla_sht_description d = {.size = sizeof d};
    if (report(armilla_sht_describe(s->sht, 1, &d), "describe")) return 1;
    int64_t nalm = 2 * d.alm_ncomp * d.alm_size, nmap = d.ncomp * d.npix;
    s->alm = calloc((size_t)nalm, sizeof(double));
    s->map = calloc((size_t)nmap, sizeof(double));
    if (!s->alm || !s->map) return report(ARMILLA_ERROR_MEMORY, "arrays");
    for (int64_t i = 0; i < nalm; i++) s->alm[i] = (double)(i * 7919 % 1013) / 1013.0;
    for (int64_t i = 0; i < nmap; i++) s->map[i] = (double)(i * 104729 % 997) / 997.0;
    return time_stage(s, &d, 0, rounds) || time_stage(s, &d, 1, rounds);
}

static int bench_lmax(const char *isa, int spin, int64_t lmax, int rounds)
{
    stage s = {.spin = spin};
    armilla_grid *grid = NULL;
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.isa = isa;
    options.spin = spin;
    armilla_exec_init(&s.exec);
    s.exec.nthreads = 1;
    int failed = report(sparse_grid(lmax + 1, &grid), "grid") ||
                 report(armilla_sht_new(grid, lmax, lmax / 4, &options, &s.sht), "plan") ||
                 fill_and_time(&s, rounds);
    armilla_grid_free(grid);
    armilla_sht_free(s.sht);
    free(s.alm);
    free(s.map);
    return failed;
}

int main(int count, char **arguments)
{
    int rounds = count > 3 ? atoi(arguments[1]) : 0;
    if (rounds < 1) {
        fprintf(stderr, "usage: bench_kernels ROUNDS SPIN ISA LMAX...\n");
        return 2;
    }
    const char *isa, *only = arguments[3];
    for (int i = 0; (isa = armilla_isa_available(i)) != NULL; i++) {
        if (strcmp(only, "all") && strcmp(only, isa)) continue;
        printf("{\"isa\": \"%s\", \"peak\": %.3f}\n", isa, measure_peak(isa));
        fflush(stdout);
        for (int k = 4; k < count; k++)
            if (bench_lmax(isa, atoi(arguments[2]), atoll(arguments[k]), rounds)) return 1;
    }
    return 0;
}
