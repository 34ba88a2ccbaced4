! A program in Fortran that transforms a random field over the ranks of an MPI communicator, by the
! module for Fortran (languages/fortran), which has the functions of armilla/mpi.h as well.
!
!     mpifort $(pkg-config --variable=fortran armilla) example.f90 -larmilla_mpi \
!         $(pkg-config --libs armilla)
!     mpirun -n 3 ./a.out
!
! It prints the largest error of an analysis of a synthesis, and stops with 1 if that is large. Errors
! of collective calls come to all ranks, with the same message: all of them stop.
program example
    use armilla
    implicit none
    include 'mpif.h' ! "use mpi" serves as well; with "use mpi_f08" give MPI_COMM_WORLD%MPI_VAL
    integer(c_int64_t), parameter :: lmax = 127
    type(c_ptr) :: transport, grid, distribution, sht
    complex(c_double_complex), allocatable :: alm(:), back(:)
    real(c_double), allocatable :: map(:)
    real(c_double) :: cl(0:lmax), mine, largest
    integer(c_int64_t) :: me
    integer :: rank, nranks, provided, error

    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, nranks, error)
    me = rank

    call armilla_check(armilla_mpi_transport_new_fortran(MPI_COMM_WORLD, transport=transport))
    call armilla_check(armilla_grid_new_gauss_legendre(lmax + 1, 2 * lmax + 2, grid))
    call armilla_check(armilla_distribution_new(grid, lmax, lmax, int(nranks, c_int64_t), &
                                                distribution=distribution))
    call armilla_check(armilla_distributed_sht_new(transport, distribution, sht=sht))

    allocate (alm(armilla_distribution_alm_size(distribution, me)))
    allocate (map(armilla_distribution_npix(distribution, me)), back(size(alm)))
    cl = 1
    call armilla_check(armilla_distribution_random(distribution, me, lmax + 1, cl, 1_c_int64_t, &
                                                   0_c_int64_t, alm))
    call armilla_check(armilla_distributed_sht_synthesis(sht, alm, map))
    call armilla_check(armilla_distributed_sht_analysis(sht, map, back))

    mine = 0
    if (size(alm) > 0) mine = maxval(abs(back - alm))
    call MPI_Allreduce(mine, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
    if (rank == 0) print '(a, i0, a, es8.1)', 'largest error on ', nranks, ' ranks: ', largest

    call armilla_distributed_sht_free(sht)
    call armilla_distribution_free(distribution)
    call armilla_grid_free(grid)
    call armilla_mpi_transport_free(transport)
    call MPI_Finalize(error)
    if (.not. largest < 1e-12_c_double) error stop 1
end program
