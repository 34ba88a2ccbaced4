/* The cases of tests/ranks over MPI: transforms and radial convolutions have the bits of one rank,
 * and numbers arrive where they are wanted. Arguments: --long for all cases with messages in small
 * pieces as well; else one round of all cases. */
#include "armilla/mpi.h"
#include "ranks/beams.h"
#include "ranks/cases.h"
#include "ranks/checksums.h"
#include "ranks/moves.h"
#include "ranks/points.h"
#include "ranks/radial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ranks of one machine have numbers of their own, in the sequence of their ranks. */
static int check_local_rank(MPI_Comm comm, const armilla_transport *transport)
{
    char own[MPI_MAX_PROCESSOR_NAME] = "";
    int length, wanted = 0;
    char *names = calloc((size_t)transport->nranks, sizeof own);
    if (!names) return 1;
    MPI_Get_processor_name(own, &length);
    MPI_Allgather(own, sizeof own, MPI_CHAR, names, sizeof own, MPI_CHAR, comm);
    for (int64_t i = 0; i < transport->rank; i++)
        wanted += !strcmp(names + i * (int64_t)sizeof own, own);
    free(names);
    if (transport->local_rank == wanted) return 0;
    fprintf(stderr, "rank %lld: is number %lld of its machine, not %d\n",
            (long long)transport->rank, (long long)transport->local_rank, wanted);
    return 1;
}

/* What the caller says counts; what MPI says is not known here. */
static int check_device_memory(MPI_Comm comm)
{
    armilla_mpi_options options;
    armilla_transport *transport;
    int failed = 0;
    armilla_mpi_options_init(&options);
    for (int wish = 0; wish < 3; wish++) {
        options.device_memory = (armilla_mpi_device_memory)wish;
        if (armilla_mpi_transport_new(comm, &options, &transport)) return 1;
        failed += wish != ARMILLA_MPI_DEVICE_MEMORY_ASK &&
                  transport->takes_device_memory != (wish == ARMILLA_MPI_DEVICE_MEMORY_YES);
        armilla_mpi_transport_free(transport);
    }
    options.device_memory = (armilla_mpi_device_memory)3;
    failed += armilla_mpi_transport_new(comm, &options, &transport) != ARMILLA_ERROR_ARGUMENT;
    if (failed) fprintf(stderr, "device memory: %s\n", armilla_status_message());
    return failed;
}

/* ARMILLA_TEST_STEP=4: every fourth case of each list. */
static int run_cases(MPI_Comm comm, int64_t message_bytes)
{
    armilla_mpi_options options;
    armilla_transport *transport;
    int failed = 0;
    armilla_mpi_options_init(&options);
    options.message_bytes = message_bytes;
    if (armilla_mpi_transport_new(comm, &options, &transport)) {
        fprintf(stderr, "transport: %s\n", armilla_status_message());
        return 1;
    }
    failed += check_local_rank(comm, transport) + check_device_memory(comm);
    const char *wish = getenv("ARMILLA_TEST_STEP");
    const int step = wish ? atoi(wish) : 1;
    for (int i = 0; ranks_cases[i].grid; i++)
        if (i % step == 0) failed += ranks_run_case(transport, &ranks_cases[i]);
    for (int i = 0; ranks_points_cases[i].npoints >= 0; i++)
        if (i % step == 0) failed += ranks_run_points(transport, &ranks_points_cases[i]);
    for (int i = 0; ranks_beams_cases[i].npointings >= 0; i++)
        if (i % step == 0) failed += ranks_run_beams(transport, &ranks_beams_cases[i]);
    for (int i = 0; ranks_lensing_cases[i].grid; i++)
        if (i % step == 0) failed += ranks_run_lensing(transport, &ranks_lensing_cases[i]);
    for (int i = 0; ranks_moves[i].name; i++)
        if (i % step == 0) failed += ranks_moves[i].run(transport);
    for (int i = 0; ranks_radial_cases[i].grid; i++)
        if (i % step == 0) failed += ranks_run_radial(transport, &ranks_radial_cases[i]);
    armilla_mpi_transport_free(transport);
    return failed;
}

/* Sums of all ranks are those of one. */
static int check_checksums(void)
{
    uint64_t own[RANKS_CHECKSUMS] = {0}, all[RANKS_CHECKSUMS], one[RANKS_CHECKSUMS] = {0};
    armilla_transport *transport = NULL, *self = NULL;
    int failed = armilla_mpi_transport_new(MPI_COMM_WORLD, NULL, &transport) ||
                 armilla_mpi_transport_new(MPI_COMM_SELF, NULL, &self) ||
                 ranks_add_checksums(transport, 1, 1, own) || ranks_add_checksums(self, 1, 1, one);
    MPI_Allreduce(own, all, RANKS_CHECKSUMS, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (!failed && memcmp(all, one, sizeof one)) {
        fprintf(stderr, "checksums differ from those of one rank\n");
        failed = 1;
    }
    armilla_mpi_transport_free(transport);
    armilla_mpi_transport_free(self);
    return failed;
}

/* Half of the ranks, in reverse: communicators need not be MPI_COMM_WORLD. */
static int run_halves(int rank, int nranks)
{
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, 2 * rank < nranks, -rank, &half);
    const int failed = run_cases(half, 0);
    MPI_Comm_free(&half);
    return failed;
}

int main(int argc, char **argv)
{
    int level, rank, nranks, failed, all, is_long = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--long")) is_long = 1;
        if (!strncmp(argv[i], "--step=", 7)) setenv("ARMILLA_TEST_STEP", argv[i] + 7, 1);
    }
    failed = run_cases(MPI_COMM_WORLD, 0) + check_checksums();
    if (is_long) failed += run_cases(MPI_COMM_WORLD, 1000) + run_halves(rank, nranks);
    MPI_Allreduce(&failed, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d ranks, %s: %d failures\n", nranks, armilla_mpi_library(), all);
    MPI_Finalize();
    return all != 0;
}
