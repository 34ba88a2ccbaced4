/* The cases of tests/ranks over MPI: transforms and radial convolutions have the bits of one rank,
 * and numbers arrive where they are wanted. Arguments: --long for all cases with messages in small
 * pieces as well; else one round of all cases. */
#include "armilla/mpi.h"
#include "ranks/cases.h"
#include "ranks/moves.h"
#include "ranks/radial.h"

#include <stdio.h>
#include <string.h>

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
    for (const ranks_case *c = ranks_cases; c->grid; c++) failed += ranks_run_case(transport, c);
    for (const ranks_move *move = ranks_moves; move->name; move++) failed += move->run(transport);
    for (const ranks_radial_case *c = ranks_radial_cases; c->grid; c++)
        failed += ranks_run_radial(transport, c);
    armilla_mpi_transport_free(transport);
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
    int level, rank, nranks, failed, all;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    failed = run_cases(MPI_COMM_WORLD, 0);
    if (argc > 1 && !strcmp(argv[1], "--long"))
        failed += run_cases(MPI_COMM_WORLD, 1000) + run_halves(rank, nranks);
    MPI_Allreduce(&failed, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d ranks, %s: %d failures\n", nranks, armilla_mpi_library(), all);
    MPI_Finalize();
    return all != 0;
}
