# Written by languages/generate.py from the headers (include/armilla/); do not edit it. Arguments
# are those of C: an array for a pointer to numbers, Ref(options) or C_NULL for options, Ref(C_NULL)
# for an object that is made.


# status.h
const ARMILLA_OK = Cint(0)
const ARMILLA_ERROR_ARGUMENT = Cint(1)
const ARMILLA_ERROR_MEMORY = Cint(2)
const ARMILLA_ERROR_IO = Cint(3)
const ARMILLA_ERROR_FORMAT = Cint(4)
const ARMILLA_ERROR_UNSUPPORTED = Cint(5)
const ARMILLA_ERROR_CANCELLED = Cint(6)
const ARMILLA_ERROR_INTERNAL = Cint(7)
const ARMILLA_ERROR_TRANSPORT = Cint(8)
armilla_status_name(status) = @ccall libarmilla.armilla_status_name(status::Cint)::Cstring
armilla_status_message() = @ccall libarmilla.armilla_status_message()::Cstring
armilla_status_record(status, message) = @ccall libarmilla.armilla_status_record(status::Cint,
    message::Cstring)::Cint
armilla_status_errno() = @ccall libarmilla.armilla_status_errno()::Cint
armilla_version() = @ccall libarmilla.armilla_version()::Cstring
armilla_licence() = @ccall libarmilla.armilla_licence()::Cstring
armilla_isa_name() = @ccall libarmilla.armilla_isa_name()::Cstring
armilla_isa_available(index) = @ccall libarmilla.armilla_isa_available(index::Cint)::Cstring
armilla_thread_count() = @ccall libarmilla.armilla_thread_count()::Cint

# alm.h
const ARMILLA_MEAN_ERROR = Cint(0)
const ARMILLA_MEAN_IGNORE = Cint(1)
armilla_alm_size(lmax, mmax) = @ccall libarmilla.armilla_alm_size(lmax::Int64, mmax::Int64)::Int64
armilla_alm_index(lmax, l, m) = @ccall libarmilla.armilla_alm_index(lmax::Int64, l::Int64,
    m::Int64)::Int64
armilla_alm_lmax(size, mmax) = @ccall libarmilla.armilla_alm_lmax(size::Int64, mmax::Int64)::Int64
armilla_alm_size_mres(lmax, mmax, mres) = @ccall libarmilla.armilla_alm_size_mres(lmax::Int64,
    mmax::Int64, mres::Int64)::Int64
armilla_alm_index_mres(lmax, l, m, mres) = @ccall libarmilla.armilla_alm_index_mres(
    lmax::Int64, l::Int64, m::Int64, mres::Int64)::Int64
armilla_alm_layout_new(lmax, mmax, layout) = @ccall libarmilla.armilla_alm_layout_new(
    lmax::Int64, mmax::Int64, layout::Ptr{Ptr{Cvoid}})::Cint
armilla_alm_layout_new_custom(lmax, mmax, mstart, stride, layout) = @ccall libarmilla.armilla_alm_layout_new_custom(
    lmax::Int64, mmax::Int64, mstart::Ptr{Int64}, stride::Int64, layout::Ptr{Ptr{Cvoid}})::Cint
armilla_alm_layout_new_mres(lmax, mmax, mres, layout) = @ccall libarmilla.armilla_alm_layout_new_mres(
    lmax::Int64, mmax::Int64, mres::Int64, layout::Ptr{Ptr{Cvoid}})::Cint
armilla_alm_layout_free(layout) = @ccall libarmilla.armilla_alm_layout_free(layout::Ptr{Cvoid})::Cvoid
armilla_alm_layout_lmax(layout) = @ccall libarmilla.armilla_alm_layout_lmax(layout::Ptr{Cvoid})::Int64
armilla_alm_layout_mmax(layout) = @ccall libarmilla.armilla_alm_layout_mmax(layout::Ptr{Cvoid})::Int64
armilla_alm_layout_mres(layout) = @ccall libarmilla.armilla_alm_layout_mres(layout::Ptr{Cvoid})::Int64
armilla_alm_layout_size(layout) = @ccall libarmilla.armilla_alm_layout_size(layout::Ptr{Cvoid})::Int64
armilla_alm_layout_index(layout, l, m) = @ccall libarmilla.armilla_alm_layout_index(
    layout::Ptr{Cvoid}, l::Int64, m::Int64)::Int64
armilla_alm_convert(source, alm_source, target, alm_target) = @ccall libarmilla.armilla_alm_convert(
    source::Ptr{Cvoid}, alm_source::Ptr{ComplexF64}, target::Ptr{Cvoid},
    alm_target::Ptr{ComplexF64})::Cint
armilla_alm_to_real(lmax, mmax, alm, real) = @ccall libarmilla.armilla_alm_to_real(lmax::Int64,
    mmax::Int64, alm::Ptr{ComplexF64}, real::Ptr{Float64})::Cint
armilla_alm_from_real(lmax, mmax, real, alm) = @ccall libarmilla.armilla_alm_from_real(
    lmax::Int64, mmax::Int64, real::Ptr{Float64}, alm::Ptr{ComplexF64})::Cint
armilla_alm_multiply_window(lmax, mmax, nwindow, window, alm) = @ccall libarmilla.armilla_alm_multiply_window(
    lmax::Int64, mmax::Int64, nwindow::Int64, window::Ptr{Float64}, alm::Ptr{ComplexF64})::Cint
armilla_alm_random(lmax, mmax, ncl, cl, seed, field, alm) = @ccall libarmilla.armilla_alm_random(
    lmax::Int64, mmax::Int64, ncl::Int64, cl::Ptr{Float64}, seed::UInt64, field::UInt64,
    alm::Ptr{ComplexF64})::Cint
armilla_alm_random_correlated(lmax, mmax, nfields, ncl, cl, seed, alm) = @ccall libarmilla.armilla_alm_random_correlated(
    lmax::Int64, mmax::Int64, nfields::Int64, ncl::Int64, cl::Ptr{Float64}, seed::UInt64,
    alm::Ptr{ComplexF64})::Cint
armilla_alm_apply_laplacian(lmax, mmax, radius, alm) = @ccall libarmilla.armilla_alm_apply_laplacian(
    lmax::Int64, mmax::Int64, radius::Float64, alm::Ptr{ComplexF64})::Cint
armilla_alm_invert_laplacian(lmax, mmax, radius, mean, alm) = @ccall libarmilla.armilla_alm_invert_laplacian(
    lmax::Int64, mmax::Int64, radius::Float64, mean::Cint, alm::Ptr{ComplexF64})::Cint
armilla_alm_derive_phi(lmax, mmax, alm) = @ccall libarmilla.armilla_alm_derive_phi(lmax::Int64,
    mmax::Int64, alm::Ptr{ComplexF64})::Cint
armilla_alm_multiply_cos_theta(lmax, mmax, alm, result_lmax, result) = @ccall libarmilla.armilla_alm_multiply_cos_theta(
    lmax::Int64, mmax::Int64, alm::Ptr{ComplexF64}, result_lmax::Int64, result::Ptr{Float64})::Cint
armilla_alm_derive_theta(lmax, mmax, alm, result_lmax, result) = @ccall libarmilla.armilla_alm_derive_theta(
    lmax::Int64, mmax::Int64, alm::Ptr{ComplexF64}, result_lmax::Int64, result::Ptr{Float64})::Cint

# device.h
const ARMILLA_CPU = Cint(0)
const ARMILLA_CUDA = Cint(1)
const ARMILLA_MEMORY_ASK = Cint(0)
const ARMILLA_MEMORY_HOST = Cint(1)
const ARMILLA_MEMORY_DEVICE = Cint(2)
const ARMILLA_DEVICE_TUNE_TABLE = Cint(0)
const ARMILLA_DEVICE_TUNE_MEASURE = Cint(1)
const ARMILLA_DEVICE_TUNE_MEASURE_MANY = Cint(2)
const ARMILLA_DEVICE_PRECISION_AUTO = Cint(0)
const ARMILLA_DEVICE_PRECISION_DOUBLE = Cint(1)
const ARMILLA_DEVICE_PRECISION_SINGLE = Cint(2)
const ARMILLA_DEVICE_PRECISION_TWO_FLOATS = Cint(3)
const ARMILLA_DEVICE_PRECISION_HALVES = Cint(4)
mutable struct armilla_device_description
    size               :: Csize_t
    name               :: NTuple{128, UInt8}
    memory_bytes       :: Int64
    free_bytes         :: Int64
    multiprocessors    :: Int64
    compute_capability :: Int64
    driver_version     :: Int64
    runtime_version    :: Int64
    armilla_device_description() = new(0, ntuple(_ -> 0x00, 128), 0, 0, 0, 0, 0, 0)
end

armilla_device_shape_name(number) = @ccall libarmilla.armilla_device_shape_name(number::Int64)::Cstring
armilla_device_describe(device, description) = @ccall libarmilla.armilla_device_describe(
    device::Cint, description::Ptr{armilla_device_description})::Cint

# healpix.h
const ARMILLA_HEALPIX_MISSING = Float64(-1.6375e30)
mutable struct armilla_healpix_map
    nside    :: Int64
    nested   :: Cint
    is_float :: Cint
    values   :: Ptr{Cvoid}
    armilla_healpix_map() = new(0, 0, 0, C_NULL)
end

armilla_healpix_npix(nside) = @ccall libarmilla.armilla_healpix_npix(nside::Int64)::Int64
armilla_healpix_nside(npix) = @ccall libarmilla.armilla_healpix_nside(npix::Int64)::Int64
armilla_healpix_nest_to_ring(nside, pixel) = @ccall libarmilla.armilla_healpix_nest_to_ring(
    nside::Int64, pixel::Int64)::Int64
armilla_healpix_ring_to_nest(nside, pixel) = @ccall libarmilla.armilla_healpix_ring_to_nest(
    nside::Int64, pixel::Int64)::Int64
armilla_healpix_ang_to_ring(nside, theta, phi) = @ccall libarmilla.armilla_healpix_ang_to_ring(
    nside::Int64, theta::Float64, phi::Float64)::Int64
armilla_healpix_ang_to_pixels(nside, nested, npixels, theta, phi, pixels, nthreads) = @ccall libarmilla.armilla_healpix_ang_to_pixels(
    nside::Int64, nested::Cint, npixels::Int64, theta::Ptr{Float64}, phi::Ptr{Float64},
    pixels::Ptr{Int64}, nthreads::Cint)::Cint
armilla_healpix_pixels_to_ang(nside, nested, npixels, pixels, theta, phi, nthreads) = @ccall libarmilla.armilla_healpix_pixels_to_ang(
    nside::Int64, nested::Cint, npixels::Int64, pixels::Ptr{Int64}, theta::Ptr{Float64},
    phi::Ptr{Float64}, nthreads::Cint)::Cint
armilla_healpix_vec_to_pixels(nside, nested, npixels, vectors, planar, pixels, nthreads) = @ccall libarmilla.armilla_healpix_vec_to_pixels(
    nside::Int64, nested::Cint, npixels::Int64, vectors::Ptr{Float64}, planar::Cint,
    pixels::Ptr{Int64}, nthreads::Cint)::Cint
armilla_healpix_pixels_to_vec(nside, nested, npixels, pixels, planar, vectors, nthreads) = @ccall libarmilla.armilla_healpix_pixels_to_vec(
    nside::Int64, nested::Cint, npixels::Int64, pixels::Ptr{Int64}, planar::Cint,
    vectors::Ptr{Float64}, nthreads::Cint)::Cint
armilla_healpix_renumber(nside, to_nested, npixels, pixels, numbers, nthreads) = @ccall libarmilla.armilla_healpix_renumber(
    nside::Int64, to_nested::Cint, npixels::Int64, pixels::Ptr{Int64}, numbers::Ptr{Int64},
    nthreads::Cint)::Cint
armilla_healpix_pixels_to_faces(nside, nested, npixels, pixels, x, y, face, nthreads) = @ccall libarmilla.armilla_healpix_pixels_to_faces(
    nside::Int64, nested::Cint, npixels::Int64, pixels::Ptr{Int64}, x::Ptr{Int64},
    y::Ptr{Int64}, face::Ptr{Int64}, nthreads::Cint)::Cint
armilla_healpix_faces_to_pixels(nside, nested, npixels, x, y, face, pixels, nthreads) = @ccall libarmilla.armilla_healpix_faces_to_pixels(
    nside::Int64, nested::Cint, npixels::Int64, x::Ptr{Int64}, y::Ptr{Int64}, face::Ptr{Int64},
    pixels::Ptr{Int64}, nthreads::Cint)::Cint
armilla_healpix_neighbours(nside, nested, npixels, pixels, neighbours) = @ccall libarmilla.armilla_healpix_neighbours(
    nside::Int64, nested::Cint, npixels::Int64, pixels::Ptr{Int64}, neighbours::Ptr{Int64})::Cint
armilla_healpix_neighbours_with(nside, nested, npixels, pixels, planar, neighbours, nthreads) = @ccall libarmilla.armilla_healpix_neighbours_with(
    nside::Int64, nested::Cint, npixels::Int64, pixels::Ptr{Int64}, planar::Cint,
    neighbours::Ptr{Int64}, nthreads::Cint)::Cint
armilla_healpix_boundaries(nside, nested, npixels, pixels, step, vectors) = @ccall libarmilla.armilla_healpix_boundaries(
    nside::Int64, nested::Cint, npixels::Int64, pixels::Ptr{Int64}, step::Int64,
    vectors::Ptr{Float64})::Cint
armilla_healpix_reorder(nside, to_nested, width, map, reordered, nthreads) = @ccall libarmilla.armilla_healpix_reorder(
    nside::Int64, to_nested::Cint, width::Cint, map::Ptr{Cvoid}, reordered::Ptr{Cvoid},
    nthreads::Cint)::Cint
armilla_healpix_change_nside(from, to, pessimistic, power, nthreads) = @ccall libarmilla.armilla_healpix_change_nside(
    from::Ptr{armilla_healpix_map}, to::Ptr{armilla_healpix_map}, pessimistic::Cint,
    power::Float64, nthreads::Cint)::Cint
armilla_healpix_interpolation_weights(nside, nested, npoints, theta, phi, pixels, weights, nthreads) = @ccall libarmilla.armilla_healpix_interpolation_weights(
    nside::Int64, nested::Cint, npoints::Int64, theta::Ptr{Float64}, phi::Ptr{Float64},
    pixels::Ptr{Int64}, weights::Ptr{Float64}, nthreads::Cint)::Cint
armilla_healpix_interpolate(map, npoints, theta, phi, values, nthreads) = @ccall libarmilla.armilla_healpix_interpolate(
    map::Ptr{armilla_healpix_map}, npoints::Int64, theta::Ptr{Float64}, phi::Ptr{Float64},
    values::Ptr{Float64}, nthreads::Cint)::Cint
armilla_healpix_query_disc(nside, nested, centre, radius, fact, ranges) = @ccall libarmilla.armilla_healpix_query_disc(
    nside::Int64, nested::Cint, centre::Ptr{Float64}, radius::Float64, fact::Int64,
    ranges::Ptr{Ptr{Cvoid}})::Cint
armilla_healpix_query_disc_pixels(nside, nested, centre, radius, fact, capacity, npixels, pixels) = @ccall libarmilla.armilla_healpix_query_disc_pixels(
    nside::Int64, nested::Cint, centre::Ptr{Float64}, radius::Float64, fact::Int64,
    capacity::Int64, npixels::Ptr{Int64}, pixels::Ptr{Int64})::Cint
armilla_healpix_query_polygon(nside, nested, nvertices, vertices, fact, ranges) = @ccall libarmilla.armilla_healpix_query_polygon(
    nside::Int64, nested::Cint, nvertices::Int64, vertices::Ptr{Float64}, fact::Int64,
    ranges::Ptr{Ptr{Cvoid}})::Cint
armilla_healpix_query_strip(nside, nested, theta1, theta2, inclusive, ranges) = @ccall libarmilla.armilla_healpix_query_strip(
    nside::Int64, nested::Cint, theta1::Float64, theta2::Float64, inclusive::Cint,
    ranges::Ptr{Ptr{Cvoid}})::Cint
armilla_healpix_ranges_count(ranges) = @ccall libarmilla.armilla_healpix_ranges_count(
    ranges::Ptr{Cvoid})::Int64
armilla_healpix_ranges_npixels(ranges) = @ccall libarmilla.armilla_healpix_ranges_npixels(
    ranges::Ptr{Cvoid})::Int64
armilla_healpix_ranges_get(ranges, runs) = @ccall libarmilla.armilla_healpix_ranges_get(
    ranges::Ptr{Cvoid}, runs::Ptr{Int64})::Cint
armilla_healpix_ranges_pixels(ranges, pixels) = @ccall libarmilla.armilla_healpix_ranges_pixels(
    ranges::Ptr{Cvoid}, pixels::Ptr{Int64})::Cint
armilla_healpix_ranges_free(ranges) = @ccall libarmilla.armilla_healpix_ranges_free(
    ranges::Ptr{Cvoid})::Cvoid

# grid.h
const ARMILLA_GRID_NAME_SIZE = Cint(48)
const ARMILLA_GRID_CUSTOM = Cint(0)
const ARMILLA_GRID_HEALPIX = Cint(1)
const ARMILLA_GRID_GAUSS_LEGENDRE = Cint(2)
const ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE = Cint(3)
const ARMILLA_GRID_CC = Cint(4)
const ARMILLA_GRID_F1 = Cint(5)
const ARMILLA_GRID_F2 = Cint(6)
const ARMILLA_GRID_DH = Cint(7)
const ARMILLA_GRID_MW = Cint(8)
const ARMILLA_GRID_MWSS = Cint(9)
const ARMILLA_GRID_MWFLIP = Cint(10)
mutable struct armilla_ring
    theta  :: Float64
    nphi   :: Int64
    phi0   :: Float64
    offset :: Int64
    stride :: Int64
    weight :: Float64
    armilla_ring() = new(0, 0, 0, 0, 0, 0)
