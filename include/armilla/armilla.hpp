/* Armilla for C++17: plans that free themselves, errors as exceptions, std::complex, and views of
 * arrays with their sizes, which are checked. All of it is inline, on top of armilla/armilla.h:
 * what the calls compute, and in which layout, the headers of C say, and every object hands out its
 * C pointer (get) for functions that have no method here.
 *
 *     armilla::Grid grid = armilla::Grid::healpix(64);
 *     armilla::SHT sht(grid, 128);
 *     std::vector<double> map = sht.synthesis(alm);
 *
 * Thread rule: that of C. const methods may run in any number of threads at once. */
#ifndef ARMILLA_HPP
#define ARMILLA_HPP

#include "base.hpp"
#include "transforms.hpp"

namespace armilla
{

/* --- Convolution ------------------------------------------------------------------------------ */

/* A radial kernel (armilla/kernel.h). */
class Kernel : public KernelMembers<Kernel>
{
  public:
    using KernelMembers::KernelMembers;
    static Kernel gaussian(double fwhm)
    {
        return Kernel(made<armilla_kernel>(armilla_kernel_new_gaussian, fwhm));
    }
    static Kernel tophat(double radius)
    {
        return Kernel(made<armilla_kernel>(armilla_kernel_new_tophat, radius));
    }
    static Kernel mexican_hat(double fwhm)
    {
        return Kernel(made<armilla_kernel>(armilla_kernel_new_mexican_hat, fwhm));
    }
    static Kernel window(View<const double> window)
    {
        return Kernel(made<armilla_kernel>(armilla_kernel_new_window,
                                           static_cast<int64_t>(window.size()) - 1, window.data()));
    }
};

/* Convolution pixel by pixel (armilla/radial.h). */
class Radial : public RadialMembers<Radial>
{
  public:
    Radial(const Grid &grid, const Kernel &kernel, const armilla_radial_options *options = nullptr)
        : RadialMembers(
              made<armilla_radial>(armilla_radial_new, grid.get(), kernel.get(), options)),
          size_(product(options && options->spin ? 2 : 1, grid.npix(), "map"))
    {
    }
    template <class In, class Out, class Real = real_of<Out>>
    void convolve(const In &in, Out &&out, const armilla_exec *exec = nullptr) const
    {
        const View<const Real> map(in);
        const View<Real> result(out);
        const int64_t size = product(transforms(exec), size_, "map");
        check(pick<Real>(armilla_radial_convolve, armilla_radial_convolve_float)(
            get(), map.expect(size, "map"), result.expect(size, "out"), exec));
    }

  private:
    int64_t size_;
};

/* --- Coefficients, spectra, files ------------------------------------------------------------- */

using Alm = std::vector<std::complex<double>>; /* triangular layout (armilla/alm.h) */

/* Given: the spectrum cl, from degree 0 on. Returned: random coefficients that have it. */
inline Alm random_alm(int64_t lmax, int64_t mmax, View<const double> cl, uint64_t seed,
                      uint64_t field = 0)
{
    const int64_t size = armilla_alm_size(lmax, mmax);
    Alm alm(static_cast<std::size_t>(size < 0 ? 0 : size)); /* C names what is wrong */
    check(armilla_alm_random(lmax, mmax, static_cast<int64_t>(cl.size()), cl.data(), seed, field,
                             parts(alm.data())));
    return alm;
}

/* alm[l, m] *= window[l]. */
inline void multiply_window(int64_t lmax, int64_t mmax, View<const double> window,
                            View<std::complex<double>> alm)
{
    check(armilla_alm_multiply_window(lmax, mmax, static_cast<int64_t>(window.size()),
                                      window.data(),
                                      parts(alm.expect(armilla_alm_size(lmax, mmax), "alm"))));
}

/* Returned: the power spectrum of two fields, degrees 0 to lmax. */
inline std::vector<double> spectrum(int64_t lmax, int64_t mmax, View<const std::complex<double>> a,
                                    View<const std::complex<double>> b)
{
    const int64_t size = armilla_alm_size(lmax, mmax);
    std::vector<double> cl(static_cast<std::size_t>(lmax < 0 ? 0 : lmax + 1));
    check(armilla_spectrum_compute(lmax, mmax, parts(a.expect(size, "a")),
                                   parts(b.expect(size, "b")), cl.data()));
    return cl;
}

/* Returned: the window of a Gaussian beam, degrees 0 to lmax. */
inline std::vector<double> gaussian_beam(double fwhm_rad, int64_t lmax, int64_t spin = 0)
{
    std::vector<double> window(static_cast<std::size_t>(lmax < 0 ? 0 : lmax + 1));
    check(armilla_spectrum_gaussian_beam(fwhm_rad, spin, lmax, window.data()));
    return window;
}

/* A HEALPix map with its columns, as files have it (armilla/io.h). */
class Map : public MapMembers<Map>
{
  public:
    Map(int64_t nside, int64_t nfields)
        : MapMembers(made<armilla_map>(armilla_map_new, nside, nfields))
    {
    }
    explicit Map(armilla_map *map) : MapMembers(map)
    {
    }
    static Map read(const std::string &path, int hdu = 0)
    {
        return Map(made<armilla_map>(armilla_map_read, path.c_str(), hdu, int64_t{0},
                                     static_cast<const int64_t *>(nullptr)));
    }
    void write(const std::string &path, const armilla_write_options *options = nullptr) const
    {
        check(armilla_map_write_with(path.c_str(), get(), options));
    }
    /* The values of a column, RING order. */
    View<double> field(int64_t index) const
    {
        if (index < 0 || index >= get()->nfields)
            throw Error(ARMILLA_ERROR_ARGUMENT, "field = " + std::to_string(index) +
                                                    ": must be 0 to " +
                                                    std::to_string(get()->nfields - 1));
        return View<double>(get()->fields[index].values, static_cast<std::size_t>(get()->npix));
    }
};

} // namespace armilla

#endif
