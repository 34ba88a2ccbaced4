/* A sky, seen through a beam, in C++17: random coefficients with a given spectrum become a HEALPix
 * map, a Gaussian beam of five degrees smooths it, and what is left is analysed and written as
 * FITS.
 *
 *     c++ -std=c++17 sky.cpp $(pkg-config --cflags --libs armilla) -o sky && ./sky sky.fits
 *
 * The programs of examples/c, examples/fortran and examples/julia print the same numbers. */
#include <armilla/armilla.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace
{

constexpr int64_t nside = 64, lmax = 128;

double rms(const std::vector<double> &map)
{
    double sum = 0;
    for (double value : map) sum += value * value;
    return std::sqrt(sum / static_cast<double>(map.size()));
}

void write_map(const char *path, const std::vector<double> &values)
{
    const armilla::Map map(nside, 1);
    std::copy(values.begin(), values.end(), map.field(0).begin());
    armilla::WriteOptions options;
    options.overwrite = 1;
    map.write(path, &options);
}

void run(const char *path)
{
    const armilla::SHT sht(armilla::Grid::healpix(nside), lmax);
    std::vector<double> cl(lmax + 1);
    for (int l = 2; l <= lmax; l++) cl[l] = 1.0 / (l * (l + 1.0));
    armilla::Alm alm = armilla::random_alm(lmax, lmax, cl, /* seed */ 1);
    std::vector<double> map = sht.synthesis(alm);
    std::printf("%zu pixels, rms %.6f\n", map.size(), rms(map));

    const std::vector<double> beam = armilla::gaussian_beam(5 * std::acos(-1.0) / 180, lmax);
    armilla::multiply_window(lmax, lmax, beam, alm);
    sht.synthesis(alm, map);
    std::printf("through the beam, rms %.6f\n", rms(map));

    sht.pseudo_analysis(map, alm); // HEALPix: by iteration
    const std::vector<double> found = armilla::spectrum(lmax, lmax, alm, alm);
    for (int l = 2; l <= 32; l *= 2)
        std::printf("l = %2d: C_l = %.6e, of the sky %.6e\n", l, found[l],
                    cl[l] * beam[l] * beam[l]);
    write_map(path, map);
}

} // namespace

int main(int argc, char **argv)
{
    try {
        run(argc > 1 ? argv[1] : "sky.fits");
    } catch (const armilla::Error &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