end

mutable struct armilla_grid_sizes
    size        :: Csize_t
    kind        :: Cint
    nrings      :: Int64
    nphi        :: Int64
    nside       :: Int64
    nested      :: Cint
    south_first :: Cint
    phi0        :: Float64
    armilla_grid_sizes() = new(0, 0, 0, 0, 0, 0, 0, 0)
end

mutable struct armilla_grid_layout
    size             :: Csize_t
    phi0             :: Float64
    south_first      :: Cint
    west_first       :: Cint
    theta_contiguous :: Cint
    ring_stride      :: Int64
    pixel_stride     :: Int64
    nested           :: Cint
    armilla_grid_layout() = new(0, 0, 0, 0, 0, 0, 0, 0)
end

armilla_grid_new_healpix(nside, grid) = @ccall libarmilla.armilla_grid_new_healpix(
    nside::Int64, grid::Ptr{Ptr{Cvoid}})::Cint
armilla_grid_new_healpix_weighted(nside, lmax, grid) = @ccall libarmilla.armilla_grid_new_healpix_weighted(
    nside::Int64, lmax::Int64, grid::Ptr{Ptr{Cvoid}})::Cint
armilla_grid_new_gauss_legendre(nrings, nphi, grid) = @ccall libarmilla.armilla_grid_new_gauss_legendre(
    nrings::Int64, nphi::Int64, grid::Ptr{Ptr{Cvoid}})::Cint
armilla_grid_new_reduced_gauss_legendre(nrings, lmax, grid) = @ccall libarmilla.armilla_grid_new_reduced_gauss_legendre(
    nrings::Int64, lmax::Int64, grid::Ptr{Ptr{Cvoid}})::Cint
armilla_grid_new_reduced(nrings, nphi, grid) = @ccall libarmilla.armilla_grid_new_reduced(
    nrings::Int64, nphi::Ptr{Int64}, grid::Ptr{Ptr{Cvoid}})::Cint
armilla_grid_new_octahedral(n, grid) = @ccall libarmilla.armilla_grid_new_octahedral(n::Int64,
    grid::Ptr{Ptr{Cvoid}})::Cint
armilla_grid_new_classic(n, grid) = @ccall libarmilla.armilla_grid_new_classic(n::Int64,
    grid::Ptr{Ptr{Cvoid}})::Cint
armilla_grid_new_equidistant(kind, nrings, nphi, grid) = @ccall libarmilla.armilla_grid_new_equidistant(
    kind::Cint, nrings::Int64, nphi::Int64, grid::Ptr{Ptr{Cvoid}})::Cint
armilla_grid_new_custom(nrings, rings, grid) = @ccall libarmilla.armilla_grid_new_custom(
    nrings::Int64, rings::Ptr{armilla_ring}, grid::Ptr{Ptr{Cvoid}})::Cint
armilla_grid_new_subset(grid, first, count, compact, subset) = @ccall libarmilla.armilla_grid_new_subset(
    grid::Ptr{Cvoid}, first::Int64, count::Int64, compact::Cint, subset::Ptr{Ptr{Cvoid}})::Cint
armilla_grid_new_named(name, grid) = @ccall libarmilla.armilla_grid_new_named(name::Cstring,
    grid::Ptr{Ptr{Cvoid}})::Cint
armilla_grid_read_name(name, sizes) = @ccall libarmilla.armilla_grid_read_name(name::Cstring,
    sizes::Ptr{armilla_grid_sizes})::Cint
armilla_grid_name(grid, name) = @ccall libarmilla.armilla_grid_name(grid::Ptr{Cvoid},
    name::UInt8)::Cint
armilla_grid_layout_init_sized(layout, size) = @ccall libarmilla.armilla_grid_layout_init_sized(
    layout::Ptr{armilla_grid_layout}, size::Csize_t)::Cvoid
armilla_grid_new_laid_out(grid, layout, laid_out) = @ccall libarmilla.armilla_grid_new_laid_out(
    grid::Ptr{Cvoid}, layout::Ptr{armilla_grid_layout}, laid_out::Ptr{Ptr{Cvoid}})::Cint
armilla_grid_get_layout(grid, layout) = @ccall libarmilla.armilla_grid_get_layout(
    grid::Ptr{Cvoid}, layout::Ptr{armilla_grid_layout})::Cint
armilla_grid_free(grid) = @ccall libarmilla.armilla_grid_free(grid::Ptr{Cvoid})::Cvoid
armilla_grid_get_kind(grid) = @ccall libarmilla.armilla_grid_get_kind(grid::Ptr{Cvoid})::Cint
armilla_grid_kind_name(kind) = @ccall libarmilla.armilla_grid_kind_name(kind::Cint)::Cstring
armilla_grid_npix(grid) = @ccall libarmilla.armilla_grid_npix(grid::Ptr{Cvoid})::Int64
armilla_grid_nrings(grid) = @ccall libarmilla.armilla_grid_nrings(grid::Ptr{Cvoid})::Int64
armilla_grid_ring(grid, index, ring) = @ccall libarmilla.armilla_grid_ring(grid::Ptr{Cvoid},
    index::Int64, ring::Ptr{armilla_ring})::Cint
armilla_grid_pixels_at(grid, n, theta, phi, pixels) = @ccall libarmilla.armilla_grid_pixels_at(
    grid::Ptr{Cvoid}, n::Int64, theta::Ptr{Float64}, phi::Ptr{Float64}, pixels::Ptr{Int64})::Cint
armilla_grid_exact_lmax(grid) = @ccall libarmilla.armilla_grid_exact_lmax(grid::Ptr{Cvoid})::Int64
armilla_grid_exact_lmax_for(grid, mmax) = @ccall libarmilla.armilla_grid_exact_lmax_for(
    grid::Ptr{Cvoid}, mmax::Int64)::Int64
armilla_grid_ectrans_limits(grid, lmax, limits) = @ccall libarmilla.armilla_grid_ectrans_limits(
    grid::Ptr{Cvoid}, lmax::Int64, limits::Ptr{Int64})::Cint
armilla_grid_lost_rule(grid, lmax, mmax) = @ccall libarmilla.armilla_grid_lost_rule(
    grid::Ptr{Cvoid}, lmax::Int64, mmax::Int64)::Cint

# kernel.h
armilla_kernel_new_gaussian(fwhm, kernel) = @ccall libarmilla.armilla_kernel_new_gaussian(
    fwhm::Float64, kernel::Ptr{Ptr{Cvoid}})::Cint
armilla_kernel_new_tophat(radius, kernel) = @ccall libarmilla.armilla_kernel_new_tophat(
    radius::Float64, kernel::Ptr{Ptr{Cvoid}})::Cint
armilla_kernel_new_mexican_hat(fwhm, kernel) = @ccall libarmilla.armilla_kernel_new_mexican_hat(
    fwhm::Float64, kernel::Ptr{Ptr{Cvoid}})::Cint
armilla_kernel_new_needlet(base, scale, kernel) = @ccall libarmilla.armilla_kernel_new_needlet(
    base::Float64, scale::Int64, kernel::Ptr{Ptr{Cvoid}})::Cint
armilla_kernel_new_window(lmax, window, kernel) = @ccall libarmilla.armilla_kernel_new_window(
    lmax::Int64, window::Ptr{Float64}, kernel::Ptr{Ptr{Cvoid}})::Cint
armilla_kernel_new_table(count, theta, values, kernel) = @ccall libarmilla.armilla_kernel_new_table(
    count::Int64, theta::Ptr{Float64}, values::Ptr{Float64}, kernel::Ptr{Ptr{Cvoid}})::Cint
armilla_kernel_free(kernel) = @ccall libarmilla.armilla_kernel_free(kernel::Ptr{Cvoid})::Cvoid
armilla_kernel_values(kernel, count, theta, values) = @ccall libarmilla.armilla_kernel_values(
    kernel::Ptr{Cvoid}, count::Int64, theta::Ptr{Float64}, values::Ptr{Float64})::Cint
armilla_kernel_window(kernel, support, lmax, window) = @ccall libarmilla.armilla_kernel_window(
    kernel::Ptr{Cvoid}, support::Float64, lmax::Int64, window::Ptr{Float64})::Cint
armilla_kernel_truncation_error(kernel, support, lmax, cl, error) = @ccall libarmilla.armilla_kernel_truncation_error(
    kernel::Ptr{Cvoid}, support::Float64, lmax::Int64, cl::Ptr{Float64}, error::Ptr{Float64})::Cint
armilla_kernel_choose_support(kernel, error, lmax, cl, support) = @ccall libarmilla.armilla_kernel_choose_support(
    kernel::Ptr{Cvoid}, error::Float64, lmax::Int64, cl::Ptr{Float64}, support::Ptr{Float64})::Cint

# choice.h
mutable struct armilla_choice
    name  :: Ptr{Cvoid}
    value :: Ptr{Cvoid}
    why   :: Ptr{Cvoid}
    armilla_choice() = new(C_NULL, C_NULL, C_NULL)
end


# sht.h
const ARMILLA_SHT_STANDARD = Cint(0)
const ARMILLA_SHT_GRADIENT_ONLY = Cint(1)
const ARMILLA_SHT_DERIVATIVES = Cint(2)
const ARMILLA_SHT_AUTO = Cint(0)
const ARMILLA_SHT_DIRECT = Cint(1)
const ARMILLA_SHT_RESAMPLE = Cint(2)
const ARMILLA_ALM_COMPLEX = Cint(0)
const ARMILLA_ALM_REAL = Cint(1)
const ARMILLA_SPIN_AUTO = Cint(0)
const ARMILLA_SPIN_RECURRENCE = Cint(1)
const ARMILLA_RING_ORDERS_ALL = Cint(0)
const ARMILLA_RING_ORDERS_ECTRANS = Cint(1)
const ARMILLA_RING_ORDERS_LISTED = Cint(2)
const ARMILLA_MISSING_PROPAGATE = Cint(0)
const ARMILLA_MISSING_ERROR = Cint(1)
const ARMILLA_PSEUDO_LSMR = Cint(0)
const ARMILLA_PSEUDO_JACOBI = Cint(1)
const ARMILLA_PSEUDO_AUTO = Cint(2)
const ARMILLA_STOP_ZERO = Cint(0)
const ARMILLA_STOP_RESIDUAL = Cint(1)
const ARMILLA_STOP_GRADIENT = Cint(2)
const ARMILLA_STOP_CONDITION = Cint(3)
const ARMILLA_STOP_CHANGE = Cint(4)
const ARMILLA_STOP_EXACT = Cint(5)
const ARMILLA_STOP_ITERATIONS = Cint(7)
mutable struct armilla_sht_options
    size             :: Csize_t
    spin             :: Int64
    layout           :: Ptr{Cvoid}
    isa              :: Ptr{Cvoid}
    mode             :: Cint
    method           :: Cint
    spin_method      :: Cint
    device           :: Cint
    device_bytes     :: Int64
    device_tune      :: Cint
    device_shape     :: Ptr{Cvoid}
    device_precision :: Cint
    host_bytes       :: Int64
    cache_bytes      :: Int64
    choices          :: Ptr{Cvoid}
    mres             :: Int64
    form             :: Cint
    conjugate        :: Cint
    degree_scale     :: Ptr{Cvoid}
    order_scale      :: Ptr{Cvoid}
    ring_orders      :: Cint
    ring_limits      :: Ptr{Cvoid}
    devices          :: Ptr{Cvoid}
    ndevices         :: Int64
    delegate         :: Cint
    device_streams   :: Cint
    armilla_sht_options() = new(0, 0, C_NULL, C_NULL, 0, 0, 0, 0, 0, 0, C_NULL, 0, 0, 0, C_NULL,
        0, 0, 0, C_NULL, C_NULL, 0, C_NULL, C_NULL, 0, 0, 0)
end

mutable struct armilla_exec
    size          :: Csize_t
    nthreads      :: Cint
    ntrans        :: Int64
    alm_distance  :: Int64
    map_distance  :: Int64
    progress      :: Ptr{Cvoid}
    progress_data :: Ptr{Cvoid}
    memory        :: Cint
    stream        :: Ptr{Cvoid}
    missing       :: Cint
    armilla_exec() = new(0, 0, 0, 0, 0, C_NULL, C_NULL, 0, C_NULL, 0)
end

mutable struct armilla_pseudo_options
    size           :: Csize_t
    method         :: Cint
    tolerance      :: Float64
    max_iterations :: Int64
    weights        :: Ptr{Cvoid}
    guess          :: Ptr{Cvoid}
    armilla_pseudo_options() = new(0, 0, 0, 0, C_NULL, C_NULL)
end

mutable struct armilla_pseudo_report
    stop       :: Cint
    iterations :: Int64
    residual   :: Float64
    gradient   :: Float64
    armilla_pseudo_report() = new(0, 0, 0, 0)
end

mutable struct armilla_sht_description
    size                   :: Csize_t
    backend                :: Ptr{Cvoid}
    isa                    :: Ptr{Cvoid}
    method                 :: Ptr{Cvoid}
    lmax                   :: Int64
    mmax                   :: Int64
    nrings                 :: Int64
    npix                   :: Int64
    alm_size               :: Int64
    ncomp                  :: Int64
    plan_bytes             :: Int64
    workspace_bytes        :: Int64
    useful_flops           :: Float64
    alm_ncomp              :: Int64
    device_plan_bytes      :: Int64
    device_workspace_bytes :: Int64
    device_shape           :: Ptr{Cvoid}
    device_precision       :: Ptr{Cvoid}
    exact                  :: Cint
    mres                   :: Int64
    device_batch           :: Int64
    device_doubles         :: Ptr{Cvoid}
    device_streams         :: Int64
    armilla_sht_description() = new(0, C_NULL, C_NULL, C_NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, C_NULL, C_NULL, 0, 0, 0, C_NULL, 0)
end

armilla_sht_options_init_sized(options, size) = @ccall libarmilla.armilla_sht_options_init_sized(
    options::Ptr{armilla_sht_options}, size::Csize_t)::Cvoid
armilla_sht_new(grid, lmax, mmax, options, sht) = @ccall libarmilla.armilla_sht_new(
    grid::Ptr{Cvoid}, lmax::Int64, mmax::Int64, options::Ptr{armilla_sht_options},
    sht::Ptr{Ptr{Cvoid}})::Cint
armilla_sht_free(sht) = @ccall libarmilla.armilla_sht_free(sht::Ptr{Cvoid})::Cvoid
armilla_exec_init_sized(exec, size) = @ccall libarmilla.armilla_exec_init_sized(
    exec::Ptr{armilla_exec}, size::Csize_t)::Cvoid
