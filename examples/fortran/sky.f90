! A sky, seen through a beam, in Fortran: random coefficients with a given spectrum become a HEALPix
! map, a Gaussian beam of five degrees smooths it, and what is left is analysed and written as FITS.
!
!     gfortran $(pkg-config --variable=fortran armilla) sky.f90 $(pkg-config --libs armilla) -o sky
!     ./sky sky.fits
!
! The programs of examples/c, examples/cpp and examples/julia print the same numbers.
program sky
    use armilla
    implicit none
    integer(c_int64_t), parameter :: nside = 64, lmax = 128
    type(c_ptr) :: grid, sht
    complex(c_double_complex), allocatable :: alm(:)
    real(c_double), allocatable :: map(:)
    real(c_double) :: cl(0:lmax), beam(0:lmax), found(0:lmax)
    character(4096) :: path
    integer :: l

    path = 'sky.fits'
    if (command_argument_count() > 0) call get_command_argument(1, path)
    call armilla_check(armilla_grid_new_healpix(nside, grid))
    call armilla_check(armilla_sht_new(grid, lmax, lmax, sht=sht)) ! options are left out
    allocate (alm(armilla_alm_size(lmax, lmax)), map(armilla_grid_npix(grid)))

    cl = 0
    do l = 2, int(lmax)
        cl(l) = 1 / (l * (l + 1.0_c_double))
    end do
    call armilla_check(armilla_alm_random(lmax, lmax, lmax + 1, cl, 1_c_int64_t, 0_c_int64_t, alm))
    call armilla_check(armilla_sht_synthesis(sht, alm, map))
    print '(i0, a, f8.6)', size(map), ' pixels, rms ', rms(map)

    call armilla_check(armilla_spectrum_gaussian_beam(5 * acos(-1.0_c_double) / 180, 0_c_int64_t, &
                                                      lmax, beam))
    call armilla_check(armilla_alm_multiply_window(lmax, lmax, lmax + 1, beam, alm))
    call armilla_check(armilla_sht_synthesis(sht, alm, map))
    print '(a, f8.6)', 'through the beam, rms ', rms(map)

    call armilla_check(armilla_sht_pseudo_analysis(sht, map, alm)) ! HEALPix: by iteration
    call armilla_check(armilla_spectrum_compute(lmax, lmax, alm, alm, found))
    l = 2
    do while (l <= 32)
        print '(a, i2, a, es12.6, a, es12.6)', 'l = ', l, ': C_l = ', found(l), ', of the sky ', &
            cl(l) * beam(l)**2
        l = 2 * l
    end do
    call write_map(trim(path), map)
    call armilla_sht_free(sht)
    call armilla_grid_free(grid)

contains

    function rms(values)
        real(c_double), intent(in) :: values(:)
        real(c_double) :: rms
        rms = sqrt(sum(values**2) / size(values))
    end function

    subroutine write_map(path, values)
        character(*), intent(in) :: path
        real(c_double), intent(in) :: values(:)
        type(c_ptr) :: address
        type(armilla_map), pointer :: file
        type(armilla_field), pointer :: fields(:)
        real(c_double), pointer :: column(:)
        type(armilla_write_options) :: options
        call armilla_check(armilla_map_new(nside, 1_c_int64_t, address))
        call c_f_pointer(address, file)
        call c_f_pointer(file%fields, fields, [file%nfields])
        call c_f_pointer(fields(1)%values, column, [file%npix])
        column = values
        call armilla_write_options_init(options)
        options%overwrite = 1
        call armilla_check(armilla_map_write_with(path // c_null_char, file, options), path)
        call armilla_map_free(address)
    end subroutine
end program
