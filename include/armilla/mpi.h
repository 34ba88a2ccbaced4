/* Ranks of an MPI communicator: the transport of distributed transforms (armilla/distributed.h).
 * It is in the library armilla_mpi (-larmilla_mpi -larmilla), which is built for one MPI.
 *
 *     armilla_transport *transport;
 *     armilla_mpi_transport_new(MPI_COMM_WORLD, NULL, &transport);
 *     armilla_distributed_sht_new(transport, distribution, NULL, NULL, &sht);
 *
 * Thread level: MPI_THREAD_FUNNELED or more (MPI_Init_thread), since only the thread that calls
 * Armilla calls MPI while its team works. After MPI_Init, which gives MPI_THREAD_SINGLE, calls use
 * one thread whatever they are asked for. */
#ifndef ARMILLA_MPI_H
#define ARMILLA_MPI_H

#include "transport.h"
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* May messages be in the memory of a GPU? */
typedef enum armilla_mpi_device_memory {
    ARMILLA_MPI_DEVICE_MEMORY_ASK = 0, /* if MPIX_Query_cuda_support says so (Open MPI, MPICH from
                                          4.0 on) */
    ARMILLA_MPI_DEVICE_MEMORY_NO = 1,
    ARMILLA_MPI_DEVICE_MEMORY_YES = 2 /* the caller knows that the MPI takes such memory */
} armilla_mpi_device_memory;

typedef struct armilla_mpi_options {
    size_t size; /* set by _init */
    int64_t
        message_bytes; /* longer messages go in pieces; at most 2^31 - 1; 0, the default: 2^30 */
    armilla_mpi_device_memory device_memory; /* default ASK; the same on all ranks. Without it,
                                                messages of stages on GPUs go through host memory */
} armilla_mpi_options;

ARMILLA_API void armilla_mpi_options_init_sized(armilla_mpi_options *options, size_t size);
#define armilla_mpi_options_init(options)                                                          \
    armilla_mpi_options_init_sized(options, sizeof(armilla_mpi_options))

/* Makes a transport from a communicator, which is duplicated, so that the program's own messages
 * cannot meet Armilla's. Collective over the communicator.
 * Given:    comm  an intracommunicator;  options  or NULL for the defaults.
 * Returned: *transport  new; free with armilla_mpi_transport_free before MPI_Finalize, after the
 *           plans that were made with it.
 * Errors:   ARGUMENT (MPI is not initialized, or finalized; comm is MPI_COMM_NULL or an
 *           intercommunicator), MEMORY, TRANSPORT (with MPI's own text). */
ARMILLA_API armilla_status armilla_mpi_transport_new(MPI_Comm comm,
                                                     const armilla_mpi_options *options,
                                                     armilla_transport **transport);

/* The same for a communicator of Fortran (an INTEGER, MPI_Fint). */
ARMILLA_API armilla_status armilla_mpi_transport_new_fortran(MPI_Fint comm,
                                                             const armilla_mpi_options *options,
                                                             armilla_transport **transport);

/* Collective. NULL is allowed. */
ARMILLA_API void armilla_mpi_transport_free(armilla_transport *transport);

/* Returned: the name and version of the MPI library that runs, such as "Open MPI v4.1.4, ...". */
ARMILLA_API const char *armilla_mpi_library(void);

#ifdef __cplusplus
}
#endif
#endif
