/* Checks that many threads can work on files at once: every thread writes and reads maps,
 * coefficients, spectra and pictures of its own, reads files that all share, replaces one that all
 * write, and makes calls that must fail. Values must be its own, and so must the messages: CFITSIO
 * has one list of them for the whole process, and builds of it that are not for threads share
 * their table of open files, too, so that one lock of the library goes around it. Without the
 * lock, Debian's build gave other threads' messages in five of six runs. ThreadSanitizer sees more
 * (`make test-tsan`). */
#include "test_io_support.h"

#include "oracle/checks.h"
#include <pthread.h>
#include <sched.h>

enum { THREADS = 8, NSIDE = 8, DEGREE = 20, NSPECTRA = 4, NAME = 64 };

typedef struct {
    int number, round;
    char name[NAME];    /* a file of this thread */
    char failure[1024]; /* cmocka's assertions are not for other threads; empty: none */
} worker;

static pthread_barrier_t start;

/* Ends the function with 0 at the first failure, which is kept. */
#define REQUIRE(w, condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            snprintf((w)->failure, sizeof(w)->failure, "thread %d, round %d, line %d: %s [%s]",    \
                     (w)->number, (w)->round, __LINE__, #condition, armilla_status_message());     \
            return 0;                                                                              \
        }                                                                                          \
    } while (0)

static const char *own_name(worker *w, const char *kind)
{
    snprintf(w->name, sizeof w->name, "%s_%d", kind, w->number);
    return w->name;
}

/* Exact in float, different in every thread and round. */
static double value_of(const worker *w, int64_t i)
{
    return (double)(100000 * (w->number + 1) + 1000 * w->round + i % 997);
}

static int has_values(const worker *w, const double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (values[i] != value_of(w, i)) return 0;
    return 1;
}

static void fill(const worker *w, double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++) values[i] = value_of(w, i);
}

/* --- Files of one's own ----------------------------------------------------------------------- */

static int try_map(worker *w)
{
    armilla_map *map = NULL, *back = NULL;
    const char *name = own_name(w, "map.fits");
    REQUIRE(w, !armilla_map_new(NSIDE, 1, &map));
    fill(w, map->fields[0].values, map->npix);
    map->order = (armilla_io_order)(w->round % 2), map->partial = w->number % 2;
    REQUIRE(w, !armilla_map_write(name, map, 1));
    REQUIRE(w, !armilla_map_read(name, 0, 0, NULL, &back));
    REQUIRE(w, back->nside == NSIDE && has_values(w, back->fields[0].values, back->npix));
    armilla_map_free(back);
    armilla_map_free(map);
    return 1;
}

static int try_alm(worker *w)
{
    armilla_alm_file *alm = NULL, *back = NULL;
    const int64_t size = armilla_alm_size(DEGREE, DEGREE);
    const char *name = own_name(w, "alm.fits");
    REQUIRE(w, !armilla_alm_file_new(DEGREE, DEGREE, 1, &alm));
    fill(w, alm->alm, 2 * size);
    for (int64_t l = 0; l <= DEGREE; l++) alm->alm[2 * l + 1] = 0; /* m = 0 is real */
    REQUIRE(w, !armilla_alm_write(name, alm, 1));
    REQUIRE(w, !armilla_alm_read(name, 0, &back));
    REQUIRE(w, back->lmax == DEGREE);
    REQUIRE(w, !memcmp(alm->alm, back->alm, (size_t)size * 2 * sizeof(double)));
    armilla_alm_file_free(back);
    armilla_alm_file_free(alm);
    return 1;
}

static int try_cl(worker *w)
{
    armilla_cl_file *cl = NULL, *back = NULL;
    const char *name = own_name(w, "cl.fits");
    REQUIRE(w, !armilla_cl_file_new(DEGREE, NSPECTRA, &cl));
    fill(w, cl->cl, NSPECTRA * (DEGREE + 1));
    REQUIRE(w, !armilla_cl_write(name, cl, 1));
    REQUIRE(w, !armilla_cl_read(name, &back));
    REQUIRE(w, back->nspectra == NSPECTRA && back->lmax == DEGREE);
    REQUIRE(w, has_values(w, back->cl, NSPECTRA * (DEGREE + 1)));
    armilla_cl_file_free(back);
    armilla_cl_file_free(cl);
    return 1;
}

static int try_text(worker *w)
{
    armilla_cl_file *back = NULL;
    const char *name = own_name(w, "cl.txt");
    FILE *stream = fopen(name, "w");
    REQUIRE(w, stream);
    fprintf(stream, "# l TT\n");
    for (int l = 0; l <= DEGREE; l++) fprintf(stream, "%d %.17g\n", l, value_of(w, l));
    REQUIRE(w, fclose(stream) == 0);
    REQUIRE(w, !armilla_cl_read(name, &back));
    REQUIRE(w, back->lmax == DEGREE && has_values(w, back->cl, DEGREE + 1));
    armilla_cl_file_free(back);
    return 1;
}

static int try_picture(worker *w)
{
    enum { NPIX = 12 * NSIDE * NSIDE };
    double values[NPIX];
    unsigned char magic[4] = {0};
    armilla_picture_options options;
    armilla_picture_options_init(&options);
    options.width = 200, options.nthreads = 2;
    fill(w, values, NPIX);
    const char *name = own_name(w, "view.png");
    REQUIRE(w, !armilla_picture_write(name, NSIDE, values, &options, 1));
    FILE *stream = fopen(name, "rb");
    REQUIRE(w, stream && fread(magic, 1, 4, stream) == 4);
    fclose(stream);
    REQUIRE(w, !memcmp(magic, "\x89PNG", 4));
    return 1;
}

