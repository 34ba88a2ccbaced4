/* The headers for C++: each class and function once, against the same calls in C or an identity,
 * and errors as exceptions. Prints what is wrong; the exit status says whether anything is. */
#include <armilla/armilla.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace
{

constexpr int64_t lmax = 16, nside = 8;
int failures = 0;

void expect(bool fine, const char *what)
{
    if (fine) return;
    std::printf("FAILED: %s\n", what);
    failures++;
}

/* Does a call throw, with this status and a message that has these words? */
template <class Call> void refuses(armilla_status status, const char *words, Call call)
{
    try {
        call();
    } catch (const armilla::Error &error) {
        expect(error.status() == status, words);
        expect(std::string(error.what()).find(words) != std::string::npos, error.what());
        return;
    }
    expect(false, words);
}

template <class Array> double largest_difference(const Array &a, const Array &b)
{
    double largest = a.size() == b.size() ? 0 : HUGE_VAL;
    for (std::size_t i = 0; i < a.size() && i < b.size(); i++)
        largest = std::fmax(largest, static_cast<double>(std::abs(a[i] - b[i])));
    return largest;
}

armilla::Alm sky(int64_t field)
{
    const std::vector<double> cl(lmax + 1, 1.0);
    return armilla::random_alm(lmax, lmax, cl, 3, static_cast<uint64_t>(field));
}

/* Is `result` what a function of C makes of `given`, bit by bit? */
template <class Plan, class Function, class In, class Out>
void as_in_c(const Plan &plan, Function function, const In &given, const Out &result,
             const char *what)
{
    using Real = armilla::real_of<Out>;
    Out judge(result.size());
    armilla::check(function(plan.get(), reinterpret_cast<const Real *>(given.data()),
                            reinterpret_cast<Real *>(judge.data()), nullptr));
    expect(judge == result, what);
}

/* All operators of a plan, with doubles and with floats. d, f: the functions of C, in the sequence
 * below. */
template <class Plan, class Double, class Float>
void operators(const Plan &plan, const armilla::Alm &alm, const Double &d, const Float &f)
{
    const std::vector<std::complex<float>> single(alm.begin(), alm.end());
    const std::vector<double> map = plan.synthesis(alm);
    const std::vector<float> float_map = plan.synthesis(single);
    as_in_c(plan, d[0], alm, map, "synthesis");
    as_in_c(plan, d[1], map, plan.adjoint_synthesis(map), "adjoint synthesis");
    as_in_c(plan, d[2], map, plan.analysis(map), "analysis");
    as_in_c(plan, d[3], alm, plan.adjoint_analysis(alm), "adjoint analysis");
    as_in_c(plan, f[0], single, float_map, "synthesis of floats");
    as_in_c(plan, f[1], float_map, plan.adjoint_synthesis(float_map), "adjoint to floats");
    as_in_c(plan, f[2], float_map, plan.analysis(float_map), "analysis of floats");
    as_in_c(plan, f[3], single, plan.adjoint_analysis(single), "adjoint analysis of floats");
}

void grids()
{
    armilla::Grid grid = armilla::Grid::healpix(nside);
    expect(grid.npix() == 768 && grid.nrings() == 31 && grid.exact_lmax() == -1, "HEALPix");
    armilla::Grid moved = std::move(grid);
    expect(grid.get() == nullptr && moved.kind() == ARMILLA_GRID_HEALPIX, "moved");
    std::vector<armilla_ring> rings;
    for (int64_t i = 0; i < moved.nrings(); i++) rings.push_back(moved.ring(i));
    expect(armilla::Grid::custom(rings).npix() == 768, "custom");
    expect(armilla::Grid::equidistant(ARMILLA_GRID_CC, 9, 18).npix() == 162, "Clenshaw-Curtis");
    expect(armilla::Grid::reduced_gauss_legendre(9, 8).exact_lmax() == 8, "reduced");
    expect(armilla::Grid::healpix_weighted(nside, lmax).npix() == 768, "weighted");
    refuses(ARMILLA_ERROR_ARGUMENT, "nside = 0", [] { armilla::Grid::healpix(0); });
}

void scalars()
{
    const armilla::Grid grid = armilla::Grid::gauss_legendre(lmax + 1, 2 * lmax + 2);
    const armilla::SHT sht(grid, lmax);
    const armilla::Alm alm = sky(0);
    const std::vector<double> map = sht.synthesis(alm);
    operators(sht, alm,
              std::array{armilla_sht_synthesis, armilla_sht_adjoint_synthesis, armilla_sht_analysis,
                         armilla_sht_adjoint_analysis},
              std::array{armilla_sht_synthesis_float, armilla_sht_adjoint_synthesis_float,
                         armilla_sht_analysis_float, armilla_sht_adjoint_analysis_float});
    expect(largest_difference(sht.analysis(map), alm) < 1e-13, "analysis");
    expect(sht.describe().lmax == lmax, "describe");

    armilla::Exec exec;
    exec.ntrans = 2;
    exec.nthreads = 1;
    armilla::Alm two = alm;
    two.insert(two.end(), alm.begin(), alm.end());
    const std::vector<double> maps = sht.synthesis(two, &exec);
    expect(maps.size() == 2 * map.size() && maps[3] == maps[3 + map.size()], "two at once");
    exec.ntrans = (int64_t{1} << 62) + 1; /* times a size that 4 divides: the size, modulo 2^64 */
    std::vector<double> room(map.size());
    refuses(ARMILLA_ERROR_ARGUMENT, "do not fit in 64 bits",
            [&] { sht.synthesis(alm, room, &exec); });
    refuses(ARMILLA_ERROR_ARGUMENT, "do not fit in 64 bits", [&] { sht.synthesis(alm, &exec); });
    std::array<double, 3> small{};
    refuses(ARMILLA_ERROR_ARGUMENT, "map has 3 values", [&] { sht.synthesis(alm, small); });
    refuses(ARMILLA_ERROR_ARGUMENT, "alm has", [&] { sht.synthesis(two); });
    exec.map_distance = 1000;
    refuses(ARMILLA_ERROR_ARGUMENT, "map_distance = 0, 1000", [&] { sht.synthesis(two, &exec); });
    exec.ntrans = 0;
    refuses(ARMILLA_ERROR_ARGUMENT, "ntrans = 0", [&] { sht.synthesis(two, &exec); });
}

void polarised()
{
    const armilla::Grid grid = armilla::Grid::healpix(nside);
    armilla::SHTOptions options;
    options.spin = 2;
    const armilla::SHT spin(grid, lmax, lmax, &options);
    expect(spin.alm_size() == 2 * armilla_alm_size(lmax, lmax), "E and B");
    expect(spin.map_size() == 2 * grid.npix(), "Q and U");
    const armilla::IQU iqu(grid, lmax);
    armilla::Alm teb;
    for (int64_t field = 0; field < 3; field++) {
        const armilla::Alm one = sky(field);
        teb.insert(teb.end(), one.begin(), one.end());
    }
    operators(iqu, teb,
              std::array{armilla_iqu_synthesis, armilla_iqu_adjoint_synthesis, armilla_iqu_analysis,
                         armilla_iqu_adjoint_analysis},
              std::array{armilla_iqu_synthesis_float, armilla_iqu_adjoint_synthesis_float,
                         armilla_iqu_analysis_float, armilla_iqu_adjoint_analysis_float});
    const std::vector<double> map = iqu.synthesis(teb);
    const std::size_t nalm = teb.size() / 3, npix = map.size() / 3;
    const std::vector<double> qu = spin.synthesis(armilla::Alm(teb.begin() + nalm, teb.end()));
    expect(std::vector<double>(map.begin() + npix, map.end()) == qu, "Q and U of both plans");
    armilla::PseudoOptions pseudo;
    pseudo.tolerance = 1e-8;
    armilla::Alm back(teb.size());
    const std::vector<armilla_pseudo_report> reports = iqu.pseudo_analysis(map, back, &pseudo);
    expect(reports.size() == 2 && reports[1].residual < 1e-6, "pseudo analysis");
    expect(std::abs(back[20] - teb[20]) < 1e-5, "T, E and B come back");
}

void elsewhere()
{
    const armilla::Grid grid = armilla::Grid::healpix(nside);
    const armilla::Alm alm = sky(0);
    std::vector<double> where;
    for (int64_t i = 0; i < grid.nrings(); i++) {
        where.push_back(grid.ring(i).theta);
        where.push_back(grid.ring(i).phi0);
    }
    const armilla::Points points(lmax, lmax, where);
    const std::vector<double> map = armilla::SHT(grid, lmax).synthesis(alm);
    const std::vector<double> values = points.synthesis(alm);
    const auto offset = static_cast<std::size_t>(grid.ring(12).offset);
    expect(std::fabs(values[12] - map[offset]) < 1e-5, "values at points");
    expect(points.adjoint_synthesis(values).size() == alm.size(), "adjoint at points");

    where.pop_back();
    refuses(ARMILLA_ERROR_ARGUMENT, "points has", [&] { armilla::Points(lmax, lmax, where); });

    const armilla::Alm potential(alm.size()); // 0: nothing moves
    armilla::Deflection deflection;
    deflection.lmax = deflection.mmax = lmax;
    deflection.gradient = armilla::parts(potential.data());
    const armilla::Lensing lensing(grid, deflection, lmax, lmax);
    std::vector<double> lensed(map.size());
    armilla::Alm back(alm.size());
    lensing.alm2lenmap(alm, lensed);
    lensing.adjoint(lensed, back);
    expect(largest_difference(lensed, map) < 1e-4, "lensed by nothing");

    armilla_grid_layout layout{}; /* maps with gaps between their rings */
    armilla_grid_layout_init(&layout);
    layout.ring_stride = 40;
    const armilla::Grid rows = armilla::Grid::gauss_legendre(lmax + 1, 2 * lmax + 2);
    const armilla::Grid gaps = rows.laid_out(&layout);
    const armilla::Lensing apart(gaps, deflection, lmax, lmax);
    expect(apart.map_size() == gaps.npix() && gaps.npix() > rows.npix(), "a map with gaps");
    expect(apart.beside(lmax, lmax).map_size() == gaps.npix(), "lensing beside");

    armilla::RadialOptions options;
    options.normalization = ARMILLA_RADIAL_SUM;
    const armilla::Radial radial(grid, armilla::Kernel::gaussian(0.3), &options);
    const std::vector<double> ones(map.size(), 1.0);
    radial.convolve(ones, lensed);
    expect(largest_difference(lensed, ones) < 1e-12, "a constant map stays");
}

void spectra_and_files(const std::string &path)
{
    armilla::Alm alm = sky(0);
    const std::vector<double> before = armilla::spectrum(lmax, lmax, alm, alm);
    const std::vector<double> beam = armilla::gaussian_beam(0.2, lmax);
    armilla::multiply_window(lmax, lmax, beam, alm);
    const std::vector<double> after = armilla::spectrum(lmax, lmax, alm, alm);
    expect(std::fabs(after[9] / before[9] / (beam[9] * beam[9]) - 1) < 1e-13, "beam");

    const armilla::Map map(nside, 2);
    for (double &value : map.field(1)) value = 2.5;
    armilla::WriteOptions options;
    options.overwrite = 1;
    map.write(path, &options);
    expect(armilla::Map::read(path).field(1)[767] == 2.5, "a map that was written");
    refuses(ARMILLA_ERROR_ARGUMENT, "field = 2", [&] { map.field(2); });
    refuses(ARMILLA_ERROR_IO, "exists already", [&] { map.write(path); });
}

/* Classes that languages/generate.py writes. */
void generated()
{
    const armilla::Grid grid = armilla::Grid::named(std::string("O16"));
    expect(grid.nrings() == 32 && armilla::Grid::octahedral(16).npix() == grid.npix(), "O16");
    refuses(ARMILLA_ERROR_ARGUMENT, "Q16", [] { armilla::Grid::named("Q16"); });

    armilla::BeamsOptions options;
    options.epsilon = 1e-9;
    const std::vector<double> pointings{0.5, 1.0, 2.0, 1.5, 3.0, 0.1};
    const armilla::Beams beams =
        armilla::Beams::create(lmax, lmax, 2, 2, pointings.data(), &options);
    const armilla::Alm alm = sky(0), beam(static_cast<std::size_t>(armilla_alm_size(lmax, 2)), 1.0);
    std::vector<double> samples(2), judge(2);
    beams.convolve(armilla::parts(alm.data()), armilla::parts(beam.data()), samples.data());
    armilla::check(armilla_beams_convolve(beams.get(), armilla::parts(alm.data()),
                                          armilla::parts(beam.data()), judge.data(), nullptr));
    expect(samples == judge && samples[0] != 0, "beams as in C");
    expect(beams.describe(1).npointings == 2, "beams are described");
    const armilla::Beams beside = beams.beside(1, pointings.data() + 3, nullptr);
    beside.convolve(armilla::parts(alm.data()), armilla::parts(beam.data()), samples.data());
    expect(samples[0] == judge[1], "beams beside others");

    const armilla::Points points(lmax, lmax, std::vector<double>{0.5, 1.0});
    const double elsewhere[2] = {1.5, 3.0};
    const armilla::Points moved = points.beside(1, elsewhere);
    expect(moved.map_size() == 1 && moved.synthesis(alm).size() == 1, "points beside others");

    const armilla::ComplexSHT complex = armilla::ComplexSHT::create(grid, lmax, lmax);
    expect(complex.describe(1).lmax == lmax, "complex fields");
    const armilla::AlmLayout layout = armilla::AlmLayout::create(lmax, 2);
    expect(layout.size() == armilla_alm_size(lmax, 2), "layouts");
    refuses(ARMILLA_ERROR_ARGUMENT, "mmax", [] { armilla::AlmLayout::create(2, 3); });
    const armilla::Kernel kernel = armilla::Kernel::needlet(2.0, 3);
    expect(kernel.get() != nullptr, "needlets");
}

} // namespace

int main(int, char **argv)
{
    grids();
    scalars();
    polarised();
    elsewhere();
    generated();
    spectra_and_files(argv[1]);
    return failures != 0;
}
