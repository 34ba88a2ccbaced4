/* What a team of threads costs: the time of a synthesis in several builds of the library, by turns
 * in one process, so that other programs and the clock's whims meet all of them alike.
 *
 *   bench_team LMAX NTHREADS CALLERS SECONDS LIBRARY...
 *
 * LIBRARY: shared libraries (libarmilla.so), of this version each. CALLERS threads call at the same
 * time, with a team of NTHREADS each (0: all). Gauss-Legendre grid, spin 0. A line for each
 * library: the least and the mean time of a call, in microseconds; with several callers that of 20
 * calls each, over 20. */
#include "armilla/armilla.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_LIBRARIES = 8, MOST_CALLERS = 64, CALLS = 20 };

typedef struct {
    const char *path;
    armilla_sht *sht;
    armilla_status (*synthesis)(const armilla_sht *, const double *, double *,
                                const armilla_exec *);
    double best, sum; /* seconds */
} library;

typedef struct {
    const library *library;
    const armilla_exec *exec;
    const double *alm;
    double *map;
} caller;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void give_up(const char *why)
{
    fprintf(stderr, "bench_team: %s\n", why);
    exit(1);
}

static void *find(void *handle, const char *name)
{
    void *found = dlsym(handle, name);
    if (!found) give_up(dlerror());
    return found;
}

static void open_library(const char *path, int64_t lmax, library *l)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) give_up(dlerror());
    armilla_status (*new_grid)(int64_t, int64_t, armilla_grid **);
    armilla_status (*new_sht)(const armilla_grid *, int64_t, int64_t, const armilla_sht_options *,
                              armilla_sht **);
    *(void **)&new_grid = find(handle, "armilla_grid_new_gauss_legendre");
    *(void **)&new_sht = find(handle, "armilla_sht_new");
    *(void **)&l->synthesis = find(handle, "armilla_sht_synthesis");
    armilla_grid *grid;
    if (new_grid(lmax + 1, 2 * lmax + 2, &grid) || new_sht(grid, lmax, lmax, NULL, &l->sht))
        give_up("no plan");
    l->path = path, l->best = 1e300;
}

static void *call(void *argument)
{
    const caller *c = argument;
    for (int i = 0; i < CALLS; i++)
        if (c->library->synthesis(c->library->sht, c->alm, c->map, c->exec))
            give_up("a call failed");
    return NULL;
}

static void note(library *l, double seconds, int calls)
{
    if (seconds / calls < l->best) l->best = seconds / calls;
    l->sum += seconds / calls;
}

/* One caller: each call by itself. Several: all of them together. */
static void time_once(library *l, caller *callers, int ncallers)
{
    pthread_t threads[MOST_CALLERS];
    const double start = now_s();
    if (ncallers == 1) {
        if (l->synthesis(l->sht, callers->alm, callers->map, callers->exec))
            give_up("a call failed");
        note(l, now_s() - start, 1);
        return;
    }
    for (int i = 0; i < ncallers; i++)
        if (callers[i].library = l, pthread_create(&threads[i], NULL, call, &callers[i]))
            give_up("no thread");
    for (int i = 0; i < ncallers; i++) pthread_join(threads[i], NULL);
    note(l, now_s() - start, CALLS);
}

int main(int argc, char **argv)
{
    library libraries[MOST_LIBRARIES] = {{0}};
    caller callers[MOST_CALLERS];
    armilla_exec exec;
    const int count = argc - 5, ncallers = argc > 5 ? atoi(argv[3]) : 0;
    if (count < 1 || count > MOST_LIBRARIES || ncallers < 1 || ncallers > MOST_CALLERS)
        give_up("usage: bench_team LMAX NTHREADS CALLERS SECONDS LIBRARY...");
    const int64_t lmax = atol(argv[1]), size = (lmax + 1) * (lmax + 2);
    double *alm = malloc((size_t)size * sizeof *alm);
    for (int64_t i = 0; i < size && alm; i++) alm[i] = (double)(i % 7) - 3;
    armilla_exec_init(&exec);
    exec.nthreads = atoi(argv[2]);
    for (int i = 0; i < ncallers; i++)
        callers[i] = (caller){NULL, &exec, alm, calloc((size_t)(2 * size), sizeof(double))};
    for (int i = 0; i < count; i++) open_library(argv[5 + i], lmax, &libraries[i]);
    int64_t rounds = 0;
    for (const double end = now_s() + atof(argv[4]); now_s() < end; rounds++)
        for (int i = 0; i < count; i++)
            for (int k = 0; k < (ncallers == 1 ? CALLS : 1); k++)
                time_once(&libraries[i], callers, ncallers);
    for (int i = 0; i < count; i++)
        printf("lmax %lld, nthreads %d, callers %d: least %.1f mean %.1f us  %s\n", (long long)lmax,
               exec.nthreads, ncallers, 1e6 * libraries[i].best,
               1e6 * libraries[i].sum / (double)(rounds * (ncallers == 1 ? CALLS : 1)),
               argv[5 + i]);
    return 0;
}
