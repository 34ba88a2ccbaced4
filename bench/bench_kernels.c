/* Measures the Legendre stage against the peak of multiply-adds of one core.
 *
 *   bench_kernels ROUNDS SPIN NTRANS ISA LMAX...       ISA: one instruction set, or "all"
 *
 * One line of JSON per result; without LMAX only the peaks.
 *
 * The stage is that of a plan for a Gauss-Legendre grid of lmax + 1 rings with mmax = lmax, run as
 * a transform runs it (src/sht/execute.c), pass by pass and order by order: rows of alm in and out,
 * start, recurrence tables, coefficients, kernels, lane sums, degrees. Only the ring stage between
 * the passes is missing, which is why this driver, unlike the others, sees the library's internals.
 * All memory has been touched before.
 *
 * Useful operations are counted here, ring by ring and order by order: the (l, m, ring) with
 * l sin theta > m, times 1 + 2 NTRANS for scalars, 5 for spin 1 to 3 and 12 beyond
 * (docs/mathematics.md 2 and 3). "library_flops" is what armilla_sht_describe says, per transform.
 *
 * Orders run in slices of about 10 ms, with a burst of multiply-adds before and after each, which
 * is the peak. "share" is the shortest time of all rounds against the highest peak of all bursts;
 * "share_beside" is the median over rounds of useful operations over what multiply-adds could have
 * done in the same time at the peak next to each slice: it does not mind a clock that changes.
 * Times are processor times, so that other programs on the core cost their share of the caches
 * only; "stolen" is the part of the time on the clock that they took. "median" (of seconds) and
 * "peak_lowest" tell how even the run was. */
#include "base/memory.h"
#include "legendre/rows.h"
#include "legendre/stage.h"
#include "sht/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_ROUNDS = 1000, PEAK_ROUNDS = 500000, PEAK_BURSTS = 16, MOST_TRIES = 8 };

static const double SLICE_SECONDS = 0.01;

/* Processor time of this thread. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double wall_clock(void)
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

/* --- Peak ------------------------------------------------------------------------------------- */

typedef double peak_function(long rounds, double *sink); /* of peak.c, for an instruction set */
peak_function peak_scalar, peak_sse2, peak_avx2, peak_avx512, peak_neon;