armilla_sht_synthesis(sht, alm, map, exec) = @ccall libarmilla.armilla_sht_synthesis(
    sht::Ptr{Cvoid}, alm::Ptr{ComplexF64}, map::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_sht_adjoint_synthesis(sht, map, alm, exec) = @ccall libarmilla.armilla_sht_adjoint_synthesis(
    sht::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_sht_analysis(sht, map, alm, exec) = @ccall libarmilla.armilla_sht_analysis(
    sht::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_sht_adjoint_analysis(sht, alm, map, exec) = @ccall libarmilla.armilla_sht_adjoint_analysis(
    sht::Ptr{Cvoid}, alm::Ptr{ComplexF64}, map::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_sht_synthesis_float(sht, alm, map, exec) = @ccall libarmilla.armilla_sht_synthesis_float(
    sht::Ptr{Cvoid}, alm::Ptr{ComplexF32}, map::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_sht_adjoint_synthesis_float(sht, map, alm, exec) = @ccall libarmilla.armilla_sht_adjoint_synthesis_float(
    sht::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32}, exec::Ptr{armilla_exec})::Cint
armilla_sht_analysis_float(sht, map, alm, exec) = @ccall libarmilla.armilla_sht_analysis_float(
    sht::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32}, exec::Ptr{armilla_exec})::Cint
armilla_sht_adjoint_analysis_float(sht, alm, map, exec) = @ccall libarmilla.armilla_sht_adjoint_analysis_float(
    sht::Ptr{Cvoid}, alm::Ptr{ComplexF32}, map::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_pseudo_options_init_sized(options, size) = @ccall libarmilla.armilla_pseudo_options_init_sized(
    options::Ptr{armilla_pseudo_options}, size::Csize_t)::Cvoid
armilla_sht_pseudo_analysis(sht, map, alm, options, reports, exec) = @ccall libarmilla.armilla_sht_pseudo_analysis(
    sht::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64},
    options::Ptr{armilla_pseudo_options}, reports::Ptr{armilla_pseudo_report},
    exec::Ptr{armilla_exec})::Cint
armilla_sht_pseudo_analysis_float(sht, map, alm, options, reports, exec) = @ccall libarmilla.armilla_sht_pseudo_analysis_float(
    sht::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32},
    options::Ptr{armilla_pseudo_options}, reports::Ptr{armilla_pseudo_report},
    exec::Ptr{armilla_exec})::Cint
armilla_sht_describe(sht, nthreads, description) = @ccall libarmilla.armilla_sht_describe(
    sht::Ptr{Cvoid}, nthreads::Cint, description::Ptr{armilla_sht_description})::Cint
armilla_sht_describe_many(sht, nthreads, ntrans, description) = @ccall libarmilla.armilla_sht_describe_many(
    sht::Ptr{Cvoid}, nthreads::Cint, ntrans::Int64, description::Ptr{armilla_sht_description})::Cint
armilla_sht_explain(sht, take, data) = @ccall libarmilla.armilla_sht_explain(sht::Ptr{Cvoid},
    take::Ptr{Cvoid}, data::Ptr{Cvoid})::Cint

# radial.h
const ARMILLA_RADIAL_EXACT = Cint(0)
const ARMILLA_RADIAL_STANDARD = Cint(1)
const ARMILLA_RADIAL_AUTO = Cint(0)
const ARMILLA_RADIAL_NONE = Cint(1)
const ARMILLA_RADIAL_INTEGRAL = Cint(2)
const ARMILLA_RADIAL_SUM = Cint(3)
const ARMILLA_RADIAL_FASTEST = Cint(0)
const ARMILLA_RADIAL_PIXELS = Cint(1)
const ARMILLA_RADIAL_RINGS = Cint(2)
mutable struct armilla_radial_options
    size             :: Csize_t
    support          :: Float64
    truncation_error :: Float64
    mode             :: Cint
    normalization    :: Cint
    method           :: Cint
    isa              :: Ptr{Cvoid}
    spin             :: Int64
    device           :: Cint
    device_bytes     :: Int64
    devices          :: Ptr{Cvoid}
    ndevices         :: Int64
    delegate         :: Cint
    armilla_radial_options() = new(0, 0, 0, 0, 0, 0, C_NULL, 0, 0, 0, C_NULL, 0, 0)
end

mutable struct armilla_radial_stream
    size         :: Csize_t
    read         :: Ptr{Cvoid}
    write        :: Ptr{Cvoid}
    data         :: Ptr{Cvoid}
    memory_bytes :: Int64
    weighted     :: Cint
    least        :: Float64
    fill         :: Float64
    armilla_radial_stream() = new(0, C_NULL, C_NULL, C_NULL, 0, 0, 0, 0)
end

mutable struct armilla_radial_description
    size                   :: Csize_t
    isa                    :: Ptr{Cvoid}
    method                 :: Ptr{Cvoid}
    normalization          :: Ptr{Cvoid}
    support                :: Float64
    truncation_error       :: Float64
    integral               :: Float64
    width                  :: Float64
    pixel                  :: Float64
    nrings                 :: Int64
    npix                   :: Int64
    pairs                  :: Int64
    plan_bytes             :: Int64
    workspace_bytes        :: Int64
    device_plan_bytes      :: Int64
    device_workspace_bytes :: Int64
    armilla_radial_description() = new(0, C_NULL, C_NULL, C_NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0)
end

armilla_radial_options_init_sized(options, size) = @ccall libarmilla.armilla_radial_options_init_sized(
    options::Ptr{armilla_radial_options}, size::Csize_t)::Cvoid
armilla_radial_new(grid, kernel, options, radial) = @ccall libarmilla.armilla_radial_new(
    grid::Ptr{Cvoid}, kernel::Ptr{Cvoid}, options::Ptr{armilla_radial_options},
    radial::Ptr{Ptr{Cvoid}})::Cint
armilla_radial_free(radial) = @ccall libarmilla.armilla_radial_free(radial::Ptr{Cvoid})::Cvoid
armilla_radial_convolve(radial, map, out, exec) = @ccall libarmilla.armilla_radial_convolve(
    radial::Ptr{Cvoid}, map::Ptr{Float64}, out::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_radial_convolve_float(radial, map, out, exec) = @ccall libarmilla.armilla_radial_convolve_float(
    radial::Ptr{Cvoid}, map::Ptr{Float32}, out::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_radial_adjoint(radial, map, out, exec) = @ccall libarmilla.armilla_radial_adjoint(
    radial::Ptr{Cvoid}, map::Ptr{Float64}, out::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_radial_adjoint_float(radial, map, out, exec) = @ccall libarmilla.armilla_radial_adjoint_float(
    radial::Ptr{Cvoid}, map::Ptr{Float32}, out::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_radial_convolve_weighted(radial, map, weights, least, fill, out, exec) = @ccall libarmilla.armilla_radial_convolve_weighted(
    radial::Ptr{Cvoid}, map::Ptr{Float64}, weights::Ptr{Float64}, least::Float64,
    fill::Float64, out::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_radial_convolve_weighted_float(radial, map, weights, least, fill, out, exec) = @ccall libarmilla.armilla_radial_convolve_weighted_float(
    radial::Ptr{Cvoid}, map::Ptr{Float32}, weights::Ptr{Float64}, least::Float64,
    fill::Float64, out::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_radial_convolve_many(radials, nradials, map, out, exec) = @ccall libarmilla.armilla_radial_convolve_many(
    radials::Ptr{Ptr{Cvoid}}, nradials::Int64, map::Ptr{Float64}, out::Ptr{Float64},
    exec::Ptr{armilla_exec})::Cint
armilla_radial_convolve_many_float(radials, nradials, map, out, exec) = @ccall libarmilla.armilla_radial_convolve_many_float(
    radials::Ptr{Ptr{Cvoid}}, nradials::Int64, map::Ptr{Float32}, out::Ptr{Float32},
    exec::Ptr{armilla_exec})::Cint
armilla_radial_many_bytes(radials, nradials, exec, bytes, device_bytes) = @ccall libarmilla.armilla_radial_many_bytes(
    radials::Ptr{Ptr{Cvoid}}, nradials::Int64, exec::Ptr{armilla_exec}, bytes::Ptr{Int64},
    device_bytes::Ptr{Int64})::Cint
armilla_radial_stream_init_sized(stream, size) = @ccall libarmilla.armilla_radial_stream_init_sized(
    stream::Ptr{armilla_radial_stream}, size::Csize_t)::Cvoid
armilla_radial_convolve_stream(radial, stream, exec) = @ccall libarmilla.armilla_radial_convolve_stream(
    radial::Ptr{Cvoid}, stream::Ptr{armilla_radial_stream}, exec::Ptr{armilla_exec})::Cint
armilla_radial_stream_bytes(radial, stream, exec, bytes) = @ccall libarmilla.armilla_radial_stream_bytes(
    radial::Ptr{Cvoid}, stream::Ptr{armilla_radial_stream}, exec::Ptr{armilla_exec},
    bytes::Ptr{Int64})::Cint
armilla_radial_describe(radial, nthreads, description) = @ccall libarmilla.armilla_radial_describe(
    radial::Ptr{Cvoid}, nthreads::Cint, description::Ptr{armilla_radial_description})::Cint
armilla_radial_explain(radial, take, data) = @ccall libarmilla.armilla_radial_explain(
    radial::Ptr{Cvoid}, take::Ptr{Cvoid}, data::Ptr{Cvoid})::Cint
armilla_radial_compare(radial, sht, radial_seconds, harmonic_seconds) = @ccall libarmilla.armilla_radial_compare(
    radial::Ptr{Cvoid}, sht::Ptr{Cvoid}, radial_seconds::Ptr{Float64},
    harmonic_seconds::Ptr{Float64})::Cint

# asymmetric.h
mutable struct armilla_asymmetric_description
    size             :: Csize_t
    isa              :: Ptr{Cvoid}
    nkernels         :: Int64
    support          :: Float64
    truncation_error :: Float64
    width            :: Float64
    pixel            :: Float64
    nrings           :: Int64
    npix             :: Int64
    pairs            :: Int64
    plan_bytes       :: Int64
    workspace_bytes  :: Int64
    armilla_asymmetric_description() = new(0, C_NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
end

armilla_asymmetric_new(grid, nkernels, kernels, offsets, weights, psi, options, plan) = @ccall libarmilla.armilla_asymmetric_new(
    grid::Ptr{Cvoid}, nkernels::Int64, kernels::Ptr{Ptr{Cvoid}}, offsets::Ptr{Float64},
    weights::Ptr{Float64}, psi::Ptr{Float64}, options::Ptr{armilla_radial_options},
    plan::Ptr{Ptr{Cvoid}})::Cint
armilla_asymmetric_free(plan) = @ccall libarmilla.armilla_asymmetric_free(plan::Ptr{Cvoid})::Cvoid
armilla_asymmetric_convolve(plan, map, out, exec) = @ccall libarmilla.armilla_asymmetric_convolve(
    plan::Ptr{Cvoid}, map::Ptr{Float64}, out::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_asymmetric_convolve_float(plan, map, out, exec) = @ccall libarmilla.armilla_asymmetric_convolve_float(
    plan::Ptr{Cvoid}, map::Ptr{Float32}, out::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_asymmetric_adjoint(plan, map, out, exec) = @ccall libarmilla.armilla_asymmetric_adjoint(
    plan::Ptr{Cvoid}, map::Ptr{Float64}, out::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_asymmetric_adjoint_float(plan, map, out, exec) = @ccall libarmilla.armilla_asymmetric_adjoint_float(
    plan::Ptr{Cvoid}, map::Ptr{Float32}, out::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_asymmetric_describe(plan, nthreads, description) = @ccall libarmilla.armilla_asymmetric_describe(
    plan::Ptr{Cvoid}, nthreads::Cint, description::Ptr{armilla_asymmetric_description})::Cint

# beam.h
armilla_beam_elliptical(fwhm_min, fwhm_max, psi, lmax, kmax, beam) = @ccall libarmilla.armilla_beam_elliptical(
    fwhm_min::Float64, fwhm_max::Float64, psi::Float64, lmax::Int64, kmax::Int64,
    beam::Ptr{Float64})::Cint
armilla_beam_elliptical_polarised(fwhm_min, fwhm_max, psi, polarisation, cross_polar, lmax, kmax, beam) = @ccall libarmilla.armilla_beam_elliptical_polarised(
    fwhm_min::Float64, fwhm_max::Float64, psi::Float64, polarisation::Float64,
    cross_polar::Float64, lmax::Int64, kmax::Int64, beam::Ptr{Float64})::Cint
armilla_beam_sum_of_kernels(nkernels, offsets, weights, nwindows, windows, lmax, kmax, beam) = @ccall libarmilla.armilla_beam_sum_of_kernels(
    nkernels::Int64, offsets::Ptr{Float64}, weights::Ptr{Float64}, nwindows::Int64,
    windows::Ptr{Float64}, lmax::Int64, kmax::Int64, beam::Ptr{Float64})::Cint

# points.h
mutable struct armilla_points_options
    size          :: Csize_t
    spin          :: Int64
    layout        :: Ptr{Cvoid}
    isa           :: Ptr{Cvoid}
    mode          :: Cint
    spin_method   :: Cint
    epsilon       :: Float64
    derivatives   :: Int64
    nthreads      :: Cint
    device        :: Cint
    device_bytes  :: Int64
    points_memory :: Cint
    devices       :: Ptr{Cvoid}
    ndevices      :: Int64
    delegate      :: Cint
    upsampling    :: Float64
    taps          :: Int64
    armilla_points_options() = new(0, 0, C_NULL, C_NULL, 0, 0, 0, 0, 0, 0, 0, 0, C_NULL, 0, 0, 0,
        0)
end

mutable struct armilla_interpolation_options
    size           :: Csize_t
    lmax           :: Int64
    mmax           :: Int64
    spin           :: Int64
    derivatives    :: Int64
    max_iterations :: Int64
    epsilon        :: Float64
    isa            :: Ptr{Cvoid}
    armilla_interpolation_options() = new(0, 0, 0, 0, 0, 0, 0, C_NULL)
end

mutable struct armilla_points_description
    size                   :: Csize_t
    isa                    :: Ptr{Cvoid}
    lmax                   :: Int64
    mmax                   :: Int64
    npoints                :: Int64
    ncomp                  :: Int64
    alm_ncomp              :: Int64
    alm_size               :: Int64
    epsilon                :: Float64
    nrings                 :: Int64
    nphi                   :: Int64
    taps                   :: Int64
    plan_bytes             :: Int64
    workspace_bytes        :: Int64
    north                  :: Float64
    south                  :: Float64
    near_rings             :: Int64
    highest_order          :: Int64
    backend                :: Ptr{Cvoid}
    device_plan_bytes      :: Int64
    device_workspace_bytes :: Int64
    armilla_points_description() = new(0, C_NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        C_NULL, 0, 0)
end

armilla_points_options_init_sized(options, size) = @ccall libarmilla.armilla_points_options_init_sized(
    options::Ptr{armilla_points_options}, size::Csize_t)::Cvoid
armilla_points_new(lmax, mmax, npoints, points, options, plan) = @ccall libarmilla.armilla_points_new(
    lmax::Int64, mmax::Int64, npoints::Int64, points::Ptr{Float64},
    options::Ptr{armilla_points_options}, plan::Ptr{Ptr{Cvoid}})::Cint
armilla_points_new_beside(plan, npoints, points, result) = @ccall libarmilla.armilla_points_new_beside(
    plan::Ptr{Cvoid}, npoints::Int64, points::Ptr{Float64}, result::Ptr{Ptr{Cvoid}})::Cint
armilla_points_free(plan) = @ccall libarmilla.armilla_points_free(plan::Ptr{Cvoid})::Cvoid
armilla_points_synthesis(plan, alm, values, exec) = @ccall libarmilla.armilla_points_synthesis(
    plan::Ptr{Cvoid}, alm::Ptr{ComplexF64}, values::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_points_adjoint_synthesis(plan, values, alm, exec) = @ccall libarmilla.armilla_points_adjoint_synthesis(
    plan::Ptr{Cvoid}, values::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_points_synthesis_float(plan, alm, values, exec) = @ccall libarmilla.armilla_points_synthesis_float(
    plan::Ptr{Cvoid}, alm::Ptr{ComplexF32}, values::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_points_adjoint_synthesis_float(plan, values, alm, exec) = @ccall libarmilla.armilla_points_adjoint_synthesis_float(
    plan::Ptr{Cvoid}, values::Ptr{Float32}, alm::Ptr{ComplexF32}, exec::Ptr{armilla_exec})::Cint
armilla_points_pseudo_analysis(plan, values, alm, options, reports, exec) = @ccall libarmilla.armilla_points_pseudo_analysis(
    plan::Ptr{Cvoid}, values::Ptr{Float64}, alm::Ptr{ComplexF64},
    options::Ptr{armilla_pseudo_options}, reports::Ptr{armilla_pseudo_report},
    exec::Ptr{armilla_exec})::Cint
armilla_points_pseudo_analysis_float(plan, values, alm, options, reports, exec) = @ccall libarmilla.armilla_points_pseudo_analysis_float(
    plan::Ptr{Cvoid}, values::Ptr{Float32}, alm::Ptr{ComplexF32},
    options::Ptr{armilla_pseudo_options}, reports::Ptr{armilla_pseudo_report},
    exec::Ptr{armilla_exec})::Cint
armilla_points_evaluate(lmax, mmax, npoints, points, options, alm, values, exec) = @ccall libarmilla.armilla_points_evaluate(
    lmax::Int64, mmax::Int64, npoints::Int64, points::Ptr{Float64},
    options::Ptr{armilla_points_options}, alm::Ptr{ComplexF64}, values::Ptr{Float64},
    exec::Ptr{armilla_exec})::Cint
armilla_points_evaluate_float(lmax, mmax, npoints, points, options, alm, values, exec) = @ccall libarmilla.armilla_points_evaluate_float(
    lmax::Int64, mmax::Int64, npoints::Int64, points::Ptr{Float64},
    options::Ptr{armilla_points_options}, alm::Ptr{ComplexF32}, values::Ptr{Float32},
    exec::Ptr{armilla_exec})::Cint
armilla_points_adjoint_evaluate(lmax, mmax, npoints, points, options, values, alm, exec) = @ccall libarmilla.armilla_points_adjoint_evaluate(
    lmax::Int64, mmax::Int64, npoints::Int64, points::Ptr{Float64},
    options::Ptr{armilla_points_options}, values::Ptr{Float64}, alm::Ptr{ComplexF64},
    exec::Ptr{armilla_exec})::Cint
armilla_points_adjoint_evaluate_float(lmax, mmax, npoints, points, options, values, alm, exec) = @ccall libarmilla.armilla_points_adjoint_evaluate_float(
    lmax::Int64, mmax::Int64, npoints::Int64, points::Ptr{Float64},
    options::Ptr{armilla_points_options}, values::Ptr{Float32}, alm::Ptr{ComplexF32},
    exec::Ptr{armilla_exec})::Cint
armilla_points_few(lmax, mmax, npoints, points, options, few) = @ccall libarmilla.armilla_points_few(
    lmax::Int64, mmax::Int64, npoints::Int64, points::Ptr{Float64},
    options::Ptr{armilla_points_options}, few::Ptr{Cint})::Cint
armilla_interpolation_options_init_sized(options, size) = @ccall libarmilla.armilla_interpolation_options_init_sized(
    options::Ptr{armilla_interpolation_options}, size::Csize_t)::Cvoid
armilla_points_interpolate(grid, map, npoints, points, options, values, reports, exec) = @ccall libarmilla.armilla_points_interpolate(
    grid::Ptr{Cvoid}, map::Ptr{Float64}, npoints::Int64, points::Ptr{Float64},
    options::Ptr{armilla_interpolation_options}, values::Ptr{Float64},
    reports::Ptr{armilla_pseudo_report}, exec::Ptr{armilla_exec})::Cint
armilla_points_interpolate_float(grid, map, npoints, points, options, values, reports, exec) = @ccall libarmilla.armilla_points_interpolate_float(
    grid::Ptr{Cvoid}, map::Ptr{Float32}, npoints::Int64, points::Ptr{Float64},
    options::Ptr{armilla_interpolation_options}, values::Ptr{Float32},
    reports::Ptr{armilla_pseudo_report}, exec::Ptr{armilla_exec})::Cint
armilla_points_describe(plan, nthreads, description) = @ccall libarmilla.armilla_points_describe(
    plan::Ptr{Cvoid}, nthreads::Cint, description::Ptr{armilla_points_description})::Cint
armilla_points_explain(plan, take, data) = @ccall libarmilla.armilla_points_explain(
    plan::Ptr{Cvoid}, take::Ptr{Cvoid}, data::Ptr{Cvoid})::Cint

# beams.h
mutable struct armilla_beams_options
    size         :: Csize_t
    components   :: Int64
    epsilon      :: Float64
    isa          :: Ptr{Cvoid}
    nthreads     :: Cint
    nbeams       :: Int64
    modulation   :: Ptr{Cvoid}
    device       :: Cint
    device_bytes :: Int64
    devices      :: Ptr{Cvoid}
    ndevices     :: Int64
    delegate     :: Cint
    armilla_beams_options() = new(0, 0, 0, C_NULL, 0, 0, C_NULL, 0, 0, C_NULL, 0, 0)
end

mutable struct armilla_beams_description
    size            :: Csize_t
    isa             :: Ptr{Cvoid}
    lmax            :: Int64
    mmax            :: Int64
    kmax            :: Int64
    npointings      :: Int64
    components      :: Int64
    nbeams          :: Int64
    alm_size        :: Int64
    blm_size        :: Int64
    epsilon         :: Float64
    nrings          :: Int64
    nphi            :: Int64
    taps            :: Int64
    plan_bytes      :: Int64
    workspace_bytes :: Int64
    backend         :: Ptr{Cvoid}
    armilla_beams_description() = new(0, C_NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, C_NULL)
end

armilla_beams_options_init_sized(options, size) = @ccall libarmilla.armilla_beams_options_init_sized(
    options::Ptr{armilla_beams_options}, size::Csize_t)::Cvoid
armilla_beams_new(lmax, mmax, kmax, npointings, pointings, options, plan) = @ccall libarmilla.armilla_beams_new(
    lmax::Int64, mmax::Int64, kmax::Int64, npointings::Int64, pointings::Ptr{Float64},
    options::Ptr{armilla_beams_options}, plan::Ptr{Ptr{Cvoid}})::Cint
armilla_beams_new_beside(plan, npointings, pointings, modulation, result) = @ccall libarmilla.armilla_beams_new_beside(
    plan::Ptr{Cvoid}, npointings::Int64, pointings::Ptr{Float64}, modulation::Ptr{Float64},
    result::Ptr{Ptr{Cvoid}})::Cint
armilla_beams_free(plan) = @ccall libarmilla.armilla_beams_free(plan::Ptr{Cvoid})::Cvoid
armilla_beams_convolve(plan, sky, beam, samples, exec) = @ccall libarmilla.armilla_beams_convolve(
    plan::Ptr{Cvoid}, sky::Ptr{Float64}, beam::Ptr{Float64}, samples::Ptr{Float64},
    exec::Ptr{armilla_exec})::Cint
armilla_beams_convolve_float(plan, sky, beam, samples, exec) = @ccall libarmilla.armilla_beams_convolve_float(
    plan::Ptr{Cvoid}, sky::Ptr{Float32}, beam::Ptr{Float32}, samples::Ptr{Float32},
    exec::Ptr{armilla_exec})::Cint
armilla_beams_adjoint(plan, samples, beam, sky, exec) = @ccall libarmilla.armilla_beams_adjoint(
    plan::Ptr{Cvoid}, samples::Ptr{Float64}, beam::Ptr{Float64}, sky::Ptr{Float64},
    exec::Ptr{armilla_exec})::Cint
armilla_beams_adjoint_float(plan, samples, beam, sky, exec) = @ccall libarmilla.armilla_beams_adjoint_float(
    plan::Ptr{Cvoid}, samples::Ptr{Float32}, beam::Ptr{Float32}, sky::Ptr{Float32},
    exec::Ptr{armilla_exec})::Cint
armilla_beams_beam_adjoint(plan, samples, sky, beam, exec) = @ccall libarmilla.armilla_beams_beam_adjoint(
    plan::Ptr{Cvoid}, samples::Ptr{Float64}, sky::Ptr{Float64}, beam::Ptr{Float64},
    exec::Ptr{armilla_exec})::Cint
armilla_beams_beam_adjoint_float(plan, samples, sky, beam, exec) = @ccall libarmilla.armilla_beams_beam_adjoint_float(
    plan::Ptr{Cvoid}, samples::Ptr{Float32}, sky::Ptr{Float32}, beam::Ptr{Float32},
    exec::Ptr{armilla_exec})::Cint
armilla_beams_deconvolve(plan, samples, beam, sky, options, report, exec) = @ccall libarmilla.armilla_beams_deconvolve(
    plan::Ptr{Cvoid}, samples::Ptr{Float64}, beam::Ptr{Float64}, sky::Ptr{Float64},
    options::Ptr{armilla_pseudo_options}, report::Ptr{armilla_pseudo_report},
    exec::Ptr{armilla_exec})::Cint
armilla_beams_describe(plan, nthreads, description) = @ccall libarmilla.armilla_beams_describe(
    plan::Ptr{Cvoid}, nthreads::Cint, description::Ptr{armilla_beams_description})::Cint
armilla_beams_explain(plan, take, data) = @ccall libarmilla.armilla_beams_explain(
    plan::Ptr{Cvoid}, take::Ptr{Cvoid}, data::Ptr{Cvoid})::Cint

# complex_sht.h
armilla_complex_index(l, m) = @ccall libarmilla.armilla_complex_index(l::Int64, m::Int64)::Int64
armilla_complex_sht_new(grid, lmax, mmax, options, sht) = @ccall libarmilla.armilla_complex_sht_new(
    grid::Ptr{Cvoid}, lmax::Int64, mmax::Int64, options::Ptr{armilla_sht_options},
    sht::Ptr{Ptr{Cvoid}})::Cint
armilla_complex_sht_free(sht) = @ccall libarmilla.armilla_complex_sht_free(sht::Ptr{Cvoid})::Cvoid
armilla_complex_sht_synthesis(sht, alm, map, exec) = @ccall libarmilla.armilla_complex_sht_synthesis(
    sht::Ptr{Cvoid}, alm::Ptr{ComplexF64}, map::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_complex_sht_adjoint_synthesis(sht, map, alm, exec) = @ccall libarmilla.armilla_complex_sht_adjoint_synthesis(
    sht::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_complex_sht_analysis(sht, map, alm, exec) = @ccall libarmilla.armilla_complex_sht_analysis(
    sht::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_complex_sht_adjoint_analysis(sht, alm, map, exec) = @ccall libarmilla.armilla_complex_sht_adjoint_analysis(
    sht::Ptr{Cvoid}, alm::Ptr{ComplexF64}, map::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_complex_sht_synthesis_float(sht, alm, map, exec) = @ccall libarmilla.armilla_complex_sht_synthesis_float(
    sht::Ptr{Cvoid}, alm::Ptr{ComplexF32}, map::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_complex_sht_adjoint_synthesis_float(sht, map, alm, exec) = @ccall libarmilla.armilla_complex_sht_adjoint_synthesis_float(
    sht::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32}, exec::Ptr{armilla_exec})::Cint
armilla_complex_sht_analysis_float(sht, map, alm, exec) = @ccall libarmilla.armilla_complex_sht_analysis_float(
    sht::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32}, exec::Ptr{armilla_exec})::Cint
armilla_complex_sht_adjoint_analysis_float(sht, alm, map, exec) = @ccall libarmilla.armilla_complex_sht_adjoint_analysis_float(
    sht::Ptr{Cvoid}, alm::Ptr{ComplexF32}, map::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_complex_sht_describe(sht, nthreads, description) = @ccall libarmilla.armilla_complex_sht_describe(
    sht::Ptr{Cvoid}, nthreads::Cint, description::Ptr{armilla_sht_description})::Cint
armilla_complex_sht_explain(sht, take, data) = @ccall libarmilla.armilla_complex_sht_explain(
    sht::Ptr{Cvoid}, take::Ptr{Cvoid}, data::Ptr{Cvoid})::Cint

# convention.h
const ARMILLA_NORM_ORTHONORMAL = Cint(0)
const ARMILLA_NORM_FOUR_PI = Cint(1)
const ARMILLA_NORM_SCHMIDT = Cint(2)
const ARMILLA_NORM_UNNORMALIZED = Cint(3)
const ARMILLA_HARMONICS_COMPLEX = Cint(0)
const ARMILLA_HARMONICS_REAL = Cint(1)
const ARMILLA_HARMONICS_REAL_CONJUGATE = Cint(2)
const ARMILLA_PACKING_ORDERS = Cint(0)
const ARMILLA_PACKING_DEGREES = Cint(1)
const ARMILLA_PACKING_RECTANGLE = Cint(2)
const ARMILLA_PACKING_PLANES = Cint(3)
const ARMILLA_PACKING_ACN = Cint(4)
const ARMILLA_PACKING_CENTRED = Cint(5)
const ARMILLA_PACKING_VECTOR = Cint(6)
mutable struct armilla_convention
    normalization   :: Cint
    condon_shortley :: Cint
    harmonics       :: Cint
    packing         :: Cint
    complex_field   :: Cint
    integrals       :: Cint
    armilla_convention() = new(0, 0, 0, 0, 0, 0)
end

armilla_convention_named(name, convention) = @ccall libarmilla.armilla_convention_named(
    name::Cstring, convention::Ptr{armilla_convention})::Cint
armilla_convention_name(number) = @ccall libarmilla.armilla_convention_name(number::Int64)::Cstring
armilla_convention_size(convention, lmax, mmax) = @ccall libarmilla.armilla_convention_size(
    convention::Ptr{armilla_convention}, lmax::Int64, mmax::Int64)::Int64
armilla_convention_index(convention, lmax, mmax, l, m) = @ccall libarmilla.armilla_convention_index(
    convention::Ptr{armilla_convention}, lmax::Int64, mmax::Int64, l::Int64, m::Int64)::Int64
armilla_convention_factor(convention, l, m, factor) = @ccall libarmilla.armilla_convention_factor(
    convention::Ptr{armilla_convention}, l::Int64, m::Int64, factor::Ptr{Float64})::Cint
armilla_convention_from_alm(convention, lmax, mmax, alm, array) = @ccall libarmilla.armilla_convention_from_alm(
    convention::Ptr{armilla_convention}, lmax::Int64, mmax::Int64, alm::Ptr{ComplexF64},
    array::Ptr{Float64})::Cint
armilla_convention_to_alm(convention, lmax, mmax, array, alm) = @ccall libarmilla.armilla_convention_to_alm(
    convention::Ptr{armilla_convention}, lmax::Int64, mmax::Int64, array::Ptr{Float64},
    alm::Ptr{ComplexF64})::Cint

# coupling.h
mutable struct armilla_coupling_options
    size   :: Csize_t
    spin1  :: Int64
    spin2  :: Int64
    pure1  :: Cint
    pure2  :: Cint
    window :: Ptr{Cvoid}
    isa    :: Ptr{Cvoid}
    armilla_coupling_options() = new(0, 0, 0, 0, 0, C_NULL, C_NULL)
end

mutable struct armilla_bands
    size    :: Csize_t
    nbands  :: Int64
    begin_  :: Ptr{Cvoid}
    end_    :: Ptr{Cvoid}
    weights :: Ptr{Cvoid}
    factor  :: Ptr{Cvoid}
    armilla_bands() = new(0, 0, C_NULL, C_NULL, C_NULL, C_NULL)
end

mutable struct armilla_covariance_term
    mask :: Int64
    x    :: Int64
    y    :: Int64
    armilla_covariance_term() = new(0, 0, 0)
end

mutable struct armilla_covariance_problem
    size   :: Csize_t
    nx     :: Int64
    ny     :: Int64
    x      :: Ptr{Cvoid}
    y      :: Ptr{Cvoid}
    nterms :: Int64
    terms  :: Ptr{Cvoid}
    armilla_covariance_problem() = new(0, 0, 0, C_NULL, C_NULL, 0, C_NULL)
end

mutable struct armilla_gaussian_pair
    field1   :: Int64
    field2   :: Int64
    matrix   :: Ptr{Cvoid}
    is_whole :: Cint
    armilla_gaussian_pair() = new(0, 0, C_NULL, 0)
end

mutable struct armilla_gaussian_block
    pair1 :: Int64
    pair2 :: Int64
    mask1 :: Int64
    mask2 :: Int64
    armilla_gaussian_block() = new(0, 0, 0, 0)
end

mutable struct armilla_gaussian_problem
    size    :: Csize_t
    lmax    :: Int64
    lmask   :: Int64
    nmasks  :: Int64
    masks   :: Ptr{Cvoid}
    nfields :: Int64
    spins   :: Ptr{Cvoid}
    pure    :: Ptr{Cvoid}
    cl      :: Ptr{Cvoid}
    bands   :: Ptr{Cvoid}
    npairs  :: Int64
    pairs   :: Ptr{Cvoid}
    nblocks :: Int64
    blocks  :: Ptr{Cvoid}
    armilla_gaussian_problem() = new(0, 0, 0, 0, C_NULL, 0, C_NULL, C_NULL, C_NULL, C_NULL, 0,
        C_NULL, 0, C_NULL)
end

mutable struct armilla_correlation
    size     :: Csize_t
    lmax     :: Int64
    spin1    :: Int64
    spin2    :: Int64
    ntheta   :: Int64
    theta    :: Ptr{Cvoid}
    bins     :: Cint
    nthreads :: Cint
    armilla_correlation() = new(0, 0, 0, 0, 0, C_NULL, 0, 0)
end

armilla_coupling_options_init_sized(options, size) = @ccall libarmilla.armilla_coupling_options_init_sized(
    options::Ptr{armilla_coupling_options}, size::Csize_t)::Cvoid
armilla_coupling_new(lmax, lmask, nmasks, masks, options, coupling) = @ccall libarmilla.armilla_coupling_new(
    lmax::Int64, lmask::Int64, nmasks::Int64, masks::Ptr{Float64},
    options::Ptr{armilla_coupling_options}, coupling::Ptr{Ptr{Cvoid}})::Cint
armilla_coupling_free(coupling) = @ccall libarmilla.armilla_coupling_free(coupling::Ptr{Cvoid})::Cvoid
armilla_coupling_ncl(coupling) = @ccall libarmilla.armilla_coupling_ncl(coupling::Ptr{Cvoid})::Int64
armilla_coupling_nkinds(coupling) = @ccall libarmilla.armilla_coupling_nkinds(
    coupling::Ptr{Cvoid})::Int64
armilla_coupling_apply(coupling, cl, coupled, exec) = @ccall libarmilla.armilla_coupling_apply(
    coupling::Ptr{Cvoid}, cl::Ptr{Float64}, coupled::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_coupling_adjoint(coupling, coupled, cl, exec) = @ccall libarmilla.armilla_coupling_adjoint(
    coupling::Ptr{Cvoid}, coupled::Ptr{Float64}, cl::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_coupling_mask_adjoint(coupling, cl, g, masks, exec) = @ccall libarmilla.armilla_coupling_mask_adjoint(
    coupling::Ptr{Cvoid}, cl::Ptr{Float64}, g::Ptr{Float64}, masks::Ptr{Float64},
    exec::Ptr{armilla_exec})::Cint
armilla_coupling_matrix(coupling, matrix, exec) = @ccall libarmilla.armilla_coupling_matrix(
    coupling::Ptr{Cvoid}, matrix::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_bands_init_sized(bands, size) = @ccall libarmilla.armilla_bands_init_sized(
    bands::Ptr{armilla_bands}, size::Csize_t)::Cvoid
armilla_bands_average(bands, lmax, ncl, cl, powers) = @ccall libarmilla.armilla_bands_average(
    bands::Ptr{armilla_bands}, lmax::Int64, ncl::Int64, cl::Ptr{Float64}, powers::Ptr{Float64})::Cint
armilla_coupling_windows(coupling, bands, windows, matrix, exec) = @ccall libarmilla.armilla_coupling_windows(
    coupling::Ptr{Cvoid}, bands::Ptr{armilla_bands}, windows::Ptr{Float64},
    matrix::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_coupling_decouple(coupling, bands, matrix, coupled, powers, condition) = @ccall libarmilla.armilla_coupling_decouple(
    coupling::Ptr{Cvoid}, bands::Ptr{armilla_bands}, matrix::Ptr{Float64},
    coupled::Ptr{Float64}, powers::Ptr{Float64}, condition::Ptr{Float64})::Cint
armilla_covariance_problem_init_sized(problem, size) = @ccall libarmilla.armilla_covariance_problem_init_sized(
    problem::Ptr{armilla_covariance_problem}, size::Csize_t)::Cvoid
armilla_coupling_covariance(coupling, bands, problem, cov, exec) = @ccall libarmilla.armilla_coupling_covariance(
    coupling::Ptr{Cvoid}, bands::Ptr{armilla_bands}, problem::Ptr{armilla_covariance_problem},
    cov::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_gaussian_problem_init_sized(problem, size) = @ccall libarmilla.armilla_gaussian_problem_init_sized(
    problem::Ptr{armilla_gaussian_problem}, size::Csize_t)::Cvoid
armilla_gaussian_covariance(problem, cov, exec) = @ccall libarmilla.armilla_gaussian_covariance(
    problem::Ptr{armilla_gaussian_problem}, cov::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_gaussian_smooth(lmax, least, ncl, cl, smooth) = @ccall libarmilla.armilla_gaussian_smooth(
    lmax::Int64, least::Int64, ncl::Int64, cl::Ptr{Float64}, smooth::Ptr{Float64})::Cint
armilla_correlation_init_sized(problem, size) = @ccall libarmilla.armilla_correlation_init_sized(
    problem::Ptr{armilla_correlation}, size::Csize_t)::Cvoid
armilla_correlation_from_cl(problem, cl, xi) = @ccall libarmilla.armilla_correlation_from_cl(
    problem::Ptr{armilla_correlation}, cl::Ptr{Float64}, xi::Ptr{Float64})::Cint
armilla_correlation_adjoint(problem, xi, cl) = @ccall libarmilla.armilla_correlation_adjoint(
    problem::Ptr{armilla_correlation}, xi::Ptr{Float64}, cl::Ptr{Float64})::Cint

# distribution.h
mutable struct armilla_distribution_options
    size             :: Csize_t
    groups           :: Int64
    order_member     :: Ptr{Cvoid}
    ring_member      :: Ptr{Cvoid}
    count_resampling :: Cint
    armilla_distribution_options() = new(0, 0, C_NULL, C_NULL, 0)
end

armilla_distribution_options_init_sized(options, size) = @ccall libarmilla.armilla_distribution_options_init_sized(
    options::Ptr{armilla_distribution_options}, size::Csize_t)::Cvoid
armilla_distribution_new(grid, lmax, mmax, nranks, options, distribution) = @ccall libarmilla.armilla_distribution_new(
    grid::Ptr{Cvoid}, lmax::Int64, mmax::Int64, nranks::Int64,
    options::Ptr{armilla_distribution_options}, distribution::Ptr{Ptr{Cvoid}})::Cint
armilla_distribution_free(distribution) = @ccall libarmilla.armilla_distribution_free(
    distribution::Ptr{Cvoid})::Cvoid
armilla_distribution_nranks(distribution) = @ccall libarmilla.armilla_distribution_nranks(
    distribution::Ptr{Cvoid})::Int64
armilla_distribution_orders(distribution, rank, orders) = @ccall libarmilla.armilla_distribution_orders(
    distribution::Ptr{Cvoid}, rank::Int64, orders::Ptr{Int64})::Int64
armilla_distribution_rings(distribution, rank, rings) = @ccall libarmilla.armilla_distribution_rings(
    distribution::Ptr{Cvoid}, rank::Int64, rings::Ptr{Int64})::Int64
armilla_distribution_alm_size(distribution, rank) = @ccall libarmilla.armilla_distribution_alm_size(
    distribution::Ptr{Cvoid}, rank::Int64)::Int64
armilla_distribution_npix(distribution, rank) = @ccall libarmilla.armilla_distribution_npix(
    distribution::Ptr{Cvoid}, rank::Int64)::Int64
armilla_distribution_alm_index(distribution, rank, l, m) = @ccall libarmilla.armilla_distribution_alm_index(
    distribution::Ptr{Cvoid}, rank::Int64, l::Int64, m::Int64)::Int64
armilla_distribution_ring_offset(distribution, rank, ring) = @ccall libarmilla.armilla_distribution_ring_offset(
    distribution::Ptr{Cvoid}, rank::Int64, ring::Int64)::Int64
armilla_distribution_fields(distribution, rank, nfields, first) = @ccall libarmilla.armilla_distribution_fields(
    distribution::Ptr{Cvoid}, rank::Int64, nfields::Int64, first::Ptr{Int64})::Int64
armilla_distribution_multiply_window(distribution, rank, nwindow, window, alm) = @ccall libarmilla.armilla_distribution_multiply_window(
    distribution::Ptr{Cvoid}, rank::Int64, nwindow::Int64, window::Ptr{Float64},
    alm::Ptr{ComplexF64})::Cint
armilla_distribution_random(distribution, rank, ncl, cl, seed, field, alm) = @ccall libarmilla.armilla_distribution_random(
    distribution::Ptr{Cvoid}, rank::Int64, ncl::Int64, cl::Ptr{Float64}, seed::UInt64,
    field::UInt64, alm::Ptr{ComplexF64})::Cint
armilla_distribution_random_correlated(distribution, rank, nfields, ncl, cl, seed, alm) = @ccall libarmilla.armilla_distribution_random_correlated(
    distribution::Ptr{Cvoid}, rank::Int64, nfields::Int64, ncl::Int64, cl::Ptr{Float64},
    seed::UInt64, alm::Ptr{ComplexF64})::Cint
armilla_distribution_order_cost(distribution, rank) = @ccall libarmilla.armilla_distribution_order_cost(
    distribution::Ptr{Cvoid}, rank::Int64)::Int64
armilla_distribution_ring_cost(distribution, rank) = @ccall libarmilla.armilla_distribution_ring_cost(
    distribution::Ptr{Cvoid}, rank::Int64)::Int64

# rotation.h
mutable struct armilla_rotation
    psi   :: Float64
    theta :: Float64
    phi   :: Float64
    armilla_rotation() = new(0, 0, 0)
end

armilla_rotation_from_euler(psi, theta, phi, rotation) = @ccall libarmilla.armilla_rotation_from_euler(
    psi::Float64, theta::Float64, phi::Float64, rotation::Ptr{armilla_rotation})::Cint
armilla_rotation_from_matrix(matrix, rotation) = @ccall libarmilla.armilla_rotation_from_matrix(
    matrix::Ptr{Float64}, rotation::Ptr{armilla_rotation})::Cint
armilla_rotation_from_coordinates(from, to, rotation) = @ccall libarmilla.armilla_rotation_from_coordinates(
    from::UInt8, to::UInt8, rotation::Ptr{armilla_rotation})::Cint
armilla_rotation_invert(rotation, inverse) = @ccall libarmilla.armilla_rotation_invert(
    rotation::Ptr{armilla_rotation}, inverse::Ptr{armilla_rotation})::Cint
armilla_rotation_compose(first, second, rotation) = @ccall libarmilla.armilla_rotation_compose(
    first::Ptr{armilla_rotation}, second::Ptr{armilla_rotation}, rotation::Ptr{armilla_rotation})::Cint
armilla_rotation_matrix(rotation, matrix) = @ccall libarmilla.armilla_rotation_matrix(
    rotation::Ptr{armilla_rotation}, matrix::Ptr{Float64})::Cint
armilla_alm_rotate(rotation, lmax, mmax, alm, mmax_out, out, exec) = @ccall libarmilla.armilla_alm_rotate(
    rotation::Ptr{armilla_rotation}, lmax::Int64, mmax::Int64, alm::Ptr{ComplexF64},
    mmax_out::Int64, out::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint

# transport.h
const ARMILLA_TRANSPORT_SLOTS = Cint(2)
mutable struct armilla_message
    rank  :: Int64
    bytes :: Int64
    data  :: Ptr{Cvoid}
    armilla_message() = new(0, 0, C_NULL)
end

mutable struct armilla_transport
    size                :: Csize_t
    rank                :: Int64
    nranks              :: Int64
    most_threads        :: Int64
    context             :: Ptr{Cvoid}
    start               :: Ptr{Cvoid}
    wait                :: Ptr{Cvoid}
    largest             :: Ptr{Cvoid}
    poke                :: Ptr{Cvoid}
    local_rank          :: Int64
    takes_device_memory :: Cint
    armilla_transport() = new(0, 0, 0, 0, C_NULL, C_NULL, C_NULL, C_NULL, C_NULL, 0, 0)
end


# distributed.h
const ARMILLA_DEVICE_OF_RANK = Cint(-1)
const ARMILLA_DEVICE_CURRENT = Cint(-2)
mutable struct armilla_distributed_options
    size          :: Csize_t
    chunk_bytes   :: Int64
    device_number :: Int64
    armilla_distributed_options() = new(0, 0, 0)
end

mutable struct armilla_distributed_description
    size            :: Csize_t
    alm_size        :: Int64
    npix            :: Int64
    ncomp           :: Int64
    alm_ncomp       :: Int64
    plan_bytes      :: Int64
    workspace_bytes :: Int64
    messages        :: Int64
    bytes           :: Int64
    chunks          :: Int64
    armilla_distributed_description() = new(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
end

armilla_distributed_options_init_sized(options, size) = @ccall libarmilla.armilla_distributed_options_init_sized(
    options::Ptr{armilla_distributed_options}, size::Csize_t)::Cvoid
armilla_distributed_sht_new(transport, distribution, options, distributed, sht) = @ccall libarmilla.armilla_distributed_sht_new(
    transport::Ptr{Cvoid}, distribution::Ptr{Cvoid}, options::Ptr{armilla_sht_options},
    distributed::Ptr{armilla_distributed_options}, sht::Ptr{Ptr{Cvoid}})::Cint
armilla_distributed_sht_free(sht) = @ccall libarmilla.armilla_distributed_sht_free(
    sht::Ptr{Cvoid})::Cvoid
armilla_distributed_sht_synthesis(sht, alm, map, exec) = @ccall libarmilla.armilla_distributed_sht_synthesis(
    sht::Ptr{Cvoid}, alm::Ptr{ComplexF64}, map::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_sht_adjoint_synthesis(sht, map, alm, exec) = @ccall libarmilla.armilla_distributed_sht_adjoint_synthesis(
    sht::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_sht_analysis(sht, map, alm, exec) = @ccall libarmilla.armilla_distributed_sht_analysis(
    sht::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_sht_adjoint_analysis(sht, alm, map, exec) = @ccall libarmilla.armilla_distributed_sht_adjoint_analysis(
    sht::Ptr{Cvoid}, alm::Ptr{ComplexF64}, map::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_sht_synthesis_float(sht, alm, map, exec) = @ccall libarmilla.armilla_distributed_sht_synthesis_float(
    sht::Ptr{Cvoid}, alm::Ptr{ComplexF32}, map::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_sht_adjoint_synthesis_float(sht, map, alm, exec) = @ccall libarmilla.armilla_distributed_sht_adjoint_synthesis_float(
    sht::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_sht_analysis_float(sht, map, alm, exec) = @ccall libarmilla.armilla_distributed_sht_analysis_float(
    sht::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_sht_adjoint_analysis_float(sht, alm, map, exec) = @ccall libarmilla.armilla_distributed_sht_adjoint_analysis_float(
    sht::Ptr{Cvoid}, alm::Ptr{ComplexF32}, map::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_sht_pseudo_analysis(sht, map, alm, options, reports, exec) = @ccall libarmilla.armilla_distributed_sht_pseudo_analysis(
    sht::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64},
    options::Ptr{armilla_pseudo_options}, reports::Ptr{armilla_pseudo_report},
    exec::Ptr{armilla_exec})::Cint
armilla_distributed_sht_pseudo_analysis_float(sht, map, alm, options, reports, exec) = @ccall libarmilla.armilla_distributed_sht_pseudo_analysis_float(
    sht::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32},
    options::Ptr{armilla_pseudo_options}, reports::Ptr{armilla_pseudo_report},
    exec::Ptr{armilla_exec})::Cint
armilla_distributed_iqu_new(transport, distribution, options, distributed, iqu) = @ccall libarmilla.armilla_distributed_iqu_new(
    transport::Ptr{Cvoid}, distribution::Ptr{Cvoid}, options::Ptr{armilla_sht_options},
    distributed::Ptr{armilla_distributed_options}, iqu::Ptr{Ptr{Cvoid}})::Cint
armilla_distributed_iqu_free(iqu) = @ccall libarmilla.armilla_distributed_iqu_free(
    iqu::Ptr{Cvoid})::Cvoid
armilla_distributed_iqu_synthesis(iqu, alm, map, exec) = @ccall libarmilla.armilla_distributed_iqu_synthesis(
    iqu::Ptr{Cvoid}, alm::Ptr{ComplexF64}, map::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_iqu_adjoint_synthesis(iqu, map, alm, exec) = @ccall libarmilla.armilla_distributed_iqu_adjoint_synthesis(
    iqu::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_iqu_analysis(iqu, map, alm, exec) = @ccall libarmilla.armilla_distributed_iqu_analysis(
    iqu::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_iqu_adjoint_analysis(iqu, alm, map, exec) = @ccall libarmilla.armilla_distributed_iqu_adjoint_analysis(
    iqu::Ptr{Cvoid}, alm::Ptr{ComplexF64}, map::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_iqu_synthesis_float(iqu, alm, map, exec) = @ccall libarmilla.armilla_distributed_iqu_synthesis_float(
    iqu::Ptr{Cvoid}, alm::Ptr{ComplexF32}, map::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_iqu_adjoint_synthesis_float(iqu, map, alm, exec) = @ccall libarmilla.armilla_distributed_iqu_adjoint_synthesis_float(
    iqu::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_iqu_analysis_float(iqu, map, alm, exec) = @ccall libarmilla.armilla_distributed_iqu_analysis_float(
    iqu::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_iqu_adjoint_analysis_float(iqu, alm, map, exec) = @ccall libarmilla.armilla_distributed_iqu_adjoint_analysis_float(
    iqu::Ptr{Cvoid}, alm::Ptr{ComplexF32}, map::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_iqu_pseudo_analysis(iqu, map, alm, options, reports, exec) = @ccall libarmilla.armilla_distributed_iqu_pseudo_analysis(
    iqu::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64},
    options::Ptr{armilla_pseudo_options}, reports::Ptr{armilla_pseudo_report},
    exec::Ptr{armilla_exec})::Cint
armilla_distributed_iqu_pseudo_analysis_float(iqu, map, alm, options, reports, exec) = @ccall libarmilla.armilla_distributed_iqu_pseudo_analysis_float(
    iqu::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32},
    options::Ptr{armilla_pseudo_options}, reports::Ptr{armilla_pseudo_report},
    exec::Ptr{armilla_exec})::Cint
armilla_distributed_spectrum(transport, distribution, alm_a, alm_b, cl) = @ccall libarmilla.armilla_distributed_spectrum(
    transport::Ptr{Cvoid}, distribution::Ptr{Cvoid}, alm_a::Ptr{ComplexF64},
    alm_b::Ptr{ComplexF64}, cl::Ptr{Float64})::Cint
armilla_distributed_rotate(transport, distribution, rotation, alm, exec) = @ccall libarmilla.armilla_distributed_rotate(
    transport::Ptr{Cvoid}, distribution::Ptr{Cvoid}, rotation::Ptr{armilla_rotation},
    alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_sht_describe(sht, nthreads, description) = @ccall libarmilla.armilla_distributed_sht_describe(
    sht::Ptr{Cvoid}, nthreads::Cint, description::Ptr{armilla_distributed_description})::Cint

# distributed_beams.h
mutable struct armilla_distributed_beams_description
    size            :: Csize_t
    npointings      :: Int64
    all_pointings   :: Int64
    pointings_here  :: Int64
    alm_size        :: Int64
    blm_size        :: Int64
    plan_bytes      :: Int64
    workspace_bytes :: Int64
    armilla_distributed_beams_description() = new(0, 0, 0, 0, 0, 0, 0, 0)
end

armilla_distributed_beams_new(transport, distribution, kmax, npointings, pointings, options, distributed, plan) = @ccall libarmilla.armilla_distributed_beams_new(
    transport::Ptr{Cvoid}, distribution::Ptr{Cvoid}, kmax::Int64, npointings::Int64,
    pointings::Ptr{Float64}, options::Ptr{armilla_beams_options},
    distributed::Ptr{armilla_distributed_options}, plan::Ptr{Ptr{Cvoid}})::Cint
armilla_distributed_beams_free(plan) = @ccall libarmilla.armilla_distributed_beams_free(
    plan::Ptr{Cvoid})::Cvoid
armilla_distributed_beams_convolve(plan, sky, beam, samples, exec) = @ccall libarmilla.armilla_distributed_beams_convolve(
    plan::Ptr{Cvoid}, sky::Ptr{Float64}, beam::Ptr{Float64}, samples::Ptr{Float64},
    exec::Ptr{armilla_exec})::Cint
armilla_distributed_beams_convolve_float(plan, sky, beam, samples, exec) = @ccall libarmilla.armilla_distributed_beams_convolve_float(
    plan::Ptr{Cvoid}, sky::Ptr{Float32}, beam::Ptr{Float32}, samples::Ptr{Float32},
    exec::Ptr{armilla_exec})::Cint
armilla_distributed_beams_adjoint(plan, samples, beam, sky, exec) = @ccall libarmilla.armilla_distributed_beams_adjoint(
    plan::Ptr{Cvoid}, samples::Ptr{Float64}, beam::Ptr{Float64}, sky::Ptr{Float64},
    exec::Ptr{armilla_exec})::Cint
armilla_distributed_beams_adjoint_float(plan, samples, beam, sky, exec) = @ccall libarmilla.armilla_distributed_beams_adjoint_float(
    plan::Ptr{Cvoid}, samples::Ptr{Float32}, beam::Ptr{Float32}, sky::Ptr{Float32},
    exec::Ptr{armilla_exec})::Cint
armilla_distributed_beams_beam_adjoint(plan, samples, sky, beam, exec) = @ccall libarmilla.armilla_distributed_beams_beam_adjoint(
    plan::Ptr{Cvoid}, samples::Ptr{Float64}, sky::Ptr{Float64}, beam::Ptr{Float64},
    exec::Ptr{armilla_exec})::Cint
armilla_distributed_beams_beam_adjoint_float(plan, samples, sky, beam, exec) = @ccall libarmilla.armilla_distributed_beams_beam_adjoint_float(
    plan::Ptr{Cvoid}, samples::Ptr{Float32}, sky::Ptr{Float32}, beam::Ptr{Float32},
    exec::Ptr{armilla_exec})::Cint
armilla_distributed_beams_deconvolve(plan, samples, beam, sky, options, report, exec) = @ccall libarmilla.armilla_distributed_beams_deconvolve(
    plan::Ptr{Cvoid}, samples::Ptr{Float64}, beam::Ptr{Float64}, sky::Ptr{Float64},
    options::Ptr{armilla_pseudo_options}, report::Ptr{armilla_pseudo_report},
    exec::Ptr{armilla_exec})::Cint
armilla_distributed_beams_describe(plan, nthreads, description) = @ccall libarmilla.armilla_distributed_beams_describe(
    plan::Ptr{Cvoid}, nthreads::Cint, description::Ptr{armilla_distributed_beams_description})::Cint

# distributed_points.h
mutable struct armilla_distributed_points_description
    size            :: Csize_t
    npoints         :: Int64
    all_points      :: Int64
    points_here     :: Int64
    strips          :: Int64
    nstrips         :: Int64
    alm_size        :: Int64
    ncomp           :: Int64
    alm_ncomp       :: Int64
    moves_alm       :: Int64
    chunks          :: Int64
    plan_bytes      :: Int64
    workspace_bytes :: Int64
    armilla_distributed_points_description() = new(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
end

armilla_distributed_points_new(transport, distribution, npoints, points, options, distributed, plan) = @ccall libarmilla.armilla_distributed_points_new(
    transport::Ptr{Cvoid}, distribution::Ptr{Cvoid}, npoints::Int64, points::Ptr{Float64},
    options::Ptr{armilla_points_options}, distributed::Ptr{armilla_distributed_options},
    plan::Ptr{Ptr{Cvoid}})::Cint
armilla_distributed_points_free(plan) = @ccall libarmilla.armilla_distributed_points_free(
    plan::Ptr{Cvoid})::Cvoid
armilla_distributed_points_synthesis(plan, alm, values, exec) = @ccall libarmilla.armilla_distributed_points_synthesis(
    plan::Ptr{Cvoid}, alm::Ptr{ComplexF64}, values::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_points_adjoint_synthesis(plan, values, alm, exec) = @ccall libarmilla.armilla_distributed_points_adjoint_synthesis(
    plan::Ptr{Cvoid}, values::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_points_synthesis_float(plan, alm, values, exec) = @ccall libarmilla.armilla_distributed_points_synthesis_float(
    plan::Ptr{Cvoid}, alm::Ptr{ComplexF32}, values::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_points_adjoint_synthesis_float(plan, values, alm, exec) = @ccall libarmilla.armilla_distributed_points_adjoint_synthesis_float(
    plan::Ptr{Cvoid}, values::Ptr{Float32}, alm::Ptr{ComplexF32}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_points_pseudo_analysis(plan, values, alm, options, reports, exec) = @ccall libarmilla.armilla_distributed_points_pseudo_analysis(
    plan::Ptr{Cvoid}, values::Ptr{Float64}, alm::Ptr{ComplexF64},
    options::Ptr{armilla_pseudo_options}, reports::Ptr{armilla_pseudo_report},
    exec::Ptr{armilla_exec})::Cint
armilla_distributed_points_pseudo_analysis_float(plan, values, alm, options, reports, exec) = @ccall libarmilla.armilla_distributed_points_pseudo_analysis_float(
    plan::Ptr{Cvoid}, values::Ptr{Float32}, alm::Ptr{ComplexF32},
    options::Ptr{armilla_pseudo_options}, reports::Ptr{armilla_pseudo_report},
    exec::Ptr{armilla_exec})::Cint
armilla_distributed_points_describe(plan, nthreads, description) = @ccall libarmilla.armilla_distributed_points_describe(
    plan::Ptr{Cvoid}, nthreads::Cint, description::Ptr{armilla_distributed_points_description})::Cint

# lensing.h
const ARMILLA_DEFLECTION_POTENTIAL = Cint(0)
const ARMILLA_DEFLECTION_VECTOR = Cint(1)
const ARMILLA_DEFLECTION_MAP = Cint(2)
const ARMILLA_DISTORTION_LINEAR = Cint(0)
const ARMILLA_DISTORTION_EXACT = Cint(1)
mutable struct armilla_deflection
    size     :: Csize_t
    lmax     :: Int64
    mmax     :: Int64
    gradient :: Ptr{Cvoid}
    curl     :: Ptr{Cvoid}
    kind     :: Cint
    nthreads :: Cint
    map      :: Ptr{Cvoid}
    armilla_deflection() = new(0, 0, 0, C_NULL, C_NULL, 0, 0, C_NULL)
end

armilla_lensing_deflect(npoints, points, deflection, nthreads, deflected, gamma) = @ccall libarmilla.armilla_lensing_deflect(
    npoints::Int64, points::Ptr{Float64}, deflection::Ptr{Float64}, nthreads::Cint,
    deflected::Ptr{Float64}, gamma::Ptr{Float64})::Cint
armilla_deflection_init_sized(deflection, size) = @ccall libarmilla.armilla_deflection_init_sized(
    deflection::Ptr{armilla_deflection}, size::Csize_t)::Cvoid
armilla_lensing_distortion(grid, deflection, kind, map) = @ccall libarmilla.armilla_lensing_distortion(
    grid::Ptr{Cvoid}, deflection::Ptr{armilla_deflection}, kind::Cint, map::Ptr{Float64})::Cint
armilla_lensing_new(grid, deflection, lmax, mmax, options, lensing) = @ccall libarmilla.armilla_lensing_new(
    grid::Ptr{Cvoid}, deflection::Ptr{armilla_deflection}, lmax::Int64, mmax::Int64,
    options::Ptr{armilla_points_options}, lensing::Ptr{Ptr{Cvoid}})::Cint
armilla_lensing_new_beside(lensing, lmax, mmax, options, result) = @ccall libarmilla.armilla_lensing_new_beside(
    lensing::Ptr{Cvoid}, lmax::Int64, mmax::Int64, options::Ptr{armilla_points_options},
    result::Ptr{Ptr{Cvoid}})::Cint
armilla_lensing_free(lensing) = @ccall libarmilla.armilla_lensing_free(lensing::Ptr{Cvoid})::Cvoid
armilla_lensing_angles(lensing, points, gamma) = @ccall libarmilla.armilla_lensing_angles(
    lensing::Ptr{Cvoid}, points::Ptr{Float64}, gamma::Ptr{Float64})::Cint
armilla_lensing_alm2lenmap(lensing, alm, map, exec) = @ccall libarmilla.armilla_lensing_alm2lenmap(
    lensing::Ptr{Cvoid}, alm::Ptr{ComplexF64}, map::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_lensing_adjoint(lensing, map, alm, exec) = @ccall libarmilla.armilla_lensing_adjoint(
    lensing::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_lensing_describe(lensing, nthreads, description) = @ccall libarmilla.armilla_lensing_describe(
    lensing::Ptr{Cvoid}, nthreads::Cint, description::Ptr{armilla_points_description})::Cint

# distributed_lensing.h
mutable struct armilla_distributed_deflection
    size         :: Csize_t
    distribution :: Ptr{Cvoid}
    gradient     :: Ptr{Cvoid}
    curl         :: Ptr{Cvoid}
    has_curl     :: Cint
    kind         :: Cint
    armilla_distributed_deflection() = new(0, C_NULL, C_NULL, C_NULL, 0, 0)
end

armilla_distributed_deflection_init_sized(deflection, size) = @ccall libarmilla.armilla_distributed_deflection_init_sized(
    deflection::Ptr{armilla_distributed_deflection}, size::Csize_t)::Cvoid
armilla_distributed_lensing_new(transport, distribution, deflection, options, distributed, lensing) = @ccall libarmilla.armilla_distributed_lensing_new(
    transport::Ptr{Cvoid}, distribution::Ptr{Cvoid},
    deflection::Ptr{armilla_distributed_deflection}, options::Ptr{armilla_points_options},
    distributed::Ptr{armilla_distributed_options}, lensing::Ptr{Ptr{Cvoid}})::Cint
armilla_distributed_lensing_new_beside(lensing, transport, distribution, options, distributed, result) = @ccall libarmilla.armilla_distributed_lensing_new_beside(
    lensing::Ptr{Cvoid}, transport::Ptr{Cvoid}, distribution::Ptr{Cvoid},
    options::Ptr{armilla_points_options}, distributed::Ptr{armilla_distributed_options},
    result::Ptr{Ptr{Cvoid}})::Cint
armilla_distributed_lensing_free(lensing) = @ccall libarmilla.armilla_distributed_lensing_free(
    lensing::Ptr{Cvoid})::Cvoid
armilla_distributed_lensing_alm2lenmap(lensing, alm, map, exec) = @ccall libarmilla.armilla_distributed_lensing_alm2lenmap(
    lensing::Ptr{Cvoid}, alm::Ptr{ComplexF64}, map::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_lensing_adjoint(lensing, map, alm, exec) = @ccall libarmilla.armilla_distributed_lensing_adjoint(
    lensing::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_lensing_describe(lensing, nthreads, description) = @ccall libarmilla.armilla_distributed_lensing_describe(
    lensing::Ptr{Cvoid}, nthreads::Cint,
    description::Ptr{armilla_distributed_points_description})::Cint

# redistribution.h
mutable struct armilla_span
    begin_ :: Int64
    count  :: Int64
    place  :: Int64
    armilla_span() = new(0, 0, 0)
end

mutable struct armilla_redistribution_options
    size        :: Csize_t
    chunk_bytes :: Int64
    armilla_redistribution_options() = new(0, 0)
end

armilla_redistribution_options_init_sized(options, size) = @ccall libarmilla.armilla_redistribution_options_init_sized(
    options::Ptr{armilla_redistribution_options}, size::Csize_t)::Cvoid
armilla_redistribution_new(transport, nfrom, from, nto, to, options, redistribution) = @ccall libarmilla.armilla_redistribution_new(
    transport::Ptr{Cvoid}, nfrom::Int64, from::Ptr{armilla_span}, nto::Int64,
    to::Ptr{armilla_span}, options::Ptr{armilla_redistribution_options},
    redistribution::Ptr{Ptr{Cvoid}})::Cint
armilla_redistribution_free(redistribution) = @ccall libarmilla.armilla_redistribution_free(
    redistribution::Ptr{Cvoid})::Cvoid
armilla_redistribution_run(redistribution, element_bytes, narrays, source, source_stride, target, target_stride) = @ccall libarmilla.armilla_redistribution_run(
    redistribution::Ptr{Cvoid}, element_bytes::Int64, narrays::Int64, source::Ptr{Cvoid},
    source_stride::Int64, target::Ptr{Cvoid}, target_stride::Int64)::Cint
armilla_distribution_map_spans(distribution, rank, spans) = @ccall libarmilla.armilla_distribution_map_spans(
    distribution::Ptr{Cvoid}, rank::Int64, spans::Ptr{armilla_span})::Int64
armilla_distribution_alm_spans(distribution, rank, spans) = @ccall libarmilla.armilla_distribution_alm_spans(
    distribution::Ptr{Cvoid}, rank::Int64, spans::Ptr{armilla_span})::Int64
armilla_distributed_map_gather(transport, distribution, root, nfields, ncomp, element_bytes, part, whole) = @ccall libarmilla.armilla_distributed_map_gather(
    transport::Ptr{Cvoid}, distribution::Ptr{Cvoid}, root::Int64, nfields::Int64, ncomp::Int64,
    element_bytes::Int64, part::Ptr{Cvoid}, whole::Ptr{Cvoid})::Cint
armilla_distributed_map_scatter(transport, distribution, root, nfields, ncomp, element_bytes, whole, part) = @ccall libarmilla.armilla_distributed_map_scatter(
    transport::Ptr{Cvoid}, distribution::Ptr{Cvoid}, root::Int64, nfields::Int64, ncomp::Int64,
    element_bytes::Int64, whole::Ptr{Cvoid}, part::Ptr{Cvoid})::Cint
armilla_distributed_alm_gather(transport, distribution, root, nfields, ncomp, element_bytes, part, whole) = @ccall libarmilla.armilla_distributed_alm_gather(
    transport::Ptr{Cvoid}, distribution::Ptr{Cvoid}, root::Int64, nfields::Int64, ncomp::Int64,
    element_bytes::Int64, part::Ptr{Cvoid}, whole::Ptr{Cvoid})::Cint
armilla_distributed_alm_scatter(transport, distribution, root, nfields, ncomp, element_bytes, whole, part) = @ccall libarmilla.armilla_distributed_alm_scatter(
    transport::Ptr{Cvoid}, distribution::Ptr{Cvoid}, root::Int64, nfields::Int64, ncomp::Int64,
    element_bytes::Int64, whole::Ptr{Cvoid}, part::Ptr{Cvoid})::Cint

# distributed_radial.h
mutable struct armilla_distributed_radial_description
    size             :: Csize_t
    method           :: Ptr{Cvoid}
    normalization    :: Ptr{Cvoid}
    support          :: Float64
    npix             :: Int64
    belt_rings       :: Int64
    belt_npix        :: Int64
    window_npix      :: Int64
    windows          :: Int64
    isa              :: Ptr{Cvoid}
    truncation_error :: Float64
    width            :: Float64
    armilla_distributed_radial_description() = new(0, C_NULL, C_NULL, 0, 0, 0, 0, 0, 0, C_NULL,
        0, 0)
end

armilla_distributed_radial_new(transport, grid, kernel, options, nspans, spans, radial) = @ccall libarmilla.armilla_distributed_radial_new(
    transport::Ptr{Cvoid}, grid::Ptr{Cvoid}, kernel::Ptr{Cvoid},
    options::Ptr{armilla_radial_options}, nspans::Int64, spans::Ptr{armilla_span},
    radial::Ptr{Ptr{Cvoid}})::Cint
armilla_distributed_radial_free(radial) = @ccall libarmilla.armilla_distributed_radial_free(
    radial::Ptr{Cvoid})::Cvoid
armilla_distributed_radial_convolve(radial, map, out, exec) = @ccall libarmilla.armilla_distributed_radial_convolve(
    radial::Ptr{Cvoid}, map::Ptr{Float64}, out::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_radial_convolve_float(radial, map, out, exec) = @ccall libarmilla.armilla_distributed_radial_convolve_float(
    radial::Ptr{Cvoid}, map::Ptr{Float32}, out::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_radial_adjoint(radial, map, out, exec) = @ccall libarmilla.armilla_distributed_radial_adjoint(
    radial::Ptr{Cvoid}, map::Ptr{Float64}, out::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_radial_adjoint_float(radial, map, out, exec) = @ccall libarmilla.armilla_distributed_radial_adjoint_float(
    radial::Ptr{Cvoid}, map::Ptr{Float32}, out::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_radial_convolve_weighted(radial, map, weights, least, fill, out, exec) = @ccall libarmilla.armilla_distributed_radial_convolve_weighted(
    radial::Ptr{Cvoid}, map::Ptr{Float64}, weights::Ptr{Float64}, least::Float64,
    fill::Float64, out::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_radial_convolve_weighted_float(radial, map, weights, least, fill, out, exec) = @ccall libarmilla.armilla_distributed_radial_convolve_weighted_float(
    radial::Ptr{Cvoid}, map::Ptr{Float32}, weights::Ptr{Float64}, least::Float64,
    fill::Float64, out::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_distributed_radial_describe(radial, description) = @ccall libarmilla.armilla_distributed_radial_describe(
    radial::Ptr{Cvoid}, description::Ptr{armilla_distributed_radial_description})::Cint

# picture.h
const ARMILLA_PROJECTION_MOLLWEIDE = Cint(0)
const ARMILLA_PROJECTION_ORTHOGRAPHIC = Cint(1)
const ARMILLA_PROJECTION_GNOMONIC = Cint(2)
const ARMILLA_PROJECTION_EQUIRECTANGULAR = Cint(3)
const ARMILLA_PROJECTION_LAMBERT = Cint(4)
const ARMILLA_PROJECTION_EQUIDISTANT = Cint(5)
const ARMILLA_PROJECTION_STEREOGRAPHIC = Cint(6)
const ARMILLA_COLORS_DIVERGING = Cint(0)
const ARMILLA_COLORS_PLANCK = Cint(1)
const ARMILLA_COLORS_VIRIDIS = Cint(2)
const ARMILLA_COLORS_MAGMA = Cint(3)
const ARMILLA_COLORS_GREY = Cint(4)
const ARMILLA_SCALE_LINEAR = Cint(0)
const ARMILLA_SCALE_LOG = Cint(1)
const ARMILLA_SCALE_SYMLOG = Cint(2)
const ARMILLA_SCALE_EQUALISED = Cint(3)
mutable struct armilla_picture_options
    size       :: Csize_t
    width      :: Int64
    minimum    :: Float64
    maximum    :: Float64
    title      :: Ptr{Cvoid}
    unit       :: Ptr{Cvoid}
    nthreads   :: Int64
    projection :: Cint
    two_sides  :: Cint
    fov        :: Float64
    longitude  :: Float64
    latitude   :: Float64
    angle      :: Float64
    from       :: UInt8
    to         :: UInt8
    east_right :: Cint
    graticule  :: Cint
    colors     :: Cint
    scale      :: Cint
    threshold  :: Float64
    armilla_picture_options() = new(0, 0, 0, 0, C_NULL, C_NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0)
end

mutable struct armilla_curve
    cl     :: Ptr{Cvoid}
    lmax   :: Int64
    label  :: Ptr{Cvoid}
    dashed :: Cint
    armilla_curve() = new(C_NULL, 0, C_NULL, 0)
end

mutable struct armilla_plot_options
    size       :: Csize_t
    width      :: Int64
    title      :: Ptr{Cvoid}
    unit       :: Ptr{Cvoid}
    plain      :: Cint
    log_degree :: Cint
    log_power  :: Cint
    first      :: Float64
    last       :: Float64
    lowest     :: Float64
    highest    :: Float64
    armilla_plot_options() = new(0, 0, C_NULL, C_NULL, 0, 0, 0, 0, 0, 0, 0)
end

armilla_projection_forward(projection, n, vectors, x, y) = @ccall libarmilla_files.armilla_projection_forward(
    projection::Cint, n::Int64, vectors::Ptr{Float64}, x::Ptr{Float64}, y::Ptr{Float64})::Cint
armilla_projection_inverse(projection, n, x, y, vectors) = @ccall libarmilla_files.armilla_projection_inverse(
    projection::Cint, n::Int64, x::Ptr{Float64}, y::Ptr{Float64}, vectors::Ptr{Float64})::Cint
armilla_picture_options_init_sized(options, size) = @ccall libarmilla_files.armilla_picture_options_init_sized(
    options::Ptr{armilla_picture_options}, size::Csize_t)::Cvoid
armilla_picture_unknown(text) = @ccall libarmilla_files.armilla_picture_unknown(text::Cstring)::Cstring
armilla_picture_colors(colors, n, rgb) = @ccall libarmilla_files.armilla_picture_colors(
    colors::Cint, n::Int64, rgb::Ptr{Cvoid})::Cint
armilla_picture_write_map(path, grid, values, options, overwrite) = @ccall libarmilla_files.armilla_picture_write_map(
    path::Cstring, grid::Ptr{Cvoid}, values::Ptr{Float64},
    options::Ptr{armilla_picture_options}, overwrite::Cint)::Cint
armilla_picture_write(path, nside, values, options, overwrite) = @ccall libarmilla_files.armilla_picture_write(
    path::Cstring, nside::Int64, values::Ptr{Float64}, options::Ptr{armilla_picture_options},
    overwrite::Cint)::Cint
armilla_plot_options_init_sized(options, size) = @ccall libarmilla_files.armilla_plot_options_init_sized(
    options::Ptr{armilla_plot_options}, size::Csize_t)::Cvoid
armilla_picture_write_spectra(path, ncurves, curves, options, overwrite) = @ccall libarmilla_files.armilla_picture_write_spectra(
    path::Cstring, ncurves::Int64, curves::Ptr{armilla_curve},
    options::Ptr{armilla_plot_options}, overwrite::Cint)::Cint

# io.h
const ARMILLA_UNSEEN = Float64(-1.6375e30)
const ARMILLA_IO_NAME_SIZE = Cint(72)
const ARMILLA_IO_PRIMARY = Cint(-1000)
const ARMILLA_IO_DOUBLE = Cint(0)
const ARMILLA_IO_FLOAT = Cint(1)
const ARMILLA_IO_INT16 = Cint(2)
const ARMILLA_IO_INT32 = Cint(3)
const ARMILLA_IO_INT64 = Cint(4)
const ARMILLA_IO_UINT8 = Cint(5)
const ARMILLA_IO_BOOL = Cint(6)
const ARMILLA_IO_RING = Cint(0)
const ARMILLA_IO_NESTED = Cint(1)
mutable struct armilla_field
    name   :: NTuple{72, UInt8}
    unit   :: NTuple{72, UInt8}
    type   :: Cint
    values :: Ptr{Cvoid}
    armilla_field() = new(ntuple(_ -> 0x00, 72), ntuple(_ -> 0x00, 72), 0, C_NULL)
end

mutable struct armilla_keyword
    name    :: Ptr{Cvoid}
    value   :: Ptr{Cvoid}
    comment :: Ptr{Cvoid}
    armilla_keyword() = new(C_NULL, C_NULL, C_NULL)
end

mutable struct armilla_write_options
    size       :: Csize_t
    overwrite  :: Cint
    row_pixels :: Int64
    nkeywords  :: Int64
    keep_nan   :: Cint
    keywords   :: Ptr{Cvoid}
    integers   :: Ptr{Cvoid}
    image      :: Cint
    armilla_write_options() = new(0, 0, 0, 0, 0, C_NULL, C_NULL, 0)
end

mutable struct armilla_raw_table
    rows      :: Int64
    row_bytes :: Int64
    bytes     :: Ptr{Cvoid}
    header    :: Ptr{Cvoid}
    armilla_raw_table() = new(0, 0, C_NULL, C_NULL)
end

mutable struct armilla_map
    nside     :: Int64
    npix      :: Int64
    nfields   :: Int64
    fields    :: Ptr{Cvoid}
    order     :: Cint
    partial   :: Cint
    iau       :: Cint
    coordsys  :: UInt8
    grid_name :: NTuple{48, UInt8}
    grid      :: Ptr{Cvoid}
    armilla_map() = new(0, 0, 0, C_NULL, 0, 0, 0, 0, ntuple(_ -> 0x00, 48), C_NULL)
end

mutable struct armilla_alm_file
    lmax     :: Int64
    mmax     :: Int64
    ncomp    :: Int64
    type     :: Cint
    alm      :: Ptr{Cvoid}
    coordsys :: UInt8
    armilla_alm_file() = new(0, 0, 0, 0, C_NULL, 0)
end

mutable struct armilla_cl_file
    lmax     :: Int64
    nspectra :: Int64
    names    :: Ptr{Cvoid}
    unit     :: NTuple{72, UInt8}
    type     :: Cint
    cl       :: Ptr{Cvoid}
    armilla_cl_file() = new(0, 0, C_NULL, ntuple(_ -> 0x00, 72), 0, C_NULL)
end

armilla_write_options_init_sized(options, size) = @ccall libarmilla_files.armilla_write_options_init_sized(
    options::Ptr{armilla_write_options}, size::Csize_t)::Cvoid
armilla_io_find_hdu(path, name, needs_table, hdu) = @ccall libarmilla_files.armilla_io_find_hdu(
    path::Cstring, name::Cstring, needs_table::Cint, hdu::Ptr{Cint})::Cint
armilla_io_header(path, hdu, text) = @ccall libarmilla_files.armilla_io_header(path::Cstring,
    hdu::Cint, text::Ptr{Ptr{UInt8}})::Cint
armilla_raw_table_read(path, hdu, table) = @ccall libarmilla_files.armilla_raw_table_read(
    path::Cstring, hdu::Cint, table::Ptr{Ptr{Cvoid}})::Cint
armilla_raw_table_free(table) = @ccall libarmilla_files.armilla_raw_table_free(table::Ptr{Cvoid})::Cvoid
armilla_map_read(path, hdu, nfields, fields, map) = @ccall libarmilla_files.armilla_map_read(
    path::Cstring, hdu::Cint, nfields::Int64, fields::Ptr{Int64}, map::Ptr{Ptr{Cvoid}})::Cint
armilla_map_load(path, map) = @ccall libarmilla_files.armilla_map_load(path::Cstring,
    map::Ptr{Ptr{Cvoid}})::Cint
armilla_map_new(nside, nfields, map) = @ccall libarmilla_files.armilla_map_new(nside::Int64,
    nfields::Int64, map::Ptr{Ptr{Cvoid}})::Cint
armilla_map_new_grid(grid, nfields, map) = @ccall libarmilla_files.armilla_map_new_grid(
    grid::Ptr{Cvoid}, nfields::Int64, map::Ptr{Ptr{Cvoid}})::Cint
armilla_map_free(map) = @ccall libarmilla_files.armilla_map_free(map::Ptr{Cvoid})::Cvoid
armilla_map_write(path, map, overwrite) = @ccall libarmilla_files.armilla_map_write(
    path::Cstring, map::Ptr{armilla_map}, overwrite::Cint)::Cint
armilla_map_write_with(path, map, options) = @ccall libarmilla_files.armilla_map_write_with(
    path::Cstring, map::Ptr{armilla_map}, options::Ptr{armilla_write_options})::Cint
armilla_map_input_open(path, hdu, input) = @ccall libarmilla_files.armilla_map_input_open(
    path::Cstring, hdu::Cint, input::Ptr{Ptr{Cvoid}})::Cint
armilla_map_input_free(input) = @ccall libarmilla_files.armilla_map_input_free(input::Ptr{Cvoid})::Cvoid
armilla_map_input_map(input) = @ccall libarmilla_files.armilla_map_input_map(input::Ptr{Cvoid})::Ptr{Cvoid}
armilla_map_input_read(input, field, first, count, values) = @ccall libarmilla_files.armilla_map_input_read(
    input::Ptr{Cvoid}, field::Int64, first::Int64, count::Int64, values::Ptr{Float64})::Cint
armilla_map_output_new(path, map, options, output) = @ccall libarmilla_files.armilla_map_output_new(
    path::Cstring, map::Ptr{armilla_map}, options::Ptr{armilla_write_options},
    output::Ptr{Ptr{Cvoid}})::Cint
armilla_map_output_write(output, field, first, count, values) = @ccall libarmilla_files.armilla_map_output_write(
    output::Ptr{Cvoid}, field::Int64, first::Int64, count::Int64, values::Ptr{Float64})::Cint
armilla_map_output_finish(output) = @ccall libarmilla_files.armilla_map_output_finish(
    output::Ptr{Cvoid})::Cint
armilla_map_output_temporary(output) = @ccall libarmilla_files.armilla_map_output_temporary(
    output::Ptr{Cvoid})::Cstring
armilla_map_output_free(output) = @ccall libarmilla_files.armilla_map_output_free(
    output::Ptr{Cvoid})::Cvoid
armilla_alm_read(path, hdu, alm) = @ccall libarmilla_files.armilla_alm_read(path::Cstring,
    hdu::Cint, alm::Ptr{Ptr{Cvoid}})::Cint
armilla_alm_file_new(lmax, mmax, ncomp, alm) = @ccall libarmilla_files.armilla_alm_file_new(
    lmax::Int64, mmax::Int64, ncomp::Int64, alm::Ptr{Ptr{Cvoid}})::Cint
armilla_alm_file_free(alm) = @ccall libarmilla_files.armilla_alm_file_free(alm::Ptr{Cvoid})::Cvoid
armilla_alm_write(path, alm, overwrite) = @ccall libarmilla_files.armilla_alm_write(
    path::Cstring, alm::Ptr{armilla_alm_file}, overwrite::Cint)::Cint
armilla_alm_write_with(path, alm, options) = @ccall libarmilla_files.armilla_alm_write_with(
    path::Cstring, alm::Ptr{armilla_alm_file}, options::Ptr{armilla_write_options})::Cint
armilla_alm_input_open(path, hdu, input) = @ccall libarmilla_files.armilla_alm_input_open(
    path::Cstring, hdu::Cint, input::Ptr{Ptr{Cvoid}})::Cint
armilla_alm_input_free(input) = @ccall libarmilla_files.armilla_alm_input_free(input::Ptr{Cvoid})::Cvoid
armilla_alm_input_alm(input) = @ccall libarmilla_files.armilla_alm_input_alm(input::Ptr{Cvoid})::Ptr{Cvoid}
armilla_alm_input_read(input, component, lmax, norders, orders, alm) = @ccall libarmilla_files.armilla_alm_input_read(
    input::Ptr{Cvoid}, component::Int64, lmax::Int64, norders::Int64, orders::Ptr{Int64},
    alm::Ptr{ComplexF64})::Cint
armilla_alm_output_new(path, alm, options, output) = @ccall libarmilla_files.armilla_alm_output_new(
    path::Cstring, alm::Ptr{armilla_alm_file}, options::Ptr{armilla_write_options},
    output::Ptr{Ptr{Cvoid}})::Cint
armilla_alm_output_write(output, component, first, last, alm) = @ccall libarmilla_files.armilla_alm_output_write(
    output::Ptr{Cvoid}, component::Int64, first::Int64, last::Int64, alm::Ptr{ComplexF64})::Cint
armilla_alm_output_finish(output) = @ccall libarmilla_files.armilla_alm_output_finish(
    output::Ptr{Cvoid})::Cint
armilla_alm_output_temporary(output) = @ccall libarmilla_files.armilla_alm_output_temporary(
    output::Ptr{Cvoid})::Cstring
armilla_alm_output_free(output) = @ccall libarmilla_files.armilla_alm_output_free(
    output::Ptr{Cvoid})::Cvoid
armilla_cl_read(path, cl) = @ccall libarmilla_files.armilla_cl_read(path::Cstring,
    cl::Ptr{Ptr{Cvoid}})::Cint
armilla_cl_read_hdu(path, hdu, cl) = @ccall libarmilla_files.armilla_cl_read_hdu(path::Cstring,
    hdu::Cint, cl::Ptr{Ptr{Cvoid}})::Cint
armilla_cl_file_new(lmax, nspectra, cl) = @ccall libarmilla_files.armilla_cl_file_new(
    lmax::Int64, nspectra::Int64, cl::Ptr{Ptr{Cvoid}})::Cint
armilla_cl_file_free(cl) = @ccall libarmilla_files.armilla_cl_file_free(cl::Ptr{Cvoid})::Cvoid
armilla_cl_write(path, cl, overwrite) = @ccall libarmilla_files.armilla_cl_write(path::Cstring,
    cl::Ptr{armilla_cl_file}, overwrite::Cint)::Cint
armilla_cl_write_with(path, cl, options) = @ccall libarmilla_files.armilla_cl_write_with(
    path::Cstring, cl::Ptr{armilla_cl_file}, options::Ptr{armilla_write_options})::Cint
armilla_io_describe(path, text) = @ccall libarmilla_files.armilla_io_describe(path::Cstring,
    text::Ptr{Ptr{UInt8}})::Cint
armilla_io_text_free(text) = @ccall libarmilla_files.armilla_io_text_free(text::Ptr{UInt8})::Cvoid
armilla_io_verify(path) = @ccall libarmilla_files.armilla_io_verify(path::Cstring)::Cint

# iqu.h
armilla_iqu_new(grid, lmax, mmax, options, iqu) = @ccall libarmilla.armilla_iqu_new(
    grid::Ptr{Cvoid}, lmax::Int64, mmax::Int64, options::Ptr{armilla_sht_options},
    iqu::Ptr{Ptr{Cvoid}})::Cint
armilla_iqu_free(iqu) = @ccall libarmilla.armilla_iqu_free(iqu::Ptr{Cvoid})::Cvoid
armilla_iqu_synthesis(iqu, alm, map, exec) = @ccall libarmilla.armilla_iqu_synthesis(
    iqu::Ptr{Cvoid}, alm::Ptr{ComplexF64}, map::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_iqu_adjoint_synthesis(iqu, map, alm, exec) = @ccall libarmilla.armilla_iqu_adjoint_synthesis(
    iqu::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_iqu_analysis(iqu, map, alm, exec) = @ccall libarmilla.armilla_iqu_analysis(
    iqu::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_iqu_adjoint_analysis(iqu, alm, map, exec) = @ccall libarmilla.armilla_iqu_adjoint_analysis(
    iqu::Ptr{Cvoid}, alm::Ptr{ComplexF64}, map::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_iqu_synthesis_float(iqu, alm, map, exec) = @ccall libarmilla.armilla_iqu_synthesis_float(
    iqu::Ptr{Cvoid}, alm::Ptr{ComplexF32}, map::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_iqu_adjoint_synthesis_float(iqu, map, alm, exec) = @ccall libarmilla.armilla_iqu_adjoint_synthesis_float(
    iqu::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32}, exec::Ptr{armilla_exec})::Cint
armilla_iqu_analysis_float(iqu, map, alm, exec) = @ccall libarmilla.armilla_iqu_analysis_float(
    iqu::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32}, exec::Ptr{armilla_exec})::Cint
armilla_iqu_adjoint_analysis_float(iqu, alm, map, exec) = @ccall libarmilla.armilla_iqu_adjoint_analysis_float(
    iqu::Ptr{Cvoid}, alm::Ptr{ComplexF32}, map::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_iqu_explain(iqu, take, data) = @ccall libarmilla.armilla_iqu_explain(iqu::Ptr{Cvoid},
    take::Ptr{Cvoid}, data::Ptr{Cvoid})::Cint
armilla_iqu_pseudo_analysis(iqu, map, alm, options, reports, exec) = @ccall libarmilla.armilla_iqu_pseudo_analysis(
    iqu::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64},
    options::Ptr{armilla_pseudo_options}, reports::Ptr{armilla_pseudo_report},
    exec::Ptr{armilla_exec})::Cint
armilla_iqu_pseudo_analysis_float(iqu, map, alm, options, reports, exec) = @ccall libarmilla.armilla_iqu_pseudo_analysis_float(
    iqu::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32},
    options::Ptr{armilla_pseudo_options}, reports::Ptr{armilla_pseudo_report},
    exec::Ptr{armilla_exec})::Cint
armilla_iqu_describe(iqu, nthreads, description) = @ccall libarmilla.armilla_iqu_describe(
    iqu::Ptr{Cvoid}, nthreads::Cint, description::Ptr{armilla_sht_description})::Cint
armilla_iqu_describe_many(iqu, nthreads, ntrans, description) = @ccall libarmilla.armilla_iqu_describe_many(
    iqu::Ptr{Cvoid}, nthreads::Cint, ntrans::Int64, description::Ptr{armilla_sht_description})::Cint

# leg.h
mutable struct armilla_leg_problem
    size          :: Csize_t
    lmax          :: Int64
    nrings        :: Int64
    theta         :: Ptr{Cvoid}
    norders       :: Int64
    orders        :: Ptr{Cvoid}
    mstart        :: Ptr{Cvoid}
    stride        :: Int64
    alm_distance  :: Int64
    spin          :: Int64
    mode          :: Cint
    nthreads      :: Cint
    isa           :: Ptr{Cvoid}
    progress      :: Ptr{Cvoid}
    progress_data :: Ptr{Cvoid}
    armilla_leg_problem() = new(0, 0, 0, C_NULL, 0, C_NULL, C_NULL, 0, 0, 0, 0, 0, C_NULL,
        C_NULL, C_NULL)
end

mutable struct armilla_leg_rings
    size          :: Csize_t
    ncomp         :: Int64
    nrings        :: Int64
    rings         :: Ptr{Cvoid}
    mmax          :: Int64
    map_distance  :: Int64
    nthreads      :: Cint
    isa           :: Ptr{Cvoid}
    progress      :: Ptr{Cvoid}
    progress_data :: Ptr{Cvoid}
    armilla_leg_rings() = new(0, 0, 0, C_NULL, 0, 0, 0, C_NULL, C_NULL, C_NULL)
end

armilla_leg_problem_init_sized(problem, size) = @ccall libarmilla.armilla_leg_problem_init_sized(
    problem::Ptr{armilla_leg_problem}, size::Csize_t)::Cvoid
armilla_leg_alm_size(problem) = @ccall libarmilla.armilla_leg_alm_size(
    problem::Ptr{armilla_leg_problem})::Int64
armilla_leg_from_alm(problem, alm, leg) = @ccall libarmilla.armilla_leg_from_alm(
    problem::Ptr{armilla_leg_problem}, alm::Ptr{ComplexF64}, leg::Ptr{ComplexF64})::Cint
armilla_leg_from_alm_float(problem, alm, leg) = @ccall libarmilla.armilla_leg_from_alm_float(
    problem::Ptr{armilla_leg_problem}, alm::Ptr{ComplexF32}, leg::Ptr{ComplexF32})::Cint
armilla_leg_to_alm(problem, leg, alm) = @ccall libarmilla.armilla_leg_to_alm(
    problem::Ptr{armilla_leg_problem}, leg::Ptr{ComplexF64}, alm::Ptr{ComplexF64})::Cint
armilla_leg_to_alm_float(problem, leg, alm) = @ccall libarmilla.armilla_leg_to_alm_float(
    problem::Ptr{armilla_leg_problem}, leg::Ptr{ComplexF32}, alm::Ptr{ComplexF32})::Cint
armilla_leg_rings_init_sized(rings, size) = @ccall libarmilla.armilla_leg_rings_init_sized(
    rings::Ptr{armilla_leg_rings}, size::Csize_t)::Cvoid
armilla_leg_to_map(rings, leg, map) = @ccall libarmilla.armilla_leg_to_map(
    rings::Ptr{armilla_leg_rings}, leg::Ptr{ComplexF64}, map::Ptr{Float64})::Cint
armilla_leg_to_map_float(rings, leg, map) = @ccall libarmilla.armilla_leg_to_map_float(
    rings::Ptr{armilla_leg_rings}, leg::Ptr{ComplexF32}, map::Ptr{Float32})::Cint
armilla_leg_from_map(rings, map, leg) = @ccall libarmilla.armilla_leg_from_map(
    rings::Ptr{armilla_leg_rings}, map::Ptr{Float64}, leg::Ptr{ComplexF64})::Cint
armilla_leg_from_map_float(rings, map, leg) = @ccall libarmilla.armilla_leg_from_map_float(
    rings::Ptr{armilla_leg_rings}, map::Ptr{Float32}, leg::Ptr{ComplexF32})::Cint
armilla_leg_plan_new(problem, rings, plan) = @ccall libarmilla.armilla_leg_plan_new(
    problem::Ptr{armilla_leg_problem}, rings::Ptr{armilla_leg_rings}, plan::Ptr{Ptr{Cvoid}})::Cint
armilla_leg_plan_free(plan) = @ccall libarmilla.armilla_leg_plan_free(plan::Ptr{Cvoid})::Cvoid
armilla_leg_plan_from_alm(plan, ntrans, alm, leg) = @ccall libarmilla.armilla_leg_plan_from_alm(
    plan::Ptr{Cvoid}, ntrans::Int64, alm::Ptr{ComplexF64}, leg::Ptr{ComplexF64})::Cint
armilla_leg_plan_from_alm_float(plan, ntrans, alm, leg) = @ccall libarmilla.armilla_leg_plan_from_alm_float(
    plan::Ptr{Cvoid}, ntrans::Int64, alm::Ptr{ComplexF32}, leg::Ptr{ComplexF32})::Cint
armilla_leg_plan_to_alm(plan, ntrans, leg, alm) = @ccall libarmilla.armilla_leg_plan_to_alm(
    plan::Ptr{Cvoid}, ntrans::Int64, leg::Ptr{ComplexF64}, alm::Ptr{ComplexF64})::Cint
armilla_leg_plan_to_alm_float(plan, ntrans, leg, alm) = @ccall libarmilla.armilla_leg_plan_to_alm_float(
    plan::Ptr{Cvoid}, ntrans::Int64, leg::Ptr{ComplexF32}, alm::Ptr{ComplexF32})::Cint
armilla_leg_plan_to_map(plan, ntrans, leg, map) = @ccall libarmilla.armilla_leg_plan_to_map(
    plan::Ptr{Cvoid}, ntrans::Int64, leg::Ptr{ComplexF64}, map::Ptr{Float64})::Cint
armilla_leg_plan_to_map_float(plan, ntrans, leg, map) = @ccall libarmilla.armilla_leg_plan_to_map_float(
    plan::Ptr{Cvoid}, ntrans::Int64, leg::Ptr{ComplexF32}, map::Ptr{Float32})::Cint
armilla_leg_plan_from_map(plan, ntrans, map, leg) = @ccall libarmilla.armilla_leg_plan_from_map(
    plan::Ptr{Cvoid}, ntrans::Int64, map::Ptr{Float64}, leg::Ptr{ComplexF64})::Cint
armilla_leg_plan_from_map_float(plan, ntrans, map, leg) = @ccall libarmilla.armilla_leg_plan_from_map_float(
    plan::Ptr{Cvoid}, ntrans::Int64, map::Ptr{Float32}, leg::Ptr{ComplexF32})::Cint

# so3.h
mutable struct armilla_so3_options
    size        :: Csize_t
    ngamma      :: Int64
    isa         :: Ptr{Cvoid}
    table_bytes :: Int64
    plane_bytes :: Int64
    armilla_so3_options() = new(0, 0, C_NULL, 0, 0)
end

mutable struct armilla_so3_description
    size            :: Csize_t
    isa             :: Ptr{Cvoid}
    lmax            :: Int64
    mmax            :: Int64
    nmax            :: Int64
    ngamma          :: Int64
    npix            :: Int64
    alm_size        :: Int64
    kept            :: Int64
    parts           :: Int64
    exact           :: Cint
    plan_bytes      :: Int64
    workspace_bytes :: Int64
    armilla_so3_description() = new(0, C_NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
end

armilla_so3_options_init_sized(options, size) = @ccall libarmilla.armilla_so3_options_init_sized(
    options::Ptr{armilla_so3_options}, size::Csize_t)::Cvoid
armilla_so3_new(grid, lmax, mmax, nmax, options, plan) = @ccall libarmilla.armilla_so3_new(
    grid::Ptr{Cvoid}, lmax::Int64, mmax::Int64, nmax::Int64, options::Ptr{armilla_so3_options},
    plan::Ptr{Ptr{Cvoid}})::Cint
armilla_so3_free(plan) = @ccall libarmilla.armilla_so3_free(plan::Ptr{Cvoid})::Cvoid
armilla_so3_synthesis(plan, alm, map, exec) = @ccall libarmilla.armilla_so3_synthesis(
    plan::Ptr{Cvoid}, alm::Ptr{ComplexF64}, map::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_so3_adjoint_synthesis(plan, map, alm, exec) = @ccall libarmilla.armilla_so3_adjoint_synthesis(
    plan::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_so3_analysis(plan, map, alm, exec) = @ccall libarmilla.armilla_so3_analysis(
    plan::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_so3_adjoint_analysis(plan, alm, map, exec) = @ccall libarmilla.armilla_so3_adjoint_analysis(
    plan::Ptr{Cvoid}, alm::Ptr{ComplexF64}, map::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_so3_describe(plan, nthreads, description) = @ccall libarmilla.armilla_so3_describe(
    plan::Ptr{Cvoid}, nthreads::Cint, description::Ptr{armilla_so3_description})::Cint

# solid.h
const ARMILLA_SOLID_EXTERIOR = Cint(0)
const ARMILLA_SOLID_INTERIOR = Cint(1)
const ARMILLA_SOLID_CARTESIAN = Cint(0)
const ARMILLA_SOLID_LOCAL = Cint(1)
const ARMILLA_SOLID_AUTO = Cint(0)
const ARMILLA_SOLID_DIRECT = Cint(1)
const ARMILLA_SOLID_SHELLS = Cint(2)
mutable struct armilla_solid_options
    size        :: Csize_t
    kind        :: Cint
    frame       :: Cint
    derivatives :: Int64
    radius      :: Float64
    layout      :: Ptr{Cvoid}
    isa         :: Ptr{Cvoid}
    epsilon     :: Float64
    way         :: Cint
    devices     :: Ptr{Cvoid}
    ndevices    :: Int64
    device      :: Cint
    delegate    :: Cint
    armilla_solid_options() = new(0, 0, 0, 0, 0, C_NULL, C_NULL, 0, 0, C_NULL, 0, 0, 0)
end

armilla_solid_options_init_sized(options, size) = @ccall libarmilla.armilla_solid_options_init_sized(
    options::Ptr{armilla_solid_options}, size::Csize_t)::Cvoid
armilla_solid_evaluate(lmax, mmax, npoints, points, options, alm, values, exec) = @ccall libarmilla.armilla_solid_evaluate(
    lmax::Int64, mmax::Int64, npoints::Int64, points::Ptr{Float64},
    options::Ptr{armilla_solid_options}, alm::Ptr{ComplexF64}, values::Ptr{Float64},
    exec::Ptr{armilla_exec})::Cint
armilla_solid_adjoint_evaluate(lmax, mmax, npoints, points, options, values, alm, exec) = @ccall libarmilla.armilla_solid_adjoint_evaluate(
    lmax::Int64, mmax::Int64, npoints::Int64, points::Ptr{Float64},
    options::Ptr{armilla_solid_options}, values::Ptr{Float64}, alm::Ptr{ComplexF64},
    exec::Ptr{armilla_exec})::Cint
armilla_solid_explain(lmax, mmax, npoints, points, options, alm, take, data) = @ccall libarmilla.armilla_solid_explain(
    lmax::Int64, mmax::Int64, npoints::Int64, points::Ptr{Float64},
    options::Ptr{armilla_solid_options}, alm::Ptr{ComplexF64}, take::Ptr{Cvoid},
    data::Ptr{Cvoid})::Cint

# spectrum.h
const ARMILLA_POWER_MEAN = Cint(0)
const ARMILLA_POWER_INTEGRAL = Cint(1)
const ARMILLA_POWER_SQUARES = Cint(2)
const ARMILLA_POWER_PER_DEGREE = Cint(0)
const ARMILLA_POWER_PER_ORDER = Cint(1)
const ARMILLA_POWER_PER_LOGARITHM = Cint(2)
armilla_spectrum_compute(lmax, mmax, alm_a, alm_b, cl) = @ccall libarmilla.armilla_spectrum_compute(
    lmax::Int64, mmax::Int64, alm_a::Ptr{ComplexF64}, alm_b::Ptr{ComplexF64}, cl::Ptr{Float64})::Cint
armilla_spectrum_power(lmax, mmax, alm_a, alm_b, what, normalization, unit, power) = @ccall libarmilla.armilla_spectrum_power(
    lmax::Int64, mmax::Int64, alm_a::Ptr{ComplexF64}, alm_b::Ptr{ComplexF64}, what::Cint,
    normalization::Cint, unit::Cint, power::Ptr{Float64})::Cint
armilla_spectrum_lowes(lmax, mmax, alm, ratio, power) = @ccall libarmilla.armilla_spectrum_lowes(
    lmax::Int64, mmax::Int64, alm::Ptr{ComplexF64}, ratio::Float64, power::Ptr{Float64})::Cint
armilla_spectrum_gaussian_beam(fwhm_rad, spin, lmax, window) = @ccall libarmilla.armilla_spectrum_gaussian_beam(
    fwhm_rad::Float64, spin::Int64, lmax::Int64, window::Ptr{Float64})::Cint

# vector.h
const ARMILLA_EARTH_RADIUS_ECMWF = Float64(6371229.0)
const ARMILLA_EARTH_RADIUS_SPHARM = Float64(6371200.0)
const ARMILLA_VECTOR_VORTICITY_DIVERGENCE = Cint(0)
const ARMILLA_VECTOR_STREAM_POTENTIAL = Cint(1)
const ARMILLA_VECTOR_SPHEROIDAL_TOROIDAL = Cint(2)
const ARMILLA_VECTOR_COMPONENTS = Cint(3)
const ARMILLA_VECTOR_ROTATIONAL = Cint(4)
const ARMILLA_VECTOR_DIVERGENT = Cint(5)
const ARMILLA_VECTOR_EAST_NORTH = Cint(0)
const ARMILLA_VECTOR_THETA_PHI = Cint(1)
mutable struct armilla_vector_options
    size       :: Csize_t
    form       :: Cint
    components :: Cint
    radius     :: Float64
    radial     :: Cint
    mean       :: Cint
    sht        :: Ptr{Cvoid}
    armilla_vector_options() = new(0, 0, 0, 0, 0, 0, C_NULL)
end

armilla_vector_options_init_sized(options, size) = @ccall libarmilla.armilla_vector_options_init_sized(
    options::Ptr{armilla_vector_options}, size::Csize_t)::Cvoid
armilla_vector_new(grid, lmax, mmax, options, vector) = @ccall libarmilla.armilla_vector_new(
    grid::Ptr{Cvoid}, lmax::Int64, mmax::Int64, options::Ptr{armilla_vector_options},
    vector::Ptr{Ptr{Cvoid}})::Cint
armilla_vector_free(vector) = @ccall libarmilla.armilla_vector_free(vector::Ptr{Cvoid})::Cvoid
armilla_vector_synthesis(vector, alm, map, exec) = @ccall libarmilla.armilla_vector_synthesis(
    vector::Ptr{Cvoid}, alm::Ptr{ComplexF64}, map::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_vector_adjoint_synthesis(vector, map, alm, exec) = @ccall libarmilla.armilla_vector_adjoint_synthesis(
    vector::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_vector_analysis(vector, map, alm, exec) = @ccall libarmilla.armilla_vector_analysis(
    vector::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64}, exec::Ptr{armilla_exec})::Cint
armilla_vector_adjoint_analysis(vector, alm, map, exec) = @ccall libarmilla.armilla_vector_adjoint_analysis(
    vector::Ptr{Cvoid}, alm::Ptr{ComplexF64}, map::Ptr{Float64}, exec::Ptr{armilla_exec})::Cint
armilla_vector_synthesis_float(vector, alm, map, exec) = @ccall libarmilla.armilla_vector_synthesis_float(
    vector::Ptr{Cvoid}, alm::Ptr{ComplexF32}, map::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_vector_adjoint_synthesis_float(vector, map, alm, exec) = @ccall libarmilla.armilla_vector_adjoint_synthesis_float(
    vector::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32}, exec::Ptr{armilla_exec})::Cint
armilla_vector_analysis_float(vector, map, alm, exec) = @ccall libarmilla.armilla_vector_analysis_float(
    vector::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32}, exec::Ptr{armilla_exec})::Cint
armilla_vector_adjoint_analysis_float(vector, alm, map, exec) = @ccall libarmilla.armilla_vector_adjoint_analysis_float(
    vector::Ptr{Cvoid}, alm::Ptr{ComplexF32}, map::Ptr{Float32}, exec::Ptr{armilla_exec})::Cint
armilla_vector_pseudo_analysis(vector, map, alm, options, reports, exec) = @ccall libarmilla.armilla_vector_pseudo_analysis(
    vector::Ptr{Cvoid}, map::Ptr{Float64}, alm::Ptr{ComplexF64},
    options::Ptr{armilla_pseudo_options}, reports::Ptr{armilla_pseudo_report},
    exec::Ptr{armilla_exec})::Cint
armilla_vector_pseudo_analysis_float(vector, map, alm, options, reports, exec) = @ccall libarmilla.armilla_vector_pseudo_analysis_float(
    vector::Ptr{Cvoid}, map::Ptr{Float32}, alm::Ptr{ComplexF32},
    options::Ptr{armilla_pseudo_options}, reports::Ptr{armilla_pseudo_report},
    exec::Ptr{armilla_exec})::Cint
armilla_vector_convert_map(vector, source, in, target, out, exec) = @ccall libarmilla.armilla_vector_convert_map(
    vector::Ptr{Cvoid}, source::Cint, in::Ptr{Float64}, target::Cint, out::Ptr{Float64},
    exec::Ptr{armilla_exec})::Cint
armilla_vector_convert_map_float(vector, source, in, target, out, exec) = @ccall libarmilla.armilla_vector_convert_map_float(
    vector::Ptr{Cvoid}, source::Cint, in::Ptr{Float32}, target::Cint, out::Ptr{Float32},
    exec::Ptr{armilla_exec})::Cint
armilla_vector_convert_alm(lmax, mmax, radius, mean, source, alm, target, result) = @ccall libarmilla.armilla_vector_convert_alm(
    lmax::Int64, mmax::Int64, radius::Float64, mean::Cint, source::Cint, alm::Ptr{ComplexF64},
    target::Cint, result::Ptr{Float64})::Cint
armilla_vector_explain(vector, take, data) = @ccall libarmilla.armilla_vector_explain(
    vector::Ptr{Cvoid}, take::Ptr{Cvoid}, data::Ptr{Cvoid})::Cint
armilla_vector_describe(vector, nthreads, description) = @ccall libarmilla.armilla_vector_describe(
    vector::Ptr{Cvoid}, nthreads::Cint, description::Ptr{armilla_sht_description})::Cint

# mpi.h
const ARMILLA_MPI_DEVICE_MEMORY_ASK = Cint(0)
const ARMILLA_MPI_DEVICE_MEMORY_NO = Cint(1)
const ARMILLA_MPI_DEVICE_MEMORY_YES = Cint(2)
mutable struct armilla_mpi_options
    size          :: Csize_t
    message_bytes :: Int64
    device_memory :: Cint
    armilla_mpi_options() = new(0, 0, 0)
end

