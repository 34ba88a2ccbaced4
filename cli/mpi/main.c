/* The armilla-mpi command: the commands of armilla on the ranks of an MPI job, with the same
 * options, files and bytes. */
#include "../message.h"
#include "../progress.h"
#include "../ranks.h"
#include "../run.h"
#include "bar.h"

#include <armilla/mpi.h>
#include <stdio.h>

static void abandon(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
}

static int run(int argc, char **argv)
{
    armilla_transport *transport = NULL;
    message_set_program("armilla-mpi");
    if (armilla_mpi_transport_new(MPI_COMM_WORLD, NULL, &transport)) {
        fprintf(stderr, "armilla-mpi: %s\n", armilla_status_message());
        abandon(CLI_FAILED);
        return CLI_FAILED;
    }
    ranks_setup(transport, abandon);
    bar_begin();
    const int code = run_command_line(argc, argv);
    bar_end();
    armilla_mpi_transport_free(transport);
    return code;
}

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    const int code = run(argc, argv);
    MPI_Finalize();
    progress_obey_signal();
    return code;
}
