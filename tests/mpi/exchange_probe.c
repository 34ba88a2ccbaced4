/*
 * An MPI program without any use but for tests of MPI itself and of tests/mpi/hosts.sh: every rank
 * sends a megabyte to every other rank, again and again, and every word that arrives is checked.
 *
 *     exchange_probe [--seconds S] [--file FILE]
 *
 * It goes on for S seconds (default 1) by the clock of rank 0, and ends with status 0 if all words
 * were right. Rank 0 then prints the number of rounds and the sum of all words received, and
 * writes both to FILE: to FILE.part first, which takes its name at the very end.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 1 << 17 };

struct probe {
    int rank, size;
    uint64_t *out, *in; /* [size][WORDS]: a message to, and one from, each rank */
    MPI_Request *requests;
    uint64_t sum;
};

/* The word of that index in the message of that round (the mixing of SplitMix64). */
static uint64_t word(uint64_t round, int from, int to, int index)
{
    uint64_t x = (round << 40) ^ ((uint64_t)from << 30) ^ ((uint64_t)to << 20) ^ (uint64_t)index;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static void fill_messages(struct probe *p, uint64_t round)
{
    for (int to = 0; to < p->size; to++)
        for (int i = 0; i < WORDS; i++)
            p->out[(size_t)to * WORDS + i] = word(round, p->rank, to, i);
}

/* All receives are posted before the first send; nothing is copied within a rank. */
static void exchange(struct probe *p)
{
    int n = 0;
    for (int step = 1; step < p->size; step++) {
        int from = (p->rank - step + p->size) % p->size;
        MPI_Irecv(p->in + (size_t)from * WORDS, WORDS, MPI_UINT64_T, from, 0, MPI_COMM_WORLD,
                  &p->requests[n++]);
    }
    for (int step = 1; step < p->size; step++) {
        int to = (p->rank + step) % p->size;
        MPI_Isend(p->out + (size_t)to * WORDS, WORDS, MPI_UINT64_T, to, 0, MPI_COMM_WORLD,
                  &p->requests[n++]);
    }
    MPI_Waitall(n, p->requests, MPI_STATUSES_IGNORE);
}

static void check_messages(struct probe *p, uint64_t round)
{
    for (int from = 0; from < p->size; from++) {
        if (from == p->rank) continue;
        for (int i = 0; i < WORDS; i++) {
            uint64_t got = p->in[(size_t)from * WORDS + i];
            if (got != word(round, from, p->rank, i)) {
                fprintf(stderr, "exchange_probe: round %llu, from %d to %d: word %d is wrong\n",
                        (unsigned long long)round, from, p->rank, i);
                MPI_Abort(MPI_COMM_WORLD, 1);
            }
            p->sum += got;
        }
    }
}

/* Returns the number of rounds. Rank 0 says before each whether it takes place. */
static uint64_t run_rounds(struct probe *p, double seconds)
{
    double start = MPI_Wtime();
    for (uint64_t round = 0;; round++) {
        int more = MPI_Wtime() - start < seconds;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (!more) return round;
        fill_messages(p, round);
        exchange(p);
        check_messages(p, round);
    }
}

static int write_result(const char *file, const char *line)
{
    char part[4096];
    if (snprintf(part, sizeof part, "%s.part", file) >= (int)sizeof part) return 1;
    FILE *f = fopen(part, "w");
    if (!f) return 1;
    int bad = fputs(line, f) < 0;
    bad |= fclose(f) != 0;
    return bad || rename(part, file) != 0;
}

static int report(struct probe *p, uint64_t rounds, const char *file)
{
    char line[128];
    uint64_t sum = 0;
    MPI_Reduce(&p->sum, &sum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (p->rank != 0) return 0;
    snprintf(line, sizeof line, "exchange_probe: %d ranks, %llu rounds, checksum %016llx\n",
             p->size, (unsigned long long)rounds, (unsigned long long)sum);
    fputs(line, stdout);
    return file && write_result(file, line);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) MPI_Abort(MPI_COMM_WORLD, 1);
    return memory;
}

int main(int argc, char **argv)
{
    struct probe p = {0};
    double seconds = 1;
    const char *file = NULL;
    MPI_Init(&argc, &argv);
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--seconds")) seconds = atof(argv[i + 1]);
        if (!strcmp(argv[i], "--file")) file = argv[i + 1];
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p.size);
    p.out = allocate((size_t)p.size * WORDS, sizeof *p.out);
    p.in = allocate((size_t)p.size * WORDS, sizeof *p.in);
    p.requests = allocate(2 * (size_t)p.size, sizeof(MPI_Request));
    int status = report(&p, run_rounds(&p, seconds), file);
    free(p.out);
    free(p.in);
    free(p.requests);
    MPI_Finalize();
    return status;
}
