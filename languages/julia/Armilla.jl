"""
Armilla for Julia, on top of the shared libraries: the calls of C by their names
(`Armilla.armilla_sht_new` and all others, in declarations.jl, which is written from the headers),
and a few types and functions that are pleasant to use, below.

This file has NOT RUN YET: there is no Julia where Armilla is developed. Its declarations are made
from the headers by the program that makes the module for Fortran, which is tested; what is below
them has only been read. Reports are welcome.

    include("Armilla.jl")
    using .Armilla
    grid = Armilla.healpix(64)
    sht = Armilla.SHT(grid, 128)
    alm = Armilla.random_alm(128, ones(129); seed = 1)
    map = Armilla.synthesis(sht, alm)

The environment variable ARMILLA_LIBRARY names the library where the loader does not find
libarmilla by itself; libarmilla_files, which has files and pictures, is looked for in the same
folder. Arrays are in C's order, so that the first index in the headers is the last
one here: `map[npix, ncomp]`. Degrees, orders, rings and pixels count from 0, as in the library.
"""
module Armilla

const libarmilla = get(ENV, "ARMILLA_LIBRARY", "libarmilla")
const libarmilla_files = joinpath(dirname(libarmilla),
                                  replace(basename(libarmilla), "libarmilla" => "libarmilla_files"))

include("declarations.jl")

"What a call that failed throws: the status, and the library's message."
struct ArmillaError <: Exception
    status::Cint
    message::String
end
Base.showerror(io::IO, error::ArmillaError) = print(io, "ArmillaError: ", error.message)

"Throws unless `status` is ARMILLA_OK."
function check(status::Integer)
    status == ARMILLA_OK && return nothing
    name = unsafe_string(armilla_status_name(status))
    throw(ArmillaError(status, name * ": " * unsafe_string(armilla_status_message())))
end

"Options with their defaults: `defaults(armilla_exec, armilla_exec_init_sized)`."
function defaults(T::Type, init_sized)
    options = T()
    init_sized(Ref(options), sizeof(T))
    return options
end
Exec() = defaults(armilla_exec, armilla_exec_init_sized)
SHTOptions() = defaults(armilla_sht_options, armilla_sht_options_init_sized)

"What a function of C makes, whose last argument is where to put it."
function made(new, arguments...)
    object = Ref{Ptr{Cvoid}}(C_NULL)
    check(new(arguments..., object))
    return object[]
end

"""
Where the pixels are. Made by `healpix`, `gauss_legendre`, `equidistant`.
"""
mutable struct Grid
    pointer::Ptr{Cvoid}
    function Grid(pointer::Ptr{Cvoid})
        grid = new(pointer)
        finalizer(g -> armilla_grid_free(g.pointer), grid)
        return grid
    end
end
healpix(nside) = Grid(made(armilla_grid_new_healpix, nside))
gauss_legendre(nrings, nphi) = Grid(made(armilla_grid_new_gauss_legendre, nrings, nphi))
equidistant(kind, nrings, nphi) = Grid(made(armilla_grid_new_equidistant, kind, nrings, nphi))
npix(grid::Grid) = GC.@preserve grid armilla_grid_npix(grid.pointer)

"""
    SHT(grid, lmax; mmax = lmax, options = nothing)

A transform. `options` is what `SHTOptions()` returns, with fields changed: spin, mode, ...
"""
mutable struct SHT
    pointer::Ptr{Cvoid}
    alm_size::Int64
    alm_ncomp::Int64
    npix::Int64
    ncomp::Int64
    function SHT(grid::Grid, lmax; mmax = lmax, options = nothing)
        how = options === nothing ? C_NULL : Ref(options)
        pointer = GC.@preserve grid made(armilla_sht_new, grid.pointer, lmax, mmax, how)
        what = armilla_sht_description()
        what.size = sizeof(armilla_sht_description)
        check(armilla_sht_describe(pointer, 0, Ref(what)))
        sht = new(pointer, what.alm_size, what.alm_ncomp, what.npix, what.ncomp)
        finalizer(s -> armilla_sht_free(s.pointer), sht)
        return sht
    end