static const struct {
    const char *isa;
    peak_function *run;
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

/* GFlop/s of one burst, a millisecond or so; another one where other programs came between, and in
 * the end the one that lost least time to them. */
static double burst(peak_function *run)
{
    double speed = 0, least = HUGE_VAL, sink;
    for (int i = 0; i < MOST_TRIES && least > 1.02; i++) {
        double clock = wall_clock(), start = now(), flops = run(PEAK_ROUNDS, &sink);
        double seconds = now() - start;
        clock = wall_clock() - clock;
        if (clock / seconds > least) continue;
        least = clock / seconds, speed = 1e-9 * flops / seconds;
    }
    return speed;
}

/* GFlop/s, the best of some bursts. */
static double measure_peak(const char *isa, int bursts)
{
    double best = 0.0;
    for (size_t i = 0; i < sizeof PEAKS / sizeof PEAKS[0]; i++)
        for (int k = 0; k < bursts && strcmp(PEAKS[i].isa, isa) == 0; k++)
            best = fmax(best, burst(PEAKS[i].run));
    return best;
}

/* --- The stage -------------------------------------------------------------------------------- */

typedef struct {
    armilla_sht *sht;
    const armilla_flow_way *way;
    armilla_alm_rows alm;
    double *leg, *scratch;
    int64_t spin, ntrans;
    double terms; /* (l, m, ring) that matter */
} stage;

/* A stage being timed: slices of orders with a burst of multiply-adds between any two. */
typedef struct {
    const char *isa;
    double peak, highest, lowest; /* GFlop/s: last, and of all */
    double seconds, could;        /* of the stage; GFlop that multiply-adds could have done in it */
    double start, clock;          /* of the slice, processor time and wall clock */
    double passed;                /* wall clock of all slices */
} meter;

static void take_peak(meter *t)
{
    t->peak = measure_peak(t->isa, 1);
    if (t->peak > t->highest) t->highest = t->peak;
    if (t->peak < t->lowest) t->lowest = t->peak;
}

static void begin_slice(meter *t)
{
    take_peak(t);
    t->clock = wall_clock(), t->start = now();
}

static void end_slice(meter *t)
{
    const double seconds = now() - t->start, before = t->peak;
    t->seconds += seconds, t->passed += wall_clock() - t->clock;
    take_peak(t);
    t->could += seconds * (before + t->peak) / 2;
    t->clock = wall_clock(), t->start = now();
}

/* As armilla_legendre_to_leg and armilla_legendre_from_leg, whose loop must be interrupted here. */
static void run_pass(stage *s, const armilla_leg *leg, int adjoint, meter *t)
{
    const armilla_legendre *legendre = s->sht->flow.legendre;
    const armilla_legendre_rows alm = armilla_legendre_rows_of(legendre, &s->alm, !adjoint);
    double *scratch = s->scratch + leg->nsets * alm.length;
    armilla_leg_rows rows = {.of = leg, .nsets = leg->nsets, .count = leg->layout->blocks[0].nrows};
    armilla_leg_rows_open(&rows, adjoint, NULL);
    for (int64_t row = 0; row < rows.count; row++) {
        armilla_legendre_rows_run(&alm, &rows, row, s->scratch, scratch);
        if (wall_clock() - t->clock > SLICE_SECONDS) end_slice(t);
    }
}

static void run_stage(stage *s, int adjoint, meter *t)
{
    const armilla_leg_passes *passes = &s->way->passes;
    begin_slice(t);
    for (int64_t pass = 0; pass < passes->count; pass++) {
        const armilla_leg leg = {&passes->layouts[pass], s->ntrans * s->sht->nmap, s->leg, NULL, 0};
        s->alm.later = pass > 0, s->alm.last = pass + 1 == passes->count;
        run_pass(s, &leg, adjoint, t);
    }
    end_slice(t);
}

static double count_terms(const armilla_grid *grid, int64_t nrings, int64_t lmax)
{
    double terms = 0;
    for (int64_t i = 0; i < nrings; i++) {
        armilla_ring ring;
        if (report(armilla_grid_ring(grid, i, &ring), "ring")) return 0;
        for (int64_t m = 0; m <= lmax; m++) {
            int64_t below = (int64_t)floor((double)m / sin(ring.theta)); /* l sin theta <= m */
            if (below < lmax) terms += (double)(lmax - below);
        }
    }
    return terms;
}

static double flops_of(const stage *s)
{
    return s->terms * (double)(s->spin == 0 ? 1 + 2 * s->ntrans : s->spin <= 3 ? 5 : 12);
}

static armilla_status make_plan(stage *s, const char *isa, int64_t lmax)
{
    armilla_grid *grid = NULL;
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.isa = isa;
    options.spin = s->spin;
    options.method = ARMILLA_SHT_DIRECT;
    armilla_status status = armilla_grid_new_gauss_legendre(lmax + 1, 2 * lmax + 2, &grid);
    if (!status) status = armilla_sht_new(grid, lmax, lmax, &options, &s->sht);
    if (!status) s->terms = count_terms(grid, lmax + 1, lmax);
    armilla_grid_free(grid);
    return status;
}

/* Memory of a call, as armilla_sht_synthesis has it, filled with finite numbers. */
static armilla_status make_run(stage *s)
{
    const armilla_sht *sht = s->sht;
    s->way = armilla_flow_find_way(&sht->flow, 0, 0);
    const int64_t sets = s->ntrans * sht->nmap, leg = sets * s->way->passes.size;
    const int64_t nalm = 2 * s->ntrans * sht->nalm * sht->layout->size;
    double *alm = NULL;
    armilla_status status = armilla_allocate_zero(&alm, nalm, sizeof *alm);
    s->alm = (armilla_alm_rows){.values = {alm, 0},
                                .distance = sht->layout->size,
                                .ncomp = sht->nalm,
                                .nsets = sht->nmap,
                                .lmax = sht->layout->lmax,
                                .stride = sht->layout->stride,
                                .mstart = sht->layout->mstart,
                                .spin = s->spin,
                                .real = 1};
    if (!status)
        status = armilla_allocate_zero(
            &s->leg, leg + armilla_flow_scratch_size(&sht->flow, s->way, sets), sizeof *s->leg);
    if (status) return status;
    s->scratch = s->leg + leg;
    for (int64_t i = 0; i < nalm; i++) alm[i] = (double)(i * 7919 % 1013) / 1013.0;
    for (int64_t i = 0; i < leg; i++) s->leg[i] = (double)(i * 104729 % 997) / 997.0;
    return ARMILLA_OK;
}

static void free_stage(stage *s)
{
    armilla_release(s->leg);
    armilla_release(s->alm.values.values);
    armilla_sht_free(s->sht);
}

/* --- Timing ----------------------------------------------------------------------------------- */

typedef struct {
    int count;
    double seconds[MOST_ROUNDS], share[MOST_ROUNDS];
    double highest, lowest;   /* peak */
    double processor, passed; /* sums of seconds, and of those on the clock */
} timings;

static void time_once(stage *s, int adjoint, const char *isa, timings *t)
{
    meter one = {.isa = isa, .highest = t->highest, .lowest = t->lowest};
    run_stage(s, adjoint, &one);
    t->highest = one.highest, t->lowest = one.lowest;
    t->seconds[t->count] = one.seconds;
    t->share[t->count++] = 1e-9 * flops_of(s) / one.could;
    t->processor += one.seconds, t->passed += one.passed;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_result(const stage *s, const char *isa, int adjoint, timings *t)
{
    armilla_sht_description d = {.size = sizeof d};
    if (report(armilla_sht_describe(s->sht, 1, &d), "describe")) return;
    qsort(t->seconds, (size_t)t->count, sizeof *t->seconds, compare);
    qsort(t->share, (size_t)t->count, sizeof *t->share, compare);
    printf("{\"lmax\": %lld, \"spin\": %lld, \"ntrans\": %lld, \"isa\": \"%s\", "
           "\"operator\": \"%s\", \"seconds\": %.6e, \"median\": %.6e, \"stolen\": %.3f, ",
           (long long)d.lmax, (long long)s->spin, (long long)s->ntrans, isa,
           adjoint ? "adjoint_synthesis" : "synthesis", t->seconds[0], t->seconds[t->count / 2],
           1 - t->processor / t->passed);
    printf("\"flops\": %.6e, \"library_flops\": %.6e, \"gflops\": %.3f, \"peak\": %.3f, "
           "\"peak_lowest\": %.3f, \"share\": %.4f, \"share_beside\": %.4f}\n",
           flops_of(s), d.useful_flops, 1e-9 * flops_of(s) / t->seconds[0], t->highest, t->lowest,
           1e-9 * flops_of(s) / t->seconds[0] / t->highest, t->share[t->count / 2]);
    fflush(stdout);
}

/* Both operators in turn, after one run of each that does not count. */
static int bench_lmax(stage s, const char *isa, int64_t lmax, int rounds)
{
    static timings t[2];
    int failed = report(make_plan(&s, isa, lmax), "plan") || report(make_run(&s), "memory");
    for (int i = -1; i < rounds && !failed; i++)
        for (int adjoint = 0; adjoint < 2; adjoint++) {
            if (i <= 0) t[adjoint] = (timings){.lowest = HUGE_VAL};
            time_once(&s, adjoint, isa, &t[adjoint]);
        }
    for (int adjoint = 0; adjoint < 2 && !failed; adjoint++)
        print_result(&s, isa, adjoint, &t[adjoint]);
    free_stage(&s);
    return failed;
}

int main(int count, char **arguments)
{
    const int rounds = count > 4 ? atoi(arguments[1]) : 0;
    const stage asked = {.spin = count > 4 ? atoll(arguments[2]) : 0,
                         .ntrans = count > 4 ? atoll(arguments[3]) : 0};
    if (rounds < 1 || rounds > MOST_ROUNDS || asked.spin < 0 || asked.ntrans < 1 ||
        asked.ntrans > (asked.spin ? 1 : ARMILLA_SETS_MAX)) {
        fprintf(stderr,
                "usage: bench_kernels ROUNDS SPIN NTRANS ISA LMAX...\n"
                "NTRANS: 1, or up to %d with spin 0\n",
                ARMILLA_SETS_MAX);
        return 2;
    }
    const char *isa, *only = arguments[4];
    for (int i = 0; (isa = armilla_isa_available(i)) != NULL; i++) {
        if (strcmp(only, "all") && strcmp(only, isa)) continue;
        printf("{\"isa\": \"%s\", \"peak\": %.3f}\n", isa, measure_peak(isa, PEAK_BURSTS));
        fflush(stdout);
        for (int k = 5; k < count; k++)
            if (bench_lmax(asked, isa, atoll(arguments[k]), rounds)) return 1;
    }
    return 0;
}
