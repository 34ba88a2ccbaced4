! A program in Fortran that transforms a random field over the ranks of an MPI communicator: the C
! interface of armilla/mpi.h, distribution.h and distributed.h, whose structs stay behind pointers.
!
!     mpifort example.f90 -larmilla_mpi -larmilla && mpirun -n 3 ./a.out
!
! It prints the largest error of an analysis of a synthesis, and stops with 1 if that is large.
module armilla
    use, intrinsic :: iso_c_binding
    implicit none

    ! A C pointer that a function makes is `type(c_ptr)`; one that it takes `type(c_ptr), value`.
    ! c_null_ptr stands for options of which all are the defaults.
    interface
        integer(c_int) function armilla_mpi_transport_new_fortran(comm, options, transport) bind(c)
            import :: c_int, c_ptr
            integer(c_int), value :: comm ! an MPI_Fint: what MPI calls an INTEGER here
            type(c_ptr), value :: options
            type(c_ptr) :: transport
        end function

        integer(c_int) function armilla_grid_new_gauss_legendre(nrings, nphi, grid) bind(c)
            import :: c_int, c_int64_t, c_ptr
            integer(c_int64_t), value :: nrings, nphi
            type(c_ptr) :: grid
        end function

        integer(c_int) function armilla_distribution_new(grid, lmax, mmax, nranks, options, &
                                                         distribution) bind(c)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: grid, options
            integer(c_int64_t), value :: lmax, mmax, nranks
            type(c_ptr) :: distribution
        end function

        integer(c_int64_t) function armilla_distribution_alm_size(distribution, rank) bind(c)
            import :: c_int64_t, c_ptr
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank
        end function

        integer(c_int64_t) function armilla_distribution_npix(distribution, rank) bind(c)
            import :: c_int64_t, c_ptr
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank
        end function

        integer(c_int) function armilla_distribution_random(distribution, rank, ncl, cl, seed, &
                                                            field, alm) bind(c)
            import :: c_double, c_double_complex, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: distribution
            integer(c_int64_t), value :: rank, ncl, seed, field
            real(c_double), intent(in) :: cl(*)
            complex(c_double_complex), intent(out) :: alm(*)
        end function

        integer(c_int) function armilla_distributed_sht_new(transport, distribution, options, &
                                                            distributed, sht) bind(c)
            import :: c_int, c_ptr
            type(c_ptr), value :: transport, distribution, options, distributed
            type(c_ptr) :: sht
        end function

        integer(c_int) function armilla_distributed_sht_synthesis(sht, alm, map, exec) bind(c)
            import :: c_double, c_double_complex, c_int, c_ptr
            type(c_ptr), value :: sht, exec
            complex(c_double_complex), intent(in) :: alm(*)
            real(c_double), intent(out) :: map(*)
        end function

        integer(c_int) function armilla_distributed_sht_analysis(sht, map, alm, exec) bind(c)
            import :: c_double, c_double_complex, c_int, c_ptr
            type(c_ptr), value :: sht, exec
            real(c_double), intent(in) :: map(*)
            complex(c_double_complex), intent(out) :: alm(*)
        end function

        subroutine armilla_distributed_sht_free(sht) bind(c)
            import :: c_ptr
            type(c_ptr), value :: sht
        end subroutine

        subroutine armilla_distribution_free(distribution) bind(c)
            import :: c_ptr
            type(c_ptr), value :: distribution
        end subroutine

        subroutine armilla_grid_free(grid) bind(c)
            import :: c_ptr
            type(c_ptr), value :: grid
        end subroutine

        subroutine armilla_mpi_transport_free(transport) bind(c)
            import :: c_ptr
            type(c_ptr), value :: transport
        end subroutine

        type(c_ptr) function armilla_status_message() bind(c)
            import :: c_ptr
        end function

        integer(c_size_t) function strlen(text) bind(c)
            import :: c_ptr, c_size_t
            type(c_ptr), value :: text
        end function
    end interface

contains

    ! Errors of collective calls come to all ranks, with the same message: all of them stop.
    subroutine check(status)
        integer(c_int), intent(in) :: status
        character(kind=c_char), pointer :: text(:)
        type(c_ptr) :: message
        if (status == 0) return
        message = armilla_status_message()
        call c_f_pointer(message, text, [strlen(message)])
        print '(*(a))', 'armilla: ', text
        error stop 1
    end subroutine
end module

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

    call check(armilla_mpi_transport_new_fortran(MPI_COMM_WORLD, c_null_ptr, transport))
    call check(armilla_grid_new_gauss_legendre(lmax + 1, 2 * lmax + 2, grid))
    call check(armilla_distribution_new(grid, lmax, lmax, int(nranks, c_int64_t), c_null_ptr, &
                                        distribution))
    call check(armilla_distributed_sht_new(transport, distribution, c_null_ptr, c_null_ptr, sht))

    allocate (alm(armilla_distribution_alm_size(distribution, me)))
    allocate (map(armilla_distribution_npix(distribution, me)), back(size(alm)))
    cl = 1
    call check(armilla_distribution_random(distribution, me, lmax + 1, cl, 1_c_int64_t, &
                                           0_c_int64_t, alm))
    call check(armilla_distributed_sht_synthesis(sht, alm, map, c_null_ptr))
    call check(armilla_distributed_sht_analysis(sht, map, back, c_null_ptr))

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
