# A sky, seen through a beam, in Julia: random coefficients with a given spectrum become a HEALPix
# map, a Gaussian beam of five degrees smooths it, and what is left is analysed and written as FITS.
# NOT RUN YET, as languages/julia/Armilla.jl says.
#
#     julia sky.jl sky.fits                                   # in a clone, with the library installed
#
# The programs of examples/c, examples/cpp and examples/fortran print the same numbers.
using Printf
include(joinpath(@__DIR__, "..", "..", "languages", "julia", "Armilla.jl"))

const nside, lmax = 64, 128
rms(map) = sqrt(sum(abs2, map) / length(map))

sht = Armilla.SHT(Armilla.healpix(nside), lmax)
cl = [l < 2 ? 0.0 : 1 / (l * (l + 1.0)) for l in 0:lmax]
alm = Armilla.random_alm(lmax, cl; seed = 1)
sky = Armilla.synthesis(sht, alm)
@printf("%d pixels, rms %.6f\n", length(sky), rms(sky))

beam = Armilla.gaussian_beam(deg2rad(5), lmax)
Armilla.multiply_window!(lmax, beam, alm)
sky = Armilla.synthesis(sht, alm)
@printf("through the beam, rms %.6f\n", rms(sky))

found = Armilla.spectrum(lmax, Armilla.pseudo_analysis(sht, sky)) # HEALPix: by iteration
for l in (2, 4, 8, 16, 32)
    @printf("l = %2d: C_l = %.6e, of the sky %.6e\n", l, found[l + 1], cl[l + 1] * beam[l + 1]^2)
end
Armilla.write_map(isempty(ARGS) ? "sky.fits" : ARGS[1], nside, sky; overwrite = true)