end

"The size of an array, which must be that of a plan."
function expect(array, size, name)
    length(array) == size ||
        throw(DimensionMismatch("$name has $(length(array)) values: must have $size"))
    return array
end

function to_map(call, sht::SHT, alm::Array{ComplexF64}, exec)
    expect(alm, sht.alm_size * sht.alm_ncomp, "alm")
    map = zeros(Float64, sht.npix, sht.ncomp)
    GC.@preserve sht check(call(sht.pointer, alm, map, exec === nothing ? C_NULL : Ref(exec)))
    return map
end
function to_alm(call, sht::SHT, map::Array{Float64}, exec)
    expect(map, sht.npix * sht.ncomp, "map")
    alm = zeros(ComplexF64, sht.alm_size, sht.alm_ncomp)
    GC.@preserve sht check(call(sht.pointer, map, alm, exec === nothing ? C_NULL : Ref(exec)))
    return alm
end

# One transform a call. `exec` is what Exec() returns, with fields changed: nthreads, ...
synthesis(sht::SHT, alm; exec = nothing) = to_map(armilla_sht_synthesis, sht, alm, exec)
adjoint_synthesis(sht::SHT, map; exec = nothing) =
    to_alm(armilla_sht_adjoint_synthesis, sht, map, exec)
analysis(sht::SHT, map; exec = nothing) = to_alm(armilla_sht_analysis, sht, map, exec)
adjoint_analysis(sht::SHT, alm; exec = nothing) =
    to_map(armilla_sht_adjoint_analysis, sht, alm, exec)

"Analysis by iteration, for grids without an exact rule (HEALPix)."
pseudo_analysis(sht::SHT, map; exec = nothing) =
    to_alm((plan, from, to, how) ->
               armilla_sht_pseudo_analysis(plan, from, to, C_NULL, C_NULL, how), sht, map, exec)

"Random coefficients with the spectrum `cl`, from degree 0 on."
function random_alm(lmax, cl::Vector{Float64}; mmax = lmax, seed = 0, field = 0)
    alm = zeros(ComplexF64, armilla_alm_size(lmax, mmax))
    check(armilla_alm_random(lmax, mmax, length(cl), cl, seed, field, alm))
    return alm
end

"alm[l, m] *= window[l], in place."
function multiply_window!(lmax, window::Vector{Float64}, alm::Array{ComplexF64}; mmax = lmax)
    expect(alm, armilla_alm_size(lmax, mmax), "alm")
    check(armilla_alm_multiply_window(lmax, mmax, length(window), window, alm))
    return alm
end

"The power spectrum of two fields, degrees 0 to lmax."
function spectrum(lmax, a::Array{ComplexF64}, b::Array{ComplexF64} = a; mmax = lmax)
    expect(a, armilla_alm_size(lmax, mmax), "a")
    expect(b, armilla_alm_size(lmax, mmax), "b")
    cl = zeros(lmax + 1)
    check(armilla_spectrum_compute(lmax, mmax, a, b, cl))
    return cl
end

"The window of a Gaussian beam, degrees 0 to lmax; fwhm in radians."
function gaussian_beam(fwhm, lmax; spin = 0)
    window = zeros(lmax + 1)
    check(armilla_spectrum_gaussian_beam(fwhm, spin, lmax, window))
    return window
end

"Writes one HEALPix map in RING order as FITS."
function write_map(path, nside, values::Array{Float64}; overwrite = false)
    expect(values, armilla_healpix_npix(nside), "values")
    address = Ptr{armilla_map}(made(armilla_map_new, nside, 1))
    try
        field = unsafe_load(Ptr{armilla_field}(unsafe_load(address).fields))
        unsafe_copyto!(Ptr{Float64}(field.values), pointer(values), length(values))
        check(armilla_map_write(path, address, overwrite))
    finally
        armilla_map_free(address)
    end
    return nothing
end

end