/* --- Files that all share --------------------------------------------------------------------- */

static const worker nobody = {.number = 99};

static int try_shared(worker *w)
{
    armilla_map *map = NULL;
    char *text = NULL;
    REQUIRE(w, !armilla_map_read("shared.fits", 0, 0, NULL, &map));
    REQUIRE(w, has_values(&nobody, map->fields[0].values, map->npix));
    armilla_map_free(map);
    REQUIRE(w, !armilla_io_describe("shared.fits", &text));
    REQUIRE(w, strstr(text, "HEALPix map, nside 8 (768 pixels), RING, full sky"));
    armilla_io_text_free(text);
    return 1;
}

/* Whoever comes last: what stands there is one thread's whole map. */
static int try_contested(worker *w)
{
    armilla_map *map = NULL;
    REQUIRE(w, !armilla_map_new(NSIDE, 1, &map));
    for (int64_t i = 0; i < map->npix; i++) map->fields[0].values[i] = w->number;
    REQUIRE(w, !armilla_map_write("contested.fits", map, 1));
    armilla_map_free(map);
    REQUIRE(w, !armilla_map_read("contested.fits", 0, 0, NULL, &map));
    for (int64_t i = 1; i < map->npix; i++)
        REQUIRE(w, map->fields[0].values[i] == map->fields[0].values[0]);
    armilla_map_free(map);
    return 1;
}

/* --- Calls that fail -------------------------------------------------------------------------- */

/* A table whose rows are longer than its one column of 8 bytes, by a number of each thread. */
static int wrong_width(int number)
{
    return 9 + number;
}

static void put_damaged(int number)
{
    char name[NAME];
    snprintf(name, sizeof name, "damaged_%d", number);
    maker_begin();
    maker_table("BINTABLE", wrong_width(number), 21, 1);
    maker_column(1, "TEMPERATURE", "1D");
    maker_end_header();
    for (int i = 0; i < 21 * wrong_width(number); i++) maker_integer(0, 1);
    maker_save(name);
}

static int says(const char *part)
{
    return strstr(armilla_status_message(), part) != NULL;
}

/* The message is of this thread's own file, whatever others do before it is looked at. */
static int try_failures(worker *w)
{
    armilla_map *map = NULL;
    armilla_alm_file *alm = NULL;
    const int64_t column = 3;
    const char *name = own_name(w, "missing");
    REQUIRE(w, armilla_map_read(name, 0, 0, NULL, &map) == ARMILLA_ERROR_IO && says(name));
    name = own_name(w, "map.fits");
    REQUIRE(w, armilla_alm_read(name, 0, &alm) == ARMILLA_ERROR_FORMAT && says(name));
    REQUIRE(w, armilla_map_read(name, 1, 1, &column, &map) == ARMILLA_ERROR_ARGUMENT && says(name));
    REQUIRE(w, armilla_map_read(name, 7, 0, NULL, &map) == ARMILLA_ERROR_ARGUMENT && says(name));
    REQUIRE(w, !map && !alm);
    return 1;
}

/* CFITSIO's own words, which it keeps in one list for the whole process. */
static int try_damaged(worker *w)
{
    armilla_cl_file *cl = NULL;
    char detail[NAME];
    const char *name = own_name(w, "damaged");
    snprintf(detail, sizeof detail, "NAXIS1 = %d is not", wrong_width(w->number));
    for (int i = 0; i < 20; i++) {
        REQUIRE(w, armilla_cl_read(name, &cl) == ARMILLA_ERROR_FORMAT && !cl);
        REQUIRE(w, says(name) && says(detail));
        sched_yield();
        REQUIRE(w, says(name) && says(detail));
    }
    return 1;
}

/* --- All of it -------------------------------------------------------------------------------- */

typedef int (*trial)(worker *);
static const trial trials[] = {try_map,  try_damaged, try_failures, try_alm,      try_cl,
                               try_text, try_shared,  try_picture,  try_contested};
enum { TRIALS = sizeof trials / sizeof *trials };

static int rounds(void)
{
    return checks_quick() ? 4 : 12;
}

/* Each thread begins elsewhere in the list; the map comes before the failures that need it. */
static void *run_worker(void *argument)
{
    worker *w = argument;
    pthread_barrier_wait(&start);
    if (!try_map(w)) return NULL;
    for (; w->round < rounds(); w->round++)
        for (int i = 0; i < TRIALS; i++)
            if (!trials[(i + w->number) % TRIALS](w)) return NULL;
    return NULL;
}

static void put_shared(void)
{
    armilla_map *map;
    assert_works(armilla_map_new(NSIDE, 1, &map));
    fill(&nobody, map->fields[0].values, map->npix);
    assert_works(armilla_map_write("shared.fits", map, 0));
    armilla_map_free(map);
}

static void eight_threads_keep_their_files_apart(void **state)
{
    (void)state;
    pthread_t thread[THREADS];
    worker workers[THREADS];
    put_shared();
    for (int i = 0; i < THREADS; i++) put_damaged(i);
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.number = i};
        assert_int_equal(pthread_create(&thread[i], NULL, run_worker, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&start);
    for (int i = 0; i < THREADS; i++)
        if (*workers[i].failure) fail_msg("%s", workers[i].failure);
    /* map, alm, cl, text, picture, damaged of each; shared and contested; no temporary file */
    assert_int_equal(count_entries(), 6 * THREADS + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {IN_DIRECTORY(eight_threads_keep_their_files_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
