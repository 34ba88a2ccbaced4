! The calls of results.c through the module for Fortran: prints the same lines.
module callbacks
    use armilla
    implicit none
contains
    subroutine take(data, choice) bind(c)
        type(c_ptr), value :: data
        type(armilla_choice), intent(in) :: choice
        integer(c_int), pointer :: heard
        call c_f_pointer(data, heard)
        heard = heard + 1
        print '(2a)', 'choice ', armilla_text(choice%name)
    end subroutine
end module

program results
    use armilla
    use callbacks
    implicit none
    integer(c_int64_t), parameter :: lmax = 12, nside = 8, nalm = 91, npix = 768, npoints = 5
    integer(c_int64_t), parameter :: zero = 0, one = 1
    complex(c_double_complex), target :: alm(nalm, 3), back(nalm, 3)
    real(c_double) :: map(npix, 6), other(npix)
    complex(c_float_complex) :: alm_float(nalm)
    real(c_float) :: map_float(npix)
    real(c_double) :: cl(0:lmax)
    integer(c_int64_t) :: spin
    integer :: i

    cl = [(1 / (1.0_c_double + i), i=0, int(lmax))]
    do i = 1, 3
        call armilla_check(armilla_alm_random(lmax, lmax, 13_c_int64_t, cl, 5_c_int64_t, &
                                              int(i - 1, c_int64_t), alm(:, i)))
    end do
    alm_float = cmplx(alm(:, 1), kind=c_float_complex)
    call tell_complex('random', alm)
    print '(2a)', 'version ', armilla_text(armilla_version())
    call grids()
    call transform(zero, ARMILLA_SHT_STANDARD, 1)
    do spin = 1, 4
        call transform(spin, ARMILLA_SHT_STANDARD, 2)
    end do
    call transform(2_c_int64_t, ARMILLA_SHT_GRADIENT_ONLY, 2)
    call transform(1_c_int64_t, ARMILLA_SHT_DERIVATIVES, 2)
    call transform(2_c_int64_t, ARMILLA_SHT_DERIVATIVES, 2)
    call scalar_calls()
    call polarised()
    call coefficients()
    call rotations()
    call points()
    call lensed()
    call convolved()
    call pixels()
    call files()
    call errors()

