/* Checks what a process leaves that is killed while it writes: the name asked for holds nothing,
 * the old whole file or the new whole one. Every second kill waits until it sees a temporary file,
 * so that it hits a write, the others until a file is whole; what a killed write leaves behind
 * shows that it did. */
#include "test_io_support.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { NSIDE = 128, KILLS = 48, FEWEST_HITS = 12, SEED = 20240607, PATIENCE_MS = 60000 };

static const char name[] = "map.fits";

static void fill(armilla_map *map, double value)
{
    for (int64_t i = 0; i < map->npix; i++)
        for (int64_t f = 0; f < map->nfields; f++) map->fields[f].values[i] = value;
}

/* Writes generation after generation until it is killed. */
static void write_for_ever(armilla_map *map, double generation)
{
    for (;; generation++) {
        fill(map, generation);
        if (armilla_map_write(name, map, 1)) _exit(1);
    }
}

/* Microseconds that a file takes, within 2 and 50 ms: the slower the machine at the moment, the
 * longer the writers live. */
static int64_t measure_write(armilla_map *map)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    fill(map, 1);
    assert_works(armilla_map_write(name, map, 1));
    clock_gettime(CLOCK_MONOTONIC, &end);
    int64_t taken = 1000000 * (end.tv_sec - begin.tv_sec) + (end.tv_nsec - begin.tv_nsec) / 1000;
    assert_int_equal(unlink(name), 0);
    return taken < 2000 ? 2000 : taken > 50000 ? 50000 : taken;
}

static void pause_for(int64_t microseconds)
{
    struct timespec pause = {microseconds / 1000000, (long)(microseconds % 1000000) * 1000};
    nanosleep(&pause, NULL);
}

static void kill_after(pid_t child, int64_t microseconds)
{
    int ended;
    pause_for(microseconds);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFSIGNALED(ended)); /* it did not end by an error of its own */
}

/* Returned: generation of the file, -1 if there is none. */
static double check_file(void)
{
    armilla_map *map;
    if (access(name, F_OK)) return -1;
    assert_works(armilla_map_read(name, 1, 0, NULL, &map));
    assert_int_equal(map->nside, NSIDE);
    double generation = map->fields[0].values[0];
    for (int64_t f = 0; f < map->nfields; f++)
        for (int64_t i = 0; i < map->npix; i++)
            if (map->fields[f].values[i] != generation)
                fail_msg("pixel %lld of field %lld is %g, not %g", (long long)i, (long long)f,
                         map->fields[f].values[i], generation);
    armilla_map_free(map);
    return generation;
}

static int count_leftovers(void)
{
    DIR *stream = opendir(".");
    int count = 0;
    for (struct dirent *entry; (entry = readdir(stream));) {
        size_t length = strlen(entry->d_name);
        count += length > 4 && !strcmp(entry->d_name + length - 4, ".tmp") &&
                 !strncmp(entry->d_name, ".map.fits.", 10);
    }
    closedir(stream);
    return count;
}

/* A write has begun, beyond those that were killed before. */
static void wait_for_write(int leftovers)
{
    for (int i = 0; count_leftovers() <= leftovers; i++) {
        if (i == PATIENCE_MS) fail_msg("the writer shows no temporary file");
        pause_for(1000);
    }
}

/* A first file is whole, however long this takes on a busy machine. */
static void wait_for_file(void)
{
    for (int i = 0; access(name, F_OK); i++) {
        if (i == PATIENCE_MS) fail_msg("the writer finishes no file");
        pause_for(1000);
    }
}

/* One writer's life and death. Returned: was it killed within a write? */
static int kill_writer(armilla_map *map, double generation, int64_t write_time, uint64_t *seed,
                       int is_aimed)
{
    const int leftovers = count_leftovers();
    pid_t child = fork();
    assert_int_not_equal(child, -1);
    if (child == 0) write_for_ever(map, generation);
    if (is_aimed)
        wait_for_write(leftovers);
    else
        wait_for_file();
    kill_after(child, draw_below(seed, is_aimed ? write_time : 8 * write_time));
    return count_leftovers() - leftovers;
}

static void killed_writers_leave_whole_files_only(void **state)
{
    (void)state;
    armilla_map *map;
    uint64_t seed = SEED;
    int missing = 0, whole = 0, hits = 0;
    assert_works(armilla_map_new(NSIDE, 2, &map));
    const int64_t write_time = measure_write(map);
    for (int round = 0; round < KILLS; round++) {
        const double generation = 1000.0 * (round + 1);
        if (round % 3 == 0) unlink(name);
        double before = check_file();
        hits += kill_writer(map, generation, write_time, &seed, round % 2);
        double after = check_file();
        missing += after < 0;
        whole += after >= 0;
        assert_true(after == before || after >= generation);
    }
    int leftovers = count_leftovers();
    print_message("seed %d: %d kills, %d within a write, %d times no file, %d times a whole one\n",
                  SEED, KILLS, hits, missing, whole);
    assert_true(whole > 0);
    assert_int_equal(hits, leftovers);
    assert_true(hits >= FEWEST_HITS);
    assert_int_equal(count_entries(), leftovers + (access(name, F_OK) == 0));
    fill(map, 7);
    assert_works(armilla_map_write(name, map, 1)); /* leftovers disturb nothing */
    assert_true(check_file() == 7);
    assert_int_equal(count_leftovers(), leftovers);
    armilla_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {IN_DIRECTORY(killed_writers_leave_whole_files_only)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