contains

    function mixed(hash, bits)
        integer(c_int64_t), intent(in) :: hash, bits
        integer(c_int64_t) :: mixed
        mixed = ieor(ishftc(hash, 7), bits)
    end function

    subroutine tell_doubles(name, values)
        character(*), intent(in) :: name
        real(c_double), intent(in) :: values(:)
        integer(c_int64_t) :: hash
        integer :: i
        hash = 1
        do i = 1, size(values)
            hash = mixed(hash, transfer(values(i), hash))
        end do
        print '(2a, z16.16)', name, ' ', hash
    end subroutine

    subroutine tell_complex(name, values)
        character(*), intent(in) :: name
        complex(c_double_complex), intent(in) :: values(:, :)
        call tell_doubles(name, [transfer(values, [1.0_c_double])])
    end subroutine

    subroutine tell_floats(name, values)
        character(*), intent(in) :: name
        real(c_float), intent(in) :: values(:)
        integer(c_int64_t) :: hash
        integer :: i
        hash = 1
        do i = 1, size(values)
            hash = mixed(hash, iand(int(transfer(values(i), 1_c_int32_t), c_int64_t), &
                                    int(z'FFFFFFFF', c_int64_t)))
        end do
        print '(2a, z16.16)', name, ' ', hash
    end subroutine

    subroutine tell(name, number)
        character(*), intent(in) :: name
        integer(c_int64_t), intent(in) :: number
        print '(2a, i0)', name, ' ', number
    end subroutine

    subroutine tell_grid(name, grid)
        character(*), intent(in) :: name
        type(c_ptr), intent(in) :: grid
        type(armilla_ring) :: ring
        call armilla_check(armilla_grid_ring(grid, 2_c_int64_t, ring))
        print '(3a)', name, ' ', armilla_text(armilla_grid_kind_name(armilla_grid_get_kind(grid)))
        call tell('npix', armilla_grid_npix(grid))
        call tell('exact', armilla_grid_exact_lmax(grid))
        call tell('nphi', ring%nphi + ring%offset + ring%stride)
        call tell_doubles('ring', [ring%theta, ring%phi0, ring%weight])
        call armilla_grid_free(grid)
    end subroutine

    subroutine grids()
        type(c_ptr) :: grid, laid_out
        type(armilla_grid_layout) :: layout
        type(armilla_ring) :: rings(3)
        integer(c_int) :: kind
        call armilla_check(armilla_grid_new_healpix(nside, grid))
        call tell_grid('healpix', grid)
        call armilla_check(armilla_grid_new_healpix_weighted(nside, lmax, grid))
        call tell_grid('weighted', grid)
        call armilla_check(armilla_grid_new_gauss_legendre(13_c_int64_t, 26_c_int64_t, grid))
        call tell_grid('gauss', grid)
        call armilla_check(armilla_grid_new_reduced_gauss_legendre(13_c_int64_t, lmax, grid))
        call tell_grid('reduced', grid)
        do kind = ARMILLA_GRID_CC, ARMILLA_GRID_MWFLIP
            call armilla_check(armilla_grid_new_equidistant(kind, 14, 27, grid))
            call tell_grid('equidistant', grid)
        end do
        rings(1) = armilla_ring(1.0_c_double, 4, 0.1_c_double, 0, 1, 0.5_c_double)
        rings(2) = armilla_ring(1.5_c_double, 6, 0.0_c_double, 4, 1, 0.25_c_double)
        rings(3) = armilla_ring(2.0_c_double, 5, 0.0_c_double, 10, 1, 1.0_c_double)
        call armilla_check(armilla_grid_new_custom(3_c_int64_t, rings, grid))
        call tell_grid('custom', grid)
        call armilla_check(armilla_grid_new_gauss_legendre(13, 26, grid))
        call armilla_grid_layout_init(layout)
        layout%south_first = 1
        layout%phi0 = 0.25_c_double
        call armilla_check(armilla_grid_new_laid_out(grid, layout, laid_out))
        call tell_grid('laid out', laid_out)
        call armilla_grid_free(grid)
    end subroutine

    subroutine transform(spin, mode, ncomp)
        integer(c_int64_t), intent(in) :: spin
        integer(c_int), intent(in) :: mode
        integer, intent(in) :: ncomp
        type(c_ptr) :: grid, sht
        type(armilla_sht_options) :: options
        type(armilla_exec) :: exec
        call armilla_check(armilla_grid_new_healpix(nside, grid))
        call armilla_sht_options_init(options)
        options%spin = spin
        options%mode = mode
        call armilla_check(armilla_sht_new(grid, lmax, lmax, options, sht))
        call armilla_exec_init(exec)
        exec%nthreads = 2
        call armilla_check(armilla_sht_synthesis(sht, alm, map, exec))
        call tell_doubles('synthesis', [map(:, :ncomp)])
        call armilla_check(armilla_sht_analysis(sht, map, back, exec))
        call tell_complex('analysis', back(:, :1))
        call armilla_check(armilla_sht_adjoint_synthesis(sht, map, back))
        call tell_complex('adjoint synthesis', back(:, :1))
        call armilla_check(armilla_sht_adjoint_analysis(sht, alm, map))
        call tell_doubles('adjoint analysis', [map(:, :ncomp)])
        call armilla_sht_free(sht)
        call armilla_grid_free(grid)
    end subroutine

    subroutine scalar_calls()
        type(c_ptr) :: grid, sht
        type(armilla_exec) :: exec
        type(armilla_pseudo_options) :: pseudo
        type(armilla_pseudo_report) :: reports(2)
        type(armilla_sht_description) :: description
        integer(c_int), target :: heard
        call armilla_check(armilla_grid_new_healpix(nside, grid))
        call armilla_check(armilla_sht_new(grid, lmax, lmax, sht=sht))
        call armilla_check(armilla_sht_synthesis_float(sht, alm_float, map_float))
        call tell_floats('float', map_float)
        call armilla_check(armilla_sht_analysis_float(sht, map_float, alm_float))
        call tell_floats('float', transfer(alm_float, map_float))
        call armilla_exec_init(exec)
        exec%ntrans = 2
        call armilla_check(armilla_sht_synthesis(sht, alm, map, exec))
        call tell_doubles('two', [map(:, :2)])
        call armilla_pseudo_options_init(pseudo)
        pseudo%tolerance = 1e-6_c_double
        call armilla_check(armilla_sht_pseudo_analysis(sht, map, back, pseudo, reports, exec))
        call tell_complex('pseudo', back(:, :2))
        call tell('iterations', reports(1)%iterations + 100 * reports(2)%stop)
        call tell_doubles('residual', [reports(2)%residual])
        description%size = c_sizeof(description)
        call armilla_check(armilla_sht_describe(sht, 1_c_int, description))
        print '(4a)', 'described ', armilla_text(description%backend), ' ', &
            armilla_text(description%method)
        call tell('sizes', description%alm_size + description%npix + description%exact)
        heard = 0
        call armilla_check(armilla_sht_explain(sht, c_funloc(take), c_loc(heard)))
        call tell('heard', int(heard, c_int64_t))
        call armilla_sht_free(sht)
        call armilla_grid_free(grid)
    end subroutine

    subroutine polarised()
        type(c_ptr) :: grid, iqu
        real(c_double) :: sky(13 * 26, 3)
        call armilla_check(armilla_grid_new_gauss_legendre(13_c_int64_t, 26_c_int64_t, grid))
        call armilla_check(armilla_iqu_new(grid, lmax, lmax, iqu=iqu))
        call armilla_check(armilla_iqu_synthesis(iqu, alm, sky))
        call tell_doubles('iqu', [sky])
        call armilla_check(armilla_iqu_analysis(iqu, sky, back))
        call tell_complex('teb', back)
        call armilla_iqu_free(iqu)
        call armilla_grid_free(grid)
    end subroutine

    subroutine coefficients()
        real(c_double) :: real_alm(2 * nalm - 13), matrix(0:lmax, 3, 3), cl(0:lmax)
        complex(c_double_complex) :: general(169, 1)
        integer(c_int64_t) :: mstart(0:lmax)
        type(c_ptr) :: triangle, layout
        integer :: i, l
        call tell('size', armilla_alm_size(lmax, 5_c_int64_t) + &
                  1000 * armilla_alm_index(lmax, 7_c_int64_t, 3_c_int64_t))
        call tell('lmax', armilla_alm_lmax(nalm, -one))
        call armilla_check(armilla_alm_to_real(lmax, lmax, alm, real_alm))
        call tell_doubles('real', real_alm)
        matrix = 0
        do i = 1, 3
            matrix(:, i, i) = [(real(i + l, c_double), l=0, int(lmax))]
        end do
        call armilla_check(armilla_alm_random_correlated(lmax, lmax, 3_c_int64_t, 13_c_int64_t, &
                                                         matrix, 7_c_int64_t, back))
        call tell_complex('correlated', back)
        mstart = [(13_c_int64_t * i, i=0, int(lmax))]
        call armilla_check(armilla_alm_layout_new(lmax, lmax, triangle))
        call armilla_check(armilla_alm_layout_new_custom(lmax, lmax, mstart, one, layout))
        call tell('layout', armilla_alm_layout_size(layout))
        general = 0
        call armilla_check(armilla_alm_convert(triangle, alm, layout, general))
        call tell_complex('converted', general)
        call armilla_alm_layout_free(layout)
        call armilla_alm_layout_free(triangle)
        call armilla_check(armilla_spectrum_compute(lmax, lmax, alm, alm(:, 2), cl))
        call tell_doubles('spectrum', cl)
        call armilla_check(armilla_spectrum_gaussian_beam(0.1_c_double, 2_c_int64_t, lmax, cl))
        call tell_doubles('beam', cl)
        call armilla_check(armilla_alm_multiply_window(lmax, lmax, 13_c_int64_t, cl, back))
        call tell_complex('window', back(:, :1))
    end subroutine

    subroutine rotations()
        type(armilla_rotation) :: first, second, both
        real(c_double) :: matrix(9)
        call armilla_check(armilla_rotation_from_euler(0.1_c_double, 0.2_c_double, 0.3_c_double, &
                                                       first))
        call armilla_check(armilla_rotation_from_coordinates('G', 'E', second))
        call armilla_check(armilla_rotation_compose(first, second, both))
        call armilla_check(armilla_rotation_matrix(both, matrix))
        call tell_doubles('matrix', matrix)
        call armilla_check(armilla_alm_rotate(both, lmax, lmax, alm, lmax, back))
        call tell_complex('rotated', back(:, :1))
    end subroutine

    subroutine points()
        real(c_double) :: where(2, npoints), values(npoints, 6)
        type(armilla_points_options) :: options
        type(c_ptr) :: plan
        integer(c_int) :: few
        integer :: i
        do i = 1, int(npoints)
            where(:, i) = [0.3_c_double + 0.5_c_double * (i - 1), real(i - 1, c_double)]
        end do
        call armilla_points_options_init(options)
        options%epsilon = 1e-9_c_double
        call armilla_check(armilla_points_new(lmax, lmax, npoints, where, options, plan))
        call armilla_check(armilla_points_synthesis(plan, alm, values))
        call tell_doubles('values', values(:, 1))
        call armilla_check(armilla_points_adjoint_synthesis(plan, values, back))
        call tell_complex('adjoint', back(:, :1))
        call armilla_points_free(plan)
        options%derivatives = 2
        call armilla_check(armilla_points_evaluate(lmax, lmax, npoints, where, options, alm, values))
        call tell_doubles('derivatives', [values])
        call armilla_check(armilla_points_few(lmax, lmax, npoints, where, few=few))
        call tell('few', int(few, c_int64_t))
    end subroutine

    subroutine lensed()
        type(c_ptr) :: grid, lensing
        type(armilla_deflection) :: deflection
        call armilla_check(armilla_grid_new_healpix(nside, grid))
        back = 1e-3_c_double * alm
        call armilla_deflection_init(deflection)
        deflection%lmax = lmax
        deflection%mmax = lmax
        deflection%gradient = c_loc(back)
        call armilla_check(armilla_lensing_new(grid, deflection, lmax, lmax, lensing=lensing))
        call armilla_check(armilla_lensing_alm2lenmap(lensing, alm, map))
        call tell_doubles('lensed', map(:, 1))
        call armilla_check(armilla_lensing_angles(lensing, gamma=other))
        call tell_doubles('gamma', other)
        call armilla_check(armilla_lensing_adjoint(lensing, map, back))
        call tell_complex('unlensed', back(:, :1))
        call armilla_lensing_free(lensing)
        call armilla_grid_free(grid)
    end subroutine

    subroutine convolved()
        type(c_ptr) :: grid, kernel, radials(2)
        type(armilla_radial_options) :: options
        real(c_double) :: error, support, both(npix, 2)
        integer(c_int64_t) :: bytes, device_bytes
        call armilla_check(armilla_grid_new_healpix(nside, grid))
        call armilla_check(armilla_kernel_new_gaussian(0.4_c_double, kernel))
        call armilla_check(armilla_kernel_truncation_error(kernel, 1.0_c_double, zero, error=error))
        call armilla_check(armilla_kernel_choose_support(kernel, 1e-4_c_double, zero, &
                                                         support=support))
        call tell_doubles('error', [error])
        call tell_doubles('support', [support])
        call armilla_radial_options_init(options)
        options%support = support
        options%normalization = ARMILLA_RADIAL_SUM
        call armilla_check(armilla_radial_new(grid, kernel, options, radials(1)))
        call armilla_check(armilla_radial_convolve(radials(1), map, other))
        call tell_doubles('convolved', other)
        options%support = 2 * support
        call armilla_check(armilla_radial_new(grid, kernel, options, radials(2)))
        call armilla_check(armilla_radial_many_bytes(radials, 2_c_int64_t, bytes=bytes, &
                                                     device_bytes=device_bytes))
        call tell('of the host', merge(1_c_int64_t, zero, bytes > 0))
        call tell('of a GPU', device_bytes)
        call armilla_check(armilla_radial_convolve_many(radials, 2_c_int64_t, map, both))
        call tell_doubles('by both', [both])
        call armilla_radial_free(radials(1))
        call armilla_radial_free(radials(2))
        call armilla_kernel_free(kernel)
        call armilla_grid_free(grid)
    end subroutine

    subroutine pixels()
        real(c_double) :: theta(3), phi(3), centre(3)
        integer(c_int64_t) :: found(3), neighbours(24), npixels, disc(100)
        integer :: i
        type(c_ptr) :: ranges
        theta = [0.1_c_double, 1.2_c_double, 3.0_c_double]
        phi = [0, 2, 5]
        centre = 1
        call armilla_check(armilla_healpix_ang_to_pixels(nside, 1, 3_c_int64_t, theta, phi, found, 1))
        call armilla_check(armilla_healpix_neighbours(nside, 1, 3_c_int64_t, found, neighbours))
        call tell('pixels', sum(found))
        call tell('neighbours', sum([(i * neighbours(i), i=1, 24)]))
        call armilla_check(armilla_healpix_query_disc(nside, 0, centre, 0.3_c_double, zero, ranges))
        call tell('ranges', armilla_healpix_ranges_npixels(ranges))
        call armilla_healpix_ranges_free(ranges)
        call armilla_check(armilla_healpix_query_disc_pixels(nside, 0, centre, 0.2_c_double, zero, &
                                                             100_c_int64_t, npixels, disc))
        call tell('disc', npixels + disc(npixels))
    end subroutine

    subroutine files()
        type(c_ptr) :: address
        type(armilla_map), pointer :: map_file
        type(armilla_alm_file), pointer :: file
        type(armilla_field), pointer :: fields(:)
        type(armilla_write_options) :: options
        real(c_double), pointer :: values(:)
        complex(c_double_complex), pointer :: numbers(:)
        call armilla_check(armilla_map_new(nside, 2_c_int64_t, address))
        call c_f_pointer(address, map_file)
        call c_f_pointer(map_file%fields, fields, [2])
        call c_f_pointer(fields(2)%values, values, [npix])
        values = map(:, 1)
        fields(2)%type = ARMILLA_IO_DOUBLE
        map_file%coordsys = 'G'
        call armilla_write_options_init(options)
        options%overwrite = 1
        call armilla_check(armilla_map_write_with('f_map.fits' // c_null_char, map_file, options))
        call armilla_map_free(address)
        call armilla_check(armilla_map_read('f_map.fits' // c_null_char, 0, one, [one], address))
        call c_f_pointer(address, map_file)
        call c_f_pointer(map_file%fields, fields, [1])
        call c_f_pointer(fields(1)%values, values, [npix])
        call tell_doubles('read', values)
        print '(4a)', 'coordinates ', map_file%coordsys, ', field ', &
            armilla_text(c_loc(fields(1)%name))
        call armilla_map_free(address)
        call armilla_check(armilla_alm_file_new(lmax, lmax, one, address))
        call c_f_pointer(address, file)
        call c_f_pointer(file%alm, numbers, [nalm])
        numbers = alm(:, 1)
        call armilla_check(armilla_alm_write('f_alm.fits' // c_null_char, file, 1))
        call armilla_alm_file_free(address)
        call armilla_check(armilla_alm_read('f_alm.fits' // c_null_char, 0, address))
        call c_f_pointer(address, file)
        call c_f_pointer(file%alm, numbers, [nalm])
        call tell_complex('alm', reshape(numbers, [int(nalm), 1]))
        call armilla_alm_file_free(address)
    end subroutine

    subroutine errors()
        type(c_ptr) :: grid, sht
        type(armilla_exec) :: exec ! not initialized: its size is 0
        call tell('status', int(armilla_grid_new_healpix(zero, grid), c_int64_t))
        print '(2a)', 'message ', armilla_text(armilla_status_message())
        call tell('record', int(armilla_status_record(ARMILLA_ERROR_TRANSPORT, &
                                                      'of my own' // c_null_char), c_int64_t))
        print '(2a)', 'message ', armilla_text(armilla_status_message())
        exec%ntrans = 1
        call armilla_check(armilla_grid_new_healpix(one, grid))
        call armilla_check(armilla_sht_new(grid, one, one, sht=sht))
        call tell('size of 0', int(armilla_sht_synthesis(sht, alm, map, exec), c_int64_t))
        call armilla_sht_free(sht)
        call armilla_grid_free(grid)
    end subroutine
end program
